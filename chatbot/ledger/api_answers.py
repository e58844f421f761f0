"""Stores what programs were answered, by the keys that they gave to their requests, for a day.

An answer may be for its caller alone, and may hold a secret: it is sealed, for a backup shall open nothing.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select, update

from chatbot.ledger.chains import Unsealable
from chatbot.ledger.store import schema

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.chains import Sealer
    from chatbot.ledger.store.store import Store

KEPT = timedelta(days=1)
MOST_ANSWERS = 1000  # of a caller; the oldest goes for the next one
_PURPOSE = "rabble answers to programs/1"
_answer = schema.api_answer.c


@dataclass(frozen=True, slots=True)
class KeyedRequest:
    """A request with its key: who calls, and the hash of what is asked for."""

    caller: str
    key: str
    digest: str

    @property
    def purpose(self) -> str:
        """What its answer is sealed for, so that no answer can be exchanged for another."""
        return f"{_PURPOSE} {self.caller} {self.key}"


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """What a request was answered; `status` is None where that is not known, `body` where nobody may read it.

    `is_other` says that the key was given to another request.
    """

    status: int | None
    body: bytes | None
    is_other: bool


class ApiAnswers:
    """The answers in a database; they belong to no home, and need no lease."""

    def __init__(self, store: Store, sealer: Sealer) -> None:
        self._store, self._sealer = store, sealer

    async def begin(self, request: KeyedRequest, now: datetime) -> StoredAnswer | None:
        """Note that a request is worked on; return what is known of it if it was begun before."""
        which = _answer.caller == request.caller, _answer.key == request.key
        row = {
            "caller": request.caller,
            "key": request.key,
            "request": request.digest,
            "status": None,
            "body": None,
            "at": now,
        }

        async def work(connection: AsyncConnection) -> StoredAnswer | None:
            await connection.execute(delete(schema.api_answer).where(_answer.at < now - KEPT))
            known = (await connection.execute(select(schema.api_answer).where(*which))).first()
            if known is not None:
                body = None if known.body is None else self._unsealed(known.body, request)
                return StoredAnswer(known.status, body, known.request != request.digest)
            await connection.execute(insert(schema.api_answer), row)
            surplus = (
                select(_answer.key)
                .where(_answer.caller == request.caller)
                .order_by(_answer.at.desc(), _answer.key)
                .offset(MOST_ANSWERS)
            )
            keys = (await connection.execute(surplus)).scalars().all()
            oldest = _answer.caller == request.caller, _answer.key.in_(keys)
            await connection.execute(delete(schema.api_answer).where(*oldest))
            return None

        return await self._store.write(work, homes=())

    async def put(self, request: KeyedRequest, status: int, body: bytes) -> None:
        """Store the answer to a request that was begun."""
        sealed = b64encode(self._sealer.seal(body, request.purpose)).decode()
        which = _answer.caller == request.caller, _answer.key == request.key

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(
                update(schema.api_answer).where(*which).values(status=status, body=sealed)
            )

        await self._store.write(work, homes=())

    async def release(self, request: KeyedRequest) -> None:
        """Forget a request that was begun, and of which nothing was done."""
        which = _answer.caller == request.caller, _answer.key == request.key

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(delete(schema.api_answer).where(*which, _answer.status.is_(None)))

        await self._store.write(work, homes=())

    def _unsealed(self, sealed: str, request: KeyedRequest) -> bytes | None:
        try:
            return self._sealer.unseal(b64decode(sealed), request.purpose)
        except (Unsealable, ValueError):
            return None
