"""Settings of games as typed fields: one way from chat text, files and presets into a game.

A field says its range by pydantic's `Field` and its unit by `Unit`; its help is the message
`setting-<game>-<field>`. Digits are ASCII and nothing else, as everywhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar, get_args, get_origin, get_type_hints

from annotated_types import Ge, Le
from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from chatbot.kernel.codec import adapter
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Arguments, Message, Quote
from chatbot.kernel.units import SECONDS, as_time, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

T = TypeVar("T")

_WHOLE = re.compile(r"[0-9]{1,16}", re.ASCII)
_YES = "yes", "on", "true", "예", "네", "켜기"
_NO = "no", "off", "false", "아니요", "아니오", "끄기"
_YES_NO = dict.fromkeys(_YES, True) | dict.fromkeys(_NO, False)


@dataclass(frozen=True, slots=True)
class Unit:
    """What a field counts, as the id of a message: `unit-<name>`."""

    name: str


def _whole(value: object) -> object:
    if isinstance(value, str) and not _WHOLE.fullmatch(value):
        raise ValueError("not a whole number in ASCII digits")
    if isinstance(value, bool):
        raise ValueError("yes or no is not a number")  # noqa: TRY004  (pydantic listens for ValueError)
    return value


def _flag(value: object) -> object:
    return _YES_NO.get(value.lower(), value) if isinstance(value, str) else value


def yes_or_no(text: str) -> bool | None:
    """Read what somebody typed; None: it is neither."""
    return _YES_NO.get(text.lower())


Whole = Annotated[int, BeforeValidator(_whole)]
Flag = Annotated[bool, BeforeValidator(_flag)]
SHORTEST_WINDOW, LONGEST_WINDOW = 5, 600  # seconds
Window = Annotated[Whole, Field(ge=SHORTEST_WINDOW, le=LONGEST_WINDOW), Unit("seconds")]
"""How long people have to answer."""

Tables = Annotated[Whole, Field(ge=1, le=1000), Unit("games")]
"""How many tables for one may stand in a room at once."""


@dataclass(frozen=True)
class Descriptor:
    """One setting as its field describes it: all that is true of it whatever its value is."""

    key: str
    hint: Any
    expected: Message  # its unit and range

    def parse(self, text: object) -> Any:
        """Make a value from what somebody typed, or from one that was stored.

        Raises:
            Refusal: it is of the wrong kind or out of its range.
        """
        try:
            return self._adapter.validate_python(self.plain(text))
        except ValidationError:
            raise self.refusal(text) from None

    def refusal(self, value: object) -> Refusal:
        args: Arguments = {"key": self.key, "value": Quote(str(value)), "expected": self.expected}
        return Refusal(Message("setting-wrong" if str(value).strip() else "setting-empty", args))

    def plain(self, text: object) -> object:
        """Return text as it is parsed: in lower case, and a quantity such as `1m30s` as a plain number."""
        if not isinstance(text, str) or self.free:
            return text
        return plain(text.lower(), self._unit)

    @cached_property
    def free(self) -> bool:
        """Whether its value is free text, which may have spaces."""
        return _bare(self.hint) is str

    @cached_property
    def _unit(self) -> str:
        return _unit(self.hint)

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self.hint)


class Schema(Generic[T]):
    """The settings of one kind of dataclass. Its fields are looked at once, when somebody first asks."""

    def __init__(self, kind: type[T]) -> None:
        self.kind = kind

    @cached_property
    def descriptors(self) -> Mapping[str, Descriptor]:
        """The settings by their keys, in the order of the fields."""
        hints = get_type_hints(self.kind, include_extras=True)
        names = [each.name for each in fields(self.kind)]  # type: ignore[arg-type]  # it is a dataclass
        return {name: Descriptor(name, hints[name], _expected(hints[name])) for name in names}

    def make(self, values: Mapping[str, object]) -> T:
        """Make a whole one from settings, as text or as values.

        Raises:
            Refusal: a setting is unknown, of the wrong kind or out of its range, or they do not fit.
        """
        for key in values:
            if key not in self.descriptors:
                keys = ", ".join(sorted(self.descriptors))
                raise Refusal(Message("setting-unknown", {"key": Quote(key), "known": keys}))
        if not values:  # as in most rooms, whose start needs no validators, of 5 milliseconds for each kind
            return self.kind()
        try:
            plain = {key: self.descriptors[key].plain(each) for key, each in values.items()}
            instance: T = adapter(self.kind).validate_python(plain)
        except ValidationError as error:
            key = str(error.errors()[0]["loc"][0])
            raise self.descriptors[key].refusal(values[key]) from None
        return instance

    def changed(self, value: T, changes: Mapping[str, object]) -> T:
        """Change known settings of one that is made; the others are not validated again.

        Raises:
            Refusal: a setting is of the wrong kind or out of its range, or it does not fit the others.
        """
        new_values = {key: self.descriptors[key].parse(text) for key, text in changes.items()}
        instance: T = replace(value, **new_values) if new_values else value  # type: ignore[type-var]  # a dataclass
        return instance


def schema_of(kind: type[T]) -> Schema[T]:
    """Return the one schema of a kind; it takes milliseconds to look at its fields."""
    if kind not in _SCHEMAS:
        _SCHEMAS[kind] = Schema(kind)
    return _SCHEMAS[kind]


_SCHEMAS: dict[type, Schema[Any]] = {}


def make(kind: type[T], values: Mapping[str, object]) -> T:
    """Make one from settings; raises as `Schema.make`."""
    return schema_of(kind).make(values)


def dump(game: object) -> dict[str, Any]:
    """Write a game's settings as plain values, from which `make` makes them again."""
    plain: dict[str, Any] = adapter(type(game)).dump_python(game, mode="json")
    return plain


def as_text(value: object) -> str:
    """Write a setting's value as a moderator would type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return "/".join(as_text(each) for each in value)
    return str(value)


def _expected(hint: Any) -> Message:
    metadata = list(_metadata(hint))
    message = next((each for each in metadata if isinstance(each, Message)), None)
    if message is not None:
        return message
    kind = _bare(hint)
    if kind is bool:
        return Message("expects-yes-no")
    if isinstance(kind, type) and issubclass(kind, Enum):
        return Message("expects-one-of", {"choices": ", ".join(str(each.value) for each in kind)})
    least = next((int(each.ge) for each in metadata if isinstance(each, Ge)), 0)  # type: ignore[call-overload]
    most = next((int(each.le) for each in metadata if isinstance(each, Le)), 10**15)  # type: ignore[call-overload]
    unit = _unit(hint)
    if unit in SECONDS:
        bounds: Arguments = {"least": as_time(least, unit), "most": as_time(most, unit)}
        return Message("expects-time", {**bounds, "unit": Message(f"counts-{unit}")})
    return Message("expects-whole", {"least": least, "most": most, "unit": Message(f"unit-{unit}")})


def _unit(hint: Any) -> str:
    return next((each.name for each in _metadata(hint) if isinstance(each, Unit)), "none")


def _metadata(hint: Any) -> Iterator[object]:
    if get_origin(hint) is Annotated:
        for each in hint.__metadata__:
            yield from each.metadata if isinstance(each, FieldInfo) else (each,)


def _bare(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint
