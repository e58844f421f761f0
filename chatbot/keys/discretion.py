"""Redacts secrets in everything that is written: registered ones, and text that looks like one.

Libraries report errors with complete addresses and headers, which nobody reviews before they are logged.
"""

from __future__ import annotations

import json
import re
from urllib.parse import quote, quote_plus

HIDDEN = "***"

_SHORTEST = 6  # characters; redacting shorter texts would garble what is no secret
# Secrets that come and go, such as renewed tokens: one pattern searches all, for each line.
_REMEMBERED = 4096

_PATTERNS = (
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
    # the address of an overlay
    re.compile(r"(/overlay/)[0-9a-f]{64}"),
    # the addresses that answer an interaction of Discord hold its token
    re.compile(r"(/(?:interactions|webhooks)/\d+/)[\w.~%-]+"),
)


class Discretion:
    """A register of secrets, and the redaction of texts.

    It holds every lasting secret, and the newest 4,096 others.
    """

    def __init__(self) -> None:
        self._permanent: dict[str, None] = {}
        self._recent: dict[str, None] = {}
        self._known: re.Pattern[str] | None = None

    def add(self, secret: str, *, lasting: bool = False) -> None:
        """Redact a secret from now on, also where it is quoted or escaped; `lasting` keeps it for good.

        Those of fewer than 6 characters are ignored. A secret that is added again counts as new.
        """
        if len(secret) < _SHORTEST or secret in self._permanent:
            return
        known = secret in self._recent
        self._recent.pop(secret, None)
        (self._permanent if lasting else self._recent)[secret] = None
        while len(self._recent) > _REMEMBERED:
            self._recent.pop(next(iter(self._recent)))
        if not known:
            self._known = None

    def clean(self, text: str) -> str:
        """Return the text with all secrets replaced by `HIDDEN`."""
        pattern = self._pattern()
        if pattern is not None:
            text = pattern.sub(HIDDEN, text)
        for secret_pattern in _PATTERNS:
            text = secret_pattern.sub(rf"\g<1>{HIDDEN}", text)
        return text

    def _pattern(self) -> re.Pattern[str] | None:
        if self._known is None and (secrets := {*self._permanent, *self._recent}):
            spellings = {spelling for secret in secrets for spelling in _spellings(secret)}
            # The longest first: where one secret begins with another, the rest of the longer one would be
            # left.
            self._known = re.compile("|".join(map(re.escape, sorted(spellings, key=len, reverse=True))))
        return self._known


def _spellings(secret: str) -> set[str]:
    """Return the spellings of a secret: plain, quoted in an address, and escaped in JSON and Python."""
    literals = {json.dumps(secret), repr(secret), ascii(secret)}
    return {secret, quote(secret, safe=""), quote_plus(secret)} | {each[1:-1] for each in literals}
