"""Whole games in a room with a real database: what is illegal gets one sentence, and the clock runs on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.games.sixcardpoker.rules.states import Empty
from chatbot.rooms.channel import Manner, Privacy
from tests.bot.stage import Stage
from tests.checked import store

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

__all__ = ["store"]

HANDS = "Set your cards as three, two and one of the cards 1 to 4, such as !set 144 23 1, or with !set auto."
JUNK = ("!set 155 23 1", "!set 14 23 1", "!arrange", "!arrange please", "!set 1 1 1 1 1 1", "!set \u0661")


REFUSED = {
    "!sixcard @nobody 50": "Nobody called “nobody” has been here; check the spelling of the name.",
    "!sixcard @ann 50": "You cannot challenge yourself; play the house with just !sixcard.",
    "!sixcard 241": "You have only 240 credits; choose less, or write all.",
    "!sixcard 1.5": "“1.5” can be read in two ways: write whole credits, such as 1500, 1,500 or 15k.",
    "!sixcard accept": "There is no challenge for you to answer; open a game with !sixcard.",
    "!arrange 144 23 1": "You are in no game of Six Card Poker here now; start one with !sixcard.",
}


@pytest.mark.slow
async def test_an_illegal_setting_gets_one_sentence_and_the_time_still_runs_out(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.endow("ann", 240)
    await stage.say("ann", "!sixcard 50")
    told = [await stage.say("ann", line) for line in JUNK]
    assert all(len(each) <= 1 for each in told)  # one kind of refusal may be said less often than it comes
    assert told[0] == [f"> ann: {HANDS}"]
    assert told[1] == ["> ann: High takes three cards, Middle two and Low one, such as !set 144 23 1."]
    (table,) = stage.room.tables.values()
    assert not table.over
    said = await stage.turn(60)
    assert said[0].startswith("Time is up: best play has set the cards of ann.")
    assert await stage.credits("ann") in {190, 240, 290}


async def test_a_game_is_opened_with_the_hash_set_revealed_and_reviewed(store: Store) -> None:
    stage = await Stage(store, manner=Manner(fine=True)).open()
    await stage.endow("ann", 240)
    told = "\n".join(
        [*await stage.say("ann", "!sixcard 50"), *await stage.say("ann", "!set auto"), *await stage.turn(5)]
    )
    marks = (
        "hash (SHA-256)",
        "your cards",
        "ann against Nash (house)",
        "To check the house",
        "Review for ann",
    )
    places = [told.index(mark) for mark in marks]
    assert places == sorted(places)
    assert await stage.credits("ann") in {190, 240, 290}


async def test_what_cannot_be_opened_gets_one_sentence_and_takes_nothing(store: Store) -> None:
    stage = await Stage(store, manner=Manner(private=Privacy.ALL)).open()
    await stage.endow("ann", 240)
    for line, refusal in REFUSED.items():
        assert await stage.say("ann", line) == [f"> ann: {refusal}"], line
    assert await stage.credits("ann") == 240
    assert all(table.over or table.state == Empty() for table in stage.room.tables.values())
