"""The warden: a process that stands between the arena and one player's program, and keeps it within bounds.

The arena sends it requests, a line of JSON each, and it answers each with one line. It has the
limits itself, so that whatever it starts is born with them, and on Linux whatever is started
there and runs away becomes its child. A program that kills its parent kills nobody else.
When the arena is gone, so is all of this.
"""

# ruff: noqa: PTH106, PTH120

from __future__ import annotations

import codecs
import json
import os
import signal
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from chatbot.arena.programs import containment
from chatbot.arena.programs.containment import Limits

if TYPE_CHECKING:
    from chatbot.arena.programs.process import Ears, Running


_MOMENT = 0.2  # seconds


class Fault(Exception):  # noqa: N818  (of a program, not of ours)
    """What a program did wrong: its kind, and one sentence."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(kind, why)
        self.kind, self.why = kind, why


class Orphaned(Exception):  # noqa: N818
    """The arena does not wait for the answer any more."""


class WardenRequest(NamedTuple):
    """A request, as it came."""

    do: str
    words: list[str]  # of a program that is to be started
    line: str  # for a program that runs
    seconds: float


def main() -> None:
    """Serve the arena until it hangs up."""
    ears = _ears(sys.argv[1:])
    while not ears.requests and not ears.alone:
        ears.wait(None, None)
    if ears.alone:
        return
    first = json.loads(ears.requests.pop(0))
    limits = Limits(*first["limits"])
    containment.enter(limits)
    cell = Cell(ears, limits, first["folder"])
    try:
        while (request := cell.request()) is not None:
            if said := cell.answered(request):
                _reply(said)
    except (Orphaned, BrokenPipeError):
        return
    finally:
        cell.stop()
        _leave(first["folder"])


class Cell:
    """Where one program runs at a time."""

    def __init__(self, ears: Ears, limits: Limits, folder: str) -> None:
        self._ears, self._limits, self._folder = ears, limits, folder
        self._surroundings = containment.surroundings(folder)
        self._running: Running | None = None
        self._fault: Fault | None = None  # of a program that does not run any more
        self._room = limits.errors
        self._lost = 0
        self._errors = bytearray()
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def request(self) -> WardenRequest | None:
        """Wait for the next request, and meanwhile keep the program from blocking; None is the last one."""
        while not self._ears.requests:
            if self._ears.alone:
                return None
            self._listen(None)
            self._watch()
        return WardenRequest(*json.loads(self._ears.requests.pop(0)))

    def answered(self, asked: WardenRequest) -> dict[str, object]:
        """Do what is asked, and say what came of it; of a start, the first question tells."""
        try:
            text, fault = self._do(asked), None
        except Fault as found:
            text, fault = "", found
            self.stop()
        if asked.do == "start":
            return {}
        kind, why = (fault.kind, fault.why) if fault else ("", "")
        errors, lost = self._decode(bytes(self._errors)), self._lost
        self._errors, self._lost = bytearray(), 0
        return {"text": text, "kind": kind, "why": why, "errors": errors, "lost": lost}

    def stop(self) -> None:
        """Kill whatever runs, and leave nothing of it."""
        if self._running is not None:
            clean = containment.put_an_end(self._running.pid)
            self._ears.drain(self._running)
            self._take_errors()
            self._ears.close(self._running)
            self._running = None
            if not clean:
                raise SystemExit("what a program started cannot be killed")
        containment.empty(self._folder)

    def _do(self, asked: WardenRequest) -> str:
        match asked.do:
            case "call":
                return self._call(asked.words, asked.seconds)
            case "start":
                self._start(asked.words, asked.line)
            case "ask":
                return self._ask(asked.line, asked.seconds)
            case "stop":
                self.stop()
            case _:
                self._farewell()
        return ""

    # A program that is started for each decision

    def _call(self, words: list[str], seconds: float) -> str:
        until = time.monotonic() + seconds
        running = self._launch(words, asked=False)
        containment.grant(running.pid, seconds)
        while running.status is None and not running.floods:
            self._wait(until)
        status = running.status
        self.stop()  # what it left behind writes no more when its answer is read
        if running.floods:
            raise self._flood()
        if status:
            raise _ended(status)
        return _text(bytes(running.heard).partition(b"\n")[0])

    # A program that stays

    def _start(self, words: list[str], hello: str) -> None:
        self.stop()
        self._fault = None
        try:
            running = self._launch(words, asked=True)
        except Fault as fault:
            self._fault = fault  # told when it is asked
            return
        containment.grant(running.pid, self._limits.seconds)
        running.unsent = hello.encode()

    def _ask(self, line: str, seconds: float) -> str:
        """Ask, or without a line wait for one more line of the same answer."""
        until = time.monotonic() + seconds
        if self._running is None:
            raise self._fault or Fault("ended", "it does not run")
        running = self._running
        containment.grant(running.pid, seconds)
        if line:
            self._listen(0)
            running.forget()
            running.unsent += line.encode()
        while (answer := self._next(running)) is None:
            if running.mute or running.deaf:
                self._see_it_end(running)
            else:
                self._wait(until)
        return _text(answer)

    def _next(self, running: Running) -> bytes | None:
        """Take its next line, if it is there."""
        if running.status is not None:
            self._ears.drain(running)
            running.unsent = b""
        if running.floods:
            raise self._flood()
        line = None if running.unsent else running.line()
        if line is None and running.status is not None:
            raise _ended(running.status)
        return line

    def _see_it_end(self, running: Running) -> None:
        """Give a program that has closed a pipe the moment in which it ends: its exit code says more."""
        until = time.monotonic() + _MOMENT
        while running.status is None:
            if (left := until - time.monotonic()) <= 0:
                raise Fault("ended", f"it closed its standard {'output' if running.mute else 'input'}")
            self._listen(left)

    def _watch(self) -> None:
        """Keep it from flooding while nobody asks, and clear up once it has ended.

        Later its number may be that of another process.
        """
        if self._running is None:
            return
        if self._running.floods:
            self._fault = self._flood()
        elif self._running.status is not None:
            self._fault = _ended(self._running.status)
        else:
            return
        self.stop()

    def _farewell(self) -> None:
        until = time.monotonic() + self._limits.farewell
        if self._running is not None:
            self._ears.hush(self._running)
            while self._running.status is None and (left := until - time.monotonic()) > 0:
                self._listen(left)
                self._running.forget()
        self.stop()

    # Both

    def _launch(self, words: list[str], *, asked: bool) -> Running:
        try:
            self._running = self._ears.launch(
                words, self._folder, self._surroundings, self._limits.output, asked=asked
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise Fault("ended", f"it could not be started: {reason}") from None
        return self._running

    def _wait(self, until: float) -> None:
        left = until - time.monotonic()
        if left <= 0:
            raise Fault("late", f"it gave no answer within {self._limits.seconds:g} s")
        self._listen(left)
        if self._ears.requests or self._ears.alone:
            raise Orphaned

    def _listen(self, seconds: float | None) -> None:
        self._ears.wait(self._running, seconds)
        self._take_errors()

    def _take_errors(self) -> None:
        if self._running is None or not self._running.errors:
            return
        kept = self._running.errors[: self._room]
        self._lost += len(self._running.errors) - len(kept)
        self._room -= len(kept)
        self._errors += kept
        self._running.errors.clear()

    def _flood(self) -> Fault:
        return Fault("unreadable", f"it wrote more than {self._limits.output} bytes for one answer")


def _text(line: bytes) -> str:
    try:
        return line.decode().strip()
    except UnicodeDecodeError:
        raise Fault("unreadable", "its answer is not UTF-8") from None


def _ended(status: int) -> Fault:
    if status >= 0:
        return Fault("ended", f"it ended with exit code {status}")
    try:
        return Fault("ended", f"it was killed by {signal.Signals(-status).name}")
    except ValueError:
        return Fault("ended", f"it was killed by signal {-status}")


def _leave(folder: str) -> None:
    os.chdir(os.path.dirname(folder))  # Windows removes no folder that somebody is in
    os.rmdir(folder)


def _ears(words: list[str]) -> Ears:
    if "threads" in words:
        from chatbot.arena.programs.threads import ThreadEars  # noqa: PLC0415

        return ThreadEars(0)
    from chatbot.arena.programs.posix import PosixEars  # noqa: PLC0415  (poll is not on Windows)

    return PosixEars(0)


def _reply(said: dict[str, Any]) -> None:
    rest = json.dumps(said).encode() + b"\n"
    while rest:
        rest = rest[os.write(1, rest) :]
