"""The games: one folder each, found by looking. A folder that offers a `KIT` is a game."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.kernel.kit import Kit


@cache
def kits() -> Mapping[str, Kit]:
    """Find every game of this folder, by name.

    Raises:
        ValueError: two games answer to one command.
    """
    found = [importlib.import_module(f"{__name__}.{each.name}") for each in pkgutil.iter_modules(__path__)]
    packed = {module.KIT.name: module.KIT for module in found}
    _refuse_shared_words(packed)
    return packed


def _refuse_shared_words(packed: Mapping[str, Kit]) -> None:
    owners: dict[str, str] = {}
    for kit in packed.values():
        for command in kit.commands:
            for word in (command.word, *command.aliases):
                if owners.setdefault(word, kit.name) != kit.name:
                    raise ValueError(f"!{word} belongs to {owners[word]} and to {kit.name}")
