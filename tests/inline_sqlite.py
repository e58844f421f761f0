"""SQLite without a thread for each connection: a statement is a turn of the loop.

Waking a thread for every statement is three quarters of the time of a test that has a database. What
proves the program itself starts it as a process, with its threads; `threads` gives a test its own.
"""

from __future__ import annotations

import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from aiosqlite import core

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    import pytest


class _Turns:
    """What stands in for the queue to a connection's thread."""

    def put_nowait(self, item: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        future, work = item
        if future is None:
            work()
        else:
            future.get_loop().call_soon(_work, future, work)


def _work(future: asyncio.Future[Any], work: Callable[[], Any]) -> None:
    try:
        result = work()
    except BaseException as error:  # noqa: BLE001  (whoever waits for it gets it, as from the thread)
        core.set_exception(future, error)
    else:
        core.set_result(future, result)


class _NoThread:
    daemon = True

    def __init__(self, **_: object) -> None: ...

    def start(self) -> None: ...

    def is_alive(self) -> bool:
        return False


def install() -> None:
    """From now on no connection has a thread."""
    for name, stand_in in (("Thread", _NoThread), ("SimpleQueue", _Turns)):
        setattr(core, name, stand_in)


def restore(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give connections threads again, for the length of a test: two that wait for each other need them."""
    monkeypatch.setattr(core, "Thread", threading.Thread)
    monkeypatch.setattr(core, "SimpleQueue", SimpleQueue)
