"""The command `!undo`, which reverts an action of a moderator. It is recorded, and can itself be reverted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, TypeAlias

from chatbot.bot.arguments import Number, Why
from chatbot.bot.command import command
from chatbot.community.changes_in_words import described
from chatbot.community.crowd_reversal import CrowdReversal, is_crowd, takers_of
from chatbot.community.grants import allotment
from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.say import Arguments, Credits, Message, Name, Say
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import GRANT, LINKED, Entry, Posting, Short
from chatbot.ledger.changes import (
    CONFIRMED,
    DUE,
    IMPORTED,
    IMPORTED_ROWS,
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
    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.books.unit import UnitOfWork
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

    def barred(self, change_set: ChangeSet, *, undone: bool) -> Message | None:
        """Return why an action can never be reverted, or not again; None: it is possible by what it says."""
        kind = _kind(change_set)
        if undone:
            return _undone(change_set).message
        if _is_import(change_set):
            return _imported(change_set).message
        if kind == VOIDED:
            return _voided(change_set).message
        return None if kind in self.reversals else _impossible(change_set).message

    async def preview(self, room: Room, number: int, unit: UnitOfWork) -> Sequence[Change]:
        """Return the changes that reverting an action would make now, without making them; `unit` only reads.

        Raises:
            Refusal: it cannot be reverted, or no longer.
        """
        change_set = await self._find(room, number)
        barred = self.barred(change_set, undone=await self._changes.undone(change_set))
        if barred is not None:
            raise Refusal(barred)
        kind = _kind(change_set)
        if kind == SETTING:
            return [
                replace(each, old=each.new, new=each.old) for each in _unchanged_settings(room, change_set)
            ]
        if kind == MONEY:
            return await self._preview_credits(unit, change_set)
        return [replace(each, old=each.new, new=each.old) for each in change_set.changes]

    async def _revert(self, request: Request, actor: Actor, change_set: ChangeSet) -> Sequence[Say]:
        self._allow(request, actor, change_set)
        reversal = self.reversals.get(_kind(change_set))
        if reversal is None:
            raise _impossible(change_set)
        if await self._changes.undone(change_set):
            raise _undone(change_set)
        if _is_import(change_set):
            raise _imported(change_set)
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
        for each in _unchanged_settings(actor.room, change_set):
            old_values.setdefault(each.subject, {})[each.key] = each.old
        changes = await self._settings_changes.change(actor, old_values, undoes=change_set.id)
        return [_announcement(change_set, changes)]

    # Money

    async def _return_credits(self, actor: Actor, change_set: ChangeSet) -> Sequence[Say]:
        if is_crowd(change_set):
            return await self._return_of_many(actor, change_set)
        reversed_entries, grant = await self._reversed(change_set)
        try:
            changes = await self._move_back(actor, change_set, reversed_entries, grant)
        except Short as short:
            raise await self._lacking(change_set, short.purse.seat, short.balance) from None
        except GrantLimitReached:
            args: Arguments = {"number": change_set.number, "amount": Credits(grant)}
            raise Refusal(Message("undo-grant", args)) from None
        return [_announcement(change_set, changes)]

    async def _reversed(self, change_set: ChangeSet) -> tuple[tuple[Entry, ...], int]:
        """Return the entries that reverse an action, and how much of them counts as a grant."""
        entries = [each for each in await self._changes.entries(change_set) if each.why != LINKED]
        # What an undo took back may be granted again by undoing that, but as if by `!grant`.
        grant = sum(each.credits for each in entries if change_set.undoes and each.target.kind == purses.MINT)
        why = GRANT if grant else REASON
        return tuple(Entry(each.target, each.source, each.credits, why) for each in entries), grant

    async def _preview_credits(self, unit: UnitOfWork, change_set: ChangeSet) -> Sequence[Change]:
        if is_crowd(change_set):
            return [(await self._crowd_reversal(unit, change_set)).change("")]
        entries, _ = await self._reversed(change_set)
        wallets = _wallets(change_set)
        balances = await unit.balances(set(wallets.values()))
        after = _after(balances, entries)
        for each, wallet in wallets.items():
            if after[wallet] < 0:
                raise await self._lacking(change_set, Seat(each.subject), balances[wallet])
        await self._members.learn(change_set.community, [Seat(each.subject) for each in wallets])
        return [
            replace(each, old=str(balances[wallet]), new=str(after[wallet]))
            for each, wallet in wallets.items()
        ]

    async def _crowd_reversal(self, unit: UnitOfWork, change_set: ChangeSet) -> CrowdReversal:
        entries = [
            replace(each, source=self._joined(each.source), target=self._joined(each.target))
            for each in await self._changes.entries(change_set)
            if each.why != LINKED
        ]
        balances = await unit.balances(takers_of(entries))
        return CrowdReversal.of(entries, balances, is_again=change_set.undoes is not None)

    def _joined(self, purse: Purse) -> Purse:
        """Return the purse itself, or the wallet with which it was joined since: it is counted only once."""
        if purse.kind != purses.PERSON:
            return purse
        return purses.wallet(purse.community, self._members.people.ties.root(purse.seat))

    async def _return_of_many(self, actor: Actor, change_set: ChangeSet) -> Sequence[Say]:
        """Take a payment to many back, from each as far as it is there, and give back what it has taken."""
        assert actor.committer is not None  # noqa: S101  (it is the batch of the line)
        reversal = await self._crowd_reversal(actor.committer.unit, change_set)
        posting = f"undo:{change_set.id}"
        change = reversal.change(posting)
        undo = self._settings_changes.change_set(actor, [change], undoes=change_set.id)
        work = Posting(posting, change_set.community, undo.at, actor.seat, reversal.entries)
        limit = allotment(self._members.people, actor.room, Seat(actor.seat), undo.at, confirmed=False)
        check = partial(limit.check, amount=reversal.granted) if reversal.granted else None
        try:
            await self._changes.make(undo, Work(posting=work, check=check), actor.committer)
        except GrantLimitReached:
            args: Arguments = {"number": change_set.number, "amount": Credits(reversal.granted)}
            raise Refusal(Message("undo-grant", args)) from None
        said = [_announcement(change_set, [change])]
        if reversal.spent:
            spent = Message("undo-crowd-spent", {"amount": Credits(reversal.spent)})
            said.append(Say(spent, event=spent.id, everywhere=True))
        return said

    async def _move_back(
        self, actor: Actor, change_set: ChangeSet, reversed_entries: tuple[Entry, ...], grant: int
    ) -> list[Change]:
        """Write the reversal, of which `grant` credits count as those of a grant; return its changes."""
        wallets = _wallets(change_set)
        assert actor.committer is not None  # noqa: S101  (it is the batch of the line)
        balances = await actor.committer.unit.balances(set(wallets.values()))
        after = _after(balances, reversed_entries)
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

    async def _lacking(self, change_set: ChangeSet, seat: Seat, balance: int) -> Refusal:
        await self._members.learn(change_set.community, [seat])
        args: Arguments = {"number": change_set.number, "who": Name(seat), "balance": Credits(balance)}
        return Refusal(Message("undo-short", args))


async def _refuse_voided(_: Actor, change_set: ChangeSet) -> Sequence[Say]:
    """Refuse: refunds may have been staked again, and the seed of the table was published."""
    raise _voided(change_set)


def _unchanged_settings(room: Room, change_set: ChangeSet) -> Sequence[Change]:
    """Return the changes of settings of an action.

    Raises:
        Refusal: one of them was changed again since.
    """
    changes = [each for each in change_set.changes if each.kind == SETTING]
    for each in changes:
        if _stored_value(room.settings(each.subject), each.key) != each.new:
            args: Arguments = {"number": change_set.number, "change": described(each)}
            raise Refusal(Message("undo-changed", args))
    return changes


def _wallets(change_set: ChangeSet) -> dict[Change, Purse]:
    changes = [each for each in change_set.changes if each.kind == MONEY]
    return {each: purses.wallet(change_set.community, Seat(each.subject)) for each in changes}


def _after(balances: Mapping[Purse, int], entries: Sequence[Entry]) -> Counter[Purse]:
    """Return the balances after some entries."""
    after = Counter(balances)
    for entry in entries:
        after[entry.source] -= entry.credits
        after[entry.target] += entry.credits
    return after


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


def _voided(change_set: ChangeSet) -> Refusal:
    return Refusal(Message("undo-void", {"number": change_set.number}))


def _is_import(change_set: ChangeSet) -> bool:
    return any(each.subject in {IMPORTED, IMPORTED_ROWS} for each in change_set.changes)


def _imported(change_set: ChangeSet) -> Refusal:
    return Refusal(Message("undo-import", {"number": change_set.number}))


def _impossible(change_set: ChangeSet) -> Refusal:
    return Refusal(Message("undo-impossible", {"number": change_set.number}))


def _undone(change_set: ChangeSet) -> Refusal:
    return Refusal(Message("undo-undone", {"number": change_set.number}))


def _announcement(change_set: ChangeSet, changes: Sequence[Change]) -> Say:
    """Return the message to the whole room, which was also told of the action that is reverted."""
    message = Message("undo-done", {"number": change_set.number, "changes": described(*changes)})
    return Say(message, event=message.id, everywhere=True)
