"""What people do in a heist, and what happens: actions and events, all frozen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from chatbot.kernel.game import Seat


class Act(Enum):
    """The ten answers of the getaway, named as the commands that give them."""

    GUNCHECK = "guncheck"
    BACK_OUT = "backout"
    ALL_IN = "allin"
    CHANGE_JOBS = "changejobs"
    INTEL = "intel"
    GUARD = "guard"
    DEPOSIT = "deposit"
    WITHDRAW = "withdraw"
    DOUBLE_CROSS = "doublecross"
    FINGER = "finger"


@dataclass(frozen=True, slots=True)
class Join:
    seat: Seat
    credits: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What a heister does in the getaway; the last one before the window closes counts."""

    seat: Seat
    act: Act


@dataclass(frozen=True, slots=True)
class Opened:
    seat: Seat
    credits: int
    seconds: int  # until the lobby closes


@dataclass(frozen=True, slots=True)
class Joined:
    seat: Seat
    credits: int
    crew: int


@dataclass(frozen=True, slots=True)
class Reached:
    """So many are in now that a better bank comes into reach."""

    bank: int
    crew: int


@dataclass(frozen=True, slots=True)
class Abandoned:
    """Too few came; every stake has gone back."""

    crew: int
    wanted: int


@dataclass(frozen=True, slots=True)
class Targeted:
    """The lobby is closed and the bank is named."""

    bank: int
    crew: int
    rabble: int  # heisters of the rabble
    staked: int  # by everybody
    seconds: int  # of the getaway; 0: there is none


@dataclass(frozen=True, slots=True)
class Answered:
    """Told to the heister alone; the public hears only that an answer came in."""

    seat: Seat
    act: Act


@dataclass(frozen=True, slots=True)
class Stormed:
    bank: int
    committed: int
    heisters: int


class Fate(Enum):
    RETURNED = "returned"  # backed out
    FAILED = "failed"
    SUCCEEDED = "succeeded"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How it ended for one heister."""

    seat: Seat
    act: Act
    fate: Fate
    cost: int  # what went in and did not come back: the stake, all credits, or 0
    winnings: int  # what the dice gave, the stake included
    received: int  # credits that reached the purse


@dataclass(frozen=True, slots=True)
class Settled:
    """The dice have fallen."""

    bank: int
    outcomes: tuple[Outcome, ...]
    rabble_in: int
    rabble_won: int  # of the rabble that went in, how many succeeded


@dataclass(frozen=True, slots=True)
class BroughtHome:
    """What everybody has of it, when fingers and crosses are through."""

    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Identified:
    snitch: Seat
    crosser: Seat
    fine: int


@dataclass(frozen=True, slots=True)
class Stitched:
    snitch: Seat
    forfeit: int


@dataclass(frozen=True, slots=True)
class Crossed:
    """A double cross that was not sprung: who ran off with a share each, and whose shares were undone."""

    ran: tuple[Seat, ...]
    share: int
    undone: tuple[Seat, ...]  # identified: their shares went back
    back: int  # to each of the loyal


@dataclass(frozen=True, slots=True)
class Sprung:
    """Too many tried: the crossers get nothing, each of the loyal a share."""

    crossers: tuple[Seat, ...]
    share: int


@dataclass(frozen=True, slots=True)
class Wage:
    seat: Seat
    salary: int  # paid
    bribes: int  # paid out of it to guards


@dataclass(frozen=True, slots=True)
class Paid:
    wages: tuple[Wage, ...]


@dataclass(frozen=True, slots=True)
class Hired:
    seat: Seat
    salary: int


@dataclass(frozen=True, slots=True)
class GuardsLeft:
    seat: Seat
    guards: int


ACTIONS = (Join, Answer)
EVENTS = (
    Opened, Joined, Reached, Abandoned, Targeted, Answered, Stormed,
    Settled, Identified, Stitched, Crossed, Sprung, BroughtHome, Paid, Hired, GuardsLeft,
)  # fmt: skip
