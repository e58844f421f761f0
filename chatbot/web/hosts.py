"""Names and addresses of this machine, as they stand in settings, in Host headers and in URLs."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from socket import AF_INET, AF_INET6, SOCK_DGRAM, gethostname, socket

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""The names under which a browser or a program on this machine finds it, as in a Host header."""

_WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  (named, not bound)


def is_loopback(address: str) -> bool:
    """Whether an IP address can be reached from this machine only."""
    ip = ip_address(address)
    mapped = ip.ipv4_mapped if isinstance(ip, IPv6Address) else None
    return (mapped or ip).is_loopback


def is_address(name: str) -> bool:
    """Whether the name of a host is an IP address, with or without brackets."""
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def is_wildcard(host: str) -> bool:
    """Whether a server at this host listens at every address of the machine."""
    return host in _WILDCARDS


def is_own_host(host: str) -> bool:
    """Whether this machine reaches a server at this host by an address that is no other machine's."""
    return is_wildcard(host) or host == "localhost" or (is_address(host) and is_loopback(host.strip("[]")))


def in_url(host: str) -> str:
    """Return a host as it stands in a URL: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def own_url(host: str, port: int | str) -> str:
    """Return the URL under which this machine itself finds a server that listens at a host and a port."""
    return f"http://{in_url(_WILDCARDS.get(host, host))}:{port}"


def network_url(host: str, port: int) -> str:
    """Return the URL under which other machines of the network find a server that listens at a host.

    Of a server that listens at every address it is that by which this machine reaches others, as the system
    says; nothing is sent for that.
    """
    if not is_wildcard(host):
        return f"http://{in_url(host)}:{port}"
    family, elsewhere = (AF_INET6, "2001:db8::1") if ":" in host else (AF_INET, "192.0.2.1")
    try:
        with socket(family, SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 9))
            address = str(probe.getsockname()[0])
    except OSError:  # there is no network
        address = gethostname()
    return f"http://{in_url(address)}:{port}"


def divided(authority: str) -> tuple[str, str]:
    """Return the name and the port of an authority, such as a Host header; without a port it is 80."""
    name, _, port = authority.rpartition(":")
    return (name, port) if port.isdecimal() and name else (authority, "80")


def why_it_cannot_listen(error: OSError | ValueError) -> str:
    """Return the reason alone, in front of which asyncio names the address again.

    A malformed name of a host is a ValueError.
    """
    reason = str(getattr(error, "strerror", None) or error)
    return reason.rpartition("): ")[2]
