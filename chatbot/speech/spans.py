"""How long something takes or is ago, in words; and where a day begins."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from chatbot.kernel.say import Listing, Message

if TYPE_CHECKING:
    from datetime import datetime

_UNITS = (("days", 86_400), ("hours", 3_600), ("minutes", 60), ("seconds", 1))


def lasting(seconds: int) -> Message:
    """Say exactly how long something takes."""
    minutes, rest = divmod(seconds, 60)
    if not minutes:
        return Message("lasting-seconds", {"seconds": rest})
    if minutes < 60:
        return Message("lasting-minutes", {"minutes": minutes, "seconds": rest})
    return Message("lasting-hours", {"hours": minutes // 60, "minutes": minutes % 60, "seconds": rest})


def ago(seconds: float, most: int = 2) -> Message:
    """Say how long ago something was, in its largest units; a clock may have been set back since."""
    left, parts = max(int(seconds), 0), list[Message]()
    for unit, size in _UNITS:
        count, left = divmod(left, size)
        if count or (unit == "seconds" and not parts):
            parts.append(Message(f"span-{unit}", {"count": count}))
    return Message("ago", {"span": Listing(tuple(parts[:most]), separator=" ")})


def midnight(at: datetime) -> datetime:
    """Give the beginning of a day: what is limited by the day is counted from there, everywhere."""
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
