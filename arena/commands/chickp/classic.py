"""The output of the original environment, line by line: what `chickp --classic` prints.

Agents are numbered in the order of the command line. "Player" is the original's word for the id of a game,
which rotates. Averages have the six significant digits that C++ streams print.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from arena.commands.chickp.output import failure
from chatbot.games.chickenpoker.contest.session import Failed, Played, SessionShown
from chatbot.games.chickenpoker.rules.showdown import player_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from arena.commands.chickp.options import Options
    from arena.commands.chickp.output import SessionTally
    from chatbot.games.chickenpoker.contest.session import SessionEvent


class ClassicOutput:
    """Writes the lines of a session; games are called episodes."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._started = 0  # episodes whose beginning has been written

    def opening(self) -> Iterator[str]:
        """Yield the lines before the first game."""
        if self._options.quiet:
            return
        for number, command in enumerate(self._options.commands, 1):
            yield f"Agent {number}: {command}"
        yield f"Starting {self._options.games} games, each with {self._options.cards} rounds."

    def lines(self, event: SessionEvent) -> Iterator[str]:
        """Yield the lines of an event; failures, which the original has no line for, go to standard error."""
        if isinstance(event, Failed):
            sys.stderr.write(f"{failure(event)}\n")
            return
        if self._options.verbose and event.game >= self._started:
            self._started = event.game + 1
            yield f"Starting episode {event.game + 1}"
        match event:
            case SessionShown() if self._options.verbose:
                yield from self._round(event)
            case Played():
                yield from summary(f"Episode {event.game + 1}", event.points, self._options.cards)

    def closing(self, tally: SessionTally) -> Iterator[str]:
        """Yield the summary of the session."""
        yield from summary("Session", tally.totals, tally.games)

    def _round(self, event: SessionShown) -> Iterator[str]:
        players = len(self._options.commands)
        for place in range(players):
            number = player_id(place, event.game, players)
            if number in event.cards:  # whoever has forfeited the game shows nothing
                yield f"    Agent {place + 1}: {event.cards[number]}"
        yield f"Round {event.number}. Player {event.winner} wins {event.points}"


def summary(title: str, totals: Sequence[int], count: int) -> Iterator[str]:
    """Yield a summary: the highest total first, equal ones in the order of the command line.

    An average is a total divided by `count`, the rounds of a game or the games of a session.
    """
    yield ""
    yield f"{title} summary"
    for place in sorted(range(len(totals)), key=lambda place: -totals[place]):
        average = totals[place] / count if count else 0.0
        yield f"Agent {place + 1}: total {totals[place]} , average {average:g}"
