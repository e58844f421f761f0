"""Who may use each command and how often, for the desk: the usual and what was set in a room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.kernel.game import Refusal, highest
from chatbot.kernel.say import Message
from chatbot.settings.fields import selected
from chatbot.web.api.endpoints import Call, Endpoint
from chatbot.web.tokens import READ

if TYPE_CHECKING:
    from chatbot.bot.bot import Bot
    from chatbot.settings.fields import Entries, Setting


class AccessValue(TypedDict):
    """A value as it is typed, what it is by itself, and who may change it."""

    value: str
    default: str
    role: str


class AccessRow(TypedDict):
    """A command, the least role that it takes, and its cooldown; None: it can have none, for `barred`."""

    word: str
    help: str
    game: str
    permission: AccessValue
    cooldown: AccessValue | None
    barred: str


class DeskAccessEndpoints:
    """Describes who may use commands."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        return [
            Endpoint(
                "GET",
                "/desk/access",
                "Read who may use each command, and how often.",
                self._list,
                list[AccessRow],
                word="cooldown",
                scope=READ,
            ),
        ]

    async def _list(self, call: Call) -> list[AccessRow]:
        return [self._row(call, each) for each in self._bot.parts.access.words()]

    def _row(self, call: Call, word: str) -> AccessRow:
        bot = self._bot
        game = None if bot.command_index.bot_command(word) else bot.command_index.command(word)
        cooldown, barred = self._cooldown(call, word)
        return AccessRow(
            word=word,
            help=bot.outbox.text(Message(f"help-{word}"), room=call.room),
            game="" if game is None else bot.outbox.text(Message(f"game-{game[0].name}"), room=call.room),
            permission=self._value(call, bot.parts.access.permissions, "permit", word),
            cooldown=cooldown,
            barred=barred,
        )

    def _cooldown(self, call: Call, word: str) -> tuple[AccessValue | None, str]:
        """Return the cooldown of a command, or why it has none."""
        try:
            return self._value(call, self._bot.parts.access.cooldowns, "cooldown", word), ""
        except Refusal as refusal:
            return None, self._bot.outbox.text(refusal.message, room=call.room)

    def _value(self, call: Call, group: Entries, command: str, word: str) -> AccessValue:
        setting: Setting = group.find(selected(group, call.room), word)
        least = highest([group.least_for(word), self._bot.parts.access.least(call.room, command)])
        return AccessValue(value=setting.value, default=setting.default, role=least.value)
