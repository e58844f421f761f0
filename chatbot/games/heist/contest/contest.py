"""The contest that Bank Heist comes from: tournaments of programs, with the rabble around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from chatbot.games.heist.contest.compiled import compilation
from chatbot.games.heist.contest.compiled.tournament import CompiledTournament
from chatbot.games.heist.contest.contestants import CONTESTANTS
from chatbot.games.heist.contest.situation import ENDED, WIRE_FORMAT, WORDS
from chatbot.games.heist.contest.tournament import Tournament
from chatbot.kernel.contest import Entrant, Log, Match, Series, Standing, Strategy, WireFormat
from chatbot.kernel.settings import Unit, Whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from chatbot.games.heist.contest.situation import Played

COMPILED_FROM = 20_000
"""Games of a run from which on they are compiled. To load what is compiled takes as long as a plain game
takes, ten thousand times."""


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
    wire_format: ClassVar[WireFormat] = WIRE_FORMAT
    unit: ClassVar[str] = "credits"
    usual_games: ClassVar[int] = 1000

    def matches(self, entrants: int, games: int, seed: str) -> Series:
        seats = tuple(range(entrants))
        return Series(
            self.tournaments, lambda number: Match(number, seats, games, f"{seed}/tournament {number}")
        )

    def prepare(self, games: int, tell: Callable[[str], object]) -> None:
        """Compile the games, unless that has been done before or would not pay."""
        if _is_compiled(games):
            compilation.compile_once(tell)

    def play(self, match: Match, entrants: Sequence[Entrant], log: Log | None) -> Iterator[Standing]:
        players = [entrants[seat] for seat in match.seats]
        names = [each.name for each in players]
        compiled = _is_compiled(match.games * self.tournaments)
        if compiled and log is None:
            for number, balances in CompiledTournament(players, self.rabble, match.seed).scores(match.games):
                yield Standing(number + 1, balances, ended=ENDED)
            return
        kind = CompiledTournament if compiled else Tournament
        for game in kind(players, self.rabble, match.seed).play(match.games):
            if log is not None:
                log(game_log(game, names))
            yield Standing(game.number + 1, game.credits, ended=ENDED)


def _is_compiled(games: int) -> bool:
    """Return whether so many games are played by compiled code: few are over before it is loaded."""
    return games >= COMPILED_FROM and compilation.compiler() is not None


# Writes a tournament's log in the form of the contest's own example.


def game_log(game: Played, names: Sequence[str]) -> str:
    """Write one game: its two rounds, what the dice said, and who stands where."""
    return "".join(f"{line}\n" for line in _lines(game, names))


def _lines(game: Played, names: Sequence[str]) -> Iterator[str]:
    yield f"#####GAME {game.number}: {game.players} players######"
    yield "Round 1:"
    for who, stake in game.bets:
        yield f"{names[who]} bet {stake}."
    yield "Round 2"
    for who, act in game.answers:
        yield f"{names[who]} decided to {WORDS[act]}."
    yield "Results"
    for who, success, may_gain in game.results:
        outcome = f"was successful, and may gain ¥{may_gain}" if success else "failed. :("
        yield f"{names[who]} {outcome}"
    yield "Results:"
    yield from ranking(names, game.credits)


def ranking(names: Sequence[str], balances: Sequence[int]) -> Iterator[str]:
    """Write the standings, the richest first, numbered from 0; equals by name, capitals first."""
    ordered = sorted(zip(names, balances, strict=True), key=lambda each: (-each[1], each[0]))
    for place, (name, credits_held) in enumerate(ordered):
        yield f"{place}. {name}: {credits_held}"
