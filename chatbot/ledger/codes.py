"""Codes that are shown to one and typed by another, once: rows, so that each process knows those of all.

A code is looked at and taken in transactions, and counts until an instant by the clock of the database. Of
two processes that take one at the same time, one gets it; the line that has taken it gets it again if it is
decided once more, as after its process was lost. Wrong codes are counted there, too, for an account in all
rooms of all processes. Of a code the database has only the hash.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, or_, select, text, update

from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import ensure, put

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.people import Account
    from chatbot.ledger.store.store import Store
    from chatbot.runtime.clock import Watch

TRIES = 5  # wrong codes of a kind that an account may type within `TRIES_LAST`, over all rooms
TRIES_LAST = timedelta(minutes=10)

_NOW = text("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")
_code, _try = schema.one_time_code.c, schema.code_try.c


class WrongCode(Exception):  # noqa: N818  (an answer, not a fault)
    """There is no such code, it has run out, or somebody has taken it."""


class TooManyTries(Exception):  # noqa: N818  (an answer, not a fault)
    """The account has typed too many wrong codes; `wait` are the seconds until it may try again."""

    def __init__(self, wait: float) -> None:
        super().__init__()
        self.wait = wait


@dataclass(frozen=True, slots=True)
class CodeKind:
    """What its codes are for, of what they consist, and how long they count.

    `most` wait at once, and the oldest ends for the next one; 0: any number.
    """

    name: str
    letters: str
    length: int
    lasts: timedelta
    most: int = 0


class OneTimeCodes:
    """The codes of a kind in a database; they belong to no home, and need no lease."""

    def __init__(self, store: Store, watch: Watch, kind: CodeKind) -> None:
        self._store, self._watch, self._kind = store, watch, kind

    async def issue(self, owner: str, value: str = "", account: Account | None = None) -> str:
        """Return a new code that stands for a value, in the place of the one that its owner had.

        `account` is whose it is, for whom it is deleted if they are forgotten.
        """
        code = "".join(secrets.choice(self._kind.letters) for _ in range(self._kind.length))
        await self._store.write(partial(self._put, owner, value, account, code), homes=())
        return code

    async def offer(self, owner: str, value: str, account: Account | None = None) -> None:
        """Keep a value for an owner, who takes it without a code, in the place of another one."""
        await self._store.write(partial(self._put, owner, value, account, None), homes=())

    async def look(self, account: Account, code: str, line: str) -> tuple[str, str]:
        """Return the owner and the value of a code that an account has typed in a line.

        Raises:
            WrongCode: it does not count, or another line has used it up.
            TooManyTries: the account has typed too many of these.
        """
        result = await self._store.write(partial(self._find, account, self._hash(code), line), homes=())
        if isinstance(result, Exception):
            raise result
        return result

    async def take(
        self, code: str, line: str, value: str | None = None, account: Account | None = None
    ) -> bool:
        """Use a code up by a line; False: another line has, or it has run out.

        A `value` and an `account` take the place of those that it has.
        """
        which = _code.code == self._hash(code)
        return await self._store.write(partial(self._take, which, line, value, account), homes=()) is not None

    async def take_offer(self, owner: str, line: str) -> str | None:
        """Use up what is kept for an owner, and return its value; None: there is nothing that counts."""
        which = (_code.owner == owner) & _code.code.is_(None)
        return await self._store.write(partial(self._take, which, line, None, None), homes=())

    async def state(self, owner: str) -> tuple[bool, str] | None:
        """Return whether the code of an owner is taken, and its value; None: they have none that counts."""
        query = select(_code.taken_by, _code.value, _code.ends_at)
        query = query.where(_code.kind == self._kind.name, _code.owner == owner)
        async with self._store.reading() as connection:
            row = (await connection.execute(query)).first()
            if row is None or row.ends_at <= await self._now(connection):
                return None
        return row.taken_by is not None, row.value

    async def drop(self, owner: str) -> bool:
        """Void the code of an owner; return whether there was one, so that one of several callers is told."""

        async def work(connection: AsyncConnection) -> bool:
            own = _code.kind == self._kind.name, _code.owner == owner
            return bool((await connection.execute(delete(schema.one_time_code).where(*own))).rowcount)

        return await self._store.write(work, homes=())

    async def _put(
        self, owner: str, value: str, account: Account | None, code: str | None, connection: AsyncConnection
    ) -> None:
        now = await self._now(connection)
        await connection.execute(delete(schema.one_time_code).where(_code.ends_at <= now))
        await connection.execute(delete(schema.code_try).where(_try.until <= now))
        row = {
            "kind": self._kind.name,
            "owner": owner,
            "code": None if code is None else self._hash(code),
            "platform": None if account is None else account.platform,
            "account": None if account is None else account.key,
            "value": value,
            "taken_by": None,
            "ends_at": now + self._kind.lasts,
        }
        await put(connection, schema.one_time_code, [row])
        if self._kind.most:
            await self._drop_oldest(connection)

    async def _drop_oldest(self, connection: AsyncConnection) -> None:
        ours = _code.kind == self._kind.name
        count = select(func.count()).select_from(schema.one_time_code).where(ours)
        excess = int((await connection.execute(count)).scalar_one()) - self._kind.most
        if excess > 0:
            oldest = select(_code.owner).where(ours).order_by(_code.ends_at, _code.owner).limit(excess)
            await connection.execute(delete(schema.one_time_code).where(ours, _code.owner.in_(oldest)))

    async def _find(
        self, account: Account, code: str, line: str, connection: AsyncConnection
    ) -> tuple[str, str] | WrongCode | TooManyTries:
        now = await self._now(connection)
        who = {"kind": self._kind.name, "platform": account.platform, "account": account.key}
        # Locked before the code is looked at: else several processes would each allow the last try.
        await ensure(connection, schema.code_try, [{**who, "tries": 0, "until": now}])
        own = _try.kind == who["kind"], _try.platform == who["platform"], _try.account == who["account"]
        query = select(_try.tries, _try.until).where(*own).with_for_update()
        tries, until = (await connection.execute(query)).one()
        if until <= now:
            tries, until = 0, now + TRIES_LAST
        if tries >= TRIES:
            return TooManyTries((until - now).total_seconds())
        counts = _code.code == code, _code.ends_at > now, _is_free(line)
        row = (await connection.execute(select(_code.owner, _code.value).where(*counts))).first()
        if row is not None:
            return row.owner, row.value
        values = {"tries": tries + 1, "until": until}
        await connection.execute(update(schema.code_try).where(*own).values(values))
        return WrongCode()

    async def _take(
        self,
        which: ColumnElement[bool],
        line: str,
        value: str | None,
        account: Account | None,
        connection: AsyncConnection,
    ) -> str | None:
        now = await self._now(connection)
        statement = update(schema.one_time_code).where(
            _code.kind == self._kind.name, which, _code.ends_at > now, _is_free(line)
        )
        values = {"taken_by": line}
        if value is not None:
            values["value"] = value
        if account is not None:
            values |= {"platform": account.platform, "account": account.key}
        result = await connection.execute(statement.values(values).returning(_code.value))
        taken: str | None = result.scalar_one_or_none()
        return taken

    async def _now(self, connection: AsyncConnection) -> datetime:
        """Return the time by the clock of the database; a file has none but that of the program."""
        if connection.dialect.name != "postgresql":
            return self._watch.date()
        milliseconds = int((await connection.execute(_NOW)).scalar_one())
        return datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=milliseconds)

    def _hash(self, code: str) -> str:
        return sha256(f"{self._kind.name}:{code.upper()}".encode(errors="replace")).hexdigest()


def _is_free(line: str) -> ColumnElement[bool]:
    return or_(_code.taken_by.is_(None), _code.taken_by == line)
