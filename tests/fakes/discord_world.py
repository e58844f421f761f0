"""What a fake Discord knows: its servers with their people and channels, and all that was written there.

The objects are those of the documentation:

- https://discord.com/developers/docs/resources/user#user-object (with `public_flags`),
- https://discord.com/developers/docs/resources/guild#guild-member-object,
- https://discord.com/developers/docs/resources/channel#channel-object,
- https://discord.com/developers/docs/resources/message#message-object.

What the bot may do in a channel is computed from the role of everybody and the overwrites of the channel, as
https://discord.com/developers/docs/topics/permissions#permission-overwrites says.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from tests.fakes.discord_uploads import FILES, attached

if TYPE_CHECKING:
    from collections.abc import Callable

Json: TypeAlias = dict[str, Any]

APP = 1_000_000_000_000_000_001  # also the id of the bot's user, as Discord does it
GUILD = 1_000_000_000_000_000_002
OWNER = 1_000_000_000_000_000_003
MANAGERS = 1_000_000_000_000_000_004  # a role
EPHEMERAL = 64
MANAGE_GUILD, ADMINISTRATOR = 0x20, 0x8
VIEW, SEND, SEND_IN_THREADS = 0x400, 0x800, 1 << 38
EMBED, ATTACH, READ_HISTORY = 0x4000, 0x8000, 0x10000
BEGIN_THREADS = 1 << 35  # CREATE_PUBLIC_THREADS
TALK = VIEW | SEND | SEND_IN_THREADS | EMBED | ATTACH | READ_HISTORY | BEGIN_THREADS
HAS_THREAD = 1 << 5  # a flag of a message
SILENCED = VIEW | READ_HISTORY  # all that a member keeps who is timed out
TEXT, THREAD = 0, 11  # types of channels
EPOCH = 1_420_070_400_000  # ms, the first of 2015: where the time in ids begins
STAMP = "2026-01-01T00:00:00.000000+00:00"


@dataclass(eq=False)
class User:
    id: int
    name: str
    manages: bool = False
    boosts: bool = False
    bot: bool = False
    shown: str = ""  # what they call themselves; their name if nothing
    silenced: datetime | None = None  # until when they are timed out
    gone: bool = False  # they were kicked or banned

    @property
    def payload(self) -> Json:
        return {
            "id": str(self.id),
            "username": self.name[:32],
            "discriminator": "0",
            "global_name": self.shown or None,
            "avatar": None,
            "bot": self.bot,
            "public_flags": 0,
        }

    @property
    def member(self) -> Json:
        """Show the member as a message or an interaction carries it."""
        return {
            "nick": None,
            "roles": [str(MANAGERS)] if self.manages else [],
            "joined_at": STAMP,
            "premium_since": STAMP if self.boosts else None,
            "deaf": False,
            "mute": False,
            "flags": 0,
            "communication_disabled_until": self.silenced.isoformat() if self.silenced else None,
        }

    @property
    def permissions(self) -> int:
        if self.id == OWNER:
            return TALK | MANAGE_GUILD | ADMINISTRATOR
        return TALK | MANAGE_GUILD if self.manages else TALK


@dataclass(eq=False)
class Interaction:
    """Something that a user did to the bot, and what the bot has answered so far."""

    id: int
    kind: int
    user: User
    channel: int
    born: float
    message: int | None = None  # on which it was clicked
    response: int | None = None  # the type of the first answer
    original: int | None = None  # the message that answers it
    private: bool = False  # that message is for the user alone
    choices: list[str | int] = field(default_factory=list)
    form: Json | None = None  # that was shown for it
    expired: bool = False

    @property
    def token(self) -> str:
        return f"interaction-canary-{self.id}"


def now() -> datetime:
    return datetime.now(UTC)


class World:
    """Keeps every message; `changed` wakes whoever waits for something."""

    def __init__(self, date: Callable[[], datetime] = now) -> None:
        self.date = date  # by which ids are made
        self._last = 0
        self.users: dict[int, User] = {}
        self.channels: dict[int, Json] = {}
        self.messages: dict[int, Json] = {}  # public ones and those to one person, in their order
        self.readers: dict[int, int] = {}  # ephemeral message -> who sees it
        self.interactions: dict[int, Interaction] = {}
        self.commands: list[Json] = []
        self.requests: list[tuple[str, str, Any]] = []
        self.files: dict[str, bytes] = {}  # by the id of the attachment
        self.nonces: dict[tuple[int, str], int] = {}
        self.changed = asyncio.Condition()
        self.guilds: dict[int, str] = {GUILD: "Town"}  # id -> name
        self.locales: dict[int, str] = {}  # the languages that servers prefer; English if not here
        self.system_channels: dict[int, int] = {}  # by server, where it has one
        self.bot = User(APP, "Rabble", bot=True)
        self.owner = self.join("owner", OWNER)
        self.town = self.add_channel("town")

    def next_id(self) -> int:
        """Make an id that tells when: https://discord.com/developers/docs/reference#snowflakes."""
        now = int(self.date().timestamp() * 1000) - EPOCH
        self._last = max(self._last + 1, now << 22)
        return self._last

    def join(self, name: str, user_id: int = 0, *, manages: bool = False, boosts: bool = False) -> User:
        user = User(user_id or self.next_id(), name, manages, boosts)
        self.users[user.id] = user
        return user

    def add_guild(self, name: str, number: int | None = None) -> int:
        """Make another server, which the bot learns of with its next IDENTIFY."""
        guild = self.next_id() if number is None else number
        self.guilds[guild] = name
        return guild

    def guild_of(self, channel: int) -> int:
        """Return the server of a channel; that of the tests for a channel that is in none."""
        return int(self.channels[channel].get("guild_id") or GUILD)

    def add_channel(self, name: str, guild: int = GUILD) -> int:
        channel = self.next_id()
        self.channels[channel] = {
            "id": str(channel),
            "type": TEXT,
            "guild_id": str(guild),
            "name": name,
            "position": 0,
            "permission_overwrites": [],
            "nsfw": False,
            "parent_id": None,
            "topic": None,
            "rate_limit_per_user": 0,
        }
        return channel

    def add_thread(self, parent: int, name: str = "thread", message: int = 0, owner: int = OWNER) -> int:
        """Make a thread; one that is begun from a `message` has its id, and the message a flag."""
        channel = message or self.next_id()
        if message:
            self.messages[message]["flags"] |= HAS_THREAD
        self.channels[channel] = {
            "id": str(channel),
            "type": THREAD,
            "guild_id": self.channels[parent]["guild_id"],
            "parent_id": str(parent),
            "owner_id": str(owner),
            "name": name,
            "message_count": 0,
            "member_count": 1,
            "rate_limit_per_user": 0,
            "thread_metadata": {
                "archived": False,
                "auto_archive_duration": 1440,
                "archive_timestamp": STAMP,
                "locked": False,
            },
        }
        return channel

    def dm(self, user: int) -> int:
        """Find or make the channel in which the bot and a user are alone."""
        for channel, payload in self.channels.items():
            if payload["type"] == 1 and payload["recipients"][0]["id"] == str(user):
                return channel
        channel = self.next_id()
        person = self.users[user].payload
        self.channels[channel] = {
            "id": str(channel),
            "type": 1,
            "recipients": [person],
            "last_message_id": None,
        }
        return channel

    def reaches(self, user: User, channel: int) -> bool:
        """Whether somebody can write and use commands and buttons in a channel of a server, or a DM.

        Who is timed out keeps `SILENCED` of their permissions, and can still write to the bot alone; who is
        in no server with it cannot: https://discord.com/developers/docs/resources/guild#guild-member-object.
        """
        silenced = user.silenced is not None and self.date() < user.silenced
        return not user.gone and (not silenced or self.channels[channel]["type"] == 1)

    def forbid(self, channel: int, permissions: int) -> Json:
        """Take permissions from everybody in a channel; gives the channel, as CHANNEL_UPDATE tells it."""
        guild = self.channels[channel]["guild_id"]
        denied = [{"id": guild, "type": 0, "allow": "0", "deny": str(permissions)}] if permissions else []
        self.channels[channel]["permission_overwrites"] = denied
        return self.channels[channel]

    def allowed(self, channel: int) -> int:
        """Compute what the bot may do in a channel; a thread has the overwrites of its parent."""
        here = self.channels[channel]
        if here["type"] == THREAD:
            here = self.channels[int(here["parent_id"])]
        allowed = TALK
        for each in here.get("permission_overwrites") or []:
            allowed = allowed & ~int(each["deny"]) | int(each["allow"])
        return allowed if allowed & VIEW else 0

    def may_write(self, channel: int) -> bool:
        """Whether the bot may send messages in a channel of a server, or in a thread."""
        thread = self.channels[channel]["type"] == THREAD
        return bool(self.allowed(channel) & (SEND_IN_THREADS if thread else SEND))

    def guild(self, guild: int = GUILD) -> Json:
        """Show a server as GUILD_CREATE does."""
        here = [each for each in self.channels.values() if each.get("guild_id") == str(guild)]
        text = [each for each in here if each["type"] == TEXT]
        threads = [each for each in here if each["type"] == THREAD and not archived(each)]
        roles = [_role(guild, "@everyone", TALK)]
        if guild == GUILD:
            roles.append(_role(MANAGERS, "managers", TALK | MANAGE_GUILD))
        me = {**self.bot.member, "user": self.bot.payload}
        return {
            "id": str(guild),
            "name": self.guilds[guild],
            "owner_id": str(OWNER),
            "unavailable": False,
            "member_count": len(self.users) + 1,
            "roles": roles,
            "channels": text,
            "threads": threads,
            "members": [me],
            "emojis": [],
            "features": [],
            "afk_timeout": 300,
            "preferred_locale": self.locales.get(guild, "en-US"),
            "system_channel_id": str(self.system_channels[guild]) if guild in self.system_channels else None,
        }

    def write(self, channel: int, author: User, body: Json, reader: int | None = None) -> Json:
        """Keep a message; a `reader` is the only one who sees it."""
        message_id = self.next_id()
        payload = {
            "id": str(message_id),
            "channel_id": str(channel),
            "type": 0,
            "author": author.payload,
            "timestamp": datetime.now(UTC).isoformat(),
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": self._attach(body, []),
            "pinned": False,
            "content": body.get("content") or "",
            "embeds": body.get("embeds") or [],
            "components": body.get("components") or [],
            "flags": body.get("flags") or 0,
        }
        if body.get("message_reference"):
            payload["message_reference"] = body["message_reference"]
        self.messages[message_id] = payload
        if reader is not None:
            self.readers[message_id] = reader
        return payload

    def edit(self, message_id: int, body: Json) -> Json:
        payload = self.messages[message_id]
        kept = {key: body[key] or ([] if key != "content" else "") for key in _EDITABLE if key in body}
        attachments = self._attach(body, payload["attachments"])
        payload.update(kept, attachments=attachments, edited_timestamp=datetime.now(UTC).isoformat())
        return payload

    def _attach(self, body: Json, known: list[Json]) -> list[Json]:
        """Keep the files of a message, each under the id of its attachment."""
        listed = attached(body, known, self.next_id)
        told, files = body.get("attachments") or [], body.get(FILES) or {}
        sent = {kept["id"]: files.get(int(each["id"])) for each, kept in zip(told, listed, strict=False)}
        self.files |= {number: content for number, content in sent.items() if content is not None}
        return listed

    # What tests look at

    def shown(self, channel: int) -> list[Json]:
        """List what everybody sees in a channel of the bot's own messages."""
        return [
            each
            for each in self.messages.values()
            if each["channel_id"] == str(channel)
            and each["author"]["id"] == str(APP)
            and int(each["id"]) not in self.readers
        ]

    def ephemeral(self, user: User) -> list[Json]:
        """List what the bot showed to one person alone."""
        return [self.messages[each] for each, reader in self.readers.items() if reader == user.id]

    def texts(self, channel: int) -> str:
        return "\n".join(each["content"] for each in self.shown(channel))

    def whispers(self, user: User) -> str:
        return "\n".join(each["content"] for each in self.ephemeral(user))

    def boards(self, channel: int) -> list[Json]:
        """List the messages of a channel that carry an embed."""
        return [each for each in self.shown(channel) if each["embeds"]]

    async def until(self, holds: Callable[[], Any], seconds: float = 20.0) -> None:
        """Wait until something holds of what was sent.

        Raises:
            AssertionError: it does not, in time.
        """
        try:
            async with asyncio.timeout(seconds), self.changed:
                await self.changed.wait_for(lambda: bool(holds()))
        except TimeoutError:
            sent = "\n".join(f"{method} {path} {body}"[:300] for method, path, body in self.requests[-12:])
            raise AssertionError(f"it never came; last was\n{sent}") from None

    async def wake(self) -> None:
        async with self.changed:
            self.changed.notify_all()


_EDITABLE = ("content", "embeds", "components")


def archived(thread: Json) -> bool:
    """Whether a thread is archived: only those that are not come with their server."""
    return bool(thread["thread_metadata"]["archived"])


def _role(role: int, name: str, permissions: int) -> Json:
    return {
        "id": str(role),
        "name": name,
        "permissions": str(permissions),
        "position": int(role == MANAGERS),
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }
