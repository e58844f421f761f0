"""Listen as soon as an address is free: of several processes on one machine one has it, then the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import Failure
from chatbot.runtime.periodic import Periodic

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chatbot.runtime.clock import Watch

TRY_AGAIN = 1.0  # seconds between two attempts


class PortTaking:
    """Tries to listen until it does.

    `listen` listens, or raises `Failure`; `explain` returns what the operator is told of a failure, once.
    """

    def __init__(
        self,
        listen: Callable[[], Awaitable[object]],
        watch: Watch,
        tell: Callable[[str], None],
        explain: Callable[[Failure], str],
    ) -> None:
        self._listen, self._tell, self._explain = listen, tell, explain
        self._attempts = Periodic(watch, TRY_AGAIN, self._attempt)
        self._failures = 0

    async def start(self) -> None:
        """Try now, and again after each failure."""
        self._attempts.start(0.0)

    def stop(self) -> None:
        """Try no more."""
        self._attempts.stop()

    async def _attempt(self) -> None:
        try:
            await self._listen()
        except Failure as failure:
            self._failures += 1
            if self._failures == 2:  # who has the address has said so by now
                self._tell(self._explain(failure))
        else:
            self._attempts.stop()
