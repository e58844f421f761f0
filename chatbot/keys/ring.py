"""Stores the tokens of Twitch accounts in a file that only its owner may read.

The file is read anew for each request, because `chatbot connect` may have written it meanwhile.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from pydantic import TypeAdapter, ValidationError

from chatbot.kernel.game import Failure
from chatbot.keys import private_files
from chatbot.ledger.store import file_modes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from chatbot.keys.discretion import Discretion

Purpose = Literal["bot", "broadcaster", "points", "predictions", "announcements"]
"""What the bot uses an account for.

`points`: it takes channel points of the broadcaster's viewers; `predictions`: it lets them bet on games;
`announcements`: the bot's account makes announcements.
"""


@dataclass(frozen=True, slots=True)
class Key:
    """The tokens that an account has granted. One account may be both the bot and a broadcaster."""

    user_id: str
    login: str
    access: str = field(repr=False)
    refresh: str = field(repr=False)
    scopes: tuple[str, ...]
    expires_at: float  # unix seconds
    purposes: frozenset[Purpose]


@dataclass(frozen=True, slots=True)
class _Content:
    version: Literal[1]
    keys: tuple[Key, ...]


_CONTENT = TypeAdapter(_Content)


class KeyFileFailure(Failure):
    """The file of keys cannot be read or written now; somebody may mend it while the program runs."""


class KeyRing:
    """The keys of one bot account and of any number of broadcasters."""

    def __init__(self, path: Path, discretion: Discretion) -> None:
        self.path = path
        self._discretion = discretion

    def load(self) -> tuple[Key, ...]:
        """Read all keys; a missing file has none.

        Raises:
            KeyFileFailure: the file cannot be read, or is damaged.
        """
        try:
            keys = _CONTENT.validate_json(self.path.read_bytes()).keys
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise KeyFileFailure(
                f"The file of keys {self.path} cannot be read ({private_files.reason(error)})."
            ) from None
        except ValidationError:  # it would show what it has read
            raise KeyFileFailure(
                f"The file of keys {self.path} is damaged; remove it, and run `chatbot connect twitch` again."
            ) from None
        for key in keys:
            self._hide(key)
        return keys

    def get(self, user_id: str) -> Key | None:
        """Return the key of an account, or None; raises as `load` does."""
        return next((key for key in self.load() if key.user_id == user_id), None)

    @property
    def bot(self) -> Key | None:
        """The key of the bot account, or None."""
        return next((key for key in self.load() if "bot" in key.purposes), None)

    @property
    def broadcasters(self) -> tuple[Key, ...]:
        """The keys of all broadcasters."""
        return tuple(key for key in self.load() if "broadcaster" in key.purposes)

    @property
    def stamp(self) -> tuple[int, int] | None:
        """What differs after the file was written; None: there is no file, or it cannot be looked at."""
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_ino

    @property
    def exposed(self) -> bool:
        """Whether other users of this machine may read the file; always False on Windows."""
        return file_modes.exposed(self.path)

    def put(self, key: Key) -> None:
        """Store a key in place of the account's former one; a new bot replaces the former bot.

        Raises:
            KeyFileFailure: it cannot be written; the file keeps its content.
        """
        self._hide(key)
        with self._locked():
            self._write([*_without(self.load(), key), key])

    def renew(self, old: Key, new: Key) -> Key:
        """Replace old tokens by new ones, and return the key that the account has now.

        If the account was connected again meanwhile, that newer key stays and is returned.

        Raises:
            KeyFileFailure: it cannot be written; the file keeps its content.
        """
        self._hide(new)
        with self._locked():
            keys = self.load()
            # Compared under the lock: `chatbot connect` is a process of its own, and what it wrote meanwhile
            # is newer.
            now = next((key for key in keys if key.user_id == old.user_id), None)
            if now is None or now.access != old.access:
                return now or new
            renewed_key = replace(new, purposes=now.purposes)
            self._write(renewed_key if key is now else key for key in keys)
            return renewed_key

    def drop(self, user_id: str) -> None:
        """Remove the key of an account.

        Raises:
            KeyFileFailure: the file cannot be written.
        """
        with self._locked():
            self._write(key for key in self.load() if key.user_id != user_id)

    def _hide(self, key: Key) -> None:
        self._discretion.add(key.access)
        self._discretion.add(key.refresh)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            with private_files.locked(self.path):
                yield
        except (OSError, sqlite3.Error) as error:
            raise KeyFileFailure(
                f"The file of keys {self.path} cannot be written ({private_files.reason(error)}); "
                "its folder must exist, be writable, and have room."
            ) from None

    def _write(self, keys: Iterable[Key]) -> None:
        text = _CONTENT.dump_json(_Content(1, tuple(keys)), indent=1)
        private_files.replace(self.path, text)


def _without(keys: Iterable[Key], new: Key) -> Iterator[Key]:
    """Return the keys without what a new one replaces: its account, and the former bot if it is a bot."""
    for key in keys:
        purposes = key.purposes - {"bot", "announcements"} if "bot" in new.purposes else key.purposes
        if key.user_id != new.user_id and purposes:
            yield replace(key, purposes=purposes)
