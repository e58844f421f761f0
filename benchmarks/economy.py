"""Whether the economy of a channel holds: an adversary in its chat, and 90 days of people, simulated.

Everything is played by the rules and settings of the program. It prints who gains of the house, what comes
back in each game, what the best responses bring, and one line for each claim about the defaults; it exits
with 1 if one fails. A figure that is measured fails a claim only where it is out of bounds by more than
chance explains.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from benchmarks.economy_adversary import (
    FEW_HEISTS,
    FEW_LINES,
    HEISTS,
    LINES,
    Task,
    claims_elsewhere,
    claims_of,
)
from benchmarks.economy_checkout import checkout
from benchmarks.economy_claims import (
    RICHEST,
    USUAL,
    Findings,
    is_usual,
    measured,
    sure,
    tallies,
    together,
)
from benchmarks.economy_farms import OLD, farmed
from benchmarks.economy_people import Mix, Season, played
from benchmarks.economy_returns import Return, returns
from benchmarks.economy_search import CROWDS, MIXED, SNITCH, STICKS, Value, equilibrium, search, taking

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from benchmarks.economy_evidence import Claim

SHARES, SNITCHES = (0.01, 0.1, 0.3), (0.0, 0.1)
SIZES = 5, 50, 500  # active on a day
FARMS = tuple(product((5, 20), (0, OLD)))


@dataclass(frozen=True, slots=True)
class Size:
    """How much is simulated."""

    sizes: Sequence[int]
    days: int
    shorter: int  # days of the largest channels whose curves are not drawn
    channels: Mapping[int, int]  # by size: how many are taken together, so that chance evens out
    tables: int
    few: int  # times that each cell of a search is played
    many: int  # times, of the best
    rounds: int
    times: int

    def shared_by(self, seeds: int) -> Size:
        """Share the tables that are judged together among so many seeds; each plays seasons of its own."""
        return replace(self, tables=-(-self.tables // seeds), many=max(self.many // seeds, FEWEST))


FEWEST = 30  # times that a best cell is played for each seed, so that its mean has an error
WHOLE = Size(SIZES, 90, 10, {5: 4, 50: 1, 500: 1}, 2000, 3, 500, 8, 24)
QUICK = Size((5, 50), 5, 5, {5: 1, 50: 1}, 120, 2, 30, 2, 4)


def main() -> None:
    arguments = _options().parse_args()
    seed = arguments.seed or (secrets.token_hex(4) if arguments.minutes else "1")
    print(f"seed {seed}")
    simulates = arguments.only == "simulation" or not (
        arguments.only or arguments.minutes or arguments.checkout
    )
    claims = sure_claims = _adversary(arguments, seed) if arguments.only != "simulation" else []
    if simulates:
        findings = _simulated(arguments, seed)
        claims, sure_claims = [*claims, *sure(findings), *measured(findings)], [*sure_claims, *sure(findings)]
    for each in claims:
        print(f"{'holds' if each.holds else 'FAILS'}  {each.what}: {each.found}")
    sys.exit(not all(each.holds for each in (sure_claims if arguments.quick else claims)))


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.economy", description=__doc__)
    parser.add_argument("--seed", help="the same seed finds the same (1; with --minutes another each time)")
    parser.add_argument("--seeds", type=int, default=1, help="simulate so many, and judge them together")
    parser.add_argument("--quick", action="store_true", help="only see that it runs: figures mean little")
    parser.add_argument("--only", choices=("simulation", "search"), help="do one of the two")
    parser.add_argument("--minutes", type=float, default=0.0, help="search for so long, and nothing else")
    parser.add_argument("--lines", type=int, default=LINES, help=f"that a search may say ({LINES:,})")
    parser.add_argument(
        "--checkout", type=checkout, metavar="FOLDER", help="search in the program of another checkout"
    )
    parser.add_argument("--markdown", action="store_true", help="print what gains as a table of Markdown")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw the curves (.png or .svg)")
    parser.add_argument("--jobs", type=int, default=2, help="processes that simulate (2)")
    return parser


def _adversary(arguments: argparse.Namespace, seed: str) -> list[Claim]:
    """Search, and play the scripts beside it unless there are minutes for nothing else."""
    lines, heists = (FEW_LINES, FEW_HEISTS) if arguments.quick else (arguments.lines, HEISTS)
    task = Task(seed, lines, arguments.minutes, 0 if arguments.minutes else heists, arguments.markdown)
    return claims_of(task) if arguments.checkout is None else claims_elsewhere(task, arguments.checkout)


def _simulated(arguments: argparse.Namespace, seed: str) -> Findings:
    """Simulate as many seeds as are asked for, and show what they found."""
    size = (QUICK if arguments.quick else WHOLE).shared_by(arguments.seeds)
    seeds = [seed, *(f"{seed}.{number}" for number in range(1, arguments.seeds))]
    with ProcessPoolExecutor(arguments.jobs, mp_context=get_context("spawn")) as pool:
        findings = together([simulated(pool, size, each) for each in seeds])
    console = Console(width=150)
    for table in (returned(findings.returns), responses(findings.best[0]), channels(findings.seasons)):
        console.print(table)
    if arguments.picture is not None:
        draw(findings.seasons, arguments.picture)
    return findings


def simulated(pool: Executor, size: Size, seed: str) -> Findings:
    """Simulate all of it, in the processes of a pool."""
    pairs = list(product(SHARES, SNITCHES))
    mixes = {pair: pool.submit(equilibrium, seed, *pair, size.rounds, size.times) for pair in pairs}
    best = {crowd: pool.submit(search, seed, crowd, size.few, size.many) for crowd in CROWDS}
    comes_back = pool.submit(returns, seed, size.tables)
    farms = [pool.submit(farmed, seed, *each) for each in FARMS]
    seasons = [
        pool.submit(
            played, Mix(active, *pair, mixes[pair].result(), _days(size, active, pair), f"{seed} {number}")
        )
        for active, pair in product(reversed(size.sizes), pairs)
        for number in range(size.channels[active])
    ]
    return Findings(
        comes_back.result(),
        [{crowd: each.result() for crowd, each in best.items()}],
        [each.result() for each in seasons],
        [each.result() for each in farms],
    )


def _days(size: Size, active: int, pair: tuple[float, float]) -> int:
    drawn = active < max(SIZES) or (active, *pair) == USUAL
    return size.days if drawn else size.shorter


# What is shown


def returned(rows: Sequence[Return]) -> Table:
    table = Table(title="what comes back of a stake")
    for heading in ("game", "way to play", "published at most", "simulated", "tables", "chance"):
        table.add_column(heading, justify="left" if heading in {"game", "way to play"} else "right")
    for each in rows:
        figures = f"{each.published:.1%}", f"{each.found:.1%}", f"{each.tables:,}", f"{each.chance:.3g}"
        table.add_row(each.game, each.way, *figures)
    return table


def responses(best: Mapping[str, Sequence[Value]]) -> Table:
    table = Table(title="best responses at a heist: gain for each credit at risk")
    for heading in ("crowd", "answer", "gain", "of the house"):
        table.add_column(heading, justify="right" if heading in {"gain", "of the house"} else "left")
    for crowd in (STICKS, MIXED, SNITCH):
        for each in dict.fromkeys((best[crowd][0], taking(best[crowd])[0])):
            figures = f"{each.gain:+.2f} ± {each.error:.2f}", f"{each.house:+.2f} ± {each.house_error:.2f}"
            table.add_row(crowd, str(each.cell), *figures)
    return table


def channels(seasons: Sequence[Season]) -> Table:
    table = Table(title="channels: what heists returned, and wallets of regulars on the last day")
    headings = "all", "honest", "best", "snitches", "earned a visit", "kept by games", "upkeep", "median"
    for heading in ("channel", *headings):
        table.add_column(heading, justify="left" if heading == "channel" else "right")
    by_mix = tallies(seasons)
    for mix, tally in by_mix.items():
        own = [each for each in seasons if str(each.mix) == mix]
        shares = (tally.share(*kinds) for kinds in ((), ("honest",), ("best",), ("snitch",)))
        means = (fmean(getattr(each, name) for each in own) for name in ("earned", "kept", "upkeep"))
        median = fmean(each.days[-1].quantiles[2] for each in own)
        cells = [*(f"{each:.1%}" for each in shares), *(f"{each:,.0f}" for each in (*means, median))]
        table.add_row(f"{mix}, {own[0].mix.days} days", *cells)
    return table


def draw(seasons: Sequence[Season], file: Path) -> None:
    """Draw the curves of the usual channel, or of the largest that there is."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415  (it belongs to the extra `arena`)
    except ImportError:
        print("no picture: matplotlib is missing; it belongs to the extra `arena`")
        return
    season = max(seasons, key=lambda each: (is_usual(each), each.mix.active))
    days = range(1, len(season.days) + 1)
    figure = Figure(figsize=(11, 3.6), layout="constrained")
    wallets, circulation, richest = figure.subplots(1, 3)
    for place, name in enumerate(("10%", "25%", "median", "75%", "90%", "99%")):
        wallets.plot(days, [each.quantiles[place] for each in season.days], label=name)
    wallets.set(title="wallets of regulars", xlabel="day", ylabel="credits", yscale="log")
    wallets.legend(fontsize=7)
    circulation.plot(days, [each.mean for each in season.days])
    circulation.set(title="circulation a regular", xlabel="day", ylabel="credits", ylim=(0, None))
    richest.plot(days, [100 * each.richest for each in season.days])
    richest.set(title="held by the richest 1%", xlabel="day", ylabel="percent", ylim=(0, 100 * RICHEST))
    figure.suptitle(str(season.mix))
    figure.savefig(file, dpi=110)
    print(f"{file} is drawn")


if __name__ == "__main__":
    main()
