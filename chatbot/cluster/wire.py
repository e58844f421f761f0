"""Values as bytes, for what processes of one program tell each other.

A value is JSON in which whatever JSON does not know is a list that begins with a mark: dataclasses, by their
names and the fields that are not as by default, enumerations, times, bytes, sets, mappings. Only types of
`TYPES` are made of what arrives, so nobody who can write to the carrier can have another one made. A field
that this version does not know is left out, and one that is missing has its default: a process of the next
version may already be running.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, fields
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any

from chatbot.kernel.game import Role
from chatbot.kernel.say import Credits, Listing, Message, Name, Quote, Say, Talk
from chatbot.ledger.people import Account
from chatbot.ledger.vouchers import Voucher
from chatbot.rooms.channel import Delivery, Manner, Privacy
from chatbot.rooms.line import Happening, Line, Occasion
from chatbot.speech.safe import discord, plain, twitch

TYPES = {
    each.__name__: each
    for each in (Credits, Delivery, Line, Listing, Manner, Message, Name, Occasion, Quote, Say, Voucher)
}
ENUMERATIONS = {each.__name__: each for each in (Happening, Privacy, Role, Talk)}
FUNCTIONS = {each.__name__: each for each in (discord, plain, twitch)}
"""The ways to escape a text that a chat can have."""

_NONE: Any = object()


def pack(value: object) -> bytes:
    """Return a value as bytes.

    Raises:
        TypeError, KeyError: it has a part of a type that does not travel.
    """
    text = json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"))
    # Headers of requests have surrogates for bytes that are no UTF-8; `json.loads` reads them, too.
    return text.encode(errors="surrogatepass")


def unpack(data: bytes) -> Any:  # whatever was packed, whose parts the caller knows
    """Return the value that was packed.

    Raises:
        ValueError: it is none that this version knows.
    """
    try:
        return _value(json.loads(data))
    except (KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise ValueError(f"what another process says is not understood: {error!r}") from error


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        plain_value = ["enum", ENUMERATIONS[type(value).__name__].__name__, value.value]
    elif value is None or isinstance(value, bool | int | float | str):
        return value
    elif isinstance(value, Account):
        plain_value = ["account", *value]
    elif type(value).__name__ in TYPES:
        plain_value = ["of", type(value).__name__, _changed(value)]
    elif isinstance(value, datetime):
        plain_value = ["at", value.isoformat()]
    elif isinstance(value, bytes):
        plain_value = ["bytes", b64encode(value).decode()]
    elif isinstance(value, tuple | list | frozenset | set | Mapping):
        plain_value = _plain_collection(value)
    elif (name := getattr(value, "__name__", "")) in FUNCTIONS:
        plain_value = ["function", name]
    else:
        raise TypeError(f"{value!r} does not travel between processes")
    return plain_value


def _plain_collection(value: Collection[Any]) -> list[Any]:
    if isinstance(value, Mapping):
        return ["map", *([_plain(key), _plain(part)] for key, part in value.items())]
    if isinstance(value, frozenset | set):
        return ["set", *sorted(map(_plain, value), key=str)]
    return ["row", *map(_plain, value)]


def _changed(value: object) -> dict[str, Any]:
    """Return the fields of a value that are not as by default."""
    parts = (
        (name, getattr(value, name), default) for name, default in _defaults(TYPES[type(value).__name__])
    )
    return {name: _plain(part) for name, part, default in parts if part != default}


def _value(plain_value: Any) -> Any:
    if not isinstance(plain_value, list):
        return plain_value
    mark, *parts = plain_value
    return _READERS[mark](parts)


def _made(parts: list[Any]) -> Any:
    kind = TYPES[parts[0]]
    known = {name for name, _ in _defaults(kind)}
    return kind(**{name: _value(part) for name, part in parts[1].items() if name in known})


_READERS: dict[str, Callable[[list[Any]], Any]] = {
    "account": lambda parts: Account(*parts),
    "of": _made,
    "enum": lambda parts: ENUMERATIONS[parts[0]](parts[1]),
    "at": lambda parts: datetime.fromisoformat(parts[0]),
    "bytes": lambda parts: b64decode(parts[0], validate=True),
    "row": lambda parts: tuple(map(_value, parts)),
    "set": lambda parts: frozenset(map(_value, parts)),
    "map": lambda parts: {_value(key): _value(part) for key, part in parts},
    "function": lambda parts: FUNCTIONS[parts[0]],
}
"""What makes a value of the rest of a list, by the mark with which it begins."""


@cache
def _defaults(kind: type) -> tuple[tuple[str, Any], ...]:
    """Return the names of the fields of a dataclass with their defaults."""
    return tuple((each.name, _default(each)) for each in fields(kind))


def _default(field: Any) -> Any:
    if field.default is not MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not MISSING else _NONE
