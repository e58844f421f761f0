"""What the operator is told of subscriptions that are missing: once, until it is something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cogs.twitch.subscriptions.wanted import Slot, WantedSubscription

DEAF = 2  # rounds without its chat after which a channel is told of

log = structlog.get_logger(__name__)


class SubscriptionReport:
    """Keeps what was told, so that what is tried again every minute is not told every minute."""

    def __init__(self, logins: Mapping[str, str]) -> None:
        """`logins` are the names of accounts and channels, by their ids."""
        self._logins = dict(logins)
        self._reasons: dict[Slot, str] = {}
        self._unread: dict[str, int] = {}  # account -> the status by which it was not looked at
        self._deaf: dict[str, int] = {}  # broadcaster -> rounds without its chat

    def name(self, user_id: str, login: str) -> None:
        """Call an account so from now on."""
        self._logins[user_id] = login

    def tell_missing(self, subscription: WantedSubscription, reason: str) -> None:
        """Say what is missing, once until it is there again or something else is the matter."""
        if self._reasons.get(subscription.slot) == reason:
            return
        self._reasons[subscription.slot] = reason
        kind, account = str(subscription.payload.type), subscription.channel or subscription.account
        log.warning("Twitch does not tell us of this", kind=kind, channel=self._name(account), reason=reason)

    def note_there(self, subscription: WantedSubscription) -> None:
        """Take note that something is there, so that it is told of again when it is missing again."""
        self._reasons.pop(subscription.slot, None)
        if subscription.chat:
            self._deaf[subscription.channel] = 0

    def tell_unread(self, account: str, status: int) -> None:
        """Say that Twitch does not list what an account has subscribed to."""
        if self._unread.get(account) != status:
            log.warning("Twitch does not say what it tells us", account=self._name(account), status=status)
        self._unread[account] = status

    def note_read(self, account: str) -> None:
        """Take note that Twitch has listed that."""
        self._unread.pop(account, None)

    def count_deaf(self, chats: Collection[WantedSubscription]) -> None:
        """Count the looks at which these chats were missing, and tell of those that are so for long."""
        for each in chats:
            rounds = self._deaf[each.channel] = self._deaf.get(each.channel, 0) + 1
            if rounds == DEAF + 1:
                log.error("this chat is not heard; it is tried again", channel=self._name(each.channel))

    def _name(self, user_id: str) -> str:
        return self._logins.get(user_id, user_id)
