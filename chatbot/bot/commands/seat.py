"""The command `!seat`, by which members hold their hands in a browser of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

from chatbot.bot.arguments import Shown
from chatbot.bot.command import command
from chatbot.community.seat_codes import CodeTyper
from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.say import Listing, Message, Name, Say
from chatbot.ledger.web_sessions import SEAT, Login
from chatbot.rooms.channel import Privacy
from chatbot.rooms.exchange import Exchange
from chatbot.rooms.request import Request

if TYPE_CHECKING:
    from chatbot.bot.commands.desk import Entrance
    from chatbot.community.seat_codes import SeatCodes
    from chatbot.delivery.outbox import Outbox
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch

END = "end"
TOGETHER = 3.0  # seconds in which the answers to codes in a chat become one line
MOST_NAMED = 10  # people whom such a line names


@dataclass(slots=True)
class _Answers:
    """What a chat is to be told of codes that were typed there."""

    exchange: Exchange | None
    seats: dict[Seat, None] = field(default_factory=dict)  # of those whose code was right
    refused: list[tuple[Seat, Message]] = field(default_factory=list)


class SeatCommand:
    """The command `!seat`."""

    def __init__(self, entrance: Entrance, codes: SeatCodes, outbox: Outbox, watch: Watch) -> None:
        self._entrance, self._codes, self._outbox, self._watch = entrance, codes, outbox, watch
        self._answers: dict[str, _Answers] = {}  # by channel

    @command("seat", agrees=True)
    async def seat(self, request: Request, code: Annotated[str, Shown("CODE | end")] = "") -> Sequence[Say]:
        """Answer with a link where an answer is private; elsewhere a code tells which browser is whose."""
        entrance, line = self._entrance, request.line
        if not entrance.address or entrance.invite is None or entrance.admit is None:
            raise Refusal(Message("seat-closed"))
        if line.manner is not None or not request.manner.vouches:
            raise Refusal(Message("seat-here"))
        if code.lower() == END and entrance.end_seats is not None:
            has_ended = await entrance.end_seats(line.account)
            return [request.whisper(Message("seat-ended" if has_ended else "seat-none"))]
        if code:
            return await self._type(request, code)
        if request.manner.private is not Privacy.ALL:
            if entrance.is_local:
                raise Refusal(Message("seat-nowhere"))
            return [request.answer(Message("seat-elsewhere", {"address": f"{entrance.address}/seat"}))]
        await entrance.admit(line.account, line.channel, line.role)
        link = entrance.address + await entrance.invite(Login(SEAT, line.account, line.name))
        message = Message("seat-link-local" if entrance.is_local else "seat-link", {"address": link})
        return [replace(request.whisper(message), secret=True)]

    async def _type(self, request: Request, code: str) -> Sequence[Say]:
        """Take a code; where others read the answer, it is told together with those of the next seconds.

        Raises:
            Refusal: the code is wrong, where the answer is private.
        """
        line = request.line
        is_private = line.private or request.manner.private is Privacy.ALL
        try:
            await self._codes.type(code, CodeTyper(line.account, line.name, line.channel), line.id)
        except Refusal as refusal:
            if is_private:
                raise
            self._together(request).refused.append((line.seat, refusal.message))
            return []
        if is_private:
            return [request.whisper(_opened([line.seat]))]
        self._together(request).seats[line.seat] = None
        return []

    def _together(self, request: Request) -> _Answers:
        """Return what is told in a channel in a moment."""
        channel = request.line.channel
        if channel not in self._answers:
            self._answers[channel] = _Answers(request.exchange)
            self._watch.ring(TOGETHER, partial(self._tell, request.room, channel))
        return self._answers[channel]

    async def _tell(self, room: Room, channel: str) -> None:
        answers = self._answers.pop(channel)
        parts = [_opened([*answers.seats])] if answers.seats else []
        if len(answers.refused) == 1:
            ((seat, message),) = answers.refused
            parts.append(Message("addressed", {"who": Name(seat), "text": message}))
        elif answers.refused:
            parts.append(Message("seat-codes-unknown", {"count": len(answers.refused)}))
        text = Message("word", {"word": Listing(tuple(parts), separator=" ")})
        self._outbox.say(room, [Say(text, event="SeatCodes")], answers.exchange)


def _opened(seats: Sequence[Seat]) -> Message:
    """Tell people that the browsers that showed their codes are theirs now, and how to end that."""
    names = tuple(Message("name", {"who": Name(each)}) for each in seats)
    return Message("seat-opened", {"names": Listing(names, MOST_NAMED), "count": len(seats)})
