"""Find out who calls: a browser by its session, or a program by its token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from chatbot.web.listener import Evidence, listener_of, require_own_origin
from chatbot.web.login import principal_of, require_change
from chatbot.web.principals import TOKEN

if TYPE_CHECKING:
    from chatbot.web.login import Sessions
    from chatbot.web.principals import Principal
    from chatbot.web.tokens import Tokens

BEARER = "Bearer "


class Callers:
    """Tells who calls, and whether they may change something."""

    def __init__(self, sessions: Sessions, tokens: Tokens) -> None:
        self._sessions, self._tokens = sessions, tokens

    async def of(self, request: web.Request) -> Principal:
        """Return who calls.

        Raises:
            HTTPUnauthorized: nobody is logged in, and there is no token that counts.
        """
        evidence = listener_of(request).evidence
        if evidence is not None and evidence.token:
            return _known(await self._tokens.of(evidence.token))
        authorization = request.headers.get("Authorization", "")
        if authorization.startswith(BEARER):
            return _known(await self._tokens.find(authorization.removeprefix(BEARER)))
        session = await self._sessions.find(request)
        if session is None:
            raise web.HTTPUnauthorized(text="Nobody is logged in.\n")
        return principal_of(session)

    async def changing(self, request: web.Request) -> Principal:
        """Return who asks for a change, which a page of another server cannot do.

        Raises:
            HTTPUnauthorized, HTTPForbidden: nobody is known, or it is not their own page that asks.
        """
        principal = await self.of(request)
        if principal.csrf:  # a browser sends its cookie with whatever asks; a token is sent on purpose
            require_own_origin(request)
            require_change(request, principal.csrf)
        return principal


def evidence_of(principal: Principal) -> Evidence:
    """Return by what another process finds out that it is this principal who calls."""
    return Evidence(token=principal.id) if principal.kind == TOKEN else Evidence(session=principal.id)


def _known(principal: Principal | None) -> Principal:
    """Return the principal of a token.

    Raises:
        HTTPUnauthorized: there is no such token.
    """
    if principal is None:
        raise web.HTTPUnauthorized(text="There is no such token.\n")
    return principal
