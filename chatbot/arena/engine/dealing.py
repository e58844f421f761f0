"""One game at a table where nobody watches, by the rules of its chat; nobody waits for the clock."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from chatbot.arena.programs.told import ProgramView
from chatbot.kernel.failure import Failure
from chatbot.kernel.fair import Rng, turn_key
from chatbot.kernel.game import Moment, Refusal, Seat, Sit, Timeout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.kernel.contest import Entrant, Log
    from chatbot.kernel.game import AnyGame, Clock, Purse, Step
    from chatbot.kernel.kit import AnyKit

MOST_STEPS = 100_000  # of a game


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
