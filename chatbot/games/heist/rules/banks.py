"""The five banks: from how many heisters on, how likely, how well paid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ODDS_UNIT = 100_000
"""Odds are whole multiples of 0.00001, so that no stake ever loses a credit to a binary fraction."""

CREDITS_PER_HEISTER = 100_000
"""Staked credits that count as one more heister when the bank is chosen."""

VAULT = 10**15
"""The most that a bank of a chat pays one heister, for wallets are bounded; in the contest nothing is."""


@dataclass(frozen=True, slots=True)
class Bank:
    level: int  # index from which it is robbed
    chance: float  # win probability before anything personal, 0..1
    odds: int  # winnings on top of the stake, in units of 0.00001 of it
    vault: int | None = VAULT  # the most it pays one heister on top of the stake; None: all that is won


def levels_for(levels: Sequence[int | str], active: int) -> list[int]:
    """Give from how many heisters on each bank is robbed, where so many members are active.

    A level is a number of heads, or a share of the active such as `15%`, rounded up; shares come to
    different numbers of at least 1, whatever they are of.
    """
    heads: list[int] = []
    for level in levels:
        if isinstance(level, int):
            heads.append(level)
        else:
            wanted = -(-active * int(level.removesuffix("%")) // 100)
            heads.append(max(wanted, heads[-1] + 1 if heads else 1))
    return heads


def bank_at(
    banks: tuple[Bank, ...], heisters: int, staked: int, credits_per_heister: int = CREDITS_PER_HEISTER
) -> int:
    """Number the bank that so many heisters with so many credits rob: the highest one they reach.

    With 0 credits a heister, heads alone count.
    """
    index = heisters + (staked // credits_per_heister if credits_per_heister else 0)
    return max((number for number, bank in enumerate(banks) if bank.level <= index), default=0)


def gain(stake: int, odds: int, vault: int | None = None) -> int:
    """Multiply a stake by odds, rounded down, exactly, as far as the vault goes if there is one."""
    won = stake * odds // ODDS_UNIT
    return won if vault is None else min(won, vault)
