"""Reads JSON: what the interfaces of bots return, the bank of Red, and Firebot's own database.

Those of StreamElements, UnbelievaBoat, DeepBot and Mix It Up return a list of objects; others write that, or
balances by name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any, TypeAlias

from chatbot.community.imports.sheets import MOST_COLUMNS, Cell, Row, RowSheet, SheetError

MOST_JSON = 24 * 2**20  # bytes of one document, which takes ten times that in memory
MOST_OBJECTS, MOST_VALUES = 500_000, 5_000_000  # of one document: while it is read nothing else goes on
MOST_DIGITS = 30  # of a number; more is none that could be a balance
_DEPTH = 3  # of objects in an object whose values are columns
_RED_BANK = "384734293238749"
"""The number of Red's bank in its file: redbot/core/bank.py in https://github.com/Cog-Creators/Red-DiscordBot"""
_LISTS = ("users", "Users", "data", "msg", "result", "viewers", "members", "leaderboard", "items")
"""Where interfaces put the list of people in what they return."""

PersonRecord: TypeAlias = tuple[int, Mapping[str, Any]]  # JSON has any values


def read_json(content: bytes, table: str | None) -> RowSheet:
    """Return the table in a file of JSON, or in one with an object a line.

    Raises:
        SheetError: it is none, or nobody's balances are found in it.
    """
    text = _text(content)
    if _is_lines(text):
        return _database_of_firebot(text, table)
    if len(content) > MOST_JSON:
        raise SheetError(f"The JSON has more than {MOST_JSON >> 20} MiB; export it as CSV.")
    try:
        document = _loaded(text)
    except json.JSONDecodeError as error:
        raise SheetError(f"The file begins as JSON, and is none: line {error.lineno}: {error.msg}.") from None
    if isinstance(document, dict) and _RED_BANK in document:
        return _bank_of_red(document[_RED_BANK], table)
    return _people(document)


def _text(content: bytes) -> str:
    wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        return content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeError:
        raise SheetError("The file begins as JSON, and is no text in UTF-8.") from None


def _loaded(text: str) -> Any:  # JSON has any values
    if text.count("{") + text.count("[") > MOST_OBJECTS or text.count(",") > MOST_VALUES:
        raise SheetError(
            f"The JSON has more than {MOST_OBJECTS:,} objects and lists, or {MOST_VALUES:,} values; "
            "export it as CSV."
        )
    try:
        return json.loads(text, parse_float=_fraction, parse_int=_whole, parse_constant=str)
    except RecursionError:
        raise SheetError("The JSON is nested too deeply.") from None


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) <= MOST_DIGITS else digits


def _fraction(text: str) -> Decimal | str:
    value = Decimal(text) if len(text) <= MOST_DIGITS else None
    return text if value is None or abs(value.adjusted()) > MOST_DIGITS else value


def _people(document: Any) -> RowSheet:  # JSON has any values
    kind, people = "JSON", document
    notices: list[str] = []
    if isinstance(document, dict):
        found = next((each for each in _LISTS if isinstance(document.get(each), list)), None)
        if found is not None:
            kind, people = f"JSON (the list {found!r})", document[found]
            notices += _pages(document, len(people))
        elif document and all(isinstance(each, dict) for each in document.values()):
            people = [{"name": name, **values} for name, values in document.items()]
        elif document and all(isinstance(each, int | Decimal) for each in document.values()):
            people = [{"name": name, "credits": value} for name, value in document.items()]
    if not isinstance(people, list) or not any(isinstance(each, dict) for each in people):
        raise SheetError(f"The JSON has no list of people in it, only {_described(document)}.")
    records = [(number, _flat(each)) for number, each in enumerate(people, 1) if isinstance(each, dict)]
    # StreamElements and DeepBot count minutes: docs/operate/import.md names the sources.
    return _sheet(kind, records, "minutes", tuple(notices))


def _pages(document: Mapping[str, Any], count: int) -> Iterator[str]:
    """Yield that it is one page of several, which an interface says by a total."""
    for key in ("_total", "total", "found", "TotalCount"):
        total = document.get(key)
        if isinstance(total, int) and total > count:
            yield f"The file has {count:,} of {total:,} people: it is one page of several; import each."
            return


def _bank_of_red(bank: Any, table: str | None) -> RowSheet:  # JSON has any values
    """Return the accounts of Red: those of one server, or those of all servers, where the bank is global."""
    groups: dict[str, Mapping[str, Any]] = {}
    if isinstance(bank, dict):
        servers = bank.get("MEMBER")
        groups = {
            each: people for each, people in (servers or {}).items() if isinstance(people, dict) and people
        }
        if isinstance(bank.get("USER"), dict) and bank["USER"]:
            groups["USER"] = bank["USER"]
    if table is None and len(groups) > 1:
        raise SheetError(
            f"Red keeps several banks in it; say by --table of which server: {', '.join(groups)}."
        )
    name = table or next(iter(groups), None)
    if name is None or name not in groups:
        raise SheetError(
            "Red's bank has no accounts in it." if table is None else f"There is no bank {table!r}."
        )
    people = [
        (number, {"user_id": account, "name": values.get("name", ""), "balance": values.get("balance", 0)})
        for number, (account, values) in enumerate(groups[name].items(), 1)
        if isinstance(values, dict)
    ]
    return _sheet(f"the bank of Red ({name})", people, None)


def _is_lines(text: str) -> bool:
    """Return whether each line is an object of its own, as in a database of NeDB."""
    lines = (line for line in text.split("\n", 20) if line.strip())
    first, second = next(lines, "").strip(), next(lines, None)
    if not (first.startswith("{") and first.endswith("}")):
        return False
    try:
        value = _loaded(first)
    except (json.JSONDecodeError, SheetError):
        return False
    return isinstance(value, dict) and (second is not None or "_id" in value)


def _database_of_firebot(text: str, table: str | None) -> RowSheet:
    """Return the viewers of Firebot: a line for each change, of which the last one of each viewer counts.

    https://github.com/seald/nedb, "Persistence": deleted ones have a line with `$$deleted`.
    """
    people: dict[str, PersonRecord] = {}
    broken = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = _loaded(line)
        except (json.JSONDecodeError, SheetError):
            broken += 1  # the last one, if Firebot was ended while it wrote
            continue
        if not isinstance(value, dict) or "_id" not in value:
            continue
        if value.get("$$deleted"):
            people.pop(str(value["_id"]), None)
        else:
            people[str(value["_id"])] = number, _viewer(value)
    notices = (f"{broken:,} broken lines are left out.",) if broken else ()
    records = list(people.values())
    currencies = dict.fromkeys(key for _, each in records for key in each if key.startswith("currency."))
    if len(currencies) == 1 or (table and f"currency.{table}" in currencies):
        chosen = f"currency.{table}" if table else next(iter(currencies))
        records = [(number, {**each, "credits": each.get(chosen, 0)}) for number, each in records]
    elif len(currencies) > 1:
        names = ", ".join(each.removeprefix("currency.") for each in currencies)
        raise SheetError(f"Firebot has several currencies; say by --table which: {names}.")
    return _sheet("a database of Firebot", records, "minutes", notices)


def _viewer(value: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value[key] for key in ("username", "displayName", "minutesInChannel") if key in value}
    account = str(value["_id"]).removeprefix("twitch:")
    currency = value.get("currency")
    amounts = currency.items() if isinstance(currency, dict) else ()
    return {"user_id": account, **kept, **{f"currency.{key}": amount for key, amount in amounts}}


def _flat(value: Mapping[str, Any], prefix: str = "", depth: int = _DEPTH) -> dict[str, Any]:
    """Return an object with those in it as columns of their own, such as `user.name`."""
    columns: dict[str, Any] = {}
    for key, each in value.items():
        if isinstance(each, dict):
            if depth:
                columns |= _flat(each, f"{prefix}{key}.", depth - 1)
        elif not isinstance(each, list):
            columns[f"{prefix}{key}"] = each
    return columns


def _sheet(
    kind: str, records: Sequence[PersonRecord], watched_unit: str | None, notices: tuple[str, ...] = ()
) -> RowSheet:
    headings: dict[str, None] = {}
    for _, each in records:
        headings.update(dict.fromkeys(each))
        if len(headings) > MOST_COLUMNS:
            raise SheetError(f"The people in the JSON have more than {MOST_COLUMNS} different fields.")
    names = list(headings)
    shown = _shortened(names)
    return RowSheet(kind, partial(_rows, records, names), shown, watched_unit, notices)


def _shortened(names: Sequence[str]) -> list[str]:
    """Return the headings, those of objects in objects by their last word where only one ends so."""
    last = [each.rpartition(".")[2] for each in names]
    return [short if last.count(short) == 1 else name for name, short in zip(names, last, strict=True)]


def _rows(records: Sequence[PersonRecord], names: Sequence[str]) -> Iterator[Row]:
    for number, record in records:
        yield Row(number, [_cell(record.get(name)) for name in names])


def _cell(value: Any) -> Cell:  # JSON has any values
    if value is None or isinstance(value, bool):
        return ""
    return value if isinstance(value, int | Decimal) else str(value)


def _described(document: Any) -> str:  # JSON has any values
    if isinstance(document, dict):
        names = ", ".join(str(each)[:30] for each in list(document)[:8])
        return f"an object with {names}" if names else "an empty object"
    if isinstance(document, list):
        return f"a list of {len(document):,} values"
    return "one value"
