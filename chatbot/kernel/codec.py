"""Values to JSON and back, for the journal and the records: `{"Join": {"seat": "…", "credits": 69}}`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from chatbot.kernel.game import Clock, Seat, Sit, Timeout

if TYPE_CHECKING:
    from collections.abc import Callable

adapter: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)
"""Makes (once) what turns one dataclass into plain values and back."""


compact: Callable[[object], str] = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Writes JSON without blanks; `json.dumps` makes such an encoder with each call."""


def canonical(value: object) -> str:
    """Write JSON in the one form that hashes are made of: sorted keys and no blanks."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def plain(value: Any) -> Any:
    """Turn a view into JSON's plain values: a dataclass into its fields, a set into a sorted list."""
    match value:
        case _ if is_dataclass(value):
            return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
        case Enum():
            return plain(value.value)
        case Mapping():
            return {str(plain(key)): plain(each) for key, each in value.items()}
        case AbstractSet():
            return sorted((plain(each) for each in value), key=str)
        case None | bool() | int() | float() | str():
            return value
        case _:
            return [plain(each) for each in value] if isinstance(value, tuple | list) else str(value)


class Codec:
    """Knows a closed set of dataclasses by their names."""

    def __init__(self, *types: type) -> None:
        self._types = {each.__name__: each for each in types}
        if len(self._types) != len(types):
            raise ValueError(f"two types of one name among {[each.__name__ for each in types]}")

    def dump(self, value: object) -> str:
        return compact(self._plain(value))

    def load(self, text: str) -> Any:
        """Read what `dump` wrote.

        Raises:
            ValueError: it is something else (pydantic's ValidationError is one too).
        """
        return self._value(json.loads(text))

    def _plain(self, value: object) -> dict[str, Any]:
        if isinstance(value, Sit):
            record = None if value.record is None else self._plain(value.record)
            return {"Sit": {"seat": value.seat, "record": record}}
        if isinstance(value, Timeout):
            hidden = {"hidden": True} if value.clock.hidden else {}
            return {"Timeout": {"phase": value.clock.phase, "seconds": value.clock.seconds, **hidden}}
        name = type(value).__name__
        if self._types.get(name) is not type(value):
            raise TypeError(f"expected one of {sorted(self._types)}, got {value!r}")
        return {name: adapter(type(value)).dump_python(value, mode="json")}

    def _value(self, plain: Any) -> Any:
        if not isinstance(plain, dict) or len(plain) != 1:
            raise ValueError(f"expected one name with its fields, got {plain!r}")
        ((name, fields),) = plain.items()
        if name == "Sit":
            record = None if fields["record"] is None else self._value(fields["record"])
            return Sit(Seat(fields["seat"]), record)
        if name == "Timeout":
            return Timeout(Clock(fields["phase"], fields["seconds"], fields.get("hidden") is True))
        if name not in self._types:
            raise ValueError(f"expected one of {sorted(self._types)}, got {name!r}")
        return adapter(self._types[name]).validate_python(fields)
