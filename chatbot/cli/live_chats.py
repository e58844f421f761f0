"""What `chatbot doctor --live` says of each platform: where to type what, and why it may not work there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from chatbot.keys.barred_chats import BarredChats
from cogs.twitch.muted import MutedChats, UnheardChats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.environment import Settings
    from cogs.discord.adapter import DiscordAdapter
    from cogs.platform import Platform
    from cogs.twitch.adapter import TwitchAdapter


def chats_of(platform: Platform, settings: Settings) -> Chats:
    """Return what is to be said of the chats of a platform."""
    from cogs.discord.adapter import DiscordAdapter  # noqa: PLC0415  (slow, as that of Twitch)
    from cogs.twitch.adapter import TwitchAdapter  # noqa: PLC0415

    if isinstance(platform, TwitchAdapter):
        return _TwitchChats(platform, settings)
    assert isinstance(platform, DiscordAdapter)  # there is no other  # noqa: S101
    return _DiscordChats(platform, settings)


class Chats(Protocol):
    """What is particular to a platform: where somebody can type what, and why it may not work."""

    @property
    def command(self) -> str:
        """What to type."""

    @property
    def start(self) -> str:
        """What begins at once what somebody has opened who is alone."""

    @property
    def tries_again(self) -> bool:
        """Whether the bot answers for all where it could not speak before, so that this shows that it can."""

    def places(self) -> list[str]:
        """Name the chats, or servers, in which the bot is and hears."""

    def nowhere(self) -> str:
        """Say why there is no such place, and what to do."""

    def unheard(self) -> Iterator[str]:
        """Say of each chat that is not heard why."""

    def where(self, places: list[str]) -> str:
        """Say where to type."""

    def name(self, channel: str) -> str:
        """Name the chat of a channel."""

    def silence(self) -> str:
        """Say what to look at where nothing that is typed is heard."""

    def barred(self, channel: str) -> str:
        """Return why the bot may not write in a channel, as far as that is known; "" if it is not."""


class _TwitchChats:
    def __init__(self, adapter: TwitchAdapter, settings: Settings) -> None:
        self._adapter, self._keys, self._channels = adapter, settings.twitch_tokens, settings.channels
        self.command, self.start, self.tries_again = "`!heist 20`", "`!start`", True

    def places(self) -> list[str]:
        return [each.login for each in self._adapter.chats.values() if not each.unheard]

    def nowhere(self) -> str:
        if any(self._adapter.chats):
            return "no chat is heard; see above."
        if self._channels:
            return "Twitch knows none of the channels that CHATBOT_TWITCH_CHANNELS names; correct it."
        return (
            "no channel is connected; run `chatbot connect twitch --broadcaster`, signed in as the streamer."
        )

    def unheard(self) -> Iterator[str]:
        reasons = UnheardChats(self._keys).load()
        for each in self._adapter.chats.values():
            if each.unheard:
                _, reason = reasons.get(each.broadcaster, ("", "Twitch refuses to tell of it"))
                yield f"the chat of {each.login} is not heard: {reason}."

    def where(self, places: list[str]) -> str:
        return f"in the chat of {' or '.join(places)}"

    def name(self, channel: str) -> str:
        chat = self._adapter.chats.get(channel)
        return f"the chat of {chat.login}" if chat is not None else channel

    def silence(self) -> str:
        return (
            "type it with the `!`, on Twitch's own page, in the chat that is named above, and see whether it "
            "stands there: a chat for followers or subscribers, AutoMod or a ban may hold it back."
        )

    def barred(self, channel: str) -> str:
        chat = self._adapter.chats.get(channel)
        return "" if chat is None else MutedChats(self._keys).load().get(chat.broadcaster, ("", ""))[1]


class _DiscordChats:
    def __init__(self, adapter: DiscordAdapter, settings: Settings) -> None:
        self._adapter, self._barred = adapter, BarredChats(settings.discord_barred)
        self.start = "`/start`"
        self.tries_again = False  # a slash command is answered alone, also where it may not write

    @property
    def _reads(self) -> bool:
        client = self._adapter.client
        return client is not None and client.intents.message_content

    @property
    def command(self) -> str:
        return "`/heist 20`, or `!heist 20`," if self._reads else "`/heist 20`"

    def places(self) -> list[str]:
        client = self._adapter.client
        return [] if client is None else [each.name for each in client.guilds]

    def nowhere(self) -> str:
        return "the bot is in no server; `chatbot connect discord` prints the link that invites it."

    def unheard(self) -> Iterator[str]:
        yield from ()

    def where(self, places: list[str]) -> str:
        return f"in a channel of {' or '.join(places)}"

    def name(self, channel: str) -> str:
        client = self._adapter.client
        discord_channel = None if client is None else client.get_channel(int(channel.partition(":")[2]))
        return f"#{name}" if (name := getattr(discord_channel, "name", "")) else "a direct message"

    def silence(self) -> str:
        reading = (
            "`!heist` needs View Channel there"
            if self._reads
            else "`!heist` is not read, for Message Content Intent is off "
            "(https://discord.com/developers/applications, Bot)"
        )
        return (
            "if Discord does not offer /heist, invite the bot again by its link (`chatbot connect discord`), "
            "and see in Server Settings, Integrations, where and to whom its commands are allowed; "
            f"{reading}."
        )

    def barred(self, channel: str) -> str:
        return self._barred.load().get(channel, ("", ""))[1]
