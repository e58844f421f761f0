"""What players of the house lose to a person is a net of pots, by the day on which they were settled."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry
from chatbot.ledger.pots import HouseLosses, Nets, won_of

from .samples import ALICE, AT, BOB, HOME, HOUSE, MINT, OPENING, grant, posting, wallet

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from chatbot.ledger.store.store import Store

NASH = wallet(Seat("house:nash"))
DAY = timedelta(days=1)


@pytest.fixture
def losses(store: Store) -> HouseLosses:
    return HouseLosses(store)


async def play(
    store: Store,
    table: str,
    stakes: Mapping[purses.Purse, int],
    won: Mapping[purses.Purse, int],
    at: datetime = AT,
) -> None:
    """Put stakes into a pot, for which each is given the credits, and pay it out."""
    pot = purses.pot(HOME, table)
    for purse, credits_ in stakes.items():
        source = MINT if purse.kind == purses.PERSON else HOUSE
        if source is HOUSE:
            await Ledger(store).post(posting(Entry(MINT, HOUSE, credits_, "bankroll")))
        await Ledger(store).post(posting(Entry(source, purse, credits_, "allowance")))
    entries = [Entry(purse, pot, credits_, "stake") for purse, credits_ in stakes.items()]
    paid = [Entry(pot, purse, credits_, "won") for purse, credits_ in won.items()]
    opening = replace(OPENING, table=table, game="chickenpoker")
    await Ledger(store).post(replace(posting(*entries, *paid, opening=opening, settles=True), at=at))


async def test_wins_and_losses_of_a_day_are_set_against_each_other(store: Store, losses: HouseLosses) -> None:
    ann = wallet(ALICE)
    await play(store, "t1", {ann: 50, NASH: 50}, {ann: 100})
    await play(store, "t2", {ann: 30, NASH: 30}, {ann: 40, NASH: 20})
    await play(store, "t3", {ann: 20, NASH: 20}, {NASH: 40})
    assert await losses.between(AT - DAY, AT + DAY, [ann]) == 40  # 50 + 10 - 20


async def test_other_people_s_losses_are_not_the_house_s(store: Store, losses: HouseLosses) -> None:
    ann, bob = wallet(ALICE), wallet(BOB)
    await play(store, "t1", {ann: 60, bob: 60, NASH: 60}, {ann: 180})
    assert await losses.between(AT - DAY, AT + DAY, [ann]) == 60
    assert await losses.between(AT - DAY, AT + DAY, [bob]) == 0  # what bob lost went to ann


async def test_a_table_counts_on_the_day_on_which_it_is_settled(store: Store, losses: HouseLosses) -> None:
    ann = wallet(ALICE)
    await play(store, "t1", {ann: 50, NASH: 50}, {ann: 100}, AT)
    assert await losses.between(AT + timedelta(seconds=1), AT + DAY, [ann]) == 0
    assert await losses.between(AT - DAY, AT, [ann]) == 0
    assert await losses.between(AT, AT + timedelta(seconds=1), [ann]) == 50


async def test_all_wallets_of_a_person_count_together(store: Store, losses: HouseLosses) -> None:
    await Ledger(store).post(grant(ALICE, 1))
    await play(store, "t1", {wallet(ALICE): 50, NASH: 50}, {wallet(ALICE): 100})
    await play(store, "t2", {wallet(BOB): 30, NASH: 30}, {wallet(BOB): 60})
    assert await losses.between(AT - DAY, AT + DAY, [wallet(ALICE), wallet(BOB)]) == 80


def test_a_loss_goes_to_who_won_in_proportion() -> None:
    nets = Nets({(1, purses.PERSON): -90, (2, purses.PERSON): 60, (3, purses.PLAYER): 30})
    assert won_of({1}, nets, purses.PLAYER) == -30
    assert won_of({1}, nets, purses.PERSON) == -60
    assert won_of({2}, nets, purses.PERSON) == 60  # all that bob lost was lost by a person


def test_a_purse_without_a_net_has_won_of_nobody() -> None:
    nets = Nets({(1, purses.PERSON): 0, (2, purses.PERSON): 10, (3, purses.PLAYER): -10})
    assert won_of({1}, nets, purses.PLAYER) == 0


def test_what_one_loses_to_oneself_dilutes_nothing() -> None:
    nets = Nets({(1, purses.PERSON): 200, (2, purses.PERSON): -100, (3, purses.PLAYER): -100})
    assert won_of({1, 2}, nets, purses.PLAYER) == 100
