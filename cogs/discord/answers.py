"""Interactions that wait for what the bot says: answered in time, once, and to the right eyes.

Discord takes a first answer within three seconds and further ones for a quarter of an hour.

What waits is of the process that has received the interaction, for its token is answered from there.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

import discord

from chatbot.bot.shutdown import UNHEARD
from chatbot.kernel.say import Listing, Message, Name
from chatbot.rooms.exchange import Replies
from chatbot.runtime.limits import remember
from chatbot.speech.safe import discord_line
from cogs.discord.errors import PASSING, worded
from cogs.discord.lines import account_of, channel_of, home_of, line_id, number_of, pieces
from cogs.discord.rights import SILENT
from cogs.discord.sender import ChannelSender, post

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

    from chatbot.bot.bot import Bot
    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Say
    from chatbot.ledger.people import Account
    from chatbot.rooms.channel import Delivery
    from chatbot.speech.safe import Dress
    from cogs.discord.errors import Complaints, Requests
    from cogs.discord.rights import WritingRights

# Seconds in which the bot may answer directly; then Discord, which gives up after 3, is told to wait.
PROMPT = 1.0
LASTING = 14 * 60.0  # seconds: the fifteen minutes of an interaction, with a margin


class Origin(Enum):
    """Where an interaction came from, and so where its answer goes."""

    SLASH = "slash"
    BUTTON = "button"  # on a message that everybody sees
    MENU = "menu"  # on somebody's own message, which shows the answer


class Asker:
    """One interaction. Its answers wait for each other, for Discord takes only one first one.

    `menu` makes the buttons anew that its own message shows; `board` shows on a message for all what a
    press has done, as the answer to it.
    """

    def __init__(
        self,
        interaction: discord.Interaction,
        origin: Origin,
        complaints: Complaints,
        *,
        secret: bool = False,
        menu: Callable[[], Awaitable[discord.ui.View | None]] | None = None,
        board: Callable[[discord.Interaction], Awaitable[bool]] | None = None,
    ) -> None:
        self.line = line_id(interaction)
        self.account = account_of(interaction.user.id)
        self.channel = channel_of(home_of(interaction))
        self.place = channel_of(interaction.channel_id or 0)  # where its answers stand, such as a thread
        self.born = asyncio.get_running_loop().time()
        self.answered = False  # whether anything was said to it
        self._interaction, self._origin, self._secret = interaction, origin, secret
        self._complaints, self._menu, self._board = complaints, menu, board
        self._lock, self._said = asyncio.Lock(), asyncio.Event()
        self._shown: list[str] = []
        self._attended = False
        self._deferring: asyncio.Task[None] | None = None
        self.deferred = False  # whether Discord was told to wait, for an answer to this member alone

    @property
    def young(self) -> bool:
        """Whether Discord still takes answers."""
        return asyncio.get_running_loop().time() < self.born + LASTING

    @property
    def public(self) -> bool:
        """Whether a line for all may be its answer: it has none yet, and everybody may see it."""
        done = self._interaction.response.is_done() or self._lock.locked()
        return self._origin is Origin.SLASH and not self._secret and not done

    @property
    def is_button(self) -> bool:
        """Whether it was a button, whose message shows what it did."""
        return self._origin is not Origin.SLASH

    async def whisper(self, text: str, view: discord.ui.View | None = None) -> bool:
        """Answer so that nobody else sees it; False: Discord did not take it."""
        return await self._answer(text, view, private=True)

    async def show(self, text: str) -> bool:
        """Answer for all; False: Discord did not take it."""
        return await self._answer(discord_line(text), None, private=False)

    async def settle(self) -> bool:
        """Let the message with the button be the answer; False: Discord did not take it."""
        if self._origin is Origin.MENU or self._interaction.response.is_done():
            return True  # it is told in the end that all is done
        self.answered = True
        self._said.set()
        return await self._quiet()

    async def attend(
        self, hearing: Awaitable[Replies], word: Callable[[str], str], *, conclusion: str = "try-again"
    ) -> None:
        """See to it that Discord hears in time, whatever the bot does.

        When `hearing` ends, the replies that it gives were given to this one already. Where nothing else was
        said, it is the message `conclusion`, which `word` words by its id.
        """
        # Not at once: what is deferred here is for the member alone, even where the answer would be one for
        # all.
        timer = asyncio.get_running_loop().call_later(PROMPT, self._defer_later)
        try:
            replies = await hearing
        except Exception as error:  # noqa: BLE001  (whoever waits is told to try again)
            self._complaints.tell(self.channel, "an interaction was not answered", error)
            replies = Replies(taken=False)
        finally:
            timer.cancel()
        if self._deferring is not None:
            await self._deferring
        if replies.more and not self.answered:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._said.wait(), PROMPT)
        if not self.answered:
            await (self._conclude(word(conclusion)) if replies.taken else self.whisper(word("try-again")))
        self._attended = True

    async def _answer(self, text: str, view: discord.ui.View | None, *, private: bool) -> bool:
        self.answered = True
        self._said.set()
        # Of two answers at once both would find none sent, and Discord takes one first answer only.
        async with self._lock:
            try:
                await self._send(text, view, private=private)
            except PASSING as error:
                self._complaints.tell(self.channel, "an answer did not reach Discord", error)
                self._complaints.reported(self.channel, worded(error))
                return False
            self._complaints.reported(self.channel, "")
            return True

    async def _send(self, text: str, view: discord.ui.View | None, *, private: bool) -> None:
        response, components = self._interaction.response, view if view is not None else discord.utils.MISSING
        if self._origin is Origin.MENU and not self._attended:  # nobody looks there again later
            await self._update(text)
        elif response.is_done():
            await self._interaction.followup.send(
                text, view=components, ephemeral=private, suppress_embeds=True
            )
        else:
            await response.send_message(text, view=components, ephemeral=private, suppress_embeds=True)

    async def _update(self, text: str) -> None:
        """Show the answers on the message with the buttons, and what can be done now."""
        self._shown.append(text)
        content, view = pieces("\n".join(self._shown))[-1], await self._menu() if self._menu else None
        if self._interaction.response.is_done():
            await self._interaction.edit_original_response(content=content, view=view)
        else:
            await self._interaction.response.edit_message(content=content, view=view)

    def _defer_later(self) -> None:
        self._deferring = asyncio.ensure_future(self._defer())

    async def _defer(self) -> None:
        async with self._lock:
            if self._interaction.response.is_done():
                return
            try:
                if self._origin is Origin.MENU:
                    await self._interaction.response.defer()
                else:
                    self.deferred = True
                    await self._interaction.response.defer(ephemeral=True, thinking=True)
            except PASSING as error:
                self._complaints.tell(self.channel, "an interaction could not be acknowledged", error)

    async def _conclude(self, text: str) -> None:
        """Say that it was heard: Discord calls an interaction without an answer a failure."""
        if self._origin is Origin.BUTTON and not self._interaction.response.is_done():
            await self._quiet()
        else:
            await self.whisper(text)

    async def _quiet(self) -> bool:
        """Acknowledge a button without a word; the message that it stands on shows what it did."""
        async with self._lock:
            if self._board is not None and await self._board(self._interaction):
                return True
            try:
                await self._interaction.response.defer()
            except PASSING as error:
                self._complaints.tell(self.channel, "an interaction could not be acknowledged", error)
                return False
            return True


REMEMBERED = 10_000  # members whose last word is known, to be answered where it was said
MOST_ASKERS = 1000  # members whose last interaction is known; each is 5 kB of the library's objects

_Key: TypeAlias = "tuple[str, Account]"


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message that was written at a `place`, `alone` to the bot, or where it is `barred` from writing."""

    reference: discord.MessageReference
    place: str
    at: float
    alone: bool
    barred: bool = False

    @property
    def young(self) -> bool:
        """Whether its author may still expect a reply to it, and not a message by itself."""
        return asyncio.get_running_loop().time() < self.at + LASTING


class Answers:
    """Knows who asked last, and how."""

    def __init__(
        self,
        *,
        bot: Bot,
        client: discord.Client,
        dress: Dress,
        requests: Requests,
        complaints: Complaints,
        rights: WritingRights,
        thread: Callable[[str, str], str | None] = lambda _channel, _table: None,
    ) -> None:
        """`thread` gives the thread of a table, by the channel of its room and its id."""
        self._bot, self._client, self._dress = bot, client, dress
        self._thread = thread
        self._requests, self._complaints, self._rights = requests, complaints, rights
        # When somebody was told that it is barred.
        self._notice_times: OrderedDict[Account, float] = OrderedDict()
        self._askers: OrderedDict[_Key, Asker] = OrderedDict()
        self._incoming: OrderedDict[_Key, Incoming] = OrderedDict()
        self._senders: OrderedDict[str, ChannelSender] = OrderedDict()
        self._closed: OrderedDict[Account, float] = OrderedDict()  # until when nobody is written to in vain

    def hear(self, message: discord.Message, channel: str, *, barred: bool = False) -> Incoming:
        """Remember a message: what is said next to its author belongs to it."""
        now = asyncio.get_running_loop().time()
        reference = message.to_reference(fail_if_not_exists=False)
        key = (channel, account_of(message.author.id))
        incoming = Incoming(reference, channel_of(message.channel.id), now, message.guild is None, barred)
        remember(self._incoming, key, incoming, REMEMBERED)
        return incoming

    def expect(self, asker: Asker) -> None:
        """Remember an interaction: what else is said to its member can follow its answer."""
        key = (asker.channel, asker.account)
        while self._askers and not next(iter(self._askers.values())).young:
            self._askers.popitem(last=False)
        self._incoming.pop(key, None)
        remember(self._askers, key, asker, MOST_ASKERS)

    async def bring(self, delivery: Delivery) -> None:
        """Bring what nobody has asked for, or what everybody reads."""
        if any(each.event == UNHEARD for each in delivery.says):  # the last word waits behind nothing
            await post(self._client.get_partial_messageable(number_of(delivery.channel)), delivery.text)
        elif delivery.to is None:
            await self._show(delivery)
        else:
            key = (delivery.channel, delivery.to)
            await self._whisper(delivery, delivery.to, self._incoming.get(key), self._askers.get(key))

    async def answer(self, asker: Asker, delivery: Delivery) -> None:
        """Answer an interaction; what the board shows is not said to who has pressed its button."""
        if delivery.to is not None:
            await self._whisper(delivery, delivery.to, None, asker)
        elif not (asker.is_button and all(each.shown for each in delivery.says) and await asker.settle()):
            await self._show(delivery, asker)

    async def reply(self, incoming: Incoming, delivery: Delivery, account: Account) -> None:
        """Answer the author of a message."""
        asker = self._askers.get((delivery.channel, account))
        await self._whisper(delivery, account, incoming, asker)

    def shows(self, channel: str, say: Say) -> bool:
        """Whether somebody who has typed in a channel is told something, as `reply` decides."""
        return say.to is None or say.secret or self._worth_a_reply(channel, [say])

    async def say_at(self, place: str, delivery: Delivery) -> None:
        """Say to all in a thread what somebody has asked there, such as a balance."""
        await self._show_in(place, delivery, None)

    async def say(self, channel: str, text: str) -> None:
        """Say something to all in a channel."""
        await self._sender(channel).say(text)

    async def write(self, account: Account, text: str) -> bool:
        """Write to somebody alone; False: they do not take it."""
        now = asyncio.get_running_loop().time()
        if now < self._closed.get(account, 0.0):
            return False
        try:
            direct = await self._client.create_dm(discord.Object(int(account.key)))
            for piece in pieces(text):
                await post(direct, piece)
        except (*PASSING, ValueError) as error:
            self._complaints.tell(channel_of(0), "somebody could not be written to alone", error)
            if isinstance(error, discord.Forbidden):
                remember(self._closed, account, now + SILENT, REMEMBERED)
            return False
        return True

    async def tell_barred(self, account: Account, text: str) -> None:
        """Answer somebody alone who wrote where the bot cannot, now and then: Discord wants few of these."""
        now = asyncio.get_running_loop().time()
        if now >= self._notice_times.get(account, -SILENT) + SILENT:
            remember(self._notice_times, account, now, REMEMBERED)
            await self.write(account, text)

    async def _show(self, delivery: Delivery, asker: Asker | None = None) -> None:
        for place, part in self._by_place(delivery):
            await self._show_in(place, part, asker)

    def _by_place(self, delivery: Delivery) -> Iterator[tuple[str, Delivery]]:
        """Divide what everybody reads: the lines of a table that has a thread belong there."""
        places = [self._place(delivery.channel, each) for each in delivery.says]
        if len(set(places)) < 2:
            yield places[0] if places else delivery.channel, delivery
            return
        texts = [self._word(delivery.channel, each.message) for each in delivery.says]
        if " ".join(texts) != delivery.text:
            yield delivery.channel, delivery
            return
        parts = zip(places, texts, delivery.says, strict=True)
        for place, rows in groupby(parts, key=lambda each: each[0]):
            _, words, says = zip(*rows, strict=True)
            yield place, replace(delivery, text=" ".join(words), says=says)

    def _place(self, channel: str, say: Say) -> str:
        return (self._thread(channel, say.table) if say.table else None) or channel

    async def _show_in(self, place: str, delivery: Delivery, asker: Asker | None) -> None:
        first, *rest = pieces(self._laid_out(delivery))
        if asker is not None and asker.deferred and all(each.game is None for each in delivery.says):
            # In the channel it would be a message for each of a crowd that asks at once.
            if not await asker.whisper(first):
                self._sender(delivery.channel).reply(first, self._bot.members.seat(asker.account), None)
        elif asker is None or not asker.public or asker.place != place or not await asker.show(first):
            await self._sender(place, delivery.channel).say(first)
        for piece in rest:
            await self._sender(place, delivery.channel).say(piece)

    def _laid_out(self, delivery: Delivery) -> str:
        """Write each of the merged lines on one of its own; where they were cut they stay as they are."""
        if len(delivery.says) == 1 and not delivery.says[0].fine:
            return delivery.text
        texts = [self._word(delivery.channel, each.message) for each in delivery.says]
        if " ".join(texts) != delivery.text:
            return delivery.text
        lines = zip(texts, delivery.says, strict=True)
        return "\n".join(f"-# {text}" if say.fine else text for text, say in lines)

    async def _whisper(
        self, delivery: Delivery, account: Account, incoming: Incoming | None, asker: Asker | None
    ) -> None:
        if incoming is not None and incoming.barred:
            await self.tell_barred(account, delivery.text)
            return
        if incoming is not None and incoming.alone and await self.write(account, delivery.text):
            return
        secret = any(each.secret for each in delivery.says)
        way = asker if incoming is None or secret else None
        if way is not None and way.young and await _tell(way, delivery.text):
            return
        if secret:
            await self._confide(delivery, account)
        elif incoming is None or self._worth_a_reply(delivery.channel, delivery.says):
            self._reply(delivery, account, incoming)

    def _worth_a_reply(self, channel: str, says: Iterable[Say]) -> bool:
        """Whether all are to read it: a crowd that joins by typing is seen on the board."""
        if not self._bot.has(channel):
            return True
        talk = self._bot.rooms.at(channel).habits.talk
        return any(talk.includes(each.talk) for each in says)

    async def _confide(self, delivery: Delivery, account: Account) -> None:
        """Write to somebody alone; where they take no such messages, tell them in public how to ask."""
        if not await self.write(account, delivery.text):
            hint = self._word(delivery.channel, Message("discord-no-whisper"))
            self._sender(delivery.channel).reply(hint, self._bot.members.seat(account), None)

    def _reply(self, delivery: Delivery, account: Account, incoming: Incoming | None) -> None:
        reference = (
            incoming.reference if incoming is not None and incoming.young and not incoming.alone else None
        )
        place = incoming.place if reference is not None and incoming is not None else delivery.channel
        sender = self._sender(place, delivery.channel)
        sender.reply(delivery.text, self._bot.members.seat(account), reference)

    def _addressed(self, channel: str, seats: Sequence[Seat], text: str, more: int) -> str:
        """Say something to one, or at once to several, and to so many `more`."""
        if len(seats) == 1 and not more:
            return self._word(channel, Message("addressed", {"who": Name(seats[0]), "text": text}))
        names = tuple(Message("crowd-name", {"who": Name(seat)}) for seat in seats)
        crowd = Listing(names, most=len(names))
        return self._word(channel, Message("addressed-crowd", {"crowd": crowd, "more": more, "text": text}))

    def _word(self, channel: str, message: Message) -> str:
        """Word a message as the channel's room is talked to."""
        room = self._bot.rooms.at(channel) if self._bot.has(channel) else None
        return self._bot.outbox.text(message, self._dress, room)

    def _sender(self, channel: str, home: str = "") -> ChannelSender:
        """Give the sender of a channel, or of a thread of the channel `home`."""
        sender = self._senders.get(channel)
        if sender is None:
            target = self._client.get_partial_messageable(number_of(channel))
            address = partial(self._addressed, home or channel)
            sender = ChannelSender(
                channel=channel,
                target=target,
                requests=self._requests,
                complaints=self._complaints,
                rights=self._rights,
                address=address,
            )
        remember(self._senders, channel, sender, REMEMBERED)
        return sender


async def _tell(asker: Asker, text: str) -> bool:
    successes = [await asker.whisper(each) for each in pieces(text)]
    return all(successes)
