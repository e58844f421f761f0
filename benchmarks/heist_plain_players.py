"""The first ten players of the house, as plain functions of what the contest tells, for the plain referee."""

from __future__ import annotations

from math import prod
from typing import Any, TypeAlias

Told: TypeAlias = dict[str, Any]
Answer: TypeAlias = Any  # a stake in round 1, words in round 2

UNIT, STAYING = 100_000, 0.9
LACK = prod((0.46, 0.512, 0.575, 0.613, 0.676))  # what the banks' chances lack to certainty


def lurker(told: Told) -> Answer:
    return 0 if told["round"] == 1 else "!guncheck"


def passive(told: Told) -> Answer:
    return min(69, told["credits"]) if told["round"] == 1 else "!guncheck"


def kelly(told: Told) -> Answer:
    if told["round"] == 1:
        return int(told["credits"] * share(told))
    due = told["committed"] + STAYING * (told["heisters"] - told["acted"])
    chance, odds = told["chances"][told["bank"]] * due / told["heisters"], told["odds"][told["bank"]] / UNIT
    return "back out" if 1 - chance * (1 + odds) > told["salary"] / told["stake"] else "!guncheck"


def saver(told: Told) -> Answer:
    saving = told["game"] < 750
    if told["round"] == 1:
        return min(told["credits"], told["credits"] if saving else int(any(told["accounts"])))
    if saving:
        return "deposit"
    return "withdraw" if told["accounts"][told["bank"]] else "!guncheck"


def snitch(told: Told) -> Answer:
    if told["round"] == 1:
        return min(1, told["credits"])
    honest = 3 * 240 * (told["game"] + 1)
    return "finger" if told["most"] > max(honest, told["credits"]) else "!guncheck"


def turncoat(told: Told) -> Answer:
    return min(told["credits"], int(told["employed"])) if told["round"] == 1 else "double cross"


def climber(told: Told) -> Answer:
    if told["round"] == 1:
        return min(told["credits"], int(told["employed"] and told["game"] < 600))
    return "change jobs"


def guardsman(told: Told) -> Answer:
    if told["round"] == 1:
        return min(told["credits"], told["salary"] // 2 if share(told) else 1)
    lacking = prod(1 - each for each in told["chances"])
    return "buy guard" if lacking > LACK * 0.99 ** (told["salary"] // 2) else "!guncheck"


def spy(told: Told) -> Answer:
    if told["round"] != 1:
        return "acquire intel" if told["game"] < 600 else "!guncheck"
    return min(told["credits"], told["salary"]) if told["game"] < 600 else int(told["credits"] * share(told))


def gambler(told: Told) -> Answer:
    return min(told["credits"], int(told["rank"] > 1)) if told["round"] == 1 else "all in"


def share(told: Told) -> float:
    """Give Kelly's share at the bank that the round is heading for."""
    heisters, acted = told["heisters"], told["acted"]
    index = heisters + (told["players"] - acted) * (heisters + 4) / (acted + 10)
    if heisters and told["staked"] > 10_000:
        index += told["staked"] * (index / heisters) // 100_000
    bank = min(max(int(index // 20), told["bank"]), 4)
    odds = told["odds"][bank]
    edge = told["chances"][bank] * STAYING * (odds + UNIT) - UNIT
    return edge / odds if edge > 0 else 0.0


PLAYERS = (lurker, passive, kelly, saver, snitch, turncoat, climber, guardsman, spy, gambler)
