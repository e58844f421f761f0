"""Poker Market is played in a Twitch chat by up to ten, within what may be said there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.delivery.sender import REFUSAL_INTERVAL
from cogs.twitch import delivery_router
from tests.adapters.twitch.chatting import START, WINDOW, everything, purse, told, within_limits
from tests.adapters.twitch.stage import Stage

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from chatbot.games.pokermarket.rules.states import View
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import HandWatch
    from tests.fakes.twitch_server import Twitch

STAKE = 50
LOBBY, TURN, ANSWER = 60, 30, 20  # seconds
PEOPLE = ("ann", "bob", "kim", "lee", "n" * 25)  # the last has the longest name that there can be


def table(stage: Stage) -> Table:
    return stage.chat("ada").room.tables["pokermarket"]


def view(stage: Stage) -> View:
    seen: View = table(stage).view(None)
    return seen


def hand(stage: Stage, user: str) -> tuple[str, ...]:
    return view(stage).hands[stage.seat(user)]


async def dealt(stage: Stage, *people: str, rounds: int = 1) -> None:
    await told(stage, people[0], f"!market {rounds} {STAKE}")
    for each in people[1:]:
        await told(stage, each, "!market")
    await stage.watch.turn((table(stage).deadline or 0.0) - stage.watch.now())
    await stage.watch.turn(2)


def turns(stage: Stage) -> tuple[str, str]:
    """Give whose turn it is of ann and bob, and the other."""
    names = {stage.seat("ann"): ("ann", "bob"), stage.seat("bob"): ("bob", "ann")}
    return names[view(stage).acting]  # type: ignore[index]


async def test_ten_play_to_the_end_and_every_line_fits(stage: Stage) -> None:
    await stage.open()
    ten = (*PEOPLE, *(f"guest{number}" for number in range(10 - len(PEOPLE))))
    await dealt(stage, *ten)
    assert len(view(stage).players) == 10
    shown = next(each for each in stage.fake.sent("ada") if "The cards lie open" in each)
    assert sum(shown.count(each) for each in "\u2660\u2665\u2666\u2663") == 50
    people = {stage.seat(each): each for each in ten}
    proposed = 0
    while not table(stage).over:
        who = people.get(view(stage).acting)  # type: ignore[arg-type]
        if who is None:
            await stage.watch.turn(1)
        elif view(stage).proposed is not None:
            assert "declines" in await told(stage, who, "!decline")
        elif proposed < 3:
            proposed += 1
            other = next(seat for seat in view(stage).players if seat != view(stage).acting)
            give, take = hand(stage, who)[-1], view(stage).hands[other][0]
            await told(stage, who, f"!swap {give.lower()} {take}")
        else:
            await told(stage, who, "!pass")
    assert proposed == 3
    await stage.watch.turn(WINDOW)
    assert "The market is closed (pot 500 credits)" in everything(stage)
    ranked = view(stage).ranked
    assert ranked is not None
    for place in ranked.places:
        assert f"{place.rank}. " in everything(stage), "nobody's end is left out"
        if place.seat in people:
            assert await purse(stage, people[place.seat]) == START - STAKE + place.credits
    assert within_limits(stage)


async def test_each_wrong_line_gets_one_sentence_and_the_clock_runs_on(stage: Stage) -> None:
    await stage.open()
    await told(stage, "ada", "!set pokermarket turn 600")
    await dealt(stage, "ann", "bob")
    first, second = turns(stage)
    own, theirs = hand(stage, first)[0], hand(stage, second)[0]
    before, deadline = table(stage).state, table(stage).deadline
    junk = [
        (first, f"!swap {theirs} {own}", "You do not hold "),
        (first, f"!swap {own} {hand(stage, first)[1]}", " yourself; ask for a card of somebody else."),
        (first, f"!swap {own} {theirs} @{first}", " is held by "),
        (first, f"!swap {own}", "Name one of your cards and then the one that you want for it"),
        (first, f"!swap {own} 11S", "“11S” is no card"),
        (second, f"!swap {theirs} {own}", "It is the turn of "),
        (second, "!pass", "It is the turn of "),
        (second, "!accept", "Nothing has been proposed that could be answered."),
        (first, "!decline", "Nothing has been proposed that could be answered."),
        ("eve", "!pass", "You are not in this market"),
        ("eve", "!market", "This market has begun without you"),
    ]
    heard: set[str] = set()
    for user, text, reason in junk:
        # Before that, the same reason is not told again.
        await stage.watch.turn(REFUSAL_INTERVAL if reason in heard else 0)
        heard.add(reason)
        said = await stage.say(user, "ada", text)
        assert len(said) == 1, text
        assert reason in said[0], text
        assert table(stage).state is before
        assert table(stage).deadline == deadline


async def test_a_swap_is_proposed_and_accepted_with_the_partner_named_or_not(stage: Stage) -> None:
    await stage.open()
    await dealt(stage, "ann", "bob", rounds=2)
    for partner in ("", "name"):
        first, second = turns(stage)
        own, theirs = hand(stage, first)[0], hand(stage, second)[0]
        named = f" @{second}" if partner else ""
        assert "offers" in await told(stage, first, f"!swap {own} {theirs}{named}")
        assert "accepts" in await told(stage, second, "!accept")
        assert own in hand(stage, second)
        assert theirs in hand(stage, first)


async def test_who_says_nothing_passes_and_declines(stage: Stage) -> None:
    await stage.open()
    await dealt(stage, "ann", "bob")
    await stage.watch.turn(TURN)
    assert view(stage).done[-1].proposed is None
    first, second = turns(stage)
    await told(stage, first, f"!swap {hand(stage, first)[0]} {hand(stage, second)[0]}")
    await stage.watch.turn(ANSWER)
    await stage.watch.turn(5)
    assert "has not answered" in everything(stage)
    assert table(stage).over
    assert "The market is closed" in everything(stage)


async def test_a_cancelled_market_gives_every_stake_back(stage: Stage) -> None:
    await stage.open()
    await dealt(stage, "ann", "bob")
    assert await purse(stage, "ann") == START - STAKE
    await told(stage, "ada", "!cancel pokermarket")
    assert [await purse(stage, each) for each in ("ann", "bob")] == [START, START]
    assert table(stage).over


async def test_a_restart_in_an_answer_and_in_a_turn_goes_on_there(
    fake: Twitch,
    store: Store,
    tmp_path: Path,
    watch: HandWatch,
    stage: Stage,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        delivery_router, "PATIENCE", 0.1
    )  # of the run that has ended, whose clock still turns
    await stage.open()
    await dealt(stage, "ann", "bob")
    first, second = turns(stage)
    own, theirs = hand(stage, first)[0], hand(stage, second)[0]
    await told(stage, first, f"!swap {own} {theirs}")
    state = table(stage).state
    await stage.close()
    third = Stage(fake, store, tmp_path, watch, "c")
    again = Stage(fake, store, tmp_path, watch, "b")
    try:
        await again.open()
        await again.watch.turn(2)
        assert table(again).state == state
        assert "accepts" in await told(again, second, "!accept")
        state = table(again).state
        await again.close()
        await third.open()
        await third.watch.turn(2)
        assert table(third).state == state
        assert "The market is closed" in await told(third, second, "!pass")
    finally:
        await again.close()
        await third.close()
