"""What is served in a chat by the key of its broadcaster: rewards for channel points, and predictions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cogs.twitch.channels import bot_of
from cogs.twitch.lines import channel_of
from cogs.twitch.muted import PREDICTIONS, RefusedChats
from cogs.twitch.predictions import ChannelPredictions
from cogs.twitch.redemptions import RedemptionSettler
from cogs.twitch.rewards import RewardShop
from cogs.twitch.subscriptions.wanted import ANNOUNCE, POINTS, PREDICT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.bot.bot import Bot
    from chatbot.keys.ring import Key, KeyRing
    from cogs.twitch.api import Api
    from cogs.twitch.channels import Chat


class ChannelServices:
    """Serves the chats of one connection, as far as the keys of their broadcasters and the bot's allow it."""

    def __init__(self, *, api: Api, bot: Bot, ring: KeyRing, chats: Mapping[str, Chat]) -> None:
        self._api, self._bot, self._ring, self._chats = api, bot, ring, chats
        self._refused_chats = RefusedChats(ring.path, PREDICTIONS)
        self.settler: RedemptionSettler | None = None
        self.predictions: dict[str, ChannelPredictions] = {}  # by channel

    def start(self, keys: Mapping[str, Key]) -> None:
        """Serve all chats; `keys` are those of broadcasters that are good, by their ids."""
        broadcasters = {each for each, key in keys.items() if POINTS in key.scopes}
        here = frozenset(each for each in broadcasters if channel_of(each) in self._chats)
        for each in here:
            self._bot.parts.rewards_command.shops[channel_of(each)] = RewardShop(self._api, keys[each])
        self.settler = RedemptionSettler(api=self._api, bot=self._bot, broadcasters=here)
        self.settler.start()
        for chat in self._chats.values():
            self.serve(chat, keys.get(chat.broadcaster))

    def stop(self) -> None:
        """Serve no more."""
        if self.settler is not None:
            self.settler.stop()
        for channel in self._chats:
            self._bot.parts.rewards_command.shops.pop(channel, None)
        for each in self.predictions.values():
            each.stop()

    def serve(self, chat: Chat, key: Key | None) -> None:
        """Let viewers bet and results be announced from now on, as far as keys allow it."""
        announces = ANNOUNCE in bot_of(self._ring).scopes
        predicts = key is not None and PREDICT in key.scopes
        chat.channel.manner = replace(chat.channel.manner, predicts=predicts, announces=announces)
        chat.retry_keys()
        previous = self.predictions.pop(chat.channel.id, None)
        if previous is not None:
            previous.stop()
        if predicts:
            predictions = ChannelPredictions(
                api=self._api, bot=self._bot, chat=chat, record_refusal=self._refused_chats.record
            )
            self.predictions[chat.channel.id] = predictions
            predictions.start()

    def sell(self, key: Key) -> None:
        """Sell for channel points from now on, or do so no more, as the key of a broadcaster allows it."""
        channel, allowed = channel_of(key.user_id), POINTS in key.scopes
        if self.settler is not None:
            self.settler.serve(key.user_id, allowed=allowed)
        self._bot.parts.rewards_command.shops.pop(channel, None)
        if allowed:
            self._bot.parts.rewards_command.shops[channel] = RewardShop(self._api, key)
