"""Whether the economy of a channel holds: returns, best responses, farms, and 90 days of people, simulated.

Everything is played by the rules and settings of the program. It prints what comes back in each game, what
the best responses bring, and one line for each claim about the defaults; it exits with 1 if one fails.
A figure that is measured fails a claim only where it is out of bounds by more than chance explains.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import reduce
from itertools import product
from multiprocessing import get_context
from operator import add
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from benchmarks.economy_farms import OLD, Farm, farmed
from benchmarks.economy_people import Mix, Season, Tally, played
from benchmarks.economy_returns import CONFIDENCE, Return, agree, returns
from benchmarks.economy_search import CROWDS, MIXED, SNITCH, STICKS, Value, equilibrium, search, taking

if TYPE_CHECKING:
    from concurrent.futures import Executor

SHARES, SNITCHES = (0.01, 0.1, 0.3), (0.0, 0.1)
SIZES = 5, 50, 500  # active on a day
USUAL = (500, 0.1, 0.1)  # the channel whose curves are drawn: active, best responses, snitches
FARMS = tuple(product((5, 20), (0, OLD)))
ERRORS = 3.3  # standard errors: one in two thousand is farther out, on one side
WEEK = 7
FIRST_WEEK = 8  # after which the growth counts
LEAST_BACK, MOST_BACK, HONEST = 0.80, 0.99, 0.70
POOR, RICH, RICHEST, GROWTH = 500, 5000, 0.30, 0.05
MOST_GAIN = 1.0  # own stakes a heist


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


WHOLE = Size(SIZES, 90, 10, {5: 4, 50: 1, 500: 1}, 2000, 3, 500, 8, 24)
QUICK = Size((5, 50), 5, 5, {5: 1, 50: 1}, 120, 2, 30, 2, 4)


@dataclass(frozen=True, slots=True)
class Claim:
    what: str
    found: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Findings:
    returns: Sequence[Return]
    best: Mapping[str, Sequence[Value]]  # by crowd, best first
    seasons: Sequence[Season]
    farms: Sequence[Farm]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.economy", description=__doc__)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--quick", action="store_true", help="only see that it runs: figures mean little")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw the curves (.png or .svg)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    asked = parser.parse_args()
    size = QUICK if asked.quick else WHOLE
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        found = simulated(pool, size, asked.seed)
    console = Console(width=150)
    for table in (returned(found.returns), responses(found.best), channels(found.seasons)):
        console.print(table)
    claims = [*sure(found), *measured(found)]
    for each in claims:
        print(f"{'holds' if each.holds else 'FAILS'}  {each.what}: {each.found}")
    if asked.picture is not None:
        draw(found.seasons, asked.picture)
    counted = sure(found) if asked.quick else claims
    sys.exit(not all(each.holds for each in counted))


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
        {crowd: each.result() for crowd, each in best.items()},
        [each.result() for each in seasons],
        [each.result() for each in farms],
    )


def _days(size: Size, active: int, pair: tuple[float, float]) -> int:
    drawn = active < max(SIZES) or (active, *pair) == USUAL
    return size.days if drawn else size.shorter


# Claims


def sure(found: Findings) -> list[Claim]:
    """Look at what does not hang on chance, or whose chance is reckoned with exactly."""
    heists = [each for each in found.returns if each.game == "Bank Heist"]
    most = max(each.published for each in heists)
    worst = min(found.returns, key=lambda each: each.chance)
    farm = max(found.farms, key=lambda each: each.received)
    return [
        Claim("no career returns 100% from the house", f"{most:.1%} at most", most < 1),
        Claim(
            f"simulated returns agree with the published ones (all together {CONFIDENCE:.1%})",
            f"{len(found.returns)} rows, the least likely {worst.chance:.3g} ({worst.game}, {worst.way})",
            agree(found.returns),
        ),
        Claim(
            "no farm brings one person more than the gift limits",
            f"{farm.received:,} of {farm.limit:,} credits on its best day ({farm})",
            all(each.received <= each.limit for each in found.farms),
        ),
    ]


def measured(found: Findings) -> list[Claim]:
    """Look at what is measured, with its error."""
    claims = [*_responses(found), *_games(found), *_mixes(found)]
    return [*claims, *(claim for each in found.seasons if _usual(each) for claim in _wealth(each))]


def _usual(season: Season) -> bool:
    return (season.mix.active, season.mix.best, season.mix.snitches) == USUAL


def _responses(found: Findings) -> list[Claim]:
    best, snitched = found.best[STICKS][0], taking(found.best[SNITCH])[0]
    return [
        Claim(
            "against a crowd that sticks the best response gains at most its own stake a heist",
            f"{best.gain:+.2f} ± {best.error:.2f} by {best.cell}",
            best.gain - ERRORS * best.error <= MOST_GAIN,
        ),
        Claim(
            "all of it out of others' winnings",
            f"{best.house:+.2f} ± {best.house_error:.2f} of the house",
            best.house - ERRORS * best.house_error <= 0,
        ),
        Claim(
            "with one snitch among ten, taking from others loses",
            f"{snitched.gain:+.2f} ± {snitched.error:.2f} by {snitched.cell}",
            snitched.gain - ERRORS * snitched.error < 0,
        ),
    ]


def _games(found: Findings) -> list[Claim]:
    others = [each for each in found.returns if each.game != "Bank Heist"]
    most = max(others, key=lambda each: each.found)
    return [
        Claim(
            "the other games return at most 100%, best responses included",
            f"{most.found:.1%} at most ({most.game}, {most.way})",
            agree(others),
        )
    ]


def _mixes(found: Findings) -> list[Claim]:
    by_mix = together(found.seasons)
    least, most = (choose(by_mix, key=lambda mix: by_mix[mix].share()) for choose in (min, max))
    honest = min(by_mix, key=lambda mix: by_mix[mix].share("honest"))
    moderators = reduce(add, by_mix.values())
    low, high, poor = by_mix[least], by_mix[most], by_mix[honest]
    ends = [f"{by_mix[each].share():.1%} ± {by_mix[each].error():.1%} ({each})" for each in (least, most)]
    return [
        Claim(
            f"in each mix all heisters together get back {LEAST_BACK:.0%} to {MOST_BACK:.0%}",
            " to ".join(ends),
            low.share() + ERRORS * low.error() >= LEAST_BACK
            and high.share() - ERRORS * high.error() <= MOST_BACK,
        ),
        Claim(
            f"honest heisters keep at least {HONEST:.0%} in every mix",
            f"{poor.share('honest'):.1%} ± {poor.error('honest'):.1%} ({honest})",
            poor.share("honest") + ERRORS * poor.error("honest") >= HONEST,
        ),
        Claim(
            "a moderator who plays has no profit of it",
            f"{moderators.share('moderator'):.1%} ± {moderators.error('moderator'):.1%} come back",
            moderators.share("moderator") - ERRORS * moderators.error("moderator") <= 1,
        ),
    ]


def together(seasons: Sequence[Season]) -> dict[str, Tally]:
    """Add up what channels of the same kind had of heists."""
    found: dict[str, Tally] = {}
    for each in seasons:
        found[str(each.mix)] = found.get(str(each.mix), Tally()) + each.heist
    return found


def _wealth(season: Season) -> list[Claim]:
    last, growth = season.days[-1], growths(season)
    return [
        Claim(
            f"the median of {season.mix.active} active after {len(season.days)} days lies between"
            f" {POOR:,} and {RICH:,} credits",
            f"{last.quantiles[2]:,.0f}",
            POOR <= last.quantiles[2] <= RICH,
        ),
        Claim(f"the richest 1% hold at most {RICHEST:.0%}", f"{last.richest:.1%}", last.richest <= RICHEST),
        Claim(
            f"circulation a regular grows less than {GROWTH:.0%} a week after week {FIRST_WEEK}",
            f"{max(growth):+.1%} at most",
            max(growth) < GROWTH,
        ),
    ]


def growths(season: Season) -> list[float]:
    """Give by how much the mean of a week has grown on the week before, from the ninth week on."""
    weeks = len(season.days) // WEEK
    means = [fmean(day.mean for day in season.days[week * WEEK : (week + 1) * WEEK]) for week in range(weeks)]
    return [means[week] / means[week - 1] - 1 for week in range(FIRST_WEEK, weeks)]


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
    told = "all", "honest", "best", "snitches", "earned a visit", "kept by games", "upkeep", "median"
    for heading in ("channel", *told):
        table.add_column(heading, justify="left" if heading == "channel" else "right")
    by_mix = together(seasons)
    for mix, tally in by_mix.items():
        own = [each for each in seasons if str(each.mix) == mix]
        shares = (tally.share(*kinds) for kinds in ((), ("honest",), ("best",), ("snitch",)))
        means = (fmean(getattr(each, name) for each in own) for name in ("earned", "kept", "upkeep"))
        median = fmean(each.days[-1].quantiles[2] for each in own)
        shown = [*(f"{each:.1%}" for each in shares), *(f"{each:,.0f}" for each in (*means, median))]
        table.add_row(f"{mix}, {own[0].mix.days} days", *shown)
    return table


def draw(seasons: Sequence[Season], file: Path) -> None:
    """Draw the curves of the usual channel, or of the largest that there is."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415  (it belongs to the extra `arena`)
    except ImportError:
        print("no picture: matplotlib is missing; it belongs to the extra `arena`")
        return
    season = max(seasons, key=lambda each: (_usual(each), each.mix.active))
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
