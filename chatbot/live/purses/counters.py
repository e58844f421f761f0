"""All that answers about credits and moves them by hand, wired once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.ledger.books.history import Histories
from chatbot.ledger.members import Members, Presence
from chatbot.live.earning.paymaster import TALK, WATCH
from chatbot.live.purses.giving import Giving
from chatbot.live.purses.grants import Grants
from chatbot.live.purses.history import History
from chatbot.live.purses.ranks import Ranks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.kernel.kit import Kit
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.store.store import Store
    from chatbot.live.guests import Guests
    from chatbot.live.keeping.clerk import Clerk
    from chatbot.live.outbox import Outbox
    from chatbot.live.watch import Watch


class Counters:
    def __init__(
        self,
        kits: Mapping[str, Kit],
        store: Store,
        ledger: Ledger,
        clerk: Clerk,
        guests: Guests,
        outbox: Outbox,
        watch: Watch,
    ) -> None:
        presence = Presence(store)
        answering = (
            Ranks(kits, ledger, guests, Members(store), presence),
            Giving(ledger, guests, presence, watch),
            History(Histories(store, (WATCH, TALK)), guests, outbox, watch),
            Grants(ledger, clerk, guests, watch),
        )
        self.services = tuple(service for each in answering for service in each.services)
