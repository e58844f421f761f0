"""Brings what the house says to whom it is meant for: by interaction, reply, direct message or channel."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import discord

from chatbot.kernel.say import Listing, Message, Name
from chatbot.live.newest import remember
from cogs.discord_askers import LASTING, Asker
from cogs.discord_lines import account_of, channel_of, number_of
from cogs.discord_mouth import BARRED, Mouth, post
from cogs.discord_text import pieces
from cogs.discord_trouble import PASSING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.kernel.game import Seat
    from chatbot.ledger.people import Account
    from chatbot.live.house import House
    from chatbot.live.room import Delivery
    from chatbot.live.wording.safe import Dress
    from cogs.discord_trouble import Complaints, Errands

REMEMBERED = 10_000  # members whose last word is known, to be answered where it was said

_Key: TypeAlias = "tuple[str, Account]"


@dataclass(frozen=True, slots=True)
class Heard:
    """A message that somebody wrote; `alone` to the bot."""

    reference: discord.MessageReference
    at: float
    alone: bool

    @property
    def young(self) -> bool:
        return asyncio.get_running_loop().time() < self.at + LASTING


class Answers:
    """Knows who asked last, and how."""

    def __init__(
        self, house: House, client: discord.Client, dress: Dress, errands: Errands, complaints: Complaints
    ) -> None:
        self._house, self._client, self._dress = house, client, dress
        self._errands, self._complaints = errands, complaints
        self._askers: OrderedDict[_Key, Asker] = OrderedDict()
        self._heard: OrderedDict[_Key, Heard] = OrderedDict()
        self._mouths: OrderedDict[str, Mouth] = OrderedDict()
        self._closed: OrderedDict[Account, float] = OrderedDict()  # until when nobody is written to in vain

    def hear(self, message: discord.Message, channel: str) -> Heard:
        """Remember a message: what is said next to its author belongs to it."""
        now = asyncio.get_running_loop().time()
        reference = message.to_reference(fail_if_not_exists=False)
        key = (channel, account_of(message.author.id))
        heard = Heard(reference, now, message.guild is None)
        remember(self._heard, key, heard, REMEMBERED)
        return heard

    def expect(self, asker: Asker) -> None:
        """Remember an interaction: what else is said to its member can follow its answer."""
        key = (asker.channel, asker.account)
        while self._askers and not next(iter(self._askers.values())).young:
            self._askers.popitem(last=False)
        self._heard.pop(key, None)
        remember(self._askers, key, asker, REMEMBERED)

    async def bring(self, delivery: Delivery) -> None:
        """Bring what nobody has asked for, or what everybody reads."""
        if delivery.to is None:
            await self._show(delivery)
        else:
            key = (delivery.channel, delivery.to)
            await self._whisper(delivery, delivery.to, self._heard.get(key), self._askers.get(key))

    async def answer(self, asker: Asker, delivery: Delivery) -> None:
        """Answer an interaction; what the board shows is not said to who has pressed its button."""
        if delivery.to is not None:
            await self._whisper(delivery, delivery.to, None, asker)
        elif not (asker.pressed and delivery.says[0].shown and await asker.settle()):
            await self._show(delivery, asker)

    async def reply(self, heard: Heard, delivery: Delivery, account: Account) -> None:
        """Answer the author of a message."""
        asker = self._askers.get((delivery.channel, account))
        await self._whisper(delivery, account, heard, asker)

    async def say(self, channel: str, text: str) -> None:
        """Say something to all in a channel."""
        await self._mouth(channel).say(text)

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
                remember(self._closed, account, now + BARRED, REMEMBERED)
            return False
        return True

    async def _show(self, delivery: Delivery, asker: Asker | None = None) -> None:
        first, *rest = pieces(self._laid_out(delivery))
        if asker is None or not asker.public or not await asker.show(first):
            await self.say(delivery.channel, first)
        for piece in rest:
            await self.say(delivery.channel, piece)

    def _laid_out(self, delivery: Delivery) -> str:
        """Write each of the merged lines on one of its own; where they were cut they stay as they are."""
        texts = [self._word(delivery.channel, each.message) for each in delivery.says]
        if " ".join(texts) != delivery.text:
            return delivery.text
        lines = zip(texts, delivery.says, strict=True)
        return "\n".join(f"-# {text}" if say.fine else text for text, say in lines)

    async def _whisper(
        self, delivery: Delivery, account: Account, heard: Heard | None, asker: Asker | None
    ) -> None:
        if heard is not None and heard.alone and await self.write(account, delivery.text):
            return
        secret = any(each.secret for each in delivery.says)
        way = asker if heard is None or secret else None
        if way is not None and way.young and await _tell(way, delivery.text):
            return
        if secret:
            await self._confide(delivery, account)
        elif heard is None or self._worth_a_reply(delivery):
            self._reply(delivery, account, heard)

    def _worth_a_reply(self, delivery: Delivery) -> bool:
        """Whether all shall read it: a crowd that joins by typing is seen on the board."""
        if not self._house.has(delivery.channel):
            return True
        talk = self._house.rooms.at(delivery.channel).habits.talk
        return any(talk.includes(each.talk) for each in delivery.says)

    async def _confide(self, delivery: Delivery, account: Account) -> None:
        """Write to somebody alone; where they take no such messages, tell them in public how to ask."""
        if not await self.write(account, delivery.text):
            hint = self._word(delivery.channel, Message("discord-no-whisper"))
            self._mouth(delivery.channel).reply(hint, self._house.guests.seat(account), None)

    def _reply(self, delivery: Delivery, account: Account, heard: Heard | None) -> None:
        reference = heard.reference if heard is not None and heard.young and not heard.alone else None
        self._mouth(delivery.channel).reply(delivery.text, self._house.guests.seat(account), reference)

    def _addressed(self, channel: str, seats: Sequence[Seat], text: str) -> str:
        """Say something to one, or at once to several."""
        if len(seats) == 1:
            return self._word(channel, Message("addressed", {"who": Name(seats[0]), "text": text}))
        names = tuple(Message("crowd-name", {"who": Name(seat)}) for seat in seats)
        crowd = Listing(names, most=len(names))
        return self._word(channel, Message("addressed-crowd", {"crowd": crowd, "more": 0, "text": text}))

    def _word(self, channel: str, message: Message) -> str:
        """Word a message as the channel's room is talked to."""
        room = self._house.rooms.at(channel) if self._house.has(channel) else None
        return self._house.outbox.text(message, self._dress, room)

    def _mouth(self, channel: str) -> Mouth:
        mouth = self._mouths.get(channel)
        if mouth is None:
            target = self._client.get_partial_messageable(number_of(channel))
            address = partial(self._addressed, channel)
            mouth = Mouth(channel, target, self._errands, self._complaints, address)
        remember(self._mouths, channel, mouth, REMEMBERED)
        return mouth


async def _tell(asker: Asker, text: str) -> bool:
    told = [await asker.whisper(each) for each in pieces(text)]
    return all(told)
