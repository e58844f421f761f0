"""The commands `!fair` and `!verify`, which show that no draw was chosen afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from chatbot.bot.arguments import KnownGame, Shown, Suggested
from chatbot.bot.command import command
from chatbot.kernel.say import Say
from chatbot.kernel.settings import Whole
from chatbot.rooms.request import Request

if TYPE_CHECKING:
    from chatbot.rooms.room import Room
    from chatbot.tables.fairness import Fairness

MOST_ROUNDS = 1000


class FairnessCommands:
    """Answers `!fair` and `!verify`."""

    def __init__(self, fairness: Fairness) -> None:
        self._fairness = fairness

    @command("fair", reads=True)
    async def fair(self, request: Request, game: KnownGame | None = None) -> Sequence[Say]:
        room = request.room
        if game is None:
            messages = [await self._fairness.overview(room), await self._fairness.following(room)]
            return [request.answer(each) for each in messages]
        commitments = await self._fairness.commitments(room, game, request.line.linked_accounts)
        return [request.answer(each) for each in commitments]

    def _finished_tables(self, room: Room, values: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        return [each.id for each in room.tables.values() if each.over]

    @command("verify", reads=True)
    async def verify(
        self,
        request: Request,
        table: Annotated[str, Suggested(_finished_tables)],
        round: Annotated[Whole | None, Field(ge=1, le=MOST_ROUNDS), Shown("ROUND")] = None,  # noqa: A002
    ) -> Sequence[Say]:
        messages = await self._fairness.verify(request.room, table, round)
        return [request.answer(each) for each in messages]
