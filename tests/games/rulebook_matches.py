"""Plays our contests with programs that only pretend to be processes: thousands of games are soon played.

Everything else is the arena's: views, lines of JSON, how answers are read, failures, scores, the report.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from arena.engine.match import MatchPlan, MatchResult, MatchRun
from arena.engine.players import Competitor
from arena.engine.tally import PlayerPlacing, Tally
from arena.programs.client import WardenReply
from arena.programs.program import Limits, ProgramCommand
from tests.games import characters
from tests.games.characters import ROLES, Character, NoAnswer
from tests.games.referees import Asked, ranks, standard_error

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable

    import pytest

    from chatbot.kernel.contest import Contest, Match

    Program = Callable[[str], list[str] | NoAnswer]

LIMITS = Limits(seconds=10.0)
SHORT = 0.5  # seconds for an answer of a process
SHOWN = 3  # disagreements


@dataclass
class Stage:
    """Stands in the place of the processes: by a program's first word it knows who it is."""

    programs: dict[str, Program]
    sent: dict[str, list[str]] = field(default_factory=dict)

    def warden(self, limits: object) -> PretendedWarden:
        return PretendedWarden(self)


@dataclass
class PretendedWarden:
    """Answers what the arena asks of a warden's client."""

    stage: Stage
    alive: bool = True
    _name: str = ""
    _lines: list[str] = field(default_factory=list)

    def start(self, words: Sequence[str], hello: str) -> None:
        self._name, self._lines = words[0], []
        if hello:
            self._note(hello)

    def ask(self, line: str, seconds: float) -> WardenReply:
        if line:
            self._note(line)
            lines = self.stage.programs[self._name](line.rstrip("\n"))
            if isinstance(lines, NoAnswer):
                return WardenReply("", lines.kind, "as the test wants it")
            self._lines = list(lines)
        if not self._lines:
            return WardenReply("", "late", "it gave no answer")
        return WardenReply(self._lines.pop(0).strip())

    def stop(self) -> WardenReply:
        return WardenReply("")

    def close(self) -> WardenReply:
        return WardenReply("")

    def _note(self, line: str) -> None:
        assert line.endswith("\n")
        self.stage.sent.setdefault(self._name, []).append(line.removesuffix("\n"))


@dataclass(frozen=True)
class Played:
    """One of our matches: who sat in it, its result and log, and what each of its programs was sent."""

    names: Sequence[str]  # seat by seat
    result: MatchResult
    log: str
    sent: dict[str, list[str]] | None  # None: that is not known


@dataclass(frozen=True)
class Contested:
    """A contest that is over."""

    matches: Sequence[Played]
    places: dict[str, PlayerPlacing]


def people(game: str, names: Sequence[str], seed: str) -> dict[str, Program]:
    """Return characters by their names."""
    return {name: Character(game, name, seed) for name in names}


def contest_of(
    monkeypatch: pytest.MonkeyPatch,
    game: str,
    contest: Contest,
    programs: dict[str, Program],
    games: int,
    seed: str,
) -> Contested:
    """Play a contest of ours to its end, with programs listed in the order of `programs`."""
    players = tuple(_competitor(game, name) for name in programs)
    plan, matches = MatchPlan(game, contest, players, LIMITS, logged=True), list[Played]()
    for match in contest.matches(len(players), games, seed):
        stage = Stage(programs)
        monkeypatch.setattr("arena.programs.program.Warden", stage.warden)
        matches.append(_played(plan, match, stage.sent))
    return _contested(players, matches)


def contest_of_processes(
    game: str, contest: Contest, names: Sequence[str], games: int, seed: str
) -> Contested:
    """Play a contest of ours with programs that are processes; what these were sent is not known."""
    players = tuple(replace(_competitor(game, name), command=_process(game, name, seed)) for name in names)
    plan = MatchPlan(game, contest, players, LIMITS._replace(seconds=SHORT), logged=True)
    return _contested(
        players, [_played(plan, match, None) for match in contest.matches(len(players), games, seed)]
    )


def _competitor(game: str, name: str) -> Competitor:
    return Competitor(name, name, ProgramCommand((name,), _protocol(game, name)))


def _process(game: str, name: str, seed: str) -> ProgramCommand:
    return ProgramCommand((sys.executable, str(characters.__file__), game, name, seed), _protocol(game, name))


def _protocol(game: str, name: str) -> Literal["text", "lines"]:
    return "text" if ROLES[game][name].in_text else "lines"


def _played(plan: MatchPlan, match: Match, sent: dict[str, list[str]] | None) -> Played:
    parts: list[str] = []
    with MatchRun(plan, match, parts.append, lambda text: None) as run:
        for _ in run:
            pass
    return Played([plan.players[seat].name for seat in match.seats], run.result(), "".join(parts), sent)


def _contested(players: Sequence[Competitor], matches: Sequence[Played]) -> Contested:
    tally = Tally([(each.name, each.plays) for each in players])
    for each in matches:
        tally.add(each.result)
    return Contested(matches, {each.name: each for each in tally.places()})


def asked(game: str, programs: dict[str, Program], names: Sequence[str]) -> dict[str, Asked]:
    """Return the same programs as a referee from a rulebook asks them in a match."""
    return {name: Asked(programs[name], game, name) for name in names}


def differences(played: Played, people: dict[str, Asked]) -> list[str]:
    """Return in what the observations and the failures of the programs of a match differ, the first ones."""
    found = []
    for seat, name in enumerate(played.names):
        theirs = people[name].sent
        ours = theirs if played.sent is None else played.sent.get(name, [])
        for number, (our, their) in enumerate(zip(ours, theirs, strict=False)):
            if our != their and _plain(our) != _plain(their):
                found.append(f"line {number} to {name}: ours {our}, from the rulebook {their}")
                break
        if len(ours) != len(theirs):
            found.append(f"{name} is sent {len(ours)} lines by ours and {len(theirs)} from the rulebook")
        failures, others = dict(played.result.failures[seat]), dict(people[name].failures)
        if failures != others:
            found.append(f"failures of {name}: ours {failures}, from the rulebook {others}")
    return found[:SHOWN]


def ranked_differently(
    contested: Contested,
    draws: dict[str, dict[object, list[Fraction]]],
    records: dict[str, Counter[int]] | None = None,
) -> list[str]:
    """Return in what the report differs from scores that come in these draws, by players and tables.

    `records` counts for each player who did better (1), nobody (0) or the other (-1).
    """
    found = []
    everything = {name: [draw for each in tables.values() for draw in each] for name, tables in draws.items()}
    means = {name: sum(each, Fraction(0)) / len(each) for name, each in everything.items()}
    for (name, mean), rank in zip(means.items(), ranks(list(means.values())), strict=True):
        ours = contested.places[name]
        if (ours.mean, ours.rank) != (float(mean), rank):
            found.append(f"{name}: mean, rank {ours.mean}, {ours.rank}; by the rulebook {mean}, {rank}")
        error = standard_error(draws[name])
        if ours.standard_error != error and (
            error is None or not math.isclose(ours.standard_error or 0.0, error, abs_tol=1e-12)
        ):
            found.append(f"{name}: standard error {ours.standard_error}; by the rulebook {error}")
        record = ours.record and (ours.record.won, ours.record.drawn, ours.record.lost)
        wanted = records and tuple(records[name][sign] for sign in (1, 0, -1))
        if record != wanted:
            found.append(f"{name}: won, drawn, lost {record}; by the rulebook {wanted}")
    return found


def better_and_worse(points: Sequence[Fraction | int], place: int) -> list[int]:
    """Return for each of the others whether somebody did better (1), the same (0) or worse (-1)."""
    own = points[place]
    return [(own > each) - (own < each) for other, each in enumerate(points) if other != place]


def _plain(line: str) -> object:
    return json.loads(line) if line.startswith("{") else line
