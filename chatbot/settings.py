"""The program's settings, from the environment and from `.env`; every name begins with CHATBOT_."""

from __future__ import annotations

import os
from difflib import get_close_matches
from enum import Enum

from dotenv import dotenv_values
from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from chatbot.kernel.failure import Failure

PREFIX = "CHATBOT_"


class SettingsError(Failure):
    """A setting is wrong."""


class LogLevel(Enum):
    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Settings(BaseSettings):
    """What an operator may choose. The descriptions are what a wrong value is answered with."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_file=".env", env_file_encoding="utf-8", extra="ignore", frozen=True
    )

    database: str = Field(
        default="sqlite:///data/rabble.db",
        description="the URL of an SQLite file or a PostgreSQL database, such as sqlite:///data/rabble.db",
    )
    language: str = Field(default="en", description="the language of the words: en or ko")
    host: str = Field(
        default="127.0.0.1", min_length=1, description="the address on which the local chat page listens"
    )
    port: int = Field(
        default=8765, ge=0, le=65535, description="a port from 0 to 65535; 0 takes any free one"
    )
    log_level: LogLevel = Field(default=LogLevel.WARNING, description="debug, info, warning or error")

    @field_validator("language")
    @classmethod
    def _spoken(cls, language: str) -> str:
        from chatbot.live.words import languages  # noqa: PLC0415  (starting to show --help needs no words)

        if language not in languages():
            raise ValueError(language)
        return language

    @field_validator("log_level", mode="before")
    @classmethod
    def _lower(cls, level: object) -> object:
        return level.lower() if isinstance(level, str) else level


def load() -> Settings:
    """Read the settings.

    Raises:
        SettingsError: one of them is wrong, or has a name that is none of ours.
    """
    try:
        _refuse_unknown()
        return Settings()
    except UnicodeDecodeError:
        raise SettingsError("The file .env is no UTF-8 text; copy .env.example anew.") from None
    except ValidationError as error:
        first = error.errors()[0]
        key = str(first["loc"][0])
        wanted = Settings.model_fields[key].description
        raise SettingsError(f"{PREFIX}{key.upper()} is {first['input']!r}; it takes {wanted}.") from None


def _refuse_unknown() -> None:
    keys = [name.upper() for name in Settings.model_fields]
    known = [PREFIX + key for key in keys]
    for name in (*os.environ, *dotenv_values(".env")):
        if name.upper().startswith(PREFIX) and name.upper() not in known:
            near = get_close_matches(name.upper().removeprefix(PREFIX), keys, 1)
            meant = f" did you mean {PREFIX}{near[0]}?" if near else f" there are: {', '.join(known)}."
            raise SettingsError(f"{name} is no setting;{meant}")
