"""The command `!credits`, which tells the balance of a member."""

from __future__ import annotations

from collections.abc import Sequence

from chatbot.bot.arguments import KnownMember
from chatbot.bot.command import command
from chatbot.kernel.say import Arguments, Credits, Message, Name, Quote, Say
from chatbot.ledger.books import purses
from chatbot.rooms.request import Request
from chatbot.settings.community import TERMS
from chatbot.speech import titles


class CreditsCommand:
    """Answers `!credits`."""

    @command("credits", reads=True)
    async def credits(self, request: Request, member: KnownMember | None = None) -> Sequence[Say]:
        seat = member or request.line.seat
        balance = await request.batch.unit.written_balance(purses.wallet(request.room.community, seat))
        title, _ = titles.find(TERMS.of(request.room).ranks, balance)
        args: Arguments = {"who": Name(seat), "balance": Credits(balance)}
        if title is None:
            return [request.answer(Message("credits-of", args))]
        return [request.answer(Message("credits-of-ranked", {**args, "rank": Quote(title.name)}))]
