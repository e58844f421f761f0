"""What players of Poker Market do, and what happens: actions are imperatives, events past participles.

Cards are written as `cards.written` writes them, such as `JS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, get_args

from chatbot.kernel import lobby
from chatbot.kernel.game import Seat

# Actions


@dataclass(frozen=True, slots=True)
class Join:
    """Open a table for so many rounds, or join the open one; 0 credits are for honour.

    What is None was not said: whoever opens takes what is usual in the room, all others what the table has.
    """

    seat: Seat
    rounds: int | None = None
    credits: int | None = None


@dataclass(frozen=True, slots=True)
class Propose:
    """Offer an own card for a card of somebody else's; `partner` is who is thought to hold it."""

    seat: Seat
    give: str
    take: str
    partner: Seat | None = None


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept what is offered; `give` and `take`, where they are said, are the cards of the swap meant.

    Buttons say them: one that was shown for an earlier offer must not answer the present one.
    """

    seat: Seat
    give: str | None = None
    take: str | None = None


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline what is offered; the cards are those of `Accept`."""

    seat: Seat
    give: str | None = None
    take: str | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """Propose nothing in this turn."""

    seat: Seat


# Parts of events


@dataclass(frozen=True, slots=True)
class Offer:
    """A swap that was proposed: `seat` gives `give` for what the partner holds."""

    seat: Seat
    give: str
    take: str
    partner: Seat


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is."""

    number: int  # from 1, over all rounds
    round: int  # from 1
    rounds: int
    seat: Seat


class Reason(Enum):
    """Why a player of the house declines, as far as its hand tells."""

    WORSE = "worse"  # the own hand would be worth less
    OVERTAKEN = "overtaken"  # the other would come to stand before it
    NOTHING = "nothing"  # the own hand would be worth no more
    PATIENT = "patient"  # it hopes for something better


@dataclass(frozen=True, slots=True)
class Placing:
    """How a hand ended; `rank` is 1 for the best."""

    seat: Seat
    hand: tuple[str, ...]
    rank: int
    points: int
    credits: int  # that come out of the pot


@dataclass(frozen=True, slots=True)
class Missed:
    """A swap that nobody proposed, in which round it could have been, and what both would have held then."""

    offer: Offer
    round: int  # from 1
    own: tuple[str, ...]
    theirs: tuple[str, ...]


# Events


@dataclass(frozen=True, slots=True)
class Dealt:
    """The hands lie open; their order is that of the turns."""

    hands: Mapping[Seat, tuple[str, ...]]
    rounds: int
    pot: int


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """`hands` are told again where a round begins and they have changed since the last one did."""

    turn: Turn
    example: tuple[str, str]  # two cards that could be swapped
    seconds: int
    hands: Mapping[Seat, tuple[str, ...]] | None = None


@dataclass(frozen=True, slots=True)
class Proposed:
    """`own` and `theirs` are what the two would hold then."""

    offer: Offer
    own: tuple[str, ...]
    theirs: tuple[str, ...]
    seconds: int


@dataclass(frozen=True, slots=True)
class Accepted:
    """The cards have changed hands; these are both hands now."""

    offer: Offer
    hands: Mapping[Seat, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Declined:
    """`late`: the time was up; `reason` is told by the house's own."""

    offer: Offer
    late: bool = False
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Passed:
    """A turn without a proposal; `late`: the time was up."""

    seat: Seat
    late: bool = False


@dataclass(frozen=True, slots=True)
class Ranked:
    """The market is closed. `missed` is the best swap that nobody proposed, where there was a good one."""

    places: tuple[Placing, ...]  # the best first
    pot: int
    missed: Missed | None = None


Action: TypeAlias = Join | lobby.Leave | lobby.Start | Propose | Accept | Decline | Pass
Event: TypeAlias = lobby.LobbyEvent | Dealt | TurnBegan | Proposed | Accepted | Declined | Passed | Ranked

ACTIONS: tuple[type, ...] = get_args(Action)
EVENTS: tuple[type, ...] = get_args(Event)
