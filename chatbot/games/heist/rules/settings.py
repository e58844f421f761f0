"""What can be set of a heist: the types of settings that are its own, and ready-made settings."""

from __future__ import annotations

import re
from decimal import Decimal
from enum import Enum
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from chatbot.games.heist.rules.career import BANKS
from chatbot.games.heist.strategies import STRATEGIES
from chatbot.kernel import lineup
from chatbot.kernel.amounts import MOST
from chatbot.kernel.say import Message
from chatbot.kernel.settings import SHORTEST_WINDOW, Unit, Whole
from chatbot.kernel.stakes import MOST_IN_CHAT
from chatbot.kernel.units import PERCENT, plain

if TYPE_CHECKING:
    from collections.abc import Mapping

_HEADS = re.compile(r"[0-9]{1,5}", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,4}(\.[0-9]{1,5})?", re.ASCII)


class Resets(Enum):
    """What is reset when a season ends."""

    NOTHING = "nothing"
    CAREERS = "careers"
    EVERYTHING = "everything"  # careers and credits


def _row(value: object) -> object:
    if not isinstance(value, str):
        return value
    parts = value.split("/")
    if len(parts) != BANKS or not all(_NUMBER.fullmatch(part) for part in parts):
        raise ValueError(f"expected {BANKS} numbers with / between them, got {value!r}")
    return tuple(Decimal(part) for part in parts)


def _percents(value: object) -> object:
    """Read a row of percentages, each with or without its sign."""
    if not isinstance(value, str):
        return value
    return _row("/".join(plain(each, PERCENT) for each in value.split("/")))


def _levels(value: object) -> object:
    """Read `0/20/40/60/80`, or shares of the active such as `0%/15%/30%/45%/60%`."""
    if not isinstance(value, str):
        return value
    return tuple(int(each) if _HEADS.fullmatch(each) else each for each in value.split("/"))


def _rising(row: tuple[int | str, ...]) -> tuple[int | str, ...]:
    shares = [isinstance(each, str) for each in row]
    numbers = [int(str(each).removesuffix("%")) for each in row]
    if numbers != sorted(set(numbers)) or (any(shares) and not all(shares)):
        raise ValueError(f"expected rising numbers, or rising percentages, got {row!r}")
    if numbers[0] > (0 if shares[0] else 1) or (shares[0] and numbers[-1] > 100):
        raise ValueError(f"expected a first level that anybody reaches, and at most 100%, got {row!r}")
    return row


def _long_enough(seconds: int) -> int:
    if 0 < seconds < SHORTEST_WINDOW:
        raise ValueError(f"expected 0 or at least {SHORTEST_WINDOW} seconds, got {seconds}")
    return seconds


_Percent = Annotated[Decimal, Field(ge=0, le=100, decimal_places=3)]
_Odds = Annotated[Decimal, Field(ge=0, le=1000, decimal_places=5)]
_Level = Annotated[int, Field(strict=True, ge=0, le=10_000)] | Annotated[str, Field(pattern=r"^[0-9]{1,3}%$")]

Levels = Annotated[
    tuple[_Level, _Level, _Level, _Level, _Level],
    BeforeValidator(_levels),
    AfterValidator(_rising),
    Message("expects-levels"),
]
Chances = Annotated[
    tuple[_Percent, _Percent, _Percent, _Percent, _Percent],
    BeforeValidator(_percents),
    Message("expects-chances"),
]
Odds = Annotated[tuple[_Odds, _Odds, _Odds, _Odds, _Odds], BeforeValidator(_row), Message("expects-odds")]

Strategies = Annotated[lineup.Names, lineup.among(STRATEGIES), lineup.expected(STRATEGIES)]
HousePlayers = Annotated[Whole, Field(ge=0, le=10), Unit("people")]

Getaway = Annotated[
    Whole,
    Field(ge=0, le=600),
    AfterValidator(_long_enough),
    Unit("seconds"),
    Message("expects-getaway"),
]
Suspense = Annotated[Whole, Field(ge=0, le=30), Unit("seconds")]
Cooldown = Annotated[Whole, Field(ge=0, le=86_400), Unit("seconds")]
Crew = Annotated[Whole, Field(ge=1, le=1000), Unit("people")]
Rabble = Annotated[Whole, Field(ge=0, le=500), Unit("people")]
Active = Annotated[Whole, Field(ge=1, le=1440), Unit("minutes")]
PerHeister = Annotated[Whole, Field(ge=0, le=MOST), Unit("credits")]
Percent = Annotated[Whole, Field(ge=0, le=100), Unit("percent")]
Wage = Annotated[Whole, Field(ge=0, le=1_000_000), Unit("credits")]
Loyal = Annotated[Whole, Field(ge=0, le=1000), Unit("people")]
Stakes = Annotated[Whole, Field(ge=0, le=1000), Unit("stakes")]  # 0: no bound


def _decimal(value: object) -> object:
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        raise ValueError(f"expected a number, got {value!r}")
    return value


_Number = Annotated[Decimal, BeforeValidator(_decimal)]
Interest = Annotated[_Number, Field(ge=0, le=1, decimal_places=2), Message("expects-number", {"most": 1})]
Shares = Annotated[_Number, Field(ge=0, le=1000, decimal_places=2), Message("expects-number", {"most": 1000})]
Points = Annotated[
    _Number,
    Field(ge=0, le=100, decimal_places=3),
    Unit("percent"),
    Message("expects-number", {"most": 100}),
]
Part = Annotated[_Number, Field(ge=0, le=1000, decimal_places=5), Message("expects-number", {"most": 1000})]
Heists = Annotated[Whole, Field(ge=0, le=100_000), Unit("heists")]  # 0: no such limit
Days = Annotated[Whole, Field(ge=0, le=3660), Unit("days")]


# Ready-made settings. A room that has chosen none has the first; what one leaves out is the contest's.
DEEPBOT_ODDS = "0.5/0.7/1/1.25/1.75"  # gross payouts of 1.5 to 2.75

PRESETS: Mapping[str, Mapping[str, object]] = {
    # For years of evenings in one chat: the game takes a little of what is staked and never gives, the
    # crew alone decides the bank, and what one takes from others is bounded by the own stake.
    "stream": {
        "min_stake": 20,
        "max_stake": MOST_IN_CHAT,
        "rabble": 0,
        # What a player of the house wins, others could take from it.
        "house_stakes": False,
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
        # In credits too: with stakes of 5,000 a farm whose accounts crossed in vain moved 30,000 a day to one
        # of them.
        "taken_most": 250,
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
        "house_stakes": False,
        "payday": False,
        "levels": "1/10/20/30/40",
        "odds": DEEPBOT_ODDS,
    },
    # The contest for a chat of a dozen: every bank is in reach of people alone.
    "small": {"rabble": 0, "levels": "1/2/4/7/10"},
}
