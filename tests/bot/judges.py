"""What chats act on, from what the platforms document: finds it in a text, whoever wrote that.

The forms of Discord: https://docs.discord.com/developers/reference#message-formatting and
https://support.discord.com/hc/en-us/articles/210298617; those of Twitch: https://help.twitch.tv/s/article/chat-commands.
"""

from __future__ import annotations

import re
import unicodedata

import discord

_ADDRESS = re.compile(
    r"""
      [a-z][\w+-]*://                           # a scheme
    | [^\W_](?:[\w-]*)[.\u3002\uff0e\uff61][^\W\d_]  # evil.com, in any script
    | \d+[.\u3002]\d+[.\u3002]\d+               # an IP address
    | \w@\w                                     # an e-mail address
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CALL = re.compile(
    r"""
      @(?:everyone|here)
    | <(?:@[!&]?|\#|/[^<>:]+:|a?:\w+:)\d+>       # people, roles, channels, commands, emoji
    | <t:-?\d+(?::\w)?>                         # a moment
    | <id:[\w-]+>                               # a page of the server
    | <[^:\ >]+:/[^\ >]+>                       # a link, whatever the scheme
    """,
    re.VERBOSE | re.IGNORECASE,
)
_INVITE = re.compile(r"discord(?:\.gg|\.new|(?:app)?\.com/invite)/?\w", re.IGNORECASE)
_ESCAPE = re.compile(r"\\[^0-9A-Za-z\s]")
_MARKDOWN = re.compile(
    r"""
      ^\s*(?:\#{1,3}\ |-\#\ |>|[-*+]\ |\d+[.]\ )  # headings, quotes, lists
    | [*_`~|\\<]                                  # what opens or closes anything else
    | \[[^\]]*\]\(                                # masked links
    | :\w+:                                       # emoji
    """,
    re.VERBOSE | re.MULTILINE,
)
_TWITCH_MENTION = re.compile(r"@\w")


def discord_acts(content: str) -> list[str]:
    """Find what Discord or its client library would act on in the content of a message."""
    found = [each for form in (content, unicodedata.normalize("NFKC", content)) for each in _discord(form)]
    return found + _library(content)


def twitch_acts(text: str) -> list[str]:
    """Find what Twitch would act on in a part of a message, also where it skips unseen characters."""
    unseen = "".join(each for each in text if unicodedata.category(each) != "Cf")
    forms = (text, unicodedata.normalize("NFKC", text), unseen)
    return [found[0] for form in forms for found in _ADDRESS.finditer(form)]


def twitch_mentions(text: str) -> list[str]:
    unseen = "".join(each for each in text if unicodedata.category(each) != "Cf")
    return _TWITCH_MENTION.findall(unseen) + _TWITCH_MENTION.findall(unicodedata.normalize("NFKC", text))


def commanding(message: str) -> bool:
    """Whether a message begins as commands of Twitch or of common bots do."""
    folded = unicodedata.normalize("NFKC", message)
    seen = [each for each in folded if unicodedata.category(each) not in {"Cf", "Cc"} and not each.isspace()]
    return bool(seen) and seen[0] in "/.!?$%^&~-+=;:,>|\\#*"


def waking(content: str) -> bool:
    """Whether a message on Discord begins with a sign that bots there listen for."""
    folded = unicodedata.normalize("NFKC", content)
    seen = [each for each in folded if unicodedata.category(each) != "Cf"]
    return seen[0] in "!?$%^&~-+=;:,.>|#*/{}[]()<@_`"


def shown_by_discord(content: str) -> str:
    """Take away what Discord does not show: the backslashes, and what has no width."""
    shown = re.sub(r"\\([^0-9A-Za-z\s])", r"\1", content)
    return "".join(each for each in shown if unicodedata.category(each) != "Cf")


def _discord(content: str) -> list[str]:
    bare = _ESCAPE.sub("\ue000", content)
    shown = re.sub(r"\\([^0-9A-Za-z\s])", r"\1", content)
    return [
        *(each[0] for each in _CALL.finditer(content)),
        *(each[0] for each in _INVITE.finditer(content)),
        *(each[0] for each in _MARKDOWN.finditer(bare)),
        *(each[0] for text in (content, shown) for each in _ADDRESS.finditer(text)),
    ]


def _library(content: str) -> list[str]:
    """Ask discord.py, which reads the same forms for its own ends."""
    message = discord.Message.__new__(discord.Message)
    message.content = content
    calls = [*message.raw_mentions, *message.raw_role_mentions, *message.raw_channel_mentions]
    patterns = (discord.utils.TIMESTAMP_PATTERN, discord.PartialEmoji._CUSTOM_EMOJI_RE)
    bare = _ESCAPE.sub("\ue000", content)
    plain = discord.utils.remove_markdown(bare, ignore_links=False)
    return [
        *(str(each) for each in calls),
        *(each[0] for pattern in patterns for each in pattern.finditer(content) if each[0][0] == "<"),
        *([] if plain == bare else [f"{bare} without its markdown is {plain}"]),
    ]
