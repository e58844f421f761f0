"""Poker Market: five open cards each, a swap to propose in every turn, and then poker's ranking decides.

Equal hands are told apart by their turns: the later one is better. The pot is divided in proportion to the
points.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias, assert_never

from chatbot.games.pokermarket import options, turns
from chatbot.games.pokermarket.closing import ranked
from chatbot.games.pokermarket.market import Market
from chatbot.games.pokermarket.moves import (
    Abandoned,
    Accept,
    Accepted,
    Dealt,
    Decline,
    Declined,
    Join,
    Joined,
    Opened,
    Pass,
    Passed,
    Propose,
    Proposed,
    Turn,
    TurnBegan,
)
from chatbot.games.pokermarket.reasons import reason
from chatbot.games.pokermarket.states import Done, Lobby, Over, State, Trading, row
from chatbot.games.pokermarket.strategies import STRATEGIES
from chatbot.games.pokermarket.views import View, view
from chatbot.kernel import lineup, stakes
from chatbot.kernel.cards import DECK, HAND
from chatbot.kernel.game import Clock, Moment, Refusal, Role, Seat, Sit, Step, Till, Timeout, Transfer
from chatbot.kernel.kit import Roster, of_house
from chatbot.kernel.say import Arguments, Credits, Message
from chatbot.kernel.settings import Window

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from chatbot.kernel.fair import Rng

Move: TypeAlias = Join | Propose | Accept | Decline | Pass
Action: TypeAlias = Move | Sit | Timeout

FEWEST = 2  # players


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
    max_stake: stakes.Cap = 0
    most_players: options.Players = 10
    house_players: options.HousePlayers = 0
    house_fills: options.Fills = 2
    house_strategies: options.Strategies = ("greedy",)

    def __post_init__(self) -> None:
        stakes.require_order(self.min_stake, self.max_stake)

    @property
    def usual_stake(self) -> int:
        return stakes.usual(self.default_stake, self.min_stake, self.max_stake)

    @property
    def roster(self) -> Roster:
        names = lineup.drawn_from(self.house_strategies, STRATEGIES)
        most = self.most_players
        return Roster(names, min(self.house_players, most - 1), fills=min(self.house_fills, most))

    def start(self) -> State:
        return Lobby()

    def apply(self, state: State, action: Action, moment: Moment) -> Step[State]:
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

    def needs(self, state: State, action: Action) -> Collection[Seat]:  # noqa: ARG002
        return ()

    def menu(self, state: State, seat: Seat, purse: int) -> Sequence[Move]:
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

    def _openings(self, state: Lobby, seat: Seat, purse: int) -> list[Join]:
        if seat in state.players:
            return []
        if state.players:
            offers = [Join(seat, state.rounds, state.credits)]
        else:
            offers = [Join(seat, self.rounds, stake) for stake in dict.fromkeys((self.usual_stake, 0))]
        return [each for each in offers if (each.credits or 0) <= purse]

    def _join(self, state: State, action: Join, rng: Rng) -> Step[State]:
        _check_absent(state, action.seat)
        if not isinstance(state, Lobby):
            raise Refusal(Message("market-too-late"))
        if not state.players:
            return self._open(action)
        if action.rounds not in {None, state.rounds} or action.credits not in {None, state.credits}:
            args: Arguments = {"rounds": state.rounds, "terms": terms(state.credits)}
            raise Refusal(Message("market-other-terms", args))
        joined = replace(state, players=(*state.players, action.seat))
        event = Joined(action.seat, state.credits, len(joined.players))
        paid = stakes.put(action.seat, state.credits)
        if len(joined.players) < self.most_players:
            return Step(joined, (event,), paid)
        began = self._close_lobby(joined, rng)  # there is nobody to wait for
        return Step(began.state, (event, *began.events), (*paid, *began.transfers))

    def _open(self, action: Join) -> Step[State]:
        rounds = self.rounds if action.rounds is None else action.rounds
        stake = self.usual_stake if action.credits is None else action.credits
        if not 1 <= rounds <= options.MOST_ROUNDS:
            raise Refusal(Message("market-rounds", {"most": options.MOST_ROUNDS}))
        if stake:
            stakes.check(stake, self.min_stake, self.max_stake)
        opened = Opened(action.seat, rounds, stake, self.lobby)
        return Step(Lobby((action.seat,), rounds, stake), (opened,), stakes.put(action.seat, stake))

    def _close_lobby(self, state: Lobby, rng: Rng) -> Step[State]:
        if len(state.players) < FEWEST:
            return _abandoned(state)
        order = tuple(rng.shuffled(state.players))
        cards = rng.sample(DECK, HAND * len(order))
        hands = tuple(tuple(cards[place :: len(order)]) for place in range(len(order)))
        trading = Trading(order, state.credits, Market(hands, state.rounds))
        dealt = Dealt(trading.hands(), state.rounds, trading.pot)
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


def entry(state: State) -> int:
    """Say what it takes to join."""
    return state.credits if isinstance(state, Lobby) else 0


def terms(stake: int) -> Message:
    """Say what is played for."""
    return Message("market-for-stake", {"stake": Credits(stake)}) if stake else Message("market-for-honour")


def _check_absent(state: State, seat: Seat) -> None:
    """Refuse a second join.

    Raises:
        Refusal: the seat is in.
    """
    players = state.order if isinstance(state, Trading) else state.players
    if seat in players:
        raise Refusal(Message("market-already-in", {"terms": terms(state.credits)}))


def _abandoned(state: Lobby) -> Step[State]:
    back = [Transfer(Till.POT, seat, state.credits, "back") for seat in state.players if state.credits]
    over = Over(state.players, state.rounds, state.credits)
    return Step(over, (Abandoned(len(state.players)),), tuple(back))
