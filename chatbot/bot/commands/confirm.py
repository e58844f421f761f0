"""The command `!confirm`, which does what waits for the consent of its sender."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chatbot.bot.arguments import MemberName
from chatbot.bot.command import command
from chatbot.kernel.say import Say
from chatbot.rooms.request import Request
from chatbot.rooms.scopes import PERSON

if TYPE_CHECKING:
    from chatbot.community.confirmations import Confirmations


class ConfirmCommand:
    """Answers `!confirm`."""

    def __init__(self, confirmations: Confirmations) -> None:
        self._confirmations = confirmations

    @command("confirm", agrees=True, scope=PERSON)
    async def confirm(self, request: Request, member: MemberName = "") -> Sequence[Say]:
        return await self._confirmations.confirm(request, member)
