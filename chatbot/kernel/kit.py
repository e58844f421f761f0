"""A kit is a game packed for use: its rules, its commands, what is said of it, who else can play it.

A kit is all that the rest of the house knows of a game. Each game's folder offers one as `KIT`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol, TypeAlias, runtime_checkable

from chatbot.kernel.codec import Codec
from chatbot.kernel.contest import Contest, Strategy
from chatbot.kernel.fair import commitment
from chatbot.kernel.game import Seat
from chatbot.kernel.odds import Odds
from chatbot.kernel.question import Question
from chatbot.kernel.say import Board, Message, Say


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """What somebody typed after a command, and the credits they can pay with.

    `public`: everybody could read it. `confides`: in this room the house can tell each person something
    that nobody else reads, whenever it likes. `members` are those whom words such as `@bob` name;
    `engaged` are those of them, and of who speaks, who play this game at another table.
    """

    seat: Seat
    purse: int
    words: tuple[str, ...] = ()
    public: bool = False
    confides: bool = False
    members: Mapping[str, Seat] = field(default_factory=dict)
    engaged: Collection[Seat] = ()


class Kind(Enum):
    """What somebody may give for an option."""

    AMOUNT = "amount"  # 69, 1k, 25%, half, all
    WHOLE = "whole"  # a whole number
    MEMBER = "member"
    WORD = "word"
    TEXT = "text"  # the rest of the line


@dataclass(frozen=True, slots=True)
class Option:
    """One argument of a command, for doors that offer forms: there it has a name of its own.

    A door writes the options that were given behind the word, in their order, as somebody would type
    them; where an option has a `key`, that stands before its value. Its description is the message
    `option-<word>-<name>`. `suggest(rules, given)` lists values for it, fit for what was given for the
    others; a command of the house gets the room instead of the rules.
    """

    name: str
    kind: Kind
    required: bool = False
    least: int | None = None  # of a whole number
    most: int | None = None
    choices: tuple[str, ...] = ()  # there are no others
    key: str = ""  # such as `stake=`, where the place in the line does not tell what a value is for
    suggest: Callable[[Any, Mapping[str, str]], Sequence[str]] | None = None
    answers: bool = False  # is for a table that stands: a form that opens one leaves it out
    part: int | None = None  # which of the `Kit.parts` of an action it is, from 0

    @property
    def suggests(self) -> bool:
        return self.suggest is not None


@dataclass(frozen=True, slots=True)
class Command:
    """A word that people type, and how its arguments become an action.

    Its help is the message `help-<word>`. `read(game, request)` may raise Refusal. What is `slow` takes
    up to a second to read, and is read beside everything else that goes on. `shares(words)` tells whether
    the words behind an alias that is a word of the house as well are meant for the game.
    """

    word: str
    read: Callable[[Any, MoveRequest], Any]
    aliases: tuple[str, ...] = ()
    arguments: str = ""
    opens: bool = False  # opens a table where none stands
    secret: bool = False  # best said in private
    slow: bool = False
    options: tuple[Option, ...] = ()  # its arguments, one by one
    shares: Callable[[Sequence[str]], bool] | None = None


@dataclass(frozen=True, slots=True)
class Remembrance:
    """What a game knows of one member outside of any table, for the topics that people ask about.

    `view` is what the public sees of the game's table, where one stands that all share; `active` is how many
    members would be counted as such if one were opened now.
    """

    seat: Seat
    purse: int
    record: object | None = None
    view: Any = None
    active: int = 0


@dataclass(frozen=True, slots=True)
class Season:
    """When a game's season ends, and what begins afresh then.

    A limit of 0 never ends it.
    """

    tables: int
    days: int
    forgets_records: bool
    resets_credits: bool


HOUSE = "house"
"""The platform of seats that are the house's own: nobody can speak from one."""


def of_house(seat: Seat) -> bool:
    """Whether a seat is the house's own, such as `house:kelly`."""
    return seat.startswith(f"{HOUSE}:")


def called_there(seat: Seat) -> str:
    """Give what a seat of the house's own is called in the house, such as `kelly`."""
    return seat.removeprefix(f"{HOUSE}:")


@dataclass(frozen=True, slots=True)
class Roster:
    """Which players of the house join a table that somebody has opened.

    They never open one. Each table draws them afresh from `strategies`, names of the kit's own; a name
    that stands twice, or is needed twice, makes two players.
    """

    strategies: tuple[str, ...] = ()
    players: int = 0  # that join, whoever else does
    fills: int = 0  # until how many sit at the table, people included, more of them join
    least: int = 1  # credits without which nobody can join


@runtime_checkable
class Hosting(Protocol):
    """A game at whose tables players of the house may sit."""

    @property
    def roster(self) -> Roster: ...


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


def whole(view: Any, action: Any) -> Sequence[Part]:  # noqa: ARG001
    return ()


def no_season(game: Any) -> Season | None:  # noqa: ARG001
    return None


def always(state: Any) -> bool:  # noqa: ARG001
    return True


def nobody(game: Any) -> int:  # noqa: ARG001
    return 0


def nothing(state: Any) -> int:  # noqa: ARG001
    return 0


def nobody_else(state: Any) -> Sequence[Seat]:  # noqa: ARG001
    return ()


def openly(state: Any) -> bool:  # noqa: ARG001
    return False


def free(state: Any) -> Sequence[HiddenChoice]:  # noqa: ARG001
    return ()


Thought: TypeAlias = Callable[[Any], Iterable[Say]]
"""What is said of an event by somebody who has thought about it for a while, at most some seconds."""


@dataclass(frozen=True, slots=True)
class Kit:
    """Everything that the house needs of a game.

    `Any` stands for the game's own state, action, event and record: kits of different games meet here.
    """

    name: str
    game: type[Any]  # makes the rules; its fields are the settings
    version: int  # of the rules: a journal is only ever replayed by the version that wrote it
    commands: tuple[Command, ...]
    actions: tuple[type, ...]
    events: tuple[type, ...]
    tell: Callable[[Any], Iterable[Say]]  # an event in words
    line: Callable[[Any], str]  # an action as somebody would type it
    label: Callable[[Any], Message]  # an action on a button
    board: Callable[[Any], Board]  # a view as a page shows it
    strategies: Mapping[str, Strategy]
    records: tuple[type, ...] = ()
    presets: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    topics: Mapping[str, Callable[[Any, Remembrance], Sequence[Message]]] = field(default_factory=dict)
    residents: tuple[Seat, ...] = ()  # seats of the house that sit at every table
    audience: Callable[[Any], int] = nobody  # minutes of having been active that make a member sit too
    season: Callable[[Any], Season | None] = no_season
    contest: Callable[[], type[Contest]] | None = None  # loads how programs compete, where that is special
    question: Callable[[], type[Question]] | None = None  # loads what can be asked of its solver
    counts: Callable[[Any], bool] = always  # whether an end was one of a game that was played
    entry: Callable[[Any], int] = nothing  # the credits that it takes to join a table in this state
    leads: bool = False  # shown before the other games
    rests: bool = (
        True  # whether a room may have to wait after a table; if not, a start need not replay the last
    )
    apart: Callable[[Any], int] | None = None  # how many may play in a room at once, each at an own table
    guests: Callable[[Any], Sequence[Seat]] = nobody_else  # who plays at a table apart that another opened
    invited: Callable[[Any], Sequence[Seat]] = nobody_else  # who has yet to say whether they will
    parts: Callable[[Any, Any], Sequence[Part]] = whole  # of (view, action): how doors offer it step by step
    hides: Callable[[Any], bool] = openly  # whether what players can do in this state is for their eyes only
    committed: Callable[[Any], Sequence[HiddenChoice]] = free  # what the house has fixed so far, by rounds
    ponders: Mapping[type, Thought] = field(default_factory=dict)  # events about which more is said later
    odds: Callable[[Any], Odds] | None = None  # what `!odds` publishes; up to a second the first time

    @staticmethod
    def roster(game: Any) -> Roster:
        """Say which players of the house join a table of these rules; none where they are not made for it."""
        return game.roster if isinstance(game, Hosting) else Roster()

    def spot(self, seat: Seat) -> str:
        """Name the place in a room where the table stands at which a seat plays this game."""
        return self.name if self.apart is None else f"{self.name} {seat}"

    @property
    def codec(self) -> Codec:
        """Writes and reads the journal and the records of this game."""
        return Codec(*self.actions, *self.records)

    @property
    def word(self) -> str:
        """The game's own word, which opens or joins."""
        return self.commands[0].word


def called(kits: Mapping[str, Kit], text: str) -> Kit | None:
    """Find a game by its name, or else by the word that people type to play it, with its mark or without."""
    word = text.lower().removeprefix("!")
    by_word = (kit for kit in kits.values() if word in {kit.word, *kit.commands[0].aliases})
    return kits.get(word) or next(by_word, None)
