"""A room whose locks are lost stops at once; it goes on here, or where another process has taken it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NoReturn

import pytest
import structlog
from structlog.testing import capture_logs

from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.store.store import Store, StoreError
from chatbot.ownership import CHECK_INTERVAL, Ownership
from chatbot.tables.table import RETRY_DELAY
from tests.bot.stage import Stage
from tests.ledger.conftest import administrate, postgresql
from tests.ledger.test_claims import connections, cut

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.postgres

WHOLE = 60.0 + 30 + 6 + 300  # seconds of a heist and the rest after it


class Process:
    """One of several programs on one database."""

    def __init__(self, store: Store, run: str) -> None:
        self.stage, self.store, self.told = Stage(store, run=run), store, list[str]()
        self.ownership = Ownership(store.claims, self.stage.house, self.stage.watch, self.told.append)
        self.ownership.start()

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
    stores = [await Store.open(own_url), await Store.open(own_url)]
    yield Process(stores[0], "a"), Process(stores[1], "b")
    for store in stores:
        await store.close()


async def test_a_room_that_nobody_else_took_goes_on_with_its_tables(both: tuple[Process, Process]) -> None:
    first, _ = both
    stage = await first.stage.open()
    await stage.say("ann", "!heist 69")
    await cut(await connections(first.store))
    with capture_logs() as logged:
        told = await stage.turn(CHECK_INTERVAL)
    assert told[0].startswith("No games for a moment: the connection to the database was lost.")
    assert told[1].startswith("Bank Heist goes on after a break: 57 seconds are left.")
    assert [each["event"] for each in logged if "rooms" in each] == [
        "the locks of rooms are lost, and their games stop"
    ]
    assert first.told == [
        "The connection that holds our rooms was lost: their games stop until it is back.",
        "The connection is back, and the games of our rooms go on.",
    ]
    assert "> bob: You are in with 50 credits." in await stage.say("bob", "!heist 50")
    await stage.turn(WHOLE)
    assert first.results() == 1
    assert await breaches(first.store) == []


async def test_a_loss_that_is_noticed_by_several_at_once_is_told_and_made_good_once(
    both: tuple[Process, Process],
) -> None:
    first, _ = both
    stage = await first.stage.open()
    await cut(await connections(first.store))
    assert not await first.store.claims.alive()
    await asyncio.gather(*(first.ownership._recover() for _ in range(3)))
    await stage.turn(0)
    assert first.told == [
        "The connection that holds our rooms was lost: their games stop until it is back.",
        "The connection is back, and the games of our rooms go on.",
    ]


async def test_games_that_cannot_be_taken_up_are_not_told_to_go_on_before_they_do(
    both: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = both
    stage = await first.stage.open()
    await stage.say("ann", "!heist 69")

    async def fail(*_: object) -> NoReturn:
        monkeypatch.undo()
        raise TimeoutError

    monkeypatch.setattr(stage.house._lifecycle._journal, "open_in", fail)
    await cut(await connections(first.store))
    told = await stage.turn(CHECK_INTERVAL)
    assert not any("goes on" in line for line in told)
    assert first.told[-1] == (
        "The connection is back, but games cannot be taken up yet; it is tried again: room."
    )
    told = await stage.turn(RETRY_DELAY)
    assert told[-1].startswith("Bank Heist goes on after a break")


async def test_a_line_that_meets_the_loss_changes_nothing_and_is_answered(
    both: tuple[Process, Process],
) -> None:
    first, _ = both
    stage = await first.stage.open()
    await stage.say("ann", "!heist 69")
    await cut(await connections(first.store))
    told = await stage.say("bob", "!heist 50")
    assert any("just now" in line or "for a moment" in line for line in told)
    await stage.turn(CHECK_INTERVAL)
    assert await stage.pot() == 69
    assert "> bob: You are in with 50 credits." in await stage.say("bob", "!heist 50")


async def test_a_server_that_takes_no_connections_is_told_of_once_and_in_a_line(
    own_url: str, both: tuple[Process, Process]
) -> None:
    first, _ = both
    stage = await first.stage.open()
    await stage.say("ann", "!heist 69")
    name, sessions = own_url.rpartition("/")[2], await connections(first.store)
    await administrate(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    await cut(sessions)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("warning"))
    with capture_logs() as logged:
        for _ in range(7):  # more than 20 seconds
            await stage.turn(CHECK_INTERVAL)
    waiting = [each for each in logged if "cannot be taken again" in each["event"]]
    assert [each["why"] for each in waiting] == [f'database "{name}" is not currently accepting connections']
    await administrate(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    told = await stage.turn(CHECK_INTERVAL)
    assert told[-1].startswith("Bank Heist goes on after a break")
    assert first.told[-1] == "The connection is back, and the games of our rooms go on."
    assert "> bob: You are in with 50 credits." in await stage.say("bob", "!heist 50")
    await stage.turn(WHOLE)
    assert first.results() == 1
    assert await breaches(first.store) == []


async def test_what_another_process_took_is_left_to_that_one(both: tuple[Process, Process]) -> None:
    first, second = both
    await first.stage.open()
    await first.stage.say("ann", "!heist 69")
    with pytest.raises(StoreError, match="run by another process"):
        await second.stage.open()
    await cut(await connections(first.store))
    await second.stage.open()
    assert second.stage.said()[0].startswith("Bank Heist goes on after a break")
    assert await first.stage.say("bob", "!heist 50") != ["> bob: You are in with 50 credits."]
    await first.stage.turn(CHECK_INTERVAL)
    assert first.told[-1] == "The room room is run by another process now, and left to that one."
    before = second.store.written
    assert await first.stage.say("bob", "!heist 50") == []  # for the other one to answer
    assert await first.stage.turn(WHOLE) == []
    assert await second.stage.say("bob", "!heist 50") == ["> bob: You are in with 50 credits."]
    assert second.store.written > before
    await second.stage.turn(WHOLE)
    assert (first.results(), second.results()) == (0, 1)
    assert await breaches(first.store) == []


async def test_it_is_taken_again_when_the_other_process_ends(both: tuple[Process, Process]) -> None:
    first, second = both
    await first.stage.open()
    await first.stage.say("ann", "!heist 69")
    await cut(await connections(first.store))
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
