"""Limit how often a caller asks, and tell so in headers, by which programs slow down before they are refused.

The headers are `RateLimit-Policy` and `RateLimit` of the IETF's draft-ietf-httpapi-ratelimit-headers-11, and
on a refusal `Retry-After`. A bucket gains requests all the time, so that `t` is the time until it is full.

Buckets are of the process that serves the page, which is one of several.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from chatbot.runtime.limits import Allowances

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from chatbot.runtime.clock import Watch

WINDOW = 60  # seconds in which an empty bucket is full again
# Requests of one token or session in a window. The desk asks twenty times when it opens, and once for each
# letter of a search; 240 requests cost 0.5 s of processor time at 2 ms each, so that fifty callers who use
# all of it leave the games more than half of a core.
OF_CALLER = 240
# Requests of one address in a window that come with no token or session that counts: each costs a query, and
# a program whose token was revoked must not repeat it for ever.
OF_STRANGER = 60


@dataclass(frozen=True, slots=True)
class Quota:
    """What is left of a bucket of requests: whether one was taken, and the seconds until it is full."""

    policy: str
    most: int
    left: int
    full_in: int
    retry_after: int  # seconds; 0: the request was taken

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers of an answer."""
        headers = {
            "RateLimit-Policy": f'"{self.policy}";q={self.most};w={WINDOW}',
            "RateLimit": f'"{self.policy}";r={self.left};t={self.full_in}',
        }
        return {**headers, "Retry-After": str(self.retry_after)} if self.retry_after else headers


class RequestLimit:
    """Buckets of requests, one for each caller; `policy` is what headers call them."""

    def __init__(self, watch: Watch, policy: str, most: int) -> None:
        self._policy, self._most, self._rate = policy, most, most / WINDOW
        self._allowances = Allowances(watch, most, self._rate)

    def take(self, caller: Hashable) -> Quota:
        """Take a request out of the bucket of a caller, if there is one."""
        is_taken = self._allowances.take(caller)
        left = self._allowances.left(caller)
        return Quota(
            policy=self._policy,
            most=self._most,
            left=int(left),
            full_in=ceil((self._most - left) / self._rate),
            retry_after=0 if is_taken else max(ceil((1 - left) / self._rate), 1),
        )
