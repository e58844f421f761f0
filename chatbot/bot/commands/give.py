"""The command `!give`, by which members give credits to each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from chatbot.bot.arguments import AmountText, MemberName, offering
from chatbot.bot.command import command
from chatbot.community.members import Unknown
from chatbot.kernel.amounts import read_amount, require_whole_groups
from chatbot.kernel.say import Arguments, Credits, Message, Name, Say
from chatbot.rooms.request import NOTICE, Request
from chatbot.rooms.scopes import GIVE

if TYPE_CHECKING:
    from chatbot.community.giving import Giving
    from chatbot.community.members import CommunityMembers
    from chatbot.kernel.game import Seat

SHARES = "10", "50", "100", "25%", "half", "all"
"""Amounts that are suggested for `!give` and `!take`."""


class GiveCommand:
    """Answers `!give`."""

    def __init__(self, giving: Giving, members: CommunityMembers) -> None:
        self._giving, self._members = giving, members

    @command("give", bare=True, scope=GIVE)
    async def give(
        self, request: Request, member: MemberName, amount: Annotated[AmountText, offering(*SHARES)]
    ) -> Sequence[Say]:
        giver = self._members.people.ties.root(request.line.seat)
        taker = await self._find_taker(request, member, amount)
        gift = await self._giving.give(request, giver, taker, amount)
        if not gift:
            return []  # the line was delivered again, and was answered the first time
        args: Arguments = {"who": Name(giver), "taker": Name(taker), "amount": Credits(gift)}
        answer = request.answer(Message("given", args))
        # If the answer is private, the recipient gets it too.
        return [answer, replace(answer, to=taker, event=NOTICE)] if answer.to else [answer]

    async def _find_taker(self, request: Request, member: str, amount: str) -> Seat:
        """Find who is given to; an invalid amount is refused before they are looked up."""
        if amount.strip("0"):
            read_amount(amount, 0)
        try:
            taker = await self._members.find(request, member)
        except Unknown:
            words = *member.split(), amount
            for place in range(1, len(words) - 1):  # that is more likely than a name with a number
                require_whole_groups(words[place:])
            raise
        read_amount(amount, 0)
        return taker
