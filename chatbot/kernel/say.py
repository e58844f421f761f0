"""What is said: message ids with arguments. The words themselves are data, one file a language."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias

from chatbot.kernel.game import Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Name:
    """A seat, to be shown by its display name."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Credits:
    """An amount, to be shown with the name that the community gives its credits."""

    amount: int


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that somebody typed, to be shown harmlessly."""

    text: str


@dataclass(frozen=True, slots=True)
class Listing:
    """Messages in a row, of which `most` are shown and the others counted.

    Of one that `fits`, no more are shown than one message of the platform has room for.
    """

    items: tuple[Message, ...]
    most: int = 20
    separator: str = ", "
    fits: bool = False

    @property
    def shown(self) -> int:
        """How many items are shown."""
        return min(self.most, len(self.items))


Argument: TypeAlias = "int | float | str | Name | Credits | Quote | Listing | Message"
Arguments: TypeAlias = "Mapping[str, Argument]"


@dataclass(frozen=True, slots=True)
class Message:
    """The id of a message in the files of words, and what its placeholders stand for.

    A `str` argument is a word of the program's own (a key, a command); anything that somebody
    typed goes in as `Quote` or `Name`. `variant` is the number of its text, where a language has several.
    """

    id: str
    args: Arguments = field(default_factory=dict)
    variant: int = 0


def shortened(message: Message) -> Message | None:
    """Return a message whose list shows one item less, and counts it; None: it has no list that may."""
    for key, value in message.args.items():
        if isinstance(value, Listing) and value.fits and value.shown > 1:
            return replace(message, args={**message.args, key: replace(value, most=value.shown - 1)})
    return None


class Talk(Enum):
    """How talkative a room is; a line is said in rooms at least as talkative as the line."""

    QUIET = "quiet"
    NORMAL = "normal"
    FULL = "full"

    def includes(self, line: Talk) -> bool:
        return _RANKS[self] >= _RANKS[line]


_RANKS = {each: rank for rank, each in enumerate(Talk)}


@dataclass(frozen=True, slots=True)
class Say:
    """A line going out.

    `to` is the only one it is meant for (None: everybody). Where a platform cannot whisper, it is
    said in public, unless it is `secret`. `talk` is how talkative a room must be to hear it in public.
    `game`, `table` and `event` tell programs what it is about.
    What is `shown` stands on the board as well: it need not be said to who acts on the board itself.
    What is `fine` is fine print, for whoever wants to check: it is said where a chat can fold it, or where
    the room wants it. An answer to who asked for it is not.
    What `follows` continues what its table said last in the same step: both are one line, if that is short.
    What `ends` tells everybody how a table came out.
    What concerns `everywhere` is said in every chat of a room, though it answers a line of one of them.
    """

    message: Message
    to: Seat | None = None
    talk: Talk = Talk.QUIET
    secret: bool = False
    game: str | None = None
    event: str = ""
    shown: bool = False
    fine: bool = False
    table: str | None = None
    follows: bool = False
    ends: bool = False
    everywhere: bool = False


Tellers: TypeAlias = "Mapping[type, Callable[[Any], Iterable[Say]]]"
"""What is said of each kind of event, by functions that take events of that kind alone."""


def told(event: object, tellers: Tellers, game: str) -> Iterator[Say]:
    """Say what is to be said of an event of a game.

    Raises:
        KeyError: nothing is, of its kind.
    """
    kind = type(event)
    for say in tellers[kind](event):
        yield replace(say, game=game, event=kind.__name__)


def names(seats: Iterable[Seat]) -> Listing:
    """List people by their names."""
    return Listing(tuple(Message("name", {"who": Name(seat)}) for seat in seats))


def word(text: str) -> Message:
    """Say a word of the program's own as it is."""
    return Message("word", {"word": text})
