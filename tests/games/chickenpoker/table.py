"""A game of Chicken Poker played by hand: the seats stay in the order of joining unless a test draws them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from chatbot.games.chickenpoker import KIT
from chatbot.games.chickenpoker.moves import Join, Play
from chatbot.games.chickenpoker.rules import ChickenPoker
from chatbot.games.chickenpoker.states import Playing
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Moment, Refusal, Seat, Step, Till, Timeout
from chatbot.kernel.kit import Request

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.games.chickenpoker.states import State
    from chatbot.games.chickenpoker.views import View
    from chatbot.kernel.game import Purse
    from chatbot.kernel.say import Message

ANN, BOB, CAT, DAN, EVE = (Seat(f"test:{name}") for name in ("ann", "bob", "cat", "dan", "eve"))
PEOPLE = (ANN, BOB, CAT, DAN, EVE, *(Seat(f"test:p{number}") for number in range(5)))
NASH, RANDOM, LINEAR = (Seat(f"house:{name}") for name in ("nash", "random", "linear"))
T = TypeVar("T")


class InOrder(Rng):
    """Luck that leaves the seats in the order in which people came."""

    def shuffled(self, items: Sequence[T]) -> list[T]:
        return list(items)


class Table:
    """One table, whose purses add up at each step; `refused` says that nothing happened."""

    def __init__(self, game: ChickenPoker | None = None, seed: str = "a table") -> None:
        self.game = ChickenPoker() if game is None else game
        self.luck: Rng = InOrder.of(seed)
        self.state: State = self.game.start()
        self.events: list[Any] = []
        self.purses: Counter[Purse] = Counter()

    def act(self, action: Any) -> tuple[Any, ...]:
        """Take an action, and give what happened."""
        step: Step[State] = self.game.apply(self.state, action, Moment(self.luck))
        for each in step.transfers:
            self.purses[each.source] -= each.credits
            self.purses[each.target] += each.credits
        self.state = step.state
        self.events += step.events
        assert self.purses[Till.POT] >= 0
        return step.events

    def seated(self, *seats: Seat, cards: int = 3, stake: int = 0) -> Table:
        """Let these join, and the lobby close."""
        for seat in seats:
            self.act(Join(seat, cards, stake))
        if not isinstance(self.state, Playing):
            self.time_out()
        return self

    def round(self, *cards: int) -> tuple[Any, ...]:
        """Let everybody choose, in the order of the ids; 0 is silence. Give what happened last."""
        happened: tuple[Any, ...] = ()
        for seat, card in zip(self.playing.order, cards, strict=True):
            if card:
                happened = self.act(Play(seat, card))
        return happened if all(cards) else self.time_out()

    def round_alone(self, card: int) -> tuple[Any, ...]:
        """Let the only one who is not the house's own choose."""
        (seat,) = self.playing.waiting
        return self.act(Play(seat, card))

    def time_out(self) -> tuple[Any, ...]:
        clock = self.game.clock(self.state)
        assert clock is not None
        return self.act(Timeout(clock))

    def refused(self, action: Any) -> Message:
        with pytest.raises(Refusal) as refusal:
            self.game.apply(self.state, action, Moment(self.luck))
        return refusal.value.message

    def view(self, seat: Seat | None = None) -> View:
        return self.game.view(self.state, seat, 1000)

    def of(self, kind: type[T]) -> list[T]:
        return [each for each in self.events if isinstance(each, kind)]

    @property
    def playing(self) -> Playing:
        assert isinstance(self.state, Playing)
        return self.state

    @property
    def totals(self) -> Mapping[Seat, int]:
        return self.view().totals


def typed(line: str, purse: int = 1000, *, public: bool = False) -> Any:
    """Read a line as Ann would type it."""
    word, *words = line.removeprefix("!").split()
    command = next(each for each in KIT.commands if word in (each.word, *each.aliases))
    return command.read(ChickenPoker(), Request(ANN, purse, tuple(words), public))


def not_read(line: str) -> Message:
    with pytest.raises(Refusal) as refusal:
        typed(line)
    return refusal.value.message
