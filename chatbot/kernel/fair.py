"""Luck that can be checked: every draw is a function of a key, and a key of a seed and a turn.

The stream is HMAC-SHA256 in counter mode; whole numbers come from it by rejection, so they are
exactly uniform and the same under every version of Python.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

T = TypeVar("T")

_FLOAT_BITS = 53  # of a double's significand
_PURPOSE = b"rabble-turn-v1"

CHAIN_LENGTH = 5_000  # links: 2 ms to make, and at thirty tables a day they last for five months
CHAIN_SPACING = 100  # links between two that are kept, so that any of them is found in at most 100 hashes
MOST_LINKS = 10_000_000  # links that a chain may have: who checks a forged proof must come to an end

_LINK = b"rabble-chain-v1"
_LAST = b"rabble-chain-end-v1"
_SIZE = hashlib.sha256().digest_size


def turn_key(seed: bytes, turn: int, ids: Iterable[str]) -> bytes:
    """Make the key of one turn from the table's secret and the platform's message ids so far.

    The ids are not ours to choose, so a host that fixed the seed before they were known cannot
    have chosen the draws. Each is preceded by its length: no two lists share a key.
    """
    mac = hmac.new(seed, _PURPOSE, hashlib.sha256)
    for part in (str(turn), *ids):
        word = part.encode()
        mac.update(len(word).to_bytes(4, "big") + word)
    return mac.digest()


def terms(table: str, game: str, version: int, settings: str, head: str, link: int) -> str:
    """Hash what a table is opened with: its rules, its settings as JSON, and the link of the chain it takes.

    Nothing in it is secret: whoever was told it as the table opened knows that no setting was changed since.
    """
    parts = table, game, str(version), settings, head, str(link)
    return _hash("rabble-terms-v1", *(each.encode() for each in parts))


def _hash(purpose: str, *parts: bytes) -> str:
    """Hash parts, each preceded by its length, so that no two lists of them share a hash; give hex."""
    digest = hashlib.sha256()
    for part in (purpose.encode(), *parts):
        digest.update(len(part).to_bytes(4, "big") + part)
    return digest.hexdigest()


NONCE = 128  # bits


def draw_nonce(rng: Rng) -> str:
    """Draw what hides a choice: 32 hexadecimal digits."""
    return f"{rng.bits(NONCE):032x}"


def commitment(nonce: str, choice: str) -> str:
    """Make what is published of a hidden choice, which the nonce opens afterwards.

    SHA-256 over the nonce's bytes and the choice in UTF-8, in hexadecimal digits. Without the nonce, whoever
    hashes the few choices there are would find the one that is hidden.
    """
    return hashlib.sha256(bytes.fromhex(nonce) + choice.encode()).hexdigest()


class Rng:
    """A deterministic stream of uniform draws."""

    __slots__ = ("_bits", "_counter", "_key", "_make", "_pool")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._make: Callable[[], bytes] | None = None
        self._counter = 0
        self._pool = 0
        self._bits = 0

    @classmethod
    def later(cls, key: Callable[[], bytes]) -> Self:
        """Make the stream of a key that is worked out when something is drawn first, if anything is."""
        stream = cls(b"")
        stream._make = key
        return stream

    @classmethod
    def of(cls, text: str) -> Rng:
        """Make the stream that a word stands for: for simulations, never for stakes."""
        return cls(hashlib.sha256(text.encode()).digest())

    def bits(self, count: int) -> int:
        """Draw a whole number of `count` bits."""
        while self._bits < count:
            if self._make is not None:
                self._key, self._make = self._make(), None
            block = hmac.digest(self._key, self._counter.to_bytes(8, "big"), "sha256")
            self._pool = self._pool << 256 | int.from_bytes(block, "big")
            self._bits += 256
            self._counter += 1
        self._bits -= count
        number = self._pool >> self._bits
        self._pool &= (1 << self._bits) - 1
        return number

    def below(self, limit: int) -> int:
        """Draw from 0..limit-1, each equally likely.

        Raises:
            ValueError: there is nothing to draw from.
        """
        if limit < 1:
            raise ValueError(f"a draw needs a limit of at least 1, not {limit}")
        count = (limit - 1).bit_length()
        while (number := self.bits(count)) >= limit:
            pass
        return number

    def uniform(self) -> float:
        """Draw a double from 0 (included) to 1, one of the multiples of 2^-53."""
        return self.bits(_FLOAT_BITS) / (1 << _FLOAT_BITS)

    def chance(self, probability: float) -> bool:
        """Come true with this probability, to the 53 bits of a double."""
        return self.uniform() < probability

    def choice(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Draw `count` different places of `items`, in random order (Fisher and Yates).

        Raises:
            ValueError: there are fewer items.
        """
        if count > len(items):
            raise ValueError(f"cannot draw {count} out of {len(items)}")
        left = list(items)
        for place in range(count):
            other = place + self.below(len(left) - place)
            left[place], left[other] = left[other], left[place]
        return left[:count]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        return self.sample(items, len(items))


def walked(link: bytes, steps: int) -> bytes:
    """Hash a link so many times: that gives the link so many places before it."""
    for _ in range(steps):
        link = hashlib.sha256(_LINK + link).digest()
    return link


@dataclass(frozen=True, slots=True)
class Chain:
    """A hash chain: its links are the seeds of coming tables, all bound by a head that anybody may know.

    The last link is random, and each other one is the hash of the link after it: `link[i - 1] = H(link[i])`,
    where H is SHA-256 of `rabble-chain-v1` and the link. The head is link 0. Link 1 is used first, then link
    2, and so on; to check link i, hash it i times, and compare the result with the head. Link i + 1 cannot
    be computed from link i, but link i can from link i + 1. So a link is used only after the link before it
    was published: `chatbot.ledger.chains` sees to that where several tables stand at once.

    `kept` are the links at each multiple of `CHAIN_SPACING`, and the last one: all are secrets.
    """

    head: bytes
    length: int
    kept: tuple[bytes, ...] = field(repr=False)

    @classmethod
    def make(cls, secret: bytes, length: int = CHAIN_LENGTH) -> Chain:
        """Make a chain from a random secret, which is hashed once for each link.

        Raises:
            ValueError: it would have no links, or too many.
        """
        if not 1 <= length <= MOST_LINKS:
            raise ValueError(f"a chain has 1 to {MOST_LINKS} links, not {length}")
        link = hashlib.sha256(_LAST + secret).digest()
        links = [link]
        for number in range(length - 1, -1, -1):
            link = hashlib.sha256(_LINK + link).digest()
            if number and number % CHAIN_SPACING == 0:
                links.append(link)
        return cls(link, length, tuple(reversed(links)))

    @classmethod
    def load(cls, head: bytes, length: int, secrets: bytes) -> Chain:
        """Read what `dump` wrote.

        Raises:
            ValueError: it is not of this chain.
        """
        links = tuple(secrets[at : at + _SIZE] for at in range(0, len(secrets), _SIZE))
        chain = cls(head, length, links)
        whole = len(secrets) == _SIZE * -(-length // CHAIN_SPACING)
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
        at = (number - 1) // CHAIN_SPACING
        return walked(self.kept[at], min((at + 1) * CHAIN_SPACING, self.length) - number)
