"""Keeps secrets out of everything that is written: what is known as one, and what looks like one.

Libraries tell their troubles with whole addresses and headers; nobody can be asked to read them first.
"""

from __future__ import annotations

import json
import re
from urllib.parse import quote, quote_plus

HIDDEN = "***"

_SHORTEST = 6  # characters; hiding less would garble what is no secret
_REMEMBERED = 4096  # secrets that come and go, such as renewed tokens: the newest of them

_LOOKS = (
    # ?client_secret=…&code=…, and the same as JSON or as Python writes a dictionary
    re.compile(
        r"((?:client_secret|refresh_token|access_token|device_code)[\"']?\s*[=:]\s*[\"']?)[^\s\"'&,;})]+",
        re.IGNORECASE,
    ),
    re.compile(r"([?&](?:code|token)=)[^\s\"'&]+", re.IGNORECASE),
    re.compile(r"(Authorization[\"']?\s*[=:]\s*[\"']?)[^\"'\n,})]+", re.IGNORECASE),
    re.compile(r"(\bBearer\s+)[\w.~+/=*-]+"),
    re.compile(r"(\b(?:OAuth|Bot)\s+)[\w.~+/=-]{20,}"),
    # a bot's token of Discord: its id, a time and a signature
    re.compile(r"()(?<![\w.-])[\w-]{18,30}\.[\w-]{5,8}\.[\w-]{25,}(?![\w.-])"),
    # the addresses that answer an interaction of Discord hold its token
    re.compile(r"(/(?:interactions|webhooks)/\d+/)[\w.~%-]+"),
)


class Discretion:
    """Knows what must not be told. Those that last are never forgotten for newer ones."""

    def __init__(self) -> None:
        self._lasting: dict[str, None] = {}
        self._passing: dict[str, None] = {}
        self._known: re.Pattern[str] | None = None

    def add(self, secret: str, *, lasting: bool = False) -> None:
        """Hide this from now on, also where it is written in another way."""
        if len(secret) < _SHORTEST or secret in self._lasting:
            return
        (self._lasting if lasting else self._passing)[secret] = None
        while len(self._passing) > _REMEMBERED:
            self._passing.pop(next(iter(self._passing)))
        self._known = None

    def clean(self, text: str) -> str:
        """Write the text with everything hidden that must not be told."""
        pattern = self._pattern()
        if pattern is not None:
            text = pattern.sub(HIDDEN, text)
        for look in _LOOKS:
            text = look.sub(rf"\g<1>{HIDDEN}", text)
        return text

    def _pattern(self) -> re.Pattern[str] | None:
        if self._known is None and (secrets := {*self._lasting, *self._passing}):
            written = {way for secret in secrets for way in _ways(secret)}
            self._known = re.compile("|".join(map(re.escape, sorted(written, key=len, reverse=True))))
        return self._known


def _ways(secret: str) -> set[str]:
    """Write a secret as it is, and as it looks in an address, in JSON and in Python."""
    quoted = {json.dumps(secret), repr(secret), ascii(secret)}
    return {secret, quote(secret, safe=""), quote_plus(secret)} | {each[1:-1] for each in quoted}
