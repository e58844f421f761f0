from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.deduplication import HeardLines
from chatbot.ledger.store.store import Store
from chatbot.ledger.store.writes import Contradiction

from .samples import AT

if TYPE_CHECKING:
    from collections.abc import Awaitable, Sequence
    from datetime import datetime


async def first(store: Store, line: str, at: datetime) -> bool:
    """Act on a line, and return whether that is the first time."""
    for wary in (False, True):
        unit = Ledger(store).unit(wary=wary)
        if not await unit.first(line, at):
            return False
        try:
            await unit.commit()
        except Contradiction:
            continue
        return True
    return False


async def firsts(asked: Sequence[Awaitable[bool]]) -> int:
    return sum(await asyncio.gather(*asked))


@pytest.mark.slow
async def test_a_message_is_first_once_and_forever_after_known(store: Store, url: str) -> None:
    assert [await first(store, "tw:1", AT) for _ in range(3)] == [True, False, False]
    assert await first(store, "tw:2", AT)
    other = await Store.open(url)  # as after a restart
    assert not await first(other, "tw:1", AT + timedelta(hours=1))
    await other.close()


async def test_of_many_copies_at_once_one_is_first(store: Store) -> None:
    assert await firsts([first(store, "dc:7", AT) for _ in range(50)]) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("threads")
async def test_of_copies_over_two_sockets_into_two_stores_one_is_first(store: Store, url: str) -> None:
    other = await Store.open(url)
    both = [first(each, f"tw:{number}", AT) for number in range(40) for each in (store, other)]
    assert await firsts(both) == 40
    await other.close()


async def test_what_is_old_is_forgotten_and_what_is_new_is_not(store: Store) -> None:
    await first(store, "old", AT)
    await first(store, "new", AT + timedelta(days=2))
    assert await HeardLines(store).forget(AT + timedelta(days=1)) == 1
    assert await first(store, "old", AT + timedelta(days=2))
    assert not await first(store, "new", AT + timedelta(days=2))
