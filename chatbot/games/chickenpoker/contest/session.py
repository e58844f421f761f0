"""A session of Chicken Poker: games in which whoever can choose cards takes part, and whoever fails forfeits.

Nothing here trusts a player: a card is checked against its hand, and a failure costs that player the game,
never the others the session.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import gcd
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from chatbot.games.chickenpoker.rules.showdown import player_id, winner
from chatbot.games.chickenpoker.solver.equilibrium import evenly, nash
from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Ask = Callable[["SessionSeat"], None]

FailureKind: TypeAlias = Literal["late", "ended", "unreadable", "illegal"]


class Forfeit(Exception):  # noqa: N818  (what a player did; the session goes on)
    """A player gives no answer that counts."""

    def __init__(self, kind: FailureKind, why: str) -> None:
        super().__init__(kind, why)
        self.kind, self.why = kind, why


@dataclass(frozen=True, slots=True)
class Start:
    """What a player is told before a game."""

    player: int  # its own id in this game
    cards: int  # n
    players: tuple[int, ...]  # all ids, ascending


class SessionPlayer(Protocol):
    """Takes part in game after game. It knows what an external program does, and no more."""

    def begin(self, start: Start) -> None:
        """Take note that a game begins.

        Raises:
            Forfeit: it cannot take part in it.
        """

    def choose(self, last_cards: Mapping[int, int]) -> int:
        """Choose a card; `last_cards` is the previous round of those still in, by id, ascending.

        Raises:
            Forfeit: it does not.
        """

    def forfeited(self) -> None:
        """Take note that this game is over for it."""


@dataclass(frozen=True, slots=True)
class SessionShown:
    """A round that was scored."""

    game: int  # from 0
    number: int  # from 1
    cards: Mapping[int, int]  # by id, ascending
    winner: int  # an id
    points: int


@dataclass(frozen=True, slots=True)
class Failed:
    """A player forfeited the game."""

    game: int
    number: int  # of the round; 0: before the first
    place: int  # of the player in the session, from 0
    kind: FailureKind
    why: str


@dataclass(frozen=True, slots=True)
class Played:
    """A game that is over."""

    game: int
    ids: tuple[int, ...]  # of each player in this game, place by place
    points: tuple[int, ...]  # place by place


SessionEvent: TypeAlias = SessionShown | Failed | Played


@dataclass(slots=True)
class SessionSeat:
    """A player during one game."""

    place: int
    number: int  # its id
    player: SessionPlayer
    hand: set[int]
    points: int = 0
    card: int = 0


def play(players: Sequence[SessionPlayer], cards: int, games: int) -> Iterator[SessionEvent]:
    """Play a session of so many games, and tell what happens as it does."""
    for game in range(games):
        yield from SessionTable(players, cards, game).play()


@dataclass(slots=True, init=False)
class SessionTable:
    """One game."""

    _game: int
    _cards: int
    _all: tuple[SessionSeat, ...]  # in the order of their ids
    _still: list[SessionSeat]  # who has not forfeited, in the same order
    _round: int = 0
    _last_cards: dict[int, int] = field(default_factory=dict)

    def __init__(self, players: Sequence[SessionPlayer], cards: int, game: int) -> None:
        seats = [
            SessionSeat(place, player_id(place, game, len(players)), player, set(range(1, cards + 1)))
            for place, player in enumerate(players)
        ]
        self._game, self._cards = game, cards
        self._all = tuple(sorted(seats, key=lambda seat: seat.number))
        self._still, self._round, self._last_cards = list(self._all), 0, {}

    def play(self) -> Iterator[SessionEvent]:
        ids = tuple(seat.number for seat in self._all)
        yield from self._ask_all(lambda seat: seat.player.begin(Start(seat.number, self._cards, ids)))
        while len(self._still) > 1 and self._round < self._cards:
            self._round += 1
            yield from self._ask_all(self._choose)
            if len(self._still) > 1:
                yield self._show()
        if len(self._still) == 1:
            self._still[0].points += sum(self._still[0].hand)  # so nobody wins by leaving
        by_place = sorted(self._all, key=lambda seat: seat.place)
        yield Played(
            self._game, tuple(seat.number for seat in by_place), tuple(seat.points for seat in by_place)
        )

    def _ask_all(self, ask: Ask) -> Iterator[Failed]:
        """Ask everybody, then remove those who failed: who is asked first makes no difference."""
        failed_seats = []
        for seat in self._still:
            try:
                ask(seat)
            except Forfeit as forfeit:
                seat.player.forfeited()
                seat.points = 0
                failed_seats.append(seat)
                yield Failed(self._game, self._round, seat.place, forfeit.kind, forfeit.why)
        if failed_seats:
            self._still = [seat for seat in self._still if seat not in failed_seats]

    def _choose(self, seat: SessionSeat) -> None:
        card = seat.player.choose(self._last_cards)
        if card not in seat.hand:
            raise Forfeit("illegal", f"it does not hold the card {card}")
        seat.card = card

    def _show(self) -> SessionShown:
        self._last_cards = {seat.number: seat.card for seat in self._still}
        best, points = winner(self._last_cards), sum(self._last_cards.values())
        for seat in self._still:
            seat.hand.remove(seat.card)
            if seat.number == best:
                seat.points += points
        return SessionShown(self._game, self._round, self._last_cards, best, points)


# The players of Chicken Poker that are built in, as sessions ask them.


@dataclass(frozen=True, slots=True)
class StepPlayer:
    """The order of `linear`: START first, then STEP further each time, wrapping within 1..n."""

    start: int
    step: int

    def fits(self, cards: int) -> bool:
        """Return whether it plays every card of 1..n once."""
        return 1 <= self.start <= cards and gcd(self.step, cards) == 1

    def order(self, cards: int) -> list[int]:
        """Return the cards 1..n in the order in which they are played."""
        return [(self.start - 1 + number * self.step) % cards + 1 for number in range(cards)]


@dataclass(slots=True)
class Linear:
    """Plays the same order in every game."""

    steps: StepPlayer
    _left: list[int] = field(default_factory=list)  # the next card last

    def begin(self, start: Start) -> None:
        self._left = self.steps.order(start.cards)[::-1]

    def choose(self, last_cards: Mapping[int, int]) -> int:  # noqa: ARG002
        return self._left.pop()

    def forfeited(self) -> None:
        """Do nothing: `begin` resets what belongs to a game."""


@dataclass(slots=True)
class Even:
    """`random`: plays every card that it still holds with the same probability."""

    rng: Rng
    _left: list[int] = field(default_factory=list)

    def begin(self, start: Start) -> None:
        self._left = self.rng.shuffled(range(1, start.cards + 1))

    def choose(self, last_cards: Mapping[int, int]) -> int:  # noqa: ARG002
        return self._left.pop()

    def forfeited(self) -> None:
        """Do nothing: `begin` resets what belongs to a game."""


@dataclass(slots=True)
class Nash:
    """`nash`: plays the equilibrium, between two from the policy that ships."""

    rng: Rng
    _own: int = 0
    _hands: dict[int, set[int]] = field(default_factory=dict)

    def begin(self, start: Start) -> None:
        self._own = start.player
        self._hands = {each: set(range(1, start.cards + 1)) for each in start.players}

    def choose(self, last_cards: Mapping[int, int]) -> int:
        for player, card in last_cards.items():
            self._hands[player].discard(card)
        own = self._hands[self._own]
        if len(self._hands) != 2:
            return evenly(sorted(own), self.rng)
        (other,) = self._hands.keys() - {self._own}
        return nash(own, self._hands[other], self._own < other, self.rng)

    def forfeited(self) -> None:
        """Do nothing: `begin` resets what belongs to a game."""
