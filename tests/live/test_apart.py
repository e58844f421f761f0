"""What a room promises where each member plays alone: tables that stand apart, and thoughts beside them."""

from __future__ import annotations

import asyncio
import threading
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
import structlog
from structlog.testing import capture_logs

from chatbot.games import kits
from chatbot.games.highshow import orders
from chatbot.games.highshow.moves import HintAsked, Revealed
from chatbot.kernel.say import Message, Say
from tests.live.stage import Stage, seat
from tests.live.test_restart import restarted

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from chatbot.kernel.kit import Kit
    from chatbot.live.table import Table
    from chatbot.wallets.store import Store

MO = "mo(moderator)"
START = 240  # credits of a newcomer
DECISION, ESTIMATES, LINGER = 60, 45, 60
VOID = "High Show was called off; every stake has been returned."
TERMS = "5 2 linear=1"  # of a game that is quickly solved, and so takes stakes


def game(stage: Stage, who: str) -> Table:
    return stage.room.tables[f"highshow {seat(who)}"]


def rejected(stage: Stage, who: str) -> int:
    return len(game(stage, who).view(None).progress.rejected)


def kept(stage: Stage, who: str) -> int:
    return len(game(stage, who).view(None).progress.kept)


async def opened(store: Store, *people: str, stake: int = 0, run: str = "a") -> Stage:
    """Open a house in which these people play."""
    stage = await Stage(store, run=run).open()
    for who in people:
        assert "plays High Show" in (await stage.say(who, f"!highshow {TERMS} {stake}"))[0]
    return stage


# Tables


async def test_several_play_at_once_and_each_word_finds_the_table_of_its_speaker(store: Store) -> None:
    stage = await opened(store, "ann", "bob", "kim")
    await stage.say("bob", "!another")
    await stage.say("kim", "!cashout")
    assert [rejected(stage, who) for who in ("ann", "bob", "kim")] == [0, 1, 0]
    assert [kept(stage, who) for who in ("ann", "bob", "kim")] == [0, 0, 1]
    assert len({game(stage, who).id for who in ("ann", "bob", "kim")}) == 3


async def test_one_who_plays_cannot_begin_a_second_game(store: Store) -> None:
    stage = await opened(store, "ann", stake=50)
    before = game(stage, "ann").state
    told = await stage.say("ann", f"!highshow {TERMS} 20")
    assert told == ["> ann: You are in a game already; finish that one first."]
    assert game(stage, "ann").state is before
    assert await stage.credits("ann") == START - 50


async def test_who_plays_nothing_is_told_how_to_begin_though_others_play(store: Store) -> None:
    stage = await opened(store, "ann")
    before = game(stage, "ann").state
    for word in ("!cashout", "!another", "!hint", "!guess 3 4"):
        told = await stage.say("bob", word)
        assert told == ["> bob: Nothing of that kind is running; start it with !highshow."], word
    assert game(stage, "ann").state is before


async def test_one_more_than_may_play_at_once_is_refused_until_a_game_ends(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say(MO, "!set highshow games 2")
    for who in ("ann", "bob"):
        await stage.say(who, f"!highshow {TERMS}")
    told = await stage.say("kim", f"!highshow {TERMS} 50")
    assert len(told) == 1
    assert told[0].startswith("> kim: ")
    assert "2" in told[0]
    assert await stage.credits("kim") == START
    assert f"highshow {seat('kim')}" not in stage.room.tables
    await stage.say(MO, "!cancel highshow @ann")
    assert "kim plays" in (await stage.say("kim", f"!highshow {TERMS} 50"))[0]


async def test_cancel_calls_all_off_and_every_stake_goes_back(store: Store) -> None:
    stage = await opened(store, "ann", "bob", stake=50)
    assert await stage.say(MO, "!cancel highshow") == [VOID, VOID]
    assert [await stage.credits(who) for who in ("ann", "bob")] == [START, START]
    assert not stage.room.playing("highshow")


async def test_cancel_with_a_name_calls_that_table_off_alone(store: Store) -> None:
    stage = await opened(store, "ann", "bob", stake=50)
    assert await stage.say(MO, "!cancel highshow @ann") == [VOID]
    assert [await stage.credits(who) for who in ("ann", "bob")] == [START, START - 50]
    assert stage.room.playing("highshow") == [game(stage, "bob")]
    told = await stage.say(MO, "!cancel highshow @ann")
    assert told == ["> mo: Nothing of that kind is running; start it with !highshow."]


@pytest.mark.parametrize("end", ["played", "called off"])
async def test_a_table_that_is_over_goes_away_after_a_minute(store: Store, end: str) -> None:
    stage = await opened(store, "ann", "bob")
    if end == "played":
        for word in ("!cashout", "!cashout", "!guess skip"):
            await stage.say("ann", word)
    else:
        await stage.say(MO, "!cancel highshow @ann")
    assert game(stage, "ann").over
    await stage.turn(LINGER - 2)
    assert f"highshow {seat('ann')}" in stage.room.tables
    await stage.turn(2)
    assert f"highshow {seat('ann')}" not in stage.room.tables
    assert f"highshow {seat('bob')}" in stage.room.tables, "who still plays is left alone"


async def test_a_game_that_begins_meanwhile_does_not_go_away_with_the_one_before(store: Store) -> None:
    stage = await opened(store, "ann")
    for word in ("!cashout", "!cashout", "!guess skip"):
        await stage.say("ann", word)
    await stage.say("ann", f"!highshow {TERMS}")
    second = game(stage, "ann").id
    await stage.turn(DECISION - 1)
    await stage.say("ann", "!another")
    await stage.turn(10)
    assert game(stage, "ann").id == second
    assert not game(stage, "ann").over


async def test_the_button_of_somebody_elses_table_changes_nothing(store: Store) -> None:
    stage = await opened(store, "ann", "bob", stake=50)
    states = [game(stage, who).state for who in ("ann", "bob")]
    for word in ("!cashout", "!another", "!hint", "!guess skip skip"):
        for who in ("bob", "kim"):
            heard = len(stage.door.deliveries)
            line = replace(stage.line(who, word), table=game(stage, "ann").id)
            await stage.house.hear(line)
            await stage.turn(0)
            assert stage.said(heard) == [f"> {who}: ann plays this one; start your own with !highshow."]
    assert [game(stage, who).state for who in ("ann", "bob")] == states
    assert game(stage, "ann").seated == {seat("ann")}
    assert [await stage.credits(who) for who in ("ann", "bob", "kim")] == [START - 50, START - 50, START]


async def test_the_button_of_a_game_that_is_over_plays_no_other(store: Store) -> None:
    stage = await opened(store, "ann")
    first = game(stage, "ann").id
    for word in ("!cashout", "!cashout", "!guess skip", f"!highshow {TERMS}"):
        await stage.say("ann", word)
    heard, before = len(stage.door.deliveries), game(stage, "ann").state
    await stage.house.hear(replace(stage.line("ann", "!cashout"), table=first))
    await stage.turn(0)
    assert len(stage.said(heard)) == 1
    assert "over" in stage.said(heard)[0]
    assert game(stage, "ann").state is before


async def test_each_clock_runs_by_itself(store: Store) -> None:
    stage = await opened(store, "ann")
    await stage.turn(40)
    await stage.say("bob", f"!highshow {TERMS}")
    await stage.turn(20)
    assert (kept(stage, "ann"), kept(stage, "bob")) == (1, 0)
    await stage.turn(40)
    assert (kept(stage, "ann"), kept(stage, "bob")) == (1, 1)


async def test_fair_tells_the_seal_of_every_table_and_each_can_be_verified(store: Store) -> None:
    stage = await opened(store, "ann", "bob", stake=50)
    ids = [game(stage, who).id for who in ("ann", "bob")]
    assert len(set(ids)) == 2
    told = " ".join(await stage.say("kim", "!fair highshow"))
    seals = [line for line in stage.proven() if "is sealed" in line]
    assert len(seals) == 2
    for seal in seals:
        assert seal in told
    for who in ("ann", "bob"):
        for word in ("!another", "!cashout", "!cashout", "!guess 3 4"):
            await stage.say(who, word)
    for table in ids:
        verdict = await stage.say("kim", f"!verify {table}")
        assert verdict[0].startswith(f"Table {table} checks out: ")


# A restart


async def test_a_restart_takes_every_table_up_with_its_own_clock(store: Store) -> None:
    before = await opened(store, "ann", "bob", stake=50)
    await before.turn(10)
    await before.say("kim", f"!highshow {TERMS} 10")
    await before.say("bob", "!another")
    states = {who: game(before, who).state for who in ("ann", "bob", "kim")}
    await before.turn(5)
    after = await restarted(before, asleep=5)
    # ann's card was shown 20 seconds ago, of 60; the others' cards 10 seconds ago.
    cards = {who: game(after, who).state.progress.shown for who in ("ann", "bob", "kim")}
    assert sorted(after.said()) == [
        f"@{who}: High Show goes on after a break: {left} seconds are left. "
        f"{cards[who]} is shown: !cashout keeps it, !another rejects it."
        for who, left in (("ann", 40), ("bob", 50), ("kim", 50))
    ]
    assert {who: game(after, who).state for who in ("ann", "bob", "kim")} == states
    await after.say("bob", "!cashout")
    assert kept(after, "bob") == 1
    await after.turn(40)
    assert [kept(after, who) for who in ("ann", "bob", "kim")] == [1, 1, 0]


async def test_a_game_that_is_cut_off_anywhere_ends_as_if_it_had_not_been(tmp_path: Any) -> None:
    from chatbot.wallets.store import Store  # noqa: PLC0415

    moves = ["!highshow 6 2 linear=1 50", "!another", "!cashout", "!another", "!cashout", "!guess 3 4"]

    async def ending(crash_at: int | None) -> tuple[list[str], int]:
        store = await Store.open(f"sqlite:///{tmp_path}/{crash_at}.db")
        stage = await Stage(store).open()
        for number, text in enumerate(moves):
            if number == crash_at:
                stage = await restarted(stage)
            await stage.say("ann", text, line=f"line {number}")
        told = [line for line in stage.said() if "K was" in line or "staked" in line]
        credits_left = await stage.credits("ann")
        await store.close()
        return told, credits_left

    whole = await ending(None)
    assert len(whole[0]) == 2
    for crash_at in range(1, len(moves)):
        assert await ending(crash_at) == whole, crash_at


@pytest.mark.parametrize("end", ["settled", "void"])
async def test_an_end_that_was_written_just_before_a_crash_is_told_after_it(store: Store, end: str) -> None:
    before = await opened(store, "ann", "bob", stake=50)
    for word in ("!cashout", "!cashout"):
        await before.say("ann", word)
    before.door.deliveries.clear()

    async def crash(*_: object) -> None:
        raise SystemExit

    table = game(before, "ann")
    table.told = table.broken = crash
    with pytest.raises(SystemExit):
        await (before.turn(ESTIMATES) if end == "settled" else table.void())
    assert before.said() == []
    after = await restarted(before)
    told = after.said()
    assert any("K was" in line for line in told) == (end == "settled")
    assert any(line.startswith("Review for ann") for line in told) == (end == "settled")
    assert (VOID in told) == (end == "void")
    assert after.room.playing("highshow") == [game(after, "bob")]
    again = await restarted(after, "c")
    assert not [line for line in again.said() if "ann" in line or line == VOID]


# Thoughts


class Held:
    """A thought that lasts until it is let go."""

    def __init__(self) -> None:
        self.begun, self.going = threading.Event(), threading.Event()

    def __call__(self, event: Any) -> Iterable[Say]:
        self.begun.set()
        assert self.going.wait(20), "it was never let go"
        return [Say(Message("word", {"word": "a long thought"}))]

    async def under_way(self) -> None:
        assert await asyncio.to_thread(self.begun.wait, 20)


def thinking(**changed: Any) -> dict[str, Kit]:
    """Give High Show with other thoughts, or other commands."""
    return {"highshow": replace(kits()["highshow"], **changed)}


@asynccontextmanager
async def meanwhile(stage: Stage, held: Held) -> AsyncIterator[None]:
    """Let the watch of a house ring while a thought is under way, which ends afterwards."""
    thought = asyncio.ensure_future(stage.watch.turn())
    await held.under_way()
    try:
        yield
    finally:
        held.going.set()
        await thought
        await stage.turn(0)


async def test_a_thought_holds_up_neither_its_own_room_nor_another(store: Store) -> None:
    held = Held()
    stage = await Stage(store, thinking(ponders={HintAsked: held})).open()
    await stage.house.open(stage.new_room("other"))
    await stage.say("ann", f"!highshow {TERMS}")
    await stage.house.hear(stage.line("ann", "!hint"))
    async with meanwhile(stage, held):
        assert "bob plays" in (await stage.say("bob", f"!highshow {TERMS}"))[0]
        heard = len(stage.door.deliveries)
        await stage.house.hear(stage.line("kim", "!highshow 5 2", room="other"))
        await stage.turn(0)
        assert "kim plays" in stage.said(heard)[0]
        await stage.say("ann", "!another")
        assert rejected(stage, "ann") == 1
        assert "a long thought" not in stage.said()
    assert stage.said()[-1] == "a long thought"


async def test_the_end_is_told_before_the_thought_about_it(store: Store) -> None:
    stage = await opened(store, "ann")
    await stage.say("ann", "!another")
    await stage.say("ann", "!cashout")
    await stage.say("ann", "!cashout")
    told = await stage.say("ann", "!guess skip")
    assert "K was" in told[0]
    assert told[-1].startswith("Review for ann")


async def test_a_thought_that_fails_is_logged_and_nothing_else_happens(store: Store) -> None:
    def broken(event: Any) -> Iterable[Say]:
        raise ZeroDivisionError(repr(event))

    stage = await Stage(store, thinking(ponders={HintAsked: broken, Revealed: broken})).open()
    await stage.say("ann", f"!highshow {TERMS} 50")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("error"))
    with capture_logs() as entries:
        for word in ("!cashout", "!cashout", "!guess skip"):
            await stage.say("ann", word)
    assert [each["event"] for each in entries] == ["a thought came to nothing"]
    assert game(stage, "ann").over
    assert any("staked 50" in line for line in stage.said())
    assert not stage.house.thinks("a:4"), "nobody waits for it any more"


async def test_an_opening_that_takes_long_to_read_holds_up_no_other_room(store: Store) -> None:
    begun, going = threading.Event(), threading.Event()

    def slowly(game: Any, request: Any) -> Any:
        begun.set()
        assert going.wait(20), "it was never let go"
        return orders.read_open(game, request)

    usual = kits()["highshow"].commands
    commands = (replace(usual[0], read=slowly), *usual[1:])
    stage = await Stage(store, {**kits(), **thinking(commands=commands)}).open()
    await stage.house.open(stage.new_room("other"))
    opening = asyncio.ensure_future(stage.house.hear(stage.line("ann", f"!highshow {TERMS} 50")))
    assert await asyncio.to_thread(begun.wait, 20)
    heard = len(stage.door.deliveries)
    await stage.house.hear(stage.line("kim", "!heist 5", room="other"))
    await stage.turn(0)
    assert "kim is planning" in stage.said(heard)[0]
    assert stage.room.tables == {}
    going.set()
    await opening
    await stage.turn(0)
    assert await stage.credits("ann") == START - 50


async def test_an_opening_does_not_wait_for_thoughts_of_others(store: Store) -> None:
    held = Held()
    stage = await Stage(store, thinking(ponders={Revealed: held})).open()
    await stage.say("ann", f"!highshow {TERMS}")
    for word in ("!cashout", "!cashout"):
        await stage.say("ann", word)
    await stage.house.hear(stage.line("ann", "!guess skip"))
    async with meanwhile(stage, held):
        assert "bob plays" in " ".join(await stage.say("bob", f"!highshow {TERMS} 50"))


async def test_thoughts_of_one_kind_come_one_after_the_other(store: Store) -> None:
    begun: list[Any] = []
    held = Held()

    def counted(event: Any) -> Iterable[Say]:
        begun.append(event)
        return held(event)

    stage = await Stage(store, thinking(ponders={HintAsked: counted})).open()
    turning = []
    for who in ("ann", "bob"):
        await stage.say(who, f"!highshow {TERMS}")
        await stage.house.hear(stage.line(who, "!hint"))
        turning.append(asyncio.ensure_future(stage.watch.turn()))
        await held.under_way()
        await asyncio.to_thread(bool)  # there would be threads for more
        assert len(begun) == 1
    held.going.set()
    await asyncio.gather(*turning)
    await stage.turn(0)
    assert stage.said().count("a long thought") == 2
