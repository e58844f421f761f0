"""Read settings as forms need them, and see what a change would do before it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field
from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.kernel.game import highest
from chatbot.kernel.say import Message
from chatbot.settings.fields import PRESET, Fields, OfGame, allowed_values, selected
from chatbot.web.api.endpoints import Call, Endpoint, EndpointBody
from chatbot.web.tokens import READ

if TYPE_CHECKING:
    from chatbot.bot.bot import Bot
    from chatbot.settings.fields import Group, Setting


class SettingRow(TypedDict):
    """A setting: values are as they are typed."""

    key: str
    value: str
    default: str
    is_changed: bool
    help: str
    expected: str
    example: str
    choices: list[str]
    role: str


class GroupRow(TypedDict):
    """A group of settings; `presets` are those of a game, with what each is about."""

    name: str
    title: str
    is_game: bool
    is_shared: bool
    is_open: bool
    preset: str | None
    presets: dict[str, str]
    settings: list[SettingRow]


class SettingDifference(TypedDict):
    """What a change would make of a setting."""

    group: str
    key: str
    before: str
    after: str


class WantedSettings(EndpointBody):
    """Values as they would be typed, by group and key; null is the default."""

    values: dict[str, dict[str, str | None]] = Field(description="By group and key; null is the default.")


class SettingsEndpoints:
    """Describes the settings of rooms."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._groups = bot.parts.groups

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        return [
            Endpoint(
                "GET",
                "/settings",
                "Read all settings of the room.",
                self._list,
                list[GroupRow],
                word="settings",
                scope=READ,
            ),
            Endpoint(
                "GET",
                "/settings/{group}",
                "Read a group of settings.",
                self._show,
                GroupRow,
                word="settings",
                scope=READ,
            ),
            Endpoint(
                "POST",
                "/settings/preview",
                "Check a change of settings, and see what it would do, without making it.",
                self._preview,
                list[SettingDifference],
                word="settings",
                scope=READ,
                body=WantedSettings,
                looks=True,
            ),
            Endpoint(
                "GET",
                "/settings/{group}/presets/{preset}",
                "See what choosing a preset would do.",
                self._preview_preset,
                list[SettingDifference],
                word="settings",
                scope=READ,
            ),
        ]

    async def _list(self, call: Call) -> list[GroupRow]:
        return [self._described(call, each) for each in self._groups.values()]

    async def _show(self, call: Call) -> GroupRow:
        return self._described(call, self._groups.named(call.path["group"]))

    async def _preview(self, call: Call) -> list[SettingDifference]:
        changes = self._bot.parts.settings_changes.preview(call.room, call.body.values, sparing=True)
        rows = []
        for each in changes:
            group = self._groups.named(each.subject)
            default = group.find(group.unset, each.key).value
            before, after = (default if value is None else value for value in (each.old, each.new))
            rows.append(SettingDifference(group=each.subject, key=each.key, before=before, after=after))
        return rows

    async def _preview_preset(self, call: Call) -> list[SettingDifference]:
        """List all settings that a preset would change, chosen ones included."""
        group = self._groups.named(call.path["group"])
        now = selected(group, call.room)
        before = {each.key: each.value for each in group.listed(now)}
        after = group.listed(group.changed(group.unset, {PRESET: call.path["preset"]}))
        return [
            SettingDifference(group=group.name, key=each.key, before=before[each.key], after=each.value)
            for each in after
            if before.get(each.key) != each.value and not self._is_exempt(group, each.key)
        ]

    def _is_exempt(self, group: Group, key: str) -> bool:
        """Whether a preset leaves a setting as it is: what is none of the rules."""
        return isinstance(group, Fields) and key in group.names

    def _described(self, call: Call, group: Group) -> GroupRow:
        selection = selected(group, call.room)
        is_game = isinstance(group, OfGame)
        settings = group.listed(selection)
        presets = getattr(group, "presets", {})
        return {
            "name": group.name,
            "title": self._text(call, f"game-{group.name}", group.name) if is_game else group.name,
            "is_game": is_game,
            "is_shared": group.scope.value == "community",
            "is_open": not isinstance(group, Fields),
            "preset": next((each.value for each in settings if each.key == PRESET), None)
            if presets
            else None,
            "presets": {name: self._text(call, f"preset-{group.name}-{name}", "") for name in presets},
            "settings": [self._setting(call, group, each) for each in settings],
        }

    def _setting(self, call: Call, group: Group, setting: Setting) -> SettingRow:
        text, room = self._bot.outbox.text, call.room
        return {
            "key": setting.key,
            "value": setting.value,
            "default": setting.default,
            "is_changed": setting.value != setting.default,
            "help": text(setting.help, room=room),
            "expected": text(setting.expected, room=room),
            "example": setting.example,
            "choices": list(allowed_values(setting)),
            "role": highest([group.least_for(setting.key), self._bot.parts.access.least(room, "set")]).value,
        }

    def _text(self, call: Call, message: str, otherwise: str) -> str:
        known = message in self._bot.outbox.words.ids
        return self._bot.outbox.text(Message(message), room=call.room) if known else otherwise
