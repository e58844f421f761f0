"""A game of Six Card Poker played by hand: the test lays the deal, and credits add up at each step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from chatbot.games.sixcardpoker import KIT
from chatbot.games.sixcardpoker.rules.cards import arrange
from chatbot.games.sixcardpoker.rules.moves import Accept, Arrange, Open
from chatbot.games.sixcardpoker.rules.rules import SixCardPoker
from chatbot.games.sixcardpoker.rules.states import THE_HOUSE, Playing
from chatbot.kernel.commands import MoveRequest
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Refusal, Seat, SystemPurse
from tests.games.by_hand import ByHand

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from chatbot.games.sixcardpoker.rules.cards import Arrangement
    from chatbot.games.sixcardpoker.rules.states import State, View
    from chatbot.kernel.say import Message

ANN, BOB, CAT = (Seat(f"test:{name}") for name in ("ann", "bob", "cat"))
MEMBERS = {"@bob": BOB, "@ann": ANN, "@nash": THE_HOUSE}
T = TypeVar("T")

OWN, OTHER = "123344", "111222"
"""The usual deal. Best play sets the second as 111 22 2, and nothing else."""
WIN, DRAW, LOSS = "441 33 2", "443 31 2", "443 32 1"
"""How the first does against that: High wins; of Middle and Low, the pair of 3s wins and the 1 loses."""


class Laid(Rng):
    """Luck whose deal is told beforehand, if it is; all else comes from a word."""

    def __init__(self, word: str, cards: str = "") -> None:
        super().__init__(word.encode())
        self.cards = tuple(map(int, cards))

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        return [items[4 * card - 1] for card in self.cards] or super().sample(items, count)


class Table(ByHand):
    """One table of Ann's."""

    game: SixCardPoker
    state: State

    def __init__(
        self, game: SixCardPoker | None = None, *, own: str = OWN, other: str = OTHER, seed: str = "a table"
    ) -> None:
        super().__init__(SixCardPoker() if game is None else game, Laid(seed, own + other))

    def solo(self, stake: int = 0) -> Table:
        self.act(Open(ANN, stake))
        return self

    def challenge(self, stake: int = 0) -> Table:
        self.act(Open(ANN, stake, BOB))
        return self

    def duel(self, stake: int = 0) -> Table:
        self.challenge(stake).act(Accept(BOB))
        return self

    @property
    def sound(self) -> bool:
        return self.purses[SystemPurse.POT] == (0 if self.game.clock(self.state) is None else self._staked())

    def set(self, seat: Seat, hands: str, *, public: bool = False) -> tuple[Any, ...]:
        return self.act(Arrange(seat, hands, public))

    def view(self, seat: Seat | None = None) -> View:
        return self.game.view(self.state, seat, 1000)

    @property
    def playing(self) -> Playing:
        assert isinstance(self.state, Playing)
        return self.state

    def _staked(self) -> int:
        """What lies in the pot while a game is on: all that has left a wallet."""
        return -sum(self.purses[seat] for seat in (ANN, BOB))


def hands(text: str) -> Arrangement:
    """Read three hands as they are written: `441 33 2`."""
    high, middle, low = ([int(card) for card in hand] for hand in text.split())
    return arrange(high, middle, low)


def typed(
    line: str,
    game: SixCardPoker | None = None,
    *,
    public: bool = False,
    confides: bool = True,
    engaged: Collection[Seat] = (),
) -> Any:
    """Read a line as Ann would type it, with 1000 credits."""
    word, *words = line.removeprefix("!").split()
    command = next(each for each in KIT.chat.commands if word in (each.word, *each.aliases))
    named = {each: MEMBERS[each] for each in words if each in MEMBERS}
    request = MoveRequest(ANN, 1000, tuple(words), public, confides, named, engaged)
    return command.read(SixCardPoker() if game is None else game, request)


def not_read(line: str, *, confides: bool = True, engaged: Collection[Seat] = ()) -> Message:
    with pytest.raises(Refusal) as refusal:
        typed(line, confides=confides, engaged=engaged)
    return refusal.value.message
