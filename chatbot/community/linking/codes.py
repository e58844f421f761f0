"""Codes that are told to one person alone, typed once by another, and forgotten soon.

They live in memory only: a restart voids them.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Generic, TypeVar

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message

if TYPE_CHECKING:
    from chatbot.ledger.people import Account
    from chatbot.rooms.clock import Watch

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that looks like another; 31**10 is about 8 * 10**14
LENGTH = 10
VALID = 600.0  # seconds
TRIES = 5  # wrong codes of one member in that time

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Issued(Generic[T]):
    owner: str
    meant: T
    until: float


class Codes(Generic[T]):
    """Each stands for what it was issued with; a new one voids the former of its owner."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._issued: dict[str, _Issued[T]] = {}
        self._wrong: defaultdict[Account, list[float]] = defaultdict(list)

    def issue(self, owner: str, meant: T) -> str:
        """Make a code."""
        now = self._watch.now()
        self._issued = {
            code: each for code, each in self._issued.items() if each.until > now and each.owner != owner
        }
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        self._issued[code] = _Issued(owner, meant, now + VALID)
        return code

    def read(self, account: Account, text: str) -> T:
        """Tell what a code stands for.

        Raises:
            Refusal: it is none, or not any more, or this member has guessed too often.
        """
        self._require_patience(account)
        issued = self._issued.get(text.upper())
        if issued is None or issued.until <= self._watch.now():
            self._wrong[account].append(self._watch.now())
            raise Refusal(Message("code-wrong"))
        return issued.meant

    def spend(self, text: str) -> None:
        """Void a code."""
        self._issued.pop(text.upper(), None)

    def _require_patience(self, account: Account) -> None:
        now = self._watch.now()
        wrong = [each for each in self._wrong.pop(account, ()) if each > now - VALID]
        if wrong:
            self._wrong[account] = wrong
        if len(wrong) >= TRIES:
            raise Refusal(Message("code-tries", {"minutes": ceil((wrong[0] + VALID - now) / 60)}))
