"""Keeps Ctrl-C out of what must be done whole, such as counting a game and writing it down."""

from __future__ import annotations

import signal
import threading
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Whole:
    """A context in which nothing interrupts; what came meanwhile is answered behind it.

    Only the main thread is ever interrupted, so elsewhere it does nothing. It costs some microseconds.
    """

    def __init__(self) -> None:
        self._meanwhile: list[int] = []
        self._before: list[Callable[[int, FrameType | None], Any] | int] = []
        self._held = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = [signal.getsignal(each) or signal.SIG_DFL for each in _SIGNALS]
            self._held = True
            for each in _SIGNALS:
                signal.signal(each, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._held:
            return
        self._held = False
        for each, before in zip(_SIGNALS, self._before, strict=True):
            signal.signal(each, before)
        for number in self._meanwhile[:1]:
            self._meanwhile.clear()
            signal.raise_signal(number)

    def _note(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002  (a signal's shape)
        self._meanwhile.append(number)
