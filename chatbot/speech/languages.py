"""How each room is talked to: its language, the streamer's own texts, and what its credits are called."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from chatbot.settings.community import TERMS, CreditSettings
from chatbot.settings.room import AUTO, HABITS
from chatbot.speech.currency import forms
from chatbot.speech.words import ENGLISH, Words

if TYPE_CHECKING:
    from chatbot.rooms.room import Room

TEXTS = "texts"
"""The group of settings that holds a streamer's own texts."""

LINES = {
    "opening": "heist-opened",
    "entry": "heist-joined",
    "next-bank": "heist-reached",
    "late-entry": "heist-too-late",
    "cooldown": "cooldown",
    "cooldown-over": "rested",
    "small-crew": "heist-abandoned",
    "large-stake": "stake-too-large",
    "small-stake": "stake-too-small",
    "target": "heist-targeted",
    "getaway": "heist-getaway",
    "storming": "heist-storming",
    "solo-success": "heist-solo-success",
    "solo-failure": "heist-solo-failure",
    "all-escape": "heist-all-escape",
    "most-escape": "heist-most-escape",
    "few-escape": "heist-few-escape",
    "none-escape": "heist-none-escape",
    "results": "heist-results",
}
"""The lines that streamers reword most, by names that are easily remembered."""


def message_of(key: str) -> str:
    """Give the id of the message that a text is for."""
    return LINES.get(key, key)


class Languages:
    """`usual` are the words of the program, for whatever is said in no room."""

    def __init__(self, usual: Words) -> None:
        self.usual = usual

    def of(self, room: Room) -> Words:
        language = self.language(room)
        texts = room.settings(TEXTS)
        called = _called(TERMS.of(room), language)
        if not texts and not called and language == self.usual.language:
            return self.usual
        return _words(
            language, tuple(sorted((message_of(key), str(text)) for key, text in texts.items())), called
        )

    def language(self, room: Room) -> str:
        language = HABITS.of(room).language
        return self.usual.language if language == AUTO else language


def _called(terms: CreditSettings, language: str) -> tuple[str, ...]:
    """Give the forms of the credits' name, where it is another one than the words have.

    In a language for which there is no name of its own, credits are called as in English.
    """
    names = terms.names
    spoken = language if language in names else ENGLISH
    return forms(names[spoken]) if names[spoken] != _USUAL[spoken] else ()


_USUAL = CreditSettings().names


@lru_cache(maxsize=512)
def _words(language: str, texts: tuple[tuple[str, str], ...], called: tuple[str, ...]) -> Words:
    return Words(language, dict(texts), called)
