"""The members of a room for its moderators: what they have, and balances that wait for a name."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  (pydantic reads it)
from typing import TYPE_CHECKING

from pydantic import Field
from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.community.members import Unknown
from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.say import Message
from chatbot.ledger.books import purses
from chatbot.ledger.imports import placeholders
from chatbot.ledger.members import LAST, Members
from chatbot.rooms.settings.lists import barred, regular
from chatbot.settings.community import TERMS
from chatbot.speech import titles
from chatbot.web.api.endpoints import Call, Endpoint, EndpointQuery
from chatbot.web.api.members import MemberRow
from chatbot.web.tokens import READ

if TYPE_CHECKING:
    from chatbot.bot.bot import Bot
    from chatbot.ledger.people import Account


MOST_NAMED = 100  # of those whom a payment to many would reach


class DeskMemberRow(MemberRow):
    """A member as a list shows them."""

    credits: int
    seen_at: datetime


class WaitingRow(TypedDict):
    """Credits that wait until somebody of this login is seen on a platform."""

    platform: str
    name: str
    credits: int


class DeskMember(MemberRow):
    """A member with what is known of them; `minutes` of the stream were watched.

    `accounts` are platforms with the ids there. A moderator has put `regular` ones on a list, and `excluded`
    ones earn nothing and have no place. `wallet` is the seat whose wallet they use: their own, unless they
    are linked.
    """

    wallet: str
    credits: int
    title: str | None
    accounts: list[str]
    seen_at: datetime | None
    first_at: datetime | None
    minutes: int
    messages: int
    regular: bool
    excluded: bool
    own: bool


class CrowdRow(TypedDict):
    """Whom a payment to many would reach now: how many, and the names of the first of them."""

    count: int
    names: list[str]


class DeskMemberSearch(EndpointQuery):
    """Whose name begins how, and after whom the page begins."""

    prefix: str = Field("", max_length=100, description="How the name begins; case does not matter.")
    after: str = Field("", max_length=100, description="The last name of the page before.")
    after_seat: str = Field("", max_length=100, description="Its seat.")
    count: int = Field(20, ge=1, le=100, description="Members in this page.")


class WaitingSearch(EndpointQuery):
    """Whose login begins how, and after whom the page begins."""

    prefix: str = Field("", max_length=100, description="How the login begins.")
    platform: str = Field("twitch", max_length=30, description="Of which platform.")
    after: str = Field("", max_length=100, description="The last login of the page before.")
    count: int = Field(20, ge=1, le=100, description="Balances in this page.")


class DeskMemberEndpoints:
    """Describes members as moderators see them."""

    def __init__(self, bot: Bot) -> None:
        self._bot, self._members = bot, bot.members
        self._names = Members(bot.parts.store)

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        return [
            Endpoint(
                "GET",
                "/desk/members",
                "Find members with their credits by the beginning of their names.",
                self._search,
                list[DeskMemberRow],
                scope=READ,
                query=DeskMemberSearch,
                least=Role.MODERATOR,
            ),
            Endpoint(
                "GET",
                "/desk/members/{seat}",
                "Read what is known of a member.",
                self._show,
                DeskMember,
                scope=READ,
                least=Role.MODERATOR,
            ),
            Endpoint(
                "GET",
                "/desk/waiting",
                "Find balances that wait until somebody of a name is seen.",
                self._waiting,
                list[WaitingRow],
                scope=READ,
                query=WaitingSearch,
                least=Role.MODERATOR,
            ),
            Endpoint(
                "GET",
                "/desk/crowds/{crowd}",
                "Read whom a payment to many would reach: those who are `here`, or `regulars`.",
                self._crowd,
                CrowdRow,
                scope=READ,
                least=Role.MODERATOR,
            ),
        ]

    async def _crowd(self, call: Call) -> CrowdRow:
        """Name those whom a payment would reach.

        Raises:
            Refusal: there is nobody, there are too many, or a crowd is not known.
        """
        people = self._members.people
        await people.settle([call.principal.account])
        sender, crowds = people.home(call.principal.account), self._bot.parts.crowds
        if call.path["crowd"] == "here":
            seats = await crowds.present(call.room, sender)
        elif call.path["crowd"] == "regulars":
            seats = await crowds.regulars(call.room, sender)
        else:
            raise Refusal(Message("crowd-unknown", {"known": "here, regulars"}))
        named = seats[:MOST_NAMED]
        return {"count": len(seats), "names": [self._members.name(each) for each in named]}

    async def _search(self, call: Call) -> list[DeskMemberRow]:
        query: DeskMemberSearch = call.query
        page = query.prefix, query.count, query.after, query.after_seat or LAST
        members = await self._names.beginning(call.room.community, *page)
        wallets = {each.seat: purses.wallet(call.room.community, each.seat) for each in members}
        balances = await self._bot.ledger.balances(list(wallets.values()))
        return [
            {
                "seat": each.seat,
                "name": each.name,
                "credits": balances[wallets[each.seat]],
                "seen_at": each.seen_at,
            }
            for each in members
        ]

    async def _show(self, call: Call) -> DeskMember:
        """Describe a member.

        Raises:
            Unknown: there is none of this seat.
        """
        room, seat = call.room, Seat(call.path["seat"])
        known = await self._names.known(room.community, seat)
        if known is None:
            raise Unknown(seat)
        await self._members.learn(room.community, [seat])
        root = self._members.people.ties.root(seat)
        balance = await self._bot.ledger.balance(purses.wallet(room.community, seat))
        visits = (await self._bot.parts.presence.several(room.community, [root])).get(root)
        title, _ = titles.find(TERMS.of(room).ranks, balance)
        accounts = self._members.people.accounts(seat)
        return {
            "seat": seat,
            "name": known.name,
            "wallet": root,
            "credits": balance,
            "title": None if title is None else title.name,
            "accounts": [str(each) for each in accounts],
            "seen_at": known.seen_at,
            "first_at": None if visits is None else visits.first_at,
            "minutes": 0 if visits is None else visits.minutes,
            "messages": 0 if visits is None else visits.messages,
            "regular": regular(room, accounts),
            "excluded": barred(room, seat, self._members.people.ever(seat), known.name),
            "own": self._is_own(call, accounts),
        }

    def _is_own(self, call: Call, accounts: list[Account]) -> bool:
        return not call.principal.is_operator and call.principal.account in accounts

    async def _waiting(self, call: Call) -> list[WaitingRow]:
        query: WaitingSearch = call.query
        holder = self._members.people.ties.community(call.room.community)
        page = query.platform, query.prefix, query.count, query.after
        async with self._bot.parts.store.reading() as connection:
            balances = await placeholders.waiting_in(connection, holder, *page)
        return [{"platform": each.platform, "name": each.login, "credits": each.credits} for each in balances]
