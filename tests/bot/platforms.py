"""A house on two platforms: a Discord channel, which can tell people something alone, and a Twitch chat."""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING

from chatbot.bot.bot import Bot
from chatbot.kernel.game import Role, Seat
from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Posting
from chatbot.ledger.people import Account
from chatbot.rooms.channel import Channel, Manner, Privacy
from chatbot.rooms.line import Line
from chatbot.rooms.room import Room
from chatbot.runtime.clock import HandWatch
from tests.bot.sources import sources_of
from tests.bot.stage import Notebook, english
from tests.contests import contest_kits

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

DISCORD, TWITCH, LOCAL = "discord:1", "twitch:7", "local:1"
COMMUNITIES = {DISCORD: "guild", TWITCH: "channel", LOCAL: "page"}
MANNERS = {
    DISCORD: Manner(),
    TWITCH: Manner(private=Privacy.SECRETS),
    LOCAL: Manner(vouches=False),
}
START = 240  # credits of a new member


class Platforms:
    """People are called by platform and name, such as `twitch:ann`, with a role in brackets if any."""

    def __init__(self, store: Store, run: str = "a") -> None:
        self.store, self.watch, self.adapter = store, HandWatch(), Notebook()
        sources = sources_of(run)
        self.bot = Bot(contest_kits(), store, english(), self.watch, sources)
        self._run, self._ids = run, count(1)

    async def open(self, *channels: str) -> Platforms:
        for channel in channels or (DISCORD, TWITCH):
            await self.bot.open(self.own_room(channel))
        await self.watch.turn()
        return self

    def own_room(self, channel: str, community: str = "") -> Room:
        """Make the room that a channel has by itself, as an adapter does."""
        manner = MANNERS.get(channel, MANNERS[DISCORD])
        own = Channel(channel, channel.partition(":")[0], self.adapter, manner)
        return Room(channel, community or COMMUNITIES[channel], (own,))

    async def say(self, who: str, text: str, channel: str = "", *, line: str = "") -> list[str]:
        """Let somebody speak where they are; give what the bot says to it, with where and to whom."""
        heard = len(self.adapter.deliveries)
        await self.bot.converse(self.line(who, text, channel, line))
        await self.watch.turn()
        return self.said(heard)

    def line(self, who: str, text: str, channel: str = "", line: str = "") -> Line:
        name, _, role = who.partition("(")
        platform, _, shown = name.partition(":")
        where = channel or next(each for each in COMMUNITIES if each.startswith(platform))
        level = Role(role.rstrip(")")) if role else Role.VIEWER
        line_id = line or f"{self._run}:{next(self._ids)}"
        return Line(line_id, where, Account(platform, shown), f"{shown}-{platform[0]}", level, text)

    async def turn(self, seconds: float) -> list[str]:
        heard = len(self.adapter.deliveries)
        await self.watch.turn(seconds)
        return self.said(heard)

    def said(self, since: int = 0) -> list[str]:
        told = [
            each
            for each in self.adapter.deliveries[since:]
            if each.says[0].event not in {"ChainMade", "TableBound", "SeedTold"}
        ]
        kept = [each for each in told if each.says[0].event != "hint-first-game"]
        return [f"{each.channel}{f' > {each.to}' if each.to else ''}: {each.text}" for each in kept]

    def room(self, channel: str) -> Room:
        return self.bot.rooms.at(channel)

    async def credits(self, who: str, community: str = "") -> int:
        """Tell what somebody's wallet holds, or that which stands for it."""
        platform = who.partition(":")[0]
        where = community or next(own for channel, own in COMMUNITIES.items() if channel.startswith(platform))
        wallet = purses.wallet(where, self.seat(who))
        return (await self.bot.ledger.balances([wallet]))[wallet]

    async def endow(self, who: str, amount: int, channel: str = "") -> None:
        """Bring somebody's credits to an amount, by a transfer from or to the mint."""
        await self.say(who, "hello", channel)
        platform = who.partition(":")[0]
        where = channel or next(each for each in COMMUNITIES if each.startswith(platform))
        community = self.room(where).community
        wallet, mint = purses.wallet(community, self.seat(who)), purses.mint(community)
        change = amount - (await self.bot.ledger.balances([wallet]))[wallet]
        source, target = (mint, wallet) if change > 0 else (wallet, mint)
        entries = (Entry(source, target, abs(change), "test"),) if change else ()
        posting = Posting(
            f"endow:{self._run}:{next(self._ids)}", community, self.watch.date(), entries=entries
        )
        await self.bot.ledger.post(posting)

    def seat(self, who: str) -> Seat:
        """Give the person to whom an account leads now."""
        account = Account.read(who)
        return self.bot.people.home(account) if self.bot.people.met(account) else Seat(who)

    async def code(self, who: str, command: str = "!link") -> str:
        """Ask for a code, and give it."""
        (told,) = await self.say(who, command)
        found = re.search(r"[A-Z2-9]{10}", told)
        assert found is not None, told
        return found[0]

    async def link(self, other: str, root: str) -> list[str]:
        """Let one person prove both seats theirs."""
        await self.say(other, f"!link {await self.code(root)}")
        return await self.say(other, "!link yes")

    async def bridge(self) -> list[str]:
        """Let the owners of both join the Twitch chat to the Discord channel."""
        code = await self.code("discord:owner(broadcaster)", "!bridge")
        return await self.say("twitch:owner(broadcaster)", f"!bridge {code}")

    async def sound(self) -> bool:
        return await breaches(self.store) == []


async def on_one_server(store: Store, run: str = "a") -> Platforms:
    """Let both platforms' chats use one community's wallets, as bridged ones do."""
    both = Platforms(store, run)
    for channel in (DISCORD, TWITCH):
        await both.bot.open(both.own_room(channel, "guild"))
    await both.watch.turn()
    return both
