"""Stores who does not want to be named on public pages; chats name them as before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, insert, select

from chatbot.kernel.game import Seat
from chatbot.ledger.store import schema
from chatbot.ledger.store.writes import RowWrite, Statement

if TYPE_CHECKING:
    from collections.abc import Collection

    from chatbot.ledger.people import People
    from chatbot.ledger.store.store import Store

_row = schema.hidden_member.c
_HIDE = Statement(insert(schema.hidden_member), ("seat",))
_SHOW = Statement(delete(schema.hidden_member).where(_row.seat == bindparam("hidden")), ("hidden",))


class HiddenMembers:
    """The members of a database who are hidden: whoever hides one of their seats hides all of them."""

    def __init__(self, store: Store, people: People) -> None:
        self._store, self._ties = store, people.ties

    async def among(self, seats: Collection[Seat]) -> set[Seat]:
        """Return those of some seats whose person is hidden."""
        roots = {self._ties.root(each) for each in await self.all()}
        return {each for each in seats if self._ties.root(each) in roots}

    async def all(self) -> set[Seat]:
        """Return the seats by which members have hidden themselves."""
        async with self._store.reading() as connection:
            return {Seat(each) for each in (await connection.execute(select(_row.seat))).scalars()}


def hiding(seat: Seat) -> RowWrite:
    """Return the write that hides a person who is not hidden."""
    return RowWrite(_HIDE, [{"seat": seat}], changes=1)


def showing(seats: Collection[Seat]) -> RowWrite:
    """Return the write that shows a person again who was hidden by these seats."""
    return RowWrite(_SHOW, [{"hidden": each} for each in sorted(seats)], changes=len(seats))
