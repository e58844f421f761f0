"""Channel points as stakes: what viewers buy is played as their line, and Twitch is told what became of it.

Twitch settles a redemption while it is unfulfilled: FULFILLED takes the points for good, CANCELED gives them
back, and what is settled answers 404 from then on. Only the program whose client id made a reward may do so.
One request settles up to 50 redemptions of a reward. What becomes of the others if one of them is settled
already is not documented, so those that an answer does not name are asked for one by one; and after many at
once Twitch may answer 500 for some seconds (https://github.com/twitchdev/issues/issues/316).
https://dev.twitch.tv/docs/api/reference/#update-redemption-status
https://dev.twitch.tv/docs/eventsub/eventsub-subscription-types/#channelchannel_points_custom_reward_redemptionadd
"""

# The library's `listener` declares no type, which would make each listener untyped.
# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from math import inf
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError
from twitchio.exceptions import HTTPException
from twitchio.ext import commands
from twitchio.http import Route

from chatbot.kernel.game import Role
from chatbot.kernel.say import Message
from chatbot.ledger.people import Account
from chatbot.ledger.vouchers import Voucher, VoucherState
from chatbot.rooms.line import Line
from chatbot.runtime.limits import Backoff
from chatbot.runtime.periodic import Periodic
from chatbot.tables.voucher_stakes import staking
from cogs.twitch.lines import PLATFORM, account_of, channel_of, display_name

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

    from twitchio import ChannelPointsRedemptionAdd, ChannelPointsRedemptionUpdate

    from chatbot.bot.bot import Bot
    from chatbot.ledger.vouchers import Reward
    from cogs.twitch.api import Api
    from cogs.twitch.channels import Chat

MUTED = "twitch-muted"  # the message that says why no stake is taken
REDEMPTIONS = "channel_points/custom_rewards/redemptions"
EVERY = 2.0  # seconds between two looks for what is to be settled
SWEEP = 30  # such looks between two looks for what was bought and never told
STALE = timedelta(seconds=60)  # after which what was bought and not played is given back
PAGE = 50  # redemptions in one answer or request, the most that Twitch gives and takes
GONE = 404  # it is settled, by us before or by the streamer, or is no more
REFUSED = {400, GONE}  # for what one of several redemptions is; other errors are for all of a broadcaster's
FORBIDDEN = 403  # for a whole reward, as of another application, until somebody changes something
RAREST = 600.0  # seconds between two tries to settle a reward that is forbidden
STATUS = {VoucherState.KEPT: "FULFILLED", VoucherState.RETURNED: "CANCELED"}

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Redemption:
    """What somebody has bought; `barred` says why the bot cannot speak where they have."""

    id: str
    broadcaster: str
    reward: str
    account: Account
    name: str
    login: str
    barred: Message | None = None

    @property
    def channel(self) -> str:
        """The channel in which it was bought."""
        return channel_of(self.broadcaster)

    async def play(self, bot: Bot) -> None:
        """Stake what it pays for; rewards of other programs are left alone."""
        reward = await bot.parts.rewards.find(self.reward)
        if reward is None or reward.channel != self.channel:
            return
        kit = bot.kits.get(reward.game)
        own = self.account == account_of(self.broadcaster)
        await bot.redemptions.redeem(
            Line(
                f"tw:r:{self.id}",
                self.channel,
                self.account,
                self.name,
                Role.BROADCASTER if own else Role.VIEWER,
                f"!{reward.game}" if kit is None else staking(kit, reward.credits),
                login=self.login,
                barred=self.barred,
                voucher=_voucher(self.broadcaster, reward, self.id),
            )
        )


@dataclass(frozen=True, slots=True)
class GivenBack:
    """What somebody has bought and whose points are given back, by the bot or by somebody else."""

    id: str
    broadcaster: str

    @property
    def channel(self) -> str:
        """The channel in which it was bought."""
        return channel_of(self.broadcaster)

    async def play(self, bot: Bot) -> None:
        """Take the stake back that it has paid for, unless that is done, or the lobby is closed."""
        await bot.redemptions.withdraw(_voucher_id(self.id), self.channel)


class RedemptionComponent(commands.Component):
    """Puts what viewers buy for channel points, and get back, into the queue of their room.

    They keep their order there: points that are given back are those of a stake that was taken before.
    """

    def __init__(self, *, bot: Bot, chats: Mapping[str, Chat]) -> None:
        self._bot, self._chats = bot, chats

    @commands.Component.listener()
    async def event_custom_redemption_add(self, event: ChannelPointsRedemptionAdd) -> None:
        """Hear what was bought, unless it needs no answer of anybody."""
        chat = self._chats.get(channel_of(event.broadcaster.id))
        if chat is None or event.status != "unfulfilled":
            return
        redemption = Redemption(
            event.id,
            event.broadcaster.id,
            event.reward.id,
            account_of(event.user.id),
            display_name(event.user),
            event.user.name or "",
            Message(MUTED) if chat.muted or chat.unheard else None,
        )
        self._bot.enqueue(redemption.channel, partial(redemption.play, self._bot))

    @commands.Component.listener()
    async def event_custom_redemption_update(self, event: ChannelPointsRedemptionUpdate) -> None:
        """Hear that points are given back, which moderators can do in Twitch's own queue."""
        given_back = GivenBack(event.id, event.broadcaster.id)
        if given_back.channel in self._chats and event.status == "canceled":
            self._bot.enqueue(given_back.channel, partial(given_back.play, self._bot))


class RedemptionSettler:
    """Tells Twitch what became of what was bought, until it confirms it; gives back what was never played.

    `broadcasters` are those whose key allows it, by the ids of their accounts.
    """

    def __init__(self, *, api: Api, bot: Bot, broadcasters: frozenset[str]) -> None:
        self._api, self._bot, self._broadcasters = api, bot, broadcasters
        self._checks = Periodic(bot.watch, EVERY, self._look)
        self._looks, self._stopped = 0, False
        self._statuses: dict[str, int] = {}  # broadcaster -> the status that was told to the operator
        self._forbidden: dict[str, float] = {}  # reward -> when it is tried again
        self._backoff = Backoff[str](EVERY, RAREST)  # of forbidden rewards

    def start(self) -> None:
        """Look every `EVERY` seconds, unless there is nobody to look for."""
        if self._broadcasters and not self._stopped:
            self._checks.start()

    def serve(self, broadcaster: str, *, allowed: bool) -> None:
        """Settle a broadcaster's rewards from now on, or no more."""
        others = self._broadcasters - {broadcaster}
        self._broadcasters = others | {broadcaster} if allowed else others
        self._looks = 0  # what was bought in the meantime is looked for at once
        for reward in [*self._forbidden]:
            self._allow(reward)
        self._statuses.pop(broadcaster, None)
        self.start()

    def stop(self) -> None:
        """Look no more."""
        self._stopped = True
        self._checks.stop()

    async def settle(self) -> None:
        """Tell Twitch what is decided and not confirmed yet; what has failed is tried again later.

        After a failure nothing more is asked of a broadcaster's rewards until the next look. A reward that is
        forbidden is tried ever more rarely, and holds up no other.
        """
        troubled = set[str]()
        for batch in _batches(await self._bot.ledger.vouchers.due(PLATFORM)):
            who = batch.broadcaster
            if self._settles(who) and who not in troubled and not self._pauses(batch.reward):
                troubled |= set() if await self._settle(batch) else {who}

    async def sweep(self) -> None:
        """Give back what was bought more than a minute ago and never played, as the bot was away."""
        before = self._bot.watch.date() - STALE
        for broadcaster in filter(self._settles, sorted(self._broadcasters)):
            rewards = await self._bot.parts.rewards.of(channel_of(broadcaster))
            for reward in (each for each in rewards if not self._pauses(each.id)):
                old = {
                    each.id: each async for each, at in self._unfulfilled(broadcaster, reward) if at < before
                }
                known_ids = await self._bot.ledger.vouchers.known(list(old)) if old else set()
                for name in sorted(old.keys() - known_ids):
                    await self._bot.redemptions.decline(old[name], channel_of(broadcaster))

    async def _look(self) -> None:
        try:
            if self._looks % SWEEP == 0:
                await self.sweep()
            await self.settle()
        except (SQLAlchemyError, OSError, HTTPException, LookupError, TypeError, ValueError) as error:
            # The last three: an answer of another shape than Twitch documents.
            log.warning("what was bought for points cannot be looked at now", reason=str(error))
        finally:
            self._looks += 1
            if not self._broadcasters:
                self._checks.stop()

    async def _settle(self, batch: _Batch) -> bool:
        """Settle what can be settled at once, and the rest one by one; False: Twitch is in trouble."""
        alone = len(batch.vouchers) == 1
        try:
            settled_ids = await self._ask(batch)
        except HTTPException as error:
            if error.status == FORBIDDEN:
                self._put_off(batch.broadcaster, batch.reward, error)
                return True
            if error.status not in REFUSED or (alone and error.status != GONE):
                self._tell(batch.broadcaster, error)
                return error.status in REFUSED
            settled_ids = set(batch.vouchers) if alone else set()
        self._allow(batch.reward)
        await self._bot.ledger.vouchers.settled([batch.vouchers[each] for each in settled_ids])
        for each in batch.vouchers.keys() - settled_ids:
            if self._pauses(batch.reward) or not await self._settle(batch.alone(each)):
                return False
        return True

    def _settles(self, broadcaster: str) -> bool:
        """Whether a broadcaster's rewards are settled here: the process that runs the room does so."""
        channel = channel_of(broadcaster)
        runs = self._bot.rooms.has(channel) and not self._bot.rooms.at(channel).elsewhere
        return broadcaster in self._broadcasters and runs

    def _pauses(self, reward: str) -> bool:
        """Whether nothing is to be asked about a reward now."""
        return self._stopped or self._bot.watch.now() < self._forbidden.get(reward, -inf)

    def _allow(self, reward: str) -> None:
        """Try a reward as often as any other again."""
        self._forbidden.pop(reward, None)
        self._backoff.forget(reward)

    def _put_off(self, broadcaster: str, reward: str, error: HTTPException) -> None:
        """Try a reward that is forbidden again later, after twice as long each time."""
        known = reward in self._forbidden
        self._forbidden[reward] = self._bot.watch.now() + self._backoff.wait(reward)
        if not known:
            log.warning("channel points of a reward are not settled; `chatbot doctor` tells why",
                        channel=broadcaster, reward=reward, reason=str(error))  # fmt: skip

    async def _ask(self, batch: _Batch) -> set[str]:
        """Ask Twitch to settle a batch, and return the redemptions of it that it has settled."""
        params: dict[str, str | list[str]] = {
            "broadcaster_id": batch.broadcaster,
            "reward_id": batch.reward,
            "id": sorted(batch.vouchers),
        }
        body = {"status": batch.status}
        answer = await self._api.request_json(
            Route("PATCH", REDEMPTIONS, params=params, json=body, token_for=batch.broadcaster)
        )
        self._statuses.pop(batch.broadcaster, None)
        settled_ids = {str(each["id"]) for each in answer["data"]}
        return settled_ids if len(batch.vouchers) > 1 else set(batch.vouchers)

    async def _unfulfilled(self, broadcaster: str, reward: Reward) -> AsyncIterator[tuple[Voucher, datetime]]:
        """Yield what was bought and is not settled, and when it was."""
        cursor = ""
        while True:
            params: dict[str, str | int] = {
                "broadcaster_id": broadcaster,
                "reward_id": reward.id,
                "status": "UNFULFILLED",
                "first": PAGE,
                **({"after": cursor} if cursor else {}),
            }
            try:
                answer = await self._api.request_json(
                    Route("GET", REDEMPTIONS, params=params, token_for=broadcaster)
                )
            except HTTPException as error:
                if error.status == FORBIDDEN:
                    self._put_off(broadcaster, reward.id, error)
                elif error.status != GONE:  # the streamer has removed the reward
                    self._tell(broadcaster, error)
                return
            for each in answer["data"]:
                at = datetime.fromisoformat(each["redeemed_at"])
                yield _voucher(broadcaster, reward, each["id"]), at
            cursor = answer.get("pagination", {}).get("cursor", "")
            if not cursor:
                return

    def _tell(self, broadcaster: str, error: HTTPException) -> None:
        if self._statuses.get(broadcaster) != error.status:
            self._statuses[broadcaster] = error.status
            log.warning("channel points are not settled yet; it is tried again", channel=broadcaster,
                        status=error.status)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Batch:
    """Redemptions of one reward that come to the same end; `vouchers` are the ids of theirs by redemption."""

    broadcaster: str
    reward: str
    status: str
    vouchers: Mapping[str, str]

    def alone(self, redemption: str) -> _Batch:
        """Return one of them as a batch of its own."""
        return replace(self, vouchers={redemption: self.vouchers[redemption]})


def _batches(due_vouchers: Iterable[tuple[Voucher, VoucherState]]) -> Iterator[_Batch]:
    """Put together what one request can settle."""
    groups = defaultdict[tuple[str, str, str], dict[str, str]](dict)
    for voucher, state in due_vouchers:
        broadcaster, reward, redemption = voucher.source.split("/")
        groups[broadcaster, reward, STATUS[state]][redemption] = voucher.id
    for same, vouchers in groups.items():
        pairs = list(vouchers.items())
        for first in range(0, len(pairs), PAGE):
            yield _Batch(*same, dict(pairs[first : first + PAGE]))


def _voucher(broadcaster: str, reward: Reward, redemption: str) -> Voucher:
    source = f"{broadcaster}/{reward.id}/{redemption}"
    return Voucher(_voucher_id(redemption), PLATFORM, source, reward.credits)


def _voucher_id(redemption: str) -> str:
    return f"{PLATFORM}:{redemption}"
