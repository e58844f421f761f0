"""List, make and revoke the tokens of programs: by broadcasters at the desk, and by no program."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  (pydantic reads it)
from typing import TYPE_CHECKING

from pydantic import Field
from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.say import Message
from chatbot.web.api.endpoints import Call, Endpoint, EndpointBody
from chatbot.web.tokens import OWN, SCOPES

if TYPE_CHECKING:
    from chatbot.web.tokens import Tokens


class ProgramRow(TypedDict):
    """A token, which nobody is told again."""

    id: str
    label: str
    scopes: list[str]
    maker: str
    created_at: datetime
    used_at: datetime | None


class MadeToken(TypedDict):
    """A new token: it is told once."""

    token: str


class Revoked(TypedDict):
    """Nothing is left of a token."""

    revoked: bool


class WantedToken(EndpointBody):
    """What a token is for."""

    label: str = Field(max_length=100, description="What you call it.")
    scopes: list[str] = Field(max_length=20, description=f"What it may: {', '.join(SCOPES)}.")


class ProgramEndpoints:
    """Manages the tokens of a room."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        return [
            Endpoint(
                "GET",
                "/tokens",
                "List the tokens of programs.",
                self._list,
                list[ProgramRow],
                scope=OWN,
                least=Role.BROADCASTER,
                by_page=True,
            ),
            Endpoint(
                "POST",
                "/tokens",
                "Make a token, which is told once.",
                self._make,
                MadeToken,
                scope=OWN,
                body=WantedToken,
                least=Role.BROADCASTER,
                by_page=True,
            ),
            Endpoint(
                "DELETE",
                "/tokens/{id}",
                "Revoke a token.",
                self._revoke,
                Revoked,
                scope=OWN,
                least=Role.BROADCASTER,
                by_page=True,
            ),
        ]

    async def _list(self, call: Call) -> list[ProgramRow]:
        return [
            {
                "id": each.id,
                "label": each.label,
                "scopes": list(each.scopes),
                "maker": each.maker,
                "created_at": each.created_at,
                "used_at": each.used_at,
            }
            for each in await self._tokens.all(call.room.id)
        ]

    async def _make(self, call: Call) -> MadeToken:
        wanted: WantedToken = call.body
        return {"token": await self._tokens.make(call.principal, call.room.id, wanted.label, wanted.scopes)}

    async def _revoke(self, call: Call) -> Revoked:
        if not await self._tokens.revoke(call.room.id, call.path["id"]):
            raise Refusal(Message("token-unknown"))
        return {"revoked": True}
