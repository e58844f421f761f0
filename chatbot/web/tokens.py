"""Tokens of programs: made at the desk, in the name of whoever made them, with scopes."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select, update

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message
from chatbot.ledger.people import Account
from chatbot.ledger.store import schema
from chatbot.rooms.scopes import EVENTS, GIVE, MODERATE, OWN, PLAY, READ, SCOPES
from chatbot.web.principals import TOKEN, Principal

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.store import Store
    from chatbot.runtime.clock import Watch

__all__ = ["EVENTS", "GIVE", "MODERATE", "OWN", "PLAY", "READ", "SCOPES", "TokenRow", "Tokens"]

PREFIX = "rabble_"  # by which a token is recognized that lies somewhere it should not
MOST_TOKENS = 50  # of a room
LONGEST_LABEL = 50  # characters
NOTED = 60  # seconds within which a use is not noted again

_token = schema.api_token.c


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token as it is listed: nobody is told it again."""

    id: str
    label: str
    room: str
    scopes: tuple[str, ...]
    maker: str
    created_at: datetime
    used_at: datetime | None


class Tokens:
    """The tokens in a database, of which it has only the hashes."""

    def __init__(self, store: Store, watch: Watch) -> None:
        self._store, self._watch = store, watch

    async def make(self, maker: Principal, room: str, label: str, scopes: Collection[str]) -> str:
        """Return a new token.

        Raises:
            Refusal: a scope is unknown, the label is empty or too long, or there are too many tokens.
        """
        unknown = [each for each in scopes if each not in SCOPES]
        if unknown or not scopes:
            raise Refusal(Message("token-scopes", {"known": ", ".join(SCOPES)}))
        if not 0 < len(label) <= LONGEST_LABEL:
            raise Refusal(Message("token-label", {"most": LONGEST_LABEL}))
        secret = PREFIX + secrets.token_urlsafe(32)
        row = {
            "id": _hash(secret),
            "label": label,
            "room": room,
            "scopes": json.dumps(sorted(scopes)),
            "platform": maker.account.platform,
            "account": maker.account.key,
            "name": maker.name,
            "created_at": self._watch.date(),
            "used_at": None,
        }

        async def work(connection: AsyncConnection) -> bool:
            query = select(func.count()).select_from(schema.api_token).where(_token.room == room)
            if ((await connection.execute(query)).scalar() or 0) >= MOST_TOKENS:
                return False
            await connection.execute(insert(schema.api_token), row)
            return True

        if not await self._store.write(work, homes=()):
            raise Refusal(Message("token-most", {"most": MOST_TOKENS}))
        return secret

    async def all(self, room: str) -> list[TokenRow]:
        """List the tokens of a room, the newest first."""
        query = select(schema.api_token).where(_token.room == room).order_by(_token.created_at.desc())
        async with self._store.reading() as connection:
            rows = (await connection.execute(query)).all()
        return [
            TokenRow(
                each.id,
                each.label,
                each.room,
                tuple(json.loads(each.scopes)),
                each.name,
                each.created_at,
                each.used_at,
            )
            for each in rows
        ]

    async def revoke(self, room: str, token_id: str) -> bool:
        """End a token of a room; False: there is none of that id."""
        which = _token.room == room, _token.id == token_id

        async def work(connection: AsyncConnection) -> bool:
            return bool((await connection.execute(delete(schema.api_token).where(*which))).rowcount)

        return await self._store.write(work, homes=())

    async def find(self, secret: str) -> Principal | None:
        """Return who calls with a token; None: there is no such token."""
        return await self.of(_hash(secret)) if secret.startswith(PREFIX) else None

    async def of(self, token_id: str) -> Principal | None:
        """Return who calls with the token of an id; None: there is no such token."""
        async with self._store.reading() as connection:
            row = (await connection.execute(select(schema.api_token).where(_token.id == token_id))).first()
        if row is None:
            return None
        now = self._watch.date()
        if row.used_at is None or (now - row.used_at).total_seconds() > NOTED:
            await self._note(row.id, now)
        account = Account(row.platform, row.account)
        return Principal(
            row.id, TOKEN, account, row.name, room=row.room, scopes=frozenset(json.loads(row.scopes))
        )

    async def valid(self, ids: Collection[str]) -> set[str]:
        """Return which of these ids are those of tokens that still count."""
        query = select(_token.id).where(_token.id.in_(ids))
        async with self._store.reading() as connection:
            return set((await connection.execute(query)).scalars())

    async def _note(self, token_id: str, now: datetime) -> None:
        async def work(connection: AsyncConnection) -> None:
            await connection.execute(
                update(schema.api_token).where(_token.id == token_id).values(used_at=now)
            )

        await self._store.write(work, homes=())


def _hash(secret: str) -> str:
    return sha256(secret.encode(errors="replace")).hexdigest()
