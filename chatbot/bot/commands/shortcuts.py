"""Short commands for the settings that keepers reach for in a hurry; each is a change like any other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.bot.aliases import ALIASES, SIGN
from chatbot.bot.commands.settings import told_of
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import Kind, Option
from chatbot.kernel.say import Message, Quote, Say, Talk
from chatbot.rooms.request import Request, Service, game_named, game_option, reasoned, usage
from chatbot.settings.availability import GAMES
from chatbot.settings.changes import DEFAULT, Actor
from chatbot.settings.room import HABITS
from chatbot.settings.values import NO, YES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.kernel.kit import AnyKit
    from chatbot.settings.changes import SettingsChanges

OFF = "off"
ALIAS = "NEW OLD | NEW off"
_TALKS = "|".join(each.value for each in Talk)


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
