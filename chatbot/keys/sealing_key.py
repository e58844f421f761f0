"""Provides the key that encrypts the seeds of tables: from the environment, or from a file of its own.

The file lies beside the keys of accounts, and the key is never stored in the database, a backup or a proof.
The first start makes it.
"""

from __future__ import annotations

import re
import secrets
import sqlite3
from typing import TYPE_CHECKING

from chatbot.kernel.game import Failure
from chatbot.keys import private_files

if TYPE_CHECKING:
    from pathlib import Path

    from chatbot.keys.discretion import Discretion

KEY = 32  # bytes
_DIGITS = re.compile(rf"[0-9a-f]{{{2 * KEY}}}", re.IGNORECASE | re.ASCII)


def is_key(text: str) -> bool:
    """Return whether the text is a key: 64 hexadecimal digits."""
    return _DIGITS.fullmatch(text) is not None


def provide(setting: str | None, file: Path, discretion: Discretion) -> bytes:
    """Return the key: `setting`, that of the file, or else a new one. It is registered as a secret.

    Raises:
        Failure: the file cannot be read or written, or is damaged.
    """
    try:
        key = find(setting, file, discretion)
        if key is None:
            with private_files.locked(file):
                key = find(None, file, discretion)  # another process may have made it meanwhile
                if key is None:
                    key = secrets.token_bytes(KEY)
                    private_files.replace(file, f"{key.hex()}\n".encode())
    except (OSError, sqlite3.Error) as error:
        raise Failure(
            f"The key of fairness {file} cannot be written ({private_files.reason(error)}); its folder must "
            "be writable and have room, or CHATBOT_FAIRNESS_KEY give the key."
        ) from None
    discretion.add(key.hex(), lasting=True)
    return key


def find(setting: str | None, file: Path, discretion: Discretion) -> bytes | None:
    """Return the key if there is one.

    Raises:
        Failure: the file cannot be read, or is damaged.
    """
    text = setting
    if text is None:
        try:
            text = file.read_text(encoding="ascii", errors="replace").strip()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Failure(
                f"The key of fairness {file} cannot be read ({private_files.reason(error)})."
            ) from None
    if not is_key(text):
        raise Failure(
            f"The key of fairness {file} is damaged; put back a copy of it, or remove it: then the games "
            "that are being played are called off, their stakes go back, and the next start makes a new one."
        )
    discretion.add(text, lasting=True)
    return bytes.fromhex(text)
