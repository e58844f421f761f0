"""Names and quoted words made harmless before they are shown: one place for every door.

A dressed text is harmless by itself and beside any other: each sign that could act is broken
where it stands, whatever comes before or after it.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

LONGEST_NAME = 32
LONGEST_QUOTE = 40
TWITCH_LINE = 500  # characters of a message at most
DISCORD_LINE = 2000

Dress: TypeAlias = Callable[[str], str]
"""From a text that went through `safe_text` to one that is harmless on one platform."""

_UNSEEN = {"Cc", "Cf", "Co", "Cs", "Cn"}  # control, bidi, zero-width, private; line breaks are spaces
# What no message may carry, even our own: controls that are no blanks, and halves of characters.
_BROKEN = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff]")
_MARKS = {"Mn", "Me"}
# Fillers, joiners and variants of other letters: drawn as nothing, though they count as letters or marks.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\ufe00-\ufe0e\U000e0100-\U000e01ef]")
_RIGHT_TO_LEFT = {"R", "AL", "AN"}
_NOBODY = "?"

# Every ASCII sign is escaped, for those that mean nothing to Discord are the commands of some bot there;
# but quotation marks are neither.
_SIGNS = re.compile("[" + re.escape("".join(set(string.punctuation) - set("'\""))) + "\u3002]")
# A backslash stops the markdown alone. What searches the raw text for @everyone does not heed it,
# and what is shown without it would read as an address; so these are cut off from what follows.
_SEVERED = "@./\u3002"
_CUT = "\N{ZERO WIDTH SPACE}"
_CALLS = ("everyone", "here")  # what an "@" of ours before it would make of it

# Twitch has no escapes, and makes a link of any word with a dot in it. Browsers skip unseen characters
# in the name of a site, and take compatibility forms of the dot for one; these two signs have no such
# form, so nothing turns them back.
_DOT, _SLASH = "\N{MIDDLE DOT}", "\N{DIVISION SLASH}"
_DOTS = re.compile("[.\u3002](?![.\u3002]* )")
_FIRST_DOTS = re.compile("^[.\u3002]+")
_SLASHES = re.compile("^/|(?<=[:/])/")
_ADDRESS = re.compile("(?<![\\w@])@+(?=\\w)")  # before a name: without it the name is still read

# What wakes Twitch or another bot at the head of a message. An "@", a bracket or a quotation mark does not.
_COMMANDS = set(string.punctuation) - set("@([{<'\"_")
_MARKDOWN = set("*~`|#->\\")  # at the head of a message of our own for Discord, meant as it is
_LEAD = "» "


def safe_text(text: str, most: int = LONGEST_NAME) -> str:
    """Fold to one plain line: compatibility forms, no unseen characters, at most so many of the others.

    Combining marks are kept two in a row at most, so that no name climbs over its neighbours.
    """
    if text.isascii() and text.isprintable():
        return _cut_short(" ".join(text.split()), most)
    folded = _BLANK.sub("", unicodedata.normalize("NFKC", text))
    seen = "".join(" " if each.isspace() else each for each in folded)
    seen = "".join(each for each in seen if unicodedata.category(each) not in _UNSEEN)
    return _cut_short(" ".join(_calm(" ".join(seen.split())).split()), most)


def isolated(text: str) -> str:
    """Keep a name that is written from right to left from turning the numbers beside it around."""
    if any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in text):
        return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"
    return text


def plain(text: str) -> str:
    """Dress a text for where nothing acts, such as a page that escapes what it shows."""
    return isolated(text)


def discord(text: str) -> str:
    """Dress a text for where Discord reads markdown; anywhere else its backslashes would be seen."""
    return isolated((_CUT if _called(text) else "") + _SIGNS.sub(_escaped, text))


def twitch(text: str) -> str:
    """Dress a text for a chat of Twitch."""
    dotless = _DOTS.sub(_DOT, _FIRST_DOTS.sub(lambda dots: _DOT * len(dots[0]), text))
    nameless = _ADDRESS.sub("", dotless)
    return isolated(_SLASHES.sub(_SLASH, nameless).replace("@", "@ ").replace("@  ", "@ "))


def twitch_line(text: str) -> str:
    """Make a whole message one line that is no command; it is cut when too long, empty when nothing is seen.

    Characters are counted as UTF-16 does, which is never less than anybody else counts.
    """
    line = _one_line(text)
    return _shortened(_LEAD + line if _first(line) in _COMMANDS else line, TWITCH_LINE)


def discord_line(text: str) -> str:
    """Make a whole message one that wakes no other bot; lines and markdown of our own stay.

    It is cut when too long, counted as in `twitch_line`, and empty when nothing is seen.
    """
    lines = "\n".join(_one_line(each) for each in text.splitlines()).strip()
    waking = _first(lines) in _COMMANDS - _MARKDOWN
    return _shortened("\\" + lines if waking else lines, DISCORD_LINE)


def _cut_short(text: str, most: int) -> str:
    return (text if len(text) <= most else text[: most - 1].rstrip() + "…") or _NOBODY


def _calm(text: str) -> str:
    # The first letter is not ours to put marks on either: it may be that of somebody else's text.
    calm, marks = [], 2
    for each in text:
        marks = marks + 1 if unicodedata.category(each) in _MARKS else 0
        if marks <= 2:
            calm.append(each)
    return "".join(calm)


def _called(text: str) -> bool:
    """Whether an "@" of ours would call everybody with it, or a "." of ours number a list."""
    low = text.lower()
    return low.isdigit() or any(low.startswith(each) or each.startswith(low) for each in _CALLS)


def _escaped(sign: re.Match[str]) -> str:
    return f"\\{sign[0]}{_CUT if sign[0] in _SEVERED else ''}"


def _one_line(text: str) -> str:
    line = " ".join(_BROKEN.sub("", text).split())
    return line if _first(line) else ""


def _first(text: str) -> str:
    """Find the first sign of a text that is seen, in its plainest form."""
    seen = (each for each in text if unicodedata.category(each) not in _UNSEEN and not each.isspace())
    return unicodedata.normalize("NFKC", next(seen, ""))[:1]


def _shortened(text: str, most: int) -> str:
    if _units(text) <= most:
        return text
    room, kept = most - 1, ""
    for each in text:
        room -= _units(each)
        if room < 0:
            break
        kept += each
    return kept.rstrip() + "…"


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


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
