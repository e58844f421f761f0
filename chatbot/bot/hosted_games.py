"""The games that the bot can host: an installed one whose name or word the bot itself has is left out.

The words are those of all commands that modules of `chatbot.bot.commands` declare. That is asked here and not
where games are loaded, since a game knows nothing of the bot, and may well be played in the arena.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

from chatbot import games
from chatbot.bot import commands
from chatbot.bot.command import declared
from chatbot.bot.setting_groups import GROUP_NAMES
from chatbot.games import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chatbot.kernel.kit import AnyKit


@cache
def words() -> frozenset[str]:
    """Return the words of the bot's commands; a command of a game may share one, see `Command.shares`."""
    return frozenset(_words())


def hosted(kits: Mapping[str, AnyKit]) -> tuple[Mapping[str, AnyKit], list[Refused]]:
    """Return the games that the bot can host, and those that it cannot.

    A game of this repository is not left out: that two commands have a word is an error there, which
    `CommandIndex` raises.
    """
    refused = dict[str, Refused]()
    for name, kit in kits.items():
        entry, why = games.entry_of(kit), _objection(kit)
        if entry is not None and why is not None:
            refused[name] = Refused(entry, why)
    return {name: kit for name, kit in kits.items() if name not in refused}, list(refused.values())


def _objection(kit: AnyKit) -> str | None:
    """Return why a game cannot be hosted; None: it can."""
    if kit.name in GROUP_NAMES:
        return f"its name {kit.name} is taken"
    commands_by_word = [(word, each) for each in kit.chat.commands for word in (each.word, *each.aliases)]
    taken_words = (word for word, each in commands_by_word if word in words() and each.shares is None)
    word = next(taken_words, None)
    return None if word is None else f"its command !{word} is taken by the bot"


def _words() -> Iterator[str]:
    for each in pkgutil.iter_modules(commands.__path__):
        module = importlib.import_module(f"{commands.__name__}.{each.name}")
        for part in vars(module).values():
            if isinstance(part, type):
                yield from (word for declaration, _ in declared(part) for word in declaration.words)
