"""Who is meant by a payment to many: those who are present, the regulars, or everybody who has a wallet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.say import Message
from chatbot.rooms.settings.lists import barred, named_regulars

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from chatbot.community.earning.audience import Audience
    from chatbot.community.members import CommunityMembers
    from chatbot.rooms.room import Room

MOST_PAID = 5_000  # people of one payment: it is one posting, which is decided and written at once
MOST_SHOWERED = 100  # people among whom a member shares a gift: each has limits of their own, which are read


class Crowds:
    """Finds the people of a payment to many: each person once, without the sender and the excluded."""

    def __init__(self, audience: Audience, members: CommunityMembers) -> None:
        self._audience, self._members = audience, members

    async def present(self, room: Room, sender: Seat) -> list[Seat]:
        """Return those who are present, who spoke last first.

        Raises:
            Refusal: nobody else is, or there are too many.
        """
        return await self._people(room, sender, self._audience.present(room), "crowd-nobody-here")

    async def regulars(self, room: Room, sender: Seat) -> list[Seat]:
        """Return the regulars; raises as `present`."""
        accounts = named_regulars(room)
        await self._members.people.settle(accounts)
        seats = [self._members.people.home(each) for each in accounts]
        return await self._people(room, sender, seats, "crowd-no-regulars")

    async def _people(self, room: Room, sender: Seat, seats: Iterable[Seat], nobody: str) -> list[Seat]:
        people = self._members.people
        own = set(people.ties.everyone(sender))
        roots = [each for each in dict.fromkeys(map(people.ties.root, seats)) if each not in own]
        await self._members.learn(room.community, roots[:MOST_PAID])
        paid = [each for each in roots if not self._is_barred(room, each)]
        if not paid:
            raise Refusal(Message(nobody))
        require_bounded(paid)
        return paid

    def _is_barred(self, room: Room, seat: Seat) -> bool:
        return barred(room, seat, self._members.people.ever(seat), self._members.name(seat))


def require_bounded(people: Collection[object]) -> None:
    """Require that one payment is for no more people than can be written at once.

    Raises:
        Refusal: there are more.
    """
    if len(people) > MOST_PAID:
        raise Refusal(Message("crowd-too-many", {"count": len(people), "most": MOST_PAID}))
