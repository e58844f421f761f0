"""A kit is a game packed for use: its rules, its commands, what is said of it, who else can play it.

A kit is all that the rest of the house knows of a game. Each game's folder offers one as `KIT`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from chatbot.kernel.codec import Codec
from chatbot.kernel.commands import Command, TopicRequest
from chatbot.kernel.contest import Contest, Question
from chatbot.kernel.fair import commitment
from chatbot.kernel.game import Rules, Seat
from chatbot.kernel.gestures import Gesture, button
from chatbot.kernel.odds import Odds
from chatbot.kernel.returns import Solver
from chatbot.kernel.say import Board, Message, Say


@dataclass(frozen=True, slots=True)
class Season:
    """When a game's season ends, and what begins afresh then.

    A limit of 0 never ends it.
    """

    tables: int
    days: int
    forgets_records: bool
    resets_credits: bool


@dataclass(frozen=True, slots=True)
class HiddenChoice:
    """What the house fixed before people chose, and what hides it until it is `shown`."""

    round: int  # of the game, from 1
    seat: Seat
    nonce: str
    choice: str  # as it is hashed
    shown: bool

    @property
    def digest(self) -> str:
        """Make what may be told while it is hidden."""
        return commitment(self.nonce, self.choice)


@dataclass(frozen=True, slots=True)
class Part:
    """One step of choosing among many actions: what is typed for it, and what is shown."""

    word: str
    label: Message


# The defaults of kits, for games that have nothing of the kind.


def whole(view: object, action: object) -> Sequence[Part]:  # noqa: ARG001
    """Return no parts: the action is chosen in one step."""
    return ()


def no_season(game: object) -> Season | None:  # noqa: ARG001
    return None


def always(state: object) -> bool:  # noqa: ARG001
    return True


def never(state: object) -> bool:  # noqa: ARG001
    return False


def zero(subject: object) -> int:  # noqa: ARG001
    """Return 0, of rules or of a state."""
    return 0


def nobody_else(state: object) -> Sequence[Seat]:  # noqa: ARG001
    return ()


def nothing_of_others(game: object, state: object, other: object = None) -> Mapping[Seat, int]:  # noqa: ARG001
    return {}


def nobody_out(state: object, seat: Seat) -> bool:  # noqa: ARG001
    return False


def nothing_fixed(state: object) -> Sequence[HiddenChoice]:  # noqa: ARG001
    return ()


State = TypeVar("State")
Action = TypeVar("Action")
Event = TypeVar("Event")
View = TypeVar("View")


@dataclass(frozen=True, slots=True)
class Apart(Generic[State]):
    """How a game is played of which a room can have several tables at once, each opened by a player."""

    most: Callable[[Any], int]  # of the rules: how many may play in a room at once
    guests: Callable[[State], Sequence[Seat]] = nobody_else  # who plays at a table that another opened
    invited: Callable[[State], Sequence[Seat]] = nobody_else  # who has yet to say whether they will
    hides: Callable[[State], bool] = never  # whether what players can do is for their eyes only


@dataclass(frozen=True, slots=True)
class Forecast(Generic[State]):
    """A question about a table, to be answered by yes or no, on which viewers can bet at their platform.

    `question`, `yes` and `no` are ids of messages; the first has at most 45 characters, the answers 25, with
    `percent`, how likely each is. `seconds(rules)` is how long the phase lasts in which it is put, 0: never;
    where that is too short for anybody to bet, whoever sets it so is told `short`, the id of a message with
    these `seconds` and the `least` that it takes.
    `asks(rules, state)`: whether it can be put now, `chance(rules, state)` how likely yes is then, 0..1, to
    who sees what everybody sees.

    `came_true(rules, state)` is asked of the first state in which it could be put, and of no later one:
    players may bet, so nothing that anybody does afterwards may move it. What decides is drawn before that
    state, and shown to nobody until its phase has run out. `result(rules, state, over)` tells both what came
    of the question in that state, and how the table ended.
    """

    question: str
    yes: str
    no: str
    short: str
    seconds: Callable[[Any], int]
    asks: Callable[[Any, State], bool]
    chance: Callable[[Any, State], float]
    came_true: Callable[[Any, State], bool]
    result: Callable[[Any, State, State], Message]


@dataclass(frozen=True, slots=True)
class Hosted:
    """Who sits at every table without having said a word."""

    residents: tuple[Seat, ...] = ()  # seats of the house
    audience: Callable[[Any], int] = zero  # of the rules: minutes of activity that make one sit


@dataclass(frozen=True, slots=True)
class Solved:
    """What is loaded only where somebody competes or asks, so that it can use NumPy."""

    contest: Callable[[], type[Contest]] | None = None  # how programs compete, where that is special
    question: Callable[[], type[Question]] | None = None  # what can be asked of the game's solver
    returns: Callable[[], Solver] | None = None  # what the best replies to its strategies get of a stake


Thought: TypeAlias = Callable[[Any], Iterable[Say]]
"""What is said of an event by somebody who has thought about it for a while, at most some seconds."""


class Taking(Protocol):
    """Computes what players can win of each other."""

    def __call__(self, game: Any, state: Any, other: Any = None) -> Mapping[Seat, int]:
        """Return the most that each player can still get of what other people at the table had, in credits.

        With an `other` state of the same table, players for whom nothing differs there may be left out. Rules
        and states are `Any`: they are the game's own.
        """


@dataclass(frozen=True, slots=True)
class Kit(Generic[State, Action, Event, View]):
    """Everything that the house needs of a game, checked against the game's own types.

    What is said of the rules themselves is asked with them as `Any`: their fields are the game's own.
    """

    name: str
    game: type[Rules[State, Action, View]]  # makes the rules; its fields are the settings
    version: int  # of the rules: a journal is only ever replayed by the version that wrote it
    commands: tuple[Command, ...]
    actions: tuple[type, ...]
    events: tuple[type, ...]
    tell: Callable[[Event], Iterable[Say]]  # an event in words
    line: Callable[[Action], str]  # an action as somebody would type it
    label: Callable[[Action], Message]  # an action on a button
    board: Callable[[View], Board]  # a view as a page shows it
    strategies: Mapping[str, Callable[[View, Sequence[Action], Any], Action | None]]
    records: tuple[type, ...] = ()
    presets: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    topics: Mapping[str, Callable[[Any, TopicRequest], Sequence[Message]]] = field(default_factory=dict)
    season: Callable[[Any], Season | None] = no_season
    counts: Callable[[State], bool] = always  # whether an end was one of a game that was played
    entry: Callable[[State], int] = zero  # the credits that it takes to join a table in this state
    staking: Callable[[State], bool] = never  # whether who joins in this state chooses the stake
    theme: str = ""  # what the theme of the game's own words is called; empty: there are no other themes
    leads: bool = False  # shown before the other games
    lasts: bool = False  # whether a table takes many turns, which a chat may want to have apart
    rests: bool = (
        True  # whether a room may have to wait after a table; if not, a start need not replay the last
    )
    parts: Callable[[View, Action], Sequence[Part]] = whole  # how doors offer an action step by step
    gesture: Callable[[Action], Gesture] = button  # how an action is made with the things on a page
    committed: Callable[[State], Sequence[HiddenChoice]] = nothing_fixed  # by the house so far, by rounds
    ponders: Mapping[type, Thought] = field(default_factory=dict)  # events about which more is said later
    # Of the rules: what comes back of each credit that is staked, at best, and what a table makes out of
    # nothing for each member beside it. None: what `odds` says comes back.
    makes: Callable[[Any], tuple[Fraction, int]] | None = None
    odds: Callable[[Any], Odds] | None = None  # what `!odds` publishes; up to a second the first time
    leave: type[object] | None = None  # the action that takes a stake back before the game begins
    backs_out: Callable[[State, Seat], bool] = nobody_out  # of whom the stake will come back from the play
    takes: Taking = nothing_of_others
    taken: frozenset[str] = frozenset()  # the reasons for which the house pays what others had won
    beside: frozenset[str] = frozenset()  # the reasons of what results leave out, which `!history` names
    apart: Apart[State] | None = None  # None: a room has one table
    hosted: Hosted = Hosted()
    forecast: Forecast[State] | None = None  # what viewers can bet on; None: nothing
    solved: Solved = Solved()

    def spot(self, seat: Seat) -> str:
        """Name the place in a room where the table stands at which a seat plays this game."""
        return self.name if self.apart is None else f"{self.name} {seat}"

    def guests(self, state: State) -> Sequence[Seat]:
        """Name who plays at a table that another opened."""
        return () if self.apart is None else self.apart.guests(state)

    def invited(self, state: State) -> Sequence[Seat]:
        """Name who has yet to say whether they will play at it."""
        return () if self.apart is None else self.apart.invited(state)

    def hides(self, state: State) -> bool:
        """Whether what players can do in this state is for their eyes only."""
        return self.apart is not None and self.apart.hides(state)

    @property
    def keeps_secrets(self) -> bool:
        """Whether there are states in which it is."""
        return self.apart is not None and self.apart.hides is not never

    @property
    def takers(self) -> bool:
        """Whether players can win credits of each other."""
        return self.takes is not nothing_of_others

    @property
    def codec(self) -> Codec:
        """Writes and reads the journal and the records of this game."""
        return _codec(*self.actions, *self.records)

    @property
    def word(self) -> str:
        """The game's own word, which opens or joins."""
        return self.commands[0].word


AnyKit: TypeAlias = Kit[Any, Any, Any, Any]
"""A kit where those of different games meet."""


@cache
def _codec(*types: type) -> Codec:
    """Make a codec once; a table asks for it with every action."""
    return Codec(*types)


def find_kit(kits: Mapping[str, AnyKit], text: str) -> AnyKit | None:
    """Find a game by its name, or else by the word that people type to play it, with its mark or without."""
    word = text.lower().removeprefix("!")
    by_word = (kit for kit in kits.values() if word in {kit.word, *kit.commands[0].aliases})
    return kits.get(word) or next(by_word, None)
