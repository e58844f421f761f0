"""Settings of games as typed fields: one way from chat text, files and presets into a game.

A field says its range by pydantic's `Field` and its unit by `Unit`; its help is the message
`setting-<game>-<field>`. Text is ASCII and nothing else, as everywhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

from annotated_types import Ge, Le
from pydantic import BeforeValidator, Field, ValidationError
from pydantic.fields import FieldInfo

from chatbot.kernel.codec import adapter
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Arguments, Message, Quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_WHOLE = re.compile(r"[0-9]{1,16}", re.ASCII)
_YES_NO = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}


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


@dataclass(frozen=True, slots=True)
class Option:
    """One setting as moderators meet it."""

    key: str
    value: object
    expected: Message


def options(game: object) -> Iterator[Option]:
    """List a game's settings with their present values."""
    hints = get_type_hints(type(game), include_extras=True)
    for each in fields(game):  # type: ignore[arg-type]  # every game is a dataclass
        yield Option(each.name, getattr(game, each.name), _expected(hints[each.name]))


def make(game: type[Any], values: Mapping[str, object]) -> Any:
    """Make a game from settings, as text or as values.

    Raises:
        Refusal: a setting is unknown, of the wrong kind or out of its range.
    """
    hints = get_type_hints(game, include_extras=True)
    known = {each.name for each in fields(game)}
    for key in values:
        if key not in known:
            raise Refusal(Message("setting-unknown", {"key": Quote(key), "known": ", ".join(sorted(known))}))
    try:
        return adapter(game).validate_python(dict(values))
    except ValidationError as error:
        key = str(error.errors()[0]["loc"][0])
        wanted: Arguments = {"key": key, "value": Quote(str(values[key])), "expected": _expected(hints[key])}
        raise Refusal(Message("setting-wrong", wanted)) from None


def dump(game: object) -> dict[str, Any]:
    """Write a game's settings as plain values, which `make` reads back."""
    plain: dict[str, Any] = adapter(type(game)).dump_python(game, mode="json")
    return plain


def folded(game: type[Any], typed: Mapping[str, str | None]) -> dict[str, str | None]:
    """Write in small letters whatever is no free text."""
    hints = get_type_hints(game, include_extras=True)
    return {
        key: text if text is None or _bare(hints.get(key)) is str else text.lower()
        for key, text in typed.items()
    }


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
    described = next((each for each in metadata if isinstance(each, Message)), None)
    if described is not None:
        return described
    kind = _bare(hint)
    if kind is bool:
        return Message("expects-yes-no")
    if isinstance(kind, type) and issubclass(kind, Enum):
        return Message("expects-one-of", {"choices": ", ".join(str(each.value) for each in kind)})
    least = next((int(each.ge) for each in metadata if isinstance(each, Ge)), 0)  # type: ignore[call-overload]
    most = next((int(each.le) for each in metadata if isinstance(each, Le)), 10**15)  # type: ignore[call-overload]
    unit = next((each.name for each in metadata if isinstance(each, Unit)), "none")
    return Message("expects-whole", {"least": least, "most": most, "unit": Message(f"unit-{unit}")})


def _metadata(hint: Any) -> Iterator[object]:
    if get_origin(hint) is Annotated:
        for each in hint.__metadata__:
            yield from each.metadata if isinstance(each, FieldInfo) else (each,)


def _bare(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint
