"""Read members of a room: who they are, what they have, what moved it, and who has most."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  (pydantic reads it)
from typing import TYPE_CHECKING

from pydantic import Field
from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.bot.commands.ranks import CREDITS, WATCHED
from chatbot.community.members import Unknown
from chatbot.community.ranks import shared_places
from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.kit import find_kit
from chatbot.kernel.say import Message
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import GIFT
from chatbot.ledger.members import LAST, Members
from chatbot.rooms.request import at_least
from chatbot.settings.community import TERMS
from chatbot.speech import titles
from chatbot.web.api.endpoints import Call, Endpoint, EndpointQuery
from chatbot.web.tokens import READ

if TYPE_CHECKING:
    from chatbot.bot.bot import Bot
    from chatbot.ledger.books.history import Movement

ME = "me"
"""In an address, the member who calls."""


class MemberRow(TypedDict):
    """A member; `seat` is an opaque id, the same in all answers and events."""

    seat: str
    name: str


class WalletRow(MemberRow):
    """What a member has, and the title that it gives here."""

    credits: int
    title: str | None


class WalletTransfer(TypedDict):
    """What moved a wallet at once, or at one table, or on a day; reasons of an open table are not told.

    `text` says what it was for, in the words of the chat.
    """

    at: datetime
    text: str
    credits: int
    balance: int
    reasons: dict[str, int]
    game: str | None
    table: str | None
    open: bool
    partner: MemberRow | None


class PlacedRow(MemberRow):
    """A place in a ranking; `gone`: they have left."""

    place: int
    amount: int
    gone: bool


class MemberSearch(EndpointQuery):
    """Whose name begins how, and after which name the page begins."""

    prefix: str = Field("", max_length=100, description="How the name begins; case does not matter.")
    after: str = Field("", max_length=100, description="The last name of the page before.")
    after_seat: str = Field("", max_length=100, description="Its seat, without which namesakes are left out.")
    count: int = Field(20, ge=1, le=100, description="Members in this page.")


class HistoryPage(EndpointQuery):
    """How many movements."""

    count: int = Field(20, ge=1, le=100, description="Movements, the newest first.")


class TopPage(EndpointQuery):
    """By what is ranked."""

    by: str = Field(CREDITS, max_length=50, description="`credits`, `watched`, or the name of a game.")
    count: int = Field(20, ge=1, le=100, description="Places.")


class MemberEndpoints:
    """Describes members as chat tells of them."""

    def __init__(self, bot: Bot) -> None:
        self._bot, self._members = bot, bot.members
        self._names = Members(bot.parts.store)

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        return [
            Endpoint(
                "GET",
                "/members",
                "Find members by the beginning of their names.",
                self._search,
                list[MemberRow],
                scope=READ,
                query=MemberSearch,
                least=Role.MODERATOR,
            ),
            Endpoint(
                "GET",
                "/members/{seat}/wallet",
                "Read what a member has; `me` is who calls.",
                self._wallet,
                WalletRow,
                word="credits",
                scope=READ,
            ),
            Endpoint(
                "GET",
                "/members/{seat}/transfers",
                "Read what moved the credits of a member; those of others take a moderator.",
                self._transfers,
                list[WalletTransfer],
                word="history",
                scope=READ,
                query=HistoryPage,
            ),
            Endpoint(
                "GET",
                "/top",
                "Read who has most, watched longest, or won most at a game lately.",
                self._top,
                list[PlacedRow],
                word="top",
                scope=READ,
                query=TopPage,
            ),
        ]

    async def _search(self, call: Call) -> list[MemberRow]:
        query: MemberSearch = call.query
        page = query.prefix, query.count, query.after, query.after_seat or LAST
        members = await self._names.beginning(call.room.community, *page)
        return [{"seat": each.seat, "name": each.name} for each in members]

    async def _seat(self, call: Call) -> Seat:
        """Return the member of an address, by their present wallet.

        Raises:
            Refusal: there is none.
        """
        named = call.path["seat"]
        if named == ME and not call.principal.is_operator:
            await self._bot.people.meet([call.principal.account])
            return self._members.people.ties.root(self._members.seat(call.principal.account))
        if not await self._names.names(call.room.community, [Seat(named)]):
            raise Unknown(named)
        await self._members.learn(call.room.community, [Seat(named)])
        return self._members.people.ties.root(Seat(named))

    async def _wallet(self, call: Call) -> WalletRow:
        seat = await self._seat(call)
        balance = await self._bot.ledger.balance(purses.wallet(call.room.community, seat))
        title, _ = titles.find(TERMS.of(call.room).ranks, balance)
        return {**self._row(seat), "credits": balance, "title": None if title is None else title.name}

    async def _transfers(self, call: Call) -> list[WalletTransfer]:
        seat = await self._seat(call)
        if not call.standing.role.covers(Role.MODERATOR) and seat != await self._own(call):
            raise Refusal(Message("history-others", {"role": at_least(Role.MODERATOR)}))
        wallet = purses.wallet(call.room.community, seat)
        movements = await self._bot.parts.histories.newest(wallet, call.query.count)
        partners = [each.partner.seat for each in movements if GIFT in each.whys]
        await self._members.learn(call.room.community, partners)
        return [self._transfer(call, each) for each in movements]

    async def _own(self, call: Call) -> Seat:
        return await self._seat(Call(call.principal, call.room, call.standing, {"seat": ME}, None, None))

    def _transfer(self, call: Call, movement: Movement) -> WalletTransfer:
        return {
            "at": movement.at,
            "text": self._bot.outbox.text(self._bot.parts.history.what(movement), room=call.room),
            "credits": movement.credits,
            "balance": movement.balance,
            "reasons": {} if movement.open else dict(movement.whys),
            "game": movement.game,
            "table": movement.table,
            "open": movement.open,
            "partner": self._row(movement.partner.seat) if GIFT in movement.whys else None,
        }

    async def _top(self, call: Call) -> list[PlacedRow]:
        query: TopPage = call.query
        kit = find_kit(self._bot.kits, query.by.lower())
        if kit is None and query.by not in {CREDITS, WATCHED}:
            raise Refusal(Message("top-none"))
        by = query.by if kit is None else kit.name
        ranking = await self._bot.parts.ranks.best(call.room, by, query.count)
        await self._members.learn(call.room.community, [seat for seat, _ in ranking.rows])
        places = shared_places([amount for _, amount in ranking.rows])
        return [
            {**self._row(seat), "place": place, "amount": amount, "gone": seat in ranking.gone}
            for place, (seat, amount) in zip(places, ranking.rows, strict=True)
        ]

    def _row(self, seat: Seat) -> MemberRow:
        return {"seat": seat, "name": self._members.name(seat)}
