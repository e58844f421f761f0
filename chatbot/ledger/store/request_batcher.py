"""Answers requests that wait at the same time by one query.

A busy chat, or many rooms that open at once, request the same kind of data one by one, and a query for each
would cost a connection and several round trips. No answer is older than its request.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping

K = TypeVar("K")
V = TypeVar("V")


class RequestBatcher(Generic[K, V]):
    """Collects requests that arrive while a query runs, and answers them by the next one.

    `fetch` returns the values of all keys, as of one moment.
    """

    def __init__(self, fetch: Callable[[Collection[K]], Awaitable[Mapping[K, V]]]) -> None:
        self._fetch = fetch
        self._waiting: list[tuple[tuple[K, ...], asyncio.Future[dict[K, V]]]] = []
        self._work: asyncio.Task[None] | None = None

    async def get(self, keys: Iterable[K]) -> dict[K, V]:
        """Return the values of these keys; raises what `fetch` raises."""
        answer: asyncio.Future[dict[K, V]] = asyncio.get_running_loop().create_future()
        self._waiting.append((tuple(keys), answer))
        if self._work is None or self._work.done():
            self._work = asyncio.ensure_future(self._answer())
        return await answer

    async def _answer(self) -> None:
        while self._waiting:
            # What arrives while the query runs waits for the next one, because this one may have read
            # already.
            requests, self._waiting = self._waiting, []
            try:
                values = await self._fetch(dict.fromkeys(key for keys, _ in requests for key in keys))
            except Exception as error:  # noqa: BLE001  (passed to the callers)
                for _, answer in requests:
                    if not answer.done():
                        answer.set_exception(error)
                continue
            for keys, answer in requests:
                if not answer.done():  # the caller may have been cancelled
                    answer.set_result({key: values[key] for key in keys})

    async def one(self, key: K) -> V:
        """Return the value of one key; raises what `fetch` raises."""
        return (await self.get([key]))[key]
