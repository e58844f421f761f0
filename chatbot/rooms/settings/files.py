"""Settings as a TOML file, with a table for each group and values as they are typed."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import tomli_w

from chatbot.kernel.game import Failure
from chatbot.settings.fields import Entries, selected
from chatbot.speech.safe import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chatbot.rooms.room import Room
    from chatbot.settings.fields import AnySelection, Group, Groups

LONGEST_SHOWN = 80  # characters of a value that an error quotes
_WORDS = {"yes": True, "no": False}


def write(groups: Groups, room: Room, *, everything: bool = False) -> str:
    """Return the settings of a room as TOML: those that differ from the defaults, or all."""
    tables = {each.name: _table(each, selected(each, room), everything) for each in groups.values()}
    return tomli_w.dumps({name: table for name, table in tables.items() if table})


def read(text: str) -> dict[str, dict[str, str | None]]:
    """Return the values of a TOML text by group and key.

    Raises:
        Failure: the text is not TOML, or contains something that is not a setting.
    """
    try:
        return _texts(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise Failure(f"This is not TOML: {error}.") from None
    except (ValueError, RecursionError):  # Python reads and writes no number of more than 4,300 digits
        raise Failure(
            "This has a number of thousands of digits, or is nested too deeply; no setting takes either."
        ) from None


def quote(value: object) -> str:
    """Return a value as it is quoted in an error; a long one is cut."""
    return safe_text(repr(value), LONGEST_SHOWN)


def _texts(tables: Mapping[str, Any]) -> dict[str, dict[str, str | None]]:
    """Return the values of parsed TOML as they are typed."""
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise Failure(
                f"{name} = {quote(table)} stands outside of any group; put it below one, such as [room]."
            )
    return {
        name: {key: _typed(name, key, value) for key, value in table.items()}
        for name, table in tables.items()
    }


def differences(
    groups: Groups, room: Room, file_values: Mapping[str, Mapping[str, str | None]]
) -> Iterator[tuple[str, str, str]]:
    """Yield the name, the value in a room and the value in a file of each setting that differs.

    Raises:
        Refusal: a group, a key or a value of the file is invalid.
    """
    for group in groups.values():
        in_room = _values(group, selected(group, room))
        in_file = _values(group, group.changed(group.unset, file_values.get(group.name, {})))
        for key in dict.fromkeys((*in_room, *in_file)):
            old, new = (each.get(key, group.find(group.unset, key).default) for each in (in_room, in_file))
            if old != new:
                yield f"{group.name}.{key}", old, new


def _values(group: Group, selection: AnySelection) -> dict[str, str]:
    return {each.key: each.value for each in group.listed(selection)}


def _table(group: Group, selection: AnySelection, everything: bool) -> dict[str, object]:
    settings = [each for each in group.listed(selection) if everything or each.value != each.default]
    return {each.key: _toml_value(group, each.value) for each in settings}


def _toml_value(group: Group, value: str) -> object:
    """Return numbers, yes and no as TOML types; values of open keys stay text."""
    if isinstance(group, Entries):
        return value
    if value.isascii() and value.isdecimal() and str(int(value)) == value:
        return int(value)
    return _WORDS.get(value, value)


def _typed(group: str, key: str, value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | str):
        return str(value)
    raise Failure(
        f"{group}.{key} = {quote(value)}: a setting is text in quotes, a whole number, true or false."
    )
