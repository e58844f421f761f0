"""Linked accounts: one person uses one wallet with several accounts. `!link`, `!unlink`.

A code is issued to one account in private, and typed with another. Codes are kept in memory only: a restart
voids them.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Generic, TypeVar

from chatbot.kernel.commands import Kind, Option
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Credits, Message, Name, Say
from chatbot.ledger.changes import ChangeSet
from chatbot.ledger.limits import ReceivingLimitReached
from chatbot.ledger.links import IDENTITY, LinkConflict, SeatedTogether
from chatbot.ledger.people import Account
from chatbot.rooms.channel import Privacy
from chatbot.rooms.request import BotCommand, usage
from chatbot.runtime.limits import remember

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from chatbot.community.members import CommunityMembers
    from chatbot.community.receipts import ReceiptLimits
    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Arguments
    from chatbot.ledger.links import Links
    from chatbot.rooms.channel import Manner
    from chatbot.rooms.line import Line
    from chatbot.rooms.registry import Rooms
    from chatbot.rooms.request import Request
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # no two look alike; 31**10 is about 8 * 10**14
LENGTH = 10  # letters of a code
VALID = 600.0  # seconds for which a code is valid
TRIES = 5  # wrong codes that an account may type in that time
OFFER_VALID = 60.0  # seconds in which a link must be confirmed
MOST = 5  # accounts of one person besides that of the root
YES = "yes"
REMEMBERED = 10_000  # accounts whose wrong codes are counted, the latest

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Issued(Generic[T]):
    owner: str
    value: T
    until: float  # on the watch


class Codes(Generic[T]):
    """One-time codes that stand for values; a new code voids the former one of its owner."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._issued: dict[str, _Issued[T]] = {}
        self._wrong: OrderedDict[Account, list[float]] = OrderedDict()  # when each typed wrong codes

    def issue(self, owner: str, value: T) -> str:
        """Return a new code for a value."""
        now = self._watch.now()
        self._issued = {
            code: each for code, each in self._issued.items() if each.until > now and each.owner != owner
        }
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        self._issued[code] = _Issued(owner, value, now + VALID)
        return code

    def read(self, account: Account, text: str) -> T:
        """Return the value of a code that an account has typed.

        Raises:
            Refusal: the code is wrong or has expired, or the account has typed too many wrong ones.
        """
        wrong = self._recent_mistakes(account)
        issued = self._issued.get(text.upper())
        if issued is None or issued.until <= self._watch.now():
            remember(self._wrong, account, [*wrong, self._watch.now()], REMEMBERED)
            raise Refusal(Message("code-wrong"))
        return issued.value

    def spend(self, text: str) -> None:
        """Void a code."""
        self._issued.pop(text.upper(), None)

    def _recent_mistakes(self, account: Account) -> list[float]:
        """Return when an account has typed wrong codes that count, in seconds of the watch.

        Raises:
            Refusal: these are too many.
        """
        now = self._watch.now()
        wrong = [each for each in self._wrong.get(account, ()) if each > now - VALID]
        if len(wrong) >= TRIES:
            raise Refusal(Message("code-tries", {"minutes": ceil((wrong[0] + VALID - now) / 60)}))
        return wrong


@dataclass(frozen=True, slots=True)
class _Offer:
    root: Account
    until: float  # on the watch


class LinkCommands:
    """Answers `!link` and `!unlink`."""

    def __init__(
        self,
        links: Links,
        members: CommunityMembers,
        rooms: Rooms,
        receipts: ReceiptLimits,
        watch: Watch,
    ) -> None:
        self._links, self._members, self._rooms, self._watch = links, members, rooms, watch
        self._receipts = receipts
        self._people = members.people
        self._codes: Codes[Account] = Codes(watch)
        self._offers: dict[Account, _Offer] = {}
        code = Option("code", Kind.WORD, suggest=lambda *_: (YES,))
        self.services = (
            BotCommand("link", self._link, f"[CODE|{YES}]", options=(code,), agrees=True),
            BotCommand("unlink", self._unlink, agrees=True),
        )

    async def _link(self, request: Request) -> Sequence[Say]:
        if len(request.words) > 1:
            raise usage("link", f"[CODE|{YES}]")
        if not manner(request).vouches:
            raise Refusal(Message("link-not-here"))
        if not request.words:
            return [self._issue(request)]
        self._require_unlinked(request.line.home)
        if request.words[0].lower() == YES:
            return await self._confirm(request)
        return [await self._offer(request, request.words[0])]

    def _issue(self, request: Request) -> Say:
        """Return a code, in a private message to the sender."""
        account = request.line.account
        if manner(request).private is not Privacy.ALL:
            raise Refusal(Message("link-elsewhere"))
        if self._people.linked(request.line.home):
            raise Refusal(Message("link-already"))
        self._require_below_most(request.line.home)
        code = self._codes.issue(str(account), account)
        return replace(request.whisper(Message("link-code", {"code": code})), secret=True)

    async def _offer(self, request: Request, code: str) -> Say:
        """Ask for confirmation, naming the owner of the wallet: a code may be meant to deceive."""
        account = request.line.account
        root = self._codes.read(account, code)
        if root.platform == account.platform:
            raise Refusal(Message("link-same-platform", {"platform": platform(account.platform)}))
        with self._joining(request.line.home, self._people.home(root)):
            self._codes.spend(code)
        now = self._watch.now()
        self._offers = {who: each for who, each in self._offers.items() if each.until > now}
        self._offers[account] = _Offer(root, now + OFFER_VALID)
        return request.whisper(Message("link-offer", self._about(root)))

    async def _confirm(self, request: Request) -> Sequence[Say]:
        account, seat = request.line.account, request.line.home
        offer = self._offers.pop(account, None)
        if offer is None or offer.until <= self._watch.now():
            raise Refusal(Message("link-no-offer"))
        await self._people.settle([offer.root])
        root = self._people.home(offer.root)
        self._require_below_most(root)
        change_set = new_change_set(request, request.room, self._watch.date(), seat)
        communities = [each.community for each in self._rooms.values()]
        try:
            async with self._receipts.receiving(root, communities):
                with self._joining(seat, root):
                    limits = partial(self._receipts.left_of, root)
                    done = await self._links.link(change_set, seat, root, limits)
        except LinkConflict:
            raise Refusal(Message("link-already")) from None
        except ReceivingLimitReached as error:
            raise Refusal(Message("link-too-much", {"left": Credits(error.left)})) from None
        except SeatedTogether:
            raise Refusal(Message("link-seated")) from None
        args: Arguments = {**self._about(offer.root), "moved": _moved(done)}
        return [request.whisper(Message("link-done", args))] if done is not None else []

    async def _unlink(self, request: Request) -> Sequence[Say]:
        if request.words:
            raise usage("unlink", "")
        linked = self._linked(request.line)
        if not linked:
            raise Refusal(Message("link-none"))
        return [say for account in linked for say in await self._unlink_account(request, account)]

    async def _unlink_account(self, request: Request, account: Account) -> Sequence[Say]:
        await self._members.learn(request.room.community, [self._people.home(account)])
        name = self._members.name(self._people.home(account))
        try:
            done = await self._links.unlink(
                new_change_set(request, request.room, self._watch.date(), account.key), account
            )
        except LinkConflict:
            raise Refusal(Message("link-none")) from None
        self._members.meet(self._people.home(account), name)
        return [request.whisper(Message("unlink-done", self._about(account)))] if done is not None else []

    def _about(self, account: Account) -> Arguments:
        return {"who": Name(self._people.home(account)), "platform": platform(account.platform)}

    def _linked(self, line: Line) -> list[Account]:
        """Return the accounts that the sender can unlink: their own, or else all that are linked to it."""
        if self._people.linked(line.home):
            return [line.account]
        return [each for each in self._people.accounts(line.home) if self._people.home(each) != line.home]

    def _require_below_most(self, root: Seat) -> None:
        if len(self._people.companions(root)) >= MOST:
            raise Refusal(Message("link-most", {"most": MOST}))

    def _require_unlinked(self, seat: Seat) -> None:
        if self._people.linked(seat) or self._people.companions(seat):
            raise Refusal(Message("link-already"))

    def _joining(self, one: Seat, other: Seat) -> AbstractContextManager[None]:
        return self._members.linked_accounts.joining(one, other, self._rooms.values())


def new_change_set(request: Request, room: Room, at: datetime, part: str = "") -> ChangeSet:
    """Return a change set without changes, which are known when it is written.

    `part` tells several change sets of one line apart.
    """
    line = request.line
    identity = f"change-set:{line.id}:{part}".rstrip(":")
    return ChangeSet(identity, room.id, room.community, at, line.home, line.name, ())


def manner(request: Request) -> Manner:
    """Return the manner of the channel from which a request comes."""
    return next(each.manner for each in request.room.channels if each.id == request.line.channel)


def platform(name: str) -> str:
    """Return the display name of a platform."""
    return name.capitalize()


def _moved(done: ChangeSet | None) -> Message:
    """Word the credits that a link or its end has moved."""
    total = sum(_credits(done)) if done is not None else 0
    return Message("link-moved", {"amount": total, "moved": Credits(total)})


def _credits(done: ChangeSet) -> Iterator[int]:
    yield from (int(each.new) for each in done.changes if each.key != IDENTITY and each.new is not None)
