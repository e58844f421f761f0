"""Packs all rows of a finished table losslessly into some hundred bytes.

What can be derived is left out: the numbers of turns and transfers, columns that a posting shares with its
rows, and repeated purses. The rest is JSON, compressed by deflate (RFC 1951) with a preset dictionary of
common texts of such tables. Rows that could not be restored exactly are not packed.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import LINKED
from chatbot.ledger.books.purses import Purse

if TYPE_CHECKING:
    from collections.abc import Sequence

VERSION = 1
"""The first byte of a packed table. A new dictionary or layout needs a new version."""

_DICTIONARY = Path(__file__).with_name(f"packing-{VERSION}.txt")
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))  # reused for dozens of texts a table
_WINDOW = -15  # raw deflate with the largest window, for zlib


class Unpackable(Exception):  # noqa: N818  (the name says what happened)
    """The rows are not those of a consistent finished table; the message says why."""


class Head(NamedTuple):
    """The columns that stay in the row of a table and are needed to unpack the rest.

    Times are milliseconds since 1970, here and in all rows.
    """

    id: str
    community: str
    opened_at: int
    closed_at: int


class PostingRow(NamedTuple):
    """A row of `posting`."""

    id: str
    community: str
    turns: int
    created_at: int


class TransferRow(NamedTuple):
    """A row of `transfer` without its id, with the columns in their order, as in the other rows."""

    posting: str
    number: int
    community: str
    table_id: str | None
    source: Purse
    target: Purse
    credits: int
    why: str
    actor: str
    created_at: int


class TurnRow(NamedTuple):
    """A row of `journal`."""

    table_id: str
    turn: int
    action: str
    purses: str
    line: str
    at: int


class StepRow(NamedTuple):
    """A row of `step`."""

    posting: str
    table_id: str
    turn: int
    turns: int


@dataclass(frozen=True, slots=True)
class TableRows:
    """All rows of a finished table besides its head; each kind of row is sorted."""

    settings: str
    seed: bytes | None  # None if it was lost with its key
    postings: tuple[PostingRow, ...]
    transfers: tuple[TransferRow, ...]
    turns: tuple[TurnRow, ...]
    steps: tuple[StepRow, ...]

    @classmethod
    def of(
        cls,
        settings: str,
        seed: bytes | None,
        postings: Sequence[PostingRow],
        transfers: Sequence[TransferRow],
        turns: Sequence[TurnRow],
        steps: Sequence[StepRow],
    ) -> TableRows:
        """Create an instance from rows in any order."""
        sorted_steps = tuple(sorted(steps, key=lambda each: each.turn))
        return cls(
            settings,
            seed,
            tuple(sorted(postings)),
            tuple(sorted(transfers, key=lambda each: (each.posting, each.number))),
            tuple(sorted(turns, key=lambda each: each.turn)),
            sorted_steps,
        )

    def changes(self) -> Counter[Purse]:
        """Return the total change of each purse at the table."""
        changes: Counter[Purse] = Counter()
        for each in self.transfers:
            changes[each.source] -= each.credits
            changes[each.target] += each.credits
        return changes


def pack(head: Head, table_rows: TableRows) -> tuple[bytes, bytes]:
    """Pack rows, and return the packed bytes and their digest.

    Raises:
        Unpackable: they could not be restored exactly.
    """
    try:
        plain = _encode(head, table_rows)
        same = _decode(head, plain) == table_rows
    except (KeyError, ValueError, IndexError, TypeError) as error:
        raise Unpackable(f"table {head.id} has a row that is not as it should be: {error!r}") from None
    if not same:
        raise Unpackable(f"table {head.id} has rows that are not numbered or dated as they should be")
    return deflated(plain), digest(head, plain)


def unpack(head: Head, body: bytes) -> TableRows:
    """Restore rows that `pack` has packed.

    Raises:
        ValueError: the bytes are damaged, or of a newer version of the program.
    """
    return read(head, inflated(body))


def read(head: Head, plain: str) -> TableRows:
    """Restore rows from their JSON.

    Raises:
        ValueError: the JSON is damaged.
    """
    try:
        return _decode(head, plain)
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError(f"the archive of table {head.id} is damaged: {error!r}") from None


def digest(head: Head, plain: str) -> bytes:
    """Return the SHA-256 hash of the JSON of the rows and the head of their table."""
    return hashlib.sha256(f"{head.id}\n{head.community}\n{head.opened_at}\n{plain}".encode()).digest()


def deflated(plain: str) -> bytes:
    """Compress JSON, with the version before it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, _WINDOW, 9, zdict=_dictionary())
    # A lone surrogate is possible in JSON, and so in the text of a message, but not in UTF-8.
    return bytes([VERSION]) + packer.compress(plain.encode("utf-8", "surrogatepass")) + packer.flush()


def inflated(body: bytes) -> str:
    """Return the JSON of packed rows.

    Raises:
        ValueError: the bytes are damaged, or of a newer version of the program.
    """
    if body[:1] != bytes([VERSION]):
        raise ValueError(f"version {body[:1].hex()} of the archive is unknown to this program")
    unpacker = zlib.decompressobj(_WINDOW, zdict=_dictionary())
    try:
        plain = unpacker.decompress(body[1:]) + unpacker.flush()
    except zlib.error as error:
        raise ValueError(f"the archive is damaged: {error}") from None
    if not unpacker.eof:
        raise ValueError("the archive is damaged: its end is missing")
    return plain.decode("utf-8", "surrogatepass")


@cache
def _dictionary() -> bytes:
    return _DICTIONARY.read_text(encoding="utf-8").encode()  # whatever the line ends of the checkout


# The layout: [settings, seed, names, [posting, after, actor, line, turns, transfers], …]
#
# `names` are the kinds and owners of purses, and their community if it is not that of the table. They are
# numbered from 3: 0 to 2 are the pot, the house and the mint. `after` is in milliseconds from the opening.
# `turns` are actions and purses alternately; `transfers` are four values each: source, target, credits and
# reason. A posting that is no step has no line and no turns.


def _encode(head: Head, table_rows: TableRows) -> str:
    names: dict[Purse, int] = {name: number for number, name in enumerate(_standard_purses(head))}
    turns = {each.turn: each for each in table_rows.turns}
    transfers: dict[str, list[TransferRow]] = {}
    for each in table_rows.transfers:
        transfers.setdefault(each.posting, []).append(each)
    at = {each.id: each.created_at for each in table_rows.postings}
    steps = [(each.posting, range(each.turn, each.turn + each.turns)) for each in table_rows.steps]
    others = sorted(at.keys() - {posting for posting, _ in steps}, key=lambda each: (at[each], each))
    rows: list[object] = []
    for posting, numbers in (*steps, *((other, range(0)) for other in others)):
        entries = transfers.get(posting, [])
        actor = entries[0].actor if entries else ""
        line = turns[numbers[0]].line if numbers else ""
        turn_values = [
            _value(text) for number in numbers for text in (turns[number].action, turns[number].purses)
        ]
        transfer_values = chain.from_iterable(
            (_number_of(names, each.source), _number_of(names, each.target), each.credits, each.why)
            for each in entries
        )
        rows.append([posting, at[posting] - head.opened_at, actor, line, turn_values, list(transfer_values)])
    wallets = [_purse_values(head, each) for each in list(names)[len(_standard_purses(head)) :]]
    seed = None if table_rows.seed is None else table_rows.seed.hex()
    return _json([_value(table_rows.settings), seed, wallets, *rows])


def _decode(head: Head, plain: str) -> TableRows:
    settings, seed, wallets, *rows = json.loads(plain)
    names = [*_standard_purses(head), *(_purse(head, *each) for each in wallets)]
    postings: list[PostingRow] = []
    transfers: list[TransferRow] = []
    turns: list[TurnRow] = []
    steps: list[StepRow] = []
    for posting, after, actor, line, turn_values, transfer_values in rows:
        at = head.opened_at + after
        postings.append(PostingRow(posting, head.community, len(turn_values) // 2, at))
        if turn_values:
            steps.append(StepRow(posting, head.id, len(turns) + 1, len(turn_values) // 2))
        for action, turn_purses in zip(turn_values[::2], turn_values[1::2], strict=True):
            turns.append(TurnRow(head.id, len(turns) + 1, _text(action), _text(turn_purses), line, at))
        groups = zip(
            transfer_values[::4],
            transfer_values[1::4],
            transfer_values[2::4],
            transfer_values[3::4],
            strict=True,
        )
        for number, (source, target, credits_, why) in enumerate(groups, 1):
            payer, payee = names[source], names[target]
            community = payer.community if why == LINKED else head.community
            of_posting = posting, number, community, head.id
            transfers.append(TransferRow(*of_posting, payer, payee, credits_, why, actor, at))
    seed_bytes = None if seed is None else bytes.fromhex(seed)
    return TableRows.of(_text(settings), seed_bytes, postings, transfers, turns, steps)


def _standard_purses(head: Head) -> tuple[Purse, Purse, Purse]:
    community = head.community
    return purses.pot(community, head.id), purses.house(community), purses.mint(community)


def _number_of(names: dict[Purse, int], purse: Purse) -> int:
    return names.setdefault(purse, len(names))


def _purse_values(head: Head, purse: Purse) -> list[str]:
    own = purse.community == head.community
    return [purse.kind, purse.owner] if own else [purse.kind, purse.owner, purse.community]


def _purse(head: Head, kind: str, owner: str, community: str | None = None) -> Purse:
    return Purse(kind, head.community if community is None else community, owner)


def _value(text: str) -> object:
    """Parse JSON if encoding it again gives the same text, which then needs no escapes."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, dict) and _json(value) == text else text


def _text(value: object) -> str:
    return value if isinstance(value, str) else _json(value)


def _json(value: object) -> str:
    return _ENCODER.encode(value)
