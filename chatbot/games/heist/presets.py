"""Ready-made settings. Whatever a preset leaves out has its default, which is the contest's."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PRESETS: Mapping[str, Mapping[str, object]] = {
    "contest": {},
    # DeepBot's minigame: one round, its levels, chances and gross payouts of 1.5 to 2.75, no
    # jobs and nobody in the background; stakes up to its usual 5000.
    "deepbot": {
        "lobby": 120,
        "getaway": 0,
        "cooldown": 600,
        "max_stake": 5000,
        "rabble": 0,
        "payday": False,
        "levels": "1/10/20/30/40",
        "odds": "0.5/0.7/1/1.25/1.75",
    },
    # The contest for a chat of a dozen: every bank is in reach of people alone.
    "small": {"rabble": 0, "levels": "1/2/4/7/10"},
}
