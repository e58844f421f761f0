"""Express durations as messages, and find the beginning of a day."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from chatbot.kernel.say import Listing, Message

if TYPE_CHECKING:
    from datetime import datetime

_UNITS = (("days", 86_400), ("hours", 3_600), ("minutes", 60), ("seconds", 1))


def lasting(seconds: int) -> Message:
    """Express a duration of `seconds` exactly, in its largest units."""
    minutes, rest = divmod(seconds, 60)
    if not minutes:
        return Message("lasting-seconds", {"seconds": rest})
    if minutes < 60:
        return Message("lasting-minutes", {"minutes": minutes, "seconds": rest})
    return Message("lasting-hours", {"hours": minutes // 60, "minutes": minutes % 60, "seconds": rest})


def ago(seconds: float, most: int = 2) -> Message:
    """Express how long ago something was, in its `most` largest units.

    A negative number of seconds, which a clock that was set back can produce, counts as 0.
    """
    left, parts = max(int(seconds), 0), list[Message]()
    for unit, size in _UNITS:
        count, left = divmod(left, size)
        if count or (unit == "seconds" and not parts):
            parts.append(Message(f"span-{unit}", {"count": count}))
    return Message("ago", {"span": Listing(tuple(parts[:most]), separator=" ")})


def midnight(at: datetime) -> datetime:
    """Return the beginning of a day in UTC, from which every daily limit is counted."""
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
