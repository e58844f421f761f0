from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from chatbot.kernel.amounts import MOST
from chatbot.kernel.game import Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Posting, Turn, instalments

from .samples import ALICE, HOME, MINT, OPENING, POT, TABLE, posting, turn, wallet

if TYPE_CHECKING:
    from chatbot.ledger.books.purses import Purse


@pytest.mark.parametrize(
    "amount",
    [
        *(True, False, 0, -1, -MOST, MOST + 1, 2**63, 10**30),
        *(1.0, 1.5, float("nan"), float("inf"), Decimal(5), "12", "١٢", b"1", None, [1], 1 + 0j),
    ],
    ids=repr,
)
def test_an_amount_that_is_no_whole_number_in_range_meets_no_driver(amount: Any) -> None:
    with pytest.raises(ValueError, match="whole credits"):
        Entry(MINT, wallet(ALICE), amount, "payday")


@pytest.mark.parametrize("amount", [1, 2, MOST - 1, MOST])
def test_whole_amounts_up_to_the_largest_are_taken(amount: int) -> None:
    assert Entry(MINT, wallet(ALICE), amount, "payday").credits == amount


@given(some.integers(0, 5 * MOST))
def test_instalments_add_up_and_are_none_too_large(total: int) -> None:
    parts = list(instalments(MINT, wallet(ALICE), total, "refund"))
    assert sum(part.credits for part in parts) == total
    assert len(parts) == -(-total // MOST)


@pytest.mark.parametrize("number", [0, -1, True, 1.0])
def test_turns_count_from_one(number: Any) -> None:
    with pytest.raises(ValueError, match="count from 1"):
        Turn(TABLE, number, "", "", "")


def test_a_posting_needs_a_time_with_its_zone() -> None:
    with pytest.raises(ValueError, match="zone"):
        Posting("x", HOME, datetime(2026, 1, 1))  # noqa: DTZ001


@pytest.mark.parametrize(
    "purse",
    [
        purses.mint("far"),
        purses.house("far"),
        purses.wallet("far", ALICE),
        purses.pot(HOME, "other"),
        purses.pot("far", TABLE),
        POT,
    ],
    ids=str,
)
def test_a_posting_touches_only_its_community_and_its_table(purse: Purse) -> None:
    with pytest.raises(ValueError, match="cannot touch"):
        posting(Entry(MINT, purse, 1, "payday"))
    with pytest.raises(ValueError, match="cannot touch"):
        posting(expects={purse: 1})


def test_a_posting_is_at_one_table() -> None:
    with pytest.raises(ValueError, match="opens"):
        posting(opening=OPENING, table="other")
    with pytest.raises(ValueError, match="its turns"):
        posting(table=TABLE, turns=(turn(1, "other"),))
    with pytest.raises(ValueError, match="its end"):
        posting(settles=True)
    assert posting(opening=OPENING).table == TABLE


def test_no_two_people_share_a_wallet() -> None:
    with pytest.raises(ValueError, match="colon"):  # else it could be seat 1:x of twitch
        purses.wallet("twitch:1", Seat("x"))
    with pytest.raises(ValueError, match="colon"):
        purses.mint("")


@given(some.text(min_size=1).filter(lambda word: ":" not in word), some.text())
def test_a_wallet_knows_its_seat(community: str, seat: str) -> None:
    assert purses.wallet(community, Seat(seat)).seat == seat
