"""What platforms post without waiting for it has its place in one queue, early and in a flood too."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import pytest
import structlog
from structlog.testing import capture_logs

from chatbot.kernel.house_seats import of_house
from chatbot.ledger.audit.checks import breaches
from chatbot.rooms import inbox
from chatbot.rooms.exchange import Exchange
from chatbot.rooms.inbox import MOST_TOGETHER, REPORT_INTERVAL
from chatbot.rooms.line import Happening, Occasion
from tests.bot.stage import Stage, account

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

FLOOD = 1000  # commands of as many people in one chat
START, FOLLOW = 240, 20  # credits


async def answered(stage: Stage) -> None:
    await stage.bot.settle()
    await stage.watch.turn()


async def test_lines_that_come_before_their_room_is_open_are_answered_first_and_in_order(
    stage: Stage,
) -> None:
    other = stage.new_room("other")
    early = ["!credits", "hello", "!heist 5"]
    assert all(stage.bot.post(stage.line("ann", each, room="other")) for each in early)
    assert stage.said() == []
    await stage.bot.open(other)
    assert stage.bot.post(stage.line("bob", "!heist 6", room="other"))
    await answered(stage)
    told = " ".join(stage.said())
    assert told.index("ann has 240 credits") < told.index("planning a bank heist") < told.index("bob")
    assert [str(each) for each in other.tables["heist"].players()] == ["test:ann", "test:bob"]


async def test_what_waits_for_a_room_that_cannot_be_opened_is_given_back_and_counts_no_more(
    stage: Stage,
) -> None:
    refused: list[Exchange] = []
    exchange = Exchange(stage.bot.pass_on, on_end=refused.append)
    stage.bot.post(stage.line("ann", "!credits", room="other"), exchange)
    assert [each.text for each in stage.bot.abandon("other:chat")] == ["!credits"]
    assert (refused, exchange.taken, stage.bot.rooms.load.waiting) == ([exchange], False, 0)
    await stage.bot.open(stage.new_room("other"))
    await answered(stage)
    assert stage.said() == []


async def test_an_event_has_its_place_among_the_lines_of_its_chat(stage: Stage) -> None:
    """Whoever follows and asks for their credits at once is told of those that they got for it."""
    await stage.say("ann", "hello")
    follow = Occasion("f1", "room:chat", Happening.FOLLOW, account("ann"), "ann")
    before = stage.line("ann", "!credits")
    stage.bot.post(before)
    stage.bot.enqueue("room:chat", partial(stage.bot.notice, follow))
    stage.bot.post(stage.line("ann", "!credits"))
    await answered(stage)
    told = [each for each in stage.said() if "has" in each]
    assert told == [f"ann has {START} credits.", f"ann has {START + FOLLOW} credits."]


async def test_an_event_that_fails_is_logged_and_stops_nothing_behind_it(stage: Stage) -> None:
    async def fail() -> None:
        raise RuntimeError("on purpose")

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("warning"))
    with capture_logs() as logs:
        stage.bot.enqueue("room:chat", fail)
        stage.bot.post(stage.line("ann", "!credits"))
        await answered(stage)
    assert [each["event"] for each in logs if each["log_level"] == "error"] == [
        "what waited in the queue of a room has failed"
    ]
    assert stage.said() == ["ann has 240 credits."]


@pytest.mark.slow
async def test_a_flood_in_one_chat_costs_a_quiet_one_nothing(stage: Stage, store: Store) -> None:
    other = stage.new_room("other")
    await stage.bot.open(other)
    await stage.say("ann", "!heist 20")
    async with stage.room.order:  # the chat of the flood is slow
        posted = [stage.bot.post(stage.line(f"fan{number}", "!heist 20")) for number in range(FLOOD)]
        assert all(posted)
        line = stage.line("zoe", "!credits", room="other")
        await asyncio.wait_for(stage.bot.converse(line), 5)
        await stage.watch.turn()
        assert "zoe has 240 credits." in stage.said()
        assert len(stage.room.inbox) == FLOOD - MOST_TOGETHER
    await stage.bot.settle()
    assert sum(not of_house(each) for each in stage.room.tables["heist"].seated) == 1 + FLOOD
    assert await breaches(store) == []


async def test_a_full_queue_gives_up_talk_before_commands_and_says_so_once_a_minute(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "MOST_WAITING", 3)
    texts = "!credits", "talk", "!top", "more talk", "!help", "!season"
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("warning"))
    with capture_logs() as logs:
        async with stage.room.order:
            stage.bot.post(stage.line("first", "hello"))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            posted = [stage.bot.post(stage.line("ann", each)) for each in texts]
            assert posted == [True, True, True, True, True, False]
            waiting = stage.room.inbox._waiting
            assert [each.line.text for each in waiting] == ["!credits", "!top", "!help"]  # type: ignore[attr-defined]
            await stage.watch.turn(REPORT_INTERVAL)
            stage.bot.post(stage.line("ann", "!top"))
        await answered(stage)
    told = [each["lines"] for each in logs if "faster than its room" in each["event"]]
    assert told == [1, 3], "the first one at once, and the others a minute later"


async def test_whoever_waits_for_a_line_that_a_full_queue_refuses_is_told_so(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "MOST_WAITING", 1)
    async with stage.room.order:
        stage.bot.post(stage.line("first", "hello"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        talking = asyncio.create_task(stage.bot.converse(stage.line("ann", "some talk")))
        await asyncio.sleep(0)
        asking = asyncio.create_task(stage.bot.hear(stage.line("bob", "!credits")))
        await asyncio.sleep(0)
        assert not await stage.bot.converse(stage.line("cid", "!credits"))
        assert not await talking
    assert (await asking).taken
