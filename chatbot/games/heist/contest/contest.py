"""The contest that Bank Heist comes from: tournaments of programs, with the rabble around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from chatbot.games.heist.contest.compiled import machine_code
from chatbot.games.heist.contest.compiled.tournament import CompiledTournament
from chatbot.games.heist.contest.contestants import CONTESTANTS
from chatbot.games.heist.contest.situation import ENDED, WIRE_FORMAT, WORDS
from chatbot.kernel.contest import Entrant, Log, Match, Preparation, Series, Standing, Strategy, WireFormat
from chatbot.kernel.settings import Unit, Whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.games.heist.contest.situation import Played

COMPILED_FROM = 20_000
"""Games of a run from which on they are compiled, if they never were: fewer are over in a few seconds."""
EAGER_FROM = 400_000
"""Games of a run from which on compiling takes its share of the processors, which pays within the run. Below,
it takes only what the run leaves, so that no run is slower than without it: to compile takes as long as
150,000 games."""
COMPILING = (
    "The game is being compiled for this computer in the background, which is done once; games are slower"
    " until then. If it takes longer than the run it goes on for the next."
)
UNWRITABLE = (
    "Games are slower than they could be: {folder!r}, where compiled code is kept, cannot be written."
)
FAILED = (
    "Games are slower than they could be, since the game cannot be compiled here: {reason}. Without the file"
    " {note!r} it is tried again."
)
COMPILATION = "chatbot.games.heist.contest.compiled.compilation"


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

    def preparation(self, games: int) -> Preparation | None:
        """Have the games compiled, unless that has been done before or would not pay."""
        if games < COMPILED_FROM or not machine_code.is_supported() or machine_code.is_kept():
            return None
        claim = machine_code.claim()
        if (folder := machine_code.unwritable_folder()) is not None:
            return Preparation(UNWRITABLE.format(folder=str(folder)), None, claim)
        if (failure := machine_code.failure()) is not None:
            return Preparation(FAILED.format(reason=failure[0], note=str(failure[1])), None, claim)
        return Preparation(COMPILING, COMPILATION, claim, last=games < EAGER_FROM)

    def play(self, match: Match, entrants: Sequence[Entrant], log: Log | None) -> Iterator[Standing]:
        players = [entrants[seat] for seat in match.seats]
        later = match.games * (self.tournaments - match.number - 1)
        tournament = CompiledTournament(players, self.rabble, match.seed, later)
        if log is None:
            for played, balances in tournament.scores(match.games):
                yield Standing(played, balances, ended=ENDED)
            return
        names = [each.name for each in players]
        for game in tournament.play(match.games):
            log(game_log(game, names))
            yield Standing(game.number + 1, game.credits, ended=ENDED)


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
