"""Items of a queue are handled in order and in batches, and each caller learns what became of theirs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from chatbot.rooms import inbox
from chatbot.rooms.inbox import Inbox

if TYPE_CHECKING:
    from collections.abc import Sequence

PATIENCE = 20.0  # seconds until a caller who was forgotten is one


class Kitchen:
    """Notes what is handled together; what is called `burnt` fails."""

    def __init__(self) -> None:
        self.served: list[list[str]] = []
        self.begun = asyncio.Event()

    async def serve(self, items: Sequence[str]) -> None:
        self.served.append([*items])
        self.begun.set()
        await asyncio.sleep(0)
        if "burnt" in items:
            raise ValueError("burnt")

    async def other(self, items: Sequence[str]) -> None:
        self.served.append([f"other {each}" for each in items])


async def test_a_failure_reaches_every_caller_of_its_batch_and_the_next_items_are_handled() -> None:
    waiting, kitchen = Inbox(), Kitchen()
    async with asyncio.timeout(PATIENCE):
        together = [waiting.together(kitchen.serve, each) for each in ("soup", "burnt", "fish")]
        results = await asyncio.gather(*together, return_exceptions=True)
        assert [str(each) for each in results] == ["burnt"] * 3
        await waiting.together(kitchen.serve, "cake")
    assert kitchen.served == [["soup", "burnt", "fish"], ["cake"]]


async def test_a_failure_of_work_alone_reaches_its_caller() -> None:
    async def fail() -> None:
        raise ValueError("burnt")

    async with asyncio.timeout(PATIENCE):
        with pytest.raises(ValueError, match="burnt"):
            await Inbox().alone(fail)


async def test_items_keep_their_order_and_only_neighbours_with_one_handler_are_handled_together() -> None:
    waiting, kitchen = Inbox(), Kitchen()
    handlers = {"a": kitchen.serve, "b": kitchen.serve, "c": kitchen.other, "d": kitchen.serve}
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(waiting.together(serve, each) for each, serve in handlers.items()))
    assert kitchen.served == [["a", "b"], ["other c"], ["d"]]


async def test_no_batch_is_larger_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "MOST_TOGETHER", 2)
    waiting, kitchen = Inbox(), Kitchen()
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(waiting.together(kitchen.serve, each) for each in "abcde"))
    assert kitchen.served == [["a", "b"], ["c", "d"], ["e"]]


@pytest.mark.parametrize(("neighbour", "outcome"), [("b", type(None)), ("burnt", ValueError)])
async def test_a_caller_who_is_cancelled_stops_neither_the_item_nor_its_neighbours(
    neighbour: str, outcome: type
) -> None:
    waiting, kitchen = Inbox(), Kitchen()
    async with asyncio.timeout(PATIENCE):
        callers = [asyncio.ensure_future(waiting.together(kitchen.serve, each)) for each in ("a", neighbour)]
        await kitchen.begun.wait()
        callers[0].cancel()
        results = await asyncio.gather(*callers, return_exceptions=True)
        assert [type(each) for each in results] == [asyncio.CancelledError, outcome]
        await waiting.together(kitchen.serve, "c")
    assert kitchen.served == [["a", neighbour], ["c"]]


async def test_callers_are_let_go_when_the_worker_ends() -> None:
    waiting, begun = Inbox(), asyncio.Event()

    async def block(_: Sequence[str]) -> None:
        begun.set()
        await asyncio.get_running_loop().create_future()

    async with asyncio.timeout(PATIENCE):
        callers = [asyncio.ensure_future(waiting.together(block, "a"))]
        await begun.wait()
        callers.append(asyncio.ensure_future(waiting.together(block, "b")))
        await asyncio.sleep(0)
        assert waiting._worker is not None
        waiting._worker.cancel()
        results = await asyncio.gather(*callers, return_exceptions=True)
    assert [type(each) for each in results] == [asyncio.CancelledError] * 2
