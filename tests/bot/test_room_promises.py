"""What a room promises: one stake a person, credits that add up, and a sentence for whatever is wrong."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.community.confirmations import REFLECTION
from chatbot.games.heist.rules.rules import Heist
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Posting
from chatbot.ledger.books.unit import UnitOfWork
from chatbot.ledger.people import Account
from tests.bot.hosting import COOLDOWN, GETAWAY, LOBBY, MO, SUSPENSE, WHOLE
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.ledger.books.purses import Purse
    from chatbot.rooms.table_protocol import Table


async def quiet(stage: Stage) -> Stage:
    """Without rabble and payday, a heist moves nothing but stakes and winnings."""
    await stage.say(MO, "!set heist rabble 0")
    await stage.say(MO, "!set heist payday no")
    return stage


@pytest.mark.slow
async def test_a_heist_is_told_from_opening_to_result_and_the_credits_add_up(stage: Stage) -> None:
    await stage.say(MO, "!set room talk full")
    assert "stakes 69 credits" in (await stage.say("ann", "!heist 69"))[0]
    assert "> bob: You are in with 120 credits." in await stage.say("bob", "!bankheist half")
    assert (await stage.credits("ann"), await stage.credits("bob"), await stage.pot()) == (171, 120, 189)
    told = await stage.turn(LOBBY)
    assert "The target is" in told[0]
    assert "!moves" in told[0]
    told = await stage.turn(GETAWAY + SUSPENSE)
    results = next(line for line in told if line.startswith("Results:"))
    payday = next(line for line in told if line.startswith("Payday:"))
    assert await stage.pot() == 0
    for who in ("ann", "bob"):
        net = int(results.split(f"{who} ")[1].split("(")[1].split(")")[0].replace("\N{MINUS SIGN}", "-"))
        assert f"{who} +240" in payday
        assert await stage.credits(who) == 240 + net + 240


async def test_two_quick_heists_from_one_person_take_one_stake(stage: Stage) -> None:
    lines = [stage.line("ann", "!heist 69"), stage.line("ann", "!heist 42")]
    await asyncio.gather(*(stage.bot.converse(line) for line in lines))
    told = await stage.turn(0)
    assert await stage.credits("ann") == 240 - 69
    assert await stage.pot() == 69
    assert told[-1] == "> ann: You are in this heist already, with 69 credits."


@pytest.mark.slow
async def test_saving_a_setting_during_a_lobby_changes_nothing_for_that_table(stage: Stage) -> None:
    await stage.say("ann", "!heist 69")
    told = await stage.say(MO, "!set heist lobby 10")
    assert told == [
        "heist: lobby was 60 and is now 10.",
        "> mo: The game that is being played keeps the settings that it was opened with.",
    ]
    same = await stage.say(MO, "!set heist lobby 10")
    assert [each.removeprefix("> mo: ") for each in same] == [
        "heist: lobby is 10 already, so nothing changes."
    ]
    await stage.say(MO, "!preset heist deepbot")
    assert isinstance(stage.table.game, Heist)
    assert stage.table.game.lobby == LOBBY
    assert await stage.turn(LOBBY - 1) == []
    assert await stage.pot() == 69
    assert "The target is" in (await stage.turn(1))[0]


@pytest.mark.slow
async def test_a_crew_of_exactly_the_minimum_goes_and_one_fewer_gets_every_stake_back(stage: Stage) -> None:
    await quiet(stage)
    await stage.say(MO, "!set heist min_crew 2")
    await stage.say("ann", "!heist 69")
    told = await stage.turn(LOBBY)
    assert told == ["The heist is off: only one person came, and it takes 2. Every stake has been returned."]
    assert await stage.credits("ann") == 240
    await stage.say("ann", "!heist 69")  # what was called off starts no cooldown
    await stage.say("bob", "!heist 69")
    assert "Municipal Bank" in (await stage.turn(LOBBY))[0]  # another text of it than at the first table


@pytest.mark.slow
async def test_moderators_wait_for_the_cooldown_like_everybody_and_are_told_how_long(stage: Stage) -> None:
    await stage.say("ann", "!heist 69")
    await stage.turn(WHOLE + 100)
    for who in ("ann", MO, "bo(broadcaster)"):
        told = await stage.say(who, "!heist 1")
        assert told[0].endswith("!heist again in 200 seconds.")
    told = await stage.turn(200)
    assert told == ["The heat is off: Bank Heist can be played again with !heist."]
    assert "!heist and an amount" in (await stage.say("bob", "!heist 1"))[0]


@pytest.mark.slow
async def test_what_cannot_be_paid_or_is_refused_opens_nothing_and_costs_no_cooldown(stage: Stage) -> None:
    assert await stage.say("ann", "!heist 241") == [
        "> ann: You have only 240 credits; choose less, or write all."
    ]
    assert (await stage.say("ann", "!heist -5"))[0].startswith("> ann: “-5” has a sign")
    assert await stage.say("ann", "!heist 1 2") == [
        (
            "> ann: Write it like this: "
            "!heist [69 | 1k | 25% | half | all | leave | start | rules | odds | career]"
        )
    ]
    assert stage.room.tables == {}
    assert "!heist and an amount" in (await stage.say("bob", "!heist 69"))[0]


async def test_an_answer_without_a_table_says_how_to_start_one(stage: Stage) -> None:
    assert await stage.say("ann", "!guncheck") == [
        "> ann: You are in no game of Bank Heist here now; start one with !heist."
    ]


@pytest.mark.slow
async def test_stakes_outside_the_limits_are_refused_with_the_reason_and_never_capped(stage: Stage) -> None:
    await stage.say(MO, "!set heist max_stake 100")
    await stage.say(MO, "!set heist min_stake 10")
    assert await stage.say("ann", "!heist all") == ["> ann: The largest stake here is 100 credits."]
    assert await stage.say("ann", "!heist 9") == ["> ann: The smallest stake here is 10 credits."]
    assert await stage.credits("ann") == 240
    await stage.say("ann", "!heist 100")
    assert await stage.credits("ann") == 140


@pytest.mark.slow
async def test_all_is_the_purse_of_the_seat_and_not_of_a_namesake(stage: Stage) -> None:
    """Two people of one name, from two platforms: each has a wallet of their own."""
    await stage.endow("ann", 1000)
    other = replace(stage.line("ann", "!heist all"), account=Account("other", "ann"))
    await stage.bot.converse(other)
    assert await stage.pot() == 240
    assert await stage.credits("ann") == 1000
    told = await stage.say("bob", "!give @ann 5")
    assert told[-1] == "> bob: Several people are called “ann”, so nothing was done."
    assert await stage.credits("bob") == 240


async def test_whoever_takes_the_name_of_another_does_not_get_their_wallet(stage: Stage) -> None:
    await stage.endow("ann", 1000)
    await stage.bot.converse(replace(stage.line("bob", "hello"), name="ann"))
    await stage.bot.converse(replace(stage.line("ann", "hello"), name="anna"))
    assert await stage.say("cat", "!credits @anna") == ["anna has 1,000 credits."]
    assert await stage.say("cat", "!credits @ann") == ["ann has 240 credits."]


@pytest.mark.slow
async def test_the_active_are_paid_whether_they_played_or_not_and_the_silent_are_not(stage: Stage) -> None:
    await stage.say(MO, "!set room talk full")
    await stage.say("old", "hello")
    await stage.turn(30 * 60 + 1)
    await stage.say("ann", "good evening")
    await stage.say("bob", "!heist 1")
    await stage.say("cat", "what is going on?")
    told = await stage.turn(WHOLE)
    payday = next(line for line in told if line.startswith("Payday:"))
    assert all(f"{who} +240" in payday for who in ("ann", "bob", "cat"))
    assert "old" not in payday
    assert [await stage.credits(who) for who in ("ann", "cat", "old")] == [480, 480, 240]


@pytest.mark.slow
async def test_a_career_goes_on_from_heist_to_heist(stage: Stage) -> None:
    await stage.say(MO, "!set heist rabble 0")
    for _ in range(2):
        await stage.say("ann", "!heist 1")
        await stage.turn(LOBBY)
        await stage.say("ann", "!guard")
        await stage.turn(GETAWAY + SUSPENSE + COOLDOWN)
    # 0.54 + 0.01 × 0.46 = 0.5446; 0.5446 + 0.01 × 0.4554 = 0.549154, shown as 54.92%
    told = await stage.say("ann", "!heist career")
    assert "Municipal Bank: 54.92%, pays ×1.8, " in told[0], "as !heist odds says it"
    assert "2 guards" in told[0]


@pytest.mark.slow
async def test_cancelling_gives_every_stake_back_and_starts_no_cooldown(stage: Stage) -> None:
    await stage.say("ann", "!heist 100")
    await stage.say("bob", "!heist 50")
    assert await stage.say("ann", "!cancel heist") == ["> ann: That is for moderators or above."]
    assert await stage.say(MO, "!cancel heist") == [
        "Bank Heist was called off by mo; every stake has been returned."
    ]
    assert (await stage.credits("ann"), await stage.credits("bob")) == (240, 240)
    assert await stage.turn(1000) == []
    assert "!heist and an amount" in (await stage.say("ann", "!heist 1"))[0]


async def test_only_who_may_start_a_heist_starts_one_and_everybody_may_join(stage: Stage) -> None:
    await stage.say(MO, "!set heist starters subscriber")
    told = await stage.say("ann", "!heist 5")
    assert told == ["> ann: Only subscribers or above can start this here; everybody may join."]
    await stage.say("sue(subscriber)", "!heist 5")
    assert await stage.say("ann", "!heist 5") == ["> ann: You are in with 5 credits."]


@pytest.mark.slow
async def test_a_purse_that_moves_in_between_is_decided_afresh(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody is given credits while the rules look at an all-in: the outcome counts them, or none of it."""
    await quiet(stage)
    await stage.say("bob", "hello")
    await stage.say("ann", "!heist 40")
    await stage.turn(LOBBY)
    await stage.say("ann", "!allin")
    read, once = UnitOfWork.balances, [True]

    async def meddled(unit: UnitOfWork, names: Any) -> dict[Purse, int]:
        balances = await read(unit, names)
        if once and names == [purses.wallet("town", seat("ann"))]:
            once.clear()
            gift = Entry(purses.wallet("town", seat("bob")), names[0], 100, "gift")
            await stage.bot.ledger.post(Posting("meddling", "town", stage.watch.date(), entries=(gift,)))
        return balances

    monkeypatch.setattr(UnitOfWork, "balances", meddled)
    await stage.turn(GETAWAY + SUSPENSE)
    monkeypatch.undo()
    assert not once
    # All in: 240 - 40 + 100 in the purse and 40 staked; 0.8 × (340 + 240) = 464, or nothing at all.
    assert await stage.credits("ann") in {464, 0}
    assert await stage.credits("bob") == 140


async def test_a_clock_that_was_overtaken_does_nothing(stage: Stage) -> None:
    """A phase that was hurried on does not run out a second time at its old hour."""
    await stage.say("ann", "!heist 69")
    table: Table = stage.table
    await stage.bot.hurry(stage.room, table.id)
    assert table.clock is not None
    assert table.clock.phase == "getaway"
    await stage.turn(GETAWAY - 1)
    assert table.clock.phase == "getaway"
    await stage.turn(1)
    assert table.clock.phase == "storming"


@pytest.mark.slow
async def test_a_bank_pays_one_heister_what_its_vault_holds_and_no_more(stage: Stage) -> None:
    await quiet(stage)
    sure = "chances 100/100/100/100/100 odds 1000/1000/1000/1000/1000"
    await stage.say("sam(broadcaster)", f"!set heist {sure}")
    await stage.turn(REFLECTION)
    assert "sam is the broadcaster" in " ".join(await stage.say("sam(broadcaster)", "!confirm"))
    await stage.endow("ann", 10**15)
    await stage.say("ann", "!heist 999999999999999")
    told = await stage.turn(WHOLE)
    assert any("Results: " in line for line in told)
    # 1 left, the stake of 10^15 - 1 back, and 10^15 instead of a thousand stakes
    assert await stage.credits("ann") == 1 + (10**15 - 1) + 10**15


@pytest.mark.slow
async def test_who_spoke_is_paid_even_if_all_they_said_was_refused(stage: Stage) -> None:
    await stage.say(MO, "!set room talk full")
    await stage.say("ann", "!heist 5")
    await stage.say("bob", "!heist 999")
    payday = next(line for line in await stage.turn(WHOLE) if line.startswith("Payday:"))
    assert "bob +240" in payday


async def test_equal_wallets_share_a_place(stage: Stage) -> None:
    for who in ("ann", "bob", "cat"):
        await stage.say(who, "hello")
    await stage.endow("cat", 1)
    assert await stage.say("cat", "!top 3") == [
        "Richest: 1. ann 240 credits, 1. bob 240 credits, 3. cat 1 credit."
    ]


@pytest.mark.slow
async def test_a_rest_that_is_ended_is_over_once(stage: Stage) -> None:
    await stage.say("ann", "!heist 5")
    await stage.turn(WHOLE)
    await stage.bot.parts.pauses.wake(stage.room, "heist")
    assert await stage.turn(0) == ["The heat is off: Bank Heist can be played again with !heist."]
    assert await stage.turn(COOLDOWN + 1) == []
    assert "!heist and an amount" in (await stage.say("ann", "!heist 5"))[0]


async def test_a_move_during_the_cooldown_is_told_of_the_cooldown(stage: Stage) -> None:
    await stage.say("ann", "!heist 5")
    await stage.turn(WHOLE)
    assert await stage.say("ann", "!guncheck") == [
        "> ann: The heat is still on: !heist again in 300 seconds."
    ]
