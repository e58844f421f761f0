"""The requests to subscribe that are under way: one for each subscription, and chats before all else."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from cogs.twitch.subscriptions.wanted import is_chat

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from cogs.twitch.subscriptions.wanted import Slot, WantedSubscription

CHATS_AT_ONCE, OTHERS_AT_ONCE = 10, 4  # requests under way


class SubscriptionRequests:
    """Runs `ask` for each subscription that is begun, unless it is being asked for already.

    What ends while it is being asked for is `overtaken`: whether the answer is of before the end or of after
    it, nobody can tell, so that it counts for nothing.
    """

    def __init__(
        self,
        *,
        subscriptions: Mapping[Slot, WantedSubscription],
        ask: Callable[[WantedSubscription], Awaitable[None]],
        overtaken: Callable[[Slot], None],
    ) -> None:
        self._subscriptions, self._ask, self._tell_overtaken = subscriptions, ask, overtaken
        self._running: dict[Slot, asyncio.Task[None]] = {}
        self._overtaken: set[Slot] = set()
        self._stopped = False
        # Two, for what is no chat keeps its place while it waits for the chats: with one for both, the others
        # could have every place and wait for chats that wait for a place.
        self._chats, self._others = asyncio.Semaphore(CHATS_AT_ONCE), asyncio.Semaphore(OTHERS_AT_ONCE)

    def __contains__(self, slot: Slot) -> bool:
        return slot in self._running

    def stop(self) -> None:
        """Give up what is under way, and begin nothing more."""
        self._stopped = True
        for task in self._running.values():
            task.cancel()

    def begin(self, slot: Slot) -> None:
        """Begin to ask for a subscription."""
        if self._stopped or slot in self._running:
            return
        task = self._running[slot] = asyncio.create_task(self._run(self._subscriptions[slot]))
        task.add_done_callback(lambda _: self._finish(slot))

    async def ask(self, slot: Slot) -> None:
        """Ask for a subscription, and return when that and whatever goes before it is answered."""
        self.begin(slot)
        await self.wait_for_answers(chats=is_chat(self._subscriptions, slot))

    def overtake(self, slot: Slot) -> None:
        """Take note that a subscription has ended while it is being asked for."""
        self._overtaken.add(slot)

    async def wait_for_answers(self, *, chats: bool) -> None:
        """Wait for all that is under way, or for the chats only."""
        while tasks := [
            task for slot, task in self._running.items() if not chats or is_chat(self._subscriptions, slot)
        ]:
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(0)  # they are taken away after they are done

    async def _run(self, subscription: WantedSubscription) -> None:
        async with self._chats if subscription.chat else self._others:
            if not subscription.chat:  # which would take the room and the points of chats
                await self.wait_for_answers(chats=True)
            await self._ask(subscription)

    def _finish(self, slot: Slot) -> None:
        self._running.pop(slot, None)
        if slot in self._overtaken:
            self._overtaken.discard(slot)
            self._tell_overtaken(slot)
