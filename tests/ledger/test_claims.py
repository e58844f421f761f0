"""A room on a server has one owner at a time, whatever becomes of connections."""

from __future__ import annotations

import asyncio
import hashlib
from itertools import count
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import SQLAlchemyError

from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry
from chatbot.ledger.store import schema
from chatbot.ledger.store.locks import LocksLost
from chatbot.ledger.store.store import Store, StoreError

from .conftest import administrate, postgresql
from .samples import ALICE, MINT, posting, wallet

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.postgres


@pytest.fixture
async def own_url() -> AsyncIterator[str]:
    async with postgresql() as url:
        await (await Store.open(url)).close()
        yield url


async def connections(store: Store) -> set[int]:
    """List all sessions on the database of a store but the one that asks."""
    wanted = "SELECT pid, pg_backend_pid() FROM pg_stat_activity WHERE datname = current_database()"
    async with store.reading() as connection:
        return {pid for pid, _ in await connection.execute(text(wanted))}


async def cut(pids: set[int]) -> None:
    """Let the server end sessions, as it does when it is restarted or runs out of something."""
    await administrate(*(f"SELECT pg_terminate_backend({pid})" for pid in pids))


async def written(store: Store, prefix: str) -> int:
    row = schema.posting.c.id
    async with store.reading() as connection:
        counted = select(func.count()).where(row.startswith(prefix))
        return int((await connection.execute(counted)).scalar_one())


def alike() -> tuple[str, str]:
    """Find two rooms of which the first 32 bits of the hashes are the same."""
    seen: dict[bytes, str] = {}
    for number in count():
        name = f"twitch:{number}"
        first = seen.setdefault(hashlib.sha256(name.encode()).digest()[:4], name)
        if first != name:
            return first, name
    raise AssertionError


async def test_rooms_whose_hashes_begin_alike_are_two(own_url: str) -> None:
    one, other = alike()
    first, second = await Store.open(own_url), await Store.open(own_url)
    await first.claim(one)
    await second.claim(other)
    await first.close()
    await second.close()


async def test_rooms_that_open_at_once_are_all_taken(own_url: str) -> None:
    first, second = await Store.open(own_url), await Store.open(own_url)
    await asyncio.gather(*(first.claim(f"room {number}") for number in range(20)))
    for number in range(20):
        with pytest.raises(StoreError, match="run by another process"):
            await second.claim(f"room {number}")
    await first.close()
    await second.close()


async def test_whoever_lost_the_locks_writes_nothing_even_if_nobody_else_has_them(own_url: str) -> None:
    store = await Store.open(own_url)
    await store.claim("den")
    asked: list[str] = []
    store.claims.when_lost = lambda: asked.append("lost")
    await cut(await connections(store))
    with pytest.raises((LocksLost, SQLAlchemyError)):
        await Ledger(store).post(posting(Entry(MINT, wallet(ALICE), 1, "x")))
    with pytest.raises(LocksLost):
        await Ledger(store).post(posting(Entry(MINT, wallet(ALICE), 1, "x")))
    assert asked == ["lost"]
    await store.claims.regain()
    assert store.claims.held == {"den"}
    assert await Ledger(store).post(posting(Entry(MINT, wallet(ALICE), 1, "x")))
    await store.close()


async def test_a_loss_is_noticed_without_a_write(own_url: str) -> None:
    store = await Store.open(own_url)
    await store.claim("den")
    assert await store.claims.alive()
    await cut(await connections(store))
    assert not await store.claims.alive()
    with pytest.raises(LocksLost):
        await store.claim("bar")
    await store.close()


async def test_who_runs_no_rooms_writes_as_before(own_url: str) -> None:
    """As an import does, which has nothing to lose."""
    store = await Store.open(own_url)
    await cut(await connections(store))
    assert await Ledger(store).post(posting(Entry(MINT, wallet(ALICE), 1, "x")))
    await store.close()


@pytest.mark.parametrize(
    "attempt", [0, *(pytest.param(attempt, marks=pytest.mark.nightly) for attempt in range(1, 5))]
)
async def test_a_deposed_owner_posts_nothing_once_another_has_its_room(own_url: str, attempt: int) -> None:
    first = await Store.open(own_url)
    await first.claim("den")
    numbers, ended = count(), False

    async def post_on() -> None:
        """Go on as if nothing had happened, with as many postings at once as there are rooms."""
        while not ended:
            entry = Entry(MINT, wallet(ALICE), 1, "x")
            try:
                await Ledger(first).post(posting(entry, name=f"first-{next(numbers)}"))
            except (SQLAlchemyError, OSError):
                await asyncio.sleep(0)

    posting_on = [asyncio.create_task(post_on()) for _ in range(8)]
    await asyncio.sleep(0.2 + 0.01 * attempt)
    own = await connections(first)
    second = await Store.open(own_url)

    async def wait_for_it() -> int:
        while True:
            try:
                await second.claim("den")
            except StoreError:
                await asyncio.sleep(0)
            else:
                return await written(second, "first-")

    waiting = asyncio.create_task(wait_for_it())
    await asyncio.sleep(0.05)
    await cut(own)
    then = await waiting
    for number in range(20):
        await Ledger(second).post(posting(Entry(MINT, wallet(ALICE), 1, "x"), name=f"second-{number}"))
    await first.claims.regain()  # of no room, for another has it
    await asyncio.sleep(0.05)
    ended = True
    await asyncio.gather(*posting_on)
    assert first.claims.held == set()
    assert then > 0
    assert await written(second, "first-") == then
    await first.close()
    await second.close()
