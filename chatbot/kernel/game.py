"""A game is a value: what it starts as, and what each action makes of it.

Luck is handed in (`Moment.rng`), time is declared (`Game.clock`) and money is a result
(`Step.transfers`). So a table can be replayed, searched, refunded and tested without a
chat, a clock or a database. A `Refusal` means that nothing has happened.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NewType, Protocol, TypeAlias, TypeVar

from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from chatbot.kernel.say import Message

Seat = NewType("Seat", str)
"""A player as the rules know one: an opaque id such as `p17`, or `house:kelly` of a player of the house."""

S = TypeVar("S")
A = TypeVar("A")
V_co = TypeVar("V_co", covariant=True)


class Failure(Exception):  # noqa: N818  (what happened, told in one sentence, not a fault of the program)
    """One sentence that names the thing, its value, and what would be right."""


class SystemPurse(Enum):
    """The purses that are nobody's seat."""

    POT = "pot"  # where this table's stakes wait; empty when the table is over
    HOUSE = "house"  # pays winnings, keeps losses
    MINT = "mint"  # makes and unmakes credits: paydays, bribes, gifts of the moderators


TransferParty: TypeAlias = Seat | SystemPurse


class Role(Enum):
    """What a speaker is in this room, from least to most; a regular is whom its moderators call so."""

    VIEWER = "viewer"
    REGULAR = "regular"
    SUBSCRIBER = "subscriber"
    VIP = "vip"
    MODERATOR = "moderator"
    BROADCASTER = "broadcaster"

    def covers(self, other: Role) -> bool:
        """Whether this role may do what `other` may."""
        return _RANKS[self] >= _RANKS[other]


_NO_ROLES = frozenset[Role]()
_RANKS = {each: rank for rank, each in enumerate(Role)}


def highest(roles: Iterable[Role]) -> Role:
    """Return the role that covers all others of some."""
    return max(roles, key=_RANKS.__getitem__)


def below(roles: frozenset[Role]) -> frozenset[Role]:
    """Return some roles without the highest.

    Nearly always there is none, and the one empty set is returned: each other one is 200 bytes of a line.
    """
    return roles - {highest(roles)} or _NO_ROLES


class Refusal(Exception):  # noqa: N818  (the project's word: it is an answer, not a fault)
    """One sentence for the player, who can act on it. Nothing has happened."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Clock:
    """How long a phase lasts.

    `phase` names the wait: a table keeps its running clock while the name stays the same and
    winds it afresh when the name changes, so a game of turns names each turn. How long one that is
    `hidden` lasts is nobody's to know: no countdown and no deadline is shown.
    """

    phase: str
    seconds: float
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Sit:
    """A member takes part, with what the game remembers of them (None: nothing yet)."""

    seat: Seat
    record: object | None = None


@dataclass(frozen=True, slots=True)
class Timeout:
    """The action the clock plays."""

    clock: Clock


@dataclass(frozen=True, slots=True)
class Moment:
    """The luck of one step, and the present credits of the seats that it needs."""

    rng: Rng
    purses: Mapping[Seat, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Transfer:
    """Whole credits that change hands, and why: one word, which the history shows."""

    source: TransferParty
    target: TransferParty
    credits: int
    why: str

    def __post_init__(self) -> None:
        if type(self.credits) is not int or self.credits < 1:
            raise ValueError(f"a transfer moves at least 1 whole credit, not {self.credits!r}")


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """What one accepted action did."""

    state: S
    events: tuple[object, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    records: Mapping[Seat, object] = field(default_factory=dict)


class Game(Protocol[S, A]):
    """The rules with their settings: a frozen dataclass whose fields are the game's settings.

    `purse` is the seat's present credits, as the caller reads them at that moment: no game keeps
    a copy of a wallet.
    """

    @property
    def starters(self) -> Role:
        """The least role that may open a table."""

    def start(self) -> S: ...

    def apply(self, state: S, action: A | Sit | Timeout, moment: Moment) -> Step[S]:
        """Make one step.

        Raises:
            Refusal: the action is not possible now; nothing has happened.
        """

    def needs(self, state: S, action: A | Sit | Timeout) -> Collection[Seat]:
        """Name the seats whose purses this step must know; usually none."""

    def menu(self, state: S, seat: Seat, purse: int) -> Sequence[A]:
        """List the actions worth offering to the seat; `apply` is the judge."""

    def view(self, state: S, seat: Seat | None, purse: int = 0) -> Any:
        """Show all that the seat may know; None is the public."""

    def clock(self, state: S) -> Clock | None:
        """Say how long this state lasts; None: the game is over."""

    def rest(self, state: S) -> int:
        """Say for how many seconds after this end no new table may open in the room."""


class Rules(Protocol[S, A, V_co]):
    """What a kit holds its game to: a dataclass, the names of its parameters, and what it shows."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def starters(self) -> Role: ...

    def start(self) -> S: ...

    def apply(self, *, state: S, action: A | Sit | Timeout, moment: Moment) -> Step[S]: ...

    def needs(self, *, state: S, action: A | Sit | Timeout) -> Collection[Seat]: ...

    def menu(self, *, state: S, seat: Seat, purse: int) -> Sequence[A]: ...

    def view(self, *, state: S, seat: Seat | None, purse: int = 0) -> V_co: ...

    def clock(self, *, state: S) -> Clock | None: ...

    def rest(self, *, state: S) -> int: ...


AnyGame: TypeAlias = Game[Any, Any]
"""A game, whichever it is."""
