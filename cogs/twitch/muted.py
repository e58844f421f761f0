"""The chats in which Twitch does not let the bot do something, remembered in files beside the keys.

Where the bot may not speak, or is told nothing, no stake is taken: nobody would read what became of it.
`chatbot doctor` tells of all of them.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from chatbot.keys.barred_chats import BarredChats

if TYPE_CHECKING:
    from pathlib import Path

    from cogs.twitch.channels import Chat

PREDICTIONS, ANNOUNCEMENTS = "predictions", "announcements"
"""What Twitch may refuse besides speaking and hearing."""


class RefusedChats(BarredChats):
    """The chats where Twitch refuses something, by the id of the broadcaster."""

    def __init__(self, keys: Path, what: str) -> None:
        """`keys` is the file of keys, and `what` names what the bot cannot do."""
        super().__init__(keys.with_name(f"{keys.stem}-{what}.json"))

    async def record(self, chat: Chat, reason: str) -> None:
        """Remember why Twitch refuses it in a chat; "" where it does not."""
        await asyncio.to_thread(self.note, chat.broadcaster, chat.login, reason)


class MutedChats(RefusedChats):
    """The chats where the bot may not speak."""

    def __init__(self, keys: Path) -> None:
        super().__init__(keys, "muted")


class UnheardChats(RefusedChats):
    """The chats of which Twitch refuses to tell the bot."""

    def __init__(self, keys: Path) -> None:
        super().__init__(keys, "unheard")
