"""The mark that tells players of the house from people, and names of people that would pass for it."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from chatbot.live.wording.safe import LONGEST_NAME, safe_text

REMEMBERED = 10_000  # names that were looked at
_LONGEST = 100  # characters of a name that are looked at
_BRACKETS = {"Ps": "(", "Pe": ")"}  # by category
_ANGLES = dict.fromkeys("<\u2039\u00ab", "(") | dict.fromkeys(">\u203a\u00bb", ")")

# Letters of other scripts, digits and signs that are drawn like those of the mark. Not every likeness
# that there is, but those of keyboards: whoever wants to look like the house has to work for it.
_LIKE = {
    "h": "\u04bb\u0570\u210f\u0127\u043d",
    "o": "0\u043e\u03bf\u0585\u00f8\u00f6\u00f3\u00f2\u00f4\u00f5\u014d",
    "u": "\u03c5\u057d\u00fc\u00fa\u00f9\u00fb\u03bc\u016bv",
    "s": "5$\u0455\ua731\u015b\u0161\u015f",
    "e": "3\u0435\u03b5\u00e9\u00e8\u00ea\u00eb\u0451\u04bd\u0113",
}
_PLAIN = {like: letter for letter, likes in _LIKE.items() for like in likes}


@lru_cache(maxsize=REMEMBERED)
def honest(name: str, mark: str) -> str:
    """Take out of a name what would pass for the mark, such as `(house)`; any other stays as it is.

    It is looked at as it is shown in full, and where it is cut short.
    """
    for most in (_LONGEST, LONGEST_NAME):
        shown = safe_text(name, most)
        while found := _marks(mark).search(_outline(shown)):
            name = shown = safe_text(shown[: found.start()] + " " + shown[found.end() :], most)
    return name


def _marks(mark: str) -> re.Pattern[str]:
    """Match the letters of the mark behind a bracket, whatever signs stand between them."""
    letters = [re.escape(each) for each in _outline(mark) if each.isalnum()]
    return re.compile(r"\([\W_]*" + r"[\W_]*".join(letters) + r"(?:[^\w(]|_)*(?:\)|$)")


def _outline(text: str) -> str:
    """Draw each letter as its plainest likeness, and every bracket as one; no place moves."""
    return "".join(_plain(each) for each in text)


def _plain(sign: str) -> str:
    bracket = _ANGLES.get(sign) or _BRACKETS.get(unicodedata.category(sign))
    low = sign.lower()[:1]
    return bracket or _PLAIN.get(low, low)
