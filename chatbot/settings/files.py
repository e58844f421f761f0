"""Settings as a file: a TOML table for each group, with values as somebody would type them."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import tomli_w

from chatbot.kernel.failure import Failure
from chatbot.settings.fields import Entries, selected

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chatbot.rooms.room import Room
    from chatbot.settings.fields import Group, Groups, Selection

_WORDS = {"yes": True, "no": False}


def write(groups: Groups, room: Room, *, everything: bool = False) -> str:
    """Write what differs from the defaults, or everything."""
    tables = {each.name: _table(each, selected(each, room), everything) for each in groups.values()}
    return tomli_w.dumps({name: table for name, table in tables.items() if table})


def read(text: str) -> dict[str, dict[str, str | None]]:
    """Read values by group and key.

    Raises:
        Failure: it is not TOML, or something in it is no setting.
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Failure(f"This is not TOML: {error}.") from None
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise Failure(
                f"{name} = {table!r} stands outside of any group; put it below one, such as [room]."
            )
    return {
        name: {key: _typed(name, key, value) for key, value in table.items()}
        for name, table in tables.items()
    }


def differences(
    groups: Groups, room: Room, wanted: Mapping[str, Mapping[str, str | None]]
) -> Iterator[tuple[str, str, str]]:
    """Compare a room with a file, setting by setting: what it is called, what it is here and there.

    Raises:
        Refusal: the file is not possible.
    """
    for group in groups.values():
        here = _values(group, selected(group, room))
        there = _values(group, group.changed(group.unset, wanted.get(group.name, {})))
        for key in dict.fromkeys((*here, *there)):
            old, new = (each.get(key, group.find(group.unset, key).default) for each in (here, there))
            if old != new:
                yield f"{group.name}.{key}", old, new


def _values(group: Group, selection: Selection[Any]) -> dict[str, str]:
    return {each.key: each.value for each in group.listed(selection)}


def _table(group: Group, selection: Selection[Any], everything: bool) -> dict[str, object]:
    listed = [each for each in group.listed(selection) if everything or each.value != each.default]
    return {each.key: _plain(group, each.value) for each in listed}


def _plain(group: Group, value: str) -> object:
    """Write numbers, yes and no as such; words of people's own stay text whatever they look like."""
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
    raise Failure(f"{group}.{key} = {value!r}: a setting is text in quotes, a whole number, true or false.")
