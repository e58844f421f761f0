"""What moderators do in a room: read and change settings, choose presets."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from chatbot.bot.command_index import ALIASES, SIGN
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import Kind, Option, called
from chatbot.kernel.say import Arguments, Listing, Message, Quote, Say, Talk
from chatbot.rooms.request import Request, Service, game_named, game_option, reasoned, usage
from chatbot.settings.availability import GAMES
from chatbot.settings.changes import DEFAULT, Actor
from chatbot.settings.fields import NO, PRESET, YES, OfGame, selected, shown
from chatbot.settings.room import HABITS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chatbot.kernel.kit import AnyKit
    from chatbot.rooms.room import Room
    from chatbot.settings.changes import SettingsChanges
    from chatbot.settings.fields import Group, Setting

ROOM = HABITS.name
SET = "GROUP KEY VALUE"
SETTINGS = "[GROUP] [KEY]"
CRAMPED = 500  # characters of a message where a list of settings is cut short
ROOMY = 400  # characters of such a list that leave room for the rest of a line

OFF = "off"
ALIAS = "NEW OLD | NEW off"
_TALKS = "|".join(each.value for each in Talk)


class SettingsCommands:
    """Changes count from the next table on; one that stands keeps the settings that it was opened with."""

    def __init__(self, kits: Mapping[str, AnyKit], settings_changes: SettingsChanges) -> None:
        self._kits, self._settings_changes = kits, settings_changes
        self.services = (
            Service(
                "settings", self._settings, SETTINGS, Role.MODERATOR, self._place(required=False), reads=True
            ),
            Service("set", self._set, SET, Role.MODERATOR, self._change(), form=self._held),
            Service("preset", self._preset, "GAME NAME", Role.MODERATOR, self._preset_options()),
        )

    def _place(self, *, required: bool) -> tuple[Option, ...]:
        """Make the options that lead to a setting."""
        what = Option("group", Kind.WORD, required, suggest=self._groups)
        return what, Option("key", Kind.WORD, required, suggest=self._keys)

    def _change(self) -> tuple[Option, ...]:
        value = Option("value", Kind.TEXT, required=True, suggest=self._values)
        return *self._place(required=True), value

    def _preset_options(self) -> tuple[Option, ...]:
        name = Option("name", Kind.WORD, required=True, suggest=self._presets)
        return (game_option(self._kits, required=True), name)

    # What may be suggested

    def _groups(self, room: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        games = [name for name in self._settings_changes.groups if name in self._kits]
        return [*games, *(name for name in self._settings_changes.groups if name not in self._kits)]

    def _keys(self, room: Room, given: Mapping[str, str]) -> Sequence[str]:
        return [each.key for each in self._known(room, given)]

    def _values(self, room: Room, given: Mapping[str, str]) -> Sequence[str]:
        """Offer what a setting has now, to begin from."""
        return [each.value for each in self._known(room, given) if each.key == given.get("key", "").lower()]

    def _held(self, room: Room, given: Mapping[str, str]) -> str:
        """Tell what a setting is now."""
        return next(iter(self._values(room, given)), "")

    def _presets(self, room: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        kit = called(self._kits, given.get("game", ""))
        return list(kit.presets) if kit else []

    def _known(self, room: Room, given: Mapping[str, str]) -> Sequence[Setting]:
        try:
            group = self._group(given.get("group", ""))
            return group.listed(selected(group, room))
        except Refusal:
            return []

    async def _settings(self, asked: Request) -> Sequence[Say]:
        if len(asked.words) > 2:
            raise usage("settings", SETTINGS)
        group = self._group(asked.words[0] if asked.words else ROOM)
        selection = selected(group, asked.room)
        if len(asked.words) == 2:
            return [asked.whisper(explained(group, group.find(selection, asked.words[1])))]
        told = [asked.whisper(each) for each in _listed(group, group.listed(selection), _roomy(asked.room))]
        return told if asked.words else [*told, asked.whisper(self._others())]

    def _others(self) -> Message:
        others = [name for name in self._settings_changes.groups if name != ROOM]
        return Message("settings-groups", {"groups": ", ".join(others)})

    async def _set(self, asked: Request) -> Sequence[Say]:
        asked, why = reasoned(asked)
        if len(asked.words) in {1, 2}:
            return await self._settings(asked)
        if not asked.words:
            raise usage("set", SET)
        group, key, text = self._group(asked.words[0]).name, asked.words[1], " ".join(asked.words[2:])
        before, after = await self._settings_changes.put(Actor.of(asked, why), group, key, text)
        return [told_of(asked, group, before, after), *self._running(asked, group)]

    async def _preset(self, asked: Request) -> Sequence[Say]:
        asked, why = reasoned(asked)
        if len(asked.words) == 1:
            return self._offer_presets(asked, game_named(self._kits, asked.words[0]).name)
        if len(asked.words) != 2:
            raise usage("preset", "GAME NAME")
        kit, preset = game_named(self._kits, asked.words[0]), asked.words[1].lower()
        args = {"game": kit.name, "preset": preset}
        if not await self._settings_changes.choose_preset(Actor.of(asked, why), kit.name, preset):
            return [asked.answer(Message("preset-same", args))]
        return [_told(Message("preset-chosen", args)), *self._running(asked, kit.name)]

    def _offer_presets(self, asked: Request, game: str) -> Sequence[Say]:
        group = self._settings_changes.groups[game]
        return [asked.whisper(explained(group, group.find(selected(group, asked.room), PRESET)))]

    def _group(self, text: str) -> Group:
        """Find a group of settings by its name, or by the word of its game."""
        return self._settings_changes.groups.meant(text) or self._settings_changes.groups.named(text)

    def _running(self, asked: Request, name: str) -> Sequence[Say]:
        if not asked.room.playing(name):
            return []
        return [asked.whisper(Message("setting-next-table"))]


def told_of(asked: Request, group: str, before: Setting, after: Setting) -> Say:
    """Tell what a setting was and is; that it stays as it is concerns only who asked."""
    args: Arguments = {"game": group, "key": shown(after.key), "new": shown(after.value)}
    if before.value == after.value:
        return asked.answer(Message("setting-same", args))
    return _told(Message("setting-changed", {**args, "old": shown(before.value)}))


def _told(message: Message) -> Say:
    """Tell all: what is played for is everybody's business, however it was changed."""
    return Say(message, event=message.id)


def explained(group: Group, setting: Setting) -> Message:
    args: Arguments = {
        "key": shown(setting.key),
        "value": shown(setting.value),
        "help": setting.help,
        "expected": setting.expected,
        "default": shown(setting.default),
        "example": f"!set {group.name} {setting.key} {setting.example}",
    }
    return Message("setting-explained", args)


def _listed(group: Group, listed: Sequence[Setting], roomy: bool) -> Iterator[Message]:
    """List what was changed before all else; of what does not fit into a line, the names."""
    preset = next((each.value for each in listed if isinstance(group, OfGame) and each.key == PRESET), "")
    ordered = sorted(
        (each for each in listed if not (preset and each.key == PRESET)),
        key=lambda each: each.value == each.default,
    )
    most = len(ordered) if roomy else _fitting(ordered)
    head = Message("settings-preset", {"preset": preset}) if preset else Message("nothing")
    if ordered:
        rows = Listing(tuple(_row(each) for each in ordered), most=most)
        yield Message("settings", {"game": group.name, "preset": head, "rows": rows})
    else:
        yield Message(
            "settings-none", {"game": group.name, "example": Message(f"example-{group.commands('')[0]}")}
        )
    if ordered[most:]:
        yield Message("settings-more", {"game": group.name, "keys": Listing(_keys(ordered[most:]), most=99)})


def _row(setting: Setting) -> Message:
    return Message("setting-row", {"key": shown(setting.key), "value": shown(setting.value)})


def _keys(settings: Sequence[Setting]) -> tuple[Message, ...]:
    return tuple(Message("word", {"word": shown(each.key)}) for each in settings)


def _fitting(settings: Sequence[Setting]) -> int:
    sizes = accumulate(len(each.key) + len(each.value) + len(" , ") for each in settings)
    return sum(1 for size in sizes if size <= ROOMY)


def _roomy(room: Room) -> bool:
    """Whether every chat of a room takes long lines."""
    return all(each.manner.length > CRAMPED for each in room.channels)


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A word that stands for a change of one setting. Without a key it takes that, without a value that."""

    word: str
    group: str
    key: str = ""
    value: str = ""

    @property
    def arguments(self) -> str:
        return "GAME" if not self.key else _TALKS if not self.value else ""


SHORTCUTS = (
    Shortcut("enable", GAMES, value=YES),
    Shortcut("disable", GAMES, value=NO),
    Shortcut("talk", HABITS.name, key="talk"),
    Shortcut("pause", HABITS.name, "paused", YES),
    Shortcut("unpause", HABITS.name, "paused", NO),
)


class Shortcuts:
    def __init__(self, kits: Mapping[str, AnyKit], settings_changes: SettingsChanges) -> None:
        self._kits, self._settings_changes = kits, settings_changes
        words = Option("new", Kind.WORD, required=True), Option("old", Kind.TEXT, required=True)
        alias = Service("alias", self._alias, ALIAS, Role.MODERATOR, words)
        self.services = (*(self._service(each) for each in SHORTCUTS), alias)

    def _service(self, shortcut: Shortcut) -> Service:
        async def answer(asked: Request) -> Sequence[Say]:
            return await self._put(asked, shortcut)

        options = self._options(shortcut)
        return Service(shortcut.word, answer, shortcut.arguments, Role.MODERATOR, options)

    def _options(self, shortcut: Shortcut) -> tuple[Option, ...]:
        if not shortcut.key:
            return (game_option(self._kits, required=True),)
        if not shortcut.value:
            return (Option("level", Kind.WORD, required=True, choices=tuple(_TALKS.split("|"))),)
        return ()

    async def _put(self, asked: Request, shortcut: Shortcut) -> Sequence[Say]:
        asked, why = reasoned(asked)
        said = " ".join(asked.words)
        key = shortcut.key or (game_named(self._kits, said).name if said else "")
        if len(asked.words) != bool(shortcut.arguments):
            raise usage(shortcut.word, shortcut.arguments)
        before, after = await self._settings_changes.put(
            Actor.of(asked, why), shortcut.group, key, shortcut.value or said
        )
        return [told_of(asked, shortcut.group, before, after)]

    async def _alias(self, asked: Request) -> Sequence[Say]:
        asked, why = reasoned(asked)
        if len(asked.words) < 2:
            raise usage("alias", ALIAS)
        new, old = asked.words[0].lower().removeprefix(SIGN), " ".join(asked.words[1:])
        stands_for = asked.room.settings(ALIASES).get(new)
        if old.lower() == OFF:
            old = DEFAULT
        elif stands_for is not None:
            raise Refusal(Message("alias-there", {"word": Quote(new), "old": Quote(str(stands_for))}))
        before, after = await self._settings_changes.put(Actor.of(asked, why), ALIASES, new, old)
        return [told_of(asked, ALIASES, before, after)]
