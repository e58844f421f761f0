"""Who may do what in a turn, and what a proposal means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.pokermarket.rules.market import Swap
from chatbot.games.pokermarket.rules.moves import Accept, Decline, Pass, Propose
from chatbot.games.pokermarket.rules.states import Trading
from chatbot.kernel.cards import parse, shown, written
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Arguments, Message, Name

if TYPE_CHECKING:
    from chatbot.games.pokermarket.rules.market import Market
    from chatbot.games.pokermarket.rules.moves import Action
    from chatbot.games.pokermarket.rules.states import State
    from chatbot.kernel.game import Seat


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
    meant, asked = {action.give, action.take}, trading.proposed
    if meant not in ({None}, {written(asked.give), written(asked.take)}):
        args: Arguments = {"give": shown(asked.give), "take": shown(asked.take)}
        raise Refusal(Message("market-other-swap", args))
    return trading


def _trading(state: State, seat: Seat) -> Trading:
    if not isinstance(state, Trading):
        raise Refusal(Message("market-no-cards"))
    if seat not in state.order:
        raise Refusal(Message("market-not-in"))
    return state


def swap(state: Trading, action: Propose) -> Swap:
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
    """Give two cards that could be swapped now: the lowest of the seat, and the highest of the next one."""
    own = market.hands[market.seat]
    other = market.hands[(market.seat + 1) % market.players]
    return written(min(own)), written(max(other))


def moves(state: Trading, seat: Seat) -> list[Action]:
    if state.proposed is not None and state.answering == seat:
        cards = written(state.proposed.give), written(state.proposed.take)
        return [Accept(seat, *cards), Decline(seat, *cards)]
    if state.answering is not None or state.seat != seat:
        return []
    swaps = state.market.swaps(state.market.seat)
    return [Pass(seat), *(Propose(seat, written(each.give), written(each.take)) for each in swaps)]
