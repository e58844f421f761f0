"""What somebody has, and where it came from and went. `!credits`, `!season`, `!history`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.community.members import Unknown
from chatbot.kernel.amounts import read_whole
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import Kind, Option, called
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, Quote, Say
from chatbot.ledger.books import purses
from chatbot.ledger.limits import GIFT
from chatbot.rooms.request import Request, Service, game_option
from chatbot.settings.lists import standing
from chatbot.speech.spans import ago

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.community.members import CommunityMembers
    from chatbot.community.seasons import Calendar
    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.books.history import Histories, Movement
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.room import Room
    from chatbot.speech.outbox import Outbox

SHOWN, MOST_SHOWN = 5, 20  # movements
COUNT = f"[1-{MOST_SHOWN}]"
ARGUMENTS = f"{COUNT} [@name]"
ADDRESS = 120  # characters that stand before an answer where it cannot be whispered, at most
MINUS = "\N{MINUS SIGN}"
_OPTIONS = Option("count", Kind.WHOLE, least=1, most=MOST_SHOWN), Option("member", Kind.MEMBER)


class Balances:
    """Answers what any member may ask."""

    def __init__(
        self,
        kits: Mapping[str, AnyKit],
        ledger: Ledger,
        members: CommunityMembers,
        calendar: Calendar,
        watch: Watch,
    ) -> None:
        self._kits, self._ledger, self._members = kits, ledger, members
        self._calendar, self._watch = calendar, watch
        self.services = (
            Service(
                "credits", self._credits, "[@name]", options=(Option("member", Kind.MEMBER),), reads=True
            ),
            Service("season", self._season, "[GAME]", options=(game_option(kits),), reads=True),
        )

    async def purse(self, room: Room, seat: Seat) -> int:
        wallet = purses.wallet(room.community, seat)
        return await self._ledger.balance(wallet)

    async def _credits(self, asked: Request) -> Sequence[Say]:
        name = " ".join(asked.words)
        seat = await self._members.find(asked, name) if name else asked.line.seat
        balance = Credits(await self.purse(asked.room, seat))
        return [asked.answer(Message("credits-of", {"who": Name(seat), "balance": balance}))]

    async def _season(self, asked: Request) -> Sequence[Say]:
        asked_about = called(self._kits, asked.words[0]) if asked.words else None
        seasonal = [kit for kit in self._kits.values() if not asked.words or kit is asked_about]
        says = []
        for kit in seasonal:
            says += [asked.answer(each) for each in await self._calendar.describe(asked.room, kit)]
        if not says:
            raise Refusal(Message("no-season", {"text": Quote(" ".join(asked.words))}))
        return says


class History:
    def __init__(self, histories: Histories, members: CommunityMembers, outbox: Outbox, watch: Watch) -> None:
        self._histories, self._members, self._outbox, self._watch = histories, members, outbox, watch
        self.services = (Service("history", self._tell, ARGUMENTS, options=_OPTIONS, reads=True),)

    async def _tell(self, asked: Request) -> Sequence[Say]:
        count, name = _read(asked.words)
        seat = await self._whose(asked, name)
        wallet = purses.wallet(asked.room.community, seat)
        movements = await self._histories.newest(wallet, count)
        await self._members.learn(asked.room.community, _partners(movements))
        if not movements:
            return [asked.whisper(Message("history-none", {"who": Name(seat)}))]
        rows = tuple(self._row(each) for each in movements)
        return [asked.whisper(self._fitted(asked.room, seat, movements[0].balance, rows))]

    async def _whose(self, asked: Request, name: str) -> Seat:
        """Find whose history is asked for: that of others is for moderators.

        Raises:
            Refusal: it is another's, or there is nobody of that name.
        """
        own = self._members.people.root(asked.line.seat)
        if not name:
            return own
        moderates = standing(asked.room, asked.line).covers(Role.MODERATOR)
        try:
            seat = self._members.people.root(await self._members.find(asked, name))
        except Unknown:
            raise _unclear(name, moderates=moderates) from None
        if seat != own and not moderates:
            raise Refusal(Message("history-others", {"role": Message(f"role-{Role.MODERATOR.value}")}))
        return seat

    def _fitted(self, room: Room, seat: Seat, balance: int, rows: tuple[Message, ...]) -> Message:
        """Show as many movements as every chat of a room takes in one message."""
        longest = min(each.manner.length for each in room.channels) - ADDRESS
        args: Arguments = {"who": Name(seat), "balance": Credits(balance)}
        told = [
            Message("history", {**args, "rows": Listing(rows, most, "; ")})
            for most in range(1, len(rows) + 1)
        ]
        fits = [each for each in told if len(self._outbox.text(each, room=room)) <= longest]
        return fits[-1] if fits else told[0]

    def _row(self, moved: Movement) -> Message:
        change = f"{moved.credits:+,d}".replace("-", MINUS)
        when = ago((self._watch.date() - moved.at).total_seconds(), 1)
        args: Arguments = {"when": when, "change": change, "balance": moved.balance}
        return Message("history-row", {**args, "what": self._what(moved)})

    def _what(self, moved: Movement) -> Message:
        """Say what a movement was: of a game all in one, or why, where there was one reason only."""
        if GIFT in moved.whys:
            way = "history-gift-to" if moved.credits < 0 else "history-gift-from"
            return Message(way, {"who": Name(moved.partner.seat)})
        reasons = [self._reason(each) for each in moved.whys]
        if moved.table is None:
            return Message("why-several", {"reasons": Listing(tuple(reasons))})
        game = self._known(f"game-{moved.game}", str(moved.game))
        args: Arguments = {"game": game, "table": moved.table}
        if moved.open:
            return Message("history-open", args)
        if len(reasons) == 1:
            return Message("history-part", {**args, "why": reasons[0]})
        return Message("history-game", args)

    def _reason(self, why: str) -> Message:
        return self._known(f"why-{why.replace(' ', '-')}", why)

    def _known(self, message: str, word: str) -> Message:
        """Fall back on the program's own word: a game of others may have no words for all."""
        return Message(message) if message in self._outbox.words.ids else Message("word", {"word": word})


def _read(words: Sequence[str]) -> tuple[int, str]:
    """Tell the number from the name: `5 @bob`, `@bob 5`, either or neither."""
    for place in (0, -1):
        if words and words[place].isdigit():
            rest = words[1:] if place == 0 else words[:-1]
            return read_whole(words[place], 1, MOST_SHOWN), " ".join(rest)
    return SHOWN, " ".join(words)


def _unclear(name: str, *, moderates: bool) -> Refusal:
    """Say what can be asked for: a name by moderators only."""
    example = f"!history {ARGUMENTS}" if moderates else f"!history {COUNT}"
    args: Arguments = {"text": Quote(name.removeprefix("@")), "most": MOST_SHOWN, "example": example}
    return Refusal(Message("history-unclear", args))


def _partners(movements: Sequence[Movement]) -> list[Seat]:
    """List who gave to somebody or got from them."""
    return [each.partner.seat for each in movements if GIFT in each.whys]
