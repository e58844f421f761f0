"""Find the themes in which a game can be told, and read their messages.

A theme is a folder of `<language>.ftl` files with messages that replace those of a game: the ones whose ids
begin with the game's name. It may replace any of them in any language; the game's own messages are used for
the others. Folders of themes are `data/themes` of the program, `data/themes` where the program was started,
and the packages that other distributions name by entry points of the group `rabble.themes`. Folders of the
same name are one theme, so a distribution can add its game to a theme that is there already.
"""

from __future__ import annotations

import importlib.metadata
import importlib.resources
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fluent.syntax.visitor import Visitor

from chatbot import games
from chatbot.kernel import supplies
from chatbot.speech import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fluent.syntax import ast as FTL  # noqa: N812  (the name in Fluent's documentation)

    from chatbot.speech.fluent_entries import FluentEntry, FluentNode

GROUP = "rabble.themes"
"""The group of entry points by which other distributions name packages with folders of themes."""

STREAMERS = Path("data/themes")
"""Where a streamer puts themes, relative to the working directory, as the database by default."""


@cache
def themed_games() -> tuple[str, ...]:
    """List the names of the games that can have other themes than their own."""
    return tuple(name for name, kit in games.kits().items() if kit.chat.theme)


@cache
def names(game: str, own: str) -> tuple[str, ...]:
    """List the themes of a game: that of its own words first, then others that have messages of the game."""
    theme_names = {
        theme.name.lower() for theme in _themes() for path in _files(theme) if any(_about(game, path))
    }
    return own, *sorted(theme_names - {own})


@cache
def messages(game: str, theme: str, language: str) -> tuple[FTL.Message, ...]:
    """Read the messages of a game in a theme and a language; empty if the theme has none.

    A text that refers to something that the game's own message does not have is logged and left out.
    """
    entries = words.messages(language)
    paths = [path for each in _themes() if each.name.lower() == theme for path in _files(each, language)]
    checked_messages = (_checked(each.node, entries, path) for path in paths for each in _about(game, path))
    return tuple({each.id.name: each for each in checked_messages if each is not None}.values())


def _checked(message: FluentNode, entries: Mapping[str, FTL.Message], path: Path) -> FTL.Message | None:
    """Return a message with those of its texts that can be told; None if none can."""
    own = entries.get(message.id.name)
    if own is None:
        words.report("a theme has a message that no game tells", file=str(path), message=message.id.name)
        return None
    english = words.messages(words.ENGLISH)
    placeholders = {
        *words.placeholders(own, entries),
        *words.placeholders(english.get(own.id.name, own), english),
    }
    patterns: list[FTL.Pattern] = []
    for pattern in filter(None, (message.value, *(each.value for each in message.attributes))):
        wrong = _References.of(pattern, entries) - placeholders
        if wrong:
            about = {"file": str(path), "message": message.id.name, "unknown": ", ".join(sorted(wrong))}
            words.report("a text of a theme is left out", **about, known=", ".join(sorted(placeholders)))
        else:
            patterns.append(pattern)
    return words.message(message.id.name, patterns) if patterns else None


class _References(Visitor):
    """Collects the placeholders of a pattern, and the messages and terms that it refers to in vain."""

    def __init__(self, entries: Mapping[str, FTL.Message]) -> None:
        self._entries = entries
        self._names: set[str] = set()

    @classmethod
    def of(cls, pattern: FTL.Pattern, entries: Mapping[str, FTL.Message]) -> set[str]:
        """Return what a pattern needs besides the messages of `entries`."""
        references = cls(entries)
        references.visit(pattern)
        return references._names

    def visit_VariableReference(self, node: FTL.VariableReference) -> None:  # noqa: N802
        self._names.add(node.id.name)

    def visit_TermReference(self, node: FTL.TermReference) -> None:  # noqa: N802
        self._names.add(f"-{node.id.name}")

    def visit_FunctionReference(self, node: FTL.FunctionReference) -> None:  # noqa: N802
        if node.id.name not in {"NUMBER", "DATETIME"}:
            self._names.add(f"{node.id.name}()")
        self.generic_visit(node)

    def visit_MessageReference(self, node: FTL.MessageReference) -> None:  # noqa: N802
        other = self._entries.get(node.id.name)
        self._names |= {node.id.name} if other is None else set(words.placeholders(other, self._entries))


def _about(game: str, path: Path) -> Iterator[FluentEntry]:
    """Yield the messages of a game in a file."""
    for each in words.read(path):
        if each.id.startswith(f"{game}-"):
            yield each


def _files(theme: Path, language: str = "*") -> list[Path]:
    return sorted(theme.glob(f"{language}.ftl"))


@cache
def _themes() -> tuple[Path, ...]:
    """List the folders of all themes; of several for one message, the last has the say."""
    roots = dict.fromkeys(each.resolve() for each in (*_installed(), supplies.folder("themes"), STREAMERS))
    folders = [each for root in roots if root.is_dir() for each in sorted(root.iterdir())]
    return tuple(each for each in folders if each.is_dir() and not each.name.startswith((".", "_")))


def _installed() -> Iterator[Path]:
    """Yield the folders of the packages that other distributions name, in the order of the names."""
    for entry in sorted(importlib.metadata.entry_points(group=GROUP), key=lambda each: each.name):
        try:
            yield Path(str(importlib.resources.files(entry.value)))
        except Exception as error:  # noqa: BLE001  (what a foreign package can raise has no end)
            words.report("themes cannot be read", entry=entry.name, why=repr(error))
