"""What players of Six Card Poker do, and what happens: actions are imperatives, events past participles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, get_args

from chatbot.games.sixcardpoker.rules.cards import Arrangement, Outcome, SixCards
from chatbot.kernel.game import Seat

# Actions


@dataclass(frozen=True, slots=True)
class Open:
    """Play the house, or challenge a rival to a duel; 0 credits are for honour.

    `by_seat`: nobody can be told their cards in this chat, so both hold them in a browser of their own.
    """

    seat: Seat
    credits: int = 0
    rival: Seat | None = None
    by_seat: bool = False


@dataclass(frozen=True, slots=True)
class Accept:
    """Take up the challenge, for the stake that it names."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Decline:
    """Turn the challenge down; whoever made it takes it back so."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Arrive:
    """Open one's hand in a browser of one's own, for which a duel by seats waits."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Arrange:
    """Set the cards, as `cards.Arrangement` writes it; another setting replaces it until both are in.

    `public`: it was said where the others can read it.
    """

    seat: Seat
    hands: str
    public: bool = False


@dataclass(frozen=True, slots=True)
class LeaveIt:
    """Let the cards be set as best play would."""

    seat: Seat


# Parts of events


@dataclass(frozen=True, slots=True)
class Commitment:
    """What is published of a hidden setting; `fair.commitment` makes it of `str(Arrangement)`."""

    seat: Seat
    digest: str


@dataclass(frozen=True, slots=True)
class Setting:
    """How somebody has set their cards.

    `auto`: best play set them; `late`: since the time was up. The nonce opens what was committed.
    """

    seat: Seat
    arrangement: Arrangement
    auto: bool = False
    late: bool = False
    nonce: str = ""

    @property
    def held(self) -> SixCards:
        return self.arrangement.held


# Events


@dataclass(frozen=True, slots=True)
class Opened:
    """Somebody plays the house: their cards lie open, its own are set already, and hidden."""

    seat: Seat
    credits: int
    held: SixCards
    committed: Commitment
    seconds: int


@dataclass(frozen=True, slots=True)
class Challenged:
    seat: Seat
    rival: Seat
    credits: int
    seconds: int
    by_seat: bool = False


@dataclass(frozen=True, slots=True)
class Accepted:
    """The duel is on: both have their cards, which each sees alone."""

    seat: Seat  # who was challenged
    challenger: Seat
    credits: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Awaiting:
    """A duel by seats is accepted; the cards are dealt when those who are missing have opened theirs."""

    seat: Seat  # who was challenged
    challenger: Seat
    credits: int
    missing: tuple[Seat, ...]
    seconds: int


@dataclass(frozen=True, slots=True)
class Unseated:
    """The cards were not dealt, as somebody's seat was not open in time; stakes are back."""

    challenger: Seat
    rival: Seat
    missing: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """For the eyes of the seat alone."""

    seat: Seat
    held: SixCards
    seconds: int


@dataclass(frozen=True, slots=True)
class Declined:
    """`seat` does not want to; stakes are back."""

    seat: Seat
    challenger: Seat
    rival: Seat


@dataclass(frozen=True, slots=True)
class Lapsed:
    """Nobody answered the challenge; stakes are back."""

    challenger: Seat
    rival: Seat


@dataclass(frozen=True, slots=True)
class Arranged:
    """Somebody in a duel has set their cards while the other has not; how is for their eyes only.

    `public`: they have said it where the others can read it; `exposed`: they are told so for the first time.
    """

    seat: Seat
    arrangement: Arrangement
    auto: bool
    public: bool
    exposed: bool
    again: bool


@dataclass(frozen=True, slots=True)
class Revealed:
    """Both are shown; the outcome is that of the first against the second.

    `payouts` are the credits that each gets back, the stake included.
    """

    first: Setting
    second: Setting
    outcome: Outcome
    credits: int
    payouts: Mapping[Seat, int]


Action: TypeAlias = Open | Accept | Decline | Arrive | Arrange | LeaveIt
Event: TypeAlias = (
    Opened | Challenged | Accepted | Awaiting | Unseated | Dealt | Declined | Lapsed | Arranged | Revealed
)

ACTIONS: tuple[type, ...] = get_args(Action)
EVENTS: tuple[type, ...] = get_args(Event)
