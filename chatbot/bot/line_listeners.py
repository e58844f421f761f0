"""What follows every line that is heard, command or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.community.earning.earning import Earning
    from chatbot.community.imports.claims import ImportClaims
    from chatbot.ledger.people import Account
    from chatbot.rooms.line import Line
    from chatbot.rooms.room import Room
    from chatbot.rooms.settings.changes import SettingsChanges


class LineListeners:
    """Reads settings again, pays balances that wait for a name, and counts who talks."""

    def __init__(
        self, settings_changes: SettingsChanges, import_claims: ImportClaims, earning: Earning
    ) -> None:
        self._settings_changes, self._import_claims, self._earning = settings_changes, import_claims, earning
        self.watched: dict[Account, Callable[[Line], None]] = {}  # whose roles a page relies on

    def must_write(self, room: Room, line: Line) -> bool:
        """Whether a line may require other reads or writes before it is answered."""
        return self._settings_changes.is_stale(room) or (
            line.manner is None and self._import_claims.may_wait(line)
        )

    async def heard(self, room: Room, line: Line) -> None:
        """Notify all of them of a line, before it is answered."""
        await self._settings_changes.reload_if_stale(room)
        if line.manner is None:  # who says it on a page is perhaps not in the chat, and is not paid for that
            await self._import_claims.pay(line)
            await self.talked(room, line)

    async def talked(self, room: Room, line: Line) -> None:
        """Notify those whom nothing of the answer waits for."""
        await self._earning.heard(room, line)
        if line.account in self.watched:
            self.watched[line.account](line)
