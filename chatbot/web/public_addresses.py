"""Resolve names only to addresses that anybody could reach, for requests to where somebody else says.

Who may make a webhook must not reach through it what only this machine reaches: its own services, the
router, or the metadata of a cloud. The address that was checked is the one that is connected to, so that a
name cannot resolve to another one in between (DNS rebinding).
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING

from aiohttp.abc import AbstractResolver

if TYPE_CHECKING:
    import socket

    from aiohttp.abc import ResolveResult

LONGEST_URL = 500  # characters
# No user, no escape in the host, nothing that libraries might read as another host than is checked here.
_FORM = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?"
    r"(?:/[\w.~%/+@:,;=!$'()*&-]*)?(?:\?[\w.~%/+@:,;=!$'()*&?-]*)?",
    re.ASCII | re.IGNORECASE,
)
_NAT64 = IPv6Network("64:ff9b::/96")


class PrivateAddressError(OSError):
    """A name or an address is not one that everybody can reach."""


def is_public(address: str) -> bool:
    """Whether anybody can reach an IP address, and so this machine reaches nothing more by it."""
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if ip in _NAT64:
            inner = IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None and not is_public(str(inner)):
            return False
        if ip.ipv4_mapped is not None or ip in _NAT64:  # which the library calls reserved
            return True
        if ip.is_site_local:  # fec0::/10, which some networks still use, and the library calls global
            return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def fault_of(url: str, *, local: bool) -> str | None:
    """Return what is wrong with an address to which a request is to go; None: nothing.

    `local` permits addresses of this machine and its network, and such without TLS. What is `private`, no
    `url`, or without `https` is told by one of these words.
    """
    match = _FORM.fullmatch(url) if len(url) <= LONGEST_URL else None
    if match is None or int(match["port"] or 443) not in range(1, 65_536):
        return "url"
    if local:
        return None
    if match["scheme"].lower() != "https":
        return "https"
    return "private" if _is_private_literal(match["host"].strip("[]")) else None


def _is_private_literal(host: str) -> bool:
    """Whether a host is written as an address that not everybody reaches; of names the resolver decides."""
    try:
        return not is_public(host)
    except ValueError:
        return False


class PublicResolver(AbstractResolver):
    """Resolves names by another resolver, and leaves out addresses that are not public."""

    def __init__(self, resolver: AbstractResolver) -> None:
        self._resolver = resolver

    async def resolve(
        self,
        host: str,
        port: int = 0,
        family: socket.AddressFamily = 0,  # type: ignore[assignment]
    ) -> list[ResolveResult]:
        """Return the public addresses of a host.

        Raises:
            PrivateAddressError: it has none.
        """
        addresses = await self._resolver.resolve(host, port, family)
        public = [each for each in addresses if is_public(each["host"])]
        if not public:
            raise PrivateAddressError("the name leads to no public address")
        return public

    async def close(self) -> None:
        """Close the other resolver."""
        await self._resolver.close()
