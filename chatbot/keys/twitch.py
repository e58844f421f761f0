"""Asks Twitch's id server for keys: by a code typed into a browser, by renewal, and for the program itself.

Secrets travel in bodies and headers, never in an address.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from chatbot.keys import grants
from chatbot.keys.asking import Answer, ask, expecting

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable, Mapping

    import aiohttp

    from chatbot.keys.discretion import Discretion
    from chatbot.keys.grants import DeviceCode, Grant, Validity
    from chatbot.keys.ring import Key, KeyRing, Purpose

T = TypeVar("T")

ID_BASE = "https://id.twitch.tv/"

# https://dev.twitch.tv/docs/authentication/scopes/
BOT_SCOPES = (
    "moderator:read:chatters",
    "user:bot",
    "user:manage:whispers",
    "user:read:chat",
    "user:write:chat",
)
"""The bot in a chat, reading and writing there; whispers, for a secret that is only read is not answered;
who is in a chat where it is a moderator, for they earn by watching."""

BROADCASTER_SCOPES = ("bits:read", "channel:bot", "channel:read:subscriptions", "moderator:read:followers")
"""The bot in the channel's chat; what tells of cheers, subscriptions and followers."""

SCOPES: Mapping[Purpose, tuple[str, ...]] = {"bot": BOT_SCOPES, "broadcaster": BROADCASTER_SCOPES}

_DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
_SLACK_SECONDS = 60.0  # a token that ends sooner is as good as none
_ITSELF = ""  # the account of the program's own token


def scopes_for(purposes: Iterable[Purpose]) -> tuple[str, ...]:
    """Unite what the purposes of one account need."""
    return tuple(sorted({scope for purpose in purposes for scope in SCOPES[purpose]}))


class TwitchAuthority:
    """Twitch, as one application meets it. What it grants for accounts is kept in the ring."""

    def __init__(
        self,
        client_id: str,
        client_secret: str,
        session: aiohttp.ClientSession,
        ring: KeyRing,
        discretion: Discretion,
        id_base: str = ID_BASE,
    ) -> None:
        self.client_id = client_id
        self._secret = client_secret
        self._session = session
        self._ring = ring
        self._discretion = discretion
        self._base = id_base
        self._app: Grant | None = None
        self._flights: dict[str, asyncio.Task[Any]] = {}
        discretion.add(client_secret, lasting=True)

    async def begin_device(self, scopes: Iterable[str]) -> DeviceCode:
        """Ask for a code that somebody confirms in a browser.

        Raises:
            ClientRefused, Unreachable: there is none.
        """
        wanted = tuple(scopes)
        answer = await self._post("device", client_id=self.client_id, scopes=" ".join(wanted))
        if answer.status != 200:
            raise grants.refusal(answer)
        with expecting(self._base):
            device = grants.device_code(answer.content, wanted)
        self._discretion.add(device.device_code)
        return device

    async def poll(self, device: DeviceCode) -> Grant | None:
        """Ask whether the code was confirmed; None is not yet.

        Raises:
            CodeRefused: it was refused, or has run out.
            SlowDown: this was too soon.
            ClientRefused, Unreachable: nobody can say.
        """
        answer = await self._post(
            "token",
            client_id=self.client_id,
            scopes=" ".join(device.scopes),
            device_code=device.device_code,
            grant_type=_DEVICE_GRANT,
        )
        if answer.status == 200:
            return self._granted(answer)
        refused = grants.refusal_of_code(answer)
        if refused is not None:
            raise refused
        return None

    async def refresh(self, key: Key) -> Key:
        """Give the account's present key instead of one that has expired.

        However often it is asked at once, Twitch is asked once, and the new key is on the disk
        before anybody has it. Who comes later with the old key gets the new one too.

        Raises:
            KeyRefused: the account must be connected again.
            ClientRefused, Failure: what else the operator must mend.
            Unreachable: it may work later.
        """
        return await self._once(key.user_id, self._renew(key))

    async def app_token(self, stale: str = "") -> Grant:
        """Give the program's own token; a stale or expired one is replaced, once for all who ask at once.

        Raises:
            ClientRefused, Unreachable: there is none.
        """
        app = self._app
        if app and app.access != stale and app.expires_at > time.time() + _SLACK_SECONDS:
            return app
        return await self._once(_ITSELF, self._app_anew())

    async def validate(self, access: str) -> Validity | None:
        """Ask whose token it is; None is that it is nobody's any more.

        Raises:
            Unreachable: nobody can say.
        """
        answer = await self._ask("GET", "validate", headers={"Authorization": f"OAuth {access}"})
        if answer.status == 401:
            return None
        if answer.status != 200:
            raise grants.refusal(answer)
        with expecting(self._base):
            return grants.validity(answer.content)

    async def revoke(self, access: str) -> None:
        """Give a token back; one that is no longer valid is no trouble.

        Raises:
            Unreachable: nobody took it.
        """
        await self._post("revoke", client_id=self.client_id, token=access)

    async def _once(self, account: str, work: Coroutine[Any, Any, T]) -> T:
        """Let all who ask for the same wait for one answer; who goes away does not stop it."""
        flight = self._flights.get(account)
        if flight is None:
            flight = self._flights[account] = asyncio.create_task(work)
            flight.add_done_callback(lambda done: self._land(account, done))
        else:
            work.close()
        result: T = await asyncio.shield(flight)
        return result

    def _land(self, account: str, flight: asyncio.Task[Any]) -> None:
        del self._flights[account]
        if not flight.cancelled():
            flight.exception()  # whoever asked may be gone, and nobody else would look at it

    async def _renew(self, key: Key) -> Key:
        kept = await asyncio.to_thread(self._ring.get, key.user_id)
        if kept is not None and kept.access != key.access:
            return kept
        answer = await self._post(
            "token", **self._credentials(), grant_type="refresh_token", refresh_token=key.refresh
        )
        if answer.status != 200:
            raise grants.refusal_of_key(answer, key)
        new = self._granted(answer)
        renewed = replace(
            key,
            access=new.access,
            refresh=new.refresh or key.refresh,
            scopes=new.scopes or key.scopes,
            expires_at=new.expires_at,
        )
        return await asyncio.to_thread(self._ring.renew, key, renewed)

    async def _app_anew(self) -> Grant:
        answer = await self._post("token", **self._credentials(), grant_type="client_credentials")
        if answer.status != 200:
            raise grants.refusal(answer)
        self._app = self._granted(answer)
        return self._app

    def _credentials(self) -> Mapping[str, str]:
        return {"client_id": self.client_id, "client_secret": self._secret}

    def _granted(self, answer: Answer) -> Grant:
        with expecting(self._base):
            new = grants.grant(answer.content)
        self._discretion.add(new.access)
        self._discretion.add(new.refresh)
        return new

    async def _post(self, path: str, **body: str) -> Answer:
        return await self._ask("POST", path, body)

    async def _ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        return await ask(self._session, method, f"{self._base}oauth2/{path}", body, headers)
