"""What channels are called, and of which communities they are: who hears them knows, and tells all others."""

from __future__ import annotations

from typing import Protocol


class NamesOfChannels(Protocol):
    """The platforms of this process, as far as they know channels."""

    def community(self, channel: str) -> str | None:
        """Return the community of a channel by its platform alone; None: it is not known here."""

    def title(self, channel: str) -> str:
        """Return what people call a channel, or its id if that is not known here."""


class ChannelNames:
    """The names of channels that this process hears, and of those that others have told."""

    def __init__(self) -> None:
        self.own: NamesOfChannels | None = None
        self._told: dict[str, tuple[str, str]] = {}  # titles and communities, by channel

    def describe(self, channel: str) -> tuple[str, str] | None:
        """Return the title and the community of a channel that is heard here; None: they are not known."""
        community = None if self.own is None else self.own.community(channel)
        return None if self.own is None or community is None else (self.own.title(channel), community)

    def note(self, channel: str, described: tuple[str, str]) -> None:
        """Take note of what another process tells of a channel that it hears."""
        title, community = described
        self._told[channel] = str(title), str(community)

    def knows(self, channel: str) -> bool:
        """Whether anything is known of a channel."""
        return channel in self._told or self.describe(channel) is not None

    def community(self, channel: str) -> str | None:
        """Return the community of a channel by its platform alone; None: it is not known."""
        described = self.describe(channel) or self._told.get(channel)
        return None if described is None else described[1]

    def title(self, channel: str) -> str:
        """Return what people call a channel."""
        described = self.describe(channel) or self._told.get(channel)
        return channel if described is None else described[0]
