"""Rewards for channel points on loopback: who owns them, who may have any, and what becomes of the points.

https://dev.twitch.tv/docs/api/reference/#create-custom-rewards and the four after it tell of rewards, scopes,
owners by client id, the limit of 50, and 403 for who is no affiliate or partner;
https://dev.twitch.tv/docs/api/reference/#update-redemption-status of what is UNFULFILLED, and of 404 for
what is not, and of at most 50 ids in one request. What Twitch does if some of several are settled already it
does not say: by `whole` the fake refuses all of them, or else settles the others. To remove a reward fulfils
what was not settled.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.fakes.twitch_world import User

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.fakes.twitch_authority import Token
    from tests.fakes.twitch_helix import Work

MANAGE = "channel:manage:redemptions"
MOST = 50  # rewards of a channel
PAGE = 50  # redemptions in one answer
LONGEST = 45  # characters of a title


@dataclass(eq=False)
class Reward:
    id: str
    broadcaster: User
    client_id: str
    title: str
    cost: int
    cooldown: int = 0

    @property
    def shown(self) -> dict[str, Any]:
        cooldown = {"is_enabled": self.cooldown > 0, "global_cooldown_seconds": self.cooldown}
        return {"id": self.id, "broadcaster_id": self.broadcaster.id, "title": self.title, "cost": self.cost,
                "prompt": "", "is_enabled": True, "global_cooldown_setting": cooldown}  # fmt: skip


@dataclass(eq=False)
class Redemption:
    """`settled` counts how often its status was changed, which Twitch does once."""

    id: str
    reward: Reward
    user: User
    at: datetime
    status: str = "UNFULFILLED"
    settled: int = 0


@dataclass(eq=False)
class Counter:
    """`affiliates` are the ids of those who may have rewards; `lost` answers are errors after a change."""

    client_id: str
    find: Callable[[str], User]  # an account, by its id
    affiliates: set[str] = field(default_factory=set)
    rewards: dict[str, Reward] = field(default_factory=dict)
    redemptions: dict[str, Redemption] = field(default_factory=dict)
    lost: int = 0
    whole: bool = True
    asked: list[int] = field(default_factory=list)  # how many ids each request to settle has named
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def routes(self, answer: Callable[[Work], Any]) -> Iterable[web.RouteDef]:
        path = "/helix/channel_points/custom_rewards"
        return [
            web.get(path, answer(self._list)),
            web.post(path, answer(self._make)),
            web.patch(path, answer(self._change)),
            web.delete(path, answer(self._remove)),
            web.get(f"{path}/redemptions", answer(self._redeemed)),
            web.patch(f"{path}/redemptions", answer(self._settle)),
        ]

    def put(self, broadcaster: User, title: str, cost: int = 100, client_id: str = "") -> Reward:
        """Let there be a reward, of this program or of another one."""
        new = Reward(f"reward-{next(self._numbers)}", broadcaster, client_id or self.client_id, title, cost)
        self.rewards[new.id] = new
        return new

    def buy(self, user: User, reward: Reward, at: datetime | None = None) -> Redemption:
        new = Redemption(f"redemption-{next(self._numbers)}", reward, user, at or datetime.now(UTC))
        self.redemptions[new.id] = new
        return new

    async def _list(self, request: web.Request, token: Token) -> web.Response:
        refused = self._refused(request, token)
        own = request.query.get("only_manageable_rewards") == "true"
        there = [each for each in self.rewards.values() if each.broadcaster.id == token.user_id]
        return refused or _data([each.shown for each in there if not own or each.client_id == self.client_id])

    async def _make(self, request: web.Request, token: Token) -> web.Response:
        refused = self._refused(request, token)
        if refused is not None:
            return refused
        body = await request.json()
        own = [each for each in self.rewards.values() if each.broadcaster.id == token.user_id]
        if len(own) >= MOST:
            return _error(400, "CREATE_CUSTOM_REWARD_TOO_MANY_REWARDS")
        if any(each.title.lower() == body["title"].lower() for each in own):
            return _error(400, "CREATE_CUSTOM_REWARD_DUPLICATE_REWARD")
        if not 1 <= len(body["title"]) <= LONGEST or body["cost"] < 1:
            return _error(400, "The title or the cost is out of its range")
        assert body["should_redemptions_skip_request_queue"] is False
        new = self.put(self.find(token.user_id), body["title"], body["cost"])
        self._edit(new, body)
        return _data([new.shown])

    async def _change(self, request: web.Request, token: Token) -> web.Response:
        found = self._refused(request, token) or self._own(request)
        if isinstance(found, web.Response):
            return found
        self._edit(found, await request.json())
        return _data([found.shown])

    async def _remove(self, request: web.Request, token: Token) -> web.Response:
        found = self._refused(request, token) or self._own(request)
        if isinstance(found, web.Response):
            return found
        del self.rewards[found.id]
        for each in self.redemptions.values():
            if each.reward is found and each.status == "UNFULFILLED":
                each.status = "FULFILLED"
        return web.Response(status=204)

    async def _redeemed(self, request: web.Request, token: Token) -> web.Response:
        query = request.query
        found = self._refused(request, token) or self._own(request, "reward_id")
        if isinstance(found, web.Response):
            return found
        there = [each for each in self.redemptions.values()
                 if each.reward is found and each.status == query["status"]]  # fmt: skip
        first = int(query.get("after", "0"))
        end = first + min(int(query.get("first", "20")), PAGE)
        shown = [{"id": each.id, "user_id": each.user.id, "status": each.status,
                  "redeemed_at": each.at.isoformat()} for each in there[first:end]]  # fmt: skip
        cursor = {"cursor": str(end)} if end < len(there) else {}
        return _answered({"data": shown, "pagination": cursor})

    async def _settle(self, request: web.Request, token: Token) -> web.Response:
        found = self._refused(request, token) or self._own(request, "reward_id")
        if isinstance(found, web.Response):
            return found
        ids = request.query.getall("id")
        if not 1 <= len(ids) <= PAGE:
            return _error(400, "The id parameter is missing, or there are too many")
        self.asked.append(len(ids))
        there = [each for each in map(self.redemptions.get, ids)
                 if each is not None and each.reward is found and each.status == "UNFULFILLED"]  # fmt: skip
        if not there or (self.whole and len(there) < len(ids)):
            return _error(404, "The redemption was not found, or is not UNFULFILLED")
        status = (await request.json())["status"]
        assert status in {"FULFILLED", "CANCELED"}
        for each in there:
            each.status, each.settled = status, each.settled + 1
        if self.lost:
            self.lost -= 1
            return _error(500, "a fault")
        return _data([{"id": each.id, "status": each.status} for each in there])

    def _edit(self, reward: Reward, body: dict[str, Any]) -> None:
        reward.title, reward.cost = body.get("title", reward.title), body.get("cost", reward.cost)
        if "is_global_cooldown_enabled" in body:
            assert body["global_cooldown_seconds"] >= 1
            on = body["is_global_cooldown_enabled"]
            reward.cooldown = body["global_cooldown_seconds"] if on else 0

    def _refused(self, request: web.Request, token: Token) -> web.Response | None:
        if token.user_id != request.query["broadcaster_id"] or MANAGE not in token.scopes:
            return _error(401, f"Missing scope: {MANAGE}")
        if token.user_id not in self.affiliates:
            return _error(403, "The broadcaster is not a partner or affiliate")
        return None

    def _own(self, request: web.Request, key: str = "id") -> Reward | web.Response:
        found = self.rewards.get(request.query[key])
        if found is None or found.broadcaster.id != request.query["broadcaster_id"]:
            return _error(404, "The custom reward was not found")
        if found.client_id != self.client_id:
            return _error(403, "The ID in the Client-Id header must match the one that created the reward")
        return found


def _data(data: list[Any]) -> web.Response:
    return _answered({"data": data})


def _answered(body: dict[str, Any]) -> web.Response:
    return web.Response(text=json.dumps(body), content_type="application/json")


def _error(status: int, message: str) -> web.Response:
    body = {"error": "Error", "status": status, "message": message}
    return web.Response(text=json.dumps(body), status=status, content_type="application/json")
