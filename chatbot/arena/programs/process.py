"""One running program as its warden sees it: what it wrote, what it has not taken in yet, how it ended."""

from __future__ import annotations

from typing import Protocol


class Running:
    """A process and its pipes. What it wrote since the last question is kept up to `most` bytes."""

    __slots__ = ("_amid", "_most", "deaf", "errors", "heard", "mute", "pid", "status", "unsent")

    def __init__(self, pid: int, most: int) -> None:
        self.pid = pid
        self.status: int | None = None  # its exit code when it has ended; -9: killed by signal 9
        self.heard = bytearray()
        self.errors = bytearray()
        self.unsent = b""
        self.deaf = False  # its standard input is closed
        self.mute = False  # its standard output is closed
        self._most = most
        self._amid = False

    @property
    def floods(self) -> bool:
        return len(self.heard) > self._most

    @property
    def over(self) -> bool:
        """Whether no more will come from it."""
        return self.mute or self.status is not None

    def hear(self, chunk: bytes) -> None:
        """Take in what it wrote. The rest of a line that is surplus is surplus as well."""
        if self._amid:
            _, found, chunk = chunk.partition(b"\n")
            self._amid = not found
        if not self.floods:
            self.heard += chunk

    def forget(self) -> None:
        """Discard all that it wrote before it was asked."""
        self._amid = self._amid or (bool(self.heard) and not self.heard.endswith(b"\n"))
        self.heard.clear()

    def line(self) -> bytes | None:
        """Take the next whole line out of what it wrote."""
        line, found, rest = bytes(self.heard).partition(b"\n")
        if not found:
            return None
        self.heard[:] = rest
        return line


class Ears(Protocol):
    """What a warden listens to: whoever sends it requests, and the program that it watches."""

    requests: list[bytes]
    alone: bool  # nobody will send any more

    def launch(
        self, words: list[str], folder: str, surroundings: dict[str, str], most: int, *, asked: bool
    ) -> Running:
        """Start a program in a group of its own; one that is asked has an input.

        Raises:
            OSError: it cannot be started.
        """

    def wait(self, running: Running | None, seconds: float | None) -> None:
        """Listen until something has happened, or the time is over."""

    def drain(self, running: Running) -> None:
        """Take in what a program that has ended left in its pipes."""

    def hush(self, running: Running) -> None:
        """Close its input."""

    def close(self, running: Running) -> None:
        """Let go of its pipes, whoever else holds them."""
