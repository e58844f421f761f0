"""Reads the books with sqlite3 alone, and tells each breach of what must hold whatever happened."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tests.named_books import show_names

if TYPE_CHECKING:
    from collections.abc import Iterator


class Account(NamedTuple):
    id: str
    community: str
    kind: str
    balance: int


class Move(NamedTuple):
    """A transfer; `number` is its place in the order of writing."""

    number: int
    id: str
    posting: str
    community: str
    table: str | None
    source: str
    target: str
    credits: int
    why: str
    actor: str
    at: int  # milliseconds since 1970


class ChangeSet(NamedTuple):
    """One row of what moderators did: a change of a setting or of a purse."""

    number: int
    change_set: str
    part: int
    room: str
    community: str
    actor: str
    kind: str
    subject: str
    key: str
    old: str | None
    new: str | None
    posting: str | None
    undoes: str | None


Choices: TypeAlias = Mapping[tuple[str, str], Mapping[str, str]]
"""What was set, by whose it is and by the group of settings."""


class Standing(NamedTuple):
    """A table as the books have it."""

    id: str
    room: str
    community: str
    state: str


class Books(NamedTuple):
    accounts: list[Account]
    moves: list[Move]
    postings: set[str]
    tables: dict[str, Standing]
    turns: dict[str, list[int]]  # of each table's journal, in order
    steps: dict[str, list[int]]  # the turns that its steps claim, in order
    change_sets: list[ChangeSet]
    settings: Choices
    ties: Mapping[str, tuple[str, bool]]  # whom a seat is or was linked with, and whether it is
    tied: Mapping[str, set[str]]  # all with whom a seat is, or was, directly linked
    homes: Mapping[str, str]  # the seats to which accounts lead

    def home(self, account: object) -> str:
        """Give the seat to which an account leads; one that was never seen is called after itself."""
        return self.homes.get(str(account), str(account))

    def root(self, seat: str) -> str:
        """Give the seat whose wallet this one uses now."""
        root, linked = self.ties.get(seat, (seat, False))
        return root if linked else seat

    def limited(self, seat: str) -> str:
        """Give the seat whose limits count for this one, also after a link was taken back."""
        return self.ties.get(seat, (seat, False))[0]

    def person(self, seat: str) -> str:
        """Give one seat for all that are or were linked, directly or by others."""
        return min(self.everyone(seat))

    def accounts_of(self, seat: str) -> list[str]:
        """List the accounts that lead to somebody, or to whom they are or were linked with."""
        return [account for account, home in self.homes.items() if home in self.everyone(seat)]

    def everyone(self, seat: str) -> set[str]:
        """List all seats that are or were linked with the same."""
        found = {seat}
        while more := {each for one in found for each in self.tied.get(one, ())} - found:
            found |= more
        return found

    def one(self, account: str) -> str:
        """Name a wallet by the person; other accounts stay what they are."""
        kind, _, rest = account.partition(":")
        community, _, seat = rest.partition(":")
        return f"wallet:{community}:{self.person(seat)}" if kind == "wallet" else account


_MOVES = (
    "SELECT number, id, posting, community, table_id, source, target, credits, why, actor, created_at "
    "FROM move ORDER BY number"
)
_TIES = "SELECT seat, same_as, parted_from FROM person WHERE same_as IS NOT NULL OR parted_from IS NOT NULL"
_HOMES = "SELECT platform, key, seat FROM platform_account JOIN person ON person.id = platform_account.person"
_CHANGE_SETS = (
    "SELECT number, change_set, part, room, community, actor, kind, subject, key, old, new, posting, undoes "
    "FROM change ORDER BY number"
)


class Reader:
    """A connection of its own, which sees what is committed and nothing else."""

    def __init__(self, path: str) -> None:
        self._raw = sqlite3.connect(path, isolation_level=None)
        show_names(self._raw)
        self._version = -1
        self._books: Books | None = None

    def close(self) -> None:
        self._raw.close()

    def read(self) -> tuple[Books, bool]:
        """Read the books; and whether anything was committed since they were last read."""
        (version,) = self._raw.execute("PRAGMA data_version").fetchone()
        if self._books is not None and version == self._version:
            return self._books, False
        self._version, self._books = version, self._read()
        return self._books, True

    def members(self, community: str, name: str) -> list[str]:
        """List the seats of those who bear a name, whatever its case."""
        wanted = "SELECT seat FROM member WHERE community = ? AND folded = ?"
        return [row[0] for row in self._raw.execute(wanted, (community, name.casefold()))]

    def everything(self) -> str:
        """Write down every row there is, but when members were last seen, what is sealed, and who runs it."""
        # A nonce, a code, and the number of a process, is another one each time.
        tables = "member", "chain", "process", "home", "one_time_code"
        aside = [f'INTO "{each}"' for each in tables]
        rows = (line for line in self._raw.iterdump() if line.startswith("INSERT"))  # not how tables are made
        return "\n".join(row for row in rows if not any(each in row for each in aside))

    def _read(self) -> Books:
        rows = self._raw.execute
        turns: dict[str, list[int]] = defaultdict(list)
        steps: dict[str, list[int]] = defaultdict(list)
        for table, turn in rows("SELECT table_id, turn FROM journal ORDER BY table_id, turn"):
            turns[table].append(turn)
        for table, first, count in rows("SELECT table_id, turn, turns FROM step ORDER BY table_id, turn"):
            steps[table].extend(range(first, first + count))
        return Books(
            [Account(*row) for row in rows("SELECT id, community, kind, balance FROM account")],
            [Move(*row) for row in rows(_MOVES)],
            {row[0] for row in rows("SELECT id FROM posting")},
            {row[0]: Standing(*row) for row in rows("SELECT id, room, community, state FROM game_table")},
            dict(turns),
            dict(steps),
            [ChangeSet(*row) for row in rows(_CHANGE_SETS)],
            {
                (row[0], row[1]): {key: str(value) for key, value in json.loads(row[2]).items()}
                for row in rows("SELECT room, game, body FROM preference")
            },
            {
                seat: (same_as or parted_from, same_as is not None)
                for seat, same_as, parted_from in rows(_TIES)
            },
            _tied((seat, other) for seat, *others in rows(_TIES) for other in others if other is not None),
            {f"{platform}:{key}": seat for platform, key, seat in rows(_HOMES)},
        )


def _tied(pairs: Iterable[tuple[str, str]]) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for one, other in pairs:
        found[one].add(other)
        found[other].add(one)
    return found


def breaches(books: Books) -> Iterator[str]:
    """Tell every breach in a sentence."""
    yield from _conserved(books)
    yield from _cached(books)
    yield from _written(books)
    yield from _journals(books)
    yield from _pots(books)
    yield from _voids(books)
    yield from _left_behind(books)


def _conserved(books: Books) -> Iterator[str]:
    sums: Counter[str] = Counter()
    for each in books.accounts:
        sums[each.community] += each.balance
    for community, total in sorted(sums.items()):
        if total:
            yield f"{community} sums to {total}"


def _cached(books: Books) -> Iterator[str]:
    moved: Counter[str] = Counter()
    for each in books.moves:
        moved[each.source] -= each.credits
        moved[each.target] += each.credits
    for account in books.accounts:
        if account.balance != moved.pop(account.id, 0):
            yield f"{account.id} does not hold the sum of its transfers but {account.balance}"
        if account.balance < 0 and account.kind != "mint":
            yield f"{account.id} is at {account.balance}"
    yield from (f"{name} has transfers but no account" for name, held in sorted(moved.items()) if held)


def _written(books: Books) -> Iterator[str]:
    communities = {account.id: account.community for account in books.accounts}
    for each in books.moves:
        if each.posting not in books.postings:
            yield f"transfer {each.id} belongs to no posting"
        if {communities.get(each.source), communities.get(each.target)} != {each.community}:
            yield f"transfer {each.id} leaves its community"


def _journals(books: Books) -> Iterator[str]:
    for table in books.tables:
        turns, steps = books.turns.get(table, []), books.steps.get(table, [])
        if turns != list(range(1, len(turns) + 1)) or not turns:
            yield f"the journal of {table} has the turns {turns}"
        if turns != steps:
            yield f"the journal of {table} has the turns {turns}, its steps {steps}"
    for table in sorted((books.turns.keys() | books.steps.keys()) - books.tables.keys()):
        yield f"there is a journal of {table}, but no table"


def _pots(books: Books) -> Iterator[str]:
    staked: Counter[str] = Counter()
    for each in books.moves:
        for pot, change in ((each.source, -each.credits), (each.target, each.credits)):
            if pot.startswith("pot:"):
                staked[pot] += change
                if pot != f"pot:{each.table}":
                    yield f"transfer {each.id} touches {pot} from table {each.table}"
    for account in books.accounts:
        if account.kind != "pot":
            continue
        table = books.tables.get(account.id.partition(":")[2])
        if account.balance and (table is None or table.state != "open"):
            yield f"{account.id} holds {account.balance} though its table is {table and table.state}"
        if account.balance != staked[account.id]:
            yield f"{account.id} holds {account.balance}, but {staked[account.id]} are staked"


def _left_behind(books: Books) -> Iterator[str]:
    """A wallet for which another stands holds nothing, whatever tables pay to it."""
    for account in books.accounts:
        seat = account.id.split(":", 2)[-1]
        if account.kind == "wallet" and account.balance and books.root(seat) != seat:
            yield f"{account.id} holds {account.balance}, but is {books.root(seat)}'s"


def _voids(books: Books) -> Iterator[str]:
    """A table that was called off keeps nobody's credits."""
    owed: dict[tuple[str, str], int] = Counter()
    for each in books.moves:
        table = books.tables.get(each.table or "")
        if table is None or table.state != "void":
            continue
        pot = f"pot:{table.id}"
        if each.target == pot:
            owed[table.id, each.source] += each.credits
        if each.source == pot:
            owed[table.id, each.target] -= each.credits
    for (name, who), stake in owed.items():
        if stake > 0:
            yield f"{who} was not given back {stake} from {name}, which is void"
