"""Stores who has logged in with a browser, and links that log in once.

Of what a browser or an address holds the database has only the hash: whoever reads a backup opens nothing.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select

from chatbot.ledger.store import schema

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.store import Store

OPERATOR = "operator"
"""The kind of sessions of whoever runs the program."""

LINK_LASTS = timedelta(minutes=10)
SESSION_LASTS = timedelta(hours=12)
MOST_SESSIONS = 50  # of a kind; the oldest ends for the next one
_session, _link = schema.web_session.c, schema.one_time_link.c


@dataclass(frozen=True, slots=True)
class WebSession:
    """A browser that is logged in; each change must repeat `csrf`."""

    id: str
    kind: str
    csrf: str
    ends_at: datetime


class WebSessions:
    """The sessions in a database; they belong to no home, and need no lease."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def invite(self, kind: str, now: datetime) -> str:
        """Return the secret part of a link that opens one session of a kind within `LINK_LASTS`."""
        secret = secrets.token_urlsafe(32)
        row = {"id": _hash(secret), "kind": kind, "ends_at": now + LINK_LASTS}

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(delete(schema.one_time_link).where(_link.ends_at < now))
            await connection.execute(insert(schema.one_time_link), row)

        await self._store.write(work, homes=())
        return secret

    async def redeem(self, secret: str, now: datetime) -> tuple[str, WebSession] | None:
        """Open a session by a link, and return what the browser shall hold; None: the link opens nothing.

        A link opens one session, however often it is redeemed at once.
        """
        token, link_id = secrets.token_urlsafe(32), _hash(secret)

        async def work(connection: AsyncConnection) -> WebSession | None:
            taking = (
                delete(schema.one_time_link).where(_link.id == link_id).returning(_link.kind, _link.ends_at)
            )
            link = (await connection.execute(taking)).first()
            if link is None or link.ends_at < now:
                return None
            session = WebSession(_hash(token), link.kind, secrets.token_urlsafe(32), now + SESSION_LASTS)
            row = {"id": session.id, "kind": session.kind, "csrf": session.csrf}
            await connection.execute(delete(schema.web_session).where(_session.ends_at < now))
            await connection.execute(
                insert(schema.web_session), {**row, "created_at": now, "ends_at": session.ends_at}
            )
            newest = select(_session.id).where(_session.kind == session.kind)
            newest = newest.order_by(_session.created_at.desc(), _session.id).limit(MOST_SESSIONS)
            too_many = _session.kind == session.kind, _session.id.not_in(newest), _session.id != session.id
            await connection.execute(delete(schema.web_session).where(*too_many))
            return session

        session = await self._store.write(work, homes=())
        return None if session is None else (token, session)

    async def find(self, token: str, now: datetime) -> WebSession | None:
        """Return the session of what a browser holds; None: there is none, or it has ended."""
        query = select(_session.id, _session.kind, _session.csrf, _session.ends_at)
        async with self._store.reading() as connection:
            row = (await connection.execute(query.where(_session.id == _hash(token)))).first()
        return None if row is None or row.ends_at < now else WebSession(*row)

    async def end(self, session: WebSession, *, everywhere: bool = False) -> None:
        """End a session, or all of its kind."""
        which = _session.kind == session.kind if everywhere else _session.id == session.id

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(delete(schema.web_session).where(which))
            if everywhere:  # a link that nobody has used yet would open another one
                await connection.execute(delete(schema.one_time_link).where(_link.kind == session.kind))

        await self._store.write(work, homes=())


def _hash(secret: str) -> str:
    return sha256(secret.encode(errors="replace")).hexdigest()
