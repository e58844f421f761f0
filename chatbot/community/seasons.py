"""Seasons of games: a leaderboard over many tables, archived when the season ends.

A season ends after a number of days or tables, or by `!seasonend`; `!undo` reopens it.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import timedelta
from functools import partial
from math import inf
from typing import TYPE_CHECKING

from chatbot.community.ranks import last_rows, placings
from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.house_seats import HOUSE
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, Say
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Moved, Posting, instalments, more
from chatbot.ledger.changes import SEASON, Change, ChangeSet
from chatbot.ledger.seasons import SeasonEnd
from chatbot.rooms.settings.changes import Actor
from chatbot.runtime.periodic import Periodic
from chatbot.settings.community import TERMS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence

    from chatbot.community.departures import Departures
    from chatbot.community.members import CommunityMembers
    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.kit import AnyKit
    from chatbot.kernel.kit import Season as Plan
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.seasons import Seasons, SeasonState
    from chatbot.rooms.registry import Rooms
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import Watch

ATTEMPTS = 5  # to move credits whose balances change meanwhile
ARCHIVED_PLACES = 100  # of each leaderboard
RESET_REASON = "season"  # of the entries that reset balances
RESET_REASONS = RESET_REASON, more(RESET_REASON)
ANNOUNCED_PLACES = 5  # of a leaderboard, in messages to a room
CHECK_INTERVAL = 3600.0  # seconds between two checks of a room, whose settings may have changed


async def _nobody(_: Room) -> frozenset[Seat]:
    return frozenset()


class SeasonEnds:
    """Ends seasons and reopens them, each in one transaction."""

    def __init__(self, ledger: Ledger, seasons: Seasons, members: CommunityMembers, watch: Watch) -> None:
        self._ledger, self._seasons, self._members, self._watch = ledger, seasons, members, watch
        # Returns the seats of those whom starting credits that were raised today do not reach today.
        self.raisers: Callable[[Room], Awaitable[frozenset[Seat]]] = _nobody

    def automatic(self, room: Room, game: str, season: SeasonState) -> Actor:
        """Return the actor of a season that ends by its plan.

        Its id contains the time in milliseconds, for a season may end again after an undo.
        """
        instant = int(self._watch.date().timestamp() * 1000)
        return Actor(f"{RESET_REASON}:{room.id}:{game}:{season.number}:{instant}", room, HOUSE, HOUSE)

    async def close(
        self, actor: Actor, game: str, plan: Plan, number: int, *, undoes: str | None = None
    ) -> Sequence[tuple[Seat, str, int]]:
        """Archive the leaderboard, reset what the plan says, and return the places: seat, name and credits.

        Raises:
            Refusal: another season is current, the games of the room are stopped, or balances kept changing.
        """
        _require_not_stopped(actor.room)
        raisers = await self.raisers(actor.room)
        resets = partial(self._resets, actor, raisers) if plan.resets_credits else None
        change_set = self._change_set(actor, game, (number, number + 1), (), undoes)
        without = await self._members.excluded(actor.room)
        for _ in range(ATTEMPTS):
            ranking = await self._ledger.top(actor.room.community, ARCHIVED_PLACES, without)
            await self._members.learn(actor.room.community, [seat for seat, _ in ranking])
            places = [(seat, self._members.name(seat), balance) for seat, balance in ranking]
            ending = SeasonEnd(change_set, game, number, places, plan.forgets_records, resets)
            with suppress(Moved):  # on PostgreSQL a balance can change while the resets are decided
                if await self._seasons.close(ending, actor.committer) is None:
                    raise Refusal(Message("season-end-changed"))
                return places
        raise Refusal(Message("try-again"))

    async def reopen(self, actor: Actor, season_end: ChangeSet) -> tuple[SeasonState, Message | None]:
        """Undo the end of a season; return its state, and a message on credits that could not be taken back.

        What the reset has given is taken back as far as balances allow.

        Raises:
            Refusal: another season is current, the games of the room are stopped, or balances kept changing.
        """
        _require_not_stopped(actor.room)
        (change,) = season_end.changes
        game, number = change.subject, int(change.old or 0)
        gains = await self._reset_gains(actor.room, change.posting)
        for _ in range(ATTEMPTS):
            returns, shortfalls = await self._returns(actor, gains)
            change_set = self._change_set(actor, game, (number + 1, number), returns, season_end.id)
            with suppress(Moved):
                season = await self._seasons.reopen(change_set, game, number, returns, actor.committer)
                if season is None:
                    raise await self._too_late(actor.room, game, number)
                await self._members.learn(actor.room.community, list(shortfalls))
                return season, _shortfall_message(shortfalls)
        raise Refusal(Message("try-again"))

    async def _too_late(self, room: Room, game: str, number: int) -> Refusal:
        season = await self._seasons.current(room.id, game, self._watch.date())
        if season.number <= number:
            return Refusal(Message("season-undo-gone"))
        args: Arguments = {"game": Message(f"game-{game}"), "number": season.number - 1}
        return Refusal(Message("season-undo-later", args))

    def _change_set(
        self,
        actor: Actor,
        game: str,
        numbers: tuple[int, int],
        postings: Sequence[Posting],
        undoes: str | None,
    ) -> ChangeSet:
        """Return what changes the number of the current season from `numbers[0]` to `numbers[1]`."""
        old, new = map(str, numbers)
        change = Change(SEASON, game, "season", old, new, postings[0].id if postings else None)
        where = actor.room.id, actor.room.community, self._watch.date()
        return ChangeSet(actor.id, *where, actor.seat, actor.name, (change,), actor.why, undoes)

    # Credits

    def _resets(
        self, actor: Actor, raisers: Collection[Seat], ranking: Sequence[tuple[Seat, int]]
    ) -> tuple[Posting, ...]:
        """Return the posting that sets every wallet to the starting credits; empty if it would move none."""
        community, start = actor.room.community, TERMS.of(actor.room).start
        usual = min(start, TERMS.unset.value.start)
        wallets = {purses.wallet(community, seat): balance for seat, balance in ranking}
        targets = {name: usual if name.seat in raisers else start for name in wallets}
        moves = {name: targets[name] - balance for name, balance in wallets.items()}
        return self._postings(actor, moves, wallets, {name: targets[name] - usual for name in wallets})

    async def _reset_gains(self, room: Room, posting: str | None) -> Mapping[Purse, int]:
        """Return the credits that a reset has given each wallet; below 0: taken from it."""
        gains: Counter[Purse] = Counter()
        mint = purses.mint(room.community)
        for each in await self._ledger.moved(posting) if posting else ():
            if each.why in RESET_REASONS and each.source == mint:
                gains[each.target] += each.credits
            elif each.why in RESET_REASONS:
                gains[each.source] -= each.credits
        return gains

    async def _returns(
        self, actor: Actor, gains: Mapping[Purse, int]
    ) -> tuple[tuple[Posting, ...], Mapping[Seat, int]]:
        """Return the posting that reverses a reset, and the credits by seat that wallets lack for it."""
        balances = await self._ledger.balances([name for name, change in gains.items() if change > 0])
        left = {self._root(name): balance for name, balance in balances.items()}  # two may be linked by now
        moves = {name: -change for name, change in gains.items()}
        for name in balances:
            moves[name] = -min(gains[name], left[self._root(name)])
            left[self._root(name)] += moves[name]
        lacking = {name: gains[name] + moves[name] for name in balances}
        shortfalls = {name.seat: amount for name, amount in lacking.items() if amount}
        return self._postings(actor, moves, balances), shortfalls

    def _root(self, wallet: Purse) -> Seat:
        return self._members.people.ties.root(wallet.seat)

    def _postings(
        self,
        actor: Actor,
        moves: Mapping[Purse, int],
        expects: Mapping[Purse, int],
        beyond: Mapping[Purse, int] | None = None,
    ) -> tuple[Posting, ...]:
        """Return a posting that moves credits between wallets and the mint; empty if there is no entry.

        Above 0, a wallet receives credits from the mint; below 0, it returns them. What a wallet receives
        `beyond` what ships is an entry of its own.
        """
        community, entries = actor.room.community, list[Entry]()
        mint = purses.mint(community)
        for wallet, change in moves.items():
            source, target = (mint, wallet) if change > 0 else (wallet, mint)
            extra = min(max(change, 0), (beyond or {}).get(wallet, 0))
            entries += instalments(source, target, abs(change) - extra, RESET_REASON)
            entries += instalments(source, target, extra, more(RESET_REASON))
        if not entries:
            return ()
        name, now = f"{RESET_REASON}:{actor.id}", self._watch.date()
        return (Posting(name, community, now, actor.seat, tuple(entries), expects),)


class Calendar:
    """Counts finished tables, ends seasons whose limit is reached, and describes the current ones."""

    def __init__(
        self,
        ledger: Ledger,
        seasons: Seasons,
        members: CommunityMembers,
        departures: Departures,
        watch: Watch,
    ) -> None:
        self._seasons, self._members, self._watch = seasons, members, watch
        self._departures = departures
        self.ends = SeasonEnds(ledger, seasons, members, watch)

    async def count(self, table: Table) -> Sequence[Say]:
        """Count a finished table; if the season ends with it, return the leaderboard."""
        plan = table.kit.rules.season(table.game)
        if plan is None:
            return []
        room, kit = table.room, table.kit
        season = await self._seasons.count(room.id, kit.name, self._watch.date(), table.id)
        if self.left(plan, season):
            return []
        return await self.end(self.ends.automatic(room, kit.name, season), kit, plan, season.number)

    async def describe(self, room: Room, kit: AnyKit, hidden: Collection[Seat] = ()) -> Sequence[Message]:
        """Describe the current season of a game and the best places of the last one; empty without any.

        Who is `hidden` is left out.
        """
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
        messages = [Message("season-now", {**args, "limit": limits, "resets": fresh_start(plan)})]
        places = await self._seasons.last(room.id, kit.name)
        excluded = {*await self._members.excluded(room), *hidden}
        rows = (await last_rows(self._departures, room, placings(places), excluded))[:ANNOUNCED_PLACES]
        if rows:
            messages.append(Message("season-last", {"rows": Listing(rows)}))
        return messages

    async def end(
        self, actor: Actor, kit: AnyKit, plan: Plan, number: int, *, undoes: str | None = None
    ) -> Sequence[Say]:
        """End a season now, and return its leaderboard for the room.

        Raises:
            Refusal: another season is current, or the games of the room are stopped.
        """
        places = await self.ends.close(actor, kit.name, plan, number, undoes=undoes)
        rows = (await last_rows(self._departures, actor.room, places))[:ANNOUNCED_PLACES]
        args: Arguments = {
            "game": Message(f"game-{kit.name}"),
            "number": number,
            "rows": Listing(rows),
            "resets": fresh_start(plan),
        }
        return [Say(Message("season-over", args), game=kit.name, event="SeasonOver")]

    async def current(self, room: Room, kit: AnyKit) -> SeasonState:
        """Return the state of the current season of a game in a room."""
        return await self._seasons.current(room.id, kit.name, self._watch.date())

    def left(self, plan: Plan, season: SeasonState) -> float:
        """Return the seconds left of a season: 0 after its last table, infinity without a limit of days."""
        if plan.tables and season.tables >= plan.tables:
            return 0.0
        if not plan.days:
            return inf
        until = season.started_at + timedelta(days=plan.days)
        return max((until - self._watch.date()).total_seconds(), 0.0)


def plan_of(room: Room, kit: AnyKit) -> Plan | None:
    """Return the plan of a game's seasons by the settings of a room; None: the game has none."""
    return kit.rules.season(room.rules(kit))


def fresh_start(plan: Plan) -> Message:
    """Word what a new season resets."""
    if plan.resets_credits:
        return Message("season-resets-everything")
    return Message("season-resets-careers" if plan.forgets_records else "season-resets-nothing")


class Deadlines:
    """Ends seasons whose days are over, in open rooms."""

    def __init__(
        self, kits: Mapping[str, AnyKit], calendar: Calendar, rooms: Rooms, outbox: Outbox, watch: Watch
    ) -> None:
        self._kits, self._calendar, self._rooms = kits, calendar, rooms
        self._outbox, self._watch = outbox, watch
        self._checks: dict[Room, Periodic] = {}

    def add(self, room: Room) -> None:
        """Check the seasons of a room now, and whenever one may end, until the room is closed."""
        if room not in self._checks:
            self._checks[room] = Periodic(self._watch, CHECK_INTERVAL, partial(self._check, room))
            self._checks[room].start(0.0)

    async def _check(self, room: Room) -> float:
        """End what is due, and return the seconds until the next check."""
        async with room.order:
            # Its channel has joined another one, or another process runs it, which adds it by itself.
            if self._rooms.get(room.id) is not room or room.elsewhere:
                self._checks.pop(room).stop()
                return CHECK_INTERVAL
            return min([CHECK_INTERVAL, *[await self._end_due(room, kit) for kit in self._kits.values()]])

    async def _end_due(self, room: Room, kit: AnyKit) -> float:
        """End a season if its days are over; return the seconds until the next check."""
        plan = plan_of(room, kit)
        if plan is None or not plan.days or room.stopped:
            return CHECK_INTERVAL
        season = await self._calendar.current(room, kit)
        left = self._calendar.left(plan, season)
        if left:
            return left
        if not room.playing(kit.name):  # otherwise the season ends with that table
            actor = self._calendar.ends.automatic(room, kit.name, season)
            self._outbox.say(room, await self._calendar.end(actor, kit, plan, season.number))
        return CHECK_INTERVAL


def _require_not_stopped(room: Room) -> None:
    """Check that the games of a room are not stopped.

    Raises:
        Refusal: they are.
    """
    if room.stopped:
        raise Refusal(Message(room.stopped))


def _shortfall_message(shortfalls: Mapping[Seat, int]) -> Message | None:
    if not shortfalls:
        return None
    names = Listing(tuple(Message("name", {"who": Name(seat)}) for seat in shortfalls), most=5)
    return Message("season-undone-lacking", {"credits": Credits(sum(shortfalls.values())), "names": names})


def _limits(plan: Plan) -> Iterator[Message]:
    if plan.tables:
        yield Message("season-limit-tables", {"tables": plan.tables})
    if plan.days:
        yield Message("season-limit-days", {"days": plan.days})
    if not plan.tables and not plan.days:
        yield Message("season-limit-none")
