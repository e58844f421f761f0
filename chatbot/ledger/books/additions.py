"""What a unit of work adds beside postings: people, names, hints, chains, ids of lines, and other rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import insert

from chatbot.ledger import chains, members, people
from chatbot.ledger.chains import SealedChain
from chatbot.ledger.people import Newcomer
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import ColumnValues
from chatbot.ledger.store.writes import RowWrite, Statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.kernel.game import Seat

_ADD_HEARD = Statement(insert(schema.heard), schema.heard.c.keys())


@dataclass(slots=True)
class Additions:
    """What is decided and not written yet, beside postings; true if it needs a transaction."""

    lines: dict[str, datetime] = field(default_factory=dict)  # ids of commands that are acted on
    hints: dict[str, ColumnValues] = field(default_factory=dict)  # by id
    others: list[RowWrite] = field(default_factory=list)  # which may refer to postings
    _members: dict[tuple[str, str], ColumnValues] = field(default_factory=dict)
    _newcomers: list[Newcomer] = field(default_factory=list)
    _chains: list[SealedChain] = field(default_factory=list)
    _communities: set[str] = field(default_factory=set)  # of `others`
    # Members who were seen again, for whom alone no transaction is made.
    _seen: dict[tuple[str, str], ColumnValues] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(
            self.lines or self._members or self._newcomers or self.hints or self._chains or self.others
        )

    def provide(self, chain: SealedChain) -> None:
        """Add a new hash chain for the seeds of later tables."""
        self._chains.append(chain)

    def add(self, community: str, *writes: RowWrite) -> None:
        """Add writes of rows of other kinds, which name what they were decided on, for a community."""
        self.others += writes
        self._communities.add(community)

    def meet(self, newcomer: Newcomer) -> None:
        """Add a person who was never seen before."""
        self._newcomers.append(newcomer)

    def note(self, community: str, seat: Seat, name: str, at: datetime, *, again: bool = False) -> None:
        """Record the present name of a member; if they were seen `again`, only beside something else."""
        rows = self._seen if again else self._members
        rows[community, seat] = members.row(community, seat, name, at)

    def take_seen(self) -> list[ColumnValues]:
        """Return the rows of members who were seen again, if nothing else was written, and drop them."""
        rows = [*self._seen.values()]
        self._seen.clear()
        return rows

    @property
    def communities(self) -> set[str]:
        """The communities that these rows are of; newcomers are of none."""
        of_members = {community for community, _ in (*self._seen, *self._members)}
        return of_members | {row["community"] for row in self.hints.values()} | self._communities

    def writes(self) -> Iterator[RowWrite]:
        """Yield what a posting may refer to; `others` follow the postings."""
        if self._newcomers:
            yield from people.writes(self._newcomers)
        if self._seen or self._members:
            yield from members.writes((self._seen | self._members).values())
        if self.lines:
            yield RowWrite(_ADD_HEARD, [{"id": line, "at": at} for line, at in sorted(self.lines.items())])
        if self.hints:
            yield from members.hint_writes(self.hints.values())
        if self._chains:
            yield from chains.writes(self._chains)
