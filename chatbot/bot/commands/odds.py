"""The command `!odds`, which shows what games pay, how likely that is, and the revenue of the house."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

from chatbot.bot.arguments import Choices, KnownGame, Shown
from chatbot.bot.command import command
from chatbot.community.seasons import plan_of
from chatbot.kernel.game import Refusal
from chatbot.kernel.odds import Odds, percent
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Say
from chatbot.rooms.request import Request, usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.community.seasons import Calendar
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.seasons import SeasonState
    from chatbot.ledger.takings import Takings
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch
    from chatbot.tables.background import Background

MORE = "more"
CACHE_TIME = 60.0  # seconds for which a sum is reused


@dataclass(frozen=True, slots=True)
class _CachedSum:
    season: int
    credits: int
    until: float  # time of the watch


class OddsCommand:
    """The command `!odds`, which computes the odds of games from the settings of the room."""

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
        self._sums: dict[tuple[str, str], _CachedSum] = {}  # by room and game

    @command("odds", reads=True)
    async def odds(
        self,
        request: Request,
        game: KnownGame | None = None,
        more: Annotated[str, Choices((MORE,)), Shown(MORE)] = "",
    ) -> Sequence[Say]:
        if more and more.lower() != MORE:
            raise usage("odds", f"[GAME] [{MORE}]")
        if game is not None and game.money.odds is None:
            raise Refusal(Message("odds-none", {"game": Message(f"game-{game.name}")}))
        self._background.answer_later(
            request.room, partial(self._answer, request, game, bool(more)), request.exchange
        )
        return []

    async def _answer(self, request: Request, kit: AnyKit | None, all_of_it: bool) -> Sequence[Say]:
        short = None if kit is None or all_of_it else await self._short(request.room, kit)
        if short is not None:
            return [request.answer(short)]
        if kit is not None:
            return [request.answer(each) for each in await self._about(request.room, kit)]
        return [
            request.answer(await self._line(request.room, kit))
            for kit in self._kits.values()
            if kit.money.odds
        ]

    async def _short(self, room: Room, kit: AnyKit) -> Message | None:
        """Return the odds of a game in one line, with where the rest is; None: they are no longer anyway."""
        odds = await _odds_of(room, kit)
        if odds is None or odds.short is None:
            return None
        rest = Message("topic-more", {"word": f"!odds {kit.word} {MORE}"})
        return Message("word", {"word": Listing((odds.short, rest), separator=" ")})

    async def _about(self, room: Room, kit: AnyKit) -> Sequence[Message]:
        odds = await _odds_of(room, kit)
        revenue = await self._revenue(room, kit)
        rows = list(odds.rows) if odds else []
        if odds is not None and odds.exact is not None:
            rows += await asyncio.to_thread(odds.exact)
        rows += [revenue] if revenue is not None else []
        if odds is not None and odds.more:
            rows.append(Message("odds-more", {"word": kit.word}))
        return rows or [await self._line(room, kit)]

    async def _line(self, room: Room, kit: AnyKit) -> Message:
        """Return the payback of a game and the revenue of the house in one line."""
        args: Arguments = {"game": Message(f"game-{kit.name}"), "told": await self.payback(room, kit)}
        return Message("odds-line", args)

    async def payback(self, room: Room, kit: AnyKit) -> Listing:
        """Return the payback of a game and the revenue of the house, without the name of the game."""
        odds = await _odds_of(room, kit)
        back = Message("odds-back-shared")
        if odds is not None and odds.back is not None:
            back = Message("odds-back", {"back": percent(odds.back)})
        revenue = await self._revenue(room, kit)
        parts = (back,) if revenue is None else (back, revenue)
        return Listing(parts, separator=" ")

    async def _revenue(self, room: Room, kit: AnyKit) -> Message | None:
        """Return what the house has gained or lost since the season began, or ever if there are no seasons.

        None: it has done neither.
        """
        season = await self._calendar.current(room, kit) if plan_of(room, kit) is not None else None
        gain = await self._gain(room, kit, season)
        if gain == 0:
            return None
        args: Arguments = {"credits": Credits(abs(gain)), "since": season.number if season else 0}
        return Message("odds-paid" if gain < 0 else "odds-take", args)

    async def _gain(self, room: Room, kit: AnyKit, season: SeasonState | None) -> int:
        """Return the credits that the house has gained, computed at most once in `CACHE_TIME`.

        The cost of the sum is proportional to the number of tables.
        """
        number, cached_sum = season.number if season else 0, self._sums.get((room.id, kit.name))
        if cached_sum is not None and cached_sum.season == number and self._watch.now() < cached_sum.until:
            return cached_sum.credits
        # The first season includes all earlier tables, as it may have been created after them.
        since = season.started_at if season is not None and number > 1 else None
        gain = await self._takings.at(room.id, kit.name, since)
        self._sums[room.id, kit.name] = _CachedSum(number, gain, self._watch.now() + CACHE_TIME)
        return gain


async def _odds_of(room: Room, kit: AnyKit) -> Odds | None:
    """Return the odds of a game, computed in a thread, as that may take up to a second."""
    if kit.money.odds is None:
        return None
    game = room.rules(kit)
    return await asyncio.to_thread(kit.money.odds, game)
