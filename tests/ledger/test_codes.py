"""A code works once, whoever of several processes is told it, and nobody may try many."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from chatbot.ledger.codes import TRIES, TRIES_LAST, CodeKind, OneTimeCodes, TooManyTries, WrongCode
from chatbot.ledger.people import Account
from chatbot.ledger.store import schema
from chatbot.ledger.store.store import Store
from chatbot.runtime.clock import HandWatch
from tests.ledger.conftest import postgresql

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

ANN, BOB = Account("twitch", "1"), Account("twitch", "2")
KIND = CodeKind("link", "ABCDEFGH", 8, timedelta(minutes=10))


@pytest.fixture
def codes(store: Store) -> OneTimeCodes:
    return OneTimeCodes(store, HandWatch(datetime.now(UTC)), KIND)


async def refused(codes: OneTimeCodes, account: Account, code: str) -> type[Exception] | None:
    try:
        await codes.look(account, code, "line")
    except (WrongCode, TooManyTries) as error:
        return type(error)
    return None


async def test_a_code_is_used_up_by_one_line_which_may_be_decided_again(codes: OneTimeCodes) -> None:
    code = await codes.issue("ann", "of ann", ANN)
    assert await codes.look(BOB, code.lower(), "first") == ("ann", "of ann")
    assert await codes.take(code, "first")
    assert await codes.take(code, "first")
    assert not await codes.take(code, "second")
    with pytest.raises(WrongCode):
        await codes.look(BOB, code, "second")
    assert await codes.look(BOB, code, "first") == ("ann", "of ann")


async def test_a_new_code_voids_the_former_one_of_its_owner_and_no_others(codes: OneTimeCodes) -> None:
    former, others = await codes.issue("ann", "1"), await codes.issue("bob", "2")
    latest = await codes.issue("ann", "3")
    assert await refused(codes, ANN, former) is WrongCode
    assert await codes.look(ANN, others, "line") == ("bob", "2")
    assert await codes.look(ANN, latest, "line") == ("ann", "3")


async def test_a_code_ends_and_so_do_wrong_ones(store: Store, codes: OneTimeCodes) -> None:
    code = await codes.issue("ann", "1")
    for _ in range(TRIES):
        assert await refused(codes, BOB, "NOSUCHES") is WrongCode
    assert await refused(codes, BOB, code) is TooManyTries
    assert await refused(codes, ANN, code) is None
    await age(store)
    assert await refused(codes, BOB, code) is WrongCode  # as it has run out
    assert not await codes.take(code, "line")
    assert await codes.state("ann") is None
    await codes.issue("bob", "2")
    async with store.reading() as connection:
        owners = (await connection.execute(select(schema.one_time_code.c.owner))).scalars().all()
    assert owners == ["bob"]


async def test_only_so_many_codes_wait(store: Store) -> None:
    few = CodeKind("seat", "ABCDEFGH", 8, timedelta(minutes=3), most=3)
    watch = HandWatch(datetime.now(UTC))
    codes, made = OneTimeCodes(store, watch, few), list[str]()
    for number in range(5):
        made.append(await codes.issue(f"browser-{number}"))
        await watch.turn(1)
        await asyncio.sleep(0.002)  # the clock of PostgreSQL turns by itself
    assert [await codes.state(f"browser-{number}") is not None for number in range(5)] == [
        False, False, True, True, True,
    ]  # fmt: skip


async def test_the_database_has_no_code(store: Store, codes: OneTimeCodes) -> None:
    code = await codes.issue("ann", "1")
    async with store.reading() as connection:
        row = (await connection.execute(select(schema.one_time_code))).one()
    assert code not in str(row)


@pytest.mark.postgres
async def test_of_two_processes_one_takes_a_code_and_both_count_wrong_ones() -> None:
    async with postgresql() as url:
        stores = [await Store.open(url), await Store.open(url)]
        first, second = (OneTimeCodes(each, HandWatch(), KIND) for each in stores)
        try:
            for number in range(30):
                code = await first.issue("ann", "1")
                taken = await asyncio.gather(
                    first.take(code, f"one-{number}"), second.take(code, f"other-{number}")
                )
                assert sorted(taken) == [False, True]
            answers = await asyncio.gather(
                *(refused(each, BOB, "NOSUCHES") for each in (first, second) for _ in range(TRIES))
            )
            assert answers.count(WrongCode) == TRIES
            assert answers.count(TooManyTries) == TRIES
        finally:
            for each in stores:
                await each.close()


async def age(store: Store) -> None:
    """Let all codes and tries be older than they last."""
    past = datetime.now(UTC) - TRIES_LAST

    async def work(connection: AsyncConnection) -> None:
        await connection.execute(update(schema.one_time_code).values(ends_at=past))
        await connection.execute(update(schema.code_try).values(until=past))

    await store.write(work, homes=())
