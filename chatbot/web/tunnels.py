"""Programs on this machine that lead people elsewhere to a port of ours: cloudflared and Tailscale.

Each is started in the foreground, so that the way in ends with the process. What they print is documented for
people and not for programs: the first address of theirs in it is taken, and everything else is kept only to
say why there was none.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ADDRESS_TIMEOUT = 40.0
"""Seconds until a tunnel must have told its address; cloudflared mostly needs two to six."""

_STOP_TIMEOUT = 1.0  # seconds; cloudflared would wait half a minute for requests that are under way
_KEPT_LINES = 5  # of what it printed last, among which an error stands
_LONGEST_LINE = 64 * 1024  # bytes; a longer one is dropped


@dataclass(frozen=True, slots=True)
class TunnelProgram:
    """A program that makes tunnels: its command before the port, and what its addresses look like."""

    name: str
    title: str
    arguments: tuple[str, ...]
    address: re.Pattern[str]

    def installed_at(self) -> str | None:
        """Return the path of the program; None: it is not installed."""
        return shutil.which(self.name)


PROGRAMS: Mapping[str, TunnelProgram] = {
    each.name: each
    for each in (
        # A random address, without an account, while the process runs. `api.` is where it asks for one.
        TunnelProgram(
            "cloudflared",
            "cloudflared",
            ("tunnel", "--no-autoupdate", "--url"),
            re.compile(r"https://(?!api\.)[a-z0-9-]+\.trycloudflare\.com", re.ASCII),
        ),
        # The machine's name in its owner's network. `--yes`, for nobody is there to answer questions.
        TunnelProgram(
            "tailscale",
            "Tailscale",
            ("funnel", "--yes"),
            re.compile(r"https://[a-z0-9-]+\.[a-z0-9.-]+\.ts\.net(?::\d+)?", re.ASCII),
        ),
    )
}


def _environment() -> dict[str, str]:
    """Return the environment without our settings, among which are tokens."""
    return {name: value for name, value in os.environ.items() if not name.upper().startswith("CHATBOT_")}


class Tunnel:
    """A running process that leads to a port of this machine; `ended` is called when it ends by itself."""

    def __init__(self, program: TunnelProgram, ended: Callable[[], None]) -> None:
        self.program = program
        self.address = ""
        self._ended = ended
        self._process: asyncio.subprocess.Process | None = None
        self._reading: list[asyncio.Task[None]] = []
        self._waiting: asyncio.Task[None] | None = None
        self._has_address = asyncio.Event()
        self._last_lines: deque[str] = deque(maxlen=_KEPT_LINES)
        self._stopping = False

    async def open(self, port: int, timeout: float = ADDRESS_TIMEOUT) -> str:  # noqa: ASYNC109  (a test's is short)
        """Start the process, and return the address at which people reach the port.

        Raises:
            Failure: the program is not there, or has told no address.
        """
        path = self.program.installed_at()
        if path is None:
            raise Failure(f"{self.program.title} is not installed on this machine.")
        try:
            self._process = await asyncio.create_subprocess_exec(
                path,
                *self.program.arguments,
                f"http://127.0.0.1:{port}",
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=_LONGEST_LINE,
                env=_environment(),
            )
        except OSError as error:
            raise Failure(f"{self.program.title} cannot be started ({error.strerror}).") from None
        for stream in (self._process.stdout, self._process.stderr):
            assert stream is not None  # a pipe  # noqa: S101
            self._reading.append(asyncio.create_task(self._read(stream)))
        self._waiting = asyncio.create_task(self._wait())
        has_address = asyncio.create_task(self._has_address.wait())
        await asyncio.wait({has_address, self._waiting}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        has_address.cancel()
        if not self.address:
            reason = self._reason()
            await self.close()
            raise Failure(f"{self.program.title} has told no address{reason}")
        return self.address

    async def close(self) -> None:
        """End the process, and with it the way in."""
        self._stopping = True
        process = self._process
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), _STOP_TIMEOUT)
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if self._waiting is not None:
            await self._waiting

    async def _read(self, stream: asyncio.StreamReader) -> None:
        """Read what it prints until it ends: a full pipe would stop it."""
        while True:
            try:
                line = await stream.readline()
            except ValueError:  # too long, and dropped
                continue
            if not line:
                return
            text = line.decode(errors="replace").strip()
            match = None if self.address else self.program.address.search(text)
            if match is not None:
                self.address = match.group()
                self._has_address.set()
            elif text:
                self._last_lines.append(text)

    async def _wait(self) -> None:
        assert self._process is not None  # it was started  # noqa: S101
        await asyncio.gather(*self._reading)
        await self._process.wait()
        if self.address and not self._stopping:
            self._ended()

    def _reason(self) -> str:
        """Return what it printed last, as the end of a sentence."""
        return f"; it says: {self._last_lines[-1][:300]}" if self._last_lines else "."
