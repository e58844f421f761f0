"""A game of High Show played by hand: the deck is laid by the test, and every step is checked on its way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from chatbot.games.highshow import KIT
from chatbot.games.highshow.rules.moves import CashOut, Guess, Open, SeeAnother
from chatbot.games.highshow.rules.rules import HighShow
from chatbot.kernel.commands import MoveRequest
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Refusal, Seat
from tests.games.by_hand import ByHand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.games.highshow.rules.states import State, View
    from chatbot.kernel.say import Message, Say

ANN, BOB = Seat("test:ann"), Seat("test:bob")
T = TypeVar("T")


class Laid(Rng):
    """The one luck of a game, told beforehand: K, and the order in which the deck lies."""

    def __init__(self, deck: Sequence[int]) -> None:
        super().__init__(b"")
        self._deck = list(deck)

    def below(self, limit: int) -> int:
        assert limit == 3 * len(self._deck), "K is one of 1..3N"
        return min(self._deck) - 1

    def shuffled(self, items: Sequence[T]) -> list[T]:
        assert list(items) == sorted(self._deck), "the cards are K, K+1, …"
        return [items[card - min(self._deck)] for card in self._deck]


class Table(ByHand):
    """One table of Ann's."""

    game: HighShow
    state: State

    def __init__(self, deck: Sequence[int], game: HighShow | None = None) -> None:
        super().__init__(HighShow() if game is None else game, Laid(deck))
        self.deck = list(deck)

    def open(self, keep: int, penalty: str = "none", stake: int = 0) -> Table:
        self.act(Open(ANN, len(self.deck), keep, penalty, stake))
        return self

    @property
    def sound(self) -> bool:
        return True  # tests lay down stakes that nobody has put

    def play(self, choices: str) -> tuple[Any, ...]:
        """Play `k` for keep and `r` for reject, and give what happened last."""
        return [self.act(CashOut(ANN) if each == "k" else SeeAnother(ANN)) for each in choices][-1]

    def end(self, guess: Guess | None = None) -> Any:
        """Answer to the question for estimates, and give the one event."""
        (revealed,) = self.act(guess or Guess(ANN))
        return revealed

    def view(self, seat: Seat | None = None) -> View:
        return self.game.view(self.state, seat, 1000)


def typed(line: str, purse: int = 1000, game: HighShow | None = None) -> Any:
    """Read a line as Ann would type it, where twelve cards are usual."""
    word, *words = line.removeprefix("!").split()
    command = next(each for each in KIT.chat.commands if word in (each.word, *each.aliases))
    return command.read(HighShow(cards=12) if game is None else game, MoveRequest(ANN, purse, tuple(words)))


def not_read(line: str, purse: int = 1000, game: HighShow | None = None) -> Message:
    with pytest.raises(Refusal) as refusal:
        typed(line, purse, game)
    return refusal.value.message


def says(event: Any) -> list[Say]:
    """Everything that is said of an event, what is thought about first included."""
    thought = KIT.chat.analyses.get(type(event))
    return [*KIT.chat.narrate(event), *(thought(event) if thought else ())]
