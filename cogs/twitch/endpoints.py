"""Where Twitch is: its own addresses, a proxy's, or those of its mock."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TwitchEndpoints:
    """Addresses without a slash at the end."""

    api: str = "https://api.twitch.tv/helix"
    id: str = "https://id.twitch.tv/oauth2"
    eventsub: str = "wss://eventsub.wss.twitch.tv/ws"


OWN = TwitchEndpoints()
