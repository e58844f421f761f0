"""Heartbeats: more of them than Discord asks for, so that a connection that is dead is noticed within 30 s.

See https://discord.com/developers/docs/events/gateway#sending-heartbeats: Discord wants one every 41.25 s and
answers each, and a connection on which none is answered is dead. The answer may be all that a quiet gateway
says. The library leaves a connection after `heartbeat_timeout` seconds without a word, whatever was to be
expected, so this may be short only if an answer is due more often. Five heartbeats a minute are far from
the limit of 120 messages (https://discord.com/developers/docs/events/gateway#rate-limiting).
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

from discord import gateway

if TYPE_CHECKING:
    from discord.gateway import DiscordWebSocket

BEAT = 12.0  # seconds between two heartbeats: of two that follow each other, one answer may be late
SILENCE = 30.0  # seconds without a word after which a connection is left


class KeepAlive(gateway.KeepAliveHandler):
    """The library's thread that sends the heartbeats of one connection."""

    def __init__(self, *, ws: DiscordWebSocket, interval: float, shard_id: int | None) -> None:
        super().__init__(ws=ws, interval=min(interval, BEAT), shard_id=shard_id)

    def get_payload(self) -> dict[str, Any]:
        """Return a heartbeat, which counts as sent from now on; `Any`: as the library has it.

        The library takes the time only after it was sent. An answer may be there by then, and would count as
        one to the heartbeat before: a healthy connection would be told to be 12 s behind.
        """
        self._last_send = perf_counter()
        return super().get_payload()


def beat_often() -> None:
    """Let the library use `KeepAlive`; it takes the class from its module, and from nowhere else."""
    gateway.KeepAliveHandler = KeepAlive  # type: ignore[misc,assignment]
