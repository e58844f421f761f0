"""What is dealt to processes: partitions of the homes, and what is done once for all of them."""

from __future__ import annotations

from zlib import crc32

from chatbot.ledger.store.duties import HEARING

PARTITIONS = 64
"""Of all homes. With another number lines that wait in the carrier would be where nobody takes them, and
processes of two versions would disagree; four for each of sixteen processes can be dealt evenly."""

PAGE, UPKEEP = "page", "upkeep"
HOMES = tuple(f"home-{number}" for number in range(PARTITIONS))


def partition_of(home: str) -> str:
    """Return the duty with which a home is dealt, by the community that holds its wallets."""
    return HOMES[crc32(home.encode()) % PARTITIONS]


def hearing(platform: str) -> str:
    """Return the duty of hearing a platform."""
    return f"{HEARING}{platform.lower()}"
