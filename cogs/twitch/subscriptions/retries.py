"""When Twitch is asked again for what it has refused or ended, or could not be asked for."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from math import inf
from typing import TYPE_CHECKING

from chatbot.runtime.limits import PROBE, Backoff
from cogs.twitch.subscriptions.wanted import Slot, is_chat, slot

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from chatbot.runtime.clock import Alarm, Watch
    from cogs.twitch.subscriptions.wanted import WantedSubscription

SHORTEST = 1.0  # seconds until what has failed is tried again, twice as long after each further failure
LONGEST = 60.0  # seconds, after which the watchdog looks anyway
SOON = 5.0  # seconds in which it is the same fault if a subscription ends again and has brought nothing


class SubscriptionRetries:
    """Keeps a pause for each fault that goes on, and ends it with the fault.

    There are three kinds, each with a pause of its own, for they go on side by side: Twitch refuses
    something, ends it as soon as it is there, or cannot be reached. In the last one all that an account wants
    waits together, and one of it is tried for all: to try each would open a connection, or take a point of
    the program's, for each.
    """

    def __init__(
        self,
        *,
        watch: Watch,
        subscriptions: Mapping[Slot, WantedSubscription],
        ask: Callable[[Slot], Awaitable[None]],
    ) -> None:
        """`ask` asks for a subscription and returns when there is an answer."""
        self._watch, self._subscriptions, self._ask, self._stopped = watch, subscriptions, ask, False
        self._alarms: dict[Slot, Alarm] = {}  # of what is to be tried again soon
        self._refusals = Backoff[Slot](SHORTEST, LONGEST)  # of what Twitch does not take
        self._endings = Backoff[Slot](SHORTEST, LONGEST)  # of what Twitch ends again and again
        self._probes = Backoff[str](SHORTEST, PROBE)  # of accounts by which Twitch cannot be reached
        self._unreached: defaultdict[str, dict[Slot, None]] = defaultdict(dict)  # by account, in order
        self._probing: dict[str, Alarm] = {}  # by account
        self._reached: dict[str, float] = {}  # account -> when Twitch was reached again
        self._doubtful: dict[Slot, float] = {}  # when Twitch took it again, of what has brought nothing since
        self._doubts = -inf  # until when one of them is another ending of the same fault

    def stop(self) -> None:
        """Try nothing again."""
        self._stopped = True
        for alarm in (*self._alarms.values(), *self._probing.values()):
            alarm.cancel()
        self._alarms.clear()
        self._probing.clear()

    def put_off_refused(self, slot: Slot) -> None:
        """Try later what Twitch has refused."""
        self._try_again(slot, self._refusals.wait(slot))

    def put_off_ended(self, slot: Slot) -> None:
        """Try later what Twitch ends again and again."""
        self._try_again(slot, self._endings.wait(slot))

    def is_same_fault(self, slot: Slot) -> bool:
        """Whether what has ended now ended before, was taken again just now, and has brought nothing since.

        What ends for the first time is asked for at once: a fault is over within a second for whoever plays.
        """
        is_same = self._watch.now() < self._doubtful.pop(slot, -SOON) + SOON
        if not is_same:
            self._endings.forget(slot)
        return is_same

    def doubt(self, slot: Slot) -> None:
        """Take note that Twitch has taken again what it had ended: it may end it at once, as before."""
        self._doubtful[slot] = self._watch.now()
        self._doubts = self._watch.now() + SOON

    def hear(self, kind: str, condition: Mapping[str, object]) -> None:
        """Take note that a subscription has brought something, so that its last fault is over."""
        if self._watch.now() < self._doubts:  # else there is nothing to be found out, at every line of a chat
            self.trust(slot(kind, condition))

    def trust(self, slot: Slot) -> None:
        """Forget the faults of what has brought something."""
        self._doubtful.pop(slot, None)
        self._endings.forget(slot)
        if slot in self._subscriptions:
            self._probes.forget(self._subscriptions[slot].account)

    def note_there(self, slot: Slot) -> None:
        """Take note that something is there, and need not be asked for."""
        self._refusals.forget(slot)
        self._unreached[self._subscriptions[slot].account].pop(slot, None)
        if slot in self._alarms:
            self._alarms.pop(slot).cancel()

    def is_probing(self, account: str) -> bool:
        """Whether it was just found that Twitch cannot be reached by an account."""
        return account in self._probing

    def await_probe(self, slot: Slot) -> None:
        """Ask for something when Twitch can be reached, which is tried for all that wait by one of them."""
        account = self._subscriptions[slot].account if slot in self._subscriptions else ""
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

    def note_reached(self, account: str) -> list[Slot]:
        """Take note that Twitch has answered, and return what has waited for that, chats first."""
        self._reached[account] = self._watch.now()
        slots = [each for each in self._unreached.pop(account, {}) if each in self._subscriptions]
        return sorted(slots, key=lambda slot: not is_chat(self._subscriptions, slot))

    async def _probe(self, account: str) -> None:
        """Ask for the first of what waits, a chat if there is one."""
        del self._probing[account]
        slots = [each for each in self._unreached[account] if each in self._subscriptions]
        self._unreached[account] = dict.fromkeys(slots)
        if slots:
            await self._ask(min(slots, key=lambda slot: not is_chat(self._subscriptions, slot)))

    def _try_again(self, slot: Slot, pause: float) -> None:
        if slot in self._alarms or self._stopped:
            return

        async def again() -> None:
            self._alarms.pop(slot, None)
            if slot in self._subscriptions:
                await self._ask(slot)

        self._alarms[slot] = self._watch.ring(pause, again)
