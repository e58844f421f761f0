"""A room whose lease is lost stops at once; it goes on here, or where another process has taken it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NoReturn

import pytest
import structlog
from structlog.testing import capture_logs

from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.store.leases import LEASE
from chatbot.ledger.store.store import Store, StoreError
from chatbot.ownership import CHECK_INTERVAL, Ownership
from chatbot.tables.phase_timer import RETRY_DELAY
from tests.bot.stage import LooseWatch, Stage
from tests.ledger.conftest import administrate, postgresql
from tests.ledger.test_leases import beside, connections, cut, depose, expire

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.postgres

WHOLE = 60.0 + 30 + 6 + 300  # seconds of a heist and the rest after it
LOST = "The lease of our rooms was lost: their games stop until we have it again."
BACK = "The rooms are ours again, and their games go on."


class Process:
    """One of several programs on one database, which renews its leases as its watch is turned."""

    def __init__(self, store: Store, run: str, watch: LooseWatch) -> None:
        self.stage, self.store, self.told = Stage(store, run=run, watch=watch), store, list[str]()
        self.ownership = Ownership(store.leases, self.stage.bot, watch, self.told.append)
        self.ownership.start()

    @classmethod
    async def start(cls, url: str, run: str) -> Process:
        watch = LooseWatch()
        return cls(await Store.open(url, watch=watch), run, watch)

    def results(self) -> int:
        return sum(line.startswith("Results") for line in self.stage.said())


@pytest.fixture
async def own_url() -> AsyncIterator[str]:
    async with postgresql() as url:
        await (await Store.open(url)).close()
        yield url


@pytest.fixture
async def both(own_url: str) -> AsyncIterator[tuple[Process, Process]]:
    """Lend a process that runs the room, and one that waits for it."""
    processes = await Process.start(own_url, "a"), await Process.start(own_url, "b")
    yield processes
    for each in processes:
        await each.store.close()


@asynccontextmanager
async def away(url: str, store: Store) -> AsyncIterator[None]:
    """Let a server take no connections, and end those of a store."""
    name, sessions = url.rpartition("/")[2], await connections(store)
    await administrate(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    await cut(sessions)
    yield
    await administrate(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")


async def test_a_room_that_nobody_else_took_goes_on_with_its_tables(
    own_url: str, both: tuple[Process, Process]
) -> None:
    first, _ = both
    stage = await first.stage.open()
    await stage.say("ann", "!heist 69")
    async with away(own_url, first.store):
        with capture_logs() as logged:
            told = await stage.turn(LEASE)
    assert told[0].startswith("No games for a moment: the connection to the database was lost.")
    assert [each["event"] for each in logged if each["log_level"] == "critical"] == [
        "leases are lost",
        "the games of rooms stop",
    ]
    told = await stage.turn(CHECK_INTERVAL)
    assert told[0].startswith("Bank Heist goes on after a break: 5")
    assert first.told == [LOST, BACK]
    assert "> bob: You are in with 50 credits." in await stage.say("bob", "!heist 50")
    await stage.turn(WHOLE)
    assert first.results() == 1
    assert await breaches(first.store) == []


async def test_connections_that_are_cut_stop_no_game(both: tuple[Process, Process]) -> None:
    first, _ = both
    stage = await first.stage.open()
    await stage.say("ann", "!heist 69")
    await cut(await connections(first.store))
    assert await stage.turn(CHECK_INTERVAL) == []
    assert "> bob: You are in with 50 credits." in await stage.say("bob", "!heist 50")
    assert first.told == []


async def test_a_loss_that_is_noticed_by_several_at_once_is_told_and_made_good_once(
    both: tuple[Process, Process],
) -> None:
    first, _ = both
    stage = await first.stage.open()
    await depose(first.store, "town")
    await first.store.leases.renew()
    await asyncio.gather(*(first.ownership._recover() for _ in range(3)))
    await stage.turn(0)
    assert first.told == [LOST, BACK]


async def test_games_that_cannot_be_taken_up_are_not_told_to_go_on_before_they_do(
    both: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = both
    stage = await first.stage.open()
    await stage.say("ann", "!heist 69")

    async def fail(*_: object) -> NoReturn:
        monkeypatch.undo()
        raise TimeoutError

    monkeypatch.setattr(stage.bot.parts.lifecycle._journal, "open_in", fail)
    await depose(first.store, "town")
    told = await stage.turn(CHECK_INTERVAL)
    assert not any("goes on" in line for line in told)
    assert first.told[-1] == (
        "The rooms are ours again, but games cannot be taken up yet; it is tried again: room."
    )
    told = await stage.turn(RETRY_DELAY)
    assert told[-1].startswith("Bank Heist goes on after a break")


async def test_a_line_that_meets_the_loss_changes_nothing_and_is_answered(
    both: tuple[Process, Process],
) -> None:
    first, _ = both
    stage = await first.stage.open()
    await stage.say("ann", "!heist 69")
    await depose(first.store, "town")
    told = await stage.say("bob", "!heist 50")
    assert any("just now" in line or "for a moment" in line for line in told)
    await stage.turn(CHECK_INTERVAL)
    assert await stage.pot() == 69
    assert "> bob: You are in with 50 credits." in await stage.say("bob", "!heist 50")


async def test_a_line_that_only_reads_is_not_answered_from_memory_once_the_lease_has_run_out(
    both: tuple[Process, Process],
) -> None:
    first, _ = both
    stage = await first.stage.open()
    assert await stage.say("ann", "!credits") == ["ann has 240 credits."]
    stage.watch._now += LEASE  # as after a stop: no alarm has rung yet
    told = await stage.say("ann", "!credits")
    assert not any("240" in each for each in told)


async def test_a_server_that_takes_no_connections_is_told_of_once_and_in_a_line(
    own_url: str, both: tuple[Process, Process]
) -> None:
    first, _ = both
    stage = await first.stage.open()
    await stage.say("ann", "!heist 69")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("warning"))
    async with away(own_url, first.store):
        with capture_logs() as logged:
            for _ in range(7):  # more than 20 seconds
                await stage.turn(CHECK_INTERVAL)
    why = f'database "{own_url.rpartition("/")[2]}" is not currently accepting connections'
    for event in "the rooms cannot be taken again yet", "the lease of our rooms cannot be renewed yet":
        assert [each["why"] for each in logged if each["event"] == event][-1:] == [why]
        assert sum(each["event"] == event for each in logged) <= 2  # the first time it is the cut connection
    told = await stage.turn(CHECK_INTERVAL)
    assert told[-1].startswith("Bank Heist goes on after a break")
    assert first.told == [LOST, BACK]
    assert "> bob: You are in with 50 credits." in await stage.say("bob", "!heist 50")
    await stage.turn(WHOLE)
    assert first.results() == 1
    assert await breaches(first.store) == []


async def test_what_another_process_took_is_left_to_that_one(both: tuple[Process, Process]) -> None:
    first, second = both
    await first.stage.open()
    await first.stage.say("ann", "!heist 69")
    with pytest.raises(StoreError, match="run by another process"):
        await beside(first.store, second.stage.open())
    await expire(first.store)
    await second.stage.open()
    assert second.stage.said()[0].startswith("Bank Heist goes on after a break")
    assert await first.stage.say("bob", "!heist 50") != ["> bob: You are in with 50 credits."]
    await first.stage.turn(CHECK_INTERVAL)
    assert first.told[-1] == "The room room is run by another process now, and left to that one."
    before = second.store.written
    assert await first.stage.say("bob", "!heist 50") == []  # for the other one to answer
    assert await beside(second.store, first.stage.turn(WHOLE)) == []
    assert await second.stage.say("bob", "!heist 50") == ["> bob: You are in with 50 credits."]
    assert second.store.written > before
    await second.stage.turn(WHOLE)
    assert (first.results(), second.results()) == (0, 1)
    assert await breaches(first.store) == []


async def test_it_is_taken_again_when_the_other_process_ends(both: tuple[Process, Process]) -> None:
    first, second = both
    await first.stage.open()
    await first.stage.say("ann", "!heist 69")
    await expire(first.store)
    await second.stage.open()
    await second.stage.say("mo(moderator)", "!set heist lobby 90")
    await first.stage.turn(CHECK_INTERVAL)
    await second.stage.say("bob", "!heist 50")
    await second.store.close()
    told = await first.stage.turn(CHECK_INTERVAL)
    assert told[-1].startswith("Bank Heist goes on after a break")
    assert "50" in " ".join(await first.stage.say("bob", "!heist 50"))
    assert first.stage.room.settings("heist") == {"lobby": "90"}  # what was changed there counts here
    await first.stage.turn(WHOLE)
    assert first.results() == 1
    assert await breaches(first.store) == []
