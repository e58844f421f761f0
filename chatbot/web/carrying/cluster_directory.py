"""The platforms of a process of a cluster, which know also the channels that others hear."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chatbot.cluster.channel_names import ChannelNames
    from chatbot.web.principals import AccountLogin, Platforms
    from cogs.platform import RoleSource


class ClusterDirectory:
    """The platforms as pages know them, with the names of the channels of all processes."""

    def __init__(self, platforms: Platforms, names: ChannelNames) -> None:
        self._platforms, self._names = platforms, names
        names.own = platforms

    def role_source(self, platform: str) -> RoleSource | None:
        return self._platforms.role_source(platform)

    def community(self, channel: str) -> str | None:
        return self._names.community(channel)

    def title(self, channel: str) -> str:
        return self._names.title(channel)

    def twitch_logins(self) -> AccountLogin[Any] | None:
        return self._platforms.twitch_logins()
