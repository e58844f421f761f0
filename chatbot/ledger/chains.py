"""The hash chains whose links are the seeds of tables, encrypted before they are stored.

Copies of a database, its log and its backups are given to other disks and people. The encrypted secrets in
them are useless without the key, which is stored elsewhere. The cipher is AES-256 in Galois/Counter Mode
(NIST SP 800-38D), with a random nonce of 96 bits before the text. The purpose of a secret is authenticated
with it, so that no secret can be exchanged for another.

Anybody who knows a link of a chain can compute all links before it (`chatbot.kernel.fair`). If tables that
are open at the same time shared a chain, the published seed of a later one would reveal the seed of an
earlier one that is still being played, with its hidden cards and all later draws. The later seed could be
withheld until then, but a table that never ends would withhold all proofs; and no public transformation (such
as an HMAC with the id of the table) can hide a link from somebody who knows the one after it.

So a chain provides one link at a time: the next one only after the table of the last one has ended, whose
seed is published then. Tables that are open at the same time have a chain each, and chains are independent:
their ends are independent random secrets. The next table takes the oldest free chain, so nobody can choose,
and what `!fair` publishes of it is binding: where one table is open at a time, all come from one chain. One
more chain is always ready, so that no table waits for one; another is made when more tables are open at once
than ever before, or when a chain is used up.

The database enforces the same rule: `used` is incremented with the posting that opens a table, and only if
the table before has ended. So no link is used twice, nor one that may be known, even if this process crashes.
When a backup is restored, its chains are invalidated (`chatbot.ledger.store.backup`).
"""

from __future__ import annotations

import asyncio
import secrets
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import bindparam, func, select, text, update

from chatbot.kernel.fair import CHAIN_LENGTH, Chain
from chatbot.ledger.store import schema
from chatbot.ledger.store.request_batcher import RequestBatcher
from chatbot.ledger.store.statements import batches
from chatbot.ledger.store.writes import Contradiction, RowWrite, Statement

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from chatbot.ledger.store.statements import ColumnValues, ResultRow
    from chatbot.ledger.store.store import Store

KEY = 32  # bytes
_Rows: TypeAlias = "tuple[list[ResultRow], list[tuple[str, str, int]]]"
"""The chains of a room, and its open tables with their chains and links."""
_NONCE = 12  # bytes; GCM hashes a nonce of any other length first, which makes collisions likelier


_chain, _table = schema.chain.c, schema.game_table.c
_DEALING = (
    select(_chain.room, _chain.head, _chain.length, _chain.used, _chain.sealed)
    .where(_chain.sealed.is_not(None))
    .order_by(_chain.room, _chain.number)
)
_STANDING = select(_table.room, _table.id, _table.chain, _table.link).where(
    _table.state == "open", _table.chain.is_not(None)
)


class Unsealable(Exception):  # noqa: N818  (the name says what happened)
    """A secret was sealed with another key or for another purpose, or was changed."""


class Sealer:
    """Encrypts and decrypts secrets with the key of an installation, of `KEY` bytes.

    Raises:
        ValueError: the key has another length.
    """

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY:
            raise ValueError(f"a key has {KEY} bytes, not {len(key)}")
        self._cipher = AESGCM(key)

    def seal(self, secret: bytes, purpose: str) -> bytes:
        """Encrypt a secret, and authenticate its purpose with it."""
        nonce = secrets.token_bytes(_NONCE)
        return nonce + self._cipher.encrypt(nonce, secret, purpose.encode())

    def unseal(self, sealed: bytes, purpose: str) -> bytes:
        """Decrypt a secret.

        Raises:
            Unsealable: it was not sealed with this key and purpose.
        """
        try:
            return self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], purpose.encode())
        except (InvalidTag, ValueError):
            raise Unsealable(purpose) from None


@dataclass(frozen=True, slots=True)
class Secret:
    """The seed of a table: a link of the chain that has this head, in hexadecimal digits."""

    chain: str
    link: int
    seed: bytes = field(repr=False)  # must not be logged


@dataclass(frozen=True, slots=True)
class SealedChain:
    """A new chain of a room as it is written; the chains of the heads `retired` are retired with it."""

    room: str
    head: str
    length: int
    sealed: bytes
    retired: frozenset[str] = frozenset()


@dataclass(slots=True)
class _ActiveChain:
    """A chain in use. `used` is the last link that was taken, and `table` the open table of that link."""

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
class _RoomChains:
    active: list[_ActiveChain] = field(default_factory=list)  # oldest first
    lost_heads: set[str] = field(default_factory=set)  # of chains that cannot be unsealed
    making: asyncio.Lock = field(default_factory=asyncio.Lock)

    def adopt(self, chain: Chain, row: SealedChain) -> _ActiveChain:
        """Add a chain, and remove those that are retired with it."""
        self.active = [each for each in self.active if each.head not in row.retired]
        current = _ActiveChain(row.head, chain)
        self.active.append(current)
        self.lost_heads -= row.retired
        return current


class Chains:
    """The chains of all rooms; `draw_secret` draws the secret of a new one, which has `length` links."""

    def __init__(
        self, store: Store, sealer: Sealer, draw_secret: Callable[[], bytes], length: int = CHAIN_LENGTH
    ) -> None:
        self._store, self._sealer, self._draw_secret, self._length = store, sealer, draw_secret, length
        self._rooms: dict[str, _RoomChains] = defaultdict(_RoomChains)
        self._standing: dict[str, Secret] = {}  # by table
        self._rows = RequestBatcher(self._read)

    async def load(self, room: str) -> bool:
        """Read the chains and open tables of a room; return whether any chain cannot be unsealed."""
        rows, open_tables = await self._rows.one(room)
        room_chains = self._rooms[room]
        for current in room_chains.active:
            self._standing.pop(current.table or "", None)
        room_chains.active, room_chains.lost_heads = [], set()
        for row in rows:
            try:
                chain = unseal_chain(self._sealer, room, row)
            except Unsealable:
                room_chains.lost_heads.add(row.head)
                continue
            room_chains.active.append(_ActiveChain(row.head, chain, row.used))
        active = {each.head: each for each in room_chains.active}
        for table, head, link in open_tables:
            if head in active:
                self.took(room, table, active[head].secret(link))
        return bool(room_chains.lost_heads)

    def coming(self, room: str) -> Secret | None:
        """Return the secret of the next table of a room; None if `provide` must make a chain first."""
        current = next((each for each in self._rooms[room].active if each.free), None)
        return None if current is None else current.secret(current.used + 1)

    def took(self, room: str, table: str, secret: Secret) -> None:
        """Record in memory that a table was opened with this secret."""
        for current in self._rooms[room].active:
            if current.head == secret.chain:
                self._standing[table] = secret
                if secret.link >= current.used:  # always, unless the database was edited by other means
                    current.used, current.table = secret.link, table

    def over(self, room: str, table: str) -> None:
        """Record in memory that a table has ended, so that its chain can provide the next link."""
        self._standing.pop(table, None)
        for current in self._rooms[room].active:
            if current.table == table:
                current.table = None

    def seed(self, table: str) -> bytes | None:
        """Return the seed of an open table; None if it is unknown."""
        secret = self._standing.get(table)
        return None if secret is None else secret.seed

    async def provide(self, room: str) -> list[tuple[str, int]]:
        """Ensure that a chain is free; return the head and the length of each that had to be made.

        Chains that cannot be unsealed or are used up are retired in the same transaction.
        """
        room_chains, new_chains = self._rooms[room], list[tuple[str, int]]()
        async with room_chains.making:
            while room_chains.lost_heads or not any(each.free for each in room_chains.active):
                chain, row = await self._make(room)
                try:
                    await self._store.commit(lambda: list(writes([row])))  # noqa: B023  (awaited here)
                except Contradiction:
                    continue  # `draw_secret` has drawn the same secret before
                room_chains.adopt(chain, row)
                new_chains.append((row.head, row.length))
        return new_chains

    async def prepare(self, room: str, secret: Secret) -> ChainDraft | None:
        """Make the chain that a room needs after a table has taken this secret; None if one is free."""
        room_chains = self._rooms[room]
        if any(each.free and each.head != secret.chain for each in room_chains.active):
            return None
        async with room_chains.making:
            chain, row = await self._make(room)
            return ChainDraft(room_chains, room_chains.adopt(chain, row), row)

    async def _read(self, rooms: Collection[str]) -> dict[str, _Rows]:
        """Read the chains of rooms that are not retired, oldest first, and their open tables."""
        rows: dict[str, _Rows] = {room: ([], []) for room in rooms}
        async with self._store.reading() as connection:
            for some in batches(rooms):
                for chain in await connection.execute(_DEALING.where(schema.chain.c.room.in_(some))):
                    rows[chain.room][0].append(chain)
                for room, *table in await connection.execute(_STANDING.where(_table.room.in_(some))):
                    rows[room][1].append((table[0], table[1], table[2]))
        return rows

    async def _make(self, room: str) -> tuple[Chain, SealedChain]:
        room_chains = self._rooms[room]
        # Thousands of hashes, for which the lines of other rooms must not wait. `making` is held: two tables
        # that open at once would each find no chain free, and make one.
        assert room_chains.making.locked(), f"expected the lock of {room} to be held"  # noqa: S101
        chain = await asyncio.to_thread(Chain.make, self._draw_secret(), self._length)
        head, spent_heads = chain.head.hex(), {each.head for each in room_chains.active if each.spent}
        sealed = self._sealer.seal(chain.dump(), _purpose(room, head))
        return chain, SealedChain(
            room, head, chain.length, sealed, frozenset(room_chains.lost_heads | spent_heads)
        )


class ChainDraft:
    """A new chain in memory: `row` is written with the next transaction, or the draft is dropped."""

    def __init__(self, room_chains: _RoomChains, current: _ActiveChain, row: SealedChain) -> None:
        self._room_chains, self._chain, self.row = room_chains, current, row

    def drop(self) -> None:
        """Remove the chain, because it was not written."""
        self._room_chains.active = [each for each in self._room_chains.active if each is not self._chain]


def writes(chains: Collection[SealedChain]) -> Iterator[RowWrite]:
    """Yield the writes of new chains, numbered after those of their rooms, and of those they retire."""
    yield RowWrite(_ADD_CHAIN, [_row(each) for each in chains])
    heads = sorted({head for each in chains for head in each.retired})
    yield RowWrite(_RETIRE, [{"retired": head} for head in heads])


_ADD_CHAIN = Statement(
    text(
        "INSERT INTO chain (head, room, number, length, used, sealed) VALUES (:head, :room, "
        "(SELECT 1 + coalesce(max(number), 0) FROM chain WHERE room = CAST(:room AS TEXT)), "
        ":length, 0, :sealed)"
    ).bindparams(bindparam("sealed", type_=schema.chain.c.sealed.type))
)
_RETIRE = Statement(update(schema.chain).where(_chain.head == bindparam("retired")).values(sealed=None))


def _row(chain: SealedChain) -> ColumnValues:
    return {"head": chain.head, "room": chain.room, "length": chain.length, "sealed": chain.sealed}


def unseal_chain(sealer: Sealer, room: str, row: ResultRow) -> Chain:
    """Unseal a chain from its row with the columns `head`, `length` and `sealed`.

    Raises:
        Unsealable: it was sealed with another key, or changed.
    """
    secrets = sealer.unseal(row.sealed, _purpose(room, row.head))
    try:
        return Chain.load(bytes.fromhex(row.head), row.length, secrets)
    except ValueError:
        raise Unsealable(row.head) from None


async def count_sealed(store: Store, sealer: Sealer) -> tuple[int, int]:
    """Return how many chains a key can unseal, and how many it cannot; retired ones do not count."""
    row = schema.chain.c
    query = select(row.head, row.room, row.length, row.sealed).where(func.length(row.sealed) > 0)
    async with store.reading() as connection:
        rows = (await connection.execute(query)).all()
    fit = sum(await asyncio.to_thread(lambda: [_can_unseal(sealer, each) for each in rows]))
    return fit, len(rows) - fit


def _can_unseal(sealer: Sealer, row: ResultRow) -> bool:
    try:
        unseal_chain(sealer, row.room, row)
    except Unsealable:
        return False
    return True


def _purpose(room: str, head: str) -> str:
    return f"chain {head} of {room}"
