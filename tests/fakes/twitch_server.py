"""A Twitch on loopback to which the real twitchio connects: id server, Helix and EventSub.

Events have all required fields of https://dev.twitch.tv/docs/eventsub/eventsub-reference/#events.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from aiohttp import web

from cogs.twitch.endpoints import OWN, TwitchEndpoints
from tests.fakes.twitch_eventsub import EventSub
from tests.fakes.twitch_helix import Helix
from tests.fakes.twitch_world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from tests.fakes.twitch_rewards import Redemption, Reward
    from tests.fakes.twitch_world import User


class Twitch:
    """People talk by its methods; `sent` is what the bot said."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.world = World(clock=clock)
        self.eventsub = EventSub(self.world)
        self.helix = Helix(self.world, self.eventsub, self._echo)
        self.authority = self.world.authority
        self._runner: web.AppRunner | None = None
        self.base = ""
        self.endpoints = OWN

    async def start(self) -> Twitch:
        app = web.Application()
        app.add_routes([*self.authority.routes, *self.helix.routes, web.get("/ws", self.eventsub.connect)])
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.base = f"http://127.0.0.1:{port}/"
        self.eventsub.address = f"ws://127.0.0.1:{port}/ws"
        self.endpoints = TwitchEndpoints(f"{self.base}helix", f"{self.base}oauth2", self.eventsub.address)
        return self

    async def stop(self) -> None:
        for session in list(self.eventsub.sessions.values()):
            await session.socket.close(code=4000)
        assert self._runner is not None
        await self._runner.cleanup()

    def sent(self, channel: str) -> list[str]:
        return self.world.sent(channel)

    async def chat(
        self,
        user: str,
        channel: str,
        text: str,
        badges: Iterable[str] = (),
        *,
        name: str = "",
        message_id: str = "",
        source: str = "",
        reply_to: str = "",
        mentions: Sequence[str] = (),
    ) -> str:
        """Let somebody say something, which is delivered if they may write; give the message's id."""
        speaker, place = self.world.user(user, name), self.world.user(channel)
        new = message_id or f"chat-{next(self.world.numbers)}"
        if self.world.silenced(place.id, speaker.id):
            return new
        named = [self.world.user(each) for each in mentions]
        event = _chat_event(
            place, speaker, text, new, [*badges, *self.world.badges(place.id, speaker.id)], named
        )
        if source:
            other = self.world.user(source)
            event |= {f"source_broadcaster_user_{key}": value for key, value in _parts(other).items()}
            event |= {"source_message_id": "elsewhere", "source_badges": []}
        if reply_to:
            parent = self.world.user(reply_to)
            event["reply"] = _reply(parent)
        await self.eventsub.notify("channel.chat.message", {"broadcaster_user_id": place.id}, event)
        return new

    async def ban(self, user: str, channel: str, seconds: float | None = None) -> None:
        """Ban an account in a channel, or time it out for some seconds.

        It can write nothing, and its messages are cleared
        (https://dev.twitch.tv/docs/eventsub/eventsub-subscription-types/#channelchatclear_user_messages).
        A ban is of one chat: whispers still reach the account, and the bot from it. Who is banned leaves the
        chat, and no longer hears it: their subscriptions to it end by `chat_user_banned`
        (https://dev.twitch.tv/docs/eventsub/manage-subscriptions/).
        """
        place, target = self.world.user(channel), self.world.user(user)
        self.world.moderators[place.id].discard(target.id)  # who is one can be neither
        if seconds is not None:
            self.world.timeouts[place.id, target.id] = self.world.clock() + seconds
        else:
            self.world.banned.add((place.id, target.id))
            self.world.chatters[channel].discard(user)
            await self._deafen(place, target)
        event = {**_named("broadcaster_user", place), **_named("target_user", target)}
        about = {"broadcaster_user_id": place.id}
        await self.eventsub.notify("channel.chat.clear_user_messages", about, event)

    async def _deafen(self, place: User, target: User) -> None:
        heard = {"broadcaster_user_id": place.id, "user_id": target.id}
        for each in self.eventsub.subscriptions.values():
            if each.condition == heard and each.status == "enabled":
                await self.eventsub.revoke(each, "chat_user_banned")

    async def whisper(self, user: str, text: str, to: str = "rabblebot") -> None:
        speaker, bot = self.world.user(user), self.world.users[to]
        event = {**_named("from_user", speaker), **_named("to_user", bot),
                 "whisper_id": f"whisper-{next(self.world.numbers)}", "whisper": {"text": text}}  # fmt: skip
        await self.eventsub.notify("user.whisper.message", {"user_id": bot.id}, event)

    async def raid(self, raider: str, channel: str, viewers: int) -> None:
        source, target = self.world.user(raider), self.world.user(channel)
        event = {**_named("from_broadcaster_user", source), **_named("to_broadcaster_user", target),
                 "viewers": viewers}  # fmt: skip
        await self.eventsub.notify("channel.raid", {"to_broadcaster_user_id": target.id}, event)

    async def happen(self, kind: str, channel: str, user: str = "", **facts: Any) -> None:
        """Let a follow, a cheer, a subscription or the like happen."""
        place = self.world.user(channel)
        event = {**_named("broadcaster_user", place), **facts}
        event |= _named("user", self.world.user(user)) if user else dict.fromkeys(_named("user", place))
        await self.eventsub.notify(kind, {"broadcaster_user_id": place.id}, event)

    async def redeem(self, user: str, reward: Reward, at: datetime | None = None) -> Redemption:
        """Let somebody buy a reward, and tell of it."""
        bought = self.helix.counter.buy(self.world.user(user), reward, at)
        await self.tell_redemption(bought)
        return bought

    async def give_back(self, bought: Redemption) -> None:
        """Let a moderator give the points back, and tell of it."""
        bought.status = "CANCELED"
        await self.tell_redemption(bought, "update")

    async def tell_redemption(self, bought: Redemption, what: str = "add") -> None:
        """Tell of what was bought, or of what became of it, by an event of its own."""
        place, reward = bought.reward.broadcaster, bought.reward
        event = {**_named("broadcaster_user", place), **_named("user", bought.user), "id": bought.id,
                 "user_input": "", "status": bought.status.lower(), "redeemed_at": bought.at.isoformat(),
                 "reward": {"id": reward.id, "title": reward.title, "cost": reward.cost,
                            "prompt": ""}}  # fmt: skip
        kind = f"channel.channel_points_custom_reward_redemption.{what}"
        await self.eventsub.notify(kind, {"broadcaster_user_id": place.id}, event)

    async def _echo(self, channel: User, speaker: User, text: str, message_id: str) -> None:
        badges, everybody = self.world.badges(channel.id, speaker.id), list(self.world.users.values())
        event = _chat_event(channel, speaker, text, message_id, badges, everybody)
        await self.eventsub.notify("channel.chat.message", {"broadcaster_user_id": channel.id}, event)


def _chat_event(
    channel: User, speaker: User, text: str, message_id: str, badges: Iterable[str], named: Sequence[User]
) -> dict[str, Any]:
    return {
        **_named("broadcaster_user", channel),
        **_named("chatter_user", speaker),
        "message_id": message_id,
        "message": {"text": text, "fragments": _fragments(text, named)},
        "color": "",
        "badges": [{"set_id": each, "id": "1", "info": ""} for each in badges],
        "message_type": "text",
        "cheer": None,
        "reply": None,
        "channel_points_custom_reward_id": None,
        "channel_points_animation_id": None,
        "source_broadcaster_user_id": None,
        "source_broadcaster_user_login": None,
        "source_broadcaster_user_name": None,
        "source_message_id": None,
        "source_badges": None,
    }


def _fragments(text: str, named: Sequence[User]) -> list[dict[str, Any]]:
    """Cut a text at the mentions that Twitch knows of."""
    for user in named:
        before, found, after = text.partition(f"@{user.name}")
        if found:
            mention = {"type": "mention", "text": found, "mention": _named("user", user)}
            return [*_fragments(before, named), mention, *_fragments(after, named)]
    return [{"type": "text", "text": text}] if text else []


def _reply(parent: User) -> dict[str, str]:
    return {"parent_message_id": "parent", "parent_message_body": "hello", "thread_message_id": "parent",
            **_named("parent_user", parent), **_named("thread_user", parent)}  # fmt: skip


def _parts(user: User) -> dict[str, str]:
    return {"id": user.id, "login": user.login, "name": user.name}


def _named(prefix: str, user: User) -> dict[str, str]:
    return {f"{prefix}_{key}": value for key, value in _parts(user).items()}
