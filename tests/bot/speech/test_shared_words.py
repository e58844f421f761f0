"""`!set` is the moderator's and a game's: which of them answers hangs on what follows and on who plays."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.runtime.clock import HandWatch
from chatbot.speech.words import Words
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from typing import Any

    from chatbot.bot.command_index import CommandIndex
    from chatbot.ledger.store.store import Store

MO = "mo(moderator)"
REFUSED = "Only moderators may do that."
NO_TABLE = "You are in no game of Six Card Poker here now; start one with !sixcard."


def state(stage: Stage, who: str) -> Any:
    return stage.room.tables[f"sixcardpoker {seat(who)}"].state


@pytest.mark.parametrize(
    "setting",
    ["sixcard arrangement 30", "sixcardpoker arrangement 30", "!sixcard arrangement 30", "6card games 3",
     "heist lobby 30", "room talk full"],
)  # fmt: skip
@pytest.mark.parametrize("plays", [False, True])
async def test_a_moderator_changes_settings_whether_they_play_or_not(
    store: Store, setting: str, *, plays: bool
) -> None:
    stage = await Stage(store).open()
    if plays:
        await stage.say(MO, "!sixcard 10")
    before = state(stage, "mo") if plays else None
    told = await stage.say(MO, f"!set {setting}")
    key, value = setting.split()[1:]
    assert key in told[0]
    assert value in told[0]
    if plays:
        assert state(stage, "mo") is before


async def test_a_setting_counts_from_the_next_table_on(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say(MO, "!sixcard 10")
    await stage.say(MO, "!set sixcard arrangement 30")
    await stage.say("ann", "!sixcard 10")
    clocks = [stage.room.tables[f"sixcardpoker {seat(who)}"].clock for who in ("mo", "ann")]
    assert [each.seconds for each in clocks if each is not None] == [60, 30]


@pytest.mark.parametrize("who", ["ann", MO])
@pytest.mark.parametrize("text", ["!set 144 23 1", "!SET auto", "!set144 23 1", "!set 7"])
async def test_cards_without_a_game_are_told_how_to_begin_one(store: Store, who: str, text: str) -> None:
    stage = await Stage(store).open()
    told = await stage.say(who, text)
    assert told == [f"> {who.partition('(')[0]}: {NO_TABLE}"]


@pytest.mark.parametrize("text", ["!set", "!set high", "!set heist lobby 30", "!set mine please now"])
async def test_who_plays_nothing_gets_the_keepers_answer(store: Store, text: str) -> None:
    stage = await Stage(store).open()
    await stage.say("bob", "!sixcard 10")
    alone = await stage.say("ann", text)
    assert len(alone) == 1
    assert "moderator" in alone[0]
    assert await stage.say("ann", "!preset heist small") == alone, "as of every word that is not theirs"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("!set", "Set your cards as three, two and one of the cards 1 to 4"),
        ("!set high", "Set your cards as three, two and one of the cards 1 to 4"),
        (
            "!set \N{ARABIC-INDIC DIGIT ONE}44 23 1",
            "Set your cards as three, two and one of the cards 1 to 4",
        ),
        ("!set 1444 2 1", "High takes three cards, Middle two and Low one"),
        ("!set 111 11 1", "Those are not your six cards; you hold "),
        ("!set autoo", "Set your cards as three, two and one of the cards 1 to 4"),
    ],
)
@pytest.mark.parametrize("who", ["ann", MO])
async def test_who_plays_gets_the_games_sentence(store: Store, who: str, text: str, told: str) -> None:
    stage = await Stage(store).open()
    name = who.partition("(")[0]
    await stage.say(who, "!sixcard 10")
    before = state(stage, name)
    said = await stage.say(who, text)
    assert len(said) == 1
    assert said[0].startswith(f"> {name}: {told}")
    assert state(stage, name) is before


@pytest.mark.slow
async def test_who_is_only_challenged_has_not_begun_to_play(store: Store) -> None:
    stage = await Stage(store).open()
    for who in ("ann", MO):
        await stage.say(who, "hello")
    await stage.say("ann", "!sixcard @mo 10")
    assert "!set GROUP KEY VALUE" in (await stage.say(MO, "!set"))[0]
    assert "has challenged you" in (await stage.say(MO, "!set 144 23 1"))[0]


async def test_who_plays_no_longer_has_the_keepers_answer_again(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say("ann", "!sixcard 10")
    await stage.say("ann", "!set auto")
    assert "moderator" in (await stage.say("ann", "!set high"))[0]


async def test_help_tells_of_both(store: Store) -> None:
    stage = await Stage(store).open()
    told = await stage.say("ann", "!help set")
    assert told[0].startswith("!set GROUP KEY VALUE ")
    assert told[1] == "(For example: !set heist lobby 60)"
    assert told[2] == "That is for moderators or above."
    assert told[3].startswith("!arrange HIGH MIDDLE LOW | auto ")
    (arrange,) = await stage.say("ann", "!help arrange")
    assert arrange == told[3]
    assert "!set" in arrange


async def test_a_word_that_is_shared_unasked_stops_the_program_at_once(store: Store) -> None:
    known = kits()
    usual = known["highshow"]
    first, *others = usual.chat.commands
    for words in ({"aliases": ("set",)}, {"word": "credits", "aliases": ()}):
        broken = replace(usual, chat=replace(usual.chat, commands=(replace(first, **words), *others)))
        with pytest.raises(ValueError, match="a game and the bot both answer to"):
            Bot({**known, "highshow": broken}, store, Words("en"), HandWatch())


async def test_two_games_cannot_both_share_a_word(store: Store) -> None:
    known = kits()
    usual = known["highshow"]
    first, *others = usual.chat.commands
    twin = replace(first, aliases=("set",), shares=bool)
    broken = replace(usual, chat=replace(usual.chat, commands=(twin, *others)))
    with pytest.raises(ValueError, match="two commands of games answer to"):
        Bot({**known, "highshow": broken}, store, Words("en"), HandWatch())


async def test_every_other_word_has_one_meaning(store: Store) -> None:
    stage = await Stage(store).open()
    command_index: CommandIndex = stage.bot.command_index
    shared = [
        word for each in command_index.bot_commands for word in (each.word, *each.aliases)
        if any(word in (it.word, *it.aliases) for kit in kits().values() for it in kit.chat.commands)
    ]  # fmt: skip
    assert shared == ["set"]
