"""A posting that fails or is cancelled at any statement is whole or absent."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry, Remembered
from chatbot.ledger.store.store import Store

from .samples import (
    ALICE,
    AT,
    BOB,
    HOUSE,
    MINT,
    POT,
    TABLE,
    before_each_statement,
    everything,
    grant,
    posting,
    staked,
    turn,
    wallet,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

pytestmark = pytest.mark.slow


class Crash(Exception):  # noqa: N818
    pass


def at(moment: int, act: Callable[[], None]) -> Callable[[], None]:
    """Make a hook that acts at its so manieth call."""
    calls = count(1)

    def hook() -> None:
        if next(calls) == moment:
            act()

    return hook


def crash() -> None:
    raise Crash


async def first_survived(store: Store, attempt: Callable[[], Awaitable[object]]) -> int:
    """Let the attempt fail at its first statement, at its second and so on; tell when it came through."""
    before = await everything(store)
    for moment in range(1, 100):
        with before_each_statement(store, at(moment, crash)):
            try:
                await attempt()
            except Crash:
                assert await everything(store) == before
            else:
                return moment
    raise AssertionError("it never came through")


async def test_a_posting_that_fails_at_any_statement_leaves_nothing(store: Store, ledger: Ledger) -> None:
    await staked(ledger)
    record = Remembered("den", "heist", ALICE, "{}")
    end = posting(
        Entry(HOUSE, wallet(ALICE), 9, "win"),
        Entry(POT, wallet(ALICE), 40, "win"),
        table=TABLE,
        turns=(turn(2),),
        records=(record,),
        settles=True,
    )
    # Id, table, new accounts, balances, posting, transfers, turn, record, moves, gate and COMMIT come before.
    assert await first_survived(store, lambda: ledger.post(end)) >= 12
    # 100 - 40 + 40 + 9
    assert await ledger.balances([wallet(ALICE)]) == {wallet(ALICE): 109}


async def test_a_void_that_fails_at_any_statement_leaves_the_table_open(store: Store, ledger: Ledger) -> None:
    await staked(ledger)
    # The table, its transfers and its pot are read, and then it is a posting like any other.
    assert await first_survived(store, lambda: ledger.void(TABLE, AT)) >= 10
    assert await ledger.balances([wallet(ALICE)]) == {wallet(ALICE): 100}


def cancelling(task: asyncio.Task[bool]) -> Callable[[], None]:
    loop = asyncio.get_running_loop()

    def cancel() -> None:
        loop.call_soon_threadsafe(task.cancel)  # on SQLite this is called in the thread of the connection

    return cancel


async def test_a_cancelled_post_is_whole_or_absent(url: str) -> None:
    """Cancelled before each statement in turn, and before the commit: it goes on, and is whole."""
    cancelled = 0
    for moment in range(1, 100):
        store = await Store.open(url)
        ledger = Ledger(store)
        await ledger.balances([wallet(ALICE), MINT])  # one that is still to be decided would be absent
        pay = posting(Entry(MINT, wallet(ALICE), 10, "payday"), name=f"pay-{moment}")
        task = asyncio.create_task(ledger.post(pay))
        with before_each_statement(store, at(moment, cancelling(task))):
            (result,) = await asyncio.gather(task, return_exceptions=True)
            await store.close()
        store = await Store.open(url)
        assert await Ledger(store).balances([wallet(ALICE)]) == {wallet(ALICE): 10 * moment}
        assert await breaches(store) == []
        await store.close()
        if not isinstance(result, asyncio.CancelledError):
            break
        cancelled += 1
    # Posting, transfers, balances and COMMIT at least.
    assert cancelled >= 5


async def test_a_post_cancelled_while_it_waits_for_its_turn_is_whole_or_absent(ledger: Ledger) -> None:
    posts = [asyncio.create_task(ledger.post(grant(ALICE, 1))) for _ in range(20)]
    await asyncio.sleep(0)
    for each in posts[::2]:
        each.cancel()
    results = await asyncio.gather(*posts, return_exceptions=True)
    assert results[1::2] == [True] * 10
    assert await ledger.post(grant(BOB, 1))  # the queue goes on, behind those
    held = (await ledger.balances([wallet(ALICE)]))[wallet(ALICE)]
    assert 10 <= held <= 20
