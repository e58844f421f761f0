"""Web sites that a setting names, such as those that may show a board in a frame of theirs."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

NONE = "none"  # what is typed for no sites at all
MOST_SITES = 5
LONGEST_HOST = 253  # characters of a host name (RFC 1035)
_HOST = re.compile(r"(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}", re.ASCII)


def checked(text: str) -> str:
    """Normalize sites as they are typed, with commas or blanks between, or `none`.

    A site is a host name with or without `https://` and a port; `*.` stands for all names below one.

    Raises:
        ValueError: one is none, or is reached without encryption, or there are more than `MOST_SITES`.
    """
    words = text.replace(",", " ").split()
    if not words or [each.lower() for each in words] == [NONE]:
        return NONE
    sites = list(dict.fromkeys(map(_site, words)))
    if len(sites) > MOST_SITES:
        raise ValueError("too many sites")
    return ", ".join(sites)


def origins(text: str) -> list[str]:
    """Return the origins of a normalized value, as a content security policy names them."""
    return [] if text == NONE else text.split(", ")


def _site(word: str) -> str:
    lower = word.lower()
    parts = urlsplit(lower if "://" in lower else f"https://{lower}")
    host, port = parts.hostname or "", parts.port  # raises ValueError for a port that is none
    beside = parts.path.strip("/"), parts.query, parts.fragment, parts.username, parts.password
    if parts.scheme != "https" or any(beside) or len(host) > LONGEST_HOST or not _HOST.fullmatch(host):
        raise ValueError("no site that is reached by https")
    return f"https://{host}" if port in {None, 443} else f"https://{host}:{port}"
