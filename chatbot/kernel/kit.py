"""A kit is a game as the program is given it; it is all that the program knows of the game.

Each game's folder offers one as `KIT`. It has a group of fields for each of its readers: `rules` for tables,
`chat` for the bot, `display` for pages and buttons, `programs` for the arena and the players of the house,
`money` for wallets and limits, `seating` for who sits where. What is left out has a default for a game that
has nothing of the kind.

A function of the settings gets them as an instance of `Ruleset.game`, typed `Any`: they are the game's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from chatbot.kernel.board import Board
from chatbot.kernel.codec import Codec
from chatbot.kernel.commands import Command, TopicRequest
from chatbot.kernel.contest import Contest, Question
from chatbot.kernel.fair import commitment
from chatbot.kernel.game import Rules, Seat
from chatbot.kernel.gestures import Gesture, button
from chatbot.kernel.odds import Odds
from chatbot.kernel.returns import Solver
from chatbot.kernel.say import Message, Say

State = TypeVar("State")
Action = TypeVar("Action")
Event = TypeVar("Event")
View = TypeVar("View")
State_contra = TypeVar("State_contra", contravariant=True)
"""Of groups that several games share: what is written for every lobby's state serves each game's own."""


# The rules


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


def no_season(game: object) -> Season | None:  # noqa: ARG001
    return None


def always(state: object) -> bool:  # noqa: ARG001
    return True


def no_hidden_choices(state: object) -> Sequence[HiddenChoice]:  # noqa: ARG001
    return ()


@dataclass(frozen=True, slots=True)
class Ruleset(Generic[State, Action, View]):
    """The rules, and what journals and records of them are made of."""

    game: type[Rules[State, Action, View]]  # makes the rules; its fields are the settings
    version: int  # of the rules: a journal is only ever replayed by the version that wrote it
    actions: tuple[type, ...]  # all that a journal can contain
    events: tuple[type, ...]  # all that a step can result in
    records: tuple[type, ...] = ()  # what the game remembers of members from one table to the next
    presets: Mapping[str, Mapping[str, object]] = field(default_factory=dict)  # settings, by names of presets
    was_played: Callable[[State], bool] = always  # whether an end is that of a game that took place
    season: Callable[[Any], Season | None] = no_season  # of the game: when a season ends
    hidden_choices: Callable[[State], Sequence[HiddenChoice]] = no_hidden_choices  # of the house, by rounds
    has_cooldown: bool = False  # whether `rest` can be above 0: then a start replays the last table


# Chat


Analysis: TypeAlias = Callable[[Any], Iterable[Say]]
"""Computes what is said of an event later: in a thread, within some seconds."""


@dataclass(frozen=True, slots=True)
class Dialogue(Generic[Action, Event]):
    """The game as it is typed and told."""

    commands: tuple[Command, ...]  # the first is the game's own, which opens or joins
    line: Callable[[Action], str]  # an action as somebody would type it
    narrate: Callable[[Event], Iterable[Say]]  # an event in words
    analyses: Mapping[type, Analysis] = field(default_factory=dict)  # of events by their types
    # What is answered to the command with the word of a topic behind it, as in `!heist rules`.
    topics: Mapping[str, Callable[[Any, TopicRequest], Sequence[Message]]] = field(default_factory=dict)
    theme: str = ""  # the name of the theme of the game's own words; empty: there are no other themes
    many_turns: bool = False  # whether a table takes so many turns that a chat may want it in a thread


# Boards and buttons


@dataclass(frozen=True, slots=True)
class Part:
    """One step of choosing among many actions: what is typed for it, and what is shown."""

    word: str
    label: Message


def undivided(view: object, action: object) -> Sequence[Part]:  # noqa: ARG001
    """Return no parts: the action is chosen in one step."""
    return ()


@dataclass(frozen=True, slots=True)
class Display(Generic[Action, View]):
    """The game as it is seen and pressed."""

    board: Callable[[View], Board]  # a view as a page shows it
    label: Callable[[Action], Message]  # an action on a button
    gesture: Callable[[Action], Gesture] = button  # how an action is made with the things on a page
    parts: Callable[[View, Action], Sequence[Part]] = undivided  # how an action is chosen step by step
    # The note of the board alone, where that is much quicker; None: the board is made for it.
    note: Callable[[View], Message | None] | None = None

    def note_of(self, view: View) -> Message | None:
        """Return the note of the board of a view."""
        return self.board(view).note if self.note is None else self.note(view)


# Programs


@dataclass(frozen=True, slots=True)
class Programs(Generic[Action, View]):
    """How programs play the game, compete at it and solve it.

    All but the strategies are functions that import what they return: it is loaded only where somebody
    competes or asks, so it can use NumPy.
    """

    strategies: Mapping[str, Callable[[View, Sequence[Action], Any], Action | None]]  # (view, menu, rng)
    contest: Callable[[], type[Contest]] | None = None  # how programs compete; None: at tables as in chat
    question: Callable[[], type[Question]] | None = None  # what can be asked of the game's solver
    returns: Callable[[], Solver] | None = None  # what the best replies to its strategies get of a stake


# Money


class Winnable(Protocol):
    """Computes what players can win of each other."""

    def __call__(self, game: Any, state: Any, other: Any = None) -> Mapping[Seat, int]:
        """Return the most that each player can still get of what other people at the table had, in credits.

        With an `other` state of the same table, players for whom nothing differs there may be left out. Rules
        and states are `Any`: they are the game's own.
        """


def free(state: object) -> int:  # noqa: ARG001
    return 0


def never(state: object) -> bool:  # noqa: ARG001
    return False


def never_refunded(state: object, seat: Seat) -> bool:  # noqa: ARG001
    return False


def nothing_winnable(game: object, state: object, other: object = None) -> Mapping[Seat, int]:  # noqa: ARG001
    return {}


@dataclass(frozen=True, slots=True)
class Money(Generic[State_contra]):
    """What is staked, what is won, and of whom.

    `winning_reasons` and `side_payments` are reasons of transfers (`Transfer.why`).
    """

    buy_in: Callable[[State_contra], int] = free  # the credits that it takes to join a table in this state
    chooses_stake: Callable[[State_contra], bool] = never  # whether who joins in this state chooses the stake
    leave: type[object] | None = None  # the action that takes a stake back before the game begins
    refunded: Callable[[State_contra, Seat], bool] = never_refunded  # whether the play returns a stake
    winnable: Winnable = nothing_winnable  # what players can win of each other
    winning_reasons: frozenset[str] = frozenset()  # for which the house pays what others had won
    side_payments: frozenset[str] = frozenset()  # for what results leave out, which `!history` names
    odds: Callable[[Any], Odds] | None = None  # of the game: what `!odds` publishes; up to a second at first
    # Of the game: what comes back of each credit that is staked, at best, and what a table makes out of
    # nothing for each member beside it. None: what `odds` says comes back.
    minting: Callable[[Any], tuple[Fraction, int]] | None = None

    @property
    def between_players(self) -> bool:
        """Whether players can win credits of each other."""
        return self.winnable is not nothing_winnable


# Seats and tables


def nobody(state: object) -> Sequence[Seat]:  # noqa: ARG001
    return ()


def no_turns(state: object) -> Sequence[Seat] | None:  # noqa: ARG001
    return None


def unchanged(game: Any, seconds: int) -> Any:  # noqa: ARG001
    return game


def no_arrival(state: object, seat: Seat) -> None:  # noqa: ARG001
    return None


def no_audience(game: object) -> int:  # noqa: ARG001
    return 0


def shared_table(game: object) -> int:  # noqa: ARG001
    """Return 1: a room has one table, which all share."""
    return 1


@dataclass(frozen=True, slots=True)
class Seating(Generic[State_contra]):
    """Who sits at a table, and how many tables a room can have.

    `guests`, `invited` and `private` are for games of which a room can have several tables at once.

    `awaited` says who has still to act in the present phase, which ends before its time once nobody has; a
    phase that ends by its clock alone, such as a lobby, has None. `hastened(game, seconds)` makes rules whose
    lobby takes at most so many seconds.

    `arrives(state, seat)` is the action by which a table learns that somebody has their hand open in a
    browser of their own, if it waits for that; else None.
    """

    residents: tuple[Seat, ...] = ()  # seats of the house that sit at every table
    audience: Callable[[Any], int] = no_audience  # of the game: minutes of activity that make a member sit
    most_tables: Callable[[Any], int] = shared_table  # of the game: how many a room can have at once
    guests: Callable[[State_contra], Sequence[Seat]] = nobody  # who plays at a table that another opened
    invited: Callable[[State_contra], Sequence[Seat]] = nobody  # who has yet to say whether they will
    private: Callable[[State_contra], bool] = never  # whether what players can do is for their eyes only
    awaited: Callable[[State_contra], Sequence[Seat] | None] = no_turns
    hastened: Callable[[Any, int], Any] = unchanged
    arrives: Callable[[State_contra, Seat], object | None] = no_arrival
    shared: bool = field(init=False)  # whether a room has one table, which all share

    def __post_init__(self) -> None:
        # Asked so often that a property would cost 7 calls for each line of a raid.
        object.__setattr__(self, "shared", self.most_tables is shared_table)

    @property
    def ever_private(self) -> bool:
        """Whether there are states in which moves are private."""
        return self.private is not never


# Forecasts


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


# The kit


@dataclass(frozen=True, slots=True)
class Kit(Generic[State, Action, Event, View]):
    """Everything that the program needs of a game, checked against the game's own types."""

    name: str  # in settings, in journals and in ids of messages
    rules: Ruleset[State, Action, View]
    chat: Dialogue[Action, Event]
    display: Display[Action, View]
    programs: Programs[Action, View]
    money: Money[State] = Money()
    seating: Seating[State] = Seating()
    forecast: Forecast[State] | None = None  # what viewers can bet on; None: nothing
    featured: bool = False  # whether it is shown before the other games

    def spot(self, seat: Seat) -> str:
        """Return the key, in the tables of a room, of the table at which a seat plays this game."""
        return self.name if self.seating.shared else f"{self.name} {seat}"

    @property
    def codec(self) -> Codec:
        """Writes and reads the journal and the records of this game."""
        return _codec(*self.rules.actions, *self.rules.records)

    @property
    def word(self) -> str:
        """The game's own word, which opens or joins."""
        return self.chat.commands[0].word


AnyKit: TypeAlias = Kit[Any, Any, Any, Any]
"""A kit where those of different games meet."""


@cache
def _codec(*types: type) -> Codec:
    """Make a codec once; a table asks for it with every action."""
    return Codec(*types)


def find_kit(kits: Mapping[str, AnyKit], text: str) -> AnyKit | None:
    """Find a game by its name, or else by the word that people type to play it, with its mark or without."""
    word = text.lower().removeprefix("!")
    by_word = (kit for kit in kits.values() if word in {kit.word, *kit.chat.commands[0].aliases})
    return kits.get(word) or next(by_word, None)
