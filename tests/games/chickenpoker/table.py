"""A game of Chicken Poker played by hand: the seats stay in the order of joining unless a test draws them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from chatbot.games.chickenpoker import KIT
from chatbot.games.chickenpoker.rules.moves import Join, Play
from chatbot.games.chickenpoker.rules.rules import ChickenPoker
from chatbot.games.chickenpoker.rules.states import Playing
from chatbot.kernel.commands import MoveRequest
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Refusal, Seat
from tests.games.by_hand import ByHand

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.games.chickenpoker.rules.states import State, View
    from chatbot.kernel.say import Message

ANN, BOB, CAT, DAN, EVE = (Seat(f"test:{name}") for name in ("ann", "bob", "cat", "dan", "eve"))
PEOPLE = (ANN, BOB, CAT, DAN, EVE, *(Seat(f"test:p{number}") for number in range(5)))
NASH, RANDOM, LINEAR = (Seat(f"house:{name}") for name in ("nash", "random", "linear"))
T = TypeVar("T")


class InOrder(Rng):
    """Luck that leaves the seats in the order in which people came."""

    def shuffled(self, items: Sequence[T]) -> list[T]:
        return list(items)


class Table(ByHand):
    game: ChickenPoker
    state: State

    def __init__(self, game: ChickenPoker | None = None, seed: str = "a table") -> None:
        super().__init__(ChickenPoker() if game is None else game, InOrder.of(seed))

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

    def view(self, seat: Seat | None = None) -> View:
        return self.game.view(self.state, seat, 1000)

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
    command = next(each for each in KIT.chat.commands if word in (each.word, *each.aliases))
    return command.read(ChickenPoker(), MoveRequest(ANN, purse, tuple(words), public))


def not_read(line: str) -> Message:
    with pytest.raises(Refusal) as refusal:
        typed(line)
    return refusal.value.message
