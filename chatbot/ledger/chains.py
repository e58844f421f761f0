"""The hash chains from which the seeds of tables are dealt, sealed before they reach the database.

A database, its log and its backups travel: to another disk, to whoever helps. What is sealed in them says
nothing without the key, which lies elsewhere. AES-256 in Galois/Counter Mode (NIST SP 800-38D), a random
nonce of 96 bits before the text, and what the secret is about bound to it, so that none can be put in
another's place.

Whoever knows a link of a chain knows all links before it (`chatbot.kernel.chain`). Did tables that stand at
once share a chain, then the end of a later one would tell the seed of an earlier one that is still being
played: somebody who sits there could work out its hidden cards and all draws to come. To hold the later seed
back until then would do, but a table that never ends would hold back all proofs; and nothing that is public
(an HMAC with the table's number, say) can hide a link from who knows the one after it.

So a chain deals one link at a time: the next one not before the table of the last one is over, and its seed
is told then. Tables that stand at once have a chain each, and chains know nothing of each other: their ends
are independent random secrets. The next table takes the oldest chain that is free, so nobody chooses, and
what `!fair` tells of it is binding: where one table stands at a time, all come from one chain. One more is
always ready, so that no table waits for it; another one is made when more tables stand at once than ever
before, or when a chain comes to its end.

The database keeps the same law: `used` goes up by one with the posting that opens a table, and only if the
table before is over. So no link is dealt twice, nor one that somebody may know, whatever becomes of this
process; where a database is put back, the chains of the copy are spent (`chatbot.ledger.store.backup`).
"""

from __future__ import annotations

import asyncio
import secrets
from collections import defaultdict
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import func, select, update

from chatbot.kernel.chain import LENGTH, Chain
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import add
from chatbot.ledger.store.write_queue import unaccompanied

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Row
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.store import Store

KEY = 32  # bytes
_NONCE = 12  # bytes


class Unsealable(Exception):  # noqa: N818  (what it is)
    """It was sealed with another key, is about something else, or was changed."""


class Sealer:
    """Knows the key of an installation."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY:
            raise ValueError(f"a key has {KEY} bytes, not {len(key)}")
        self._cipher = AESGCM(key)

    def seal(self, secret: bytes, about: str) -> bytes:
        nonce = secrets.token_bytes(_NONCE)
        return nonce + self._cipher.encrypt(nonce, secret, about.encode())

    def unseal(self, sealed: bytes, about: str) -> bytes:
        """Read what was sealed.

        Raises:
            Unsealable: not with this key.
        """
        try:
            return self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], about.encode())
        except (InvalidTag, ValueError):
            raise Unsealable(about) from None


@dataclass(frozen=True, slots=True)
class Secret:
    """The seed of a table: a link of the chain that has this head, in hexadecimal digits."""

    chain: str
    link: int
    seed: bytes = field(repr=False)  # a secret has no place in a log


@dataclass(frozen=True, slots=True)
class SealedChain:
    """A new chain of a room as it is written; with it the chains of the heads `gone` are done away with."""

    room: str
    head: str
    length: int
    sealed: bytes
    gone: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Strand:
    """A chain in use. `used` is the last link that was dealt, and `table` what is still played with it."""

    head: str
    chain: Chain
    used: int = 0
    table: str | None = None

    @property
    def free(self) -> bool:
        return self.table is None and self.used < self.chain.length

    @property
    def spent(self) -> bool:
        return self.table is None and self.used >= self.chain.length

    def secret(self, link: int) -> Secret:
        return Secret(self.head, link, self.chain.link(link))


@dataclass(slots=True)
class _Room:
    strands: list[_Strand] = field(default_factory=list)  # oldest first
    lost: set[str] = field(default_factory=set)  # heads of chains that cannot be unsealed
    making: asyncio.Lock = field(default_factory=asyncio.Lock)

    def adopt(self, chain: Chain, row: SealedChain) -> _Strand:
        """Deal from a chain from now on, and no more from those that are gone with it."""
        self.strands = [each for each in self.strands if each.head not in row.gone]
        strand = _Strand(row.head, chain)
        self.strands.append(strand)
        self.lost -= row.gone
        return strand


class Chains:
    """`fresh` draws the secret of a new chain."""

    def __init__(
        self, store: Store, sealer: Sealer, fresh: Callable[[], bytes], length: int = LENGTH
    ) -> None:
        self._store, self._sealer, self._fresh, self._length = store, sealer, fresh, length
        self._rooms: dict[str, _Room] = defaultdict(_Room)
        self._standing: dict[str, Secret] = {}  # by table

    async def load(self, room: str) -> bool:
        """Read the chains of a room, and which tables stand on them; whether any cannot be unsealed."""
        async with self._store.reading() as connection:
            rows, standing = await _chains(connection, room), await _standing(connection, room)
        here = self._rooms[room]
        for strand in here.strands:
            self._standing.pop(strand.table or "", None)
        here.strands, here.lost = [], set()
        for row in rows:
            try:
                chain = opened(self._sealer, room, row)
            except Unsealable:
                here.lost.add(row.head)
                continue
            here.strands.append(_Strand(row.head, chain, row.used))
        strands = {each.head: each for each in here.strands}
        for table, head, link in standing:
            if head in strands:
                self.took(room, table, strands[head].secret(link))
        return bool(here.lost)

    def coming(self, room: str) -> Secret | None:
        """Tell which secret the next table of a room takes; None: first a chain must be made by `provide`."""
        strand = next((each for each in self._rooms[room].strands if each.free), None)
        return None if strand is None else strand.secret(strand.used + 1)

    def took(self, room: str, table: str, secret: Secret) -> None:
        """Note that a table was opened with this secret."""
        for strand in self._rooms[room].strands:
            if strand.head == secret.chain:
                self._standing[table] = secret
                if secret.link >= strand.used:  # else somebody has been at the books
                    strand.used, strand.table = secret.link, table

    def over(self, room: str, table: str) -> None:
        """Note that a table is over: its chain may deal the next link."""
        self._standing.pop(table, None)
        for strand in self._rooms[room].strands:
            if strand.table == table:
                strand.table = None

    def seed(self, table: str) -> bytes | None:
        """Give the seed of a table that stands, if it can be had."""
        secret = self._standing.get(table)
        return None if secret is None else secret.seed

    async def provide(self, room: str) -> list[tuple[str, int]]:
        """See to it that some chain is free; give the head and the length of each that had to be made.

        What cannot be unsealed, and what has come to its end, is done away with in the same transaction.
        """
        here, made = self._rooms[room], list[tuple[str, int]]()
        async with here.making:
            while here.lost or not any(each.free for each in here.strands):
                chain, sealed = await self._make(room)
                with unaccompanied():  # it is for tables to come
                    added = await self._store.write(partial(add_chain, chain=sealed))
                if not added:
                    continue  # a source that repeats itself has drawn this one before
                here.adopt(chain, sealed)
                made.append((sealed.head, sealed.length))
        return made

    async def prepare(self, room: str, taken: Secret) -> ChainDraft | None:
        """Make the chain that a room needs behind a table that takes this secret; None: it has one."""
        here = self._rooms[room]
        if any(each.free and each.head != taken.chain for each in here.strands):
            return None
        async with here.making:
            chain, sealed = await self._make(room)
            return ChainDraft(here, here.adopt(chain, sealed), sealed)

    async def _make(self, room: str) -> tuple[Chain, SealedChain]:
        here = self._rooms[room]
        chain = await asyncio.to_thread(Chain.make, self._fresh(), self._length)
        head, spent = chain.head.hex(), {each.head for each in here.strands if each.spent}
        sealed = self._sealer.seal(chain.dump(), _about(room, head))
        return chain, SealedChain(room, head, chain.length, sealed, frozenset(here.lost | spent))


class ChainDraft:
    """A chain that is in memory, and written with what comes next as `row`, or dropped again."""

    def __init__(self, here: _Room, strand: _Strand, row: SealedChain) -> None:
        self._here, self._strand, self.row = here, strand, row

    def drop(self) -> None:
        """Deal nothing from it: it was not written."""
        self._here.strands = [each for each in self._here.strands if each is not self._strand]


async def add_chain(connection: AsyncConnection, chain: SealedChain) -> bool:
    """Write a chain down in the transaction of the caller; False: there is one of this head."""
    row = schema.chain.c
    newest = select(func.max(row.number)).where(row.room == chain.room)
    last = (await connection.execute(newest)).scalar() or 0
    values = {"head": chain.head, "room": chain.room, "number": last + 1, "length": chain.length, "used": 0}
    if not await add(connection, schema.chain, [values | {"sealed": chain.sealed}]):
        return False
    if chain.gone:
        done = update(schema.chain).where(row.head.in_(sorted(chain.gone)))
        await connection.execute(done.values(sealed=None))
    return True


def opened(sealer: Sealer, room: str, row: Row[*tuple[Any, ...]]) -> Chain:
    """Unseal a chain as it stands in the database.

    Raises:
        Unsealable: it was sealed with another key, or somebody has been at it.
    """
    secrets = sealer.unseal(row.sealed, _about(room, row.head))
    try:
        return Chain.load(bytes.fromhex(row.head), row.length, secrets)
    except ValueError:
        raise Unsealable(row.head) from None


async def count_sealed(store: Store, sealer: Sealer) -> tuple[int, int]:
    """Count the chains that a key can unseal, and those that it cannot; what is spent needs none."""
    row = schema.chain.c
    wanted = select(row.head, row.room, row.length, row.sealed).where(func.length(row.sealed) > 0)
    async with store.reading() as connection:
        found = (await connection.execute(wanted)).all()
    fit = sum(await asyncio.to_thread(lambda: [_fits(sealer, each) for each in found]))
    return fit, len(found) - fit


def _fits(sealer: Sealer, row: Row[*tuple[Any, ...]]) -> bool:
    try:
        opened(sealer, row.room, row)
    except Unsealable:
        return False
    return True


def _about(room: str, head: str) -> str:
    return f"chain {head} of {room}"


async def _chains(connection: AsyncConnection, room: str) -> Sequence[Row[*tuple[Any, ...]]]:
    """Read the chains from which links are dealt, oldest first."""
    row = schema.chain.c
    wanted = select(row.head, row.length, row.used, row.sealed)
    dealing = wanted.where(row.room == room, row.sealed.is_not(None)).order_by(row.number)
    return (await connection.execute(dealing)).all()


async def _standing(connection: AsyncConnection, room: str) -> Sequence[Row[str, str, int]]:
    """Read which tables stand, and on which links."""
    row = schema.game_table.c
    wanted = select(row.id, row.chain, row.link).where(row.state == "open", row.room == room)
    return (await connection.execute(wanted.where(row.chain.is_not(None)))).all()
