"""Derives the ids by which replays are opened, which nobody guesses who was not given one.

The id of a table is short, as people type it, and it is told in chats. That of its replay continues it with
an HMAC of it, so that nothing has to be stored, and whoever knows one replay finds no other.
"""

from __future__ import annotations

import hmac
import re
from hashlib import sha256

_PURPOSE = b"rabble replay ids/1"
_DIGITS = 32  # hexadecimal ones of the HMAC: 128 bits
_ID = re.compile(rf"([a-z0-9][a-z0-9-]{{0,63}})-([0-9a-f]{{{_DIGITS}}})", re.ASCII)


class ReplayIds:
    """The ids of the replays of one installation; `secret` is its key of fairness."""

    def __init__(self, secret: bytes) -> None:
        # A key of its own for this purpose: what is derived from it tells nothing of the key that seals
        # seeds.
        self._secret = hmac.digest(secret, _PURPOSE, sha256)

    def path(self, table: str) -> str:
        """Return the path under which the web server shows the replay of a table."""
        return f"/replay/{table}-{self._derived(table)}"

    def table(self, replay: str) -> str | None:
        """Return the table of a replay, or None if it is the id of none."""
        match = _ID.fullmatch(replay)
        if match is None or not hmac.compare_digest(match[2], self._derived(match[1])):
            return None
        return match[1]

    def _derived(self, table: str) -> str:
        return hmac.digest(self._secret, table.encode(), sha256).hex()[:_DIGITS]
