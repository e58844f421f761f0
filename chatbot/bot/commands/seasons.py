"""The commands `!season` and `!seasonend`, which show and end seasons, and the undo of such an end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from chatbot.bot.arguments import GameText, Why
from chatbot.bot.command import command
from chatbot.community.seasons import fresh_start, plan_of
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import find_kit
from chatbot.kernel.say import Arguments, Message, Quote, Say
from chatbot.rooms.request import Request
from chatbot.rooms.settings.changes import Actor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chatbot.community.confirmations import Confirmations
    from chatbot.community.seasons import Calendar
    from chatbot.kernel.kit import AnyKit
    from chatbot.kernel.kit import Season as Plan
    from chatbot.ledger.changes import ChangeSet
    from chatbot.ledger.seasons import SeasonState
    from chatbot.rooms.room import Room

SEASON_END = "seasonend"  # the word of the command; it may be typed as two words


class SeasonCommand:
    """Answers `!season`."""

    def __init__(self, kits: Mapping[str, AnyKit], calendar: Calendar) -> None:
        self._kits, self._calendar = kits, calendar

    @command("season", reads=True)
    async def season(self, request: Request, game: GameText = "") -> Sequence[Say]:
        named_kit = find_kit(self._kits, game.split()[0]) if game else None
        kits = [kit for kit in self._kits.values() if not game or kit is named_kit]
        says = []
        for kit in kits:
            says += [request.answer(each) for each in await self._calendar.describe(request.room, kit)]
        if not says:
            raise Refusal(Message("no-season", {"text": Quote(game)}))
        return says


class SeasonCloser:
    """Answers `!seasonend`, and undoes it.

    `least` returns the least role that may end a season in a room; the undo requires the same.
    """

    def __init__(
        self,
        kits: Mapping[str, AnyKit],
        calendar: Calendar,
        confirmations: Confirmations,
        least: Callable[[Room], Role],
    ) -> None:
        self._kits, self._calendar, self._confirmations = kits, calendar, confirmations
        self._least = least

    async def take_back(self, actor: Actor, change_set: ChangeSet) -> list[Say]:
        """Undo the end of a season, or its undo.

        Raises:
            Refusal: it is too late, a table is open, or the role is too low.
        """
        actor.require(self._least(actor.room))
        (change,) = change_set.changes
        kit = self._kits.get(change.subject)
        plan = None if kit is None else plan_of(actor.room, kit)
        if kit is None or plan is None:
            raise Refusal(Message("season-undo-gone"))
        _require_no_table(actor.room, kit)
        if int(change.new or 0) < int(change.old or 0):
            return [*await self._calendar.end(actor, kit, plan, int(change.new or 0), undoes=change_set.id)]
        return await self._reopen(actor, kit, plan, change_set)

    @command(SEASON_END, Role.BROADCASTER, reads=True)
    async def end(self, request: Request, game: GameText = "", why: Why = "") -> Sequence[Say]:
        """Ask for confirmation; the confirming line ends the season."""
        kit, plan = self._seasonal(request.room, game)
        _require_no_table(request.room, kit)
        season = await self._calendar.current(request.room, kit)

        async def act(confirming: Request) -> Sequence[Say]:
            _require_no_table(confirming.room, kit)
            return await self._calendar.end(Actor.of(confirming, why), kit, plan, season.number)

        args: Arguments = {
            "game": Message(f"game-{kit.name}"),
            "number": season.number,
            "tables": season.tables,
            "resets": fresh_start(plan),
        }
        return self._confirmations.ask(request, SEASON_END, Message("season-end-ask", args), act)

    def _seasonal(self, room: Room, text: str) -> tuple[AnyKit, Plan]:
        """Return the game that a text names, or else the only one with seasons, and its plan."""
        kits = [find_kit(self._kits, text)] if text else list(self._kits.values())
        plans = [(kit, plan) for kit in kits if kit and (plan := plan_of(room, kit)) is not None]
        if not plans:
            raise Refusal(Message("no-season", {"text": Quote(text)}))
        if len(plans) > 1:
            games = " | ".join(kit.word for kit, _ in plans)
            raise Refusal(Message("season-end-which", {"games": games}))
        return plans[0]

    async def _reopen(self, actor: Actor, kit: AnyKit, plan: Plan, change_set: ChangeSet) -> list[Say]:
        season, missing = await self._calendar.ends.reopen(actor, change_set)
        args: Arguments = {"game": Message(f"game-{kit.name}"), "number": season.number}
        messages = [Message("season-undone", args), missing, self._ending(plan, season)]
        return [Say(each, game=kit.name, event=each.id) for each in messages if each is not None]

    def _ending(self, plan: Plan, season: SeasonState) -> Message | None:
        """Say when a season ends again that has reached a limit: by its days even if nobody plays."""
        if not self._calendar.left(replace(plan, tables=0), season):
            return Message("season-undone-ends-soon")
        return None if self._calendar.left(plan, season) else Message("season-undone-ends")


def _require_no_table(room: Room, kit: AnyKit) -> None:
    """Check that no table of a game is open: it would write records of the former season.

    Raises:
        Refusal: a table is open.
    """
    if room.playing(kit.name):
        args: Arguments = {"game": Message(f"game-{kit.name}"), "word": kit.word}
        raise Refusal(Message("season-end-table", args))
