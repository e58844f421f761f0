"""Helix on loopback: what twitchio asks of it, checked as Twitch checks it.

Each request is that of the reference, https://dev.twitch.tv/docs/api/reference/: #get-users, #get-streams,
#get-chatters, #send-chat-message, #create-eventsub-subscription and the two after it, #get-conduits and the
five after it; others are named where they are. Each takes a point of its key, and is answered with what is
left (https://dev.twitch.tv/docs/api/guide/#twitch-rate-limits).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeAlias

from aiohttp import web

from tests.fakes.twitch_eventsub import Conduit, Json
from tests.fakes.twitch_predictions import Bookmaker
from tests.fakes.twitch_rewards import Counter
from tests.fakes.twitch_world import ANNOUNCEMENT_GAP, COLOURS, LONGEST, Announced, Sent, Whispered

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.fakes.twitch_authority import Token
    from tests.fakes.twitch_eventsub import EventSub
    from tests.fakes.twitch_world import User, World

    Work: TypeAlias = Callable[[web.Request, Token], Awaitable[web.Response]]
    Echo: TypeAlias = Callable[[User, User, str, str], Awaitable[None]]

ANNOUNCE = "moderator:manage:announcements"


class Helix:
    """`page` is how many subscriptions are listed at once; `echo` brings what was said into the chat."""

    def __init__(self, world: World, eventsub: EventSub, echo: Echo) -> None:
        self.world, self.eventsub, self._echo = world, eventsub, echo
        self.counter = Counter(world.authority.client_id, world.by_id)
        self.bookmaker = Bookmaker(lambda: world.clock(), world.by_id)  # noqa: PLW0108  (it may be another clock later)
        self.page = 100
        self.hello = False  # whether somebody speaks before whoever subscribes knows that they have

    @property
    def routes(self) -> list[web.RouteDef]:
        subscriptions, conduits = "/helix/eventsub/subscriptions", "/helix/eventsub/conduits"
        return [
            web.get("/helix/users", self._answer(self._users)),
            web.get("/helix/streams", self._answer(self._streams)),
            web.get("/helix/chat/chatters", self._answer(self._chatters)),
            web.get("/helix/moderation/channels", self._answer(self._moderated)),
            web.post("/helix/chat/messages", self._answer(self._say)),
            web.post("/helix/chat/announcements", self._answer(self._announce)),
            web.post("/helix/whispers", self._answer(self._whisper)),
            web.get(subscriptions, self._answer(self._list)),
            web.post(subscriptions, self._answer(self._subscribe)),
            web.delete(subscriptions, self._answer(self._unsubscribe)),
            web.get(conduits, self._answer(self._conduits)),
            web.post(conduits, self._answer(self._new_conduit)),
            web.patch(conduits, self._answer(self._resize)),
            web.get(f"{conduits}/shards", self._answer(self._shards)),
            web.patch(f"{conduits}/shards", self._answer(self._assign)),
            *self.counter.routes(self._answer),
            *self.bookmaker.routes(self._answer),
        ]

    def _answer(self, work: Work) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def answer(request: web.Request) -> web.Response:
            path = request.path.removeprefix("/helix/")
            self.world.requests.append(f"{request.method} {path}")
            fault = self.world.fault(request.method, path)
            if fault is not None and fault.until is not None:
                await fault.until.wait()
            if fault is not None and not fault.status:
                assert request.transport is not None
                request.transport.close()
            if fault is not None:
                return _error(fault.status or 500, fault.message or "a fault", fault.headers)
            token = self.world.authority.whose(request.headers.get("Authorization", ""))
            if token is None:
                return _error(401, "Invalid OAuth token")
            if request.headers.get("Client-ID") != self.world.authority.client_id:
                return _error(401, "Client ID and OAuth token do not match")
            budget = self.world.budget(token.user_id)
            answer = await work(request, token) if budget.take() else _error(429, "Too Many Requests")
            answer.headers.update(budget.headers)
            return answer

        return answer

    async def _users(self, request: web.Request, _: Token) -> web.Response:
        logins, ids = request.query.getall("login", []), request.query.getall("id", [])
        if any(not each.isidentifier() and not each[:1].isdigit() for each in logins):
            return _error(400, "The login is malformed")
        found = [each for each in self.world.users.values() if each.login in logins or each.id in ids]
        return _data([_user(each) for each in found])

    async def _streams(self, request: web.Request, _: Token) -> web.Response:
        asked = request.query.getall("user_id", [])
        return _data([_stream(each) for each in self.world.users.values()
                      if each.id in asked and each.login in self.world.streaming])  # fmt: skip

    async def _chatters(self, request: web.Request, token: Token) -> web.Response:
        channel, moderator = self.world.by_id(request.query["broadcaster_id"]), request.query["moderator_id"]
        if token.user_id != moderator or "moderator:read:chatters" not in token.scopes:
            return _error(401, "Missing scope: moderator:read:chatters")
        if moderator != channel.id and moderator not in self.world.moderators[channel.id]:
            return _error(403, "The user in moderator_id is not one of the broadcaster's moderators")
        first = int(request.query.get("after", "0"))
        end = first + min(int(request.query["first"]), self.page)
        there = [self.world.user(each) for each in sorted(self.world.chatters[channel.login])]
        cursor = {"cursor": str(end)} if end < len(there) else {}
        shown = [{"user_id": each.id, "user_login": each.login, "user_name": each.name} for each in there]
        return _answered({"data": shown[first:end], "total": len(there), "pagination": cursor})

    async def _moderated(self, request: web.Request, token: Token) -> web.Response:
        """https://dev.twitch.tv/docs/api/reference/#get-moderated-channels."""
        if token.user_id != request.query["user_id"] or "user:read:moderated_channels" not in token.scopes:
            return _error(401, "Missing scope: user:read:moderated_channels")
        channels = [each for each, people in self.world.moderators.items() if token.user_id in people]
        first = int(request.query.get("after", "0"))
        end = first + min(int(request.query["first"]), self.page)
        users = [self.world.by_id(each) for each in sorted(channels)]
        shown = [
            {"broadcaster_id": each.id, "broadcaster_login": each.login, "broadcaster_name": each.name}
            for each in users
        ]
        cursor = {"cursor": str(end)} if end < len(users) else {}
        return _answered({"data": shown[first:end], "pagination": cursor})

    async def _say(self, request: web.Request, token: Token) -> web.Response:
        body = await request.json()
        if missing := [each for each in ("broadcaster_id", "sender_id", "message") if not body.get(each)]:
            return _error(400, f"Missing required parameter {missing[0]}")
        channel, sender, text = self.world.by_id(body["broadcaster_id"]), body["sender_id"], body["message"]
        refused = self._may_say(token, channel, sender)
        if refused is not None:
            return refused
        if len(text) > LONGEST:
            return _error(422, "The message is too long")
        code = self.world.judge(channel, sender, text)
        if code is not None:
            reason = {"code": code, "message": f"Your message was not sent ({code})"}
            return _data([{"message_id": "", "is_sent": False, "drop_reason": reason}])
        self.world.said.append(Sent(channel.id, sender, text, self.world.clock(), token.app))
        message = f"said-{len(self.world.said)}"
        await self._echo(channel, self.world.by_id(sender), text, message)
        if self.world.lost_answers:
            self.world.lost_answers -= 1
            return _error(500, "a fault")
        return _data([{"message_id": message, "is_sent": True}])

    def _may_say(self, token: Token, channel: User, sender: str) -> web.Response | None:
        """The program needs leave of both: https://dev.twitch.tv/docs/api/reference/#send-chat-message.

        Who is banned gets 403, with whichever key.
        """
        if (channel.id, sender) in self.world.banned:
            return _error(403, "The sender is not permitted to send chat messages to this channel")
        if not token.app:
            right = token.user_id == sender and "user:write:chat" in token.scopes
            return None if right else _error(401, "Missing scope: user:write:chat")
        leave = channel.id == sender or sender in self.world.moderators[channel.id]
        leave = leave or self.world.granted(channel.id, "channel:bot")
        if leave and self.world.granted(sender, "user:bot"):
            return None
        return _error(403, "The sender does not have permission to send chat messages to this channel")

    async def _announce(self, request: web.Request, token: Token) -> web.Response:
        """Announce something, as https://dev.twitch.tv/docs/api/reference/#send-chat-announcement has it.

        The program needs leave of both; what it announces is shown in no chat that is shared with this one.
        """
        channel, moderator = self.world.by_id(request.query["broadcaster_id"]), request.query["moderator_id"]
        if not self._may_announce(token, channel, moderator):
            return _error(401, f"Missing scope: {ANNOUNCE}")
        if moderator != channel.id and moderator not in self.world.moderators[channel.id]:
            return _error(403, "The user in moderator_id is not one of the broadcaster's moderators")
        body, now = await request.json(), self.world.clock()
        if not body["message"] or body.get("color", "primary") not in COLOURS:
            return _error(400, "The message is empty or the color is unknown")
        if any(
            each.channel == channel.id and now < each.at + ANNOUNCEMENT_GAP for each in self.world.announced
        ):
            self.world.violations.append(f"two announcements in {channel.login} within {ANNOUNCEMENT_GAP} s")
            return _error(429, "Too Many Requests")
        text = body["message"][:LONGEST]
        self.world.announced.append(Announced(channel.id, text, body.get("color", "primary"), now, token.app))
        await self._notify_announcement(channel, self.world.by_id(moderator), text)
        if self.world.lost_announcements:
            self.world.lost_announcements -= 1
            return _error(500, "a fault")
        return web.Response(status=204)

    def _may_announce(self, token: Token, channel: User, moderator: str) -> bool:
        if not token.app:
            return token.user_id == moderator and ANNOUNCE in token.scopes
        leave = all(self.world.granted(moderator, each) for each in (ANNOUNCE, "user:bot"))
        return leave and self.world.granted(channel.id, "channel:bot")

    async def _notify_announcement(self, channel: User, speaker: User, text: str) -> None:
        """Tell of it as https://dev.twitch.tv/docs/eventsub/eventsub-reference/#channel-chat-notification-event."""
        event = {
            **_named("broadcaster_user", channel),
            **_named("chatter_user", speaker),
            "chatter_is_anonymous": False,
            "color": "",
            "badges": [],
            "system_message": "",
            "message_id": f"announcement-{len(self.world.announced)}",
            "message": {"text": text, "fragments": [{"type": "text", "text": text}]},
            "notice_type": "announcement",
            "announcement": {"color": "PRIMARY"},
        }
        await self.eventsub.notify("channel.chat.notification", {"broadcaster_user_id": channel.id}, event)

    async def _whisper(self, request: web.Request, token: Token) -> web.Response:
        """Whisper, as https://dev.twitch.tv/docs/api/reference/#send-whisper has it."""
        if token.user_id != request.query["from_user_id"] or "user:manage:whispers" not in token.scopes:
            return _error(401, "Missing scope: user:manage:whispers")
        if self.world.mute is not None:
            return _error(self.world.mute, "The sender does not have a verified phone number")
        to = request.query["to_user_id"]
        if not self.world.may_whisper(to):
            return _error(429, "Too Many Requests")
        text, now = (await request.json())["message"], self.world.clock()
        self.world.whispers.append(Whispered(to, text[:LONGEST], now))
        return web.Response(status=204)

    async def _list(self, request: web.Request, token: Token) -> web.Response:
        own = [each for each in self.eventsub.subscriptions.values() if each.owner == token.user_id]
        first = int(request.query.get("after", "0"))
        page = own[first : first + self.page]
        cursor = {"cursor": str(first + self.page)} if first + self.page < len(own) else {}
        cost, most = self.eventsub.costs(token.user_id)
        return _answered({"data": [each.shown for each in page], "total": len(own), "total_cost": cost,
                          "max_total_cost": most, "pagination": cursor})  # fmt: skip

    async def _subscribe(self, request: web.Request, token: Token) -> web.Response:
        body = await request.json()
        status, told = self.eventsub.subscribe(
            body["type"], body["version"], body["condition"], body["transport"], token.user_id
        )
        if status != 202:
            return _error(status, told)
        new = self.eventsub.subscriptions[told]
        if self.hello and new.type == "channel.chat.message":
            channel = self.world.by_id(new.condition["broadcaster_user_id"])
            await self._echo(channel, self.world.user("early"), "hello", "hello")
        cost, most = self.eventsub.costs(token.user_id)
        return _answered({"data": [new.shown], "total": 1, "total_cost": cost, "max_total_cost": most}, 202)

    async def _unsubscribe(self, request: web.Request, token: Token) -> web.Response:
        gone = self.eventsub.subscriptions.get(request.query["id"])
        if gone is None or gone.owner != token.user_id:
            return _error(404, "The subscription was not found")
        del self.eventsub.subscriptions[gone.id]
        return web.Response(status=204)

    async def _conduits(self, request: web.Request, token: Token) -> web.Response:
        return _data([{"id": each.id, "shard_count": each.count} for each in self.eventsub.conduits.values()])

    async def _new_conduit(self, request: web.Request, token: Token) -> web.Response:
        new = Conduit(f"conduit-{len(self.eventsub.conduits) + 1}", count=int(request.query["shard_count"]))
        self.eventsub.conduits[new.id] = new
        return _data([{"id": new.id, "shard_count": new.count}])

    async def _resize(self, request: web.Request, token: Token) -> web.Response:
        """See https://dev.twitch.tv/docs/api/reference/#update-conduits: the last shards are given back."""
        conduit = self.eventsub.conduits.get(request.query["id"])
        if conduit is None:
            return _error(404, "The conduit was not found")
        count = int(request.query["shard_count"])
        if count < conduit.count and any(each in self.eventsub.sessions for each in conduit.shards.values()):
            self.world.violations.append("a conduit was shrunk while shards of it were connected")
        conduit.count = count
        conduit.shards = {key: each for key, each in conduit.shards.items() if int(key) < conduit.count}
        return _data([{"id": conduit.id, "shard_count": conduit.count}])

    async def _shards(self, request: web.Request, token: Token) -> web.Response:
        conduit = self.eventsub.conduits.get(request.query["conduit_id"])
        if conduit is None:
            return _error(404, "The conduit was not found")
        shards = [self._shard(str(each), conduit.shards.get(str(each), "")) for each in range(conduit.count)]
        return _answered({"data": shards, "pagination": {}})

    def _shard(self, shard: str, session: str) -> Json:
        status = "enabled" if session in self.eventsub.sessions else "websocket_disconnected"
        return {"id": shard, "status": status, "transport": {"method": "websocket", "session_id": session}}

    async def _assign(self, request: web.Request, token: Token) -> web.Response:
        conduit = self.eventsub.conduits.get(request.query["conduit_id"])
        if conduit is None:
            return _error(404, "The conduit was not found")
        errors = []
        for each in (await request.json())["shards"]:
            session = each["transport"]["session_id"]
            if int(each["id"]) < conduit.count and session in self.eventsub.sessions:
                conduit.shards[each["id"]] = session
            else:
                errors.append({"id": each["id"], "message": "no such shard or session", "code": "invalid"})
        return _answered({"data": [], "errors": errors}, 202)


def _stream(user: User) -> Json:
    """Describe a stream that is on."""
    said = dict.fromkeys(("game_id", "game_name", "title", "language", "thumbnail_url"), "")
    return {"id": f"stream-{user.id}", "user_id": user.id, "user_login": user.login, "user_name": user.name,
            "type": "live", "viewer_count": 1, "started_at": "2026-01-01T00:00:00Z", "is_mature": False,
            "tags": [], **said}  # fmt: skip


def _named(prefix: str, user: User) -> Json:
    return {f"{prefix}_id": user.id, f"{prefix}_login": user.login, f"{prefix}_name": user.name}


def _user(user: User) -> Json:
    return {"id": user.id, "login": user.login, "display_name": user.name, "type": "", "broadcaster_type": "",
            "description": "", "profile_image_url": "", "offline_image_url": "",
            "created_at": "2020-01-01T00:00:00Z"}  # fmt: skip


def _data(data: list[Any]) -> web.Response:
    return _answered({"data": data})


def _answered(body: Json, status: int = 200) -> web.Response:
    return web.Response(text=json.dumps(body), status=status, content_type="application/json")


def _error(status: int, message: str, headers: dict[str, str] | None = None) -> web.Response:
    body = {"error": "Error", "status": status, "message": message}
    return web.Response(
        text=json.dumps(body), status=status, content_type="application/json", headers=headers
    )
