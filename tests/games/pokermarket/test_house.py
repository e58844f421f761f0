"""A market in a room: players of the house come, stake and answer there, and are called by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games.pokermarket.rules.states import Trading
from chatbot.kernel.cards import DECK, written
from chatbot.kernel.game import Seat
from chatbot.kernel.house_seats import of_house
from chatbot.ledger.books import purses
from tests.bot.stage import Stage
from tests.checked import store
from tests.generous import let_give

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.table_protocol import Table

pytestmark = pytest.mark.slow

__all__ = ["store"]

LOBBY, START = 60, 240


def table(stage: Stage) -> Table:
    return stage.room.tables["pokermarket"]


def trading(stage: Stage) -> Trading:
    state: Any = table(stage).state
    assert isinstance(state, Trading)
    return state


async def opened(store: Store, *people: str, house: int, terms: str = "1") -> Stage:
    """Open a table with some players of the house, who do nothing but pass and decline."""
    stage = await Stage(store).open()
    for setting in (f"house_players {house}", "house_strategies passive"):
        await stage.say("mo(moderator)", f"!set pokermarket {setting}")
    for who in people:
        await stage.say(who, "!market" if stage.room.tables.get("pokermarket") else f"!market {terms}")
    await stage.turn(LOBBY)
    return stage


async def until_turn(stage: Stage, who: str) -> None:
    """Let time pass until somebody is on turn."""
    for _ in range(100):
        if trading(stage).seat == f"test:{who}":
            return
        await stage.turn(10)
    raise AssertionError(f"{who} never had a turn")


def swap_with(stage: Stage, partner: Seat) -> str:
    """Write a swap with somebody without naming them."""
    now = trading(stage)
    take = now.market.hands[now.order.index(partner)][0]
    return f"!swap {written(now.market.hands[now.market.seat][0])} {written(take)}"


@pytest.mark.parametrize("stake", [0, 20, 1000])
async def test_nobody_plays_alone_whatever_the_stake_and_every_credit_is_accounted_for(
    store: Store, stake: int
) -> None:
    stage = await Stage(store).open()
    await stage.endow("ann", max(stake, START))
    await stage.say("ann", f"!market 1 {stake}")
    await stage.turn(LOBBY)
    order = trading(stage).order
    assert sorted(map(of_house, order)) == [False, True]
    (rival,) = filter(of_house, order)
    wallet = purses.wallet("town", rival)
    assert (await stage.bot.ledger.balances([wallet]))[wallet] == 0  # it was lent the stake alone
    while not table(stage).over:
        await stage.turn(30)
    # 2 points and 1 of both stakes; for 1000 credits, 1333 1/3 and 666 2/3
    shares = {0: (0, 0), 20: (27, 13), 1000: (1333, 667)}[stake]
    won = await stage.credits("ann") - max(stake, START) + stake
    left = (await stage.bot.ledger.balances([wallet]))[wallet]
    assert sorted((won, left), reverse=True) == list(shares)


async def test_among_people_nobody_of_the_house_comes_unless_it_is_set(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say("ann", "!market")
    await stage.say("bob", "!market")
    await stage.turn(LOBBY)
    assert not any(map(of_house, trading(stage).order))


async def test_a_player_of_the_house_declines_with_a_reason_and_the_next_has_a_turn(store: Store) -> None:
    stage = await opened(store, "ann", house=1)
    await until_turn(stage, "ann")
    (rival,) = filter(of_house, trading(stage).order)
    before = trading(stage).market.turn
    said = await stage.say("ann", swap_with(stage, rival))
    said += await stage.turn(19)  # of 20 seconds
    assert any(line.startswith("Passive (house) declines") and line.endswith("”") for line in said), said
    assert table(stage).over or trading(stage).market.turn == before + 1


@pytest.mark.parametrize("name", ["@passive", "@Passive (house)", "@Passive 2"])
async def test_players_of_the_house_are_called_by_name_with_their_mark_or_without(
    store: Store, name: str
) -> None:
    stage = await opened(store, "ann", house=2)
    await until_turn(stage, "ann")
    partner = next(
        seat for seat in trading(stage).order if seat.endswith("-2") == ("2" in name) and of_house(seat)
    )
    await stage.say("ann", f"{swap_with(stage, partner)} {name}")
    assert trading(stage).answering == partner


async def test_a_name_with_blanks_is_found_whoever_bears_it(store: Store) -> None:
    stage = await opened(store, "ann", "Bob the Bold", house=0)
    await until_turn(stage, "ann")
    partner = next(seat for seat in trading(stage).order if seat != "test:ann")
    said = await stage.say("ann", f"!market {swap_with(stage, partner)[1:]} @Bob the Bold")
    assert trading(stage).answering == partner, said


async def test_a_person_with_the_name_of_a_player_of_the_house_is_who_is_meant_by_it(store: Store) -> None:
    stage = await opened(store, "ann", "Passive", house=1)
    await until_turn(stage, "ann")
    await stage.say("ann", f"{swap_with(stage, Seat('test:Passive'))} @Passive")
    assert trading(stage).answering == "test:Passive"


async def test_what_cannot_be_done_is_answered_by_one_sentence_and_the_clock_runs_on(store: Store) -> None:
    stage = await opened(store, "ann", "bob", house=1)
    await until_turn(stage, "ann")
    now, deadline = trading(stage), table(stage).deadline
    mine, second, *_ = map(written, now.market.hands[now.market.seat])
    theirs = written(now.market.hands[now.order.index(Seat("test:bob"))][0])
    free = next(written(card) for card in DECK if now.market.holder(card) is None)
    for line, answer in {
        f"!swap {mine} {theirs} @Passive": "is held by bob: name bob, or nobody.",
        f"!swap {mine} {theirs} @nobody": "Nobody called “nobody” has been here",
        f"!swap {mine} {second}": "yourself; ask for a card of somebody else.",
        f"!swap {theirs} {mine}": "name one of your own cards first",
        f"!swap {mine} {free}": "Nobody holds",
        f"!swap {mine} 11S": "“11S” is no card",
        f"!swap {mine}": "Name one of your cards and then",
        "!accept": "Nothing has been proposed",
    }.items():
        (said,) = await stage.say("ann", line)
        assert answer in said
        assert (trading(stage), table(stage).deadline) == (now, deadline)
    assert await stage.say("bob", "!pass") == [
        "> bob: It is the turn of ann; you can propose a swap when yours comes."
    ]
    assert trading(stage) == now


async def test_who_cannot_pay_what_a_table_takes_is_told_how_much_that_is(store: Store) -> None:
    stage = await Stage(store).open()
    let_give(stage.room)
    await stage.say("ann", "!market 1 100")
    await stage.say("bob", "!give @ann 200")
    assert await stage.say("bob", "!market") == [
        "> bob: You have only 40 credits; it takes 100 credits to play along."
    ]
    assert table(stage).seated == {Seat("test:ann")}
