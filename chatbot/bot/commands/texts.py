"""The command `!text`, by which moderators replace messages; texts are validated, and a preview is shown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Annotated

from chatbot.bot.arguments import Current, Shown, Suggested, Text
from chatbot.bot.command import command
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.say import Argument, Arguments, Credits, Listing, Message, Name, Quote, Say
from chatbot.kernel.suggestions import unknown
from chatbot.rooms.languages import TEXT_KEYS, TEXTS, message_of
from chatbot.rooms.request import Request, as_typed, usage
from chatbot.rooms.settings.changes import Actor
from chatbot.settings.fields import DEFAULT, Entries, selected
from chatbot.speech.visible import is_unseen
from chatbot.speech.words import SEPARATOR, placeholder_names, separate

if TYPE_CHECKING:
    from chatbot.delivery.outbox import Outbox
    from chatbot.rooms.room import Room
    from chatbot.rooms.settings.changes import SettingsChanges
    from chatbot.settings.fields import Setting
    from chatbot.speech.words import Words

VALUES = '"TEXT" | add "TEXT" | remove NUMBER | default'
ARGUMENTS = f"[KEY] [{VALUES}]"
ADD, REMOVE = "add", "remove"
LONGEST_TEXT = 450  # characters, so that the command fits into one Twitch message
MOST_TEXTS = 10  # for one message
LONGEST_SUGGESTION = 100  # characters that a form can suggest
# Not replaceable: messages of forms, pages, proofs, confirmations and audits, and of what moderators have
# changed, taken back or called off, whose meaning must not change, and those
# that are parts of other messages, such as the name of credits and the mark of house players.
_FIXED = re.compile(
    r"(page|option|form|slash|blank|discord|twitch|local|a|settings?|unit|expects|fair|verify|credits|text"
    r"|chain|confirm|audit|change|desk|enter|setup|token|key)-.*|answer-lost|not-heard"
    r"|change-set(-undo|-why)?|because|grant-ask|granted-confirmed|consented|raise-.*"
    r"|link-(code|offer)|bridge-code|preset-(ask|chosen|overwrites)|undo-done|season-(end-ask|resets-.*)|table-(bound|revealed|unrevealed|void-.*)|addressed|amount|and-more|credits|currency"
    r"|house-player|name|nothing|word"
)
_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "「": "」", "'": "'"}
_UNKNOWN = {"Co", "Cn"}  # private use, or not assigned: nobody knows how they are drawn
_JOINERS = "\N{ZERO WIDTH JOINER}\ufe0f"  # combine several emoji into one, or a sign into an emoji
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


@dataclass(frozen=True, slots=True)
class OwnTexts:
    """The texts of a message in a room: `typed` as told now, and `own` those of the streamer, if any."""

    key: str
    typed: str
    own: tuple[str, ...]
    placeholders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrialText:
    """A text that is not set, as it would be told with sample values, and the placeholders it leaves out."""

    text: str
    told: str
    missing: tuple[str, ...]


class Texts:
    """The command `!text`; `group` holds texts by the keys of `TEXT_KEYS`, or by ids of messages."""

    def __init__(self, settings_changes: SettingsChanges, outbox: Outbox) -> None:
        self._settings_changes, self._outbox = settings_changes, outbox
        expected = Message("expects-text", {"most": LONGEST_TEXT})
        example = "entry", "{who} sneaks in with {stake}."
        self.group = Entries(TEXTS, self._entry, expected, example, default=self._default, words=("text",))

    @command("text", Role.MODERATOR)
    async def answer(
        self,
        request: Request,
        key: Annotated[str, Suggested(_keys)] = "",
        text: Annotated[Text, Suggested(_suggestions), Current(_current), Shown(VALUES)] = "",
    ) -> Sequence[Say]:
        messages = await self._answer(request, [key, *text.split()]) if key else [self._list(request.room)]
        return [request.answer(each) for each in messages]

    async def _answer(self, request: Request, arguments: Sequence[str]) -> Sequence[Message]:
        key, *words = _reordered(arguments)
        if not words:
            return [self._show(request.room, self.group.find(selected(self.group, request.room), key).key)]
        if len(words) == 1 and words[0].lower() in {ADD, REMOVE}:
            raise usage("text", ARGUMENTS)
        if words[0].lower() == ADD and _read(request, words[1:]).lower() == DEFAULT:
            raise usage("text", ARGUMENTS)  # it would be none of the streamer's own
        if words[0].lower() == ADD:
            return await self._add(request, key, _read(request, words[1:]))
        if words[0].lower() == REMOVE and len(words) == 2:
            return [await self._remove(request, key, words[1])]
        text = _read(request, words)
        _, after = await self._settings_changes.put(Actor.of(request), TEXTS, key, text)
        return self._changed(request, after.key, None if text.lower() == DEFAULT else text)

    async def _add(self, request: Request, key: str, text: str) -> Sequence[Message]:
        """Add a text to the streamer's own for a message, of which it may be the first."""
        before = self._own(request.room, key)
        _, after = await self._put(request, key, [*before, text])
        message, present = message_of(after.key), self._own(request.room, key)
        if present == before:
            return [Message("text-there", {"key": after.key})]
        words = self._outbox.languages.of(request.room)
        preview = Message(message, _samples(Name(request.line.seat), words, message), len(present) - 1)
        args: Arguments = {"key": after.key, "count": len(present), "preview": preview}
        return [Message("text-added", args), *_without(words, message, text)]

    async def _remove(self, request: Request, key: str, number: str) -> Message:
        """Remove one of the streamer's own texts for a message, by its number from 1."""
        present = self._own(request.room, key)
        place = int(number) if number.isascii() and number.isdecimal() and len(number) < 4 else 0
        if not 1 <= place <= len(present):
            raise Refusal(Message("text-not-there", {"key": Quote(key), "count": len(present)}))
        left = present[: place - 1] + present[place:]
        _, after = await self._put(request, key, left)
        if not left:
            return self._changed(request, after.key, None)[0]
        args: Arguments = {"key": after.key, "number": place, "text": Quote(present[place - 1])}
        return Message("text-removed", {**args, "count": len(left)})

    async def _put(self, request: Request, key: str, texts: Sequence[str]) -> tuple[Setting, Setting]:
        text = SEPARATOR.join(texts) if texts else DEFAULT
        return await self._settings_changes.put(Actor.of(request), TEXTS, key, text)

    def _own(self, room: Room, key: str) -> list[str]:
        """List the streamer's own texts for a message."""
        setting_key = self.group.find(selected(self.group, room), key).key
        return separate(str(self._choices(room).get(setting_key, "")))

    # Pages

    def search(self, room: Room, sought: str, most: int) -> list[OwnTexts]:
        """List texts whose key or wording contains what is sought; for nothing, those that streamers replace.

        The first search in a language parses a thousand messages, which takes a second.
        """
        short = [*TEXT_KEYS, *(each for each in self._choices(room) if each not in TEXT_KEYS)]
        if not sought:
            return [self.described(room, key) for key in short[:most]]
        messages = set(map(message_of, short))
        keys = [*short, *(each for each in self._others() if each not in messages)]
        texts = (self.described(room, key) for key in keys)
        matching = (each for each in texts if sought in f"{each.key} {each.typed}".casefold())
        return list(islice(matching, most))

    def described(self, room: Room, key: str) -> OwnTexts:
        """Return the texts for a key.

        Raises:
            Refusal: there is no such text, or it cannot be changed.
        """
        key, message = self._known(key)
        words, own = self._outbox.languages.of(room), separate(str(self._choices(room).get(key, "")))
        return OwnTexts(key, words.typed(message), tuple(own), tuple(words.placeholders(message)))

    def trial(self, room: Room, key: str, text: str, name: str) -> list[TrialText]:
        """Return how a text would be told, or several, to somebody of a name; empty: as told now.

        Raises:
            Refusal: the text would be refused.
        """
        languages, own = self._outbox.languages, dict(self._choices(room))
        if text:
            key, own[key] = self._entry(key, text)
        else:
            key, _ = self._known(key)
        message = message_of(key)
        words = languages.trial(room, {name: str(each) for name, each in own.items()})
        texts = separate(str(own.get(key, ""))) or [words.typed(message)]
        samples = _samples(Quote(name), words, message)
        return [
            TrialText(
                each,
                words.text(Message(message, samples, variant), self._outbox.name),
                tuple(_missing(words, message, each)) if key in own else (),
            )
            for variant, each in enumerate(texts)
        ]

    def told(self, room: Room, message: str, name: str, theme: tuple[str, str]) -> str:
        """Return a message as it would be told in a theme of a game, without texts of the streamer."""
        words = self._outbox.languages.trial(room, {}, theme)
        return words.text(Message(message, _samples(Quote(name), words, message)), self._outbox.name)

    # Answers

    def _list(self, room: Room) -> Message:
        texts = self._choices(room)
        args: Arguments = {"keys": ", ".join(TEXT_KEYS), "changed": ", ".join(texts), "count": len(texts)}
        return Message("text-list", args)

    def _show(self, room: Room, key: str) -> Message:
        words, own = self._outbox.languages.of(room), self._own(room, key)
        placeholders = words.placeholders(message_of(key))
        places: Arguments = {"places": _places(placeholders), "count": len(placeholders)}
        if len(own) > 1:
            rows = tuple(
                Message("text-numbered", {"number": number, "text": text})
                for number, text in enumerate(own, 1)
            )
            listing = Listing(rows, most=MOST_TEXTS, separator=" ")
            return Message("text-shown", {"key": key, "text": listing, **places})
        return Message("text-shown", {"key": key, "text": words.typed(message_of(key)), **places})

    def _changed(self, request: Request, key: str, text: str | None) -> Sequence[Message]:
        words = self._outbox.languages.of(request.room)
        message = message_of(key)
        preview = Message(message, _samples(Name(request.line.seat), words, message))
        result = Message("text-back" if text is None else "text-set", {"key": key, "preview": preview})
        return [result, *([] if text is None else _without(words, message, text))]

    # Settings

    def _entry(self, key: str, text: str) -> tuple[str, str]:
        short, message = self._known(key)
        texts = list(dict.fromkeys(separate(_plain(text))))
        placeholders = self._outbox.words.placeholders(message)
        unknown_names = [each for one in texts for each in placeholder_names(one) if each not in placeholders]
        if unknown_names:
            args: Arguments = {
                "place": Quote(unknown_names[0]),
                "key": short,
                "known": _places(placeholders) or "-",
            }
            raise Refusal(Message("text-wrong-place", args))
        if not texts or max(map(len, texts)) > LONGEST_TEXT:
            raise Refusal(Message("text-length", {"most": LONGEST_TEXT}))
        if len(texts) > MOST_TEXTS:
            raise Refusal(Message("text-most", {"key": short, "most": MOST_TEXTS}))
        return short, SEPARATOR.join(texts)

    def _known(self, key: str) -> tuple[str, str]:
        """Return the short key of a message, if it has one, and its id.

        Raises:
            Refusal: there is no such message, or it cannot be replaced.
        """
        message = message_of(key.lower())
        if message not in self._outbox.words.ids or _FIXED.fullmatch(message):
            raise unknown(Message("text-unknown", {"key": Quote(key)}), key, [*TEXT_KEYS, *self._others()])
        return next((each for each, line in TEXT_KEYS.items() if line == message), message), message

    def _default(self, key: str) -> str:
        words, message = self._outbox.words, message_of(key.lower())
        return words.typed(message) if message in words.ids else ""

    def _keys(self, room: Room, values: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        return [*TEXT_KEYS, *self._others()]

    def _others(self) -> Sequence[str]:
        return sorted(each for each in self._outbox.words.ids if not _FIXED.fullmatch(each))

    def _choices(self, room: Room) -> Mapping[str, object]:
        return room.settings(TEXTS)

    def _current(self, room: Room, values: Mapping[str, str]) -> str:
        """Return the present text of a message as it would be typed; empty if it is not replaceable."""
        words, message = self._outbox.languages.of(room), message_of(values.get("key", "").lower())
        return words.typed(message) if message in words.ids and not _FIXED.fullmatch(message) else ""

    def _suggestions(self, room: Room, values: Mapping[str, str]) -> Sequence[str]:
        """Suggest the present text, if it is short enough, and the default."""
        current = self._current(room, values)
        return [*([current] if 0 < len(current) <= LONGEST_SUGGESTION else []), DEFAULT]


def _reordered(words: Sequence[str]) -> Sequence[str]:
    """Put the key first: `!text add entry …` is understood like `!text entry add …`."""
    return [words[1], words[0], *words[2:]] if words[0].lower() in {ADD, REMOVE} and words[1:] else words


def _read(request: Request, words: Sequence[str]) -> str:
    """Return the text that was typed, with mentions as names, and without quotation marks around it.

    Of several texts, each may have quotation marks of its own.
    """
    text = as_typed(request.line, " ".join(words))
    parts = separate(text)
    if len(parts) > 1 and all(map(_quoted, parts)):
        return SEPARATOR.join(each[1:-1].strip() for each in parts)
    return text[1:-1].strip() if _quoted(text) else text


def _quoted(text: str) -> bool:
    return len(text) > 1 and _QUOTES.get(text[0]) == text[-1]


def _plain(text: str) -> str:
    """Return a text as one line without invisible characters."""
    line = " ".join(text.split())
    return "".join(each for each in line if each in _JOINERS or not _is_hidden(each))


def _is_hidden(char: str) -> bool:
    return is_unseen(char) or unicodedata.category(char) in _UNKNOWN


def _without(words: Words, message: str, text: str) -> list[Message]:
    """Say which placeholders of a message a text leaves out, or one of several texts; nothing if none."""
    missing_names = _missing(words, message, text)
    return [Message("text-without", {"places": _places(missing_names)})] if missing_names else []


def _missing(words: Words, message: str, text: str) -> list[str]:
    """List the placeholders of a message that a text leaves out, or one of several texts."""
    texts = [placeholder_names(each) for each in separate(text)]
    return [each for each in words.placeholders(message) if any(each not in some for some in texts)]


def _places(names: Sequence[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in names)


def _samples(who: Argument, words: Words, message: str) -> dict[str, Argument]:
    """Return a sample argument for each placeholder of a message."""
    row = Message("heist-result-escaped", {"net": "+42", "won": Credits(111)})
    specific = {"who": who, "results": Listing((Message("heist-result", {"who": who, "result": row}),))}
    samples = {**_SAMPLES, **specific, **dict.fromkeys(words.numeric_placeholders(message), 12)}
    return {name: samples.get(name, f"({name})") for name in words.placeholders(message)}
