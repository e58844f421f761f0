"""The command `!rewards`: what viewers of a Twitch channel can buy for channel points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from chatbot.bot.arguments import Choices, Shown, Text, Why
from chatbot.bot.command import command
from chatbot.community.minting.projection import RewardPolicy
from chatbot.community.reward_limits import LONGEST_COOLDOWN, LONGEST_TITLE, MOST_POINTS
from chatbot.community.rewards import NotSold, Offer, RewardCounter, titled, unquoted
from chatbot.kernel.amounts import MOST, read_whole
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Quote, Say
from chatbot.ledger.changes import REWARD, Change
from chatbot.ledger.vouchers import Rewards, Vouchers
from chatbot.rooms.request import Request, game_named
from chatbot.rooms.settings.changes import Actor
from chatbot.tables.voucher_stakes import accepts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.community.minting.policy import MintPolicy
    from chatbot.community.rewards import Shop, SoldReward
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.changes import ChangeSet
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.room import Room
    from chatbot.rooms.settings.changes import SettingsChanges

SELLS = "twitch"  # the only platform whose viewers have points to spend
ACTIONS = "list", "make", "change", "remove"
TITLE, COST, STAKE, COOLDOWN = "title", "cost", "stake", "cooldown"
MINTING = frozenset({"make", "change"})  # actions by which credits are made
RANGES = {COST: (1, MOST_POINTS), STAKE: (1, MOST), COOLDOWN: (0, LONGEST_COOLDOWN)}


class RewardsCommand:
    """The command `!rewards`. A platform puts the shop of each channel that may sell into `shops`."""

    def __init__(
        self,
        kits: Mapping[str, AnyKit],
        store: Store,
        settings_changes: SettingsChanges,
        policy: MintPolicy,
    ) -> None:
        self._kits, self._settings_changes, self._policy = kits, settings_changes, policy
        self._rewards, self._vouchers = Rewards(store), Vouchers(store)
        self.shops: dict[str, Shop] = {}  # by channel

    @command("rewards", Role.MODERATOR, bare_before=MINTING)
    async def answer(
        self,
        request: Request,
        action: Annotated[str, Choices(ACTIONS), Shown("make|change|remove")] = "list",
        text: Annotated[Text, Shown("")] = "",
        why: Why = "",
    ) -> Sequence[Say]:
        counter = replace(self._counter(request.room, request.line.channel), committer=request.batch)
        words = text.split()
        answers = {"make": self._make, "change": self._change, "remove": self._remove}
        try:
            if action.lower() == "list" and not words:
                return [request.answer(message) for message in _list(await counter.all())]
            if action.lower() not in answers:
                raise Refusal(Message("rewards-usage"))
            return [request.answer(await answers[action.lower()](request, why, counter, words))]
        except NotSold as refused:
            raise Refusal(Message(f"rewards-{refused.reason}")) from None

    async def sold(self, room: Room, channel: str) -> list[tuple[SoldReward, Message]]:
        """List the rewards of a channel of a room, each with the sentence that says what it does.

        Raises:
            Refusal: nothing can be sold there, or the platform does not tell.
        """
        try:
            return [(each, _row(each)) for each in await self._counter(room, channel).all()]
        except NotSold as refused:
            raise Refusal(Message(f"rewards-{refused.reason}")) from None

    @property
    def games(self) -> list[AnyKit]:
        """The games in which a reward can stake credits."""
        return [each for each in self._kits.values() if accepts(each)]

    def _counter(self, room: Room, channel_id: str) -> RewardCounter:
        channel = next(each for each in room.channels if each.id == channel_id)
        shop = self.shops.get(channel.id)
        if shop is None:
            raise Refusal(Message("rewards-off" if channel.platform == SELLS else "rewards-elsewhere"))
        changes = self._settings_changes.changes
        return RewardCounter(channel.id, channel.id, shop, self._rewards, self._vouchers, changes)

    async def _make(
        self, request: Request, why: str, counter: RewardCounter, words: Sequence[str]
    ) -> Message:
        """Read `GAME POINTS STAKE [SECONDS] [TITLE]`, and make that reward."""
        if len(words) < 3:
            raise Refusal(Message("rewards-usage"))
        kit = game_named(self._kits, words[0])
        if not accepts(kit):
            games = ", ".join(each.word for each in self.games)
            raise Refusal(Message("rewards-no-lobby", {"known": games}))
        cost, stake = _read(COST, words[1]), _read(STAKE, words[2])
        timed = len(words) > 3 and words[3].isdecimal()
        cooldown = _read(COOLDOWN, words[3]) if timed else 0
        title = _title(" ".join(words[4 if timed else 3 :]) or f"!{kit.word} {stake}")
        offer, reward_policy = Offer(title, cost, cooldown), RewardPolicy(cost, stake, cooldown)
        change = Change(REWARD, title, old="", new=reward_policy.text)
        policy_changes = await self._policy.require_reward(Actor.of(request, why), "", reward_policy, change)

        def change_set(reward_change: Change) -> ChangeSet:
            return self._change_set(request, why, reward_change, policy_changes)

        reward = await counter.make(kit.name, stake, offer, change_set)
        self._policy.record(Actor.of(request, why), policy_changes)
        return _row(reward)

    async def _change(
        self, request: Request, why: str, counter: RewardCounter, words: Sequence[str]
    ) -> Message:
        """Read `TITLE cost 700 stake 100 cooldown 30 title NEW`, of which any part may be left out."""
        title, rest = await _find_title(counter, words)
        stake, offer = _read_changes(rest)
        policy_changes = await self._require(request, why, await counter.find(title), stake, offer)

        def change_set(reward_change: Change) -> ChangeSet:
            return self._change_set(request, why, reward_change, policy_changes)

        reward = await counter.change(title, stake, offer, change_set)
        self._policy.record(Actor.of(request, why), policy_changes)
        return _row(reward)

    async def _require(
        self, request: Request, why: str, reward: SoldReward, stake: int | None, offer: Offer
    ) -> Sequence[Change]:
        """Return how a change of a reward is recorded beside it; raises as `MintPolicy.require_reward`."""
        if reward.stakes is None:
            return ()
        cost = reward.shown.cost if offer.cost is None else offer.cost
        cooldown = reward.shown.cooldown if offer.cooldown is None else offer.cooldown
        reward_policy = RewardPolicy(cost, reward.stakes.credits if stake is None else stake, cooldown)
        change = Change(REWARD, reward.shown.title, reward.shown.id, reward.text, reward_policy.text)
        return await self._policy.require_reward(
            Actor.of(request, why), reward.shown.id, reward_policy, change
        )

    async def _remove(
        self, request: Request, why: str, counter: RewardCounter, words: Sequence[str]
    ) -> Message:
        title, rest = await _find_title(counter, words)
        if rest:
            raise Refusal(Message("rewards-unknown"))
        await counter.remove(title, lambda each: self._change_set(request, why, each))
        return Message("rewards-removed", {"title": Quote(title)})

    def _change_set(
        self, request: Request, why: str, change: Change, policy_changes: Sequence[Change] = ()
    ) -> ChangeSet:
        return self._settings_changes.change_set(Actor.of(request, why), [change, *policy_changes])


async def _find_title(counter: RewardCounter, words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Find the reward with whose title words begin.

    Raises:
        Refusal: there is none.
    """
    title_and_rest = titled(words, [each.shown.title for each in await counter.all()])
    if title_and_rest is None:
        raise Refusal(Message("rewards-unknown"))
    return title_and_rest


def _read_changes(words: Sequence[str]) -> tuple[int | None, Offer]:
    """Read what is to be changed: the stake, and what the platform is asked for.

    Raises:
        Refusal: it is nothing, or no field, or no value of one.
    """
    stake, offer, rest = None, Offer(), list(words)
    while len(rest) > 1:
        name, value = rest.pop(0).lower(), rest.pop(0)
        if name == TITLE:
            return stake, replace(offer, title=_title(" ".join((value, *rest))))
        if name not in RANGES:
            raise Refusal(Message("rewards-usage"))
        number = _read(name, value)
        if name == STAKE:
            stake = number
        elif name == COST:
            offer = replace(offer, cost=number)
        else:
            offer = replace(offer, cooldown=number)
    if rest or not words:
        raise Refusal(Message("rewards-usage"))
    return stake, offer


def _read(name: str, text: str) -> int:
    return read_whole(text, *RANGES[name])


def _title(text: str) -> str:
    """Return a title that Twitch takes.

    Raises:
        Refusal: it is empty or too long.
    """
    title = unquoted(text)
    if not 1 <= len(title) <= LONGEST_TITLE:
        raise Refusal(Message("rewards-title", {"most": LONGEST_TITLE}))
    return title


def _list(rewards: Sequence[SoldReward]) -> list[Message]:
    if not rewards:
        return [Message("rewards-none")]
    return [Message("rewards", {"rows": Listing(tuple(_row(each) for each in rewards), most=len(rewards))})]


def _row(reward: SoldReward) -> Message:
    shown, stakes = reward.shown, reward.stakes
    args: Arguments = {"title": Quote(shown.title), "cost": shown.cost, "seconds": shown.cooldown}
    if stakes is None:
        return Message("rewards-row-stakeless", args)
    game = Message(f"game-{stakes.game}")
    return Message("rewards-row", {**args, "stake": Credits(stakes.credits), "game": game})
