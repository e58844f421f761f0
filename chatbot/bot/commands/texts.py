"""The streamer's own texts: what may stand in them is checked, and a preview shows how they read."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import Kind, Option
from chatbot.kernel.say import Argument, Arguments, Credits, Listing, Message, Name, Quote, Say
from chatbot.kernel.suggestions import unknown
from chatbot.rooms.request import Request, Service
from chatbot.settings.changes import DEFAULT, Actor
from chatbot.settings.fields import Entries, selected
from chatbot.speech.languages import LINES, TEXTS, message_of
from chatbot.speech.words import named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.rooms.room import Room
    from chatbot.settings.changes import SettingsChanges
    from chatbot.speech.outbox import Outbox
    from chatbot.speech.words import Words

ARGUMENTS = '[KEY] ["TEXT" | default]'
LONGEST = 450  # characters, so that it can be typed in one message of Twitch
OFFERED = 100  # characters of what forms can suggest
# Forms, pages and proofs say what they are; what credits are called, and how the house's own players are
# marked, is not told line by line.
_OWN = re.compile(
    r"(page|option|form|slash|blank|discord|twitch|local|a|setting|unit|expects|fair|verify|credits|text"
    r"|chain)-.*|table-(bound|revealed|unrevealed)|addressed|amount|and-more|credits|currency"
    r"|house-player|name|nothing|word"
)
_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "「": "」", "'": "'"}
_UNSEEN = {"Cc", "Cf", "Co", "Cs", "Cn"}
_KEPT = "\N{ZERO WIDTH JOINER}"  # makes one picture of several
_HEIST: Mapping[str, Argument] = {"bank": Message("heist-bank-2"), "answer": Message("heist-act-guncheck")}
_NUMBERS = {
    "seconds": 30, "crew": 7, "wanted": 2, "won": 5, "went": 7, "rabble": 12, "committed": 6, "heisters": 7,
}  # fmt: skip
_AMOUNTS = {"stake": 69, "least": 10, "most": 5000, "staked": 483, "balance": 240, "entry": 50}
_SAMPLES: Mapping[str, Argument] = {
    **_HEIST,
    **_NUMBERS,
    **{name: Credits(amount) for name, amount in _AMOUNTS.items()},
    "word": "!heist",
    "game": Message("game-heist"),
}


class Texts:
    """`group` holds them by the keys of `LINES`, or by the ids of other messages."""

    def __init__(self, settings_changes: SettingsChanges, outbox: Outbox) -> None:
        self._settings_changes, self._outbox = settings_changes, outbox
        expected = Message("expects-text", {"most": LONGEST})
        example = "entry", "{who} sneaks in with {stake}."
        self.group = Entries(TEXTS, self._entry, expected, example, default=self._usual, words=("text",))
        options = Option("key", Kind.WORD, suggest=_keys), Option("text", Kind.TEXT, suggest=self._present)
        self.services = (Service("text", self._text, ARGUMENTS, Role.MODERATOR, options, form=self._typed),)

    async def _text(self, asked: Request) -> Sequence[Say]:
        return [asked.answer(each) for each in await self._answer(asked)]

    async def _answer(self, asked: Request) -> Sequence[Message]:
        if not asked.words:
            return [self._listed(asked.room)]
        key, words = asked.words[0], asked.words[1:]
        if not words:
            return [self._shown(asked.room, self.group.find(selected(self.group, asked.room), key).key)]
        text = None if len(words) == 1 and words[0].lower() == DEFAULT else _read(asked, words)
        _, after = await self._settings_changes.put(
            Actor.of(asked), TEXTS, key, DEFAULT if text is None else text
        )
        return self._changed(asked, after.key, text)

    # What it says

    def _listed(self, room: Room) -> Message:
        changed = self._chosen(room)
        args: Arguments = {"keys": ", ".join(LINES), "changed": ", ".join(changed), "count": len(changed)}
        return Message("text-list", args)

    def _shown(self, room: Room, key: str) -> Message:
        words = self._outbox.languages.of(room)
        places = _places(words.placeholders(message_of(key)))
        return Message("text-shown", {"key": key, "text": words.typed(message_of(key)), "places": places})

    def _changed(self, asked: Request, key: str, text: str | None) -> Sequence[Message]:
        words = self._outbox.languages.of(asked.room)
        message = message_of(key)
        preview = Message(message, _samples(asked, words, message))
        told = Message("text-back" if text is None else "text-set", {"key": key, "preview": preview})
        missing = [] if text is None else _missing(words, message, text)
        return [told, *([Message("text-without", {"places": _places(missing)})] if missing else [])]

    # What is stored

    def _entry(self, key: str, text: str) -> tuple[str, str]:
        message = message_of(key.lower())
        if message not in self._outbox.words.ids or _OWN.fullmatch(message):
            raise unknown(Message("text-unknown", {"key": Quote(key)}), key, [*LINES, *self._others()])
        short = next((each for each, line in LINES.items() if line == message), message)
        plain, known = _plain(text), self._outbox.words.placeholders(message)
        wrong = [each for each in named(plain) if each not in known]
        if wrong:
            args: Arguments = {"place": Quote(wrong[0]), "key": short, "known": _places(known) or "-"}
            raise Refusal(Message("text-wrong-place", args))
        if not 0 < len(plain) <= LONGEST:
            raise Refusal(Message("text-length", {"most": LONGEST}))
        return short, plain

    def _usual(self, key: str) -> str:
        words, message = self._outbox.words, message_of(key.lower())
        return words.typed(message) if message in words.ids else ""

    def _others(self) -> Sequence[str]:
        return sorted(each for each in self._outbox.words.ids if not _OWN.fullmatch(each))

    def _chosen(self, room: Room) -> Mapping[str, object]:
        return room.settings(TEXTS)

    def _typed(self, room: Room, given: Mapping[str, str]) -> str:
        """Tell a text as it would be typed."""
        words, message = self._outbox.languages.of(room), message_of(given.get("key", "").lower())
        return words.typed(message) if message in words.ids and not _OWN.fullmatch(message) else ""

    def _present(self, room: Room, given: Mapping[str, str]) -> Sequence[str]:
        """Offer the text that there is, to begin from, if it fits into a list."""
        known = self._typed(room, given)
        return [*([known] if 0 < len(known) <= OFFERED else []), DEFAULT]


def _keys(room: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG001
    return list(LINES)


def _read(asked: Request, words: Sequence[str]) -> str:
    """Read what was typed: whoever is mentioned stands in it by name, and quotation marks are left out."""
    text = " ".join(words)
    for seat, name in asked.line.named.items():
        text = text.replace(f"@{seat}", f"@{name}")
    inside = len(text) > 1 and _QUOTES.get(text[0]) == text[-1]
    return text[1:-1].strip() if inside else text


def _plain(text: str) -> str:
    """Bring a text into one line without anything unseen."""
    line = " ".join(text.split())
    return "".join(each for each in line if each == _KEPT or unicodedata.category(each) not in _UNSEEN)


def _missing(words: Words, message: str, text: str) -> list[str]:
    present = named(text)
    return [each for each in words.placeholders(message) if each not in present]


def _places(names: Sequence[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in names)


def _samples(asked: Request, words: Words, message: str) -> dict[str, Argument]:
    """Give something for each placeholder, so that a text can be read."""
    row = Message("heist-result-escaped", {"net": "+42", "won": Credits(111)})
    who: Argument = Name(asked.line.seat)
    fitting = {"who": who, "results": Listing((Message("heist-result", {"who": who, "result": row}),))}
    known = {**_SAMPLES, **fitting, **dict.fromkeys(words.counted(message), 12)}
    return {name: known.get(name, f"({name})") for name in words.placeholders(message)}
