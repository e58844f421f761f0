"""Confirmations: commands with lasting effects wait for `!confirm`, so that a typing error does no harm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message, Say
from chatbot.rooms.request import Answer, Check, Request, Service, usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.kernel.game import Seat
    from chatbot.rooms.clock import Watch

TIMEOUT = 60  # seconds in which a command can be confirmed


@dataclass(frozen=True, slots=True)
class _Pending:
    word: str
    until: float  # time of the watch
    action: Answer


class Confirmations:
    """Holds, for each member of a room, the last command that waits for a confirmation, in memory only."""

    def __init__(self, watch: Watch, check: Check) -> None:
        self._watch, self._check = watch, check
        self._pending: dict[tuple[str, Seat], _Pending] = {}
        self.services = (Service("confirm", self._confirm),)

    def ask(self, request: Request, word: str, what: Message, action: Answer) -> Sequence[Say]:
        """Return the question whether to do what a command asks for, and remember the `action`.

        `word` is the command whose permissions the member must still have when confirming. `action` is
        called with the request that confirms.
        """
        until = self._watch.now() + TIMEOUT
        self._pending[request.room.id, request.line.seat] = _Pending(word, until, action)
        return [request.answer(Message("confirm-ask", {"what": what, "seconds": TIMEOUT}))]

    async def _confirm(self, request: Request) -> Sequence[Say]:
        if request.words:
            raise usage("confirm", "")
        pending = self._pending.pop((request.room.id, request.line.seat), None)
        if pending is None or self._watch.now() > pending.until:
            raise Refusal(Message("confirm-nothing"))
        self._check(request, pending.word)
        return await pending.action(request)
