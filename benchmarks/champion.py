"""Does the champion come first? Whole tournaments among many line-ups, the other players multiplied.

For each line-up: the champion's mean credits at the end, those of the best of the others, their
difference in standard errors, and in how many of the tournaments nobody had more than the champion.
The last line-ups are of players that the champion was not made for.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from math import inf, sqrt
from statistics import mean, stdev
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.rows import Measure
from chatbot.games.heist.champion import champion
from chatbot.games.heist.contestants import CONTESTANTS
from chatbot.games.heist.foresight import COMMITTED, LACK, ahead, growing, lack
from chatbot.games.heist.luck import Luck
from chatbot.games.heist.moves import Act
from chatbot.games.heist.situation import STAKING, Situation
from chatbot.games.heist.tournament import Tournament
from chatbot.kernel.contest import Entrant

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchmarks.rows import Row
    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng

CHAMPION = champion.__name__
OTHERS = tuple(name for name in CONTESTANTS if name != CHAMPION)
GAMES = 1000
TOURNAMENTS, SEED = 40, "benchmark"  # unless said otherwise
CROWDS = (500, 50, 0)  # sizes of the rabble


def stubborn(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Cross again and again, job or no job."""
    return min(1, told.credits) if told.round == STAKING else Act.DOUBLE_CROSS


def tireless(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Look for crossers every time, whether anybody seems to be one or not."""
    return min(1, told.credits) if told.round == STAKING else Act.FINGER


def compounder(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Bribe guards like the guardsman, and stake what grows fastest."""
    if told.round == STAKING:
        bank = ahead(told)
        return max(1, int(told.credits * growing(told.chances[bank] * COMMITTED, told.odds[bank])))
    return Act.GUARD if lack(told) > LACK * 0.99 ** (told.salary // 2) else Act.GUNCHECK


def drunkard(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:  # noqa: ARG001
    """Do anything."""
    if told.round == STAKING:
        return rng.below(min(told.credits, 1000) + 1)
    return rng.choice(tuple(Act))


STRANGERS: Mapping[str, Strategy] = {
    each.__name__: each for each in (stubborn, tireless, compounder, drunkard)
}
PLAYERS = {**CONTESTANTS, **STRANGERS}


@dataclass(frozen=True)
class LineUp:
    name: str
    players: tuple[str, ...]
    rabble: int = 500


EVERYBODY = tuple(LineUp(f"all, rabble {rabble}", (*OTHERS, CHAMPION), rabble) for rabble in CROWDS)
BY_LINE_UP = {
    each: Measure(f"{each.name}: the champion's mean credits at the end", "best of the others")
    for each in EVERYBODY
}
MEASURES = tuple(BY_LINE_UP.values())


@dataclass(frozen=True)
class Verdict:
    own: float  # mean credits of a champion at the end
    best: str  # the other whose mean is highest
    best_has: float
    errors: float  # standard errors between the two
    won: float  # share of the tournaments


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tournaments", type=int, default=TOURNAMENTS, help="of each line-up, at least 2")
    parser.add_argument("--only", default="", help="line-ups whose names contain this")
    parser.add_argument("--seed", default=SEED, help="of all luck")
    asked = parser.parse_args()
    chosen = [each for each in line_ups() if asked.only in each.name]
    if not chosen:
        parser.error(f"no line-up is named like {asked.only!r}")
    table = Table(title=f"{asked.tournaments} tournaments each of {GAMES} to {GAMES * 11 // 10} games")
    for heading in ("line-up", "champion", "best of the others", "", "std. errors", "won"):
        table.add_column(heading, justify="left" if heading in {"line-up", ""} else "right")
    console = Console(stderr=True)
    for each in track(chosen, console=console, description="line-ups"):
        found = judged(each, max(2, asked.tournaments), asked.seed)
        row = (
            f"{found.own:.3g}",
            f"{found.best_has:.3g}",
            found.best,
            f"{found.errors:.1f}",
            f"{found.won:.0%}",
        )
        table.add_row(each.name, *row)
    Console(width=100).print(table)


def rows(*, quick: bool) -> Iterator[Row]:
    for line_up, measure in BY_LINE_UP.items():
        found = judged(line_up, 2 if quick else TOURNAMENTS, SEED)
        yield measure.found(found.own, found.best_has)


def line_ups() -> Iterator[LineUp]:
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
    for name in STRANGERS:
        for times in (1, 5):
            yield LineUp(f"and {name} x {times}", (*everybody, *(name,) * times))


def judged(line_up: LineUp, tournaments: int, seed: str) -> Verdict:
    names = line_up.players
    finals = [_final(line_up, f"{seed}/{line_up.name}/{number}") for number in range(tournaments)]
    champions = [seat for seat, name in enumerate(names) if name == CHAMPION]
    rivals = [seat for seat, name in enumerate(names) if name != CHAMPION]
    own = [mean(final[seat] for seat in champions) for final in finals]
    best = max(rivals, key=lambda seat: sum(final[seat] for final in finals))
    ahead_by = [mine - final[best] for mine, final in zip(own, finals, strict=True)]
    spread = stdev(ahead_by) / sqrt(tournaments)
    won = [max(final[seat] for seat in champions) >= max(final[seat] for seat in rivals) for final in finals]
    return Verdict(
        own=mean(own),
        best=names[best],
        best_has=mean(final[best] for final in finals),
        errors=mean(ahead_by) / spread if spread else inf,
        won=mean(won),
    )


def _final(line_up: LineUp, seed: str) -> Sequence[int]:
    """Play one tournament; give everybody's credits at its end."""
    entrants = [Entrant(name, PLAYERS[name]) for name in line_up.players]
    games = GAMES + Luck(f"{seed}/length").below(GAMES // 10 + 1)
    final: Sequence[int] = ()
    for played in Tournament(entrants, line_up.rabble, seed).play(games):
        final = played.credits
    return final


if __name__ == "__main__":
    main()
