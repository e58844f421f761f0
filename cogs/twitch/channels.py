"""The chats that the bot is in: how much it may say there and with which key, and who watches.

How much may be said is of the process that hears the chat, which says everything there.
"""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict, deque
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING

import structlog
from twitchio.exceptions import HTTPException

from chatbot.kernel.game import Failure
from chatbot.keys.asking import Unreachable
from chatbot.rooms.channel import Channel, Manner, Privacy
from chatbot.rooms.room import Room
from chatbot.runtime.periodic import Periodic
from chatbot.speech.safe import twitch
from chatbot.speech.visible import as_seen
from cogs.twitch.lines import PLATFORM, account_of, channel_of, community_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from twitchio import Client

    from chatbot.bot.bot import Bot
    from chatbot.keys.ring import Key, KeyRing
    from chatbot.ledger.people import Account
    from chatbot.rooms.channel import Adapter
    from cogs.twitch.api import Api


# https://dev.twitch.tv/docs/chat/#rate-limits: 20 in 30 s, 100 as moderator; one less, for clocks differ.
LENGTH, WINDOW = 500, 30.0  # characters, and seconds
VIEWER_BUDGET, MODERATOR_BUDGET = 19, 99
# Who is no moderator may say one message a second in a chat. A moderator may say more, but is also read.
VIEWER_GAP, MODERATOR_GAP, LONGEST_GAP = 1.0, 0.5, 2.0  # seconds
MODERATOR_CALM = 4  # messages: a moderator's gaps are there for readers, who are not many in a quiet chat
FORGIVEN = 600.0  # seconds after which a broken limit is forgotten
RECALLED = 100  # lines by which the bot knows its own voice
SAME = 31.0  # seconds in which Twitch shows a text once, and one more, for clocks differ

AT_ONCE = 100  # logins in one request
OPENED_TOGETHER = 200  # rooms
_LOGIN = re.compile(r"[a-z0-9_]{1,25}")  # one that is malformed would fail all of the request

STREAMS = 60.0  # seconds between two looks at which streams are on
POLL = 120.0  # seconds between two looks at who is in a chat
PAGE = 1000  # people in one answer, the most that Twitch gives
ADVISED = 86_400.0  # seconds between two words to the operator
CHATTERS = "moderator:read:chatters"  # the scope of the bot, which must also be a moderator there

MANNER = Manner(
    private=Privacy.SECRETS,
    length=LENGTH,
    gap=VIEWER_GAP,
    longest_gap=LONGEST_GAP,
    merged=480,
    budget=VIEWER_BUDGET,
    window=WINDOW,
    dress=twitch,
    streams=True,
    patience=15.0,  # viewers are some seconds behind the stream
)

log = structlog.get_logger(__name__)


@dataclass(eq=False)
class Chat:
    """A chat that the bot is in; `broadcaster` is the id of its channel's account, and `login` its name."""

    broadcaster: str
    login: str
    room: Room  # that it has by itself; it may have joined another
    channel: Channel
    moderator: bool = False
    by_app: bool = True  # whether the program's own key may speak here
    announces_by_app: bool = True  # and whether it may make announcements
    announced_at: float = -inf  # when the bot made its last announcement, by the bot's watch
    unannounced: float = -inf  # until when Twitch is not asked for one again, as it has refused one
    muted: bool = False  # Twitch does not let the bot speak here, so no stake is taken
    unheard: bool = False  # Twitch refuses to tell what is said here
    strikes: int = 0
    struck: float = 0.0  # when, by the bot's watch
    advice_times: dict[str, float] = field(default_factory=dict)  # advice -> when the operator got it
    warned: OrderedDict[str, float] = field(default_factory=OrderedDict)  # user -> when, while it is muted
    lines: deque[tuple[str, float]] = field(default_factory=lambda: deque(maxlen=RECALLED))  # and when

    def stand(self, moderator: bool, now: float) -> None:
        """Keep to what the bot's badges let it say."""
        if moderator and not self.moderator:
            self.retry_keys()  # a moderator needs nobody's leave to speak
        self.moderator = moderator
        self.settle(now)

    def retry_keys(self) -> None:
        """Try again what was refused to the program's own key, or to both: it may be allowed now."""
        self.by_app = self.announces_by_app = True
        self.unannounced = -inf

    def serve_another(self, bot_id: str, now: float) -> None:
        """Forget what was true of the previous bot account; `bot_id` is the id of the one that speaks now."""
        self.retry_keys()
        self.strikes = 0
        self.stand(self.broadcaster == bot_id, now)

    def speak(self, text: str, now: float) -> int:
        """Remember what the bot says here, and tell how often Twitch would find it a repetition now."""
        letters = letters_of(text)
        before = 0 if self.moderator else sum(each == letters and at > now - SAME for each, at in self.lines)
        self.lines.append((letters, now))
        return before

    def spoke(self, text: str) -> bool:
        """Whether what was heard is what the bot has said."""
        letters = letters_of(text)
        return any(each == letters for each, _ in self.lines)

    def strike(self, now: float) -> None:
        """Say less for a while, for Twitch counts otherwise; what is refused again soon counts once."""
        if not self.strikes or now >= self.struck + WINDOW:
            self.strikes, self.struck = self.strikes + 1, now
            self.settle(now)

    def settle(self, now: float) -> None:
        """Set how much may be said here from now on, as badges and what was broken let it."""
        if now > self.struck + FORGIVEN:
            self.strikes = 0
        full = MODERATOR_BUDGET if self.moderator else VIEWER_BUDGET
        budget = max(1, full // 2**self.strikes)
        gap = MODERATOR_GAP if self.moderator else VIEWER_GAP
        calm = MODERATOR_CALM if self.moderator and not self.strikes else 0
        manner = replace(self.channel.manner, budget=budget, gap=gap, calm=calm)
        if self.channel.manner != manner:
            self.channel.manner = manner

    def news(self, advice: str, now: float, every: float) -> bool:
        """Whether the operator has not been told this for so long."""
        if now < self.advice_times.get(advice, -every) + every:
            return False
        self.advice_times[advice] = now
        return True


class NobodyConnected(Failure):
    """An account is missing without which there is nothing to do, until it is connected."""


def bot_of(ring: KeyRing) -> Key:
    """Give the bot's key.

    Raises:
        NobodyConnected: there is none.
    """
    bot_key = ring.bot
    if bot_key is None:
        raise NobodyConnected(
            "No Twitch account is connected as the bot; run `chatbot connect twitch --bot`. "
            "A bot that runs takes it up by itself."
        )
    return bot_key


async def sign_in(api: Api, bot_key: Key, broadcasters: Sequence[Key]) -> dict[str, Key]:
    """Take the keys into use, and give the broadcasters' that are good."""
    for key in (*broadcasters, bot_key):
        api.adopt(key)
    await api.validate(bot_key.user_id)
    others = [key for key in broadcasters if key.user_id != bot_key.user_id]
    good = await asyncio.gather(*(valid(api, key) for key in others))
    refused_ids = {key.user_id for key, right in zip(others, good, strict=True) if not right}
    return {key.user_id: key for key in broadcasters if key.user_id not in refused_ids}


async def valid(api: Api, key: Key) -> bool:
    """Whether a key that is in use is good, as far as anybody knows."""
    try:
        return await api.validate(key.user_id)
    except Unreachable:
        return True


async def find(client: Client, logins: Sequence[str], broadcasters: Sequence[Key]) -> dict[str, str]:
    """Give the logins of the channels by their ids: those that are named, or else all that are connected.

    Raises:
        NobodyConnected: none is connected, nor named.
        Failure: Twitch knows none of those that are named.
    """
    if not logins:
        logins_by_id = {key.user_id: key.login for key in broadcasters}
    else:
        logins_by_id = await _look_up(client, [each.strip().lstrip("@#").lower() for each in logins])
    if not logins_by_id and logins:
        raise Failure("Twitch knows no channel that CHATBOT_TWITCH_CHANNELS names; write their logins there.")
    if not logins_by_id:
        raise NobodyConnected(
            "There is no Twitch channel to be in; run `chatbot connect twitch --broadcaster`, which a bot "
            "that runs takes up by itself, or name channels in CHATBOT_TWITCH_CHANNELS."
        )
    return logins_by_id


async def enter(
    bot: Bot, adapter: Adapter, channels: dict[str, str], bot_id: str, chats: dict[str, Chat]
) -> None:
    """Open the rooms that are not open yet, together, so that what all of them need is read together.

    Who fails at one comes again, and finds those that it knew.

    Raises:
        SQLAlchemyError, OSError: one could not be opened.
    """
    missing = list[Room]()
    for broadcaster, login in channels.items():
        name = channel_of(broadcaster)
        if name not in chats:
            chats[name] = chat = _chat(adapter, broadcaster, login)
            chat.stand(broadcaster == bot_id, bot.watch.now())
        if not bot.has(name):
            missing.append(chats[name].room)
    for first in range(0, len(missing), OPENED_TOGETHER):
        some = missing[first : first + OPENED_TOGETHER]
        for error in await asyncio.gather(*map(bot.open, some), return_exceptions=True):
            if isinstance(error, BaseException):
                raise error


async def look(client: Client, bot: Bot, chats: Collection[Chat]) -> None:
    """Learn which streams are on, of which no event tells: they may have begun before we came."""
    ids = [each.broadcaster for each in chats]
    on: set[str] = set()
    try:
        for first in range(0, len(ids), AT_ONCE):
            streams = client.fetch_streams(user_ids=[*ids[first : first + AT_ONCE]], first=AT_ONCE)
            on.update([stream.user.id async for stream in streams])
    except HTTPException as error:
        log.warning("it is not known which streams are on", status=error.status)
        return
    for chat in chats:
        if bot.has(chat.channel.id):  # its room may be about to be opened
            bot.rooms.at(chat.channel.id).live = chat.broadcaster in on


class StreamPoll:
    """Asks Twitch every minute which streams are on, of the chats of which no event tells it.

    Without a conduit these are all but a few of the channels whose broadcaster is not connected. One request
    is for a hundred of them (https://dev.twitch.tv/docs/api/reference/#get-streams): the 900 that one account
    can hear take nine of the 800 requests that Twitch allows in a minute.
    """

    def __init__(
        self, *, client: Client, bot: Bot, chats: Mapping[str, Chat], streams: Callable[[], Collection[str]]
    ) -> None:
        """`streams` lists the broadcasters of whose streams events tell."""
        self._client, self._bot, self._chats, self._streams = client, bot, chats, streams
        self._polls = Periodic(bot.watch, STREAMS, self._poll)

    def start(self) -> None:
        """Look in `STREAMS` seconds, and from then on again."""
        self._polls.start()

    def stop(self) -> None:
        """Look no more."""
        self._polls.stop()

    async def _poll(self) -> None:
        broadcasters = self._streams()
        chats = [
            chat
            for chat in self._chats.values()
            if chat.broadcaster not in broadcasters and runs_here(self._bot, chat)
        ]
        await look(self._client, self._bot, chats)


class ChatterPoll:
    """Asks Twitch every two minutes who is in the chats of streams that are on, and tells the bot.

    Where Twitch will not tell, the bot goes by who talks.
    """

    def __init__(
        self,
        *,
        client: Client,
        bot_key: Key,
        may_ask: Callable[[], bool],
        bot: Bot,
        chats: Collection[Chat],
    ) -> None:
        """`may_ask` tells whether the bot's key has the right to ask now."""
        self._client, self._bot_key, self._may_ask = client, bot_key, may_ask
        self._bot, self._chats = bot, chats
        self._polls = Periodic(bot.watch, POLL, self._poll)

    def start(self) -> None:
        """Look in `POLL` seconds, and from then on again."""
        self._polls.start()

    def stop(self) -> None:
        """Look no more."""
        self._polls.stop()

    async def _poll(self) -> None:
        for chat in list(self._chats):
            here = runs_here(self._bot, chat)
            if here and self._bot.rooms.at(chat.channel.id).live and self._polls.started:
                await self._look(chat)

    async def _look(self, chat: Chat) -> None:
        if not self._may_ask():
            self._advise(chat, "run `chatbot connect twitch --bot` again")
            return
        try:
            people = await self._people(chat)
        except HTTPException as error:
            moderator = error.status in {401, 403}
            self._advise(chat, f"type /mod {self._bot_key.login}" if moderator else f"status {error.status}")
        else:
            await self._bot.watching(chat.channel.id, people)

    async def _people(self, chat: Chat) -> dict[Account, str]:
        """List who is there but the bot, by the names of their accounts."""
        channel = self._client.create_partialuser(chat.broadcaster)
        chatters = await channel.fetch_chatters(moderator=self._bot_key.user_id, first=PAGE)
        people = {each.id: each.name or each.id async for each in chatters.users}
        if self._bot_key.user_id != chat.broadcaster:
            people.pop(self._bot_key.user_id, None)
        return {account_of(user): name for user, name in people.items()}

    def _advise(self, chat: Chat, advice: str) -> None:
        if chat.news(f"chatters: {advice}", self._bot.watch.now(), ADVISED):
            log.warning(
                "Twitch does not tell who watches, so only those who talk earn by it",
                channel=chat.login,
                advice=advice,
            )


def runs_here(bot: Bot, chat: Chat) -> bool:
    """Whether the room of a chat is open, and no other process runs it."""
    return bot.has(chat.channel.id) and not bot.rooms.at(chat.channel.id).elsewhere


def letters_of(text: str) -> str:
    """Leave out the blanks and what is not visible: a repeated line is said with others."""
    return as_seen(text).replace(" ", "")


def _chat(adapter: Adapter, broadcaster: str, login: str) -> Chat:
    channel = Channel(channel_of(broadcaster), PLATFORM, adapter, MANNER)
    room = Room(channel.id, community_of(broadcaster), (channel,))
    return Chat(broadcaster, login, room, channel)


async def _look_up(client: Client, logins: Sequence[str]) -> dict[str, str]:
    wellformed = [each for each in dict.fromkeys(logins) if _LOGIN.fullmatch(each)]
    logins_by_id = {}
    for first in range(0, len(wellformed), AT_ONCE):
        for user in await client.fetch_users(logins=wellformed[first : first + AT_ONCE]):
            logins_by_id[user.id] = user.name or user.id
    for login in dict.fromkeys(logins):
        if login not in logins_by_id.values():
            log.warning("CHATBOT_TWITCH_CHANNELS names a channel that Twitch does not know", channel=login)
    return logins_by_id
