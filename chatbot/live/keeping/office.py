"""The office: all that keepers ask for, from settings to taking back what was done, wired once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.live.earning.lists import standing
from chatbot.live.keeping.audits import Audits
from chatbot.live.keeping.calling_off import CallingOff
from chatbot.live.keeping.confirmations import Confirmations
from chatbot.live.keeping.keeper import Keeper
from chatbot.live.keeping.shortcuts import Shortcuts
from chatbot.live.keeping.undoing import Undoing
from chatbot.live.wording.texts import Texts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.kernel.kit import Kit
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.live.asked import Asked
    from chatbot.live.guests import Guests
    from chatbot.live.keeping.access import Access
    from chatbot.live.keeping.clerk import Clerk
    from chatbot.live.outbox import Outbox
    from chatbot.live.watch import Watch


class Office:
    def __init__(
        self,
        kits: Mapping[str, Kit],
        clerk: Clerk,
        ledger: Ledger,
        guests: Guests,
        outbox: Outbox,
        watch: Watch,
        access: Access,
    ) -> None:
        self._access = access
        self.undoing = Undoing(clerk, ledger, guests, self._check)
        self.texts = Texts(clerk, outbox)
        self.confirmations = Confirmations(watch, self._check)
        answering = (
            Keeper(kits, clerk),
            CallingOff(kits, clerk, ledger, guests),
            Shortcuts(kits, clerk),
            Audits(clerk.changes, guests, watch),
            self.undoing,
            access,
            self.texts,
            self.confirmations,
        )
        self.services = tuple(service for each in answering for service in each.services)

    def _check(self, asked: Asked, word: str) -> None:
        """Let pass who may use the command of this word.

        Raises:
            Refusal: the role is not enough.
        """
        self._access.require(asked.room, word, standing(asked.room, asked.line))
