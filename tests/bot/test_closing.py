"""A stop under a backlog: what waits is answered for a moment, and the rest refused by one line a room."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest

from chatbot.bot.shutdown import FINISHING, HEARING
from chatbot.kernel.house_seats import of_house
from chatbot.ledger.audit.checks import breaches
from chatbot.rooms.channel import Channel, Manner
from chatbot.rooms.inbox import MOST_HANDLED, MOST_TOGETHER, MOST_WAITING
from chatbot.rooms.room import Room
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.exchange import Replies

CROWD = 600  # more than are handled at once
MANY = MOST_WAITING + 500
TOLD = "I am stopping now. The last {} commands were not heard; please send them again when I am back."


@pytest.fixture
async def stage(store: Store) -> Stage:
    return await Stage(store).open()


def speak(stage: Stage, text: str, people: int = CROWD, room: str = "room") -> list[asyncio.Task[Replies]]:
    return [
        asyncio.create_task(stage.bot.hear(stage.line(f"fan{number}", text, room=room)))
        for number in range(people)
    ]


async def begun() -> None:
    """Let tasks that were just created do their first steps."""
    for _ in range(3):
        await asyncio.sleep(0)


async def concluded(stage: Stage, seconds: float) -> None:
    """Stop, and let so many seconds pass meanwhile."""
    concluding = asyncio.create_task(stage.bot.conclude())
    await begun()
    await stage.watch.turn(seconds)
    await concluding


def stakes(stage: Stage) -> int:
    """Count the people in the game, without the players of the house."""
    return sum(not of_house(seat) for table in stage.room.tables.values() for seat in table.seated)


@pytest.mark.slow
async def concluding_of(stage: Stage) -> asyncio.Task[None]:
    """Begin to stop while lines wait, and let the time pass in which they may be heard."""
    await begun()
    concluding = asyncio.create_task(stage.bot.conclude())
    await begun()
    await stage.watch.turn(HEARING)
    return concluding


async def test_a_backlog_is_refused_after_a_moment_by_one_line_that_counts_it(stage: Stage) -> None:
    await stage.say("ann", "!heist 20")
    async with stage.room.order:  # the room is slow
        joining = speak(stage, "!heist 20")
        concluding = await concluding_of(stage)
    await concluding
    assert stage.said()[-1] == TOLD.format(CROWD)
    assert sum("I am stopping" in each for each in stage.said()) == 1
    assert not any([(await each).taken for each in joining])
    assert stakes(stage) == 1, "ann's alone"
    assert await breaches(stage.store) == []


@pytest.mark.slow
async def test_whoever_is_answered_before_the_deadline_has_their_stake_in_the_game(stage: Stage) -> None:
    await stage.say("ann", "!heist 20")
    joining = speak(stage, "!heist 20", 50)
    await begun()
    await stage.bot.conclude()
    assert all([(await each).taken for each in joining])
    assert stakes(stage) == 51
    assert not any("I am stopping" in each for each in stage.said())


@pytest.mark.slow
async def test_of_a_crowd_each_is_in_the_game_or_counted_and_never_both(stage: Stage) -> None:
    """The deadline comes while the second of two batches waits for its turn; for a third there is no time."""
    await stage.say("ann", "!heist 20")
    async with stage.room.order:
        joining = speak(stage, "!heist 20")
        await begun()
    concluding = asyncio.create_task(stage.bot.conclude())
    while stakes(stage) == 1:  # noqa: ASYNC110  (what is written sets no event)
        await asyncio.sleep(0)
    await stage.watch.turn(HEARING)
    await concluding
    heard = sum([(await each).taken for each in joining])
    assert 0 < heard < CROWD
    assert stakes(stage) == 1 + heard
    assert stage.said()[-1] == TOLD.format(CROWD - heard)
    assert await breaches(stage.store) == []


async def test_each_room_is_told_of_its_own_commands_in_its_own_language(stage: Stage) -> None:
    other = stage.new_room("other")
    await stage.bot.open(other)
    await stage.bot.converse(stage.line("mo(moderator)", "!set room language ko", room="other"))
    await stage.watch.turn()
    before = len(stage.adapter.deliveries)
    async with stage.room.order, other.order:
        waiting = [*speak(stage, "!heist 20", 2), *speak(stage, "!heist 20", 3, room="other")]
        concluding = await concluding_of(stage)
    await concluding
    await asyncio.gather(*waiting)
    told = {each.channel: each.text for each in stage.adapter.deliveries[before:]}
    assert told == {
        "room:chat": TOLD.format(2),
        "other:chat": "이제 꺼져요. 마지막 명령 3개는 처리하지 못했으니 돌아오면 다시 보내 주세요.",
    }


async def test_a_full_queue_is_refused_at_once_though_its_room_does_not_come_to_an_end(stage: Stage) -> None:
    """Its commands are counted, as is one that comes meanwhile, and none of them is played."""
    async with stage.room.order:
        posted = [stage.bot.post(stage.line(f"fan{number}", "!heist 20")) for number in range(MANY)]
        await begun()  # as many as are answered together have left the queue
        assert sum(posted) == MOST_WAITING
        concluding = asyncio.create_task(stage.bot.conclude())
        await begun()
        assert len(stage.room.inbox) == MOST_HANDLED - MOST_TOGETHER, "which may still be answered"
        assert not stage.bot.post(stage.line("late", "!heist 20"))
        began = time.perf_counter()
        await stage.watch.turn(HEARING)
        assert time.perf_counter() - began < 1
        assert len(stage.room.inbox) == 0
        await stage.watch.turn(FINISHING)
        await concluding
        assert stage.said()[-1] == TOLD.format(f"{MOST_WAITING - MOST_TOGETHER + 1:,}")
    await stage.bot.close()
    assert stakes(stage) == 0


async def test_talk_that_is_not_heard_is_no_loss_to_tell_of(stage: Stage) -> None:
    async with stage.room.order:
        talking = speak(stage, "hello", 3)
        concluding = await concluding_of(stage)
    await concluding
    await asyncio.gather(*talking)
    assert stage.said() == []


async def test_a_room_that_does_not_come_to_an_end_is_not_waited_for(stage: Stage) -> None:
    async with stage.room.order:
        joining = speak(stage, "!heist 20", 3)
        await begun()
        await concluded(stage, HEARING + FINISHING)
    await asyncio.gather(*joining)
    await stage.bot.close()
    assert stakes(stage) == 0


async def test_nothing_is_heard_any_more_once_the_rooms_were_told(stage: Stage) -> None:
    await stage.bot.conclude()
    assert not (await stage.bot.hear(stage.line("ann", "!heist 20"))).taken
    assert stakes(stage) == 0


async def test_a_channel_that_takes_nothing_any_more_keeps_the_others_from_nothing(stage: Stage) -> None:
    class Broken:
        async def send(self, _: object) -> None:
            raise ConnectionError

    broken = Room("broken", "town", (Channel("broken:chat", "test", Broken(), Manner()),))
    await stage.bot.open(broken)
    await stage.watch.turn()  # whatever a new room looks after has been done
    async with stage.room.order, broken.order:
        waiting = [*speak(stage, "!heist 20", 2), *speak(stage, "!heist 20", 2, room="broken")]
        concluding = await concluding_of(stage)
    await concluding
    await asyncio.gather(*waiting)
    assert stage.said() == [TOLD.format(2)]
