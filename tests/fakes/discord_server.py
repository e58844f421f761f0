"""A Discord on loopback, REST and gateway, to which the real client library connects.

What it refuses, it refuses with the codes of https://discord.com/developers/docs/topics/opcodes-and-status-codes:

- 10062 for an interaction that was not answered in three seconds, 40060 for a second first answer, and 50027
  for a token that does not serve for further ones
  (https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages);
- 50001 in a channel that the bot does not see, and 50013 where it sees it but may not write
  (https://discord.com/developers/docs/topics/permissions);
- 429 beyond 50 requests a second of all kinds but those of interactions, and beyond the bucket of a channel
  (https://discord.com/developers/docs/topics/rate-limits).
"""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING, Any

from aiohttp import web

from cogs.discord.endpoints import OWN, DiscordEndpoints
from tests.fakes.discord_commands import without_localizations, wrong_commands
from tests.fakes.discord_faults import Bucket, Fault, GlobalLimit, answer, limited, refusal, too_much
from tests.fakes.discord_gateway import Gateway
from tests.fakes.discord_people import People
from tests.fakes.discord_uploads import body_of
from tests.fakes.discord_world import APP, BEGIN_THREADS, EPHEMERAL, OWNER, READ_HISTORY, VIEW, World, now

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from aiohttp.typedefs import Handler

    from tests.fakes.discord_world import Interaction, Json

TOKEN = "bot-canary-MTIzNDU2.secret.token"  # noqa: S105  (planted, to be looked for)
PATIENCE = 3.0  # seconds in which an interaction must be answered
API = "/api/v10"


class DiscordServer:
    """Everything that is asked of it stands in `world.requests`."""

    def __init__(self, date: Callable[[], datetime] = now) -> None:
        self.world = World(date)
        self.gateway = Gateway(self.world, TOKEN)
        self.people = People(self.world, self.gateway)
        self.faults: list[Fault] = []
        self.closed_dms: set[int] = set()
        self.patience = PATIENCE
        self.bucket: Bucket | None = None  # of messages; None: no limit
        self.limit: GlobalLimit | None = GlobalLimit()  # of requests; None: no limit
        self.late = 0  # interactions that were answered too late, or twice
        self._runner: web.AppRunner | None = None
        self.endpoints = OWN

    async def start(self) -> str:
        """Listen; give the address without the path."""
        application = web.Application(middlewares=[self._middleware])
        application.router.add_get("/gateway", self.gateway.serve)
        for method, path, handler in self._routes():
            application.router.add_route(method, API + path, handler)
        self._runner = web.AppRunner(application, shutdown_timeout=0.2)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.gateway.address = f"ws://{host}:{port}/gateway"
        self.endpoints = DiscordEndpoints(f"http://{host}:{port}{API}", self.gateway.address)
        return f"http://{host}:{port}"

    async def stop(self) -> None:
        for socket in list(self.gateway.sockets):
            await socket.close(code=1001)
        if self._runner is not None:
            await self._runner.cleanup()

    def fail(self, pattern: str, kind: str, times: int = 1, seconds: float = 0.05) -> Fault:
        """Let some of the next requests fail."""
        fault = Fault(pattern, kind, times, seconds)
        self.faults.append(fault)
        return fault

    def asked(self, pattern: str) -> list[Any]:
        """List the bodies of the requests whose `METHOD /path` matches."""
        found = self.world.requests
        return [body for method, path, body in found if re.search(pattern, f"{method} {path}")]

    def _routes(self) -> list[tuple[str, str, Callable[[web.Request], Awaitable[web.StreamResponse]]]]:
        return [
            ("GET", "/users/@me", self._me),
            ("GET", "/oauth2/applications/@me", self._application),
            ("GET", "/gateway/bot", self._gateway),
            ("GET", "/applications/{app}/commands", self._commands),
            ("PUT", "/applications/{app}/commands", self._put_commands),
            ("POST", "/users/@me/channels", self._open_dm),
            ("GET", "/channels/{channel}", self._channel),
            ("PATCH", "/channels/{channel}", self._edit_channel),
            ("POST", "/channels/{channel}/messages/{message}/threads", self._begin_thread),
            ("GET", "/channels/{channel}/messages", self._history),
            ("POST", "/channels/{channel}/messages", self._post),
            ("PATCH", "/channels/{channel}/messages/{message}", self._edit),
            ("POST", "/interactions/{interaction}/{token}/callback", self._callback),
            ("POST", "/webhooks/{app}/{token}", self._follow_up),
            ("PATCH", "/webhooks/{app}/{token}/messages/{message}", self._edit_answer),
            ("DELETE", "/webhooks/{app}/{token}/messages/{message}", self._delete_answer),
        ]

    @web.middleware
    async def _middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        path = request.path.removeprefix(API)
        if path == "/gateway":
            return await handler(request)
        self.world.requests.append((request.method, path, await body_of(request)))
        fault = next((each for each in self.faults if each.matches(f"{request.method} {path}")), None)
        try:
            refused = await fault.answer(request) if fault else None
            if refused is None and not path.startswith(("/interactions", "/webhooks")):
                refused = self._unauthorised(request) or self._unknown(request)
                refused = refused or (self.limit.spend() if self.limit else None)
            done = await handler(request) if refused is None else refused
            if fault is not None and fault.kind == "mute":  # it was heard, and nobody learns of it
                return await fault.cut(request)
            return done
        finally:
            await self.world.wake()

    def _unauthorised(self, request: web.Request) -> web.Response | None:
        allowed = request.headers.get("Authorization") == f"Bot {TOKEN}"
        return None if allowed else refusal(401, 0, "401: Unauthorized")

    def _unknown(self, request: web.Request) -> web.Response | None:
        """Refuse whatever is asked of a channel that there is not, such as one that was deleted."""
        channel = request.match_info.get("channel")
        gone = channel is not None and int(channel) not in self.world.channels
        return refusal(404, 10003, "Unknown Channel") if gone else None

    async def _body(self, request: web.Request) -> Json:
        body: Json = await body_of(request)
        return body

    async def _me(self, request: web.Request) -> web.Response:
        return answer(self.world.bot.payload)

    async def _application(self, request: web.Request) -> web.Response:
        body = {
            "id": str(APP),
            "name": "Rabble",
            "description": "",
            "icon": None,
            "bot_public": True,
            "bot_require_code_grant": False,
            "owner": self.world.users[OWNER].payload,
            "verify_key": "0" * 64,
            "flags": 0,
        }
        return answer(body)

    async def _gateway(self, request: web.Request) -> web.Response:
        limits = self.gateway.limits()
        body = {"url": self.gateway.address, "shards": self.gateway.shards, "session_start_limit": limits}
        return answer(body)

    async def _commands(self, request: web.Request) -> web.Response:
        if request.query.get("with_localizations") == "true":
            return answer(self.world.commands)
        return answer([without_localizations(each) for each in self.world.commands])

    async def _put_commands(self, request: web.Request) -> web.Response:
        given: list[Json] = json.loads(await request.read())
        if len(given) > 100:
            return refusal(400, 30032, "Maximum number of application commands reached (100)")
        if wrong := wrong_commands(given):
            return refusal(400, 50035, f"Invalid Form Body: {wrong}")
        filled = {"application_id": str(APP), "version": "1"}
        self.world.commands = [
            {"id": str(self.world.next_id()), **filled, **each, "default_member_permissions": _as_text(each)}
            for each in given
        ]
        return answer(self.world.commands)

    async def _open_dm(self, request: web.Request) -> web.Response:
        body = await self._body(request)
        return answer(self.world.channels[self.world.dm(int(body["recipient_id"]))])

    async def _channel(self, request: web.Request) -> web.Response:
        return answer(self.world.channels[int(request.match_info["channel"])])

    async def _begin_thread(self, request: web.Request) -> web.Response:
        """Begin a thread from a message, and tell the bot of it.

        See https://discord.com/developers/docs/resources/channel#start-thread-from-message: it takes
        CREATE_PUBLIC_THREADS, its id is that of the message, and it fires THREAD_CREATE.
        """
        channel, message = (int(request.match_info[each]) for each in ("channel", "message"))
        body = await self._body(request)
        if message not in self.world.messages:
            return refusal(404, 10008, "Unknown Message")
        if not self.world.allowed(channel) & BEGIN_THREADS:
            return refusal(403, 50013, "Missing Permissions")
        if message in self.world.channels:
            return refusal(400, 160004, "A thread has already been created for this message")
        if not 1 <= len(body["name"]) <= 100 or body["auto_archive_duration"] not in {60, 1440, 4320, 10080}:
            return refusal(400, 50035, "Invalid Form Body")
        made = self.world.channels[self.world.add_thread(channel, body["name"], message, APP)]
        await self.gateway.dispatch("THREAD_CREATE", {**made, "newly_created": True})
        return answer(made, status=201)

    async def _edit_channel(self, request: web.Request) -> web.Response:
        """Archive a thread, as its creator may.

        See https://discord.com/developers/docs/topics/threads#editing-deleting-threads.
        """
        thread, body = self.world.channels.get(int(request.match_info["channel"])), await self._body(request)
        if thread is None:
            return refusal(404, 10003, "Unknown Channel")
        if thread.get("owner_id") != str(APP) or body.keys() != {"archived"}:
            return refusal(403, 50013, "Missing Permissions")
        thread["thread_metadata"]["archived"] = body["archived"]
        await self.gateway.dispatch("THREAD_UPDATE", thread)
        return answer(thread)

    async def _history(self, request: web.Request) -> web.Response:
        channel, limit = request.match_info["channel"], int(request.query.get("limit", 50))
        if not self.world.allowed(int(channel)) & READ_HISTORY:
            return answer([])
        found = [
            each
            for number, each in self.world.messages.items()
            if each["channel_id"] == channel and number not in self.world.readers
        ]
        return answer(found[::-1][:limit])

    async def _post(self, request: web.Request) -> web.Response:
        channel, body = int(request.match_info["channel"]), await self._body(request)
        headers, wait = self.bucket.spend(request.match_info["channel"]) if self.bucket else ({}, None)
        if wait is not None:
            return limited(wait, headers)
        if channel not in self.world.channels:
            return refusal(404, 10003, "Unknown Channel")
        if (barred := self._barred(channel)) is not None:
            return barred
        nonce = (channel, str(body.get("nonce")))
        if body.get("enforce_nonce") and nonce in self.world.nonces:
            return answer(self.world.messages[self.world.nonces[nonce]])
        limit = too_much(body)
        if limit or not (body.get("content") or body.get("embeds")):
            return refusal(400, 50035, f"Invalid Form Body: {limit}")
        written = self.world.write(channel, self.world.bot, body)
        self.world.nonces[nonce] = int(written["id"])
        return answer(written, headers=headers)

    def _barred(self, channel: int) -> web.Response | None:
        """Refuse a message where the bot may not write; None: it may."""
        person = (self.world.channels[channel].get("recipients") or [{}])[0].get("id")
        if person and (int(person) in self.closed_dms or self.world.users[int(person)].gone):
            return refusal(403, 50007, "Cannot send messages to this user")
        if self.world.may_write(channel):
            return None
        if self.world.allowed(channel) & VIEW:
            return refusal(403, 50013, "Missing Permissions")
        return refusal(403, 50001, "Missing Access")

    async def _edit(self, request: web.Request) -> web.Response:
        message, body = int(request.match_info["message"]), await self._body(request)
        if message not in self.world.messages:
            return refusal(404, 10008, "Unknown Message")
        limit = too_much(body, self.world.messages[message])
        return (
            refusal(400, 50035, f"Invalid Form Body: {limit}")
            if limit
            else answer(self.world.edit(message, body))
        )

    # Interactions

    async def _callback(self, request: web.Request) -> web.Response:
        found = self.world.interactions.get(int(request.match_info["interaction"]))
        now = asyncio.get_running_loop().time()
        if found is None or found.token != request.match_info["token"] or now > found.born + self.patience:
            self.late += 1
            return refusal(404, 10062, "Unknown interaction")
        if found.response is not None:
            self.late += 1
            return refusal(400, 40060, "Interaction has already been acknowledged.")
        body = await self._body(request)
        data: Json = body.get("data") or {}
        pressed = self.world.messages.get(found.message or 0) if body["type"] == 7 else None
        limit = too_much(data, pressed)
        if limit:
            return refusal(400, 50035, f"Invalid Form Body: {limit}")
        found.response = body["type"]
        return answer(self._answered(found, data))

    def _answered(self, found: Interaction, data: Json) -> Json:
        told = {"id": str(found.id), "type": found.kind}
        match found.response:
            case 8:
                found.choices = [each["value"] for each in data["choices"]]
                return {"interaction": told}
            case 9:
                found.form = data
                return {"interaction": told}
            case 5:
                found.private = bool(data.get("flags", 0) & EPHEMERAL)
                return {"interaction": told}
            case 6 | 7:
                found.original = found.message
                if found.response == 7 and found.message is not None:
                    self.world.edit(found.message, data)
                return {"interaction": told}
        found.private = bool(data.get("flags", 0) & EPHEMERAL)
        written = self._write(found, data, private=found.private)
        found.original = int(written["id"])
        told["response_message_id"] = written["id"]
        return {"interaction": told, "resource": {"type": 4, "message": written}}

    def _write(self, found: Interaction, body: Json, *, private: bool) -> Json:
        return self.world.write(found.channel, self.world.bot, body, found.user.id if private else None)

    def _by_token(self, request: web.Request) -> Interaction | None:
        token = request.match_info["token"]
        return next(
            (
                each
                for each in self.world.interactions.values()
                if each.token == token and each.response and not each.expired
            ),
            None,
        )

    async def _follow_up(self, request: web.Request) -> web.Response:
        found, body = self._by_token(request), await self._body(request)
        if found is None:
            return refusal(401, 50027, "Invalid Webhook Token")
        limit = too_much(body)
        if limit:
            return refusal(400, 50035, f"Invalid Form Body: {limit}")
        if found.response == 5 and found.original is None:  # the first one takes the place of the waiting
            written = self._write(found, body, private=found.private)
            found.original = int(written["id"])
            return answer(written)
        return answer(self._write(found, body, private=bool(body.get("flags", 0) & EPHEMERAL)))

    async def _edit_answer(self, request: web.Request) -> web.Response:
        found, body = self._by_token(request), await self._body(request)
        if found is None:
            return refusal(401, 50027, "Invalid Webhook Token")
        limit = too_much(body)
        if limit:
            return refusal(400, 50035, f"Invalid Form Body: {limit}")
        if found.original is None:
            written = self._write(found, body, private=found.private)
            found.original = int(written["id"])
            return answer(written)
        return answer(self.world.edit(found.original, body))

    async def _delete_answer(self, request: web.Request) -> web.Response:
        found = self._by_token(request)
        if found is None:
            return refusal(404, 10015, "Unknown Webhook")
        if found.original is not None:
            self.world.messages.pop(found.original, None)
            self.world.readers.pop(found.original, None)
        return web.Response(status=204)


def _as_text(command: Json) -> str | None:
    """Give a command's permissions back as Discord does: as text, whatever they came as."""
    wanted = command.get("default_member_permissions")
    return None if wanted is None else str(wanted)
