"""The command `!credits`, which tells the balance of a member."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chatbot.bot.arguments import MemberName
from chatbot.bot.command import command
from chatbot.kernel.say import Arguments, Credits, Message, Name, Quote, Say
from chatbot.ledger.books import purses
from chatbot.rooms.request import Request
from chatbot.settings.community import TERMS
from chatbot.speech import titles

if TYPE_CHECKING:
    from chatbot.community.members import CommunityMembers


class CreditsCommand:
    """Answers `!credits`."""

    def __init__(self, members: CommunityMembers) -> None:
        self._members = members

    @command("credits", reads=True)
    async def credits(self, request: Request, member: MemberName = "") -> Sequence[Say]:
        seat = await self._members.find_wallet(request, member) if member else request.line.seat
        balance = await request.batch.unit.written_balance(purses.wallet(request.room.community, seat))
        title, _ = titles.find(TERMS.of(request.room).ranks, balance)
        args: Arguments = {"who": Name(seat), "balance": Credits(balance)}
        if title is None:
            return [request.answer(Message("credits-of", args))]
        return [request.answer(Message("credits-of-ranked", {**args, "rank": Quote(title.name)}))]
