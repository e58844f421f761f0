"""Seals secrets before they reach the database, with a key that never does.

A database, its log and its backups travel: to another disk, to whoever helps. What is sealed in them says
nothing without the key, which lies elsewhere. AES-256 in Galois/Counter Mode (NIST SP 800-38D), a random
nonce of 96 bits before the text, and what the secret is about bound to it, so that none can be put in
another's place.
"""

from __future__ import annotations

import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY = 32  # bytes
_NONCE = 12  # bytes


class Unsealable(Exception):  # noqa: N818  (what it is)
    """It was sealed with another key, is about something else, or was changed."""


class Sealer:
    """Knows the key of an installation."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY:
            raise ValueError(f"a key has {KEY} bytes, not {len(key)}")
        self._cipher = AESGCM(key)

    def seal(self, secret: bytes, about: str) -> bytes:
        nonce = secrets.token_bytes(_NONCE)
        return nonce + self._cipher.encrypt(nonce, secret, about.encode())

    def unseal(self, sealed: bytes, about: str) -> bytes:
        """Read what was sealed.

        Raises:
            Unsealable: not with this key.
        """
        try:
            return self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], about.encode())
        except (InvalidTag, ValueError):
            raise Unsealable(about) from None
