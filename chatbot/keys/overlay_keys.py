"""Derives the keys of overlays, which are the secret part of the addresses under which streams show a room.

A key is an HMAC of the room and of a generation number, made with the key of fairness. So an address can be
printed again at any time, to replace it is to count on, and neither the database nor a backup contains what
would open an overlay. A backup from before a replacement brings the former key back when it is restored.
"""

from __future__ import annotations

import hmac
import re
from hashlib import sha256
from typing import TYPE_CHECKING

from chatbot.ledger.overlays import FIRST, KeyGenerations

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.ledger.books.unit import Committer
    from chatbot.ledger.changes import Changes, ChangeSet
    from chatbot.ledger.store.store import Store

_KEY = re.compile(r"[0-9a-f]{64}", re.ASCII)
_PURPOSE = b"rabble overlay keys/1"


class OverlayKeys:
    """The present keys of the overlays of all rooms.

    `server` is the URL of the web server, such as `http://127.0.0.1:8765`, once it listens; empty: none runs.
    """

    def __init__(self, store: Store, secret: bytes) -> None:
        """`secret` is the key of fairness of this installation."""
        self.server = ""
        self._generations = KeyGenerations(store)
        # A key of its own for this purpose: what is derived from it tells nothing of the key that seals
        # seeds.
        self._secret = hmac.digest(secret, _PURPOSE, sha256)
        self._derived: dict[tuple[str, int], str] = {}

    async def all(self) -> dict[str, str]:
        """Return the key of each room that was ever opened, by the id of the room."""
        rooms, generations = await self._generations.rooms(), await self._generations.replaced()
        return {each.room: self._key(each.room, generations) for each in rooms}

    async def of(self, room: str) -> str:
        """Return the key of a room."""
        return self._key(room, await self._generations.replaced())

    async def room(self, key: str) -> str | None:
        """Return the room that a key opens now, or None.

        The time that this takes tells nothing of a key: every one is compared, and in constant time.
        """
        if not _KEY.fullmatch(key):
            return None
        keys = await self.all()
        matching = [room for room, room_key in keys.items() if hmac.compare_digest(room_key, key)]
        return matching[0] if matching else None

    async def valid(self, keys: Mapping[str, str]) -> set[str]:
        """Return those of some keys, given with their rooms, that were not replaced."""
        generations = await self._generations.replaced()
        return {key for key, room in keys.items() if hmac.compare_digest(self._key(room, generations), key)}

    async def replace(self, change_set: ChangeSet) -> str:
        """Replace the key of a change set's room, write the change set, and return the new key."""
        return self._derive(change_set.room, await self._generations.replace(change_set))

    async def replace_by(self, changes: Changes, change_set: ChangeSet, committer: Committer | None) -> str:
        """Replace the key of a change set's room with what else a command writes, and return the new key."""
        generation = await self._generations.replace_by(changes, change_set, committer)
        return self._derive(change_set.room, generation)

    def _key(self, room: str, generations: Mapping[str, int]) -> str:
        return self._derive(room, generations.get(room, FIRST))

    def _derive(self, room: str, generation: int) -> str:
        key = self._derived.get((room, generation))
        if key is None:
            message = f"{generation}:{room}".encode()
            key = self._derived[room, generation] = hmac.digest(self._secret, message, sha256).hex()
        return key


def path_of(key: str) -> str:
    """Return the path at which the web server shows the overlay of a key."""
    return f"/overlay/{key}"
