"""Six Card Poker is played from a Twitch chat against the house; duels need a place for secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.delivery.sender import REFUSAL_INTERVAL
from tests.adapters.twitch.chatting import START, purse, told, within_limits
from tests.adapters.twitch.stage import Stage

if TYPE_CHECKING:
    from pathlib import Path

    from chatbot.ledger.store.store import Store
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import HandWatch
    from tests.fakes.twitch_server import Twitch

ARRANGEMENT, LONGEST = 60, 600


def table(stage: Stage, user: str) -> Table:
    return stage.chat("ada").room.tables[f"sixcardpoker {stage.seat(user)}"]


def setting(stage: Stage, user: str) -> str:
    """Write a setting that nobody would choose: the lowest cards go High."""
    held = table(stage, user).view(None).held[stage.seat(user)]
    digits = "".join(map(str, held))
    return f"{digits[:3][::-1]} {digits[3:5][::-1]} {digits[5]}"


async def paid(stage: Stage, user: str, stake: int) -> None:
    result = table(stage, user).view(None).revealed
    assert await purse(stage, user) == START - stake + result.payouts[stage.seat(user)]


@pytest.mark.parametrize("stake", [0, 50])
async def test_a_game_is_played_by_chat(stage: Stage, stake: int) -> None:
    await stage.open()
    opening = await told(stage, "ann", f"!sixcard {stake}")
    terms = f"for {stake} credits" if stake else "for honour"
    assert f"Ann plays the house at Six Card Poker, {terms}" in opening
    held = table(stage, "ann").view(None).held[stage.seat("ann")]
    assert f"your cards: {' '.join(map(str, held))}." in opening
    text = setting(stage, "ann")
    end = await told(stage, "ann", f"!set {text}")
    assert "Ann against Nash (house): High " in end
    assert str(table(stage, "ann").view(None).revealed.first.arrangement) == text
    await stage.watch.turn(5)
    said = " ".join(stage.fake.sent("ada"))
    assert "SHA-256" not in said
    assert "Review for Ann" in said
    await paid(stage, "ann", stake)
    assert within_limits(stage)


@pytest.mark.parametrize("text", ["!set auto", "!arrange auto", "!SET AUTO"])
async def test_best_play_sets_the_cards_when_asked(stage: Stage, text: str) -> None:
    await stage.open()
    await told(stage, "ann", "!sixcard half")
    assert "Ann against Nash (house): High " in await told(stage, "ann", text)
    await paid(stage, "ann", START // 2)


async def test_who_says_nothing_has_their_cards_set_for_them(stage: Stage) -> None:
    await stage.open()
    await told(stage, "ann", "!sixcard 50")
    await stage.watch.turn(ARRANGEMENT)
    await stage.watch.turn(5)
    assert "Time is up: best play has set the cards of Ann" in " ".join(stage.fake.sent("ada"))
    await paid(stage, "ann", 50)


JUNK = [
    ("!set", "Set your cards as three, two and one of the cards 1 to 4"),
    ("!set my best hand", "Set your cards as three, two and one of the cards 1 to 4"),
    ("!set 144 23 \N{CIRCLED DIGIT ONE}", "Set your cards as three, two and one of the cards 1 to 4"),
    (f"!set {'1' * 400}", "High takes three cards, Middle two and Low one"),
    ("!set 144 23", "High takes three cards, Middle two and Low one"),
    ("!set 111 11 1", "Those are not your six cards"),
    ("!arrange 111 22 2 auto", "Set your cards as three, two and one of the cards 1 to 4"),
    ("!sixcard accept", "You are in a game already"),
]


async def test_what_is_no_setting_is_one_sentence_and_the_clock_runs_on(stage: Stage) -> None:
    await stage.open()
    await told(stage, "ada", f"!set sixcard arrangement {LONGEST}")
    await told(stage, "ann", "!sixcard 50")
    before, deadline = table(stage, "ann").state, table(stage, "ann").deadline
    for text, reason in JUNK:
        said = await stage.say("ann", "ada", text)
        assert len(said) == 1, text
        assert reason in said[0], text
        assert table(stage, "ann").state is before
        assert table(stage, "ann").deadline == deadline
        await stage.watch.turn(REFUSAL_INTERVAL)  # before that, the same reason is not told again
    assert await purse(stage, "ann") == START - 50
    assert deadline is not None
    await stage.watch.turn(deadline - stage.watch.now())
    await paid(stage, "ann", 50)


async def test_a_duel_is_refused_in_one_sentence_where_cards_cannot_be_told_in_secret(stage: Stage) -> None:
    await stage.open()
    await told(stage, "bob", "hello")
    for rival in ("@bob", "@BOB"):
        said = await stage.say("ann", "ada", f"!sixcard {rival} 50")
        assert len(said) == 1
        assert "A duel needs a place where I can tell each of you your cards in secret" in said[0]
        await stage.watch.turn(60)
    assert stage.chat("ada").room.tables == {}
    assert await purse(stage, "ann") == START


async def test_two_people_play_the_house_at_once(stage: Stage) -> None:
    await stage.open()
    for who in ("ann", "bob"):
        await told(stage, who, "!sixcard 50")
    text = setting(stage, "bob")
    await told(stage, "bob", f"!set {text}")
    assert (table(stage, "ann").over, table(stage, "bob").over) == (False, True)
    await told(stage, "eve", "!set auto")
    assert not table(stage, "ann").over
    await told(stage, "ann", "!set auto")
    for who in ("ann", "bob"):
        await paid(stage, who, 50)
    assert str(table(stage, "bob").view(None).revealed.first.arrangement) == text
    assert within_limits(stage)


async def test_the_streamer_changes_settings_while_playing(stage: Stage) -> None:
    await stage.open()
    await told(stage, "ada", "!sixcard 50")
    assert "30" in await told(stage, "ada", "!set sixcard arrangement 30")
    assert not table(stage, "ada").over
    assert "Ada against Nash (house): High " in await told(stage, "ada", "!set auto")


async def test_a_line_that_is_delivered_twice_opens_one_game(stage: Stage) -> None:
    await stage.open()
    for _ in range(2):
        await stage.fake.chat("ann", "ada", "!sixcard 50", message_id="twice")
    await told(stage, "eve", "hello")
    assert await purse(stage, "ann") == START - 50


async def test_after_a_restart_everybody_goes_on_where_they_were(
    fake: Twitch, store: Store, tmp_path: Path, watch: HandWatch, stage: Stage
) -> None:
    await stage.open()
    for who in ("ann", "bob"):
        await told(stage, who, "!sixcard 50")
    states = [table(stage, who).state for who in ("ann", "bob")]
    await stage.close()
    second = Stage(fake, store, tmp_path, watch, "b")
    try:
        await second.open()
        await second.watch.turn(2)
        assert [table(second, who).state for who in ("ann", "bob")] == states
        said = " ".join(second.fake.sent("ada"))
        for name in ("Ann", "Bob"):
            assert f"@{name}: Six Card Poker goes on after a break" in said
        assert "Bob against Nash (house): High " in await told(second, "bob", "!set auto")
    finally:
        await second.close()
