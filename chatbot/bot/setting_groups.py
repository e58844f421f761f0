"""The groups of settings of the bot itself, beside those of games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.bot.access import COOLDOWNS, PERMISSIONS
from chatbot.bot.command_index import ALIASES
from chatbot.community.earning.settings import EARNINGS
from chatbot.rooms.availability import GAMES
from chatbot.rooms.languages import TEXTS
from chatbot.rooms.settings.lists import EXCLUDED, REGULARS
from chatbot.settings.community import TERMS
from chatbot.settings.fields import Groups, of_game
from chatbot.settings.room import HABITS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.kernel.kit import AnyKit

GROUPS = HABITS, TERMS, EARNINGS, REGULARS, EXCLUDED
GROUP_NAMES = frozenset({*(each.name for each in GROUPS), GAMES, ALIASES, PERMISSIONS, COOLDOWNS, TEXTS})
"""The names of all of them, of which some are made with the parts that they configure."""


def setting_groups(kits: Mapping[str, AnyKit]) -> Groups:
    """Return the groups that need no part of the bot: those of `GROUPS` and of the games."""
    return Groups([*GROUPS, *(of_game(kit) for kit in kits.values())])
