"""Creates the commands that show wallets, and those with which people move credits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.community.balances import History
from chatbot.community.earning.payments import TALK, WATCH
from chatbot.community.giving import Giving
from chatbot.community.grants import Grants
from chatbot.community.ranks import Ranks
from chatbot.ledger.books.history import Histories
from chatbot.ledger.members import Presence
from chatbot.ledger.rankings import Rankings
from chatbot.ledger.seasons import Seasons

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.community.confirmations import Confirmations
    from chatbot.community.departures import Departures
    from chatbot.community.members import CommunityMembers
    from chatbot.community.receipts import ReceiptLimits
    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.request import Check
    from chatbot.rooms.settings.changes import SettingsChanges
    from chatbot.runtime.clock import Watch


class WalletCommands:
    """The services of rankings, gifts, histories and grants."""

    def __init__(
        self,
        kits: Mapping[str, AnyKit],
        store: Store,
        ledger: Ledger,
        settings_changes: SettingsChanges,
        members: CommunityMembers,
        departures: Departures,
        outbox: Outbox,
        receipts: ReceiptLimits,
        watch: Watch,
        check: Check,
        confirmations: Confirmations,
    ) -> None:
        presence = Presence(store)
        parts = (
            Ranks(kits, ledger, members, departures, presence, Rankings(store), Seasons(store), watch),
            Giving(ledger, members, presence, receipts, watch),
            History(Histories(store, (WATCH, TALK)), kits, members, outbox, watch),
            Grants(ledger, settings_changes, members, watch, check, confirmations),
        )
        self.services = tuple(service for each in parts for service in each.services)
