"""A room is where tables stand; lines come in from its channels and go out to them. And which are open."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

from chatbot.kernel.game import Role, Seat
from chatbot.kernel.say import Say
from chatbot.ledger.people import Account
from chatbot.rooms.inbox import Inbox
from chatbot.settings.fields import Selection
from chatbot.settings.room import HABITS
from chatbot.speech.safe import Dress, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from chatbot.kernel.kit import AnyKit
    from chatbot.settings.room import RoomSettings
    from chatbot.tables.table import Table  # noqa: TC004  (rooms hold tables, tables stand in rooms)

LONGEST_ACTIVE = 86_400.0  # seconds
NOBODY = Seat("")  # of a line whose speaker was not looked up yet


@dataclass(frozen=True, slots=True)
class Line:
    """What somebody said.

    The id is the platform's, unique over all of them; `private` was said to the bot alone. A button
    belongs to a `table`, and acts at no other. Whoever is mentioned stands in the text as `@<account>`,
    and in `named` with a display name. `came` is when it reached the program, on the watch, if it
    waited before the house heard it. `role` is the highest of those that the platform tells; `badges`
    are the others. `login` is the name that nobody else has on the account's platform.

    The house adds who speaks: `seat` is as whom they act, `home` the person to whom their account leads,
    `kin` all persons who are one with that, and `accounts` all of theirs.
    """

    id: str
    channel: str
    account: Account
    name: str
    role: Role
    text: str
    private: bool = False
    table: str | None = None
    named: Mapping[Account, str] = field(default_factory=dict)
    came: float | None = None
    badges: frozenset[Role] = frozenset()
    login: str = ""
    seat: Seat = NOBODY
    home: Seat = NOBODY
    linked_accounts: frozenset[Seat] = frozenset()
    accounts: tuple[Account, ...] = ()

    @property
    def roles(self) -> frozenset[Role]:
        return self.badges | {self.role}


class Happening(Enum):
    ONLINE = "online"
    OFFLINE = "offline"
    FOLLOW = "follow"
    SUBSCRIBE = "subscribe"
    CHEER = "cheer"
    RAID = "raid"


@dataclass(frozen=True, slots=True)
class Occasion:
    """What happened in a channel besides talk; `amount` counts months, bits or raiders.

    The house adds who it was: `seat`, whose purse they use, and `home`, to whom their account leads.
    """

    id: str
    channel: str
    kind: Happening
    account: Account | None = None
    name: str = ""
    amount: int = 0
    seat: Seat | None = None
    home: Seat | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """A text for a channel, or for one account there, and the says that it is made of.

    `bare` is how what is said to somebody in public reads behind another line to them, without the name.
    """

    channel: str
    text: str
    to: Account | None
    says: tuple[Say, ...]
    bare: str = ""


class Door(Protocol):
    """What connects a platform: it translates and decides nothing."""

    async def send(self, delivery: Delivery) -> None: ...


class Privacy(Enum):
    """Which lines for one person a platform carries to that person alone."""

    NONE = "none"
    SECRETS = "secrets"  # where whispers are few: the others are said in public, addressed
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Manner:
    """How a platform wants to be talked to. What goes to one person waits for nothing."""

    private: Privacy = Privacy.ALL
    length: int = 2000  # characters of one message
    gap: float = 0.0  # seconds between two messages at least; what comes meanwhile waits and is merged
    longest_gap: float = 0.0  # seconds between them where they would otherwise use the budget up
    merged: int = 0  # characters up to which waiting lines are one message; 0: each is its own
    budget: int | None = None  # messages in `window` seconds; None: no limit
    window: float = 30.0
    dress: Dress = plain  # makes a name or a quote harmless there
    vouches: bool = True  # whether the platform knows who speaks, so that nobody can pass for another
    streams: bool = False  # whether a stream belongs to a chat there
    fine: bool = False  # whether fine print stands there unasked: it can be folded
    sole: bool = False  # whether no other bot listens there, so that every command is meant for ours


@dataclass(eq=False, slots=True)
class Channel:
    """One chat of a room: a Twitch chat, a Discord channel, the local page.

    Its manner may change: a bot may be made moderator.
    """

    id: str
    platform: str
    door: Door
    manner: Manner = Manner()


@dataclass(eq=False)
class Room:
    """One room at work. `community` is whose wallets its members use.

    `holder` is whose settings count for them: another community's, while the two are united.
    """

    id: str
    community: str
    channels: tuple[Channel, ...]
    holder: str = ""  # none: the community itself
    chosen: dict[str, Selection[Any]] = field(default_factory=dict)  # group -> what was set of it
    tables: dict[str, Table] = field(default_factory=dict)  # by their spots, see `Kit.spot`
    rested: dict[str, float] = field(default_factory=dict)  # game -> when it may open again
    spoke: dict[Seat, float] = field(default_factory=dict)  # when a member was last active
    live: bool | None = None  # whether its stream is on; None: nobody knows
    lost: bool = False  # whether a table may have been opened without our knowing
    inbox: Inbox = field(default_factory=Inbox)  # lines, and ends of phases, in the order in which they came
    elsewhere: bool = False  # whether another process runs it now: what is said here is for that one
    stopped: str = ""  # the message that says why nothing is played here now; empty: games go on
    order: asyncio.Lock = field(default_factory=asyncio.Lock)  # what changes it as a whole is alone in it

    @property
    def habits(self) -> RoomSettings:
        return HABITS.of(self)

    def playing(self, game: str) -> list[Table]:
        """List the tables of a game that are not over."""
        return [table for table in self.tables.values() if table.kit.name == game and not table.over]

    def place(self, kit: AnyKit, seat: Seat) -> Table | None:
        """Find the table that a seat's words are for: where it plays, or else where it is invited.

        Without such a one it is the last at its own spot, which is over.
        """
        own = self.tables.get(kit.spot(seat))
        if kit.apart is None or (own is not None and not own.over):
            return own
        there = self.playing(kit.name)
        plays = (table for table in there if seat in kit.guests(table.state))
        asked = (table for table in there if seat in kit.invited(table.state))
        return next(plays, None) or next(asked, own)

    def playing_at(self, kit: AnyKit, seat: Seat) -> Table | None:
        """Find the table at which a seat plays a game; where it is only invited it does not yet."""
        table = self.place(kit, seat)
        if table is None or table.over or seat in kit.invited(table.state):
            return None
        return table

    def table(self, table_id: str) -> Table | None:
        """Find a table by its number."""
        return next((table for table in self.tables.values() if table.id == table_id), None)

    def settings(self, group: str) -> Mapping[str, object]:
        """Give what was set of a group, as it is stored."""
        return self.chosen[group].choices if group in self.chosen else {}

    def active(self, since: float) -> list[Seat]:
        """List who has been active since then; who was not for the longest time that counts is forgotten."""
        self.spoke = {seat: at for seat, at in self.spoke.items() if at >= since - LONGEST_ACTIVE}
        return [seat for seat, at in self.spoke.items() if at >= since]


def hides(table: Table) -> bool:
    """Whether what can be done at a table now is for the eyes of who does it."""
    return not table.over and bool(table.kit.hides(table.state))


class Rooms(dict[str, "Room"]):
    """The open rooms by their ids."""

    def __init__(self) -> None:
        super().__init__()
        self._channels: dict[str, Room] = {}
        self.opening: list[Callable[[Room], None]] = []  # called when channels lead to a room from now on

    def open(self, room: Room) -> None:
        self[room.id] = room
        self._channels.update({channel.id: room for channel in room.channels})
        for listener in self.opening:
            listener(room)

    def join(self, room: Room, channels: Iterable[Channel]) -> None:
        """Add channels to an open room; its own comes first."""
        all_of = {each.id: each for each in (*room.channels, *channels)}
        room.channels = tuple(sorted(all_of.values(), key=lambda each: each.id != room.id))
        self.open(room)

    def close(self, room: Room) -> None:
        """Forget a room, whose channels join another."""
        del self[room.id]
        for channel in room.channels:
            del self._channels[channel.id]

    def part(self, room: Room, channel: str) -> None:
        """Take a channel from a room; it still leads there until one of its own is open."""
        room.channels = tuple(each for each in room.channels if each.id != channel)

    def has(self, channel: str) -> bool:
        return channel in self._channels

    def at(self, channel: str) -> Room:
        """Give the room that a channel belongs to.

        Raises:
            KeyError: it is not open.
        """
        return self._channels[channel]

    def whereabouts(self, seats: Collection[Seat], platform: str) -> Channel | None:
        """Find the channel of a platform in which somebody sits or is asked to, or else spoke last."""
        own = [(_active(room, seats), channel) for room, channel in self._of(platform)]
        here = [(active, channel) for active, channel in own if active is not None]
        return max(here, key=lambda each: each[0])[1] if here else None

    def _of(self, platform: str) -> Iterator[tuple[Room, Channel]]:
        for room in self.values():
            for channel in room.channels:
                if channel.platform == platform:
                    yield room, channel


def _active(room: Room, seats: Collection[Seat]) -> tuple[bool, float] | None:
    """Say whether one of somebody's seats plays in a room, and when it spoke last; None: neither."""
    plays, spoke = any(_plays(room, each) for each in seats), [room.spoke.get(each) for each in seats]
    known = [each for each in spoke if each is not None]
    return (plays, max(known, default=0.0)) if plays or known else None


def _plays(room: Room, seat: Seat) -> bool:
    standing = [table for table in room.tables.values() if not table.over]
    return any(seat in table.seated or seat in table.kit.invited(table.state) for table in standing)
