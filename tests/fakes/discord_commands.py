"""Which slash commands a fake Discord takes, and how it shows them.

See https://discord.com/developers/docs/interactions/application-commands: the object of a command and its
naming, its localization, and, of the endpoint that lists commands, the parameter `with_localizations`.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.fakes.discord_world import Json

_LOCALES = (
    "id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th "
    "zh-CN ja zh-TW ko"
)
LOCALES = frozenset(_LOCALES.split())
"""See https://discord.com/developers/docs/reference#locales."""

LONGEST_DESCRIPTION, LONGEST_COMMAND = 100, 8000  # characters
_NAME = re.compile(r"[-_'\w]{1,32}")


def names(row: Json) -> set[str]:
    """List all that a command or an option is called."""
    return {row["name"], *(row.get("name_localizations") or {}).values()}


def without_localizations(command: Json) -> Json:
    """Show a command as Discord does unless it is asked for all languages."""
    options = [without_localizations(each) for each in command.get("options") or []]
    hidden = {"name_localizations", "description_localizations"}
    return {key: value for key, value in command.items() if key not in hidden} | {"options": options}


def wrong_commands(commands: Sequence[Json]) -> str:
    """Say what Discord refuses of these commands; empty: nothing."""
    wrong = [*_wrong_rows(commands)]
    for command in commands:
        wrong += _wrong_rows(command.get("options") or [])
        size = sum(_size(each) for each in (command, *(command.get("options") or [])))
        wrong += [f"{command['name']} has {size} characters"] if size > LONGEST_COMMAND else []
    return "; ".join(wrong)


def _wrong_rows(rows: Sequence[Json]) -> Iterator[str]:
    """Find what is wrong with commands, or with the options of one, which need names of their own."""
    for each in rows:
        told, described = each.get("name_localizations") or {}, each.get("description_localizations") or {}
        yield from (f"{locale} is no locale" for locale in {*told, *described} - LOCALES)
        for name in (each["name"], *told.values()):
            if not _NAME.fullmatch(name) or name != name.lower():
                yield f"{name!r} is no name"
        for text in (each["description"], *described.values()):
            if not 1 <= len(text) <= LONGEST_DESCRIPTION:
                yield f"{text!r} is no description"
    for locale in ("", *LOCALES):
        shown = Counter((each.get("name_localizations") or {}).get(locale, each["name"]) for each in rows)
        yield from (f"{name!r} is there twice in {locale}" for name, times in shown.items() if times > 1)


def _size(row: Json) -> int:
    """Count the characters of a row, of each field in its longest language."""
    longest = [
        max(map(len, (row[field], *(row.get(f"{field}_localizations") or {}).values())))
        for field in ("name", "description")
    ]
    return sum(longest) + sum(
        len(each["name"]) + len(str(each["value"])) for each in row.get("choices") or []
    )
