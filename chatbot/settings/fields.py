"""Groups of settings: those of a game, of the room, of the community, and those with open keys.

Every change (in chat, by a form, from a file) is validated by its group. What does not depend on the value of
a setting (its range, its help, its default by preset) is computed once and cached in the group; a change
validates the values that it changes, and once that they fit the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from chatbot.kernel import settings
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import AnyKit, find_kit
from chatbot.kernel.say import Listing, Message, Quote
from chatbot.kernel.settings import Schema, as_text, schema_of
from chatbot.kernel.suggestions import near, unknown
from chatbot.speech import themes

if TYPE_CHECKING:
    from chatbot.kernel.say import Argument, Arguments

YES, NO = "yes", "no"
NO_YES = NO, YES
YES_OR_NO = Message("expects-yes-no")
_PLAIN = re.compile(r"[A-Za-z0-9_./,=%+-]{1,120}", re.ASCII)

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

StoredValues: TypeAlias = Mapping[str, object]
"""Stored values, by key."""

Typed: TypeAlias = Mapping[str, str | None]
"""Values as they are typed, by key; None: the default."""

SHORTEST_KEY = 3  # letters of a word that may be a mistyped key: shorter ones are near to several keys

PRESET = "preset"  # the key of the preset among the choices of a game

THEME = "theme"
"""The key of the theme of a game's words among its choices."""

PREDICTION = "prediction"
"""The key among the choices of a game of whether viewers can bet on it at their platform."""

DEFAULT = "default"
"""What is typed as a value to reset a setting."""


def shown(text: str | None) -> Argument:
    """Return a value as an argument of a message; None: the default."""
    if text is None:
        return Message("value-default")
    if not text:
        return Message("value-none")
    return text if _PLAIN.fullmatch(text) else Quote(text)


def wrong(key: str, text: str, expected: Message) -> Refusal:
    """Return the refusal of an invalid value, which says what is expected."""
    args: Arguments = {"key": shown(key), "value": Quote(text), "expected": expected}
    return Refusal(Message("setting-wrong" if text.strip() else "setting-empty", args))


def _divided(word: str) -> Sequence[str]:
    """Divide what stands where a key does, such as `lobby=90` as many people write it, into key and value."""
    key, _, value = word.partition("=")
    return (key, value) if value else (key,)


def valued(key: str, words: Sequence[str]) -> str:
    """Return the value that words behind a key are.

    Raises:
        Refusal: there are none.
    """
    if not words:
        raise Refusal(Message("setting-without-value", {"key": shown(key)}))
    return " ".join(words)


def yes_or_no(key: str, text: str) -> str:
    """Return `yes` or `no` for a text that means one of them.

    Raises:
        Refusal: it means neither.
    """
    is_yes = settings.yes_or_no(text)
    if is_yes is None:
        raise wrong(key, text, YES_OR_NO)
    return YES if is_yes else NO


class NoSetting(Refusal):
    """A group has no setting of a key."""

    def __init__(self, message: Message, key: str) -> None:
        super().__init__(message)
        self.key = key


class Scope(Enum):
    """Where the settings of a group apply: those of a community apply in all of its rooms."""

    ROOM = "room"
    COMMUNITY = "community"


@dataclass(frozen=True, slots=True)
class Setting:
    """The description of a setting; values are as they are typed."""

    key: str
    value: str
    default: str
    expected: Message  # its unit and range
    help: Message
    example: str  # a valid value


def allowed_values(setting: Setting) -> Sequence[str]:
    """List the values of a setting that has only few; none for one that has many, such as a number."""
    if setting.expected.id == "expects-yes-no":
        return YES, NO
    choices = setting.expected.args.get("choices")
    return choices.split(", ") if isinstance(choices, str) else ()


@dataclass(frozen=True, slots=True)
class Selection(Generic[T_co]):
    """The choices of a group, and the value that results from them."""

    choices: StoredValues  # normalized, as they are stored
    value: T_co


AnySelection: TypeAlias = Selection[Any]
"""A selection of any group. `Any`, because a group takes selections of its own type only, and the groups of a
room have different ones."""


class Chooser(Protocol):
    """The settings of a room; a group without choices may be missing from `chosen`."""

    @property
    def id(self) -> str: ...

    @property
    def community(self) -> str: ...

    @property
    def holder(self) -> str: ...

    @property
    def chosen(self) -> dict[str, AnySelection]: ...


class Group(Protocol):
    """The interface of a group of settings.

    `least` is the role that may change them, whatever command is used. `unset` is the selection without any
    choice.
    """

    @property
    def name(self) -> str: ...

    @property
    def scope(self) -> Scope: ...

    @property
    def least(self) -> Role: ...

    @property
    def unset(self) -> AnySelection: ...

    def least_for(self, key: str) -> Role:
        """Return the role that may change a setting: `least`, or a higher one."""

    def commands(self, key: str) -> Sequence[str]:
        """Return the words of the commands besides `!set` that change a setting."""

    def listed(self, selection: AnySelection) -> Sequence[Setting]:
        """Return all settings; of a group with open keys, those that are set or known."""

    def find(self, selection: AnySelection, key: str) -> Setting:
        """Return a setting by its key.

        Raises:
            Refusal: the key is invalid.
        """

    def pairs(self, words: Sequence[str]) -> Sequence[tuple[str, str]]:
        """Divide the words of a line into keys and values as they are typed.

        Raises:
            Refusal: there is no setting of a key, or no value behind it.
        """

    def changed(self, selection: AnySelection, typed: Typed) -> AnySelection:
        """Return a selection with some values changed.

        Raises:
            Refusal: a key or a value is invalid, or it does not fit the others.
        """

    def read(self, choices: StoredValues) -> AnySelection:
        """Return the selection for stored choices.

        Raises:
            Refusal: they are invalid, perhaps since a newer version.
        """

    def is_redundant(self, selection: AnySelection, key: str) -> bool:
        """Return whether the setting is listed the same without its choice."""


@dataclass(frozen=True)
class Fields(Generic[T]):
    """A group whose settings are the fields of a dataclass; their help is `setting-<group>-<field>`.

    If there are `presets`, choices override the values of one of them: the first, unless the key `preset`
    names another. `words` are the commands besides `!set` that change a setting, by its key. `names` are
    settings that are no field of the value, by key: each is one of these names, the first by default. Only
    the broadcaster may change the `reserved` ones, which bound what moderators can do.
    """

    name: str
    kind: type[T]
    scope: Scope = Scope.ROOM
    least: Role = Role.VIEWER
    presets: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    reserved: frozenset[str] = frozenset()
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def of(self, room: Chooser) -> T:
        """Return the value of the group in a room."""
        selection: Selection[T] = room.chosen.get(self.name, self.unset)
        return selection.value

    def least_for(self, key: str) -> Role:
        return Role.BROADCASTER if key.lower() in self.reserved else self.least

    def commands(self, key: str) -> Sequence[str]:
        return self.words.get(key, ())

    @cached_property
    def unset(self) -> Selection[T]:
        return self.read({})

    def listed(self, selection: Selection[T]) -> Sequence[Setting]:
        return [self._setting(selection, key) for key in self.keys]

    def find(self, selection: Selection[T], key: str) -> Setting:
        return self._setting(selection, self._known(key))

    def pairs(self, words: Sequence[str]) -> Sequence[tuple[str, str]]:
        pairs, at = list[tuple[str, str]](), 0
        while at < len(words):
            words = [*words[:at], *_divided(words[at]), *words[at + 1 :]]
            key = self._known(words[at])
            end = self._end(key, words, at + 1)
            pairs.append((key, valued(key, words[at + 1 : end])))
            at = end
        return pairs

    def changed(self, selection: Selection[T], typed: Typed) -> Selection[T]:
        texts = {self._known(key): text for key, text in typed.items()}
        choices = {key: each for key, each in {**selection.choices, **texts}.items() if each is not None}
        preset = self.preset(choices)
        if preset == self.preset(selection.choices):
            base = self._base(preset)
            changes = {
                key: getattr(base, key) if text is None else text
                for key, text in texts.items()
                if self._is_field(key)
            }
            # Only what changes is parsed: reading all anew would refuse it for an older choice that is no
            # longer valid.
            value = self._schema.changed(selection.value, changes)
        else:  # the other choices must fit the new preset
            value = self.read(choices).value
        normalized = {key: self._text(choices, value, key) for key in texts if key in choices}
        return Selection(choices | normalized, value)

    def read(self, choices: StoredValues) -> Selection[T]:
        base = self._base(self.preset(choices))
        changes = {self._known(key): each for key, each in choices.items() if self._is_field(key)}
        for key in self.names:
            self._name(key, choices)
        return Selection(dict(choices), self._schema.changed(base, changes))

    def is_redundant(self, selection: Selection[T], key: str) -> bool:
        each = self._setting(selection, key)
        return each.value == each.default

    def preset(self, choices: StoredValues) -> str:
        """Return the name of the chosen preset; empty if the group has none.

        Raises:
            Refusal: there is no preset of that name.
        """
        if not self.presets:
            return ""
        preset = str(choices.get(PRESET, self._first)).lower()
        if preset not in self.presets:
            message = Message("preset-unknown", {"preset": Quote(preset), "known": ", ".join(self.presets)})
            raise unknown(message, preset, self.presets)
        return preset

    @property
    def _first(self) -> str:
        return next(iter(self.presets), "")

    @cached_property
    def _schema(self) -> Schema[T]:
        return schema_of(self.kind)

    @cached_property
    def _bases(self) -> dict[str, T]:
        """The values without other choices, by those presets that were asked for."""
        return {}

    def _base(self, preset: str) -> T:
        base = self._bases.get(preset)
        if base is None:
            base = self._bases[preset] = self._schema.make(self.presets.get(preset, {}))
        return base

    @cached_property
    def _defaults(self) -> Mapping[str, Mapping[str, Setting]]:
        """The descriptions of all settings with default values, by preset and key."""
        return {name: {each.key: each for each in self._described(name)} for name in self.presets or ("",)}

    def _described(self, preset: str) -> Iterator[Setting]:
        if self.presets:
            expected = _one_of(self.presets)
            example = [*self.presets][-1]
            yield Setting(PRESET, preset, self._first, expected, Message("setting-preset"), example)
        for key, each in self._schema.descriptors.items():
            text = as_text(getattr(self._base(preset), key))
            yield Setting(key, text, text, each.expected, Message(f"setting-{self.name}-{key}"), text)
        for key, names in self.names.items():
            help_ = Message(f"setting-{self.name}-{key}")
            yield Setting(key, names[0], names[0], _one_of(names), help_, names[-1])

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys of all settings, in the order in which they are listed."""
        return tuple(self._defaults[self._first])

    def _known(self, key: str) -> str:
        lower = key.lower()
        if lower not in self.keys:
            message = Message("setting-unknown", {"key": Quote(key), "known": ", ".join(self.keys)})
            raise NoSetting(unknown(message, key, self.keys).message, key)
        return lower

    def _end(self, key: str, words: Sequence[str], start: int) -> int:
        """Return where the value of a key ends: at the next key, or for free text at the end of the line.

        A value that is valid only without its later words ends before them, if the next may be a wrong key;
        free text that is so if the next is a key, and free text before a key with a value that it takes.
        """
        following = (at for at in range(start + 1, len(words)) if _divided(words[at])[0].lower() in self.keys)
        end = next(following, len(words))
        if key in self._schema.descriptors and self._schema.descriptors[key].free:
            part, whole = (self._takes(key, " ".join(words[start:at])) for at in (end, len(words)))
            behind = [each for word in words[end : end + 2] for each in _divided(word)]
            valued = len(behind) > 1 and self._takes(behind[0].lower(), behind[1])
            return end if part and (valued or not whole) else len(words)
        mistyped = (
            end > start + 1 and len(words[start + 1]) >= SHORTEST_KEY and self._takes(key, words[start])
        )
        return start + 1 if mistyped and not self._takes(key, " ".join(words[start:end])) else end

    def _takes(self, key: str, text: str) -> bool:
        if text.lower() == DEFAULT:
            return True
        if self._names_preset(key):
            return text.lower() in self.presets
        if key in self.names:
            return _plain_name(text, self.names[key]) in self.names[key]
        try:
            self._schema.descriptors[key].parse(text)
        except Refusal:
            return False
        return True

    def _names_preset(self, key: str) -> bool:
        return key == PRESET and bool(self.presets)

    def _is_field(self, key: str) -> bool:
        return key.lower() not in self.names and not self._names_preset(key)

    def _name(self, key: str, choices: StoredValues) -> str:
        """Return which of its names is chosen for a key.

        Raises:
            Refusal: it is none of them.
        """
        names = self.names[key]
        text = str(choices.get(key, names[0]))
        name = _plain_name(text, names)
        if name not in names:
            raise unknown(wrong(key, text, _one_of(names)).message, text, names)
        return name

    def _text(self, choices: StoredValues, value: T, key: str) -> str:
        if self._names_preset(key):
            return self.preset(choices)
        return self._name(key, choices) if key in self.names else as_text(getattr(value, key))

    def _setting(self, selection: Selection[T], key: str) -> Setting:
        preset = self.preset(selection.choices)
        default, value = self._defaults[preset][key], self._text(selection.choices, selection.value, key)
        if value == default.value:
            return default
        return replace(default, value=value, example=default.example or value)


def _plain_name(text: str, names: Sequence[str]) -> str:
    """Return a name as it is stored; where the names are yes and no, all words for these are understood."""
    is_yes = settings.yes_or_no(text) if names == NO_YES else None
    return text.lower() if is_yes is None else names[is_yes]


def _one_of(names: Iterable[str]) -> Message:
    if names == NO_YES:
        return YES_OR_NO
    return Message("expects-one-of", {"choices": ", ".join(names)})


@dataclass(frozen=True)
class OfGame(Fields[Any]):
    """The settings of a game. `Any`, because they are the fields of the rules of any game."""

    kit: AnyKit = field(kw_only=True)


def of_game(kit: AnyKit) -> OfGame:
    """Return the group of a game's settings; its theme, and what viewers bet on, are none of its rules."""
    names = {THEME: themes.names(kit.name, kit.chat.theme)} if kit.chat.theme else {}
    if kit.forecast is not None:
        names[PREDICTION] = NO_YES
    return OfGame(kit.name, kit.rules.game, presets=kit.rules.presets, names=names, kit=kit)


@dataclass(frozen=True)
class Entries:
    """A group with open keys, such as aliases of commands.

    `entry(key, text)` returns both normalized, or raises Refusal; `default(key)` is the value of a key that
    is not set, and `known` are keys that are listed even so. The help of all is `setting-<group>`. `words`
    are the commands besides `!set` that change any of them. If values are `single` words, a line can set
    several. `remark(room, key)` is what to tell whoever has changed a value, if anything.
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
    single: bool = False
    remark: Callable[[Chooser, str], Message | None] = field(default=lambda _room, _key: None)

    unset: ClassVar[Selection[Mapping[str, str]]] = Selection({}, {})

    def of(self, room: Chooser) -> Mapping[str, str]:
        """Return the values that are set in a room, by key."""
        selection: Selection[Mapping[str, str]] = room.chosen.get(self.name, self.unset)
        return selection.value

    def least_for(self, key: str) -> Role:  # noqa: ARG002
        return self.least

    def commands(self, key: str) -> Sequence[str]:  # noqa: ARG002
        return self.words

    def listed(self, selection: Selection[Mapping[str, str]]) -> Sequence[Setting]:
        defaults = {key: self.default(key) for key in self.known}
        values = defaults | dict(selection.choices)
        return [self._setting(key, str(each)) for key, each in sorted(values.items())]

    def find(self, selection: Selection[Mapping[str, str]], key: str) -> Setting:
        normalized = self._normalized(selection, key)
        return self._setting(normalized, str(selection.choices.get(normalized, self.default(normalized))))

    def pairs(self, words: Sequence[str]) -> Sequence[tuple[str, str]]:
        length = 2 if self.single else len(words)
        parts = [words[at : at + length] for at in range(0, len(words), length)]
        return [(key, valued(key, rest)) for key, *rest in parts]

    def changed(self, selection: Selection[Mapping[str, str]], typed: Typed) -> Selection[Mapping[str, str]]:
        choices, value = dict(selection.choices), dict(selection.value)
        for key, text in typed.items():
            if text is None:
                normalized = self._normalized(selection, key)
                choices.pop(normalized, None)
                value.pop(normalized, None)
            else:
                normalized, new = self.entry(key, text)
                choices[normalized] = value[normalized] = new
        return Selection(choices, value)

    def read(self, choices: StoredValues) -> Selection[Mapping[str, str]]:
        return Selection(dict(choices), dict(self.entry(key, str(each)) for key, each in choices.items()))

    def is_redundant(self, selection: Selection[Mapping[str, str]], key: str) -> bool:
        choice = selection.choices.get(key)
        return choice is None or (key in self.known and choice == self.default(key))

    def _normalized(self, selection: Selection[Mapping[str, str]], key: str) -> str:
        """Return a key as `entry` normalizes it, which needs some valid value."""
        return self.entry(key, str(selection.choices.get(key) or self.default(key) or self.example[1]))[0]

    def _setting(self, key: str, value: str) -> Setting:
        description = Message(f"setting-{self.name}")
        return Setting(key, value, self.default(key), self.expected, description, self.example[1])


class Groups(dict[str, Group]):
    """All groups by their names."""

    def __init__(self, groups: Sequence[Group]) -> None:
        super().__init__({each.name: each for each in groups})

    def add(self, *groups: Group) -> None:
        """Add groups, or replace those of the same names."""
        self.update({each.name: each for each in groups})

    def named(self, name: str) -> Group:
        """Return a group by its name.

        Raises:
            Refusal: there is no group of that name; it names the settings that may have been meant.
        """
        if name not in self:
            raise self._unknown_group(name)
        return self[name]

    def having(self, key: str) -> list[str]:
        """Return the names of the groups that have a setting of a key, whatever its case."""
        return [name for name, each in self.items() if isinstance(each, Fields) and key.lower() in each.keys]

    def explained(self, group: Group, refusal: NoSetting) -> Refusal:
        """Return the refusal of a key that a group does not have, with the settings that may be meant.

        They are the one of the group that is written nearly so, or else those of other groups.
        """
        candidates = self._meant_settings(refusal.key, first=group)
        if not candidates:
            return refusal
        args: Arguments = {"group": group.name, "key": Quote(refusal.key), "meant": _either(candidates)}
        return Refusal(Message("setting-elsewhere", args))

    def _unknown_group(self, name: str) -> Refusal:
        message = Message("group-unknown", {"text": Quote(name), "known": ", ".join(self)})
        if near(name, self) and not self.having(name):
            return unknown(message, name, self)
        candidates = self._meant_settings(name)
        if not candidates:
            return Refusal(message)
        return Refusal(Message("group-is-setting", {"text": Quote(name), "meant": _either(candidates)}))

    def _meant_settings(self, key: str, first: Group | None = None) -> list[str]:
        """Return the settings that a key may have meant, as `<group> <key>`.

        They are those nearest to it in the group `first`; or those of its name, or nearest to it, anywhere.
        """
        if isinstance(first, Fields) and (close := near(key, first.keys)):
            return [f"{first.name} {close}"]
        groups = [each for each in self.values() if isinstance(each, Fields)]
        closest = (
            key.lower() if self.having(key) else near(key, [key for each in groups for key in each.keys])
        )
        return [f"{name} {closest}" for name in self.having(closest)]

    def meant(self, text: str) -> Group | None:
        """Return a group by its name, or that of a game by the command of the game; None: there is none."""
        kit = find_kit({name: each.kit for name, each in self.items() if isinstance(each, OfGame)}, text)
        return self.get(text.lower() if kit is None else kit.name)


def _either(settings: Sequence[str]) -> Listing:
    """List settings of which one may be meant."""
    rows = tuple(Message("word", {"word": each}) for each in settings)
    return Listing(rows, most=len(rows), separator=" / ")


def selected(group: Group, room: Chooser) -> AnySelection:
    """Return the selection of a group in a room."""
    return room.chosen.get(group.name, group.unset)


def owner(group: Group, room: Chooser, holder: str = "") -> str:
    """Return the key under which the choices of a group are stored for a room.

    `holder` is the community that holds the wallets, if it is not the room's present one.
    """
    community = holder or room.holder or room.community
    return room.id if group.scope is Scope.ROOM else f"{Scope.COMMUNITY.value} {community}"
