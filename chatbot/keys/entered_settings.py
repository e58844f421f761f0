"""Keeps what was entered in Set up: a token, an application's id and its secret, the way for phones.

The file lies beside the other keys, for its owner alone. What the environment or `.env` gives counts more, so
that an operator who writes settings there is never overruled by a page.
"""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

from chatbot.kernel.game import Failure
from chatbot.keys import private_files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

NAMES = ("discord_token", "twitch_client_id", "twitch_client_secret", "phones")
"""The settings that may stand in the file."""


class EnteredSettings:
    """The file of one installation."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> dict[str, str]:
        """Return what was entered, by the names of settings.

        Raises:
            Failure: the file cannot be read, or is damaged.
        """
        try:
            content = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise Failure(f"The file {self.path} cannot be read ({private_files.reason(error)}).") from None
        except ValueError:
            content = None
        if not isinstance(content, dict) or not all(
            name in NAMES and isinstance(value, str) and value for name, value in content.items()
        ):
            raise Failure(f"The file {self.path} is damaged; remove it, and connect the platforms again.")
        return content

    def put(self, values: Mapping[str, str | None]) -> None:
        """Store values in place of the former ones; None removes one.

        Raises:
            Failure: the file cannot be read or written; it keeps its content.
        """
        try:
            with private_files.locked(self.path):
                merged = {**self.load(), **values}
                content = {name: value for name, value in merged.items() if value is not None}
                private_files.replace(self.path, json.dumps(content, indent=1).encode())
        except (OSError, sqlite3.Error) as error:
            raise Failure(
                f"The file {self.path} cannot be written ({private_files.reason(error)}); its folder must "
                "be writable and have room."
            ) from None
