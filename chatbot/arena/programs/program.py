"""A player that is a program: asked like a strategy, kept by a warden, and never trusted."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from chatbot.arena.programs.calls import Calls
from chatbot.arena.programs.client import Warden, WardenReply
from chatbot.arena.programs.command import ProgramCommand, command
from chatbot.arena.programs.containment import Limits
from chatbot.arena.programs.lines import Lines
from chatbot.arena.programs.text_lines import TextLines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chatbot.kernel.contest import Tongue

__all__ = ["Limits", "Program", "ProgramCommand", "command"]

UNREADABLE, ILLEGAL = "unreadable", "illegal"
_LONGEST = 400  # characters of a line in the errors
_NOBODY: Any = object()


class Program:
    """One player's program during one match.

    A failure is counted, told, and is no answer. A program that stays is killed then; nobody asks it for
    the rest of that game, and it is started afresh for the next.
    """

    def __init__(
        self,
        name: str,
        command: ProgramCommand,
        tongue: Tongue,
        game: str,
        limits: Limits,
        errors: Callable[[str], object],
    ) -> None:
        self.failures: Counter[str] = Counter()
        self._name, self._tongue, self._limits, self._errors = name, tongue, limits, errors
        self._protocol = _protocol(name, command, tongue, game, limits)
        self._stays = not isinstance(self._protocol, Calls)
        self._game: object = None  # that is being played
        self._failed: object = _NOBODY  # the game in which it failed and is not asked any more
        self._unfinished = ""  # a line of its standard error
        self._lost = 0
        self._warden: Warden | None = None
        self._begin()

    def __call__(self, view: Any, menu: Sequence[Any], rng: object = None) -> Any:  # noqa: ARG002
        """Ask it; None is no answer. Whatever it does, nothing is raised."""
        told = self._tongue.ask(view, menu) if self._stays else {}
        self._game = told.get("game") if self._stays else getattr(view, "game", None)
        if self._failed is not _NOBODY:
            if self._game is not None and self._game == self._failed:
                return None
            self._begin()
        assert self._warden is not None  # noqa: S101
        reply = self._protocol.ask(self._warden, view, menu, told)
        self._hear(reply)
        return self._fail(reply.kind, reply.why) if reply.kind else self._read(view, menu, reply.text)

    def close(self) -> None:
        """Close its input, wait a little, kill what is left of it, and remove its folder."""
        if self._warden is None:
            return
        last = self._warden.close()
        self._hear(last)
        self._warden = None
        self._end_line()
        if last.why:
            self._tell(last.why)
        if self._lost:
            self._tell(f"wrote {self._lost} more bytes to standard error, which were not kept")

    def _begin(self) -> None:
        self._failed = _NOBODY
        if self._warden is None:
            self._warden = Warden(self._limits)
        self._protocol.begin(self._warden)

    def _read(self, view: Any, menu: Sequence[Any], text: str) -> Any:
        try:
            answer = self._protocol.read(text)
        except (ValueError, RecursionError) as error:
            return self._fail(UNREADABLE, str(error))
        try:
            return self._tongue.read(view, menu, answer)
        except (ValueError, RecursionError) as error:
            return self._fail(ILLEGAL, str(error))

    def _fail(self, kind: str, why: str) -> None:
        self._end_line()
        self.failures[kind] += 1
        self._tell(f"{kind}: {why}")
        assert self._warden is not None  # noqa: S101
        if self._stays:
            self._failed = self._game
            if self._warden.alive:
                self._hear(self._warden.stop())
                self._end_line()
        if not self._warden.alive:
            self._warden = None
            self._failed = self._game if self._stays else None

    # Standard error

    def _hear(self, reply: WardenReply) -> None:
        self._lost += reply.lost
        *lines, self._unfinished = (self._unfinished + reply.errors).split("\n")
        for line in lines:
            self._tell(f"standard error: {line}")
        if not self._stays:
            self._end_line()

    def _end_line(self) -> None:
        if self._unfinished:
            self._tell(f"standard error: {self._unfinished}")
            self._unfinished = ""

    def _tell(self, what: str) -> None:
        place = "" if self._game is None else f", game {self._game}"
        self._errors(f"{safe(f'{self._name}{place}: {what}')}\n")


def safe(text: str) -> str:
    """Make one line of it that no terminal obeys."""
    line = "".join(each if each.isprintable() else " " if each in "\t\r" else "�" for each in text.rstrip())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _protocol(
    name: str, command: ProgramCommand, tongue: Tongue, game: str, limits: Limits
) -> Calls | Lines | TextLines:
    if command.protocol == "calls" and tongue.call is not None:
        return Calls(command.words, tongue.call)
    if command.protocol == "text" and tongue.line is not None:
        return TextLines(command.words, tongue.line, limits.seconds)
    return Lines(command.words, game, name, limits.seconds)
