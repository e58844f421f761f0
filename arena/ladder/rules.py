"""A duel: a match of two players in one game, with what the game needs beside them."""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from arena.engine.match import MatchPlan
from arena.engine.players import Competitor
from arena.engine.tally import rounded
from arena.programs.program import JSON_LINES, Limits
from arena.programs.reproduction import command_line
from arena.programs.telling_line import telling_line
from arena.report.report import decimals_for, number
from chatbot.kernel.contest import Contest, Match
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arena.engine.match import MatchResult
    from arena.ladder.journal import LadderDuel
    from arena.programs.reproduction import ProgramFailure

GAMES = {"chickenpoker": 20, "heist": 100, "highshow": 20, "pokermarket": 4, "sixcardpoker": 100}
"""Games of a duel: in all of them it takes some tenths of a second with a program that answers at once."""
USUAL_GAMES = 20  # of other games
FILLERS: Mapping[str, Sequence[str]] = {"pokermarket": ("greedy", "greedy")}
"""Strategies that play along: two players who never give up a place cannot trade."""
_MAX_REASON = 200  # characters
_TRIAL_TABLES = 2  # each player has every seat so often in a trial


@dataclass(frozen=True, slots=True)
class DuelRules:
    """How duels of a game are played."""

    game: str
    contest: Contest
    games: int  # of a duel, rounded up to whole rotations of the seats
    limits: Limits

    def plan(self, players: Sequence[Competitor]) -> MatchPlan:
        """Return the plan of a duel between two players."""
        fillers = FILLERS.get(self.game, ())
        others = tuple(Competitor(f"house-{place}", each) for place, each in enumerate(fillers, 1))
        return MatchPlan(self.game, self.contest, (*players, *others), self.limits, logged=True)

    def match(self, seed: str, games: int | None = None) -> Match:
        """Return a match of two players and those who play along."""
        size = 2 + len(FILLERS.get(self.game, ()))
        return Match(0, tuple(range(size)), -(-(games or self.games) // size) * size, seed)

    def trial(self, player: Competitor) -> tuple[MatchPlan, Match]:
        """Return what a program plays before it is let in: a short match against a built-in strategy."""
        rival = next(iter(self.contest.strategies))
        match = self.match("trial", 1)
        return self.plan((player, Competitor("house", rival))), replace(
            match, games=_TRIAL_TABLES * match.games
        )


def usual_games(game: str) -> int:
    """Return the games of a duel where nobody says."""
    return GAMES.get(game, USUAL_GAMES)


def duel_seed(seed: str, duel: LadderDuel) -> str:
    """Return the seed of a duel: by who plays it and how often they met, not by when it is played."""
    return "/".join((seed, *sorted(duel.players), str(duel.meeting)))


def with_result(duel: LadderDuel, result: MatchResult, players: Sequence[Competitor]) -> LadderDuel:
    """Return a duel with its result; equal scores are a draw, also where both lost all their games."""
    first_example, second_example = (
        _example(result.first_failures[seat], player) for seat, player in enumerate(players)
    )
    first, second = (Fraction(each) for each in result.scores[:2])
    scores = [rounded(each) for each in (first, second)]
    decimals = decimals_for(scores)
    return replace(
        duel,
        result=(first > second) - (first < second),
        scores=(number(scores[0], decimals), number(scores[1], decimals)),
        games=result.games,
        failures=(dict(sorted(result.failures[0].items())), dict(sorted(result.failures[1].items()))),
        examples=(first_example, second_example),
    )


def _example(failure: ProgramFailure | None, player: Competitor) -> str:
    """Return a failure and the line that reproduces it, with the command as its author wrote it."""
    if failure is None or player.command is None:
        return ""
    command = player.plays.removeprefix(JSON_LINES).strip()
    line = failure.line.replace(command_line(player.command.words), command)
    return f"{failure.kind}: {failure.why}\n{line}"


def compressed_log(result: MatchResult) -> bytes:
    """Return the log of a match as a gzip file, the same bytes for the same log."""
    return gzip.compress(zlib.decompress(result.log), mtime=0)


def trial_failure(result: MatchResult, player: Competitor) -> Failure | None:
    """Return what a program did wrong in its trial; None: nothing."""
    if not result.failures[0]:
        return None
    kinds = [f": {kind}: " for kind in result.failures[0]]
    lines = [line for line in result.errors.splitlines() if any(kind in line for kind in kinds)]
    cause = lines[0].removeprefix(player.name).lstrip(", ") if lines else ", ".join(result.failures[0])
    reason = _reason(result.errors, player)
    line = _example(result.first_failures[0], player).partition("\n")[2]
    return Failure(f"It failed in its trial ({cause}){reason and f'; it wrote: {reason}'}. To try it: {line}")


def _reason(errors: str, player: Competitor) -> str:
    """Return the line of standard error that says why, such as `KeyError: 'view'`; "": none."""
    mark = ": standard error: "
    lines = [line for line in errors.splitlines() if line.startswith(player.name) and mark in line]
    return telling_line([line.partition(mark)[2] for line in lines])[:_MAX_REASON]
