"""A market played by hand: seats and cards are those that a test lays down, unless it lets them be drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from chatbot.games.pokermarket import KIT
from chatbot.games.pokermarket.rules.market import Market
from chatbot.games.pokermarket.rules.moves import Join, Pass, Propose
from chatbot.games.pokermarket.rules.rules import PokerMarket
from chatbot.games.pokermarket.rules.states import Over, Trading
from chatbot.kernel.cards import parse
from chatbot.kernel.commands import MoveRequest
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Refusal, Seat, SystemPurse
from tests.games.by_hand import ByHand

if TYPE_CHECKING:
    from chatbot.games.pokermarket.rules.states import State, View
    from chatbot.kernel.say import Message

ANN, BOB, CAT, DAN = (Seat(f"test:{name}") for name in ("ann", "bob", "cat", "dan"))
PEOPLE = (ANN, BOB, CAT, DAN, *(Seat(f"test:p{number}") for number in range(6)))
GREEDY = Seat("house:greedy")
T = TypeVar("T")

# Hands that tests lay down; together they are cards of one deck.
KINGS = "KS KD 9H 7C 5H"  # a pair of kings
SIXES = "6S 6D 4H 3C JC"  # a pair of sixes
JUNK = "QS TD 8C 4D 2H"  # queen high
ACES = "AS AD TH 8H 2C"  # a pair of aces


class Table(ByHand):
    game: PokerMarket
    state: State

    def __init__(self, game: PokerMarket | None = None, seed: str = "a table") -> None:
        super().__init__(PokerMarket() if game is None else game, Rng.of(seed))

    def seated(self, *seats: Seat, rounds: int = 1, stake: int = 0) -> Table:
        """Let these join, and the lobby close."""
        for seat in seats:
            self.act(Join(seat, rounds, stake))
        if not isinstance(self.state, Trading):
            self.time_out()
        return self

    def dealt(self, *hands: str, rounds: int = 1, stake: int = 0) -> Table:
        """Lay down hands, in the order of turns, for the first of `PEOPLE`."""
        order = PEOPLE[: len(hands)]
        self.purses.update(dict.fromkeys(order, -stake))
        self.purses[SystemPurse.POT] = stake * len(order)
        self.state = Trading(order, stake, Market(tuple(map(cards, hands)), rounds))
        return self

    def propose(self, give: str, take: str, partner: Seat | None = None) -> tuple[Any, ...]:
        """Let whose turn it is propose a swap."""
        return self.act(Propose(self.trading.seat, give, take, partner))

    def passed(self, turns: int = 1) -> tuple[Any, ...]:
        """Let so many pass; give what happened last."""
        happened: tuple[Any, ...] = ()
        for _ in range(turns):
            happened = self.act(Pass(self.trading.seat))
        return happened

    def finished(self) -> Table:
        """Let everybody pass to the end."""
        while not isinstance(self.state, Over):
            self.passed()
        return self

    def view(self, seat: Seat | None = None) -> View:
        return self.game.view(self.state, seat, 1000)

    @property
    def trading(self) -> Trading:
        assert isinstance(self.state, Trading)
        return self.state


def cards(hand: str) -> tuple[int, ...]:
    return tuple(parse(card) for card in hand.split())


def typed(line: str, purse: int = 1000) -> Any:
    """Read a line as Ann would type it."""
    word, *words = line.removeprefix("!").split()
    command = next(each for each in KIT.chat.commands if word in (each.word, *each.aliases))
    members = {each: Seat(f"test:{each.removeprefix('@')}") for each in words if each.startswith("@")}
    return command.read(PokerMarket(), MoveRequest(ANN, purse, tuple(words), members=members))


def not_read(line: str) -> Message:
    with pytest.raises(Refusal) as refusal:
        typed(line)
    return refusal.value.message
