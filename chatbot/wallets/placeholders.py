"""Wallets that wait for somebody who is known by name only, until the platform tells whose name it is.

A placeholder is a seat such as `name:twitch:bob`, and its wallet one as any other, so the books stay sound.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import func, or_, select

from chatbot.kernel.game import Seat
from chatbot.wallets import accounts, book, schema
from chatbot.wallets.accounts import NAMED
from chatbot.wallets.posting import Entry, Posting, instalments

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.wallets.store import Store

INHERITED = "inherit"
"""Why credits leave a placeholder, and the first word of the posting."""

_account, _transfer = schema.account.c, schema.transfer.c


def placeholder(login: str) -> Seat:
    """Give the seat that stands for a login such as `twitch:bob`, whatever its case."""
    return Seat(f"{NAMED}:{login.casefold()}")


class Placeholders:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def waiting(self, community: str) -> bool:
        """Whether anything waits in a community."""
        start = accounts.wallet(community, Seat(f"{NAMED}:"))
        held = select(_account.id).where(
            _account.community == community, _account.kind == "wallet", _account.balance > 0,
            _account.id.startswith(start, autoescape=True),
        )  # fmt: skip
        async with self._store.reading() as connection:
            return (await connection.execute(held.limit(1))).first() is not None

    async def inherit(self, community: str, login: str, seat: Seat, at: datetime) -> int:
        """Hand what waits for a login to whose it is; tell how many credits that were."""
        name = accounts.wallet(community, placeholder(login))
        async with self._store.reading() as connection:
            if not await _held(connection, name):
                return 0
        work = partial(_inherit, community=community, name=name, seat=seat, at=at)
        return await self._store.write(work)


async def _inherit(connection: AsyncConnection, community: str, name: str, seat: Seat, at: datetime) -> int:
    held, wallet = await _held(connection, name), accounts.wallet(community, seat)
    before = select(func.count()).where(or_(_transfer.source == name, _transfer.target == name))
    count = int((await connection.execute(before)).scalar_one())
    entries: tuple[Entry, ...] = tuple(instalments(name, wallet, held, INHERITED))
    number = f"{INHERITED}:{community}:{accounts.seat_of(name)}:{seat}:{count}"
    posting = Posting(number, community, at, seat, entries, expects={name: held})
    return held if held and await book.write(connection, [posting]) == [True] else 0


async def _held(connection: AsyncConnection, name: str) -> int:
    found = await connection.execute(select(_account.balance).where(_account.id == name))
    return int(found.scalar_one_or_none() or 0)
