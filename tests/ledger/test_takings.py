"""The house's take is what it kept at its tables, less what it paid there."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry
from chatbot.ledger.takings import Takings

from .samples import ALICE, AT, HOME, HOUSE, MINT, OPENING, grant, posting, wallet

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

NASH = wallet(Seat("house:nash"))


@pytest.fixture
def takings(store: Store) -> Takings:
    return Takings(store)


async def played(store: Store, table: str, *entries: Entry, room: str = "den", game: str = "heist") -> None:
    opening = replace(OPENING, table=table, room=room, game=game)
    await Ledger(store).post(posting(*entries, opening=opening, settles=True))


async def test_what_was_lost_to_the_house_less_what_it_paid(store: Store, takings: Takings) -> None:
    await Ledger(store).post(grant(ALICE, 100))
    await played(store, "t1", Entry(wallet(ALICE), HOUSE, 70, "stake"))
    await played(store, "t2", Entry(HOUSE, wallet(ALICE), 25, "winnings"))
    assert await takings.at("den", "heist") == 45  # 70 - 25


async def test_it_is_below_nothing_where_the_house_paid_more(store: Store, takings: Takings) -> None:
    await played(store, "t1", Entry(HOUSE, wallet(ALICE), 25, "winnings"))
    assert await takings.at("den", "heist") == -25


async def test_nothing_is_taken_where_nothing_was_played(takings: Takings) -> None:
    assert await takings.at("den", "heist") == 0


async def test_players_of_the_house_are_the_house(store: Store, takings: Takings) -> None:
    pot = purses.pot(HOME, "t1")
    lent = posting(Entry(HOUSE, NASH, 50, "allowance"))
    await Ledger(store).post(lent)  # at no table: it goes from the house to the house
    await Ledger(store).post(grant(ALICE, 50))
    entries = [Entry(NASH, pot, 50, "stake"), Entry(wallet(ALICE), pot, 50, "stake")]
    await played(store, "t1", *entries, Entry(pot, NASH, 100, "won"))
    assert await takings.at("den", "heist") == 50  # of Alice's


async def test_salaries_are_no_part_of_it(store: Store, takings: Takings) -> None:
    await played(store, "t1", Entry(MINT, wallet(ALICE), 240, "payday"))
    assert await takings.at("den", "heist") == 0


@pytest.mark.slow
async def test_other_rooms_and_games_and_earlier_tables_are_not_counted(
    store: Store, takings: Takings
) -> None:
    await Ledger(store).post(grant(ALICE, 100))
    loss = Entry(wallet(ALICE), HOUSE, 10, "stake")
    await played(store, "t1", loss)
    await played(store, "t2", loss, room="bar")
    await played(store, "t3", loss, game="highshow")
    assert await takings.at("den", "heist") == 10
    assert await takings.at("den", "heist", AT) == 10
    assert await takings.at("den", "heist", AT + timedelta(seconds=1)) == 0
