"""Select the words of each room: its language, themes, the streamer's own texts, the name of its credits."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from typing import TYPE_CHECKING

from chatbot.runtime.limits import remember
from chatbot.settings.community import TERMS, CreditSettings
from chatbot.settings.fields import THEME
from chatbot.settings.room import AUTO, HABITS
from chatbot.speech import themes
from chatbot.speech.currency import forms
from chatbot.speech.words import ENGLISH, Words, language_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.rooms.room import Room
    from chatbot.settings.fields import AnySelection

REMEMBERED = 5_000  # rooms whose words are at hand; those of others are looked up by their settings
TEXTS = "texts"
"""The group of settings that holds a streamer's own texts."""

TEXT_KEYS = {
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
"""Message ids of the texts that streamers replace most, by short keys that are easy to remember."""


def message_of(key: str) -> str:
    """Return the id of the message that a text replaces, for a short key or for the id itself."""
    return TEXT_KEYS.get(key, key)


class Languages:
    """The words of every room; `default` are those of the program, for messages that belong to no room."""

    def __init__(self, default: Words) -> None:
        self.default = default
        self._groups = HABITS.name, TERMS.name, TEXTS, *themes.themed_games()  # which the words depend on
        # By room, with the selections of those groups from which the words were made.
        self._cache: OrderedDict[str, tuple[tuple[AnySelection | None, ...], Words]] = OrderedDict()

    def of(self, room: Room) -> Words:
        """Return the words of a room; they are made again when its settings change."""
        selections = tuple(map(room.chosen.get, self._groups))
        entry = self._cache.get(room.id)
        if entry is not None and entry[0] == selections:
            return entry[1]
        words = self._make(room)
        remember(self._cache, room.id, (selections, words), REMEMBERED)
        return words

    def trial(self, room: Room, texts: Mapping[str, str], theme: tuple[str, str] | None = None) -> Words:
        """Return the words of a room with other texts of the streamer, by key, and another theme of a game.

        They are not remembered: whoever types a text looks at it once for each letter.
        """
        themes_of_games = dict(_chosen_themes(room)) | (dict([theme]) if theme else {})
        own = tuple((message_of(key), text) for key, text in texts.items())
        currency = _currency_forms(TERMS.of(room), self.language(room))
        return _words.__wrapped__(self.language(room), own, currency, tuple(themes_of_games.items()))

    def _make(self, room: Room) -> Words:
        """Return the words of a room; up to 512 combinations of settings are cached."""
        language = self.language(room)
        texts = room.settings(TEXTS)
        currency, theme_choices = _currency_forms(TERMS.of(room), language), _chosen_themes(room)
        if not texts and not currency and not theme_choices and language == self.default.language:
            return self.default
        own = tuple(sorted((message_of(key), str(text)) for key, text in texts.items()))
        return _words(language, own, currency, theme_choices)

    def named(self, language: str) -> Words:
        """Return the words of a language, by its code; of the program where there is no such language.

        A code may have a region, as that of a browser has: `ko-KR` is Korean.
        """
        code = language_of(language) or language_of(language.partition("-")[0])
        return self.default if code is None else _words(code, (), (), ())

    def language(self, room: Room) -> str:
        """Return the code of a room's language."""
        language = HABITS.of(room).language
        return self.default.language if language == AUTO else language


_DEFAULT_NAMES = CreditSettings().names


def currency_names(room: Room) -> frozenset[str]:
    """Return all forms, casefolded, of the default name of credits and of that of a room.

    They are those of every language: people type the name of credits in their own.
    """
    return _names(TERMS.of(room))


@lru_cache(maxsize=512)
def _names(terms: CreditSettings) -> frozenset[str]:
    texts = (*_DEFAULT_NAMES.values(), *terms.names.values())
    return frozenset(form.casefold() for text in texts for form in forms(text))


def _currency_forms(terms: CreditSettings, language: str) -> tuple[str, ...]:
    """Return the forms of the credits' name; none where it is the default, which the words contain.

    A language for which no name is set uses the English one.
    """
    names = terms.names
    source = language if language in names else ENGLISH
    return forms(names[source]) if names[source] != _DEFAULT_NAMES[source] else ()


def _chosen_themes(room: Room) -> tuple[tuple[str, str], ...]:
    """List the games in whose settings a theme was chosen, with that theme."""
    theme_choices = ((game, room.settings(game).get(THEME)) for game in themes.themed_games())
    return tuple((game, str(theme)) for game, theme in theme_choices if theme is not None)


@lru_cache(maxsize=512)
def _words(
    language: str,
    texts: tuple[tuple[str, str], ...],
    currency: tuple[str, ...],
    theme_choices: tuple[tuple[str, str], ...],
) -> Words:
    themed = [each for game, theme in theme_choices for each in themes.messages(game, theme, language)]
    return Words(language, dict(texts), currency, themed)
