"""Runs `chatbot`, in a process of its own, against platforms on loopback.

The command line is the real one; only where the client libraries find their platforms is another place.
"""

from __future__ import annotations

import sys

import discord
import yarl
from discord.gateway import DiscordWebSocket

from chatbot.cli.entry import main
from cogs.twitch.authority import TwitchAuthority


def point_discord_at(rest: str, gateway: str) -> None:
    discord.http.Route.BASE = rest
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)


def point_twitch_at(base: str, eventsub: str) -> None:
    import twitchio  # noqa: PLC0415  (as the door imports it: where there is no Twitch, it is not there)

    twitchio.http.Route.BASE, twitchio.http.Route.ID_BASE = f"{base}helix/", base
    twitchio.eventsub.websockets.WSS = eventsub

    TwitchAuthority.__init__.__defaults__ = (base,)


if __name__ == "__main__":
    point_discord_at(sys.argv[1], sys.argv[2])
    point_twitch_at(sys.argv[3], sys.argv[4])
    sys.argv[1:] = sys.argv[5:]
    main()
