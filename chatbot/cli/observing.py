"""A bot that is watched: what it hears and plays on each platform, and what becomes of its messages."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.rooms.line import Line, is_command
from chatbot.speech.words import Words
from chatbot.tables.fairness import Sources

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.environment import Settings
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.channel import Adapter, Delivery
    from chatbot.rooms.exchange import Exchange, Later, Replies, Shows
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch
    from chatbot.tables.events.feeds import News


@dataclass(eq=False, slots=True)
class Observed:
    """What has happened on one platform, in its order."""

    # Each with the number of reports before it.
    commands: list[tuple[Line, int]] = field(default_factory=list)
    lines: int = 0  # that were heard and are no commands
    reports: list[tuple[str, str]] = field(default_factory=list)  # channel, and why a message was lost; or ""
    ends: list[str] = field(default_factory=list)  # of each end that was told, why it was lost; or ""
    opened: int = 0  # tables
    voided: int = 0


class Observer:
    """Writes down what happens on all platforms, and wakes up whoever waits for something."""

    def __init__(self) -> None:
        self.told: list[str] = []  # sentences for the operator
        self._platforms: dict[str, Observed] = {}
        self._news = asyncio.Event()

    def of(self, channel: str) -> Observed:
        """Return what has happened on the platform of a channel, or of this name in lower case."""
        return self._platforms.setdefault(channel.partition(":")[0], Observed())

    def tell(self, sentence: str) -> None:
        """Note a sentence for the operator."""
        self.told.append(sentence)
        self._news.set()

    def heard(self, line: Line) -> None:
        """Note a line."""
        observed = self.of(line.channel)
        if is_command(line):
            observed.commands.append((line, len(observed.reports)))
        else:
            observed.lines += 1
        self._news.set()

    def reported(self, channel: str, trouble: str) -> None:
        """Note what became of a message."""
        self.of(channel).reports.append((channel, trouble))
        self._news.set()

    def ended(self, channel: str, trouble: str) -> None:
        """Note what became of a message that tells how a table came out."""
        self.of(channel).ends.append(trouble)
        self._news.set()

    def happened(self, channel: str, news: News) -> None:
        """Note an event of a table."""
        observed = self.of(channel)
        observed.opened += news.kind == "opened"
        observed.voided += news.kind == "voided"
        self._news.set()

    async def until(self, holds: Callable[[], object], seconds: float) -> bool:
        """Wait until something holds, at most for some seconds; return whether it does."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not holds():
            self._news.clear()
            # Platforms tell of no change of `connected`: it is looked at now and then.
            wait = min(end - loop.time(), 0.2)
            if wait <= 0:
                return False
            try:
                await asyncio.wait_for(self._news.wait(), wait)
            except TimeoutError:
                continue
        return True


class _ObservedAdapter:
    """An adapter that notes what becomes of the ends of tables."""

    def __init__(self, adapter: Adapter, observer: Observer) -> None:
        self._adapter, self._observer = adapter, observer

    async def send(self, delivery: Delivery) -> None:
        """Send a text to the platform."""
        reports = self._observer.of(delivery.channel).reports
        before = len(reports)
        await self._adapter.send(delivery)
        if any(each.ends for each in delivery.says):
            own = [trouble for channel, trouble in reports[before:] if channel == delivery.channel]
            self._observer.ended(delivery.channel, own[-1] if own else "")


class ObservedBot(Bot):
    """A bot of which an observer is told what it hears and plays."""

    def __init__(self, settings: Settings, store: Store, watch: Watch, observer: Observer) -> None:
        super().__init__(kits(), store, Words(settings.language), watch, Sources(secrets.token_bytes(32)))
        self._observer = observer

    async def open(self, room: Room) -> Room:
        for each in room.channels:
            each.adapter = _ObservedAdapter(each.adapter, self._observer)
        open_room = await super().open(room)
        for each in room.channels:
            self.events.attend(each.id, partial(self._observer.happened, each.id))
        return open_room

    async def hear(self, line: Line, later: Later | None = None, shows: Shows | None = None) -> Replies:
        self._observer.heard(line)
        return await super().hear(line, later, shows)

    async def converse(self, line: Line) -> bool:
        self._observer.heard(line)
        return await super().converse(line)

    def post(self, line: Line, exchange: Exchange | None = None) -> bool:
        self._observer.heard(line)
        return super().post(line, exchange)
