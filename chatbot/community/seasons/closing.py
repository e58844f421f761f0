"""What a broadcaster does with seasons: `!season end GAME`, and `!undo` of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.community.seasons.calendar import fresh_start, plan_of
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import called
from chatbot.kernel.say import Arguments, Message, Quote, Say
from chatbot.rooms.request import Request, Service, game_option, reasoned
from chatbot.settings.changes import Actor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chatbot.community.seasons.calendar import Calendar
    from chatbot.kernel.kit import AnyKit
    from chatbot.kernel.kit import Season as Plan
    from chatbot.ledger.changes import Deed
    from chatbot.rooms.confirmations import Confirmations
    from chatbot.rooms.room import Room

WORD = "seasonend"  # people write it in two words


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
