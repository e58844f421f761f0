"""The contest of every game that has none of its own: tables by the rules of its chat, dealt in duplicate.

Everybody sits down with the same purse. A score is the credits won or lost in a game, on average. Each
deal is played once for every rotation of the players through the seats, so that its luck meets all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import Field

from chatbot.arena.engine.dealing import Dealing
from chatbot.arena.programs import told
from chatbot.arena.report.ranges import refused
from chatbot.games import kits
from chatbot.kernel.contest import Entrant, Log, Match, Series, Standing, Strategy, Tongue
from chatbot.kernel.failure import Failure
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Refusal
from chatbot.kernel.settings import Unit, Whole, make

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chatbot.arena.programs.told import ProgramView
    from chatbot.kernel.kit import AnyKit

GAME = "game"  # the field that is no option
PRESET = "preset"  # what names a preset among the rules
_MATCHES = 32  # into which deals are divided, unless they get too long: enough for a standard error
_LONGEST = 100  # deals of a match


@dataclass(frozen=True, slots=True)
class TableContest:
    """Tables of one game, whose players are drawn afresh for each round where they do not fit at one."""

    game: str
    credits: Annotated[
        Whole,
        Field(ge=1, le=10**9, description="What everybody sits down with, in each game."),
        Unit("credits"),
    ] = 1000
    seats: Annotated[
        Whole, Field(ge=1, le=100, description="The most players at one table."), Unit("people")
    ] = 6
    rules: Annotated[
        str, Field(description="Settings of the game, such as preset=NAME or KEY=VALUE,KEY=VALUE.")
    ] = ""

    unit: ClassVar[str] = "credits a game"
    usual_games: ClassVar[int] = 1000

    @property
    def kit(self) -> AnyKit:
        return kits()[self.game]

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        return {name: partial(_shown, strategy) for name, strategy in self.kit.strategies.items()}

    @property
    def tongue(self) -> Tongue:
        return told.tongue(self.kit)

    def matches(self, entrants: int, games: int, seed: str) -> Series:
        """Divide the deals; everybody plays `games`, rounded up to whole rotations.

        Raises:
            Failure: a setting of the game is unknown or out of its range.
        """
        self._made()
        return Rounds(entrants, min(self.seats, entrants), games, seed).matches

    def play(self, match: Match, entrants: Sequence[Entrant], log: Log | None) -> Iterator[Standing]:
        dealing = Dealing(self.kit, self._made(), self.credits, log)
        size = len(match.seats)
        won = [0] * size
        for number in range(match.games):
            deal, rotation = divmod(number, size)
            places = [
                (place + rotation) % size for place in range(size)
            ]  # who sits at each, by seat of the match
            sitting = [entrants[match.seats[place]] for place in places]
            for place, credits_won in zip(
                places, dealing.play(number, f"{match.seed}/{deal}", sitting), strict=True
            ):
                won[place] += credits_won
            yield Standing(number + 1, [each / (number + 1) for each in won])

    def _made(self) -> Any:
        pairs = [each.partition("=") for each in self.rules.split(",") if each.strip()]
        chosen = {key.strip(): value.strip() for key, _, value in pairs}
        preset, presets = chosen.pop(PRESET, ""), self.kit.presets
        if preset and preset not in presets:
            raise Failure(f"{self.game} has no preset {preset!r}; there are: {', '.join(presets) or 'none'}.")
        try:
            return make(self.kit.game, {**presets.get(preset, {}), **chosen})
        except Refusal as refusal:
            raise Failure(refused(self.game, refusal.message)) from None


class Rounds:
    """The matches of a contest of tables: in each round everybody plays, at as many tables as it takes."""

    def __init__(self, entrants: int, seats: int, games: int, seed: str) -> None:
        self._entrants, self._seed = entrants, seed
        self._tables = -(-entrants // seats)
        deals = -(-games // -(-entrants // self._tables))
        self._rounds = max(min(deals, _MATCHES), -(-deals // _LONGEST))
        self._deals = deals

    @property
    def matches(self) -> Series:
        return Series(self._rounds * self._tables, self.match)

    def match(self, number: int) -> Match:
        of_round, table = divmod(number, self._tables)
        seats = self._seated(of_round)[table]
        deals = _share(self._deals, self._rounds, of_round)
        return Match(number, seats, deals * len(seats), f"{self._seed}/match {number}")

    def _seated(self, of_round: int) -> list[tuple[int, ...]]:
        players = list(range(self._entrants))
        if self._tables > 1:
            players = Rng.of(f"{self._seed}/round {of_round}").shuffled(players)
        ends = [self._entrants * table // self._tables for table in range(self._tables + 1)]
        return [tuple(players[start:end]) for start, end in pairwise(ends)]


def _share(whole: int, parts: int, part: int) -> int:
    """Give one of so many parts that differ by one at most."""
    return whole // parts + (part < whole % parts)


def _shown(strategy: Strategy, told: ProgramView, menu: Sequence[Any], rng: Any) -> Any:
    """Have a strategy of the chat play: it sees the view and no more."""
    return strategy(told.view, menu, rng)
