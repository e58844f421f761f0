"""A command of the house's own: who may use it, what it is called, and what answers it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import Kind, Option
from chatbot.kernel.say import Arguments, Credits, Message, Say
from chatbot.live.room import Line, Room


@dataclass(frozen=True, slots=True)
class Asked:
    """A line that is a command, and its words after the first."""

    room: Room
    line: Line
    words: tuple[str, ...]

    def answer(self, message: Message) -> Say:
        """Answer where it was asked: in private if it was said in private."""
        private = self.line.private
        to = self.line.seat if private else None
        return Say(message, to, secret=private, event=message.id, answers=self.line.id)

    def whisper(self, message: Message) -> Say:
        return Say(message, self.line.seat, event=message.id, answers=self.line.id)


Answer: TypeAlias = Callable[[Asked], Awaitable[Sequence[Say]]]


@dataclass(frozen=True, slots=True)
class Service:
    """Its help is the message `help-<word>`."""

    word: str
    answer: Answer
    arguments: str = ""
    least: Role = Role.VIEWER
    options: tuple[Option, ...] = ()
    reads: bool = False  # it changes nothing: a line that comes again may be answered again


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
    return Refusal(Message("usage", {"command": f"!{service_word} {arguments}".rstrip()}))
