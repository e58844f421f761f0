"""The client of a warden process: starts it, sends it requests, and waits for no reply without a deadline."""

from __future__ import annotations

import json
import math
import os
import select
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, TypeVar, cast

import chatbot
from arena.programs import sandbox
from arena.programs.containment import empty, environment, kill_by_home
from arena.programs.process import KeptErrors, OverflowedError, PipeClosedError, WatcherError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arena.programs.containment import Limits
    from arena.programs.pipes import ProgramPipes

# After which it is noted how long a program that is asked has waited for a processor: that takes a request to
# the warden, which would be most of the time of an answer that comes at once.
_QUICK_SECONDS = 0.05
_ALLOWANCE_SECONDS = 1.0  # between two extensions of a program's processor time, each a request to the warden
_WALL_FACTOR = 4  # no answer takes more than so many times its seconds, however busy the machine
_OUTPUT_SHARE = 0.75  # of the time that a program has to end, after which its output is closed too
_LEAST_EXTENSION = 0.005  # seconds for which waiting longer is worthwhile
# Seconds beyond the deadline of a program within which its warden has to reply: on a machine that is too busy
# the warden waits for a processor as well, and what it does not answer would count against the program.
MARGIN = 10.0
_ATOMIC = 512  # bytes that every POSIX pipe takes in one write (the least PIPE_BUF)
_ESCAPE_FACTOR = 6  # JSON writes a byte as six at most: \u0000
Outcome = TypeVar("Outcome")
_KINDS = frozenset({"", "late", "ended", "unreadable"})
THREADS = os.name == "nt"  # where pipes cannot be polled
_ROOT = str(Path(chatbot.__file__).parent.parent)
# With neither site-packages nor the settings of a user, Python starts in half the time, and always alike.
_CODE = "import sys; sys.path.append({root!r}); from arena.programs.warden import main; main()"


class WardenReply(NamedTuple):
    """The reply of a warden to a request."""

    text: str  # the answer of the program
    kind: str = ""  # of its failure: "late", "ended", "unreadable"; "": none
    why: str = ""  # the failure in words
    errors: str = ""  # what it wrote to standard error since the last reply
    lost: int = 0  # bytes of standard error beyond the limit, which were not kept


class WardenError(Exception):
    """The warden did not do what it was asked: `reply` says why."""

    def __init__(self, reply: WardenReply) -> None:
        super().__init__(reply)
        self.reply = reply


class Warden:
    """Runs the program of one player during a match, through a process that starts in the background."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._folder = os.path.realpath(tempfile.mkdtemp(prefix="rabble-"))
        self._handover: socket.socket | None = None  # by which the warden receives pipes
        theirs: socket.socket | None = None
        if not THREADS:
            self._handover, theirs = socket.socketpair()
        way = ["threads"] if theirs is None else [str(theirs.fileno())]
        self._process = subprocess.Popen(  # noqa: S603  (this Python, and code of this package)
            [sys.executable, "-I", "-S", "-c", _CODE.format(root=_ROOT), *way],
            pass_fds=() if theirs is None else (theirs.fileno(),),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # failures of the program are part of its replies
            env=environment(self._folder),
            cwd=self._folder,
            bufsize=0,
            start_new_session=True,  # so that Ctrl-C interrupts the arena only
            creationflags=0x08000200 if os.name == "nt" else 0,  # CREATE_NO_WINDOW, CREATE_NEW_PROCESS_GROUP
        )
        if theirs is not None:
            theirs.close()
        self.alive = True
        self._partial = b""
        self._pipes: ProgramPipes | None = None  # of a program that keeps running, where pipes can be polled
        self._errors = KeptErrors(limits.errors)
        self._started, self._extends_at = False, 0.0  # whether the program runs; when its time is extended
        self._longest = _ESCAPE_FACTOR * (limits.output + limits.errors) + _ATOMIC
        self._waiting = False  # for a reply
        self._send({"limits": limits, "folder": self._folder}, MARGIN)

    def call(self, words: Sequence[str]) -> WardenReply:
        """Run a program to its end, and return its first line of output as the answer."""
        return self._answer("call", self._contained(words), "", self._limits.seconds)

    def start(self, words: Sequence[str], hello: str) -> None:
        """Start a program that keeps running, and write `hello` to it; `ask` reports if that failed."""
        if self._handover is None:
            self._send(["start", list(words), hello, 0.0], MARGIN)
            return
        from arena.programs.pipes import ProgramPipes  # noqa: PLC0415  (not on Windows)

        self._close_pipes()
        if not self.alive:
            return
        watcher = cast("IO[bytes]", self._process.stdout).fileno()
        self._pipes = ProgramPipes(self._limits.output, self._errors, watcher)
        self._started = False
        try:
            socket.send_fds(self._handover, [b"\0"], list(self._pipes.child_ends))
        except OSError:
            return  # the warden has ended, as `ask` reports
        finally:
            self._pipes.close_child_ends()
        self._send(["connect", self._contained(words), "", 0.0], MARGIN)
        self._pipes.queue(hello)

    def ask(self, line: str, seconds: float) -> WardenReply:
        """Write a line and wait for the next; with an empty one, wait for one more.

        Time in which the program was ready to run but had no processor does not count (Linux), up to
        three times the `seconds` that it has.
        """
        if self._pipes is None:
            return self._answer("ask", [], line, seconds)
        self._waiting = True
        reply = self._ask(self._pipes, line, seconds)
        self._waiting = False
        if reply.kind:
            return self._with_errors(reply)
        errors, lost = self._errors.take()
        return reply._replace(errors=errors, lost=lost) if errors or lost else reply

    def stop(self) -> WardenReply:
        """Kill the program that keeps running."""
        reply = self._answer("stop", [], "", 0.0)
        return self._with_errors(reply)

    def close(self) -> WardenReply:
        """Close the input of the program, let it end or kill it, and remove its folder.

        After an interruption during a request it is killed at once.
        """
        last = WardenReply("")
        if not self._waiting:
            if self._pipes is not None and self.alive:
                self._take_leave(self._pipes)
                last = self._answer("stop", [], "", 0.0)
            if not last.kind:
                last = self._answer("close", [], "", self._limits.farewell)
        last = self._with_errors(last)
        self._disconnect()
        return last

    def _contained(self, words: Sequence[str]) -> list[str]:
        return sandbox.contained(words, self._folder) if self._limits.sandbox else list(words)

    def _ask(self, pipes: ProgramPipes, line: str, seconds: float) -> WardenReply:
        try:
            return self._exchange(pipes, line, seconds)
        except PipeClosedError as closed:
            return self._answer("explain", [], closed.pipe, 0.0)
        except OverflowedError:
            why = f"it wrote more than {self._limits.output} bytes for one answer"
            return self._kill(WardenReply("", "unreadable", why))
        except WatcherError:
            return self._bereaved()
        except WardenError as failed:
            return failed.reply

    def _exchange(self, pipes: ProgramPipes, line: str, seconds: float) -> WardenReply:
        if not self.alive:
            return self._bereaved()
        if not self._started:
            self._queued(seconds)  # the time of a program counts from its start, not from the warden's
            self._started = True
        now = time.monotonic()
        if now > self._extends_at:
            self._extends_at = now + _ALLOWANCE_SECONDS
            self._send(["allow", [], "", seconds], MARGIN)
        if line:
            pipes.send(line)
        answer = pipes.next_line(now + min(seconds, _QUICK_SECONDS))
        if answer is None:
            answer = self._patiently(pipes.next_line, now, seconds)
        if answer is None:
            return self._kill(WardenReply("", "late", f"it gave no answer within {self._limits.seconds:g} s"))
        try:
            return WardenReply(answer.decode().strip())
        except UnicodeDecodeError:
            return self._kill(WardenReply("", "unreadable", "its answer is not UTF-8"))

    def _patiently(
        self, wait: Callable[[float], Outcome | None], began: float, seconds: float
    ) -> Outcome | None:
        """Wait until a time, and longer by what the program waited for a processor; None: in vain."""
        before, until = self._queued(seconds), began + seconds
        while (outcome := wait(until)) is None:
            delay = self._queued(seconds) - before
            later = began + min(seconds + delay, seconds * _WALL_FACTOR)
            if later < until + _LEAST_EXTENSION or not self.alive:
                return None
            until = max(later, time.monotonic() + _LEAST_EXTENSION)
        return outcome

    def _queued(self, seconds: float) -> float:
        """Return for how many seconds the program has waited for a processor since its start.

        Raises:
            WardenError: the warden does not say.
        """
        reply = self._answer("waited", [], "", seconds)
        if reply.kind:
            raise WardenError(reply)
        try:
            queued = float(reply.text or 0)
        except ValueError:
            return 0.0
        return queued if 0 <= queued < math.inf else 0.0

    def _kill(self, reply: WardenReply) -> WardenReply:
        """Kill the program; return the reply, or that of a warden that has ended."""
        stop_reply = self._answer("stop", [], "", 0.0)
        return stop_reply if stop_reply.kind else reply

    def _bereaved(self) -> WardenReply:
        left = self._disconnect()
        return WardenReply("", "ended", f"the process that watches over it has ended{left}")

    def _take_leave(self, pipes: ProgramPipes) -> None:
        """Close both ends: first the program's input, then, if it goes on, its output; wait for its end."""
        with_output = self._limits.farewell * _OUTPUT_SHARE
        try:
            if not self._patiently(pipes.farewell, time.monotonic(), with_output):
                pipes.close_output()
                self._patiently(pipes.farewell, time.monotonic(), self._limits.farewell - with_output)
        except (WatcherError, WardenError):
            return  # as the answer to the next request says

    def _with_errors(self, reply: WardenReply) -> WardenReply:
        self._close_pipes()
        errors, lost = self._errors.take()
        return reply._replace(errors=reply.errors + errors, lost=reply.lost + lost)

    def _close_pipes(self) -> None:
        if self._pipes is not None:
            self._pipes.close()
            self._pipes = None

    def _answer(self, do: str, words: list[str], line: str, seconds: float) -> WardenReply:
        waiting, self._waiting = self._waiting, True
        reply = None
        try:
            if self.alive and self._send([do, words, line, seconds], seconds + MARGIN):
                reply = _parse_reply(self._receive(time.monotonic() + seconds + MARGIN))
        except TimeoutError:
            left = self._disconnect(kill=True)
            return WardenReply("", "late", f"the process that watches over it does nothing any more{left}")
        self._waiting = waiting
        return self._bereaved() if reply is None else reply

    def _send(self, request: object, seconds: float) -> bool:
        """Write a request; return whether the warden can have read it.

        Raises:
            TimeoutError: the warden does not read.
        """
        pipe, until = cast("IO[bytes]", self._process.stdin), time.monotonic() + seconds
        rest = json.dumps(request).encode() + b"\n"
        try:
            while rest:
                _wait_ready(pipe, until, reads=False)
                rest = rest[pipe.write(rest[:_ATOMIC]) :]
        except BrokenPipeError:
            return False
        return True

    def _receive(self, until: float) -> bytes:
        """Return the next line; b"": the warden has ended, or wrote more than a reply can be.

        Raises:
            TimeoutError: there is no line at the time `until`.
        """
        pipe = cast("IO[bytes]", self._process.stdout)
        while b"\n" not in self._partial:
            _wait_ready(pipe, until, reads=True)
            chunk = pipe.read(1 << 16)
            self._partial += chunk
            if not chunk or len(self._partial) > self._longest:
                return b""
        line, _, self._partial = self._partial.partition(b"\n")
        return line

    def _disconnect(self, *, kill: bool = False) -> str:
        """Close the pipes, so that the warden clears up; if it does not, do it here.

        Return a part of a sentence on what could not be removed, or "".
        """
        if not self.alive:
            return ""
        self.alive = False
        if self._handover is not None:
            self._handover.close()
        for pipe in (self._process.stdin, self._process.stdout):
            cast("IO[bytes]", pipe).close()
        if kill or not self._exited(MARGIN):
            self._process.kill()
            self._process.wait()
        return self._remove_folder()

    def _remove_folder(self) -> str:
        if self._process.returncode:
            kill_by_home(self._folder)
        try:
            if os.path.lexists(self._folder):
                empty(self._folder)
                Path(self._folder).rmdir()
        except OSError as error:
            return f", and {self._folder} cannot be removed: {error.strerror}"
        return ""

    def _exited(self, seconds: float) -> bool:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True


def _parse_reply(answer: bytes) -> WardenReply | None:
    """Parse a reply; None: it is malformed, as from a program that got hold of the warden's pipes."""
    try:
        reply = WardenReply(**json.loads(answer))
    except (ValueError, TypeError, RecursionError):
        return None
    texts = all(isinstance(each, str) for each in (reply.text, reply.why, reply.errors))
    return reply if texts and reply.kind in _KINDS and type(reply.lost) is int and reply.lost >= 0 else None


def _wait_ready(pipe: IO[bytes], until: float, *, reads: bool) -> None:
    """Wait until a pipe can be read or written.

    Where pipes cannot be polled this returns at once, and only the deadline of the warden limits the wait.

    Raises:
        TimeoutError: the warden does not respond.
    """
    if THREADS:
        return
    poll = select.poll()
    poll.register(pipe, select.POLLIN if reads else select.POLLOUT)
    if not poll.poll(max(0.0, until - time.monotonic()) * 1000):
        raise TimeoutError
