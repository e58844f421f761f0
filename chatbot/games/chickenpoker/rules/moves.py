"""What players of Chicken Poker do, and what happens: actions are imperatives, events past participles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, get_args

from chatbot.kernel import lobby
from chatbot.kernel.game import Seat

# Actions


@dataclass(frozen=True, slots=True)
class Join:
    """Open a table for cards 1..n, or join the open one; 0 credits are for honour.

    What is None was not said: whoever opens takes what is usual in the room, all others what the table has.
    """

    seat: Seat
    cards: int | None = None
    credits: int | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """Choose a card for this round; another choice replaces it until the round closes.

    `public`: it was said where the others can read it.
    """

    seat: Seat
    card: int
    public: bool = False


# Parts of events


@dataclass(frozen=True, slots=True)
class Shown:
    """A card that was shown in a round; `late`: nobody chose it, the time was up."""

    seat: Seat
    card: int
    late: bool = False


@dataclass(frozen=True, slots=True)
class Commitment:
    """What the house publishes of a hidden choice; `rules.digest` makes it."""

    seat: Seat
    digest: str


@dataclass(frozen=True, slots=True)
class Disclosure:
    """What opens a commitment afterwards."""

    seat: Seat
    nonce: str  # 32 hexadecimal digits
    card: int


# Events


@dataclass(frozen=True, slots=True)
class Seated:
    """The seats are drawn: their order is that of the ids 1, 2, …, which decide ties."""

    order: tuple[Seat, ...]
    cards: int
    pot: int


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """A round to choose cards for, with what is left to everybody."""

    number: int  # from 1
    of: int
    hands: Mapping[Seat, tuple[int, ...]]  # in the order of the ids
    committed: tuple[Commitment, ...]
    seconds: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """Somebody has chosen; what is for their eyes only.

    `public`: they have said it where the others can read it; `exposed`: that may harm them, and they are
    told so for the first time.
    """

    seat: Seat
    card: int
    public: bool
    exposed: bool
    again: bool
    waiting: tuple[Seat, ...]  # who have not chosen yet
    choosers: int  # how many are to choose in all


@dataclass(frozen=True, slots=True)
class RoundShown:
    """A round is over: what everybody showed, who took it, and the points of all."""

    number: int
    of: int
    shown: tuple[Shown, ...]
    winner: Seat
    points: int
    totals: Mapping[Seat, int]
    disclosed: tuple[Disclosure, ...]


@dataclass(frozen=True, slots=True)
class Won:
    """Equal totals share the pot; what cannot be divided goes to the first of them, a credit each."""

    winners: tuple[Seat, ...]
    totals: Mapping[Seat, int]
    pot: int
    shares: Mapping[Seat, int]


Action: TypeAlias = Join | lobby.Leave | lobby.Start | Play
Event: TypeAlias = lobby.LobbyEvent | Seated | RoundBegan | Chosen | RoundShown | Won

ACTIONS: tuple[type, ...] = get_args(Action)
EVENTS: tuple[type, ...] = get_args(Event)
