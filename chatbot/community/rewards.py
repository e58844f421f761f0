"""Rewards that viewers of a channel can buy from its platform, and what they stake.

A platform sells them (`Shop`), and the database knows what they stake. Each change is recorded together with
the latter, after the platform has made it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeAlias

from chatbot.kernel.game import Failure
from chatbot.ledger.books.unit import Committer
from chatbot.ledger.changes import REWARD, Change, Changes, Work
from chatbot.ledger.vouchers import Reward, Rewards, Vouchers, reward_removal, reward_write

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chatbot.ledger.changes import ChangeSet


class NotSold(Failure):
    """A platform refuses what was asked of its rewards, and nothing was changed; `reason` says why in a word.

    In chat it is the message `rewards-<reason>`.
    """

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class ShownReward:
    """A reward as viewers see it: `cost` is in points, `cooldown` in seconds, 0 for none."""

    id: str
    title: str
    cost: int
    cooldown: int


@dataclass(frozen=True, slots=True)
class Offer:
    """What is asked of a platform about a reward; None leaves a part as it is."""

    title: str | None = None
    cost: int | None = None
    cooldown: int | None = None

    @property
    def empty(self) -> bool:
        """Whether it asks for nothing."""
        return (self.title, self.cost, self.cooldown) == (None, None, None)


class Shop(Protocol):
    """The rewards that this program has made in one channel. All methods raise NotSold."""

    async def all(self) -> list[ShownReward]:
        """List the rewards."""

    async def make(self, offer: Offer) -> ShownReward:
        """Make a reward, whose redemptions wait until they are settled."""

    async def change(self, reward: str, offer: Offer) -> ShownReward:
        """Change a reward."""

    async def remove(self, reward: str) -> None:
        """Remove a reward."""

    async def awaited(self, reward: str) -> bool:
        """Whether somebody has bought a reward, and the platform is still to be told what becomes of it."""

    async def give_back(self, reward: str) -> None:
        """Give everything back that is paid for a reward and not settled, or as much as goes at once."""


@dataclass(frozen=True, slots=True)
class SoldReward:
    """A reward as viewers see it, and what it stakes; None: that is not known."""

    shown: ShownReward
    stakes: Reward | None

    @property
    def text(self) -> str:
        """Its points, stake and cooldown as the audit shows them."""
        stake = "?" if self.stakes is None else self.stakes.credits
        return f"{self.shown.cost}/{stake}/{self.shown.cooldown}"


ChangeSetOf: TypeAlias = "Callable[[Change], ChangeSet]"
"""Says who makes a change, where and when."""


@dataclass(frozen=True, slots=True)
class RewardCounter:
    """Where the rewards of one channel are looked after.

    Raises:
        NotSold: the platform refuses it, or there is no such reward.
        SQLAlchemyError, OSError: the platform has done it, and it could not be written.
    """

    channel: str
    name: str  # of the channel, for people
    shop: Shop
    rewards: Rewards
    vouchers: Vouchers
    changes: Changes
    committer: Committer | None = None  # which has more to write with their changes

    async def all(self) -> list[SoldReward]:
        """List the rewards of the channel that this program has made."""
        stakes_by_id = {each.id: each for each in await self.rewards.of(self.channel)}
        return [SoldReward(each, stakes_by_id.get(each.id)) for each in await self.shop.all()]

    async def make(self, game: str, stake: int, offer: Offer, change_set: ChangeSetOf) -> SoldReward:
        """Make a reward that stakes so many credits in a game."""
        shown_reward = await self.shop.make(offer)
        stakes = Reward(shown_reward.id, self.channel, game, stake)
        sold_reward = SoldReward(shown_reward, stakes)
        await self._write(stakes, change_set(_change(sold_reward, "", sold_reward.text)))
        return sold_reward

    async def change(
        self, title: str, stake: int | None, offer: Offer, change_set: ChangeSetOf
    ) -> SoldReward:
        """Change what a reward costs, and what it stakes for those who buy it from now on.

        Raises:
            NotSold: there is no such reward, it is not known what it stakes, or the platform refuses.
        """
        reward = await self.find(title)
        if reward.stakes is None:
            raise NotSold(
                "stakeless",
                f"It is not known what {reward.shown.title!r} stakes; remove it, and make it again.",
            )
        shown_reward = reward.shown if offer.empty else await self.shop.change(reward.shown.id, offer)
        stakes = reward.stakes if stake is None else replace(reward.stakes, credits=stake)
        new_reward = SoldReward(shown_reward, stakes)
        await self._write(stakes, change_set(_change(new_reward, reward.text, new_reward.text)))
        return new_reward

    async def remove(self, title: str, change_set: ChangeSetOf) -> SoldReward:
        """Remove a reward, but not while one that was bought is not settled: its points would be kept.

        What was bought while the bot was away is known to the platform alone. Where it is not known what a
        reward stakes, nobody else would ever give it back.

        Raises:
            NotSold: there is no such reward, one that was bought is not settled, or the platform refuses.
        """
        reward = await self.find(title)
        if reward.stakes is None:
            await self.shop.give_back(reward.shown.id)
        if await self.vouchers.waiting(reward.shown.id) or await self.shop.awaited(reward.shown.id):
            raise NotSold(
                "waiting",
                "Somebody has bought it, and it is not settled yet; Twitch would keep their points. "
                "Try again when the lobby is closed, with the bot running.",
            )
        await self.shop.remove(reward.shown.id)
        work = Work(writes=[reward_removal(reward.shown.id)])
        await self.changes.make(change_set(_change(reward, reward.text, "")), work, self.committer)
        return reward

    async def find(self, title: str) -> SoldReward:
        """Return a reward by its title.

        Raises:
            NotSold: there is no such reward, or the platform does not tell.
        """
        there = await self.all()
        for each in there:
            if each.shown.title.casefold() == title.casefold():
                return each
        titles = ", ".join(repr(each.shown.title) for each in there) or "none yet"
        raise NotSold(
            "unknown", f"The bot has made no reward {title!r} in {self.name}'s channel; there are: {titles}."
        )

    async def _write(self, stakes: Reward, change_set: ChangeSet) -> None:
        await self.changes.make(change_set, Work(writes=[reward_write(stakes)]), self.committer)


def titled(words: Sequence[str], titles: Sequence[str]) -> tuple[str, Sequence[str]] | None:
    """Find the title with which words begin, the longest one, and return it with the words behind it."""
    for end in range(len(words), 0, -1):
        text = unquoted(" ".join(words[:end])).casefold()
        for each in titles:
            if " ".join(each.split()).casefold() == text:
                return each, words[end:]
    return None


def unquoted(text: str) -> str:
    """Return a text without the quotation marks around it."""
    return text.strip().strip("\"“”'").strip()


def _change(reward: SoldReward, old: str, new: str) -> Change:
    return Change(REWARD, reward.shown.title, reward.shown.id, old, new)
