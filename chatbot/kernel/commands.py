"""What people type of a game: its commands with their options, and what a game is told of who types.

Each platform offers commands in its own form (a line, a slash command, a field of a page); all of them are
made of the `Command` values of a kit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from chatbot.kernel.game import Role, Seat


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """What somebody typed after a command, and the credits they can pay with.

    `public`: everybody could read it. `confides`: in this room the house can tell each person something
    that nobody else reads, whenever it likes; `has_seats`: everybody can open their hand in a browser
    of their own. `members` are those whom words such as `@bob` name;
    `engaged` are those of them, and of who speaks, who play this game at another table. `roles` are all that
    the room knows of who speaks.
    """

    seat: Seat
    purse: int
    words: tuple[str, ...] = ()
    public: bool = False
    confides: bool = False
    members: Mapping[str, Seat] = field(default_factory=dict)
    engaged: Collection[Seat] = ()
    roles: Collection[Role] = ()
    has_seats: bool = False


@dataclass(frozen=True, slots=True)
class TopicRequest:
    """Who asks about a topic of a game, and what the game knows of them outside of any table.

    `view` is what the public sees of the game's table, where there is one that all share; `active` is how
    many members would be counted as such if one were opened now.
    """

    seat: Seat
    purse: int
    record: object | None = None
    view: Any = None
    active: int = 0


class Kind(Enum):
    """What somebody may give for an option."""

    AMOUNT = "amount"  # 69, 1k, 25%, half, all
    WHOLE = "whole"  # a whole number
    MEMBER = "member"
    WORD = "word"
    TEXT = "text"  # the rest of the line


@dataclass(frozen=True, slots=True)
class Option:
    """One argument of a command, for platforms that offer forms: there it has a name of its own.

    A platform writes the options that were given behind the word, in their order, as somebody would type
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
    answers: bool = False  # is for a table that is open: a form that opens one leaves it out
    part: int | None = None  # which of the `Display.parts` of an action it is, from 0
    moves: bool = False  # somebody who has moves chooses from them: it is all that is typed behind the word

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
    opens: bool = False  # opens a table where there is none
    secret: bool = False  # best said in private
    slow: bool = False
    wagers: bool = False  # stakes more than lies at the table already, now or when it ends
    options: tuple[Option, ...] = ()  # its arguments, one by one
    shares: Callable[[Sequence[str]], bool] | None = None
