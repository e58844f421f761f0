"""What the program knows of a platform's adapter, whichever it is: everything else is the adapter's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from chatbot.kernel.game import Role
from chatbot.rooms.channel import Adapter

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from chatbot.ledger.people import Account
    from chatbot.rooms.channel import Delivery, Manner
    from chatbot.runtime.session_budget import SessionLimits


@dataclass(frozen=True, slots=True)
class RoleAnswer:
    """The roles of an account by communities, and the key by which it can be asked for again, if any.

    Of `unknown` communities nothing can be told here, as another process hears them.
    """

    roles: Mapping[str, Role]
    key: bytes | None = None
    unknown: frozenset[str] = frozenset()


class RoleSource(Protocol):
    """A platform, as it is asked who somebody is."""

    async def roles(self, account: Account, communities: Collection[str], key: bytes | None) -> RoleAnswer:
        """Return the present roles of an account.

        `communities` are those of which a role was known before, and `key` is that of a login. Of communities
        that are not in the answer the account has no role, unless they are unknown.

        Raises:
            Unreachable: the platform cannot be asked now, or not without another login.
        """


Reported: TypeAlias = "Callable[[str, str], None]"
"""Is told of messages, by their channels, why the platform did not take them; "" where it has."""


class Platform(Adapter, Protocol):
    """A platform's adapter. It translates and decides nothing.

    Its rooms stay open in the bot while connections come and go, and it may be run again when it has ended.
    """

    @property
    def name(self) -> str:
        """What people call the platform; in lower case it is what accounts and channels have as theirs."""

    @property
    def manner(self) -> Manner:
        """What its chats can do, and how they are written to, before anything is known of one of them."""

    @property
    def connected(self) -> bool:
        """Whether lines come in and go out now."""

    async def run(self) -> None:
        """Connect and serve until cancelled or stopped.

        Raises:
            Failure: the operator must put something right; trying again would not help.
            Unreachable, ConnectionError, TimeoutError: it cannot be reached, which may pass soon.
            Declined: it refuses, and is not to be asked often.
        """

    async def stop(self) -> None:
        """Leave, within seconds and whatever the platform does."""

    async def send(self, delivery: Delivery) -> None:
        """Say something; returns when it was sent or given up."""


@runtime_checkable
class Budgeted(Protocol):
    """A platform that counts what several processes ask of it together, such as by one account.

    `share_of_budget` returns the part of that which this process may use, from 0 to 1.
    """

    share_of_budget: Callable[[], float]


class ShardedPlatform(Platform, Protocol):
    """A platform that is heard by shards, of which each of several processes connects some."""

    @property
    def is_sharded(self) -> bool:
        """Whether it is, as it is set up."""

    @property
    def hears_everything(self) -> bool:
        """Whether each process hears all channels, whichever shards it connects, and so runs always."""

    @property
    def fixed_shards(self) -> int | None:
        """How many shards the operator wants; None: as many as the platform recommends."""

    async def recommended_shards(self) -> int:
        """Return how many shards there should be.

        Raises:
            Failure: the operator must put something right.
            Unreachable: the platform does not say.
        """

    def share(self, starts: SessionStarts, count: Callable[[], int]) -> None:
        """Count what is begun together with other processes, which have agreed on so many shards."""

    def connect(self, shard: int, count: int) -> None:
        """Connect a shard, of so many, from now on or as soon as the platform is run."""

    async def disconnect(self, shard: int, count: int) -> None:
        """Leave a shard, while the others stay connected."""

    def is_hearing(self, shard: int) -> bool:
        """Whether a shard brings all of its events."""

    def hears(self, channel: str, community: str, shard: int) -> bool:
        """Whether the events of a channel, which is in a community by itself, come by a shard."""

    async def open(self, channel: str, community: str) -> object:
        """Open the room of a channel that is heard here, or hear one that is open already."""

    def lead(self, shard: int) -> None:
        """Do from now on what only one process may do that hears a shard, such as to answer interactions.

        Until then whoever had it before does so.
        """

    def follow(self, shard: int) -> None:
        """Leave that to the process that connects the shard next; what is not connected yet need not be."""


class KeptPlatform(ShardedPlatform, Protocol):
    """A sharded platform for which one process does what is done once for all of them."""

    @property
    def keeps(self) -> bool:
        """Whether this process does it now."""

    async def begin_keeping(self) -> None:
        """Do it from now on."""

    async def end_keeping(self) -> None:
        """Leave it to another process."""


class SessionStarts(Protocol):
    """Spaces out the sessions that are begun by everybody who uses the token of a bot, and counts them."""

    async def learn(self, limits: SessionLimits) -> None:
        """Take over what the platform says of its sessions, and how many shards it recommends."""

    async def wait(self, shard: int) -> float:
        """Return in how many seconds a session of a shard could be begun.

        Raises:
            SessionsExhausted: too many were begun today.
            ConnectionError: it is not known now.
        """

    async def reserve(self, shard: int, after: float) -> float:
        """Count a session, and return in how many seconds it begins; at least in `after`.

        Raises:
            SessionsExhausted: too many were begun today.
            ConnectionError: it is not known now.
        """


class ChannelDirectory(Protocol):
    """What a platform knows of its channels, for pages."""

    def community(self, channel: str) -> str | None:
        """Return the community of a channel by the platform alone; None: the channel is not known now."""

    def title(self, channel: str) -> str:
        """Return what people call a channel; its id where that is not known now."""
