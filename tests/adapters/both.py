"""One program at a Twitch and a Discord on loopback, with one clock that is turned by hand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cogs.discord.adapter import DiscordAdapter
from cogs.twitch.channels import LONGEST_GAP
from tests.adapters.discord.stage import Stage as DiscordStage
from tests.adapters.twitch.stage import Stage as TwitchStage
from tests.fakes.discord_server import TOKEN

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.table_protocol import Table
    from tests.fakes.discord_server import DiscordServer
    from tests.fakes.discord_world import User
    from tests.fakes.twitch_server import Twitch


class Both:
    """One program with both adapters, and one clock."""

    def __init__(
        self,
        server: DiscordServer,
        store: Store,
        folder: Path,
        fake: Twitch,
        run: str,
        games: Mapping[str, AnyKit] | None = None,
    ) -> None:
        self.discord = DiscordStage(server, store, run)
        self.twitch = TwitchStage(fake, store, folder, self.discord.watch, run, games)
        self.bot = self.discord.bot = self.twitch.bot
        self.discord.adapter = DiscordAdapter(self.bot, TOKEN, ready_after=0.02, endpoints=server.endpoints)
        self.store, self.fake = store, fake
        before = (
            fake.world.clock() + fake.world.pace
        )  # Twitch's limits go by our clock; a restart takes a moment
        fake.world.clock = lambda: before + self.discord.watch.now()
        self.twitch.connect_bot()
        self.twitch.connect_streamer()

    async def open(self, *, discord_first: bool = True) -> Both:
        for stage in (self.discord, self.twitch) if discord_first else (self.twitch, self.discord):
            await stage.open()
        return self

    async def close(self) -> None:
        await self.discord.close()
        await self.twitch.close()

    async def chat(self, user: str, text: str, *badges: str) -> list[str]:
        """Let somebody speak on Twitch; give what the bot then says there."""
        said = len(self.fake.sent("ada"))
        await self.twitch.heard(await self.fake.chat(user, "ada", text, badges))
        await self.discord.turn(LONGEST_GAP)
        return self.fake.sent("ada")[said:]

    async def code(self, user: User, command: str) -> str:
        """Ask for a code by a slash command, and read the answer that only its asker sees."""
        await self.discord.people.slash(user, self.discord.town, command)
        told = await self.discord.told(user, f"Type !{command} ")
        return str(re.findall(r"[A-Z2-9]{10}", told["content"])[0])

    async def bridge(self) -> None:
        code = await self.code(self.discord.world.owner, "bridge")
        await self.chat("ada", f"!bridge {code}", "broadcaster")
        await self.discord.shown("This room is now on Discord and Twitch")

    async def play_out(self) -> None:
        await self.discord.until(lambda: "heist" in self.discord.room.tables)
        while not self.table.over:
            await self.discord.turn(self.table.clock.seconds if self.table.clock else 0)

    @property
    def table(self) -> Table:
        return self.discord.room.tables["heist"]

    async def credits(self, seat: str) -> int:
        return await self.bot.balances.purse(self.discord.room, seat)  # type: ignore[arg-type]
