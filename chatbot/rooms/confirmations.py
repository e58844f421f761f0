"""Confirmations: what cannot be done by a slip of the tongue waits for `!confirm`, for a minute."""

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

PATIENCE = 60  # seconds


@dataclass(frozen=True, slots=True)
class _Pending:
    word: str
    until: float  # on the watch
    act: Answer


class Confirmations:
    """Remembers for each member of a room the last act that was asked about. A restart forgets all."""

    def __init__(self, watch: Watch, check: Check) -> None:
        self._watch, self._check = watch, check
        self._pending: dict[tuple[str, Seat], _Pending] = {}
        self.services = (Service("confirm", self._confirm),)

    def ask(self, asked: Request, word: str, what: Message, act: Answer) -> Sequence[Say]:
        """Say what would be done; whoever may use the command of this word may have it done.

        `act` is asked by the line that confirms.
        """
        until = self._watch.now() + PATIENCE
        self._pending[asked.room.id, asked.line.seat] = _Pending(word, until, act)
        return [asked.answer(Message("confirm-ask", {"what": what, "seconds": PATIENCE}))]

    async def _confirm(self, asked: Request) -> Sequence[Say]:
        if asked.words:
            raise usage("confirm", "")
        pending = self._pending.pop((asked.room.id, asked.line.seat), None)
        if pending is None or self._watch.now() > pending.until:
            raise Refusal(Message("confirm-nothing"))
        self._check(asked, pending.word)
        return await pending.act(asked)
