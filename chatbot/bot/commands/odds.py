"""`!odds`: what each game pays and how likely, and what the house has taken with it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from chatbot.community.seasons import plan_of
from chatbot.kernel.game import Refusal
from chatbot.kernel.odds import Odds, percent
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Say
from chatbot.rooms.request import Request, Service, game_named, game_option, usage
from chatbot.settings.room import rules_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.community.seasons import Calendar
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.limits import Takings
    from chatbot.ledger.seasons import SeasonState
    from chatbot.rooms.background import Background
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.room import Room

GAME = "[GAME]"
FRESH = 60.0  # seconds for which a sum is told again


@dataclass(frozen=True, slots=True)
class _Known:
    season: int
    kept: int
    until: float  # on the watch


class OddsCommand:
    """Publishes the odds of a room's games, as its settings make them."""

    def __init__(
        self,
        kits: Mapping[str, AnyKit],
        calendar: Calendar,
        takings: Takings,
        watch: Watch,
        background: Background,
    ) -> None:
        self._kits, self._calendar, self._takings, self._watch = kits, calendar, takings, watch
        self._background = background
        self._known: dict[tuple[str, str], _Known] = {}
        self.services = (Service("odds", self._odds, GAME, options=(game_option(kits),), reads=True),)

    async def _odds(self, asked: Request) -> Sequence[Say]:
        if len(asked.words) > 1:
            raise usage("odds", GAME)
        kit = game_named(self._kits, asked.words[0]) if asked.words else None
        if kit is not None and kit.odds is None:
            raise Refusal(Message("odds-none", {"game": Message(f"game-{kit.name}")}))
        self._background.tell(asked.room, partial(self._told, asked, kit), asked.exchange)
        return []

    async def _told(self, asked: Request, kit: AnyKit | None) -> Sequence[Say]:
        if kit is not None:
            return [asked.answer(each) for each in await self._about(asked.room, kit)]
        return [asked.answer(await self._line(asked.room, kit)) for kit in self._kits.values() if kit.odds]

    async def _about(self, room: Room, kit: AnyKit) -> Sequence[Message]:
        published = await _published(room, kit)
        take = await self._take(room, kit)
        told = [*(published.rows if published else ()), *([take] if take is not None else [])]
        return told or [await self._line(room, kit)]

    async def _line(self, room: Room, kit: AnyKit) -> Message:
        """Say in one line what comes back, and what the house has taken."""
        published = await _published(room, kit)
        back = Message("odds-back-shared")
        if published is not None and published.back is not None:
            back = Message("odds-back", {"back": percent(published.back)})
        take = await self._take(room, kit)
        told = (back,) if take is None else (back, take)
        args: Arguments = {"game": Message(f"game-{kit.name}"), "told": Listing(told, separator=" ")}
        return Message("odds-line", args)

    async def _take(self, room: Room, kit: AnyKit) -> Message | None:
        """Say what the house has kept or paid since the season began; of a game without any, since ever.

        None: it has done neither, and there is nothing to say.
        """
        season = await self._calendar.current(room, kit) if plan_of(room, kit) is not None else None
        kept = await self._kept(room, kit, season)
        if kept == 0:
            return None
        args: Arguments = {"credits": Credits(abs(kept)), "since": season.number if season else 0}
        return Message("odds-paid" if kept < 0 else "odds-take", args)

    async def _kept(self, room: Room, kit: AnyKit, season: SeasonState | None) -> int:
        """Sum up what was kept, at most once a minute: of many thousand tables that takes a while."""
        number, known = season.number if season else 0, self._known.get((room.id, kit.name))
        if known is not None and known.season == number and self._watch.now() < known.until:
            return known.kept
        # The first season has all that was played before it: nobody may have asked for it until then.
        since = season.started_at if season is not None and number > 1 else None
        kept = await self._takings.at(room.id, kit.name, since)
        self._known[room.id, kit.name] = _Known(number, kept, self._watch.now() + FRESH)
        return kept


async def _published(room: Room, kit: AnyKit) -> Odds | None:
    """Ask a game for its odds beside everything else: it may have to work them out."""
    if kit.odds is None:
        return None
    game = rules_of(room, kit)
    return await asyncio.to_thread(kit.odds, game)
