"""How duels end, and go on after a restart, with words for each that no other reads."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.bot.duellists import (
    ACCEPTANCE,
    ARRANGEMENT,
    LINGER,
    START,
    VOID,
    at_new_one,
    challenged,
    dealt,
    game,
    own,
)
from tests.bot.hosting import MO
from tests.bot.stage import Stage, account, seat
from tests.bot.tables.test_restart import restarted

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow


# The end


@pytest.mark.parametrize("named", ["ann", "bob"])
@pytest.mark.parametrize("accepted", [False, True])
async def test_a_moderator_calls_a_duel_off_by_either_name_and_both_are_paid_back(
    store: Store, named: str, *, accepted: bool
) -> None:
    stage = await (dealt(store) if accepted else challenged(store))
    assert await stage.say(MO, f"!cancel sixcard @{named}") == [VOID]
    assert [await stage.credits(who) for who in ("ann", "bob")] == [START, START]
    assert not stage.room.playing("sixcardpoker")


async def test_a_duel_that_is_over_is_shown_for_a_while_and_binds_nobody(store: Store) -> None:
    stage = await dealt(store)
    await stage.turn(ARRANGEMENT)
    assert game(stage, "ann").over
    assert "bob plays the house" in " ".join(await stage.say("bob", "!sixcard 10"))
    await stage.turn(LINGER - 2)
    assert f"sixcardpoker {seat('ann')}" in stage.room.tables
    await stage.turn(2)
    assert f"sixcardpoker {seat('ann')}" not in stage.room.tables


async def test_time_that_is_up_sets_the_cards_of_whoever_has_not(store: Store) -> None:
    stage = await dealt(store)
    await stage.say("bob", "!set auto", private=True)
    told = await stage.turn(ARRANGEMENT)
    assert told[0].startswith("Time is up: best play has set the cards of ann. ")
    assert "ann against bob: " in told[0]


# A restart


async def test_a_challenge_outlives_a_restart_and_both_are_told(store: Store) -> None:
    before = await challenged(store)
    after = await restarted(before, asleep=20)
    goes_on = "Six Card Poker goes on after a break: 40 seconds are left."
    assert after.said() == [
        f"@ann: {goes_on} bob has yet to answer; !sixcard decline takes the challenge back.",
        f"@bob: {goes_on} You are challenged: !sixcard accept or !sixcard decline.",
    ]
    await after.say("bob", "!sixcard accept")
    assert await after.credits("bob") == START - 50


async def test_a_challenge_of_somebody_unheard_has_its_names_after_a_restart(store: Store) -> None:
    before = await Stage(store).open()
    await before.bot.converse(at_new_one(before))
    after = await restarted(before)
    assert "@New One: " in "".join(after.said())
    assert "New One did not answer in time" in (await after.turn(ACCEPTANCE))[0]


async def test_after_a_restart_cards_are_told_to_each_alone_and_the_clock_goes_on(store: Store) -> None:
    before = await dealt(store)
    await before.turn(10)
    await before.say("bob", "!set auto", private=True)
    cards = {who: game(before, "ann").view(seat(who)).held[seat(who)] for who in ("ann", "bob")}
    setting = own(before, "ann", "bob")
    await before.turn(5)
    after = await restarted(before, asleep=5)
    resumed = "Six Card Poker goes on after a break: 40 seconds are left."
    said = after.said()
    assert resumed in said
    told = {each.partition(": ")[0]: each for each in said if each.startswith("> ")}
    assert told["> ann"].startswith(f"> ann: {resumed} Your cards: {' '.join(map(str, cards['ann']))}.")
    assert (
        told["> bob"]
        == f"> bob: {resumed} You have set {setting}. You can still change it until both are in."
    )
    assert len(said) == 3
    secrets = [say for each in after.adapter.deliveries for say in each.says if each.to is not None]
    assert all(each.secret for each in secrets)
    told_later = await after.turn(40)
    assert told_later[0].startswith("Time is up: best play has set the cards of ann. ")
    assert str(game(after, "ann").view(None).revealed.second.arrangement) == setting


async def test_an_end_cut_off_by_a_crash_names_everybody_after_it(store: Store) -> None:
    before = await Stage(store).open()
    await before.bot.converse(at_new_one(before))
    await before.turn(0)

    async def crash(*_: object) -> None:
        raise asyncio.CancelledError

    game(before, "ann").on_step = crash
    with pytest.raises(asyncio.CancelledError):
        await before.turn(ACCEPTANCE)
    after = await restarted(before)
    assert after.said()[0] == "New One did not answer in time; the duel with ann is off."
    assert await after.credits("ann") == START


async def test_a_whisper_belongs_where_one_plays_or_is_asked_to(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.bot.open(stage.new_room("test:den"))
    line = replace(at_new_one(stage), channel="test:den:chat")
    await stage.bot.converse(line)
    assert await stage.bot.whereabouts(account("new")) == "test:den:chat", "asked, and never heard"
    assert await stage.bot.whereabouts(account("kim")) is None
    await stage.bot.open(stage.new_room("test:attic"))
    accept = stage.line("new", "!sixcard accept", room="test:den", private=True)
    await stage.bot.converse(accept)
    await stage.bot.converse(stage.line("new", "hello", room="test:attic"))
    assert await stage.bot.whereabouts(account("new")) == "test:den:chat", "where one plays goes first"
