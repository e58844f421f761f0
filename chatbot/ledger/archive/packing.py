"""Packs all rows of a finished table into some hundred bytes, and gives every one of them back as it was.

What a row has in common with its neighbours is left out: the numbers of turns and transfers, whatever a
posting shares with its rows, and the purses but once. What is left is JSON, deflated with a
dictionary of what such tables usually say. Rows that could not be given back exactly are not packed.
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
"""Of the dictionary and the layout: the first byte of what is packed. Neither may ever change under it."""

_DICTIONARY = Path(__file__).with_name(f"packing-{VERSION}.txt")
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))  # one: each table has dozens of texts
_WINDOW = -15  # deflate alone, without a header, and with the largest window


class Unpackable(Exception):  # noqa: N818  (what it is)
    """The rows are not those of a sound finished table: the sentence says why."""


class Head(NamedTuple):
    """What stays of a table in its own row, and is needed to read the rest. Times are milliseconds."""

    id: str
    community: str
    opened_at: int
    closed_at: int


class Posted(NamedTuple):
    id: str
    community: str
    turns: int
    created_at: int


class MovedRow(NamedTuple):
    """A row of `transfer` without its own number; its columns in their order, as in the others."""

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


class Turned(NamedTuple):
    table_id: str
    turn: int
    action: str
    purses: str
    line: str
    at: int


class Stepped(NamedTuple):
    posting: str
    table_id: str
    turn: int
    turns: int


@dataclass(frozen=True, slots=True)
class Booked:
    """All that the books have of a finished table, besides its head; each kind of row is sorted."""

    settings: str
    seed: bytes | None  # lost with its key
    postings: tuple[Posted, ...]
    transfers: tuple[MovedRow, ...]
    turns: tuple[Turned, ...]
    steps: tuple[Stepped, ...]

    @classmethod
    def of(
        cls,
        settings: str,
        seed: bytes | None,
        postings: Sequence[Posted],
        transfers: Sequence[MovedRow],
        turns: Sequence[Turned],
        steps: Sequence[Stepped],
    ) -> Booked:
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
        """Add up what each purse gained or lost at the table."""
        changes: Counter[Purse] = Counter()
        for each in self.transfers:
            changes[each.source] -= each.credits
            changes[each.target] += each.credits
        return changes


def pack(head: Head, booked: Booked) -> tuple[bytes, bytes]:
    """Give the packed rows, and their digest.

    Raises:
        Unpackable: they could not be given back as they are.
    """
    try:
        plain = _written(head, booked)
        same = _read(head, plain) == booked
    except (KeyError, ValueError, IndexError, TypeError) as error:
        raise Unpackable(f"table {head.id} has a row that is not as it should be: {error!r}") from None
    if not same:
        raise Unpackable(f"table {head.id} has rows that are not numbered or dated as they should be")
    return deflated(plain), digest(head, plain)


def unpack(head: Head, body: bytes) -> Booked:
    """Give back what was packed.

    Raises:
        ValueError: it is damaged, or of a newer version of the program.
    """
    return read(head, inflated(body))


def read(head: Head, plain: str) -> Booked:
    """Give back what was packed, from its JSON.

    Raises:
        ValueError: it is damaged.
    """
    try:
        return _read(head, plain)
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError(f"the archive of table {head.id} is damaged: {error!r}") from None


def digest(head: Head, plain: str) -> bytes:
    """Hash what was removed, and of which table that was."""
    return hashlib.sha256(f"{head.id}\n{head.community}\n{head.opened_at}\n{plain}".encode()).digest()


def deflated(plain: str) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, _WINDOW, 9, zdict=_dictionary())
    return bytes([VERSION]) + packer.compress(plain.encode("utf-8", "surrogatepass")) + packer.flush()


def inflated(body: bytes) -> str:
    """Give the JSON of what was packed.

    Raises:
        ValueError: it is damaged, or of a newer version of the program.
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
    return _DICTIONARY.read_text(encoding="utf-8").encode()  # however its lines end here


# The layout: [settings, seed, names, [posting, after, actor, line, turns, transfers], …]
#
# `names` are the kinds and owners of purses, and their community where it is not that of the table; the first
# is number 3: 0 to 2 are the pot, the house and the mint. `after` is in milliseconds from the opening.
# `turns` are actions and purses in turn; `transfers` are four values each. A posting that is no step has no
# line and no turns.


def _written(head: Head, booked: Booked) -> str:
    names: dict[Purse, int] = {name: number for number, name in enumerate(_till(head))}
    turns = {each.turn: each for each in booked.turns}
    moved: dict[str, list[MovedRow]] = {}
    for each in booked.transfers:
        moved.setdefault(each.posting, []).append(each)
    at = {each.id: each.created_at for each in booked.postings}
    steps = [(each.posting, range(each.turn, each.turn + each.turns)) for each in booked.steps]
    others = sorted(at.keys() - {posting for posting, _ in steps}, key=lambda each: (at[each], each))
    rows: list[object] = []
    for posting, numbers in (*steps, *((other, range(0)) for other in others)):
        entries = moved.get(posting, [])
        actor = entries[0].actor if entries else ""
        line = turns[numbers[0]].line if numbers else ""
        played = [_value(text) for number in numbers for text in (turns[number].action, turns[number].purses)]
        carried = chain.from_iterable(
            (_named(names, each.source), _named(names, each.target), each.credits, each.why)
            for each in entries
        )
        rows.append([posting, at[posting] - head.opened_at, actor, line, played, list(carried)])
    wallets = [_shortened(head, each) for each in list(names)[len(_till(head)) :]]
    seed = None if booked.seed is None else booked.seed.hex()
    return _json([_value(booked.settings), seed, wallets, *rows])


def _read(head: Head, plain: str) -> Booked:
    settings, seed, wallets, *rows = json.loads(plain)
    names = [*_till(head), *(_purse(head, *each) for each in wallets)]
    postings: list[Posted] = []
    transfers: list[MovedRow] = []
    turns: list[Turned] = []
    steps: list[Stepped] = []
    for posting, after, actor, line, played, carried in rows:
        at = head.opened_at + after
        postings.append(Posted(posting, head.community, len(played) // 2, at))
        if played:
            steps.append(Stepped(posting, head.id, len(turns) + 1, len(played) // 2))
        for action, held in zip(played[::2], played[1::2], strict=True):
            turns.append(Turned(head.id, len(turns) + 1, _text(action), _text(held), line, at))
        moved = zip(carried[::4], carried[1::4], carried[2::4], carried[3::4], strict=True)
        for number, (source, target, credits_, why) in enumerate(moved, 1):
            payer, payee = names[source], names[target]
            community = payer.community if why == LINKED else head.community
            of_posting = posting, number, community, head.id
            transfers.append(MovedRow(*of_posting, payer, payee, credits_, why, actor, at))
    known = None if seed is None else bytes.fromhex(seed)
    return Booked.of(_text(settings), known, postings, transfers, turns, steps)


def _till(head: Head) -> tuple[Purse, Purse, Purse]:
    community = head.community
    return purses.pot(community, head.id), purses.house(community), purses.mint(community)


def _named(names: dict[Purse, int], purse: Purse) -> int:
    return names.setdefault(purse, len(names))


def _shortened(head: Head, purse: Purse) -> list[str]:
    own = purse.community == head.community
    return [purse.kind, purse.owner] if own else [purse.kind, purse.owner, purse.community]


def _purse(head: Head, kind: str, owner: str, community: str | None = None) -> Purse:
    return Purse(kind, head.community if community is None else community, owner)


def _value(text: str) -> object:
    """Take JSON as a value where it comes back as the same text, which then needs no escapes."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, dict) and _json(value) == text else text


def _text(value: object) -> str:
    return value if isinstance(value, str) else _json(value)


def _json(value: object) -> str:
    return _ENCODER.encode(value)
