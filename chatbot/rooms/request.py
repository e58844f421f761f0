"""Requests, which are lines that are commands, and what answers to them have in common."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.kit import AnyKit, find_kit
from chatbot.kernel.say import Argument, Arguments, Credits, Listing, Message, Quote, Say
from chatbot.kernel.suggestions import unknown
from chatbot.rooms.batch import Batch
from chatbot.rooms.exchange import Exchange
from chatbot.rooms.line import Line
from chatbot.rooms.room import Room

if TYPE_CHECKING:
    from chatbot.rooms.channel import Manner


@dataclass(frozen=True, slots=True)
class Consent:
    """That somebody agrees to what another one wants.

    `owns`: they are the broadcaster. `to` is what exactly they have agreed to, which must not have changed.
    """

    by: Seat
    owns: bool
    to: object


class NeedsConsent(Refusal):
    """A command is refused until somebody else agrees to exactly `to`; the message is the question."""

    def __init__(self, message: Message, to: object) -> None:
        super().__init__(message)
        self.to = to


@dataclass(frozen=True, slots=True)
class Request:
    """A line that is a command, with its words after the first; late answers go to its `exchange`.

    What it changes is written with its `batch`.

    `consent` is that of somebody else, if the command needed it and has got it.
    """

    room: Room
    line: Line
    words: tuple[str, ...]
    batch: Batch
    exchange: Exchange | None = None
    consent: Consent | None = None

    @property
    def manner(self) -> Manner:
        """The manner of the channel or the page from which it comes."""
        return self.line.manner or next(
            each.manner for each in self.room.channels if each.id == self.line.channel
        )

    def answer(self, message: Message) -> Say:
        """Make an answer where the request was made: in private if it was made in private."""
        private = self.line.private
        to = self.line.seat if private else None
        return Say(message, to, secret=private, event=message.id)

    def whisper(self, message: Message) -> Say:
        """Make an answer for the sender alone: a secret if the request was made in private."""
        return Say(message, self.line.seat, secret=self.line.private, event=message.id)


NOTICE = "Notice"  # the event of a message about what somebody else did with a member's credits
REASON = "--"  # the separator before a moderator's reason
_PLACEHOLDER = re.compile(r"(@name|[A-Z]{2,})")  # what the user replaces by a word, such as GAME

Answer: TypeAlias = Callable[[Request], Awaitable[Sequence[Say]]]
Check: TypeAlias = Callable[[Request, str], None]
"""Raises Refusal if the sender may not use the command of this word."""


def as_typed(line: Line, text: str) -> str:
    """Return words of a line as its sender typed them: a mention as `@name`, not as `@<account>`."""
    if not line.named:
        return text
    names = {f"@{account}": f"@{name}" for account, name in line.named.items()}
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    return re.sub("|".join(longest_first), lambda match: names[match[0]], text)


def quoted_as_typed(line: Line, message: Message) -> Message:
    """Return a message whose quotes of a line are as its sender typed them."""
    if not line.named:
        return message
    args = {key: _quoted_as_typed(line, each) for key, each in message.args.items()}
    return replace(message, args=args)


def _quoted_as_typed(line: Line, argument: Argument) -> Argument:
    match argument:
        case Quote(text):
            return Quote(as_typed(line, text))
        case Message():
            return quoted_as_typed(line, argument)
        case _:
            return argument


def reasoned(request: Request) -> tuple[Request, str]:
    """Return a request without the reason that follows `--` at its end, and that reason or ""."""
    words = request.words
    if REASON not in words:
        return request, ""
    at = len(words) - 1 - words[::-1].index(REASON)
    return replace(request, words=words[:at]), as_typed(request.line, " ".join(words[at + 1 :]))


def game_named(kits: Mapping[str, AnyKit], text: str) -> AnyKit:
    """Return the game of a name or word.

    Raises:
        Refusal: there is no such game.
    """
    kit = find_kit(kits, text)
    if kit is None:
        message = Message("game-unknown", {"text": Quote(text), "known": ", ".join(kits)})
        raise unknown(message, text, kits)
    return kit


def too_few(balance: int, entry: int = 0) -> Message:
    """Return the refusal of a payment that a balance does not cover; `entry` is the price of joining."""
    args: Arguments = {"held": balance, "balance": Credits(balance)}
    if entry > balance:
        return Message("too-few-to-join", {**args, "entry": Credits(entry)})
    return Message("too-few-credits", args)


def stake_left(most: int) -> Message:
    """Return the refusal of a stake from a seat that a code has opened, which may stake `most` credits."""
    if most <= 0:
        return Message("seat-code-stakes-not")
    return Message("seat-code-stake", {"most": Credits(most)})


def at_least(role: Role) -> Message:
    """Return a role and those above it, as the words of who may do something."""
    words = Message(f"role-{role.value}")
    return words if role is Role.BROADCASTER else Message("role-least", {"role": words})


def usage(word: str, arguments: str) -> Refusal:
    """Return the refusal of a command with wrong arguments, which shows its usage."""
    return Refusal(Message("usage", {"command": form(f"!{word} {arguments}".rstrip())}))


def form(text: str, message_ids: Container[str] | None = None) -> Message:
    """Return a usage with each placeholder in the room's language: the message `blank-<word>`.

    `message_ids` are the ids of the messages that exist; a placeholder without one is shown as it is.
    """
    pieces = enumerate(_PLACEHOLDER.split(text))
    parts = tuple(_piece(each, placeholder=bool(at % 2), message_ids=message_ids) for at, each in pieces)
    return Message("word", {"word": Listing(parts, most=len(parts), separator="")})


def _piece(text: str, *, placeholder: bool, message_ids: Container[str] | None) -> Message:
    message = "blank-mention" if text == "@name" else f"blank-{text.lower()}"
    if placeholder and (message_ids is None or message in message_ids):
        return Message(message)
    return Message("word", {"word": text})
