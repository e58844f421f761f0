"""What moderators write at the desk: texts and themes, as they would be told before they are."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pydantic import Field
from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.bot.commands.texts import LONGEST_TEXT, MOST_TEXTS
from chatbot.kernel.say import Message
from chatbot.rooms.languages import TEXT_KEYS, TEXTS
from chatbot.settings.fields import THEME, OfGame, selected
from chatbot.speech import themes
from chatbot.web.api.endpoints import Call, Endpoint, EndpointBody, EndpointQuery
from chatbot.web.tokens import READ

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.bot.bot import Bot
    from chatbot.bot.commands.texts import OwnTexts, TrialText

CURRENCY = Message("currency")
MOST_FOUND = 60  # texts in one answer
MOST_LINES = 6  # by which a theme is shown
MOST_TYPED = LONGEST_TEXT * 2  # characters that are looked at, so that a text that is too long is told so


class TextRow(TypedDict):
    """A text that can be changed: as it is typed, and the streamer's own, in whose place it is told."""

    key: str
    text: str
    own: list[str]
    placeholders: list[str]


class TextList(TypedDict):
    """Texts that were found; `most` and `longest` are the limits of a streamer's own."""

    rows: list[TextRow]
    most: int
    longest: int


class TrialRow(TypedDict):
    """A text as it would be told with sample values, and the placeholders that it leaves out."""

    text: str
    told: str
    missing: list[str]


class ThemeRow(TypedDict):
    """A theme of a game, with lines as they would be told."""

    name: str
    chosen: bool
    lines: list[str]


class ThemedGame(TypedDict):
    """The themes of a game; `own` are keys of the streamer's own texts, which go before every theme."""

    game: str
    title: str
    own: list[str]
    themes: list[ThemeRow]


class RoomWords(TypedDict):
    """Texts of the desk that a room has otherwise, by their ids: those with its name for credits."""

    words: dict[str, str]


class TextQuery(EndpointQuery):
    """What is sought."""

    q: str = Field("", max_length=100, description="A part of a key or of a text; empty: the usual ones.")


class TriedText(EndpointBody):
    """A text that is looked at; several stand in one with ` || ` between them."""

    key: str = Field(max_length=100, description="The key of the text.")
    text: str = Field("", max_length=MOST_TYPED, description="The text; empty: what is told now.")


class DeskWordEndpoints:
    """Shows texts and themes."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        return [
            Endpoint(
                "GET",
                "/desk/words",
                "Read the texts of the desk that name credits as this room does.",
                self._words,
                RoomWords,
                word="settings",
                scope=READ,
            ),
            Endpoint(
                "GET",
                "/desk/texts",
                "Find texts that can be changed.",
                self._list,
                TextList,
                word="text",
                scope=READ,
                query=TextQuery,
            ),
            Endpoint(
                "POST",
                "/desk/texts/preview",
                "See how a text would be told, without changing it.",
                self._try,
                list[TrialRow],
                word="text",
                scope=READ,
                body=TriedText,
                looks=True,
            ),
            Endpoint(
                "GET",
                "/desk/themes",
                "Read the themes of the games, with lines of each.",
                self._themes,
                list[ThemedGame],
                word="settings",
                scope=READ,
            ),
        ]

    async def _words(self, call: Call) -> RoomWords:
        languages = self._bot.outbox.languages
        own, plain = languages.of(call.room), languages.named(languages.language(call.room))
        if own.text(CURRENCY, str) == plain.text(CURRENCY, str):
            return RoomWords(words={})
        ids = sorted(each for each in plain.ids if each.startswith("desk-") and not plain.placeholders(each))
        told = await asyncio.to_thread(lambda: {each: own.text(Message(each), str) for each in ids})
        return RoomWords(
            words={each: text for each, text in told.items() if text != plain.text(Message(each), str)}
        )

    async def _list(self, call: Call) -> TextList:
        sought = call.query.q.strip().casefold()
        # Beside everything else: the first search in a language parses all of its messages.
        rows = await asyncio.to_thread(self._bot.parts.texts.search, call.room, sought, MOST_FOUND)
        return TextList(rows=[_row(each) for each in rows], most=MOST_TEXTS, longest=LONGEST_TEXT)

    async def _try(self, call: Call) -> list[TrialRow]:
        trials = self._bot.parts.texts.trial(call.room, call.body.key, call.body.text, call.principal.name)
        return [_trial(each) for each in trials]

    async def _themes(self, call: Call) -> list[ThemedGame]:
        groups = [each for each in self._bot.parts.groups.values() if isinstance(each, OfGame)]
        return [self._themed(call, each) for each in groups if THEME in each.names]

    def _themed(self, call: Call, group: OfGame) -> ThemedGame:
        bot, room = self._bot, call.room
        chosen = group.find(selected(group, room), THEME).value
        keys = _told_keys(group.name, group.names[THEME], bot.outbox.languages.language(room))
        own = [
            each for each in room.settings(TEXTS) if TEXT_KEYS.get(each, each).startswith(f"{group.name}-")
        ]
        return ThemedGame(
            game=group.name,
            title=bot.outbox.text(Message(f"game-{group.name}"), room=room),
            own=own,
            themes=[
                ThemeRow(name=each, chosen=each == chosen, lines=self._lines(call, group.name, each, keys))
                for each in group.names[THEME]
            ],
        )

    def _lines(self, call: Call, game: str, theme: str, keys: list[str]) -> list[str]:
        texts, name = self._bot.parts.texts, call.principal.name
        return [texts.told(call.room, key, name, theme=(game, theme)) for key in keys]


def _told_keys(game: str, names: Sequence[str], language: str) -> list[str]:
    """List the messages by which themes are told apart: the usual texts first that a theme replaces."""
    replaced = {each.id.name for name in names for each in themes.messages(game, name, language)}
    usual = [each for each in TEXT_KEYS.values() if each in replaced]
    return [*usual, *sorted(replaced - set(usual))][:MOST_LINES]


def _row(texts: OwnTexts) -> TextRow:
    return TextRow(
        key=texts.key, text=texts.typed, own=list(texts.own), placeholders=list(texts.placeholders)
    )


def _trial(trial: TrialText) -> TrialRow:
    return TrialRow(text=trial.text, told=trial.told, missing=list(trial.missing))
