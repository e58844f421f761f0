"""What waits for a room is handled in order and in batches, and is bounded: no flood of one costs another."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from chatbot.rooms import inbox
from chatbot.rooms.inbox import FEW, MOST_WAITING, MOST_WAITING_IN_ALL, REPORT_INTERVAL, SHARE, Inbox, Load

if TYPE_CHECKING:
    from collections.abc import Sequence

PATIENCE = 20.0  # seconds until something that was forgotten is


@dataclass(eq=False)
class Order:
    """Something that waits: what begins with a "!" needs an answer."""

    dish: str
    outcome: str = ""
    done: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_talk(self) -> bool:
        return not self.dish.startswith("!")

    def refuse(self) -> None:
        self.end("refused")

    def fail(self, error: Exception) -> None:
        self.end(str(error))

    def end(self, outcome: str) -> None:
        assert not self.outcome
        self.outcome = outcome
        self.done.set()


class Kitchen:
    """Notes what is handled together; what is called `burnt` fails."""

    def __init__(self) -> None:
        self.served: list[list[str]] = []
        self.begun, self.go_on = asyncio.Event(), asyncio.Event()
        self.go_on.set()

    async def serve(self, orders: Sequence[Order]) -> None:
        self.served.append([each.dish for each in orders])
        self.begun.set()
        await asyncio.sleep(0)
        await self.go_on.wait()
        if any(each.dish == "burnt" for each in orders):
            raise ValueError("burnt")
        for each in orders:
            each.end("served")


def served_by(kitchen: Kitchen, load: Load | None = None) -> Inbox:
    waiting = Inbox(load)
    waiting.handle = kitchen.serve
    return waiting


def held(load: Load | None = None) -> Inbox:
    """Make a queue in which everything stays."""
    return Inbox(load, held=True)


def put(waiting: Inbox, dishes: str) -> list[Order]:
    orders = [Order(each) for each in dishes.split()]
    for each in orders:
        waiting.put(each)
    return orders


def flood(queues: Sequence[Inbox], count: int, dish: str = "!heist") -> int:
    """Put so much into the queues in turn, and return how much they did not take."""
    return sum(not queues[number % len(queues)].put(Order(dish)) for number in range(count))


async def outcomes(orders: Sequence[Order]) -> list[str]:
    async with asyncio.timeout(PATIENCE):
        for each in orders:
            await each.done.wait()
    return [each.outcome for each in orders]


# In order, and in batches


async def test_a_failure_reaches_all_of_its_batch_and_the_next_are_handled() -> None:
    kitchen = Kitchen()
    waiting = served_by(kitchen)
    assert await outcomes(put(waiting, "soup burnt fish")) == ["burnt"] * 3
    assert await outcomes(put(waiting, "cake")) == ["served"]
    assert kitchen.served == [["soup", "burnt", "fish"], ["cake"]]


async def test_a_failure_of_work_alone_reaches_its_caller() -> None:
    async def fail() -> None:
        raise ValueError("burnt")

    async with asyncio.timeout(PATIENCE):
        with pytest.raises(ValueError, match="burnt"):
            await Inbox().alone(fail)


async def test_work_has_its_place_among_the_lines_whether_or_not_somebody_waits_for_it() -> None:
    kitchen = Kitchen()
    waiting = served_by(kitchen)

    async def clean() -> None:
        kitchen.served.append(["cleaned"])

    async def fail() -> None:
        kitchen.served.append(["failed"])
        raise ValueError("of which nobody but the operator learns")

    first = put(waiting, "a b")
    cleaning = asyncio.ensure_future(waiting.alone(clean))
    await asyncio.sleep(0)
    second = put(waiting, "c d")
    assert waiting.enqueue(fail)
    third = put(waiting, "e")
    await outcomes([*first, *second, *third])
    await cleaning
    assert kitchen.served == [["a", "b"], ["cleaned"], ["c", "d"], ["failed"], ["e"]]


async def test_no_batch_is_larger_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "MOST_TOGETHER", 2)
    kitchen = Kitchen()
    await outcomes(put(served_by(kitchen), "a b c d e"))
    assert kitchen.served == [["a", "b"], ["c", "d"], ["e"]]


async def test_a_crowd_gathers_until_as_many_wait_as_are_handled_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(inbox, "MOST_TOGETHER", 3)
    monkeypatch.setattr(inbox, "GATHERING", 2 * PATIENCE)
    kitchen = Kitchen()
    waiting = served_by(kitchen)
    first = put(waiting, "a b c d e f")
    waiting.gather()
    await outcomes(first)
    assert kitchen.served == [["a", "b", "c"], ["d", "e", "f"]], "as many as share a call were there"
    second = put(waiting, "g h")
    for _ in range(10):
        await asyncio.sleep(0)
    assert len(kitchen.served) == 2, "one more may come"
    await outcomes([*second, *put(waiting, "i")])
    assert kitchen.served[2:] == [["g", "h", "i"]]


async def test_a_caller_who_is_cancelled_stops_neither_the_work_nor_what_comes_after_it() -> None:
    kitchen, begun, go_on = Kitchen(), asyncio.Event(), asyncio.Event()
    waiting = served_by(kitchen)

    async def work() -> None:
        begun.set()
        await go_on.wait()
        kitchen.served.append(["worked"])

    caller = asyncio.ensure_future(waiting.alone(work))
    await begun.wait()
    caller.cancel()
    orders = put(waiting, "a")
    go_on.set()
    assert await outcomes(orders) == ["served"]
    assert kitchen.served == [["worked"], ["a"]]


async def test_everybody_is_let_go_when_the_worker_ends() -> None:
    kitchen = Kitchen()
    kitchen.go_on.clear()
    waiting = served_by(kitchen)
    orders = put(waiting, "a")
    await kitchen.begun.wait()
    orders += put(waiting, "b")
    caller = asyncio.ensure_future(waiting.alone(asyncio.Event().wait))  # type: ignore[arg-type]
    await asyncio.sleep(0)
    assert waiting._worker is not None
    waiting._worker.cancel()
    assert await outcomes(orders) == ["refused"] * 2
    with pytest.raises(asyncio.CancelledError):
        await caller


async def test_what_waits_for_a_room_is_put_behind_what_waits_there_already() -> None:
    kitchen, load = Kitchen(), Load()
    early, waiting = held(load), served_by(kitchen, load)
    orders = [*put(early, "c d"), *put(waiting, "a b")]
    early.move(waiting)
    await outcomes(orders)
    assert kitchen.served == [["a", "b", "c", "d"]]
    assert load.waiting == 0


# Bounds


def test_what_waits_of_one_room_is_bounded() -> None:
    load = Load()
    assert flood([full := held(load)], MOST_WAITING + 7) == 7
    assert (len(full), full.refused, load.waiting) == (MOST_WAITING, 7, MOST_WAITING)


def test_what_waits_of_all_rooms_is_bounded() -> None:
    load = Load()
    queues = [held(load) for _ in range(20)]
    assert flood(queues, 100_000) == 100_000 - MOST_WAITING_IN_ALL
    assert load.waiting == sum(map(len, queues)) == MOST_WAITING_IN_ALL
    assert sum(each.refused for each in queues) == 100_000 - MOST_WAITING_IN_ALL


def test_a_flood_elsewhere_costs_a_quiet_room_nothing() -> None:
    load = Load()
    flood([held(load) for _ in range(3)], 3 * MOST_WAITING)
    assert flood([held(load)], SHARE) == 0


def test_a_full_queue_gives_up_its_oldest_talk_before_any_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "MOST_WAITING", 3)
    waiting = held()
    orders = put(waiting, "!one first second !two third !three !four more")
    refused = [each.dish for each in orders if each.outcome == "refused"]
    assert refused == ["first", "second", "third"], "`!four` and `more` are told by `put`"
    assert [each.dish for each in waiting.clear() if isinstance(each, Order)] == ["!one", "!two", "!three"]
    assert waiting.refused == 5
    assert len(waiting) == 0


async def test_what_an_end_of_a_phase_waits_for_is_not_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "MOST_WAITING", 2)
    kitchen, ended = Kitchen(), asyncio.Event()
    kitchen.go_on.clear()
    waiting = served_by(kitchen)

    async def end() -> None:
        ended.set()

    (first,) = put(waiting, "!first")
    await kitchen.begun.wait()
    ending = asyncio.ensure_future(waiting.alone(end))
    await asyncio.sleep(0)
    flood([waiting], 10)
    assert len(waiting.clear()) == 2
    kitchen.go_on.set()
    await outcomes([first])
    await ending
    assert ended.is_set()


def test_a_flood_of_commands_is_not_searched_for_talk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "MOST_WAITING", 100)
    looked = 0

    class Counted(Order):
        @property
        def is_talk(self) -> bool:
            nonlocal looked
            looked += 1
            return False

    waiting = held()
    for number in range(1000):
        waiting.put(Counted(f"!{number}"))
    assert (len(waiting), waiting.refused) == (100, 900)
    assert looked < 5000


def test_what_was_refused_is_reported_once_a_minute() -> None:
    waiting = held()
    assert waiting.report(0.0) == 0
    flood([waiting], MOST_WAITING + 3)
    assert waiting.report(5.0) == 3
    flood([waiting], 4)
    assert waiting.report(5.0 + REPORT_INTERVAL - 1) == 0
    assert waiting.report(5.0 + REPORT_INTERVAL) == 4


async def test_what_was_given_up_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "MOST_WAITING_IN_ALL", SHARE + 2)
    load = Load()
    first, other = held(load), served_by(kitchen := Kitchen(), load)
    assert flood([first], SHARE + 3) == 1
    assert len(first.clear()) == SHARE + 2
    assert (load.waiting, len(first)) == (0, 0)
    assert flood([first], SHARE + 1) == 0
    assert await outcomes(put(other, "!again")) == ["served"]
    assert kitchen.served == [["!again"]]
    assert load.waiting == SHARE + 1


async def test_slow_rooms_leave_the_others_a_share_of_what_is_handled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(inbox, "MOST_HANDLED", 2 * FEW)
    load, slow, quick = Load(), Kitchen(), Kitchen()
    slow.go_on.clear()
    stuck = [served_by(slow, load) for _ in range(3)]
    flood(stuck, 9 * FEW)
    await slow.begun.wait()
    await asyncio.sleep(0)
    assert [len(each) for each in slow.served] == [2 * FEW, FEW, FEW]
    waiting = served_by(quick, load)
    await outcomes(put(waiting, " ".join(f"!{number}" for number in range(2 * FEW))))
    assert [len(each) for each in quick.served] == [FEW, FEW]
    slow.go_on.set()
    await load.tasks.settle()
    assert (load.waiting, load.handled) == (0, 0)
