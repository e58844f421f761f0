"""Players of the house in a chat: `random`, `linear` and `nash`, by what they see of the table.

A plan draws a card. The house's own are asked inside the rules, before anybody else can choose; who plays
for a member, as the simulated crowd does, is offered a menu like anybody.
"""

from __future__ import annotations

import re
from functools import partial
from math import gcd
from typing import TYPE_CHECKING, TypeAlias

from chatbot.games.chickenpoker.contest.session import StepPlayer
from chatbot.games.chickenpoker.rules.moves import Join, Play
from chatbot.games.chickenpoker.solver import equilibrium

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chatbot.games.chickenpoker.rules.moves import Action, Shown
    from chatbot.games.chickenpoker.rules.states import View
    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng
    from chatbot.kernel.game import Seat

Plan: TypeAlias = "Callable[[View, Seat, Rng], int]"

_NUMBER = re.compile(r"-[0-9]+$")  # of a name that sits at a table twice


def even(view: View, seat: Seat, rng: Rng) -> int:
    """Draw any card, each as likely."""
    return equilibrium.evenly(view.hands[seat], rng)


def nash(view: View, seat: Seat, rng: Rng) -> int:
    """Play the equilibrium: between two by the policy, among more evenly."""
    others = [each for each in view.players if each != seat]
    if len(others) != 1:
        return equilibrium.evenly(view.hands[seat], rng)
    lower = view.players[0] == seat
    return equilibrium.nash(view.hands[seat], view.hands[others[0]], lower, rng)


def linear(view: View, seat: Seat, rng: Rng) -> int:
    """Go on by one step from card to card, wrapping within 1..n; both START and STEP are drawn."""
    cards, own_cards = view.cards, [_card(each.shown, seat) for each in view.history]
    if not own_cards:
        return 1 + rng.below(cards)
    if len(own_cards) == 1:
        step = rng.choice([each for each in range(1, cards) if gcd(each, cards) == 1])
    else:
        step = own_cards[1] - own_cards[0]
    return StepPlayer(own_cards[0], step).order(cards)[len(own_cards)]


def _card(showings: Sequence[Shown], seat: Seat) -> int:
    return next(each.card for each in showings if each.seat == seat)


PLANS: Mapping[str, Plan] = {"random": even, "linear": linear, "nash": nash}


def draw_card(view: View, seat: Seat, rng: Rng) -> int:
    """Draw the card of a seat of the house: `house:nash-2` plays as `nash` does."""
    return PLANS[_NUMBER.sub("", seat.partition(":")[2])](view, seat, rng)


def at_table(plan: Plan, view: View, menu: Sequence[Action], rng: Rng) -> Join | Play | None:
    """Join as is usual, and choose once a round."""
    match menu:
        case [Join() as join, *_]:
            return join
        case [Play(seat), *_] if seat not in view.ready:
            return Play(seat, plan(view, seat, rng))
        case _:
            return None


STRATEGIES: dict[str, Strategy] = {name: partial(at_table, plan) for name, plan in PLANS.items()}
