"""Newcomers are told once how a game goes, and a mistyped command is answered with the one it is close to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.say import Talk
from chatbot.kernel.suggestions import near
from chatbot.rooms.channel import Manner, Privacy
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

MO = "mo(moderator)"
PUBLIC = Manner(private=Privacy.NONE)

# What chats type for other bots: those of StreamElements, Streamlabs, Nightbot, Fossabot, Moobot, MEE6, Dyno
# and of the streamers' own making.
TYPED = """
so discord commands uptime followage lurk unlurk quote quotes points gamble duel slots roulette
raffle join songrequest sr song skip queue playlist title game setgame settitle permit shoutout clip
giveaway hug leaderboard watchtime accountage poll vote timer command addcom editcom delcom merch
socials twitter youtube instagram prime sub specs schedule time weather 8ball coinflip dice roll
trivia donate tip stats level exp addpoints givepoints setpoints boss hype tts marbles followers
gift wins deaths hydrate links rankup
"""


@pytest.mark.slow
async def test_the_first_command_of_a_game_is_answered_with_how_it_goes_once(stage: Stage) -> None:
    await stage.say("ann", "!heist 5")
    hint = "New to Bank Heist? !help heist tells how it goes; whisper me what is secret. You have 235"
    await stage.turn(1)
    assert stage.hints() == [f"> ann: {hint} credits now."]
    await stage.say("ann", "!heist 6")
    await stage.turn(500)
    await stage.say("ann", "!heist 7")
    await stage.turn(1)
    assert len(stage.hints()) == 1


@pytest.mark.slow
async def test_a_hint_is_not_given_again_after_a_restart_nor_for_a_line_that_comes_again(
    store: Store,
) -> None:
    stage = await Stage(store).open()
    await stage.say("ann", "!highshow", line="one")
    await stage.say("ann", "!highshow", line="one")
    await stage.turn(1)
    assert len(stage.hints()) == 1
    stage = await Stage(store, run="b").open()
    await stage.say("ann", "!cashout")
    await stage.turn(1)
    assert stage.hints() == []


@pytest.mark.slow
async def test_each_game_and_each_community_has_a_hint_of_its_own(stage: Stage) -> None:
    await stage.say("ann", "!heist 5")
    await stage.say("ann", "!highshow")
    village = stage.new_room("far", community="village")
    await stage.bot.open(village)
    await stage.bot.converse(stage.line("ann", "!heist 5", room="far"))
    await stage.watch.turn()
    await stage.turn(1)
    assert len(stage.hints()) == 3


async def test_what_is_refused_brings_no_hint(stage: Stage) -> None:
    await stage.say("ann", "!guncheck")
    await stage.say("ann", "!heist odd")
    await stage.turn(1)
    assert stage.hints() == []


async def test_who_turns_a_duel_down_is_no_newcomer_and_who_asked_for_one_is(stage: Stage) -> None:
    await stage.say("bob", "hello")
    await stage.say("ann", "!sixcard @bob 5")
    await stage.say("bob", "!sixcard decline")
    await stage.turn(1)
    assert [each.split(":")[0] for each in stage.hints()] == ["> ann"]
    await stage.say("ann", "!sixcard @bob 5")
    await stage.say("bob", "!sixcard accept")
    await stage.turn(1)
    assert [each.split(":")[0] for each in stage.hints()] == ["> ann", "> bob"]


async def test_who_only_asks_about_a_game_is_given_no_hint(stage: Stage) -> None:
    await stage.say("ann", "!heist 5")
    await stage.say("bob", "!heist odds")
    await stage.say("bob", "!sixcard rules")
    await stage.turn(1)
    assert [each.split(":")[0] for each in stage.hints()] == ["> ann"]


async def test_whispering_is_advised_only_where_moves_are_secret(stage: Stage) -> None:
    await stage.say("ann", "!sixcard 5")
    await stage.say("ann", "!highshow")
    await stage.say("ann", "!chicken")
    await stage.turn(1)
    cards, show, chicken = stage.hints()
    assert "!help sixcard tells how it goes. You have" in cards
    assert "!help highshow tells how it goes. You have" in show
    assert "whisper me what is secret" in chicken
    await stage.say("bob", "hello")
    await stage.say("cid", "!sixcard @bob 5")
    await stage.say("bob", "!sixcard accept")
    await stage.turn(1)
    challenger, challenged = stage.hints()[-2:]
    assert challenger.startswith("> cid")
    assert "whisper me what is secret" in challenger
    assert "whisper me what is secret" in challenged


@pytest.mark.slow
async def test_a_bare_number_that_is_no_stake_is_answered_once_with_how_a_stake_is_given(
    stage: Stage,
) -> None:
    told = "The first number is not the stake: that is given as in !highshow stake=50."
    await stage.say("ann", "!highshow 3")
    await stage.turn(1)
    first = "> ann: New to High Show? !help highshow tells how it goes. You have 240 credits now."
    assert stage.hints() == [f"{first} {told}"]
    await stage.say("bob", "!highshow")
    await stage.say("bob", "!cashout")
    await stage.turn(600)
    await stage.say("bob", "!highshow3")
    await stage.turn(1)
    assert stage.hints()[-1] == f"> bob: {told}"
    for line in ("!highshow stake=5", "!highshow 3 1 5", "!heist 5", "!sixcard 5", "!chicken", "!play 1"):
        await stage.turn(600)
        await stage.say("cid", line)
    await stage.turn(600)
    await stage.say("bob", "!highshow 4")
    await stage.turn(1)
    assert len([each for each in stage.hints() if "stake=50" in each]) == 2


async def test_how_a_stake_is_given_is_told_in_public_at_once_though_another_was_told_of_a_game(
    store: Store,
) -> None:
    stage = await Stage(store, manner=PUBLIC).open()
    await stage.say("ann", "!heist 5")
    await stage.say("bob", "!highshow 3")
    await stage.turn(1)
    told = "The first number is not the stake: that is given as in !highshow stake=50."
    assert stage.hints()[1:] == [f"@bob: {told}"]


async def test_who_joins_on_the_terms_of_a_table_is_not_told_how_a_stake_is_given(stage: Stage) -> None:
    await stage.say("ann", "!chicken 6")
    await stage.say("bob", "!chicken 6")
    await stage.turn(1)
    told = [each for each in stage.hints() if "stake=50" in each]
    assert [each.partition(":")[0] for each in told] == ["> ann"]


@pytest.mark.slow
async def test_in_public_at_most_one_newcomer_a_minute_is_told(store: Store) -> None:
    stage = await Stage(store, manner=PUBLIC).open()
    await stage.say("ann", "!heist 5")
    await stage.say("bob", "!heist 5")
    await stage.turn(1)
    assert [each.split(":")[0] for each in stage.hints()] == ["@ann"]
    await stage.turn(60)
    await stage.say("bob", "!highshow")
    await stage.turn(1)
    assert [each.split(":")[0] for each in stage.hints()] == ["@ann", "@bob"]


async def test_a_public_reply_brings_one_newcomer_a_minute_a_hint_where_others_are_told_alone(
    stage: Stage,
) -> None:
    for who in ("ann", "bob", "cid"):
        await stage.say(who, "!heist 5")
    await stage.turn(60)
    await stage.say("dan", "!highshow")
    await stage.turn(1)
    hints = [each for delivery in stage.adapter.deliveries for each in delivery.says if each.event == "Hint"]
    assert [each.talk for each in hints] == [Talk.NORMAL, Talk.FULL, Talk.FULL, Talk.NORMAL]


async def test_who_is_in_the_middle_of_a_game_is_not_told_any_more_how_it_goes(store: Store) -> None:
    stage = await Stage(store, manner=PUBLIC).open()
    await stage.say("ann", "!market 2")
    await stage.say("bob", "!market")
    await stage.turn(60)
    for _ in range(4):
        for who in ("ann", "bob"):
            await stage.say(who, "!pass")
        await stage.turn(30)
    assert [each.split(":")[0] for each in stage.hints()] == ["@ann"]


@pytest.mark.slow
async def test_hints_can_be_switched_off_and_are_not_said_where_the_bot_is_to_be_quiet(store: Store) -> None:
    stage = await Stage(store, manner=PUBLIC).open()
    await stage.say(MO, "!set room talk quiet")
    await stage.say("ann", "!heist 5")
    await stage.say(MO, "!set room talk full")
    await stage.say(MO, "!set room hints no")
    await stage.turn(60)
    await stage.say("bob", "!highshow")
    await stage.turn(1)
    assert stage.hints() == []


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("hiest", "heist"),
        ("heits 5", "heist"),
        ("highsow", "highshow"),
        ("credist", "credits"),
        ("seson", "season"),
        ("rankk", "rank"),
        ("cards", "sixcard"),  # close to !6card, which is another word for it
        ("6crad", "sixcard"),
        ("bankhiest", "heist"),
    ],
)
async def test_a_mistyped_command_is_answered_with_the_one_that_is_close(
    stage: Stage, typed: str, meant: str
) -> None:
    assert await stage.say("ann", f"!{typed}") == [f"> ann: Did you mean !{meant}?"]


async def test_a_command_of_another_bot_is_never_answered(stage: Stage) -> None:
    command_index = stage.bot.command_index
    for word in TYPED.split():
        await stage.turn(2)
        if command_index.bot_command(word) is None and command_index.command(word) is None:
            assert await stage.say(MO, f"!{word} ann") == [], word


async def test_where_no_other_bot_listens_a_word_that_is_no_command_is_answered(store: Store) -> None:
    stage = await Stage(store, manner=Manner(sole=True)).open()
    for word in ("nonsense", "so", "uptime", "8ball"):
        assert await stage.say("ann", f"!{word}") == [
            f"> ann: There is no command “{word}”; !help lists them all."
        ]
    assert await stage.say("ann", "!hiest") == ["> ann: Did you mean !heist?"]
    for talk in ("!", "! heist", "!!!", "!?", "!100"):
        assert await stage.say("ann", talk) == []


async def test_nobody_is_led_to_what_they_may_not_use_or_what_is_switched_off(stage: Stage) -> None:
    assert await stage.say("ann", "!settingz") == []
    assert await stage.say(MO, "!settingz") == ["> mo: Did you mean !settings?"]
    await stage.say(MO, "!disable heist")
    assert await stage.say("ann", "!hiest") == []
    await stage.say("bo(broadcaster)", "!permit market subscriber")
    assert await stage.say("ann", "!markt") == []
    assert await stage.say("sue(subscriber)", "!markt") == ["> sue: Did you mean !market?"]


async def test_help_leads_a_viewer_to_nothing_that_is_not_for_viewers(stage: Stage) -> None:
    assert await stage.say("ann", "!help permti") == [
        "> ann: There is no command “permti”; !help lists them all."
    ]
    assert (await stage.say("bo(broadcaster)", "!help permti"))[0].endswith("Did you mean permit?")


def test_of_words_as_close_the_first_that_is_listed_is_meant() -> None:
    assert near("clain", ["claim", "clair"]) == "claim"
    assert near("clain", ["clair", "claim"]) == "clair"
    assert near("clain", ["claim", "clains"]) == "clains", "a letter left out is closer than one exchanged"


async def test_one_s_own_alias_is_suggested_too(stage: Stage) -> None:
    await stage.say(MO, "!alias robbery heist")
    assert await stage.say("ann", "!robery") == ["> ann: Did you mean !robbery?"]


async def test_suggestions_are_made_once_a_minute_in_public_and_can_be_switched_off(store: Store) -> None:
    stage = await Stage(store, manner=PUBLIC).open()
    assert await stage.say("ann", "!hiest") == ["@ann: Did you mean !heist?"]
    assert await stage.say("bob", "!hiest") == []
    await stage.turn(60)
    await stage.say(MO, "!set room suggestions no")
    assert await stage.say("bob", "!hiest") == []


async def test_wrong_games_settings_and_presets_come_with_what_is_close(stage: Stage) -> None:
    for typed, meant in (
        ("set hiest lobby 60", "heist"),
        ("set heist loby 60", "heist lobby"),
        ("preset heist smal", "small"),
        ("settings cooldwons", "cooldowns"),
        (
            "settings Cooldown",
            "heist cooldown",
        ),  # which is a setting itself, though cooldowns is written so too
        ("set regular 5", "earning regular"),
    ):
        assert (await stage.say(MO, f"!{typed}"))[0].endswith(f"Did you mean {meant}?")
