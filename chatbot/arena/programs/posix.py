"""How a warden listens where there is `poll`: one wait for its requests, a program's pipes and its end."""

from __future__ import annotations

import math
import os
import select
import signal

from chatbot.arena.programs.process import Running

_CHUNK = 1 << 16
_DEFAULT_AGAIN = (
    signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
)  # fmt: skip


class Piped(Running):
    """A program with pipes that never block; -1 is a pipe that is closed."""

    __slots__ = ("err", "inp", "out")

    def __init__(self, pid: int, most: int, pipes: tuple[int, int, int]) -> None:
        super().__init__(pid, most)
        self.inp, self.out, self.err = pipes


class PosixEars:
    """Requests come in at one descriptor."""

    def __init__(self, channel: int) -> None:
        self.requests: list[bytes] = []
        self.alone = False
        self._channel = channel
        self._partial = b""
        self._bell, ringing = os.pipe()
        for end in (self._bell, ringing):
            os.set_blocking(end, False)
        # A child that ends rings, which ends every wait.
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(ringing, warn_on_full_buffer=False)

    def launch(
        self, words: list[str], folder: str, surroundings: dict[str, str], most: int, *, asked: bool
    ) -> Running:
        os.chdir(folder)
        theirs_in, inp = os.pipe() if asked else (os.open(os.devnull, os.O_RDONLY), -1)
        out, theirs_out = os.pipe()
        err, theirs_err = os.pipe()
        theirs = (theirs_in, theirs_out, theirs_err)
        try:
            pid = os.posix_spawn(
                words[0],
                words,
                surroundings,
                file_actions=[(os.POSIX_SPAWN_DUP2, end, number) for number, end in enumerate(theirs)],
                setsid=True,
                setsigmask=[],
                setsigdef=_DEFAULT_AGAIN,
            )
        except OSError:
            _close_all((inp, out, err))
            raise
        finally:
            _close_all(theirs)
        for end in (inp, out, err):
            if end != -1:
                os.set_blocking(end, False)
        return Piped(pid, most, (inp, out, err))

    def wait(self, running: Running | None, seconds: float | None) -> None:
        poll = select.poll()
        if not self.alone:
            poll.register(self._channel, select.POLLIN)
        poll.register(self._bell, select.POLLIN)
        if isinstance(running, Piped):
            _listen(poll, running)
        found = [fd for fd, _ in poll.poll(None if seconds is None else max(0, math.ceil(seconds * 1000)))]
        if self._channel in found:
            self._hear_channel()
        if isinstance(running, Piped):
            _take(running, found)
        if self._bell in found:
            os.read(self._bell, _CHUNK)
            self._look_after(running)

    def drain(self, running: Running) -> None:
        assert isinstance(running, Piped)  # noqa: S101
        for end in ("out", "err"):
            while _hear(running, end):
                pass

    def hush(self, running: Running) -> None:
        assert isinstance(running, Piped)  # noqa: S101
        running.deaf, running.unsent = True, b""
        _close_all((running.inp,))
        running.inp = -1

    def close(self, running: Running) -> None:
        assert isinstance(running, Piped)  # noqa: S101
        _close_all((running.inp, running.out, running.err))
        running.inp = running.out = running.err = -1

    def _hear_channel(self) -> None:
        chunk = os.read(self._channel, _CHUNK)
        self.alone = not chunk
        *lines, self._partial = (self._partial + chunk).split(b"\n")
        self.requests += lines

    def _look_after(self, running: Running | None) -> None:
        """See whether it was the program itself that ended, and not something that it started."""
        if running is not None and running.status is None:
            pid, status = os.waitpid(running.pid, os.WNOHANG)
            if pid:
                running.status = os.waitstatus_to_exitcode(status)


def _listen(poll: select.poll, running: Piped) -> None:
    for end in (running.out, running.err):
        if end != -1:
            poll.register(end, select.POLLIN)
    if running.inp != -1 and running.unsent:
        poll.register(running.inp, select.POLLOUT)


def _take(running: Piped, found: list[int]) -> None:
    if running.inp in found and running.unsent:
        _send(running)
    if running.out in found:
        _hear(running, "out")
    if running.err in found:
        _hear(running, "err")


def _send(running: Piped) -> None:
    try:
        running.unsent = running.unsent[os.write(running.inp, running.unsent) :]
    except BlockingIOError:
        return
    except OSError:  # it reads no more
        running.deaf, running.unsent = True, b""


def _hear(running: Piped, end: str) -> bool:
    """Read once; say whether there may be more."""
    fd = running.out if end == "out" else running.err
    if fd == -1:
        return False
    try:
        chunk = os.read(fd, _CHUNK)
    except BlockingIOError:
        return False
    if end == "out":
        running.hear(chunk)
        running.mute = not chunk
    else:
        running.errors += chunk
    if not chunk:
        _close_all((fd,))
        running.out, running.err = (-1, running.err) if end == "out" else (running.out, -1)
    return bool(chunk) and not running.floods


def _close_all(ends: tuple[int, ...]) -> None:
    for end in ends:
        if end != -1:
            os.close(end)
