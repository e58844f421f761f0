"""What the client library logs: without tokens, and where an operator reads it, in our words.

Below WARNING it logs whole frames and answers, which hold tokens; nothing of this is told.
"""

from __future__ import annotations

import logging
import re
import sys
from typing import TYPE_CHECKING

import discord

from cogs.discord.errors import PASSING, worded

if TYPE_CHECKING:
    from collections.abc import Mapping

WORDS: Mapping[str, str | None] = {
    "Can't keep up, ": "Discord answered a heartbeat on shard {0} only after {1:.0f} s",
    "Shard ID %s heartbeat blocked": "the program was too busy for a heartbeat to Discord for {1} s",
    "Shard ID %s has stopped responding": "Discord has been silent on shard {0}, which connects again",
    "Attempting a reconnect in": "the connection to Discord is lost; the next try is in {0:.1f} s",
    "Attempting a reconnect for shard": "shard {0} has lost its connection; the next try is in {1:.1f} s",
    "Failed to connect for shard_id": "shard {0} cannot connect to Discord, and tries again",
    "We are being rate limited": "Discord takes the next request of a kind only in {2:.1f} s",
    "Webhook ID %s is rate limited": "Discord takes the next answer to a command only in {1:.1f} s",
    "Global rate limit has been hit": "Discord takes the next request only in {0:.1f} s",
    "Privileged message content intent": None,  # the adapter tells what it means, and what to do
}
"""How the library begins what it says, and how it is told; None: it is not."""

LOGGERS = (
    "discord.client",
    "discord.ext.commands.bot",
    "discord.gateway",
    "discord.http",
    "discord.shard",
    "discord.webhook.async_",
)
"""Those that say one of these, or write addresses with tokens in them."""

_TOKEN = re.compile(r"(/(?:interactions|webhooks)/[0-9]+/)[^/?\s]+")


def silence_library() -> None:
    """Keep the library from writing tokens, and have the rest of what it logs in our words.

    Nobody speaks here, so that it lacks what voice needs is no news either.
    """
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    logging.getLogger("discord").setLevel(logging.WARNING)
    for name in LOGGERS:
        logging.getLogger(name).addFilter(reworded)  # again is once: a logger has a filter only once


def reworded(record: logging.LogRecord) -> bool:
    """Put a record in our words, if there are any; False: nobody is to read it."""
    text = str(record.msg)
    beginning = next((each for each in WORDS if text.startswith(each)), None)
    if beginning is None:
        record.msg, record.args = _TOKEN.sub(r"\1***", record.getMessage()), ()
        return True
    words = WORDS[beginning]
    if words is not None:
        _, *stack = text.split("\n", 1)  # a thread that is busy is told with what it does
        args = record.args if isinstance(record.args, tuple) else ()
        record.msg, record.args = "\n".join([words.format(*args) + _reason(record), *stack]), ()
    return words is not None


def _reason(record: logging.LogRecord) -> str:
    """Return why, and drop the traceback, of an error that is none of the program."""
    error = (record.exc_info or sys.exc_info())[1]
    if not isinstance(error, PASSING):
        return ""
    record.exc_info = None
    return f" ({worded(error)})"
