"""Imports of balances from other bots: reads CSV files, and pays members when they first send a line."""

from __future__ import annotations

import asyncio
import csv
import io
import re
from collections import OrderedDict, defaultdict
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

from chatbot.kernel.amounts import MOST
from chatbot.kernel.game import Failure
from chatbot.ledger.people import Account
from chatbot.runtime.limits import remember

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.ledger.imports import Placeholders
    from chatbot.rooms.line import Line
    from chatbot.runtime.clock import Watch

MOST_BYTES = 64 * 2**20  # of a file; a million members take less
LONGEST_NAME = 100  # characters

# Headings that other bots use, the most reliable first; only letters and digits are compared.
_IDS = ("userid", "twitchid", "twitchuserid", "discordid", "discorduserid", "memberid")
_NAMES = (
    "username", "login", "user", "name", "twitchusername", "twitchname", "member", "viewer", "displayname",
)  # fmt: skip
_UNRELIABLE_IDS = ("id",)  # often only the number of the row
_CREDITS = (
    "credits", "points", "currentpoints", "currency", "coins", "balance", "total", "amount", "cash",
)  # fmt: skip
_KNOWN = {*_IDS, *_NAMES, *_UNRELIABLE_IDS, *_CREDITS}
_COLUMNS_WITHOUT_HEADINGS = 2  # a file with this many columns may lack headings
_WHOLE = re.compile(r"[0-9]{1,20}", re.ASCII)
_DECIMAL = re.compile(r"([0-9]{1,20})\.([0-9]{1,20})", re.ASCII)
_NOT_IN_NAME = re.compile(r"[\s:\x00-\x1f\x7f]")

EMPTY_VALID = 60.0  # seconds for which it is remembered that no balance is waiting
REMEMBERED = 20_000  # logins that were looked up


class SheetError(Failure):
    """A file cannot be read as balances; the message says why."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns to read, by heading or by number from 1; None: found by their headings."""

    name: str | None = None
    id: str | None = None
    credits: str | None = None
    ids_only: bool = False


@dataclass(frozen=True, slots=True)
class BalanceRow:
    """One balance. `number` is its line in the file, from 1; `who` is an id, or a case-folded name."""

    number: int
    who: str
    credits: int


@dataclass(frozen=True, slots=True)
class BalanceFile:
    """The balances of a file.

    `faults` has a sentence for each line that was left out, `ids` is whether `who` of each row is an id, and
    `clipped` counts the fractions of credits that were dropped.
    """

    rows: tuple[BalanceRow, ...]
    faults: tuple[str, ...]
    ids: bool
    column: str
    credits_column: str
    clipped: int = 0


@dataclass(frozen=True, slots=True)
class _Layout:
    """The columns of ids or names and of credits, from 0, and whether the first line has headings."""

    who: int
    amount: int
    ids: bool
    has_headings: bool


@dataclass(slots=True)
class _Reading:
    """The rows and faults that were read so far."""

    ids: bool
    rows: list[BalanceRow] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    clipped: int = 0

    def add(self, number: int, who: str, amount: str) -> None:
        """Add a row, or its fault."""
        try:
            balance, clipped = _credits(amount.strip())
            self.rows.append(
                BalanceRow(number, _id(who.strip()) if self.ids else _name(who.strip()), balance)
            )
            self.clipped += clipped
        except ValueError as error:
            self.faults.append(f"line {number}: {error}")

    def remove_duplicates(self) -> None:
        """Remove all rows of members who occur more than once: it is unknown which balance is right."""
        lines: defaultdict[str, list[int]] = defaultdict(list)
        for row in self.rows:
            lines[row.who].append(row.number)
        for who, numbers in lines.items():
            if len(numbers) > 1:
                where = ", ".join(map(str, numbers))
                self.faults.append(f"lines {where}: {who!r} stands there {len(numbers)} times")
        self.rows = [row for row in self.rows if len(lines[row.who]) == 1]


def read(content: bytes, columns: Columns) -> BalanceFile:
    """Read the balances of a CSV file, separated by commas, semicolons or tabs.

    Raises:
        SheetError: the file is not text, is too large, or lacks a column.
    """
    lines = list(_lines(_text(content)))
    if not lines:
        raise SheetError("The file is empty.")
    layout = _layout(lines[0][1], columns)
    reading = _Reading(layout.ids)
    for number, cells in lines[1:] if layout.has_headings else lines:
        if max(layout.who, layout.amount) >= len(cells):
            reading.faults.append(f"line {number}: it has {len(cells)} columns, which is too few")
        else:
            reading.add(number, cells[layout.who], cells[layout.amount])
    reading.remove_duplicates()
    who, amount = (
        lines[0][1][each].strip() if layout.has_headings else str(each + 1)
        for each in (layout.who, layout.amount)
    )
    return BalanceFile(tuple(reading.rows), tuple(reading.faults), layout.ids, who, amount, reading.clipped)


def _text(content: bytes) -> str:
    if len(content) > MOST_BYTES:
        raise SheetError(f"The file has more than {MOST_BYTES >> 20} MiB.")
    wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        return content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        raise SheetError("The file is neither UTF-8 nor UTF-16 text; save it as CSV in UTF-8.") from None


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a text that are not blank, with the numbers of their lines."""
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)  # of equally frequent ones, the first
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for cells in rows:
            if any(cell.strip() for cell in cells):
                yield rows.line_num, cells
    except csv.Error as error:
        raise SheetError(f"Line {rows.line_num} of the file cannot be read: {error}.") from None


def _layout(first: Sequence[str], columns: Columns) -> _Layout:
    """Find the columns by the first line of a file."""
    headings = {_plain(cell): at for at, cell in reversed(list(enumerate(first)))}
    who, ids = _who(columns, headings, len(first))
    amount = _named(columns.credits, headings, len(first)) if columns.credits else _usual(_CREDITS, headings)
    if not headings.keys() & _KNOWN and len(first) == _COLUMNS_WITHOUT_HEADINGS:
        who, ids, amount = _without_headings(first, columns, who, ids, amount)
    headings_text = ", ".join(cell.strip() for cell in first)
    if who is None:
        options = "--id-column" if columns.ids_only else "--name-column or --id-column"
        raise SheetError(
            f"No column tells whose the credits are; name it by {options}. There are: {headings_text}."
        )
    if amount is None:
        raise SheetError(
            f"No column tells the credits; name it by --credits-column. There are: {headings_text}."
        )
    if who == amount:
        raise SheetError(f"One column cannot be both; there are: {headings_text}.")
    return _Layout(who, amount, ids, not _is_number(first[amount]))


def _without_headings(
    first: Sequence[str], columns: Columns, who: int | None, ids: bool, amount: int | None
) -> tuple[int | None, bool, int | None]:
    """Return the columns of a file that has two and no headings: an id or name, and the credits."""
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
    reliable, name, unreliable = (_usual(each, headings) for each in (_IDS, _NAMES, _UNRELIABLE_IDS))
    if columns.ids_only:
        return (unreliable if reliable is None else reliable), True
    if reliable is not None:
        return reliable, True
    return (unreliable, True) if name is None else (name, False)


def _named(column: str, headings: Mapping[str, int], count: int) -> int:
    place = headings.get(_plain(column))
    if place is not None:
        return place
    if _WHOLE.fullmatch(column) and 1 <= int(column) <= count:
        return int(column) - 1
    raise SheetError(f"There is no column {column!r} among the {count} of the first line.")


def _usual(names: Sequence[str], headings: Mapping[str, int]) -> int | None:
    return next((headings[name] for name in names if name in headings), None)


def _plain(heading: str) -> str:
    return "".join(each for each in heading.casefold() if each.isalnum())


def _is_number(cell: str) -> bool:
    return bool(_WHOLE.fullmatch(cell.strip()) or _DECIMAL.fullmatch(cell.strip()))


def _credits(text: str) -> tuple[int, int]:
    """Return a number of credits, and 1 if a fraction was dropped, or else 0.

    Raises:
        ValueError: the text is not a number, or it is too large.
    """
    parts = _DECIMAL.fullmatch(text)
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
    if not name or len(name) > LONGEST_NAME or _NOT_IN_NAME.search(name):
        raise ValueError(f"{text[:40]!r} is no name" if text else "the name is missing")
    return name


class ImportClaims:
    """Pays imported balances to the accounts that have their logins.

    A display name proves nothing, but a login is unique on its platform.
    """

    def __init__(self, placeholders: Placeholders, watch: Watch) -> None:
        self._placeholders, self._watch = placeholders, watch
        self._empty_until = -inf  # on the watch: no balance is waiting until then
        self._asking = asyncio.Lock()  # lines of many rooms at once ask the database only once
        self._looked_up: OrderedDict[tuple[Account, Seat], bool] = OrderedDict()

    def may_wait(self, line: Line) -> bool:
        """Return whether a balance may be waiting for the sender; False if it was looked up recently."""
        if not line.login or self._watch.now() < self._empty_until:
            return False
        return (_login(line), line.home) not in self._looked_up

    async def pay(self, line: Line) -> None:
        """Pay the sender of a line a balance that waits for their login."""
        if not self.may_wait(line) or not await self._waiting():
            return
        login = _login(line)
        await self._placeholders.inherit(login, line.home, self._watch.date())
        remember(self._looked_up, (login, line.home), True, REMEMBERED)

    async def _waiting(self) -> bool:
        async with self._asking:
            return self._watch.now() >= self._empty_until and await self._ask()

    async def _ask(self) -> bool:
        if await self._placeholders.waiting():
            return True
        self._empty_until = self._watch.now() + EMPTY_VALID
        return False


def _login(line: Line) -> Account:
    return Account(line.account.platform, line.login.casefold())
