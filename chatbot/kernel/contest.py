"""What is asked of a game where nobody watches: how its players compete, and what its solver answers.

A kit that has a contest of its own offers it as `Solved.contest`. The arena knows nothing of the game: it
asks the contest for independent matches, has workers play them, and adds up the scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

Strategy: TypeAlias = Callable[[Any, Sequence[Any], Any], Any]
"""`(view, menu, rng) -> action | None`: it sees what a seat may see, never the state."""


@dataclass(frozen=True, slots=True)
class SolverAnswer:
    """What comes out: for programs as JSON's plain values, and in lines for people."""

    plain: Mapping[str, object]
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Named:
    """Marks a field that is an option with a value, as in `--n 6`: known by its name, not by its place."""


OnProgress: TypeAlias = Callable[[int, int], object]
"""Takes how much of something long is done, and how much there is."""


def unheard(done: int, of: int) -> None:
    """Report progress to nobody."""


class Question(Protocol):
    """A frozen dataclass whose fields are its arguments in their order, validated like settings.

    A flag is an option, and so is what is `Named`. The same question has the same answer.
    """

    def answer(self, progress: OnProgress = unheard) -> SolverAnswer:
        """Work it out, and report progress where that is known.

        Raises:
            Refusal: this cannot be asked.
            Failure: it would take too long.
        """


@dataclass(frozen=True, slots=True)
class Learner:
    """A strategy that remembers what it has seen: it is made afresh for each match."""

    make: Callable[[], Strategy]


Log: TypeAlias = Callable[[str], object]
"""Takes the next lines of a match's log, each ended by a line feed."""

MatchScore: TypeAlias = int | float | Fraction


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who competes. The strategy is asked `(view, menu, rng)`; None is no answer."""

    name: str
    strategy: Strategy


@dataclass(frozen=True, slots=True)
class Match:
    """A piece of a contest that stands by itself: its seed decides all its luck, whoever plays it."""

    number: int  # from 0
    seats: tuple[int, ...]  # who sits where, as places in the list of entrants
    games: int
    seed: str
    table: int = 0
    """Which of the line-ups it is that the contest has in any case, such as every two players.

    How scores differ from one table to another is no chance, so standard errors are those within tables.
    """


@dataclass(frozen=True, slots=True)
class Series:
    """So many matches, each made when it is asked for: a million of them take no room."""

    count: int
    make: Callable[[int], Match]  # by number, from 0

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Match]:
        return map(self.make, range(self.count))


def share(whole: int, parts: int, part: int) -> int:
    """Return the size of a part, numbered from 0, where sizes differ by one at most."""
    return whole // parts + (part < whole % parts)


CURVE_POINTS = 200  # of the scores of a match, at most


def next_point(played: int, games: int) -> int:
    """Return after how many games of a match its curve has the next point, if so many have been played."""
    return -(-(played * CURVE_POINTS // games + 1) * games // CURVE_POINTS)


@dataclass(frozen=True, slots=True)
class Measure:
    """What is told of players beside their scores, such as their mean regret; it ranks nobody.

    Measures that are parts of one whole, such as the games won, drawn and lost, name it in `part_of`, with
    its unit. They are told side by side and drawn as one bar.
    """

    name: str
    values: Sequence[MatchScore]  # so far, seat by seat
    squares: Sequence[MatchScore] = ()  # as those of a standing
    part_of: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a match stands after some of its games.

    Where every game is a draw of its own, as no game of a tournament is, scores may be means of the games'
    scores and `squares` the means of their squares. Means and standard errors are those of games then, and
    not of matches, so that it is all one how a contest is divided. Where a draw is several games, such as a
    deal that is played from both sides, `draws` says how many there have been, each of as many games, and
    `squares` are the means of the squares of a draw's mean: games of one draw hang together.

    Where it is the last of its match though games are left, `ended` says why: somebody has won past all
    that can be counted.

    Where players can be compared game by game, `ahead` says for each two in how many games the one did
    better; what is neither's is a draw. Such contests are rated.
    """

    games: int  # played
    scores: Sequence[MatchScore]  # so far, seat by seat; whole numbers stay whole
    measures: tuple[Measure, ...] = ()  # those of the last standing count, as its scores do
    squares: Sequence[MatchScore] = ()  # seat by seat
    ahead: Sequence[Sequence[int]] = ()  # so far, seat by seat
    draws: int = 0  # 0: as many as games
    ended: str = ""  # told only where games are left


@dataclass(frozen=True, slots=True)
class WireFormat:
    """How a program is asked, and how its answer is read.

    `ask` gives JSON's plain values. `read` takes the text or the number that came back and gives what
    a strategy would have, or raises ValueError, whose text tells the programmer what was wrong.
    `call` gives the arguments of the protocol that starts a program afresh for each decision, `line` the
    line of the protocol in which a program stays and answers with a line; a game has one of them at most.
    `seconds` is how long a program may take for an answer where nobody says.
    """

    ask: Callable[[Any, Any], Mapping[str, object]]
    read: Callable[[Any, Any, object], Any]
    call: Callable[[Any, Any], Sequence[str]] | None = None
    line: Callable[[Any, Any], str] | None = None
    seconds: float = 10.0


class Contest(Protocol):
    """The contest of one game: a frozen dataclass whose fields are its options, validated like settings.

    The first line of its documentation is what `chatbot arena GAME --help` says of it.
    Matches are made from the seed alone, so that the same seed gives the same result however the
    matches are spread over workers.
    """

    @property
    def strategies(self) -> Mapping[str, Strategy | Learner]:
        """The players of the house, by name."""

    @property
    def wire_format(self) -> WireFormat: ...

    @property
    def unit(self) -> str:
        """What scores count: a plural such as `credits`."""

    @property
    def usual_games(self) -> int:
        """How many games are played where nobody says."""

    def matches(self, entrants: int, games: int, seed: str) -> Series:
        """Divide a contest into matches.

        Raises:
            Failure: so many cannot play, or so few, or options do not go together.
        """

    def play(self, match: Match, entrants: Sequence[Entrant], log: Log | None) -> Iterator[Standing]:
        """Play a match; `entrants` are all of the contest's. The last standing is its result.

        There is one after each game, or at least at each `next_point`.

        `strategy` is asked about each game's first decision with a view whose `game` is a new number:
        that is how a program is told that a game begins.
        """


@dataclass(frozen=True, slots=True)
class Preparation:
    """What is to be done once on a machine, by a process beside the runs."""

    line: str  # that people are told
    module: str | None  # whose function `prepare` does it; None: it cannot be done, and the line says why
    claim: Path  # a file that exists while it is being done
    last: bool = False  # whether only while nobody else wants the processor


@runtime_checkable
class Prepared(Protocol):
    """A contest that has something to do once on a machine before it can play fast."""

    def preparation(self, games: int) -> Preparation | None:
        """Return what a run of so many games is worth; None: nothing is left to do."""
