"""The first ten built-in players, as plain functions of a view, for the plain referee."""

from __future__ import annotations

from math import prod
from typing import Any, TypeAlias

Situation: TypeAlias = dict[str, Any]  # numbers, lists and flags, by name
Answer: TypeAlias = Any  # a stake (int) in round 1, the words of an action (str) in round 2

UNIT, STAYING = 100_000, 0.9
LACK = prod((0.46, 0.512, 0.575, 0.613, 0.676))  # product of 1 minus the chance of each bank


def lurker(view: Situation) -> Answer:
    return 0 if view["round"] == 1 else "!guncheck"


def passive(view: Situation) -> Answer:
    return min(69, view["credits"]) if view["round"] == 1 else "!guncheck"


def kelly(view: Situation) -> Answer:
    if view["round"] == 1:
        return int(view["credits"] * share(view))
    stayers = view["committed"] + STAYING * (view["heisters"] - view["acted"])
    chance, odds = (
        view["chances"][view["bank"]] * stayers / view["heisters"],
        view["odds"][view["bank"]] / UNIT,
    )
    return "back out" if 1 - chance * (1 + odds) > view["salary"] / view["stake"] else "!guncheck"


def saver(view: Situation) -> Answer:
    saving = view["game"] < 750
    if view["round"] == 1:
        return min(view["credits"], view["credits"] if saving else int(any(view["accounts"])))
    if saving:
        return "deposit"
    return "withdraw" if view["accounts"][view["bank"]] else "!guncheck"


def snitch(view: Situation) -> Answer:
    if view["round"] == 1:
        return min(1, view["credits"])
    honest = 3 * 240 * (view["game"] + 1)
    return "finger" if view["most"] > max(honest, view["credits"]) else "!guncheck"


def turncoat(view: Situation) -> Answer:
    return min(view["credits"], int(view["employed"])) if view["round"] == 1 else "double cross"


def climber(view: Situation) -> Answer:
    if view["round"] == 1:
        return min(view["credits"], int(view["employed"] and view["game"] < 600))
    return "change jobs"


def guardsman(view: Situation) -> Answer:
    if view["round"] == 1:
        return min(view["credits"], view["salary"] // 2 if share(view) else 1)
    lacking = prod(1 - each for each in view["chances"])
    return "buy guard" if lacking > LACK * 0.99 ** (view["salary"] // 2) else "!guncheck"


def spy(view: Situation) -> Answer:
    if view["round"] != 1:
        return "acquire intel" if view["game"] < 600 else "!guncheck"
    return min(view["credits"], view["salary"]) if view["game"] < 600 else int(view["credits"] * share(view))


def gambler(view: Situation) -> Answer:
    return min(view["credits"], int(view["rank"] > 1)) if view["round"] == 1 else "all in"


def share(view: Situation) -> float:
    """Return the Kelly fraction at the bank that the round is likely to reach."""
    heisters, acted = view["heisters"], view["acted"]
    index = heisters + (view["players"] - acted) * (heisters + 4) / (acted + 10)
    if heisters and view["staked"] > 10_000:
        index += view["staked"] * (index / heisters) // 100_000
    bank = min(max(int(index // 20), view["bank"]), 4)
    odds = view["odds"][bank]
    edge = view["chances"][bank] * STAYING * (odds + UNIT) - UNIT
    return edge / odds if edge > 0 else 0.0


PLAYERS = (lurker, passive, kelly, saver, snitch, turncoat, climber, guardsman, spy, gambler)
