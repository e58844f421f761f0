"""Seasons: a game's tournament over many tables, its archived leaderboard, and what begins afresh."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from chatbot.kernel.say import Arguments, Credits, Listing, Message, Quote, Say
from chatbot.live.choices import game_of
from chatbot.wallets import accounts
from chatbot.wallets.posting import Entry, Moved, Posting, instalments

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import Kit
    from chatbot.kernel.kit import Season as Plan
    from chatbot.live.guests import Guests
    from chatbot.live.room import Room
    from chatbot.live.table import Table
    from chatbot.live.watch import Watch
    from chatbot.wallets.ledger import Ledger
    from chatbot.wallets.seasons import Season, Seasons

EVERYBODY = 10**9
ARCHIVED = 100  # places that the archive keeps
TOLD = 5  # places that the chat is told


class Calendar:
    """Counts finished tables, and ends a season when its time has come."""

    def __init__(self, ledger: Ledger, seasons: Seasons, guests: Guests, watch: Watch) -> None:
        self._ledger, self._seasons, self._guests, self._watch = ledger, seasons, guests, watch

    async def count(self, table: Table) -> Sequence[Say]:
        """Count a finished table; say the leaderboard if the season ends with it."""
        plan = table.kit.season(table.game)
        if plan is None:
            return []
        room, now = table.room, self._watch.date()
        season = await self._seasons.count(room.id, table.kit.name, now, table.id)
        if not _ended(plan, season, now):
            return []
        return [await self._end(table, plan, season)]

    async def describe(self, room: Room, kit: Kit) -> Sequence[Message]:
        """Say where the present season of a game stands, and who won the last one."""
        plan = kit.season(game_of(kit, room.settings(kit.name)))
        if plan is None:
            return []
        season = await self._seasons.current(room.id, kit.name, self._watch.date())
        args: Arguments = {
            "game": Message(f"game-{kit.name}"),
            "number": season.number,
            "tables": season.tables,
        }
        limits = Listing(tuple(_limits(plan)), separator="; ")
        told = [Message("season-now", {**args, "limit": limits, "resets": _fresh_start(plan)})]
        places = await self._seasons.last(room.id, kit.name)
        if places:
            rows = tuple(_row(each.place, each.name, each.credits) for each in places[:TOLD])
            told.append(Message("season-last", {"rows": Listing(rows)}))
        return told

    async def _end(self, table: Table, plan: Plan, season: Season) -> Say:
        room, name = table.room, table.kit.name
        places = await self._close(room, name, plan, season)
        rows = tuple(_row(place, who, held) for place, (_, who, held) in enumerate(places[:TOLD], 1))
        args: Arguments = {
            "game": Message(f"game-{name}"),
            "number": season.number,
            "rows": Listing(rows),
            "resets": _fresh_start(plan),
        }
        return Say(Message("season-over", args), game=name, event="SeasonOver")

    async def _close(
        self, room: Room, game: str, plan: Plan, season: Season
    ) -> Sequence[tuple[Seat, str, int]]:
        """Archive the leaderboard and begin afresh what the plan says, all in one; give the places."""
        while True:
            ranked = await self._ledger.top(room.community, EVERYBODY)
            await self._guests.learn(room.community, [seat for seat, _ in ranked[:ARCHIVED]])
            places = [(seat, self._guests.name(seat), held) for seat, held in ranked[:ARCHIVED]]
            resets = self._resets(room, f"season:{room.id}:{game}:{season.number}", ranked)
            try:
                await self._seasons.close(
                    room.id,
                    game,
                    places,
                    self._watch.date(),
                    forgets=plan.forgets_records,
                    resets=resets if plan.resets_credits else None,
                )
            except Moved:
                continue  # somebody was given something since the ranking was read
            return places

    def _resets(self, room: Room, posting: str, ranked: Sequence[tuple[Seat, int]]) -> Posting:
        """Bring every wallet back to what newcomers start with."""
        community, start = room.community, room.habits.start_credits
        mint, expects, entries = accounts.mint(community), {}, list[Entry]()
        for seat, held in ranked:
            wallet = accounts.wallet(community, seat)
            expects[wallet] = held
            source, target = (mint, wallet) if held < start else (wallet, mint)
            entries += instalments(source, target, abs(start - held), "season")
        return Posting(posting, community, self._watch.date(), entries=tuple(entries), expects=expects)


def _ended(plan: Plan, season: Season, now: datetime) -> bool:
    if plan.tables and season.tables >= plan.tables:
        return True
    return bool(plan.days) and now >= season.started_at + timedelta(days=plan.days)


def _limits(plan: Plan) -> Iterator[Message]:
    if plan.tables:
        yield Message("season-limit-tables", {"tables": plan.tables})
    if plan.days:
        yield Message("season-limit-days", {"days": plan.days})
    if not plan.tables and not plan.days:
        yield Message("season-limit-none")


def _fresh_start(plan: Plan) -> Message:
    """Say what begins afresh with a new season."""
    if plan.resets_credits:
        return Message("season-resets-everything")
    return Message("season-resets-careers" if plan.forgets_records else "season-resets-nothing")


def _row(place: int, name: str, held: int) -> Message:
    """Word a place of an archive, which keeps the name of its day."""
    return Message("top-row", {"place": place, "who": Quote(name), "balance": Credits(held)})
