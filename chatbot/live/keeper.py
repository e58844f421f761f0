"""What moderators do in a room: read and change settings, choose presets, call a game off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel import settings
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import Kind, Option, called
from chatbot.kernel.say import Arguments, Listing, Message, Quote, Say
from chatbot.live.asked import Asked, Service, game_option, usage
from chatbot.live.choices import PRESET, ROOM, game_of, habits_of, preset_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from chatbot.kernel.kit import Kit
    from chatbot.kernel.settings import Option as Setting
    from chatbot.live.guests import Guests
    from chatbot.live.room import Room
    from chatbot.wallets.preferences import Preferences

SETTINGS = "[GAME | room] [KEY]"
CANCEL = "GAME [@user]"


class Keeper:
    """Changes count from the next table on; one that stands keeps the settings that it was opened with."""

    def __init__(self, kits: Mapping[str, Kit], preferences: Preferences, guests: Guests) -> None:
        self._kits, self._preferences, self._guests = kits, preferences, guests
        which = game_option(kits, required=True), Option("member", Kind.MEMBER)
        self.services = (
            Service(
                "settings", self._settings, SETTINGS, Role.MODERATOR, self._place(required=False), reads=True
            ),
            Service("set", self._set, "GAME|room KEY VALUE", Role.MODERATOR, self._change()),
            Service("preset", self._preset, "GAME NAME", Role.MODERATOR, self._preset_options()),
            Service("cancel", self._cancel, CANCEL, Role.MODERATOR, which),
        )

    def _place(self, *, required: bool) -> tuple[Option, ...]:
        """Make the options that lead to a setting."""
        what = game_option((*self._kits, ROOM), required=required)
        return what, Option("key", Kind.WORD, required, suggest=self._keys)

    def _change(self) -> tuple[Option, ...]:
        value = Option("value", Kind.WORD, required=True, suggest=self._values)
        return *self._place(required=True), value

    def _preset_options(self) -> tuple[Option, ...]:
        name = Option("name", Kind.WORD, required=True, suggest=self._presets)
        return (game_option(self._kits, required=True), name)

    # What may be suggested

    def _keys(self, room: Room, given: Mapping[str, str]) -> Sequence[str]:
        return [each.key for each in self._known_options(room, given)]

    def _values(self, room: Room, given: Mapping[str, str]) -> Sequence[str]:
        """Offer what a setting has now, to begin from."""
        options = self._known_options(room, given)
        return [settings.as_text(each.value) for each in options if each.key == given.get("key", "").lower()]

    def _presets(self, room: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        kit = called(self._kits, given.get("game", ""))
        return list(kit.presets) if kit else []

    def _known_options(self, room: Room, given: Mapping[str, str]) -> list[Setting]:
        try:
            return self._options(room, self._name(given.get("game", "")))
        except Refusal:
            return []

    async def _settings(self, asked: Asked) -> Sequence[Say]:
        if len(asked.words) > 2:
            raise usage("settings", SETTINGS)
        name = self._name(asked.words[0]) if asked.words else ROOM
        if len(asked.words) == 2:
            return [asked.whisper(_explained(name, self._option(asked.room, name, asked.words[1].lower())))]
        preset = "" if name == ROOM else preset_of(self._kit(name), asked.room.settings(name))
        return [asked.whisper(_listed(name, preset, self._options(asked.room, name)))]

    async def _set(self, asked: Asked) -> Sequence[Say]:
        if len(asked.words) != 3:
            raise usage("set", "GAME|room KEY VALUE")
        name, key, text = self._name(asked.words[0]), asked.words[1].lower(), asked.words[2].lower()
        before = self._option(asked.room, name, key)
        changed = {**asked.room.settings(name), key: text}
        await self._adopt(asked.room, name, changed)
        after = self._option(asked.room, name, key)
        old, new = settings.as_text(before.value), settings.as_text(after.value)
        args = {"game": name, "key": key, "old": old, "new": new}
        return [_told(Message("setting-changed", args)), *self._running(asked, name)]

    async def _preset(self, asked: Asked) -> Sequence[Say]:
        if len(asked.words) != 2:
            raise usage("preset", "GAME NAME")
        kit, preset = self._kit(asked.words[0]), asked.words[1].lower()
        await self._adopt(asked.room, kit.name, {PRESET: preset})
        args = {"game": kit.name, "preset": preset}
        return [_told(Message("preset-chosen", args)), *self._running(asked, kit.name)]

    async def _cancel(self, asked: Asked) -> Sequence[Say]:
        if len(asked.words) not in {1, 2}:
            raise usage("cancel", CANCEL)
        kit = self._kit(asked.words[0])
        tables = asked.room.playing(kit.name)
        if len(asked.words) == 2:
            seat = await self._guests.find(asked, asked.words[1])
            tables = [each for each in tables if seat in each.seated or seat in kit.invited(each.state)]
        if not tables:
            raise Refusal(Message("no-table", {"word": f"!{kit.word}"}))
        for table in tables:
            await table.void()
        return []

    def _name(self, text: str) -> str:
        """Find what a setting belongs to: the room, or a game by its name or its word."""
        return ROOM if text.lower() == ROOM else self._kit(text).name

    def _kit(self, text: str) -> Kit:
        kit = called(self._kits, text)
        if kit is None:
            raise Refusal(Message("game-unknown", {"text": Quote(text), "known": ", ".join(self._kits)}))
        return kit

    def _options(self, room: Room, name: str) -> list[Setting]:
        value = room.habits if name == ROOM else game_of(self._kit(name), room.settings(name))
        return list(settings.options(value))

    def _option(self, room: Room, name: str, key: str) -> Setting:
        found = {each.key: each for each in self._options(room, name)}
        if key not in found:
            raise Refusal(Message("setting-unknown", {"key": Quote(key), "known": ", ".join(found)}))
        return found[key]

    async def _adopt(self, room: Room, name: str, choices: Mapping[str, object]) -> None:
        """Check, store, and only then use."""
        habits = habits_of(choices) if name == ROOM else room.habits
        if name != ROOM:
            game_of(self._kit(name), choices)
        await self._preferences.save(room.id, name, choices)
        room.preferences[name] = dict(choices)
        room.habits = habits

    def _running(self, asked: Asked, name: str) -> Sequence[Say]:
        if not asked.room.playing(name):
            return []
        return [asked.whisper(Message("setting-next-table"))]


def _told(message: Message) -> Say:
    """Tell all: what is played for is everybody's business, however it was changed."""
    return Say(message, event=message.id)


def _explained(name: str, option: Setting) -> Message:
    args: Arguments = {
        "key": option.key,
        "value": settings.as_text(option.value),
        "help": Message(f"setting-{name}-{option.key}"),
        "expected": option.expected,
    }
    return Message("setting-explained", args)


def _listed(name: str, preset: str, options: Iterable[Setting]) -> Message:
    rows = tuple(
        Message("setting-row", {"key": each.key, "value": settings.as_text(each.value)}) for each in options
    )
    head = Message("settings-preset", {"preset": preset}) if preset else Message("nothing")
    return Message("settings", {"game": name, "preset": head, "rows": Listing(rows, most=len(rows))})
