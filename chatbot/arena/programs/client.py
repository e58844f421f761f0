"""The arena's end of the line to a warden: starts it, sends it requests, and is never kept waiting by it."""

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
from chatbot.arena.programs.containment import empty, put_an_end_by_folder, surroundings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.arena.programs.containment import Limits

SPIN = 0.0002  # seconds for which a reply is looked for before one sleeps: to be woken takes as long
BRISK = 0.001  # seconds: looking is worth it where the last reply took no longer, and a core is to spare
MARGIN = 10.0  # seconds that a warden may be late with what it knows; it answers at once if it can
_AT_ONCE = 512  # bytes, which POSIX has any pipe take as a whole
_ESCAPED = 6  # bytes that JSON takes for one, at most
_KINDS = frozenset({"", "late", "ended", "unreadable"})
THREADS = os.name == "nt"  # where pipes cannot be polled
_ROOT = str(Path(chatbot.__file__).parent.parent)
# Neither site-packages nor anybody's settings: it starts in half the time, and says what it always says.
_CODE = "import sys; sys.path.append({root!r}); from chatbot.arena.programs.warden import main; main()"


@dataclass(frozen=True, slots=True)
class WardenReply:
    """What came of a request."""

    text: str  # the answer
    kind: str = ""  # of what the program did wrong; "" is nothing
    why: str = ""
    errors: str = ""  # what it wrote to standard error meanwhile
    lost: int = 0  # bytes that it wrote there beyond what is kept


class Warden:
    """Keeps one player's program during a match. It starts at once, and meanwhile nobody waits for it."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._folder = os.path.realpath(tempfile.mkdtemp(prefix="rabble-"))
        self._process = subprocess.Popen(  # noqa: S603  (Python, and code of ours)
            [sys.executable, "-I", "-S", "-c", _CODE.format(root=_ROOT), *(["threads"] if THREADS else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # what a program makes it complain of is told by `Reply`
            env=surroundings(self._folder),
            cwd=self._folder,
            bufsize=0,
            start_new_session=True,  # a Ctrl-C is for the arena, which then decides
            creationflags=0x08000200 if os.name == "nt" else 0,  # CREATE_NO_WINDOW, CREATE_NEW_PROCESS_GROUP
        )
        self.alive = True
        self._partial, self._brisk = b"", False
        self._longest = _ESCAPED * (limits.output + limits.errors) + _AT_ONCE
        self._waiting = False  # for a reply
        self._send({"limits": limits, "folder": self._folder}, MARGIN)

    def call(self, words: Sequence[str]) -> WardenReply:
        """Start a program for one answer, the first line that it writes."""
        return self._answer("call", list(words), "", self._limits.seconds)

    def start(self, words: Sequence[str], hello: str) -> None:
        """Start a program that stays, and write it a line; the first question tells whether it went well."""
        self._send(["start", list(words), hello, 0.0], MARGIN)

    def ask(self, line: str, seconds: float) -> WardenReply:
        """Write a line and wait for the next; without a line, wait for one more."""
        return self._answer("ask", [], line, seconds)

    def stop(self) -> WardenReply:
        """Kill the program that stays."""
        return self._answer("stop", [], "", 0.0)

    def close(self) -> WardenReply:
        """Let it end, or end it, and leave no trace; after a break in the middle, kill it at once."""
        last = WardenReply("") if self._waiting else self._answer("close", [], "", self._limits.farewell)
        self._hang_up()
        return last

    def _answer(self, do: str, words: list[str], line: str, seconds: float) -> WardenReply:
        self._waiting = True
        reply = None
        try:
            if self.alive and self._send([do, words, line, seconds], seconds + MARGIN):
                reply = _reply(self._receive(time.monotonic() + seconds + MARGIN))
        except TimeoutError:
            left = self._hang_up(at_once=True)
            return WardenReply("", "late", f"the process that watches over it does nothing any more{left}")
        self._waiting = False
        if reply is None:
            left = self._hang_up()
            return WardenReply("", "ended", f"the process that watches over it has ended{left}")
        return reply

    def _send(self, request: object, seconds: float) -> bool:
        """Write a request; say whether anybody may have heard it."""
        pipe, until = cast("IO[bytes]", self._process.stdin), time.monotonic() + seconds
        rest = json.dumps(request).encode() + b"\n"
        try:
            while rest:
                _ready(pipe, until, reads=False)
                rest = rest[pipe.write(rest[:_AT_ONCE]) :]
        except BrokenPipeError:
            return False
        return True

    def _receive(self, until: float) -> bytes:
        """Give the next line, or nothing if there will be none."""
        pipe, asked = cast("IO[bytes]", self._process.stdout), time.monotonic()
        if self._brisk:
            _look_out(pipe, asked + SPIN)
        while b"\n" not in self._partial:
            _ready(pipe, until, reads=True)
            chunk = pipe.read(1 << 16)
            self._partial += chunk
            if not chunk or len(self._partial) > self._longest:
                return b""
        self._brisk = time.monotonic() - asked < BRISK
        line, _, self._partial = self._partial.partition(b"\n")
        return line

    def _hang_up(self, *, at_once: bool = False) -> str:
        """Have the warden put away everything; where it cannot, do it here. Say what is left even so."""
        if not self.alive:
            return ""
        self.alive = False
        for pipe in (self._process.stdin, self._process.stdout):
            cast("IO[bytes]", pipe).close()
        if at_once or not self._ended(MARGIN):
            self._process.kill()
            self._process.wait()
        return self._clear_up()

    def _clear_up(self) -> str:
        if self._process.returncode:
            put_an_end_by_folder(self._folder)
        try:
            if os.path.lexists(self._folder):
                empty(self._folder)
                Path(self._folder).rmdir()
        except OSError as error:
            return f", and {self._folder} cannot be removed: {error.strerror}"
        return ""

    def _ended(self, seconds: float) -> bool:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True


def _reply(answer: bytes) -> WardenReply | None:
    """Read what a warden says; a program that got hold of its pipes could say anything."""
    try:
        reply = WardenReply(**json.loads(answer))
    except (ValueError, TypeError, RecursionError):
        return None
    texts = all(isinstance(each, str) for each in (reply.text, reply.why, reply.errors))
    return reply if texts and reply.kind in _KINDS and type(reply.lost) is int and reply.lost >= 0 else None


def _look_out(pipe: IO[bytes], until: float) -> None:
    """Look whether there is anything to read, again and again."""
    if THREADS or os.cpu_count() == 1:
        return
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    while not poll.poll(0) and time.monotonic() < until:
        pass


def _ready(pipe: IO[bytes], until: float, *, reads: bool) -> None:
    """Wait until a pipe can be read or written; where that cannot be asked, the warden's deadline must do.

    Raises:
        TimeoutError: the warden does nothing any more.
    """
    if THREADS:
        return
    poll = select.poll()
    poll.register(pipe, select.POLLIN if reads else select.POLLOUT)
    if not poll.poll(max(0.0, until - time.monotonic()) * 1000):
        raise TimeoutError
