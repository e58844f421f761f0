"""The words of one language: message ids with arguments to text.

They come from `data/locales/<language>/*.ftl`, and those of a game from `locales/<language>.ftl` in its own
folder or distribution. A language is a folder of `data/locales`, complete or not: what it does not say, or
cannot, is said in English.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import structlog
from babel import Locale, UnknownLocaleError
from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import ast as FTL  # noqa: N812  (the libraries own name for it)

import chatbot.games
from chatbot.kernel import supplies
from chatbot.kernel.say import Credits, Listing, Message, Name, Quote
from chatbot.speech.safe import LONGEST_QUOTE, plain, safe_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.speech.safe import Dress

PLACE = re.compile(r"\{\s*\$?([^{}]*[^{}\s])\s*\}")

ENGLISH = "en"
"""The language that has every message; others say in it what they lack."""

_SHOWN = 80  # characters of what cannot be read
Worded: TypeAlias = Name | Credits | Quote | Listing | Message
"""Arguments that are words, or become some."""
_WORDED = Name, Credits, Quote, Listing, Message
_SHORT = 1000  # characters; what is longer is put in afterwards
_MARK = "\ue000"  # of private use: `safe_text` leaves none in what people write

log = structlog.get_logger(__name__)


def placeholders(message: FTL.Message, entries: Mapping[str, FTL.Message]) -> dict[str, FTL.Placeable]:
    """Find what can stand in a message, in all of its variants, and how each is written there."""
    found: dict[str, FTL.Placeable] = {}
    for name, placeable in _places(message.value, entries):
        plain = isinstance(placeable.expression, FTL.VariableReference)
        if name not in found or not plain:
            found[name] = placeable
    return found


def typed(message: FTL.Message, entries: Mapping[str, FTL.Message]) -> str:
    """Write a message as somebody would type it; of several variants, the usual one."""
    return " ".join(_typed(message.value, entries).split())


def named(text: str) -> list[str]:
    """List what a text that somebody typed has between braces."""
    return list(dict.fromkeys(PLACE.findall(text)))


def written(message: str, text: str, shown: Mapping[str, FTL.Placeable]) -> FTL.Message:
    """Make a message of what somebody typed; what is not `shown` between braces stays as it is."""
    elements: list[FTL.TextElement | FTL.Placeable] = []
    end = 0
    for place in PLACE.finditer(text):
        if place[1] in shown:
            elements += [FTL.TextElement(text[end : place.start()]), shown[place[1]]]
            end = place.end()
    return FTL.Message(FTL.Identifier(message), FTL.Pattern([*elements, FTL.TextElement(text[end:])]))


def variants(message: FTL.Message) -> int:
    """Count the variants of a message that is nothing but a choice between some."""
    expressions = [each.expression for each in _placeables(message.value)]
    return sum(len(each.variants) for each in expressions if isinstance(each, FTL.SelectExpression))


def _placeables(pattern: FTL.Pattern | None) -> Iterator[FTL.Placeable]:
    yield from (each for each in pattern.elements if isinstance(each, FTL.Placeable)) if pattern else ()


def _places(
    pattern: FTL.Pattern | None, entries: Mapping[str, FTL.Message]
) -> Iterator[tuple[str, FTL.Placeable]]:
    for placeable in _placeables(pattern):
        match placeable.expression:
            case FTL.VariableReference() as variable:
                yield variable.id.name, placeable
            case FTL.FunctionReference() as function:
                yield _argument(function), placeable
            case FTL.MessageReference() as other:
                yield from _places(*_referred(other, entries))
            case FTL.SelectExpression() as choice:
                if isinstance(choice.selector, FTL.VariableReference):
                    yield choice.selector.id.name, FTL.Placeable(choice.selector)
                for variant in choice.variants:
                    yield from _places(variant.value, entries)


def _typed(pattern: FTL.Pattern | None, entries: Mapping[str, FTL.Message]) -> str:
    return "".join(_part(each, entries) for each in pattern.elements) if pattern else ""


def _part(element: FTL.TextElement | FTL.Placeable, entries: Mapping[str, FTL.Message]) -> str:
    expression = element.expression if isinstance(element, FTL.Placeable) else element
    text = ""
    match expression:
        case FTL.TextElement() | FTL.StringLiteral():
            text = str(expression.value)
        case FTL.VariableReference():
            text = f"{{{expression.id.name}}}"
        case FTL.FunctionReference():
            text = f"{{{_argument(expression)}}}"
        case FTL.MessageReference():
            text = _typed(*_referred(expression, entries))
        case FTL.SelectExpression():
            text = "".join(_typed(each.value, entries) for each in expression.variants if each.default)
    return text


def _referred(
    other: FTL.MessageReference, entries: Mapping[str, FTL.Message]
) -> tuple[FTL.Pattern | None, Mapping[str, FTL.Message]]:
    """Find the pattern that stands in another, if it is there; nothing stands in itself."""
    found = entries.get(other.id.name)
    others = {name: each for name, each in entries.items() if name != other.id.name}
    return found.value if found else None, others


def _argument(function: FTL.FunctionReference) -> str:
    first = next(iter(function.arguments.positional), None)
    return first.id.name if isinstance(first, FTL.VariableReference) else ""


class Words:
    """Turns messages into text. What a language does not say, or cannot, is said in English.

    `texts` are somebody's own words in the place of messages, by their ids, as they typed them; `forms` is
    what they call their credits, in the plural forms of the language, or in one for all.

    Raises:
        LookupError: there is no such language.
    """

    def __init__(
        self, language: str, texts: Mapping[str, str] | None = None, forms: Sequence[str] = ()
    ) -> None:
        self.language = language
        self._texts, self._forms = dict(texts or {}), tuple(forms)
        folder = supplies.folder("locales")
        self._entries = {**_messages(folder, ENGLISH), **_messages(folder, language)}
        self.ids = set(self._entries)
        currency = list(self._currency())
        spoken = dict.fromkeys((language, ENGLISH))
        self._voices = [_Voice(folder, each, currency) for each in spoken]
        if self._texts:
            # What these words speak of may not be known where it is said: then the usual ones do.
            self._voices.insert(0, _Voice(folder, language, [*currency, *self._own()], checked=False))

    def placeholders(self, message: str) -> list[str]:
        """List what can stand in the text of a message, in the order in which it does."""
        return list(placeholders(self._entries[message], self._entries))

    def counted(self, message: str) -> list[str]:
        """List those of its placeholders that only a number can fill in."""
        shown = placeholders(self._entries[message], self._entries)
        return [name for name, each in shown.items() if isinstance(each.expression, FTL.FunctionReference)]

    def typed(self, message: str) -> str:
        """Give the text of a message as somebody would type it; of several forms, the usual one."""
        return self._texts.get(message) or typed(self._entries[message], self._entries)

    @property
    def plurals(self) -> int:
        """How many plural forms the language has."""
        return variants(self._entries["credits-form"])

    def _own(self) -> Iterator[FTL.Message]:
        for message, text in self._texts.items():
            shown = placeholders(self._entries[message], self._entries)
            yield written(message, text, shown)

    def _currency(self) -> Iterator[FTL.Message]:
        if self._forms:
            yield written("currency", self._forms[-1], {})

    def text(self, message: Message, name: Callable[[Seat], str], dress: Dress = plain) -> str:
        """Say a message, with `name` giving the display name of a seat, and `dress` making it harmless.

        Something is said in any case, for there may be a stake behind it: of a message that has no words in
        English either, what it is called and what it is about.
        """
        # Numbers and bare words, which most arguments are, stay as they are.
        args = {
            key: self._argument(value, name, dress) if isinstance(value, _WORDED) else value
            for key, value in message.args.items()
        }
        # The library takes no argument of more than 2500 characters.
        long = {
            f"{_MARK}{key}{_MARK}": text
            for key, text in args.items()
            if isinstance(text, str) and len(text) > _SHORT
        }
        args |= {mark.strip(_MARK): mark for mark in long}
        said = (voice.say(message.id, args) for voice in self._voices)
        text = next((each for each in said if each is not None), None)
        if text is None:
            report("a message has no words", message=message.id, language=self.language)
            text = _bare(message.id, args)
        return _filled(text, long) if long else text

    def _argument(self, value: Worded, name: Callable[[Seat], str], dress: Dress) -> str:
        match value:
            case Name():
                return dress(safe_text(name(value.seat)))
            case Credits():
                return self.text(self._amount(value.amount), name, dress)
            case Quote():
                return dress(safe_text(value.text, LONGEST_QUOTE))
            case Listing():
                return self._listing(value, name, dress)
            case _:
                return self.text(value, name, dress)

    def _amount(self, amount: int) -> Message:
        if not self._forms:
            return Message("credits", {"amount": amount})
        form = self.text(Message("credits-form", {"amount": amount}), str)
        unit = self._forms[min(int(form) if form.isdecimal() else 1, len(self._forms)) - 1]
        return Message("credits-called", {"amount": amount, "unit": unit})

    def _listing(self, listing: Listing, name: Callable[[Seat], str], dress: Dress) -> str:
        shown = listing.separator.join(self.text(each, name, dress) for each in listing.items[: listing.most])
        more = len(listing.items) - listing.most
        if more <= 0:
            return shown
        return self.text(Message("and-more", {"shown": shown, "more": more}), name, dress)


class _Voice:
    """The messages of one language, and somebody's `own` in their place."""

    def __init__(
        self, folder: Path, language: str, own: Sequence[FTL.Message], *, checked: bool = True
    ) -> None:
        self._language, self._checked = language, checked
        self._ids = {*_messages(folder, language), *(each.id.name for each in own)}
        self._bundle = FluentBundle([language if _is_locale(language) else ENGLISH], use_isolating=False)
        self._bundle.add_resource(FTL.Resource(list(own)))
        # Those of English are there to be referred to: a message of this language may have one in it.
        for each in dict.fromkeys((language, ENGLISH)):
            for resource in _resources(folder, each):
                self._bundle.add_resource(resource)

    def say(self, message: str, args: Mapping[str, float | str]) -> str | None:
        """Fill a message in; None where it is missing, or speaks of what is not there."""
        if message not in self._ids:
            return None
        try:
            pattern = self._bundle.get_message(message).value
            if pattern is None:
                return None
            text, errors = self._bundle.format_pattern(pattern, dict(args))
        except Exception as error:  # noqa: BLE001  (what a file of words can do to the library has no end)
            text, errors = "", [error]
        if not errors:
            return str(text)
        if self._checked:
            report("words cannot be said", message=message, language=self._language, why=str(errors[0]))
        return None


def _filled(text: str, long: Mapping[str, str]) -> str:
    """Put long arguments in the place of their marks, one pass for all: a mark in an argument is none."""
    return re.sub(f"{_MARK}[^{_MARK}]+{_MARK}", lambda mark: long.get(mark[0], mark[0]), text)


def _bare(message: str, args: Mapping[str, float | str]) -> str:
    """Say what a message is called, and what it is about."""
    about = ", ".join(str(each) for each in args.values())
    return ": ".join(filter(None, (message.replace("-", " "), about)))


def languages() -> tuple[str, ...]:
    """List the languages that there are words for: each is a folder of files, complete or not."""
    folders = (each.name for each in supplies.folder("locales").iterdir() if each.is_dir())
    return tuple(sorted(each for each in folders if not each.startswith((".", "_"))))


def language_of(text: str) -> str | None:
    """Find the language that somebody names, in capital letters or small ones; None: there is none."""
    return next((each for each in languages() if each.casefold() == text.casefold()), None)


def _messages(folder: Path, language: str) -> Mapping[str, FTL.Message]:
    """Collect the messages of a language that have a text, by their ids."""
    return _collected(tuple(_files(folder, language)))


@cache
def _collected(paths: tuple[Path, ...]) -> Mapping[str, FTL.Message]:
    entries = (entry for path in paths for entry in _read(path).body)
    return {each.id.name: each for each in entries if isinstance(each, FTL.Message) and each.value}


def _resources(folder: Path, language: str) -> Sequence[FTL.Resource]:
    """Read the files of a language, with those of each game that is at home now.

    Raises:
        LookupError: there is no such language.
    """
    if language not in languages():
        raise LookupError(f"no words for the language {language!r}; there are {', '.join(languages())}")
    return [_read(path) for path in _files(folder, language)]


def _files(folder: Path, language: str) -> Iterator[Path]:
    yield from sorted((folder / language).glob("*.ftl"))
    for games in chatbot.games.__path__:
        yield from sorted(Path(games).glob(f"*/locales/{language}.ftl"))
    for installed in chatbot.games.locales():
        if (path := installed / f"{language}.ftl").is_file():
            yield Path(str(path))


@cache
def _read(path: Path) -> FTL.Resource:
    """Read a file once, as far as it can be read, for parsing takes the longest by far."""
    try:
        resource = FluentResource(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        report("a file of words cannot be read", file=str(path), why=str(error))
        return FTL.Resource([])
    for each in resource.body:
        if isinstance(each, FTL.Junk):
            report("words cannot be read", file=str(path), text=str(each.content).strip()[:_SHOWN])
    return resource


@cache
def _is_locale(language: str) -> bool:
    """Whether its rules of plurals and of numbers are known."""
    try:
        Locale.parse(language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return False
    return True


@cache
def report(event: str, **about: str) -> None:
    """Log what is wrong with words, once: it comes back with every line."""
    log.error(event, **about)
