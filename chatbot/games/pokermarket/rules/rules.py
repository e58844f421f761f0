"""Poker Market: five open cards each, a swap to propose in every turn, and then poker's ranking decides.

Equal hands are told apart by their turns: the later one is better. The pot is divided in proportion to the
points.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, ClassVar, TypeAlias, assert_never

from pydantic import Field

from chatbot.games.pokermarket.contest.position import Deal, Position
from chatbot.games.pokermarket.rules.market import Market, Swap
from chatbot.games.pokermarket.rules.moves import (
    Accept,
    Accepted,
    Action,
    Dealt,
    Decline,
    Declined,
    Join,
    Missed,
    Pass,
    Passed,
    Placing,
    Propose,
    Proposed,
    Ranked,
    Reason,
    Turn,
    TurnBegan,
)
from chatbot.games.pokermarket.rules.states import Done, Over, State, Trading, View, row, view
from chatbot.games.pokermarket.strategies import STRATEGIES
from chatbot.kernel import lineup, lobby
from chatbot.kernel.cards import DECK, HAND, parse, rank, shown, written
from chatbot.kernel.game import Clock, Moment, Refusal, Seat, Sit, Step, SystemPurse, Timeout, Transfer
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.keyed import Lengths
from chatbot.kernel.lobby import ForHonour, Leave, Lobby, LobbyGame, Start, Wish, abandoned, may_leave
from chatbot.kernel.say import Arguments, Message, Name
from chatbot.kernel.settings import Unit, Whole, Window

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from chatbot.kernel.fair import Rng

# In a chat, as far as `solver.returns` goes: in longer games the house's strategies would have no figure.
# Elsewhere there may be 20.
ROUNDS = Lengths("market", "rounds", least=1, most=5)

Strategies = Annotated[lineup.Names, lineup.among(STRATEGIES), lineup.expected(STRATEGIES)]
Rounds = Annotated[Whole, Field(ge=ROUNDS.least, le=ROUNDS.most), Unit("rounds")]


# Ready-made settings: the usual game, a quick one, a long one, and one with a stake.
PRESETS: Mapping[str, Mapping[str, object]] = {
    "usual": {},
    "quick": {"rounds": 1, "lobby": 30, "turn": 20, "answer": 15},
    "long": {"rounds": 5},
    "table": {"default_stake": 50},
}


Input: TypeAlias = Action | ForHonour | Sit | Timeout


@dataclass(frozen=True, slots=True)
class PokerMarket(LobbyGame):
    """The rules with a room's settings."""

    name: ClassVar[str] = "pokermarket"
    lengths: ClassVar[Lengths] = ROUNDS
    known_strategies: ClassVar[Collection[str]] = STRATEGIES

    turn: Window = 30
    answer: Window = 20
    rounds: Rounds = 2
    house_strategies: Strategies = ("greedy",)

    @property
    def length(self) -> int:
        """How many rounds are played where nothing is said."""
        return self.rounds

    def most_won(self, credits_: int) -> int:
        """Return what the better of two hands wins: two thirds of the pot are its share."""
        best, _ = divided(2 * credits_, (2, 1))
        return best - credits_

    def apply(self, state: State, action: Input, moment: Moment) -> Step[State]:
        match action:
            case Sit():
                return Step(state)
            case Join() | Leave() | Start() | ForHonour():
                return self._come_or_go(state, action, moment.rng)
            case Propose():
                return self._propose(on_turn(state, action.seat), action)
            case Accept() | Decline():
                return self._answer(answering(state, action), accepted=isinstance(action, Accept))
            case Pass():
                return self._pass(on_turn(state, action.seat))
            case Timeout():
                return self._time_out(state, action, moment.rng)
            case _:
                assert_never(action)

    def menu(self, state: State, seat: Seat, purse: int) -> Sequence[Action]:
        match state:
            case Lobby():
                return self._openings(state, seat, purse)
            case Trading():
                return possible(state, seat)
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

    # The lobby

    def _openings(self, state: Lobby, seat: Seat, purse: int) -> Sequence[Action]:
        if may_leave(state, seat):
            return self.ways_out(state, seat)
        wishes = self.entrance.offers(state, seat, purse)
        return [Join(each.seat, each.length, each.credits) for each in wishes]

    def _come_or_go(self, state: State, action: Join | Leave | Start | ForHonour, rng: Rng) -> Step[State]:
        if isinstance(action, Start):
            start = self.start_lobby(state, action)
            return Step(start.state, start.events)
        if not isinstance(action, Join):
            departure = self.entrance.give_back(state, action)
            return Step(departure.state, departure.events, departure.transfers)
        wish = Wish(action.seat, action.rounds, action.credits)
        return self.entrance.join(state, wish, partial(self._close_lobby, rng=rng))

    def _close_lobby(self, state: Lobby, rng: Rng) -> Step[State]:
        if state.deserted:
            return abandoned(state, Over(state.players, state.length, state.credits))
        # The order of draws is a part of the rules: with another one recorded tables do not come out the
        # same, and `version` must rise.
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
        return TurnBegan(turn, example(market), self.turn, hands)

    def _propose(self, state: Trading, action: Propose) -> Step[State]:
        swap = proposal(state, action)
        own, theirs = (row(state.market.swapped(swap).hands[seat]) for seat in (swap.seat, swap.partner))
        event = Proposed(state.offer(swap), own, theirs, self.answer)
        return Step(replace(state, proposed=swap), (event,))

    def _answer(self, state: Trading, *, accepted: bool, late: bool = False) -> Step[State]:
        swap = state.proposed
        assert swap is not None  # noqa: S101
        offer, turn = state.offer(swap), Done(state.market, swap, accepted)
        if not accepted:
            why = reason(state.market, swap) if of_house(offer.partner) and not late else None
            return self._go_on(state, state.market, turn, Declined(offer, late, why))
        market = state.market.swapped(swap)
        hands = replace(state, market=market).hands()
        event = Accepted(offer, {seat: hands[seat] for seat in (offer.seat, offer.partner)})
        return self._go_on(state, market, turn, event)

    def _pass(self, state: Trading, *, late: bool = False) -> Step[State]:
        return self._go_on(state, state.market, Done(state.market, None), Passed(state.seat, late))

    def _go_on(self, state: Trading, market: Market, turn: Done, event: object) -> Step[State]:
        """Let the next have a turn, or close the market."""
        after = replace(state, market=market.next(), proposed=None, done=(*state.done, turn))
        if not after.market.over:
            return Step(after, (event, self._began(after)))
        ranking = rank_hands(after)
        transfers = [
            Transfer(SystemPurse.POT, each.seat, each.credits, "won")
            for each in ranking.places
            if each.credits
        ]
        over = Over(after.order, market.rounds, after.credits, ranking)
        return Step(over, (event, ranking), tuple(transfers))

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
    """Whether a game has been played to its end."""
    return isinstance(state, Over) and state.ranked is not None


def awaited(state: State) -> Sequence[Seat] | None:
    """Return whose turn it is, to propose or to answer."""
    if not isinstance(state, Trading):
        return lobby.awaited(state)
    return (state.seat if state.answering is None else state.answering,)


# Who may do what in a turn, and what a proposal means.


def on_turn(state: State, seat: Seat) -> Trading:
    """Demand that it is somebody's turn to propose.

    Raises:
        Refusal: it is not.
    """
    trading = _trading(state, seat)
    if trading.answering == seat:
        raise Refusal(Message("market-answer-first", {"who": Name(trading.seat)}))
    if trading.seat != seat:
        raise Refusal(Message("market-not-your-turn", {"who": Name(trading.seat)}))
    if trading.answering is not None:
        raise Refusal(Message("market-proposed", {"who": Name(trading.answering)}))
    return trading


def answering(state: State, action: Accept | Decline) -> Trading:
    """Demand that somebody has a proposal to answer, and that it is the one that they mean.

    Raises:
        Refusal: they have none, or another.
    """
    trading = _trading(state, action.seat)
    if trading.answering is None or trading.proposed is None:
        raise Refusal(Message("market-nothing-proposed"))
    if trading.answering != action.seat:
        raise Refusal(Message("market-not-for-you", {"who": Name(trading.answering)}))
    cards, swap = {action.give, action.take}, trading.proposed
    if cards not in ({None}, {written(swap.give), written(swap.take)}):
        args: Arguments = {"give": shown(swap.give), "take": shown(swap.take)}
        raise Refusal(Message("market-other-swap", args))
    return trading


def _trading(state: State, seat: Seat) -> Trading:
    if not isinstance(state, Trading):
        raise Refusal(Message("market-no-cards"))
    if seat not in state.order:
        raise Refusal(Message("market-not-in"))
    return state


def proposal(state: Trading, action: Propose) -> Swap:
    """Read what is proposed.

    Raises:
        Refusal: one of the cards is not where it should be.
    """
    give, take = parse(action.give), parse(action.take)
    own, market = state.market.seat, state.market
    holder = market.holder(take)
    if give not in market.hands[own]:
        raise Refusal(Message("market-not-held", {"card": shown(give)}))
    if holder is None:
        raise Refusal(Message("market-nobody-holds", {"card": shown(take)}))
    if holder == own:
        raise Refusal(Message("market-yourself", {"card": shown(take)}))
    if action.partner not in {None, state.order[holder]}:
        args: Arguments = {"card": shown(take), "who": Name(state.order[holder])}
        raise Refusal(Message("market-other-holds", args))
    return Swap(own, give, holder, take)


def example(market: Market) -> tuple[str, str]:
    """Return two cards that could be swapped now: the lowest of the seat, and the highest of the next one."""
    own = market.hands[market.seat]
    other = market.hands[(market.seat + 1) % market.players]
    return written(min(own)), written(max(other))


def possible(state: Trading, seat: Seat) -> list[Action]:
    """List what a seat can do now: answer, or propose and pass."""
    if state.proposed is not None and state.answering == seat:
        cards = written(state.proposed.give), written(state.proposed.take)
        return [Accept(seat, *cards), Decline(seat, *cards)]
    if state.answering is not None or state.seat != seat:
        return []
    swaps = state.market.swaps(state.market.seat)
    return [Pass(seat), *(Propose(seat, written(each.give), written(each.take)) for each in swaps)]


# Why a swap is declined, as far as the hands tell.


def reason(market: Market, swap: Swap) -> Reason:
    """Find the plainest reason against a swap for who is asked."""
    after = market.swapped(swap)
    before, then = rank(market.hands[swap.partner]), rank(after.hands[swap.partner])
    if then < before:
        return Reason.WORSE
    ahead = market.points[swap.partner] > market.points[swap.seat]
    if ahead and after.points[swap.partner] < after.points[swap.seat]:
        return Reason.OVERTAKEN
    return Reason.NOTHING if then == before else Reason.PATIENT


# How a market closes: places, points, the division of the pot, and the swap that nobody thought of.


def rank_hands(state: Trading) -> Ranked:
    """Rank the hands of a market that is over, and divide its pot."""
    market = state.market
    points = market.points
    shares = divided(state.pot, points)
    best_first = sorted(range(market.players), key=lambda seat: -points[seat])
    places = [
        Placing(state.order[seat], row(market.hands[seat]), place, points[seat], shares[seat])
        for place, seat in enumerate(best_first, 1)
    ]
    return Ranked(tuple(places), state.pot, find_missed(state))


def divided(pot: int, points: Sequence[int]) -> tuple[int, ...]:
    """Divide a pot in proportion to points; what is left over goes to the largest remainders first.

    Of equal remainders the one with more points comes first: no two seats have equal points.
    """
    total = sum(points)
    shares = [pot * each // total for each in points]
    rest = pot - sum(shares)
    by_remainder = sorted(
        range(len(points)), key=lambda seat: (pot * points[seat] % total, points[seat]), reverse=True
    )
    for seat in by_remainder[:rest]:
        shares[seat] += 1
    assert sum(shares) == pot, f"expected shares of {pot} credits, got {shares}"  # noqa: S101
    return tuple(shares)


def find_missed(state: Trading) -> Missed | None:
    """Find the best swap that nobody ever proposed, if one was worth proposing.

    It is one that would have made both hands better in somebody's turn; the best is the one by which the
    seat whose turn it was would have gained the most points, and of these the best hands.
    """
    proposed = {_cards(each.proposed) for each in state.done if each.proposed is not None}
    best_trade, best = None, (0, 0, 0)
    for turn in state.done:
        position, seat = Position.of(turn.market), turn.market.seat
        before = position.points(seat)
        for deal in _worth_it(position, seat):
            value = (position.points_after(deal)[0] - before, deal.own, deal.other)
            if value > best and value[0] and frozenset((deal.give, deal.take)) not in proposed:
                best_trade, best = (turn.market, deal), value
    return None if best_trade is None else _missed_swap(state, *best_trade)


def _worth_it(position: Position, seat: int) -> Iterable[Deal]:
    """List the trades of a seat that make both hands better."""
    own = position.holdings[seat]
    for partner, other in enumerate(position.holdings):
        if partner != seat:
            deals = (Deal(seat, partner, *each) for each in own.gains(other))
            yield from (each for each in deals if each.other > other.rank)


def _missed_swap(state: Trading, market: Market, deal: Deal) -> Missed:
    swap = deal.swap
    hands = market.swapped(swap).hands
    return Missed(state.offer(swap), market.round + 1, row(hands[swap.seat]), row(hands[swap.partner]))


def _cards(swap: Swap) -> frozenset[int]:
    return frozenset((swap.give, swap.take))
