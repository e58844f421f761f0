"""Finds the columns of a file: whose the credits are, how many, and how long somebody watched."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from chatbot.community.imports.sheets import Cell, RowSheet, SheetError, text_of

# Headings that other bots use, the most reliable first; only letters and digits are compared.
_IDS = ("userid", "twitchid", "twitchuserid", "discordid", "discorduserid", "memberid")
_NAMES = (
    "username", "login", "user", "name", "twitchusername", "twitchname", "member", "viewer", "displayname",
    "아이디", "이름", "닉네임", "사용자", "사용자명", "시청자", "회원",
)  # fmt: skip
_UNRELIABLE_IDS = ("id",)  # often only the number of the row
_CREDITS = (
    "credits", "points", "currentpoints", "currency", "coins", "balance", "total", "amount", "cash",
    "포인트", "크레딧", "코인", "점수", "잔액",
)  # fmt: skip
_SUMS = frozenset({"total", "balance"})  # that hold the others
_PARTS = ("cash", "bank", "wallet")  # of what somebody holds
_WATCHED = {
    "minutes": "minutes", "mins": "minutes", "watchtimeminutes": "minutes", "watchtimemin": "minutes",
    "minutesinchannel": "minutes", "onlineviewingminutes": "minutes", "minuteswatched": "minutes",
    "watchedminutes": "minutes", "viewingminutes": "minutes",
    "hours": "hours", "watchtimehours": "hours", "viewhours": "hours", "viewtimehours": "hours",
    "hourswatched": "hours", "watchedhours": "hours",
    "seconds": "seconds", "watchtimeseconds": "seconds", "secondswatched": "seconds",
    "watchtime": None, "watched": None, "viewtime": None, "timewatched": None, "onlinetime": None,
    "uptime": None, "time": None,
}  # fmt: skip
"""Headings of the time that was watched, with their unit; None: each bot has its own."""

# The list of viewers that Firebot exports numbers nobody: its ids are those of Twitch.
_FIREBOT = frozenset({"id", "username", "lastseen", "joindate", "minutesinchannel", "chatmessages"})
_KNOWN = {*_IDS, *_NAMES, *_UNRELIABLE_IDS, *_CREDITS, *_PARTS, *_WATCHED}
_COLUMNS_WITHOUT_HEADINGS = 2  # a file with this many columns may lack headings
_WHOLE = re.compile(r"[0-9]{1,20}", re.ASCII)
_NUMBER = re.compile(r"[-+(]?[0-9][0-9., '’\u00a0\u202f]*(?:[eE][-+]?[0-9]+)?\)?", re.ASCII)

UNITS = {"minutes": 1.0, "hours": 60.0, "seconds": 1 / 60}
"""Minutes of each unit of watched time."""

NO_COLUMN = "none"
"""What `--watched-column` says to leave the time out."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns to read, by heading or by number from 1; None: found by their headings.

    `credits` may be several, joined by `+`. `watched_unit` is a unit of `UNITS`.
    """

    name: str | None = None
    id: str | None = None
    credits: str | None = None
    watched: str | None = None
    watched_unit: str | None = None
    ids_only: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the parts of a row are, from 0; None: there is no such column.

    `rest` are columns that hold credits, too, and are left out. `unit` is that of the watched time; None: it
    is not known.
    """

    headings: Sequence[str]
    id: int | None
    name: int | None
    credits: tuple[int, ...]
    has_headings: bool
    rest: tuple[int, ...] = ()
    watched: int | None = None
    unit: str | None = None

    def heading(self, place: int) -> str:
        """Return what a column is called: its heading, or its number from 1."""
        return self.headings[place] if self.has_headings else str(place + 1)


def find_columns(sheet: RowSheet, first: Sequence[Cell], columns: Columns) -> Layout:
    """Find the columns of a file by its headings, or by its first row.

    Raises:
        SheetError: one is not there, or two would be one.
    """
    cells = [text_of(each) for each in (first if sheet.headings is None else sheet.headings)]
    headings = {_plain(cell): place for place, cell in reversed(list(enumerate(cells)))}
    account, name = _who(columns, headings, len(cells))
    amounts = _amounts(columns, headings, cells)
    if sheet.headings is None and not headings.keys() & _KNOWN and len(cells) == _COLUMNS_WITHOUT_HEADINGS:
        account, name, amounts = _without_headings(cells, columns, account, name, amounts)
    named = ", ".join(cells)
    if account is None and name is None:
        options = "--id-column" if columns.ids_only else "--name-column or --id-column"
        raise SheetError(f"No column tells whose the credits are; name it by {options}. There are: {named}.")
    if not amounts:
        raise SheetError(f"No column tells the credits; name it by --credits-column. There are: {named}.")
    if {account, name} & {*amounts}:
        raise SheetError(f"One column cannot be both; there are: {named}.")
    has_headings = sheet.headings is not None or not any(_is_number(cells[each]) for each in amounts)
    watched, unit = _watched(columns, headings, cells, sheet.watched_unit, {account, name, *amounts})
    return Layout(
        cells, account, name, amounts, has_headings, _rest(headings, amounts, columns), watched, unit
    )


def _who(columns: Columns, headings: Mapping[str, int], count: int) -> tuple[int | None, int | None]:
    """Return the columns of ids and of names."""
    if columns.name and columns.ids_only:
        raise SheetError("With --ids-only there can be no --name-column.")
    name = _named(columns.name, headings, count) if columns.name else _usual(_NAMES, headings)
    if columns.id:
        return _named(columns.id, headings, count), None if columns.ids_only else name
    if columns.name:
        return None, name
    account = _usual(_IDS, headings)
    if account is None and (name is None or columns.ids_only or headings.keys() >= _FIREBOT):
        account = _usual(_UNRELIABLE_IDS, headings)
    return account, None if columns.ids_only else name


def _amounts(columns: Columns, headings: Mapping[str, int], cells: Sequence[str]) -> tuple[int, ...]:
    if columns.credits is None:
        place = _usual(_CREDITS, headings)
        return () if place is None else (place,)
    if _plain(columns.credits) in headings:
        return (_named(columns.credits, headings, len(cells)),)  # whose heading may have a plus in it
    places = [_named(each.strip(), headings, len(cells)) for each in columns.credits.split("+")]
    return tuple(dict.fromkeys(places))


def _rest(headings: Mapping[str, int], amounts: Collection[int], columns: Columns) -> tuple[int, ...]:
    chosen = {each for each, place in headings.items() if place in amounts}
    if columns.credits is not None or chosen & _SUMS:
        return ()
    return tuple(headings[each] for each in _PARTS if each in headings and headings[each] not in amounts)


def _without_headings(
    cells: Sequence[str], columns: Columns, account: int | None, name: int | None, amounts: tuple[int, ...]
) -> tuple[int | None, int | None, tuple[int, ...]]:
    """Return the columns of a file that has two and no headings: an id or name, and the credits."""
    who = name if account is None else account
    if who is not None:
        return account, name, amounts or (1 - who,)
    if not _is_number(cells[1]) or 0 in amounts:
        return None, None, amounts
    if cells[0].isdecimal() and not columns.ids_only:
        raise SheetError("The file has no headings: say `--name-column 1` or `--id-column 1`.")
    return (0, None, (1,)) if columns.ids_only else (None, 0, (1,))


def _watched(
    columns: Columns,
    headings: Mapping[str, int],
    cells: Sequence[str],
    known_unit: str | None,
    taken: Collection[int | None],
) -> tuple[int | None, str | None]:
    if columns.watched == NO_COLUMN:
        return None, None
    if columns.watched is not None:
        place = _named(columns.watched, headings, len(cells))
        unit = _WATCHED.get(_plain(cells[place]))
    else:
        found = next((each for each in _WATCHED if each in headings and headings[each] not in taken), None)
        if found is None:
            return None, None
        place, unit = headings[found], _WATCHED[found]
    if place in taken:
        raise SheetError(f"The column {cells[place]!r} cannot be the watched time, too.")
    return place, columns.watched_unit or unit or known_unit


def _named(column: str, headings: Mapping[str, int], count: int) -> int:
    place = headings.get(_plain(column))
    if place is not None and _plain(column):
        return place
    if _WHOLE.fullmatch(column) and 1 <= int(column) <= count:
        return int(column) - 1
    raise SheetError(f"There is no column {column!r} among the {count} of the first line.")


def _usual(names: Sequence[str], headings: Mapping[str, int]) -> int | None:
    return next((headings[name] for name in names if name in headings), None)


def _plain(heading: str) -> str:
    return "".join(each for each in heading.casefold() if each.isalnum())


def _is_number(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell))
