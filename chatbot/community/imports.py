"""Balances from another bot: its file is read, and a balance handed on when a platform tells whose it is."""

from __future__ import annotations

import csv
import io
import re
from collections import OrderedDict, defaultdict
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

from chatbot.kernel.amounts import MOST
from chatbot.kernel.failure import Failure
from chatbot.ledger.people import Account
from chatbot.rooms.limits import remember

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.ledger.imports import Placeholders
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.room import Line

LARGEST = 64 * 2**20  # bytes of a file: a million members have fewer
LONGEST_NAME = 100

# What other bots call their columns, the surest first; only letters and digits count.
_IDS = ("userid", "twitchid", "twitchuserid", "discordid", "discorduserid", "memberid")
_NAMES = (
    "username", "login", "user", "name", "twitchusername", "twitchname", "member", "viewer", "displayname",
)  # fmt: skip
_UNSURE_IDS = ("id",)  # often no more than the number of the row
_CREDITS = (
    "credits", "points", "currentpoints", "currency", "coins", "balance", "total", "amount", "cash",
)  # fmt: skip
_KNOWN = {*_IDS, *_NAMES, *_UNSURE_IDS, *_CREDITS}
PAIR = 2
_WHOLE = re.compile(r"[0-9]{1,20}", re.ASCII)
_BROKEN = re.compile(r"([0-9]{1,20})\.([0-9]{1,20})", re.ASCII)
_NO_NAME = re.compile(r"[\s:\x00-\x1f\x7f]")

ASKED = 60.0  # seconds for which it is remembered that nobody is waited for
REMEMBERED = 50_000  # logins that were looked up


class SheetError(Failure):
    """A file cannot be read as balances; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns somebody has named, by heading or by number from 1; None: those of a usual heading."""

    name: str | None = None
    id: str | None = None
    credits: str | None = None
    ids_only: bool = False


@dataclass(frozen=True, slots=True)
class BalanceRow:
    """One balance. `number` is that of the line in the file; `who` is an id, or a name without its case."""

    number: int
    who: str
    credits: int


@dataclass(frozen=True, slots=True)
class BalanceFile:
    """What a file says. `ids` tells what `who` is; `clipped` counts fractions that were left out."""

    rows: tuple[BalanceRow, ...]
    faults: tuple[str, ...]
    ids: bool
    column: str
    credits_column: str
    clipped: int = 0


@dataclass(frozen=True, slots=True)
class _Places:
    """The columns of who and how many, from 0; whether the former has ids, and the first line headings."""

    who: int
    amount: int
    ids: bool
    headed: bool


@dataclass(slots=True)
class _Reading:
    """What has been found so far."""

    ids: bool
    rows: list[BalanceRow] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    clipped: int = 0

    def take(self, number: int, who: str, amount: str) -> None:
        try:
            held, clipped = _credits(amount.strip())
            self.rows.append(BalanceRow(number, _id(who.strip()) if self.ids else _name(who.strip()), held))
            self.clipped += clipped
        except ValueError as fault:
            self.faults.append(f"line {number}: {fault}")

    def part_twins(self) -> None:
        """Take out who stands there more than once: which balance is meant, nobody can tell."""
        lines: defaultdict[str, list[int]] = defaultdict(list)
        for row in self.rows:
            lines[row.who].append(row.number)
        for who, numbers in lines.items():
            if len(numbers) > 1:
                where = ", ".join(map(str, numbers))
                self.faults.append(f"lines {where}: {who!r} stands there {len(numbers)} times")
        self.rows = [row for row in self.rows if len(lines[row.who]) == 1]


def read(content: bytes, columns: Columns) -> BalanceFile:
    """Read a file.

    Raises:
        SheetError: it is no text, is too large, or has no such columns.
    """
    lines = list(_lines(_text(content)))
    if not lines:
        raise SheetError("The file is empty.")
    at = _places(lines[0][1], columns)
    reading = _Reading(at.ids)
    for number, cells in lines[1:] if at.headed else lines:
        if max(at.who, at.amount) >= len(cells):
            reading.faults.append(f"line {number}: it has {len(cells)} columns, which is too few")
        else:
            reading.take(number, cells[at.who], cells[at.amount])
    reading.part_twins()
    who, amount = (lines[0][1][each].strip() if at.headed else str(each + 1) for each in (at.who, at.amount))
    return BalanceFile(tuple(reading.rows), tuple(reading.faults), at.ids, who, amount, reading.clipped)


def _text(content: bytes) -> str:
    if len(content) > LARGEST:
        raise SheetError(f"The file has more than {LARGEST >> 20} MiB.")
    wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        return content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        raise SheetError("The file is neither UTF-8 nor UTF-16 text; save it as CSV in UTF-8.") from None


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Cut a text into rows of cells, with the numbers of their lines; blank ones are left out."""
    first = text.partition("\n")[0]
    mark = max(",;\t", key=first.count)  # the first of those that stand as often
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    try:
        for cells in rows:
            if any(cell.strip() for cell in cells):
                yield rows.line_num, cells
    except csv.Error as error:
        raise SheetError(f"Line {rows.line_num} of the file cannot be read: {error}.") from None


def _places(first: Sequence[str], columns: Columns) -> _Places:
    headings = {_plain(cell): at for at, cell in reversed(list(enumerate(first)))}
    who, ids = _who(columns, headings, len(first))
    amount = _named(columns.credits, headings, len(first)) if columns.credits else _usual(_CREDITS, headings)
    if not headings.keys() & _KNOWN and len(first) == PAIR:
        who, ids, amount = _of_pair(first, columns, who, ids, amount)
    shown = ", ".join(cell.strip() for cell in first)
    if who is None:
        wanted = "--id-column" if columns.ids_only else "--name-column or --id-column"
        raise SheetError(f"No column tells whose the credits are; name it by {wanted}. There are: {shown}.")
    if amount is None:
        raise SheetError(f"No column tells the credits; name it by --credits-column. There are: {shown}.")
    if who == amount:
        raise SheetError(f"One column cannot be both; there are: {shown}.")
    return _Places(who, amount, ids, not _is_number(first[amount]))


def _of_pair(
    first: Sequence[str], columns: Columns, who: int | None, ids: bool, amount: int | None
) -> tuple[int | None, bool, int | None]:
    """Take two columns without a heading for who and how many."""
    if who is not None:
        return who, ids, 1 - who if amount is None else amount
    if not _is_number(first[1]) or amount == 0:
        return None, ids, amount
    if first[0].strip().isdecimal() and not columns.ids_only:
        raise SheetError("The file has no headings: say `--name-column 1` or `--id-column 1`.")
    return 0, columns.ids_only, 1


def _who(columns: Columns, headings: Mapping[str, int], count: int) -> tuple[int | None, bool]:
    if columns.id:
        return _named(columns.id, headings, count), True
    if columns.name and columns.ids_only:
        raise SheetError("With --ids-only there can be no --name-column.")
    if columns.name:
        return _named(columns.name, headings, count), False
    sure, name, unsure = (_usual(each, headings) for each in (_IDS, _NAMES, _UNSURE_IDS))
    if columns.ids_only:
        return (unsure if sure is None else sure), True
    if sure is not None:
        return sure, True
    return (unsure, True) if name is None else (name, False)


def _named(column: str, headings: Mapping[str, int], count: int) -> int:
    found = headings.get(_plain(column))
    if found is not None:
        return found
    if _WHOLE.fullmatch(column) and 1 <= int(column) <= count:
        return int(column) - 1
    raise SheetError(f"There is no column {column!r} among the {count} of the first line.")


def _usual(names: Sequence[str], headings: Mapping[str, int]) -> int | None:
    return next((headings[name] for name in names if name in headings), None)


def _plain(heading: str) -> str:
    return "".join(each for each in heading.casefold() if each.isalnum())


def _is_number(cell: str) -> bool:
    return bool(_WHOLE.fullmatch(cell.strip()) or _BROKEN.fullmatch(cell.strip()))


def _credits(text: str) -> tuple[int, int]:
    """Read a number of credits; 1 with it if a fraction was left out.

    Raises:
        ValueError: it is none, or too large.
    """
    parts = _BROKEN.fullmatch(text)
    whole = parts[1] if parts else text
    if not _WHOLE.fullmatch(whole):
        raise ValueError(f"{text[:40]!r} is no number of credits" if text else "the credits are missing")
    if int(whole) > MOST:
        raise ValueError(f"{int(whole):,} is more than {MOST:,} credits")
    return int(whole), int(parts is not None and int(parts[2]) > 0)


def _id(text: str) -> str:
    if not _WHOLE.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is no id" if text else "the id is missing")
    return text


def _name(text: str) -> str:
    name = text.removeprefix("@").casefold()
    if not name or len(name) > LONGEST_NAME or _NO_NAME.search(name):
        raise ValueError(f"{text[:40]!r} is no name" if text else "the name is missing")
    return name


class ImportClaims:
    """A name that is shown proves nothing; a login is one's own, as long as one has it."""

    def __init__(self, placeholders: Placeholders, watch: Watch) -> None:
        self._placeholders, self._watch = placeholders, watch
        self._none = -inf  # until when nobody is waited for
        self._done: OrderedDict[tuple[Account, Seat], bool] = OrderedDict()

    def may_wait(self, line: Line) -> bool:
        """Whether something may wait for who speaks; where it was looked up of late, nothing does."""
        key = _login(line), line.home
        return bool(line.login) and self._watch.now() >= self._none and key not in self._done

    async def heard(self, line: Line) -> None:
        if not self.may_wait(line) or not await self._waiting():
            return
        login = _login(line)
        await self._placeholders.inherit(login, line.home, self._watch.date())
        remember(self._done, (login, line.home), True, REMEMBERED)

    async def _waiting(self) -> bool:
        if await self._placeholders.waiting():
            return True
        self._none = self._watch.now() + ASKED
        return False


def _login(line: Line) -> Account:
    return Account(line.account.platform, line.login.casefold())
