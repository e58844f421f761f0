"""The adapter of the local page: who is in from this machine, what has been said, and who is to hear it."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.say import Message
from chatbot.ledger.people import Account
from chatbot.rooms.channel import Channel, Delivery, Manner
from chatbot.rooms.line import SIGN, Line
from chatbot.rooms.room import Room
from chatbot.speech.safe import LONGEST_NAME, resembles, safe_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chatbot.bot.bot import Bot
    from chatbot.tables.events.feeds import News

PageMessage: TypeAlias = dict[str, Any]  # what is sent to a page, as JSON: values of any kind that it has

PLATFORM = "local"
CROWD = "crowd"  # the platform of simulated viewers: nobody can enter as one of them
CHANNEL = "local:page"
HISTORY = 200  # public lines that a newcomer is shown
LONGEST_SAID = 500  # characters
FIRST_LOBBY = 15  # seconds: whoever tries the page should see how a game ends before they lose patience
GONE_AFTER = 10.0  # seconds without a page until a viewer has left: one that is loaded again is back before
GUEST = "guest:"  # what the keys of accounts of guests begin with; typed names have no colon there
BOT = "rabble"  # as which nobody else speaks


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody in the local chat."""

    account: Account
    seat: Seat
    name: str
    role: Role

    @property
    def simulated(self) -> bool:
        """Whether nobody has entered as this viewer: it is one of the simulated crowd."""
        return self.account.platform == CROWD


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A line as the page gets it; `at` is in milliseconds since 1970."""

    id: str
    at: int
    kind: str  # said, or bot
    text: str
    to: Seat | None = None
    seat: Seat | None = None
    name: str | None = None
    role: str | None = None
    simulated: bool = False
    fine: bool = False  # fine print, for whoever wants to check
    table: str | None = None  # which it tells of, so that a page can wait until it has drawn that


class ConnectedPage(Protocol):
    """A page that is connected to the local chat."""

    def holds(self, seat: Seat) -> bool:
        """Whether this viewer has entered from that page."""

    def tell(self, message: PageMessage) -> None:
        """Show a message, which is as it is sent to the page."""

    def stale(self) -> None:
        """Note that tables or purses have changed, so that they are shown anew."""


def entering(name: str, role: str, *, is_guest: bool = False) -> tuple[Account, str, Role]:
    """Make an account, with a name and a role, of what somebody typed; the same name is the same viewer.

    A guest from elsewhere is nobody who has entered on this machine, whatever name they type.

    Raises:
        Refusal: there is no such role, or the name cannot be shown, or reads as the bot's or as a command.
    """
    safe_name = safe_text(name, LONGEST_NAME)
    if not any(each.isalnum() for each in safe_name):
        raise Refusal(Message("local-no-name"))
    if resembles(safe_name, BOT):
        raise Refusal(Message("local-name-taken"))
    if safe_name.startswith(SIGN):
        raise Refusal(Message("local-name-command"))
    if role not in {each.value for each in Role}:
        raise Refusal(Message("local-no-role"))
    key = safe_name.casefold()
    return Account(PLATFORM, f"{GUEST} {key}" if is_guest else key), safe_name, Role(role)


class LocalChat:
    """A chat that lives in memory, with the bot in it. There is nothing that could be lost."""

    name = "Local"
    manner = Manner(vouches=False, sole=True, first_lobby=FIRST_LOBBY)

    def __init__(self, bot: Bot, run: str) -> None:
        self.bot = bot
        self.room = Room(PLATFORM, PLATFORM, (Channel(CHANNEL, PLATFORM, self, self.manner),))
        self.pages: set[ConnectedPage] = set()
        self.history: deque[PageMessage] = deque(maxlen=HISTORY)
        self._run, self._ids = run, count(1)
        self._stopping = asyncio.Event()
        bot.events.attend(CHANNEL, self._heed)

    @property
    def connected(self) -> bool:
        return self.bot.has(CHANNEL) and not self._stopping.is_set()

    def community(self, channel: str) -> str | None:
        return PLATFORM if channel == CHANNEL else None

    def title(self, channel: str) -> str:
        return self.bot.outbox.text(Message("local-room")) if channel == CHANNEL else channel

    async def open(self) -> None:
        """Open its room, once."""
        if not self.bot.has(CHANNEL):
            await self.bot.open(self.room)

    async def run(self) -> None:
        self._stopping.clear()
        await self.open()
        await self._stopping.wait()

    async def stop(self) -> None:
        self._stopping.set()

    async def send(self, delivery: Delivery) -> None:
        fine = all(say.fine for say in delivery.says)
        to = delivery.says[0].to if delivery.to is not None else None
        table = next((say.table for say in delivery.says if say.table is not None), None)
        self._show(ShownMessage(self._next(), self._at(), "bot", delivery.text, to, fine=fine, table=table))

    async def viewer(self, account: Account, name: str, role: Role) -> Viewer:
        """Make a viewer of an account."""
        return Viewer(account, await self.bot.seat(self.room, account), name, role)

    async def enter(self, viewer: Viewer) -> None:
        """Let the bot know that somebody is here, without a word."""
        await self._hear(viewer, "", private=True)

    def parted(self, viewers: Iterable[Viewer]) -> None:
        """Note that these have gone from a page; tables stop waiting for whoever is not back on one soon."""
        seats = [each.seat for each in viewers]
        if seats:
            self.bot.watch.ring(GONE_AFTER, partial(self._note_away, seats))

    async def dismiss(self, viewers: Iterable[Viewer]) -> None:
        """Note that simulated viewers have been sent away."""
        await self.room.note_away([each.seat for each in viewers])
        self.refresh()

    async def _note_away(self, seats: Sequence[Seat]) -> None:
        await self.room.note_away(
            [seat for seat in seats if not any(page.holds(seat) for page in self.pages)]
        )
        self.refresh()

    async def say(self, viewer: Viewer, text: str, *, private: bool, table: str | None = None) -> bool:
        """Show what a viewer says, to all or to themselves alone, and let the bot hear it.

        What a button of a `table` says acts at no other. Return whether the bot has heard it.
        """
        line = ShownMessage(
            id=self._next(),
            at=self._at(),
            kind="said",
            text=text[:LONGEST_SAID],
            to=viewer.seat if private else None,
            seat=viewer.seat,
            name=viewer.name,
            role=viewer.role.value,
            simulated=viewer.simulated,
        )
        self._show(line)
        return await self._hear(viewer, line.text, private=private, table=table)

    def _heed(self, news: News) -> None:
        if news.kind != "told":  # that comes as a line
            self.refresh()

    def refresh(self) -> None:
        """Tell every page that tables or purses have changed."""
        for page in self.pages:
            page.stale()

    async def _hear(self, viewer: Viewer, text: str, *, private: bool, table: str | None = None) -> bool:
        line = Line(
            id=self._next(),
            channel=CHANNEL,
            account=viewer.account,
            name=viewer.name,
            role=viewer.role,
            text=text,
            private=private,
            table=table,
        )
        accepted = await self.bot.converse(line)
        self.refresh()
        return accepted

    def _show(self, line: ShownMessage) -> None:
        message = {"type": "line", **asdict(line)}
        if line.to is None:
            self.history.append(message)
        for page in list(self.pages):
            if line.to is None or page.holds(line.to):
                page.tell(message)

    def _next(self) -> str:
        """Number lines; the run in front keeps those of a restart apart."""
        return f"{self._run}:{next(self._ids)}"

    def _at(self) -> int:
        return int(self.bot.watch.date().timestamp() * 1000)
