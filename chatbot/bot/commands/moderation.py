"""Creates and connects all commands of moderators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.bot.commands.audit import Audits
from chatbot.bot.commands.cancel import CallingOff
from chatbot.bot.commands.settings import SettingsCommands, Shortcuts
from chatbot.bot.commands.texts import Texts
from chatbot.bot.commands.undo import Undoing
from chatbot.community.confirmations import Confirmations
from chatbot.rooms.settings.lists import standing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.bot.access import Access
    from chatbot.community.members import CommunityMembers
    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.rooms.request import Request
    from chatbot.rooms.settings.changes import SettingsChanges
    from chatbot.runtime.clock import Watch


class Moderation:
    """All commands of moderators."""

    def __init__(
        self,
        kits: Mapping[str, AnyKit],
        settings_changes: SettingsChanges,
        ledger: Ledger,
        members: CommunityMembers,
        outbox: Outbox,
        watch: Watch,
        access: Access,
    ) -> None:
        self._access = access
        self.undoing = Undoing(settings_changes, ledger, members, self.check)
        self.texts = Texts(settings_changes, outbox)
        self.confirmations = Confirmations(watch, self.check, members)
        answering = (
            SettingsCommands(kits, settings_changes, self.confirmations, outbox),
            CallingOff(kits, settings_changes, ledger, members),
            Shortcuts(kits, settings_changes),
            Audits(settings_changes.changes, members, watch),
            self.undoing,
            access,
            self.texts,
            self.confirmations,
        )
        self.services = tuple(service for each in answering for service in each.services)

    def check(self, request: Request, word: str) -> None:
        """Check that the sender may use the command of a word.

        Raises:
            Refusal: the role is too low.
        """
        self._access.require(request.room, word, standing(request.room, request.line))
