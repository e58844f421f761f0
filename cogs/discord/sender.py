"""What is said in one Discord channel: in order, insisting where that may help, a crowd's replies as one."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

import discord

from chatbot.kernel.game import Seat
from chatbot.rooms.line import NOBODY
from chatbot.runtime.limits import PROBE
from chatbot.speech.safe import discord_line
from cogs.discord.errors import PASSING, patience, worded
from cogs.discord.lines import pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from discord.abc import Messageable

    from cogs.discord.errors import Complaints, Requests
    from cogs.discord.rights import WritingRights

MERGED = 1800  # characters up to which replies that wait become one message
NAMED = 900  # characters of names in one message to whom the same is told, half of it; the others are counted
# Seconds after which the same is told again to others, from the second time on: a raid joins in seconds.
ALIKE = 2.0
TRIES = 6  # with the pauses below some 17 seconds, after which the answer to a line is of no use
PAUSE = 1.0  # seconds before the second try; twice as long before each further one, up to `PROBE`
LONGEST_PAUSE = 60.0  # seconds, however long Discord wants to be left alone
CROWDED = 5_000  # messages of a channel that may wait, a raid; of more, the oldest replies are given up

NO_REPLY = {50035, 160002}  # Discord's codes: the message may not be referred to
UNREFERRED = 600.0  # seconds in which no message of that channel is then referred to


@dataclass(eq=False, slots=True)
class Outgoing:
    """Something to be said; `addressed` is how it reads to `seat` where it is no reply to a message."""

    text: str
    reply: discord.MessageReference | None = None
    addressed: str | None = None  # None: it is for all, and goes alone
    seat: Seat = NOBODY
    sent: asyncio.Event | None = None  # where somebody waits for it


class ChannelSender:
    """`address` says to some people by name what all of them are told, and counts the others.

    A reply goes out at once. The same one to others goes with all that come within `ALIKE` seconds, so that
    a raid is told in a few messages what is the same for all.
    """

    def __init__(
        self,
        *,
        channel: str,
        target: Messageable,
        requests: Requests,
        complaints: Complaints,
        rights: WritingRights,
        address: Callable[[Sequence[Seat], str, int], str],
    ) -> None:
        self._channel, self._target, self._address = channel, target, address
        self._requests, self._complaints, self._rights = requests, complaints, rights
        self._waiting: deque[Outgoing] = deque()
        self._task: asyncio.Task[object] | None = None
        self._replies_from = -inf  # when it may refer to messages here again: that takes a permission
        self._arrived = asyncio.Event()  # a line for all has come
        self._sent_replies: dict[str, tuple[float, int]] = {}  # when they were sent last, and how often

    @property
    def idle(self) -> bool:
        """Whether nothing is being sent, and nothing waits."""
        return self._task is None or self._task.done()

    @property
    def _replies(self) -> bool:
        return asyncio.get_running_loop().time() >= self._replies_from

    async def say(self, text: str) -> None:
        """Say something to all; returns when it was sent, or given up."""
        outgoing = Outgoing(text, sent=(sent := asyncio.Event()))
        self._add(outgoing)
        if self._task is not None:
            # For the task too: if it is ended, nobody sets the event any more.
            sending = asyncio.ensure_future(sent.wait())
            await asyncio.wait([sending, self._task], return_when=asyncio.FIRST_COMPLETED)
            sending.cancel()

    def reply(self, text: str, seat: Seat, message: discord.MessageReference | None) -> None:
        """Answer somebody, soon; a crowd's answers become one message while Discord is slow."""
        self._add(Outgoing(text, message, self._address([seat], text, 0), seat))

    def _add(self, outgoing: Outgoing) -> None:
        if len(self._waiting) >= CROWDED:
            # Replies, and not what is for all: results of tables are told there.
            reply = next((each for each in self._waiting if each.addressed is not None), None)
            if reply is not None:
                self._waiting.remove(reply)
        self._waiting.append(outgoing)
        if outgoing.addressed is None:
            self._arrived.set()
        if self.idle:
            self._task = self._requests.start(self._speak())

    async def _speak(self) -> None:
        while self._waiting:
            await self._gather()
            batch = self._batch()
            try:
                await self._send(batch)
            finally:
                for each in batch:
                    if each.sent is not None:
                        each.sent.set()

    async def _gather(self) -> None:
        """Wait a little for more replies that are the same, where it was told to others just before."""
        now, first = asyncio.get_running_loop().time(), self._waiting[0]
        self._sent_replies = {
            text: each for text, each in self._sent_replies.items() if now < each[0] + ALIKE
        }
        at, times = self._sent_replies.get(first.text, (now, 0))
        if first.addressed is not None and times > 1:
            self._arrived.clear()
            with suppress(TimeoutError):  # what is for all does not wait for it
                await asyncio.wait_for(self._arrived.wait(), at + ALIKE - now)

    def _batch(self) -> list[Outgoing]:
        """Take what goes out together: a line for all alone, or replies, of which all equal ones."""
        alone = next((each for each in self._waiting if each.addressed is None), None)
        if (
            alone is not None
            and len(self._waiting) > 1
            and self._sent_replies.get(self._waiting[0].text, (0, 0))[1] > 1
        ):
            self._waiting.remove(alone)
            return [alone]
        batch = [self._waiting.popleft()]
        if batch[0].addressed is None:
            return batch
        names, size = {batch[0].text: len(batch[0].addressed)}, len(batch[0].addressed)
        while self._waiting and self._waiting[0].addressed is not None:
            each = self._waiting[0]
            more = len(each.addressed or "") + 1 - (len(each.text) if each.text in names else 0)
            more = 0 if names.get(each.text, 0) > NAMED + len(each.text) else more
            if (size := size + more) > MERGED:
                break
            names[each.text] = names.get(each.text, 0) + more
            batch.append(self._waiting.popleft())
        now = asyncio.get_running_loop().time()
        self._sent_replies |= {text: (now, self._sent_replies.get(text, (now, 0))[1] + 1) for text in names}
        return batch

    async def _send(self, batch: list[Outgoing]) -> None:
        reply = batch[0].reply if len(batch) == 1 and self._replies else None
        if reply is not None:
            await self._send_reply(batch[0].text, reply)
        if reply is None or not self._replies:
            await self._send_all(pieces("\n".join(self._lines(batch))))

    def _lines(self, batch: Sequence[Outgoing]) -> Iterator[str]:
        """Write what several are told alike but once, to all of them."""
        for text in dict.fromkeys(each.text for each in batch):
            group = [each for each in batch if each.text == text]
            seats = [*dict.fromkeys(each.seat for each in group)]
            yield group[0].text if group[0].addressed is None else self._address_many(seats, text)

    def _address_many(self, seats: Sequence[Seat], text: str) -> str:
        """Address a text to several, of whom as many are named as there is room for."""
        count, size = 0, 0
        for seat in seats:
            size += len(self._address([seat], "", 0))
            if count and size > NAMED:
                break
            count += 1
        return self._address(seats[:count], text, len(seats) - count)

    async def _send_reply(self, text: str, reply: discord.MessageReference) -> None:
        first, *rest = pieces(text)
        await self._insist(first, reply)
        if self._replies:
            await self._send_all(rest)

    async def _send_all(self, texts: Iterable[str]) -> None:
        for each in texts:
            await self._insist(each, None)

    async def _insist(self, text: str, reference: discord.MessageReference | None) -> None:
        """Send a message, also where Discord is ill; the nonce keeps it from standing there twice."""
        if self._rights.quiet(self._channel):
            return
        # One for all tries: Discord may have taken the message whose answer was lost.
        nonce = secrets.randbits(63)
        for attempt in range(TRIES):
            try:
                await post(self._target, text, reference, nonce)
            except PASSING as error:
                self._complaints.tell(self._channel, "a message did not reach Discord", error)
                self._heed(error, reference)
                wait = patience(error)
                if wait is None or attempt == TRIES - 1:
                    self._complaints.reported(self._channel, worded(error))
                    return
                await asyncio.sleep(min(max(wait, min(PAUSE * 2**attempt, PROBE)), LONGEST_PAUSE))
            else:
                self._rights.note_taken(self._channel)
                self._complaints.reported(self._channel, "")
                return

    def _heed(self, error: BaseException, reference: discord.MessageReference | None) -> None:
        if reference is not None and isinstance(error, discord.HTTPException) and error.code in NO_REPLY:
            self._replies_from = asyncio.get_running_loop().time() + UNREFERRED
        elif isinstance(error, discord.Forbidden):
            self._rights.note_refused(self._channel, error)


async def post(
    target: Messageable,
    text: str,
    reference: discord.MessageReference | None = None,
    nonce: int = 0,
) -> None:
    """Send plain text that pings nobody, not even whom it answers; 0 is no nonce."""
    text, nonce = discord_line(text), nonce or secrets.randbits(63)
    if reference is None:
        await target.send(text, nonce=nonce, suppress_embeds=True)
    else:
        await target.send(text, reference=reference, mention_author=False, nonce=nonce, suppress_embeds=True)
