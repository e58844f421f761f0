"""The way to the desk and to seats where another process serves the page, which is asked for links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chatbot.cluster.carrier import Away
from chatbot.ledger.web_sessions import Login

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.bot.bot import Bot
    from chatbot.cluster.carrier import Carrier
    from chatbot.kernel.game import Role
    from chatbot.ledger.people import Account


class RemoteEntrance:
    """Tells other processes of the page that is served here, or lets the chat use that of another one."""

    def __init__(self, bot: Bot, carrier: Carrier, process: int) -> None:
        self._entrance, self._open_seats = bot.parts.entrance, bot.parts.open_seats
        self._carrier, self._process = carrier, process
        self._server: int | None = None  # who serves the page; None: this one, or nobody

    async def start(self) -> None:
        """Ask who serves the page, and tell others whenever this process does."""
        self._entrance.listeners.append(self._moved)
        await self._carrier.announce({"seek-page": True, "from": self._process})

    async def tell(self) -> None:
        """Tell others of the page, if it is served here."""
        if self._server is None and self._entrance.invite is not None:
            address = self._entrance.address, self._entrance.is_local, self._open_seats.address
            await self._carrier.announce({"page": address, "from": self._process})

    def close(self) -> None:
        """Lead nobody to the page that was served here; who serves it next tells that."""
        if self._server is None:
            self._entrance.close()

    def _moved(self) -> None:
        self._server = None

    def note(self, value: Mapping[str, Any]) -> None:
        """Let the chat lead people to the page of another process from now on."""
        entrance, self._server = self._entrance, value["from"]
        entrance.address, entrance.is_local, self._open_seats.address = value["page"]
        entrance.invite, entrance.admit, entrance.end_seats = self._invite, self._admit, self._end_seats

    async def answer(self, value: Mapping[str, Any]) -> object:
        """Do what another process asks of the page that is served here; None: there is none."""
        entrance = self._entrance
        if self._server is not None or entrance.invite is None:
            return None
        match value["page"], value["of"]:
            case "invite", (kind, account, name):
                return await entrance.invite(Login(kind, account, name))
            case "admit", (account, channel, role) if entrance.admit is not None:
                await entrance.admit(account, channel, role)
            case "end", (account,) if entrance.end_seats is not None:
                return await entrance.end_seats(account)
        return True

    async def _invite(self, login: Login) -> str:
        return str(await self._ask("invite", (login.kind, login.account, login.name)))

    async def _admit(self, account: Account, channel: str, role: Role) -> None:
        await self._ask("admit", (account, channel, role))

    async def _end_seats(self, account: Account) -> bool:
        return bool(await self._ask("end", (account,)))

    async def _ask(self, what: str, of: tuple[object, ...]) -> object:
        """Ask the process of the page.

        Raises:
            Away: it does not answer, or serves none any more.
        """
        answer = await self._carrier.ask(self._server or 0, {"page": what, "of": of})
        if answer is None:
            raise Away("the page is served by another process by now")
        return answer
