"""The command `!history`, which lists what moved a member's credits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from chatbot.bot.arguments import Grammar, TypedWords
from chatbot.bot.command import command
from chatbot.community.members import Unknown
from chatbot.kernel.amounts import read_whole
from chatbot.kernel.commands import Kind, Option
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, Quote, Say
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import GIFT
from chatbot.ledger.vouchers import VOUCHER
from chatbot.rooms.request import Request, as_typed, at_least
from chatbot.rooms.settings.lists import standing
from chatbot.speech.spans import ago

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.community.members import CommunityMembers
    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.books.history import Histories, Movement
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch

SHOWN, MOST_SHOWN = 5, 20  # movements that are listed by default, and at most
COUNT = f"[1-{MOST_SHOWN}]"
ARGUMENTS = f"{COUNT} [@name]"
ADDRESS_LENGTH = 120  # characters reserved for the name before an answer that cannot be whispered
MINUS = "\N{MINUS SIGN}"
_OPTIONS = Option("count", Kind.WHOLE, least=1, most=MOST_SHOWN), Option("member", Kind.MEMBER)


class History:
    """Answers `!history`."""

    def __init__(
        self,
        histories: Histories,
        kits: Mapping[str, AnyKit],
        members: CommunityMembers,
        outbox: Outbox,
        watch: Watch,
    ) -> None:
        self._histories, self._kits, self._members = histories, kits, members
        self._outbox, self._watch = outbox, watch

    @command("history", reads=True)
    async def history(
        self, request: Request, words: Annotated[TypedWords, Grammar(ARGUMENTS, _OPTIONS)] = ()
    ) -> Sequence[Say]:
        count, name = _read(words)
        seat = await self._find_owner(request, name)
        wallet = purses.wallet(request.room.community, seat)
        movements = await self._histories.newest(wallet, count)
        await self._members.learn(request.room.community, _partners(movements))
        if not movements:
            return [request.whisper(Message("history-none", {"who": Name(seat)}))]
        rows = tuple(self._row(each) for each in movements)
        return [request.whisper(self._fitted(request.room, seat, movements[0].balance, rows))]

    async def _find_owner(self, request: Request, name: str) -> Seat:
        """Find the member whose history is requested: the sender, if `name` is empty.

        Raises:
            Refusal: no member has that name, or the sender may not see that member's history.
        """
        sender = self._members.people.ties.root(request.line.seat)
        if not name:
            return sender
        moderates = standing(request.room, request.line).covers(Role.MODERATOR)
        try:
            seat = self._members.people.ties.root(await self._members.find_wallet(request, name))
        except Unknown:
            raise _unclear(as_typed(request.line, name), moderates=moderates) from None
        if seat != sender and not moderates:
            raise Refusal(Message("history-others", {"role": at_least(Role.MODERATOR)}))
        return seat

    def _fitted(self, room: Room, seat: Seat, balance: int, rows: tuple[Message, ...]) -> Message:
        """Word as many movements as fit into one message in every channel of a room."""
        longest = min(each.manner.length for each in room.channels) - ADDRESS_LENGTH
        args: Arguments = {"who": Name(seat), "balance": Credits(balance)}
        versions = [
            Message("history", {**args, "rows": Listing(rows, most, "; ")})
            for most in range(1, len(rows) + 1)
        ]
        fitting = [each for each in versions if len(self._outbox.text(each, room=room)) <= longest]
        return fitting[-1] if fitting else versions[0]

    def _row(self, movement: Movement) -> Message:
        when = ago((self._watch.date() - movement.at).total_seconds(), 1)
        args: Arguments = {"when": when, "change": _with_sign(movement.credits), "balance": movement.balance}
        return Message("history-row", {**args, "what": self.what(movement)})

    def what(self, movement: Movement) -> Message:
        """Word what a movement was for: a gift, the reasons, or the game as a whole if it had several.

        What the results of a game leave out is named there, so that both can be compared.
        """
        if GIFT in movement.whys:
            direction = "history-gift-to" if movement.credits < 0 else "history-gift-from"
            return Message(direction, {"who": Name(movement.partner.seat)})
        reasons = [self._reason(each) for each in movement.whys]
        if movement.table is None:
            return Message("why-several", {"reasons": Listing(tuple(reasons))})
        game = self._message_or_word(f"game-{movement.game}", str(movement.game))
        args: Arguments = {"game": game, "table": movement.table}
        if movement.open:
            return Message("history-open", args)
        if len(reasons) == 1:
            return Message("history-part", {**args, "why": reasons[0]})
        kit = self._kits.get(movement.game or "")
        beside = {VOUCHER} if kit is None else {VOUCHER, *kit.money.side_payments}
        parts = tuple(
            Message("history-beside", {"why": self._reason(why), "change": _with_sign(change)})
            for why, change in movement.whys.items()
            if why in beside and change
        )
        return Message("history-game-beside" if parts else "history-game", {**args, "parts": Listing(parts)})

    def _reason(self, why: str) -> Message:
        return self._message_or_word(f"why-{why.replace(' ', '-')}", why)

    def _message_or_word(self, message: str, word: str) -> Message:
        """Return a message, or `word` if no locale has it: an installed game may lack some messages."""
        return Message(message) if message in self._outbox.words.ids else Message("word", {"word": word})


def _with_sign(change: int) -> str:
    return f"{change:+,d}".replace("-", MINUS)


def _read(words: Sequence[str]) -> tuple[int, str]:
    """Parse the number and the name: `5 @bob`, `@bob 5`, only one of them or neither."""
    for place in (0, -1):
        if words and words[place].isdigit():
            rest = words[1:] if place == 0 else words[:-1]
            return read_whole(words[place], 1, MOST_SHOWN), " ".join(rest)
    return SHOWN, " ".join(words)


def _unclear(name: str, *, moderates: bool) -> Refusal:
    """Return a refusal that shows what `!history` takes; only moderators may give a name."""
    example = f"!history {ARGUMENTS}" if moderates else f"!history {COUNT}"
    args: Arguments = {"text": Quote(name.removeprefix("@")), "most": MOST_SHOWN, "example": example}
    return Refusal(Message("history-unclear", args))


def _partners(movements: Sequence[Movement]) -> list[Seat]:
    """Return the other members of gifts."""
    return [each.partner.seat for each in movements if GIFT in each.whys]
