"""Names and descriptions of slash commands in the languages of the people who read them.

Discord shows each member a command in the language of their client, and sends it with its original name
(https://discord.com/developers/docs/interactions/application-commands#localization), so the rest of the
program never sees a translated one.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from discord import app_commands

from chatbot.kernel.say import Message
from chatbot.speech.words import Words, languages
from cogs.discord.lines import shortened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from discord import Locale

LONGEST_DESCRIPTION = 100
_NAME = re.compile(r"[-_'\w]{1,32}")
"""What Discord takes as a name, which must be lower case where letters have cases.

See https://discord.com/developers/docs/interactions/application-commands#application-command-object
"""


def language_for(locale: str) -> str | None:
    """Return the language of the program for one of Discord's locales, such as `ko` or `en-US`; or None."""
    codes = languages()
    return next((each for each in (locale, locale.partition("-")[0]) if each in codes), None)


def command_name(word: str, siblings: Sequence[str]) -> app_commands.locale_str:
    """Mark the name of a command for translation; `siblings` are those of all commands, itself included."""
    ids = {each: f"slash-name-{each}" for each in siblings}
    return app_commands.locale_str(word, siblings=tuple(ids.items()))


def option_name(name: str, siblings: Sequence[str]) -> app_commands.locale_str:
    """Mark the name of an option for translation; `siblings` are those of its command, itself included."""
    ids = {each: f"slash-option-{each}" for each in siblings}
    return app_commands.locale_str(name, siblings=tuple(ids.items()))


def description_of(text: str, message: str) -> app_commands.locale_str:
    """Mark a description for translation by the message of an id."""
    return app_commands.locale_str(text, message=message)


class SlashTranslator(app_commands.Translator):
    """Translates by the messages of the program; what is the same in a language is left out."""

    def __init__(self) -> None:
        """Translate nothing yet: languages are read when they are needed."""
        self._languages: dict[str, str | None] = {}

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: Locale,
        context: app_commands.TranslationContextTypes,  # noqa: ARG002
    ) -> str | None:
        """Return a name or a description in a locale, or None if it has none of its own there."""
        if (words := self._words_for(locale.value)) is None:
            return None
        extras = string.extras
        if "siblings" in extras:
            return _names(words, extras["siblings"]).get(string.message)
        if extras.get("message") not in words.ids:
            return None
        text = shortened(words.text(Message(extras["message"]), str), LONGEST_DESCRIPTION)
        return None if text == string.message else text

    def _words_for(self, locale: str) -> Words | None:
        """Return the words of a locale's language, if any; each text is asked for in 30 locales."""
        if locale not in self._languages:
            self._languages[locale] = language_for(locale)
        language = self._languages[locale]
        return None if language is None else self._words[language]

    @cached_property
    def _words(self) -> Mapping[str, Words]:
        return {each: Words(each) for each in languages()}


@lru_cache(maxsize=512)
def _names(words: Words, siblings: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    """Translate names that stand beside each other, which come with the ids of their messages.

    Discord refuses all commands for one name that is not valid or not unique, so such a name of a language
    or of a game from elsewhere is left as it is.
    """
    originals = {name for name, _ in siblings}
    translations = {
        name: words.text(Message(message), str) for name, message in siblings if message in words.ids
    }
    uses = Counter(translations.values())
    return {
        name: text
        for name, text in translations.items()
        if text not in originals and uses[text] == 1 and _valid(text)
    }


def _valid(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and name == name.lower()
