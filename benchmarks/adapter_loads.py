"""Crowds on each platform, and what is wanted of the bot then: newcomers, fresh servers, floods and raids.

Everything runs with the settings that the program ships, and where a row is about messages, with the limits
that the platforms keep. The bare bot of the library answers the same commands where a row compares with it.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.adapter_crowds import CHANNELS, EVERYWHERE, GUILDS, Crowd, Member
from benchmarks.adapter_platforms import FakeDiscord, FakeTwitch
from benchmarks.adapter_processes import Process
from benchmarks.rows import Measure

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from benchmarks.rows import Row

CREDITS, SLASH, JOIN = "!credits", "/credits", "!heist 20"
AT_MOST, AT_LEAST = "wanted, at most", "wanted, at least"
KNOWN, NEW, RAID, RAID_SECONDS = 500, 500, 5000, 5.0
FLOOD, FLOOD_SECONDS = 1000, 1.0
TEN_A_SECOND, BUSY_SECONDS = 10.0, 15.0
SETTLING = 20.0  # seconds in which a raid must be in
SOCKETS, CONDUIT = 310, 500  # channels
CONNECTED_SECONDS = 1.0  # in which all channels ask, from the moment on at which the bot is connected
START_TIMEOUT = 300.0  # seconds
LOBBY_CHANNELS = 1, 2, 3  # where raids come to: a heist stands in each only once
FLOODED = 4  # a chat of Twitch where the bot is a moderator


@dataclass(frozen=True, slots=True)
class Bound:
    """A figure that must not be more, or not be less, than its bound."""

    what: str
    bound: float
    least: bool = False

    @property
    def measure(self) -> Measure:
        return Measure(self.what, AT_LEAST if self.least else AT_MOST)

    def row(self, value: float) -> Row:
        return self.measure.row(value, self.bound)


SLASH_RATIO = Bound(
    f"`{SLASH}` on Discord: median time to the answer, times that of a bare bot that reads SQLite", 2.0
)
NEWCOMER = Bound(f"`{CREDITS}` of a newcomer on Discord: ms of processor time each", 2.0)
KNOWN_MEMBER = Bound(f"`{CREDITS}` of a known member on Discord: ms of processor time each", 0.8)
KNOWN_JOINS = Bound(f"`{JOIN}` of a known member on Discord: ms of processor time each", 0.8)
NEW_JOINS = Bound(f"`{JOIN}` of a newcomer on Discord: ms of processor time each", 2.0)
GUILDS_ANSWERED = Bound(
    f"Discord: of {GUILDS} fresh servers, first commands that are answered", GUILDS, least=True
)
GUILDS_SECONDS = Bound("Discord: s until the last of them is answered", 3.0)
SLASH_GUILDS_ANSWERED = Bound(
    f"Discord: of {GUILDS} other fresh servers, first slash commands that are answered, within all limits",
    GUILDS,
    least=True,
)
SLASH_GUILDS_SECONDS = Bound("Discord: s until the last of these is answered", 3.0)
FLOOD_ANSWERED = Bound(f"Discord: of {FLOOD:,} `{CREDITS}` at once in a channel, answered", FLOOD, least=True)
FLOOD_LAST = Bound("Discord: s until the last of them is answered, 5 messages in 5 s", 30.0)
FLOOD_SLASH = Bound(
    f"Discord: of {FLOOD:,} `{SLASH}` at once, answered by a message of their own", FLOOD, least=True
)
DISCORD_RAID = Bound(f"Discord: of {RAID:,} newcomers who join in {RAID_SECONDS:g} s, in", RAID, least=True)
DISCORD_RAID_LAST = Bound("Discord: s after the last line until the last of them is in", 3.0)
DISCORD_RAID_POSTS = Bound("Discord: public messages about them", 12)
DISCORD_MEMORY = Bound("Discord: resident memory after all of it, MB", 250)
TWITCH_QUIET = Bound(f"`{CREDITS}` on Twitch, in quiet chats: median ms more than the bare bot", 30.0)
TWITCH_BUSY = Bound(
    f"`{CREDITS}` on Twitch, ten lines/s in a chat, the bot no moderator: ms to the answer, 99 of 100", 2200
)
TWITCH_MODERATED = Bound(
    f"`{CREDITS}` on Twitch, ten lines/s in a chat, the bot a moderator: ms to the answer, 99 of 100", 2200
)
TWITCH_NEWCOMER = Bound(f"`{CREDITS}` of a newcomer on Twitch: ms of processor time each", 2.0)
TWITCH_KNOWN_MEMBER = Bound(f"`{CREDITS}` of a known member on Twitch: ms of processor time each", 0.8)
TWITCH_KNOWN_JOINS = Bound(f"`{JOIN}` of a known member on Twitch: ms of processor time each", 0.8)
TWITCH_NEW_JOINS = Bound(f"`{JOIN}` of a newcomer on Twitch: ms of processor time each", 2.0)
TWITCH_FLOOD = Bound(
    f"Twitch: of {FLOOD:,} `{CREDITS}` at once in a chat, the bot a moderator, answered", FLOOD, least=True
)
TWITCH_FLOOD_LAST = Bound("Twitch: s until the last of them is answered, 100 messages in 30 s", 30.0)
TWITCH_FLOOD_PLAIN = Bound(
    f"Twitch: of {FLOOD:,} `{CREDITS}` at once in a chat, the bot no moderator, answered", FLOOD, least=True
)
# 1,000 rows such as `Member1234 240, ` are 34 messages; of 19 in 30 s, two are kept for tables.
TWITCH_FLOOD_PLAIN_LAST = Bound("Twitch: s until the last of these is answered, 20 messages in 30 s", 75.0)
TWITCH_RAID = Bound(f"Twitch: of {RAID:,} newcomers who join in {RAID_SECONDS:g} s, in", RAID, least=True)
TWITCH_RAID_LAST = Bound("Twitch: s after the last line until the last of them is in", 3.0)
TWITCH_RAID_POSTS = Bound("Twitch: public messages about them", 12)
TWITCH_RAID_CPU = Bound("Twitch: ms of processor time for each of them", 2.0)
TWITCH_MEMORY = Bound("Twitch: resident memory after all of it, MB", 250)
SOCKETS_ANSWERED = Bound(f"Twitch: of {SOCKETS} chats by sockets, answered", SOCKETS, least=True)
SOCKETS_LAST = Bound("Twitch: s to the last of these answers, from “connected” on", 2.0)
CONDUIT_ANSWERED = Bound(f"Twitch: of {CONDUIT} chats by a conduit, answered", CONDUIT, least=True)
CONDUIT_LAST = Bound(
    "Twitch: s to the last answer, from “connected” on, while others are being subscribed to", 2.0
)
SOCKETS_MEMORY = Bound("Twitch: resident memory with 310 chats by sockets, MB", 250)
CONDUIT_MEMORY = Bound("Twitch: resident memory with 500 chats by a conduit, MB", 250)


def holds(row: Row) -> bool:
    """Whether a figure is within its bound; one that has none always is."""
    match row.measure.beside:
        case "wanted, at most":
            return row.ours <= row.theirs
        case "wanted, at least":
            return row.ours >= row.theirs
    return True


class Names:
    """Members who were never seen before, each once."""

    def __init__(self) -> None:
        self._next = 1000

    def take(self, count: int, channel: int = 0) -> list[Member]:
        """Return so many newcomers who write in one channel."""
        first, self._next = self._next, self._next + count
        return [Member(f"member{number:04}", channel) for number in range(first, self._next)]


async def on_discord(crowd: Crowd[FakeDiscord], process: Process, share: float) -> AsyncIterator[Row]:
    """Measure on Discord; `share` is how much of each crowd comes."""
    names = Names()
    await process.tell("shipped")
    yield KNOWN_MEMBER.row(await _cost_of_answers(crowd, process, crowd.members, CREDITS))
    newcomers = [member for channel in EVERYWHERE for member in names.take(_part(NEW // 10, share), channel)]
    yield NEWCOMER.row(await _cost_of_answers(crowd, process, newcomers, CREDITS))
    first, second, third = LOBBY_CHANNELS
    veterans = [Member(member.name, first) for member in crowd.members[: _part(KNOWN, share)]]
    yield KNOWN_JOINS.row((await _raid(crowd, process, veterans, 0.5)).cost)
    yield NEW_JOINS.row((await _raid(crowd, process, names.take(_part(NEW, share), second), 0.5)).cost)
    crowd.platform.keep_limits(on=True)
    newcomers = names.take(_part(RAID, share), third)
    raid = await _raid(crowd, process, newcomers, RAID_SECONDS * share)
    yield DISCORD_RAID.row(_whole(raid.inside, RAID, share))
    yield DISCORD_RAID_LAST.row(raid.seconds)
    yield DISCORD_RAID_POSTS.row(raid.posts)
    crowd.platform.keep_limits(on=False)
    guilds = [names.take(1, len(CHANNELS) + number)[0] for number in range(_part(GUILDS, share))]
    waits = await crowd.ask_at_once(guilds, CREDITS, 0.3)
    yield GUILDS_ANSWERED.row(_whole(_answered(waits), GUILDS, share))
    yield GUILDS_SECONDS.row(_last(waits))
    crowd.platform.keep_limits(on=True)  # 50 requests a second: interactions are not counted among them
    guilds = [names.take(1, len(CHANNELS) + GUILDS + number)[0] for number in range(_part(GUILDS, share))]
    waits = await crowd.ask_at_once(guilds, SLASH, 0.3)
    yield SLASH_GUILDS_ANSWERED.row(_whole(_answered(waits), GUILDS, share))
    yield SLASH_GUILDS_SECONDS.row(_last(waits))
    many = [Member(member.name, 0) for member in crowd.members[: _part(FLOOD, share)]]
    waits = await crowd.ask_at_once(many, CREDITS, FLOOD_SECONDS)
    yield FLOOD_ANSWERED.row(_whole(_answered(waits), FLOOD, share))
    yield FLOOD_LAST.row(_last(waits))
    waits = await crowd.ask_at_once(many, SLASH, FLOOD_SECONDS)
    yield FLOOD_SLASH.row(_whole(sum(each < INTERACTION for each in waits), FLOOD, share))
    crowd.platform.keep_limits(on=False)
    yield DISCORD_MEMORY.row(await process.tell("memory"))


INTERACTION = 900.0  # seconds for which Discord takes the answer to an interaction


async def on_twitch(crowd: Crowd[FakeTwitch], process: Process, share: float) -> AsyncIterator[Row]:
    """Measure on Twitch; the bot is a moderator in all chats but the last."""
    names, last = Names(), len(CHANNELS) - 1
    await process.tell("shipped")
    for bound, channel in ((TWITCH_MODERATED, 0), (TWITCH_BUSY, last)):
        members = [Member(member.name, channel) for member in crowd.members if member.channel == channel]
        asking = members * 2
        seconds = BUSY_SECONDS * share
        waits = await crowd.ask_at_once(asking[: round(TEN_A_SECOND * seconds)], CREDITS, seconds)
        yield bound.row(1000 * sorted(waits)[len(waits) * 99 // 100])
    newcomers = [member for channel in EVERYWHERE for member in names.take(_part(NEW // 10, share), channel)]
    yield TWITCH_NEWCOMER.row(await _cost_of_answers(crowd, process, newcomers, CREDITS))
    first, second, _ = LOBBY_CHANNELS
    joiners = names.take(_part(NEW, share), first)
    yield TWITCH_NEW_JOINS.row((await _raid(crowd, process, joiners, 0.5)).cost)
    many = names.take(_part(FLOOD, share), FLOODED)
    waits = await crowd.ask_at_once(many, CREDITS, FLOOD_SECONDS)
    yield TWITCH_FLOOD.row(_whole(_answered(waits), FLOOD, share))
    yield TWITCH_FLOOD_LAST.row(_last(waits))
    yield TWITCH_KNOWN_JOINS.row((await _raid(crowd, process, many[: _part(KNOWN, share)], 0.5)).cost)
    plain = names.take(_part(FLOOD, share), last)
    waits = await crowd.ask_at_once(plain, CREDITS, FLOOD_SECONDS, TWITCH_FLOOD_PLAIN_LAST.bound)
    yield TWITCH_FLOOD_PLAIN.row(_whole(_answered(waits), FLOOD, share))
    yield TWITCH_FLOOD_PLAIN_LAST.row(_last(waits))
    yield TWITCH_KNOWN_MEMBER.row(await _cost_of_answers(crowd, process, crowd.members, CREDITS))
    newcomers = names.take(_part(RAID, share), second)
    raid = await _raid(crowd, process, newcomers, RAID_SECONDS * share)
    yield TWITCH_RAID.row(_whole(raid.inside, RAID, share))
    yield TWITCH_RAID_LAST.row(raid.seconds)
    yield TWITCH_RAID_POSTS.row(raid.posts)
    yield TWITCH_RAID_CPU.row(raid.cost)
    yield TWITCH_MEMORY.row(await process.tell("memory"))
    await process.tell("alone")
    for kind, count, answers, seconds_of, memory in (
        ("sockets", SOCKETS, SOCKETS_ANSWERED, SOCKETS_LAST, SOCKETS_MEMORY),
        ("conduit", CONDUIT, CONDUIT_ANSWERED, CONDUIT_LAST, CONDUIT_MEMORY),
    ):
        chats = await _many_chats(kind, _part(count, share), CONNECTED_SECONDS)
        yield answers.row(_whole(_answered(chats.ends), count, share))
        yield seconds_of.row(_last(chats.ends))
        yield memory.row(chats.memory)


@dataclass(frozen=True, slots=True)
class _Raid:
    """The result of a raid: `cost` in ms of processor time for each who joined, `seconds` after the last.

    The cost is that of all that follows from it: the opening, all answers and all edits of the board.
    """

    inside: float
    seconds: float
    posts: int
    cost: float


async def _raid(
    crowd: Crowd[FakeDiscord] | Crowd[FakeTwitch], process: Process, members: Sequence[Member], within: float
) -> _Raid:
    """Let members join a heist of one channel, evenly in `within` seconds."""
    channel, inside = members[0].channel, await process.tell("inside")
    posts, before = crowd.platform.posts[channel], await process.tell("cpu")
    began = time.perf_counter()
    for number, member in enumerate(members):
        await asyncio.sleep(began + within * number / len(members) - time.perf_counter())
        await crowd.platform.speak(member, JOIN)
    end, joiners = time.perf_counter(), 0.0
    while joiners < len(members) and time.perf_counter() < end + SETTLING:
        await asyncio.sleep(0.02)
        joiners = await process.tell("inside") - inside
    seconds = time.perf_counter() - end
    await asyncio.sleep(2.5)  # what is said about it comes with the next edit, or the next message
    cost = 1000 * (await process.tell("cpu") - before) / len(members)
    crowd.platform.forget()
    return _Raid(joiners, seconds, crowd.platform.posts[channel] - posts, cost)


async def _cost_of_answers(
    crowd: Crowd[FakeDiscord] | Crowd[FakeTwitch], process: Process, members: Sequence[Member], text: str
) -> float:
    """Return the ms of processor time of the bot for each command, of many at a time."""
    before = await process.tell("cpu")
    waits = await crowd.ask_in_turn(members, text)
    assert _answered(waits) == len(members)
    return 1000 * (await process.tell("cpu") - before) / len(members)


@dataclass(frozen=True, slots=True)
class _Many:
    """Seconds to the answer in each chat, from the moment on at which the bot is connected; infinite: none.

    `memory` is resident, in MB.
    """

    ends: list[float]
    memory: float


async def _many_chats(kind: str, count: int, within: float) -> _Many:
    """Ask once in each of many chats, evenly in `within` seconds, as soon as the bot is connected."""
    channels = [f"chat{number}" for number in range(count)]
    crowd = Crowd(lambda answered: FakeTwitch(answered, channels, limited=True))
    process = Process("benchmarks.adapter_twitch", START_TIMEOUT)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        address = await crowd.platform.open(Path(folder))
        try:
            async with process.running(kind, address, folder, "--channels", str(count)):
                await process.tell("shipped")
                members = [Member(f"member{number:04}", number) for number in range(count)]
                waits = await crowd.ask_at_once(members, CREDITS, within)
                ends = [within * number / count + each for number, each in enumerate(waits)]
                return _Many(ends, await process.tell("memory"))
        finally:
            await crowd.platform.stop()


def _answered(waits: Sequence[float]) -> int:
    return sum(each != float("inf") for each in waits)


def _last(waits: Sequence[float]) -> float:
    return max((each for each in waits if each != float("inf")), default=float("nan"))


def _part(count: int, share: float) -> int:
    return max(round(count * share), 1)


def _whole(found: float, count: int, share: float) -> float:
    """Scale what was found in a part of a crowd, so that it can be compared with a bound for all of it."""
    return found if share == 1.0 else count * found / _part(count, share)
