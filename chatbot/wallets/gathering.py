"""Gathers questions of one kind that are asked while another is being answered into one question.

A busy chat asks for its purses one by one; each question of its own costs a connection and a round
trip. An answer is never older than its question.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping

K = TypeVar("K")
V = TypeVar("V")


class Gathering(Generic[K, V]):
    """`fetch` answers for all keys at once, as of one moment."""

    def __init__(self, fetch: Callable[[Collection[K]], Awaitable[Mapping[K, V]]]) -> None:
        self._fetch = fetch
        self._waiting: list[tuple[tuple[K, ...], asyncio.Future[dict[K, V]]]] = []
        self._work: asyncio.Task[None] | None = None

    async def get(self, keys: Iterable[K]) -> dict[K, V]:
        """Answer for these keys, or raise what `fetch` raises."""
        answer: asyncio.Future[dict[K, V]] = asyncio.get_running_loop().create_future()
        self._waiting.append((tuple(keys), answer))
        if self._work is None or self._work.done():
            self._work = asyncio.ensure_future(self._answer())
        return await answer

    async def _answer(self) -> None:
        while self._waiting:
            asked, self._waiting = self._waiting, []
            try:
                found = await self._fetch(dict.fromkeys(key for keys, _ in asked for key in keys))
            except Exception as error:  # noqa: BLE001  (whoever asked gets it)
                for _, answer in asked:
                    if not answer.done():
                        answer.set_exception(error)
                continue
            for keys, answer in asked:
                if not answer.done():  # whoever asked may have been cancelled
                    answer.set_result({key: found[key] for key in keys})
