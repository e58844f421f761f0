"""Read the tables of a room as everybody may see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.web import showing
from chatbot.web.api.endpoints import Call, Endpoint
from chatbot.web.tokens import READ

if TYPE_CHECKING:
    from chatbot.bot.bot import Bot


class RunningTable(showing.TableRow):
    """A table with what is in its pot; null: the game does not show that."""

    pot: int | None


class TableEndpoints:
    """Describes tables by their public view."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        return [
            Endpoint(
                "GET",
                "/tables",
                "Read the tables that are shown now, as everybody may see them.",
                self._list,
                list[RunningTable],
                scope=READ,
            )
        ]

    async def _list(self, call: Call) -> list[RunningTable]:
        while under_way := [each for each in call.room.tables.values() if each.lock.locked()]:
            await under_way[0].finished()  # what is shown then was committed
        tables = list(call.room.tables.values())
        rows = showing.tables(self._bot, call.room)
        return [
            RunningTable(**row, pot=table.kit.display.board(table.view(None)).pot)
            for row, table in zip(rows, tables, strict=True)
        ]
