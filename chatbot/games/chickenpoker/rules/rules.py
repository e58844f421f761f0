"""Chicken Poker: everybody holds the cards 1..n and shows one a round; the highest takes the sum of all.

What the house plays is fixed before anybody chooses, and published hidden in a hash, which is opened
when the round is shown.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, ClassVar, TypeAlias, assert_never

from pydantic import Field

from chatbot.games.chickenpoker.rules.moves import (
    Action,
    Commitment,
    Disclosure,
    Join,
    Play,
    RoundBegan,
    RoundShown,
    Seated,
    Shown,
    Won,
)
from chatbot.games.chickenpoker.rules.showdown import winner
from chatbot.games.chickenpoker.rules.states import Fixed, Over, Playing, State, View, view
from chatbot.games.chickenpoker.strategies import PLANS, draw_card
from chatbot.kernel import lineup, lobby
from chatbot.kernel.fair import commitment, draw_nonce
from chatbot.kernel.game import Clock, Moment, Refusal, Seat, Sit, Step, SystemPurse, Timeout, Transfer
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.keyed import Lengths
from chatbot.kernel.kit import HiddenChoice
from chatbot.kernel.lobby import ForHonour, Leave, Lobby, LobbyGame, Start, Wish, abandoned, may_leave
from chatbot.kernel.say import Message
from chatbot.kernel.settings import Unit, Whole, Window

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.kernel.fair import Rng

# As far as `solver.returns` goes: in longer games the house's strategies would have no figure.
CARDS = Lengths("chicken", "cards", least=2, most=15)

Strategies = Annotated[lineup.Names, lineup.among(PLANS), lineup.expected(PLANS)]
Cards = Annotated[Whole, Field(ge=CARDS.least, le=CARDS.most), Unit("cards")]


# Ready-made settings: the usual game, a short one, a long one, and one with a stake.
PRESETS: Mapping[str, Mapping[str, object]] = {
    "usual": {},
    "quick": {"cards": 4, "lobby": 30, "choice": 20},
    "long": {"cards": 10},
    "table": {"default_stake": 50},
}


Input: TypeAlias = Action | ForHonour | Sit | Timeout


@dataclass(frozen=True, slots=True)
class ChickenPoker(LobbyGame):
    """The rules with a room's settings."""

    name: ClassVar[str] = "chickenpoker"
    lengths: ClassVar[Lengths] = CARDS
    known_strategies: ClassVar[Collection[str]] = PLANS

    choice: Window = 30
    cards: Cards = 6
    house_strategies: Strategies = ("nash",)

    @property
    def length(self) -> int:
        """How many cards everybody holds where nothing is said."""
        return self.cards

    def most_won(self, credits_: int) -> int:
        """Return what the most points win of one other: the whole pot is theirs."""
        return credits_

    def apply(self, state: State, action: Input, moment: Moment) -> Step[State]:
        match action:
            case Sit():
                return Step(state)
            case Join():
                return self._join(state, action, moment.rng)
            case Leave() | ForHonour():
                return self._give_back(state, action)
            case Start():
                return self._start(state, action)
            case Play():
                return self._play(state, action, moment.rng)
            case Timeout():
                return self._time_out(state, action, moment.rng)
            case _:
                assert_never(action)

    def menu(self, state: State, seat: Seat, purse: int) -> Sequence[Action]:
        match state:
            case Lobby():
                return self._openings(state, seat, purse)
            case Playing():
                return [] if of_house(seat) else [Play(seat, card) for card in state.hands.get(seat, ())]
            case Over():
                return []

    def view(self, state: State, seat: Seat | None, purse: int = 0) -> View:  # noqa: ARG002
        return view(state, commitments(state), seat)

    def clock(self, state: State) -> Clock | None:
        match state:
            case Lobby():
                return Clock("lobby", self.lobby)
            case Playing():
                return Clock(f"round {state.number}", self.choice)
            case Over():
                return None

    # The lobby

    def _openings(self, state: Lobby, seat: Seat, purse: int) -> Sequence[Action]:
        if may_leave(state, seat):
            return self.ways_out(state, seat)
        wishes = self.entrance.offers(state, seat, purse)
        return [Join(each.seat, each.length, each.credits) for each in wishes]

    def _join(self, state: State, action: Join, rng: Rng) -> Step[State]:
        wish = Wish(action.seat, action.cards, action.credits)
        return self.entrance.join(state, wish, partial(self._close_lobby, rng=rng))

    def _give_back(self, state: State, action: Leave | ForHonour) -> Step[State]:
        step = self.entrance.give_back(state, action)
        return Step(step.state, step.events, step.transfers)

    def _start(self, state: State, action: Start) -> Step[State]:
        step = self.start_lobby(state, action)
        return Step(step.state, step.events)

    def _close_lobby(self, state: Lobby, rng: Rng) -> Step[State]:
        if state.deserted:
            return abandoned(state, Over(state.players, state.length, state.credits))
        # The order of draws is a part of the rules: with another one recorded tables do not come out the
        # same, and `version` must rise.
        order = tuple(rng.shuffled(state.players))
        hands = dict.fromkeys(order, tuple(range(1, state.length + 1)))
        playing = Playing(order, state.length, state.credits, hands, dict.fromkeys(order, 0))
        first_round = self._begin(playing, rng)
        seated = Seated(order, state.length, state.credits * len(order))
        return Step(first_round.state, (seated, *first_round.events))

    # A round

    def _begin(self, state: Playing, rng: Rng) -> Step[State]:
        """Fix what the house plays, and publish the hashes."""
        playing = replace(state, fixed=fix_choices(state, rng))
        event = RoundBegan(playing.number, playing.cards, playing.hands, commitments(playing), self.choice)
        return Step(playing, (event,))

    def _play(self, state: State, action: Play, rng: Rng) -> Step[State]:
        if not isinstance(state, Playing):
            raise Refusal(Message("chicken-no-round"))
        if action.seat not in state.hands or of_house(action.seat):
            raise Refusal(Message("chicken-not-in"))
        hand = state.hands[action.seat]
        if action.card not in hand:
            raise Refusal(Message("chicken-not-held", {"hand": " ".join(map(str, hand))}))
        playing, event = state.choose(action)
        if event.waiting:
            return Step(playing, (event,))
        step = self._show(playing, rng)
        return Step(step.state, (event, *step.events), step.transfers)

    def _show(self, state: Playing, rng: Rng) -> Step[State]:
        """Show all cards, and go on; the last ones are shown at once, for they are nobody's choice."""
        event = _showdown(state)
        after = state.after(event)
        if after.number > after.cards:
            following = _settle(after)
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
    """Whether a game has been played to its end."""
    return isinstance(state, Over) and bool(state.history)


def awaited(state: State) -> Sequence[Seat] | None:
    """Return who has not chosen a card in this round yet."""
    return state.waiting if isinstance(state, Playing) else lobby.awaited(state)


def _showdown(state: Playing) -> RoundShown:
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
        disclosures(state),
    )


def _settle(state: Playing) -> Step[State]:
    """Pay the pot to the most points.

    Equal totals share it: their shares are equal and so are the remainders, so what cannot be divided goes
    to the first of them in the order of the ids, a credit each.
    """
    most = max(state.totals.values())
    winners = tuple(seat for seat in state.order if state.totals[seat] == most)
    pot = state.credits * len(state.order)
    share, rest = divmod(pot, len(winners))
    shares = {seat: share + (place < rest) for place, seat in enumerate(winners)}
    assert sum(shares.values()) == pot, f"expected shares of {pot} credits, got {shares}"  # noqa: S101
    transfers = tuple(Transfer(SystemPurse.POT, seat, each, "won") for seat, each in shares.items() if each)
    over = Over(state.order, state.cards, state.credits, state.totals, state.history, shares)
    return Step(over, (Won(winners, state.totals, pot, shares),), transfers)


# What the house plays: fixed before anybody chooses, hidden in a published hash, opened afterwards.


def digest(nonce: str, card: int) -> str:
    """Make what is published of a hidden card, which is hashed in ASCII digits."""
    return commitment(nonce, str(card))


def fix_choices(state: Playing, rng: Rng) -> Mapping[Seat, Fixed]:
    """Let the players of the house choose, each by its own plan; none knows what another has fixed."""
    choices = {}
    for seat in state.order:
        if of_house(seat):
            card = draw_card(view(state, (), seat), seat, rng)
            choices[seat] = Fixed(card, draw_nonce(rng))
    return choices


def commitments(state: State) -> tuple[Commitment, ...]:
    """Publish what the house has fixed in this round, hidden."""
    if not isinstance(state, Playing):
        return ()
    return tuple(Commitment(seat, digest(each.nonce, each.card)) for seat, each in state.fixed.items())


def disclosures(state: Playing) -> tuple[Disclosure, ...]:
    """Return what the house had fixed in this round, with the nonces that open the hashes."""
    return tuple(Disclosure(seat, each.nonce, each.card) for seat, each in state.fixed.items())


def hidden(state: State) -> Sequence[HiddenChoice]:
    """List all that the house has fixed in this game, by rounds."""
    if not isinstance(state, Playing | Over):
        return []
    past = [
        HiddenChoice(each.number, disclosure.seat, disclosure.nonce, str(disclosure.card), shown=True)
        for each in state.history
        for disclosure in each.disclosed
    ]
    if isinstance(state, Over):
        return past
    present = [
        HiddenChoice(state.number, seat, each.nonce, str(each.card), shown=False)
        for seat, each in state.fixed.items()
    ]
    return [*past, *present]
