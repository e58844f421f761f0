"""The warden: a process between the arena and the program of one player, which limits and ends the program.

The arena sends requests, a line of JSON each, and the warden answers most of them with one line. A program
that is called for one answer writes it to the warden. One that keeps running talks with the arena through
pipes that the arena has made: the warden only starts, limits and ends it ("connect"). Where pipes cannot be
polled it passes the lines on ("start" and "ask").

The limits are set on the warden itself, so that every process which it starts inherits them; on Linux it also
becomes the parent of processes that detach themselves. A program that kills its parent kills nothing else.
When the arena ends, the warden ends its program and itself.
"""

# ruff: noqa: PTH106, PTH120

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

from arena.programs import containment
from arena.programs.containment import Limits
from arena.programs.process import KeptErrors

if TYPE_CHECKING:
    from arena.programs.process import Multiplexer, Running


_WITHOUT_REPLY = frozenset({"start", "connect", "allow"})
# For a program that has closed a pipe to end: an interpreter clears up before its exit code.
_EXIT_SECONDS = 0.2


class Fault(Exception):  # noqa: N818  (of a program, not of this code)
    """A failure of the program: `kind` is "late", "ended" or "unreadable", and `why` is a sentence."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(kind, why)
        self.kind, self.why = kind, why


class Orphaned(Exception):  # noqa: N818
    """The arena no longer waits for the answer: it sent another request, or closed its end."""


class WardenRequest(NamedTuple):
    """A request of the arena."""

    do: str  # "call"; "start", "ask"; "connect", "allow", "waited", "explain"; "stop" or "close"
    words: list[str]  # the command, to start a program
    line: str  # to write to the running program
    seconds: float  # until the answer has to be there


def main() -> None:
    """Answer requests until the arena closes its end; the first line has the limits and the folder."""
    multiplexer = _make_multiplexer(sys.argv[1:])
    while not multiplexer.requests and not multiplexer.disconnected:
        multiplexer.wait(None, None)
    if multiplexer.disconnected:
        return
    first = json.loads(multiplexer.requests.pop(0))
    limits = Limits(*first["limits"])
    containment.apply_limits(limits)
    runner = ProgramRunner(multiplexer, limits, first["folder"])
    try:
        while (request := runner.next_request()) is not None:
            if reply := runner.carry_out(request):
                _send(reply)
    except (Orphaned, BrokenPipeError):
        return
    finally:
        runner.stop()
        _remove(first["folder"])


class ProgramRunner:
    """Runs one program at a time, in its folder."""

    def __init__(self, multiplexer: Multiplexer, limits: Limits, folder: str) -> None:
        self._multiplexer, self._limits, self._folder = multiplexer, limits, folder
        self._environment = containment.environment(folder)
        self._running: Running | None = None
        self._fault: Fault | None = None  # why the program was stopped, for the next question
        self._errors = KeptErrors(limits.errors)

    def next_request(self) -> WardenRequest | None:
        """Wait for the next request, and read the program's output meanwhile; None: there are no more."""
        while not self._multiplexer.requests:
            if self._multiplexer.disconnected:
                return None
            self._wait_for_event(None)
            self._check()
        return WardenRequest(*json.loads(self._multiplexer.requests.pop(0)))

    def carry_out(self, request: WardenRequest) -> dict[str, object]:
        """Carry out a request, and return the reply; a start has none, its failure is reported later."""
        try:
            text, fault = self._do(request), None
        except Fault as error:
            text, fault = "", error
            self.stop()
        if request.do in _WITHOUT_REPLY:
            return {}
        kind, why = (fault.kind, fault.why) if fault else ("", "")
        errors, lost = self._errors.take()
        return {"text": text, "kind": kind, "why": why, "errors": errors, "lost": lost}

    def stop(self) -> None:
        """Kill the program with all its processes, and empty its folder.

        Raises:
            SystemExit: a process cannot be killed.
        """
        if self._running is not None:
            clean = containment.kill_tree(self._running.pid)
            self._multiplexer.drain(self._running)
            self._collect_errors()
            self._multiplexer.close(self._running)
            self._running = None
            if not clean:
                raise SystemExit("what a program started cannot be killed")
        containment.empty(self._folder)

    def _do(self, request: WardenRequest) -> str:
        match request.do:
            case "call":
                return self._call(request.words, request.seconds)
            case "start":
                self._start(request.words, request.line)
            case "ask":
                return self._ask(request.line, request.seconds)
            case "connect":
                self._connect(request.words)
            case "allow":
                self._allow(request.seconds)
            case "waited":
                self._allow(request.seconds)
                return str(containment.waiting_seconds(self._running.pid) if self._running else 0.0)
            case "explain":
                self._explain(request.line)
            case "stop":
                self.stop()
            case _:
                self._finish()
        return ""

    # A program that is started for each decision

    def _call(self, words: list[str], seconds: float) -> str:
        until = time.monotonic() + seconds
        running = self._launch(words, with_input=False)
        containment.allow_cpu_time(running.pid, seconds)
        while running.status is None and not running.overflowed:
            self._wait(until)
        status = running.status
        self.stop()  # before the answer is read: processes that it left running must not write any more
        if running.overflowed:
            raise self._overflow()
        if status:
            raise _exit_fault(status)
        return _text(bytes(running.output).partition(b"\n")[0])

    # A program that keeps running, whose pipes the arena holds

    def _connect(self, words: list[str]) -> None:
        self.stop()
        self._fault = None
        try:
            self._running = self._multiplexer.connect(words, self._folder, self._environment)
        except (OSError, ValueError) as error:
            self._fault = _unstartable(error)
            return
        self._allow(self._limits.seconds)

    def _allow(self, seconds: float) -> None:
        for pid in containment.tree(self._running.pid) if self._running else ():
            containment.allow_cpu_time(pid, seconds)

    def _explain(self, pipe: str) -> None:
        """Say why the program has closed a pipe.

        Raises:
            Fault: always.
        """
        if self._running is None:
            raise self._fault or Fault("ended", "it does not run")
        self._await_exit(self._running, pipe)
        raise _exit_fault(self._running.status or 0)

    # A program that keeps running, whose lines are passed on

    def _start(self, words: list[str], hello: str) -> None:
        self.stop()
        self._fault = None
        try:
            running = self._launch(words, with_input=True)
        except Fault as fault:
            self._fault = fault  # reported when it is asked
            return
        containment.allow_cpu_time(running.pid, self._limits.seconds)
        running.unsent = hello.encode()

    def _ask(self, line: str, seconds: float) -> str:
        """Write a line and return the next one; without a line, return one more line of the same answer."""
        until = time.monotonic() + seconds
        if self._running is None:
            raise self._fault or Fault("ended", "it does not run")
        running = self._running
        containment.allow_cpu_time(running.pid, seconds)
        if line:
            self._wait_for_event(0)
            running.discard_output()
            running.unsent += line.encode()
        while (answer := self._next(running)) is None:
            if running.output_closed or running.input_closed:
                self._await_exit(running, "output" if running.output_closed else "input")
            else:
                self._wait(until)
        return _text(answer)

    def _next(self, running: Running) -> bytes | None:
        """Return its next line; None: it is not complete yet."""
        if running.status is not None:
            self._multiplexer.drain(running)
            running.unsent = b""
        if running.overflowed:
            raise self._overflow()
        line = None if running.unsent else running.line()
        if line is None and running.status is not None:
            raise _exit_fault(running.status)
        return line

    def _await_exit(self, running: Running, pipe: str) -> None:
        """Wait for the end of a program that has closed a pipe: its exit code says more than the pipe."""
        until = time.monotonic() + _EXIT_SECONDS
        while running.status is None:
            if (left := until - time.monotonic()) <= 0:
                raise Fault("ended", f"it closed its standard {pipe}")
            self._wait_for_event(left)

    def _check(self) -> None:
        """Stop a program that writes too much between two questions, or that has ended.

        One that has ended is cleared up at once: later its process id may belong to another process.
        """
        if self._running is None:
            return
        if self._running.overflowed:
            self._fault = self._overflow()
        elif self._running.status is not None:
            self._fault = _exit_fault(self._running.status)
        else:
            return
        self.stop()

    def _finish(self) -> None:
        until = time.monotonic() + self._limits.farewell
        if self._running is not None:
            self._multiplexer.close_input(self._running)
            while self._running.status is None and (left := until - time.monotonic()) > 0:
                self._wait_for_event(left)
                self._running.discard_output()
        self.stop()

    # Shared by both

    def _launch(self, words: list[str], *, with_input: bool) -> Running:
        try:
            self._running = self._multiplexer.launch(
                words, self._folder, self._environment, self._limits.output, with_input=with_input
            )
        except (OSError, ValueError) as error:
            raise _unstartable(error) from None
        return self._running

    def _wait(self, until: float) -> None:
        left = until - time.monotonic()
        if left <= 0:
            raise Fault("late", f"it gave no answer within {self._limits.seconds:g} s")
        self._wait_for_event(left)
        if self._multiplexer.requests or self._multiplexer.disconnected:
            raise Orphaned

    def _wait_for_event(self, seconds: float | None) -> None:
        self._multiplexer.wait(self._running, seconds)
        self._collect_errors()

    def _collect_errors(self) -> None:
        if self._running is None or not self._running.errors:
            return
        self._errors.add(self._running.errors)
        self._running.errors.clear()

    def _overflow(self) -> Fault:
        return Fault("unreadable", f"it wrote more than {self._limits.output} bytes for one answer")


def _text(line: bytes) -> str:
    try:
        return line.decode().strip()
    except UnicodeDecodeError:
        raise Fault("unreadable", "its answer is not UTF-8") from None


def _unstartable(error: OSError | ValueError) -> Fault:
    return Fault("ended", f"it could not be started: {getattr(error, 'strerror', None) or str(error)}")


def _exit_fault(status: int) -> Fault:
    """Say how a program ended: bubblewrap, as a shell, ends with 128 more than the signal that killed it."""
    name = _signal_name(-status if status < 0 else status - 128)
    if status < 0:
        reason = f"it was killed by {name or f'signal {-status}'}"
    else:
        reason = f"it ended with exit code {status}{name and f', as after {name}'}"
    return Fault("ended", reason + (": it used too much processor time" if name == "SIGXCPU" else ""))


def _signal_name(number: int) -> str:
    """Return the name of a signal; "": there is none of that number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return ""


def _remove(folder: str) -> None:
    os.chdir(os.path.dirname(folder))  # Windows does not remove the working folder of a process
    os.rmdir(folder)


def _make_multiplexer(words: list[str]) -> Multiplexer:
    if "threads" in words:
        from arena.programs.threads import ThreadMultiplexer  # noqa: PLC0415

        return ThreadMultiplexer(0)
    from arena.programs.posix import PosixMultiplexer  # noqa: PLC0415  (poll is not on Windows)

    return PosixMultiplexer(0, int(words[0]))


def _send(reply: dict[str, object]) -> None:
    rest = json.dumps(reply).encode() + b"\n"
    while rest:
        rest = rest[os.write(1, rest) :]
