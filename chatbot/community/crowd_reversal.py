"""Reverses a payment to many: from each what is still there, and back to each what it had taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import GRANT, Entry
from chatbot.ledger.changes import CROWD, MONEY, Change

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.changes import ChangeSet

REASON = "undo"  # of its entries in the ledger
UNDONE = f"{CROWD}undo"
"""The subject of the change that reverses one."""


@dataclass(frozen=True, slots=True)
class CrowdReversal:
    """The entries of a reversal; `taken` and `given` are credits, `spent` those that are not there any more.

    `granted` is how much of what is given counts as a grant.
    """

    entries: tuple[Entry, ...]
    wallets: int
    taken: int
    given: int
    spent: int
    granted: int

    @classmethod
    def of(cls, entries: Sequence[Entry], balances: Mapping[Purse, int], *, is_again: bool) -> CrowdReversal:
        """Reverse the entries of a payment; `is_again`: it was a reversal itself, and so makes a grant."""
        left, reversed_entries = {**balances}, list[Entry]()
        why = GRANT if is_again else REASON
        for each in entries:
            if each.source.kind != purses.MINT:
                reversed_entries.append(Entry(each.target, each.source, each.credits, why))
            elif part := min(left[each.target], each.credits):
                left[each.target] -= part
                reversed_entries.append(Entry(each.target, each.source, part, REASON))
        taken = sum(each.credits for each in reversed_entries if each.target.kind == purses.MINT)
        given = sum(each.credits for each in reversed_entries if each.source.kind == purses.MINT)
        paid = sum(each.credits for each in entries if each.source.kind == purses.MINT)
        granted = given if is_again else 0
        return cls(tuple(reversed_entries), len(entries), taken, given, paid - taken, granted)

    def change(self, posting: str) -> Change:
        """Return the change that is noted, with the posting that makes it."""
        return Change(MONEY, UNDONE, str(self.wallets), new=str(self.taken + self.given), posting=posting)


def is_crowd(change_set: ChangeSet) -> bool:
    """Return whether a change set is a payment to many."""
    return any(each.subject.startswith(CROWD) for each in change_set.changes)


def takers_of(entries: Sequence[Entry]) -> set[Purse]:
    """Return the wallets that a payment has paid."""
    return {each.target for each in entries if each.source.kind == purses.MINT}
