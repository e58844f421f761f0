"""Log in with an account of Twitch, and learn in which channels it moderates.

The account is asked for one right alone, to list the channels that it moderates. Its tokens are kept, sealed,
by whoever asks for its roles again; they speak and write nowhere.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from chatbot.kernel.game import Role
from chatbot.keys.asking import Unreachable, ask, expecting
from chatbot.ledger.people import Account
from cogs.platform import RoleAnswer
from cogs.twitch.lines import account_of, community_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import aiohttp

    from cogs.twitch.authority import DeviceCode, Grant, TwitchAuthority

SCOPES = ("user:read:moderated_channels",)
PAGE = 100  # channels in one answer, the most that Twitch gives
MOST_PAGES = 20  # of channels that one account moderates


@dataclass(frozen=True, slots=True)
class LoggedIn:
    """An account that has logged in; `key` is what its roles are asked for with."""

    account: Account
    name: str
    key: bytes


class TwitchLogins:
    """Logs accounts in by one application."""

    def __init__(self, authority: TwitchAuthority, session: aiohttp.ClientSession) -> None:
        self._authority, self._session = authority, session

    @property
    def redirects(self) -> bool:
        """Whether Twitch's own page can send people back: it does so for applications with a secret."""
        return not self._authority.is_public

    async def begin(self) -> DeviceCode:
        """Ask for a code that somebody confirms at Twitch; raises as `TwitchAuthority.begin_device`."""
        return await self._authority.begin_device(SCOPES)

    async def poll(self, code: DeviceCode) -> LoggedIn | None:
        """Ask whether a code was confirmed, and by whom; None: not yet. Raises as `TwitchAuthority.poll`."""
        grant = await self._authority.poll(code)
        return None if grant is None else await self._who(grant)

    def address(self, redirect: str, state: str, challenge: str) -> str:
        """Return the address of Twitch's own page, as `TwitchAuthority.login_address` does."""
        return self._authority.login_address(SCOPES, redirect, state, challenge)

    async def redeem(self, code: str, redirect: str, verifier: str) -> LoggedIn:
        """Return who was sent back with a code; raises as `TwitchAuthority.redeem`."""
        return await self._who(await self._authority.redeem(code, redirect, verifier))

    async def roles(self, account: Account, communities: Collection[str], key: bytes | None) -> RoleAnswer:  # noqa: ARG002
        """Return the present roles of an account, in its own channel and in those that it moderates.

        Raises:
            Unreachable: Twitch cannot be asked now, or not without another login.
        """
        if key is None:
            raise Unreachable("Twitch is asked with a login of the account; log in again")
        tokens = json.loads(key)
        channels = await self._moderated(account, tokens["access"])
        if channels is None:
            grant = await self._authority.renewed(tokens["refresh"])
            if grant is None:
                raise Unreachable("Twitch wants another login of the account; log in again")
            key = _key(grant)
            channels = await self._moderated(account, grant.access)
        if channels is None:
            raise Unreachable("Twitch wants another login of the account; log in again")
        roles = {community_of(each): Role.MODERATOR for each in channels}
        return RoleAnswer(roles | {community_of(account.key): Role.BROADCASTER}, key)

    async def _who(self, grant: Grant) -> LoggedIn:
        """Ask whose tokens they are: what a browser says proves nothing."""
        owner = await self._authority.validate(grant.access)
        if owner is None or owner.client_id != self._authority.client_id or not owner.user_id:
            raise Unreachable("Twitch does not say who has logged in")
        users = await self._get("users", grant.access, {"id": owner.user_id})
        with expecting(self._authority.endpoints.api):
            name = owner.login if users is None else str(users["data"][0]["display_name"])
        return LoggedIn(account_of(owner.user_id), name or owner.login, _key(grant))

    async def _moderated(self, account: Account, access: str) -> list[str] | None:
        """List the ids of the channels that an account moderates; None: its token is no good any more.

        https://dev.twitch.tv/docs/api/reference/#get-moderated-channels
        """
        channels, query = list[str](), {"user_id": account.key, "first": str(PAGE)}
        for _ in range(MOST_PAGES):
            content = await self._get("moderation/channels", access, query)
            if content is None:
                return None
            with expecting(self._authority.endpoints.api):
                channels += [str(each["broadcaster_id"]) for each in content["data"]]
                cursor = content.get("pagination", {}).get("cursor")
            if not cursor:
                break
            query["after"] = str(cursor)
        return channels

    async def _get(self, path: str, access: str, query: Mapping[str, str]) -> Mapping[str, Any] | None:
        address = self._authority.endpoints.api
        headers = {"Authorization": f"Bearer {access}", "Client-Id": self._authority.client_id}
        answer = await ask(self._session, "GET", f"{address}/{path}?{urlencode(query)}", None, headers)
        if answer.status == 401:
            return None
        if answer.status != 200:
            raise Unreachable(f"{address} answers {answer.status}, which nobody expects")
        return answer.content


def _key(grant: Grant) -> bytes:
    return json.dumps({"access": grant.access, "refresh": grant.refresh}).encode()
