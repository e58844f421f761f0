"""Chicken Poker's contest: sessions two by two or all together, in which players get to know each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from chatbot.games.chickenpoker.contest.contestants import WIRE_FORMAT, Contestants, Situation
from chatbot.games.chickenpoker.contest.session import Failed, Forfeit, Played, SessionShown, Start, play
from chatbot.games.chickenpoker.rules.showdown import player_id
from chatbot.kernel.contest import Entrant, Learner, Log, Match, Series, Standing, Strategy, WireFormat
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Failure
from chatbot.kernel.settings import Unit, Whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chatbot.games.chickenpoker.contest.session import SessionEvent

FEWEST_CARDS, MOST_CARDS = 1, 100
MOST_SESSIONS = 1_000_000


class Format(Enum):
    """Which players meet."""

    ROUND_ROBIN = "round-robin"
    TOGETHER = "together"


@dataclass(frozen=True, slots=True)
class ChickenContest:
    """A match is a session: whoever learns begins each knowing nothing.

    Ids go by the players' names, and so does their luck: the order in which players are listed changes
    nothing. In whole sets of games everybody has every id equally often.
    """

    cards: Annotated[
        Whole,
        Field(ge=FEWEST_CARDS, le=MOST_CARDS, description="The cards 1 to N are what everybody holds."),
        Unit("cards"),
    ] = 10
    format: Annotated[
        Format, Field(description="Whether every two players meet, or all of them play together.")
    ] = Format.ROUND_ROBIN
    sessions: Annotated[
        Whole,
        Field(ge=1, le=MOST_SESSIONS, description="How many matches the same players play, each a session."),
        Unit("sessions"),
    ] = 10

    wire_format: ClassVar[WireFormat] = WIRE_FORMAT
    unit: ClassVar[str] = "points a game"
    usual_games: ClassVar[int] = 100

    @property
    def strategies(self) -> Mapping[str, Strategy | Learner]:
        return Contestants(self.cards)

    def matches(self, entrants: int, games: int, seed: str) -> Series:
        """Divide the contest; the games of a match are rounded up to whole sets.

        Raises:
            Failure: there is nobody to play against.
        """
        if entrants < 2:
            raise Failure("Chicken Poker takes two players or more, not 1.")
        tables = self._tables(entrants)
        size = len(tables[0])
        whole = -(-games // size) * size

        def make(number: int) -> Match:
            session, table = divmod(number, len(tables))
            return Match(number, tables[table], whole, f"{seed}/session {session}", table)

        return Series(len(tables) * self.sessions, make)

    def play(self, match: Match, entrants: Sequence[Entrant], log: Log | None) -> Iterator[Standing]:
        order = sorted(range(len(match.seats)), key=lambda seat: entrants[match.seats[seat]].name)
        players = [entrants[match.seats[seat]] for seat in order]
        names = [each.name for each in players]
        places = [order.index(seat) for seat in range(len(order))]  # seat by seat
        score = Score(len(players))
        lucky = [(each.strategy, Rng.of(f"{match.seed}/{names}/{each.name}")) for each in players]
        rounds: list[SessionShown | Failed] = []
        for event in meet(lucky, self.cards, match.games):
            if not isinstance(event, Played):
                rounds.append(event)
                continue
            if log is not None:
                log(_game_log(event, rounds, names))
            rounds.clear()
            score.add(event.points)
            yield _standing(score, places)

    def _tables(self, entrants: int) -> Sequence[tuple[int, ...]]:
        if self.format is Format.TOGETHER:
            return [tuple(range(entrants))]
        return list(combinations(range(entrants), 2))


def _standing(score: Score, places: Sequence[int]) -> Standing:
    """Return the means of a game; games of a session are no draws of their own, where players learn."""
    means = [Fraction(score.totals[place], score.games) for place in places]
    ahead = [[score.ahead[place][other] for other in places] for place in places]
    return Standing(score.games, means, ahead=ahead)


def _game_log(event: Played, rounds: Sequence[SessionShown | Failed], names: Sequence[str]) -> str:
    """Write down a game: who had which id and scored what, and then its rounds by ids."""
    points = zip(names, event.ids, event.points, strict=True)
    scores = ", ".join(f"{name} ({number}) {score}" for name, number, score in points)
    lines = [f"#####GAME {event.game}: {scores}######", *(_line(each, names) for each in rounds)]
    return "".join(f"{line}\n" for line in lines)


def _line(event: SessionShown | Failed, names: Sequence[str]) -> str:
    if isinstance(event, Failed):
        return f"round {event.number}: {names[event.place]} forfeits the game"
    cards = " ".join(f"{number}:{card}" for number, card in event.cards.items())
    return f"round {event.number}: {cards}, {event.winner} takes {event.points}"


# One match of the contest: a session of games in which everybody is asked with all that may be known.


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

    def see(self, event: SessionEvent) -> None:
        """Take note of what happened; that somebody forfeits is seen when cards are shown without theirs.

        So it makes no difference who is asked first.
        """
        if isinstance(event, SessionShown):
            self._show(event)
        elif isinstance(event, Played):
            self._begin(event.game + 1)

    def situation(self, own: int) -> Situation:
        """Return what the player with this id is told before its next card."""
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

    def choose(self, last_cards: Mapping[int, int]) -> int:  # noqa: ARG002
        situation = self.scene.situation(self.own)
        card = self.strategy(situation, situation.hand, self.rng)
        if not isinstance(card, int):
            raise Forfeit("illegal", "it chose no card")
        return card

    def forfeited(self) -> None:
        """Do nothing: a program that failed has been stopped, and counts its failures."""


def meet(strategies: Sequence[tuple[Strategy, Rng]], cards: int, games: int) -> Iterator[SessionEvent]:
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
