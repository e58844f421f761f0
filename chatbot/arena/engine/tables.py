"""The contest of every game that has none of its own: tables by the rules of its chat, dealt in duplicate.

Everybody sits down with the same purse. A score is the credits won or lost in a game, on average. Each
deal is played once for every rotation of the players through the seats, so that its luck meets all.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import Field

from chatbot.arena.programs import protocols
from chatbot.arena.programs.protocols import ProgramView
from chatbot.arena.report.ranges import refused
from chatbot.games import kits
from chatbot.kernel.contest import Entrant, Log, Match, Series, Standing, Strategy, Tongue
from chatbot.kernel.failure import Failure
from chatbot.kernel.fair import Rng, turn_key
from chatbot.kernel.game import Moment, Refusal, Seat, Sit, Timeout
from chatbot.kernel.settings import Unit, Whole, make

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chatbot.kernel.game import AnyGame, Clock, Purse, Step
    from chatbot.kernel.kit import AnyKit

MOST_STEPS = 100_000  # of a game

GAME = "game"  # the field that is no option
PRESET = "preset"  # what names a preset among the rules
_MATCHES = 32  # into which deals are divided, unless they get too long: enough for a standard error
_LONGEST = 100  # deals of a match


class Dealing:
    """Plays the games of a match, each with full purses."""

    def __init__(self, kit: AnyKit, rules: AnyGame, credits_each: int, log: Log | None) -> None:
        self._kit, self._rules, self._credits, self._log = kit, rules, credits_each, log

    def play(self, number: int, seed: str, sitting: Sequence[Entrant]) -> list[int]:
        """Play a game; give what each has won, or lost.

        The luck of a turn depends on the seed and its number only, so that the same deal meets everybody.
        """
        self._number, self._seed, self._turn = number, seed.encode(), 0
        seats = [Seat(f"contestant:{place}") for place in range(len(sitting))]
        self._names = dict(zip(seats, (each.name for each in sitting), strict=True))
        self._purses: Counter[Purse] = Counter(dict.fromkeys(seats, self._credits))
        self._records: dict[Seat, Any] = {}
        self._players = [
            (seat, each.strategy, Rng.of(f"{seed}/{number}/{each.name}"))
            for seat, each in zip(seats, sitting, strict=True)
        ]
        self._tell(f"#####GAME {number}: {', '.join(self._names.values())}######")
        self._run((*self._kit.hosted.residents, *seats))
        won = [self._purses[seat] - self._credits for seat in seats]
        for seat, credits_won in zip(seats, won, strict=True):
            self._tell(f"{self._names[seat]}: {credits_won:+}")
        return won

    def _run(self, seats: Sequence[Seat]) -> None:
        self._state = self._rules.start()
        for seat in seats:
            self._do(Sit(seat))
        while (clock := self._rules.clock(self._state)) is not None:
            if not self._moved(clock):
                self._do(Timeout(clock))

    def _moved(self, clock: Clock) -> bool:
        """Ask everybody who has something to choose, until the phase is over or nobody has anything new."""
        asked: dict[Seat, list[Any]] = {}
        moved = True
        while moved:
            moved = False
            for seat, strategy, rng in self._players:
                menu = list(self._rules.menu(self._state, seat, self._purses[seat]))
                if not menu or asked.get(seat) == menu:
                    continue
                asked[seat] = menu
                moved |= self._asked(seat, strategy(self._told(seat), menu, rng))
                after = self._rules.clock(self._state)
                if after is None or after.phase != clock.phase:
                    return True
        return False

    def _told(self, seat: Seat) -> ProgramView:
        view = self._rules.view(self._state, seat, self._purses[seat])
        return ProgramView(self._number, seat, self._purses[seat], view, self._permits)

    def _asked(self, seat: Seat, action: Any) -> bool:
        if action is None:
            return False
        try:
            self._do(action)
        except Refusal:
            return False
        self._tell(f"{self._names[seat]}: {self._kit.line(action)}")
        return True

    def _permits(self, action: Any) -> bool:
        """Whether the rules would take it; trying changes nothing, since a state is a value."""
        try:
            self._step(action)
        except Refusal:
            return False
        return True

    def _do(self, action: Any) -> None:
        if self._turn >= MOST_STEPS:
            raise Failure(f"A game of {self._kit.name} did not end within {MOST_STEPS} steps.")
        step = self._step(action)
        self._turn += 1
        for each in step.transfers:
            self._purses[each.source] -= each.credits
            self._purses[each.target] += each.credits
        self._state = step.state

    def _step(self, action: Any) -> Step[Any]:
        purses = {seat: self._purses[seat] for seat in self._rules.needs(self._state, action)}
        luck = Rng(turn_key(self._seed, self._turn + 1, ()))
        step: Step[Any] = self._rules.apply(self._state, action, Moment(luck, purses))
        return step

    def _tell(self, line: str) -> None:
        if self._log is not None:
            self._log(f"{line}\n")


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
        return protocols.tongue(self.kit)

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
