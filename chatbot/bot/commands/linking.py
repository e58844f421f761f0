"""The commands `!link`, `!unlink` and `!bridge`, which let accounts or channels share wallets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

from chatbot.bot.arguments import Shown, offering
from chatbot.bot.command import Where, command
from chatbot.community.linking import (
    LINK,
    LINK_OFFER,
    new_change_set,
    platform,
    read_code,
    spend_code,
)
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.say import Credits, Message, Name, Say
from chatbot.ledger.codes import OneTimeCodes
from chatbot.ledger.limits import ReceivingLimitReached
from chatbot.ledger.links import IDENTITY, LinkConflict, SeatedTogether
from chatbot.ledger.people import Account
from chatbot.rooms.channel import Privacy
from chatbot.rooms.request import Request
from chatbot.rooms.scopes import PERSON

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from chatbot.community.bridges import Bridges
    from chatbot.community.members import CommunityMembers
    from chatbot.community.receipts import ReceiptLimits
    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Arguments
    from chatbot.ledger.changes import ChangeSet
    from chatbot.ledger.links import Links
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.line import Line
    from chatbot.rooms.registry import Rooms
    from chatbot.runtime.clock import Watch

MOST = 5  # accounts of one person besides that of the root
YES = "yes"
END = "end"  # of a bridge


class LinkCommands:
    """Answers `!link` and `!unlink`."""

    def __init__(
        self,
        links: Links,
        members: CommunityMembers,
        rooms: Rooms,
        receipts: ReceiptLimits,
        store: Store,
        watch: Watch,
    ) -> None:
        self._links, self._members, self._rooms, self._watch = links, members, rooms, watch
        self._receipts = receipts
        self._people = members.people
        self._codes, self._offers = OneTimeCodes(store, watch, LINK), OneTimeCodes(store, watch, LINK_OFFER)

    @command("link", where=Where.VOUCHED, agrees=True, scope=PERSON)
    async def link(
        self, request: Request, code: Annotated[str, Shown(f"CODE|{YES}"), offering(YES)] = ""
    ) -> Sequence[Say]:
        if not code:
            return [await self._issue(request)]
        self._require_unlinked(request.line.home)
        if code.lower() == YES:
            return await self._confirm(request)
        return [await self._offer(request, code)]

    async def _issue(self, request: Request) -> Say:
        """Return a code, in a private message to the sender."""
        account = request.line.account
        if request.manner.private is not Privacy.ALL:
            raise Refusal(Message("link-elsewhere"))
        if self._people.ties.linked(request.line.home):
            raise Refusal(Message("link-already"))
        self._require_below_most(request.line.home)
        # With the name: whoever types it may be where nobody knows that.
        code = await self._codes.issue(str(account), json.dumps([*account, request.line.name]), account)
        return replace(request.whisper(Message("link-code", {"code": code})), secret=True)

    async def _offer(self, request: Request, code: str) -> Say:
        """Ask for confirmation, naming the owner of the wallet: a code may be meant to deceive."""
        account = request.line.account
        *key, name = json.loads(await read_code(self._codes, request.line, code))
        root = Account(*key)
        await self._people.meet([root])
        if root.platform == account.platform:
            raise Refusal(Message("link-same-platform", {"platform": platform(account.platform)}))
        with self._joining(request.line.home, self._people.home(root)):
            await spend_code(self._codes, code, request.line.id)
        await self._offers.offer(str(account), json.dumps(root), account)
        self._members.meet(self._people.home(root), name)
        return request.whisper(Message("link-offer", self._about(root)))

    async def _confirm(self, request: Request) -> Sequence[Say]:
        account, seat = request.line.account, request.line.home
        offer = await self._offers.take_offer(str(account), request.line.id)
        if offer is None:
            raise Refusal(Message("link-no-offer"))
        root_account = Account(*json.loads(offer))
        await self._people.settle([root_account])
        root = self._people.home(root_account)
        self._require_below_most(root)
        change_set = new_change_set(
            request, request.room.id, request.room.community, self._watch.date(), seat
        )
        communities = [each.community for each in self._rooms.values()]
        try:
            async with self._receipts.receiving([root], communities):
                with self._joining(seat, root):
                    limits = partial(self._receipts.left_of, root)
                    record = await self._links.link(change_set, seat, root, limits, request.batch)
        except LinkConflict:
            raise Refusal(Message("link-already")) from None
        except ReceivingLimitReached as error:
            raise Refusal(Message("link-too-much", {"left": Credits(error.left)})) from None
        except SeatedTogether:
            raise Refusal(Message("link-seated")) from None
        args: Arguments = {**self._about(root_account), "moved": _moved_credits(record)}
        return [request.whisper(Message("link-done", args))] if record is not None else []

    @command("unlink", agrees=True, scope=PERSON)
    async def unlink(self, request: Request) -> Sequence[Say]:
        accounts = self._linked_accounts(request.line)
        if not accounts:
            raise Refusal(Message("link-none"))
        return [say for account in accounts for say in await self._unlink_account(request, account)]

    async def _unlink_account(self, request: Request, account: Account) -> Sequence[Say]:
        await self._members.learn(request.room.community, [self._people.home(account)])
        name = self._members.name(self._people.home(account))
        try:
            change_set = new_change_set(
                request, request.room.id, request.room.community, self._watch.date(), account.key
            )
            record = await self._links.unlink(change_set, account, request.batch)
        except LinkConflict:
            raise Refusal(Message("link-none")) from None
        self._members.meet(self._people.home(account), name)
        return [request.whisper(Message("unlink-done", self._about(account)))] if record is not None else []

    def _about(self, account: Account) -> Arguments:
        return {"who": Name(self._people.home(account)), "platform": platform(account.platform)}

    def _linked_accounts(self, line: Line) -> list[Account]:
        """Return the accounts that the sender can unlink: their own, or else all that are linked to it."""
        if self._people.ties.linked(line.home):
            return [line.account]
        return [each for each in self._people.accounts(line.home) if self._people.home(each) != line.home]

    def _require_below_most(self, root: Seat) -> None:
        if len(self._people.companions(root)) >= MOST:
            raise Refusal(Message("link-most", {"most": MOST}))

    def _require_unlinked(self, seat: Seat) -> None:
        if self._people.ties.linked(seat) or self._people.companions(seat):
            raise Refusal(Message("link-already"))

    def _joining(self, one: Seat, other: Seat) -> AbstractContextManager[None]:
        return self._members.linked_accounts.joining(one, other, self._rooms.values())


class BridgeCommand:
    """Answers `!bridge`."""

    def __init__(self, bridges: Bridges) -> None:
        self._bridges = bridges

    @command("bridge", Role.BROADCASTER, where=Where.VOUCHED, scope=PERSON)
    async def bridge(
        self, request: Request, code: Annotated[str, Shown(f"CODE|{END}"), offering(END)] = ""
    ) -> Sequence[Say]:
        if not code:
            return [await self._issue(request)]
        if code.lower() == END:
            await self._bridges.leave(request)
        else:
            await self._bridges.join(request, code)
        return []

    async def _issue(self, request: Request) -> Say:
        """Return a code, in a private message to the sender."""
        if request.manner.private is not Privacy.ALL:
            raise Refusal(Message("bridge-elsewhere"))
        message = Message("bridge-code", {"code": await self._bridges.issue(request)})
        return replace(request.whisper(message), secret=True)


def _moved_credits(change_set: ChangeSet | None) -> Message:
    """Word the credits that a link or its end has moved."""
    total = sum(_credits(change_set)) if change_set is not None else 0
    return Message("link-moved", {"amount": total, "moved": Credits(total)})


def _credits(change_set: ChangeSet) -> Iterator[int]:
    yield from (int(each.new) for each in change_set.changes if each.key != IDENTITY and each.new is not None)
