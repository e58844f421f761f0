"""The program as an operator runs it: a process of its own, which is killed without a warning."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0  # seconds until a start, on a machine that is busy with other things


@dataclass(frozen=True, slots=True)
class Program:
    """One run on a database; what it logs is added to the file beside it."""

    process: Process
    database: Path

    @classmethod
    async def spawn(cls, database: Path, port: int = 0, server: str = "", public: int = 0) -> Program:
        """Start it on a port, 0 for any free one; on the database of the URL `server` if there is one.

        `public` is the port of the pages for people elsewhere; 0: there are none.
        """
        with log_of(database).open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "chatbot", cwd=database.parent,
                env=_environment(database, port, server, public), stdout=PIPE, stderr=log,
            )  # fmt: skip
        return cls(process, database)

    async def listening(self) -> str:
        """Wait until the page is served; give its address.

        Raises:
            RuntimeError: the program has ended instead.
        """
        assert self.process.stdout is not None
        said = (await asyncio.wait_for(self.process.stdout.readline(), PATIENCE)).decode()
        if "listening" not in said:
            raise RuntimeError(f"the program does not start: {log_of(self.database).read_text()[-2000:]}")
        return next(word for word in said.split() if word.startswith("http://"))

    async def kill(self) -> None:
        """End it as a power switch would; nothing is asked of it."""
        if self.process.returncode is None:
            self.process.kill()
        await self.process.communicate()


def log_of(database: Path) -> Path:
    return database.with_suffix(".log")


def errors(database: Path) -> list[str]:
    """List what the program has logged as an error, so that it is no surprise that nobody saw."""
    log = log_of(database)
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    return [line for line in lines if "[error" in line or "Traceback" in line or "ERROR:" in line]


def _environment(database: Path, port: int, server: str, public: int) -> dict[str, str]:
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name == "CHATBOT_HOME" or not name.startswith("CHATBOT_")
    }
    ours = {"CHATBOT_PORT": str(port), "CHATBOT_DATABASE": server or f"sqlite:///{database.as_posix()}"}
    if public:
        ours |= {"CHATBOT_PUBLIC_PORT": str(public), "CHATBOT_PUBLIC_URL": f"http://127.0.0.1:{public}"}
    return {**inherited, **ours, "PYTHONPATH": str(ROOT)}
