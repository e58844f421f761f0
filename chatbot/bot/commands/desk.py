"""The command `!desk`, by which moderators open the desk in a browser, as who they are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from chatbot.bot.arguments import Shown
from chatbot.bot.command import command
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.say import Message, Say
from chatbot.ledger.web_sessions import DESK, Login
from chatbot.rooms.channel import Privacy
from chatbot.rooms.request import Request
from chatbot.rooms.scopes import PERSON

if TYPE_CHECKING:
    from chatbot.community.desk_codes import DeskCodes
    from chatbot.ledger.people import Account


class Entrance:
    """What the web server tells of itself, once it listens; until then there is neither desk nor seat."""

    def __init__(self) -> None:
        self.address = ""  # the URL under which people find it, without a slash at the end
        self.is_local = True  # whether that is on the machine of the bot alone
        self.invite: Callable[[Login], Awaitable[str]] | None = None  # returns the path of a link
        self.admit: Callable[[Account, str, Role], Awaitable[None]] | None = None  # notes a role in a channel
        self.end_seats: Callable[[Account], Awaitable[bool]] | None = None  # whether an account had any
        self.listeners: list[Callable[[], object]] = []  # called by `moved`

    def moved(self) -> None:
        """Tell the listeners that the web server of this process has set it."""
        for each in self.listeners:
            each()

    def close(self) -> None:
        """Lead nobody anywhere: nobody listens."""
        self.address, self.is_local = "", True


class DeskCommand:
    """The command `!desk`."""

    def __init__(self, entrance: Entrance, codes: DeskCodes) -> None:
        self._entrance, self._codes = entrance, codes

    @command("desk", Role.MODERATOR, agrees=True, scope=PERSON)
    async def desk(self, request: Request, code: Annotated[str, Shown("CODE")] = "") -> Sequence[Say]:
        """Answer with a link that logs in where an answer is private; elsewhere a code proves who asks."""
        entrance, line = self._entrance, request.line
        if not entrance.address or entrance.invite is None or entrance.admit is None:
            raise Refusal(Message("desk-closed"))
        if line.manner is not None or not request.manner.vouches:
            raise Refusal(Message("desk-here"))
        await entrance.admit(line.account, line.channel, line.role)
        if code:
            await self._codes.type(code, line.account, line.id)
            return [request.answer(Message("desk-opened", {"code": code.upper()}))]
        page: dict[str, str] = {"address": f"{entrance.address}/desk"}
        if request.manner.private is not Privacy.ALL:
            return [request.answer(Message("desk-elsewhere", {**page}))]
        link = entrance.address + await entrance.invite(Login(DESK, line.account, line.name))
        message = Message("desk-link-local" if entrance.is_local else "desk-link", {"address": link})
        return [replace(request.whisper(message), secret=True)]
