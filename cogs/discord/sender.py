"""What is said in one Discord channel: in order, insisting where that may help, a crowd's replies as one."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import discord

from chatbot.kernel.game import Seat
from chatbot.rooms.room import NOBODY
from chatbot.speech.safe import discord_line
from cogs.discord.errors import PASSING, patience
from cogs.discord.lines import pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from discord.abc import Messageable

    from cogs.discord.errors import Complaints, Requests

MERGED = 1800  # characters up to which replies that wait become one message
TRIES = 5
PAUSE = 1.0  # seconds before the second try; twice as long before each further one
LONGEST_PAUSE = 60.0
BARRED = 30.0  # seconds of silence where the bot may not write: many refusals bar it from all of Discord
CROWDED = 20_000  # messages of a channel that may wait; of more, the oldest replies are given up

NO_REPLY = {50035, 160002}  # Discord's codes: the message may not be referred to


@dataclass(eq=False, slots=True)
class Outgoing:
    """Something to be said; `addressed` is how it reads to `seat` where it is no reply to a message."""

    text: str
    reply: discord.MessageReference | None = None
    addressed: str | None = None  # None: it is for all, and goes alone
    seat: Seat = NOBODY
    sent: asyncio.Event = field(default_factory=asyncio.Event)


class ChannelSender:
    """`address` says to some people by name what all of them are told."""

    def __init__(
        self,
        *,
        channel: str,
        target: Messageable,
        requests: Requests,
        complaints: Complaints,
        address: Callable[[Sequence[Seat], str], str],
    ) -> None:
        self._channel, self._target, self._address = channel, target, address
        self._requests, self._complaints = requests, complaints
        self._waiting: deque[Outgoing] = deque()
        self._task: asyncio.Task[object] | None = None
        self._replies = True  # whether it may refer to messages here: that takes a permission
        self._barred = 0.0  # until when nothing is tried

    @property
    def idle(self) -> bool:
        """Whether nothing is being sent, and nothing waits."""
        return self._task is None or self._task.done()

    async def say(self, text: str) -> None:
        """Say something to all; returns when it was sent, or given up."""
        spoken = Outgoing(text)
        self._add(spoken)
        if self._task is not None:
            sending = asyncio.ensure_future(spoken.sent.wait())
            await asyncio.wait([sending, self._task], return_when=asyncio.FIRST_COMPLETED)
            sending.cancel()

    def reply(self, text: str, seat: Seat, message: discord.MessageReference | None) -> None:
        """Answer somebody, soon; a crowd's answers become one message while Discord is slow."""
        self._add(Outgoing(text, message, self._address([seat], text), seat))

    def _add(self, spoken: Outgoing) -> None:
        if len(self._waiting) >= CROWDED:
            kept = next((each for each in self._waiting if each.addressed is not None), None)
            if kept is not None:
                self._waiting.remove(kept)
        self._waiting.append(spoken)
        if self.idle:
            self._task = self._requests.start(self._speak())

    async def _speak(self) -> None:
        while self._waiting:
            batch = self._batch()
            try:
                await self._send(batch)
            finally:
                for each in batch:
                    each.sent.set()

    def _batch(self) -> list[Outgoing]:
        batch = [self._waiting.popleft()]
        if batch[0].addressed is None:
            return batch
        said, size = {batch[0].text}, len(batch[0].addressed)
        while self._waiting and self._waiting[0].addressed is not None:
            each = self._waiting[0]
            size += len(each.addressed or "") + 1 - (len(each.text) if each.text in said else 0)
            if size > MERGED:
                break
            said.add(each.text)
            batch.append(self._waiting.popleft())
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
            told = [each for each in batch if each.text == text]
            seats = [*dict.fromkeys(each.seat for each in told)]
            yield told[0].text if told[0].addressed is None else self._address(seats, text)

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
        if asyncio.get_running_loop().time() < self._barred:
            return
        nonce = secrets.randbits(63)
        for attempt in range(TRIES):
            try:
                await post(self._target, text, reference, nonce)
            except PASSING as error:
                self._complaints.tell(self._channel, "a message did not reach Discord", error)
                self._heed(error, reference)
                wait = patience(error)
                if wait is None or attempt == TRIES - 1:
                    return
                await asyncio.sleep(min(max(wait, PAUSE * 2**attempt), LONGEST_PAUSE))
            else:
                return

    def _heed(self, error: BaseException, reference: discord.MessageReference | None) -> None:
        if reference is not None and isinstance(error, discord.HTTPException) and error.code in NO_REPLY:
            self._replies = False
        elif isinstance(error, discord.Forbidden):
            self._barred = asyncio.get_running_loop().time() + BARRED


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
