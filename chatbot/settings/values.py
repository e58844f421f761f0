"""How values of settings are shown and refused: a plain word as it is, what somebody wrote as a quotation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chatbot.kernel import settings
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message, Quote

if TYPE_CHECKING:
    from chatbot.kernel.say import Argument

YES, NO = "yes", "no"
YES_OR_NO = Message("expects-yes-no")
_PLAIN = re.compile(r"[A-Za-z0-9_./,=%+-]{1,120}", re.ASCII)


def shown(text: str | None) -> Argument:
    """Show a value; None: the default."""
    if text is None:
        return Message("value-default")
    if not text:
        return Message("value-none")
    return text if _PLAIN.fullmatch(text) else Quote(text)


def wrong(key: str, text: str, expected: Message) -> Refusal:
    """Refuse a value that a setting does not take, and say what it takes."""
    return Refusal(Message("setting-wrong", {"key": shown(key), "value": Quote(text), "expected": expected}))


def yes_or_no(key: str, text: str) -> str:
    """Bring what somebody typed into its plainest form.

    Raises:
        Refusal: it is neither.
    """
    said = settings.yes_or_no(text)
    if said is None:
        raise wrong(key, text, YES_OR_NO)
    return YES if said else NO
