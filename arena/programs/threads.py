"""The multiplexer of a warden where pipes cannot be polled, as on Windows: threads and one queue."""

from __future__ import annotations

import os
import queue
import subprocess
import threading
import time
from typing import IO, TYPE_CHECKING, ParamSpec, cast

from arena.programs.process import Running

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")

_CHUNK = 1 << 14
_DRAIN_SECONDS = 0.05  # seconds without output after which the pipes of an ended program count as empty
_QUEUE_SIZE = 8  # chunks that may wait in the queue: a thread that reads faster than the warden blocks


class Threaded(Running):
    """A program with a thread for each of its pipes, and one that waits for its end."""

    __slots__ = ("closed", "process", "sending")

    def __init__(self, process: subprocess.Popen[bytes], limit: int) -> None:
        super().__init__(process.pid, limit)
        self.process = process
        self.sending: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.closed = False


class ThreadMultiplexer:
    """Waits for a queue that threads fill."""

    def __init__(self, channel: int) -> None:
        """Read requests from the descriptor `channel`."""
        self.requests: list[bytes] = []
        self.disconnected = False
        # The source, its program and what was read; no bytes are the end of the source.
        self._events: queue.Queue[tuple[str, Running | None, bytes]] = queue.Queue(_QUEUE_SIZE)
        _start(self._read_channel, os.fdopen(channel, "rb"))

    def launch(
        self, words: list[str], folder: str, environment: dict[str, str], limit: int, *, with_input: bool
    ) -> Running:
        process = subprocess.Popen(  # noqa: S603  (a player's own command is what this is for)
            words,
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE if with_input else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            creationflags=0x200 if os.name == "nt" else 0,  # CREATE_NEW_PROCESS_GROUP
        )
        running = Threaded(process, limit)
        _start(self._read_pipe, running, "out", cast("IO[bytes]", process.stdout))
        _start(self._read_pipe, running, "err", cast("IO[bytes]", process.stderr))
        _start(self._wait_exit, running)
        if with_input:
            _start(self._send, running, cast("IO[bytes]", process.stdin))
        return running

    def connect(self, words: list[str], folder: str, environment: dict[str, str]) -> Running:
        raise OSError(f"{words[0]}: pipes are not passed on in {folder} with {len(environment)} variables")

    def wait(self, running: Running | None, seconds: float | None) -> None:
        if isinstance(running, Threaded) and running.unsent:
            running.sending.put(running.unsent)
            running.unsent = b""
        try:
            self._dispatch(*self._events.get(timeout=None if seconds is None else max(0.0, seconds)))
            for _ in range(_QUEUE_SIZE):  # bounded: a program can refill the queue without end
                self._dispatch(*self._events.get_nowait())
        except queue.Empty:
            return

    def drain(self, running: Running) -> None:
        # A second in all: another process may have inherited the pipe, and write to it without end.
        until = time.monotonic() + 1.0
        while not running.output_closed and not running.overflowed and time.monotonic() < until:
            try:
                self._dispatch(*self._events.get(timeout=_DRAIN_SECONDS))
            except queue.Empty:
                return

    def close_input(self, running: Running) -> None:
        assert isinstance(running, Threaded)  # noqa: S101
        running.input_closed = True
        running.sending.put(None)

    def close(self, running: Running) -> None:
        assert isinstance(running, Threaded)  # noqa: S101
        running.closed = True
        running.sending.put(None)

    def _dispatch(self, source: str, running: Running | None, chunk: bytes) -> None:
        match source:
            case "channel":
                self.disconnected = not chunk
                self.requests += [chunk.rstrip(b"\n")] if chunk else []
            case "out" if running is not None:
                running.feed(chunk)
                running.output_closed = not chunk
            case "err" if running is not None:
                running.errors += chunk
            case "end" if isinstance(running, Threaded):
                running.status = running.process.returncode
            case "in" if running is not None:
                running.input_closed = True
            case _:
                return

    def _read_channel(self, channel: IO[bytes]) -> None:
        for line in channel:
            self._events.put(("channel", None, line))
        self._events.put(("channel", None, b""))

    def _read_pipe(self, running: Threaded, source: str, pipe: IO[bytes]) -> None:
        with pipe:
            while chunk := pipe.read(_CHUNK):
                self._put(running, source, chunk)
        self._put(running, source, b"")

    def _send(self, running: Threaded, pipe: IO[bytes]) -> None:
        try:
            with pipe:
                while (chunk := running.sending.get()) is not None:
                    pipe.write(chunk)
        except OSError:  # it has closed its input
            self._put(running, "in", b"")

    def _wait_exit(self, running: Threaded) -> None:
        running.process.wait()
        self._put(running, "end", b"")

    def _put(self, running: Threaded, source: str, chunk: bytes) -> None:
        if not running.closed:  # nobody reads the events of a program that was closed
            self._events.put((source, running, chunk))


def _start(work: Callable[P, object], *arguments: P.args, **keywords: P.kwargs) -> None:
    threading.Thread(target=work, args=arguments, kwargs=keywords, daemon=True).start()
