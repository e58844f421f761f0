"""The client of a warden process: starts it, sends it requests, and waits for no reply without a deadline."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import chatbot
from chatbot.arena.programs.containment import empty, environment, kill_by_home

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.arena.programs.containment import Limits

_SPIN_SECONDS = 0.0002  # of polling for a reply before sleeping: to be woken takes as long
_FAST_SECONDS = 0.001  # polling pays if the last reply took no longer, and there is more than one core
MARGIN = 10.0  # seconds beyond the deadline of a program within which its warden has to reply
_ATOMIC = 512  # bytes that every POSIX pipe takes in one write (the least PIPE_BUF)
_ESCAPE_FACTOR = 6  # JSON writes a byte as six at most: \u0000
_KINDS = frozenset({"", "late", "ended", "unreadable"})
THREADS = os.name == "nt"  # where pipes cannot be polled
_ROOT = str(Path(chatbot.__file__).parent.parent)
# With neither site-packages nor the settings of a user, Python starts in half the time, and always alike.
_CODE = "import sys; sys.path.append({root!r}); from chatbot.arena.programs.warden import main; main()"


@dataclass(frozen=True, slots=True)
class WardenReply:
    """The reply of a warden to a request."""

    text: str  # the answer of the program
    kind: str = ""  # of its failure: "late", "ended", "unreadable"; "": none
    why: str = ""  # the failure in words
    errors: str = ""  # what it wrote to standard error since the last reply
    lost: int = 0  # bytes of standard error beyond the limit, which were not kept


class Warden:
    """Runs the program of one player during a match, through a process that starts in the background."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._folder = os.path.realpath(tempfile.mkdtemp(prefix="rabble-"))
        self._process = subprocess.Popen(  # noqa: S603  (this Python, and code of this package)
            [sys.executable, "-I", "-S", "-c", _CODE.format(root=_ROOT), *(["threads"] if THREADS else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # failures of the program are part of its replies
            env=environment(self._folder),
            cwd=self._folder,
            bufsize=0,
            start_new_session=True,  # so that Ctrl-C interrupts the arena only
            creationflags=0x08000200 if os.name == "nt" else 0,  # CREATE_NO_WINDOW, CREATE_NEW_PROCESS_GROUP
        )
        self.alive = True
        self._partial, self._spins = b"", False
        self._longest = _ESCAPE_FACTOR * (limits.output + limits.errors) + _ATOMIC
        self._waiting = False  # for a reply
        self._send({"limits": limits, "folder": self._folder}, MARGIN)

    def call(self, words: Sequence[str]) -> WardenReply:
        """Run a program to its end, and return its first line of output as the answer."""
        return self._answer("call", list(words), "", self._limits.seconds)

    def start(self, words: Sequence[str], hello: str) -> None:
        """Start a program that keeps running, and write `hello` to it; `ask` reports if that failed."""
        self._send(["start", list(words), hello, 0.0], MARGIN)

    def ask(self, line: str, seconds: float) -> WardenReply:
        """Write a line and wait for the next; with an empty one, wait for one more."""
        return self._answer("ask", [], line, seconds)

    def stop(self) -> WardenReply:
        """Kill the program that keeps running."""
        return self._answer("stop", [], "", 0.0)

    def close(self) -> WardenReply:
        """Close the input of the program, let it end or kill it, and remove its folder.

        After an interruption during a request it is killed at once.
        """
        last = WardenReply("") if self._waiting else self._answer("close", [], "", self._limits.farewell)
        self._disconnect()
        return last

    def _answer(self, do: str, words: list[str], line: str, seconds: float) -> WardenReply:
        self._waiting = True
        reply = None
        try:
            if self.alive and self._send([do, words, line, seconds], seconds + MARGIN):
                reply = _parse_reply(self._receive(time.monotonic() + seconds + MARGIN))
        except TimeoutError:
            left = self._disconnect(kill=True)
            return WardenReply("", "late", f"the process that watches over it does nothing any more{left}")
        self._waiting = False
        if reply is None:
            left = self._disconnect()
            return WardenReply("", "ended", f"the process that watches over it has ended{left}")
        return reply

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
        pipe, started = cast("IO[bytes]", self._process.stdout), time.monotonic()
        if self._spins:
            _spin(pipe, started + _SPIN_SECONDS)
        while b"\n" not in self._partial:
            _wait_ready(pipe, until, reads=True)
            chunk = pipe.read(1 << 16)
            self._partial += chunk
            if not chunk or len(self._partial) > self._longest:
                return b""
        self._spins = time.monotonic() - started < _FAST_SECONDS
        line, _, self._partial = self._partial.partition(b"\n")
        return line

    def _disconnect(self, *, kill: bool = False) -> str:
        """Close the pipes, so that the warden clears up; if it does not, do it here.

        Return a part of a sentence on what could not be removed, or "".
        """
        if not self.alive:
            return ""
        self.alive = False
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


def _spin(pipe: IO[bytes], until: float) -> None:
    """Poll without sleeping until there is something to read."""
    if THREADS or os.cpu_count() == 1:
        return
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    while not poll.poll(0) and time.monotonic() < until:
        pass


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
