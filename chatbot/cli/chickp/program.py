"""A player that is a program: kept by a warden of the arena, and spoken to in the lines of Chicken Poker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from chatbot.arena.programs.client import Warden, WardenReply
from chatbot.arena.programs.containment import Limits
from chatbot.cli.chickp import line
from chatbot.games.chickenpoker.contest.session import Forfeit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.arena.programs.command import ProgramCommand
    from chatbot.games.chickenpoker.contest.session import Kind, Start

FOREVER = 20 * 24 * 3600.0  # seconds; a wait that `poll` still takes
_KINDS: dict[str, Kind] = {"late": "late", "ended": "ended"}


class LineListener(Protocol):
    """Hears what goes to and fro, where somebody wants to know."""

    def sent(self, text: str) -> None: ...

    def heard(self, text: str) -> None: ...

    def complained(self, text: str) -> None:
        """It wrote this to standard error: whole lines, or pieces of one."""


class LineProgram:
    """One player's program during a session. It runs from game to game, and starts afresh after a failure."""

    def __init__(self, command: ProgramCommand, unlimited: bool, listener: LineListener) -> None:
        self.name = ""  # as it says itself
        self._command, self._listener = command, listener
        self._name_seconds = FOREVER if unlimited else line.NAME_SECONDS
        self._card_seconds = FOREVER if unlimited else line.CARD_SECONDS
        self._limits = Limits(seconds=self._name_seconds)
        self._lost = 0
        self._warden: Warden | None = None
        self._runs = False
        self._start()

    def begin(self, start: Start) -> None:
        if not self._runs:
            self._start()
        text = self._ask(line.opening(start), self._name_seconds, "name")
        self.name = line.name(text) or self.name

    def choose(self, shown: Mapping[int, int]) -> int:
        return line.card(self._ask(line.shown(shown), self._card_seconds, "card"))

    def forfeited(self) -> None:
        """Kill it; a warden that has ended is replaced with the next start."""
        self._runs = False
        if self._warden is not None and self._warden.alive:
            self._hear(self._warden.stop())
        if self._warden is not None and not self._warden.alive:
            self._warden = None

    def close(self) -> None:
        """Close its input, wait a little, kill what is left of it, and remove its folder."""
        if self._warden is None:
            return
        last, self._warden, self._runs = self._warden.close(), None, False
        self._hear(last)
        for what in ([last.why] if last.why else []) + (
            [f"({self._lost} more bytes of standard error were not kept)"] if self._lost else []
        ):
            self._listener.complained(f"{what}\n")

    def _start(self) -> None:
        if self._warden is None:
            self._warden = Warden(self._limits)
        self._warden.start(self._command.words, "")
        self._runs = True

    def _ask(self, text: str, seconds: float, wanted: str) -> str:
        assert self._warden is not None  # noqa: S101
        self._listener.sent(text)
        reply = self._warden.ask(text, seconds)
        self._hear(reply)
        if reply.kind:
            why = f"it gave no {wanted} within {seconds:g} s" if reply.kind == "late" else reply.why
            raise Forfeit(_KINDS.get(reply.kind, "unreadable"), why)
        self._listener.heard(reply.text)
        return reply.text

    def _hear(self, reply: WardenReply) -> None:
        self._lost += reply.lost
        if reply.errors:
            self._listener.complained(reply.errors)
