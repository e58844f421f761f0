"""The five banks: from how many heisters on, how likely, how well paid."""

from __future__ import annotations

from dataclasses import dataclass

ODDS_UNIT = 100_000
"""Odds are whole multiples of 0.00001, so that no stake ever loses a credit to a binary fraction."""

CREDITS_PER_HEISTER = 100_000
"""Staked credits that count as one more heister when the bank is chosen."""

VAULT = 10**15
"""The most that a bank pays one heister: no lucky streak outgrows what a database can count."""


@dataclass(frozen=True, slots=True)
class Bank:
    level: int  # index from which it is robbed
    chance: float  # win probability before anything personal, 0..1
    odds: int  # winnings on top of the stake, in units of 0.00001 of it


def bank_at(banks: tuple[Bank, ...], heisters: int, staked: int) -> int:
    """Number the bank that so many heisters with so many credits rob: the highest one they reach."""
    index = heisters + staked // CREDITS_PER_HEISTER
    return max((number for number, bank in enumerate(banks) if bank.level <= index), default=0)


def gain(stake: int, odds: int) -> int:
    """Multiply a stake by odds, rounded down, exactly, as far as the vault goes."""
    return min(stake * odds // ODDS_UNIT, VAULT)
