"""Ready-made settings: the usual game, a short one for busy rooms, and one with a stake."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PRESETS: Mapping[str, Mapping[str, object]] = {
    "usual": {},
    "short": {"arrangement": 30, "acceptance": 30},
    "stakes": {"default_stake": 50},
}
