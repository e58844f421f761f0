"""Poker Market: five open cards each, a swap to propose in every turn, and then poker's ranking decides.

Equal hands are told apart by their turns: the later one is better. The pot is divided in proportion to the
points.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, assert_never

from chatbot.games.pokermarket.chat.strategies import STRATEGIES
from chatbot.games.pokermarket.rules import options, turns
from chatbot.games.pokermarket.rules.closing import ranked
from chatbot.games.pokermarket.rules.market import Market
from chatbot.games.pokermarket.rules.moves import (
    Accept,
    Accepted,
    Action,
    Dealt,
    Decline,
    Declined,
    Join,
    Pass,
    Passed,
    Propose,
    Proposed,
    Turn,
    TurnBegan,
)
from chatbot.games.pokermarket.rules.reasons import reason
from chatbot.games.pokermarket.rules.states import Done, Over, State, Trading, row
from chatbot.games.pokermarket.rules.views import View, view
from chatbot.kernel import lineup, stakes
from chatbot.kernel.cards import DECK, HAND
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
class PokerMarket:
    """The rules with a room's settings."""

    lobby: Window = 60
    turn: Window = 30
    answer: Window = 20
    starters: Role = Role.VIEWER
    rounds: options.Rounds = 2
    default_stake: stakes.Cap = 0
    min_stake: stakes.Stake = 1
    max_stake: stakes.Cap = stakes.MOST_IN_CHAT
    most_players: Players = 10
    house_players: HousePlayers = 0
    house_fills: Fills = 2
    house_strategies: options.Strategies = ("greedy",)

    def __post_init__(self) -> None:
        stakes.require_order(self.min_stake, self.max_stake)

    @property
    def usual_stake(self) -> int:
        return stakes.usual(self.default_stake, self.min_stake, self.max_stake)

    @property
    def roster(self) -> Roster:
        names = lineup.drawn_from(self.house_strategies, STRATEGIES)
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
            case Propose():
                return self._propose(turns.on_turn(state, action.seat), action)
            case Accept() | Decline():
                return self._answer(turns.answering(state, action), accepted=isinstance(action, Accept))
            case Pass():
                return self._pass(turns.on_turn(state, action.seat))
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
            case Trading():
                return turns.moves(state, seat)
            case Over():
                return []

    def view(self, state: State, seat: Seat | None, purse: int = 0) -> View:  # noqa: ARG002
        return view(state, seat)

    def clock(self, state: State) -> Clock | None:
        match state:
            case Lobby():
                return Clock("lobby", self.lobby)
            case Trading():
                number = state.market.turn + 1
                if state.proposed is None:
                    return Clock(f"turn {number}", self.turn)
                return Clock(f"answer {number}", self.answer)
            case Over():
                return None

    def rest(self, state: State) -> int:  # noqa: ARG002
        return 0

    # The lobby

    @property
    def _entrance(self) -> Entrance:
        return Entrance(
            options.ROUNDS,
            length=self.rounds,
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
        wish = Wish(action.seat, action.rounds, action.credits)
        return self._entrance.join(state, wish, partial(self._close_lobby, rng=rng))

    def _close_lobby(self, state: Lobby, rng: Rng) -> Step[State]:
        if state.deserted:
            return abandoned(state, Over(state.players, state.length, state.credits))
        order = tuple(rng.shuffled(state.players))
        cards = rng.sample(DECK, HAND * len(order))
        hands = tuple(tuple(cards[place :: len(order)]) for place in range(len(order)))
        trading = Trading(order, state.credits, Market(hands, state.length))
        dealt = Dealt(trading.hands(), state.length, trading.pot)
        return Step(trading, (dealt, self._began(trading)))

    # Turns

    def _began(self, state: Trading) -> TurnBegan:
        market = state.market
        turn = Turn(market.turn + 1, market.round + 1, market.rounds, state.seat)
        hands = state.hands() if state.changed else None
        return TurnBegan(turn, turns.example(market), self.turn, hands)

    def _propose(self, state: Trading, action: Propose) -> Step[State]:
        swap = turns.swap(state, action)
        own, theirs = (row(state.market.swapped(swap).hands[seat]) for seat in (swap.seat, swap.partner))
        told = Proposed(state.offer(swap), own, theirs, self.answer)
        return Step(replace(state, proposed=swap), (told,))

    def _answer(self, state: Trading, *, accepted: bool, late: bool = False) -> Step[State]:
        swap = state.proposed
        assert swap is not None  # noqa: S101
        offer, done = state.offer(swap), Done(state.market, swap, accepted)
        if not accepted:
            why = reason(state.market, swap) if of_house(offer.partner) and not late else None
            return self._go_on(state, state.market, done, Declined(offer, late, why))
        market = state.market.swapped(swap)
        hands = replace(state, market=market).hands()
        told = Accepted(offer, {seat: hands[seat] for seat in (offer.seat, offer.partner)})
        return self._go_on(state, market, done, told)

    def _pass(self, state: Trading, *, late: bool = False) -> Step[State]:
        return self._go_on(state, state.market, Done(state.market, None), Passed(state.seat, late))

    def _go_on(self, state: Trading, market: Market, done: Done, told: object) -> Step[State]:
        """Let the next have a turn, or close the market."""
        after = replace(state, market=market.next(), proposed=None, done=(*state.done, done))
        if not after.market.over:
            return Step(after, (told, self._began(after)))
        event = ranked(after)
        paid = [Transfer(Till.POT, each.seat, each.credits, "won") for each in event.places if each.credits]
        over = Over(after.order, market.rounds, after.credits, event)
        return Step(over, (told, event), tuple(paid))

    def _time_out(self, state: State, action: Timeout, rng: Rng) -> Step[State]:
        if action.clock != self.clock(state):
            raise Refusal(Message("too-late"))
        match state:
            case Lobby():
                return self._close_lobby(state, rng)
            case Trading():
                if state.proposed is None:
                    return self._pass(state, late=True)
                return self._answer(state, accepted=False, late=True)
            case Over():
                raise Refusal(Message("too-late"))


def was_played(state: State) -> bool:
    return isinstance(state, Over) and state.ranked is not None
