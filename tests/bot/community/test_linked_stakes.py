"""Stakes that are in flight when two seats become one, or part: nothing is lost, and nothing comes twice."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.journal import Journal
from chatbot.ledger.vouchers import Voucher, VoucherState
from chatbot.tables.proof import check, read, write
from chatbot.tables.replay import replay
from tests.bot.platforms import DISCORD, TWITCH, Platforms
from tests.ledger.samples import row

if TYPE_CHECKING:
    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.table_protocol import Table

pytestmark = pytest.mark.slow

ANN, ANNA, BOB = "discord:ann", "twitch:anna", "twitch:bob"
SALARY = 240  # of the crew at a payday, which comes with the end of every table


def heist(both: Platforms, channel: str = TWITCH) -> Table:
    return both.room(channel).tables["heist"]


async def play_out(both: Platforms, channel: str = TWITCH) -> None:
    table = heist(both, channel)
    while not table.over:
        await both.turn(table.clock.seconds if table.clock else 0)


async def held_itself(both: Platforms, purse: Purse) -> int:
    """Read what a purse holds, whoever stands for it."""
    async with both.store.reading() as connection:
        found = await connection.exec_driver_sql(f"SELECT balance FROM purse WHERE id = {row(purse)}")  # noqa: S608
        return int(found.scalar_one())


async def test_what_a_table_pays_to_the_former_seat_reaches_the_root(both: Platforms) -> None:
    await both.endow(ANNA, 500)
    await both.say(ANNA, "!heist 100")
    await both.link(ANNA, ANN)
    assert await both.credits(ANN, "channel") == 400
    await play_out(both)
    (mine,) = [each for each in heist(both).view(None).outcomes if each.seat == Seat(ANNA)]
    assert await both.credits(ANN, "channel") == 500 + mine.received - mine.cost + SALARY
    assert await held_itself(both, purses.wallet("channel", Seat(ANNA))) == 0
    assert await both.sound()


async def test_a_stake_given_back_reaches_the_root(both: Platforms) -> None:
    await both.endow(ANNA, 500)
    await both.say(ANNA, "!heist 100")
    await both.link(ANNA, ANN)
    await both.say("twitch:mod(moderator)", "!cancel heist")
    assert await both.credits(ANN, "channel") == 500
    assert await held_itself(both, purses.wallet("channel", Seat(ANNA))) == 0


async def redeem(both: Platforms, who: str) -> None:
    voucher = Voucher("test:r:1", "test", "source", 100)
    await both.bot.redemptions.redeem(replace(both.line(who, "!heist 100"), voucher=voucher))
    await both.turn(0)


@pytest.mark.parametrize("who", [ANN, ANNA])
async def test_a_stake_paid_with_points_is_destroyed_whichever_account_leaves(
    both: Platforms, who: str
) -> None:
    await both.endow(ANNA, 500)
    await redeem(both, ANNA)
    await both.link(ANNA, ANN)
    await both.say(who, "!heist leave", TWITCH)
    assert await both.credits(ANN, "channel") == 500
    ((_, state),) = await both.bot.ledger.vouchers.due("test")
    assert state is VoucherState.RETURNED
    assert await both.sound()


async def test_of_two_linked_accounts_one_stakes_points(both: Platforms) -> None:
    await both.endow(ANNA, 500)
    await both.link(ANNA, ANN)
    await both.say(ANNA, "!heist 50")
    await redeem(both, ANNA)
    assert await both.credits(ANN, "channel") == 450
    ((_, state),) = await both.bot.ledger.vouchers.due("test")
    assert state is VoucherState.RETURNED


async def test_at_a_table_that_stands_a_player_stays_who_they_were(both: Platforms) -> None:
    await both.endow(ANNA, 500)
    await both.say(ANNA, "!heist 100")
    await both.link(ANNA, ANN)
    await both.say(ANNA, "!heist 100")  # a second stake of one crew member is refused or adds; no second one
    crew = heist(both).view(None).crew
    assert [each.seat for each in crew if not each.seat.startswith("house:")] == [Seat(ANNA)]


async def test_all_in_of_the_former_seat_is_drawn_from_the_roots_purse(store: Store) -> None:
    both = Platforms(store)
    for channel in (DISCORD, TWITCH):
        await both.bot.open(both.own_room(channel, "guild"))
    await both.endow(ANN, 1000)
    await both.say(BOB, "!heist 10")
    await both.say(ANNA, "hello")
    await both.link(ANNA, ANN)
    before = await both.credits(ANN, "guild")
    await both.say(ANNA, "!heist 900")
    assert await both.credits(ANN, "guild") == before - 900
    assert await both.sound()


async def test_a_table_with_a_link_in_it_can_be_replayed_and_proven(both: Platforms) -> None:
    await both.endow(ANNA, 500)
    await both.say(ANNA, "!heist 100")
    await both.link(ANNA, ANN)
    await play_out(both)
    story = await Journal(both.store).of(heist(both).id)
    assert story is not None
    assert replay(both.bot.kits["heist"], story).clock is None
    again, claimed = read(write(story))
    assert [each.what for each in check(again, claimed, both.bot.kits) if not each.holds] == []


async def test_a_cancelled_table_with_a_link_in_it_can_be_proven(both: Platforms) -> None:
    await both.endow(ANNA, 500)
    await both.say(ANNA, "!heist 100")
    await both.link(ANNA, ANN)
    table = heist(both).id
    await both.say("twitch:mod(moderator)", "!cancel heist")
    story = await Journal(both.store).of(table)
    assert story is not None
    again, claimed = read(write(story))
    assert [each.what for each in check(again, claimed, both.bot.kits) if not each.holds] == []


async def test_a_link_in_the_middle_of_a_table_outlives_a_restart(both: Platforms) -> None:
    await both.endow(ANNA, 500)
    await both.say(ANNA, "!heist 100")
    await both.link(ANNA, ANN)
    await both.bot.close()
    second = await Platforms(both.store, "b").open()
    await play_out(second)
    (mine,) = [each for each in heist(second).view(None).outcomes if each.seat == Seat(ANNA)]
    assert await second.credits(ANN, "channel") == 500 + mine.received - mine.cost + SALARY


async def test_what_a_table_pays_goes_to_the_purse_that_staked_whoever_has_parted(both: Platforms) -> None:
    await both.endow(ANNA, 500)
    await both.link(ANNA, ANN)
    await both.say(ANNA, "!heist 100")  # plays as the root from now on
    await both.say(ANNA, "!unlink")
    assert await both.credits(ANNA) == 0
    await play_out(both)
    (mine,) = [each for each in heist(both).view(None).outcomes if each.seat == Seat(ANN)]
    assert await both.credits(ANN, "channel") == 500 + mine.received - mine.cost + SALARY
    assert await both.credits(ANNA) == 0
    assert await both.sound()


async def test_two_seats_of_one_person_at_a_table_spend_one_purse(store: Store) -> None:
    both = Platforms(store)
    for channel in (DISCORD, TWITCH):
        await both.bot.open(both.own_room(channel, "guild"))
    await both.endow(ANN, 300)
    await both.endow(ANNA, 300)
    await both.link(ANNA, ANN)  # of ANNA's 300 the second welcome of 240 goes back: 60 come along
    await both.say(ANN, "!heist 300")
    assert await both.credits(ANN, "guild") == 60
    (told,) = [each for each in await both.say(ANNA, "!heist 100") if "credits" in each]
    assert "60" in told
    assert await both.credits(ANN, "guild") == 60
