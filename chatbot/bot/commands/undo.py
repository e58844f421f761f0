"""Taking back what moderators did: `!undo`. It is itself a deed, and can be taken back like any other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from chatbot.bot.commands.audit import described
from chatbot.kernel.amounts import MOST, read_whole
from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.kit import Kind, Option
from chatbot.kernel.say import Arguments, Credits, Message, Name, Say
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import LINKED, Entry, Moved, Posting, Short
from chatbot.ledger.changes import DUE, MONEY, SETTING, VOIDED, Change, Deed, Undone, Work
from chatbot.rooms.request import Request, Service, reasoned, usage
from chatbot.settings.changes import OPERATOR, Actor

if TYPE_CHECKING:
    from chatbot.community.members import CommunityMembers
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.rooms.request import Check
    from chatbot.settings.changes import SettingsChanges
    from chatbot.settings.fields import Choices

UNDO = "[NUMBER]"
WHY = "undo"  # what its entries in the ledger say
HANDLERS = "grant", "take"  # the commands that one must be allowed to use, to take credits back
SETTER = "set"  # the command that changes every setting

Reversal: TypeAlias = Callable[[Actor, Deed], Awaitable[Sequence[Say]]]
"""Takes a deed back, by a deed that names it as what it undoes, and says so.

Raises:
    Refusal: it cannot be done, or not any more.
    Undone: it was done before.
"""


class Undoing:
    """`reversals` take back deeds by the kind of their changes; others may add theirs.

    A deed that changes settings or money besides something else is for the reversal of that.
    """

    def __init__(
        self, settings_changes: SettingsChanges, ledger: Ledger, members: CommunityMembers, check: Check
    ) -> None:
        self._settings_changes, self._changes, self._ledger = (
            settings_changes,
            settings_changes.changes,
            ledger,
        )
        self._members, self._check = members, check
        self.reversals: dict[str, Reversal] = {
            SETTING: self._put_back,
            MONEY: self._pay_back,
            VOIDED: _leave_void,
        }
        number = (Option("number", Kind.WHOLE, least=1),)
        self.services = (Service("undo", self._undo, UNDO, Role.MODERATOR, number),)

    async def _undo(self, asked: Request) -> Sequence[Say]:
        asked, why = reasoned(asked)
        deed, hand = await self._named(asked), Actor.of(asked, why)
        self._allow(asked, hand, deed)
        reversal = self.reversals.get(_kind(deed))
        if reversal is None:
            raise Refusal(Message("undo-impossible", {"number": deed.number}))
        if await self._changes.undone(deed):
            raise _undone(deed)
        try:
            return await reversal(hand, deed)
        except Undone:
            raise _undone(deed) from None

    async def _named(self, asked: Request) -> Deed:
        if len(asked.words) > 1:
            raise usage("undo", UNDO)
        if not asked.words:
            deed = await self._changes.last(asked.room.id)
            if deed is None:
                raise Refusal(Message("undo-nothing"))
            return deed
        number = read_whole(asked.words[0].removeprefix("#"), 1, MOST)
        deed = await self._changes.numbered(asked.room.id, number)
        if deed is None:
            raise Refusal(Message("undo-unknown", {"number": number}))
        return deed

    def _allow(self, asked: Request, hand: Actor, deed: Deed) -> None:
        """Let pass who might have done it otherwise; the operator's deeds are for who owns the room."""
        if deed.actor == OPERATOR:
            hand.require(Role.BROADCASTER)
        if any(each.kind == MONEY for each in deed.changes):
            for word in HANDLERS:
                self._check(asked, word)
        for each in deed.changes:
            if each.kind == SETTING and not self._may(asked, self._own_commands(each)):
                self._check(asked, SETTER)

    def _own_commands(self, change: Change) -> Sequence[str]:
        """Name the other commands that change a setting, one way or the other."""
        group = self._settings_changes.groups.get(change.subject)
        return group.commands(change.key) if group is not None else ()

    def _may(self, asked: Request, words: Sequence[str]) -> bool:
        """Whether there are such commands, and who asks may use each of them."""
        try:
            for word in words:
                self._check(asked, word)
        except Refusal:
            return False
        return bool(words)

    # Settings

    async def _put_back(self, hand: Actor, deed: Deed) -> Sequence[Say]:
        wanted: dict[str, dict[str, str | None]] = {}
        for each in deed.changes:
            if _stored(hand.room.settings(each.subject), each.key) != each.new:
                raise Refusal(Message("undo-changed", {"number": deed.number, "change": described(each)}))
            wanted.setdefault(each.subject, {})[each.key] = each.old
        made = await self._settings_changes.change(hand, wanted, undoes=deed.id)
        return [_told(deed, made)]

    # Money

    async def _pay_back(self, hand: Actor, deed: Deed) -> Sequence[Say]:
        moved = [each for each in await self._changes.entries(deed) if each.why != LINKED]
        returned = tuple(Entry(each.target, each.source, each.credits, WHY) for each in moved)
        while True:
            with suppress(Moved):  # a purse has changed since: what it holds is looked at again
                try:
                    return [_told(deed, await self._move_back(hand, deed, returned))]
                except Short as short:
                    raise await self._lacking(deed, short) from None

    async def _move_back(self, hand: Actor, deed: Deed, returned: tuple[Entry, ...]) -> list[Change]:
        wallets = {each: purses.wallet(deed.community, Seat(each.subject)) for each in deed.changes}
        held = await self._ledger.balances(set(wallets.values()))
        after = Counter(held)
        for entry in returned:
            after[entry.source] -= entry.credits
            after[entry.target] += entry.credits
        posting = f"undo:{deed.id}"
        made = [
            Change(MONEY, each.subject, each.key, str(held[wallet]), str(after[wallet]), posting)
            for each, wallet in wallets.items()
        ]
        done = self._settings_changes.deed(hand, made, undoes=deed.id)
        work = Posting(posting, deed.community, done.at, hand.seat, returned, expects=held)
        await self._changes.make(done, Work(postings=(work,)))
        return made

    async def _lacking(self, deed: Deed, short: Short) -> Refusal:
        seat = short.purse.seat
        await self._members.learn(deed.community, [seat])
        args: Arguments = {"number": deed.number, "who": Name(seat), "balance": Credits(short.balance)}
        return Refusal(Message("undo-short", args))


async def _leave_void(_: Actor, deed: Deed) -> Sequence[Say]:
    """Refuse: who was paid back has perhaps staked it again, and the luck of that table is told."""
    raise Refusal(Message("undo-void", {"number": deed.number}))


def _kind(deed: Deed) -> str:
    """Name the kind that a deed is of; where it is of several, nothing unless one of them leads."""
    kinds = {each.kind for each in deed.changes}
    leading = kinds - {SETTING, MONEY, DUE} or kinds
    return leading.pop() if len(leading) == 1 else ""


def _stored(choices: Choices, key: str) -> str | None:
    value = choices.get(key)
    return None if value is None else str(value)


def _undone(deed: Deed) -> Refusal:
    return Refusal(Message("undo-undone", {"number": deed.number}))


def _told(deed: Deed, made: Sequence[Change]) -> Say:
    """Tell all, as what is undone was told to all."""
    message = Message("undo-done", {"number": deed.number, "changes": described(*made)})
    return Say(message, event=message.id)
