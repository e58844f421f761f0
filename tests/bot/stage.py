"""A house on a real database with a clock turned by hand, and an adapter that writes down what goes out."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from itertools import count
from typing import TYPE_CHECKING

from chatbot.bot.bot import Bot
from chatbot.kernel import supplies
from chatbot.kernel.game import Role, Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Posting
from chatbot.ledger.people import Account
from chatbot.ledger.ties import Tie
from chatbot.rooms.batch import Batch
from chatbot.rooms.channel import Channel, Delivery, Manner
from chatbot.rooms.line import Line
from chatbot.rooms.request import Request
from chatbot.rooms.room import Room
from chatbot.runtime.clock import HandWatch
from chatbot.speech import words
from chatbot.speech.words import Words
from chatbot.tables.table import GameTable
from tests.bot.sources import SEED, sources_of
from tests.contests import contest_kits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.store.store import Store
    from chatbot.tables.fairness import Sources


@dataclass
class Notebook:
    """An adapter that sends nowhere."""

    deliveries: list[Delivery] = field(default_factory=list)

    async def send(self, delivery: Delivery) -> None:
        self.deliveries.append(delivery)


class LooseWatch(HandWatch):
    """A watch whose calendar an operator or a time server may set; alarms do not notice."""

    _ahead = timedelta()

    def date(self) -> datetime:
        return super().date() + self._ahead

    def set_calendar(self, seconds: float) -> None:
        self._ahead += timedelta(seconds=seconds)


def english() -> Words:
    """Give the words of English, as they lie there now: to make them takes as long as to make a house."""
    return _english(tuple(words._files(supplies.folder("locales"), "en")))


@cache
def _english(_: tuple[Path, ...]) -> Words:
    return Words("en")


class Stage:
    """One room, and people who talk in it."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, AnyKit] | None = None,
        manner: Manner | None = None,
        run: str = "a",
        seed: bytes = SEED,
        watch: LooseWatch | None = None,
    ) -> None:
        self.store, self.watch, self.adapter = store, watch or LooseWatch(), Notebook()
        self._games, self.sources = games or contest_kits(), sources_of(run, seed)
        self.bot = self.bot_of(self.sources)
        self.room = self.new_room("room", manner)
        self._run, self._ids = run, count(1)

    def bot_of(self, sources: Sources) -> Bot:
        return Bot(self._games, self.store, english(), self.watch, sources)

    def new_room(self, room: str, manner: Manner | None = None, community: str = "town") -> Room:
        return Room(room, community, (Channel(f"{room}:chat", "test", self.adapter, manner or Manner()),))

    async def open(self) -> Stage:
        await self.bot.open(self.room)
        await self.watch.turn()
        return self

    async def say(self, who: str, text: str, *, private: bool = False, line: str = "") -> list[str]:
        """Let `name` or `name(role)` speak; give what the bot says to it, private lines with `> name: `."""
        heard = len(self.adapter.deliveries)
        await self.bot.converse(self.line(who, text, private=private, line=line))
        await self.watch.turn()
        return self.said(heard)

    def tie(self, one: Seat, root: Seat, *, linked: bool) -> None:
        """Have the bot take two people for one, or for people who were, without a link in the database."""
        self.bot.people.ties.add(Tie(one, root, linked=linked))
        self.bot.people.version += 1

    async def agree(self, text: str) -> list[str]:
        """Let a moderator say something that makes many credits, and another one confirm it."""
        (asked,) = await self.say("mo(moderator)", text)
        assert asked.endswith("Another moderator can say !confirm within 60 seconds."), asked
        return await self.say("kim(moderator)", "!confirm")

    def line(self, who: str, text: str, *, private: bool = False, line: str = "", room: str = "room") -> Line:
        name, _, role = who.partition("(")
        line_id = line or f"{self._run}:{next(self._ids)}"
        level = Role(role.rstrip(")")) if role else Role.VIEWER
        return Line(line_id, f"{room}:chat", account(name), name, level, text, private)

    def request(self, who: str, text: str, words: Sequence[str]) -> Request:
        return Request(self.room, self.line(who, text), tuple(words), Batch(self.bot.ledger.unit()))

    async def turn(self, seconds: float) -> list[str]:
        heard = len(self.adapter.deliveries)
        await self.watch.turn(seconds)
        return self.said(heard)

    def said(self, since: int = 0) -> list[str]:
        """Give what was said, but for the hashes and seeds of tables, which `proven` gives, and `hints`."""
        aside = (each for each in self.adapter.deliveries[since:] if not _proves(each) and not _hints(each))
        return [self._shown(each) for each in aside]

    async def want_proofs(self) -> None:
        """Let the room be told at every table what proves the draws."""
        await self.say("mo(moderator)", "!set room proofs yes")

    def proven(self) -> list[str]:
        return [each.text for each in self.adapter.deliveries if _proves(each)]

    def hints(self) -> list[str]:
        """Give what newcomers were told of games."""
        return [self._shown(each) for each in self.adapter.deliveries if _hints(each)]

    async def credits(self, who: str) -> int:
        return await self.bot.balances.purse(self.room, seat(who))

    async def pot(self) -> int:
        return (await self.bot.ledger.balances([self.table.pot]))[self.table.pot]

    async def endow(self, who: str, amount: int) -> None:
        """Bring somebody's credits to an amount, by a transfer from or to the mint."""
        await self.say(who, "hello")
        change = amount - await self.credits(who)
        wallet, mint = purses.wallet("town", seat(who)), purses.mint("town")
        source, target = (mint, wallet) if change > 0 else (wallet, mint)
        entries = (Entry(source, target, abs(change), "test"),) if change else ()
        posting = Posting(f"endow:{next(self._ids)}", "town", self.watch.date(), entries=entries)
        await self.bot.ledger.post(posting)

    @property
    def table(self) -> GameTable:
        table = self.room.tables["heist"]
        assert isinstance(table, GameTable)
        return table

    def _shown(self, delivery: Delivery) -> str:
        to = f"> {self.bot.members.name(self.bot.members.seat(delivery.to))}: " if delivery.to else ""
        return to + delivery.text


def _proves(delivery: Delivery) -> bool:
    return delivery.says[0].event in {"ChainMade", "TableBound", "SeedTold"}


def _hints(delivery: Delivery) -> bool:
    return delivery.says[0].event == "Hint"


def seat(name: str) -> Seat:
    return Seat(f"test:{name}")


def account(name: str) -> Account:
    return Account("test", name)
