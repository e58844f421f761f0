"""A bot's process, as the one that measures it sees it: it starts, answers a word a line, and ends."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

STARTING = 40.0  # seconds
LEAVING = 10.0


class Process:
    """Runs a module, and tells it the port of this machine at which it must say that it is ready."""

    def __init__(self, module: str) -> None:
        self._module = module

    @asynccontextmanager
    async def running(self, *arguments: str) -> AsyncIterator[None]:
        """Be ready while this is entered.

        Raises:
            RuntimeError: it has ended instead.
        """
        called: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        server = await asyncio.start_server(lambda *streams: called.set_result(streams), "127.0.0.1", 0)
        command = ("-m", self._module, *arguments, "--port", str(server.sockets[0].getsockname()[1]))
        process = await asyncio.create_subprocess_exec(sys.executable, *command)
        try:
            await asyncio.wait_for(self._listen(process, called), STARTING)
            yield
            self._writer.close()  # which ends it
            await asyncio.wait_for(process.wait(), LEAVING)
        finally:
            server.close()
            await _end(process)

    async def tell(self, word: str) -> float:
        """Say a word to the process, and give the seconds of CPU that it has used."""
        self._writer.write(f"{word}\n".encode())
        return float(await self._reader.readline())

    async def _listen(self, process: asyncio.subprocess.Process, called: asyncio.Future[Any]) -> None:
        ended: asyncio.Future[Any] = asyncio.ensure_future(process.wait())
        await asyncio.wait({called, ended}, return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        if called.done():
            self._reader, self._writer = called.result()
        if not called.done() or not await self._reader.readline():
            raise RuntimeError(f"{self._module} has ended before it was ready")


async def _end(process: asyncio.subprocess.Process) -> None:
    """See to it that it has ended, however this side ends."""
    if process.returncode is None:
        process.kill()
    await process.wait()
