"""What the program knows of a platform's adapter, whichever it is: everything else is the adapter's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from chatbot.kernel.game import Role
from chatbot.rooms.channel import Adapter

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from chatbot.ledger.people import Account
    from chatbot.rooms.channel import Delivery, Manner


@dataclass(frozen=True, slots=True)
class RoleAnswer:
    """The roles of an account by communities, and the key by which it can be asked for again, if any."""

    roles: Mapping[str, Role]
    key: bytes | None = None


class RoleSource(Protocol):
    """A platform, as it is asked who somebody is."""

    async def roles(self, account: Account, communities: Collection[str], key: bytes | None) -> RoleAnswer:
        """Return the present roles of an account.

        `communities` are those of which a role was known before, and `key` is that of a login. Of communities
        that are not in the answer the account has no role.

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


class ChannelDirectory(Protocol):
    """What a platform knows of its channels, for pages."""

    def community(self, channel: str) -> str | None:
        """Return the community of a channel by the platform alone; None: the channel is not known now."""

    def title(self, channel: str) -> str:
        """Return what people call a channel; its id where that is not known now."""
