"""A restart costs nobody a credit or a turn: tables go on, or give everything back."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.bot import lifecycle
from chatbot.games import kits
from chatbot.ledger.audit.checks import breaches
from chatbot.tables.replay import Replay, replay
from tests.bot.stage import Stage
from tests.contests import contest_kits
from tests.generous import let_give
from tests.ledger.samples import doctor, everything

if TYPE_CHECKING:
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.books.journal import TableRecord
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

MO = "mo(moderator)"
LOBBY, GETAWAY, SUSPENSE, COOLDOWN = 60, 30, 6, 300
VOID = "Bank Heist was called off; every stake has been returned."


async def restarted(before: Stage, run: str = "b", asleep: float = 0.0) -> Stage:
    """Leave a house as a crash would, and open another on the same database so many seconds later."""
    after = Stage(before.store, run=run)
    after.watch.set_calendar(before.watch.now() + asleep)
    return await after.open()


async def played(store: Store, moves: list[tuple[str, str]], crash_at: int | None) -> list[str]:
    """Play a whole heist with these moves, the house dying at one of them; give how it ended."""
    stage = await Stage(store).open()
    for number, (who, text) in enumerate(moves):
        if number == crash_at:
            stage = await restarted(stage)
        if who == "+":
            await stage.turn(float(text))
        else:
            await stage.say(who, text, line=f"line {number}")
    return [line for line in stage.said() if "Results" in line]


MOVES = [
    ("ann", "!heist 69"),
    ("bob", "!heist half"),
    ("cat", "good evening"),
    ("+", "60"),
    ("ann", "!guncheck"),
    ("bob", "!allin"),
    ("+", "40"),
]


async def test_wherever_a_heist_is_cut_off_it_ends_as_if_it_had_not_been(tmp_path: object) -> None:
    from chatbot.ledger.store.store import Store  # noqa: PLC0415

    async def ending(crash_at: int | None) -> tuple[list[str], object]:
        store = await Store.open(f"sqlite:///{tmp_path}/{crash_at}.db")
        said = await played(store, MOVES, crash_at)
        rows = await everything(store)
        assert await breaches(store) == []
        await store.close()
        return said, (rows["purse"], [row[1:10] for row in rows["transfer"]])

    whole = await ending(None)
    assert len(whole[0]) == 1
    for crash_at in range(1, 7):
        assert await ending(crash_at) == whole, crash_at


async def test_a_table_goes_on_with_the_time_it_has_left_and_says_so(store: Store) -> None:
    before = await Stage(store).open()
    await before.say("ann", "!heist 100")
    await before.turn(20)
    after = await restarted(before, asleep=10)
    assert after.said() == ["Bank Heist goes on after a break: 30 seconds are left."]
    assert await after.say("bob", "!heist 5") == ["> bob: You are in with 5 credits."]
    assert await after.turn(29) == []
    assert "The target is" in (await after.turn(1))[0]


@pytest.mark.parametrize("asleep", [46, 3600, 10 * 365 * 86_400])
async def test_nobody_loses_a_turn_to_a_long_break(store: Store, asleep: float) -> None:
    before = await Stage(store).open()
    await before.say("ann", "!heist 100")
    after = await restarted(before, asleep=asleep)
    assert after.said() == ["Bank Heist goes on after a break: 15 seconds are left."]
    assert await after.turn(14) == []
    assert "The target is" in (await after.turn(1))[0]


async def test_a_calendar_that_was_set_back_makes_no_phase_longer(store: Store) -> None:
    before = await Stage(store).open()
    await before.say("ann", "!heist 100")
    after = await restarted(before, asleep=-3600)
    assert after.said() == ["Bank Heist goes on after a break: 60 seconds are left."]


async def test_starting_again_and_again_changes_nothing(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say("ann", "!heist 100")
    before = await everything(store)
    for run in "bcd":
        stage = await restarted(stage, run)
        assert await everything(store) == before


async def test_the_same_draws_are_still_to_come_after_a_restart(store: Store) -> None:
    """Otherwise a host could start again until it likes what is drawn."""
    before = await Stage(store).open()
    (pledge,) = await before.say("ann", "!fair heist")
    after = await restarted(before)
    assert await after.say("ann", "!fair heist") == [pledge]
    await after.say("ann", "!heist 5")
    again = await restarted(after, "c")
    assert (await again.say("ann", "!fair heist"))[1] != pledge


async def test_a_table_of_other_rules_is_voided_and_never_misread(store: Store) -> None:
    before = await Stage(store).open()
    await before.say("ann", "!heist 100")
    newer = {
        "heist": replace(
            contest_kits()["heist"],
            rules=replace(contest_kits()["heist"].rules, version=kits()["heist"].rules.version + 1),
        )
    }
    after = await Stage(store, newer, run="b").open()
    assert after.said() == [VOID]
    assert await after.credits("ann") == 240
    assert "!heist and an amount" in (await after.say("ann", "!heist 5"))[0]


async def test_a_table_of_a_game_that_is_gone_is_voided(store: Store) -> None:
    before = await Stage(store).open()
    await before.say("ann", "!heist 100")
    await doctor(store, "UPDATE game_table SET game = 'poker'")
    after = await restarted(before)
    assert after.said() == ["A game was called off; every stake has been returned."]
    assert await after.credits("ann") == 240


@pytest.mark.parametrize(
    "corruption",
    [
        "UPDATE journal SET action = '{' WHERE turn = 2",
        "UPDATE journal SET action = '{\"Steal\":{}}' WHERE turn = 2",
        "UPDATE journal SET purses = '[]' WHERE turn = 2",
        "UPDATE journal SET line = 'another' WHERE turn = 2",
        "UPDATE journal SET action = replace(action, '100', '99')",
        "DELETE FROM journal WHERE turn = 2",
        "DELETE FROM step",
        'UPDATE game_table SET settings = \'{"lobby":"soon"}\'',
        "UPDATE game_table SET settings = 'nonsense'",
    ],
)
async def test_a_table_with_a_corrupt_row_is_voided_and_its_stakes_come_back(
    doctored: Store, corruption: str
) -> None:
    store = doctored
    before = await Stage(store).open()
    await before.say("ann", "!heist 100")
    await before.say("bob", "!heist 40")
    rows = await everything(store)
    await doctor(store, corruption)
    assert await everything(store) != rows, "the corruption must be one"
    after = await restarted(before)
    assert after.said() == [VOID]
    assert (await after.credits("ann"), await after.credits("bob")) == (240, 240)
    again = await restarted(after, "c")
    assert again.said() == []
    assert [each for each in await breaches(store) if "holds" in each or "sums" in each] == []


async def test_a_cooldown_goes_on_over_a_restart(store: Store) -> None:
    before = await Stage(store).open()
    await before.say("ann", "!heist 69")
    await before.turn(LOBBY + GETAWAY + SUSPENSE + 100)
    after = await restarted(before, asleep=50)
    assert (await after.say("ann", "!heist 1"))[0].endswith("!heist again in 150 seconds.")
    assert await after.turn(150) == ["The heat is off: Bank Heist can be played again with !heist."]


async def test_a_start_replays_no_table_of_a_game_without_a_cooldown(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To replay a deck of High Show takes a second or two, and it has nothing to say about any cooldown."""
    before = await Stage(store).open()
    await before.say("ann", "!highshow stake=10")
    await before.say("bob", "!heist 20")
    await before.turn(3000)
    replayed = list[str]()

    def recorded(kit: AnyKit, story: TableRecord) -> Replay:
        replayed.append(kit.name)
        return replay(kit, story)

    monkeypatch.setattr(lifecycle, "replay", recorded)
    await restarted(before)
    assert replayed == ["heist"]


@pytest.mark.parametrize(("jump", "seconds"), [(-3600, 200), (3600, 200), (10 * 365 * 86_400, 200)])
async def test_no_jump_of_the_calendar_moves_a_cooldown_or_a_phase(
    stage: Stage, jump: float, seconds: int
) -> None:
    await stage.say("ann", "!heist 69")
    stage.watch.set_calendar(jump)
    assert await stage.turn(LOBBY - 1) == []
    assert "The target is" in (await stage.turn(1))[0]
    stage.watch.set_calendar(-jump)
    ends = [line for line in await stage.turn(GETAWAY + SUSPENSE + 100) if line.startswith("Results")]
    assert len(ends) == 1
    stage.watch.set_calendar(jump)
    assert (await stage.say("ann", "!heist 1"))[0].endswith(f"!heist again in {seconds} seconds.")


async def test_a_cooldown_that_a_calendar_set_back_over_a_restart_is_not_longer(store: Store) -> None:
    before = await Stage(store).open()
    await before.say("ann", "!heist 69")
    await before.turn(LOBBY + GETAWAY + SUSPENSE)
    after = await restarted(before, asleep=-7200)
    assert (await after.say("ann", "!heist 1"))[0].endswith(f"!heist again in {COOLDOWN} seconds.")


async def test_what_was_acted_on_before_a_restart_is_not_acted_on_again(store: Store) -> None:
    before = await Stage(store).open()
    let_give(before.room)
    await before.say("bob", "hello")
    await before.say("ann", "!give @bob 10", line="tw:1")
    await before.say("ann", "!heist 20", line="tw:2")
    await before.say(MO, "!set heist lobby 30", line="tw:3")
    await before.say(MO, "!set heist lobby 40", line="tw:4")
    after = await restarted(before)
    rows = await everything(store)
    for who, text, line in (
        ("ann", "!give @bob 10", "tw:1"),
        ("ann", "!heist 20", "tw:2"),
        (MO, "!set heist lobby 30", "tw:3"),
    ):
        assert await after.say(who, text, line=line) == []
    assert {**await everything(store), "member": []} == {**rows, "member": []}
    assert await after.credits("bob") == 250


async def test_a_redelivered_stake_that_was_refused_stays_refused(store: Store) -> None:
    before = await Stage(store).open()
    await before.say("ann", "!heist 241", line="tw:1")
    await before.endow("ann", 1000)
    after = await restarted(before)
    assert await after.say("ann", "!heist 241", line="tw:1") == []
    assert await after.credits("ann") == 1000


async def test_books_that_do_not_add_up_stop_the_games_where_they_stand_and_chat_goes_on(
    stage: Stage,
) -> None:
    await stage.say("ann", "!heist 100")
    await stage.bot.control.halt()
    assert (await stage.turn(0))[0].startswith("No games for now")
    assert (await stage.say("bob", "!heist 5"))[0].startswith("> bob: No games for now")
    assert await stage.turn(3600) == []
    assert await stage.say("ann", "!credits") == ["ann has 140 credits."]
    assert await stage.pot() == 100
    after = await restarted(stage)  # the operator has looked
    assert "goes on after a break" in after.said()[0]


@pytest.mark.parametrize("end", ["settled", "void"])
async def test_an_end_that_was_written_just_before_a_crash_is_told_after_it(store: Store, end: str) -> None:
    before = await Stage(store).open()
    await before.want_proofs()
    await before.say("ann", "!heist 69")
    await before.turn(LOBBY + GETAWAY)
    before.adapter.deliveries.clear()

    async def crash(*_: object) -> None:
        raise asyncio.CancelledError

    before.table.on_step = before.table.on_void = crash
    with pytest.raises(asyncio.CancelledError):
        await (before.turn(SUSPENSE) if end == "settled" else before.table.void())
    assert before.said() == []
    after = await restarted(before)
    told = after.said()
    if end == "settled":
        assert len([line for line in told if line.startswith("Results")]) == 1
        assert (await after.say("ann", "!heist 1"))[0].endswith(f"!heist again in {COOLDOWN} seconds.")
    else:
        assert told == [VOID]
    assert "is over: seed" in after.proven()[0]
    again = await restarted(after, "c")
    assert again.said() == []
    assert again.proven() == []


async def test_a_settled_table_that_was_opened_again_by_hand_pays_nobody_twice(store: Store) -> None:
    before = await Stage(store).open()
    await before.say("ann", "!heist 69")
    await before.turn(LOBBY + GETAWAY + SUSPENSE)
    held = await before.credits("ann")
    await doctor(store, "UPDATE game_table SET state = 'open', closed_at = NULL, seed = NULL")
    after = await restarted(before)
    assert VOID not in after.said()
    assert await after.credits("ann") == held
