"""A database may write what it was asked and then fail to say so: nobody pays twice, and no table is lost."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import pytest
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from chatbot.bot.room_control import DOUBTED, HELD
from chatbot.kernel.game import Seat
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import LostAnswer
from chatbot.ledger.changes import Changes
from chatbot.rooms.batch import carry_out
from chatbot.rooms.table_protocol import Cause
from tests.bot.hosting import MO
from tests.bot.stage import Stage
from tests.generous import let_give
from tests.ledger.samples import doctor

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

LOST = OperationalError("COMMIT", {}, Exception("server closed the connection unexpectedly"))


LOOK = (
    "The database has stopped answering, and may have done that or not; "
    "look at !credits before you try again."
)


@contextmanager
def answers_lost(store: Store, *, unreadable: bool) -> Iterator[None]:
    """Write every posting, and answer each with an error; nor can its id be looked up, if so wished."""
    commit = store.commit

    async def commit_and_lose(*given: Any) -> None:
        await commit(*given)
        raise LOST

    async def lose(_: object, posting: str, at: datetime, error: Exception) -> None:
        raise LostAnswer(posting) from error

    async def lose_change_set(_: object, change_set: str, error: Exception) -> None:
        raise LostAnswer(change_set) from error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "commit", commit_and_lose)
        if unreadable:
            patch.setattr(Ledger, "look_up", lose)
            patch.setattr(Changes, "_done", lose_change_set)
        yield


@contextmanager
def commits_lost(store: Store, times: int) -> Iterator[None]:
    """Commit, and answer so many commits with an error."""
    transact, left = store._write_queue._transact, [None] * times

    async def lose(jobs: Any) -> Any:
        answers = await transact(jobs)
        if left:
            left.pop()
            raise LOST
        return answers

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store._write_queue, "_transact", lose)
        yield


@pytest.mark.parametrize("lost", [1, 2])
async def test_what_is_found_to_be_done_is_told_so_whether_or_not_its_message_can_be_noted(
    stage: Stage, store: Store, lost: int
) -> None:
    for who in (MO, "ann"):
        await stage.say(who, "hello")
    await stage.say(MO, "!set heist lobby 60")  # old messages are forgotten with it, which writes too
    with commits_lost(store, lost):
        told = await stage.say(MO, "!take @ann 100", line="a:take")
        assert told == ["mo takes 100 credits from ann."]
    assert await stage.credits("ann") == 140


async def test_whoever_is_seated_twice_at_once_sits_once_though_an_answer_is_lost(
    stage: Stage, store: Store
) -> None:
    await stage.say("ann", "!heist 69")
    table, seat = stage.table, Seat("house:champion")
    cause, sits = Cause("", seat, f"seat:{table.id}:{seat}:sit"), await stage.table.sit([seat])
    sit = partial(table.play, actions=sits, cause=cause)
    await carry_out(stage.bot.ledger, sit)
    turn = table.turn
    with commits_lost(store, 1):
        await carry_out(stage.bot.ledger, sit)
    assert table.turn == turn
    assert "You are in" in (await stage.say("bob", "!heist 50"))[0]


async def test_an_answer_that_was_lost_is_looked_up(stage: Stage, store: Store) -> None:
    let_give(stage.room)
    await stage.say("bob", "hello")
    await stage.say("ann", "hello")
    with answers_lost(store, unreadable=False):
        assert "!heist and an amount" in (await stage.say("ann", "!heist 69"))[0]
        assert await stage.say("bob", "!give @ann 10") == ["bob gives ann 10 credits."]
    assert (await stage.credits("ann"), await stage.pot()) == (181, 69)


async def test_a_table_whose_end_was_written_without_an_answer_has_no_clock_left(
    stage: Stage, store: Store
) -> None:
    await stage.say("ann", "!heist 69")
    table = stage.table
    await stage.turn(60 + 30)
    with answers_lost(store, unreadable=True):
        await stage.turn(6)
    assert "storming" in str(table.clock)
    await stage.turn(10)
    assert table.clock is None
    assert table.deadline is None
    assert await stage.credits("ann") != 171


async def test_a_stake_whose_answer_is_lost_for_good_is_found_by_the_next_step(
    stage: Stage, store: Store
) -> None:
    await stage.say("bob", "hello")
    await stage.say("ann", "!heist 69")
    with answers_lost(store, unreadable=True):
        assert await stage.say("bob", "!heist 50") == [f"> bob: {LOOK}"]
    assert await stage.say("bob", "!heist 50") == [
        "> bob: You are in with 50 credits.",
        "> bob: You are in this heist already, with 50 credits.",
    ]
    assert (await stage.credits("bob"), await stage.pot()) == (190, 119)


async def test_an_opening_whose_answer_is_lost_for_good_is_found_by_the_next_command(
    stage: Stage, store: Store
) -> None:
    for who in ("ann", "bob"):
        await stage.say(who, "hello")
    with answers_lost(store, unreadable=True):
        assert await stage.say("ann", "!heist 69") == [f"> ann: {LOOK}"]
    told = await stage.say("bob", "!heist 50")
    assert told == [
        "Bank Heist goes on after a break: 60 seconds are left.",
        "> bob: You are in with 50 credits.",
    ]
    assert await stage.pot() == 119
    await stage.turn(60 + 30 + 6 + 300)
    assert await stage.pot() == 0
    assert "!heist and an amount" in (await stage.say("ann", "!heist 5"))[0]


async def test_an_end_whose_answer_is_lost_for_good_is_told_when_the_clock_tries_again(
    stage: Stage, store: Store
) -> None:
    await stage.want_proofs()
    await stage.say("ann", "!heist 69")
    await stage.turn(60 + 30)
    with answers_lost(store, unreadable=True):
        assert not any(line.startswith("Results") for line in await stage.turn(6))
    told = await stage.turn(5)
    assert sum(line.startswith("Results") for line in told) == 1
    assert await stage.pot() == 0
    assert "is over: seed" in stage.proven()[-1]


async def test_a_phase_whose_answer_is_lost_for_good_is_not_played_twice(stage: Stage, store: Store) -> None:
    await stage.say("ann", "!heist 69")
    with answers_lost(store, unreadable=True):
        await stage.turn(60)
    with capture_logs() as logged:
        told = await stage.turn(5)
    assert logged == [], "that the phase has ended already is no failure"
    assert stage.table.deadline == stage.watch.now() + 30 - 5, "of the getaway"
    assert sum(line.startswith("The target is") for line in told) == 1
    assert sum(line.startswith("Results") for line in await stage.turn(100)) == 1


async def test_while_the_database_fails_talk_does_not_stand_in_the_way_of_commands(
    stage: Stage, store: Store
) -> None:
    asked: list[object] = []
    commit = store.commit

    async def lose(*given: Any) -> None:
        asked.append(given)
        raise LOST

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "commit", lose)
        store._write_queue.well = False  # as the last write has left it
        for number in range(50):
            await stage.say(f"viewer {number}", "what is going on?")
        assert asked == []
        assert (await stage.say("ann", "!heist 69"))[0].startswith("> ann: That did not work just now")
        patch.setattr(store, "commit", commit)
        assert (
            "!heist and an amount" in (await stage.say("ann", "!heist 69"))[0]
        )  # and with it all is well again
    await stage.say("bob", "hello")
    assert await stage.credits("bob") == 240


async def test_a_command_that_waited_too_long_is_given_up_and_changes_nothing(stage: Stage) -> None:
    async with stage.room.order:
        waiting = asyncio.ensure_future(stage.bot.converse(stage.line("ann", "!heist 69")))
        for _ in range(5):
            await asyncio.sleep(0)  # until it stands in line
        await stage.watch.turn(11)
    await waiting
    assert (await stage.turn(0))[0].startswith("> ann: That did not work just now")
    assert stage.room.tables == {}


@contextmanager
def voids_lost(store: Store) -> Iterator[None]:
    """Write what has a transaction of its own, and answer it with an error."""
    write = store.write

    async def write_and_lose(*given: Any, **homes: Any) -> Any:
        await write(*given, **homes)
        raise LOST

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "write", write_and_lose)
        yield


async def test_a_calling_off_whose_answer_is_lost_is_looked_up(stage: Stage, store: Store) -> None:
    await stage.say("ann", "!heist 69")
    with voids_lost(store):
        assert await stage.say(MO, "!cancel heist") == [VOID]
    assert await stage.credits("ann") == 240


VOID = "Bank Heist was called off by mo; every stake has been returned."


async def test_a_calling_off_whose_answer_is_lost_is_told_once_it_is_known(
    stage: Stage, store: Store
) -> None:
    await stage.want_proofs()
    await stage.say(MO, "hello")
    await stage.say("ann", "!heist 69")
    with voids_lost(store), answers_lost(store, unreadable=True):
        assert (await stage.say(MO, "!cancel heist"))[0].endswith(LOOK)
    assert await stage.turn(60) == [VOID]
    assert "is over: seed" in stage.proven()[-1]
    assert await stage.credits("ann") == 240


async def test_a_settled_table_is_not_called_off_because_its_answer_was_lost(
    stage: Stage, store: Store
) -> None:
    await stage.say(MO, "hello")
    await stage.say("ann", "!heist 69")
    await stage.turn(60 + 30)
    with answers_lost(store, unreadable=True):
        await stage.turn(6)
    told = await stage.say(MO, "!cancel heist")
    assert VOID not in told
    assert any(line.startswith("Results") for line in told)


async def test_a_table_that_opened_unheard_is_found_by_the_clock(stage: Stage, store: Store) -> None:
    await stage.say("ann", "hello")
    with answers_lost(store, unreadable=True):
        await stage.say("ann", "!heist 69")
    told = await stage.turn(600)
    assert any(line.startswith("Results") for line in told)
    assert stage.table.over


async def test_a_table_that_opened_unheard_waits_until_the_games_go_on(stage: Stage, store: Store) -> None:
    await stage.say("ann", "hello")
    with answers_lost(store, unreadable=True):
        await stage.say("ann", "!heist 69")
    await stage.bot.control.doubt(["town"])
    await stage.turn(0)
    assert await stage.turn(60 + 30 + 6) == []
    await stage.bot.control.doubt([])
    assert await stage.turn(0) == ["Bank Heist goes on after a break: 15 seconds are left."]
    assert await stage.pot() == 69


async def test_a_number_that_is_taken_harms_no_other_table(stage: Stage, store: Store) -> None:
    """As by another process on the same database, or by chance."""
    await stage.say("ann", "!heist 69")
    taken = stage.table
    await doctor(store, "UPDATE game_table SET room = 'another', chain = NULL, link = NULL")
    stage.bot.parts.lifecycle._fairness._names[stage.room.id] = taken.id
    del stage.room.tables["heist"]
    assert "!heist and an amount" in (await stage.say("bob", "!heist 5"))[0]  # at another table
    assert await stage.bot.ledger.balances([taken.pot]) == {taken.pot: 69}
    assert stage.table.id != taken.id


async def test_a_line_that_comes_again_after_it_was_forgotten_opens_nothing_though_its_answer_is_lost(
    stage: Stage, store: Store
) -> None:
    await stage.say("ann", "!heist 69", line="tw:1")
    await stage.turn(60 + 30 + 6 + 300)
    held = await stage.credits("ann")
    stage.watch.set_calendar(86_400 * 2)
    stage.bot._deduplication._recent.clear()
    stage.bot._deduplication._swept_at = None
    with answers_lost(store, unreadable=False):
        assert await stage.say("ann", "!heist 69", line="tw:1") == []
    assert await stage.credits("ann") == held
    assert stage.table.over


async def test_no_line_that_waited_takes_the_place_of_a_table_that_is_resumed(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All lines wait while the database is silent; once it speaks, they are answered as the games go on."""
    await stage.say("ann", "!heist 69")
    table, greet, acquire = stage.table, stage.bot.parts.dispatcher._greet, stage.room.order.acquire
    waits, spoke, asked = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def ask() -> Literal[True]:
        asked.set()
        return await acquire()

    async def greet_late(*given: Any) -> None:
        waits.set()
        await spoke.wait()
        await greet(*given)

    await stage.bot.control.stop([stage.room], DOUBTED)
    monkeypatch.setattr(stage.bot.parts.dispatcher, "_greet", greet_late)
    line = asyncio.create_task(stage.say("bob", "!heist 69"))
    await waits.wait()
    monkeypatch.setattr(stage.room.order, "acquire", ask)
    resuming = asyncio.create_task(stage.bot.control.resume(stage.room))
    await asked.wait()
    spoke.set()
    await asyncio.gather(line, resuming)
    assert (stage.table.id, stage.table.over, await stage.pot()) == (table.id, False, 69)
    assert "> bob: You are in with 69 credits." in await stage.say("bob", "!heist 69")


async def test_while_its_tables_are_resumed_a_room_that_ends_with_the_program_plays_nothing_else(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.say("ann", "!heist 69")
    after, resumes = Stage(stage.store, run="b"), asyncio.Event()
    after.bot.control.hold()
    await after.open()

    async def resume(_: object) -> None:
        resumes.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(after.bot.parts.lifecycle, "resume", resume)
    releasing = asyncio.create_task(after.bot.control.release())
    await resumes.wait()
    releasing.cancel()
    await asyncio.wait([releasing])
    assert (after.room.stopped, after.bot.control.held) == (HELD, True)
    assert "The books are being checked" in (await after.say("bob", "!heist 69"))[-1]
