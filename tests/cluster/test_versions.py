"""Processes of two versions share a database and a carrier while one after the other is updated."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text

from chatbot.cluster import carrier as carrying
from chatbot.cluster.carrier import Away, Carried, Carrier
from chatbot.cluster.cluster import identity
from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.store import migrations
from chatbot.ledger.store.store import Store, StoreError
from tests.cluster.processes import (
    NATS,
    Process,
    eventually,
    home_of,
    processes,
    remove_stream,
    require_nats,
    stream_of,
)
from tests.ledger.conftest import administrate, postgresql

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

pytestmark = pytest.mark.postgres

NEXT = f"{int(migrations.NEWEST) + 1:04}"
EXPANDING = (
    "CREATE TABLE planted (id bigint PRIMARY KEY, note text)",
    "ALTER TABLE member ADD COLUMN planted text",
    "ALTER TABLE posting ADD COLUMN planted integer NOT NULL DEFAULT 7",
    "CREATE INDEX ix_planted ON member (planted)",
    f"UPDATE alembic_version SET version_num = '{NEXT}'",  # noqa: S608  (our own number)
)


@pytest.fixture
async def own_url() -> AsyncIterator[str]:
    require_nats()
    async with postgresql() as url:
        await (await Store.open(url)).close()
        stream = await stream_of(url)  # some tests leave a database that this version does not open
        yield url
        await remove_stream(stream)


async def upgrade(url: str, *statements: str) -> None:
    """Upgrade a database as the next version would."""
    await administrate(*statements, database=url.rpartition("/")[2])


async def test_a_process_goes_on_beside_one_that_has_upgraded_the_database(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        room = home_of(second)
        await first.open(room)
        await first.say(room, "ann", "!heist 50")
        # While both answer: the locks of a migration must not stop them for long.
        speaking = [asyncio.create_task(first.say(room, f"bob{each}", "!heist 20")) for each in range(20)]
        await upgrade(own_url, *EXPANDING)
        for answer in await asyncio.gather(*speaking):
            assert "You are in with 20 credits." in answer
        # One of them is killed and started again, and its rooms are taken over meanwhile.
        await second.die()
        await eventually(lambda: first.runs(room), 8.0)
        third = await Process.start(own_url)
        try:
            assert "You are in with 20 credits." in await first.say(room, "cleo", "!heist 20")
            await eventually(lambda: len(third.cluster.duties.held) > 10)
            other = home_of(third)
            await third.open(other)
            assert await third.say(other, "dora", "!credits") == ["dora has 240 credits."]
        finally:
            await third.leave()
    store = await Store.look(own_url)
    assert await breaches(store) == []
    await store.close()


async def test_a_migration_that_takes_something_away_stops_older_programs(own_url: str) -> None:
    await upgrade(
        own_url, *EXPANDING, f"COMMENT ON TABLE alembic_version IS 'programs of revision {NEXT} and newer'"
    )
    for opening in (Store.open, Store.look):
        with pytest.raises(StoreError, match=f"revision {NEXT} is newer than this program"):
            await opening(own_url)
    await upgrade(own_url, "COMMENT ON TABLE alembic_version IS NULL")
    with pytest.raises(StoreError, match="newer than this program"):
        await Store.open(own_url)


async def test_a_database_that_this_version_upgrades_says_who_may_go_on(own_url: str) -> None:
    store = await Store.open(own_url)
    async with store.reading() as connection:
        comment = await connection.execute(text("SELECT obj_description('alembic_version'::regclass)"))
        assert comment.scalar() == f"programs of revision {migrations.OLDEST_BESIDE} and newer"
    await store.close()
    assert migrations.FIRST <= migrations.OLDEST_BESIDE <= migrations.NEWEST


async def test_a_line_of_the_next_version_waits_for_a_process_that_understands_it(
    own_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrying, "UNDERSTOOD_LATER", 0.3)
    store, taken = await Store.open(own_url), list[Carried]()
    cluster = await identity(store)
    present, following = Carrier(NATS, cluster, 1), Carrier(NATS, cluster, 2, wire=2)

    async def ignore(_: Any) -> None:
        pass

    async def bring(carried: Carried) -> None:
        taken.append(carried)
        await carried.done()

    try:
        for each in (present, following):
            await each.open(ignore, ignore)
        await present.take("home-1", bring)
        assert await following.carry("home-1", "old", {"line": "x"})
        assert await following.carry("home-1", "new", {"sing": "y", "loud": True}, needs=2)
        await eventually(lambda: len(taken) == 1)
        await asyncio.sleep(0.7)
        assert [each.value for each in taken] == [{"line": "x"}]  # and the other one is not dropped
        await present.leave("home-1")
        await following.take("home-1", bring)
        await eventually(lambda: len(taken) == 2)
        assert taken[1].value == {"sing": "y", "loud": True}
        assert await present.carry("home-1", "of the present", {"line": "z"})
        await eventually(lambda: len(taken) == 3)
    finally:
        for each in (present, following):
            await each.close()
        await store.close()


async def test_a_kind_of_event_that_is_not_known_waits_for_who_takes_the_room_over(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        room = home_of(second)
        await first.open(room)
        await first.say(room, "ann", "!credits")
        later = list[float]()
        address = (room, room, room, "chat")

        class Waiting:
            value: Mapping[str, Any] = {"sing": "a song", "room": address, "from": 1}
            again, id, parent, needs = False, "song", "", 2

            async def later(self, seconds: float) -> None:
                later.append(seconds)

            async def done(self) -> None:
                raise AssertionError("it is not done")

        duty = second.cluster._partition(room)
        await second.cluster.owning.bring(duty, Waiting())  # type: ignore[arg-type]
        await eventually(lambda: bool(later))


async def test_a_question_of_the_next_version_is_answered_as_not_understood(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        with pytest.raises(Away, match="former version"):
            await first.cluster.carrier.ask(second.store.leases.process, {"sing": "a song"})
        await first.cluster.carrier.announce({"sing": "a song", "from": 0})  # passed over
        room = home_of(second)
        await first.open(room)
        assert await first.say(room, "ann", "!credits") == ["ann has 240 credits."]
