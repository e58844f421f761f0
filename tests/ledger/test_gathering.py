"""Questions that come together are asked as one, and each gets its own answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.store.request_batcher import RequestBatcher

if TYPE_CHECKING:
    from collections.abc import Collection


class Source:
    """Answers when it is let; each answer tells how many questions came before it."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.open = asyncio.Event()
        self.error: Exception | None = None

    async def __call__(self, keys: Collection[str]) -> dict[str, int]:
        self.asked.append(list(keys))
        number = len(self.asked)
        await self.open.wait()
        if self.error is not None:
            raise self.error
        return dict.fromkeys(keys, number)


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_what_is_asked_meanwhile_becomes_one_question() -> None:
    source = Source()
    gathering = RequestBatcher(source)
    first = asyncio.ensure_future(gathering.get(["a"]))
    await settle()
    rest = [asyncio.ensure_future(gathering.get(keys)) for keys in (["b"], ["a", "c"], ["b"], [])]
    await settle()
    source.open.set()
    assert await first == {"a": 1}
    assert await asyncio.gather(*rest) == [{"b": 2}, {"a": 2, "c": 2}, {"b": 2}, {}]
    assert source.asked == [["a"], ["b", "a", "c"]]


async def test_an_answer_is_never_older_than_its_question() -> None:
    source = Source()
    gathering = RequestBatcher(source)
    first = asyncio.ensure_future(gathering.get(["a"]))
    await settle()
    second = asyncio.ensure_future(gathering.get(["a"]))
    source.open.set()
    assert (await first, await second) == ({"a": 1}, {"a": 2})


async def test_an_error_reaches_all_who_asked_and_nobody_after_them() -> None:
    source = Source()
    source.error = OSError("gone")
    source.open.set()
    gathering = RequestBatcher(source)
    errors = await asyncio.gather(gathering.get(["a"]), gathering.get(["b"]), return_exceptions=True)
    assert [str(each) for each in errors] == ["gone", "gone"]
    source.error = None
    assert await gathering.get(["a"]) == {"a": 2}


async def test_who_gives_up_takes_no_answer_from_the_others() -> None:
    source = Source()
    gathering = RequestBatcher(source)
    gone = asyncio.ensure_future(gathering.get(["a"]))
    other = asyncio.ensure_future(gathering.get(["a"]))
    await settle()
    gone.cancel()
    await settle()
    source.open.set()
    assert await other == {"a": 1}
    with pytest.raises(asyncio.CancelledError):
        await gone
