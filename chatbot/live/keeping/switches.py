"""Short commands for the settings that keepers reach for in a hurry; each is a change like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import Kind, Option
from chatbot.kernel.say import Message, Quote, Say, Talk
from chatbot.live.asked import Asked, Service, game_named, game_option, reasoned, usage
from chatbot.live.habits import HABITS
from chatbot.live.keeping.aliases import ALIASES, SIGN
from chatbot.live.keeping.clerk import DEFAULT, Hand
from chatbot.live.keeping.keeper import told_of
from chatbot.live.keeping.openings import GAMES
from chatbot.live.keeping.values import NO, YES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.kernel.kit import Kit
    from chatbot.live.keeping.clerk import Clerk

OFF = "off"
ALIAS = "NEW OLD | NEW off"
_TALKS = tuple(each.value for each in Talk)


class Switches:
    def __init__(self, kits: Mapping[str, Kit], clerk: Clerk) -> None:
        self._kits, self._clerk = kits, clerk
        game = (game_option(kits, required=True),)
        talk = (Option("level", Kind.WORD, required=True, choices=_TALKS),)
        words = Option("new", Kind.WORD, required=True), Option("old", Kind.TEXT, required=True)
        least = Role.MODERATOR
        self.services = (
            Service("enable", self._enable, "GAME", least, game),
            Service("disable", self._disable, "GAME", least, game),
            Service("alias", self._alias, ALIAS, least, words),
            Service("talk", self._talk, "|".join(_TALKS), least, talk),
            Service("pause", self._pause, "", least),
            Service("unpause", self._unpause, "", least),
        )

    async def _enable(self, asked: Asked) -> Sequence[Say]:
        return await self._switch_game(asked, "enable", YES)

    async def _disable(self, asked: Asked) -> Sequence[Say]:
        return await self._switch_game(asked, "disable", NO)

    async def _pause(self, asked: Asked) -> Sequence[Say]:
        return await self._put(asked, "pause", 0, (HABITS.name, "paused", YES))

    async def _unpause(self, asked: Asked) -> Sequence[Say]:
        return await self._put(asked, "unpause", 0, (HABITS.name, "paused", NO))

    async def _talk(self, asked: Asked) -> Sequence[Say]:
        level = " ".join(reasoned(asked)[0].words)
        return await self._put(asked, "talk " + "|".join(_TALKS), 1, (HABITS.name, "talk", level))

    async def _switch_game(self, asked: Asked, word: str, value: str) -> Sequence[Say]:
        game = " ".join(reasoned(asked)[0].words)
        key = game_named(self._kits, game).name if game else ""
        return await self._put(asked, f"{word} GAME", 1, (GAMES, key, value))

    async def _alias(self, asked: Asked) -> Sequence[Say]:
        asked, why = reasoned(asked)
        if len(asked.words) < 2:
            raise usage("alias", ALIAS)
        new, old = asked.words[0].lower().removeprefix(SIGN), " ".join(asked.words[1:])
        stands_for = asked.room.settings(ALIASES).get(new)
        if old.lower() == OFF:
            old = DEFAULT
        elif stands_for is not None:
            raise Refusal(Message("alias-there", {"word": Quote(new), "old": Quote(str(stands_for))}))
        before, after = await self._clerk.put(Hand.of(asked, why), ALIASES, new, old)
        return [told_of(asked, ALIASES, before, after)]

    async def _put(self, asked: Asked, form: str, count: int, wanted: tuple[str, str, str]) -> Sequence[Say]:
        """Change a setting as a command of so many words asks for it."""
        asked, why = reasoned(asked)
        if len(asked.words) != count:
            word, _, arguments = form.partition(" ")
            raise usage(word, arguments)
        before, after = await self._clerk.put(Hand.of(asked, why), *wanted)
        return [told_of(asked, wanted[0], before, after)]
