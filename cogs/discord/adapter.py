"""The adapter of Discord: what happens there becomes lines for the bot, whose answers go there."""

from __future__ import annotations

import asyncio
import math
from collections import defaultdict
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import aiohttp
import discord
import structlog

from chatbot.kernel.game import Failure, highest
from chatbot.keys.asking import Declined, Unreachable
from chatbot.rooms.channel import Channel, Manner
from chatbot.rooms.room import Room
from chatbot.settings.room import HABITS, THREADS
from chatbot.speech import safe
from cogs.discord.client import DiscordClient
from cogs.discord.endpoints import OWN, DiscordEndpoints
from cogs.discord.errors import PASSING, Complaints, Requests, is_unreachable, worded
from cogs.discord.held_shards import HeldShards
from cogs.discord.library_log import silence_library
from cogs.discord.lines import PLATFORM, PREFIX, community_of, number_of, roles_of_member
from cogs.discord.session_starts import OwnSessionStarts, ask_limits
from cogs.discord.standing_rooms import StandingRooms
from cogs.discord.threads import NO_THREADS_HERE, ThreadRights, lacking
from cogs.discord.token import TokenRefused
from cogs.platform import RoleAnswer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from chatbot.bot.bot import Bot
    from chatbot.kernel.game import Role
    from chatbot.kernel.say import Message
    from chatbot.keys.barred_chats import BarredChats
    from chatbot.ledger.changes import Change
    from chatbot.ledger.people import Account
    from chatbot.rooms.channel import Delivery
    from chatbot.tables.events.feeds import News
    from cogs.platform import Reported, SessionStarts

PORTAL = "https://discord.com/developers/applications"
UNREAD = (
    "Discord does not let this bot read messages: switch on “Message Content Intent” of its “Bot” page at "
    f"{PORTAL} and start again; until then slash commands, buttons and messages that mention the bot work"
)
REFUSED = 4004  # the gateway's code for a token that is not valid
LEAVING = 1.0  # seconds for each half of saying goodbye, of the five that a stop takes at most
# Seconds for which a line for all waits for the connection: later nobody remembers what it is about.
HELD = 600.0
READY = 2.0  # seconds of silence after which no further server is waited for
EXHAUSTED = (
    "nearly all sessions were begun that Discord allows in a day, and it would reset the token of a bot that "
    "begins more, so shard {shard} waits for {hours} h {minutes} min; something makes it connect too often"
)

# Discord takes five messages in five seconds in a channel. Merged lines stay below its 2,000 characters, as
# what is put around them, such as names, takes some too.
MANNER = Manner(length=2000, merged=1800, budget=5, window=5.0, dress=safe.discord)

log = structlog.get_logger(__name__)


class DiscordAdapter:
    """Rooms stay open in the bot while connections come and go."""

    name = "Discord"

    def __init__(
        self,
        bot: Bot,
        token: str,
        manner: Manner = MANNER,
        ready_after: float = READY,
        tell: Callable[[str], None] = lambda _: None,
        endpoints: DiscordEndpoints = OWN,
        barred: BarredChats | None = None,
        threadless: BarredChats | None = None,
        reported: Reported = lambda *_: None,
        shards: int | None = None,
    ) -> None:
        """Tell the operator by `tell` when it is there; `reported` is told what becomes of messages.

        `barred` remembers where it may not speak, and `threadless` where it may begin no threads. `shards` is
        how many there are; None: as many as Discord recommends.
        """
        self.bot, self._token, self._manner = bot, token, manner
        self._ready_after, self._tell, self._endpoints = ready_after, tell, endpoints
        self._requests, self._complaints = Requests(), Complaints(reported)
        self._barred, self._threadless = barred, threadless
        self._thread_rights = ThreadRights(self._note_threads)
        self._client: DiscordClient | None = None  # while there is a connection
        self.shards = HeldShards(shards)
        self._starts: SessionStarts = OwnSessionStarts()
        self._standing = StandingRooms(self, self._complaints)
        self._exhausted: set[int] = set()  # shards of which it was told that no session may be begun
        self._connected = asyncio.Event()
        self._opening: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._failed: dict[str, float] = {}  # when a room could not be opened
        self._channels: set[str] = set()  # whose rooms are open
        bot.parts.settings_changes.listeners.append(self._heed_changes)

    @property
    def manner(self) -> Manner:
        return self._manner

    @property
    def connected(self) -> bool:
        return self.shards.are_ready(self._client)

    @property
    def client(self) -> DiscordClient | None:
        """Give the client of the present connection."""
        return self._client

    async def run(self) -> None:
        """Serve until cancelled.

        Raises:
            Failure: the token is not valid, or there are too many commands.
            ConnectionError: Discord cannot be reached now.
            Declined: it refuses, or has closed the session, and must not be asked often.
        """
        silence_library()
        try:
            await self._serve(reads=True)
        except discord.PrivilegedIntentsRequired:
            log.warning(UNREAD)
            await self._serve(reads=False)

    async def stop(self) -> None:
        """Leave; what is being sent gets a moment."""
        await self._requests.stop(LEAVING)
        if self._client is not None:
            await self._leave(self._client)

    # Shards, of which other processes have some

    is_sharded = True
    hears_everything = False

    @property
    def fixed_shards(self) -> int | None:
        return self.shards.fixed

    def hears(self, channel: str, community: str, shard: int) -> bool:
        self.shards.note_channel(channel, community)
        return self.shards.shard_of(channel) == shard

    async def recommended_shards(self) -> int:
        """Return how many shards there should be: as many as the operator says, or else Discord.

        Raises:
            Failure: the token is not valid.
            Unreachable: Discord does not say.
        """
        if self.shards.fixed is not None:
            return self.shards.fixed
        async with aiohttp.ClientSession() as session:
            try:
                return (await ask_limits(self._token, session, self._endpoints)).shards
            except TokenRefused:
                raise self._refusal() from None

    def share(self, starts: SessionStarts, count: Callable[[], int]) -> None:  # noqa: ARG002  (it is told)
        """Count sessions together with other processes that use the same token."""
        self._starts = starts

    def connect(self, shard: int, count: int) -> None:
        """Connect a shard, of so many, from now on or when it is run."""
        self.shards.left.discard(shard)
        self._hold((self.shards.held or frozenset()) | {shard}, count)

    async def disconnect(self, shard: int, count: int) -> None:
        """Leave a shard, while the others stay connected."""
        self._leave_boards(shard)
        self._hold((self.shards.held or frozenset()) - {shard}, count)

    def _hold(self, shards: frozenset[int], count: int) -> None:
        client = self._client
        is_resized = client is not None and client.shard_count not in {None, count}
        self.shards.hold(shards, count)
        if client is not None and not is_resized:  # else it is closed, and another one is made
            client.hold(shards)

    def is_hearing(self, shard: int) -> bool:
        """Whether everything that happens in the servers of a shard is heard."""
        return self._client is not None and shard in self._client.held and self._client.is_hearing(shard)

    def lead(self, shard: int) -> None:
        """Answer interactions and draw boards in the servers of a shard from now on."""
        self.shards.led.add(shard)
        self.shards.left.discard(shard)
        if self._client is not None:
            for room in [self.bot.rooms.at(each) for each in self._channels_of(shard)]:
                self._client.tables.take_up(room)

    def follow(self, shard: int) -> None:
        """Leave that to another process, which connects the shard next."""
        self.shards.led.discard(shard)
        self.shards.left.add(shard)
        self._leave_boards(shard)

    def _leave_boards(self, shard: int) -> None:
        if self._client is not None:
            self._client.tables.leave(self._channels_of(shard))

    def _channels_of(self, shard: int) -> list[str]:
        return [each for each in self._channels if self.shards.shard_of(each) == shard]

    def note_exhausted(self, shard: int, seconds: float) -> None:
        """Tell the operator that a shard cannot be connected for a while."""
        if shard not in self._exhausted:
            self._exhausted.add(shard)
            hours, minutes = divmod(math.ceil(seconds / 60), 60)
            sentence = EXHAUSTED.format(shard=shard, hours=hours, minutes=minutes)
            log.error(sentence)
            self._tell(f"Discord: {sentence}")

    async def send(self, delivery: Delivery) -> None:
        """Say something, and return when it was sent or given up.

        While there is no connection, what is for all waits `HELD` seconds, and what is for one is given up.
        """
        await self._requests.run(self._bring(delivery))

    async def open(self, channel: str, community: str, since: float | None = None) -> bool:
        """Open the room of a channel, once; False: it cannot be opened now.

        `since` is when it was first needed, by the clock of the loop; None: now.
        """
        loop = asyncio.get_running_loop()
        since = loop.time() if since is None else since
        # A channel's first lines come at once, and `Bot.open` is to be called for one of them.
        async with self._opening[channel]:
            if self._failed.get(channel, -math.inf) >= since:
                return False  # while this one waited: each trying again would make the next wait longer
            self.shards.note_channel(channel, community)
            if not self.bot.has(channel):
                room = Room(channel, community, (Channel(channel, PLATFORM, self, self._manner),))
                try:
                    room = await self.bot.open(room)
                except Exception as error:  # noqa: BLE001  (whatever it is, the next line tries again)
                    self._complaints.tell(channel, "a room could not be opened", error)
                    self._failed[channel] = loop.time()
                    return False
                self._channels.add(channel)
                self.bot.events.attend(channel, partial(self._heed, channel))
                self._failed.pop(channel, None)
                if self._client is not None and self._connected.is_set():
                    self._client.tables.take_up(room)
                    self.look_at_threads([channel])
        return True

    def community(self, channel: str) -> str | None:
        guild = self._guild(channel)
        return None if guild is None else community_of(guild.id)

    def title(self, channel: str) -> str:
        guild = self._guild(channel)
        place = None if self._client is None else self._client.get_channel(number_of(channel))
        if guild is None or not isinstance(place, discord.abc.GuildChannel | discord.Thread):
            return channel
        return f"#{place.name} ({guild.name})"

    async def roles(
        self,
        account: Account,
        communities: Collection[str],
        key: bytes | None,  # noqa: ARG002  (Discord tells the bot without one)
    ) -> RoleAnswer:
        """Return the present roles of an account in servers, given by their communities.

        Raises:
            Unreachable: Discord cannot be asked now.
        """
        client = self._client
        unknown = frozenset(each for each in communities if not self.shards.is_held(each))
        if unknown >= {*communities}:
            return RoleAnswer({}, unknown=unknown)
        if client is None or not self.connected:
            raise Unreachable("Discord is not connected")
        guilds = [each for each in client.guilds if community_of(each.id) in communities]
        if any(each.unavailable for each in guilds):
            raise Unreachable("Discord has lost a server just now")
        roles: dict[str, Role] = {}
        try:
            for guild in guilds:
                for member in await guild.query_members(user_ids=[int(account.key)], cache=False):
                    roles[community_of(guild.id)] = highest(roles_of_member(member))
        except PASSING as error:
            raise Unreachable(f"Discord does not answer: {worded(error)}") from None
        return RoleAnswer(roles, unknown=unknown)

    def _guild(self, channel: str) -> discord.Guild | None:
        if self._client is None or not channel.startswith(PREFIX):
            return None
        place = self._client.get_channel(number_of(channel))
        return place.guild if isinstance(place, discord.abc.GuildChannel | discord.Thread) else None

    async def departed(
        self, channels: Collection[str], accounts: Sequence[Account]
    ) -> Collection[Account] | None:
        """Return which accounts are in no server of these channels; None: Discord cannot be asked now.

        One message to the gateway asks for up to 100 members by their ids, and needs no privileged intent:
        https://discord.com/developers/docs/events/gateway-events#request-guild-members.
        """
        client, present = self._client, set[int]()
        guilds = _guilds(client, channels) if client is not None and self.connected else []
        if not guilds or any(each.unavailable for each in guilds):
            return None
        user_ids = [int(each.key) for each in accounts]
        try:
            for guild in guilds:
                members = await guild.query_members(user_ids=user_ids, limit=len(user_ids), cache=False)
                present.update(each.id for each in members)
        except PASSING as error:
            log.warning("Discord did not say who has left", trouble=worded(error))
            return None
        return [each for each in accounts if int(each.key) not in present]

    def room(self, channel: str) -> Room | None:
        """Give the room of a channel that this adapter has opened; None: it has not."""
        return self.bot.rooms.at(channel) if channel in self._channels else None

    def arrived(self, shard: int) -> None:
        """Hear that a shard is connected, and show on it what stands in its open rooms."""
        was_connected, client = self.connected, self._client
        self.shards.arrive(shard)
        self._exhausted.discard(shard)
        self._connected.set()
        if client is None:
            return
        if self.connected and not was_connected:
            self._tell(f"Discord is connected: {client.user} is in {len(client.guilds)} server(s).")
        if self._barred is not None:
            client.rights.look_again(client, self._seen(client, self._barred.load()))
        for channel in self._channels:
            if self.shards.shard_of(channel) in {None, shard}:
                client.tables.take_up(self.bot.rooms.at(channel))
        if self._threadless is not None:
            channels = self._seen(client, self._threadless.load())
            for channel in channels:
                self._thread_rights.recall(channel)
            self.look_at_threads({*channels, *self._channels})

    def _seen(self, client: DiscordClient, channels: Iterable[str]) -> list[str]:
        """Leave out channels that may be of shards which other processes, or nobody, has connected yet."""
        if self.shards.are_ready(client) and len({*client.held}) == client.shard_count:
            return [*channels]
        return [each for each in channels if client.get_channel(number_of(each)) is not None]

    def look_at_threads(self, channels: Iterable[str]) -> None:
        """Look whether the bot may begin threads in those of these channels where they are wanted.

        Where the room is not open, nobody has said yet that they are not wanted any more.
        """
        if self._client is None or self._threadless is None:
            return
        for each in channels:
            room = self.room(each)
            if room is not None or each in self._thread_rights:
                wanted = room is None or room.habits.threads
                self._thread_rights.look(each, self._client.get_channel(number_of(each)), wanted=wanted)

    def note_barred(self, channel: str, name: str, permission: Message | None) -> None:
        """Remember which permission is missing in a channel; None: the bot may write there."""
        if self._barred is not None:
            reason = (
                "" if permission is None else f"it lacks the permission “{self.bot.outbox.text(permission)}”"
            )
            self._requests.start(asyncio.to_thread(self._barred.note, channel, name, reason))

    def _note_threads(self, channel: str, name: str, obstacles: Sequence[Message]) -> None:
        """Remember which permissions for threads are missing in a channel; none: the bot may begin them."""
        if self._threadless is None:
            return
        names = [self.bot.outbox.text(each) for each in obstacles]
        if any(each.id == NO_THREADS_HERE for each in obstacles):
            reason = "it is no text channel"
        else:
            permissions = " and ".join(f"“{each}”" for each in names)
            reason = f"the bot lacks {permissions}" if names else ""
        self._requests.start(asyncio.to_thread(self._threadless.note, channel, name, reason))

    async def open_standing(self) -> None:
        """Open the rooms in which tables stand; what the bot may not see any more is left alone."""
        await self._standing.open()

    # A connection

    async def _serve(self, *, reads: bool) -> None:
        self._client = client = self._make(reads=reads)
        try:
            await client.start(self._token)
        except discord.LoginFailure:
            raise self._refusal() from None
        except discord.PrivilegedIntentsRequired:
            raise
        except PASSING as error:
            if isinstance(error, discord.ConnectionClosed) and error.code == REFUSED:
                raise self._refusal() from None
            text = f"Discord cannot be reached: {worded(error)}"
            raise (ConnectionError if is_unreachable(error) else Declined)(text) from None
        finally:
            self._connected.clear()
            self.shards.lose_all()
            self._client = None
            await self._leave(client)
        raise Declined("Discord has closed the connection")

    def _make(self, *, reads: bool) -> DiscordClient:
        return DiscordClient(
            adapter=self,
            dress=self._manner.dress,
            requests=self._requests,
            complaints=self._complaints,
            reads=reads,
            ready_after=self._ready_after,
            starts=self._starts,
            shards=self.shards.held,
            shard_count=self.shards.count,
            is_silent=self.shards.is_silent,
            is_left=self.shards.left.__contains__,
            endpoints=self._endpoints,
        )

    def _refusal(self) -> Failure:
        return Failure(
            f"CHATBOT_DISCORD_TOKEN is refused by Discord; reset and copy it at {PORTAL}, “Bot” page"
        )

    async def _leave(self, client: DiscordClient) -> None:
        """Close the connection, whatever Discord does; what does not close in time is dropped."""
        with suppress(*PASSING, AttributeError):  # one that was never made cannot be closed
            await asyncio.wait_for(client.close(), LEAVING)
        with suppress(*PASSING):
            await asyncio.wait_for(client.http.close(), LEAVING / 2)

    async def _bring(self, delivery: Delivery) -> None:
        """Send a line; one for all waits for a connection that is lost just now."""
        if not self._connected.is_set() and delivery.to is not None:
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(self.shards.arrived(delivery.channel, self._connected), HELD)
        if self._client is not None:
            await self._client.answers.bring(delivery)

    def _heed_changes(self, room: Room, changes: Sequence[Change]) -> None:
        """Tell a room that has just asked for threads if the bot may not begin any there."""
        about_threads = any((each.subject, each.key) == (HABITS.name, THREADS) for each in changes)
        if about_threads:
            self.look_at_threads(each.id for each in room.channels if each.id in self._channels)
        if (
            self._client is None
            or not about_threads
            or not room.habits.threads
            or room.id not in self._channels
        ):
            return
        obstacle = lacking(self._client.get_channel(number_of(room.id)))
        if obstacle is not None:
            text = self.bot.outbox.text(obstacle, self._manner.dress, room)
            self._requests.start(self._client.answers.say(room.id, text))

    def _heed(self, channel: str, news: News) -> None:
        room = self.bot.rooms.at(channel)
        if self._client is None or not self._connected.is_set() or room.elsewhere:
            return
        if news.kind == "resumed":
            self._client.tables.take_up(room)
        elif news.kind != "told":  # that comes as a line
            self._client.tables.show_changes(room)


def _guilds(client: DiscordClient, channels: Iterable[str]) -> list[discord.Guild]:
    """Return the servers of channels, as far as the bot sees these."""
    targets = [client.get_channel(number_of(each)) for each in channels]
    guilds = [each.guild for each in targets if isinstance(each, discord.abc.GuildChannel | discord.Thread)]
    return list(dict.fromkeys(guilds))
