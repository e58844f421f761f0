"""Which games may be opened in a room: keepers switch each on and off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel import settings
from chatbot.kernel.say import Message
from chatbot.live.asked import game_named
from chatbot.live.keeping.groups import Entries
from chatbot.live.keeping.values import NO, YES, wrong

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.kernel.kit import Kit

GAMES = "games"


class Openings:
    """`group` are the games as settings: the name of a game, and yes or no."""

    def __init__(self, kits: Mapping[str, Kit]) -> None:
        self._kits, known = kits, tuple(kits)
        expected = Message("expects-yes-no")
        self.group = Entries(GAMES, self._entry, expected, (known[0], NO), default=lambda _: YES, known=known)

    def _entry(self, key: str, text: str) -> tuple[str, str]:
        kit, wanted = game_named(self._kits, key), settings.yes_or_no(text)
        if wanted is None:
            raise wrong(kit.name, text, self.group.expected)
        return kit.name, YES if wanted else NO
