"""The games: one folder each, found by looking. A folder that offers a `KIT` is a game."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

from chatbot.kernel.kit import called

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.kernel.kit import AnyKit


@cache
def kits() -> Mapping[str, AnyKit]:
    """Find every game of this folder, by name: those that lead first, the others in the order of their names.

    Raises:
        ValueError: two games answer to one command.
    """
    found = [importlib.import_module(f"{__name__}.{each.name}") for each in pkgutil.iter_modules(__path__)]
    ordered = sorted((module.KIT for module in found), key=lambda kit: (not kit.leads, kit.name))
    packed = {kit.name: kit for kit in ordered}
    _refuse_shared_words(packed)
    return packed


def named(word: str) -> AnyKit | None:
    """Find a game by its name, or else by the word that people type to play it."""
    return called(kits(), word)


def _refuse_shared_words(packed: Mapping[str, AnyKit]) -> None:
    owners: dict[str, str] = {}
    for kit in packed.values():
        for command in kit.commands:
            for word in (command.word, *command.aliases):
                if owners.setdefault(word, kit.name) != kit.name:
                    raise ValueError(f"!{word} belongs to {owners[word]} and to {kit.name}")
