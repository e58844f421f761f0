"""Codes that are told to one person alone, typed once by another, and forgotten soon.

They live in memory only: a restart voids them.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING, Generic, TypeVar

from chatbot.kernel.game import Refusal
from chatbot.kernel.kit import Kind, Option
from chatbot.kernel.say import Credits, Message, Name, Say
from chatbot.ledger.changes import Deed
from chatbot.ledger.links import IDENTITY, Entangled, SeatedTogether
from chatbot.ledger.people import Account
from chatbot.rooms.request import Service, usage
from chatbot.rooms.room import Privacy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from chatbot.community.members import CommunityMembers
    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Arguments
    from chatbot.ledger.links import Links
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.request import Request
    from chatbot.rooms.room import Line, Manner, Room, Rooms

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that looks like another; 31**10 is about 8 * 10**14
LENGTH = 10
VALID = 600.0  # seconds
TRIES = 5  # wrong codes of one member in that time

T = TypeVar("T")

AGREED = 60.0  # seconds in which somebody says yes to whom they would be linked with
MOST = 5  # accounts of one person besides the root's
YES = "yes"


@dataclass(frozen=True, slots=True)
class _Issued(Generic[T]):
    owner: str
    meant: T
    until: float


class Codes(Generic[T]):
    """Each stands for what it was issued with; a new one voids the former of its owner."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._issued: dict[str, _Issued[T]] = {}
        self._wrong: defaultdict[Account, list[float]] = defaultdict(list)

    def issue(self, owner: str, meant: T) -> str:
        """Make a code."""
        now = self._watch.now()
        self._issued = {
            code: each for code, each in self._issued.items() if each.until > now and each.owner != owner
        }
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        self._issued[code] = _Issued(owner, meant, now + VALID)
        return code

    def read(self, account: Account, text: str) -> T:
        """Tell what a code stands for.

        Raises:
            Refusal: it is none, or not any more, or this member has guessed too often.
        """
        self._require_patience(account)
        issued = self._issued.get(text.upper())
        if issued is None or issued.until <= self._watch.now():
            self._wrong[account].append(self._watch.now())
            raise Refusal(Message("code-wrong"))
        return issued.meant

    def spend(self, text: str) -> None:
        """Void a code."""
        self._issued.pop(text.upper(), None)

    def _require_patience(self, account: Account) -> None:
        now = self._watch.now()
        wrong = [each for each in self._wrong.pop(account, ()) if each > now - VALID]
        if wrong:
            self._wrong[account] = wrong
        if len(wrong) >= TRIES:
            raise Refusal(Message("code-tries", {"minutes": ceil((wrong[0] + VALID - now) / 60)}))


@dataclass(frozen=True, slots=True)
class _Offer:
    root: Account
    until: float


class Registry:
    def __init__(self, links: Links, members: CommunityMembers, rooms: Rooms, watch: Watch) -> None:
        self._links, self._members, self._rooms, self._watch = links, members, rooms, watch
        self._people = members.people
        self._codes: Codes[Account] = Codes(watch)
        self._offers: dict[Account, _Offer] = {}
        code = Option("code", Kind.WORD)
        self.services = (
            Service("link", self._link, f"[CODE|{YES}]", options=(code,)),
            Service("unlink", self._unlink),
        )

    async def _link(self, asked: Request) -> Sequence[Say]:
        if len(asked.words) > 1:
            raise usage("link", f"[CODE|{YES}]")
        if not manner(asked).vouches:
            raise Refusal(Message("link-not-here"))
        if not asked.words:
            return [self._issue(asked)]
        self._require_free(asked.line.home)
        if asked.words[0].lower() == YES:
            return await self._agree(asked)
        return [await self._propose(asked, asked.words[0])]

    def _issue(self, asked: Request) -> Say:
        """Tell a code to who asked, and to nobody else."""
        account = asked.line.account
        if manner(asked).private is not Privacy.ALL:
            raise Refusal(Message("link-elsewhere"))
        if self._people.linked(asked.line.home):
            raise Refusal(Message("link-already"))
        self._require_place(asked.line.home)
        code = self._codes.issue(str(account), account)
        return replace(asked.whisper(Message("link-code", {"code": code})), secret=True)

    async def _propose(self, asked: Request, code: str) -> Say:
        """Say whose purse it would become: a code may come from somebody who means no good."""
        account = asked.line.account
        root = self._codes.read(account, code)
        if root.platform == account.platform:
            raise Refusal(Message("link-same-platform", {"platform": platform(account.platform)}))
        with self._apart(asked.line.home, self._people.home(root)):
            self._codes.spend(code)
        self._offers[account] = _Offer(root, self._watch.now() + AGREED)
        return asked.whisper(Message("link-offer", self._about(root)))

    async def _agree(self, asked: Request) -> Sequence[Say]:
        account, seat = asked.line.account, asked.line.home
        offer = self._offers.pop(account, None)
        if offer is None or offer.until <= self._watch.now():
            raise Refusal(Message("link-no-offer"))
        await self._people.settle([offer.root])
        root = self._people.home(offer.root)
        self._require_place(root)
        deed = begun(asked, asked.room, self._watch.date(), seat)
        try:
            with self._apart(seat, root):
                done = await self._links.link(deed, seat, root)
        except Entangled:
            raise Refusal(Message("link-already")) from None
        except SeatedTogether:
            raise Refusal(Message("link-seated")) from None
        args: Arguments = {**self._about(offer.root), "moved": _moved(done)}
        return [asked.whisper(Message("link-done", args))] if done is not None else []

    async def _unlink(self, asked: Request) -> Sequence[Say]:
        if asked.words:
            raise usage("unlink", "")
        linked = self._linked(asked.line)
        if not linked:
            raise Refusal(Message("link-none"))
        return [say for account in linked for say in await self._free(asked, account)]

    async def _free(self, asked: Request, account: Account) -> Sequence[Say]:
        name = self._members.name(self._people.home(account))
        try:
            done = await self._links.unlink(
                begun(asked, asked.room, self._watch.date(), account.key), account
            )
        except Entangled:
            raise Refusal(Message("link-none")) from None
        self._members.meet(self._people.home(account), name)
        return [asked.whisper(Message("unlink-done", self._about(account)))] if done is not None else []

    def _about(self, account: Account) -> Arguments:
        return {"who": Name(self._people.home(account)), "platform": platform(account.platform)}

    def _linked(self, line: Line) -> list[Account]:
        """List the accounts that somebody can part: their own, or all those that were linked with it."""
        if self._people.linked(line.home):
            return [line.account]
        return [each for each in self._people.accounts(line.home) if self._people.home(each) != line.home]

    def _require_place(self, root: Seat) -> None:
        if len(self._people.companions(root)) >= MOST:
            raise Refusal(Message("link-most", {"most": MOST}))

    def _require_free(self, seat: Seat) -> None:
        if self._people.linked(seat) or self._people.companions(seat):
            raise Refusal(Message("link-already"))

    def _apart(self, one: Seat, other: Seat) -> AbstractContextManager[None]:
        return self._members.linked_accounts.joining(one, other, self._rooms.values())


def begun(asked: Request, room: Room, at: datetime, part: str = "") -> Deed:
    """Begin a deed in a room; what it changes is known when it is done."""
    line = asked.line
    identity = f"deed:{line.id}:{part}".rstrip(":")
    return Deed(identity, room.id, room.community, at, line.home, line.name, ())


def manner(asked: Request) -> Manner:
    """Tell how the chat in which somebody asks is talked to."""
    return next(each.manner for each in asked.room.channels if each.id == asked.line.channel)


def platform(name: str) -> str:
    """Name a platform for people: its door has the same name."""
    return name.capitalize()


def _moved(done: Deed | None) -> Message:
    """Word what a purse brought along, or took with it."""
    total = sum(_sums(done)) if done is not None else 0
    return Message("link-moved", {"amount": total, "moved": Credits(total)})


def _sums(done: Deed) -> Iterator[int]:
    yield from (int(each.new) for each in done.changes if each.key != IDENTITY and each.new is not None)
