"""What every command of the command line begins with: the settings, the log, and where the database is."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import typer

from chatbot.invocation import with_invocations
from chatbot.keys.discretion import Discretion

if TYPE_CHECKING:
    from chatbot.environment import Settings


def prepared() -> tuple[Settings, Discretion]:
    """Read the settings, and hide their secrets in all that is logged from here on."""
    from chatbot import environment, log  # noqa: PLC0415

    loaded, discretion = environment.load(), Discretion()
    for secret in loaded.secrets:
        discretion.add(secret, lasting=True)
    log.configure(loaded.log_level.value, discretion)
    return loaded, discretion


def url_of(database: str | None) -> str:
    """Give the URL of the database that is named, or else set."""
    settings, _ = prepared()  # in any case: it also sees to the log
    return settings.database if database is None else database


def tell(sentence: str) -> None:
    """Print what the program says to its operator; its commands stand there as they must be typed."""
    put_out(with_invocations(sentence))


def put_out(text: str) -> None:
    try:
        typer.echo(text)
    except BrokenPipeError:  # whoever read has heard enough, as `head` has; the story ends unheard
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
