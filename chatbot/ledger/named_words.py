"""Finds and removes a person's names and accounts in what others have written: reasons, texts and settings.

The same search says before an erasure what it will change, and what it will leave. Prose is cleaned: reasons,
texts of rooms, and every value of several words. A setting of one word that is equal to a name stays, since
for somebody called "Yes" half of all settings would go; it is listed instead.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Table, select, update

from chatbot.ledger.changes import SETTING
from chatbot.ledger.store import schema

if TYPE_CHECKING:
    from sqlalchemy import RowMapping
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.member_export import FoundPerson

ERASED_NAME = "gone"
"""The word that replaces erased names."""

# Characters of an id that is meant as such without its platform, as in `<@123456>`: shorter numbers are
# amounts and years as well.
SHORTEST_NUMBER = 6
TEXTS = "texts"  # the group of settings whose values are prose, also one of a single word
_VALUES = ("key", "old", "new")  # columns of a change that hold what was set
_COLUMNS = ("name", "subject", "why", *_VALUES)
# In these scripts a particle, or the next word, follows a name without a blank.
_RUN_ON, _UNSPACED = ("HANGUL", "CJK", "HIRAGANA", "KATAKANA"), ("CJK", "HIRAGANA", "KATAKANA")


@dataclass(frozen=True, slots=True)
class Eraser:
    """Removes the names and accounts of a person from texts.

    `only_mentions`: in the words of others their names are removed only after an `@`, because they are common
    words.
    """

    accounts: Sequence[str]
    names: re.Pattern[str] | None
    only_mentions: bool = False

    @classmethod
    def of(cls, person: FoundPerson, *, only_mentions: bool = False) -> Eraser:
        longest_first = sorted(filter(str.strip, person.names), key=len, reverse=True)
        names = "|".join(map(_pattern, longest_first))
        pattern = re.compile(rf"(?:{names})", re.IGNORECASE) if names else None
        numbers = [each.key for each in person.accounts if len(each.key) >= SHORTEST_NUMBER]
        return cls([*map(str, person.accounts), *numbers], pattern, only_mentions)

    def without_names(self, text: str) -> str:
        """Remove accounts and names, but not those of placeholders, such as `{who}`."""
        bare = self.without_accounts(text)
        if self.names is None:
            return bare
        pattern = rf"\{{[^{{}}]*\}}|{self.names.pattern}"
        return re.sub(
            pattern, lambda at: at[0] if at[0].startswith("{") else ERASED_NAME, bare, flags=re.IGNORECASE
        )

    def without_mentions(self, text: str) -> str:
        """Remove accounts, and names after an `@`."""
        bare = self.without_accounts(text)
        if self.names is None:
            return bare
        return re.sub(f"@{self.names.pattern}", f"@{ERASED_NAME}", bare, flags=re.IGNORECASE)

    def without_accounts(self, text: str) -> str:
        """Remove accounts."""
        return mentions(self.accounts).sub(ERASED_NAME, text) if self.accounts else text

    def clean(self, text: str) -> str:
        """Remove what names them from prose of others."""
        return self.without_mentions(text) if self.only_mentions else self.without_names(text)

    def finds(self, text: str) -> bool:
        """Whether a text still names them."""
        return self.without_names(text) != text


def mentions(ids: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern for ids of accounts or seats that does not match parts of longer ids."""
    longest_first = sorted((re.escape(str(each)) for each in ids), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(longest_first)})(?![\w-])")


@dataclass(frozen=True, slots=True)
class Edit:
    """A row in which a person is named, by its primary key, and the columns that change."""

    table: Table
    row: Mapping[str, object]
    columns: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Wording:
    """A value of a setting: as it will be, or as it stays although it is equal to a name."""

    place: str  # a room, or `community` and its name
    group: str
    key: str
    text: str


@dataclass(frozen=True, slots=True)
class NamedWords:
    """All rows in which others name a person, what becomes of settings, and what stays."""

    edits: tuple[Edit, ...] = ()
    reworded: tuple[Wording, ...] = ()
    left: tuple[Wording, ...] = ()
    left_in_changes: int = 0  # values of former changes of settings

    @property
    def changes(self) -> int:
        """The number of rows of the history of changes that are edited."""
        return sum(each.table is schema.change for each in self.edits)


async def search(connection: AsyncConnection, person: FoundPerson, eraser: Eraser) -> NamedWords:
    """Find all that names a person in changes, settings and names of files; all rows of these are read."""
    edits, reworded, left, stays = list[Edit](), list[Wording](), list[Wording](), 0
    rows = await connection.stream(select(schema.change))
    async for row in rows.mappings():
        columns = _clean_change(row, person, eraser)
        edits += [Edit(schema.change, {"number": row["number"]}, columns)] if columns else []
        after = {**row, **columns}
        stays += any(eraser.finds(after[each] or "") for each in ("why", *_VALUES))
    files = select(schema.balance_import.c.id, schema.balance_import.c.file)
    for run in (await connection.execute(files)).all():
        file = eraser.clean(run.file)
        edits += [] if file == run.file else [Edit(schema.balance_import, {"id": run.id}, {"file": file})]
    for row in (await connection.execute(select(schema.preference))).mappings().all():
        settings = _Settings(row["room"], row["game"], eraser)
        body = settings.clean(json.loads(row["body"]))
        key = {"room": row["room"], "game": row["game"]}
        edits += [] if body is None else [Edit(schema.preference, key, {"body": body})]
        reworded, left = reworded + settings.reworded, left + settings.left
    return NamedWords(tuple(edits), tuple(reworded), tuple(left), stays)


async def write(connection: AsyncConnection, words: NamedWords) -> None:
    """Write all edits."""
    for each in words.edits:
        same = [each.table.c[name] == value for name, value in each.row.items()]
        await connection.execute(update(each.table).where(*same).values(dict(each.columns)))


def _clean_change(row: RowMapping, person: FoundPerson, eraser: Eraser) -> dict[str, str]:
    """Return the columns of a change that name them, without that."""
    clean = _cleaners(row, person, eraser)
    texts = {name: row[name] for name in _COLUMNS if row[name]}
    columns = {name: clean(name, text) for name, text in texts.items()}
    if row["actor"] in person.seats:
        columns["name"] = ERASED_NAME
    return {name: text for name, text in columns.items() if text != row[name]}


def _cleaners(row: RowMapping, person: FoundPerson, eraser: Eraser) -> Callable[[str, str], str]:
    own = [*person.seats, *eraser.accounts]
    theirs = row["actor"] in person.seats or row["subject"] in own or row["key"] in eraser.accounts

    def clean(column: str, text: str) -> str:
        if theirs and (column != "subject" or text in eraser.accounts):
            return eraser.without_names(text)
        if column in {"name", "subject"}:  # of another member, who may be called the same, and of a group
            return eraser.without_accounts(text)
        if column == "why" or row["kind"] != SETTING or _is_prose(row["subject"], text):
            return eraser.clean(text)
        return eraser.without_mentions(text)

    return clean


class _Settings:
    """Cleans the settings of one group, and notes what it does."""

    def __init__(self, place: str, group: str, eraser: Eraser) -> None:
        self._place, self._group, self._eraser = place, group, eraser
        self.reworded, self.left = list[Wording](), list[Wording]()

    def clean(self, settings: Mapping[str, object]) -> str | None:
        """Return the settings as JSON, without those whose keys are accounts; None if nothing changes."""
        remaining = {key: each for key, each in settings.items() if self._eraser.without_accounts(key) == key}
        clean_settings = {key: self._value(key, each) for key, each in remaining.items()}
        self.left += [self._wording(key, key) for key in clean_settings if self._eraser.finds(key)]
        return None if clean_settings == settings else json.dumps(clean_settings)

    def _value(self, key: str, value: Any) -> Any:
        if isinstance(value, list):
            return [self._value(key, each) for each in value]
        if not isinstance(value, str):
            return value
        text = self._eraser.clean(value) if _is_prose(self._group, value) else value
        if text != value:
            self.reworded.append(self._wording(key, text))
        if self._eraser.finds(text):
            self.left.append(self._wording(key, text))
        return text

    def _wording(self, key: str, text: str) -> Wording:
        return Wording(self._place, self._group, key, text)


def _is_prose(group: str, text: str) -> bool:
    return group == TEXTS or len(text.split()) > 1


def _pattern(name: str) -> str:
    """Match a name as a word."""
    return f"{_edge(name, 0, '(?<!', _UNSPACED)}{re.escape(name)}{_edge(name, -1, '(?!', _RUN_ON)}"


def _edge(name: str, at: int, look: str, scripts: Sequence[str]) -> str:
    """Require that a word ends beside a letter of a name, unless words of its script run on."""
    runs_on = len(name) > 1 and unicodedata.name(name[at], "").startswith(tuple(scripts))
    return "" if runs_on else rf"{look}\w)"
