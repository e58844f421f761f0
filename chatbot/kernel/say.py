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
    """Messages in a row, of which `most` are shown and the others counted."""

    items: tuple[Message, ...]
    most: int = 20
    separator: str = ", "


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


@dataclass(frozen=True, slots=True)
class Fact:
    """A label and a value on a board."""

    label: Message
    value: Message


@dataclass(frozen=True, slots=True)
class Place:
    """A player on a board; `mark` is a word for pages to style by.

    While it is played: waiting, ready. At the end: won, lost, drawn where neither, plain where there was
    nothing to win, left for who did not play it out.
    """

    seat: Seat
    detail: Message
    mark: str = "waiting"


@dataclass(frozen=True, slots=True)
class Card:
    """A card that lies open; `mark` is a word for pages to style by: shown, kept, taken, rejected, plain.

    `word` is what stands for it in the parts of an action, where it can be chosen; `told` says what the mark
    means in this game, to whoever hears a page or points at the card.
    """

    face: str
    mark: str = "plain"
    word: str = ""
    told: Message | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    """Cards that lie together, in their order, and how many more of them nobody sees.

    Hands of one owner lie in a row. `mark` is a word for pages to style by: plain, won, lost, drawn;
    `detail` says what the cards are worth.
    """

    label: Message
    cards: tuple[Card, ...] = ()
    hidden: int = 0
    owner: Seat | None = None
    mark: str = "plain"
    detail: Message | None = None


@dataclass(frozen=True, slots=True)
class RaidEnding:
    """What became of a player, for pictures; `gain` is by how many credits they are richer.

    `fate` is a word: escaped, ran (with what others had won), caught, returned (did not go in).
    """

    seat: Seat
    fate: str
    gain: int


@dataclass(frozen=True, slots=True)
class RaidResult:
    """How a raid ended, for pictures: what was raided (a name and a number from 0), and who got away.

    `look` is a word of the theme for how it is drawn; `captions` are what stands under a crowd of each fate,
    and `verdict` says it all in a few words; `crossed` is said where somebody ran off with others' credits.
    """

    target: Message
    number: int
    look: Message
    verdict: Message
    crossed: Message
    captions: tuple[tuple[str, Message], ...]
    endings: tuple[RaidEnding, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """What a page, an embed or an overlay shows of a table: the same shape for every game.

    `pot` counts the credits that lie in the pot, as everybody sees it; None: the game does not tell.
    `raid` is there when one is over.
    """

    title: Message
    facts: tuple[Fact, ...] = ()
    places: tuple[Place, ...] = ()
    note: Message | None = None
    hands: tuple[Hand, ...] = ()
    pot: int | None = None
    raid: RaidResult | None = None
