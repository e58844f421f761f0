"""Ready-made settings: the usual game, a quick one, a long one, and one with a stake and company."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PRESETS: Mapping[str, Mapping[str, object]] = {
    "usual": {},
    "quick": {"rounds": 1, "lobby": 30, "turn": 20, "answer": 15},
    "long": {"rounds": 5},
    "table": {"default_stake": 50, "house_players": 2, "house_strategies": ("any",)},
}
