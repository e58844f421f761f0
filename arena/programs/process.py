"""The state of a running program and of its pipes, and the interface by which a warden waits for them."""

from __future__ import annotations

import codecs
from typing import Protocol


class Running:
    """A process and its pipes. Of what it writes between two questions, about `limit` bytes are kept."""

    __slots__ = (
        "_discarded",
        "_discarding",
        "_limit",
        "errors",
        "input_closed",
        "output",
        "output_closed",
        "pid",
        "status",
        "unsent",
    )

    def __init__(self, pid: int, limit: int) -> None:
        self.pid = pid
        self.status: int | None = None  # the exit code after it has ended; -9: killed by signal 9
        self.output = bytearray()
        self.errors = bytearray()
        self.unsent = b""
        self.input_closed = False
        self.output_closed = False
        self._limit = limit
        self._discarding = False  # the rest of a line
        self._discarded = 0  # bytes of it since the last question

    @property
    def overflowed(self) -> bool:
        """Whether it wrote more than the limit since the last question."""
        return len(self.output) + self._discarded > self._limit

    def feed(self, chunk: bytes) -> None:
        """Add what it wrote to standard output. The rest of a line that is discarded is discarded as well."""
        if self._discarding:
            rest, line_feed, chunk = chunk.partition(b"\n")
            self._discarding = not line_feed
            self._discarded += len(rest)
        if not self.overflowed:
            self.output += chunk

    def discard_output(self) -> None:
        """Discard all that it wrote before it was asked."""
        if self.output:
            self._discarding = self._discarding or not self.output.endswith(b"\n")
            self.output.clear()
        self._discarded = 0

    def line(self) -> bytes | None:
        """Remove and return the next complete line of its output, without line feed; None: there is none."""
        end = self.output.find(b"\n")
        if end < 0:
            return None
        line = bytes(self.output[:end])
        del self.output[: end + 1]
        return line


class PipeClosedError(Exception):
    """The program has closed a pipe, or ended: `pipe` is "input" or "output"."""

    def __init__(self, pipe: str) -> None:
        super().__init__(pipe)
        self.pipe = pipe


class OverflowedError(Exception):
    """The program wrote more than the limit for one answer."""


class WatcherError(Exception):
    """The warden has ended, or wrote something without being asked."""


class KeptErrors:
    """The text of standard error of one match, of which at most `room` bytes are kept."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._bytes, self._lost_bytes = bytearray(), 0
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def add(self, chunk: bytes | bytearray) -> None:
        """Keep a part of it, or count what is too much."""
        part = chunk[: self._room]
        self._lost_bytes += len(chunk) - len(part)
        self._room -= len(part)
        self._bytes += part

    def take(self) -> tuple[str, int]:
        """Return what was kept and how many bytes were not, both since the last time."""
        if not self._bytes and not self._lost_bytes:
            return "", 0
        batch = self._decode(bytes(self._bytes)), self._lost_bytes
        self._bytes, self._lost_bytes = bytearray(), 0
        return batch


class Multiplexer(Protocol):
    """Waits for requests of the arena and for the pipes and the end of a program, all at once."""

    requests: list[bytes]
    disconnected: bool  # the arena has closed its end: no more requests follow

    def launch(
        self, words: list[str], folder: str, environment: dict[str, str], limit: int, *, with_input: bool
    ) -> Running:
        """Start a program in a session of its own; without input, its standard input is empty.

        Raises:
            OSError: it cannot be started.
            ValueError: a word contains a NUL.
        """

    def connect(self, words: list[str], folder: str, environment: dict[str, str]) -> Running:
        """Start a program with pipes whose other ends the arena holds (POSIX only).

        Raises:
            OSError: it cannot be started.
            ValueError: a word contains a NUL.
        """

    def wait(self, running: Running | None, seconds: float | None) -> None:
        """Wait until something has happened, at most `seconds`; None: without a limit."""

    def drain(self, running: Running) -> None:
        """Read what a program that has ended left in its pipes."""

    def close_input(self, running: Running) -> None:
        """Close its standard input."""

    def close(self, running: Running) -> None:
        """Close this end of its pipes, even if other processes have inherited the other end."""
