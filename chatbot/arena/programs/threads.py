"""How a warden listens where pipes cannot be polled, as on Windows: a thread for each end, and one queue."""

from __future__ import annotations

import os
import queue
import subprocess
import threading
import time
from typing import IO, Any

from chatbot.arena.programs.process import Running

_CHUNK = 1 << 14
_LEFTOVERS = 0.05  # seconds without a word after which a program that has ended has said all
_AHEAD = 8  # chunks that a pipe's thread may be ahead of whoever listens


class Threaded(Running):
    """A program with a thread for each of its pipes, and one for its end."""

    __slots__ = ("closed", "process", "sending")

    def __init__(self, process: subprocess.Popen[bytes], most: int) -> None:
        super().__init__(process.pid, most)
        self.process = process
        self.sending: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.closed = False


class ThreadEars:
    """Requests come in at one descriptor."""

    def __init__(self, channel: int) -> None:
        self.requests: list[bytes] = []
        self.alone = False
        # Who said it, of which program, and what; no bytes are the end.
        self._heard: queue.Queue[tuple[str, Running | None, bytes]] = queue.Queue(_AHEAD)
        _start(self._hear_channel, os.fdopen(channel, "rb"))

    def launch(
        self, words: list[str], folder: str, surroundings: dict[str, str], most: int, *, asked: bool
    ) -> Running:
        process = subprocess.Popen(  # noqa: S603  (a player's own command is what this is for)
            words,
            cwd=folder,
            env=surroundings,
            stdin=subprocess.PIPE if asked else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            creationflags=0x200 if os.name == "nt" else 0,  # CREATE_NEW_PROCESS_GROUP
        )
        running = Threaded(process, most)
        _start(self._hear, running, "out", process.stdout)
        _start(self._hear, running, "err", process.stderr)
        _start(self._await, running)
        if asked:
            _start(self._send, running, process.stdin)
        return running

    def wait(self, running: Running | None, seconds: float | None) -> None:
        if isinstance(running, Threaded) and running.unsent:
            running.sending.put(running.unsent)
            running.unsent = b""
        try:
            self._note(*self._heard.get(timeout=None if seconds is None else max(0.0, seconds)))
            for _ in range(_AHEAD):  # a flood refills the queue as quickly as it is emptied
                self._note(*self._heard.get_nowait())
        except queue.Empty:
            return

    def drain(self, running: Running) -> None:
        until = time.monotonic() + 1.0
        while not running.mute and not running.floods and time.monotonic() < until:
            try:
                self._note(*self._heard.get(timeout=_LEFTOVERS))
            except queue.Empty:
                return

    def hush(self, running: Running) -> None:
        assert isinstance(running, Threaded)  # noqa: S101
        running.deaf = True
        running.sending.put(None)

    def close(self, running: Running) -> None:
        assert isinstance(running, Threaded)  # noqa: S101
        running.closed = True
        running.sending.put(None)

    def _note(self, whose: str, running: Running | None, chunk: bytes) -> None:
        match whose:
            case "channel":
                self.alone = not chunk
                self.requests += [chunk.rstrip(b"\n")] if chunk else []
            case "out" if running is not None:
                running.hear(chunk)
                running.mute = not chunk
            case "err" if running is not None:
                running.errors += chunk
            case "end" if isinstance(running, Threaded):
                running.status = running.process.returncode
            case "in" if running is not None:
                running.deaf = True
            case _:
                return

    def _hear_channel(self, channel: IO[bytes]) -> None:
        for line in channel:
            self._heard.put(("channel", None, line))
        self._heard.put(("channel", None, b""))

    def _hear(self, running: Threaded, whose: str, pipe: IO[bytes]) -> None:
        with pipe:
            while chunk := pipe.read(_CHUNK):
                self._tell(running, whose, chunk)
        self._tell(running, whose, b"")

    def _send(self, running: Threaded, pipe: IO[bytes]) -> None:
        try:
            with pipe:
                while (chunk := running.sending.get()) is not None:
                    pipe.write(chunk)
        except OSError:  # it reads no more
            self._tell(running, "in", b"")

    def _await(self, running: Threaded) -> None:
        running.process.wait()
        self._tell(running, "end", b"")

    def _tell(self, running: Threaded, whose: str, chunk: bytes) -> None:
        if not running.closed:  # of a program that was let go nobody wants to hear
            self._heard.put((whose, running, chunk))


def _start(work: Any, *arguments: Any) -> None:
    threading.Thread(target=work, args=arguments, daemon=True).start()
