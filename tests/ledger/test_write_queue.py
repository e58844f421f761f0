"""Group commit: what waits goes into one transaction, and yet each is answered as if it were alone."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from chatbot.kernel.game import Seat
from chatbot.ledger.books import holdings, purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Closed, Entry, LedgerError, Moved, Posting, Short
from chatbot.ledger.store import write_queue
from chatbot.ledger.store.store import Store
from chatbot.ledger.store.writes import Contradiction

from .samples import (
    ALICE,
    BOB,
    CAROL,
    HOME,
    HOUSE,
    MINT,
    OPENING,
    TABLE,
    books,
    everything,
    gift,
    grant,
    joining,
    posting,
    settling,
    staked,
    turn,
    wallet,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


@contextmanager
def counted(store: Store) -> Iterator[list[int]]:
    """Count the commits of the writer."""
    engine, commits = store._writer.sync_engine, [0]

    def committed(_: object) -> None:
        commits[0] += 1

    event.listen(engine, "commit", committed)
    yield commits
    event.remove(engine, "commit", committed)


async def answered(ledger: Ledger, postings: Sequence[Posting]) -> list[str]:
    """Post all at once, and name the answers."""
    answers = await asyncio.gather(*(ledger.post(each) for each in postings), return_exceptions=True)
    return [str(each) if isinstance(each, bool) else type(each).__name__ for each in answers]


async def decided(ledger: Ledger, postings: Sequence[Posting]) -> list[str]:
    """Decide postings in one unit, which is written, and name the answers."""
    unit, answers = ledger.unit(wary=True), list[str]()
    for each in postings:
        try:
            answers.append(str(await unit.post(each)))
        except (Short, Closed, Moved, LedgerError) as refusal:
            answers.append(type(refusal).__name__)
    await unit.commit()
    return answers


@pytest.mark.slow
async def test_two_hundred_postings_at_once_take_one_commit(store: Store, ledger: Ledger) -> None:
    before = store.written
    assert await answered(ledger, [grant(ALICE, 1) for _ in range(200)]) == ["True"] * 200
    assert store.written == before + 1  # all 200 asked before the writer began
    assert await ledger.balances([wallet(ALICE)]) == {wallet(ALICE): 200}


async def test_what_must_be_decided_afresh_is_not_answered_for_good(ledger: Ledger) -> None:
    pay = grant(ALICE, 1)
    with pytest.raises(Moved):
        await ledger.post(replace(pay, expects={wallet(BOB): 5}))
    assert await ledger.post(replace(pay, expects={wallet(BOB): 0}))


@pytest.mark.slow
async def test_one_that_the_database_refuses_harms_no_other_in_its_transaction(ledger: Ledger) -> None:
    await staked(ledger)  # which is turn 1
    poison = posting(table=TABLE, turns=(turn(1),))
    asked = [grant(BOB, 1), poison, grant(BOB, 2), gift(CAROL, BOB, 1)]
    assert await answered(ledger, asked) == ["True", Contradiction.__name__, "True", "Short"]
    assert await ledger.balances([wallet(BOB)]) == {wallet(BOB): 3}


async def test_postings_of_one_unit_see_each_other_in_their_order(ledger: Ledger) -> None:
    asked = [
        grant(ALICE, 10),
        gift(ALICE, BOB, 10),  # all of it
        gift(ALICE, BOB, 1),  # nothing is left
        gift(BOB, CAROL, 4),
        posting(opening=OPENING),
        joining(CAROL, 4, number=1),
        settling(Entry(purses.pot(HOME, TABLE), wallet(ALICE), 4, "win")),
        joining(BOB, 1),  # the table is over
    ]
    expected = ["True", "True", "Short", "True", "True", "True", "True", "Closed"]
    assert await decided(ledger, asked) == expected
    names = [wallet(seat) for seat in (ALICE, BOB, CAROL)]
    assert list((await ledger.balances(names)).values()) == [4, 6, 0]


async def test_the_same_id_twice_in_one_transaction_is_written_once(ledger: Ledger) -> None:
    pay = grant(ALICE, 5)
    assert sorted(await answered(ledger, [pay, pay, pay])) == ["False", "False", "True"]
    assert await ledger.balances([wallet(ALICE)]) == {wallet(ALICE): 5}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
async def test_together_or_one_at_a_time_the_books_are_the_same(tmp_path: Path, seed: int) -> None:
    luck = random.Random(seed)
    seats = [ALICE, BOB, CAROL]
    day: list[Posting] = []
    for number in range(60):
        one, other = luck.sample(seats, 2)
        amount, table = luck.randint(1, 50), f"t{luck.randint(1, 3)}"
        kind = luck.randrange(7)
        if kind == 0:
            day.append(grant(one, amount))
        elif kind == 1:
            day.append(gift(one, other, amount))
        elif kind == 2:
            day.append(posting(opening=replace(OPENING, table=table)))
        elif kind == 3:
            day.append(posting(Entry(wallet(one), purses.pot(HOME, table), amount, "stake"), table=table))
        elif kind == 4:
            day.append(posting(Entry(HOUSE, wallet(one), amount, "win"), expects={wallet(other): amount}))
        elif kind == 5:
            day.append(posting(Entry(wallet(one), MINT, amount, "bribe"), turns=(), table=table))
        else:
            day.append(luck.choice(day) if day else posting(table=table, settles=True, name=f"end-{number}"))

    async def played(name: str, *, together: bool) -> tuple[list[str], object]:
        store = await Store.open(f"sqlite:///{tmp_path / name}")
        ledger, answers = Ledger(store), list[str]()
        for part in [day] if together else [[each] for each in day]:
            answers += await decided(ledger, part)
        after = await everything(store)
        # But for numbers of rows, which are given as they come.
        after["purse"] = sorted(row[1:] for row in after["purse"])
        after["transfer"] = sorted((row[1:5] + row[7:] for row in after["transfer"]), key=repr)
        async with store.reading() as connection:
            after["moved"] = sorted(((entry,) for entry in await holdings.entries(connection)), key=repr)
        del after["unchecked"]
        await store.close()
        return answers, after

    assert await played("together.db", together=True) == await played("alone.db", together=False)


@pytest.mark.slow
async def test_a_locked_database_is_told_to_all_who_wait_and_recovers_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rabble.db"
    monkeypatch.setattr("chatbot.ledger.store.engines._WRITER", ("PRAGMA busy_timeout = 50",))
    store = await Store.open(f"sqlite:///{path}")
    ledger = Ledger(store)
    await ledger.post(grant(ALICE, 1))
    before = await books(store)
    thief = sqlite3.connect(path, isolation_level=None)
    thief.execute("BEGIN IMMEDIATE")
    assert await answered(ledger, [grant(ALICE, 1) for _ in range(30)]) == [OperationalError.__name__] * 30
    thief.execute("COMMIT")
    thief.close()
    assert await books(store) == before
    assert await ledger.post(grant(ALICE, 1))
    await store.close()


@pytest.mark.slow
async def test_who_asks_beyond_the_bound_waits_and_is_answered_all_the_same(
    ledger: Ledger, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_queue, "MOST_TOGETHER", 7)
    store._write_queue._places = asyncio.Semaphore(20)
    asked = [asyncio.create_task(ledger.post(grant(ALICE, 1))) for _ in range(100)]
    await asyncio.sleep(0)
    assert len(store._write_queue._waiting) <= 20
    assert await asyncio.gather(*asked) == [True] * 100


async def test_a_work_of_its_own_shares_its_transaction_with_nobody(ledger: Ledger, store: Store) -> None:
    async def fail(_: object) -> None:
        raise LookupError("undone")

    asked = [ledger.post(grant(ALICE, 1)), store.write(fail), ledger.post(grant(ALICE, 1))]
    results = await asyncio.gather(*asked, return_exceptions=True)
    assert (results[0], type(results[1]), results[2]) == (True, LookupError, True)
    assert await ledger.balances([wallet(ALICE)]) == {wallet(ALICE): 2}


@pytest.mark.slow
async def test_a_thousand_random_transfers_tried_again_three_times_change_nothing(
    store: Store, ledger: Ledger
) -> None:
    luck = random.Random(11)
    seats = [Seat(f"twitch:{number}") for number in range(20)]
    for seat in seats:
        await ledger.post(grant(seat, 100))
    pairs = [luck.sample(seats, 2) for _ in range(1000)]
    day = [gift(giver, taker, luck.randint(1, 60)) for giver, taker in pairs]
    first = await answered(ledger, day)
    assert {"True", "Short"} == set(first)
    while "True" in first:  # what was refused may be covered by what was written after it
        first = await answered(ledger, day)
    before = await everything(store)
    for _ in range(3):
        luck.shuffle(day)
        again = await answered(ledger, day)
        assert "True" not in again
        assert again.count("Short") == first.count("Short")
        assert await everything(store) == before
