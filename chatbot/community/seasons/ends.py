"""How a season ends and how its end is taken back: its leaderboard, records and credits, all in one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.kit import HOUSE
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Moved, Posting, instalments
from chatbot.ledger.changes import SEASON, Change, Deed
from chatbot.ledger.seasons import SeasonEnd
from chatbot.settings.changes import Actor
from chatbot.settings.community import TERMS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.community.members import CommunityMembers
    from chatbot.kernel.kit import Season as Plan
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.seasons import Seasons, SeasonState
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.room import Room

EVERYBODY = 10**9
ARCHIVED = 100  # places that the archive keeps
WHY = "season"  # of the entries that begin afresh


class SeasonEnds:
    def __init__(self, ledger: Ledger, seasons: Seasons, guests: CommunityMembers, watch: Watch) -> None:
        self._ledger, self._seasons, self._guests, self._watch = ledger, seasons, guests, watch

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
            await self._guests.learn(hand.room.community, [seat for seat, _ in ranked[:ARCHIVED]])
            places = [(seat, self._guests.name(seat), held) for seat, held in ranked[:ARCHIVED]]
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
        return self._guests.people.root(wallet.seat)

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
