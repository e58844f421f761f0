"""What is shown of a table, in the same shape for every game: facts, places, hands, the result of a raid."""

from __future__ import annotations

from dataclasses import dataclass

from chatbot.kernel.game import Seat
from chatbot.kernel.say import Message


@dataclass(frozen=True, slots=True)
class Fact:
    """A label and a value on a board."""

    label: Message
    value: Message


@dataclass(frozen=True, slots=True)
class Place:
    """A player on a board; `mark` is a word for pages to style by.

    While it is played: waiting, ready. At the end: won, lost, drawn where neither, plain where there was
    nothing to win, left for who did not play it out; away for who escaped without being richer, and caught
    for who did not escape without being poorer.
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
