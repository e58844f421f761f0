"""What the house plays: fixed before anybody chooses, hidden in a published hash, opened afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.chickenpoker.chat.strategies import planned
from chatbot.games.chickenpoker.rules.moves import Commitment, Disclosure
from chatbot.games.chickenpoker.rules.states import Fixed, Over, Playing
from chatbot.games.chickenpoker.rules.views import view
from chatbot.kernel.fair import commitment, draw_nonce
from chatbot.kernel.kit import HiddenChoice, of_house

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.games.chickenpoker.rules.states import State
    from chatbot.kernel.fair import Rng
    from chatbot.kernel.game import Seat


def digest(nonce: str, card: int) -> str:
    """Make what is published of a hidden card, which is hashed in ASCII digits."""
    return commitment(nonce, str(card))


def fixed(state: Playing, rng: Rng) -> Mapping[Seat, Fixed]:
    """Let the players of the house choose, each by its own plan; none knows what another has fixed."""
    found = {}
    for seat in state.order:
        if of_house(seat):
            card = planned(view(state, (), seat), seat, rng)
            found[seat] = Fixed(card, draw_nonce(rng))
    return found


def committed(state: State) -> tuple[Commitment, ...]:
    if not isinstance(state, Playing):
        return ()
    return tuple(Commitment(seat, digest(each.nonce, each.card)) for seat, each in state.fixed.items())


def disclosed(state: Playing) -> tuple[Disclosure, ...]:
    return tuple(Disclosure(seat, each.nonce, each.card) for seat, each in state.fixed.items())


def hidden(state: State) -> Sequence[HiddenChoice]:
    """List all that the house has fixed in this game, by rounds."""
    if not isinstance(state, Playing | Over):
        return []
    shown = [
        HiddenChoice(each.number, opened.seat, opened.nonce, str(opened.card), shown=True)
        for each in state.history
        for opened in each.disclosed
    ]
    if isinstance(state, Over):
        return shown
    present = [
        HiddenChoice(state.number, seat, each.nonce, str(each.card), shown=False)
        for seat, each in state.fixed.items()
    ]
    return [*shown, *present]
