"""What the bot asks of other processes, where several share a database.

A room that another process runs is `elsewhere`. What is heard for it here is passed to that process, in
order, and the answers come back to whoever waits for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.bot.pending_line import PendingLine
    from chatbot.ledger.people import Account
    from chatbot.rooms.line import Line, Occasion
    from chatbot.rooms.registry import Whereabouts
    from chatbot.rooms.room import Room


class Elsewhere(Protocol):
    """The other processes of a cluster."""

    def is_here(self, community: str) -> bool:
        """Whether this process is to run the rooms of a community."""

    async def whereabouts(self, account: Account, own: Whereabouts | None) -> str | None:
        """Return the channel in which a member plays, or else spoke last, in the rooms of all processes.

        `own` is the one of those that this process knows.
        """

    async def carry(self, room: Room, lines: Sequence[PendingLine]) -> None:
        """Pass lines to the process that runs a room, in order; each is answered, or refused, later."""

    async def carry_occasion(self, room: Room, occasion: Occasion) -> None:
        """Pass an event of a channel to the process that runs its room."""

    async def carry_presence(self, room: Room, channel: str, people: Mapping[Account, str]) -> None:
        """Pass who is in a channel to the process that runs its room."""

    async def carry_echo(self, room: Room, channel: str, text: str, *, moderator: bool) -> None:
        """Pass on that a line of the bot was shown, and whether it is a moderator, to who runs its room."""

    async def carry_redemption(self, room: Room, line: Line) -> None:
        """Pass a line whose stake a platform was paid for to the process that runs a room.

        Raises:
            OSError: it cannot be passed now; the platform brings it again.
        """

    async def carry_withdrawal(self, room: Room, voucher: str, channel: str) -> None:
        """Pass that a platform has given a stake back to the process that runs a room.

        Raises:
            OSError: it cannot be passed now.
        """
