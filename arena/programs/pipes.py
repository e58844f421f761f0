"""The arena's ends of the pipes of a program that keeps running: questions and answers pass no other process.

POSIX only: elsewhere pipes cannot be polled, and the warden passes the lines on.
"""

from __future__ import annotations

import os
import select
import time
from typing import TYPE_CHECKING

from arena.programs.posix import Piped, close_all, read_end, send_unsent
from arena.programs.process import OverflowedError, PipeClosedError, WatcherError

if TYPE_CHECKING:
    from arena.programs.process import KeptErrors

_MOST_CHUNKS = 100  # of standard error that are read at the end, in case that somebody still writes
_LONGEST_POLL = 3600.0  # seconds of one poll, whose argument is a 32-bit number of milliseconds


class ProgramPipes:
    """One end of each pipe of a program; the other ends, `child_ends`, are given to the warden and closed."""

    def __init__(self, limit: int, errors: KeptErrors, watcher: int) -> None:
        """Create the pipes; a wait also ends when the descriptor `watcher` can be read."""
        child_in, stdin = os.pipe()
        stdout, child_out = os.pipe()
        stderr, child_err = os.pipe()
        self.child_ends = (child_in, child_out, child_err)
        self._piped = Piped(0, limit, (stdin, stdout, stderr))
        for end in (stdin, stdout, stderr):
            os.set_blocking(end, False)
        self._errors = errors
        self._poll = select.poll()
        for end in (stdout, stderr, watcher):
            self._poll.register(end, select.POLLIN)
        self._polls_input = False  # to write what its pipe did not take at once

    def queue(self, line: str) -> None:
        """Write a line before the next one."""
        self._piped.unsent += line.encode()
        self._write()

    def send(self, line: str) -> None:
        """Discard what the program wrote before, and write a line to it.

        Raises:
            PipeClosedError, WatcherError: as `next_line`.
        """
        self._read(0.0)
        self._piped.discard_output()
        self._piped.unsent += line.encode()
        self._write()

    def next_line(self, until: float) -> bytes | None:
        """Return the next complete line without line feed; None: there is none at the time `until`.

        Raises:
            PipeClosedError: there is no line, and none can follow.
            OverflowedError: it wrote too much.
            WatcherError: nobody watches over the program any more.
        """
        piped = self._piped
        while True:
            if piped.overflowed:
                raise OverflowedError
            if piped.output:  # most times there is none before the first wait
                line = None if piped.unsent else piped.line()
                if line is not None:
                    return line
            if piped.output_closed or piped.input_closed:
                raise PipeClosedError("output" if piped.output_closed else "input")
            left = until - time.monotonic()
            if not self._read(max(0.0, left)) and left <= 0:
                return None

    def farewell(self, until: float) -> bool | None:
        """Close the program's input, and read on to the end of its output; None: it is not there in time."""
        self._close_input()
        while self._piped.stdout != -1 or self._piped.stderr != -1:
            left = until - time.monotonic()
            if not self._read(max(0.0, left)) and left <= 0:
                return None
            self._piped.discard_output()
        return True

    def close_output(self) -> None:
        """Close the program's output: it is sent a signal, or told by an error, if it still writes."""
        if self._piped.stdout != -1:
            self._poll.unregister(self._piped.stdout)
            close_all((self._piped.stdout,))
            self._piped.stdout, self._piped.output_closed = -1, True

    def close_child_ends(self) -> None:
        """Close the ends of the program, after the warden has received them."""
        close_all(self.child_ends)
        self.child_ends = (-1, -1, -1)

    def close(self) -> None:
        """Keep what the program has written to standard error, and close all ends."""
        for _ in range(_MOST_CHUNKS):
            read_end(self._piped, "err")
            if not self._piped.errors:
                break
            self._keep_errors()
        self.close_child_ends()
        close_all((self._piped.stdin, self._piped.stdout, self._piped.stderr))
        self._piped.stdin = self._piped.stdout = self._piped.stderr = -1

    def _read(self, seconds: float) -> bool:
        """Read and write what is possible within some time; return whether anything was."""
        ready = self._poll.poll(min(seconds, _LONGEST_POLL) * 1000)
        if not ready:
            return False
        piped = self._piped
        for end, _ in ready:
            if end == piped.stdout:
                read_end(piped, "out")
                self._forget(end, open_end=piped.stdout)
            elif end == piped.stderr:
                read_end(piped, "err")
                self._keep_errors()
                self._forget(end, open_end=piped.stderr)
            elif end == piped.stdin:
                self._write()
            else:
                raise WatcherError
        return True

    def _forget(self, end: int, open_end: int) -> None:
        if open_end == -1:
            self._poll.unregister(end)

    def _write(self) -> None:
        """Write what its pipe takes, and wait for room only while something is left."""
        send_unsent(self._piped)
        if bool(self._piped.unsent) != self._polls_input:
            self._poll_input(active=not self._polls_input)

    def _poll_input(self, *, active: bool) -> None:
        if active:
            self._poll.register(self._piped.stdin, select.POLLOUT)
        else:
            self._poll.unregister(self._piped.stdin)
        self._polls_input = active

    def _close_input(self) -> None:
        if self._piped.stdin != -1:
            if self._polls_input:
                self._poll_input(active=False)
            close_all((self._piped.stdin,))
            self._piped.stdin, self._piped.unsent, self._piped.input_closed = -1, b"", True

    def _keep_errors(self) -> None:
        if self._piped.errors:
            self._errors.add(self._piped.errors)
            self._piped.errors.clear()
