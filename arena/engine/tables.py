"""The contest of every game that has none of its own: tables by the rules of its chat, dealt in duplicate.

All players start each game with the same credits. A score is the mean of the credits won or lost in a game.
Each deal is played once for every rotation of the players through the seats, so that all get the same luck.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import Field

from arena.programs import protocols
from arena.programs.protocols import ProgramView
from arena.report.ranges import refusal_text
from chatbot.games import kits
from chatbot.kernel.contest import Entrant, Log, Match, Series, Standing, Strategy, WireFormat
from chatbot.kernel.fair import Rng, turn_key
from chatbot.kernel.game import Failure, Moment, Refusal, Seat, Sit, Timeout
from chatbot.kernel.say import Credits, Message
from chatbot.kernel.settings import Unit, Whole, make

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chatbot.kernel.game import AnyGame, Clock, Step, TransferParty
    from chatbot.kernel.kit import AnyKit

MAX_STEPS = 100_000  # of a game, after which it counts as endless

GAME = "game"  # the field of a contest that is not an option
PRESET = "preset"  # the key of a preset among the rules
_MATCHES = 32  # into which deals are divided, or more if these get too long: enough for a standard error
_MAX_DEALS = 100  # deals of a match


class TableGames:
    """Plays the games of a match; each begins with the same credits."""

    def __init__(self, kit: AnyKit, game: AnyGame, credits_each: int, log: Log | None) -> None:
        self._kit, self._game, self._credits, self._log = kit, game, credits_each, log

    def play(self, number: int, seed: str, entrants_by_seat: Sequence[Entrant]) -> list[int]:
        """Play a game; return the credits that each player has won (or lost, if negative), seat by seat.

        The random numbers of a turn depend on `seed` and on its number only, so that a deal is the same for
        every rotation.
        """
        self._number, self._seed, self._turn = number, seed.encode(), 0
        seats = [Seat(f"contestant:{place}") for place in range(len(entrants_by_seat))]
        self._names = dict(zip(seats, (each.name for each in entrants_by_seat), strict=True))
        self._purses: Counter[TransferParty] = Counter(dict.fromkeys(seats, self._credits))
        self._players = [
            (seat, each.strategy, Rng.of(f"{seed}/{number}/{each.name}"))
            for seat, each in zip(seats, entrants_by_seat, strict=True)
        ]
        self._write(f"#####GAME {number}: {', '.join(self._names.values())}######")
        self._run((*self._kit.seating.residents, *seats))
        winnings = [self._purses[seat] - self._credits for seat in seats]
        for seat, credits_won in zip(seats, winnings, strict=True):
            self._write(f"{self._names[seat]}: {credits_won:+}")
        return winnings

    def _run(self, seats: Sequence[Seat]) -> None:
        self._state = self._game.start()
        for seat in seats:
            self._apply(Sit(seat))
        while (clock := self._game.clock(self._state)) is not None:
            if not self._ask_players(clock):
                self._apply(Timeout(clock))

    def _ask_players(self, clock: Clock) -> bool:
        """Ask all players who have a choice; return whether the phase has changed.

        Ends as well when no menu has changed since its player was asked.
        """
        seen_menus: dict[Seat, list[object]] = {}
        acted = True
        while acted:
            acted = False
            for seat, strategy, rng in self._players:
                menu = self._menu(seat)
                if not menu or seen_menus.get(seat) == menu:
                    continue
                seen_menus[seat] = menu
                acted |= self._try(seat, strategy(self._position(seat), menu, rng))
                after = self._game.clock(self._state)
                if after is None or after.phase != clock.phase:
                    return True
        return False

    def _menu(self, seat: Seat) -> list[object]:
        """Return what a player can do; nobody leaves a table before its game, which is what is compared."""
        actions = self._game.menu(self._state, seat, self._purses[seat])
        leave = self._kit.money.leave
        return [each for each in actions if leave is None or not isinstance(each, leave)]

    def _position(self, seat: Seat) -> ProgramView:
        view = self._game.view(self._state, seat, self._purses[seat])
        return ProgramView(self._number, seat, self._purses[seat], view, self._permits)

    def _try(self, seat: Seat, action: object) -> bool:
        """Apply the action of a player; return whether there was one that the rules allow."""
        if action is None:
            return False
        try:
            self._apply(action)
        except Refusal:
            return False
        self._write(f"{self._names[seat]}: {self._kit.chat.line(action)}")
        return True

    def _permits(self, action: object) -> bool:
        """Whether the rules allow an action; applying it changes nothing, since a state is a value."""
        try:
            self._step(action)
        except Refusal:
            return False
        return True

    def _apply(self, action: object) -> None:
        if self._turn >= MAX_STEPS:
            raise Failure(f"A game of {self._kit.name} did not end within {MAX_STEPS} steps.")
        step = self._step(action)
        self._turn += 1
        for each in step.transfers:
            self._purses[each.source] -= each.credits
            self._purses[each.target] += each.credits
        self._state = step.state

    def _step(self, action: object) -> Step[Any]:  # Any: the state of whichever game
        purses = {seat: self._purses[seat] for seat in self._game.needs(self._state, action)}
        rng = Rng(turn_key(self._seed, self._turn + 1, ()))
        step: Step[Any] = self._game.apply(self._state, action, Moment(rng, purses))
        spending: Counter[TransferParty] = Counter()
        for each in step.transfers:
            spending[each.source] += each.credits
            spending[each.target] -= each.credits
        for seat in self._names:  # as wallets do in a chat, which the rules need not know
            balance = self._purses[seat]
            if spending[seat] > balance:
                raise Refusal(Message("too-few-credits", {"held": balance, "balance": Credits(balance)}))
        return step

    def _write(self, line: str) -> None:
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
        """The kit of the game."""
        return kits()[self.game]

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        """The strategies of the game's chat, by name."""
        return {name: partial(_decide, strategy) for name, strategy in self.kit.programs.strategies.items()}

    @property
    def wire_format(self) -> WireFormat:
        """The form of questions and answers of programs."""
        return protocols.wire_format(self.kit)

    def matches(self, entrants: int, games: int, seed: str) -> Series:
        """Divide the deals into matches; each player plays `games`, rounded up to whole rotations.

        Raises:
            Failure: a setting of the game is unknown or out of its range.
        """
        self._rules()
        return Rounds(entrants, min(self.seats, entrants), games, seed).matches

    def play(self, match: Match, entrants: Sequence[Entrant], log: Log | None) -> Iterator[Standing]:
        """Play a match; yield the mean credits won in a game after each game, seat by seat."""
        table_games = TableGames(self.kit, self._rules(), self.credits, log)
        size = len(match.seats)
        totals = [0] * size
        for number in range(match.games):
            deal, rotation = divmod(number, size)
            places = [
                (place + rotation) % size for place in range(size)
            ]  # the player at each place, by seat of the match
            entrants_by_seat = [entrants[match.seats[place]] for place in places]
            for place, credits_won in zip(
                places, table_games.play(number, f"{match.seed}/{deal}", entrants_by_seat), strict=True
            ):
                totals[place] += credits_won
            yield Standing(number + 1, [each / (number + 1) for each in totals])

    def _rules(self) -> Any:  # Any: `Rules` of any kit, which `Game` does not accept as the same type
        pairs = [each.partition("=") for each in self.rules.split(",") if each.strip()]
        values = {key.strip(): value.strip() for key, _, value in pairs}
        preset, presets = values.pop(PRESET, ""), self.kit.rules.presets
        if preset and preset not in presets:
            raise Failure(f"{self.game} has no preset {preset!r}; there are: {', '.join(presets) or 'none'}.")
        try:
            return make(self.kit.rules.game, {**presets.get(preset, {}), **values})
        except Refusal as refusal:
            raise Failure(refusal_text(self.game, refusal.message)) from None


class Rounds:
    """The matches of a contest of tables: in each round all players play, at as many tables as they need."""

    def __init__(self, entrants: int, seats: int, games: int, seed: str) -> None:
        self._entrants, self._seed = entrants, seed
        self._tables = -(-entrants // seats)
        deals = -(-games // -(-entrants // self._tables))
        self._rounds = max(min(deals, _MATCHES), -(-deals // _MAX_DEALS))
        self._deals = deals

    @property
    def matches(self) -> Series:
        """All matches, round by round."""
        return Series(self._rounds * self._tables, self.match)

    def match(self, number: int) -> Match:
        """Return a match by its number, from 0."""
        round_number, table = divmod(number, self._tables)
        seats = self._tables_of(round_number)[table]
        deals = _part_size(self._deals, self._rounds, round_number)
        return Match(number, seats, deals * len(seats), f"{self._seed}/match {number}")

    def _tables_of(self, round_number: int) -> list[tuple[int, ...]]:
        players = list(range(self._entrants))
        if self._tables > 1:
            players = Rng.of(f"{self._seed}/round {round_number}").shuffled(players)
        ends = [self._entrants * table // self._tables for table in range(self._tables + 1)]
        return [tuple(players[start:end]) for start, end in pairwise(ends)]


def _part_size(whole: int, parts: int, part: int) -> int:
    """Return the size of a part (from 0) of a whole that is divided into parts differing by one at most."""
    return whole // parts + (part < whole % parts)


def _decide(strategy: Strategy, position: ProgramView, menu: Sequence[object], rng: object) -> object:
    """Call a strategy of the chat, which gets the view and not the whole position."""
    return strategy(position.view, menu, rng)
