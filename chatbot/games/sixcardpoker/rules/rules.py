"""Six Card Poker: six cards each, of which High, Middle and Low are set; the better of three hands wins.

Whoever plays the house has their cards in the open; what the house sets is drawn from its own cards alone,
before anybody chooses, and published hidden in a hash, which is opened in the end. In a duel both keep their
cards to themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias, assert_never

from chatbot.games.sixcardpoker.rules.cards import DECK, HELD, compare, sensible, setting_of
from chatbot.games.sixcardpoker.rules.moves import (
    Accept,
    Accepted,
    Action,
    Arrange,
    Arranged,
    Arrive,
    Awaiting,
    Challenged,
    Dealt,
    Decline,
    Declined,
    Lapsed,
    LeaveIt,
    Open,
    Opened,
    Revealed,
    Setting,
    Unseated,
)
from chatbot.games.sixcardpoker.rules.states import (
    THE_HOUSE,
    Awaited,
    Empty,
    Invited,
    Over,
    Playing,
    State,
    View,
    committed,
    view,
)
from chatbot.games.sixcardpoker.solver import policies
from chatbot.kernel import stakes
from chatbot.kernel.fair import draw_nonce
from chatbot.kernel.game import Clock, Moment, Refusal, Seat, Sit, Step, SystemPurse, Timeout, Transfer
from chatbot.kernel.say import Arguments, Message, Name
from chatbot.kernel.settings import Flag, Tables, Window
from chatbot.kernel.stakes import StakedGame

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.games.sixcardpoker.rules.cards import Arrangement, SixCards
    from chatbot.kernel.fair import Rng
    from chatbot.kernel.game import TransferParty


# Ready-made settings: the usual game, a short one for busy rooms, and one with a stake.
PRESETS: Mapping[str, Mapping[str, object]] = {
    "usual": {},
    "short": {"arrangement": 30, "acceptance": 30},
    "stakes": {"default_stake": 50},
}


SEAT_SECONDS = 120
"""Seconds in which a challenge by seats is accepted, and then as many in which both have to be open."""

Input: TypeAlias = Action | Sit | Timeout


@dataclass(frozen=True, slots=True)
class SixCardPoker(StakedGame):
    """The rules with a room's settings."""

    arrangement: Window = 60
    acceptance: Window = 60
    duels: Flag = True
    games: Tables = 10

    def start(self) -> State:
        return Empty()

    def apply(self, state: State, action: Input, moment: Moment) -> Step[State]:  # noqa: PLR0911  (one for each action)
        match action:
            case Sit():
                return Step(_seated(state, action.seat))
            case Open():
                return self._open(state, action, moment.rng)
            case Decline() if isinstance(state, Awaited) and action.seat in {state.player, state.rival}:
                return Step(
                    Over(state.player), (Declined(action.seat, state.player, state.rival),), returned(state)
                )
            case Accept() | Decline():
                return self._answer(_invited(state, action.seat), action, moment.rng)
            case Arrive():
                return self._arrive(state, action.seat, moment.rng)
            case Arrange() | LeaveIt():
                return _set(_playing(state, action.seat), action, moment.rng)
            case Timeout():
                return self._time_out(state, action, moment.rng)
            case _:
                assert_never(action)

    def menu(self, state: State, seat: Seat, purse: int) -> Sequence[Action]:
        match state:
            case Empty():
                return self._openings(seat, purse) if state.player in {None, seat} else []
            case Invited():
                return _answers(state, seat, purse)
            case Awaited():
                return [Decline(seat)] if seat in {state.player, state.rival} else []
            case Playing():
                if seat not in state.seats or seat == THE_HOUSE:
                    return []
                hands = sensible(state.held[seat])
                return [LeaveIt(seat), *(Arrange(seat, str(each)) for each in hands)]
            case Over():
                return []

    def view(self, state: State, seat: Seat | None, purse: int = 0) -> View:  # noqa: ARG002
        return view(state, seat)

    def clock(self, state: State) -> Clock | None:
        match state:
            case Empty():
                return Clock("opening", self.arrangement)
            case Invited():
                return Clock("challenge", self._acceptance(by_seat=state.by_seat))
            case Awaited():
                return Clock("seats", SEAT_SECONDS)
            case Playing():
                return Clock("arrangement", self.arrangement)
            case Over():
                return None

    # Opening

    def _openings(self, seat: Seat, purse: int) -> list[Open]:
        stakes_offered = dict.fromkeys((self.usual_stake, 0))
        return [Open(seat, stake) for stake in stakes_offered if stake <= purse]

    def _open(self, state: State, action: Open, rng: Rng) -> Step[State]:
        if not isinstance(state, Empty) or state.player not in {None, action.seat}:
            raise _refusal(state, action.seat)
        if action.credits:
            stakes.check(action.credits, self.min_stake, self.max_stake)
        transfers = stakes.put(action.seat, action.credits)
        if action.rival is None:
            return replace(self._deal(action, rng), transfers=transfers)
        if not self.duels:
            raise Refusal(Message("sixcard-no-duels"))
        if action.rival == action.seat:
            raise Refusal(Message("sixcard-yourself"))
        seconds = self._acceptance(by_seat=action.by_seat)
        challenged = Challenged(action.seat, action.rival, action.credits, seconds, action.by_seat)
        invited = Invited(action.seat, action.rival, action.credits, action.by_seat)
        return Step(invited, (challenged,), transfers)

    def _acceptance(self, *, by_seat: bool) -> int:
        """Return the seconds for an answer: whoever has to find and open a page first needs more of them."""
        return max(self.acceptance, SEAT_SECONDS) if by_seat else self.acceptance

    def _deal(self, action: Open, rng: Rng) -> Step[State]:
        """Deal, and let the house set its cards, before it can know how the player does."""
        # The order of draws is a part of the rules: with another one recorded tables do not come out the
        # same, and `version` must rise.
        own, other = _deal_cards(rng)
        arrangement = policies.draw(policies.nash()[other], rng)
        house = Setting(THE_HOUSE, arrangement, auto=True, nonce=draw_nonce(rng))
        hands = {action.seat: own, THE_HOUSE: other}
        playing = Playing(action.seat, THE_HOUSE, action.credits, hands).set(house)
        commitment = committed(playing)
        assert commitment is not None  # noqa: S101
        return Step(playing, (Opened(action.seat, action.credits, own, commitment, self.arrangement),))

    def _answer(self, state: Invited, action: Accept | Decline, rng: Rng) -> Step[State]:
        if isinstance(action, Decline):
            declined = Declined(action.seat, state.player, state.rival)
            return Step(Over(state.player), (declined,), returned(state))
        if action.seat != state.rival:
            raise Refusal(Message("sixcard-own-challenge", {"who": Name(state.rival)}))
        stake = stakes.put(action.seat, state.credits)
        if state.by_seat:
            awaited = Awaited(state.player, state.rival, state.credits, state.arrived)
            if awaited.missing:
                missing = Awaiting(state.rival, state.player, state.credits, awaited.missing, SEAT_SECONDS)
                return Step(awaited, (missing,), stake)
        return replace(self._deal_duel(state, rng), transfers=stake)

    def _arrive(self, state: State, seat: Seat, rng: Rng) -> Step[State]:
        """Note that somebody's hand is open, and deal if it was the last that was missing."""
        is_waited_for = isinstance(state, Invited | Awaited) and arrives(state, seat) is not None
        if not is_waited_for or not isinstance(state, Invited | Awaited):
            raise Refusal(Message("too-late"))
        after = replace(state, arrived=state.arrived | {seat})
        if isinstance(after, Awaited) and not after.missing:
            return self._deal_duel(after, rng)
        return Step(after)

    def _deal_duel(self, state: Invited | Awaited, rng: Rng) -> Step[State]:
        own, other = _deal_cards(rng)
        hands = {state.player: own, state.rival: other}
        accepted = Accepted(state.rival, state.player, state.credits, self.arrangement)
        deals = [Dealt(seat, cards, self.arrangement) for seat, cards in hands.items()]
        return Step(Playing(state.player, state.rival, state.credits, hands), (accepted, *deals))

    def _time_out(self, state: State, action: Timeout, rng: Rng) -> Step[State]:
        if action.clock != self.clock(state):
            raise Refusal(Message("too-late"))
        match state:
            case Empty():
                return Step(Over(state.player))
            case Invited():
                lapsed = Lapsed(state.player, state.rival)
                return Step(Over(state.player), (lapsed,), returned(state))
            case Awaited():
                unseated = Unseated(state.player, state.rival, state.missing)
                return Step(Over(state.player), (unseated,), returned(state))
            case Playing():
                for seat in state.waiting:
                    state = state.set(_by_best_play(state, seat, rng, late=True))
                return _reveal(state)
            case Over():
                raise Refusal(Message("too-late"))


def was_played(state: State) -> bool:
    """Whether a game has been played to its end."""
    return isinstance(state, Over) and state.revealed is not None


def winnable(game: SixCardPoker, state: State, other: State | None = None) -> Mapping[Seat, int]:  # noqa: ARG001
    """Return what each of two who duel can win of the other; who plays the house wins of the house."""
    match state:
        case Invited() | Awaited() | Playing(duel=True):
            return dict.fromkeys((state.player, state.rival), state.credits)
        case _:
            return {}


def guests(state: State) -> Sequence[Seat]:
    """Name who plays at the table that another has opened."""
    plays = isinstance(state, Awaited) or (isinstance(state, Playing) and state.duel)
    return (state.rival,) if isinstance(state, Awaited | Playing) and plays else ()


def awaited(state: State) -> Sequence[Seat] | None:
    """Return who has not set their cards yet."""
    return state.waiting if isinstance(state, Playing) else None


def arrives(state: State, seat: Seat) -> Arrive | None:
    """Return the action by which somebody whose hand is open says so, where a duel by seats waits for it."""
    by_seat = isinstance(state, Awaited) or (isinstance(state, Invited) and state.by_seat)
    if not by_seat or not isinstance(state, Invited | Awaited):
        return None
    is_missing = seat in {state.player, state.rival} and seat not in state.arrived
    return Arrive(seat) if is_missing else None


def invited(state: State) -> Sequence[Seat]:
    return (state.rival,) if isinstance(state, Invited) else ()


def buy_in(state: State) -> int:
    """Return what it takes to take up the challenge."""
    return state.credits if isinstance(state, Invited) else 0


def private(state: State) -> bool:
    """Whether what players can do is for their eyes only: it names their cards."""
    return isinstance(state, Playing) and state.duel


def _seated(state: State, seat: Seat) -> State:
    """Whoever sits down first plays; others may look on."""
    return Empty(seat) if isinstance(state, Empty) and state.player is None else state


def _refusal(state: State, seat: Seat) -> Refusal:
    """Say why no game begins here."""
    match state:
        case Invited() if seat == state.rival:
            args: Arguments = {"who": Name(state.player), "terms": stakes.terms(state.credits, each=True)}
            return Refusal(Message("sixcard-challenged", args))
        case Invited() if seat == state.player:
            return Refusal(Message("sixcard-own-challenge", {"who": Name(state.rival)}))
        case Playing() if seat in state.seats:
            return Refusal(Message("sixcard-already"))
        case Awaited() if seat in {state.player, state.rival}:
            return Refusal(Message("sixcard-seats-first"))
        case _:
            return Refusal(Message("sixcard-not-yours"))


def _invited(state: State, seat: Seat) -> Invited:
    if isinstance(state, Playing | Awaited) and seat in (state.player, state.rival):
        raise _refusal(state, seat)
    if not isinstance(state, Invited) or seat not in {state.player, state.rival}:
        raise Refusal(Message("sixcard-no-challenge"))
    return state


def _playing(state: State, seat: Seat) -> Playing:
    if isinstance(state, Playing) and seat in state.seats:
        return state
    if isinstance(state, Invited | Awaited) and seat in {state.player, state.rival}:
        raise _refusal(state, seat)
    raise Refusal(Message("sixcard-not-yours" if isinstance(state, Playing) else "sixcard-no-cards"))


def _answers(state: Invited, seat: Seat, purse: int) -> list[Action]:
    if seat == state.rival:
        accept: list[Action] = [Accept(seat)] if state.credits <= purse else []
        return [*accept, Decline(seat)]
    return [Decline(seat)] if seat == state.player else []


def _deal_cards(rng: Rng) -> tuple[SixCards, SixCards]:
    cards = rng.sample(DECK, 2 * HELD)
    return tuple(sorted(cards[:HELD])), tuple(sorted(cards[HELD:]))


def _set(state: Playing, action: Arrange | LeaveIt, rng: Rng) -> Step[State]:
    if isinstance(action, LeaveIt):
        return _settle(state, _by_best_play(state, action.seat, rng))
    arrangement = setting_of(state.held[action.seat], action.hands)
    if arrangement is None:
        raise _other_cards(state, action)
    return _settle(state, Setting(action.seat, arrangement), public=action.public)


def _other_cards(state: Playing, action: Arrange) -> Refusal:
    """Say that these are not the cards; those of a duel are not named where others may read the answer."""
    if state.duel and action.public:
        return Refusal(Message("sixcard-secret-cards"))
    return Refusal(Message("sixcard-other-cards", {"cards": " ".join(map(str, state.held[action.seat]))}))


def _by_best_play(state: Playing, seat: Seat, rng: Rng, *, late: bool = False) -> Setting:
    arrangement: Arrangement = policies.draw(policies.nash()[state.held[seat]], rng)
    return Setting(seat, arrangement, auto=True, late=late)


def _settle(state: Playing, setting: Setting, *, public: bool = False) -> Step[State]:
    """Take a setting, and reveal when it was the last."""
    after = state.set(setting)
    if not after.waiting:
        return _reveal(after)
    seat = setting.seat
    exposed, again = public and seat not in state.warned, seat in state.settings
    arranged = Arranged(seat, setting.arrangement, setting.auto, public, exposed, again)
    warned = state.warned | {seat} if exposed else state.warned
    return Step(replace(after, warned=warned), (arranged,))


def _reveal(state: Playing) -> Step[State]:
    first, second = (state.settings[seat] for seat in state.seats)
    outcome = compare(first.arrangement, second.arrangement)
    payouts, transfers = settle(state, outcome.round)
    revealed = Revealed(first, second, outcome, state.credits, payouts)
    return Step(Over(state.player, revealed), (revealed,), transfers)


# What stakes come to: a pot that is always emptied, and the house that adds what is won from it.


def settle(state: Playing, sign: int) -> tuple[dict[Seat, int], tuple[Transfer, ...]]:
    """Empty the pot, where the first wins (1), draws (0) or loses (-1), and say what people get back.

    Against the house, it pays what is won and keeps what is lost.
    """
    stake, (player, rival) = state.credits, state.seats
    payouts = {player: stake * (1 + sign), rival: stake * (1 - sign)}
    if state.duel:
        why = "winnings" if sign else "stake returned"
        return payouts, _payments(*((SystemPurse.POT, seat, payout, why) for seat, payout in payouts.items()))
    del payouts[rival]
    if sign < 0:
        return payouts, _payments((SystemPurse.POT, SystemPurse.HOUSE, stake, "loss"))
    returned_stake = (SystemPurse.POT, player, stake, "stake returned")
    return payouts, _payments(returned_stake, (SystemPurse.HOUSE, player, stake * sign, "winnings"))


def returned(state: Invited | Awaited) -> tuple[Transfer, ...]:
    """Return the transfers that give the stakes of a challenge back, if there are any."""
    stakers = (state.player,) if isinstance(state, Invited) else (state.player, state.rival)
    return _payments(*((SystemPurse.POT, each, state.credits, "stake returned") for each in stakers))


def _payments(*amounts: tuple[TransferParty, TransferParty, int, str]) -> tuple[Transfer, ...]:
    """Move what is more than nothing."""
    return tuple(Transfer(source, target, amount, why) for source, target, amount, why in amounts if amount)
