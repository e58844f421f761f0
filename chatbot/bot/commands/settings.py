"""The commands that show and change settings, and choose presets: `!settings`, `!set`, `!preset`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, TypeGuard

from chatbot.bot.arguments import Current, KnownGame, RequiredInForms, Shown, Suggested, Text, Why
from chatbot.bot.command import command
from chatbot.bot.command_index import ALIASES
from chatbot.community.earning.settings import EARNINGS
from chatbot.kernel.amounts import without_currency
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import find_kit
from chatbot.kernel.say import Arguments, Listing, Message, Quote, Say
from chatbot.rooms.availability import GAMES
from chatbot.rooms.languages import currency_names
from chatbot.rooms.request import Request, as_typed
from chatbot.rooms.settings.changes import Actor
from chatbot.rooms.settings.lists import REGULARS
from chatbot.settings.community import TERMS
from chatbot.settings.fields import (
    DEFAULT,
    NO,
    PREDICTION,
    PRESET,
    YES,
    Entries,
    Fields,
    NoSetting,
    OfGame,
    allowed_values,
    selected,
    shown,
)
from chatbot.settings.room import HABITS
from chatbot.tables.forecasts import too_short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chatbot.community.confirmations import Confirmations
    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.kit import AnyKit
    from chatbot.rooms.channel import Manner
    from chatbot.rooms.room import Room
    from chatbot.rooms.settings.changes import Overwritten, SettingsChanges
    from chatbot.settings.fields import Group, Setting

ROOM_GROUP = HABITS.name
ALL = "all"  # instead of a key: list all settings of a group
SHORT_MESSAGE = 500  # characters; in chats with messages up to this length a list of settings is cut short
MOST_PRESET_VALUES = 4  # settings by which a preset without a description is described
PAUSED = "paused"  # the setting of the room that pauses its games
MOST_CHANGES = 12  # changes that one message tells; more are counted
LONGEST_LIST = 400  # characters of such a list, which leave space for the rest of the message

ABILITIES: Mapping[str, Callable[[Manner], bool]] = {
    PREDICTION: attrgetter("predicts"),
    "announcements": attrgetter("announces"),
}
"""What a chat must be able to do so that a setting has an effect there, by its key."""

MINTING = frozenset({EARNINGS.name, TERMS.name, REGULARS.name})  # groups by which credits are made
OFF = "off"


class SettingsCommands:
    """The commands `!settings`, `!set` and `!preset`.

    Changes apply from the next table on; an open one keeps the settings that it was opened with.
    """

    def __init__(
        self,
        kits: Mapping[str, AnyKit],
        settings_changes: SettingsChanges,
        confirmations: Confirmations,
        outbox: Outbox,
    ) -> None:
        self._kits, self._settings_changes = kits, settings_changes
        self._confirmations, self._outbox = confirmations, outbox

    # Commands

    @command("settings", Role.MODERATOR, reads=True)
    async def settings(
        self,
        request: Request,
        group: Annotated[str, Suggested(_groups)] = ROOM_GROUP,
        key: Annotated[str, Suggested(_keys_or_all), Shown(f"KEY | {ALL}")] = "",
    ) -> Sequence[Say]:
        settings_group = self._group(group)
        if key and not _asks_for_all(settings_group, key):
            return [request.whisper(explained(settings_group, self._find(settings_group, request.room, key)))]
        settings = settings_group.listed(selected(settings_group, request.room))
        long_lines = _takes_long_lines(request.room)
        if request.words and not key and _has_presets(settings_group):
            return [request.whisper(_summary(settings_group, settings, long_lines))]
        says = [request.whisper(each) for each in _list(settings_group, settings, long_lines)]
        return says if request.words else [*says, request.whisper(self._others())]

    @command("set", Role.MODERATOR, bare_before=MINTING)
    async def set(
        self,
        request: Request,
        group: Annotated[str, Suggested(_groups)],
        key: Annotated[str, Suggested(_keys), RequiredInForms()] = "",
        value: Annotated[
            Text, Suggested(_values), Current(_present), RequiredInForms(), Shown("VALUE [KEY VALUE ...]")
        ] = "",
        why: Why = "",
    ) -> Sequence[Say]:
        """Change settings; a group or key alone shows them, as `!settings` does."""
        if not value and "=" not in (key or group):
            return await self.settings(request, group, key)
        settings_group, words = self._group(group), [key, *value.split()] if key else []
        typed_pairs = self._pairs(settings_group, _with_plain_amounts(request, settings_group, words))
        pairs = [(each, as_typed(request.line, one)) for each, one in typed_pairs]
        before = self._unbettable(request.room, settings_group.name)
        transitions = await self._settings_changes.put_all(Actor.of(request, why), settings_group.name, pairs)
        says = [
            _announce_changes(request, settings_group.name, transitions),
            *_without_effect(request, transitions),
            *_remarks(request, settings_group, transitions),
            *self._news_of_bets(request, settings_group.name, before),
        ]
        return (
            [*says, *self._next_table_notes(request, settings_group.name)]
            if _waits(settings_group, transitions)
            else says
        )

    @command("preset", Role.MODERATOR)
    async def preset(
        self,
        request: Request,
        game: KnownGame | None = None,
        name: Annotated[str, Suggested(_presets)] = "",
        why: Why = "",
    ) -> Sequence[Say]:
        if game is None or not name:
            return self._offer_presets(request, game)
        return await self._apply_preset(request, why, game.name, name.lower(), agreed=())

    # Suggestions

    def _groups(self, room: Room, values: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        games = [name for name in self._settings_changes.groups if name in self._kits]
        return [*games, *(name for name in self._settings_changes.groups if name not in self._kits)]

    def _keys(self, room: Room, values: Mapping[str, str]) -> Sequence[str]:
        return [each.key for each in self._listed_settings(room, values)]

    def _keys_or_all(self, room: Room, values: Mapping[str, str]) -> Sequence[str]:
        keys = self._keys(room, values)
        return [ALL, *keys] if keys and values.get("group") in self._kits else keys

    def _values(self, room: Room, values: Mapping[str, str]) -> Sequence[str]:
        """Suggest the present value of a setting, the others that there are, and the word for the default."""
        settings = [
            each for each in self._listed_settings(room, values) if each.key == values.get("key", "").lower()
        ]
        suggestions = [
            value for each in settings for value in (each.value, *allowed_values(each), each.default, DEFAULT)
        ]
        return list(dict.fromkeys(suggestions))

    def _present(self, room: Room, values: Mapping[str, str]) -> str:
        """Return the present value of a setting; empty if there is no such setting."""
        return next(iter(self._values(room, values)), "")

    def _presets(self, room: Room, values: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        kit = find_kit(self._kits, values.get("game", ""))
        return list(kit.rules.presets) if kit else []

    def _listed_settings(self, room: Room, values: Mapping[str, str]) -> Sequence[Setting]:
        try:
            group = self._group(values.get("group", ""))
            return group.listed(selected(group, room))
        except Refusal:
            return []

    def _others(self) -> Message:
        others = [name for name in self._settings_changes.groups if name != ROOM_GROUP]
        return Message("settings-groups", {"groups": ", ".join(others)})

    def _offer_presets(self, request: Request, game: AnyKit | None) -> Sequence[Say]:
        """List the presets of a game, or of all games."""
        names = self._kits if game is None else [game.name]
        groups = [self._settings_changes.groups[each] for each in names]
        messages = [self._presets_of(each, request.room) for each in groups if _has_presets(each)]
        how = Message("presets-how", {"game": Message("blank-game") if game is None else game.name})
        return [*(request.whisper(each) for each in messages), request.whisper(how)]

    def _presets_of(self, group: OfGame, room: Room) -> Message:
        current = group.find(selected(group, room), PRESET).value
        rows = tuple(self._preset_row(group, name, chosen=name == current) for name in group.presets)
        return Message("presets", {"game": group.name, "rows": Listing(rows, most=len(rows), separator="; ")})

    def _preset_row(self, group: OfGame, name: str, *, chosen: bool) -> Message:
        """Describe a preset by its own message, or else by what it changes in the default."""
        message_id = f"preset-{group.name}-{name}"
        what = Message(message_id) if message_id in self._outbox.words.ids else _preset_values(group, name)
        return Message("preset-row-chosen" if chosen else "preset-row", {"preset": name, "what": what})

    async def _apply_preset(
        self, request: Request, why: str, game: str, preset: str, *, agreed: Overwritten
    ) -> Sequence[Say]:
        """Choose a preset; first ask whether to overwrite earlier changes, unless it is agreed to."""
        overwritten = self._settings_changes.overwritten(request.room, game, preset)
        args: Arguments = {"game": game, "preset": preset}
        losses = {"lost": Listing(tuple(_transition(*each) for each in overwritten), most=MOST_CHANGES)}
        if overwritten and overwritten != agreed:

            async def act(confirming: Request) -> Sequence[Say]:
                return await self._apply_preset(confirming, why, game, preset, agreed=overwritten)

            return self._confirmations.ask(request, "preset", Message("preset-ask", {**args, **losses}), act)
        before = self._unbettable(request.room, game)
        if not await self._settings_changes.choose_preset(Actor.of(request, why), game, preset):
            return [request.answer(Message("preset-same", args))]
        message = (
            Message("preset-overwrites", {**args, **losses})
            if overwritten
            else Message("preset-chosen", args)
        )
        news = self._news_of_bets(request, game, before)
        return [_announcement(message, message.id), *news, *self._next_table_notes(request, game)]

    def _group(self, text: str) -> Group:
        """Find a group of settings by its name, or by the word of its game."""
        return self._settings_changes.groups.meant(text) or self._settings_changes.groups.named(text)

    def _find(self, group: Group, room: Room, key: str) -> Setting:
        try:
            return group.find(selected(group, room), key)
        except NoSetting as error:
            raise self._settings_changes.groups.explained(group, error) from None

    def _pairs(self, group: Group, words: Sequence[str]) -> Sequence[tuple[str, str]]:
        try:
            return group.pairs(words)
        except NoSetting as error:
            raise self._settings_changes.groups.explained(group, error) from None

    def _unbettable(self, room: Room, name: str) -> Message | None:
        """Return why viewers cannot bet on a game, although the room wants it."""
        kit = self._kits.get(name)
        return None if kit is None else too_short(room, kit)

    def _news_of_bets(self, request: Request, name: str, before: Message | None) -> Iterator[Say]:
        """Tell who has changed something why viewers cannot bet now, unless it was so before."""
        after = self._unbettable(request.room, name)
        if after is not None and after != before:
            yield request.whisper(after)

    def _next_table_notes(self, request: Request, name: str) -> Sequence[Say]:
        if not request.room.playing(name):
            return []
        return [request.whisper(Message("setting-next-table"))]


def _with_plain_amounts(request: Request, group: Group, words: Sequence[str]) -> Sequence[str]:
    """Return the keys and values of a game's settings, none of which is text, without the name of credits."""
    return without_currency(words, currency_names(request.room)) if isinstance(group, OfGame) else words


def _waits(group: Group, transitions: Sequence[tuple[Setting, Setting]]) -> bool:
    """Whether a change applies from the next table on: what is none of the rules applies at once."""
    at_once = group.names if isinstance(group, Fields) else ()
    return any(after.key not in at_once and before.value != after.value for before, after in transitions)


def _without_effect(request: Request, transitions: Sequence[tuple[Setting, Setting]]) -> Iterator[Say]:
    """Tell who has switched on what no chat of the room can do as yet."""
    for key, able in ABILITIES.items():
        switched_on = any(after.key == key and after.value not in {NO, OFF} for _, after in transitions)
        if switched_on and not any(able(each.manner) for each in request.room.channels):
            yield request.whisper(Message(f"setting-without-effect-{key}"))


def _remarks(request: Request, group: Group, transitions: Sequence[tuple[Setting, Setting]]) -> Iterator[Say]:
    """Tell who has changed settings with open keys what may have been meant instead."""
    if not isinstance(group, Entries):
        return
    different = [after.key for before, after in transitions if before.value != after.value]
    for remark in [group.remark(request.room, key) for key in different]:
        if remark is not None:
            yield request.whisper(remark)


def setting_changed(request: Request, group: str, before: Setting, after: Setting) -> Say:
    """Announce a change of a setting; if it has not changed, tell only the sender."""
    if before.value == after.value:
        args: Arguments = {"game": group, "key": shown(after.key), "new": shown(after.value)}
        return request.answer(Message("setting-same", args))
    return _announcement(_describe_change(group, before, after), "setting-changed")


def _describe_change(group: str, before: Setting, after: Setting) -> Message:
    """Tell a change in a sentence, as people would say it where that differs from what is typed."""
    switched = _switched(before, after)
    if group == GAMES and switched:
        return Message(f"game-switched-{switched}", {"game": Message(f"game-{after.key}")})
    if (group, after.key) == (HABITS.name, PAUSED) and switched:
        return Message(f"games-now-{'paused' if switched == 'on' else 'going'}")
    if group == ALIASES:
        names: Arguments = {"word": Quote(f"!{after.key}"), "command": Quote(f"!{after.value}")}
        return Message("alias-now" if after.value else "alias-gone", names)
    args: Arguments = {"game": group, **_arguments(before, after)}
    if switched:
        return Message(f"setting-switched-{switched}", args)
    return Message("setting-changed" if before.value else "setting-made", args)


def _switched(before: Setting, after: Setting) -> str:
    """Return `on` or `off` if a setting was switched so; empty: it is no switch."""
    return {YES: "on", NO: "off"}[after.value or NO] if {before.value, after.value} == {YES, NO} else ""


def _arguments(before: Setting, after: Setting) -> Arguments:
    return {"key": shown(after.key), "old": shown(before.value), "new": shown(after.value)}


def _announce_changes(request: Request, group: str, transitions: Sequence[tuple[Setting, Setting]]) -> Say:
    """Announce changes of settings in one line, which says only of those that differ what they were."""
    if len(transitions) == 1:
        return setting_changed(request, group, *transitions[0])
    different = [(before, after) for before, after in transitions if before.value != after.value]
    if not different:
        return request.answer(Message("settings-same", {"game": group}))
    rows = tuple(_difference(group, *each) for each in different)
    changes: Arguments = {"game": group, "changes": Listing(rows, most=MOST_CHANGES)}
    if group == GAMES:
        return _announcement(Message("games-switched", changes), "settings-changed")
    return _announcement(Message("settings-changed", changes), "settings-changed")


def _difference(group: str, before: Setting, after: Setting) -> Message:
    args, switched = _arguments(before, after), _switched(before, after)
    if switched and group == GAMES:
        args = {**args, "key": Message(f"game-{after.key}")}
    if switched:
        return Message(f"setting-difference-{switched}", args)
    return Message("setting-difference" if before.value else "setting-difference-made", args)


def _transition(before: Setting, after: Setting) -> Message:
    return Message("setting-transition", _arguments(before, after))


def _has_presets(group: Group) -> TypeGuard[OfGame]:
    return isinstance(group, OfGame) and bool(group.presets)


def _preset_values(group: OfGame, name: str) -> Message:
    """Describe a preset by the settings in which it differs from the default one."""
    settings = group.listed(group.changed(group.unset, {PRESET: name}))
    usual = {each.key: each.value for each in group.listed(group.unset)}
    rows = tuple(_row(each) for each in settings if each.key != PRESET and each.value != usual[each.key])
    if not rows:
        return Message("preset-default")
    return Message("preset-values", {"rows": Listing(rows, most=MOST_PRESET_VALUES)})


def _announcement(message: Message, event: str) -> Say:
    """Return a message to the whole room: the settings of games concern everybody."""
    return Say(message, event=event, everywhere=True)


def explained(group: Group, setting: Setting) -> Message:
    """Return the explanation of a setting, with its value and an example."""
    args: Arguments = {
        "key": shown(setting.key),
        "value": shown(setting.value),
        "help": setting.help,
        "expected": setting.expected,
        "default": shown(setting.default),
        "example": f"!set {group.name} {setting.key} {setting.example}",
    }
    return Message("setting-explained", args)


def _asks_for_all(group: Group, text: str) -> bool:
    """Whether a word in place of a key asks for all settings; an open key may be any word."""
    return isinstance(group, Fields) and text.lower() == ALL


def _summary(group: Group, settings: Sequence[Setting], long_lines: bool) -> Message:
    """Name the preset of a game, and list the settings that differ from it."""
    preset = next(each.value for each in settings if each.key == PRESET)
    changed_settings = [each for each in settings if each.key != PRESET and each.value != each.default]
    args: Arguments = {"game": group.name, "preset": preset, "all": f"!settings {group.name} {ALL}"}
    if not changed_settings:
        return Message("settings-as-preset", args)
    most = len(changed_settings) if long_lines else _fitting(changed_settings)
    rows = Listing(tuple(_row(each) for each in changed_settings), most=most)
    return Message("settings-summary", {**args, "rows": rows})


def _list(group: Group, settings: Sequence[Setting], long_lines: bool) -> Iterator[Message]:
    """List settings, changed ones first; without `long_lines`, only the names of those that do not fit."""
    preset = next((each.value for each in settings if isinstance(group, OfGame) and each.key == PRESET), "")
    ordered_settings = sorted(
        (each for each in settings if not (preset and each.key == PRESET)),
        key=lambda each: each.value == each.default,
    )
    most = len(ordered_settings) if long_lines else _fitting(ordered_settings)
    head = Message("settings-preset", {"preset": preset}) if preset else Message("nothing")
    if ordered_settings:
        rows = Listing(tuple(_row(each) for each in ordered_settings), most=most)
        yield Message("settings", {"game": group.name, "preset": head, "rows": rows})
    else:
        yield Message(
            "settings-none", {"game": group.name, "example": Message(f"example-{group.commands('')[0]}")}
        )
    if ordered_settings[most:]:
        yield Message(
            "settings-more", {"game": group.name, "keys": Listing(_keys(ordered_settings[most:]), most=99)}
        )


def _row(setting: Setting) -> Message:
    return Message("setting-row", {"key": shown(setting.key), "value": shown(setting.value)})


def _keys(settings: Sequence[Setting]) -> tuple[Message, ...]:
    return tuple(Message("word", {"word": shown(each.key)}) for each in settings)


def _fitting(settings: Sequence[Setting]) -> int:
    sizes = accumulate(len(each.key) + len(each.value) + len(" , ") for each in settings)
    return sum(1 for size in sizes if size <= LONGEST_LIST)


def _takes_long_lines(room: Room) -> bool:
    """Whether every channel of a room accepts long messages."""
    return all(each.manner.length > SHORT_MESSAGE for each in room.channels)
