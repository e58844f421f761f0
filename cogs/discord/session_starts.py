"""When a session of the gateway may be begun, as `before_identify_hook` asks for each."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from chatbot.keys.asking import expecting
from chatbot.runtime.session_budget import DAY, TOTAL, SessionBudget, SessionLimits
from cogs.discord.endpoints import OWN, DiscordEndpoints
from cogs.discord.token import require_answer

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    import aiohttp


class OwnSessionStarts:
    """The sessions of a bot that one process runs alone; what was begun before it started Discord tells."""

    def __init__(self) -> None:
        self._budget = SessionBudget()

    async def learn(self, limits: SessionLimits) -> None:
        self._budget.learn(limits, _now())

    async def wait(self, shard: int) -> float:
        return self._budget.wait(shard, _now())

    async def reserve(self, shard: int, after: float) -> float:
        return self._budget.reserve(shard, _now(), after)


def read_limits(shards: int, limits: Mapping[str, Any]) -> SessionLimits:
    """Read what Discord answers to `GET /gateway/bot`; `Any`: JSON of Discord.

    See https://discord.com/developers/docs/events/gateway#get-gateway-bot.
    """
    return SessionLimits(
        shards=int(shards),
        total=int(limits.get("total", TOTAL)),
        left=int(limits.get("remaining", TOTAL)),
        resets_in=float(limits.get("reset_after", DAY * 1000)) / 1000,
        concurrency=int(limits.get("max_concurrency", 1)),
    )


async def ask_limits(
    token: str, session: aiohttp.ClientSession, endpoints: DiscordEndpoints = OWN
) -> SessionLimits:
    """Ask Discord how many shards it recommends, and how many sessions may be begun.

    Raises:
        TokenRefused: the token is nobody's.
        Unreachable: nobody can say.
    """
    answer = await require_answer(token, session, f"{endpoints.api}/gateway/bot")
    with expecting(endpoints.api):
        return read_limits(answer.content["shards"], answer.content["session_start_limit"])


def _now() -> float:
    return asyncio.get_running_loop().time()
