"""Gifts are whole or refused, and many accounts cannot feed one."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Seat
from chatbot.ledger.books import purses
from chatbot.ledger.people import Account
from tests.bot.hosting import MO
from tests.bot.stage import Stage, seat
from tests.generous import let_give

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

DAY = 24 * 60 * 60  # seconds; the clock of the stage begins at midnight
FIRST = "The first 240 credits, with which everybody starts, cannot be given away"


async def balances(stage: Stage, *names: str) -> list[int]:
    return [await stage.credits(each) for each in names]


async def test_what_everybody_starts_with_cannot_be_given_away(stage: Stage) -> None:
    await stage.say("bob", "hello")
    told = await stage.say("ann", "!give @bob 1")
    assert told == [f"> ann: {FIRST}; what you win or earn above them can."]
    assert await balances(stage, "ann", "bob") == [240, 240]


async def test_an_amount_out_of_range_is_refused_with_bounds_that_can_be_read(stage: Stage) -> None:
    await stage.say("bob", "hello")
    for amount in ("0", "9999999999999999"):
        told = await stage.say("ann", f"!give @bob {amount}")
        assert told == [
            f"> ann: “{amount}” is out of range: an amount is at least 1 and at most 1,000,000,000,000,000."
        ]
    (refused,) = await stage.say(MO, "!set credits give_most -1")
    assert "a whole number from 0 to 1,000,000,000,000,000 (credits)" in refused
    told = await stage.say(MO, "!undo x")
    assert told == ["> mo: “x” is no whole number from 1 to 1,000,000,000,000,000."]


@pytest.mark.slow
async def test_what_is_held_above_it_can_be_given_to_the_last_credit(stage: Stage) -> None:
    await stage.say("bob", "hello")
    await stage.endow("ann", 300)
    assert await stage.say("ann", "!give @bob 61") == [f"> ann: {FIRST}; you can give up to 60 credits."]
    assert await stage.say("ann", "!give @bob 60") == ["ann gives bob 60 credits."]
    assert await balances(stage, "ann", "bob") == [240, 300]


@pytest.mark.slow
async def test_twenty_new_accounts_bring_their_main_account_nothing(stage: Stage) -> None:
    await stage.say("main", "hello")
    for number in range(20):
        for text in ("!give @main all", "!give @main 240", "!give @main half", "!give @main 1"):
            await stage.say(f"alt{number}", text)
    assert await stage.credits("main") == 240


async def test_a_keeper_may_let_it_be_given(stage: Stage) -> None:
    await stage.say("bob", "hello")
    await stage.say(MO, "!set credits give_start yes")
    assert await stage.say("ann", "!give @bob 50") == ["ann gives bob 50 credits."]
    assert (await stage.say("ann", "!give @bob 191"))[0].startswith("> ann: You have only 190 credits")


@pytest.mark.slow
async def test_what_a_day_lets_one_give_is_named_with_what_is_left_and_never_clipped(stage: Stage) -> None:
    await stage.endow("ann", 5000)
    for each in ("bob", "cat"):
        await stage.say(each, "hello")
    await stage.turn(DAY - 3661)  # an hour, a minute and a second before midnight
    assert await stage.say("ann", "!give @bob 700") == ["ann gives bob 700 credits."]
    (told,) = await stage.say("ann", "!give @cat 301")
    assert "more than 1,000 credits a day; today you can still give 300 credits" in told
    assert told.endswith("1 h 1 min.") or "1 hour" in told
    assert await balances(stage, "ann", "bob", "cat") == [4300, 940, 240]
    assert await stage.say("ann", "!give @cat 300") == ["ann gives cat 300 credits."]


@pytest.mark.slow
async def test_a_new_day_begins_at_midnight_utc(stage: Stage) -> None:
    await stage.endow("ann", 5000)
    for each in ("bob", "cat"):
        await stage.say(each, "hello")
    await stage.turn(DAY - 1)
    await stage.say("ann", "!give @bob 1000")
    await stage.say("ann", "!give @cat 1")
    assert await balances(stage, "ann", "bob", "cat") == [4000, 1240, 240]
    await stage.turn(1)
    assert await stage.say("ann", "!give @cat 1000") == ["ann gives cat 1,000 credits."]


@pytest.mark.slow
async def test_what_a_day_lets_one_get_counts_all_who_give(stage: Stage) -> None:
    await stage.say("main", "hello")
    for number in range(3):
        await stage.endow(f"alt{number}", 740)
    for number in range(2):
        await stage.say(f"alt{number}", "!give @main 400")
    (told,) = await stage.say("alt2", "!give @main 400")
    assert "more than 1,000 credits in gifts a day; today main can still get 200 credits" in told
    assert await balances(stage, "main", "alt2") == [1040, 740]


@pytest.mark.slow
async def test_gifts_at_once_in_two_rooms_do_not_pass_a_limit_together(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.bot.open(stage.new_room("second"))
    await stage.endow("ann", 5000)
    await stage.say("bob", "hello")
    lines = [stage.line("ann", "!give @bob 150", room=room) for _ in range(10) for room in ("room", "second")]
    await asyncio.gather(*(stage.bot.converse(each) for each in lines))
    assert await balances(stage, "ann", "bob") == [
        5000 - 6 * 150,
        240 + 6 * 150,
    ]  # the seventh would be 1,050


async def test_a_limit_of_one_gift_is_named(stage: Stage) -> None:
    await stage.endow("ann", 500)
    await stage.say("bob", "hello")
    await stage.say(MO, "!set credits give_most 20")
    assert await stage.say("ann", "!give @bob 21") == ["> ann: The largest gift here is 20 credits."]
    assert await stage.say("ann", "!give @bob 20") == ["ann gives bob 20 credits."]


@pytest.mark.slow
async def test_a_limit_of_nothing_is_none(stage: Stage) -> None:
    await stage.endow("ann", 100_240)
    await stage.say("bob", "hello")
    await stage.say(MO, "!set credits give_daily 0")
    await stage.say(MO, "!set credits taken_daily 0")
    assert await stage.say("ann", "!give @bob 100k") == ["ann gives bob 100,000 credits."]


@pytest.mark.slow
async def test_who_is_new_here_waits_as_long_as_keepers_say(stage: Stage) -> None:
    await stage.endow("ann", 500)
    await stage.say("bob", "hello")
    await stage.say(MO, "!set credits give_age 24")
    (told,) = await stage.say("ann", "!give @bob 5")
    assert "24 hours after you came here first" in told
    await stage.turn(DAY)
    assert await stage.say("ann", "!give @bob 5") == ["ann gives bob 5 credits."]


async def test_whoever_is_excluded_gets_no_gifts(stage: Stage) -> None:
    await stage.endow("ann", 500)
    await stage.say("Nightbot", "hello")
    (told,) = await stage.say("ann", "!give @Nightbot 5")
    assert told == "> ann: Nightbot is on the list of those who earn nothing here, so nothing was given."


async def test_two_accounts_of_one_person_share_one_limit_even_after_they_parted(stage: Stage) -> None:
    for each in ("ann", "second"):
        await stage.endow(each, 2000)
    await stage.say("bob", "hello")
    stage.tie(seat("second"), seat("ann"), linked=False)
    await stage.say("ann", "!give @bob 600")
    (told,) = await stage.say("second", "!give @bob 600")
    assert "today you can still give 400 credits" in told


async def test_nobody_gives_to_an_account_of_their_own_that_still_sits_at_a_table(stage: Stage) -> None:
    await stage.endow("ann", 500)
    await stage.say("second", "!heist 10")
    stage.tie(seat("second"), seat("ann"), linked=True)
    assert await stage.say("ann", "!give @second 5") == ["> ann: You cannot give credits to yourself."]


async def test_a_refused_gift_that_comes_again_stays_refused(stage: Stage) -> None:
    await stage.say("bob", "hello")
    await stage.say("ann", "!give @bob 10", line="platform:1")
    await stage.endow("ann", 500)
    await stage.say("ann", "!give @bob 10", line="platform:1")
    assert await balances(stage, "ann", "bob") == [500, 240]


async def test_a_rename_moves_no_limit_and_no_credits(stage: Stage) -> None:
    await stage.endow("ann", 5000)
    await stage.say("bob", "hello")
    await stage.say("ann", "!give @bob 900")
    await stage.bot.converse(replace(stage.line("ann", "hello"), name="anna"))
    (told,) = await stage.say("ann", "!give @bob 200")
    assert "you can still give 100 credits" in told


@pytest.mark.parametrize("amount", ["all", "half", "100%", "260"])
async def test_a_share_is_one_of_the_giver_s_own_purse(stage: Stage, amount: str) -> None:
    """Two people of one name on two platforms: neither gives out of the other's purse."""
    await stage.say("bob", "hello")
    await stage.endow("ann", 5000)
    other = replace(stage.line("ann", f"!give @bob {amount}"), account=Account("other", "ann"))
    await stage.bot.converse(other)
    wallet = purses.wallet("town", Seat("other:ann"))
    assert (await stage.bot.ledger.balances([wallet]))[wallet] == 240
    assert await balances(stage, "ann", "bob") == [5000, 240]


async def test_a_gift_without_an_amount_is_told_so_before_anybody_is_looked_for(stage: Stage) -> None:
    for line in ("!give 5 bob", "!give nobody 5 bob"):
        (told,) = await stage.say("ann", line)
        assert "“bob” is no amount" in told


@pytest.mark.slow
async def test_gifts_at_once_never_give_more_than_there_is(stage: Stage) -> None:
    let_give(stage.room)
    await stage.endow("ann", 100)
    await stage.say("bob", "hello")
    lines = [stage.line("ann", "!give @bob 60") for _ in range(5)]
    await asyncio.gather(*(stage.bot.converse(line) for line in lines))
    assert (await stage.credits("ann"), await stage.credits("bob")) == (40, 300)


@pytest.mark.parametrize(
    "amount", ["0", "-5", "1.5", "1e3", "٣", "1_0", "nan", "99999999999999999", "101%", ""]
)
async def test_a_gift_of_no_amount_moves_nothing(stage: Stage, amount: str) -> None:
    await stage.say("bob", "hello")
    told = await stage.say("ann", f"!give @bob {amount}")
    assert len(told) == 1
    assert told[0].startswith("> ann: ")
    assert (await stage.credits("ann"), await stage.credits("bob")) == (240, 240)


async def test_a_gift_to_oneself_or_to_nobody_is_refused(stage: Stage) -> None:
    assert await stage.say("ann", "!give @ANN 5") == ["> ann: You cannot give credits to yourself."]
    assert (await stage.say("ann", "!give @nobody 5"))[0].startswith("> ann: Nobody called “nobody”")


async def test_a_redelivered_gift_is_given_once(stage: Stage) -> None:
    let_give(stage.room)
    await stage.say("bob", "hello")
    for _ in range(3):
        await stage.say("ann", "!give @bob 10", line="platform:77")
    assert (await stage.credits("ann"), await stage.credits("bob")) == (230, 250)


async def test_names_with_blanks_can_be_given_to(stage: Stage) -> None:
    let_give(stage.room)
    await stage.say("Ann Lee", "hello")
    assert await stage.say("bob", "!give @ann lee 10") == ["bob gives Ann Lee 10 credits."]
    assert await stage.say("bob", "!credits Ann Lee") == ["Ann Lee has 250 credits."]


async def test_a_whispered_gift_is_told_to_its_taker(stage: Stage) -> None:
    let_give(stage.room)
    await stage.say("ann", "hello")
    told = await stage.say("bob", "!give @ann 10", private=True)
    assert told == ["> bob: bob gives ann 10 credits.", "> ann: bob gives ann 10 credits."]


async def test_no_word_of_a_moderator_gives_away_the_credits_of_whoever_types_it(stage: Stage) -> None:
    let_give(stage.room)
    await stage.endow("ann", 1000)
    (refused,) = await stage.say(MO, "!alias lurk give @mo 500")
    assert "A word can stand for !give alone" in refused
    await stage.say("ann", "!lurk")
    assert await stage.credits("ann") == 1000
    await stage.say(MO, "!alias gift give")
    assert await stage.say("ann", "!gift @mo 10") == ["ann gives mo 10 credits."]
