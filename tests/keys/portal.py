"""The two pages of Discord that tell whose token it is, on loopback."""

from __future__ import annotations

from dataclasses import dataclass

from aiohttp import web

TOKEN = "canary-discord-token"  # noqa: S105


@dataclass(eq=False)
class Portal:
    flags: int = 1 << 19
    status: int = 200  # of every answer; another one instead of the right one

    @property
    def routes(self) -> list[web.RouteDef]:
        return [web.get("/users/@me", self._user), web.get("/oauth2/applications/@me", self._application)]

    async def _user(self, request: web.Request) -> web.Response:
        return self._answer(request, {"id": "77", "username": "Rabble", "bot": True})

    async def _application(self, request: web.Request) -> web.Response:
        return self._answer(request, {"id": "4242", "name": "Rabble", "flags": self.flags})

    def _answer(self, request: web.Request, content: dict[str, object]) -> web.Response:
        sent = request.headers.get("Authorization")
        if self.status != 200:
            return web.json_response({"message": f"trouble with {sent}"}, status=self.status)
        if sent != f"Bot {TOKEN}":
            return web.json_response({"message": "401: Unauthorized", "code": 0}, status=401)
        return web.json_response(content)
