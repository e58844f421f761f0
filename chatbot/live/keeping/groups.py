"""The groups of settings: a game's, the room's, the community's, and those whose keys are open.

However a setting is changed (in chat, by a form, from a file), its group is the judge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

from chatbot.kernel import settings
from chatbot.kernel.game import Role
from chatbot.kernel.kit import Kit, called
from chatbot.kernel.say import Message, Quote
from chatbot.live.choices import PRESET, game_of, preset_of
from chatbot.live.wording.suggestions import unknown

if TYPE_CHECKING:
    from chatbot.live.room import Room

T = TypeVar("T")

Choices: TypeAlias = Mapping[str, object]


class Scope(Enum):
    """Whose a group's settings are: those of a community count in all of its rooms."""

    ROOM = "room"
    COMMUNITY = "community"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as keepers meet it: values are as somebody would type them."""

    key: str
    value: str
    default: str
    expected: Message  # its unit and range
    help: Message
    example: str  # a value that it takes


class Group(Protocol):
    """A group of settings.

    `listed` are the settings worth listing: all that there are, or, of a group whose keys are open, those
    that were set. `taken` gives the choices when some were changed (None: back to the default), checked
    and in their plainest form. `least` is the role that it takes to change them, whatever command is used.
    """

    @property
    def name(self) -> str: ...

    @property
    def scope(self) -> Scope: ...

    @property
    def least(self) -> Role: ...

    def listed(self, choices: Choices) -> Sequence[Setting]: ...

    def find(self, choices: Choices, key: str) -> Setting:
        """Find a setting.

        Raises:
            Refusal: there is none of that key.
        """

    def taken(self, choices: Choices, changed: Mapping[str, str | None]) -> dict[str, object]:
        """Change some choices.

        Raises:
            Refusal: a key or a value is none, or it does not fit the others.
        """

    def read(self, choices: Choices) -> Any:
        """Make what the choices stand for.

        Raises:
            Refusal: they are not possible, or not any more.
        """


@dataclass(frozen=True)
class Fields(Generic[T]):
    """A group whose settings are the fields of a dataclass; their help is `setting-<group>-<field>`."""

    name: str
    kind: type[T]
    scope: Scope = Scope.ROOM
    least: Role = Role.VIEWER

    def of(self, room: Room) -> T:
        """Give what a room has chosen."""
        chosen: T = room.chosen.get(self.name) or self.kind()
        return chosen

    def listed(self, choices: Choices) -> Sequence[Setting]:
        return _fields(self.name, self.read(choices), self.kind())

    def find(self, choices: Choices, key: str) -> Setting:
        return _found(self.listed(choices), key)

    def taken(self, choices: Choices, changed: Mapping[str, str | None]) -> dict[str, object]:
        return _taken(self, self.kind, choices, changed)

    def read(self, choices: Choices) -> T:
        value: T = settings.make(self.kind, choices)
        return value


@dataclass(frozen=True)
class OfGame:
    """The settings of a game: a preset, and what is changed on top of it."""

    kit: Kit
    scope: Scope = Scope.ROOM
    least: Role = Role.VIEWER

    @property
    def name(self) -> str:
        return self.kit.name

    def listed(self, choices: Choices) -> Sequence[Setting]:
        preset = preset_of(self.kit, choices)
        default = self.read({PRESET: preset} if preset else {})
        rows = _fields(self.name, self.read(choices), default)
        if not self.kit.presets:
            return rows
        known = ", ".join(self.kit.presets)
        expected, about = Message("expects-one-of", {"choices": known}), Message("setting-preset")
        first = next(iter(self.kit.presets))
        return (Setting(PRESET, preset, first, expected, about, [*self.kit.presets][-1]), *rows)

    def find(self, choices: Choices, key: str) -> Setting:
        return _found(self.listed(choices), key)

    def taken(self, choices: Choices, changed: Mapping[str, str | None]) -> dict[str, object]:
        return _taken(self, self.kit.game, choices, changed)

    def read(self, choices: Choices) -> Any:
        return game_of(self.kit, choices)


@dataclass(frozen=True)
class Entries:
    """A group of open keys, such as the words that stand for others.

    `entry(key, text)` gives the plainest form of both, or raises Refusal; `default(key)` is what counts
    where nothing is set, and `known` are keys that are listed even then. The help of all is
    `setting-<group>`.
    """

    name: str
    entry: Callable[[str, str], tuple[str, str]]
    expected: Message
    example: tuple[str, str]
    scope: Scope = Scope.ROOM
    default: Callable[[str], str] = field(default=lambda _: "")
    least: Role = Role.VIEWER
    known: tuple[str, ...] = ()

    def of(self, room: Room) -> Mapping[str, str]:
        """Give what was set in a room."""
        chosen: Mapping[str, str] = room.chosen.get(self.name, {})
        return chosen

    def listed(self, choices: Choices) -> Sequence[Setting]:
        usual = {key: self.default(key) for key in self.known}
        return [self._setting(key, str(value)) for key, value in sorted((usual | dict(choices)).items())]

    def find(self, choices: Choices, key: str) -> Setting:
        value = str(choices.get(key) or self.default(key) or self.example[1])
        plain, _ = self.entry(key, value)
        return self._setting(plain, str(choices.get(plain, self.default(plain))))

    def taken(self, choices: Choices, changed: Mapping[str, str | None]) -> dict[str, object]:
        merged = dict(choices)
        for key, text in changed.items():
            if text is None:
                merged.pop(key, None)
            else:
                plain, value = self.entry(key, text)
                merged[plain] = value
        return merged

    def read(self, choices: Choices) -> Mapping[str, str]:
        return dict(self.entry(key, str(value)) for key, value in choices.items())

    def _setting(self, key: str, value: str) -> Setting:
        about = Message(f"setting-{self.name}")
        return Setting(key, value, self.default(key), self.expected, about, self.example[1])


class Groups(dict[str, Group]):
    """All groups by their names."""

    def __init__(self, groups: Sequence[Group]) -> None:
        super().__init__({each.name: each for each in groups})

    def add(self, group: Group) -> None:
        self[group.name] = group

    def named(self, name: str) -> Group:
        """Find a group.

        Raises:
            Refusal: there is none of that name.
        """
        if name not in self:
            told = Message("group-unknown", {"text": Quote(name), "known": ", ".join(self)})
            raise unknown(told, name, self)
        return self[name]

    def meant(self, text: str) -> Group | None:
        """Find a group by its name, or a game's by the word that people type to play it."""
        kit = called({name: each.kit for name, each in self.items() if isinstance(each, OfGame)}, text)
        return self.get(text.lower() if kit is None else kit.name)

    def adopt(self, room: Room, name: str, choices: Choices) -> None:
        """Let choices that were checked and stored count from now on.

        Raises:
            Refusal: they are not possible any more.
        """
        room.chosen[name] = self[name].read(choices)
        room.preferences[name] = dict(choices)

    @staticmethod
    def owner(group: Group, room: Room, holder: str = "") -> str:
        """Name whose choices a group's are in a room, or will be with that holder, as they are stored."""
        community = holder or room.holder or room.community
        return room.id if group.scope is Scope.ROOM else f"{Scope.COMMUNITY.value} {community}"


def _fields(group: str, value: object, default: object) -> Sequence[Setting]:
    usual = {each.key: settings.as_text(each.value) for each in settings.options(default)}
    return [
        Setting(
            each.key,
            settings.as_text(each.value),
            usual[each.key],
            each.expected,
            Message(f"setting-{group}-{each.key}"),
            usual[each.key] or settings.as_text(each.value),
        )
        for each in settings.options(value)
    ]


def _found(listed: Sequence[Setting], key: str) -> Setting:
    found = {each.key: each for each in listed}
    if key.lower() not in found:
        told = Message("setting-unknown", {"key": Quote(key), "known": ", ".join(found)})
        raise unknown(told, key, found)
    return found[key.lower()]


def _taken(
    group: Group, kind: type[Any], choices: Choices, typed: Mapping[str, str | None]
) -> dict[str, object]:
    changed = settings.folded(kind, typed)
    merged = _merged(choices, changed)
    return _plainest(merged, changed, settings.options(group.read(merged)))


def _merged(choices: Choices, changed: Mapping[str, str | None]) -> dict[str, object]:
    merged = {**choices, **changed}
    return {key: value for key, value in merged.items() if value is not None}


def _plainest(
    merged: dict[str, object], changed: Mapping[str, str | None], options: Any
) -> dict[str, object]:
    """Write what was changed as it is listed."""
    values = {each.key: settings.as_text(each.value) for each in options}
    return merged | {key: values[key] for key, text in changed.items() if text is not None and key in values}
