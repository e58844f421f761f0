"""One match of the contest: a session of games in which everybody is asked with all that may be known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chatbot.games.chickenpoker.contest.session import Forfeit, Played, SessionShown, Start, play
from chatbot.games.chickenpoker.contest.situation import Situation
from chatbot.games.chickenpoker.rules.showdown import player_id
from chatbot.kernel.contest import Strategy
from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chatbot.games.chickenpoker.contest.session import Event


@dataclass(slots=True)
class MeetingScene:
    """What everybody has seen of the game that is played."""

    cards: int
    count: int  # of players
    game: int = 0
    players: tuple[int, ...] = ()  # places in the session, in the order of ids
    hands: tuple[tuple[int, ...], ...] = ()
    shown: tuple[tuple[int, ...], ...] = ()
    totals: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        self._begin(0)

    def see(self, event: Event) -> None:
        """Take note of what happened; that somebody forfeits is seen when cards are shown without theirs.

        So it makes no difference who is asked first.
        """
        if isinstance(event, SessionShown):
            self._show(event)
        elif isinstance(event, Played):
            self._begin(event.game + 1)

    def situation(self, own: int) -> Situation:
        number = len(self.shown) + 1
        return Situation(
            self.game, number, self.cards, own, self.players, self.hands, self.shown, self.totals
        )

    def _begin(self, game: int) -> None:
        ids = {player_id(place, game, self.count): place for place in range(self.count)}
        self.game, self.players = game, tuple(ids[each] for each in range(1, self.count + 1))
        self.hands = (tuple(range(1, self.cards + 1)),) * self.count
        self.shown, self.totals = (), (0,) * self.count

    def _show(self, event: SessionShown) -> None:
        row = tuple(event.cards.get(each, 0) for each in range(1, self.count + 1))
        self.shown += (row,)
        self.hands = tuple(
            tuple(each for each in hand if each != card) if card else ()
            for hand, card in zip(self.hands, row, strict=True)
        )
        self.totals = tuple(
            total + event.points * (each == event.winner) if each in event.cards else 0
            for each, total in enumerate(self.totals, 1)
        )


@dataclass(slots=True)
class Contestant:
    """Has a strategy play: it sees the scene and no more."""

    strategy: Strategy
    rng: Rng
    scene: MeetingScene
    own: int = 0

    def begin(self, start: Start) -> None:
        self.own = start.player

    def choose(self, shown: Mapping[int, int]) -> int:  # noqa: ARG002
        told = self.scene.situation(self.own)
        card = self.strategy(told, told.hand, self.rng)
        if not isinstance(card, int):
            raise Forfeit("illegal", "it chose no card")
        return card

    def forfeited(self) -> None:
        """Nothing is left to do: a program that failed has been put away, and counts its failures."""


def meet(strategies: Sequence[tuple[Strategy, Rng]], cards: int, games: int) -> Iterator[Event]:
    """Play a session, and tell what happens as it does."""
    scene = MeetingScene(cards, len(strategies))
    for event in play([Contestant(each, rng, scene) for each, rng in strategies], cards, games):
        scene.see(event)
        yield event


@dataclass(slots=True)
class Score:
    """What a session has come to so far, place by place."""

    count: int  # of players
    games: int = 0
    totals: list[int] = field(default_factory=list)
    ahead: list[list[int]] = field(default_factory=list)  # games in which one scored more than another

    def __post_init__(self) -> None:
        self.totals = [0] * self.count
        self.ahead = [[0] * self.count for _ in range(self.count)]

    def add(self, points: Sequence[int]) -> None:
        """Count a game."""
        self.games += 1
        for place, scored in enumerate(points):
            self.totals[place] += scored
            row = self.ahead[place]
            for other, theirs in enumerate(points):
                row[other] += scored > theirs
