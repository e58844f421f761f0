"""The settings of a room that belong to no single game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator

from chatbot.kernel.say import Message, Talk
from chatbot.kernel.settings import Flag
from chatbot.live.wording.words import language_of, languages
from chatbot.settings.groups import Fields

AUTO = "auto"
"""In the place of a language: that of the program."""


def _language(text: str) -> str:
    language = AUTO if text.lower() == AUTO else language_of(text)
    if language is None:
        raise ValueError("no language that there are words for")
    return language


Language = Annotated[
    str,
    AfterValidator(_language),
    Message("expects-one-of", {"choices": ", ".join((AUTO, *languages()))}),
]


@dataclass(frozen=True, slots=True)
class Habits:
    talk: Talk = Talk.NORMAL
    language: Language = AUTO
    hints: Flag = True
    suggestions: Flag = True
    paused: Flag = False
    only_live: Flag = False
    proofs: Flag = False


HABITS = Fields("room", Habits, words={"talk": ("talk",), "paused": ("pause", "unpause")})
