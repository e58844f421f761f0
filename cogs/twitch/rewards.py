"""Rewards for channel points that the bot sells: made, changed and removed at Twitch.

A channel has at most 50 rewards, only affiliates and partners have any, and only the program whose client id
made one can change it: https://dev.twitch.tv/docs/api/reference/#create-custom-rewards
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from twitchio import Client
from twitchio.exceptions import HTTPException
from twitchio.http import Route

from chatbot.community.rewards import NotSold, ShownReward
from chatbot.kernel.game import Failure
from chatbot.ledger.vouchers import VoucherState
from cogs.twitch.api import Api
from cogs.twitch.bot import prepare_library
from cogs.twitch.redemptions import PAGE, REDEMPTIONS, STATUS
from cogs.twitch.subscriptions.wanted import POINTS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from chatbot.community.rewards import Offer
    from chatbot.keys.ring import Key
    from cogs.twitch.authority import TwitchAuthority

REWARDS = "channel_points/custom_rewards"


class RewardShop:
    """The rewards that this program has made in the channel of one broadcaster, as a `Shop`."""

    def __init__(self, api: Api, key: Key) -> None:
        self._api, self._key = api, key

    async def all(self) -> list[ShownReward]:
        """List the rewards that this program may change.

        Raises:
            NotSold: Twitch does not allow it, or does not answer.
        """
        return await self._ask("GET", only_manageable_rewards="true")

    async def everybodys(self) -> list[ShownReward]:
        """List all rewards of the channel, also those of other programs; raises as `all` does."""
        return await self._ask("GET")

    async def make(self, offer: Offer) -> ShownReward:
        """Make a reward, whose redemptions wait until they are settled; raises as `all` does."""
        body = {**_body(offer), "should_redemptions_skip_request_queue": False}
        (reward,) = await self._ask("POST", body)
        return reward

    async def change(self, reward: str, offer: Offer) -> ShownReward:
        """Change a reward; raises as `all` does."""
        (updated_reward,) = await self._ask("PATCH", _body(offer), id=reward)
        return updated_reward

    async def remove(self, reward: str) -> None:
        """Remove a reward, which keeps the points of what is not settled; raises as `all` does."""
        await self._ask("DELETE", id=reward)

    async def awaited(self, reward: str) -> bool:
        """Whether somebody has bought a reward and it is not settled; raises as `all` does."""
        return bool(await self._unfulfilled(reward, 1))

    async def give_back(self, reward: str) -> None:
        """Give the points back of what is not settled, of up to `PAGE` redemptions; raises as `all` does."""
        if redemptions := await self._unfulfilled(reward, PAGE):
            body = {"status": STATUS[VoucherState.RETURNED]}
            await self._request("PATCH", REDEMPTIONS, body, reward_id=reward, id=redemptions)

    async def _unfulfilled(self, reward: str, most: int) -> list[str]:
        redemptions = await self._request(
            "GET", REDEMPTIONS, reward_id=reward, status="UNFULFILLED", first=most
        )
        return [str(each["id"]) for each in redemptions]

    async def _ask(
        self, method: str, body: Mapping[str, object] | None = None, **params: str
    ) -> list[ShownReward]:
        return [_reward(each) for each in await self._request(method, REWARDS, body, **params)]

    async def _request(
        self, method: Any, path: str, body: Mapping[str, object] | None = None, **params: object
    ) -> list[Mapping[str, Any]]:
        """Ask Twitch about the channel, and return what it lists; `Any`: as the library has it."""
        about: dict[str, Any] = {"broadcaster_id": self._key.user_id, **params}
        route = Route(method, path, params=about, token_for=self._key.user_id)
        if body is not None:
            route.json = dict(body)
        try:
            answer = await self._api.request(route)
        except HTTPException as error:
            raise self._refusal(error) from None
        rows = answer["data"] if isinstance(answer, dict) else []
        return list(rows)

    def _refusal(self, error: HTTPException) -> NotSold:
        """Say why Twitch refused, and what helps."""
        reason, login = str(getattr(error, "reason", "")), self._key.login
        if error.status == 401:
            again = "run `chatbot connect twitch --broadcaster --points` again"
            return NotSold("off", f"The key of {login} may not; {again}.")
        if error.status == 403:
            return NotSold(
                "no-affiliate",
                f"Twitch refuses it: {login} must be an affiliate or a partner of Twitch to have channel "
                "points, and a reward can only be changed by the application that made it.",
            )
        if error.status == 404:
            sentence = "Twitch has no such reward any more; `chatbot rewards list` shows which there are."
            return NotSold("unknown", sentence)
        if "DUPLICATE" in reason.upper():
            sentence = f"{login} has a reward with that title already; choose another one with --title."
            return NotSold("title-taken", sentence)
        if "TOO_MANY" in reason.upper():
            sentence = f"{login} has as many rewards as Twitch allows, which is 50; remove one first."
            return NotSold("too-many", sentence)
        because = f": {reason}" if reason else ""
        return NotSold("trouble", f"Twitch answered {error.status}{because}; nothing was changed.")


@asynccontextmanager
async def shop(authority: TwitchAuthority, key: Key) -> AsyncIterator[RewardShop]:
    """Ask Twitch with the key of a broadcaster.

    Raises:
        Failure: the key does not allow it.
    """
    if POINTS not in key.scopes:
        raise Failure(
            f"The key of {key.login} does not allow {POINTS}; "
            "run `chatbot connect twitch --broadcaster --points`, signed in as the streamer."
        )
    prepare_library(authority.endpoints)
    client = Client(client_id=authority.client_id, client_secret="", fetch_client_user=False)
    api = Api(authority, client, lambda _account, _failure: None, key.user_id)
    api.adopt(key)
    try:
        yield RewardShop(api, key)
    finally:
        await api.close()


def _body(offer: Offer) -> dict[str, object]:
    """Return the fields that Twitch is sent."""
    body: dict[str, object] = {"title": offer.title, "cost": offer.cost}
    if offer.cooldown is not None:
        # A cooldown that is off needs a length nevertheless, of one second at least.
        body |= {
            "is_global_cooldown_enabled": offer.cooldown > 0,
            "global_cooldown_seconds": max(offer.cooldown, 1),
        }
    return {key: value for key, value in body.items() if value is not None}


def _reward(raw: Mapping[str, Any]) -> ShownReward:
    """Read a reward; `Any`: JSON of Twitch."""
    cooldown = raw["global_cooldown_setting"]
    seconds = int(cooldown["global_cooldown_seconds"]) if cooldown["is_enabled"] else 0
    return ShownReward(raw["id"], raw["title"], int(raw["cost"]), seconds)
