"""A home has one owner at a time, whatever becomes of connections, clocks and processes."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import pytest
from sqlalchemy import func, insert, select, text, update
from sqlalchemy.exc import SQLAlchemyError

from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry, Posting
from chatbot.ledger.books.purses import mint
from chatbot.ledger.books.purses import wallet as wallet_of
from chatbot.ledger.changes import ChangeSet
from chatbot.ledger.members import Members
from chatbot.ledger.overlays import KeyGenerations
from chatbot.ledger.seasons import SeasonEnd, Seasons
from chatbot.ledger.store import schema
from chatbot.ledger.store.leases import LEASE, MARGIN, RENEWAL, NotOwner
from chatbot.ledger.store.store import Store, StoreError
from chatbot.ledger.vouchers import Voucher, Vouchers
from chatbot.runtime.clock import HandWatch

from .conftest import administrate, postgresql
from .samples import ALICE, AT, HOME, grant, wallet

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from sqlalchemy.ext.asyncio import AsyncConnection

T = TypeVar("T")

_numbers = count(1)

on_a_server = pytest.mark.postgres


@pytest.fixture
async def own_url(template: str) -> AsyncIterator[str]:
    async with postgresql(template) as url:
        yield url


@asynccontextmanager
async def opened(url: str, *homes: str) -> AsyncIterator[Store]:
    """Open a store that renews its leases only when its watch is turned, and take homes."""
    store = await Store.open(url, watch=HandWatch())
    try:
        for each in homes:
            await store.leases.take(each)
        yield store
    finally:
        await store.close()


def watch_of(store: Store) -> HandWatch:
    watch = store.leases._watch
    assert isinstance(watch, HandWatch)
    return watch


async def connections(store: Store) -> set[int]:
    """List all sessions on the database of a store but the one that asks."""
    wanted = "SELECT pid, pg_backend_pid() FROM pg_stat_activity WHERE datname = current_database()"
    async with store.reading() as connection:
        return {pid for pid, _ in await connection.execute(text(wanted))}


async def cut(pids: set[int]) -> None:
    """Let the server end sessions, as it does when it is restarted or runs out of something."""
    await administrate(*(f"SELECT pg_terminate_backend({pid})" for pid in pids))


async def expire(store: Store, seconds: float = LEASE) -> None:
    """Let the last heartbeat be older than a lease lasts, without waiting for it."""
    age, process = round(seconds * 1000) + 1, store.leases._id
    aged = f"UPDATE process SET heartbeat = heartbeat - {age} WHERE id = {process}"  # noqa: S608
    await administrate(aged, database=str(store._writer.url.database))


async def beside(owner: Store, work: Awaitable[T]) -> T:
    """Do some work while an owner renews its lease."""
    working = asyncio.ensure_future(work)
    while not working.done():
        await owner.leases.renew()
    return await working


async def refused(store: Store, home: str, owner: Store) -> str:
    """Give the sentence by which a home is refused that has an owner."""
    with pytest.raises(StoreError) as error:
        await beside(owner, store.leases.take(home))
    return str(error.value)


async def pay(store: Store, name: str = "", community: str = HOME) -> bool:
    """Give Alice a credit."""
    entry = Entry(mint(community), wallet_of(community, ALICE), 1, "x")
    return await Ledger(store).post(
        Posting(name or f"paid-{next(_numbers)}", community, AT, entries=(entry,))
    )


async def written(store: Store, prefix: str) -> int:
    row = schema.posting.c
    async with store.reading() as connection:
        counted = select(func.count()).where(row.id.startswith(prefix))
        return int((await connection.execute(counted)).scalar_one())


async def depose(store: Store, home: str) -> None:
    """Take a home as another process would, without a word to this one."""

    async def work(connection: AsyncConnection) -> None:
        own = schema.home.c.community == home
        await connection.execute(
            update(schema.home).where(own).values(owner=None, epoch=schema.home.c.epoch + 1)
        )

    await store.write(work, homes=())


@on_a_server
async def test_a_home_has_one_owner_and_others_may_have_others(own_url: str) -> None:
    async with opened(own_url, "den") as first, opened(own_url, "bar") as second:
        sentence = await refused(second, "den", first)
        assert sentence.startswith(
            "The rooms of den are run by another process on the same database (process "
        )
        assert "); stop that one" in sentence
        assert sentence.endswith("in CHATBOT_NATS_URL.")
        assert (first.leases.held, second.leases.held) == ({"den": 1}, {"bar": 1})


@on_a_server
async def test_homes_that_are_asked_for_at_once_are_all_taken(own_url: str) -> None:
    names = [f"home {number}" for number in range(20)]
    async with opened(own_url) as first, opened(own_url) as second:
        await asyncio.gather(*(first.leases.take(each) for each in names))
        assert first.leases.held == dict.fromkeys(names, 1)
        assert "home 7 are run by another" in await refused(second, "home 7", first)


@on_a_server
async def test_what_is_given_back_at_an_ordered_end_is_taken_at_once(own_url: str) -> None:
    async with opened(own_url, "den"):
        pass
    async with opened(own_url, "den") as second:
        assert second.leases.held == {"den": 2}


@on_a_server
async def test_one_home_is_given_back_and_the_others_stay(own_url: str) -> None:
    async with opened(own_url, HOME, "den") as first, opened(own_url) as second:
        await first.leases.give_back("den")
        await second.leases.take("den")
        await first.leases.renew()
        assert (first.leases.held, first.leases.lost) == ({HOME: 1}, [])
        with pytest.raises(NotOwner):
            await pay(first, community="den")
        assert await pay(first)
        assert await pay(second, community="den")


async def test_what_was_decided_for_a_home_is_written_before_it_is_given_back(store: Store) -> None:
    await store.leases.take(HOME)
    await pay(store)  # so that nothing must be read any more
    paying = asyncio.create_task(pay(store, "before"))
    await asyncio.sleep(0)
    await store.leases.give_back(HOME)
    assert await paying
    with pytest.raises(NotOwner):
        await pay(store, "after")


@on_a_server
async def test_an_owner_that_shows_no_sign_of_life_is_waited_for_and_followed(own_url: str) -> None:
    """As after a `kill -9`: nothing was given back."""
    async with opened(own_url, HOME) as first, opened(own_url) as second:
        taking = asyncio.create_task(second.leases.take(HOME))
        await asyncio.sleep(0.05)
        assert not taking.done()
        await expire(first)
        await taking
        assert second.leases.held == {HOME: 2}
        lost: list[str] = []
        first.leases.when_lost = lambda: lost.append("lost")
        with pytest.raises(NotOwner):  # whose own clock stands still, so that only the epoch says so
            await pay(first)
        assert (first.leases.held, lost) == ({}, ["lost"])
        assert await pay(second)


@on_a_server
async def test_a_loss_is_noticed_without_a_write(own_url: str) -> None:
    async with opened(own_url, HOME, "den") as first, opened(own_url) as second:
        lost: list[str] = []
        first.leases.when_lost = lambda: lost.append("lost")
        await expire(first)
        await second.leases.take("den")
        await watch_of(first).turn(RENEWAL)
        assert (first.leases.held, first.leases.lost, lost) == ({HOME: 1}, ["den"], ["lost"])
        assert await pay(first)


@on_a_server
async def test_a_lease_that_cannot_be_renewed_ends_by_the_owners_own_clock(
    own_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[str] = []

    async def fail() -> NoReturn:
        raise OSError("nobody answers")

    async with opened(own_url, HOME) as store:
        store.leases.when_lost = lambda: lost.append("lost")
        watch = watch_of(store)
        monkeypatch.setattr(store.leases, "_connected", fail)
        await watch.turn(LEASE - MARGIN - 0.01)
        assert await pay(store)  # while it lasts
        unit = Ledger(store).unit()
        assert await unit.balance(wallet(ALICE)) == 1
        await watch.turn(0.01)
        assert (store.leases.held, lost) == ({}, ["lost"])
        with pytest.raises(NotOwner):
            await pay(store)
        with pytest.raises(NotOwner):  # what was read before may not be told any more
            await unit.commit()
        monkeypatch.undo()
        await store.leases.regain()
        assert store.leases.held == {HOME: 2}
        assert await pay(store)
        assert lost == ["lost"]


@on_a_server
async def test_a_command_may_compute_for_longer_than_a_lease_lasts(own_url: str) -> None:
    """As the import of a million members does, in one transaction and before it."""

    async def work(connection: AsyncConnection) -> None:
        setting = await connection.execute(text("SHOW idle_in_transaction_session_timeout"))
        assert setting.scalar_one() == "0"

    async with opened(own_url, HOME) as store, opened(own_url) as bot:
        store.leases.unhurried = True
        watch_of(store)._now += 2 * LEASE
        assert await pay(store)
        await store.write(work)
        await expire(store)
        await bot.leases.take(HOME)
        with pytest.raises(NotOwner):
            await pay(store)


@on_a_server
async def test_a_renewal_that_fails_is_tried_again_while_the_lease_lasts(
    own_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = iter([OSError("nobody answers")] * 3)
    async with opened(own_url, HOME) as store:
        connected = store.leases._connected

        async def fail() -> AsyncConnection:
            for error in failures:
                raise error
            return await connected()

        monkeypatch.setattr(store.leases, "_connected", fail)
        await watch_of(store).turn(3 * LEASE)
        assert store.leases.held == {HOME: 1}


@on_a_server
async def test_a_process_that_was_stopped_notices_before_it_writes_or_reads(own_url: str) -> None:
    """Its clock has gone on, and its alarms ring late."""
    async with opened(own_url, HOME) as store:
        watch_of(store)._now += LEASE
        with pytest.raises(NotOwner):
            store.leases.require_current()
        assert store.leases.lost == [HOME]


@on_a_server
async def test_what_was_decided_before_a_loss_is_refused_after_it(own_url: str) -> None:
    async with opened(own_url, HOME) as first:
        guard = first.leases.guard([HOME])
        async with opened(own_url) as second:
            await expire(first)
            await second.leases.take(HOME)
            assert await pay(second)
        await first.leases.renew()
        await first.leases.regain()
        assert first.leases.held == {HOME: 3}
        assert guard != first.leases.guard([HOME])
        unit = Ledger(first).unit()
        assert await unit.balance(wallet(ALICE)) == 1  # which the other one has written


@on_a_server
async def test_whoever_loses_all_connections_goes_on_with_new_ones(own_url: str) -> None:
    async with opened(own_url, HOME) as first, opened(own_url) as second:
        taking = asyncio.create_task(second.leases.take(HOME))
        await asyncio.sleep(0)
        for _ in range(3):
            await cut(await connections(first))
            with suppress(SQLAlchemyError, OSError):
                await first.leases.renew()
            await first.leases.renew()
        with pytest.raises((StoreError, SQLAlchemyError, OSError)):  # the other one's were cut, too
            await taking
        assert "by another process" in await refused(second, HOME, first)
        assert (first.leases.held, second.leases.held) == ({HOME: 1}, {})
        assert await pay(first)


@on_a_server
async def test_a_transaction_that_idles_is_ended_and_blocks_nobody(own_url: str) -> None:
    async with opened(own_url, HOME) as first, opened(own_url) as second:
        inside, go_on = asyncio.Event(), asyncio.Event()

        async def work(connection: AsyncConnection) -> None:
            row = {"id": "x", "community": HOME, "turns": 0, "created_at": AT}
            await connection.execute(insert(schema.posting).values(row))
            inside.set()
            await go_on.wait()

        writing = asyncio.create_task(first.write(work))
        await inside.wait()
        await expire(first)
        await second.leases.take(HOME)  # within the four seconds for which it waits for the lock
        go_on.set()
        with pytest.raises((SQLAlchemyError, OSError)):
            await writing
        assert await written(second, "x") == 0
        assert second.leases.held == {HOME: 2}


@on_a_server
async def test_communities_that_are_united_have_one_owner(own_url: str) -> None:
    async def unite(connection: AsyncConnection) -> None:
        row = {"community": "guest", "target": "host", "at": AT}
        await connection.execute(insert(schema.union).values(row))

    async with opened(own_url) as first, opened(own_url) as second:
        await first.write(unite)
        await first.leases.take("guest")
        assert first.leases.held == {"guest": 1, "host": 1}
        assert "host are run by another" in await refused(second, "host", first)
        await first.leases.give_back("host")
        await second.leases.take("host")
        assert second.leases.held == {"guest": 2, "host": 2}


async def test_a_unit_of_a_lost_home_takes_no_other_with_it(store: Store) -> None:
    await store.leases.take(HOME)
    await store.leases.take("den")
    await depose(store, "den")
    kept, error = await asyncio.gather(pay(store, "kept"), pay(store, "lost", "den"), return_exceptions=True)
    assert kept is True
    assert isinstance(error, NotOwner)
    assert store.leases.lost == ["den"]
    assert (await written(store, "kept"), await written(store, "lost")) == (1, 0)


async def test_a_work_of_whoever_lost_a_home_is_refused(store: Store) -> None:
    await store.leases.take(HOME)
    await depose(store, HOME)

    async def work(connection: AsyncConnection) -> None:
        raise AssertionError

    for _ in range(2):  # found out by the first, known to the second
        with pytest.raises(NotOwner):
            await store.write(work)
    assert store.leases.lost == [HOME]
    assert store.well  # nothing is wrong with the database


async def test_who_names_a_home_is_refused_once_that_is_given_back(store: Store) -> None:
    await store.leases.take(HOME)
    await store.leases.take("den")
    await store.leases.give_back(HOME)
    with pytest.raises(NotOwner):
        await Ledger(store).post(grant(ALICE, 1))
    with pytest.raises(NotOwner):
        await store.write(no_work, homes=[HOME])
    await store.write(no_work)  # that names none, and is of the other one


CHANGE_SET = ChangeSet("set", "room", HOME, AT, str(ALICE), "alice", ())


@pytest.mark.parametrize(
    "work",
    [
        lambda store: Vouchers(store).refuse(Voucher("v", "twitch", "reward", 5), HOME, AT),
        lambda store: Members(store).introduce(HOME, {ALICE: "alice"}, AT),
        lambda store: Seasons(store).close(SeasonEnd(CHANGE_SET, "heist", 1)),
        lambda store: Seasons(store).reopen(CHANGE_SET, "heist", 1, ()),
        lambda store: KeyGenerations(store).replace(CHANGE_SET),
    ],
    ids=["voucher", "member", "season", "reopened", "key"],
)
async def test_no_work_for_a_home_that_was_given_back_is_done_though_another_is_held(
    store: Store, work: Callable[[Store], Awaitable[object]]
) -> None:
    await store.leases.take(HOME)
    await store.leases.take("den")
    await store.leases.give_back(HOME)
    before = store.written
    with pytest.raises(NotOwner):
        await work(store)
    assert store.written == before


async def test_what_is_asked_for_twice_at_once_is_taken_once(store: Store) -> None:
    first = asyncio.create_task(store.leases.take(HOME))
    await asyncio.sleep(0)  # the first has begun, and the next one waits for another transaction
    await asyncio.gather(first, store.leases.take(HOME))
    assert store.leases.held == {HOME: 1}


async def test_who_owns_nothing_writes_as_before(store: Store) -> None:
    """As a command of the operator does, which has nothing to lose."""
    assert await pay(store)


async def test_whoever_owns_a_home_writes_for_no_other(store: Store) -> None:
    await store.leases.take("den")
    with pytest.raises(NotOwner):
        await pay(store)


async def test_each_start_on_a_file_raises_the_epoch_and_an_old_one_is_refused(sqlite_url: str) -> None:
    async with opened(sqlite_url, HOME) as first:
        assert await pay(first)
        former = first.leases.held[HOME]
        async with opened(sqlite_url, HOME) as second:  # past the lock, as on a disk that has none
            assert second.leases.held[HOME] > former
            for attempt in (pay(first), first.write(no_work)):
                with pytest.raises(NotOwner):
                    await attempt
            assert await pay(second)


async def no_work(connection: AsyncConnection) -> None:
    """Write nothing."""


@on_a_server
@pytest.mark.parametrize(
    "attempt", [0, *(pytest.param(attempt, marks=pytest.mark.nightly) for attempt in range(1, 5))]
)
async def test_a_deposed_owner_posts_nothing_once_another_has_its_home(own_url: str, attempt: int) -> None:
    numbers, ended = count(), False

    async def post_on(store: Store) -> None:
        """Go on as if nothing had happened, with as many postings at once as there are rooms."""
        while not ended:
            with suppress(SQLAlchemyError, OSError):
                await pay(store, f"first-{next(numbers)}")
            await asyncio.sleep(0)

    async with opened(own_url, HOME) as first, opened(own_url) as second:
        posting_on = [asyncio.create_task(post_on(first)) for _ in range(8)]
        await asyncio.sleep(0.2 + 0.01 * attempt)
        taking = asyncio.create_task(second.leases.take(HOME))
        await expire(first)
        await taking
        then = await written(second, "first-")
        for number in range(20):
            await pay(second, f"second-{number}")
        await first.leases.regain()  # of nothing, for another has it
        ended = True
        await asyncio.gather(*posting_on)
        assert first.leases.held == {}
        assert then > 0
        assert await written(second, "first-") == then


STOPPED = """
import asyncio, sys
from sqlalchemy import insert
from chatbot.ledger.store import schema
from chatbot.ledger.store.store import Store
from tests.ledger.samples import AT, HOME
from tests.ledger.test_leases import pay

async def main():
    store = await Store.open(sys.argv[1])
    await store.leases.take(HOME)

    async def work(connection):
        row = {"id": "first", "community": HOME, "turns": 0, "created_at": AT}
        await connection.execute(insert(schema.posting).values(row))
        print("inside", flush=True)
        sys.stdin.readline()  # the whole process stands here when it is stopped

    for attempt in (store.write(work), pay(store, "first")):
        try:
            await attempt
        except Exception as error:
            print(type(error).__name__, flush=True)
        else:
            print("written", flush=True)

asyncio.run(main())
"""


@on_a_server
@pytest.mark.skipif(sys.platform == "win32", reason="Windows stops no process by a signal")
async def test_a_process_that_was_stopped_in_a_transaction_writes_nothing_after_a_takeover(
    own_url: str,
) -> None:
    pipe: Any = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", STOPPED, own_url, stdin=pipe, stdout=pipe, stderr=pipe
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert await process.stdout.readline() == b"inside\n"
        os.kill(process.pid, signal.SIGSTOP)
        async with opened(own_url, HOME) as second:  # which waits until the lease has run out
            assert second.leases.held == {HOME: 2}
            assert await pay(second, "second")
            os.kill(process.pid, signal.SIGCONT)
            process.stdin.write(b"\n")
            said, _ = await process.communicate()
            assert b"written" not in said
            assert said.splitlines()[-2:] == [b"DBAPIError", b"NotOwner"]
            assert await written(second, "first") == 0
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
