"""A room is where tables stand; lines come in from its channels and go out to them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Protocol

from pydantic import Field

from chatbot.kernel.game import Role, Seat
from chatbot.kernel.say import Say, Talk
from chatbot.kernel.settings import Unit, Whole

if TYPE_CHECKING:
    from chatbot.live.table import Table  # noqa: TC004  (rooms hold tables, tables stand in rooms)


LONGEST_ACTIVE = 86_400.0  # seconds


@dataclass(frozen=True, slots=True)
class Line:
    """What somebody said. The id is the platform's; `private` was said to the bot alone."""

    id: str
    channel: str
    seat: Seat
    name: str
    role: Role
    text: str
    private: bool = False


@dataclass(frozen=True, slots=True)
class Delivery:
    """A text for a channel, and the says that it is made of."""

    channel: str
    text: str
    to: Seat | None
    says: tuple[Say, ...]


class Door(Protocol):
    """What connects a platform: it translates and decides nothing."""

    async def send(self, delivery: Delivery) -> None: ...


@dataclass(frozen=True, slots=True)
class Manner:
    """How a platform wants to be talked to."""

    private: bool = True  # it can carry a line to one person alone
    length: int = 2000  # characters of one message
    quiet: float = 0.0  # seconds without a further line before lines go out as one
    budget: int | None = None  # messages in `window` seconds; None: no limit
    window: float = 30.0


@dataclass(frozen=True, slots=True)
class Channel:
    """One chat of a room: a Twitch chat, a Discord channel, the local page."""

    id: str
    door: Door
    manner: Manner = Manner()


@dataclass(frozen=True, slots=True)
class Habits:
    """The settings of a room that belong to no single game."""

    talk: Talk = Talk.NORMAL
    start_credits: Annotated[Whole, Field(ge=0, le=1_000_000), Unit("credits")] = 240


@dataclass(eq=False)
class Room:
    """One room at work. `community` is whose wallets its members use."""

    id: str
    community: str
    channels: tuple[Channel, ...]
    habits: Habits = field(default_factory=Habits)
    preferences: dict[str, dict[str, object]] = field(default_factory=dict)  # game -> settings changed
    tables: dict[str, Table] = field(default_factory=dict)  # by the game's name
    rested: dict[str, float] = field(default_factory=dict)  # game -> when it may open again
    spoke: dict[Seat, float] = field(default_factory=dict)  # when a member was last active
    order: asyncio.Lock = field(default_factory=asyncio.Lock)  # lines are answered in their order

    def settings(self, game: str) -> dict[str, object]:
        return self.preferences.get(game, {})

    def active(self, since: float) -> list[Seat]:
        """List who has been active since then; who was not for the longest time that counts is forgotten."""
        self.spoke = {seat: at for seat, at in self.spoke.items() if at >= since - LONGEST_ACTIVE}
        return [seat for seat, at in self.spoke.items() if at >= since]
