"""The contest that Bank Heist comes from: tournaments of programs, with the rabble around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from chatbot.games.heist.contest.contestants import CONTESTANTS
from chatbot.games.heist.contest.logbook import written
from chatbot.games.heist.contest.situation import ENDED, TONGUE
from chatbot.games.heist.contest.tournament import Tournament
from chatbot.kernel.contest import Entrant, Log, Match, Series, Standing, Strategy, Tongue
from chatbot.kernel.settings import Unit, Whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, slots=True)
class HeistContest:
    """Every match is a tournament, in which everybody plays all the games.

    It ends early with a game in which somebody comes to hold more than any program can be told.
    """

    tournaments: Annotated[
        Whole,
        Field(ge=1, le=1_000_000, description="How many tournaments are played; scores are added up."),
        Unit("tournaments"),
    ] = 1
    rabble: Annotated[
        Whole,
        Field(ge=0, le=100_000, description="The largest number of background players."),
        Unit("people"),
    ] = 500

    strategies: ClassVar[Mapping[str, Strategy]] = CONTESTANTS
    tongue: ClassVar[Tongue] = TONGUE
    unit: ClassVar[str] = "credits"
    usual_games: ClassVar[int] = 1000

    def matches(self, entrants: int, games: int, seed: str) -> Series:
        seats = tuple(range(entrants))
        return Series(
            self.tournaments, lambda number: Match(number, seats, games, f"{seed}/tournament {number}")
        )

    def play(self, match: Match, entrants: Sequence[Entrant], log: Log | None) -> Iterator[Standing]:
        players = [entrants[seat] for seat in match.seats]
        names = [each.name for each in players]
        for played in Tournament(players, self.rabble, match.seed).play(match.games):
            if log is not None:
                log(written(played, names))
            yield Standing(played.number + 1, played.credits, ended=ENDED)
