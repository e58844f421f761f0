"""A command of the house's own: who may use it, what it is called, and what answers it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Collection, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import AnyKit, Command, Kind, Option, called
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Quote, Say
from chatbot.kernel.suggestions import unknown
from chatbot.rooms.replies import Exchange
from chatbot.rooms.room import Line, Room


@dataclass(frozen=True, slots=True)
class Request:
    """A line that is a command, and its words after the first; what takes long is told in its `exchange`."""

    room: Room
    line: Line
    words: tuple[str, ...]
    exchange: Exchange | None = None

    def answer(self, message: Message) -> Say:
        """Answer where it was asked: in private if it was said in private."""
        private = self.line.private
        to = self.line.seat if private else None
        return Say(message, to, secret=private, event=message.id)

    def whisper(self, message: Message) -> Say:
        return Say(message, self.line.seat, event=message.id)


NOTICE = "Notice"  # of what somebody else has done with one's credits
REASON = "--"  # what a moderator's reason stands behind
_BLANK = re.compile(r"(@name|[A-Z]{2,})")  # what stands for a word of one's own, such as GAME

Answer: TypeAlias = Callable[[Request], Awaitable[Sequence[Say]]]
Check: TypeAlias = Callable[[Request, str], None]
"""Raises Refusal where who asks may not use the command of this word."""


@dataclass(frozen=True, slots=True)
class Service:
    """Its help is the message `help-<word>`.

    `form`: where only its last option was left out, a door may ask for that in a form. It begins with what
    this gives for the others: what there is now; nothing if there is no such thing. `aliases` are other
    words for it.
    """

    word: str
    answer: Answer
    arguments: str = ""
    least: Role = Role.VIEWER
    options: tuple[Option, ...] = ()
    reads: bool = False  # it changes nothing: a line that comes again may be answered again
    form: Callable[[Room, Mapping[str, str]], str] | None = None
    aliases: tuple[str, ...] = ()


Found: TypeAlias = Service | tuple[AnyKit, Command]
"""What answers a word: a command of the house's, or one of a game's."""


def other_words(found: Found) -> tuple[str, ...]:
    """Give the other words for a command."""
    return found.aliases if isinstance(found, Service) else found[1].aliases


def first_word(found: Found) -> str:
    """Give the word by which a command is known, whatever stands for it."""
    return found.word if isinstance(found, Service) else found[1].word


def reasoned(asked: Request) -> tuple[Request, str]:
    """Cut off the reason that a moderator gives at the end of a line, behind `--`."""
    words = asked.words
    if REASON not in words:
        return asked, ""
    at = len(words) - 1 - words[::-1].index(REASON)
    return replace(asked, words=words[:at]), " ".join(words[at + 1 :])


def game_named(kits: Mapping[str, AnyKit], text: str) -> AnyKit:
    """Find the game that somebody names.

    Raises:
        Refusal: there is none of that name.
    """
    kit = called(kits, text)
    if kit is None:
        told = Message("game-unknown", {"text": Quote(text), "known": ", ".join(kits)})
        raise unknown(told, text, kits)
    return kit


def game_option(games: Collection[str], *, required: bool = False) -> Option:
    """Make the option that names a game."""

    def suggest(_: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG001
        return list(games)

    return Option("game", Kind.WORD, required, suggest=suggest)


def too_few(balance: int, entry: int = 0) -> Message:
    """Say what there is to somebody who cannot pay; they cannot choose what it takes to join a table."""
    held: Arguments = {"held": balance, "balance": Credits(balance)}
    if entry > balance:
        return Message("too-few-to-join", {**held, "entry": Credits(entry)})
    return Message("too-few-credits", held)


def usage(service_word: str, arguments: str) -> Refusal:
    return Refusal(Message("usage", {"command": form(f"!{service_word} {arguments}".rstrip())}))


def form(text: str, known: Container[str] | None = None) -> Message:
    """Put each blank of a form in the room's words: it is the message `blank-<word>`, if that is `known`."""
    pieces = enumerate(_BLANK.split(text))
    told = tuple(_piece(each, blank=bool(at % 2), known=known) for at, each in pieces)
    return Message("word", {"word": Listing(told, most=len(told), separator="")})


def _piece(text: str, *, blank: bool, known: Container[str] | None) -> Message:
    message = "blank-mention" if text == "@name" else f"blank-{text.lower()}"
    if blank and (known is None or message in known):
        return Message(message)
    return Message("word", {"word": text})
