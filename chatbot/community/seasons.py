"""Seasons of games over many tables: leaderboards at each end, which comes on time, early, or is undone."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from functools import partial
from math import inf
from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.kit import HOUSE, called
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, Quote, Say
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Moved, Posting, instalments
from chatbot.ledger.changes import SEASON, Change, Deed
from chatbot.ledger.seasons import SeasonEnd
from chatbot.rooms.request import Request, Service, game_option, reasoned
from chatbot.settings.changes import Actor
from chatbot.settings.community import TERMS
from chatbot.settings.room import rules_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from chatbot.community.members import CommunityMembers
    from chatbot.kernel.kit import AnyKit
    from chatbot.kernel.kit import Season as Plan
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.seasons import Seasons, SeasonState
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.confirmations import Confirmations
    from chatbot.rooms.room import Room
    from chatbot.speech.outbox import Outbox
    from chatbot.tables.table import Table

EVERYBODY = 10**9
ARCHIVED = 100  # places that the archive keeps
WHY = "season"  # of the entries that begin afresh

TOLD = 5  # places that the chat is told

HOUR = 3600.0  # seconds after which a room is looked at again, for its settings may have changed

WORD = "seasonend"  # people write it in two words


class SeasonEnds:
    def __init__(self, ledger: Ledger, seasons: Seasons, members: CommunityMembers, watch: Watch) -> None:
        self._ledger, self._seasons, self._members, self._watch = ledger, seasons, members, watch

    def of_itself(self, room: Room, game: str, season: SeasonState) -> Actor:
        """Make the hand of a season that ends because its time has come; it may end again after an undo."""
        instant = int(self._watch.date().timestamp() * 1000)
        return Actor(f"{WHY}:{room.id}:{game}:{season.number}:{instant}", room, HOUSE, HOUSE)

    async def close(
        self, hand: Actor, game: str, plan: Plan, number: int, *, undoes: str | None = None
    ) -> Sequence[tuple[Seat, str, int]]:
        """Archive the leaderboard and begin afresh what the plan says; give the places.

        Raises:
            Refusal: it is not that season any more, or nothing is played in the room now.
        """
        _require_going(hand.room)
        while True:
            ranked = await self._ledger.top(hand.room.community, EVERYBODY)
            await self._members.learn(hand.room.community, [seat for seat, _ in ranked[:ARCHIVED]])
            places = [(seat, self._members.name(seat), held) for seat, held in ranked[:ARCHIVED]]
            resets = self._resets(hand, ranked) if plan.resets_credits else ()
            deed = self._deed(hand, game, (number, number + 1), resets, undoes)
            ending = SeasonEnd(deed, game, number, places, plan.forgets_records, resets)
            try:
                if await self._seasons.close(ending) is None:
                    raise Refusal(Message("season-end-changed"))
            except Moved:
                continue  # somebody was given something since the ranking was read
            return places

    async def reopen(self, hand: Actor, done: Deed) -> tuple[SeasonState, Message | None]:
        """Take an end back; what the new season gave goes back as far as it is there, and the rest is told.

        Raises:
            Refusal: another season is on by now, or nothing is played in the room.
        """
        _require_going(hand.room)
        (change,) = done.changes
        game, number = change.subject, int(change.old or 0)
        given = await self._given(hand.room, change.posting)
        while True:
            returns, lacking = await self._returns(hand, given)
            deed = self._deed(hand, game, (number + 1, number), returns, done.id)
            try:
                season = await self._seasons.reopen(deed, game, number, returns)
            except Moved:
                continue
            if season is None:
                raise await self._too_late(hand.room, game, number)
            return season, _lacking(lacking)

    async def _too_late(self, room: Room, game: str, number: int) -> Refusal:
        season = await self._seasons.current(room.id, game, self._watch.date())
        if season.number <= number:
            return Refusal(Message("season-undo-gone"))
        args: Arguments = {"game": Message(f"game-{game}"), "number": season.number - 1}
        return Refusal(Message("season-undo-later", args))

    def _deed(
        self,
        hand: Actor,
        game: str,
        numbers: tuple[int, int],
        postings: Sequence[Posting],
        undoes: str | None,
    ) -> Deed:
        """Note the number of the season that was on, of the one that is, and what moved the credits."""
        old, new = map(str, numbers)
        change = Change(SEASON, game, "season", old, new, postings[0].id if postings else None)
        where = hand.room.id, hand.room.community, self._watch.date()
        return Deed(hand.id, *where, hand.seat, hand.name, (change,), hand.why, undoes)

    # Credits

    def _resets(self, hand: Actor, ranked: Sequence[tuple[Seat, int]]) -> tuple[Posting, ...]:
        """Bring every wallet back to what newcomers start with."""
        community, start = hand.room.community, TERMS.of(hand.room).start
        wallets = {purses.wallet(community, seat): held for seat, held in ranked}
        return self._moved(hand, {name: start - held for name, held in wallets.items()}, wallets)

    async def _given(self, room: Room, posting: str | None) -> Mapping[Purse, int]:
        """Tell what a new season has given each wallet; below 0: taken."""
        given: Counter[Purse] = Counter()
        mint = purses.mint(room.community)
        for each in await self._ledger.moved(posting) if posting else ():
            if each.why == WHY and each.source == mint:
                given[each.target] += each.credits
            elif each.why == WHY:
                given[each.source] -= each.credits
        return given

    async def _returns(
        self, hand: Actor, given: Mapping[Purse, int]
    ) -> tuple[tuple[Posting, ...], Mapping[Seat, int]]:
        """Move back what was given and taken, and tell what is not there any more."""
        held = await self._ledger.balances([name for name, change in given.items() if change > 0])
        left = {self._real(name): balance for name, balance in held.items()}  # two may be one by now
        moves = {name: -change for name, change in given.items()}
        for name in held:
            moves[name] = -min(given[name], left[self._real(name)])
            left[self._real(name)] += moves[name]
        lacking = {name: given[name] + moves[name] for name in held}
        short = {name.seat: missing for name, missing in lacking.items() if missing}
        return self._moved(hand, moves, held), short

    def _real(self, wallet: Purse) -> Seat:
        return self._members.people.root(wallet.seat)

    def _moved(
        self, hand: Actor, moves: Mapping[Purse, int], expects: Mapping[Purse, int]
    ) -> tuple[Posting, ...]:
        """Give wallets what is above 0, from the mint, and take from them what is below."""
        community, entries = hand.room.community, list[Entry]()
        mint = purses.mint(community)
        for wallet, change in moves.items():
            source, target = (mint, wallet) if change > 0 else (wallet, mint)
            entries += instalments(source, target, abs(change), WHY)
        if not entries:
            return ()
        name, now = f"{WHY}:{hand.id}", self._watch.date()
        return (Posting(name, community, now, hand.seat, tuple(entries), expects),)


def _require_going(room: Room) -> None:
    if room.stopped:
        raise Refusal(Message(room.stopped))


def _lacking(missing: Mapping[Seat, int]) -> Message | None:
    if not missing:
        return None
    names = Listing(tuple(Message("name", {"who": Name(seat)}) for seat in missing), most=5)
    return Message("season-undone-lacking", {"credits": Credits(sum(missing.values())), "names": names})


class Calendar:
    """Counts finished tables, and ends a season when its time has come."""

    def __init__(self, ledger: Ledger, seasons: Seasons, members: CommunityMembers, watch: Watch) -> None:
        self._seasons, self._watch = seasons, watch
        self.ends = SeasonEnds(ledger, seasons, members, watch)

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


class Deadlines:
    def __init__(self, kits: Mapping[str, AnyKit], calendar: Calendar, outbox: Outbox, watch: Watch) -> None:
        self._kits, self._calendar, self._outbox, self._watch = kits, calendar, outbox, watch
        self._rooms: set[str] = set()

    def watch_over(self, room: Room) -> None:
        """Look at a room's seasons now, and whenever one may end."""
        if room.id not in self._rooms:
            self._rooms.add(room.id)
            self._watch.ring(0.0, partial(self._look, room))

    async def _look(self, room: Room) -> None:
        left = HOUR
        try:
            async with room.order:
                left = min([HOUR, *[await self._end_due(room, kit) for kit in self._kits.values()]])
        finally:
            self._watch.ring(left, partial(self._look, room))

    async def _end_due(self, room: Room, kit: AnyKit) -> float:
        """End a season whose days are over; tell after how many seconds to look again."""
        plan = plan_of(room, kit)
        if plan is None or not plan.days or room.stopped:
            return HOUR
        season = await self._calendar.current(room, kit)
        left = self._calendar.left(plan, season)
        if left:
            return left
        if not room.playing(kit.name):  # else it ends with that table
            hand = self._calendar.ends.of_itself(room, kit.name, season)
            self._outbox.say(room, await self._calendar.end(hand, kit, plan, season.number))
        return HOUR


class SeasonCloser:
    """`least` tells the least role that `!season end` takes in a room: its undo takes the same."""

    def __init__(
        self,
        kits: Mapping[str, AnyKit],
        calendar: Calendar,
        confirmations: Confirmations,
        least: Callable[[Room], Role],
    ) -> None:
        self._kits, self._calendar, self._confirmations = kits, calendar, confirmations
        self._least = least
        which = (game_option(kits),)
        self.services = (Service(WORD, self._end, "[GAME]", Role.BROADCASTER, which, reads=True),)

    async def _end(self, asked: Request) -> Sequence[Say]:
        """Ask whether to end the season; the line that confirms does it."""
        asked, why = reasoned(asked)
        kit, plan = self._seasonal(asked)
        _require_no_table(asked.room, kit)
        season = await self._calendar.current(asked.room, kit)

        async def act(confirming: Request) -> Sequence[Say]:
            _require_no_table(confirming.room, kit)
            return await self._calendar.end(Actor.of(confirming, why), kit, plan, season.number)

        args: Arguments = {
            "game": Message(f"game-{kit.name}"),
            "number": season.number,
            "tables": season.tables,
            "resets": fresh_start(plan),
        }
        return self._confirmations.ask(asked, WORD, Message("season-end-ask", args), act)

    def _seasonal(self, asked: Request) -> tuple[AnyKit, Plan]:
        """Find the game whose season is meant: the one that is named, or the only one that has any."""
        kits = self._kits
        named = [called(kits, asked.words[0])] if asked.words else list(kits.values())
        plans = [(kit, plan) for kit in named if kit and (plan := plan_of(asked.room, kit)) is not None]
        if len(asked.words) > 1 or not plans:
            raise Refusal(Message("no-season", {"text": Quote(" ".join(asked.words))}))
        if len(plans) > 1:
            games = " | ".join(kit.word for kit, _ in plans)
            raise Refusal(Message("season-end-which", {"games": games}))
        return plans[0]

    async def take_back(self, hand: Actor, done: Deed) -> list[Say]:
        """Undo the end of a season, or the undoing of one.

        Raises:
            Refusal: it is too late, a table stands, or the role is not enough.
        """
        hand.require(self._least(hand.room))
        (change,) = done.changes
        kit = self._kits.get(change.subject)
        plan = None if kit is None else plan_of(hand.room, kit)
        if kit is None or plan is None:
            raise Refusal(Message("season-undo-gone"))
        _require_no_table(hand.room, kit)
        if int(change.new or 0) < int(change.old or 0):
            return [*await self._calendar.end(hand, kit, plan, int(change.new or 0), undoes=done.id)]
        return await self._reopen(hand, kit, plan, done)

    async def _reopen(self, hand: Actor, kit: AnyKit, plan: Plan, done: Deed) -> list[Say]:
        season, lacking = await self._calendar.ends.reopen(hand, done)
        args: Arguments = {"game": Message(f"game-{kit.name}"), "number": season.number}
        over = not self._calendar.left(plan, season)
        told = [Message("season-undone", args), lacking, Message("season-undone-ends") if over else None]
        return [Say(each, game=kit.name, event=each.id) for each in told if each is not None]


def _require_no_table(room: Room, kit: AnyKit) -> None:
    """Refuse while a table stands: it would write the records of the former season.

    Raises:
        Refusal: one does.
    """
    if room.playing(kit.name):
        args: Arguments = {"game": Message(f"game-{kit.name}"), "word": kit.word}
        raise Refusal(Message("season-end-table", args))
