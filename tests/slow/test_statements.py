"""A process that ends at any statement leaves a change whole or absent, and made again it ends the same."""

from __future__ import annotations

import asyncio
import shutil
import uuid
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.store.store import Store
from tests.ledger.conftest import SERVER, emptied, shared
from tests.ledger.samples import everything
from tests.slow.dying import AFTER, CHANGES, KILLED, attempted, prepare

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

__all__ = ["shared"]  # a fixture

Rows: TypeAlias = dict[str, list[tuple[Any, ...]]]

MOST = 20  # statements of one change, its BEGIN and COMMIT included; there are fewer


class Files:
    """Gives out SQLite files, all of them new."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def make(self) -> None:
        await (await Store.open(self._url("template"))).close()

    @asynccontextmanager
    async def fresh(self) -> AsyncIterator[str]:
        name = uuid.uuid4().hex
        shutil.copyfile(self._folder / "template", self._folder / name)
        yield self._url(name)

    def _url(self, name: str) -> str:
        return f"sqlite:///{(self._folder / name).as_posix()}"


class Server:
    """Gives out one database of a server, emptied each time, for that is quicker than a new one."""

    def __init__(self, name: str) -> None:
        self._name, self._lock = name, asyncio.Lock()

    @asynccontextmanager
    async def fresh(self) -> AsyncIterator[str]:
        async with self._lock:
            await emptied(self._name)
            yield f"{SERVER}/{self._name}"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
async def databases(request: Any, tmp_path: Path) -> Files | Server:
    if request.param == "postgresql":
        return Server(request.getfixturevalue("shared"))
    files = Files(tmp_path)
    await files.make()
    return files


async def rows_of(store: Store) -> Rows:
    """Read every row, of books that must be sound, without numbers that a write which failed may use up."""
    found, rows = await breaches(store), await everything(store)
    assert found == []
    purses = {number: row for number, _, *row in rows["purse"]}
    moves = {row[0]: row[1:3] for row in rows["transfer"]}
    return rows | {
        "community": [row[1:] for row in rows["community"]],
        "purse": sorted(map(tuple, purses.values())),
        "transfer": sorted(
            ((*row[1:5], *purses[row[5]][:2], *purses[row[6]][:2], *row[7:]) for row in rows["transfer"]),
            key=repr,
        ),
        "unchecked": sorted(moves[row[0]] for row in rows["unchecked"]),
    }


async def outcome(databases: Files | Server, name: str, moment: int) -> tuple[int, Rows, Rows]:
    """Give how the child ended, what it left, and what was there when the change was made again."""
    async with databases.fresh() as url:
        await prepare(url, CHANGES[name])
        code = await attempted(url, name, moment)
        store = await Store.open(url)
        left = await rows_of(store)
        await CHANGES[name].make(store)
        again = await rows_of(store)
        await store.close()
        return code, left, again


async def untouched(databases: Files | Server, name: str) -> Rows:
    async with databases.fresh() as url:
        await prepare(url, CHANGES[name])
        store = await Store.open(url)
        rows = await rows_of(store)
        await store.close()
        return rows


@pytest.mark.parametrize(
    "name",
    [next(iter(CHANGES)), *(pytest.param(each, marks=pytest.mark.nightly) for each in list(CHANGES)[1:])],
)
async def test_a_process_that_ends_at_any_statement_leaves_a_change_whole_or_absent(
    databases: Files | Server, name: str
) -> None:
    absent = await untouched(databases, name)
    code, whole, again = await outcome(databases, name, AFTER)
    assert (code, again) == (KILLED, whole)
    assert whole != absent
    moments = [await outcome(databases, name, 1)]
    while moments[-1][0] == KILLED:
        moments.append(await outcome(databases, name, len(moments) + 1))
    *deaths, (code, left, again) = moments
    assert (code, left, again) == (0, whole, whole)  # there was no such statement
    assert 6 <= len(deaths) < MOST  # ids, balances, posting, transfers, moves and COMMIT at least
    assert all((left, again) == (absent, whole) for _, left, again in deaths)
