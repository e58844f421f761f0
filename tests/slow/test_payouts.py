"""Whoever is paid out, and however a loot is shared: whole credits, equal shares, and none from nowhere.

The heist is the only game that shares anything yet, and it shares equally: what rounding leaves over stays
with the house, by its rules. There is no division by unequal shares to be tried.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from chatbot.games.heist.rules.moves import Act, Crossed, Outcome
from chatbot.kernel.amounts import MOST
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Seat, SystemPurse
from tests.games.heist.table import UNPAID, Table

if TYPE_CHECKING:
    from chatbot.kernel.game import Transfer

LUCKY = replace(UNPAID, chances=(Decimal(100),) * 5)  # the more succeed, the more there is to share
SHARED = {"stitches", "double cross", "double cross undone", "double cross sprung"}
APART = {Act.BACK_OUT, Act.ALL_IN, Act.DOUBLE_CROSS}
KEPT = {Act.INTEL, Act.DEPOSIT}  # winnings that go elsewhere

CROSSING = st.sampled_from([Act.DOUBLE_CROSS, Act.FINGER, Act.GUNCHECK])  # the three that meet in a loot
ACTS = st.one_of(st.sampled_from(list(Act)), CROSSING, CROSSING)
HEISTERS = st.lists(st.tuples(st.integers(1, 10**6) | st.integers(1, MOST), ACTS), min_size=1, max_size=30)


def settled(heisters: list[tuple[int, Act]], seed: str, *, sure: bool) -> Table:
    seats = [Seat(f"heister {number}") for number in range(len(heisters))]
    table = Table(
        LUCKY if sure else UNPAID, {seat: stake + 7 for seat, (stake, _) in zip(seats, heisters, strict=True)}
    )
    for seat, (stake, _) in zip(seats, heisters, strict=True):
        table.join(seat, stake)
    table.tick(Rng.of(f"{seed} lobby"))
    for seat, (_, act) in zip(seats, heisters, strict=True):
        table.answer(seat, act)
    table.tick(Rng.of(f"{seed} getaway"))
    table.tick(Rng.of(seed))
    return table


@settings(max_examples=400, deadline=None)
@given(HEISTERS, st.text(max_size=5), st.booleans())
def test_every_payout_is_whole_and_equal_shares_are_equal(
    heisters: list[tuple[int, Act]], seed: str, sure: bool
) -> None:
    table = settled(heisters, seed, sure=sure)
    assert table.purses[SystemPurse.POT] == 0
    assert all(type(each.credits) is int and each.credits >= 1 for each in table.transfers)
    shares: dict[str, set[int]] = defaultdict(set)
    for each in table.transfers:
        if each.why in SHARED:
            shares[each.why].add(each.credits)
    assert all(len(some) == 1 for some in shares.values())


@settings(max_examples=400, deadline=None)
@given(HEISTERS, st.text(max_size=5), st.booleans())
def test_what_is_paid_is_what_was_won_but_for_what_rounding_leaves(
    heisters: list[tuple[int, Act]], seed: str, sure: bool
) -> None:
    table = settled(heisters, seed, sure=sure)
    outcomes = [table.outcome(Seat(f"heister {number}")) for number in range(len(heisters))]
    undone = {seat for each in table.seen(Crossed) for seat in each.undone}
    won = sum(_to_share(each) for each in outcomes if each.seat not in undone)
    left = won - sum(each.credits for each in table.transfers if _is_payout(each))
    regulars = sum(each.act not in APART for each in outcomes)
    assert left >= 0
    if regulars:  # otherwise there may be nobody to receive a loot, which the bank recovers
        assert left < regulars + sum(each.act is Act.DOUBLE_CROSS for each in outcomes)


def _to_share(outcome: Outcome) -> int:
    apart = outcome.act in KEPT or outcome.act is Act.ALL_IN
    return 0 if apart or not outcome.lucky else outcome.winnings


def _is_payout(transfer: Transfer) -> bool:
    return transfer.why in SHARED | {"winnings"}
