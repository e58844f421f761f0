"""Lines of one room that wait together: decided in order, committed as one, told after that."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from benchmarks.road_probe import OWN_FOLDERS, Profiler
from chatbot.bot.dispatcher import CROWD
from chatbot.bot.line_decision import LONGEST_WAIT
from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.books.unit import UnitOfWork
from chatbot.ledger.store import schema
from chatbot.ledger.store.writes import Contradiction
from chatbot.rooms.line import Line
from chatbot.speech.safe import plain
from tests.bot.hosting import LOBBY
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from sqlalchemy import Table

    from chatbot.kernel.say import Message
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.room import Room
    from chatbot.speech.safe import Dress

RAID = 300  # people
MOST_CALLS = 520
"""Calls of our own functions for each known member who joins in a raid.

480 of them, before amounts were read with their separators and words, and whoever has raised what a game pays
was kept from it on that day.
"""


def crew(stage: Stage) -> set[str]:
    return {
        each.seat.partition(":")[2] for each in stage.table.kit.display.board(stage.table.view(None)).places
    }


async def rows(stage: Stage, table: Table) -> int:
    async with stage.store.reading() as connection:
        return int((await connection.execute(select(func.count()).select_from(table))).scalar_one())


async def together(stage: Stage, *spoken: tuple[str, str]) -> list[str]:
    """Let several people speak before any of them is answered."""
    heard = len(stage.adapter.deliveries)
    await asyncio.gather(*(stage.bot.converse(stage.line(who, text)) for who, text in spoken))
    await stage.watch.turn()
    return stage.said(heard)


@pytest.fixture
async def stage(store: Store) -> Stage:
    return await Stage(store).open()


@pytest.mark.slow
async def test_a_raid_of_newcomers_is_in_by_a_few_transactions(stage: Stage) -> None:
    await stage.say("ann", "!heist 69")
    before = stage.store.written
    raiders = [f"raider{number}" for number in range(RAID)]
    told = await together(stage, *((each, "!heist 40") for each in raiders))
    assert crew(stage) == {"ann", *raiders}
    assert stage.store.written - before < RAID / 20
    assert sum("You are in with 40 credits" in each for each in told) == RAID
    assert await stage.credits("raider7") == 200
    assert await stage.pot() == 69 + 40 * RAID
    assert await breaches(stage.store) == []


@pytest.mark.slow
@pytest.mark.parametrize("crowd", [CROWD, 3])
async def test_those_who_come_just_after_a_crowd_are_committed_together(stage: Stage, *, crowd: int) -> None:
    """After a crowd lines gather for a moment; after a few people nobody waits for others."""
    late = [f"late{number}" for number in range(5)]
    raiders = [f"raider{number}" for number in range(crowd)]
    await together(stage, *((each, "hello") for each in (*raiders, *late)))
    await stage.say("ann", "!heist 69")
    await together(stage, *((each, "!heist 40") for each in raiders))
    before, coming = stage.store.written, list[asyncio.Task[bool]]()
    for each in late:
        coming.append(asyncio.create_task(stage.bot.converse(stage.line(each, "!heist 40"))))
        if crowd < CROWD:
            await asyncio.wait(coming)
        await asyncio.sleep(0)
    await asyncio.gather(*coming)
    assert crew(stage) == {"ann", *raiders, *late}
    assert stage.store.written - before == (1 if crowd == CROWD else len(late))


@pytest.mark.slow
@pytest.mark.parametrize("known", [True, False])
async def test_a_raid_is_looked_up_together_and_not_one_by_one(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, *, known: bool
) -> None:
    """Their balances, their lines, their seats, and whether they were ever told how the game goes."""
    raiders = [f"raider{number}" for number in range(RAID)]
    if known:
        await together(stage, *((each, "hello") for each in raiders))
    await stage.say("ann", "!heist 69")
    read, reading = list[None](), stage.store.reading

    def counted() -> Any:
        read.append(None)
        return reading()

    monkeypatch.setattr(stage.store, "reading", counted)
    await together(stage, *((each, "!heist 40") for each in raiders))
    assert len(crew(stage)) == 1 + RAID
    assert len(read) < RAID / 20


@pytest.mark.slow
async def test_who_joins_is_seated_by_the_posting_of_the_stake(stage: Stage) -> None:
    """A posting of its own for the seat would cost a crowd as much as the stake."""
    raiders = [f"raider{number}" for number in range(RAID)]
    await stage.say("ann", "!heist 69")
    await together(stage, *((each, "hello") for each in raiders[:100]))  # these are seated by it
    postings, turns = await rows(stage, schema.posting), await rows(stage, schema.journal)
    await together(stage, *((each, "!heist 40") for each in raiders[:100]))
    assert await rows(stage, schema.posting) - postings == 100
    assert await rows(stage, schema.journal) - turns == 100
    await together(stage, *((each, "!heist 40") for each in raiders[100:]))
    assert await rows(stage, schema.posting) - postings == 100 + 2 * 200  # those are new: a welcome each
    assert await rows(stage, schema.journal) - turns == 100 + 2 * 200  # a turn to sit down, one to stake
    assert {seat(each) for each in raiders} <= stage.table.seated


async def test_who_may_not_join_is_seated_all_the_same(stage: Stage) -> None:
    """Payday is for all who are there, also for those whose stake is refused."""
    await stage.say("ann", "!heist 69")
    assert seat("bob") not in stage.table.seated
    assert any("bob" in each for each in await stage.say("bob", "!heist 100000"))
    assert seat("bob") in stage.table.seated
    assert crew(stage) == {"ann"}
    assert await breaches(stage.store) == []


@pytest.mark.slow
async def test_a_known_member_who_joins_in_a_raid_costs_few_calls(stage: Stage) -> None:
    """What is done for each of a crowd is done again and again: it was 598 calls of our functions."""
    raiders = [f"raider{number}" for number in range(RAID)]
    await together(stage, *((each, "hello") for each in raiders))
    await stage.turn(7200)
    await stage.say("ann", "!heist 69")
    with Profiler(OWN_FOLDERS).listening() as profiler:
        tally = profiler.begin()
        await together(stage, *((each, "!heist 40") for each in raiders))
        profiler.end()
    assert len(crew(stage)) == 1 + RAID
    assert tally.calls < MOST_CALLS * RAID


@pytest.mark.slow
async def test_a_line_is_copied_once_to_have_its_speaker(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    raiders = [f"raider{number}" for number in range(RAID)]
    await together(stage, *((each, "hello") for each in raiders))
    await stage.say("ann", "!heist 69")
    made, make = list[None](), Line.__init__

    def counted(line: Line, *given: Any, **named: Any) -> None:
        made.append(None)
        make(line, *given, **named)

    monkeypatch.setattr(Line, "__init__", counted)
    await together(stage, *((each, "!heist 40") for each in raiders))
    assert len(crew(stage)) == 1 + RAID
    assert len(made) == 2 * RAID  # each as it was typed, and with its speaker


async def test_a_reply_that_a_platform_does_not_show_is_not_worded(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    worded, text = list[str](), stage.bot.outbox.text

    def noted(message: Message, dress: Dress = plain, room: Room | None = None) -> str:
        worded.append(message.id)
        return text(message, dress, room)

    await stage.say("ann", "!heist 69")
    monkeypatch.setattr(stage.bot.outbox, "text", noted)
    replies = await stage.bot.hear(stage.line("bob", "!heist 40"), shows=lambda _: False)
    assert replies.taken
    assert replies.deliveries == ()
    assert "heist-you-joined" not in worded
    replies = await stage.bot.hear(stage.line("cat", "!heist 40"), shows=lambda _: True)
    assert any("You are in with 40 credits" in each.text for each in replies.deliveries)
    assert "heist-you-joined" in worded


async def test_who_came_before_the_lobby_closed_is_in_though_the_clock_rang_meanwhile(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first line is being written when the time is up: those behind it came before that."""
    await stage.say("ann", "!heist 69")
    commit, writing, going_on = stage.store.commit, asyncio.Event(), asyncio.Event()

    async def slow(*given: Any) -> None:
        writing.set()
        await going_on.wait()
        await commit(*given)

    monkeypatch.setattr(stage.store, "commit", slow)
    first = asyncio.create_task(stage.bot.converse(stage.line("bob", "!heist 20")))
    await writing.wait()
    others = [asyncio.create_task(stage.bot.converse(stage.line(who, "!heist 20"))) for who in ("cid", "dan")]
    await asyncio.sleep(0)
    ringing = asyncio.create_task(stage.watch.turn(LOBBY))
    while stage.watch.now() < LOBBY:  # noqa: ASYNC110  (what happens sets no event)
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    late = asyncio.create_task(stage.bot.converse(stage.line("eve", "!heist 20")))
    await asyncio.sleep(0)
    going_on.set()
    await asyncio.gather(first, *others, ringing, late)
    assert crew(stage) == {"ann", "bob", "cid", "dan"}
    assert await stage.credits("eve") == 240


async def test_a_join_that_waited_long_is_taken_while_its_lobby_is_open(stage: Stage) -> None:
    await stage.say("ann", "!heist 69")
    async with stage.room.order:  # the room is slow
        joining = asyncio.create_task(stage.bot.converse(stage.line("bob", "!heist 20")))
        await asyncio.sleep(0)
        await stage.turn(LONGEST_WAIT + 1)
    await joining
    assert crew(stage) == {"ann", "bob"}


@pytest.mark.parametrize(
    "error", [Contradiction("on purpose"), OperationalError("", None, OSError("locked"))]
)
async def test_what_cannot_be_committed_together_is_answered_one_by_one(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """A commit of several that fails leaves nothing behind; each of its lines is then written by itself."""
    await stage.say("ann", "!heist 69")
    for who in ("bob", "cid"):
        await stage.say(who, "hello")
    commit, sizes = UnitOfWork.commit, list[int]()

    async def alone_only(unit: UnitOfWork) -> None:
        sizes.append(len(unit._books.accepted))
        if sizes[-1] > 1:
            raise error
        await commit(unit)

    monkeypatch.setattr(UnitOfWork, "commit", alone_only)
    told = await together(stage, ("bob", "!heist 20"), ("cid", "!heist 30"), ("bob", "!heist 20"))
    assert sizes[0] > 1, "they were tried together first"
    assert crew(stage) == {"ann", "bob", "cid"}
    assert (await stage.credits("bob"), await stage.credits("cid")) == (220, 210)
    assert [each for each in told if "have staked" in each or "already" in each]
    assert await stage.pot() == 69 + 50
    assert await breaches(stage.store) == []


async def test_nothing_is_told_before_it_is_committed(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    await stage.say("ann", "!heist 69")
    commit, told = stage.store.commit, list[int]()

    async def watched(*given: Any) -> None:
        await stage.watch.turn()
        told.append(len(stage.adapter.deliveries))
        await commit(*given)

    before = len(stage.adapter.deliveries)
    monkeypatch.setattr(stage.store, "commit", watched)
    await together(stage, ("bob", "!heist 20"), ("cid", "!heist 20"))
    assert told[0] == before
    assert len(stage.adapter.deliveries) > before


async def test_a_line_sees_what_the_one_before_it_has_spent(stage: Stage) -> None:
    """Both wait together; the second would have paid with the same credits."""
    await stage.say("ann", "hello")
    told = await together(stage, ("ann", "!highshow 5 2 200"), ("ann", "!heist 200"))
    assert any("40 credits" in each for each in told)
    assert await stage.credits("ann") == 40
    assert await breaches(stage.store) == []


async def test_a_command_among_joins_is_answered_in_its_turn(stage: Stage) -> None:
    await stage.say("ann", "!heist 69")
    told = await together(stage, ("bob", "!heist 20"), ("bob", "!credits"), ("cid", "!heist 20"))
    assert crew(stage) == {"ann", "bob", "cid"}
    assert [each for each in told if "bob has 220 credits" in each]
    assert stage.room.active(0.0) == [seat(who) for who in ("ann", "bob", "cid")]


async def test_what_fails_after_the_commit_keeps_nobody_else_from_being_told(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the clock of the table runs, though it is started after the commit too."""

    async def fail(*_: object) -> None:
        raise OperationalError("", None, OSError("locked"))

    await stage.say("ann", "hello")
    monkeypatch.setattr(stage.bot.parts.line_listeners, "heard", fail)
    told = await together(stage, ("ann", "!heist 69"), ("bob", "!heist 20"))
    assert "!heist and an amount" in told[0]
    assert [each for each in told if "You are in with 20" in each]
    assert "The target is" in (await stage.turn(LOBBY))[-1]


async def test_many_rooms_that_are_opened_at_once_are_a_few_transactions(stage: Stage) -> None:
    before, rooms = stage.store.written, [stage.new_room(f"bar{number}") for number in range(RAID // 10)]
    await asyncio.gather(*map(stage.bot.open, rooms))
    assert stage.store.written - before < len(rooms)
    async with stage.store.reading() as connection:
        chains = await connection.execute(select(schema.chain.c.room).where(schema.chain.c.length > 0))
    assert {each.id for each in rooms} < set(chains.scalars())
