"""What Twitch is asked to tell, with whose key and by which right, and the watchdog that sees to it."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import TYPE_CHECKING, TypeAlias

import structlog
from twitchio import eventsub
from twitchio.eventsub import SubscriptionPayload
from twitchio.exceptions import HTTPException

from chatbot.kernel.game import Failure
from chatbot.keys.asking import Unreachable
from chatbot.runtime.limits import PROBE, Backoff
from cogs.twitch.api import UNREACHABLE
from cogs.twitch.bot import Full
from cogs.twitch.eventsub import NotConnected
from cogs.twitch.limits import MOST

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from twitchio.models.eventsub_ import EventsubSubscription

    from chatbot.keys.ring import Key
    from chatbot.runtime.clock import Alarm, Watch
    from cogs.twitch.bot import EventSubBot


Slot: TypeAlias = "tuple[str, frozenset[tuple[str, str]]]"  # type and condition: Twitch gives each but once

CHAT = "user:read:chat"
WRITE = "user:write:chat"  # of the bot, which may then speak with its own key
SPEAK = frozenset({"user:bot", WRITE})  # with the program's own key, or with that of the bot
WHISPERS = "user:manage:whispers"
ANNOUNCE = "moderator:manage:announcements"  # of the bot, which must also be a moderator in the chat
PREDICT = "channel:manage:predictions"  # of a broadcaster whose viewers may bet on games
POINTS = "channel:manage:redemptions"  # of a broadcaster whose viewers may stake channel points

EVERY = 60.0  # seconds between two looks of the watchdog
SHORTEST = 1.0  # seconds until what has failed is tried again, twice as long after each further failure
DEAF = 2  # rounds without its chat after which a channel is told of
HOURLY = 60  # rounds between two validations of every key
CHATS_AT_ONCE, OTHERS_AT_ONCE = 10, 4  # requests under way
SOON = 5.0  # seconds in which it is the same fault if a subscription ends again and has brought nothing
FREE_OF_CHARGE = (
    3  # channels whose streams an account may follow without anybody's leave: 3 of 10 points each
)
REFUSED = {401, 403}  # to ask again soon would not help
_REASONS = {
    400: "Twitch finds the request wrong, or the connection is gone",
    401: "the key of the account is refused, or lacks a right",
    403: "the bot may not: it is banned there, or the broadcaster has not let it in",
    429: "there are too many subscriptions or requests",
    503: "Twitch cannot be reached",
}
_FULL = f"one account hears {MOST} chats; more need a conduit: set CHATBOT_TWITCH_CONDUIT to true"

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class WantedSubscription:
    """One subscription; `channel` is the broadcaster's id, and empty for whispers."""

    channel: str
    account: str
    payload: SubscriptionPayload

    @property
    def slot(self) -> Slot:
        """What it takes at Twitch, where there is but one of each."""
        return slot(str(self.payload.type), dict(self.payload.condition))

    @property
    def chat(self) -> bool:
        """Whether it brings what is said in a chat."""
        return isinstance(self.payload, eventsub.ChatMessageSubscription)

    @property
    def stream(self) -> bool:
        """Whether it brings the beginning or the end of a stream."""
        return isinstance(
            self.payload, eventsub.StreamOnlineSubscription | eventsub.StreamOfflineSubscription
        )


def slot(kind: str, condition: Mapping[str, object]) -> Slot:
    """Twitch answers with every field that a condition may have, most of them empty."""
    return kind, frozenset((key, str(value)) for key, value in condition.items() if value)


def slot_of(subscription: EventsubSubscription) -> Slot:
    """Give the slot that a subscription at Twitch takes."""
    return slot(subscription.type, dict(subscription.condition))


def wishes(
    bot: Key, keys: Mapping[str, Key], channels: Sequence[str], *, conduit: bool = False
) -> list[WantedSubscription]:
    """List what to subscribe to; what a key gives no right to is left out, and told.

    Without a conduit the bot may follow the streams of few channels that are not connected: each of those
    subscriptions costs one of ten points (https://dev.twitch.tv/docs/eventsub/manage-subscriptions/).

    Raises:
        Failure: the bot may not read chat at all.
    """
    if CHAT not in bot.scopes:
        raise Failure(f"The key of {bot.login} may not read chat; run `chatbot connect twitch --bot` again.")
    if SPEAK.isdisjoint(bot.scopes):
        advice = "run `chatbot connect twitch --bot` again"
        log.warning("the bot may not write in chats", account=bot.login, advice=advice)
    wanted = [
        WantedSubscription(
            each, bot.user_id, eventsub.ChatMessageSubscription(broadcaster_user_id=each, user_id=bot.user_id)
        )
        for each in channels
    ]
    if ANNOUNCE in bot.scopes:
        wanted += [
            WantedSubscription(
                each,
                bot.user_id,
                eventsub.ChatNotificationSubscription(broadcaster_user_id=each, user_id=bot.user_id),
            )
            for each in channels
        ]
    if WHISPERS in bot.scopes:
        wanted.append(
            WantedSubscription("", bot.user_id, eventsub.WhisperReceivedSubscription(user_id=bot.user_id))
        )
    else:
        log.warning("whispers are not heard: run `chatbot connect twitch --bot` again", account=bot.login)
    strangers = 0
    for each in channels:
        strangers += each not in keys and each != bot.user_id
        if each in keys or each == bot.user_id or conduit or strangers <= FREE_OF_CHARGE:
            wanted += _around(each, keys.get(each), bot)
    return wanted


class Watchdog:
    """Sees to it that Twitch tells what it was asked to.

    What Twitch says that it has ended is asked for again at once. Pauses belong to a fault that goes on, and
    what is heard ends them: what Twitch refuses is tried in 1, 2, 4 … seconds until it is taken, and so is
    what it takes and ends again before anything has come of it. While Twitch cannot be reached, or does not
    keep a connection, one subscription of each account is tried at least every `PROBE` seconds for all.

    Every minute it compares what Twitch lists with what is wanted, for some things end without a word. Chats
    come before all else.
    """

    def __init__(
        self,
        *,
        client: EventSubBot,
        watch: Watch,
        wanted: Sequence[WantedSubscription],
        logins: Mapping[str, str],
        barred: Callable[[str, str], None] = lambda _, __: None,
        regained: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Tell by `barred` of which broadcaster's chat Twitch refuses to tell, and why, or "" if it tells.

        `regained` hears of which broadcaster's stream Twitch tells again, after it did not for a while.
        """
        self._client, self._watch, self._logins, self._barred = client, watch, dict(logins), barred
        self._regained = regained
        self._wanted = {each.slot: each for each in wanted}
        self._alone, self._stopped = asyncio.Lock(), False
        self._alarm: Alarm | None = None
        self._retries: dict[Slot, Alarm] = {}  # of what is to be tried again soon
        self._refusals = Backoff[Slot](SHORTEST, EVERY)  # of what Twitch does not take
        self._endings = Backoff[Slot](SHORTEST, EVERY)  # of what Twitch ends again and again
        self._probes = Backoff[str](SHORTEST, PROBE)  # of accounts by which Twitch cannot be reached
        self._unreached: defaultdict[str, dict[Slot, None]] = defaultdict(dict)  # by account, in order
        self._probing: dict[str, Alarm] = {}  # by account
        self._reached: dict[str, float] = {}  # account -> when Twitch was reached again
        self._rounds = 0
        self._there: set[Slot] = set()
        self._known: set[Slot] = set()  # that have ever been there
        self._asking: dict[Slot, asyncio.Task[None]] = {}
        self._chats, self._others = asyncio.Semaphore(CHATS_AT_ONCE), asyncio.Semaphore(OTHERS_AT_ONCE)
        self._ended: set[Slot] = set()  # that Twitch has ended, and not taken again yet
        self._overtaken: set[Slot] = set()  # of those, what was just being asked for
        self._doubtful: dict[Slot, float] = {}  # when Twitch took it again, of what has brought nothing since
        self._doubts = -inf  # until when one of them is another ending of the same fault
        self._told: dict[Slot, str] = {}
        self._unread: dict[str, int] = {}  # account -> the status by which it was not looked at
        self._deaf: dict[str, int] = {}  # broadcaster -> rounds without its chat
        client.missing, client.returned, client.heard = self.lose, self.resume, self.hear

    async def start(self) -> None:
        """Ask for everything that is not there yet, until the chats are, and look again every minute."""
        self._rounds += 1
        await self._compare()
        await self._asked(chats=True)
        self._wind()

    def stop(self) -> None:
        """Look no more, and ask for nothing more."""
        self._stopped = True
        if self._alarm is not None:
            self._alarm.cancel()
        for alarm in (*self._retries.values(), *self._probing.values()):
            alarm.cancel()
        for task in self._asking.values():
            task.cancel()
        self._alarm = None
        self._retries.clear()
        self._probing.clear()

    async def settle(self) -> None:
        """Wait until nothing is being asked for."""
        await self._asked(chats=False)

    async def check(self) -> None:
        """Look once, and ask for what is missing."""
        async with self._alone:
            self._rounds += 1
            await self._client.reconnect()
            await self._compare()
            await self._asked(chats=True)
            self._listen_for_deaf()
        await self.settle()

    def mend(self, slots: Collection[Slot]) -> None:
        """Ask again for what Twitch has ended; for what it ends again and again, a little later."""
        self._ask_again(slots, self._put_off)

    def lose(self, slots: Collection[Slot], heard: bool) -> None:
        """Ask again for what has ended with its connection, by which something was `heard` or nothing."""
        if heard:
            for each in slots:
                self._trust(each)
        self._ask_again(slots, self._await_probe)

    def hear(self, kind: str, condition: Mapping[str, object]) -> None:
        """Take note that a subscription has brought something, so that its last fault is over."""
        if self._watch.now() < self._doubts:  # else there is nothing to be found out, at every line of a chat
            self._trust(slot(kind, condition))

    def resume(self) -> None:
        """Take note that for a while there may have been nobody to be told anything."""
        for channel in sorted(self.streams()):
            self._regained(channel)

    def allow(self, account: str, login: str, wanted: Sequence[WantedSubscription]) -> None:
        """Ask for what the key of an account allows that has been connected, for the first time or again.

        What others ask for of its channel, such as its chat, is asked for at once if it is not there.
        """
        self._logins[account] = login
        self._wanted = {slot: each for slot, each in self._wanted.items() if each.account != account}
        self._wanted |= {each.slot: each for each in wanted if each.slot not in self._wanted}
        for slot, each in self._wanted.items():
            if account in {each.account, each.channel} and slot not in self._there:
                self._ask(slot)

    def streams(self) -> set[str]:
        """List the broadcasters of whose streams Twitch tells the beginning and the end."""
        began, ended = (
            {
                each.channel
                for slot, each in self._wanted.items()
                if slot in self._there and isinstance(each.payload, payload)
            }
            for payload in (eventsub.StreamOnlineSubscription, eventsub.StreamOfflineSubscription)
        )
        return began & ended

    def _wind(self) -> None:
        if not self._stopped:
            self._alarm = self._watch.ring(EVERY, self._tick)

    async def _tick(self) -> None:
        try:
            if self._rounds % HOURLY == 0:
                await self._validate()
            await self.check()
        finally:
            self._wind()

    async def _validate(self) -> None:
        for account in self._client.api.accounts:
            try:
                await self._client.api.validate(account)
            except Unreachable:
                return

    async def _compare(self) -> None:
        """Look at what Twitch has, and begin to ask for what is missing."""
        accounts = iter(list(dict.fromkeys(each.account for each in self._wanted.values())))

        async def look() -> None:
            for account in accounts:  # shared by all: each account is looked at once
                if not self._stopped:
                    await self._look(account)

        await asyncio.gather(*(look() for _ in range(CHATS_AT_ONCE)))

    async def _look(self, account: str) -> None:
        found = await self._standing(account)
        if found is None:
            return
        there = {slot_of(each) for each in found if each.status == "enabled" and self._client.owns(each)}
        for slot, each in self._wanted.items():
            if each.account == account and slot not in self._asking:
                (self._there.add if slot in there else self._there.discard)(slot)
                if slot in there:
                    self._note_there(slot)
                else:
                    self._client.forget(slot)
                    self._ask(slot)

    async def _standing(self, account: str) -> list[EventsubSubscription] | None:
        try:
            found = await self._client.standing(account)
        except HTTPException as error:
            self._tell_unread(account, error.status)
            return None
        self._unread.pop(account, None)
        return found

    def _ask(self, slot: Slot) -> None:
        """Begin to ask for a subscription."""
        if self._stopped or slot in self._asking:
            return
        task = self._asking[slot] = asyncio.create_task(self._ask_one(self._wanted[slot]))
        task.add_done_callback(lambda _: self._finish(slot))

    def _finish(self, slot: Slot) -> None:
        """Take note that an answer is there; if what it is about has ended meanwhile, it is out of date."""
        self._asking.pop(slot, None)
        if slot in self._overtaken:
            self._overtaken.discard(slot)
            self._there.discard(slot)
            self._ended.add(slot)
            self._put_off(slot)

    async def _asked(self, *, chats: bool) -> None:
        """Wait for all that is being asked for, or for the chats only."""
        while tasks := [task for slot, task in self._asking.items() if not chats or not self._rank(slot)]:
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(0)  # they are taken away after they are done

    async def _ask_one(self, wanted: WantedSubscription) -> None:
        """Subscribe; where a slot is taken by a connection that is no more, free it and try again."""
        async with self._chats if wanted.chat else self._others:
            if not wanted.chat:  # which would take the room and the points of chats
                await self._asked(chats=True)
            if wanted.account in self._probing:  # another one has just found that Twitch cannot be reached
                self._await_probe(wanted.slot)
                return
            try:
                status = await self._subscribe_with_room(wanted)
            except NotConnected as error:
                self._tell(wanted, f"no connection ({error})")
                self._await_probe(wanted.slot)
            except Full:
                self._tell(wanted, _FULL)
                self._note_reached(wanted.account)
            else:
                self._heed(wanted, status)

    def _heed(self, wanted: WantedSubscription, status: int) -> None:
        """Do what the status wants that Twitch has answered."""
        reason = _REASONS.get(status, f"Twitch answered {status}")
        if status == UNREACHABLE:
            self._tell(wanted, reason)
            self._await_probe(wanted.slot)
            return
        self._note_reached(wanted.account)
        if status in {200, 409}:
            self._note_taken(wanted)
        else:
            self._tell(wanted, reason)
            if status not in REFUSED:
                self._try_again(wanted.slot, self._refusals.wait(wanted.slot))
            elif wanted.chat:
                self._barred(wanted.channel, reason)

    async def _subscribe_with_room(self, wanted: WantedSubscription) -> int:
        """Subscribe, and once more if something that takes its place could be ended."""
        try:
            status = await self._subscribe(wanted)
        except Full:
            if not (wanted.chat and await self._give_way(wanted.account)):
                raise
            return await self._subscribe(wanted)
        if status in {409, 429} and await self._free(wanted):
            status = await self._subscribe(wanted)
        return status

    async def _subscribe(self, wanted: WantedSubscription) -> int:
        try:
            return 200 if await self._client.ask(wanted) else 409
        except HTTPException as error:
            return error.status

    async def _free(self, wanted: WantedSubscription) -> bool:
        """End what connections that are no more hold; false where there is nothing."""
        found = await self._standing(wanted.account)
        stale = [each for each in found or () if not self._client.owns(each)
                 and (each.status != "enabled" or slot_of(each) == wanted.slot)]  # fmt: skip
        for each in stale:
            await self._drop(each, wanted.account)
        return bool(stale)

    async def _give_way(self, account: str) -> bool:
        """End something that is no chat, for one; false where chats take all the room."""
        for each in await self._standing(account) or ():
            other = self._wanted.get(slot_of(each))
            if self._client.owns(each) and other is not None and not other.chat:
                await self._drop(each, account)
                self._client.forget(other.slot)
                self._there.discard(other.slot)
                self._tell(other, _FULL)
                return True
        return False

    async def _drop(self, subscription: EventsubSubscription, account: str) -> None:
        try:
            await self._client.drop(subscription, account)
        except HTTPException as error:
            log.info("an old subscription could not be ended", status=error.status)

    def _note_taken(self, wanted: WantedSubscription) -> None:
        """Take note that Twitch has taken a subscription, which has brought nothing yet."""
        slot, now = wanted.slot, self._watch.now()
        self._there.add(slot)
        if wanted.stream and slot in self._known:
            self._regained(wanted.channel)
        if slot in self._ended:
            self._ended.discard(slot)
            self._doubtful[slot], self._doubts = now, now + SOON
        self._note_there(slot)

    def _note_there(self, slot: Slot) -> None:
        self._known.add(slot)
        self._told.pop(slot, None)
        self._refusals.forget(slot)
        self._unreached[self._wanted[slot].account].pop(slot, None)
        if slot in self._retries:
            self._retries.pop(slot).cancel()
        if self._wanted[slot].chat:
            self._deaf[self._wanted[slot].channel] = 0
            self._barred(self._wanted[slot].channel, "")

    def _ask_again(self, slots: Collection[Slot], later: Callable[[Slot], None]) -> None:
        """Ask for what has ended: at once, or `later` where that is the last fault, which goes on."""
        now = self._watch.now()
        for each in sorted(slots, key=self._rank):
            self._client.forget(each)
            self._there.discard(each)
            if each not in self._wanted:
                continue
            self._ended.add(each)
            if each in self._asking:
                self._overtaken.add(each)
            elif now < self._doubtful.pop(each, -SOON) + SOON:
                later(each)
            else:
                self._endings.forget(each)
                self._ask(each)

    def _trust(self, slot: Slot) -> None:
        """Forget the faults of what has brought something."""
        self._doubtful.pop(slot, None)
        self._endings.forget(slot)
        if slot in self._wanted:
            self._probes.forget(self._wanted[slot].account)

    def _await_probe(self, slot: Slot) -> None:
        """Ask for something when Twitch can be reached, which is tried for all that wait by one of them.

        To try all of them would open a connection, or take a point, for each.
        """
        account = self._wanted[slot].account if slot in self._wanted else ""
        if not account or self._stopped:
            return
        self._unreached[account].pop(slot, None)  # what was tried last is tried again after the others
        self._unreached[account][slot] = None
        if account not in self._probing:
            if self._watch.now() >= self._reached.pop(account, inf) + SOON:
                self._probes.forget(account)
            self._probing[account] = self._watch.ring(
                self._probes.wait(account), partial(self._probe, account)
            )

    async def _probe(self, account: str) -> None:
        """Ask for the first of what waits, a chat if there is one."""
        del self._probing[account]
        waiting = [each for each in self._unreached[account] if each in self._wanted]
        self._unreached[account] = dict.fromkeys(waiting)
        if waiting:
            first = min(waiting, key=self._rank)
            self._ask(first)
            await self._asked(chats=not self._rank(first))

    def _note_reached(self, account: str) -> None:
        """Ask for all that waits: Twitch has answered."""
        self._reached[account] = self._watch.now()
        for each in sorted(self._unreached.pop(account, {}), key=self._rank):
            if each in self._wanted:
                self._ask(each)

    def _put_off(self, slot: Slot) -> None:
        self._try_again(slot, self._endings.wait(slot))

    def _try_again(self, slot: Slot, pause: float) -> None:
        if slot in self._retries or self._stopped:
            return

        async def again() -> None:
            self._retries.pop(slot, None)
            if slot in self._wanted:
                self._ask(slot)
                await self._asked(chats=not self._rank(slot))

        self._retries[slot] = self._watch.ring(pause, again)

    def _rank(self, slot: Slot) -> bool:
        """Sort chats before all else."""
        wanted = self._wanted.get(slot)
        return wanted is None or not wanted.chat

    def _tell_unread(self, account: str, status: int) -> None:
        if self._unread.get(account) != status:
            log.warning("Twitch does not say what it tells us", account=self._name(account), status=status)
        self._unread[account] = status

    def _tell(self, wanted: WantedSubscription, reason: str) -> None:
        """Say what is missing, once until it is there again or something else is the matter."""
        if self._told.get(wanted.slot) == reason:
            return
        self._told[wanted.slot] = reason
        kind, channel = str(wanted.payload.type), self._name(wanted.channel or wanted.account)
        log.warning("Twitch does not tell us of this", kind=kind, channel=channel, reason=reason)

    def _listen_for_deaf(self) -> None:
        """Count the looks at which a chat was not there, and tell of it."""
        for slot, each in self._wanted.items():
            if each.chat and slot not in self._there:
                rounds = self._deaf[each.channel] = self._deaf.get(each.channel, 0) + 1
                if rounds == DEAF + 1:
                    log.error("this chat is not heard; it is tried again", channel=self._name(each.channel))

    def _name(self, user_id: str) -> str:
        return self._logins.get(user_id, user_id)


def _around(channel: str, key: Key | None, bot: Key) -> Iterator[WantedSubscription]:
    """List what happens besides chat; what needs no right is free of charge for who has granted anything."""
    account = bot.user_id if key is None else key.user_id
    yield WantedSubscription(channel, account, eventsub.StreamOnlineSubscription(broadcaster_user_id=channel))
    yield WantedSubscription(
        channel, account, eventsub.StreamOfflineSubscription(broadcaster_user_id=channel)
    )
    yield WantedSubscription(
        channel, account, eventsub.ChannelRaidSubscription(to_broadcaster_user_id=channel)
    )
    if key is None:
        log.info("followers, subscriptions and cheers are noticed once the broadcaster has run "
                 "`chatbot connect twitch --broadcaster`", channel=channel)  # fmt: skip
        return
    for scope, payloads in _granted(channel).items():
        if scope in key.scopes:
            yield from (WantedSubscription(channel, account, payload) for payload in payloads)
        else:
            log.warning("a right is missing: run `chatbot connect twitch --broadcaster` again",
                        account=key.login, scope=scope)  # fmt: skip
    if POINTS in key.scopes:
        for payload in (
            eventsub.ChannelPointsRedeemAddSubscription(broadcaster_user_id=channel),
            eventsub.ChannelPointsRedeemUpdateSubscription(broadcaster_user_id=channel),
        ):
            yield WantedSubscription(channel, account, payload)


def _granted(channel: str) -> dict[str, tuple[SubscriptionPayload, ...]]:
    """Give what each right of a broadcaster brings."""
    return {
        "moderator:read:followers": (
            eventsub.ChannelFollowSubscription(broadcaster_user_id=channel, moderator_user_id=channel),
        ),
        "channel:read:subscriptions": (
            eventsub.ChannelSubscribeSubscription(broadcaster_user_id=channel),
            eventsub.ChannelSubscribeMessageSubscription(broadcaster_user_id=channel),
        ),
        "bits:read": (eventsub.ChannelCheerSubscription(broadcaster_user_id=channel),),
    }
