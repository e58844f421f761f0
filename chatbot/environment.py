"""Settings of the program, from environment variables and `.env`; every name begins with `CHATBOT_`."""

from __future__ import annotations

import io
import ipaddress
import os
import re
from difflib import get_close_matches
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from dotenv import dotenv_values
from dotenv.parser import parse_stream
from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from chatbot import home as homes
from chatbot.build_info import TWITCH_CLIENT_ID
from chatbot.kernel.game import Failure
from chatbot.keys.entered_settings import EnteredSettings
from chatbot.keys.sealing_key import is_key

PREFIX = "CHATBOT_"
ENV_ENCODING = "utf-8-sig"
"""UTF-8, with or without the mark at its beginning that Notepad and PowerShell 5 write."""

OTLP_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
"""Where traces are sent to, as all programs that use OpenTelemetry have it; it is read from no file."""

SECRET = frozenset({"discord_token", "twitch_client_secret", "fairness_key", "nats_url"})
"""Settings whose values are never shown, not even invalid ones."""

OPTIONAL = ("home", "database", "nats_", "ladder", "discord_", "twitch_", "fairness_")
"""Prefixes of settings for which an empty value counts as not given."""

MIN_ARCHIVE_DAYS = 30
"""The least age of an archived table in days: ids of messages are kept as long for deduplication."""

ENDPOINTS = {
    "discord_api_url": False,
    "discord_gateway_url": True,
    "twitch_api_url": False,
    "twitch_id_url": False,
    "twitch_eventsub_url": True,
}
"""Settings that are the URL of a platform, and whether it is that of a web socket."""

T = TypeVar("T")


class SettingsError(Failure):
    """A setting is invalid or unknown."""


class LogLevel(Enum):
    """The least severe level that is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Settings(BaseSettings):
    """All settings; the description of a field is shown for an invalid value."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_file=".env", env_file_encoding=ENV_ENCODING, extra="ignore", frozen=True,
        hide_input_in_errors=True,
    )  # fmt: skip

    home: Path = Field(
        default_factory=homes.default,
        description=(
            "the folder in which everything is kept; none is `data` of a clone, or the system's own place"
        ),
    )
    database: str = Field(
        default_factory=lambda data: homes.database_url(_home(data)),
        description=(
            "the URL of an SQLite file or a PostgreSQL database, such as sqlite:///data/rabble.db; "
            "none is rabble.db in the home"
        ),
    )
    nats_url: SecretStr | None = Field(
        default=None,
        description=(
            "where NATS is, as nats://user:password@host:4222, or tls:// for encryption, if several "
            "processes share a PostgreSQL database; a password has letters and digits"
        ),
    )
    language: str = Field(default="en", description="the language of the words")
    page: bool = Field(
        default=True,
        description="yes or no: whether pages are served; of several processes others may do that",
    )
    host: str = Field(
        default="127.0.0.1", min_length=1, description="the address on which the local chat page listens"
    )
    port: int = Field(
        default=8765, ge=0, le=65535, description="a port from 0 to 65535; 0 takes any free one"
    )
    public_port: int = Field(
        default=0,
        ge=0,
        le=65535,
        description="the port of the pages for moderators and viewers elsewhere; 0 is that there are none",
    )
    public_host: str = Field(
        default="127.0.0.1",
        min_length=1,
        description="the address on which these pages listen; 127.0.0.1 is for a proxy or tunnel here",
    )
    public_url: str = Field(
        default="",
        description="where people reach these pages, as https://host, or http:// on a network at home",
    )
    webhook_local: bool = Field(
        default=False,
        description="yes or no: whether webhooks may go to this machine and its network, and without TLS",
    )
    archive_days: int = Field(
        default=90,
        ge=0,
        le=36_500,
        description="days after which finished tables go into the archive, 30 or more; 0 is never",
    )
    backup_mb: int = Field(
        default=2000,
        ge=1,
        le=1_000_000_000,
        description="megabytes that all backups may take together, 1 or more; the newest is kept in any case",
    )
    metrics_port: int = Field(
        default=0,
        ge=0,
        le=65535,
        description="the port of /metrics, /healthz and /readyz for who watches it; 0 is that there are none",
    )
    metrics_host: str = Field(
        default="127.0.0.1", min_length=1, description="the address on which these are served"
    )
    log_json: bool = Field(
        default=False, description="yes or no: whether the log is a JSON object a line, for programs"
    )
    ladder: Path | None = Field(
        default=None,
        description="the folder of a ladder that overlays and boards show as their league; none is no league",
    )
    log_level: LogLevel = Field(default=LogLevel.WARNING, description="debug, info, warning or error")
    discord_token: SecretStr | None = Field(
        default=None, description="the bot's token; `chatbot connect discord` tells where it is"
    )
    discord_shards: int | None = Field(
        default=None,
        ge=1,
        le=10_000,
        description="how many shards the gateway has; none is as many as Discord recommends, which is enough",
    )
    discord_api_url: str = Field(
        default="https://discord.com/api/v10",
        description="where Discord's API is, as https://host/path, or http:// on this machine",
    )
    discord_gateway_url: str = Field(
        default="wss://gateway.discord.gg",
        description="where Discord's gateway is, as wss://host/path, or ws:// on this machine",
    )
    twitch_client_id: str | None = Field(
        default=None, description="the id of your application; `chatbot connect twitch` tells where it is"
    )
    twitch_client_secret: SecretStr | None = Field(
        default=None,
        description="its secret, which an application of the client type Public has not; "
        "`chatbot connect twitch` tells where it is",
    )
    twitch_channels: str = Field(
        default="",
        description="names of channels with commas between, such as ann, bob; none is all that are connected",
    )
    twitch_tokens: Path = Field(
        default_factory=lambda data: _home(data) / "twitch-tokens.json",
        description="the file of keys of Twitch accounts; none is twitch-tokens.json in the home",
    )
    twitch_conduit: bool = Field(
        default=False, description="yes or no: whether events come by a conduit, for very many channels"
    )
    twitch_api_url: str = Field(
        default="https://api.twitch.tv/helix",
        description="where Twitch's API is, as https://host/path, or http:// on this machine",
    )
    twitch_id_url: str = Field(
        default="https://id.twitch.tv/oauth2",
        description="where Twitch gives tokens, as https://host/path, or http:// on this machine",
    )
    twitch_eventsub_url: str = Field(
        default="wss://eventsub.wss.twitch.tv/ws",
        description="where Twitch tells of events, as wss://host/path, or ws:// on this machine",
    )

    fairness_key: SecretStr | None = Field(
        default=None, description="64 hexadecimal digits, with which secrets of tables are sealed"
    )
    fairness_key_file: Path = Field(
        default_factory=lambda data: _home(data) / "fairness.key",
        description=("the file of that key, which the first start makes; none is fairness.key in the home"),
    )

    @property
    def custom_endpoints(self) -> tuple[tuple[str, str, str], ...]:
        """Endpoints that are not the defaults: the name of the variable, its value and the default."""
        endpoints = ((each, getattr(self, each), type(self).model_fields[each].default) for each in ENDPOINTS)
        return tuple(
            (f"{PREFIX}{name.upper()}", url, default) for name, url, default in endpoints if url != default
        )

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values that must not appear in any output."""
        values = (self.discord_token, self.twitch_client_secret, self.fairness_key, self.nats_url)
        return tuple(each.get_secret_value() for each in values if each)

    @property
    def twitch_application(self) -> tuple[str, str | None] | None:
        """The id of the Twitch application, and its secret unless it is a public one; None: there is none.

        Raises:
            SettingsError: there is a secret and no id that it belongs to.
        """
        client_secret = self.twitch_client_secret
        secret = None if client_secret is None else client_secret.get_secret_value()
        if self.twitch_client_id is not None:
            return self.twitch_client_id, secret
        if secret is not None:
            raise SettingsError(
                "CHATBOT_TWITCH_CLIENT_ID is missing; `chatbot connect twitch` tells where it is."
            )
        return (TWITCH_CLIENT_ID, None) if TWITCH_CLIENT_ID else None

    @property
    def entered(self) -> EnteredSettings:
        """What was entered in Set up."""
        return EnteredSettings(self.fairness_key_file.with_name("entered.json"))

    @property
    def discord_barred(self) -> Path:
        """The file in which it is remembered where the bot may not speak in Discord."""
        return self.fairness_key_file.with_name("discord-barred.json")

    @property
    def discord_threadless(self) -> Path:
        """The file in which it is remembered where threads are wanted and the bot may begin none."""
        return self.fairness_key_file.with_name("discord-threadless.json")

    @property
    def given_key(self) -> str | None:
        """The key that seals the secrets of tables; None: it is in `fairness_key_file`."""
        return None if self.fairness_key is None else self.fairness_key.get_secret_value()

    @property
    def channels(self) -> tuple[str, ...]:
        """The names of Twitch channels, in lower case like logins; empty: all that are connected."""
        names = (each.strip().removeprefix("#").lower() for each in self.twitch_channels.split(","))
        return tuple(dict.fromkeys(name for name in names if name))

    @field_validator("*", mode="before")
    @classmethod
    def _trimmed(cls, value: object, field: ValidationInfo) -> object:
        """Remove surrounding blanks, which are easily copied with a token.

        An empty value of a setting in `OPTIONAL` becomes its default.
        """
        if not isinstance(value, str) or value.strip():
            return value.strip() if isinstance(value, str) else value
        name = field.field_name or ""
        setting = cls.model_fields[name]
        return (
            setting.get_default(call_default_factory=True, validated_data=field.data)
            if (name.startswith(OPTIONAL))
            else ""
        )

    @field_validator("home", "ladder")
    @classmethod
    def _expanded(cls, folder: Path | None) -> Path | None:
        return None if folder is None else folder.expanduser()

    @field_validator("discord_token", "twitch_client_id", "twitch_client_secret")
    @classmethod
    def _printable(cls, value: T) -> T:
        """Reject blanks and characters that are not ASCII, which are invalid in an HTTP header."""
        text = value.get_secret_value() if isinstance(value, SecretStr) else value
        if isinstance(text, str) and not re.fullmatch(r"[!-~]+", text):
            raise ValueError
        return value

    @field_validator("fairness_key")
    @classmethod
    def _valid_key(cls, key: SecretStr | None) -> SecretStr | None:
        if key is not None and not is_key(key.get_secret_value()):
            raise ValueError
        return key

    @field_validator("nats_url")
    @classmethod
    def _valid_nats_url(cls, url: SecretStr | None) -> SecretStr | None:
        if url is not None and not _is_nats_address(url.get_secret_value()):
            raise ValueError
        return url

    @field_validator("twitch_channels")
    @classmethod
    def _valid_channels(cls, channels: str) -> str:
        names = filter(None, map(str.strip, channels.split(",")))
        if not all(re.fullmatch(r"#?\w{1,25}", name, re.ASCII) for name in names):
            raise ValueError(channels)
        return channels

    @field_validator(*ENDPOINTS)
    @classmethod
    def _secure_endpoint(cls, url: str, field: ValidationInfo) -> str:
        """Require encryption except on this machine, for tokens are sent there."""
        secure = "wss" if ENDPOINTS[field.field_name or ""] else "https"
        if not _is_address(url, secure):
            raise ValueError(url)
        return url.rstrip("/")

    @field_validator("public_url")
    @classmethod
    def _valid_public_url(cls, url: str) -> str:
        if url and not _is_public_url(url.rstrip("/")):
            raise ValueError(url)
        return url.rstrip("/").lower()

    @field_validator("archive_days")
    @classmethod
    def _valid_archive_days(cls, days: int) -> int:
        if 0 < days < MIN_ARCHIVE_DAYS:
            raise ValueError(days)
        return days

    @field_validator("language")
    @classmethod
    def _known_language(cls, language: str) -> str:
        from chatbot.speech.words import language_of  # noqa: PLC0415  (slow, and `--help` does not need it)

        code = language_of(language)
        if code is None:
            raise ValueError(language)
        return code

    @field_validator("log_level", mode="before")
    @classmethod
    def _lower(cls, level: object) -> object:
        return level.lower() if isinstance(level, str) else level


def load() -> Settings:
    """Read the settings; what neither the environment nor `.env` says was perhaps entered in Set up.

    Raises:
        Failure: the file of what was entered cannot be read.
        SettingsError: a value is invalid, a variable that begins with `CHATBOT_` is unknown, or `.env` cannot
            be read.
    """
    try:
        _refuse_unreadable_lines()
        _refuse_unknown()
        return with_entered(Settings())
    except UnicodeDecodeError:
        raise SettingsError("The file .env is no UTF-8 text; copy .env.example anew.") from None
    except OSError as error:
        raise SettingsError(
            f"The file .env cannot be read ({error.strerror}); whoever starts the bot must be allowed to."
        ) from None
    except ValidationError as error:
        first = error.errors()[0]
        key = str(first["loc"][0])
        requirement = f"{Settings.model_fields[key].description}{_choices(key)}"
        name = f"{PREFIX}{key.upper()}"
        fault = "is not as it must be" if key in SECRET else f"is {first['input']!r}"
        raise SettingsError(f"{name} {fault}; it takes {requirement}.") from None


def with_entered(settings: Settings) -> Settings:
    """Return the settings with what was entered in Set up and is given nowhere else.

    A secret belongs to its id: it counts only together with the one beside which it was entered.

    Raises:
        Failure: the file cannot be read.
    """
    entered = settings.entered.load()
    updates: dict[str, object] = {}
    if settings.discord_token is None and "discord_token" in entered:
        updates["discord_token"] = SecretStr(entered["discord_token"])
    if settings.twitch_client_id is None and settings.twitch_client_secret is None:
        updates["twitch_client_id"] = entered.get("twitch_client_id")
        if "twitch_client_secret" in entered and "twitch_client_id" in entered:
            updates["twitch_client_secret"] = SecretStr(entered["twitch_client_secret"])
    return settings.model_copy(update=updates)


def _home(validated: dict[str, Any]) -> Path:
    """Return the home of settings whose first fields are validated; an invalid one is told of later."""
    home = validated.get("home")
    return home if isinstance(home, Path) else homes.default()


def has_secrets(file: Path) -> bool:
    """Return whether a file of settings contains a secret, or a password in the URL of the database."""
    try:
        values = {
            name.upper(): value for name, value in dotenv_values(file, encoding=ENV_ENCODING).items() if value
        }
    except (OSError, UnicodeDecodeError):
        return False
    secret = any(f"{PREFIX}{key.upper()}" in values for key in SECRET)
    return secret or ":" in values.get(f"{PREFIX}DATABASE", "").rpartition("@")[0].partition("//")[2]


def _is_nats_address(url: str) -> bool:
    """Whether it can be understood, for what is not would be reported by its parts, such as a password."""
    match = re.fullmatch(r"(?:nats|tls)://([^\s/?#]+)/?", url)
    try:
        parts = urlsplit(url)
        return match is not None and bool(parts.hostname) and parts.port != 0
    except ValueError:  # an invalid port or IPv6 address
        return False


def _is_address(url: str, secure: str) -> bool:
    """Return whether a URL has this scheme, or is on this machine and has the scheme without encryption.

    It must have no user, whose password would be shown, and no query, to which paths cannot be appended.
    """
    if not re.fullmatch(r"[a-z]+://[\w.:\[\]-]+(/[\w.~%/+-]*)?", url, re.ASCII):
        return False
    try:
        parts = urlsplit(url)
        complete = bool(parts.hostname) and parts.port != 0
    except ValueError:  # an invalid port or IPv6 address
        return False
    unencrypted = parts.scheme == secure.removesuffix("s") and _is_loopback(parts.hostname or "")
    return complete and (parts.scheme == secure or unencrypted)


def _is_public_url(url: str) -> bool:
    """Return whether a URL is one of a whole host: pages have addresses of their own behind it."""
    if not re.fullmatch(r"https?://[a-z0-9.:\[\]-]+", url, re.ASCII | re.IGNORECASE):
        return False
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:  # an invalid port or IPv6 address
        return False


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _choices(key: str) -> str:
    """Return the possible values of a setting, if they are known only at run time."""
    from chatbot.speech.words import languages  # noqa: PLC0415  (as above)

    return f": one of {', '.join(languages())}" if key == "language" else ""


def _refuse_unreadable_lines() -> None:
    """Refuse a line of `.env` that is no NAME=value, which would otherwise be left out silently.

    The line itself is not shown, because it may contain a token.
    """
    if not (file := Path(".env")).is_file():
        return
    for line in parse_stream(io.StringIO(file.read_text(ENV_ENCODING))):
        if line.error or (line.key is not None and line.value is None):
            blank_before = len(line.original.string) - len(line.original.string.lstrip("\n"))
            raise SettingsError(
                f"Line {line.original.line + blank_before} of the file .env cannot be read; "
                "write NAME=value, and close each quotation mark."
            )


def _refuse_unknown() -> None:
    keys = [name.upper() for name in Settings.model_fields]
    names = [PREFIX + key for key in keys]
    for name in (*os.environ, *dotenv_values(".env", encoding=ENV_ENCODING)):
        if name.upper().startswith(PREFIX) and name.upper() not in names:
            near = get_close_matches(name.upper().removeprefix(PREFIX), keys, 1)
            hint = f" did you mean {PREFIX}{near[0]}?" if near else f" there are: {', '.join(names)}."
            raise SettingsError(f"{name} is no setting;{hint}")
