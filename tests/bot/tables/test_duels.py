"""Two people at one table that stands apart: whose words reach it, who answers, and what others read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.games.sixcardpoker.rules.states import Invited, Playing
from chatbot.ledger.people import Account
from chatbot.rooms.channel import Manner, Privacy
from tests.bot.duellists import ACCEPTANCE, START, at_new_one, challenged, dealt, game, last_setting, own
from tests.bot.hosting import MO
from tests.bot.stage import Stage, account, seat

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.line import Line
    from chatbot.rooms.table_protocol import Table

pytestmark = pytest.mark.slow

BUSY = "is in a game of this already; challenge them when it is over."
ALREADY = "You are in a game already; set your cards first, with !set HIGH MIDDLE LOW or !set auto."


async def heard(stage: Stage, line: Line) -> list[str]:
    """Let a line be heard that is more than words; give what is said to it."""
    before = len(stage.adapter.deliveries)
    await stage.bot.converse(line)
    await stage.turn(0)
    return stage.said(before)


def pressed(stage: Stage, who: str, text: str, table: Table) -> Line:
    return replace(stage.line(who, text), table=table.id)


# A whole duel


async def test_a_duel_is_played_by_whispers_and_its_words_reach_one_table(store: Store) -> None:
    stage = await dealt(store)
    assert (await stage.bot.ledger.balances([game(stage, "ann").pot]))[game(stage, "ann").pot] == 100
    setting = last_setting(stage, "ann", "bob")
    told = await stage.say("bob", f"!set {setting}", private=True)
    assert told[0] == "bob has set the cards."
    assert sorted(own(stage, "ann", "bob")) == sorted(setting)
    assert f"sixcardpoker {seat('bob')}" not in stage.room.tables
    told = await stage.say("ann", "!set auto", private=True)
    assert "! ann against bob: High " in told[0]
    result = game(stage, "ann").view(None).revealed
    for who in ("ann", "bob"):
        assert await stage.credits(who) == START - 50 + result.payouts[seat(who)]
    assert sum(result.payouts.values()) == 100
    assert [each for each in stage.said() if "Review for" in each]


@pytest.mark.parametrize(
    ("word", "answer"), [("!accept", "bob takes up the challenge of ann"), ("!DECLINE", "bob declines")]
)
async def test_a_challenge_may_be_answered_by_a_word_that_another_game_has_too(
    store: Store, word: str, answer: str
) -> None:
    stage = await challenged(store)
    assert (await stage.say("bob", word))[0].startswith(answer)
    assert (await stage.say("kim", word))[0].startswith("> kim: You are in no game of Poker Market")


async def test_who_plays_the_other_game_answers_there_by_its_words(store: Store) -> None:
    stage = await challenged(store)
    await stage.say("bob", "!market")
    assert await stage.say("bob", "!accept") == ["> bob: No cards lie open yet; wait until they are dealt."]
    assert (await stage.say("bob", "!sixcard accept"))[0].startswith("bob takes up")


async def test_nothing_of_cards_or_settings_is_said_to_all_before_the_end(store: Store) -> None:
    stage = await dealt(store)
    since = len(stage.adapter.deliveries)
    for who in ("ann", "bob"):
        cards = game(stage, "ann").view(seat(who)).held[seat(who)]
        alone = [each for each in stage.adapter.deliveries if each.to == account(who)]
        whispered = [each.text for each in alone if each.says[0].event != "Hint"]
        assert f"Your cards: {' '.join(map(str, cards))}." in whispered[0]
    await stage.say("bob", f"!set {last_setting(stage, 'ann', 'bob')}", private=True)
    await stage.say("bob", "!set auto", private=True)
    public = [each.text for each in stage.adapter.deliveries[since:] if each.to is None]
    assert public == ["bob has set the cards."]
    onlookers = [game(stage, "ann").view(each) for each in (None, seat("kim"))]
    assert [(each.held, each.own) for each in onlookers] == [({}, None)] * 2


async def test_what_is_typed_where_others_can_read_it_counts_and_its_author_is_told(store: Store) -> None:
    stage = await dealt(store)
    setting = last_setting(stage, "ann", "bob")
    told = await stage.say("bob", f"!set {setting}")
    assert told[0] == "bob has set the cards."
    assert any(each.startswith("> bob: Others can read how you set your cards here") for each in told)
    assert sorted(own(stage, "ann", "bob")) == sorted(setting)


async def test_what_is_best_whispered_is_known_by_its_table(store: Store) -> None:
    stage = await challenged(store)
    bot, room = stage.bot, stage.room
    words = ("!set auto", "!set 144 23 1", "!arrange auto", "!set144 23 1")
    assert not any(bot.secret(room, seat("bob"), each) for each in words)
    await stage.say("bob", "!sixcard accept")
    assert all(bot.secret(room, seat(who), each) for who in ("ann", "bob") for each in words)
    assert not any(bot.secret(room, seat("kim"), each) for each in words)
    assert bot.secret(room, seat("kim"), "!arrange auto", game(stage, "ann").id)
    assert not bot.secret(room, seat("bob"), "!set sixcard arrangement 30")
    assert not bot.secret(room, seat("bob"), "!heist 5")


# Who answers


async def test_a_challenge_is_answered_by_its_rival_alone(store: Store) -> None:
    stage = await challenged(store)
    before = game(stage, "ann").state
    told = await stage.say("ann", "!sixcard accept")
    assert told == ["> ann: bob has yet to answer your challenge; !sixcard decline takes it back."]
    for word in ("accept", "decline"):
        told = await stage.say("kim", f"!sixcard {word}")
        assert told == ["> kim: There is no challenge for you to answer; open a game with !sixcard."]
        assert await heard(stage, pressed(stage, "kim", f"!sixcard {word}", game(stage, "ann"))) == told
    assert game(stage, "ann").state is before
    assert await stage.credits("kim") == START


async def test_a_challenge_is_turned_down_taken_back_or_lapses_and_its_stake_goes_back(store: Store) -> None:
    stage = await challenged(store)
    assert (await stage.say("bob", "!sixcard decline"))[0] == "bob declines the duel with ann."
    assert await stage.credits("ann") == START
    await stage.say("ann", "!sixcard @bob 50")
    assert (await stage.say("ann", "!sixcard decline"))[0] == "ann takes the challenge to bob back."
    assert await stage.credits("ann") == START
    await stage.say("ann", "!sixcard @bob 50")
    await stage.turn(ACCEPTANCE - 1)
    assert isinstance(game(stage, "ann").state, Invited)
    assert (await stage.turn(1))[0] == "bob did not answer in time; the duel with ann is off."
    assert await stage.credits("ann") == START
    told = await stage.say("bob", "!sixcard accept")
    assert told == ["> bob: There is no challenge for you to answer; open a game with !sixcard."]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("!sixcard @ann 50", "You cannot challenge yourself; play the house with just !sixcard."),
        ("!sixcard @nobody 50", "Nobody called “nobody” has been here; check the spelling of the name."),
        ("!sixcard @nash 50", "Nobody called “nash” has been here; check the spelling of the name."),
        ("!sixcard @ 50", "Nobody called “?” has been here; check the spelling of the name."),
        ("!sixcard @bob 241", "You have only 240 credits; choose less, or write all."),
    ],
)
async def test_whoever_cannot_be_challenged_is_not(store: Store, line: str, reason: str) -> None:
    stage = await Stage(store).open()
    for who in ("ann", "bob"):
        await stage.say(who, "hello")
    assert await stage.say("ann", line) == [f"> ann: {reason}"]
    assert stage.room.tables == {}
    assert await stage.credits("ann") == START


async def test_a_bot_that_is_named_is_no_member(store: Store) -> None:
    stage = await Stage(store).open()
    bot = Account("house", "7")
    for text in (f"!sixcard @{bot} 50", f"!give @{bot} 50"):
        told = await heard(stage, replace(stage.line("ann", text), named={bot: "Rabble"}))
        assert told == ["> ann: “Rabble” is a bot and takes no part in this."]
    assert await stage.credits("ann") == START


async def test_a_name_of_several_words_is_found_and_the_rest_of_the_line_too(store: Store) -> None:
    stage = await Stage(store).open()
    for who in ("ann", "Big Bob", "Big Bob 50"):
        await stage.say(who, "hello")
    assert (await stage.say("ann", "!sixcard @big bob 50"))[0].startswith("ann challenges Big Bob to a duel")
    assert await stage.credits("ann") == START - 50


async def test_somebody_who_was_mentioned_and_never_spoke_may_be_challenged(store: Store) -> None:
    stage = await Stage(store).open()
    assert (await heard(stage, at_new_one(stage)))[0].startswith("ann challenges New One to a duel")
    await stage.say("new", "!sixcard accept")
    assert await stage.credits("new") == START - 50


async def test_there_are_no_duels_where_cards_cannot_be_told_to_one_alone(store: Store) -> None:
    for privacy in (Privacy.NONE, Privacy.SECRETS):
        stage = await Stage(store, manner=Manner(private=privacy), run=privacy.value).open()
        await stage.say("bob", "hello")
        told = await stage.say("ann", "!sixcard @bob 50")
        assert len(told) == 1
        assert "A duel needs a place where I can tell each of you your cards in secret" in told[0]
        assert stage.room.tables == {}


# Several tables


async def test_who_plays_already_is_not_challenged_and_takes_up_no_challenge(store: Store) -> None:
    stage = await challenged(store)
    await stage.say("kim", "!sixcard 10")
    told = await stage.say("ann", "!sixcard @kim 10")
    assert told == [f"> ann: kim {BUSY}"]
    await stage.say("dan", "hello")
    for who in ("kim", "ann"):
        assert await stage.say("dan", f"!sixcard @{who} 10") == [f"> dan: {who} {BUSY}"]
    assert await stage.credits("dan") == START
    await stage.say("bob", "!sixcard accept")
    told = await stage.say("dan", "!sixcard @bob 10")
    assert told == [f"> dan: bob {BUSY}"]


async def test_of_two_challenges_one_is_taken_up_and_the_other_waits(store: Store) -> None:
    stage = await challenged(store)
    await stage.say("kim", "!sixcard @bob 20")
    told = await heard(stage, pressed(stage, "bob", "!sixcard accept", game(stage, "kim")))
    assert told[0].startswith("bob takes up the challenge of kim")
    assert isinstance(game(stage, "ann").state, Invited)
    await stage.say("bob", "!set auto", private=True)
    assert isinstance(game(stage, "kim").state, Playing)
    assert seat("bob") in game(stage, "kim").state.settings
    assert await stage.say("bob", "!sixcard accept") == [f"> bob: {ALREADY}"]
    told = await heard(stage, pressed(stage, "bob", "!sixcard accept", game(stage, "ann")))
    assert told == [f"> bob: {ALREADY}"]
    assert await stage.credits("bob") == START - 20
    await stage.say("kim", "!set auto", private=True)
    assert game(stage, "kim").over
    before = await stage.credits("bob")
    assert (await stage.say("bob", "!sixcard accept"))[0].startswith("bob takes up the challenge of ann")
    assert await stage.credits("bob") == before - 50


async def test_who_is_challenged_answers_before_they_challenge_anybody(store: Store) -> None:
    stage = await challenged(store)
    for rival in ("ann", "kim"):
        (told,) = await stage.say("bob", f"!sixcard @{rival} 10")
        assert told.startswith("> bob: ann has challenged you, for 50 credits each: answer with ")


async def test_a_challenge_keeps_nobody_from_playing_the_house(store: Store) -> None:
    stage = await challenged(store)
    assert "bob plays the house" in " ".join(await stage.say("bob", "!sixcard half"))
    assert await stage.say("bob", "!sixcard accept") == [f"> bob: {ALREADY}"]
    assert isinstance(game(stage, "ann").state, Invited)
    await stage.say("bob", "!set auto")
    assert (await stage.say("bob", "!sixcard accept"))[0].startswith("bob takes up the challenge of ann")


async def test_others_do_nothing_at_a_duel(store: Store) -> None:
    stage = await dealt(store)
    before = game(stage, "ann").state
    for text in ("!set auto", "!set 144 23 1", "!arrange auto"):
        told = await stage.say("kim", text)
        assert told == ["> kim: You are in no game of Six Card Poker here now; start one with !sixcard."]
        button = pressed(stage, "kim", text.replace("set", "arrange"), game(stage, "ann"))
        told = await heard(stage, button)
        assert told == ["> kim: Others are playing at this table; start a game of your own with !sixcard."]
    assert game(stage, "ann").state is before


async def test_two_play_the_house_at_once_beside_a_duel_within_the_limit(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say(MO, "!set sixcard games 3")
    for who in ("ann", "bob", "kim", "dan", "eve"):
        await stage.say(who, "hello")
    await stage.say("ann", "!sixcard @bob 10")
    await stage.say("bob", "!sixcard accept")
    await stage.say("kim", "!sixcard 10")
    await stage.say("dan", "!sixcard 10")
    told = await stage.say("eve", "!sixcard 10")
    assert len(told) == 1
    assert "3" in told[0]
    assert await stage.credits("eve") == START
    await stage.say("kim", "!set auto")
    assert "eve plays the house" in " ".join(await stage.say("eve", "!sixcard 10"))
    assert len({each.id for each in stage.room.playing("sixcardpoker")}) == 3
