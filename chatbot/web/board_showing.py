"""Describe a room for its board, as JSON values in which every text is formatted.

Nothing is in it but what anybody may ask for in the chat. Who wants to be private is in no ranking there, and
is not named elsewhere.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.bot.commands.ranks import CREDITS, RECENT_DAYS, WATCHED
from chatbot.community.ranks import shared_places
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.say import Credits, Message
from chatbot.rooms.availability import offered
from chatbot.runtime.limits import remember
from chatbot.web.league import LeagueRow  # noqa: TC001  (of a TypedDict)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Sequence

    from chatbot.bot.bot import Bot
    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.finished_tables import FinishedTable
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.web.league import League

SHOWN, MOST_TABLES, MOST_WINNERS = 10, 12, 3  # rows of a ranking, finished tables, and winners of each
ODDS_LAST = 300.0  # seconds for which odds are shown that took up to a second to compute
REMEMBERED = 1_000  # rooms whose odds are remembered


class RankedRow(TypedDict):
    """Somebody in a ranking."""

    place: int
    name: str
    value: str


class RankingRow(TypedDict):
    """A ranking."""

    id: str
    label: str
    rows: list[RankedRow]


class AboutGameRow(TypedDict):
    """Lines about a game."""

    game: str
    title: str
    lines: list[str]


class WinnerRow(TypedDict):
    """Somebody who has gained credits at a table."""

    name: str
    credits: str
    house: bool


class FinishedRow(TypedDict):
    """A table that is over, and the address at which it can be seen again."""

    id: str
    game: str
    title: str
    closed: str  # ISO 8601
    void: bool
    players: int
    winners: list[WinnerRow]
    replay: str


class OpenRow(TypedDict):
    """A table that is being played."""

    game: str
    title: str
    players: int


class BoardRow(TypedDict):
    """All that a board shows."""

    title: str
    language: str
    tops: list[RankingRow]
    seasons: list[AboutGameRow]
    odds: list[AboutGameRow]
    playing: list[OpenRow]
    tables: list[FinishedRow]
    commitments: list[str]
    league: LeagueRow | None


@dataclass(frozen=True, slots=True)
class _Odds:
    rows: list[AboutGameRow]
    settings: tuple[object, ...]  # of the games that they were computed from
    until: float  # time of the watch


class BoardShowing:
    """Describes rooms."""

    def __init__(self, bot: Bot, league: League) -> None:
        self._bot, self._league = bot, league
        self._odds: OrderedDict[str, _Odds] = OrderedDict()

    async def describe(self, room: Room, title: str) -> BoardRow:
        """Describe a room that people call by a title."""
        parts, ties = self._bot.parts, self._bot.people.ties
        stored = await parts.hidden.all()
        hidden = stored | {ties.root(each) for each in stored}
        tables = await parts.finished_tables.last(room.id, list(parts.kits), MOST_TABLES)
        await parts.members.learn(room.community, [seat for each in tables for seat in each.gains])
        anonymous = parts.outbox.text(Message("board-somebody"), room=room)

        def name(seat: Seat) -> str:
            return anonymous if ties.root(seat) in hidden else parts.members.name(seat)

        outbox = parts.outbox.with_names(name)
        return {
            "title": title,
            "language": outbox.languages.language(room),
            "tops": [each async for each in self._tops(outbox, room, hidden)],
            "seasons": await self._seasons(outbox, room, hidden),
            "odds": await self._odds_of(outbox, room),
            "playing": [open_row(outbox, each) for each in room.tables.values() if not each.over],
            "tables": [self._finished(outbox, room, each) for each in tables],
            "commitments": [outbox.text(each, room=room) for each in parts.fairness.published(room)],
            "league": await self._league.describe(room),
        }

    async def _tops(self, outbox: Outbox, room: Room, hidden: Collection[Seat]) -> AsyncIterator[RankingRow]:
        """Yield the rankings in which there is anybody."""
        for ranking in (CREDITS, *self._bot.parts.kits, WATCHED):
            best = await self._bot.parts.ranks.best(room, ranking, SHOWN, hidden)
            if best.rows:
                await self._bot.parts.members.learn(room.community, [seat for seat, _ in best.rows])
                yield _ranking(outbox, room, ranking, best.rows)

    async def _seasons(self, outbox: Outbox, room: Room, hidden: Collection[Seat]) -> list[AboutGameRow]:
        rows = []
        for kit in self._bot.parts.kits.values():
            messages = await self._bot.parts.calendar.describe(room, kit, hidden)
            if messages:
                rows.append(_about(outbox, room, kit, messages))
        return rows

    async def _odds_of(self, outbox: Outbox, room: Room) -> list[AboutGameRow]:
        """Return what comes back of stakes in each game; computed anew after a time, or if rules changed."""
        kits = [kit for kit in self._bot.parts.kits.values() if kit.money.odds and offered(room, kit)]
        settings = (outbox.languages.language(room), *(room.rules(kit) for kit in kits))
        cached, now = self._odds.get(room.id), self._bot.watch.now()
        if cached is not None and cached.settings == settings and now < cached.until:
            return cached.rows
        rows = [
            _about(
                outbox, room, kit, [Message("word", {"word": await self._bot.parts.odds.payback(room, kit)})]
            )
            for kit in kits
        ]
        remember(self._odds, room.id, _Odds(rows, settings, now + ODDS_LAST), REMEMBERED)
        return rows

    def _finished(self, outbox: Outbox, room: Room, table: FinishedTable) -> FinishedRow:
        gains = sorted(table.gains.items(), key=lambda each: (-each[1], each[0]))
        return {
            "id": table.id,
            "game": table.game,
            "title": outbox.text(Message(f"game-{table.game}"), room=room),
            "closed": table.closed_at.isoformat(),
            "void": table.is_void,
            "players": len(gains),
            "winners": [
                {"name": outbox.name(seat, room), "credits": f"+{gain:,d}", "house": of_house(seat)}
                for seat, gain in gains[:MOST_WINNERS]
                if gain > 0
            ],
            "replay": self._bot.parts.replay_ids.path(table.id),
        }


def open_row(outbox: Outbox, table: Table) -> OpenRow:
    return {
        "game": table.kit.name,
        "title": outbox.text(Message(f"game-{table.kit.name}"), room=table.room),
        "players": len(table.players()),
    }


def _ranking(outbox: Outbox, room: Room, ranking: str, rows: Sequence[tuple[Seat, int]]) -> RankingRow:
    places = shared_places([number for _, number in rows])
    if ranking in {CREDITS, WATCHED}:
        label = Message(f"board-top-{ranking}")
    else:
        label = Message("board-top-won", {"game": Message(f"game-{ranking}"), "days": RECENT_DAYS})
    return {
        "id": ranking,
        "label": outbox.text(label, room=room),
        "rows": [
            {
                "place": place,
                "name": outbox.name(seat, room),
                "value": outbox.text(_value(ranking, number), room=room),
            }
            for place, (seat, number) in zip(places, rows, strict=True)
        ],
    }


def _value(ranking: str, number: int) -> Message:
    if ranking == WATCHED:
        hours, minutes = divmod(number, 60)
        return Message("board-watched", {"hours": hours, "minutes": minutes})
    return Message("amount", {"credits": Credits(number)})


def _about(outbox: Outbox, room: Room, kit: AnyKit, messages: Sequence[Message]) -> AboutGameRow:
    return {
        "game": kit.name,
        "title": outbox.text(Message(f"game-{kit.name}"), room=room),
        "lines": [outbox.text(each, room=room) for each in messages],
    }
