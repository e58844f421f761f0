"""The registry: where members prove that seats of two platforms are theirs. `!link`, `!unlink`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.kit import Kind, Option
from chatbot.kernel.say import Credits, Message, Name, Say
from chatbot.live.asked import Service, usage
from chatbot.live.linking.codes import Codes
from chatbot.live.room import Privacy
from chatbot.wallets.changes import Deed
from chatbot.wallets.links import IDENTITY, Entangled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from chatbot.kernel.say import Arguments
    from chatbot.live.asked import Asked
    from chatbot.live.guests import Guests
    from chatbot.live.room import Manner, Room
    from chatbot.live.watch import Watch
    from chatbot.wallets.links import Links

AGREED = 60.0  # seconds in which somebody says yes to whom they would be linked with
MOST = 5  # seats of one person besides the root
YES = "yes"
_PLATFORMS = {"discord": "Discord", "twitch": "Twitch"}


@dataclass(frozen=True, slots=True)
class _Offer:
    root: Seat
    until: float


class Registry:
    def __init__(self, links: Links, guests: Guests, watch: Watch) -> None:
        self._links, self._guests, self._watch = links, guests, watch
        self._codes: Codes[Seat] = Codes(watch)
        self._offers: dict[Seat, _Offer] = {}
        code = Option("code", Kind.WORD)
        self.services = (
            Service("link", self._link, f"[CODE|{YES}]", options=(code,)),
            Service("unlink", self._unlink),
        )

    async def _link(self, asked: Asked) -> Sequence[Say]:
        if len(asked.words) > 1:
            raise usage("link", f"[CODE|{YES}]")
        if not manner(asked).vouches:
            raise Refusal(Message("link-not-here"))
        if not asked.words:
            return [self._issue(asked)]
        self._require_free(asked.line.speaker)
        if asked.words[0].lower() == YES:
            return await self._agree(asked)
        return [await self._propose(asked, asked.words[0])]

    def _issue(self, asked: Asked) -> Say:
        """Tell a code to who asked, and to nobody else."""
        seat = asked.line.speaker
        if manner(asked).private is not Privacy.ALL:
            raise Refusal(Message("link-elsewhere"))
        if self._guests.identities.linked(seat):
            raise Refusal(Message("link-already"))
        self._require_place(seat)
        code = self._codes.issue(seat, seat)
        return replace(asked.whisper(Message("link-code", {"code": code})), secret=True)

    async def _propose(self, asked: Asked, code: str) -> Say:
        """Say whose purse it would become: a code may come from somebody who means no good."""
        seat = asked.line.speaker
        root = self._codes.read(seat, code)
        if platform(root) == platform(seat):
            raise Refusal(Message("link-same-platform", {"platform": platform(seat)}))
        self._codes.spend(code)
        self._offers[seat] = _Offer(root, self._watch.now() + AGREED)
        return asked.whisper(Message("link-offer", {"who": Name(root), "platform": platform(root)}))

    async def _agree(self, asked: Asked) -> Sequence[Say]:
        seat = asked.line.speaker
        offer = self._offers.pop(seat, None)
        if offer is None or offer.until <= self._watch.now():
            raise Refusal(Message("link-no-offer"))
        self._require_place(offer.root)
        try:
            done = await self._links.link(
                begun(asked, asked.room, self._watch.date(), seat), seat, offer.root
            )
        except Entangled:
            raise Refusal(Message("link-already")) from None
        args: Arguments = {"who": Name(offer.root), "platform": platform(offer.root), "moved": _moved(done)}
        return [asked.whisper(Message("link-done", args))] if done is not None else []

    async def _unlink(self, asked: Asked) -> Sequence[Say]:
        if asked.words:
            raise usage("unlink", "")
        seats = self._linked(asked.line.speaker)
        if not seats:
            raise Refusal(Message("link-none"))
        return [say for seat in seats for say in await self._free(asked, seat)]

    async def _free(self, asked: Asked, seat: Seat) -> Sequence[Say]:
        try:
            done = await self._links.unlink(begun(asked, asked.room, self._watch.date(), seat), seat)
        except Entangled:
            raise Refusal(Message("link-none")) from None
        args: Arguments = {"who": Name(seat), "platform": platform(seat), "moved": _moved(done)}
        return [asked.whisper(Message("unlink-done", args))] if done is not None else []

    def _linked(self, seat: Seat) -> list[Seat]:
        """List the links that somebody can take back: their own, or all those that were made with them."""
        known = self._guests.identities
        return [seat] if known.linked(seat) else known.seats(seat)

    def _require_place(self, root: Seat) -> None:
        if len(self._guests.identities.seats(root)) >= MOST:
            raise Refusal(Message("link-most", {"most": MOST}))

    def _require_free(self, seat: Seat) -> None:
        if self._linked(seat):
            raise Refusal(Message("link-already"))


def begun(asked: Asked, room: Room, at: datetime, part: str = "") -> Deed:
    """Begin a deed in a room; what it changes is known when it is done."""
    line = asked.line
    identity = f"deed:{line.id}:{part}".rstrip(":")
    return Deed(identity, room.id, room.community, at, line.speaker, line.name, ())


def manner(asked: Asked) -> Manner:
    """Tell how the chat in which somebody asks is talked to."""
    return next(each.manner for each in asked.room.channels if each.id == asked.line.channel)


def platform(seat: Seat) -> str:
    """Name the platform of a seat for people."""
    name = seat.partition(":")[0]
    return _PLATFORMS.get(name, name)


def _moved(done: Deed | None) -> Message:
    """Word what a purse brought along, or took with it."""
    total = sum(_sums(done)) if done is not None else 0
    return Message("link-moved", {"amount": total, "moved": Credits(total)})


def _sums(done: Deed) -> Iterator[int]:
    yield from (int(each.new) for each in done.changes if each.key != IDENTITY and each.new is not None)
