"""A hash chain: its links are the seeds of coming tables, bound all at once by a head that anybody may know.

The last link is random, and each other one is the hash of the link after it: `link[i - 1] = H(link[i])`,
where H is SHA-256 of `rabble-chain-v1` and the link. The head is link 0. Link 1 is dealt first, then link 2,
and so on; whoever is told link i hashes it i times, and must get the head. Nobody who knows link i can work
out link i + 1, but everybody who knows link i + 1 knows link i. So a link is dealt only after the link before
it has been told: see `chatbot.ledger.chains` for how that is kept where several tables stand at once.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

LENGTH = 100_000  # links: 40 ms to make, and at thirty tables a day they last for nine years
SPACING = 500  # links between two that are kept, so that any of them is found in at most 500 hashes
MOST = 10_000_000  # links that a chain may have: who checks a forged proof must come to an end

_LINK = b"rabble-chain-v1"
_LAST = b"rabble-chain-end-v1"
_SIZE = hashlib.sha256().digest_size


def walked(link: bytes, steps: int) -> bytes:
    """Hash a link so many times: that gives the link so many places before it."""
    for _ in range(steps):
        link = hashlib.sha256(_LINK + link).digest()
    return link


@dataclass(frozen=True, slots=True)
class Chain:
    """`kept` are the links at each multiple of `SPACING`, and the last one: all are secrets."""

    head: bytes
    length: int
    kept: tuple[bytes, ...] = field(repr=False)

    @classmethod
    def make(cls, secret: bytes, length: int = LENGTH) -> Chain:
        """Make a chain from a random secret, which is hashed once for each link.

        Raises:
            ValueError: it would have no links, or too many.
        """
        if not 1 <= length <= MOST:
            raise ValueError(f"a chain has 1 to {MOST} links, not {length}")
        link = hashlib.sha256(_LAST + secret).digest()
        kept = [link]
        for number in range(length - 1, -1, -1):
            link = hashlib.sha256(_LINK + link).digest()
            if number and number % SPACING == 0:
                kept.append(link)
        return cls(link, length, tuple(reversed(kept)))

    @classmethod
    def load(cls, head: bytes, length: int, secrets: bytes) -> Chain:
        """Read what `dump` wrote.

        Raises:
            ValueError: it is not of this chain.
        """
        kept = tuple(secrets[at : at + _SIZE] for at in range(0, len(secrets), _SIZE))
        chain = cls(head, length, kept)
        whole = len(secrets) == _SIZE * -(-length // SPACING)
        if not whole or walked(chain.link(1), 1) != head:
            raise ValueError("these are the secrets of another chain")
        return chain

    def dump(self) -> bytes:
        """Write down all that is secret of it."""
        return b"".join(self.kept)

    def link(self, number: int) -> bytes:
        """Find a link by its number, from 1.

        Raises:
            ValueError: there is no such link.
        """
        if not 1 <= number <= self.length:
            raise ValueError(f"there are links 1 to {self.length}, not {number}")
        at = (number - 1) // SPACING
        return walked(self.kept[at], min((at + 1) * SPACING, self.length) - number)
