"""Stores who has logged in with a browser, and links that log in.

Of what a browser or an address holds the database has only the hash: whoever reads a backup opens nothing.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select

from chatbot.ledger.people import Account
from chatbot.ledger.store import schema

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.store import Store

OPERATOR = "operator"
"""The kind of sessions of whoever runs the program."""

DESK = "desk"
"""The kind of sessions at which somebody moderates, as far as their roles reach."""

LOGGED_IN = "account"
"""The kind of sessions of which it is known who it is, and which open no desk."""

GUEST = "guest"
"""The kind of sessions that may open the local page from elsewhere, by an invitation, as viewers."""

SEAT = "seat"
"""The kind of sessions in which a member does what they may do in a chat: plays, stakes, reads."""

SEAT_BY_CODE = "seat-by-code"
"""The kind of sessions that a code in a chat has opened: they play the hands of who has typed it."""

SEATS = frozenset({SEAT, SEAT_BY_CODE})
"""The kinds of sessions that open a seat and nothing else; a browser holds them apart from all others."""

LINK_LASTS = timedelta(minutes=10)
INVITATION_LASTS = timedelta(hours=12)  # that of guests, which opens several sessions
LASTS = {
    OPERATOR: timedelta(hours=12),
    DESK: timedelta(hours=12),
    LOGGED_IN: timedelta(days=30),
    GUEST: timedelta(hours=12),
    SEAT: timedelta(days=30),
    SEAT_BY_CODE: timedelta(days=30),
}
MOST_SESSIONS = 50  # of a kind and an account; the oldest ends for the next one
_session, _link = schema.web_session.c, schema.one_time_link.c


@dataclass(frozen=True, slots=True)
class Login:
    """What a link or a login opens: a session of a kind, and whose it is."""

    kind: str
    account: Account
    name: str


@dataclass(frozen=True, slots=True)
class WebSession:
    """A browser that is logged in; each change must repeat `csrf`."""

    id: str
    login: Login
    csrf: str
    ends_at: datetime

    @property
    def kind(self) -> str:
        """Whose pages it opens."""
        return self.login.kind


class WebSessions:
    """The sessions in a database; they belong to no home, and need no lease."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def invite(self, login: Login, now: datetime) -> str:
        """Return the secret part of a link that logs in within `LINK_LASTS`, once.

        That of a guest lasts longer and logs in several.
        """
        secret, lasting = secrets.token_urlsafe(32), login.kind == GUEST
        row = {
            "id": _hash(secret),
            **_who(login),
            "lasting": int(lasting),
            "ends_at": now + (INVITATION_LASTS if lasting else LINK_LASTS),
        }

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(delete(schema.one_time_link).where(_link.ends_at < now))
            await connection.execute(insert(schema.one_time_link), row)

        await self._store.write(work, homes=())
        return secret

    async def redeem(
        self, secret: str, now: datetime, *, kinds: Collection[str] = frozenset(LASTS)
    ) -> tuple[str, WebSession] | None:
        """Open a session by a link, and return what the browser shall hold; None: the link opens nothing.

        A link that is not lasting opens one session, however often it is redeemed at once. One of a kind that
        is not among `kinds` is left as it is.
        """
        link_id, here = _hash(secret), _link.kind.in_(list(kinds))
        columns = _link.kind, _link.platform, _link.account, _link.name, _link.ends_at

        async def work(connection: AsyncConnection) -> tuple[str, WebSession] | None:
            one_time = _link.id == link_id, _link.lasting == 0, here
            taken = await connection.execute(
                delete(schema.one_time_link).where(*one_time).returning(*columns)
            )
            row = taken.first()
            if row is None:
                row = (await connection.execute(select(*columns).where(_link.id == link_id, here))).first()
            if row is None or row.ends_at < now:
                return None
            login = Login(row.kind, Account(row.platform, row.account), row.name)
            return await _opened(connection, login, now)

        return await self._store.write(work, homes=())

    async def open(self, login: Login, now: datetime, *, instead: str = "") -> tuple[str, WebSession]:
        """Open a session of somebody whose login was checked, and return what the browser shall hold.

        It is the only one that remains if it is opened `instead` of another one, given by id: what a browser
        holds changes whenever it may do more, so that nobody who had it before gets the new rights.
        """

        async def work(connection: AsyncConnection) -> tuple[str, WebSession]:
            await connection.execute(delete(schema.web_session).where(_session.id == instead))
            return await _opened(connection, login, now)

        return await self._store.write(work, homes=())

    async def find(self, token: str, now: datetime) -> WebSession | None:
        """Return the session of what a browser holds; None: there is none, or it has ended."""
        return await self.of(_hash(token), now)

    async def of(self, session_id: str, now: datetime) -> WebSession | None:
        """Return the session of an id; None: there is none, or it has ended."""
        query = select(schema.web_session).where(_session.id == session_id)
        async with self._store.reading() as connection:
            row = (await connection.execute(query)).first()
        if row is None or row.ends_at < now:
            return None
        login = Login(row.kind, Account(row.platform, row.account), row.name)
        return WebSession(row.id, login, row.csrf, row.ends_at)

    async def is_open(self, session: WebSession, now: datetime) -> bool:
        """Whether a session has not ended."""
        query = select(_session.ends_at).where(_session.id == session.id)
        async with self._store.reading() as connection:
            ends_at = (await connection.execute(query)).scalar_one_or_none()
        return ends_at is not None and ends_at >= now

    async def end(self, session: WebSession, *, everywhere: bool = False) -> None:
        """End a session, or all of its account."""
        account = session.login.account
        mine = _session.platform == account.platform, _session.account == account.key
        which = mine if everywhere else (_session.id == session.id,)

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(delete(schema.web_session).where(*which))
            if everywhere:  # a link that nobody has used yet would open another one
                unused = _link.platform == account.platform, _link.account == account.key
                await connection.execute(delete(schema.one_time_link).where(*unused))

        await self._store.write(work, homes=())

    async def end_seats(self, account: Account) -> bool:
        """End all sessions of an account that open a seat alone, and links to one; False: there was none.

        Those of who has logged in by their platform are among them: they open a seat, too.
        """
        kinds = [*SEATS, LOGGED_IN]
        mine = (
            _session.platform == account.platform,
            _session.account == account.key,
            _session.kind.in_(kinds),
        )
        links = _link.platform == account.platform, _link.account == account.key, _link.kind.in_(kinds)

        async def work(connection: AsyncConnection) -> bool:
            ended = await connection.execute(delete(schema.web_session).where(*mine))
            unused = await connection.execute(delete(schema.one_time_link).where(*links))
            return ended.rowcount + unused.rowcount > 0

        return await self._store.write(work, homes=())


def _who(login: Login) -> dict[str, str]:
    return {
        "kind": login.kind,
        "platform": login.account.platform,
        "account": login.account.key,
        "name": login.name,
    }


async def _opened(connection: AsyncConnection, login: Login, now: datetime) -> tuple[str, WebSession]:
    token = secrets.token_urlsafe(32)
    session = WebSession(_hash(token), login, secrets.token_urlsafe(32), now + LASTS[login.kind])
    row = {"id": session.id, "csrf": session.csrf, "created_at": now, "ends_at": session.ends_at}
    await connection.execute(delete(schema.web_session).where(_session.ends_at < now))
    await connection.execute(insert(schema.web_session), {**row, **_who(login)})
    same = (
        _session.kind == login.kind,
        _session.platform == login.account.platform,
        _session.account == login.account.key,
    )
    newest = select(_session.id).where(*same).order_by(_session.created_at.desc(), _session.id)
    too_many = *same, _session.id.not_in(newest.limit(MOST_SESSIONS)), _session.id != session.id
    await connection.execute(delete(schema.web_session).where(*too_many))
    return token, session


def _hash(secret: str) -> str:
    return sha256(secret.encode(errors="replace")).hexdigest()
