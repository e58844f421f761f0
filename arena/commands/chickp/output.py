"""The output of `chickp`: plain lines whose words have a fixed order, so that scripts can parse them.

`docs/program/chickp.md` describes every kind. What programs write to standard error is written there, with
the number of the player.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.programs.program import safe
from chatbot.games.chickenpoker.contest.session import Failed, Played, SessionShown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from arena.commands.chickp.options import Options
    from chatbot.games.chickenpoker.contest.session import SessionEvent

    Write = Callable[[str], object]


@dataclass(slots=True)
class SessionTally:
    """The totals of the players, by place; only games that are over count."""

    totals: list[int]
    failures: list[int]
    games: int = 0

    @classmethod
    def of(cls, players: int) -> SessionTally:
        """Return the totals before the first game."""
        return cls([0] * players, [0] * players)

    def count(self, event: SessionEvent) -> None:
        """Add an event."""
        match event:
            case Failed():
                self.failures[event.place] += 1
            case Played():
                self.games += 1
                for place, points in enumerate(event.points):
                    self.totals[place] += points
            case SessionShown():
                pass

    def average(self, place: int) -> float:
        """Return the points of a player per game, 0.0 before the first."""
        return self.totals[place] / self.games if self.games else 0.0

    @property
    def winners(self) -> list[int]:
        """The numbers, from 1, of the players with the most points; empty before the first game."""
        most = max(self.totals)
        return [place for place, total in enumerate(self.totals, 1) if total == most] if self.games else []


def rounds(event: SessionShown) -> str:
    """Return the line of a round."""
    text = " ".join(f"{player} {card}" for player, card in event.cards.items())
    place = f"game {event.game + 1} round {event.number}"
    return f"{place} shown {text} winner {event.winner} points {event.points}"


def failure(event: Failed) -> str:
    """Return the line of a failure."""
    place = f"game {event.game + 1} round {event.number} player {event.place + 1}"
    return f"{place} failed {event.kind} {safe(event.why)}"


def game(event: Played, tally: SessionTally, names: Sequence[str]) -> Iterable[str]:
    """Yield the lines of a game, one for each player."""
    for place, (number, points) in enumerate(zip(event.ids, event.points, strict=True)):
        yield (
            f"game {event.game + 1} player {place + 1} id {number} points {points} "
            f"{_standing(tally, place, names[place])}"
        )


def session(options: Options, tally: SessionTally, names: Sequence[str]) -> Iterable[str]:
    """Yield the lines of a session."""
    yield (f"session games {tally.games} cards {options.cards} players {len(names)} seed {options.seed}")
    for place, name in enumerate(names):
        yield f"session player {place + 1} {_standing(tally, place, name)}"
    if tally.winners:
        yield f"session victory {' '.join(map(str, tally.winners))}"


def _standing(tally: SessionTally, place: int, name: str) -> str:
    return (
        f"total {tally.totals[place]} average {tally.average(place):.3f} "
        f"failures {tally.failures[place]} name {name}"
    )


class ProgramTrace:
    """Prints the lines of one program: the protocol if `write` is given, standard error unless `quiet`."""

    def __init__(self, number: int, write: Write | None, *, quiet: bool) -> None:
        self._number, self._write, self._quiet = number, write, quiet
        self._partial = ""

    def sent(self, text: str) -> None:
        """Print the lines that the program was sent."""
        if self._write is not None:
            for each in text.removesuffix("\n").split("\n"):
                self._write(f"debug player {self._number} sent {each}".rstrip())

    def received(self, text: str) -> None:
        """Print a line that it answered."""
        if self._write is not None:
            self._write(f"debug player {self._number} said {safe(text)}".rstrip())

    def wrote_errors(self, text: str) -> None:
        """Print the complete lines of what it wrote to standard error."""
        *lines, self._partial = (self._partial + text).split("\n")
        for each in lines:
            self._print_error(each)

    def end(self) -> None:
        """Print the last line of standard error if it has no line feed."""
        if self._partial:
            self.wrote_errors("\n")

    def _print_error(self, each: str) -> None:
        if not self._quiet:
            sys.stderr.write(f"player {self._number}: {safe(each)}\n")
