"""The games with Bank Heist by the rules of its contest, unless a room chooses otherwise.

Those rules pay round sums and bound nothing, so that tests of the house can work out what a table moves. What
a room plays that has chosen nothing is tested in `tests/games/heist/test_stream.py` and at the doors.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chatbot.games import kits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.kernel.kit import AnyKit


def contest_kits() -> Mapping[str, AnyKit]:
    heist = kits()["heist"]
    presets = {"contest": heist.rules.presets["contest"], **heist.rules.presets}
    return {**kits(), "heist": replace(heist, rules=replace(heist.rules, presets=presets))}
