"""The contest that Bank Heist comes from: tournaments of programs, with the rabble around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from chatbot.games.heist.contest.contestants import CONTESTANTS
from chatbot.games.heist.contest.situation import ENDED, TONGUE, WORDS
from chatbot.games.heist.contest.tournament import Tournament
from chatbot.kernel.contest import Entrant, Log, Match, Series, Standing, Strategy, Tongue
from chatbot.kernel.settings import Unit, Whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.games.heist.contest.situation import Played


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


# Writes a tournament's log in the form of the contest's own example.


def written(played: Played, names: Sequence[str]) -> str:
    """Write one game: its two rounds, what the dice said, and who stands where."""
    return "".join(f"{line}\n" for line in _lines(played, names))


def _lines(played: Played, names: Sequence[str]) -> Iterator[str]:
    yield f"#####GAME {played.number}: {played.players} players######"
    yield "Round 1:"
    for who, stake in played.bets:
        yield f"{names[who]} bet {stake}."
    yield "Round 2"
    for who, act in played.answers:
        yield f"{names[who]} decided to {WORDS[act]}."
    yield "Results"
    for who, success, may_gain in played.results:
        said = f"was successful, and may gain ¥{may_gain}" if success else "failed. :("
        yield f"{names[who]} {said}"
    yield "Results:"
    yield from ranking(names, played.credits)


def ranking(names: Sequence[str], held: Sequence[int]) -> Iterator[str]:
    """Write the standings, the richest first, numbered from 0; equals by name, capitals first."""
    ordered = sorted(zip(names, held, strict=True), key=lambda each: (-each[1], each[0]))
    for place, (name, credits_held) in enumerate(ordered):
        yield f"{place}. {name}: {credits_held}"
