"""What stakes come to: a pot that is always emptied, and the house that adds what is won from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import Till, Transfer

if TYPE_CHECKING:
    from chatbot.games.sixcardpoker.rules.states import Invited, Playing
    from chatbot.kernel.game import Purse, Seat


def paid(state: Playing, won: int) -> tuple[dict[Seat, int], tuple[Transfer, ...]]:
    """Empty the pot, where the first wins (1), draws (0) or loses (-1), and say what people get back.

    Against the house, it pays what is won and keeps what is lost.
    """
    stake, (player, rival) = state.credits, state.seats
    payouts = {player: stake * (1 + won), rival: stake * (1 - won)}
    if state.duel:
        why = "winnings" if won else "stake returned"
        return payouts, _moved(*((Till.POT, seat, payout, why) for seat, payout in payouts.items()))
    del payouts[rival]
    if won < 0:
        return payouts, _moved((Till.POT, Till.HOUSE, stake, "loss"))
    returned_stake = (Till.POT, player, stake, "stake returned")
    return payouts, _moved(returned_stake, (Till.HOUSE, player, stake * won, "winnings"))


def returned(state: Invited) -> tuple[Transfer, ...]:
    return _moved((Till.POT, state.player, state.credits, "stake returned"))


def _moved(*amounts: tuple[Purse, Purse, int, str]) -> tuple[Transfer, ...]:
    """Move what is more than nothing."""
    return tuple(Transfer(source, target, amount, why) for source, target, amount, why in amounts if amount)
