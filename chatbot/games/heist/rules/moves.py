"""What people do in a heist, and what happens: actions and events, all frozen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, get_args

from chatbot.kernel.game import Role, Seat
from chatbot.kernel.lobby import Start, Started


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
    """Stake credits on the next heist."""

    seat: Seat
    credits: int


@dataclass(frozen=True, slots=True)
class JoinAs(Join):
    """Join with a role that brings a bonus, as the room knew it at that moment."""

    role: Role


@dataclass(frozen=True, slots=True)
class Leave:
    """Take the own stake back, before the lobby closes."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Answer:
    """What a heister does in the getaway; the last one before the window closes counts."""

    seat: Seat
    act: Act


@dataclass(frozen=True, slots=True)
class Opened:
    """The first of the crew has staked."""

    seat: Seat
    credits: int
    seconds: int  # until the lobby closes


@dataclass(frozen=True, slots=True)
class Joined:
    """Another of the crew has staked; `crew` counts them all."""

    seat: Seat
    credits: int
    crew: int


@dataclass(frozen=True, slots=True)
class Left:
    """One of the crew has taken the stake back; `crew` counts who stays."""

    seat: Seat
    credits: int
    crew: int


@dataclass(frozen=True, slots=True)
class Reached:
    """So many are in now that a better bank comes into reach."""

    bank: int
    crew: int
    further: bool = False  # whether a bank has come into reach before, in this lobby


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
    """Everybody who stays goes in: so many of all heisters, the rabble included."""

    bank: int
    committed: int
    heisters: int


class Fate(Enum):
    """What became of a heister, once dice, fingers and crosses are settled."""

    RETURNED = "returned"  # backed out
    CAUGHT = "caught"  # by the own dice
    TRAPPED = "trapped"  # a crosser among too many
    FINGERED = "fingered"  # a crosser who was identified
    ESCAPED = "escaped"
    RAN = "ran"  # a crosser, with what others had won


@dataclass(frozen=True, slots=True)
class Outcome:
    """How it ended for one heister."""

    seat: Seat
    act: Act
    fate: Fate
    cost: int = 0  # what went in and did not come back: the stake, all credits, fines
    winnings: int = 0  # what the dice gave, the stake included
    received: int = 0  # credits that reached the purse
    lucky: bool = False  # whether the own dice came up
    put_by: int = 0  # of the winnings, what was spent on intel or deposited
    lost: int = 0  # of the winnings, what others took or the heister forfeited, less what came back
    loot: int = 0  # of others' winnings, what a crosser ran off with

    @property
    def net(self) -> int:
        """By how much the purse changed."""
        return self.received - self.cost

    @property
    def went(self) -> bool:
        """Whether the heister went in, and did not back out."""
        return self.fate is not Fate.RETURNED

    @property
    def away(self) -> bool:
        """Whether the heister got away, whatever became of the winnings; all that is told goes by it."""
        return self.fate in {Fate.ESCAPED, Fate.RAN}


@dataclass(frozen=True, slots=True)
class Settled:
    """The dice have fallen, and all that follows is decided; the outcomes are the last word."""

    bank: int
    outcomes: tuple[Outcome, ...]
    rabble_in: int
    rabble_won: int  # of the rabble that went in, how many succeeded


@dataclass(frozen=True, slots=True)
class BroughtHome:
    """What everybody brings home, once fingers and crosses are settled."""

    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Identified:
    """A snitch has named a crosser, who pays a fine to the snitch."""

    snitch: Seat
    crosser: Seat
    fine: int
    before: int = 0  # fingers that were pointed before this one, right or wrong


@dataclass(frozen=True, slots=True)
class Stitched:
    """A snitch named nobody, and forfeits half of the winnings."""

    snitch: Seat
    forfeit: int
    before: int = 0  # fingers that were pointed before this one, right or wrong


@dataclass(frozen=True, slots=True)
class Crossed:
    """A double cross that was not sprung: who ran off with something, and whose shares were undone."""

    ran: tuple[Seat, ...]
    loot: int  # of all who ran
    undone: tuple[Seat, ...]  # identified: their shares went back
    back: int  # to all of the loyal


@dataclass(frozen=True, slots=True)
class Sprung:
    """Too many tried: the crossers get nothing, and the loyal what these had won."""

    crossers: tuple[Seat, ...]
    extra: int  # for all of the loyal


@dataclass(frozen=True, slots=True)
class Wage:
    """What one member was paid at a payday."""

    seat: Seat
    salary: int  # paid
    bribes: int  # paid out of it to guards


@dataclass(frozen=True, slots=True)
class Paid:
    """The payday, of everybody who was paid something or paid guards."""

    wages: tuple[Wage, ...]


@dataclass(frozen=True, slots=True)
class Hired:
    """Somebody has found a job."""

    seat: Seat
    salary: int
    percent: int | None = None  # of the usual wage, where that goes by the stake; else the salary is paid


@dataclass(frozen=True, slots=True)
class GuardsLeft:
    """So many guards were not paid, and have left."""

    seat: Seat
    guards: int


Action: TypeAlias = Join | JoinAs | Leave | Start | Answer
Event: TypeAlias = (
    Opened
    | Joined
    | Left
    | Started
    | Reached
    | Abandoned
    | Targeted
    | Answered
    | Stormed
    | Settled
    | Identified
    | Stitched
    | Crossed
    | Sprung
    | BroughtHome
    | Paid
    | Hired
    | GuardsLeft
)

ACTIONS: tuple[type, ...] = get_args(Action)
EVENTS: tuple[type, ...] = get_args(Event)
