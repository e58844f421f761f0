"""The calendar: a game's seasons over many tables, their archived leaderboards, and what begins afresh."""

from __future__ import annotations

from datetime import timedelta
from math import inf
from typing import TYPE_CHECKING

from chatbot.community.seasons.ends import SeasonEnds
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Quote, Say
from chatbot.settings.room import rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.community.members import CommunityMembers
    from chatbot.kernel.kit import AnyKit
    from chatbot.kernel.kit import Season as Plan
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.seasons import Seasons, SeasonState
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.room import Room
    from chatbot.settings.changes import Actor
    from chatbot.tables.table import Table

TOLD = 5  # places that the chat is told


class Calendar:
    """Counts finished tables, and ends a season when its time has come."""

    def __init__(self, ledger: Ledger, seasons: Seasons, guests: CommunityMembers, watch: Watch) -> None:
        self._seasons, self._watch = seasons, watch
        self.ends = SeasonEnds(ledger, seasons, guests, watch)

    async def count(self, table: Table) -> Sequence[Say]:
        """Count a finished table; say the leaderboard if the season ends with it."""
        plan = table.kit.season(table.game)
        if plan is None:
            return []
        room, kit = table.room, table.kit
        season = await self._seasons.count(room.id, kit.name, self._watch.date(), table.id)
        if self.left(plan, season):
            return []
        return await self.end(self.ends.of_itself(room, kit.name, season), kit, plan, season.number)

    async def describe(self, room: Room, kit: AnyKit) -> Sequence[Message]:
        """Say where the present season of a game stands, and who won the last one."""
        plan = plan_of(room, kit)
        if plan is None:
            return []
        season = await self.current(room, kit)
        args: Arguments = {
            "game": Message(f"game-{kit.name}"),
            "number": season.number,
            "tables": season.tables,
        }
        limits = Listing(tuple(_limits(plan)), separator="; ")
        told = [Message("season-now", {**args, "limit": limits, "resets": fresh_start(plan)})]
        places = await self._seasons.last(room.id, kit.name)
        if places:
            rows = tuple(_row(each.place, each.name, each.credits) for each in places[:TOLD])
            told.append(Message("season-last", {"rows": Listing(rows)}))
        return told

    async def end(
        self, hand: Actor, kit: AnyKit, plan: Plan, number: int, *, undoes: str | None = None
    ) -> Sequence[Say]:
        """End a season now, and tell everybody.

        Raises:
            Refusal: it is not that season any more.
        """
        places = await self.ends.close(hand, kit.name, plan, number, undoes=undoes)
        rows = tuple(_row(place, who, held) for place, (_, who, held) in enumerate(places[:TOLD], 1))
        args: Arguments = {
            "game": Message(f"game-{kit.name}"),
            "number": number,
            "rows": Listing(rows),
            "resets": fresh_start(plan),
        }
        return [Say(Message("season-over", args), game=kit.name, event="SeasonOver")]

    async def current(self, room: Room, kit: AnyKit) -> SeasonState:
        return await self._seasons.current(room.id, kit.name, self._watch.date())

    def left(self, plan: Plan, season: SeasonState) -> float:
        """Tell how many seconds of a season are left; none where it has seen all its tables."""
        if plan.tables and season.tables >= plan.tables:
            return 0.0
        if not plan.days:
            return inf
        until = season.started_at + timedelta(days=plan.days)
        return max((until - self._watch.date()).total_seconds(), 0.0)


def plan_of(room: Room, kit: AnyKit) -> Plan | None:
    """Tell when a game's seasons end, as a room's settings have it now."""
    return kit.season(rules_of(room, kit))


def _limits(plan: Plan) -> Iterator[Message]:
    if plan.tables:
        yield Message("season-limit-tables", {"tables": plan.tables})
    if plan.days:
        yield Message("season-limit-days", {"days": plan.days})
    if not plan.tables and not plan.days:
        yield Message("season-limit-none")


def fresh_start(plan: Plan) -> Message:
    """Say what begins afresh with a new season."""
    if plan.resets_credits:
        return Message("season-resets-everything")
    return Message("season-resets-careers" if plan.forgets_records else "season-resets-nothing")


def _row(place: int, name: str, held: int) -> Message:
    """Word a place of an archive, which keeps the name of its day."""
    return Message("top-row", {"place": place, "who": Quote(name), "balance": Credits(held)})
