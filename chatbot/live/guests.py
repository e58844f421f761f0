"""Who is who: greets members when they are first heard, knows their names, and finds them by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.say import Message, Quote
from chatbot.wallets import accounts
from chatbot.wallets.posting import Entry, Posting

if TYPE_CHECKING:
    from collections.abc import Collection

    from chatbot.live.room import Line, Room
    from chatbot.live.watch import Watch
    from chatbot.wallets.ledger import Ledger
    from chatbot.wallets.members import Members

NOTED = 60.0  # seconds for which it need not be written again that somebody was seen


class Guests:
    """Members are known by their seat; a name is only ever shown, or looked up to find a seat."""

    def __init__(self, ledger: Ledger, members: Members, watch: Watch) -> None:
        self._ledger, self._members, self._watch = ledger, members, watch
        self._names: dict[Seat, str] = {}
        self._noted: dict[tuple[str, Seat], tuple[str, float]] = {}

    def name(self, seat: Seat) -> str:
        """Give the display name, or the bare id of somebody never heard."""
        return self._names.get(seat, seat.partition(":")[2] or seat)

    async def greet(self, room: Room, line: Line) -> None:
        """Note that a member is here; who is new to the community gets its starting credits, once ever."""
        self._names[line.seat] = line.name
        key, now = (room.community, line.seat), self._watch.now()
        name, noted = self._noted.get(key, ("", 0.0))
        if name == line.name and now < noted + NOTED:
            return
        if not name:
            await self._welcome(room, line.seat)
        await self._members.note(room.community, line.seat, line.name, self._watch.date())
        self._noted[key] = (line.name, now)

    async def learn(self, community: str, seats: Collection[Seat]) -> None:
        """Make sure that the names of these members are known."""
        unknown = [seat for seat in seats if seat not in self._names]
        if unknown:
            self._names.update(await self._members.names(community, unknown))

    async def find(self, room: Room, text: str) -> Seat:
        """Find a member by `@name` or `name`.

        Raises:
            Refusal: there is none of that name, or more than one.
        """
        seats = await self._members.find(room.community, text.removeprefix("@"))
        if len(seats) != 1:
            problem = "member-ambiguous" if seats else "member-unknown"
            raise Refusal(Message(problem, {"name": Quote(text.removeprefix("@"))}))
        await self.learn(room.community, seats)
        return seats[0]

    async def _welcome(self, room: Room, seat: Seat) -> None:
        if not room.habits.start_credits:
            return
        wallet, mint = accounts.wallet(room.community, seat), accounts.mint(room.community)
        gift = Entry(mint, wallet, room.habits.start_credits, "welcome")
        posting = f"welcome:{room.community}:{seat}"
        await self._ledger.post(Posting(posting, room.community, self._watch.date(), seat, (gift,)))
