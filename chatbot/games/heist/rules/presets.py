"""Ready-made settings. A room that has chosen none has the first; what one leaves out is the contest's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.stakes import MOST_IN_CHAT

if TYPE_CHECKING:
    from collections.abc import Mapping

DEEPBOT_ODDS = "0.5/0.7/1/1.25/1.75"  # gross payouts of 1.5 to 2.75

PRESETS: Mapping[str, Mapping[str, object]] = {
    # For years of evenings in one chat: the game takes a little of what is staked and never gives, the
    # crew alone decides the bank, and what one takes from others is bounded by the own stake.
    "stream": {
        "min_stake": 20,
        "max_stake": MOST_IN_CHAT,
        "rabble": 0,
        "levels": "0%/15%/30%/45%/60%",
        "level_credits": 0,
        "odds": DEEPBOT_ODDS,
        "daunting": False,
        "all_in_gross": True,
        "wage_percent": 5,
        "wage_most": 12,
        "interest": "0",
        "cross_loyal": 2,
        "cross_escape": True,
        "cross_reserve": 2,
        "cross_percent": 20,
        "cross_stakes": "1.5",
        "finger_stakes": 2,
        "snitch_stakes": 2,
        "split_stakes": 1,
        "penalty_most": "0.05",
        "odds_most": "0.1",
        "chance_most": "5",
        "return_most": "92",
    },
    # The rules of the programming contest as written.
    "contest": {},
    # DeepBot's minigame: one round, its levels and chances, no jobs and nobody in the background.
    "deepbot": {
        "lobby": 120,
        "getaway": 0,
        "cooldown": 600,
        "max_stake": MOST_IN_CHAT,
        "rabble": 0,
        "payday": False,
        "levels": "1/10/20/30/40",
        "odds": DEEPBOT_ODDS,
    },
    # The contest for a chat of a dozen: every bank is in reach of people alone.
    "small": {"rabble": 0, "levels": "1/2/4/7/10"},
}
