"""The multiplexer of a warden on POSIX systems: one `poll` for requests, a program's pipes and its end."""

from __future__ import annotations

import math
import os
import select
import signal

from arena.programs.process import Running

_CHUNK = 1 << 16
# What is ignored here would be ignored in a program as well: Python ignores SIGPIPE and SIGXFSZ, and an arena
# may have been started by nohup.
_RESET_SIGNALS = (
    signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
)  # fmt: skip


class Piped(Running):
    """A program with non-blocking pipes; descriptor -1 is a closed pipe."""

    __slots__ = ("stderr", "stdin", "stdout")

    def __init__(self, pid: int, limit: int, pipes: tuple[int, int, int]) -> None:
        super().__init__(pid, limit)
        self.stdin, self.stdout, self.stderr = pipes


class PosixMultiplexer:
    """Waits with `poll`; a signal of a child that ends interrupts each wait."""

    def __init__(self, channel: int, handover: int) -> None:
        """Read requests from the descriptor `channel`, and receive pipes through the socket `handover`.

        Takes over SIGCHLD and the wakeup descriptor.
        """
        self._handover = handover
        os.set_inheritable(handover, False)
        self.requests: list[bytes] = []
        self.disconnected = False
        self._channel = channel
        self._partial = b""
        self._wakeup, wakeup_end = os.pipe()
        for end in (self._wakeup, wakeup_end):
            os.set_blocking(end, False)
        # SIGCHLD writes a byte to this pipe, which ends every wait.
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wakeup_end, warn_on_full_buffer=False)

    def connect(self, words: list[str], folder: str, environment: dict[str, str]) -> Running:
        import socket  # noqa: PLC0415  (slow to import, and not needed by programs that do not keep running)

        with socket.socket(fileno=os.dup(self._handover)) as sender:
            _, ends, _, _ = socket.recv_fds(sender, 1, 3)
        for end in ends:
            os.set_inheritable(end, False)
        try:
            return Piped(_spawn(words, folder, environment, tuple(ends)), 0, (-1, -1, -1))
        finally:
            close_all(tuple(ends))

    def launch(
        self, words: list[str], folder: str, environment: dict[str, str], limit: int, *, with_input: bool
    ) -> Running:
        child_in, stdin = os.pipe() if with_input else (os.open(os.devnull, os.O_RDONLY), -1)
        stdout, child_out = os.pipe()
        stderr, child_err = os.pipe()
        child_ends = (child_in, child_out, child_err)
        try:
            pid = _spawn(words, folder, environment, child_ends)
        except (OSError, ValueError):
            close_all((stdin, stdout, stderr))
            raise
        finally:
            close_all(child_ends)
        for end in (stdin, stdout, stderr):
            if end != -1:
                os.set_blocking(end, False)
        return Piped(pid, limit, (stdin, stdout, stderr))

    def wait(self, running: Running | None, seconds: float | None) -> None:
        poll = select.poll()
        if not self.disconnected:
            poll.register(self._channel, select.POLLIN)
        poll.register(self._wakeup, select.POLLIN)
        if isinstance(running, Piped):
            _register(poll, running)
        ready = [fd for fd, _ in poll.poll(None if seconds is None else max(0, math.ceil(seconds * 1000)))]
        if self._channel in ready:
            self._read_channel()
        if isinstance(running, Piped):
            _transfer(running, ready)
        if self._wakeup in ready:
            os.read(self._wakeup, _CHUNK)
            self._reap(running)

    def drain(self, running: Running) -> None:
        assert isinstance(running, Piped)  # noqa: S101
        for end in ("out", "err"):
            while read_end(running, end):
                pass

    def close_input(self, running: Running) -> None:
        assert isinstance(running, Piped)  # noqa: S101
        running.input_closed, running.unsent = True, b""
        close_all((running.stdin,))
        running.stdin = -1

    def close(self, running: Running) -> None:
        assert isinstance(running, Piped)  # noqa: S101
        close_all((running.stdin, running.stdout, running.stderr))
        running.stdin = running.stdout = running.stderr = -1

    def _read_channel(self) -> None:
        chunk = os.read(self._channel, _CHUNK)
        self.disconnected = not chunk
        *lines, self._partial = (self._partial + chunk).split(b"\n")
        self.requests += lines

    def _reap(self, running: Running | None) -> None:
        """Store the exit code if the program itself has ended, and not a process that it started."""
        if running is not None and running.status is None:
            pid, status = os.waitpid(running.pid, os.WNOHANG)
            if pid:
                running.status = os.waitstatus_to_exitcode(status)


def _spawn(words: list[str], folder: str, environment: dict[str, str], ends: tuple[int, ...]) -> int:
    """Start a program in a session of its own, with its ends of three pipes; return its process id."""
    os.chdir(folder)
    return os.posix_spawn(
        words[0],
        words,
        environment,
        file_actions=[(os.POSIX_SPAWN_DUP2, end, number) for number, end in enumerate(ends)],
        setsid=True,
        setsigmask=[],
        setsigdef=_RESET_SIGNALS,
    )


def _register(poll: select.poll, running: Piped) -> None:
    for end in (running.stdout, running.stderr):
        if end != -1:
            poll.register(end, select.POLLIN)
    if running.stdin != -1 and running.unsent:
        poll.register(running.stdin, select.POLLOUT)


def _transfer(running: Piped, ready: list[int]) -> None:
    if running.stdin in ready and running.unsent:
        send_unsent(running)
    if running.stdout in ready:
        read_end(running, "out")
    if running.stderr in ready:
        read_end(running, "err")


def send_unsent(running: Piped) -> None:
    """Write what its pipe takes of what is unsent."""
    try:
        running.unsent = running.unsent[os.write(running.stdin, running.unsent) :]
    except BlockingIOError:
        return
    except OSError:  # it has closed its input
        running.input_closed, running.unsent = True, b""


def read_end(running: Piped, end: str) -> bool:
    """Read one chunk from "out" or "err"; return whether there may be more."""
    fd = running.stdout if end == "out" else running.stderr
    if fd == -1:
        return False
    try:
        chunk = os.read(fd, _CHUNK)
    except BlockingIOError:
        return False
    if end == "out":
        running.feed(chunk)
        running.output_closed = not chunk
    else:
        running.errors += chunk
    if not chunk:
        close_all((fd,))
        running.stdout, running.stderr = (-1, running.stderr) if end == "out" else (running.stdout, -1)
    return bool(chunk) and not running.overflowed


def close_all(ends: tuple[int, ...]) -> None:
    """Close descriptors; -1 is none."""
    for end in ends:
        if end != -1:
            os.close(end)
