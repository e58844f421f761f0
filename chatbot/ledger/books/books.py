"""The books as far as postings concern them, which decides whether each posting is accepted.

Postings are decided one after the other, each from the books as they are after those before it, whether the
data was read in the transaction that writes them or is what memory knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from chatbot.ledger.books import purses
from chatbot.ledger.books.forwarding import NO_FORWARDING, Forwarding, carried
from chatbot.ledger.books.posting import (
    MOST_MINTED,
    Closed,
    Entry,
    Exhausted,
    LedgerError,
    Moved,
    Posting,
    Rejection,
    Short,
    instalments,
)
from chatbot.ledger.books.purses import MINT, Purse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WriteResult: TypeAlias = bool | Exception
"""True: accepted; False: it was written before; an exception: it was refused."""


@dataclass(frozen=True, slots=True)
class AcceptedPosting:
    """An accepted posting, all its entries, and the total change of each purse.

    `entries` has those of the posting, and those that the books add: bankrolls and forwarded credits.
    """

    posting: Posting
    entries: Sequence[Entry]
    changes: Mapping[Purse, int]


@dataclass(slots=True)
class Books:
    """What postings concern, as it is after those that were decided so far."""

    tables: dict[str, tuple[str, str]] = field(default_factory=dict)  # community and state by id
    balances: dict[Purse, int] = field(default_factory=dict)
    absent: set[Purse] = field(default_factory=set)  # purses that have no row
    forwarding: Forwarding = NO_FORWARDING
    posting_ids: set[str] = field(default_factory=set)  # ids of postings that are written, or accepted here
    accepted: list[AcceptedPosting] = field(default_factory=list)
    before: dict[Purse, int] = field(default_factory=dict)  # the first balance of each changed purse

    def balance_of(self, name: Purse) -> int:
        """Return the balance of the purse that holds the credits of this one."""
        return self.balances[name if self.forwarding is NO_FORWARDING else self.forwarding.real(name)]

    def answer(self, posting: Posting) -> WriteResult:
        """Decide a posting, and apply its changes if it is accepted.

        The following exceptions are returned, not raised:
            Short: a purse cannot pay.
            Exhausted: the community would have more than `MOST_MINTED` credits.
            Moved: a balance is not the expected one.
            Closed: the table is not open.
            LedgerError: the table is of another community, opened twice, or would end with credits in its
                pot.
        """
        if posting.id in self.posting_ids:
            return False
        try:
            self._accept(posting)
        except Rejection as refusal:
            return refusal
        self.posting_ids.add(posting.id)
        return True

    def _accept(self, posting: Posting) -> None:
        # Nothing here changes before the last check has passed: the postings after a refused one are decided
        # from it.
        self._require_open(posting)
        self._require_expected(posting)
        entries = self._with_bankroll(posting)
        if posting.beside is not None:
            _require_own_sums(posting)
        if self.forwarding is not NO_FORWARDING:
            entries = (*entries, *self._forwarded(posting, total_changes(entries)))
        changes = total_changes(entries)
        self._require_funds(changes)
        if posting.end is not None:
            self._require_empty(purses.pot(posting.community, str(posting.table)), changes)
        for name, change in changes.items():
            self.before.setdefault(name, self.balances[name])
            self.balances[name] += change
        if posting.table is not None:
            self.tables[posting.table] = posting.community, posting.end or "open"
        self.accepted.append(AcceptedPosting(posting, entries, changes))

    def _require_open(self, posting: Posting) -> None:
        if posting.opening is not None and posting.opening.table in self.tables:
            raise LedgerError(f"table {posting.opening.table} is there already")
        if posting.opening is not None or posting.table is None:
            return
        community, state = self.tables.get(posting.table, (posting.community, "missing"))
        if state != "open":
            raise Closed(posting.table)
        if community != posting.community:
            raise LedgerError(f"table {posting.table} is of {community!r}, not of {posting.community!r}")

    def _require_expected(self, posting: Posting) -> None:
        for name in sorted(posting.expects):
            if self.balances[self.forwarding.real(name)] != posting.expects[name]:
                raise Moved(name)

    def _with_bankroll(self, posting: Posting) -> tuple[Entry, ...]:
        """Return the entries, after one from the mint for what the house lacks: the house can always pay."""
        house = purses.house(posting.community)
        if all(each.source != house for each in posting.entries):
            return posting.entries
        # The mint is among the concerned purses only if it may be needed, so its balance is looked up only
        # where that is so.
        lacking = -(self.balances.get(house, 0) + total_changes(posting.entries)[house])
        mint = purses.mint(posting.community)
        if lacking > MOST_MINTED:
            raise Exhausted(mint, self.balances[mint])
        return (*instalments(mint, house, lacking, "bankroll"), *posting.entries)

    def _forwarded(self, posting: Posting, changes: Mapping[Purse, int]) -> Iterator[Entry]:
        """Return entries that empty each replaced wallet into the one that replaces it, or refill it."""
        for name in sorted(posting.purses()):
            real = self.forwarding.real(name)
            if real != name:
                yield from carried(name, real, self.balances[name] + changes.get(name, 0))

    def _require_funds(self, changes: Mapping[Purse, int]) -> None:
        """Require that no purse becomes negative, and no mint less than `-MOST_MINTED`.

        The other purses of a community together hold what its mint lacks, so none can hold more than that.
        """
        for name, change in changes.items():
            left, is_mint = self.balances[name] + change, name.kind == MINT
            # Only where the mint pays: whoever returns credits to it is not refused because too many were
            # made before.
            if is_mint and change < 0 and left < -MOST_MINTED:
                raise Exhausted(name, self.balances[name])
            if left < 0 and not is_mint:
                raise Short(name, self.balances[name])

    def _require_empty(self, pot: Purse, changes: Mapping[Purse, int]) -> None:
        left = self.balances[pot] + changes.get(pot, 0)
        if left:
            raise LedgerError(f"{pot} must be empty at the end of its table, and holds {left}")


def concerned_purses(posting: Posting) -> set[Purse]:
    """Return the purses that a posting concerns, with the mint if the house may have to draw on it."""
    names = posting.purses()
    if posting.table is not None:
        names.add(purses.pot(posting.community, posting.table))
    house = purses.house(posting.community)
    if any(each.source == house for each in posting.entries) and total_changes(posting.entries)[house] < 0:
        names.add(purses.mint(posting.community))
    return names


def total_changes(entries: Iterable[Entry]) -> Counter[Purse]:
    """Return the total change of each purse."""
    changes: Counter[Purse] = Counter()
    for each in entries:
        changes[each.source] -= each.credits
        changes[each.target] += each.credits
    return changes


def _require_own_sums(posting: Posting) -> None:
    """Require that credits leave a community by its mint only, since each community sums to 0 by itself."""
    for each in posting.entries:
        source, target = each.source.community, each.target.community
        assert source == target, f"posting {posting.id}: from {source} to {target} past the mints"  # noqa: S101
