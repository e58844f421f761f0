"""Where Discord is: its own addresses, a proxy's, or those of another server that speaks its protocol."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DiscordEndpoints:
    """Addresses without a slash at the end."""

    api: str = "https://discord.com/api/v10"
    gateway: str = "wss://gateway.discord.gg"


OWN = DiscordEndpoints()
