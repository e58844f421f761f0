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
    """Play the house, or challenge a rival to a duel; 0 credits are for honour."""

    seat: Seat
    credits: int = 0
    rival: Seat | None = None


@dataclass(frozen=True, slots=True)
class Accept:
    """Take up the challenge, for the stake that it names."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Decline:
    """Turn the challenge down; whoever made it takes it back so."""

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


@dataclass(frozen=True, slots=True)
class Accepted:
    """The duel is on: both have their cards, which each sees alone."""

    seat: Seat  # who was challenged
    challenger: Seat
    credits: int
    seconds: int


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


Action: TypeAlias = Open | Accept | Decline | Arrange | LeaveIt
Event: TypeAlias = Opened | Challenged | Accepted | Dealt | Declined | Lapsed | Arranged | Revealed

ACTIONS: tuple[type, ...] = get_args(Action)
EVENTS: tuple[type, ...] = get_args(Event)
