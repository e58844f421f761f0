"""Remembers in a file the chats in which a platform does not let the bot do something.

`chatbot doctor` tells of them, also while the bot is not running.
"""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

import structlog
from pydantic import TypeAdapter, ValidationError

from chatbot.keys import private_files

if TYPE_CHECKING:
    from pathlib import Path

_CONTENT = TypeAdapter(dict[str, tuple[str, str]])

log = structlog.get_logger(__name__)


class BarredChats:
    """What is known of each such chat, by its id: the name by which it is shown, and the reason."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> dict[str, tuple[str, str]]:
        """Read all; a file that is missing or damaged has none."""
        try:
            return _CONTENT.validate_json(self.path.read_bytes())
        except (OSError, ValidationError):
            return {}

    def note(self, chat: str, name: str, reason: str) -> None:
        """Remember why the bot is barred in a chat; an empty reason is that it is not."""
        try:
            with private_files.locked(self.path):
                self._note(chat, name, reason)
        except (OSError, sqlite3.Error) as error:
            log.warning("it is not remembered where the bot is barred", reason=private_files.reason(error))

    def _note(self, chat: str, name: str, reason: str) -> None:
        before = self.load()
        chats = {key: each for key, each in before.items() if key != chat}
        if reason:
            chats[chat] = (name, reason)
        if chats != before:
            private_files.replace(self.path, json.dumps(chats, indent=1, ensure_ascii=False).encode())
