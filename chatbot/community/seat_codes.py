"""Codes by which a browser becomes somebody's seat: its page shows six letters, and who types them is it.

Somebody can be talked into typing a stranger's code. So what it opens is small (`SEAT_BY_CODE`), it is told
where it was typed, and a word ends it. Whoever tries codes at random binds a stranger's browser to
themselves,
and gains nothing by that; their tries are limited all the same. Codes are in memory alone, for three minutes,
work once, and only the browser that was shown one learns who has typed it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.community.desk_codes import LASTS, LENGTH, LETTERS, MOST_WAITING
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message
from chatbot.ledger.people import Account
from chatbot.runtime.limits import Allowances

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.runtime.clock import Watch

TRIES, TRIES_BACK = 5.0, 1 / 120  # wrong codes of an account at once, and how many it gets back a second


@dataclass(frozen=True, slots=True)
class CodeTyper:
    """Who has typed a code, and in which channel."""

    account: Account
    name: str
    channel: str


@dataclass(slots=True)
class _SeatCode:
    browser: str
    until: float  # time of the watch
    typer: CodeTyper | None = None


class SeatCodes:
    """The codes that wait to be typed, and those that were, until their browsers have asked for them."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._codes: dict[str, _SeatCode] = {}
        self._tries = Allowances(watch, TRIES, TRIES_BACK)

    def make(self, browser: str) -> str:
        """Return a code for a browser, in the place of one that it had; `browser` is what it alone holds."""
        self._drop(lambda each: each.browser == browser)
        if len(self._codes) >= MOST_WAITING:
            del self._codes[next(iter(self._codes))]
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        self._codes[code] = _SeatCode(browser, self._watch.now() + LASTS)
        return code

    def type(self, text: str, typer: CodeTyper) -> None:
        """Take note of who has typed a code.

        Raises:
            Refusal: there is no such code, it was typed before, or this account has tried too many.
        """
        if self._tries.left(typer.account) < 1:
            raise Refusal(Message("seat-code-tries"))
        self._drop(lambda _: False)
        code = self._codes.get(text.upper())
        if code is None or code.typer is not None:
            self._tries.take(typer.account)
            raise Refusal(Message("seat-code-unknown"))
        code.typer = typer

    def waits(self, browser: str) -> bool:
        """Whether a browser has a code that counts."""
        self._drop(lambda _: False)
        return any(each.browser == browser for each in self._codes.values())

    def take(self, browser: str) -> CodeTyper | None:
        """Return who has typed the code of a browser, which is told once; None: nobody has."""
        self._drop(lambda _: False)
        typers = [each.typer for each in self._codes.values() if each.browser == browser and each.typer]
        self._drop(lambda each: each.browser == browser and each.typer is not None)
        return typers[0] if typers else None

    def _drop(self, which: Callable[[_SeatCode], bool]) -> None:
        now = self._watch.now()
        self._codes = {
            code: each for code, each in self._codes.items() if each.until > now and not which(each)
        }
