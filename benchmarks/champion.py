"""Compare the heist's champion with the other players, in whole tournaments of many line-ups.

For each line-up: the champion's mean credits at the end, by which the contest ranks, and those of the best
of the others; their difference in standard errors; the medians of both; and the number of tournaments in
which nobody had more than the champion. A few tournaments can determine nearly all of a mean, since credits
grow by factors without a limit. The last line-ups contain players that the champion was not designed for.

`--game` names another game, whose champion `benchmarks/champion_duels.py` compares.

`--unseen N` draws N line-ups instead: each other player none to five times, one that the champion was not
designed for in every fourth, and a rabble of up to 500.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import inf, sqrt
from statistics import median_low
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import track
from rich.table import Table

from arena.engine.preparation import prepare_now
from benchmarks.champion_duels import SHOW
from benchmarks.rows import Measure
from chatbot.games.heist.contest.compiled.tournament import CompiledTournament
from chatbot.games.heist.contest.contest import HeistContest
from chatbot.games.heist.contest.contestants import CONTESTANTS
from chatbot.games.heist.contest.luck import Luck
from chatbot.games.heist.contest.situation import (
    COMMITTED,
    LACK,
    STAKING,
    Situation,
    ahead,
    growing,
    lack,
    portion,
)
from chatbot.games.heist.rules.moves import Act
from chatbot.kernel.contest import Entrant

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchmarks.rows import Row
    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng

CHAMPION = "champion"
OTHERS = tuple(name for name in CONTESTANTS if name != CHAMPION)
GAMES = 1000
TOURNAMENTS, SEED = 40, "benchmark"  # defaults
SAMPLES = 100  # of another game than the heist, by default
COPIES = (0, 1, 1, 1, 2, 3, 5)  # of each other player in a line-up that is drawn
CROWDS = (500, 50, 0)  # sizes of the rabble


def stubborn(situation: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Double-cross always, employed or not."""
    return min(1, situation.credits) if situation.round == STAKING else Act.DOUBLE_CROSS


def tireless(situation: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Finger always, whether or not anybody seems to double-cross."""
    return min(1, situation.credits) if situation.round == STAKING else Act.FINGER


def compounder(situation: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Bribe guards like the guardsman, and stake what grows fastest."""
    if situation.round == STAKING:
        bank = ahead(situation)
        return max(
            1, portion(situation.credits, growing(situation.chances[bank] * COMMITTED, situation.odds[bank]))
        )
    return Act.GUARD if lack(situation) > LACK * 0.99 ** (situation.salary // 2) else Act.GUNCHECK


def drunkard(situation: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Act at random."""
    if situation.round == STAKING:
        return rng.below(min(situation.credits, 1000) + 1)
    return rng.choice(tuple(Act))


STRANGERS: Mapping[str, Strategy] = {
    each.__name__: each for each in (stubborn, tireless, compounder, drunkard)
}
PLAYERS = {**CONTESTANTS, **STRANGERS}


@dataclass(frozen=True)
class LineUp:
    """The players of a tournament, and the size of the rabble."""

    name: str
    players: tuple[str, ...]
    rabble: int = 500


EVERYBODY = tuple(LineUp(f"all, rabble {rabble}", (*OTHERS, CHAMPION), rabble) for rabble in CROWDS)
WITH_STRANGERS = tuple(
    LineUp(f"and {name} x {times}", (*OTHERS, CHAMPION, *(name,) * times))
    for name in STRANGERS
    for times in (1, 5)
)
HARDEST = "and compounder x 1"  # of the line-ups with a single stranger
ONCE = f"all {len(CONTESTANTS)} of the house once"
LABELS = {
    **{each: f"{ONCE}, rabble {each.rabble}" for each in EVERYBODY},
    **{each: f"{ONCE} and a compounder, rabble 500" for each in WITH_STRANGERS if each.name == HARDEST},
}
BY_LINE_UP = {
    each: (
        Measure(f"{label}: tournaments of {TOURNAMENTS} won by the champion", "by the best of the others"),
        Measure(f"{label}: the champion's mean credits at the end", "best of the others"),
    )
    for each, label in LABELS.items()
}
MEASURES = tuple(measure for pair in BY_LINE_UP.values() for measure in pair)


@dataclass(frozen=True)
class Verdict:
    """The result of a line-up; credits are those at the end of a tournament."""

    own: Fraction  # mean of a champion
    own_median: int
    best: str  # the other player with the highest mean
    best_has: Fraction
    best_median: int
    errors: float  # difference of the two means in standard errors
    won: int  # tournaments in which nobody has more than a champion
    best_won: int  # the largest number of tournaments in which nobody has more than one of the others


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tournaments", type=int, default=TOURNAMENTS, help="of each line-up, at least 2")
    parser.add_argument("--only", default="", help="line-ups whose names contain this")
    parser.add_argument("--unseen", type=int, default=0, metavar="N", help="play N line-ups that are drawn")
    parser.add_argument("--seed", default=SEED, help="of all luck")
    parser.add_argument("--game", default="heist", choices=("heist", *SHOW), help="whose champion")
    parser.add_argument(
        "--samples", type=int, default=SAMPLES, help="sessions, decks or deals of other games"
    )
    arguments = parser.parse_args()
    if arguments.game in SHOW:
        SHOW[arguments.game](max(2, arguments.samples), arguments.seed)
        return
    of_all = unseen(arguments.unseen, arguments.seed) if arguments.unseen else line_ups()
    selection = [each for each in of_all if arguments.only in each.name]
    if not selection:
        parser.error(f"no line-up is named like {arguments.only!r}")
    table = Table(title=f"{arguments.tournaments} tournaments each of {GAMES} to {GAMES * 11 // 10} games")
    headings = ("line-up", "champion", "best other", "", "std. errors", "median", "best other's", "won")
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "line-up" else "right")
    console, first, mostly = Console(stderr=True), 0, 0
    prepare_now(HeistContest(), console.print)
    for each in track(selection, console=console, description="line-ups"):
        verdict = judged(each, max(2, arguments.tournaments), arguments.seed)
        first, mostly = first + (verdict.own > verdict.best_has), mostly + (verdict.won > verdict.best_won)
        row = (
            short(verdict.own),
            short(verdict.best_has),
            verdict.best,
            f"{verdict.errors:.1f}",
            short(verdict.own_median),
            short(verdict.best_median),
            f"{verdict.won}",
        )
        table.add_row(each.name, *row)
    table.caption = (
        f"of {len(selection)} line-ups the champion has the highest mean in {first},"
        f" and wins more tournaments than any other in {mostly}"
    )
    Console(width=110).print(table)


def rows(*, quick: bool) -> Iterator[Row]:
    prepare_now(HeistContest(), print)
    for line_up, (won, credits_held) in BY_LINE_UP.items():
        verdict = judged(line_up, 2 if quick else TOURNAMENTS, SEED)
        yield won.row(verdict.won, verdict.best_won)
        yield credits_held.row(float(verdict.own), float(verdict.best_has))


def line_ups() -> Iterator[LineUp]:
    """Yield all line-ups."""
    everybody = (*OTHERS, CHAMPION)
    for all_once in EVERYBODY:
        yield all_once
        for times in (2, 3):
            players = (*(OTHERS * times), CHAMPION)
            yield LineUp(f"all others x {times}, rabble {all_once.rabble}", players, all_once.rabble)
    for name in OTHERS:
        for times in (5, 10):
            yield LineUp(f"{name} x {times}", (*everybody, *(name,) * (times - 1)))
    for name in ("turncoat", "snitch"):
        yield LineUp(f"{name} x 20", (*everybody, *(name,) * 19))
        yield LineUp(f"no {name}", tuple(each for each in everybody if each != name))
    yield LineUp("champion x 3", (*everybody, CHAMPION, CHAMPION))
    yield from WITH_STRANGERS


def unseen(count: int, seed: str) -> Iterator[LineUp]:
    """Draw line-ups: each other player up to five times, a stranger in every fourth, and any rabble."""
    luck = Luck(f"{seed}/line-ups")
    for number in range(count):
        copies = {name: luck.choice(COPIES) for name in OTHERS}
        if number % 4 == 3:
            copies[luck.choice(tuple(STRANGERS))] = 1
        players = tuple(name for name, times in copies.items() for _ in range(times))
        rabble = luck.below(501)
        label = " ".join(f"{name[:4]}{times}" for name, times in copies.items() if times)
        yield LineUp(f"{number}: {label}, rabble {rabble}", (*players, CHAMPION), rabble)


def judged(line_up: LineUp, tournaments: int, seed: str) -> Verdict:
    """Play tournaments of a line-up, and compare the champions with the best of the others."""
    names = line_up.players
    finals = [_final(line_up, f"{seed}/{line_up.name}/{number}") for number in range(tournaments)]
    champions = [seat for seat, name in enumerate(names) if name == CHAMPION]
    rivals = [seat for seat, name in enumerate(names) if name != CHAMPION]
    own = [Fraction(sum(final[seat] for seat in champions), len(champions)) for final in finals]
    best = max(rivals, key=lambda seat: sum(final[seat] for final in finals))
    ahead_by = [mine - final[best] for mine, final in zip(own, finals, strict=True)]
    most = [max(final) for final in finals]
    return Verdict(
        own=sum(own, Fraction(0)) / tournaments,
        own_median=int(median_low(own)),
        best=names[best],
        best_has=Fraction(sum(final[best] for final in finals), tournaments),
        best_median=max(median_low([final[seat] for final in finals]) for seat in rivals),
        errors=_errors(ahead_by),
        won=_count_won(finals, most, champions),
        best_won=max(_count_won(finals, most, [seat]) for seat in rivals),
    )


def _count_won(finals: Sequence[Sequence[int]], most: Sequence[int], seats: Sequence[int]) -> int:
    """Count the tournaments in which the best of `seats` has the most credits, which are in `most`."""
    return sum(max(final[seat] for seat in seats) == top for final, top in zip(finals, most, strict=True))


def _errors(values: Sequence[Fraction]) -> float:
    """Return the mean in standard errors, computed with fractions, because credits can exceed a double."""
    count, middle = len(values), sum(values, Fraction(0)) / len(values)
    spread = sum(((each - middle) ** 2 for each in values), Fraction(0)) / (count - 1) / count
    size = sqrt(middle**2 / spread) if spread else inf
    return size if middle >= 0 else -size


def short(value: Fraction | int) -> str:
    return f"{Decimal(int(value)):.3g}"


def _final(line_up: LineUp, seed: str) -> Sequence[int]:
    """Play one tournament, and return the credits of each seat at its end."""
    entrants = [Entrant(name, PLAYERS[name]) for name in line_up.players]
    games = GAMES + Luck(f"{seed}/length").below(GAMES // 10 + 1)
    final: Sequence[int] = ()
    for _, seat_credits in CompiledTournament(entrants, line_up.rabble, seed).scores(games):
        final = seat_credits
    return final


if __name__ == "__main__":
    main()
