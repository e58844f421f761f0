"""What was made by each choice of somebody that makes credits: grants, imports, raises and rewards."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from chatbot.community.earning.payments import (
    CHEER,
    CLAIM,
    FOLLOW,
    RAID,
    SUBSCRIBE,
    TALK,
    UPKEEP,
    WATCH,
)
from chatbot.community.earning.settings import EARNINGS
from chatbot.community.seasons import RESET_REASON
from chatbot.kernel.game import Seat
from chatbot.ledger.books.posting import GRANT, more
from chatbot.ledger.changes import IMPORTED, MONEY, RAISED, REWARD, SETTING, Change, ChangeSet
from chatbot.ledger.members import WELCOME
from chatbot.ledger.minted import Made, together
from chatbot.rooms.settings.lists import REGULARS
from chatbot.settings.community import TERMS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from chatbot.ledger.books.posting import Entry
    from chatbot.ledger.changes import Changes
    from chatbot.ledger.imports.runs import ImportRuns
    from chatbot.ledger.minted import Minted

HOSTED = "chickenpoker", "pokermarket"  # games where players of the house stake
EARNED = WATCH, TALK, FOLLOW, SUBSCRIBE, CHEER, RAID, CLAIM
_DAILY = WATCH, TALK, RAID
_BY_KEY: Mapping[str, Sequence[str]] = {
    "follow": (FOLLOW,),
    "subscribe": (SUBSCRIBE,),
    "cheer": (CHEER,),
    "raid": (RAID,),
    "raid_viewers": (RAID,),
    "daily_most": _DAILY,
    "upkeep": (UPKEEP,),
    "upkeep_above": (UPKEEP,),
}
_BY_PREFIX: Mapping[str, Sequence[str]] = {"watch": (WATCH,), "talk": (TALK,), "claim": (CLAIM,)}


@dataclass(frozen=True, slots=True)
class MintSource:
    """A choice that makes credits, and what it has made until it was changed again, if it was."""

    change_set: ChangeSet
    changes: tuple[Change, ...]  # what was chosen; of a grant or an import, the movements
    made: Made
    over: datetime | None = None
    undone: bool = False

    @property
    def kind(self) -> str:
        """`grant`, `import` or `policy`."""
        if self.changes[0].kind != MONEY:
            return "policy"
        return "import" if self.changes[0].subject == IMPORTED else "grant"

    @property
    def raised(self) -> Change | None:
        """The record of a raise, if it is one."""
        return next((each for each in self.change_set.changes if each.kind == RAISED), None)


class MintSources:
    """Finds the sources of credits in communities that share wallets."""

    def __init__(self, changes: Changes, minted: Minted, runs: ImportRuns) -> None:
        self._changes, self._minted, self._runs = changes, minted, runs

    async def newest(
        self, communities: Collection[str], count: int | None, before: int | None = None
    ) -> list[MintSource]:
        """List the newest sources, newest first, of those `before` a number; None lists all."""
        change_sets = await self._changes.minting(communities, [GRANT], count, before)
        undone = await self._changes.undone_of([each.id for each in change_sets])
        entries = await self._changes.entries_of(change_sets)
        return [
            await self._source(each, entries[each.id], communities, undone=each.id in undone)
            for each in change_sets
        ]

    async def _source(
        self,
        change_set: ChangeSet,
        entries: Sequence[Entry],
        communities: Collection[str],
        *,
        undone: bool,
    ) -> MintSource:
        money = tuple(each for each in change_set.changes if each.kind == MONEY)
        if money and money[0].subject == IMPORTED:
            return MintSource(change_set, money, await self._imported(change_set), undone=undone)
        if money:
            return MintSource(change_set, money, _moved(entries), undone=undone)
        changes = tuple(each for each in change_set.changes if each.kind in {SETTING, REWARD})
        parts: list[Made] = []
        ends: list[datetime | None] = []
        for since_then, until in await self._spans(change_set, changes, communities):
            parts.append(await self._made(change_set, since_then, until, communities))
            ends.append(until)
        over = None if None in ends else max((each for each in ends if each is not None), default=None)
        return MintSource(change_set, changes, together(parts), over, undone)

    async def _imported(self, change_set: ChangeSet) -> Made:
        """Return what an import has moved from the mint, which has a posting for each portion of it."""
        credits_, members, largest = await self._runs.moved(change_set.id)
        return Made(credits_, tuple(largest), members - len(largest))

    async def _spans(
        self, change_set: ChangeSet, changes: Sequence[Change], communities: Collection[str]
    ) -> list[tuple[frozenset[object], datetime | None]]:
        """Return what the changes make, by when that ended: the last of those that make the same."""
        ends: defaultdict[object, list[datetime | None]] = defaultdict(list)
        for change in changes:
            of_community = change.subject in {EARNINGS.name, TERMS.name, REGULARS.name}
            anywhere = of_community or change.kind == REWARD
            until = await self._changes.next(change_set, communities, change, anywhere=anywhere)
            for each in _made_by(change):
                ends[each].append(until)
        last = {each: _last(some) for each, some in ends.items()}
        return [
            (frozenset(each for each, end in last.items() if end == until), until)
            for until in dict.fromkeys(last.values())
        ]

    async def _made(
        self,
        change_set: ChangeSet,
        what: Collection[object],
        until: datetime | None,
        communities: Collection[str],
    ) -> Made:
        reasons = [each for each in what if isinstance(each, str)]
        parts = [await self._minted.paid(communities, reasons, change_set.at, until)] if reasons else []
        for each in what:
            if isinstance(each, tuple):
                kind, name = each
                if kind == REWARD:
                    parts.append(await self._minted.bought(name, change_set.at, until))
                else:
                    parts.append(await self._minted.won(change_set.room, name, change_set.at, until))
        return together(parts)


def _moved(entries: Sequence[Entry]) -> Made:
    """Return what grants have moved from the mint."""
    gains = [each for each in entries if each.why == GRANT and each.source.kind == "mint"]
    return together(Made(each.credits, ((each.target.seat, each.credits),)) for each in gains)


def _made_by(change: Change) -> Iterator[object]:
    """Yield the reasons of payments that a change raises; a reward, or a game, as a pair."""
    if change.kind == REWARD:
        if change.key:
            yield REWARD, change.key
    elif change.subject == TERMS.name:
        if change.key == "start":
            yield from (more(WELCOME), more(RESET_REASON))
        elif change.key == "house_daily":
            yield from (("game", each) for each in HOSTED)
    elif change.subject == REGULARS.name:
        yield from map(more, EARNED)
    elif change.subject == EARNINGS.name:
        prefix = change.key.partition("_")[0]
        reasons: Sequence[str] = _BY_KEY.get(change.key) or _BY_PREFIX.get(prefix, EARNED)
        yield from map(more, reasons)
    else:
        yield "game", change.subject


def _last(ends: Sequence[datetime | None]) -> datetime | None:
    """Return the latest end; None: it has not ended."""
    dates = [each for each in ends if each is not None]
    return max(dates) if len(dates) == len(ends) else None


def receivers(source: MintSource, count: int) -> list[tuple[Seat, int]]:
    """Return who got the most by a source."""
    return [(Seat(seat), credits_) for seat, credits_ in source.made.receivers[:count] if seat]
