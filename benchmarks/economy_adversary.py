"""Runs the adversary and what is scripted beside it, on this checkout or another, and tells what they got."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from benchmarks.economy_checkout import told_elsewhere
from benchmarks.economy_evidence import Claim
from benchmarks.economy_hunt import LEVEL, Lines, Minutes, hunt, mean_and_error
from benchmarks.economy_scripts import moved, raised
from chatbot import log

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from benchmarks.economy_hunt import Found, Hunt

LINES = 60_000  # that a search says, in some minutes of one core
FEW_LINES = 1_500  # where it is only to be seen that it runs
HEISTS, FEW_HEISTS = 150, 3  # with a prediction, of each kind
WIDTH = 190
HEADINGS = "where", "how", "games", "a credit at risk", "a game", "an hour", "240 credits each after an hour"


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be done; without `minutes` the search ends after so many `lines`."""

    seed: str
    lines: int = LINES
    minutes: float = 0.0
    heists: int = HEISTS  # 0: nothing is scripted
    markdown: bool = False


def claims_of(task: Task) -> list[Claim]:
    """Search and play the scripts on this checkout, print what was found, and return the claims."""
    log.configure("critical")
    budget = Minutes(task.minutes) if task.minutes else Lines(task.lines)
    outcome = asyncio.run(hunt(task.seed, budget, _progress))
    print(markdown(outcome) if task.markdown else "", end="")
    if not task.markdown:
        Console(width=WIDTH).print(as_table(outcome))
    claims = [searched(outcome)]
    if task.heists:
        claims += [_raised(task.seed), _moved(task.seed, task.heists)]
    return claims


def claims_elsewhere(task: Task, checkout: Path) -> list[Claim]:
    """Do the same with the program of another checkout, in a process of its own."""
    *lines, last = told_elsewhere(checkout, __name__, json.dumps(asdict(task)))
    print("\n".join(lines))
    return [Claim(**each) for each in json.loads(last)]


def told_as_json(task: str) -> None:
    """Print the claims as the last line, for the process that asked for them."""
    print(json.dumps([asdict(each) for each in claims_of(Task(**json.loads(task)))]))


def _progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


# What the search found


def searched(outcome: Hunt) -> Claim:
    """Claim that nobody gains, where presets do not warn."""
    gaining = outcome.gaining(exempt=False)
    looked = f"{outcome.arms:,} ways in {outcome.families} families, {outcome.games:,} games"
    worst = "; ".join(f"{each.arm.family}: {each.score.gain:+,.0f} credits a game" for each in gaining)
    return Claim(
        "nobody gains of the house on average, alone or in company, with any preset but contest and small"
        f" (all together {1 - LEVEL:.1%})",
        f"{worst or 'nobody does'} ({looked})",
        not gaining,
    )


def as_table(outcome: Hunt) -> Table:
    table = Table(
        title=f"who gains of the house: {outcome.lines:,} lines, {outcome.seconds:,.0f} s of the processor"
    )
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading in HEADINGS[:2] else "right")
    for row in rows(outcome):
        table.add_row(*row)
    return table


def markdown(outcome: Hunt) -> str:
    lines = [HEADINGS, ["---", "---", *["---:"] * (len(HEADINGS) - 2)], *rows(outcome)]
    return "".join(f"| {' | '.join(each)} |\n" for each in lines)


def rows(outcome: Hunt) -> Iterator[Sequence[str]]:
    """Write what gains, where it must not first."""
    for exempt in (False, True):
        for each in outcome.gaining(exempt=exempt):
            yield _row(each)


def _row(each: Found) -> Sequence[str]:
    score, arm = each.score, each.arm
    return (
        f"{arm.family}{' (it warns)' if arm.family.exempt else ''}",
        str(arm),
        f"{score.games:,}",
        f"{score.share:+.3f} ± {score.share_error:.3f}",
        f"{score.gain:+,.1f} ± {score.gain_error:,.1f}",
        f"{score.an_hour:+,.0f} ± {score.hour_error:,.0f}",
        "{:+,.0f} ± {:,.0f}".format(*mean_and_error(each.visits)) if each.visits else "",
    )


# What is scripted


def _raised(seed: str) -> Claim:
    outcome = asyncio.run(raised(seed))
    lists = " / ".join(outcome.lists)
    return Claim(
        "a moderator who raises the claim for a moment gains no more than the claim",
        f"{outcome.gained:,} credits, where the claim brings {outcome.usual}; the audit says: {lists}",
        outcome.holds,
    )


def _moved(seed: str, heists: int) -> Claim:
    outcome = asyncio.run(moved(seed, heists))
    plain, share = outcome.plain / heists, outcome.moved / heists
    return Claim(
        "nobody who plays can move what viewers have bet on",
        f"{plain:.0%} come true, and {share:.0%} where one of three backs out ({heists} heists each)",
        outcome.holds,
    )
