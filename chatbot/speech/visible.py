"""What people see of a text that somebody typed: the one place that decides which signs are not visible.

Clients append such signs so that the same line can be said twice, and copied texts bring others. Whoever
sends them does not know of them, so they must not make one command another.
"""

from __future__ import annotations

import re
import unicodedata

_UNSEEN = {"Cc", "Cf", "Cs"}  # controls, signs of format, halves of pairs
# Signs of numbers and verses, which are drawn around what follows them, though they are signs of format.
_DRAWN = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
# Default_Ignorable_Code_Point of Unicode 16 beyond those categories, which `unicodedata` does not know:
# joiners, fillers of syllables, selectors of variants, and what is reserved for more of them.
_IGNORABLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]"
)
# Drawn as nothing, though Unicode takes them for letters or symbols.
_EMPTY = frozenset("\u2800\U00013441\U00013442\U00016fe4\U0001d159")
# As wide as a letter, so that two words with one of them between them are seen as two.
_GAPS = re.compile(r"[\s\u2800\u3164\uffa0]+")

_EMOJI_VARIANTS = "\ufe0e\ufe0f"
_VARIANTS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_VARIED_SCRIPTS = "CJK", "MONGOLIAN"  # how the names of letters begin that have variants
# Flags such as that of Wales: a black flag, letters that are not drawn, and their end.
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f$")


def is_unseen(char: str) -> bool:
    """Whether a character is drawn as nothing; white space is not asked about."""
    if char.isascii():
        return not char.isprintable()
    if unicodedata.category(char) in _UNSEEN:
        return char not in _DRAWN
    return char in _EMPTY or _IGNORABLE.match(char) is not None


def as_seen(text: str) -> str:
    """Return the words of a text with one space between them, without what is not visible around them.

    Within a word everything stays, and so does what shapes its last sign, such as the variant of an emoji:
    names are made of these, and are compared with what is typed.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return " ".join(word for each in _GAPS.split(text) if (word := _bare(each)))


def _bare(word: str) -> str:
    start, end = 0, len(word)
    while start < end and is_unseen(word[start]):
        start += 1
    while start < end and is_unseen(word[end - 1]) and not _is_shaped(word[start:end]):
        end -= 1
    return word[start:end]


def _is_shaped(word: str) -> bool:
    """Whether the last sign of a word, which is not visible itself, changes the look of what is before it."""
    before, last = word[-2:-1], word[-1]
    if before and _VARIANTS.match(last):
        return _has_variant(before, last)
    return _FLAG.search(word) is not None


def _has_variant(char: str, selector: str) -> bool:
    # A digit has variants too, but only before a sign that draws it as a key: alone it is just the digit.
    if selector in _EMOJI_VARIANTS and not char.isascii() and unicodedata.category(char)[0] in "SP":
        return not is_unseen(char)
    return unicodedata.name(char, "").startswith(_VARIED_SCRIPTS)
