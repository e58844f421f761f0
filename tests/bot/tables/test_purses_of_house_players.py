"""Players of the house hold what is lent to them, keep every book sound, and go on after a restart."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.games import kits
from chatbot.kernel.game import Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.unit import UnitOfWork
from chatbot.tables import proof
from tests.bot.hosting import (
    COOLDOWN,
    LOBBY,
    MO,
    WHOLE,
    actions,
    crew,
    hosted,
    joined,
    purse,
    restarted,
    told,
)  # fmt: skip

if TYPE_CHECKING:
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.books.posting import Posting
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

# Credits


async def test_they_come_with_what_a_newcomer_has_and_give_back_what_is_over(store: Store) -> None:
    stage = await hosted(store, 1, "passive", "max_stake 69", "chances 100/100/100/100/100")
    await stage.say("ann", "!heist 69")
    await stage.turn(LOBBY)
    assert await purse(stage, Seat("house:passive")) == 240 - 69
    await stage.turn(WHOLE)
    assert await purse(stage, Seat("house:passive")) == 240 + 55 + 240  # floor(.8 · 69) won, and a salary
    await stage.turn(COOLDOWN)
    await stage.say("ann", "!heist 69")
    await stage.turn(LOBBY)
    assert await purse(stage, Seat("house:passive")) == 240 - 69
    # What the house has by then: it lent 240, had 295 back, and paid winnings of 55 to each of the two.
    await stage.turn(WHOLE)
    audited = await stage.bot.ledger.balances([purses.house("town"), purses.pot("town", "a-table-2")])
    assert min(audited.values()) >= 0


async def test_one_who_lost_everything_comes_again(store: Store) -> None:
    stage = await hosted(store, 1, "gambler", "chances 0/0/0/0/0")
    for _ in range(2):
        await stage.say("ann", "!heist 1")
        await stage.turn(LOBBY)
        assert joined(stage) == ["house:gambler"]
        await stage.turn(WHOLE)
        assert await purse(stage, Seat("house:gambler")) == 0
        await stage.turn(COOLDOWN)


async def test_where_newcomers_have_nothing_they_come_with_the_least_stake(store: Store) -> None:
    stage = await hosted(store, 1, "passive", "min_stake 30")
    await stage.endow("ann", 100)
    await stage.say(MO, "!set credits start 0")
    await stage.say("ann", "!heist 30")
    await stage.turn(LOBBY)
    assert [each.stake for each in stage.table.view(None).crew] == [30, 30]


async def test_a_heist_that_is_called_off_gives_their_stakes_back_too(store: Store) -> None:
    stage = await hosted(store, 3)
    await stage.say("ann", "!heist 69")
    await stage.turn(LOBBY - 1)
    came = joined(stage)
    assert len(came) == 3
    await stage.say(MO, "!cancel heist")
    assert [await purse(stage, each) for each in came] == [240] * 3
    assert await stage.pot() == 0


async def test_none_of_them_ranks_gets_gifts_or_can_be_asked_about(store: Store) -> None:
    stage = await hosted(store, 5, "passive", "max_stake 69", "chances 100/100/100/100/100")
    await stage.say("ann", "!heist 69")
    await stage.say("zoe", "hello")
    await stage.turn(WHOLE)  # each of them has more than zoe now
    top = (await stage.say("zoe", "!top 20"))[0]
    assert top == "Richest: 1. ann 535 credits, 2. mo 480 credits, 2. zoe 480 credits."
    await stage.endow("zoe", 1)
    assert await stage.say("zoe", "!top 1") == ["Richest: 1. ann 535 credits.", "You: 3. zoe 1 credit."]
    for name in ("passive", "house:passive", "Passive (house)", "@house:passive"):
        assert "has been here" in (await stage.say("ann", f"!give {name} 5"))[0]
        assert "has been here" in (await stage.say("ann", f"!credits {name}"))[0]


@pytest.mark.parametrize("resets", ["nothing", "careers", "everything"])
async def test_a_season_ranks_people_and_begins_afresh_for_all(store: Store, resets: str) -> None:
    stage = await hosted(
        store, 2, "guardsman", "season_heists 1", f"season_resets {resets}", "chances 0/0/0/0/0"
    )
    await stage.say("ann", "!heist 69")
    told = await stage.turn(WHOLE)
    season = next(line for line in told if "is over!" in line)
    assert "season 1 is over! 1. mo 480 credits, 2. ann 411 credits. A" in season
    records = await stage.bot.ledger.records("room", "heist", [Seat("house:guardsman")])
    assert bool(records) == (resets == "nothing")


async def test_a_purse_that_moves_meanwhile_is_looked_at_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = await hosted(store, 1, "passive")
    ledger: Ledger = stage.bot.ledger
    post, wallet = UnitOfWork.post, purses.wallet("town", Seat("house:passive"))

    async def meddling(unit: UnitOfWork, posting: Posting) -> bool:
        if posting.id.startswith("allowance:"):
            monkeypatch.setattr(UnitOfWork, "post", post)
            await stage.endow("ann", 500)
            move = replace(posting, id="elsewhere", entries=(replace(posting.entries[0], credits=7),))
            assert await ledger.post(move)  # it came to 7 credits at another table
        return await post(unit, posting)

    monkeypatch.setattr(UnitOfWork, "post", meddling)
    await stage.say("ann", "!heist 69")
    await stage.turn(LOBBY)
    assert (await ledger.balances([wallet]))[wallet] == 240 - 69


async def test_one_who_cannot_pay_any_more_is_refused_and_breaks_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = await hosted(store, 1, "passive")
    ledger: Ledger = stage.bot.ledger
    wallet, house = purses.wallet("town", Seat("house:passive")), purses.house("town")
    post, drained = UnitOfWork.post, list[bool]()

    async def draining(unit: UnitOfWork, posting: Posting) -> bool:
        if posting.id.endswith(":join") and not drained:
            entry = replace(posting.entries[0], source=wallet, target=house, credits=240)
            drained.append(True)
            assert await ledger.post(replace(posting, id="elsewhere", entries=(entry,), table=None, turns=()))
        return await post(unit, posting)

    monkeypatch.setattr(UnitOfWork, "post", draining)
    await stage.say("ann", "!heist 69")
    assert await stage.turn(LOBBY - 1) == []
    assert crew(stage) == ["ann"]
    assert not stage.table.over


# Restarts and proofs


@pytest.mark.parametrize("crash_at", [1, 20, 35, 59, 61, 75, 85, 92])
async def test_after_a_restart_they_go_on_and_do_nothing_twice(store: Store, crash_at: int) -> None:
    stage = await hosted(store, 3, "guardsman/snitch/passive")
    await stage.say("ann", "!heist 69")
    await stage.turn(crash_at)
    stage = await restarted(stage, "b")
    await stage.turn(2 * WHOLE)
    written = await actions(store)
    for name in ("guardsman", "snitch", "passive"):
        about = [each.split('"')[1] for each in written if f'"house:{name}"' in each]
        assert about == ["Sit", "Join", "Answer"]
    story = await told(store)
    assert story.state == "settled"
    assert all(each.holds for each in proof.check(story, proof.hashes(story), kits()))
    assert "checks out" in (await stage.say("ann", "!verify a-table-1"))[0]


async def test_a_proof_of_a_heist_with_them_can_be_checked_from_its_file(store: Store) -> None:
    stage = await hosted(store, 6, "any")
    await stage.say("ann", "!heist 69")
    await stage.turn(WHOLE)
    story = await told(store)
    findings = proof.check(*proof.read(proof.write(story)), kits())
    assert [each.what for each in findings if not each.holds] == []


async def test_when_the_games_are_stopped_nobody_comes_any_more(store: Store) -> None:
    stage = await hosted(store, 3)
    await stage.say("ann", "!heist 69")
    await stage.bot.control.halt()
    await stage.turn(LOBBY)
    assert crew(stage) == ["ann"]
    await stage.bot.settle()


async def test_one_whom_the_database_keeps_waiting_comes_later(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = await hosted(store, 1, "passive")
    post, failures = UnitOfWork.post, iter([True] * 3)

    async def failing(unit: UnitOfWork, posting: Posting) -> bool:
        if "house:passive" in posting.id and next(failures, False):
            raise OSError("the disk is full")
        return await post(unit, posting)

    monkeypatch.setattr(UnitOfWork, "post", failing)
    await stage.say("ann", "!heist 69")
    await stage.turn(LOBBY)
    assert crew(stage) == ["ann", "Passive (house)"]
