"""What `chickp` prints: plain lines, each with words in a fixed order, so that scripts can read them.

docs/program/chickp.md describes every kind. What programs write to standard error goes there, marked with
their number.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.arena.programs.program import safe
from chatbot.games.chickenpoker.contest.session import Failed, Played, SessionShown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from chatbot.cli.chickp.options import Options
    from chatbot.games.chickenpoker.contest.session import Event

    Print = Callable[[str], object]


@dataclass(slots=True)
class SessionTally:
    """What the players have so far; only games that are over count."""

    totals: list[int]
    failures: list[int]
    games: int = 0

    @classmethod
    def of(cls, players: int) -> SessionTally:
        return cls([0] * players, [0] * players)

    def count(self, event: Event) -> None:
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
        """Give the points of a player per game."""
        return self.totals[place] / self.games if self.games else 0.0

    @property
    def winners(self) -> list[int]:
        """Give the numbers, from 1, of those with the most points."""
        most = max(self.totals)
        return [place for place, total in enumerate(self.totals, 1) if total == most] if self.games else []


def rounds(event: SessionShown) -> str:
    shown = " ".join(f"{player} {card}" for player, card in event.cards.items())
    place = f"game {event.game + 1} round {event.number}"
    return f"{place} shown {shown} winner {event.winner} points {event.points}"


def failure(event: Failed) -> str:
    place = f"game {event.game + 1} round {event.number} player {event.place + 1}"
    return f"{place} failed {event.kind} {safe(event.why)}"


def game(event: Played, tally: SessionTally, names: Sequence[str]) -> Iterable[str]:
    for place, (number, points) in enumerate(zip(event.ids, event.points, strict=True)):
        yield (
            f"game {event.game + 1} player {place + 1} id {number} points {points} "
            f"{_standing(tally, place, names[place])}"
        )


def session(options: Options, tally: SessionTally, names: Sequence[str]) -> Iterable[str]:
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


class Debug:
    """Tells what one program is sent and says, if wanted, and what it complains of."""

    def __init__(self, number: int, tell: Print | None, *, quiet: bool) -> None:
        self._number, self._tell, self._quiet = number, tell, quiet
        self._partial = ""

    def sent(self, text: str) -> None:
        if self._tell is not None:
            for each in text.removesuffix("\n").split("\n"):
                self._tell(f"debug player {self._number} sent {each}".rstrip())

    def heard(self, text: str) -> None:
        if self._tell is not None:
            self._tell(f"debug player {self._number} said {safe(text)}".rstrip())

    def complained(self, text: str) -> None:
        *lines, self._partial = (self._partial + text).split("\n")
        for each in lines:
            self._complain(each)

    def end(self) -> None:
        if self._partial:
            self.complained("\n")

    def _complain(self, each: str) -> None:
        if not self._quiet:
            sys.stderr.write(f"player {self._number}: {safe(each)}\n")
