"""Kills the program under load, again and again on one database, and looks at what is left.

A seed draws who says what and when the kill comes; which statement it hits is up to the machine.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from chatbot.ledger.store.store import Store
from tests.generous import prefer_gifts
from tests.slow.books import LEDGER, Books, read, taken_aside
from tests.slow.mirror import abandoned, mirrored
from tests.slow.pages import Crowd
from tests.slow.program import PATIENCE, Program, errors

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.slow.pages import Heard

FILE = "rabble.db"
EARLY = 0.2  # of the starts are killed once before they come to an end
HASTY = 0.2  # of the runs are killed at any moment; the others have promised somebody something by then
START = (0.0, 1.5)  # seconds after a spawn until such a kill
SESSION = (0.1, 1.2)  # seconds of play until a kill
HURRIES, AROUND = (2, 9), (0.0, 0.03)  # or so many phases, and seconds after the last


@dataclass(slots=True)
class Tally:
    """What a series of kills has come to."""

    kills: int = 0
    at_table: int = 0
    """Kills between a stake and the end of its table."""
    at_start: int = 0
    """Kills during a start, beside those."""
    resumed: int = 0
    voided: int = 0
    promises: int = 0
    """Acknowledgements that were received, and found in the books."""
    breaches: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        for name in ("kills", "at_table", "at_start", "resumed", "voided", "promises", "breaches"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.at_table} of them between a stake and its settlement, and "
            f"{self.at_start} during a start; {self.resumed} tables resumed, {self.voided} voided; "
            f"{self.promises} acknowledgements kept; {len(self.breaches)} breaches"
        )


async def prepared(server: str = "") -> Path:
    """Make a folder with a file of its own, or for the database of the URL `server`, if there is one."""
    folder = Path(tempfile.mkdtemp(prefix="rabble-kill-"))
    await _let_give(server or f"sqlite:///{(folder / FILE).as_posix()}")
    return folder


async def series(
    folder: Path, seed: str, kills: int, told: Callable[[], None] = lambda: None, server: str = ""
) -> Tally:
    """Kill the program so many times on one database, or until something is wrong: then it is kept."""
    trial = _Trial(folder / FILE, Random(seed), server)
    for _ in range(kills):
        await trial.kill_once()
        told()
        if trial.tally.breaches:
            trial.tally.breaches.append(f"seed {seed}, kill {trial.tally.kills}; the files are in {folder}")
            return trial.tally
    shutil.rmtree(folder)
    return trial.tally


async def _let_give(url: str) -> None:
    store = await Store.open(url)
    await prefer_gifts(store, "local")
    await store.close()


class _Trial:
    def __init__(self, database: Path, rng: Random, server: str) -> None:
        self.tally = Tally()
        self._database, self._rng, self._server = database, rng, server
        self._books: Books | None = None  # as the last kill has left them

    async def kill_once(self) -> None:
        if self._books is not None and self._rng.random() < EARLY:
            await self._kill_a_start(self._books)
        program = await Program.spawn(self._database, server=self._server)
        try:
            crowd = Crowd(await program.listening(), self._rng)
            shown = await crowd.enter(self._books.crews if self._books else ())
            await self._check_start({table["id"]: table for table in shown})
            await crowd.play()
            await self._wait(crowd)
        finally:
            await program.kill()
        await crowd.leave()
        await self._check_kill(crowd.heard)

    async def _kill_a_start(self, before: Books) -> None:
        program = await Program.spawn(self._database, server=self._server)
        await asyncio.sleep(self._rng.uniform(*START))
        await program.kill()
        self.tally.at_start += 1
        after = await self._look()
        for table in LEDGER if after.void == before.void else ():
            if after.rows[table] != before.rows[table]:
                self._breach(f"a start that was killed has changed {table}")
        self._books = after

    async def _wait(self, crowd: Crowd) -> None:
        """Wait for the moment of the kill: any, or one around the end of a phase."""
        if self._rng.random() > HASTY:
            await asyncio.wait_for(crowd.heard.some.wait(), PATIENCE)
        if self._rng.random() < 0.5:
            await asyncio.sleep(self._rng.uniform(*SESSION))
            return
        for _ in range(self._rng.randint(*HURRIES)):
            await crowd.hurries.get()
        await asyncio.sleep(self._rng.uniform(*AROUND))

    async def _check_start(self, shown: dict[str, dict[str, Any]]) -> None:
        """Demand of each table that stood: it stands, with its crew, or it is void."""
        standing = self._books.crews if self._books else {}
        void = read(await mirrored(self._server, self._aside) if self._server else self._database).void
        for table, crew in standing.items():
            seen = shown.get(table, {"over": True, "places": []})
            if table in void:
                self.tally.voided += 1
            elif seen["over"] or {place["seat"] for place in seen["places"]} != crew:
                self._breach(f"table {table} of {sorted(crew)} is neither void nor resumed: {seen}")
            else:
                self.tally.resumed += 1

    async def _check_kill(self, heard: Heard) -> None:
        before = self._books.promised if self._books else Counter[tuple[Any, ...]]()
        self._books = books = await self._look()
        self.tally.kills += 1
        self.tally.at_table += any(books.crews.values())
        self.tally.promises += heard.promised.total()
        for lost in heard.promised - (books.promised - before):
            self._breach(f"acknowledged, but not in the books: {lost}")
        for line in errors(self._database):
            self._breach(f"logged: {line}")

    @property
    def _aside(self) -> Path:
        return self._database.parent / "aside"

    async def _look(self) -> Books:
        """Read the books as a crash has left them; what is wrong with them is written down."""
        if self._server:
            await abandoned(self._server)
            books = read(await mirrored(self._server, self._aside))
        else:
            books = read(taken_aside(self._database, self._aside))
        for each in books.breaches:
            self._breach(each)
        return books

    def _breach(self, sentence: str) -> None:
        self.tally.breaches.append(sentence)
