"""The library's way to Twitch's API with keys of our own: renewed once for all who wait, and told to nobody.

The library itself renews once per request, keeps its keys readable by anybody, and writes addresses and
tokens into its errors. Here it is given none of them; an error tells what was asked and the status.
"""

from __future__ import annotations

from contextvars import ContextVar
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

import aiohttp
import structlog
from twitchio.authentication.tokens import ManagedHTTPClient
from twitchio.exceptions import HTTPException

from chatbot.kernel.game import Failure
from chatbot.keys.asking import Unreachable
from chatbot.keys.ring import KeyFileFailure
from cogs.twitch.authority import KeyOfAnother
from cogs.twitch.points import Points

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import SimpleNamespace

    from twitchio.client import Client
    from twitchio.http import Route
    from twitchio.types_.responses import RawResponse

    from chatbot.keys.ring import Key
    from cogs.twitch.authority import TwitchAuthority

EXPIRED = ("invalid access token", "invalid oauth token")  # a missing scope is a 401 too
UNREACHABLE = 503  # the status of what has got no answer
LONGEST_WAIT = 60.0  # seconds until a bucket is full again, whatever Twitch says
_PAID_BY: ContextVar[str] = ContextVar("_PAID_BY")  # the account whose key a request is made with
_TIMEOUT = aiohttp.ClientTimeout(total=10)

log = structlog.get_logger(__name__)


class Trouble(HTTPException):
    """Twitch did not do what it was asked; `wait` is how many seconds it wants to be left alone."""

    def __init__(self, route: Route, status: int, reason: str = "", wait: float = 0.0) -> None:
        text = f"Twitch answered {status} to {route.method} {route.path}"
        super().__init__(text, status=status, extra=reason)
        self.reason, self.wait = reason, wait


class Api(ManagedHTTPClient):
    """`refused` is told of every account whose key is no longer any good, and of a refused program (None).

    What the program would ask with a token of its own, a public application asks with that of the `bot`.
    """

    def __init__(
        self,
        authority: TwitchAuthority,
        client: Client,
        on_refusal: Callable[[str | None, Failure], None],
        bot: str = "",
    ) -> None:
        self._authority, self._on_refusal = authority, on_refusal
        self._own = bot if authority.is_public else ""  # the account of the program's own requests
        self._keys: dict[str, Key] = {}
        self._wait, self._shut, self._last_trouble = 0.0, False, ""
        self.points = Points()
        session = aiohttp.ClientSession(timeout=_TIMEOUT, trace_configs=[self._trace()])
        super().__init__(client_id=authority.client_id, client=client, session=session)
        self._should_close = True

    def adopt(self, key: Key) -> None:
        """Use this key for its account from now on."""
        self._keys[key.user_id] = key

    @property
    def accounts(self) -> tuple[str, ...]:
        """The ids of the accounts whose keys are in use."""
        return tuple(self._keys)

    def rights(self, account: str) -> frozenset[str]:
        """The rights of an account's key that is in use; none where there is no such key."""
        key = self._keys.get(account)
        return frozenset() if key is None else frozenset(key.scopes)

    async def validate(self, account: str) -> bool:
        """Whether an account's key is good, renewed if need be; Twitch wants to be asked every hour.

        Raises:
            Unreachable: nobody can say, or a renewed key cannot be written.
        """
        key = self._keys.get(account)
        if key is None:
            return False
        try:
            valid = await self._authority.validate(key.access)
            if account not in self._keys:  # another request has found out that it is refused
                return False
            if valid is None:
                await self._renew(account, key.access)
            elif valid.client_id != self._authority.client_id:
                raise KeyOfAnother(key)
        except KeyFileFailure as failure:
            self._tell(failure)
            raise Unreachable(str(failure)) from None
        except Failure as failure:
            self._keys.pop(account, None)
            self._on_refusal(account, failure)
        return account in self._keys

    async def request(self, route: Route) -> RawResponse | str | None:
        """Ask with the account's key or the program's own; one that has run out is renewed, once.

        What subscribes waits until there are points for it; everything else only where other processes use
        the key as well.
        """
        account = self._payer(route)
        if (route.method, route.path) != ("POST", "eventsub/subscriptions"):
            await self.points.pace(account)
            return await self._request(route)
        await self.points.take(account, chat=route.json["type"] == "channel.chat.message")
        try:
            return await self._request(route)
        finally:
            self.points.note_answer(account)

    async def _request(self, route: Route) -> RawResponse | str | None:
        if self._shut:
            raise Trouble(route, UNREACHABLE, "the adapter is closed")
        try:
            token = await self._token(route)
            try:
                return await self._ask(route, token)
            except Trouble as trouble:
                if trouble.status != 401 or trouble.reason.lower() not in EXPIRED:
                    raise
            return await self._ask(route, await self._fresh_token(route, token))
        except KeyFileFailure as failure:  # the key is as good as before, once that is mended
            self._tell(failure)
            raise Trouble(route, UNREACHABLE, "the file of keys") from None
        except Failure as failure:
            self._keys.pop(self._payer(route), None)
            self._on_refusal(self._payer(route) or None, failure)
            raise Trouble(route, 401, "refused") from None
        except Unreachable:
            raise Trouble(route, UNREACHABLE) from None

    async def close(self) -> None:
        """Ask nothing any more: the library would open another session for who comes late."""
        self._shut = True
        await super().close()

    async def _token(self, route: Route) -> str:
        account = self._payer(route)
        if not account:
            return (await self._authority.app_token()).access
        if account not in self._keys:
            raise Trouble(route, 401, "no key")
        return self._keys[account].access

    async def _fresh_token(self, route: Route, stale: str) -> str:
        if account := self._payer(route):
            await self._token(route)  # there is none where another request has found out that it is refused
            return await self._renew(account, stale)
        return (await self._authority.app_token(stale)).access

    async def _renew(self, account: str, stale: str) -> str:
        key = self._keys[account]
        if key.access == stale:
            self._keys[account] = key = await self._authority.refresh(key)
            self._last_trouble = ""
        return key.access

    def _payer(self, route: Route) -> str:
        """Return the account whose key a request is made with; empty is the program's own."""
        return self._own if route.token_for == str(None) else route.token_for  # the library writes the word

    def _tell(self, failure: KeyFileFailure) -> None:
        """Tell the operator what is to be mended, once until a key is renewed again."""
        if self._last_trouble != str(failure):
            log.error(str(failure))
        self._last_trouble = str(failure)

    async def _ask(self, route: Route, token: str) -> RawResponse | str | None:
        route.update_headers({"Authorization": f"Bearer {token}"})
        _PAID_BY.set(self._payer(route))
        try:
            # What lies between would renew keys in its own way.
            return await super(ManagedHTTPClient, self).request(route)
        except HTTPException as error:
            reason = error.extra.get("message", "")
            wait = self._wait if error.status == 429 else 0.0
            raise Trouble(route, error.status, str(reason), wait) from None
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
            raise Trouble(route, UNREACHABLE) from None

    def _trace(self) -> aiohttp.TraceConfig:
        """The library hides the headers of an answer, which tell of the budget and how long to wait."""
        trace = aiohttp.TraceConfig()

        async def on_request_end(
            _: aiohttp.ClientSession, __: SimpleNamespace, params: aiohttp.TraceRequestEndParams
        ) -> None:
            self.points.note(_PAID_BY.get(), params.response.headers)
            if params.response.status == 429:
                self._wait = _seconds(params.response)

        trace.on_request_end.append(on_request_end)
        return trace


def _seconds(answer: aiohttp.ClientResponse) -> float:
    """Count from the server's own clock: ours may be wrong."""
    try:
        sent_at = parsedate_to_datetime(answer.headers["Date"]).timestamp()
        wait = float(answer.headers["Ratelimit-Reset"]) - sent_at
    except (KeyError, ValueError):
        return 0.0
    return min(max(wait, 1.0), LONGEST_WAIT)
