"""Who can open the page: this machine alone, or others too, of whom each can speak as anybody there."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def beyond(addresses: Iterable[str]) -> bool:
    """Whether others than this machine can reach one of these addresses."""
    return not all(map(_is_loopback, addresses))


async def is_open(host: str) -> bool:
    """Whether others than this machine can reach what listens at a host; not where its name leads nowhere."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(
            host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (OSError, ValueError):  # a name that is none is a ValueError
        return False
    return beyond(str(each[4][0]) for each in found)


def warning(host: str) -> str:
    """Say what the danger is, and what to do."""
    return (
        f"other machines can open it, for CHATBOT_HOST is {host}, and whoever opens it can speak as anybody, "
        "the broadcaster included; set CHATBOT_HOST to 127.0.0.1, unless everybody on that network may."
    )


def _is_loopback(address: str) -> bool:
    found = ip_address(address)
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return (mapped or found).is_loopback
