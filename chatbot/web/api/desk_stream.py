"""What a stream has of the bot, for the desk: rewards for points, and the address of its overlay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message
from chatbot.keys.overlay_keys import path_of
from chatbot.web.api.endpoints import Call, Endpoint
from chatbot.web.tokens import OWN, READ

if TYPE_CHECKING:
    from chatbot.bot.bot import Bot
    from chatbot.community.rewards import SoldReward


class RewardRow(TypedDict):
    """A reward, and what it does in a sentence; `stake` and `game` are None where they are not known."""

    title: str
    cost: int
    cooldown: int
    stake: int | None
    game: str | None
    told: str


class PlayableGame(TypedDict):
    """A game in which a reward can stake credits."""

    word: str
    title: str


class RewardCounterRow(TypedDict):
    """What is sold in a channel, and what could be; `closed` is why nothing can be, if that is so."""

    closed: str
    rewards: list[RewardRow]
    games: list[PlayableGame]


class OverlayAddress(TypedDict):
    """Where a stream finds the overlay: the path here, and the whole address for OBS."""

    path: str
    address: str


class DeskStreamEndpoints:
    """Shows what belongs to a stream."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        return [
            Endpoint(
                "GET",
                "/desk/rewards",
                "Read what viewers can buy for channel points.",
                self._rewards,
                RewardCounterRow,
                word="rewards",
                scope=READ,
            ),
            Endpoint(
                "GET",
                "/desk/overlay",
                "Read the address of the overlay, which is a secret.",
                self._overlay,
                OverlayAddress,
                word="overlay",
                scope=OWN,
                by_page=True,
            ),
        ]

    async def _rewards(self, call: Call) -> RewardCounterRow:
        command = self._bot.parts.rewards_command
        try:
            sold = await command.sold(call.room, call.standing.channel)
        except Refusal as refusal:
            closed = self._bot.outbox.text(refusal.message, room=call.room)
            return RewardCounterRow(closed=closed, rewards=[], games=[])
        return RewardCounterRow(
            closed="",
            rewards=[self._reward(call, *each) for each in sold],
            games=[
                PlayableGame(word=each.word, title=self._title(call, each.name)) for each in command.games
            ],
        )

    def _reward(self, call: Call, reward: SoldReward, told: Message) -> RewardRow:
        shown, stakes = reward.shown, reward.stakes
        return RewardRow(
            title=shown.title,
            cost=shown.cost,
            cooldown=shown.cooldown,
            stake=None if stakes is None else stakes.credits,
            game=None if stakes is None else self._title(call, stakes.game),
            told=self._bot.outbox.text(told, room=call.room),
        )

    def _title(self, call: Call, game: str) -> str:
        return self._bot.outbox.text(Message(f"game-{game}"), room=call.room)

    async def _overlay(self, call: Call) -> OverlayAddress:
        """Tell the address at the public name, if there is one: a stream may run on another machine."""
        keys, entrance = self._bot.parts.overlay_keys, self._bot.parts.entrance
        path = path_of(await keys.of(call.room.id))
        return OverlayAddress(
            path=path, address=(keys.server if entrance.is_local else entrance.address) + path
        )
