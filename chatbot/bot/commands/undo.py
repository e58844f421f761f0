"""The command `!undo`, which reverts an action of a moderator. It is recorded, and can itself be reverted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, TypeAlias

from chatbot.bot.arguments import Number, Why
from chatbot.bot.command import command
from chatbot.community.changes_in_words import described
from chatbot.community.grants import allotment
from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.say import Arguments, Credits, Message, Name, Say
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import GRANT, LINKED, Entry, Posting, Short
from chatbot.ledger.changes import (
    CONFIRMED,
    DUE,
    MONEY,
    OPERATOR,
    RAISED,
    SETTING,
    VOIDED,
    AlreadyUndone,
    Change,
    ChangeSet,
    Work,
)
from chatbot.ledger.limits import GrantLimitReached
from chatbot.rooms.request import NeedsConsent, Request
from chatbot.rooms.settings.changes import Actor

if TYPE_CHECKING:
    from chatbot.community.members import CommunityMembers
    from chatbot.rooms.request import Check
    from chatbot.rooms.room import Room
    from chatbot.rooms.settings.changes import SettingsChanges
    from chatbot.settings.fields import StoredValues

REASON = "undo"  # of its entries in the ledger
MONEY_COMMANDS = "grant", "take"  # those that a member must be allowed to use to revert a payment
SETTINGS_COMMAND = "set"  # the command that changes every setting

Reversal: TypeAlias = Callable[[Actor, ChangeSet], Awaitable[Sequence[Say]]]
"""Reverts an action of a moderator by another one that refers to it, and returns the messages about that.

Raises:
    Refusal: the action cannot be reverted, or no longer.
    AlreadyUndone: it was reverted before.
"""


class Undoing:
    """The command `!undo`; `reversals` maps kinds of changes to functions, and can be extended.

    An action with changes of settings or money and of another kind is reverted by the function of the latter.
    """

    def __init__(self, settings_changes: SettingsChanges, members: CommunityMembers, check: Check) -> None:
        self._settings_changes, self._changes = settings_changes, settings_changes.changes
        self._members, self._check = members, check
        self.reversals: dict[str, Reversal] = {
            SETTING: self._restore_settings,
            MONEY: self._return_credits,
            VOIDED: _refuse_voided,
        }

    @command("undo", Role.MODERATOR)
    async def undo(
        self, request: Request, number: Annotated[int | None, Number(1, prefix="#")] = None, why: Why = ""
    ) -> Sequence[Say]:
        change_set, actor = await self._find(request.room, number), Actor.of(request, why)
        try:
            return await self._revert(request, actor, change_set)
        except NeedsConsent:
            raise  # it is asked for
        except Refusal as refusal:
            if number is not None:
                raise
            # Otherwise the newest change would stand in the way of all others.
            raise Refusal(Message("undo-other", {"why": refusal.message})) from None

    async def _revert(self, request: Request, actor: Actor, change_set: ChangeSet) -> Sequence[Say]:
        self._allow(request, actor, change_set)
        reversal = self.reversals.get(_kind(change_set))
        if reversal is None:
            raise Refusal(Message("undo-impossible", {"number": change_set.number}))
        if await self._changes.undone(change_set):
            raise _undone(change_set)
        try:
            return await reversal(actor, change_set)
        except AlreadyUndone:
            raise _undone(change_set) from None

    async def _find(self, room: Room, number: int | None) -> ChangeSet:
        if number is None:
            change_set = await self._changes.last(room.id)
            if change_set is None:
                raise Refusal(Message("undo-nothing"))
            return change_set
        change_set = await self._changes.numbered(room.id, number)
        if change_set is None:
            raise Refusal(Message("undo-unknown", {"number": number}))
        return change_set

    def _allow(self, request: Request, actor: Actor, change_set: ChangeSet) -> None:
        """Check that the sender could do the same by commands; the operator's actions need a broadcaster.

        Raises:
            Refusal: they could not.
        """
        if change_set.actor == OPERATOR:
            actor.require(Role.BROADCASTER)
        if any(each.kind == MONEY for each in change_set.changes):
            for word in MONEY_COMMANDS:
                self._check(request, word)
        for each in change_set.changes:
            if each.kind == SETTING and not self._may(request, self._other_commands(each)):
                self._check(request, SETTINGS_COMMAND)

    def _other_commands(self, change: Change) -> Sequence[str]:
        """Return the commands other than `!set` that change a setting."""
        group = self._settings_changes.groups.get(change.subject)
        return group.commands(change.key) if group is not None else ()

    def _may(self, request: Request, words: Sequence[str]) -> bool:
        """Whether `words` is not empty, and the sender may use each of these commands."""
        try:
            for word in words:
                self._check(request, word)
        except Refusal:
            return False
        return bool(words)

    # Settings

    async def _restore_settings(self, actor: Actor, change_set: ChangeSet) -> Sequence[Say]:
        old_values: dict[str, dict[str, str | None]] = {}
        for each in (each for each in change_set.changes if each.kind == SETTING):
            if _stored_value(actor.room.settings(each.subject), each.key) != each.new:
                raise Refusal(
                    Message("undo-changed", {"number": change_set.number, "change": described(each)})
                )
            old_values.setdefault(each.subject, {})[each.key] = each.old
        changes = await self._settings_changes.change(actor, old_values, undoes=change_set.id)
        return [_announcement(change_set, changes)]

    # Money

    async def _return_credits(self, actor: Actor, change_set: ChangeSet) -> Sequence[Say]:
        entries = [each for each in await self._changes.entries(change_set) if each.why != LINKED]
        # What an undo took back may be granted again by undoing that, but as if by `!grant`.
        grant = sum(each.credits for each in entries if change_set.undoes and each.target.kind == purses.MINT)
        why = GRANT if grant else REASON
        reversed_entries = tuple(Entry(each.target, each.source, each.credits, why) for each in entries)
        try:
            changes = await self._move_back(actor, change_set, reversed_entries, grant)
        except Short as short:
            raise await self._lacking(change_set, short) from None
        except GrantLimitReached:
            args: Arguments = {"number": change_set.number, "amount": Credits(grant)}
            raise Refusal(Message("undo-grant", args)) from None
        return [_announcement(change_set, changes)]

    async def _move_back(
        self, actor: Actor, change_set: ChangeSet, reversed_entries: tuple[Entry, ...], grant: int
    ) -> list[Change]:
        """Write the reversal, of which `grant` credits count as those of a grant; return its changes."""
        money_changes = [each for each in change_set.changes if each.kind == MONEY]
        wallets = {each: purses.wallet(change_set.community, Seat(each.subject)) for each in money_changes}
        assert actor.committer is not None  # noqa: S101  (it is the batch of the line)
        balances = await actor.committer.unit.balances(set(wallets.values()))
        after = Counter(balances)
        for entry in reversed_entries:
            after[entry.source] -= entry.credits
            after[entry.target] += entry.credits
        posting = f"undo:{change_set.id}"
        changes = [
            Change(MONEY, each.subject, each.key, str(balances[wallet]), str(after[wallet]), posting)
            for each, wallet in wallets.items()
        ]
        await self._members.learn(change_set.community, [Seat(each.subject) for each in changes])
        undo = self._settings_changes.change_set(actor, changes, undoes=change_set.id)
        work = Posting(posting, change_set.community, undo.at, actor.seat, reversed_entries, expects=balances)
        limit = allotment(self._members.people, actor.room, Seat(actor.seat), undo.at, confirmed=False)
        check = partial(limit.check, amount=grant) if grant else None
        await self._changes.make(undo, Work(posting=work, check=check), actor.committer)
        return changes

    async def _lacking(self, change_set: ChangeSet, short: Short) -> Refusal:
        seat = short.purse.seat
        await self._members.learn(change_set.community, [seat])
        args: Arguments = {"number": change_set.number, "who": Name(seat), "balance": Credits(short.balance)}
        return Refusal(Message("undo-short", args))


async def _refuse_voided(_: Actor, change_set: ChangeSet) -> Sequence[Say]:
    """Refuse: refunds may have been staked again, and the seed of the table was published."""
    raise Refusal(Message("undo-void", {"number": change_set.number}))


def _kind(change_set: ChangeSet) -> str:
    """Return the kind of the changes of an action; if there are several, the one besides settings and money.

    Empty if that is not unique.
    """
    kinds = {each.kind for each in change_set.changes}
    specific = kinds - {SETTING, MONEY, DUE, CONFIRMED, RAISED} or kinds & {SETTING, MONEY}
    return specific.pop() if len(specific) == 1 else ""


def _stored_value(choices: StoredValues, key: str) -> str | None:
    value = choices.get(key)
    return None if value is None else str(value)


def _undone(change_set: ChangeSet) -> Refusal:
    return Refusal(Message("undo-undone", {"number": change_set.number}))


def _announcement(change_set: ChangeSet, changes: Sequence[Change]) -> Say:
    """Return the message to the whole room, which was also told of the action that is reverted."""
    message = Message("undo-done", {"number": change_set.number, "changes": described(*changes)})
    return Say(message, event=message.id, everywhere=True)
