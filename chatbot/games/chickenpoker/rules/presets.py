"""Ready-made settings: the usual game, a short one, a long one, and one with a stake."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PRESETS: Mapping[str, Mapping[str, object]] = {
    "usual": {},
    "quick": {"cards": 4, "lobby": 30, "choice": 20},
    "long": {"cards": 10},
    "table": {"default_stake": 50, "house_players": 1, "house_strategies": ("any",)},
}
