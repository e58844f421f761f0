"""What a line changes is written once: all of it in one transaction, or nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from chatbot.ledger.store import schema
from chatbot.rooms.line import Happening
from tests.bot.earners import happens
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

MO = "mo(moderator)"


@pytest.fixture
async def stage(stage: Stage) -> Stage:
    """Have behind it what the first message of an hour sweeps up, and what only the first table needs."""
    await happens(stage, Happening.ONLINE, None)
    for opening in ("!heist 5", "!highshow"):
        await stage.say(MO, opening)
    await stage.turn(7200)
    await stage.say(MO, "!talk normal")
    return stage


async def writes(stage: Stage, who: str, text: str) -> int:
    before = stage.store.written
    await stage.say(who, text)
    return stage.store.written - before


async def chains(store: Store) -> int:
    """Count the chains from which tables are dealt."""
    async with store.reading() as connection:
        return int((await connection.execute(select(func.count()).select_from(schema.chain))).scalar_one())


async def test_a_newcomer_a_table_and_the_first_hint_are_one_transaction(stage: Stage) -> None:
    assert await writes(stage, "ann", "!heist 69") == 1
    assert await writes(stage, "bob", "!heist 69") == 1
    await stage.turn(1)
    assert any("New to Bank Heist?" in each for each in stage.hints())


async def test_so_is_what_a_known_member_does(stage: Stage) -> None:
    for who in ("ann", "bob"):
        await stage.say(who, "hello")
    assert await writes(stage, "ann", "!heist 69") == 1
    assert await writes(stage, "bob", "!heist 70") == 1


async def test_a_table_beside_another_brings_its_chain_in_the_same_transaction(stage: Stage) -> None:
    before = await chains(stage.store)
    for number, who in enumerate(("ann", "bob", "cat", "dan"), start=1):
        assert await writes(stage, who, "!highshow") == 1
        assert len(stage.room.playing("highshow")) == number
    assert await chains(stage.store) > before


async def test_a_setting_is_one_transaction_and_a_look_at_a_purse_none(stage: Stage) -> None:
    assert await writes(stage, MO, "!set heist lobby 90") == 1
    assert await writes(stage, MO, "!credits") == 0


async def test_a_refusal_is_noted_so_that_it_is_not_given_again_after_a_restart(stage: Stage) -> None:
    assert await stage.say(MO, "!set heist lobby never", line="once") != []
    again = await Stage(stage.store, run="b").open()
    assert await again.say(MO, "!set heist lobby never", line="once") == []


async def test_nothing_of_a_line_stays_if_the_disk_fails_and_all_comes_with_the_next(
    stage: Stage, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: Any, **__: Any) -> None:
        raise OperationalError("COMMIT", {}, OSError("the disk is full"))

    with monkeypatch.context() as patch:
        patch.setattr(store, "commit", fail)
        patch.setattr(store, "write", fail)
        await stage.say("ann", "!heist 69")
    await stage.turn(30)
    assert [each for each in stage.hints() if "ann" in each] == []
    assert await writes(stage, "ann", "!heist 69") >= 1
    await stage.turn(1)
    assert len([each for each in stage.hints() if "ann" in each]) == 1
    assert await stage.credits("ann") == 171


async def test_a_table_that_could_not_be_written_leaves_the_one_before_it_in_its_place(
    stage: Stage, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    former = stage.room.tables["heist"]
    assert former.over

    async def fail(*_: Any, **__: Any) -> None:
        raise OperationalError("COMMIT", {}, OSError("the disk is full"))

    with monkeypatch.context() as patch:
        patch.setattr(store, "commit", fail)
        patch.setattr(store, "write", fail)
        await stage.say("ann", "!heist 69")
    assert stage.room.tables["heist"] is former
    await stage.say("ann", "!heist 69")
    assert stage.room.tables["heist"] is not former


@pytest.mark.parametrize("opening", ["!heist 69", "!highshow 4 2 turnvalue 1"])
async def test_who_could_not_be_looked_up_stakes_nothing_as_somebody_else(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, opening: str
) -> None:
    meet, failed = stage.bot.people.meet, list[object]()

    async def fail_once(accounts: Any) -> None:
        if not failed:
            failed.append(accounts)
            raise OperationalError("BEGIN", {}, OSError("the disk is gone"))
        await meet(accounts)

    monkeypatch.setattr(stage.bot.people, "meet", fail_once)
    await stage.say("ann", opening)
    assert [each for each in stage.room.tables.values() if not each.over] == []
    await stage.say("ann", opening)
    assert [each.over for each in stage.room.tables.values()].count(False) == 1


async def test_no_answer_waits_until_it_is_written_that_a_known_member_was_seen_again(stage: Stage) -> None:
    await stage.say("ann", "hello")
    await stage.turn(61)  # longer than `NOTE_INTERVAL`
    busy, free = asyncio.Event(), asyncio.Event()

    async def occupy(_: AsyncConnection) -> None:
        busy.set()
        await free.wait()

    writing = asyncio.create_task(stage.store.write(occupy))
    await busy.wait()
    replies = await stage.bot.hear(stage.line("ann", "!credits"))
    assert [each.text for each in replies.deliveries] == ["ann has 240 credits."]
    before = await seen(stage.store, "ann")
    free.set()
    await writing
    await stage.bot.settle()
    assert await seen(stage.store, "ann") > before


async def seen(store: Store, name: str) -> datetime:
    """Read when a member was noted last."""
    member = schema.member.c
    async with store.reading() as connection:
        found = await connection.execute(select(member.seen_at).where(member.name == name))
        moment: datetime = found.scalar_one()
        return moment
