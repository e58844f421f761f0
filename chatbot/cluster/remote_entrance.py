"""The way to the desk and to seats where other processes listen: the chat leads people to one of these."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

from chatbot.ledger.web_sessions import Login
from chatbot.runtime.periodic import Periodic

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping

    from chatbot.bot.bot import Bot
    from chatbot.cluster.carrier import Carrier
    from chatbot.ledger.store.duties import Sharer

LOOK = 1.0  # seconds between two looks at who listens
NEW = 5.0  # seconds for which a process counts that has told where it listens, and is not known otherwise


class RemoteEntrance:
    """Tells other processes where this one listens; if it does not, the chat leads people to another one.

    `members` returns the processes that show signs of life, and `start` does something beside.
    """

    def __init__(
        self,
        bot: Bot,
        carrier: Carrier,
        process: int,
        members: Callable[[], Collection[Sharer]],
        start: Callable[[Awaitable[object]], None],
    ) -> None:
        self._entrance, self._open_seats = bot.parts.entrance, bot.parts.open_seats
        self._overlay_keys = bot.parts.overlay_keys
        self._carrier, self._process, self._members = carrier, process, members
        self._watch, self._start = bot.watch, start
        self._listens = False  # whether this process does
        self._pages: dict[int, tuple[Mapping[str, Any], float]] = {}  # what others told, and when
        self._machine = socket.gethostname()
        self._looks = Periodic(bot.watch, LOOK, self._look)

    async def start(self) -> None:
        """Ask who listens, and tell others whenever this process does."""
        self._entrance.listeners.append(self._note_own)
        self._looks.start()
        await self._carrier.announce({"seek-page": True, "from": self._process})

    @property
    def is_served_on_this_machine(self) -> bool:
        """Whether another process listens on this machine."""
        return any(each.get("machine") == self._machine for each in self._alive().values())

    async def tell(self) -> None:
        """Tell others where this process listens, if it does."""
        if self._listens:
            address = self._entrance.address, self._entrance.is_local, self._open_seats.address
            value = {"page": address, "from": self._process, "machine": self._machine}
            await self._carrier.announce({**value, "overlays": self._overlay_keys.server})

    async def close(self) -> None:
        """Listen no more, and lead people to another process."""
        if self._listens:
            self._listens = False
            self._entrance.close()
            await self._carrier.announce({"page-closed": True, "from": self._process})
            self._choose()

    def stop(self) -> None:
        """Look no more."""
        self._looks.stop()

    def note(self, value: Mapping[str, Any]) -> None:
        """Take note of where another process listens."""
        self._pages[value["from"]] = value, self._watch.now()
        self._choose()

    def forget(self, value: Mapping[str, Any]) -> None:
        """Take note that another process listens no more."""
        self._pages.pop(value["from"], None)
        self._choose()

    async def answer(self, value: Mapping[str, Any]) -> object:
        """Do what a process of the version before asks of the page here; None: there is none."""
        entrance = self._entrance
        if not self._listens or entrance.invite is None:
            return None
        match value["page"], value["of"]:
            case "invite", (kind, account, name):
                return await entrance.invite(Login(kind, account, name))
            case "admit", (account, channel, role) if entrance.admit is not None:
                await entrance.admit(account, channel, role)
            case "end", (account,) if entrance.end_seats is not None:
                return await entrance.end_seats(account)
        return True

    def _note_own(self) -> None:
        self._listens = True
        self._start(self.tell())

    def _choose(self) -> None:
        """Let the chat lead people to where somebody listens: here, or else at another process."""
        if self._listens:
            return
        pages, entrance = self._alive(), self._entrance
        if not pages:
            entrance.close()
            self._open_seats.address = self._overlay_keys.server = ""
            return
        page = pages[min(pages)]
        entrance.address, entrance.is_local, self._open_seats.address = page["page"]
        self._overlay_keys.server = page.get("overlays", "")

    async def _look(self) -> None:
        """Lead people to another process if the one is gone to which they were led."""
        self._choose()

    def _alive(self) -> dict[int, Mapping[str, Any]]:
        """Return what others have told that are there, by process."""
        members, since = {each.id for each in self._members()}, self._watch.now() - NEW
        return {
            process: value for process, (value, at) in self._pages.items() if process in members or at > since
        }
