"""Start and control the process of a bot that is measured; the other end is in `adapter_bots.py`."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    Streams: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]

START_TIMEOUT = 40.0  # seconds
STOP_TIMEOUT = 10.0  # seconds


class Process:
    """Runs a module in a process, which connects to a port of this machine when it is ready."""

    def __init__(self, module: str, start_timeout: float = START_TIMEOUT) -> None:
        self._module, self._start_timeout = module, start_timeout

    @asynccontextmanager
    async def running(self, *arguments: str) -> AsyncIterator[None]:
        """Run the module with arguments while the context is entered.

        Raises:
            RuntimeError: the process ended before it was ready.
        """
        connection: asyncio.Future[Streams] = asyncio.get_running_loop().create_future()
        server = await asyncio.start_server(lambda *streams: connection.set_result(streams), "127.0.0.1", 0)
        command = ("-m", self._module, *arguments, "--port", str(server.sockets[0].getsockname()[1]))
        process = await asyncio.create_subprocess_exec(sys.executable, *command)
        try:
            await asyncio.wait_for(self._listen(process, connection), self._start_timeout)
            yield
            self._writer.close()  # which ends the process
            await asyncio.wait_for(process.wait(), STOP_TIMEOUT)
        finally:
            server.close()
            await _end(process)

    async def tell(self, word: str) -> float:
        """Send a command to the process, and return the figure that it answers."""
        self._writer.write(f"{word}\n".encode())
        return float(await self._reader.readline())

    async def _listen(self, process: asyncio.subprocess.Process, connection: asyncio.Future[Streams]) -> None:
        process_end: asyncio.Future[int] = asyncio.ensure_future(process.wait())
        both: set[asyncio.Future[Any]] = {connection, process_end}  # `asyncio.wait` takes futures of one type
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        process_end.cancel()
        if connection.done():
            self._reader, self._writer = connection.result()
        if not connection.done() or not await self._reader.readline():
            raise RuntimeError(f"{self._module} has ended before it was ready")


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill the process if it is still running, and wait for its end."""
    if process.returncode is None:
        process.kill()
    await process.wait()
