"""Rooms, which hold tables and have channels; the lines and events of these; and the set of open rooms."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

from chatbot.kernel.game import Role, Seat
from chatbot.kernel.say import Message, Say
from chatbot.ledger.people import Account
from chatbot.ledger.vouchers import Voucher
from chatbot.rooms.inbox import Inbox
from chatbot.rooms.limits import remember
from chatbot.settings.fields import Selection
from chatbot.settings.room import HABITS
from chatbot.speech.safe import Dress, plain
from chatbot.speech.visible import as_seen

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from chatbot.kernel.kit import AnyKit
    from chatbot.settings.room import RoomSettings
    from chatbot.tables.table import Table  # noqa: TC004  (rooms and tables refer to each other)

LONGEST_LINE = 500  # characters; a longer line is no command
LONGEST_ACTIVE = 86_400.0  # seconds for which a member's last activity is stored
MOST_ACTIVE = 20_000  # members of a room whose last activity is stored, the latest
SIGN = "!"  # with which every command begins
_SIGNS = SIGN, "\uff01"  # the second one is the "!" of keyboards for Chinese and Japanese
NOBODY = Seat("")  # the seat of a line whose speaker was not looked up yet


@dataclass(frozen=True, slots=True)
class Line:
    """A message from a member.

    `text` is what people see of it, whatever a door was told, so that all of them read alike; see `as_read`.
    `id` is the platform's id, unique across platforms and starts: what was heard before is not heard again. A
    `private` line was sent to the bot alone. A button belongs to a `table`, and acts at no other. A mention
    stands in the text as `@<account>`, and in `named` with its display name. `came` is when the line reached
    the program, in seconds of the watch, if it waited before it was passed to the bot. `role` is the highest
    role that the platform reports; `badges` are the others. `login` is the account's unique name on its
    platform. `barred` says why the bot cannot write where the line was said: nobody can stake anything there.
    `voucher` pays for the stake of a line that a platform sold. `sent` is when the platform says that it was
    sent; None: it does not say.

    The bot adds the speaker: `seat` is the seat as which they act, `home` the person to whom their account
    belongs, `linked_accounts` all persons who are linked with that one, and `accounts` all of their
    accounts.
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
    barred: Message | None = None
    voucher: Voucher | None = None
    sent: datetime | None = None
    seat: Seat = NOBODY
    home: Seat = NOBODY
    linked_accounts: frozenset[Seat] = frozenset()
    accounts: tuple[Account, ...] = ()

    def __post_init__(self) -> None:
        text = self.text
        # Nearly all lines are as they are read; whoever replaces another field makes the line anew.
        if not (text.isascii() and text.isprintable() and " ".join(text.split()) == text):
            object.__setattr__(self, "text", as_read(text))

    @property
    def roles(self) -> frozenset[Role]:
        """All roles that the platform reports."""
        return self.badges | {self.role}


def as_read(text: str) -> str:
    """Return what people see of what somebody wrote, a command with the sign that the bot knows."""
    seen = as_seen(text)
    if not seen.startswith(_SIGNS):
        return seen
    rest = seen[1:]
    return SIGN + (rest if rest.startswith(" ") else as_seen(rest))  # "! heist" is no command


def is_command(line: Line) -> bool:
    """Whether a line is read as a command."""
    return line.text.startswith(SIGN) and len(line.text) <= LONGEST_LINE


class Happening(Enum):
    """The kinds of events of a channel other than lines."""

    ONLINE = "online"
    OFFLINE = "offline"
    FOLLOW = "follow"
    SUBSCRIBE = "subscribe"
    CHEER = "cheer"
    RAID = "raid"


@dataclass(frozen=True, slots=True)
class Occasion:
    """An event of a channel other than a line; `amount` counts months, bits or raiders.

    `sent` is when the platform says that it told of it; None: it does not say.
    The bot adds the member: `seat`, whose purse they use, and `home`, the person to whom the account belongs.
    """

    id: str
    channel: str
    kind: Happening
    account: Account | None = None
    name: str = ""
    amount: int = 0
    sent: datetime | None = None
    seat: Seat | None = None
    home: Seat | None = None


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


class Door(Protocol):
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


@dataclass(eq=False, slots=True)
class Channel:
    """One chat of a room: a Twitch chat, a Discord channel, the local page.

    `manner` may change, for example when the bot is made a moderator.
    """

    id: str
    platform: str
    door: Door
    manner: Manner = Manner()


@dataclass(eq=False)
class Room:
    """An open room, with its tables and settings.

    `community` is the one whose wallets its members use, a word without a colon. `holder` is the one whose
    settings apply to them: another one while the two communities are united.
    """

    id: str
    community: str
    channels: tuple[Channel, ...]
    holder: str = ""  # empty: the community itself
    # By the name of the group. `Any`: each group has settings of its own type.
    chosen: dict[str, Selection[Any]] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)  # by their spots, see `Kit.spot`
    rested: dict[str, float] = field(default_factory=dict)  # when each game may be opened again, on the watch
    told: dict[str, int] = field(default_factory=dict)  # the last of several texts of each message
    # When each member was last active, on the watch.
    spoke: OrderedDict[Seat, float] = field(default_factory=OrderedDict)
    live: bool | None = None  # whether its stream is on; None: unknown
    lost: bool = False  # whether the database may have a table that is not in memory
    inbox: Inbox = field(default_factory=Inbox)  # lines and ends of phases, in the order of their arrival
    elsewhere: bool = False  # its lines are not taken: another process runs it, or it cannot be opened yet
    stopped: str = ""  # id of the message that says why no game is played now; empty: games are played
    order: asyncio.Lock = field(default_factory=asyncio.Lock)  # held by what changes the room as a whole

    def __post_init__(self) -> None:
        if ":" in self.community:  # nobody in it could be paid
            raise ValueError(f"a community is a word without a colon, not {self.community!r}")

    @property
    def habits(self) -> RoomSettings:
        """The general settings of the room."""
        return HABITS.of(self)

    def playing(self, game: str) -> list[Table]:
        """Return the tables of a game that are not over."""
        return [table for table in self.tables.values() if table.kit.name == game and not table.over]

    def place(self, kit: AnyKit, seat: Seat) -> Table | None:
        """Return the table that a seat's commands are for: where it plays, or else where it is invited.

        If there is no such table, return the last one at the seat's own spot, which is over, or None.
        """
        at_spot = self.tables.get(kit.spot(seat))
        if kit.apart is None or (at_spot is not None and not at_spot.over):
            return at_spot
        tables = self.playing(kit.name)
        plays = (table for table in tables if seat in kit.guests(table.state))
        invited = (table for table in tables if seat in kit.invited(table.state))
        return next(plays, None) or next(invited, at_spot)

    def playing_at(self, kit: AnyKit, seat: Seat) -> Table | None:
        """Return the table at which a seat plays a game; an invitation alone does not count."""
        table = self.place(kit, seat)
        if table is None or table.over or seat in kit.invited(table.state):
            return None
        return table

    def table(self, table_id: str) -> Table | None:
        """Return the table of an id."""
        return next((table for table in self.tables.values() if table.id == table_id), None)

    def settings(self, group: str) -> Mapping[str, object]:
        """Return the settings of a group that were changed, as they are stored."""
        return self.chosen[group].choices if group in self.chosen else {}

    def note_active(self, seat: Seat, now: float) -> None:
        """Note that a member is active."""
        remember(self.spoke, seat, now, MOST_ACTIVE)

    def active(self, since: float) -> list[Seat]:
        """Return the members who were active since a time of the watch, and drop expired entries."""
        while self.spoke and next(iter(self.spoke.values())) < since - LONGEST_ACTIVE:
            self.spoke.popitem(last=False)
        return [seat for seat, at in self.spoke.items() if at >= since]


def hides(table: Table) -> bool:
    """Whether the moves that are possible at a table now must be shown to their player alone."""
    return not table.over and bool(table.kit.hides(table.state))


class Rooms(dict[str, "Room"]):
    """The open rooms by their ids, and by their channels."""

    def __init__(self) -> None:
        super().__init__()
        self._channels: dict[str, Room] = {}
        self.opening: list[Callable[[Room], None]] = []  # called when a room is opened, or gets channels

    def open(self, room: Room) -> None:
        """Add a room, or the new channels of an open one, and notify the listeners."""
        self[room.id] = room
        self._channels.update({channel.id: room for channel in room.channels})
        for listener in self.opening:
            listener(room)

    def join(self, room: Room, channels: Iterable[Channel]) -> None:
        """Add channels to an open room; the channel that has the room's id stays the first."""
        by_id = {each.id: each for each in (*room.channels, *channels)}
        room.channels = tuple(sorted(by_id.values(), key=lambda each: each.id != room.id))
        self.open(room)

    def close(self, room: Room) -> None:
        """Remove a room, whose channels then join another."""
        del self[room.id]
        room.rested.clear()  # so that the end of no cooldown is announced
        for channel in room.channels:
            del self._channels[channel.id]

    def part(self, room: Room, channel: str) -> None:
        """Remove a channel from a room; `at` returns that room until another is open for the channel."""
        room.channels = tuple(each for each in room.channels if each.id != channel)

    def has(self, channel: str) -> bool:
        """Whether a channel belongs to an open room."""
        return channel in self._channels

    def at(self, channel: str) -> Room:
        """Return the room that a channel belongs to.

        Raises:
            KeyError: there is no such open room.
        """
        return self._channels[channel]

    def whereabouts(self, seats: Collection[Seat], platform: str) -> Channel | None:
        """Return the channel of a platform in which a member plays or is invited, or else spoke last."""
        known = [(_active(room, seats), channel) for room, channel in self._of(platform)]
        active = [(activity, channel) for activity, channel in known if activity is not None]
        return max(active, key=lambda each: each[0])[1] if active else None

    def _of(self, platform: str) -> Iterator[tuple[Room, Channel]]:
        for room in self.values():
            for channel in room.channels:
                if channel.platform == platform:
                    yield room, channel


def _active(room: Room, seats: Collection[Seat]) -> tuple[bool, float] | None:
    """Return whether one of a member's seats plays in a room, and when it last spoke; None: neither."""
    plays, spoke = any(_plays(room, each) for each in seats), [room.spoke.get(each) for each in seats]
    known = [each for each in spoke if each is not None]
    return (plays, max(known, default=0.0)) if plays or known else None


def _plays(room: Room, seat: Seat) -> bool:
    tables = [table for table in room.tables.values() if not table.over]
    return any(seat in table.seated or seat in table.kit.invited(table.state) for table in tables)
