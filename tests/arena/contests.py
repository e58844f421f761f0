"""Contests made up for tests, whose results can be worked out by hand, and who is entered for any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from arena.engine.competition import Order, RunOutcome, carry_out
from arena.engine.match import MatchPlan
from arena.engine.players import Competitor
from arena.programs.program import Limits, command
from arena.report.report import as_json
from chatbot.kernel.contest import Entrant, Log, Match, Series, Standing, Strategy, WireFormat
from chatbot.kernel.fair import Rng
from tests.arena.programs.stage import SPEAKS, python

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def low(view: Any, menu: Sequence[Any], rng: Any) -> int:
    return 1


def high(view: Any, menu: Sequence[Any], rng: Any) -> int:
    return 5


def chancy(view: Any, menu: Sequence[Any], rng: Rng) -> int:
    return rng.below(10)


@dataclass(frozen=True)
class View:
    game: int


@dataclass(frozen=True, slots=True)
class Counting:
    """In each game everybody says a number, which is added to the score."""

    count: int = 3
    fails_at: int = -1  # the match in which a worker is interrupted

    strategies: ClassVar[Mapping[str, Strategy]] = {"low": low, "high": high, "chancy": chancy}
    wire_format: ClassVar[WireFormat] = WireFormat(
        ask=lambda view, menu: {"game": view.game}, read=lambda *told: int(told[2])
    )
    unit: ClassVar[str] = "points"
    usual_games: ClassVar[int] = 4

    def matches(self, entrants: int, games: int, seed: str) -> Series:
        seats = tuple(range(entrants))
        return Series(self.count, lambda number: Match(number, seats, games, f"{seed}/{number}"))

    def play(self, match: Match, entrants: Sequence[Entrant], log: Log | None) -> Iterator[Standing]:
        rng = Rng.of(match.seed)
        scores = [0] * len(entrants)
        for game in range(match.games):
            if match.number == self.fails_at and game == 2:
                raise KeyboardInterrupt
            for seat, each in enumerate(entrants):
                scores[seat] += each.strategy(View(game), (), rng) or 0
            if log is not None:
                log(f"game {game}: {scores}\n")
            yield Standing(game + 1, scores)


def plan(contest: Counting, *names: str, logged: bool = False) -> MatchPlan:
    return MatchPlan("counting", contest, tuple(Competitor(each, each) for each in names), Limits(), logged)


def order(contest: Counting, *names: str, games: int = 4, log: Path | None = None) -> Order:
    players = tuple(Competitor(f"{each}-{place}", each) for place, each in enumerate(names))
    return Order("counting", contest, players, games, "seed", log=log)


@dataclass
class Screen:
    """Keeps what a bar is told."""

    games: int = 0
    told: list[int] = field(default_factory=list)

    def begin(self, games: int) -> Screen:
        self.games = games
        return self

    def __call__(self, games: int) -> None:
        self.told.append(games)


def carried_out(ordered: Order) -> RunOutcome:
    return carry_out(ordered, Screen().begin, lambda line: None)


def told(outcome: RunOutcome) -> str:
    """Write all of a result but its time."""
    return as_json(replace(outcome, seconds=0.0))


def named(*names: str) -> list[Competitor]:
    """Enter strategies, each under its own words."""
    return [Competitor("-".join(each.split()), each) for each in names]


def program(folder: Path, name: str, script: str) -> Competitor:
    """Write a program that speaks JSON in lines, and enter it."""
    path = folder / f"{name}.py"
    path.write_text(SPEAKS + script, encoding="utf-8")
    return Competitor(name, str(path), command(python(path), folder, per_call=False))
