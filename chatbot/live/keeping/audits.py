"""What keepers did in a room, for keepers to read: `!audit`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.amounts import read_whole
from chatbot.kernel.game import Role, Seat
from chatbot.kernel.kit import Kind, Option
from chatbot.kernel.say import Message
from chatbot.ledger.changes import DUE, MONEY, REPAIR
from chatbot.live.asked import Asked, Service, usage
from chatbot.live.keeping.deeds import told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.kernel.say import Say
    from chatbot.ledger.changes import Changes, Deed
    from chatbot.live.guests import Guests
    from chatbot.live.watch import Watch

FEW, MOST = 3, 10  # deeds listed
WALLET = REPAIR, "wallet"  # kind and key of a balance that was corrected


class Audits:
    def __init__(self, changes: Changes, guests: Guests, watch: Watch) -> None:
        self._changes, self._guests, self._watch = changes, guests, watch
        count = (Option("count", Kind.WHOLE, least=1, most=MOST),)
        self.services = (Service("audit", self._audit, f"[1-{MOST}]", Role.MODERATOR, count, reads=True),)

    async def _audit(self, asked: Asked) -> Sequence[Say]:
        if len(asked.words) > 1:
            raise usage("audit", f"[1-{MOST}]")
        count = read_whole(asked.words[0], 1, MOST) if asked.words else FEW
        deeds = await self._changes.newest(asked.room.id, count)
        if not deeds:
            return [asked.whisper(Message("audit-empty"))]
        await self._learn(asked.room.community, deeds)
        now = self._watch.date()
        return [asked.whisper(told(each, now)) for each in deeds]

    async def _learn(self, community: str, deeds: Sequence[Deed]) -> None:
        """Know whose credits were moved, or would have been."""
        every = [each for deed in deeds for each in deed.changes]
        moved = [each for each in every if each.kind in {MONEY, DUE} or (each.kind, each.key) == WALLET]
        await self._guests.learn(community, [Seat(each.subject) for each in moved])
