"""Names and quoted words made harmless before they are shown: one place for every door."""

from __future__ import annotations

import unicodedata

LONGEST_NAME = 32
LONGEST_QUOTE = 40
_UNSEEN = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}  # control, bidi, zero-width, private, line breaks
_RIGHT_TO_LEFT = {"R", "AL", "AN"}
_NOBODY = "?"


def safe_text(text: str, most: int = LONGEST_NAME) -> str:
    """Fold to one plain line: compatibility forms, no unseen characters, at most so many of the others.

    Combining marks are kept two in a row at most, so that no name climbs over its neighbours.
    """
    folded = unicodedata.normalize("NFKC", text)
    seen = "".join(" " if each.isspace() else each for each in folded)
    seen = "".join(each for each in seen if unicodedata.category(each) not in _UNSEEN)
    plain = " ".join(_calm(seen).split())
    shown = plain if len(plain) <= most else plain[: most - 1].rstrip() + "…"
    return shown or _NOBODY


def isolated(text: str) -> str:
    """Keep a name that is written from right to left from turning the numbers beside it around."""
    if any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in text):
        return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"
    return text


def _calm(text: str) -> str:
    calm, marks = [], 0
    for each in text:
        marks = marks + 1 if unicodedata.combining(each) else 0
        if marks <= 2:
            calm.append(each)
    return "".join(calm)
