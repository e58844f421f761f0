"""The groups of settings: a game's, the room's, the community's, and those whose keys are open.

However a setting is changed (in chat, by a form, from a file), its group is the judge. What is true of a
setting whatever its value is (its range, its help, its default by preset) is found out once a group, and kept
with it; a change looks at what it changes, and once at how that fits the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from chatbot.kernel import settings
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import AnyKit, called
from chatbot.kernel.say import Message, Quote
from chatbot.kernel.settings import Schema, as_text
from chatbot.kernel.suggestions import unknown

if TYPE_CHECKING:
    from chatbot.kernel.say import Argument

YES, NO = "yes", "no"
YES_OR_NO = Message("expects-yes-no")
_PLAIN = re.compile(r"[A-Za-z0-9_./,=%+-]{1,120}", re.ASCII)

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Choices: TypeAlias = Mapping[str, object]
Typed: TypeAlias = Mapping[str, str | None]
"""Values as somebody would type them, by key; None: back to the default."""

PRESET = "preset"  # the key that names the preset among what was chosen for a game


def shown(text: str | None) -> Argument:
    """Show a value; None: the default."""
    if text is None:
        return Message("value-default")
    if not text:
        return Message("value-none")
    return text if _PLAIN.fullmatch(text) else Quote(text)


def wrong(key: str, text: str, expected: Message) -> Refusal:
    """Refuse a value that a setting does not take, and say what it takes."""
    return Refusal(Message("setting-wrong", {"key": shown(key), "value": Quote(text), "expected": expected}))


def yes_or_no(key: str, text: str) -> str:
    """Bring what somebody typed into its plainest form.

    Raises:
        Refusal: it is neither.
    """
    said = settings.yes_or_no(text)
    if said is None:
        raise wrong(key, text, YES_OR_NO)
    return YES if said else NO


class Scope(Enum):
    """Whose a group's settings are: those of a community count in all of its rooms."""

    ROOM = "room"
    COMMUNITY = "community"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as moderators meet it: values are as somebody would type them."""

    key: str
    value: str
    default: str
    expected: Message  # its unit and range
    help: Message
    example: str  # a value that it takes


@dataclass(frozen=True, slots=True)
class Selection(Generic[T_co]):
    """What was chosen of a group, and what that stands for."""

    choices: Choices  # by key, in their plainest form, and as they are stored
    value: T_co


class Chooser(Protocol):
    """A room, as far as its settings go; none may have been chosen of a group."""

    @property
    def id(self) -> str: ...

    @property
    def community(self) -> str: ...

    @property
    def holder(self) -> str: ...

    @property
    def chosen(self) -> dict[str, Selection[Any]]: ...


class Group(Protocol):
    """A group of settings.

    `listed` are the settings worth listing: all that there are, or, of a group whose keys are open, those
    that were set. `least` is the role that it takes to change them, whatever command is used. `unset` is what
    counts where nothing was chosen.
    """

    @property
    def name(self) -> str: ...

    @property
    def scope(self) -> Scope: ...

    @property
    def least(self) -> Role: ...

    @property
    def unset(self) -> Selection[Any]: ...

    def commands(self, key: str) -> Sequence[str]:
        """Name the commands besides `!set` that change a setting, one way or the other."""

    def listed(self, selection: Selection[Any]) -> Sequence[Setting]: ...

    def find(self, selection: Selection[Any], key: str) -> Setting:
        """Find a setting.

        Raises:
            Refusal: there is none of that key.
        """

    def changed(self, selection: Selection[Any], typed: Typed) -> Selection[Any]:
        """Change some of what was chosen.

        Raises:
            Refusal: a key or a value is none, or it does not fit the others.
        """

    def read(self, choices: Choices) -> Selection[Any]:
        """Take over what was stored.

        Raises:
            Refusal: it is not possible, or not any more.
        """

    def idle(self, selection: Selection[Any], key: str) -> bool:
        """Whether a setting is listed the same if nothing is chosen for it."""


@dataclass(frozen=True)
class Fields(Generic[T]):
    """A group whose settings are the fields of a dataclass; their help is `setting-<group>-<field>`.

    Where there are `presets`, one of them counts below what is chosen: the first, unless the key `preset`
    names another. `words` are the commands besides `!set` that change a setting, by its key.
    """

    name: str
    kind: type[T]
    scope: Scope = Scope.ROOM
    least: Role = Role.VIEWER
    presets: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def of(self, room: Chooser) -> T:
        """Give what a room has chosen."""
        selection: Selection[T] = room.chosen.get(self.name, self.unset)
        return selection.value

    def commands(self, key: str) -> Sequence[str]:
        return self.words.get(key, ())

    @cached_property
    def unset(self) -> Selection[T]:
        return self.read({})

    def listed(self, selection: Selection[T]) -> Sequence[Setting]:
        return [self._setting(selection, key) for key in self._keys]

    def find(self, selection: Selection[T], key: str) -> Setting:
        return self._setting(selection, self._known(key))

    def changed(self, selection: Selection[T], typed: Typed) -> Selection[T]:
        wanted = {self._known(key): text for key, text in typed.items()}
        merged = {key: each for key, each in {**selection.choices, **wanted}.items() if each is not None}
        preset = self.preset(merged)
        if preset == self.preset(selection.choices):
            usual = self._bases[preset]
            news = {
                key: getattr(usual, key) if text is None else text
                for key, text in wanted.items()
                if not self._names_preset(key)
            }
            value = self._schema.changed(selection.value, news)
        else:  # what is chosen on top of a preset must fit the new one
            value = self.read(merged).value
        plain = {key: self._text(value, preset, key) for key in wanted if key in merged}
        return Selection(merged | plain, value)

    def read(self, choices: Choices) -> Selection[T]:
        base = self._bases[self.preset(choices)]
        changes = {self._known(key): each for key, each in choices.items() if not self._names_preset(key)}
        return Selection(dict(choices), self._schema.changed(base, changes))

    def idle(self, selection: Selection[T], key: str) -> bool:
        each = self._setting(selection, key)
        return each.value == each.default

    def preset(self, choices: Choices) -> str:
        """Name the preset that is chosen; nothing where there are none.

        Raises:
            Refusal: there is none of that name.
        """
        if not self.presets:
            return ""
        preset = str(choices.get(PRESET, self._first)).lower()
        if preset not in self.presets:
            told = Message("preset-unknown", {"preset": Quote(preset), "known": ", ".join(self.presets)})
            raise unknown(told, preset, self.presets)
        return preset

    @property
    def _first(self) -> str:
        return next(iter(self.presets), "")

    @cached_property
    def _schema(self) -> Schema[T]:
        return Schema(self.kind)

    @cached_property
    def _bases(self) -> Mapping[str, T]:
        """What counts where nothing is chosen on top, by preset."""
        return {name: self._schema.make(values) for name, values in (self.presets or {"": {}}).items()}

    @cached_property
    def _usual(self) -> Mapping[str, Mapping[str, Setting]]:
        """The same as moderators meet it, by preset and key."""
        return {name: {each.key: each for each in self._described(name)} for name in self._bases}

    def _described(self, preset: str) -> Iterator[Setting]:
        if self.presets:
            expected = Message("expects-one-of", {"choices": ", ".join(self.presets)})
            example = [*self.presets][-1]
            yield Setting(PRESET, preset, self._first, expected, Message("setting-preset"), example)
        for key, each in self._schema.descriptors.items():
            text = as_text(getattr(self._bases[preset], key))
            yield Setting(key, text, text, each.expected, Message(f"setting-{self.name}-{key}"), text)

    @cached_property
    def _keys(self) -> tuple[str, ...]:
        return tuple(self._usual[self._first])

    def _known(self, key: str) -> str:
        low = key.lower()
        if low not in self._keys:
            told = Message("setting-unknown", {"key": Quote(key), "known": ", ".join(self._keys)})
            raise unknown(told, key, self._keys)
        return low

    def _names_preset(self, key: str) -> bool:
        return key == PRESET and bool(self.presets)

    def _text(self, value: T, preset: str, key: str) -> str:
        return preset if self._names_preset(key) else as_text(getattr(value, key))

    def _setting(self, selection: Selection[T], key: str) -> Setting:
        preset = self.preset(selection.choices)
        usual, value = self._usual[preset][key], self._text(selection.value, preset, key)
        return usual if value == usual.value else replace(usual, value=value, example=usual.example or value)


@dataclass(frozen=True)
class OfGame(Fields[Any]):
    """The settings of a game."""

    kit: AnyKit = field(kw_only=True)


def of_game(kit: AnyKit) -> OfGame:
    return OfGame(kit.name, kit.game, presets=kit.presets, kit=kit)


@dataclass(frozen=True)
class Entries:
    """A group of open keys, such as the words that stand for others.

    `entry(key, text)` gives the plainest form of both, or raises Refusal; `default(key)` is what counts
    where nothing is set, and `known` are keys that are listed even then. The help of all is
    `setting-<group>`. `words` are the commands besides `!set` that change any of them.
    """

    name: str
    entry: Callable[[str, str], tuple[str, str]]
    expected: Message
    example: tuple[str, str]
    scope: Scope = Scope.ROOM
    default: Callable[[str], str] = field(default=lambda _: "")
    least: Role = Role.VIEWER
    known: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    unset: ClassVar[Selection[Mapping[str, str]]] = Selection({}, {})

    def of(self, room: Chooser) -> Mapping[str, str]:
        """Give what was set in a room."""
        selection: Selection[Mapping[str, str]] = room.chosen.get(self.name, self.unset)
        return selection.value

    def commands(self, key: str) -> Sequence[str]:  # noqa: ARG002
        return self.words

    def listed(self, selection: Selection[Mapping[str, str]]) -> Sequence[Setting]:
        usual = {key: self.default(key) for key in self.known}
        return [
            self._setting(key, str(each)) for key, each in sorted((usual | dict(selection.choices)).items())
        ]

    def find(self, selection: Selection[Mapping[str, str]], key: str) -> Setting:
        plain = self._known(selection, key)
        return self._setting(plain, str(selection.choices.get(plain, self.default(plain))))

    def changed(self, selection: Selection[Mapping[str, str]], typed: Typed) -> Selection[Mapping[str, str]]:
        choices, value = dict(selection.choices), dict(selection.value)
        for key, text in typed.items():
            if text is None:
                plain = self._known(selection, key)
                choices.pop(plain, None)
                value.pop(plain, None)
            else:
                plain, new = self.entry(key, text)
                choices[plain] = value[plain] = new
        return Selection(choices, value)

    def read(self, choices: Choices) -> Selection[Mapping[str, str]]:
        return Selection(dict(choices), dict(self.entry(key, str(each)) for key, each in choices.items()))

    def idle(self, selection: Selection[Mapping[str, str]], key: str) -> bool:
        chosen = selection.choices.get(key)
        return chosen is None or (key in self.known and chosen == self.default(key))

    def _known(self, selection: Selection[Mapping[str, str]], key: str) -> str:
        """Give a key in its plainest form, by any value that it takes."""
        return self.entry(key, str(selection.choices.get(key) or self.default(key) or self.example[1]))[0]

    def _setting(self, key: str, value: str) -> Setting:
        about = Message(f"setting-{self.name}")
        return Setting(key, value, self.default(key), self.expected, about, self.example[1])


class Groups(dict[str, Group]):
    """All groups by their names."""

    def __init__(self, groups: Sequence[Group]) -> None:
        super().__init__({each.name: each for each in groups})

    def add(self, *groups: Group) -> None:
        self.update({each.name: each for each in groups})

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


def selected(group: Group, room: Chooser) -> Selection[Any]:
    """Give what counts of a group in a room."""
    return room.chosen.get(group.name, group.unset)


def owner(group: Group, room: Chooser, holder: str = "") -> str:
    """Name whose choices a group's are in a room, or will be with that holder, as they are stored."""
    community = holder or room.holder or room.community
    return room.id if group.scope is Scope.ROOM else f"{Scope.COMMUNITY.value} {community}"
