"""A stake that a platform was paid for is played, or given back there; by leaving it becomes no credits."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from chatbot.ledger.store import schema
from chatbot.ledger.vouchers import Voucher
from chatbot.tables.proof import check, hashes
from tests.bot.hosting import WHOLE
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.rooms.line import Line

MO = "mo(moderator)"
START = 240  # credits of a new member
LOBBY = 60  # seconds


def redemption(stage: Stage, who: str, number: int = 1, *, stake: int = 100, text: str = "!heist ") -> Line:
    """Return the line by which somebody stakes what they bought for points."""
    voucher = Voucher(f"test:r:{number}", "test", f"source {number}", stake)
    return replace(stage.line(who, f"{text}{stake}", line=f"bought {number}"), voucher=voucher)


async def redeem(stage: Stage, who: str, number: int = 1, *, stake: int = 100, text: str = "!heist ") -> None:
    await stage.bot.redemptions.redeem(redemption(stage, who, number, stake=stake, text=text))
    await stage.watch.turn()


async def states(stage: Stage) -> list[tuple[str, str, int]]:
    """List all vouchers by number, with their states and whether the platform has confirmed them."""
    row = schema.voucher.c
    async with stage.store.reading() as connection:
        found = await connection.execute(select(row.id, row.state, row.settled).order_by(row.id))
        return [(each.id, each.state, each.settled) for each in found]


async def minted(stage: Stage) -> int:
    """Return the credits that were created for vouchers, less those that were destroyed."""
    row, source = schema.transfer.c, schema.purse
    wanted = (
        select(row.credits, source.c.kind).join(source, source.c.id == row.source).where(row.why == "voucher")
    )
    async with stage.store.reading() as connection:
        return sum(
            each.credits if each.kind == "mint" else -each.credits
            for each in await connection.execute(wanted)
        )


async def test_a_voucher_opens_a_table_and_takes_nothing_of_the_wallet(stage: Stage) -> None:
    await redeem(stage, "ann")
    assert await stage.credits("ann") == START
    assert await stage.pot() == 100
    assert await states(stage) == [("test:r:1", "open", 0)]
    assert await stage.bot.ledger.vouchers.due("test") == []


async def test_it_pays_for_a_stake_that_the_wallet_could_not(stage: Stage) -> None:
    await stage.endow("ann", 3)
    await redeem(stage, "ann", stake=500)
    assert (await stage.credits("ann"), await stage.pot()) == (3, 500)


async def test_when_the_lobby_closes_it_is_kept_and_what_is_won_is_the_players(stage: Stage) -> None:
    await redeem(stage, "ann")
    await stage.say("bob", "!heist 50")
    await stage.turn(LOBBY)
    assert await states(stage) == [("test:r:1", "kept", 0)]
    (due,) = await stage.bot.ledger.vouchers.due("test")
    assert (due[0].source, due[1].value) == ("source 1", "kept")
    await stage.turn(200)
    assert await minted(stage) == 100
    assert stage.table.over


async def test_who_leaves_gets_the_points_back_and_no_credits(stage: Stage) -> None:
    await redeem(stage, "ann")
    await stage.say("ann", "!heist leave")
    assert (await stage.credits("ann"), await stage.pot(), await minted(stage)) == (START, 0, 0)
    assert await states(stage) == [("test:r:1", "returned", 0)]
    await stage.say("ann", "!heist 10")
    assert await stage.credits("ann") == START - 10


async def test_a_table_for_honour_after_all_gives_the_points_back_and_no_credits(
    stage: Stage,
) -> None:
    await stage.say(MO, "!set credits house_daily 0")
    await redeem(stage, "ann", text="!chicken stake=")
    await stage.turn(LOBBY)
    assert (await stage.credits("ann"), await minted(stage)) == (START, 0)
    assert await states(stage) == [("test:r:1", "returned", 0)]
    assert not stage.room.tables["chickenpoker"].over


async def play_on(stage: Stage, *, restarted: bool) -> Stage:
    """Return the stage, or the one of a program that has been started again."""
    if not restarted:
        return stage
    after = Stage(stage.store, run="b")
    after.watch.set_calendar(stage.watch.now())
    await after.open()
    return after


@pytest.mark.parametrize("restarted", [False, True])
async def test_who_backs_out_later_gets_no_credits_for_points(stage: Stage, *, restarted: bool) -> None:
    await redeem(stage, "ann")
    await stage.say("bob", "!heist 50")
    await stage.say("cid", "!heist 50")
    await stage.turn(LOBBY)
    assert any("paid with points" in each for each in await stage.say("ann", "!backout"))
    assert not any("points" in each for each in await stage.say("bob", "!backout"))
    stage = await play_on(stage, restarted=restarted)
    table = stage.table.id
    await stage.turn(200)
    assert (await stage.credits("ann"), await stage.credits("bob")) == (START, START)
    assert await minted(stage) == 0
    assert await states(stage) == [("test:r:1", "kept", 0)]
    record = await stage.bot.parts.journal.of(table)
    assert record is not None
    assert all(each.holds for each in check(record, hashes(record), stage.bot.kits))


async def test_who_thinks_better_of_backing_out_plays_for_the_points(stage: Stage) -> None:
    await redeem(stage, "ann")
    await stage.turn(LOBBY)
    await stage.say("ann", "!backout")
    await stage.say("ann", "!guncheck")
    await stage.turn(200)
    assert await minted(stage) == 100


async def test_if_too_few_come_it_is_returned(stage: Stage) -> None:
    await stage.say(MO, "!set heist min_crew 2")
    await redeem(stage, "ann")
    await stage.turn(LOBBY)
    assert (await stage.credits("ann"), await minted(stage)) == (START, 0)
    assert await states(stage) == [("test:r:1", "returned", 0)]


@pytest.mark.parametrize(("phase", "state"), [(0, "returned"), (LOBBY, "kept")])
async def test_a_table_that_is_called_off_refunds_credits_and_burns_minted_ones(
    stage: Stage, phase: int, state: str
) -> None:
    await redeem(stage, "ann")
    await stage.say("bob", "!heist 50")
    await stage.turn(phase)
    table = stage.table.id
    await stage.say(MO, "!cancel heist")
    assert await stage.credits("ann") == START
    assert await stage.credits("bob") == START
    assert await minted(stage) == 0
    assert await states(stage) == [("test:r:1", state, 0)]
    record = await stage.bot.parts.journal.of(table)
    assert record is not None
    assert all(each.holds for each in check(record, hashes(record), stage.bot.kits))


@pytest.mark.parametrize("text", ["!highshow", "!sixcard", "!nothing"])
async def test_a_game_without_a_lobby_refuses_it(stage: Stage, text: str) -> None:
    await redeem(stage, "ann", text=text)
    assert (await stage.credits("ann"), await minted(stage)) == (START, 0)
    assert await states(stage) == [("test:r:1", "returned", 0)]


async def test_who_is_in_already_gets_the_points_back(stage: Stage) -> None:
    await stage.say("ann", "!heist 50")
    await redeem(stage, "ann")
    assert stage.said()[-1] == "> ann: You are in already. You get your points back."
    assert (await stage.credits("ann"), await stage.pot()) == (START - 50, 50)
    assert await states(stage) == [("test:r:1", "returned", 0)]


async def test_who_buys_twice_stakes_once_and_gets_the_second_back(stage: Stage) -> None:
    await redeem(stage, "ann")
    await redeem(stage, "ann", 2, stake=200)
    assert (await stage.credits("ann"), await stage.pot(), await minted(stage)) == (START, 100, 100)
    assert await states(stage) == [("test:r:1", "open", 0), ("test:r:2", "returned", 0)]


async def test_a_stake_outside_the_limits_goes_back_and_its_owner_is_told_so(stage: Stage) -> None:
    await stage.say(MO, "!set heist max_stake 99")
    await redeem(stage, "ann")
    assert stage.said()[-1] == "> ann: The largest stake here is 99 credits. You get your points back."
    assert (await stage.credits("ann"), await minted(stage)) == (START, 0)
    assert await states(stage) == [("test:r:1", "returned", 0)]


async def test_a_heist_that_follows_its_lobby_at_once_pays_what_points_have_won(stage: Stage) -> None:
    await stage.say(MO, "!set heist getaway 0")
    await stage.say(MO, "!set heist suspense 0")
    await redeem(stage, "ann")
    table = stage.table
    while not table.over:
        await stage.turn(LOBBY)
    assert await minted(stage) == 100  # nothing of it was destroyed, though it may be lost
    assert await states(stage) == [("test:r:1", "kept", 0)]


async def test_a_history_names_the_stake_that_points_paid_which_results_take_off(stage: Stage) -> None:
    for change in ("preset contest", "max_stake 100", "chances 100/100/100/100/100", "rabble 0"):
        await stage.say(MO, f"!set heist {change}")
    await redeem(stage, "ann")
    results = await stage.turn(WHOLE)
    assert results[-1] == "Results: ann (+80)."
    (told,) = await stage.say("ann", "!history 1")
    # 180 came, of which the points paid 100, and a salary of 240
    assert "Bank Heist a-table-1 (with stake paid with points +100, payday +240) +420 → 660" in told


async def test_points_are_no_winnings_in_the_ranking_of_a_game(stage: Stage) -> None:
    for change in ("preset contest", "max_stake 100", "chances 100/100/100/100/100", "rabble 0", "payday 0"):
        await stage.say(MO, f"!set heist {change}")
        await stage.say("kim(moderator)", "!confirm")  # of what makes many credits
    await redeem(stage, "ann")
    await stage.turn(WHOLE)
    (told,) = await stage.say("bob", "!top heist")
    assert "1. ann 80 credits" in told  # 180 came back of a stake of 100


async def test_a_history_does_not_name_points_that_were_given_back(stage: Stage) -> None:
    await redeem(stage, "ann")
    await stage.say("ann", "!heist leave")
    assert "points" not in (await stage.say("ann", "!history 1"))[0]


async def test_a_table_with_another_stake_refuses_it(stage: Stage) -> None:
    await stage.say("bob", "!chicken stake=30")
    (table,) = stage.room.tables.values()
    assert (await stage.bot.ledger.balances([table.pot]))[table.pot] == 30
    await redeem(stage, "ann", text="!chicken stake=")
    assert (await stage.credits("ann"), await minted(stage)) == (START, 0)
    assert await states(stage) == [("test:r:1", "returned", 0)]


async def test_while_it_is_decided_nobody_else_decides_it(stage: Stage) -> None:
    line = redemption(stage, "ann")
    assert line.voucher is not None
    playing = asyncio.create_task(stage.bot.redemptions.redeem(line))
    await asyncio.sleep(0)  # it has begun
    await stage.bot.redemptions.redeem(line)
    await stage.bot.redemptions.decline(line.voucher, line.channel)
    await playing
    await stage.watch.turn()
    assert await states(stage) == [("test:r:1", "open", 0)]
    assert await stage.pot() == 100
    assert await stage.credits("ann") == START


async def test_a_voucher_is_decided_once_whatever_is_delivered_again(stage: Stage) -> None:
    await redeem(stage, "ann")
    await redeem(stage, "ann")
    assert await stage.pot() == 100
    await stage.say("ann", "!heist leave")
    await redeem(stage, "ann")
    assert (await stage.pot(), await minted(stage)) == (0, 0)
    assert await states(stage) == [("test:r:1", "returned", 0)]


async def test_after_a_crash_it_is_still_open_and_goes_back_with_who_leaves(stage: Stage) -> None:
    await redeem(stage, "ann")
    await stage.say("bob", "!heist 50")
    after = Stage(stage.store, run="b")
    after.watch.set_calendar(stage.watch.now())
    await after.open()
    await redeem(after, "ann")  # the platform tells it again
    assert await after.pot() == 150
    await after.say("ann", "!heist leave")
    assert (await after.credits("ann"), await after.pot(), await minted(after)) == (START, 50, 0)
    assert await states(after) == [("test:r:1", "returned", 0)]


async def test_a_confirmed_state_is_due_no_more(stage: Stage) -> None:
    await redeem(stage, "ann")
    await stage.bot.ledger.vouchers.settled(["test:r:1"])  # it is open: there is nothing to confirm
    await stage.say("ann", "!heist leave")
    assert len(await stage.bot.ledger.vouchers.due("test")) == 1
    await stage.bot.ledger.vouchers.settled(["test:r:1"])
    assert await stage.bot.ledger.vouchers.due("test") == []
