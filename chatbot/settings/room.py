"""The settings of a room that are not those of a game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated

from pydantic import AfterValidator

from chatbot.kernel.say import Message, Talk
from chatbot.kernel.settings import Flag
from chatbot.settings import sites
from chatbot.settings.fields import Fields
from chatbot.speech.words import language_of, languages

AUTO = "auto"
"""The value of `language` that stands for the language of the program."""
LANGUAGE = "language"
"""The key of the setting of a room's language."""
THREADS = "threads"
"""The key of the setting that gives a long table a thread in Discord."""


def _language(text: str) -> str:
    language = AUTO if text.lower() == AUTO else language_of(text)
    if language is None:
        raise ValueError("no language that there are words for")
    return language


Language = Annotated[
    str,
    AfterValidator(_language),
    Message("expects-language", {"choices": ", ".join((AUTO, *languages()))}),
]

Sites = Annotated[
    str,
    AfterValidator(sites.checked),
    Message("expects-sites", {"most": sites.MOST_SITES, "example": "https://example.com"}),
]

OFF = "off"


class Announcements(Enum):
    """The colours in which platforms may announce how tables came out; the primary one is the channel's."""

    OFF = OFF
    PRIMARY = "primary"
    BLUE = "blue"
    GREEN = "green"
    ORANGE = "orange"
    PURPLE = "purple"


@dataclass(frozen=True, slots=True)
class RoomSettings:
    """The settings of the group `room`."""

    talk: Talk = Talk.NORMAL
    language: Language = AUTO
    hints: Flag = True
    suggestions: Flag = True
    paused: Flag = False
    only_live: Flag = False
    proofs: Flag = False
    threads: Flag = False
    announcements: Announcements = Announcements.OFF
    board: Flag = False
    board_sites: Sites = sites.NONE


HABITS = Fields(
    "room",
    RoomSettings,
    words={"talk": ("talk",), "paused": ("pause", "unpause")},
    reserved=frozenset({"board", "board_sites"}),  # what leaves the chat is for its owner to say
)
