"""What Twitch's id server grants and refuses, read from its answers."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chatbot.kernel.failure import Failure
from chatbot.keys.asking import Unreachable
from chatbot.keys.ring import Key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chatbot.keys.asking import Answer
    from chatbot.keys.ring import Purpose


class ClientRefused(Failure):
    """Twitch does not know the client id, or the secret is another one's."""

    def __init__(self) -> None:
        super().__init__(
            "Twitch refuses CHATBOT_TWITCH_CLIENT_ID or CHATBOT_TWITCH_CLIENT_SECRET; "
            "copy both again from https://dev.twitch.tv/console/apps."
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
    """Whoever polls shall wait 5 seconds longer from now on (RFC 8628, 3.5)."""


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
    return f"run `chatbot connect twitch {roles}` again, and start the bot again"


def device_code(content: Mapping[str, Any], scopes: tuple[str, ...]) -> DeviceCode:
    return DeviceCode(
        user_code=str(content["user_code"]),
        device_code=str(content["device_code"]),
        address=str(content["verification_uri"]),
        seconds=float(content["expires_in"]),
        interval=float(content["interval"]),
        scopes=scopes,
    )


def grant(content: Mapping[str, Any]) -> Grant:
    return Grant(
        access=str(content["access_token"]),
        refresh=str(content.get("refresh_token") or ""),
        scopes=_scopes(content.get("scope")),
        expires_at=time.time() + float(content["expires_in"]),
    )


def validity(content: Mapping[str, Any]) -> Validity:
    return Validity(
        client_id=str(content["client_id"]),
        user_id=str(content.get("user_id") or ""),
        login=str(content.get("login") or ""),
        scopes=_scopes(content.get("scopes")),
        seconds=float(content["expires_in"]),
    )


def refusal(answer: Answer) -> Exception:
    """Say what is wrong with the application; anything else may pass."""
    if answer.status in {400, 401, 403} and "client" in answer.message:
        return ClientRefused()
    return Unreachable(f"Twitch answers {answer.status}, which nobody expects")


def refusal_of_key(answer: Answer, key: Key) -> Exception:
    if answer.status in {400, 401} and "token" in answer.message:
        return KeyRefused(key)
    return refusal(answer)


def refusal_of_code(answer: Answer) -> Exception | None:
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
    return refusal(answer)


def _scopes(written: object) -> tuple[str, ...]:
    """Read scopes, which are a list, a text with blanks between them, or nothing at all."""
    if isinstance(written, str):
        return tuple(written.split())
    return tuple(map(str, written)) if isinstance(written, list) else ()
