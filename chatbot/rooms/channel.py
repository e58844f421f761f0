"""Channels of a platform, what their chats allow, and the texts that are sent to them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from chatbot.kernel.say import Say
from chatbot.ledger.people import Account
from chatbot.speech.safe import Dress, plain


@dataclass(frozen=True, slots=True)
class Delivery:
    """A text for a channel, or for one account there, and the messages that it was made of.

    `bare` is the text of a public message to one member without their name, for use after another
    message to them.
    """

    channel: str
    text: str
    to: Account | None
    says: tuple[Say, ...]
    bare: str = ""


class Adapter(Protocol):
    """The connection to a platform: it translates and decides nothing."""

    async def send(self, delivery: Delivery) -> None:
        """Send a text to the platform."""


class Privacy(Enum):
    """Which messages for one member a platform can send to that member alone."""

    NONE = "none"
    SECRETS = "secrets"  # whispers are limited: all other messages are sent in public, with the name
    ALL = "all"


CALM = 3.0  # seconds


@dataclass(frozen=True, slots=True)
class Manner:
    """The limits and abilities of a chat. Messages to one member are never delayed."""

    private: Privacy = Privacy.ALL
    length: int = 2000  # characters of one message
    gap: float = 0.0  # least seconds between two messages; those in between wait and are merged
    calm: int = 0  # messages within `CALM` seconds up to which answers go out without a gap
    longest_gap: float = 0.0  # the same after many messages in a window, so that the budget lasts
    merged: int = 0  # characters up to which waiting messages are merged into one; 0: they are not merged
    budget: int | None = None  # messages in `window` seconds; None: no limit
    window: float = 30.0  # seconds
    dress: Dress = plain  # escapes names and quotes for the markup of the platform
    vouches: bool = True  # whether the platform authenticates members, so that nobody can impersonate another
    streams: bool = False  # whether the chat belongs to a stream
    fine: bool = False  # whether details are shown unasked, because the platform can fold them
    predicts: bool = False  # whether viewers can bet on games here, by predictions of the platform
    announces: bool = False  # whether results can be told as announcements of the platform
    sole: bool = False  # whether no other bot reads the chat, so that every command is for this one
    first_lobby: int = 0  # seconds of the first lobby of a game that somebody opens here, at most; 0: as set
    patience: float = 8.0  # seconds for the turn of who was silent in the last one


@dataclass(eq=False, slots=True)
class Channel:
    """One chat of a room: a Twitch chat, a Discord channel, the local page.

    `manner` may change, for example when the bot is made a moderator.
    """

    id: str
    platform: str
    adapter: Adapter
    manner: Manner = Manner()
    heard: bool = True  # whether this process hears it; another one may, where several share a database
