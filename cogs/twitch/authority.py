"""What Twitch's id server grants and refuses, read from its answers."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar
from urllib.parse import urlencode

from chatbot.kernel.game import Failure
from chatbot.keys.asking import Declined, HttpAnswer, ask, expecting
from chatbot.keys.ring import Key
from cogs.twitch.endpoints import OWN, TwitchEndpoints

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable, Mapping

    import aiohttp

    from chatbot.keys.discretion import Discretion
    from chatbot.keys.ring import KeyRing, Purpose

AuthorityAnswer: TypeAlias = (
    "Mapping[str, Any]"  # an answer of the id server; a field of another type is a wrong answer
)


class ClientRefused(Failure):
    """Twitch does not know the client id, or the secret is another one's."""

    def __init__(self, *, public: bool = False) -> None:
        super().__init__(
            "Twitch refuses CHATBOT_TWITCH_CLIENT_ID; copy it again from https://dev.twitch.tv/console/apps."
            if public
            else "Twitch refuses CHATBOT_TWITCH_CLIENT_ID or CHATBOT_TWITCH_CLIENT_SECRET; "
            "copy both again from https://dev.twitch.tv/console/apps."
        )


class SecretNeeded(Failure):
    """The application is not a public one, so that Twitch renews no key without its secret."""

    def __init__(self) -> None:
        super().__init__(
            "Twitch wants the secret of this application: set CHATBOT_TWITCH_CLIENT_SECRET, or make an "
            "application of the client type Public at https://dev.twitch.tv/console/apps and connect again."
        )


class KeyRefused(Failure):
    """An account's key cannot be renewed any more: its password was changed, or the bot disconnected."""

    def __init__(self, key: Key) -> None:
        super().__init__(f"Twitch no longer accepts the key of {key.login}; {again(key)}.")


class KeyOfAnother(Failure):
    """An account's key was granted to another application: the client id has been changed since."""

    def __init__(self, key: Key) -> None:
        super().__init__(
            f"The key of {key.login} was granted to another application than CHATBOT_TWITCH_CLIENT_ID; "
            f"{again(key)}."
        )


class CodeRefused(Failure):
    """A code was not confirmed."""


class SlowDown(Exception):  # noqa: N818  (Twitch's own name for it)
    """Whoever polls has to wait 5 seconds longer from now on (RFC 8628, 3.5)."""


@dataclass(frozen=True, slots=True)
class DeviceCode:
    """A code that somebody confirms in a browser."""

    user_code: str
    device_code: str = field(repr=False)
    address: str
    seconds: float  # until it runs out
    interval: float  # seconds between polls
    scopes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grant:
    """Tokens whose owner is not known yet; the program's own has nothing to be renewed with."""

    access: str = field(repr=False)
    refresh: str = field(repr=False)
    scopes: tuple[str, ...]
    expires_at: float  # unix seconds

    def key(self, owner: Validity, purposes: Iterable[Purpose]) -> Key:
        """Make the key of the account that it belongs to."""
        return Key(
            owner.user_id,
            owner.login,
            self.access,
            self.refresh,
            owner.scopes,
            self.expires_at,
            frozenset(purposes),
        )


@dataclass(frozen=True, slots=True)
class Validity:
    """Whose token it is, as Twitch says; the program's own has no user."""

    client_id: str
    user_id: str
    login: str
    scopes: tuple[str, ...]
    seconds: float  # that are left


def again(key: Key) -> str:
    """Say how an account gets another key."""
    roles = " ".join(f"--{each}" for each in sorted(key.purposes))
    return f"run `chatbot connect twitch {roles}` again; a bot that runs takes it up by itself"


def device_code(content: AuthorityAnswer, scopes: tuple[str, ...]) -> DeviceCode:
    """Read a code that was asked for with these scopes.

    Raises:
        LookupError, TypeError, ValueError: it is not what Twitch documents; so do the next two.
    """
    return DeviceCode(
        user_code=str(content["user_code"]),
        device_code=str(content["device_code"]),
        address=str(content["verification_uri"]),
        seconds=float(content["expires_in"]),
        interval=float(content["interval"]),
        scopes=scopes,
    )


def grant(content: AuthorityAnswer) -> Grant:
    """Read tokens; they say in how many seconds they expire, counted from now."""
    return Grant(
        access=str(content["access_token"]),
        refresh=str(content.get("refresh_token") or ""),
        scopes=_scopes(content.get("scope")),
        expires_at=time.time() + float(content["expires_in"]),
    )


def validity(content: AuthorityAnswer) -> Validity:
    """Read whose token it is."""
    return Validity(
        client_id=str(content["client_id"]),
        user_id=str(content.get("user_id") or ""),
        login=str(content.get("login") or ""),
        scopes=_scopes(content.get("scopes")),
        seconds=float(content["expires_in"]),
    )


def refusal(answer: HttpAnswer, *, public: bool = False) -> Exception:
    """Say what is wrong with the application; anything else may pass."""
    if answer.status in {400, 401, 403} and public and "client secret" in answer.message:
        return SecretNeeded()
    if answer.status in {400, 401, 403} and "client" in answer.message:
        return ClientRefused(public=public)
    return Declined(f"Twitch answers {answer.status}, which nobody expects")


def refusal_of_key(answer: HttpAnswer, key: Key, *, public: bool = False) -> Exception:
    """Say why a key was not renewed: it is refused, or what `refusal` says."""
    if answer.status in {400, 401} and "token" in answer.message:
        return KeyRefused(key)
    return refusal(answer, public=public)


def refusal_of_code(answer: HttpAnswer, *, public: bool = False) -> Exception | None:
    """Say why a code brought nothing; None is that nobody has confirmed it yet."""
    message = answer.message
    if "authorization_pending" in message:
        return None
    if "slow_down" in message:
        return SlowDown()
    if "denied" in message:
        return CodeRefused("The code was refused in the browser; nothing was changed.")
    if "device code" in message or "expired" in message:
        return CodeRefused("The code has run out; run the command again for a new one. Nothing was changed.")
    return refusal(answer, public=public)


def _scopes(scopes: object) -> tuple[str, ...]:
    """Read scopes, which are a list, a text with blanks between them, or nothing at all."""
    if isinstance(scopes, str):
        return tuple(scopes.split())
    return tuple(map(str, scopes)) if isinstance(scopes, list) else ()


T = TypeVar("T")

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

POINTS_SCOPES = ("channel:manage:redemptions",)
"""Rewards for channel points, what is bought, and giving the points back: asked for by `--points` alone."""

PREDICTIONS_SCOPES = ("channel:manage:predictions",)
"""Predictions on the outcome of games: asked for by `--predictions` alone."""

ANNOUNCEMENTS_SCOPES = ("moderator:manage:announcements",)
"""Results as announcements, where the bot is a moderator: asked for by `--announcements` alone."""

SCOPES: Mapping[Purpose, tuple[str, ...]] = {
    "bot": BOT_SCOPES,
    "broadcaster": BROADCASTER_SCOPES,
    "points": POINTS_SCOPES,
    "predictions": PREDICTIONS_SCOPES,
    "announcements": ANNOUNCEMENTS_SCOPES,
}

FEATURES: Mapping[Purpose, str] = {
    "points": "channel points",
    "predictions": "predictions",
    "announcements": "announcements",
}
"""What a purpose turns on, beside that the bot is in a chat."""

_DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
_SLACK_SECONDS = 60.0  # a token that ends sooner is as good as none
_ITSELF = ""  # the account of the program's own token


def scopes_for(purposes: Iterable[Purpose]) -> tuple[str, ...]:
    """Unite what the purposes of one account need."""
    return tuple(sorted({scope for purpose in purposes for scope in SCOPES[purpose]}))


def lacking(purposes: Iterable[Purpose], scopes: Iterable[str]) -> str:
    """Name what the purposes of an account need beside these scopes, with the feature that is off without it.

    Empty if nothing is lacking.
    """
    purposes_by_scope = {scope: each for each in sorted(purposes) for scope in SCOPES[each]}
    missing_scopes = sorted(purposes_by_scope.keys() - set(scopes))
    return ", ".join(_with_feature(scope, purposes_by_scope[scope]) for scope in missing_scopes)


def _with_feature(scope: str, purpose: Purpose) -> str:
    return f"{scope} (for {FEATURES[purpose]})" if purpose in FEATURES else scope


class TwitchAuthority:
    """Twitch, as one application meets it. What it grants for accounts is kept in the ring.

    An application without a secret (of the client type Public) has no token of its own: it hears and speaks
    with the keys of accounts, without the badge of bots and without conduits.
    """

    def __init__(
        self,
        client_id: str,
        client_secret: str | None,
        session: aiohttp.ClientSession,
        ring: KeyRing,
        discretion: Discretion,
        endpoints: TwitchEndpoints = OWN,
    ) -> None:
        self.client_id = client_id
        self._secret = client_secret
        self._session = session
        self._ring = ring
        self._discretion = discretion
        self.endpoints = endpoints
        self._app: Grant | None = None
        self._flights: dict[str, asyncio.Task[Any]] = {}  # each gives what its caller of `_once` wants
        self._unwritten: dict[str, tuple[str, Key]] = {}  # account -> the token that a key is to replace
        if client_secret is not None:
            discretion.add(client_secret, lasting=True)

    @property
    def is_public(self) -> bool:
        """Whether the application has no secret, and so no token of its own."""
        return self._secret is None

    async def begin_device(self, scopes: Iterable[str]) -> DeviceCode:
        """Ask for a code that somebody confirms in a browser.

        Raises:
            ClientRefused, Unreachable: there is none.
        """
        scopes = tuple(scopes)
        answer = await self._post("device", client_id=self.client_id, scopes=" ".join(scopes))
        if answer.status != 200:
            raise refusal(answer, public=self.is_public)
        with expecting(self.endpoints.id):
            device = device_code(answer.content, scopes)
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
            return self._grant(answer)
        error = refusal_of_code(answer, public=self.is_public)
        if error is not None:
            raise error
        return None

    def login_address(self, scopes: Iterable[str], redirect: str, state: str, challenge: str) -> str:
        """Return the address at which somebody logs in and is sent back to `redirect` with a code.

        `challenge` is that of RFC 7636 for the verifier with which the code is redeemed.
        """
        query = urlencode({
            "client_id": self.client_id,
            "redirect_uri": redirect,
            "response_type": "code",
            "scope": " ".join(scopes),
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        })  # fmt: skip
        return f"{self.endpoints.id}/authorize?{query}"

    async def redeem(self, code: str, redirect: str, verifier: str) -> Grant:
        """Exchange the code with which somebody was sent back from Twitch's own page for their tokens.

        Raises:
            CodeRefused: the code is no good, or was used.
            ClientRefused, Unreachable: nobody can say.
        """
        answer = await self._post(
            "token",
            **self._credentials(),
            grant_type="authorization_code",
            code=code,
            redirect_uri=redirect,
            code_verifier=verifier,
        )
        if answer.status == 400 and "code" in answer.message.lower():
            raise CodeRefused("Twitch does not know this login any more; try again.")
        if answer.status != 200:
            raise refusal(answer, public=self.is_public)
        return self._grant(answer)

    async def renewed(self, refresh: str) -> Grant | None:
        """Return new tokens of somebody who is logged in; None: Twitch takes the old ones no more.

        Raises:
            ClientRefused, Unreachable: nobody can say.
        """
        answer = await self._post(
            "token", **self._credentials(), grant_type="refresh_token", refresh_token=refresh
        )
        if answer.status in {400, 401} and "token" in answer.message:
            return None
        if answer.status != 200:
            raise refusal(answer, public=self.is_public)
        return self._grant(answer)

    async def refresh(self, key: Key) -> Key:
        """Give the account's present key instead of one that has expired.

        However often it is asked at once, Twitch is asked once, and the new key is on the disk
        before anybody has it. Who comes later with the old key gets the new one too. One that could not be
        written is not asked for again, because a refresh token may work once.

        Raises:
            KeyRefused: the account must be connected again.
            ClientRefused, KeyFileFailure: what else the operator must put right.
            Unreachable: it may work later.
        """
        return await self._once(key.user_id, self._renew(key))

    async def app_token(self, stale: str = "") -> Grant:
        """Give the program's own token; a stale or expired one is replaced, once for all who ask at once.

        Raises:
            SecretNeeded, ClientRefused, Unreachable: there is none.
        """
        if self.is_public:
            raise SecretNeeded
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
            raise refusal(answer, public=self.is_public)
        with expecting(self.endpoints.id):
            return validity(answer.content)

    async def revoke(self, access: str) -> None:
        """Give a token back; one that is no longer valid is no trouble.

        Raises:
            Unreachable: nobody took it.
        """
        await self._post("revoke", client_id=self.client_id, token=access)

    async def _once(self, account: str, work: Coroutine[object, None, T]) -> T:
        """Let all who ask for the same wait for one answer; who goes away does not stop it.

        A refresh token may work once: a second request would be refused, and one that is cancelled may have
        used the token up already, so that the account would have to be connected again.
        """
        flight = self._flights.get(account)
        if flight is None:
            flight = self._flights[account] = asyncio.create_task(work)
            flight.add_done_callback(lambda task: self._land(account, task))
        else:
            work.close()
        result: T = await asyncio.shield(flight)
        return result

    def _land(self, account: str, flight: asyncio.Task[object]) -> None:
        del self._flights[account]
        if not flight.cancelled():
            flight.exception()  # whoever asked may be gone, and nobody else would look at it

    async def _renew(self, key: Key) -> Key:
        # `chatbot connect` and `chatbot doctor` are processes of their own, and may have renewed it before.
        stored_key = await asyncio.to_thread(self._ring.get, key.user_id)
        if stored_key is not None and stored_key.access != key.access:
            return stored_key
        replaced, renewed = self._unwritten.get(key.user_id, ("", key))
        if replaced != key.access:
            renewed = await self._renewed(key)
            self._unwritten[key.user_id] = key.access, renewed  # before it is written, which may fail
        new_key = await asyncio.to_thread(self._ring.renew, key, renewed)
        del self._unwritten[key.user_id]
        return new_key

    async def _renewed(self, key: Key) -> Key:
        answer = await self._post(
            "token", **self._credentials(), grant_type="refresh_token", refresh_token=key.refresh
        )
        if answer.status != 200:
            raise refusal_of_key(answer, key, public=self.is_public)
        new = self._grant(answer)
        return replace(
            key,
            access=new.access,
            refresh=new.refresh or key.refresh,
            scopes=new.scopes or key.scopes,
            expires_at=new.expires_at,
        )

    async def _app_anew(self) -> Grant:
        answer = await self._post("token", **self._credentials(), grant_type="client_credentials")
        if answer.status != 200:
            raise refusal(answer, public=self.is_public)
        self._app = self._grant(answer)
        return self._app

    def _credentials(self) -> Mapping[str, str]:
        secret = {} if self._secret is None else {"client_secret": self._secret}
        return {"client_id": self.client_id, **secret}

    def _grant(self, answer: HttpAnswer) -> Grant:
        with expecting(self.endpoints.id):
            new = grant(answer.content)
        self._discretion.add(new.access)
        self._discretion.add(new.refresh)
        return new

    async def _post(self, path: str, **body: str) -> HttpAnswer:
        return await self._ask("POST", path, body)

    async def _ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> HttpAnswer:
        return await ask(self._session, method, f"{self.endpoints.id}/{path}", body, headers)
