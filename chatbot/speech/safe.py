"""Escape names and quoted text of users before they are shown, for every platform.

An escaped text is harmless by itself and next to any other text: each character that a platform could
interpret is escaped individually, independent of what precedes or follows it.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from typing import TypeAlias

from chatbot.speech.visible import is_unseen

LONGEST_NAME = 32  # characters, as Discord allows; longer ones are cut
# Characters of what somebody typed: enough to recognize it, too few to say something by us.
LONGEST_QUOTE = 40
TWITCH_LINE = 500  # characters of a message at most
DISCORD_LINE = 2000

Dress: TypeAlias = Callable[[str], str]
"""Escapes a text, which `safe_text` has returned, for one platform."""

# For private use, or not assigned, so that nobody knows how they are drawn; and all signs of format, of which
# some are drawn around what follows them.
_UNCERTAIN = {"Co", "Cn", "Cf"}
_EMOJI_STYLE = "\ufe0f"  # not visible, but without it an emoji is drawn as a plain sign
# No message may contain these, not even our own: control characters but white space, and lone surrogates.
_FORBIDDEN = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff]")
_MARKS = {"Mn", "Me"}
_RIGHT_TO_LEFT = {"R", "AL", "AN"}
_EMPTY_NAME = "?"

# Every ASCII punctuation character is escaped, because those without a meaning in Discord's markdown are the
# command prefix of some bot there; quotation marks are neither.
_PUNCTUATION = re.compile("[" + re.escape("".join(set(string.punctuation) - set("'\""))) + "\u3002]")
# A backslash only disables markdown. Code that searches the raw text for @everyone ignores it, and the text
# that is displayed could still read as an address; so these are also separated from what follows.
_SEPARATED = "@./\u3002"
_SEPARATOR = "\N{ZERO WIDTH SPACE}"
_MENTIONS = ("everyone", "here")  # a mention of all members if an "@" of our own text precedes it

# Twitch has no escape character, and makes a link of any word with a dot in it. Browsers ignore invisible
# characters in host names and treat compatibility forms of the dot as a dot; neither replacement has such a
# form, so nothing converts them back.
_DOT, _SLASH = "\N{MIDDLE DOT}", "\N{DIVISION SLASH}"
_DOTS = re.compile("[.\u3002](?![.\u3002]* )")
_FIRST_DOTS = re.compile("^[.\u3002]+")
_SLASHES = re.compile("^/|(?<=[:/])/")
_ADDRESS = re.compile("(?<![\\w@])@+(?=\\w)")  # before a name, which is readable without it

# Characters that at the beginning of a message mark a command for Twitch or another bot. "@", brackets and
# quotation marks do not.
_COMMAND_PREFIXES = set(string.punctuation) - set("@([{<'\"_")
_MARKDOWN = set("*~`|#->\\")  # intended markdown where a message of our own for Discord begins with it
_LINE_PREFIX = "» "

# Results of `honest`, which is asked for each line of a chat and looks at each character.
_CACHED_NAMES = 10_000
_CACHED_CHARACTERS = 4_000
_MAX_CHECKED = 100  # characters of a name that are checked: as many as are stored
_BRACKETS = {"Ps": "(", "Pe": ")"}  # by category
_ANGLES = dict.fromkeys("<\u2039\u00ab", "(") | dict.fromkeys(">\u203a\u00bb", ")")

# Letters of other scripts, digits and symbols that look like the letters of the mark "(house)" and of the
# name of the bot. These are not all confusables of Unicode TR 39, but those that keyboards offer; others take
# some effort to enter. "i" is none: as a small letter it does not look like "l", and Rabbie is a name. A
# capital one among small letters does, see `resembles`.
_CONFUSABLES = {
    "a": "4@\u0430\u03b1\u0251\u00e0\u00e1\u00e2\u00e3\u00e4\u00e5\u0101",
    "b": "8\u0432\u044c\u03b2\u0180\u0253",
    "l": "1|\u04cf\u0142\u013a\u013e\u2223",
    "r": "\u0433\u0280\u0155\u0159",
    "h": "\u04bb\u0570\u210f\u0127\u043d",
    "o": "0\u043e\u03bf\u0585\u00f8\u00f6\u00f3\u00f2\u00f4\u00f5\u014d",
    "u": "\u03c5\u057d\u00fc\u00fa\u00f9\u00fb\u03bc\u016bv",
    "s": "5$\u0455\ua731\u015b\u0161\u015f",
    "e": "3\u0435\u03b5\u00e9\u00e8\u00ea\u00eb\u0451\u04bd\u0113",
}
_PROTOTYPES = {each: letter for letter, similar in _CONFUSABLES.items() for each in similar}
_CAPITAL_I = str.maketrans(dict.fromkeys("I\u0406\u0399", "l"))  # also the Cyrillic and the Greek one


def safe_text(text: str, most: int = LONGEST_NAME) -> str:
    """Normalize a text to one line: NFKC, without invisible characters, at most `most` characters long.

    At most two combining marks in a row are kept, so that no name is drawn over the lines around it.
    """
    if text.isascii() and text.isprintable():
        # Nearly all names and commands: what follows takes thirty times as long.
        return _cut_short(" ".join(text.split()), most)
    folded = unicodedata.normalize("NFKC", text)
    visible = "".join(" " if each.isspace() else each for each in folded)
    visible = "".join(each for each in visible if each == _EMOJI_STYLE or not _is_hidden(each))
    return _cut_short(" ".join(_limit_marks(" ".join(visible.split())).split()), most)


def isolated(text: str) -> str:
    """Isolate a text that is written from right to left, which would reorder the numbers next to it."""
    if any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in text):
        return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"
    return text


def plain(text: str) -> str:
    """Escape a text for output where nothing is interpreted, such as a page that escapes what it shows."""
    return isolated(text)


def discord(text: str) -> str:
    """Escape a text for Discord's markdown; where that is not interpreted, backslashes would be visible."""
    return isolated((_SEPARATOR if _completes_ours(text) else "") + _PUNCTUATION.sub(_escaped, text))


def twitch(text: str) -> str:
    """Escape a text for a Twitch chat."""
    dotless = _DOTS.sub(_DOT, _FIRST_DOTS.sub(lambda dots: _DOT * len(dots[0]), text))
    nameless = _ADDRESS.sub("", dotless)
    return isolated(_SLASHES.sub(_SLASH, nameless).replace("@", "@ ").replace("@  ", "@ "))


def twitch_line(text: str) -> str:
    """Make a whole message one line that is no command; the result is empty if nothing in it is visible.

    It is cut at `TWITCH_LINE` UTF-16 code units, of which there are never fewer than code points.
    """
    line = _one_line(text)
    prefix = _LINE_PREFIX if _first(line) in _COMMAND_PREFIXES else ""
    return _shortened(prefix + line, TWITCH_LINE)


def discord_line(text: str) -> str:
    """Make a whole message one that is no command of another bot; our own line breaks and markdown stay.

    It is cut at `DISCORD_LINE` UTF-16 code units, and empty if nothing in it is visible.
    """
    lines = "\n".join(_one_line(each) for each in text.splitlines()).strip()
    is_command = _first(lines) in _COMMAND_PREFIXES - _MARKDOWN
    return _shortened("\\" + lines if is_command else lines, DISCORD_LINE)


@lru_cache(maxsize=_CACHED_NAMES)
def honest(name: str, mark: str) -> str:
    """Remove from a name what could be mistaken for the mark, such as `(house)`; other names are unchanged.

    The name is checked as it is displayed in full, and as it is displayed when it is cut.
    """
    # Cut, a name can end in what looks like the mark although the whole name does not, and the other way
    # round.
    for most in (_MAX_CHECKED, LONGEST_NAME):
        display = safe_text(name, most)
        while match := _pattern(mark).search(_skeleton(display)):
            name = display = safe_text(display[: match.start()] + " " + display[match.end() :], most)
    return name


def resembles(name: str, other: str) -> bool:
    """Return whether a name that `safe_text` has returned could be read as another one, of letters."""
    folded = name if name.isupper() else name.translate(_CAPITAL_I)
    letters = "".join(each for each in _skeleton(folded) if each.isalnum())
    return letters == _skeleton(other)


def _is_hidden(char: str) -> bool:
    return is_unseen(char) or unicodedata.category(char) in _UNCERTAIN


def _cut_short(text: str, most: int) -> str:
    return (text if len(text) <= most else text[: most - 1].rstrip() + "…") or _EMPTY_NAME


def _limit_marks(text: str) -> str:
    # Marks at the beginning would combine with the text before the name, so none are kept there.
    characters, marks = [], 2
    for each in text:
        marks = marks + 1 if unicodedata.category(each) in _MARKS else 0
        if marks <= 2:
            characters.append(each)
    return "".join(characters)


def _completes_ours(text: str) -> bool:
    """Whether an "@" of ours before a text would make it a mention of everybody, or a "." after it a list."""
    low = text.lower()
    return low.isdigit() or any(low.startswith(each) or each.startswith(low) for each in _MENTIONS)


def _escaped(match: re.Match[str]) -> str:
    return f"\\{match[0]}{_SEPARATOR if match[0] in _SEPARATED else ''}"


def _one_line(text: str) -> str:
    line = " ".join(_FORBIDDEN.sub("", text).split())
    return line if _first(line) else ""


def _first(text: str) -> str:
    """Find the first visible character of a text, in NFKC."""
    visible = (each for each in text if not _is_hidden(each) and not each.isspace())
    return unicodedata.normalize("NFKC", next(visible, ""))[:1]


def _shortened(text: str, most: int) -> str:
    if _units(text) <= most:
        return text
    room, start = most - 1, ""
    for each in text:
        room -= _units(each)
        if room < 0:
            break
        start += each
    return start.rstrip() + "…"


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@cache  # of the mark in each language
def _pattern(mark: str) -> re.Pattern[str]:
    """Match the letters of the mark after a bracket, with any punctuation between them."""
    letters = [re.escape(each) for each in _skeleton(mark) if each.isalnum()]
    return re.compile(r"\([\W_]*" + r"[\W_]*".join(letters) + r"(?:[^\w(]|_)*(?:\)|$)")


def _skeleton(text: str) -> str:
    """Replace each letter by the one that it looks like, and brackets by round ones; indexes stay valid."""
    return "".join(_prototype(each) for each in text)


@lru_cache(maxsize=_CACHED_CHARACTERS)  # a raid of newcomers brings a hundred a name
def _prototype(char: str) -> str:
    bracket = _ANGLES.get(char) or _BRACKETS.get(unicodedata.category(char))
    low = char.lower()[:1]
    return bracket or _PROTOTYPES.get(low, low)
