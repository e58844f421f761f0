"""What newcomers were given: once for each person, also where two of their wallets become one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy import select

from chatbot.kernel.game import Seat
from chatbot.wallets import purses, schema
from chatbot.wallets.posting import Posting, instalments
from chatbot.wallets.statements import batches

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

RETURNED = "welcome-returned"  # why a second welcome of one person goes back to the mint

Member: TypeAlias = tuple[str, str]
"""A community and a seat."""

_posting, _transfer = schema.posting.c, schema.transfer.c


@dataclass(eq=False, slots=True)
class Welcomes:
    """Which of these postings are written, or are about to be, and what the welcomes among them gave."""

    written: set[str]
    given: Mapping[str, int]

    def settled(self, own: Member, target: Member, held: int, at: datetime) -> list[Posting]:
        """Take a second welcome back as far as it is held; let a first one be the target's, its only one.

        Either happens once to each welcome, however often wallets become one and part.
        """
        given = self.given.get(welcome(*own), 0)
        if not given or {_returned(*own), _passed(own, target)} & self.written:
            return []
        if welcome(*target) not in self.written:
            self.written |= {welcome(*target), _passed(own, target)}
            return [Posting(welcome(*target), target[0], at), Posting(_passed(own, target), own[0], at)]
        wallet, mint = purses.wallet(own[0], Seat(own[1])), purses.mint(own[0])
        entries = tuple(instalments(wallet, mint, min(given, held), RETURNED))
        return [Posting(_returned(*own), own[0], at, entries=entries)]


def welcome(community: str, seat: str) -> str:
    """Name the posting that welcomed somebody, or says that another of their welcomes counts here."""
    return f"welcome:{community}:{seat}"


def _returned(community: str, seat: str) -> str:
    """Name the posting that took somebody's welcome back."""
    return f"unwelcome:{community}:{seat}"


def _passed(own: Member, target: Member) -> str:
    """Name the posting that lets a welcome count as another's."""
    return f"welcomed:{':'.join(own)}:{':'.join(target)}"


async def read(connection: AsyncConnection, pairs: Collection[tuple[Member, Member]]) -> Welcomes:
    """Read what is known of wallets that become one: whose, and as whose they count."""
    names = [(welcome(*own), welcome(*to), _returned(*own), _passed(own, to)) for own, to in pairs]
    written: set[str] = set()
    given: dict[str, int] = {}
    moved = select(_transfer.posting, _transfer.credits)
    for some in batches({each for four in names for each in four}):
        written |= set((await connection.execute(select(_posting.id).where(_posting.id.in_(some)))).scalars())
        firsts = _transfer.posting.in_(some), _transfer.number == 1, _transfer.why == "welcome"
        rows = await connection.execute(moved.where(*firsts))
        given |= {str(posting): int(credits_) for posting, credits_ in rows}
    return Welcomes(written, given)
