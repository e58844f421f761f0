"""Chicken Poker: everybody holds the cards 1..n and shows one a round; the highest takes the sum of all.

What the house plays is fixed before anybody chooses, and published hidden in a hash, which is opened
when the round is shown.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, assert_never

from chatbot.games.chickenpoker.chat.strategies import PLANS
from chatbot.games.chickenpoker.rules import options
from chatbot.games.chickenpoker.rules.fixing import committed, disclosed, fixed
from chatbot.games.chickenpoker.rules.moves import (
    Action,
    Join,
    Play,
    RoundBegan,
    RoundShown,
    Seated,
    Shown,
    Won,
)
from chatbot.games.chickenpoker.rules.showdown import winner
from chatbot.games.chickenpoker.rules.states import Over, Playing, State
from chatbot.games.chickenpoker.rules.views import View, view
from chatbot.kernel import lineup, stakes
from chatbot.kernel.game import Clock, Moment, Refusal, Role, Seat, Sit, Step, Till, Timeout, Transfer
from chatbot.kernel.kit import Roster, of_house
from chatbot.kernel.lobby import Entrance, Fills, HousePlayers, Lobby, Players, Wish, abandoned
from chatbot.kernel.say import Message
from chatbot.kernel.settings import Window

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from chatbot.kernel.fair import Rng

Input: TypeAlias = Action | Sit | Timeout


@dataclass(frozen=True, slots=True)
class ChickenPoker:
    """The rules with a room's settings."""

    lobby: Window = 60
    choice: Window = 30
    starters: Role = Role.VIEWER
    cards: options.Cards = 6
    default_stake: stakes.Cap = 0
    min_stake: stakes.Stake = 1
    max_stake: stakes.Cap = stakes.MOST_IN_CHAT
    most_players: Players = 10
    house_players: HousePlayers = 0
    house_fills: Fills = 2
    house_strategies: options.Strategies = ("nash",)

    def __post_init__(self) -> None:
        stakes.require_order(self.min_stake, self.max_stake)

    @property
    def usual_stake(self) -> int:
        return stakes.usual(self.default_stake, self.min_stake, self.max_stake)

    @property
    def roster(self) -> Roster:
        names = lineup.drawn_from(self.house_strategies, PLANS)
        return lineup.roster(
            names, players=self.house_players, fills=self.house_fills, most=self.most_players
        )

    def start(self) -> State:
        return Lobby()

    def apply(self, state: State, action: Input, moment: Moment) -> Step[State]:
        match action:
            case Sit():
                return Step(state)
            case Join():
                return self._join(state, action, moment.rng)
            case Play():
                return self._play(state, action, moment.rng)
            case Timeout():
                return self._time_out(state, action, moment.rng)
            case _:
                assert_never(action)

    def needs(self, state: State, action: Input) -> Collection[Seat]:  # noqa: ARG002
        return ()

    def menu(self, state: State, seat: Seat, purse: int) -> Sequence[Action]:
        match state:
            case Lobby():
                return self._openings(state, seat, purse)
            case Playing():
                return [] if of_house(seat) else [Play(seat, card) for card in state.hands.get(seat, ())]
            case Over():
                return []

    def view(self, state: State, seat: Seat | None, purse: int = 0) -> View:  # noqa: ARG002
        return view(state, committed(state), seat)

    def clock(self, state: State) -> Clock | None:
        match state:
            case Lobby():
                return Clock("lobby", self.lobby)
            case Playing():
                return Clock(f"round {state.number}", self.choice)
            case Over():
                return None

    def rest(self, state: State) -> int:  # noqa: ARG002
        return 0

    # The lobby

    @property
    def _entrance(self) -> Entrance:
        return Entrance(
            options.CARDS,
            length=self.cards,
            stake=self.usual_stake,
            least=self.min_stake,
            most=self.max_stake,
            players=self.most_players,
            seconds=self.lobby,
        )

    def _openings(self, state: Lobby, seat: Seat, purse: int) -> list[Join]:
        wishes = self._entrance.offers(state, seat, purse)
        return [Join(each.seat, each.length, each.credits) for each in wishes]

    def _join(self, state: State, action: Join, rng: Rng) -> Step[State]:
        wish = Wish(action.seat, action.cards, action.credits)
        return self._entrance.join(state, wish, partial(self._close_lobby, rng=rng))

    def _close_lobby(self, state: Lobby, rng: Rng) -> Step[State]:
        if state.deserted:
            return abandoned(state, Over(state.players, state.length, state.credits))
        order = tuple(rng.shuffled(state.players))
        hands = dict.fromkeys(order, tuple(range(1, state.length + 1)))
        playing = Playing(order, state.length, state.credits, hands, dict.fromkeys(order, 0))
        began = self._begin(playing, rng)
        seated = Seated(order, state.length, state.credits * len(order))
        return Step(began.state, (seated, *began.events))

    # A round

    def _begin(self, state: Playing, rng: Rng) -> Step[State]:
        """Fix what the house plays, and publish the hashes."""
        begun = replace(state, fixed=fixed(state, rng))
        event = RoundBegan(begun.number, begun.cards, begun.hands, committed(begun), self.choice)
        return Step(begun, (event,))

    def _play(self, state: State, action: Play, rng: Rng) -> Step[State]:
        if not isinstance(state, Playing):
            raise Refusal(Message("chicken-no-round"))
        if action.seat not in state.hands or of_house(action.seat):
            raise Refusal(Message("chicken-not-in"))
        hand = state.hands[action.seat]
        if action.card not in hand:
            raise Refusal(Message("chicken-not-held", {"hand": " ".join(map(str, hand))}))
        chosen, event = state.choose(action)
        if event.waiting:
            return Step(chosen, (event,))
        shown = self._show(chosen, rng)
        return Step(shown.state, (event, *shown.events), shown.transfers)

    def _show(self, state: Playing, rng: Rng) -> Step[State]:
        """Show all cards, and go on; the last ones are shown at once, for they are nobody's choice."""
        event = _shown(state)
        after = state.after(event)
        if after.number > after.cards:
            following = _settled(after)
        else:
            following = self._show(after, rng) if after.forced else self._begin(after, rng)
        return Step(following.state, (event, *following.events), following.transfers)

    def _time_out(self, state: State, action: Timeout, rng: Rng) -> Step[State]:
        if action.clock != self.clock(state):
            raise Refusal(Message("too-late"))
        match state:
            case Lobby():
                return self._close_lobby(state, rng)
            case Playing():
                return self._show(state, rng)
            case Over():
                raise Refusal(Message("too-late"))


def was_played(state: State) -> bool:
    return isinstance(state, Over) and bool(state.history)


def _shown(state: Playing) -> RoundShown:
    """Turn all cards over, and score them."""
    late = () if state.forced else state.waiting
    cards = {seat: state.card(seat) for seat in state.order}
    best = state.order[winner({place: cards[seat] for place, seat in enumerate(state.order, 1)}) - 1]
    points = sum(cards.values())
    return RoundShown(
        state.number,
        state.cards,
        tuple(Shown(seat, card, seat in late) for seat, card in cards.items()),
        best,
        points,
        {**state.totals, best: state.totals[best] + points},
        disclosed(state),
    )


def _settled(state: Playing) -> Step[State]:
    """Pay the pot to the most points.

    Equal totals share it: their shares are equal and so are the remainders, so what cannot be divided goes
    to the first of them in the order of the ids, a credit each.
    """
    most = max(state.totals.values())
    winners = tuple(seat for seat in state.order if state.totals[seat] == most)
    pot = state.credits * len(state.order)
    share, rest = divmod(pot, len(winners))
    shares = {seat: share + (place < rest) for place, seat in enumerate(winners)}
    paid = tuple(Transfer(Till.POT, seat, each, "won") for seat, each in shares.items() if each)
    over = Over(state.order, state.cards, state.credits, state.totals, state.history, shares)
    return Step(over, (Won(winners, state.totals, pot, shares),), paid)
