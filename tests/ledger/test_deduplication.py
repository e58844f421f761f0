from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.deduplication import HeardLines
from chatbot.ledger.store.store import Store

from .samples import AT

if TYPE_CHECKING:
    from collections.abc import Awaitable, Sequence


@pytest.fixture
def heard(store: Store) -> HeardLines:
    return HeardLines(store)


async def firsts(asked: Sequence[Awaitable[bool]]) -> int:
    return sum(await asyncio.gather(*asked))


@pytest.mark.slow
async def test_a_message_is_first_once_and_forever_after_known(heard: HeardLines, url: str) -> None:
    assert [await heard.first("tw:1", AT) for _ in range(3)] == [True, False, False]
    assert await heard.first("tw:2", AT)
    other = await Store.open(url)  # as after a restart
    assert not await HeardLines(other).first("tw:1", AT + timedelta(hours=1))
    await other.close()


async def test_of_many_copies_at_once_one_is_first(heard: HeardLines) -> None:
    assert await firsts([heard.first("dc:7", AT) for _ in range(50)]) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("threads")
async def test_of_copies_over_two_sockets_into_two_stores_one_is_first(heard: HeardLines, url: str) -> None:
    other = await Store.open(url)
    both = [each.first(f"tw:{number}", AT) for number in range(40) for each in (heard, HeardLines(other))]
    assert await firsts(both) == 40
    await other.close()


async def test_what_is_old_is_forgotten_and_what_is_new_is_not(heard: HeardLines) -> None:
    await heard.first("old", AT)
    await heard.first("new", AT + timedelta(days=2))
    assert await heard.forget(AT + timedelta(days=1)) == 1
    assert await heard.first("old", AT + timedelta(days=2))
    assert not await heard.first("new", AT + timedelta(days=2))
