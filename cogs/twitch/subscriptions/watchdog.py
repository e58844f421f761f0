"""The watchdog that sees to it that Twitch tells what it was asked to."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from twitchio import eventsub

from chatbot.keys.asking import Unreachable
from chatbot.runtime.periodic import Periodic
from cogs.twitch.api import UNREACHABLE
from cogs.twitch.bot import Full
from cogs.twitch.eventsub import NotConnected
from cogs.twitch.subscriptions.report import SubscriptionReport
from cogs.twitch.subscriptions.requests import SubscriptionRequests
from cogs.twitch.subscriptions.retries import SubscriptionRetries
from cogs.twitch.subscriptions.subscriber import FULL, Subscriber
from cogs.twitch.subscriptions.wanted import is_chat, slot_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from chatbot.runtime.clock import Watch
    from cogs.twitch.api import Api
    from cogs.twitch.bot import EventSubBot
    from cogs.twitch.subscriptions.wanted import Slot, WantedSubscription

EVERY = 60.0  # seconds between two looks of the watchdog
HOURLY = 60  # rounds between two validations of every key
ACCOUNTS_AT_ONCE = 10  # whose subscriptions are looked at together
REFUSED = {401, 403}  # to ask again soon would not help
_REASONS = {
    400: "Twitch finds the request wrong, or the connection is gone",
    401: "the key of the account is refused, or lacks a right",
    403: "the bot may not: it is banned there, or the broadcaster has not let it in",
    429: "there are too many subscriptions or requests",
    503: "Twitch cannot be reached",
}


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
        subscriptions: Sequence[WantedSubscription],
        logins: Mapping[str, str],
        barred: Callable[[str, str], None] = lambda _, __: None,
        regained: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Tell by `barred` of which broadcaster's chat Twitch refuses to tell, and why, or "" if it tells.

        `regained` hears of which broadcaster's stream Twitch tells again, after it did not for a while.
        """
        self._client, self._barred, self._regained = client, barred, regained
        self._subscriptions = {each.slot: each for each in subscriptions}
        self._checking, self._stopped = asyncio.Lock(), False
        self._looks = Periodic(watch, EVERY, self._check_all)
        self._rounds = 0
        self._there: set[Slot] = set()
        self._known: set[Slot] = set()  # that have ever been there
        self._ended: set[Slot] = set()  # that Twitch has ended, and not taken again yet
        self._report = SubscriptionReport(logins)
        self._requests = SubscriptionRequests(
            subscriptions=self._subscriptions, ask=self._subscribe, overtaken=self._note_overtaken
        )
        self._retries = SubscriptionRetries(
            watch=watch, subscriptions=self._subscriptions, ask=self._requests.ask
        )
        self._subscriber = Subscriber(
            client=client,
            subscriptions=self._subscriptions,
            report=self._report,
            gave_way=self._there.discard,
        )
        client.on_missing, client.on_return, client.on_event = self.lose, self.resume, self._retries.hear

    async def start(self) -> None:
        """Ask for everything that is not there yet, until the chats are, and look again every minute."""
        self._rounds += 1
        await self._compare()
        await self._requests.wait_for_answers(chats=True)
        if not self._stopped:
            self._looks.start()

    def stop(self) -> None:
        """Look no more, and ask for nothing more."""
        self._stopped = True
        self._looks.stop()
        self._retries.stop()
        self._requests.stop()

    async def settle(self) -> None:
        """Wait until nothing is being asked for."""
        await self._requests.wait_for_answers(chats=False)

    async def check(self) -> None:
        """Look once, and ask for what is missing.

        One look at a time: of two, each would count a chat that is missing as one more round without it, and
        the operator would be told of it too soon.
        """
        async with self._checking:
            self._rounds += 1
            await self._client.reconnect()
            await self._compare()
            await self._requests.wait_for_answers(chats=True)
            self._report.count_deaf(
                [each for slot, each in self._subscriptions.items() if each.chat and slot not in self._there]
            )
        await self.settle()

    def mend(self, slots: Collection[Slot]) -> None:
        """Ask again for what Twitch has ended; for what it ends again and again, a little later."""
        self._ask_again(slots, self._retries.put_off_ended)

    def lose(self, slots: Collection[Slot], heard: bool) -> None:
        """Ask again for what has ended with its connection, by which something was `heard` or nothing."""
        if heard:
            for each in slots:
                self._retries.trust(each)
        self._ask_again(slots, self._retries.await_probe)

    def resume(self) -> None:
        """Take note that for a while there may have been nobody to be told anything."""
        for channel in sorted(self.streams()):
            self._regained(channel)

    def allow(self, account: str, login: str, subscriptions: Sequence[WantedSubscription]) -> None:
        """Ask for what the key of an account allows that has been connected, for the first time or again.

        What others ask for of its channel, such as its chat, is asked for at once if it is not there.
        """
        self._report.name(account, login)
        for slot in [slot for slot, each in self._subscriptions.items() if each.account == account]:
            del self._subscriptions[slot]
        for each in subscriptions:
            self._subscriptions.setdefault(each.slot, each)
        for slot, each in self._subscriptions.items():
            if account in {each.account, each.channel} and slot not in self._there:
                self._requests.begin(slot)

    def streams(self) -> set[str]:
        """List the broadcasters of whose streams Twitch tells the beginning and the end."""
        online, offline = (
            {
                each.channel
                for slot, each in self._subscriptions.items()
                if slot in self._there and isinstance(each.payload, payload)
            }
            for payload in (eventsub.StreamOnlineSubscription, eventsub.StreamOfflineSubscription)
        )
        return online & offline

    async def _check_all(self) -> None:
        if self._rounds % HOURLY == 0:
            await _validate(self._client.api)
        await self.check()

    async def _compare(self) -> None:
        """Look at what Twitch has, and begin to ask for what is missing."""
        accounts = iter(list(dict.fromkeys(each.account for each in self._subscriptions.values())))

        async def look() -> None:
            for account in accounts:  # shared by all: each account is looked at once
                if not self._stopped:
                    await self._look(account)

        await asyncio.gather(*(look() for _ in range(ACCOUNTS_AT_ONCE)))

    async def _look(self, account: str) -> None:
        subscriptions = await self._subscriber.standing(account)
        if subscriptions is None:
            return
        there = {
            slot_of(each) for each in subscriptions if each.status == "enabled" and self._client.owns(each)
        }
        for slot, each in self._subscriptions.items():
            # What is being asked for may have been taken after Twitch made its list.
            if each.account == account and slot not in self._requests:
                (self._there.add if slot in there else self._there.discard)(slot)
                if slot in there:
                    self._note_there(each)
                else:
                    self._client.forget(slot)
                    self._requests.begin(slot)

    async def _subscribe(self, subscription: WantedSubscription) -> None:
        """Ask for a subscription, unless Twitch was just found to be out of reach."""
        if self._retries.is_probing(subscription.account):
            self._retries.await_probe(subscription.slot)
            return
        try:
            status = await self._subscriber.subscribe(subscription)
        except NotConnected as error:
            self._report.tell_missing(subscription, f"no connection ({error})")
            self._retries.await_probe(subscription.slot)
        except Full:
            self._report.tell_missing(subscription, FULL)
            self._note_reached(subscription.account)
        else:
            self._take_status(subscription, status)

    def _note_overtaken(self, slot: Slot) -> None:
        """Ask again later for what has ended while it was being asked for."""
        self._there.discard(slot)
        self._ended.add(slot)
        self._retries.put_off_ended(slot)

    def _take_status(self, subscription: WantedSubscription, status: int) -> None:
        """Do what the status wants that Twitch has answered."""
        reason = _REASONS.get(status, f"Twitch answered {status}")
        if status == UNREACHABLE:
            self._report.tell_missing(subscription, reason)
            self._retries.await_probe(subscription.slot)
            return
        self._note_reached(subscription.account)
        if status in {200, 409}:
            self._note_taken(subscription)
        else:
            self._report.tell_missing(subscription, reason)
            if status not in REFUSED:
                self._retries.put_off_refused(subscription.slot)
            elif subscription.chat:
                self._barred(subscription.channel, reason)

    def _note_reached(self, account: str) -> None:
        """Ask for all that waits: Twitch has answered."""
        for each in self._retries.note_reached(account):
            self._requests.begin(each)

    def _note_taken(self, subscription: WantedSubscription) -> None:
        """Take note that Twitch has taken a subscription, which has brought nothing yet."""
        self._there.add(subscription.slot)
        if subscription.stream and subscription.slot in self._known:
            self._regained(subscription.channel)
        if subscription.slot in self._ended:
            self._ended.discard(subscription.slot)
            self._retries.doubt(subscription.slot)
        self._note_there(subscription)

    def _note_there(self, subscription: WantedSubscription) -> None:
        self._known.add(subscription.slot)
        self._report.note_there(subscription)
        self._retries.note_there(subscription.slot)
        if subscription.chat:
            self._barred(subscription.channel, "")

    def _ask_again(self, slots: Collection[Slot], later: Callable[[Slot], None]) -> None:
        """Ask for what has ended: at once, or `later` where that is the last fault, which goes on."""
        for each in sorted(slots, key=lambda slot: not is_chat(self._subscriptions, slot)):
            self._client.forget(each)
            self._there.discard(each)
            if each not in self._subscriptions:
                continue
            self._ended.add(each)
            if each in self._requests:
                self._requests.overtake(each)
            elif self._retries.is_same_fault(each):
                later(each)
            else:
                self._requests.begin(each)


async def _validate(api: Api) -> None:
    """Ask whether every key is good, which Twitch wants every hour, as long as it can be reached."""
    for account in api.accounts:
        try:
            await api.validate(account)
        except Unreachable:
            return
