"""Format messages in one language, with Project Fluent.

Messages are read from `data/locales/<language>/*.ftl`, and those of a game, in this repository or in a
distribution of its own, from `locales/<language>.ftl` in its folder. A language is a folder of
`data/locales`, complete or not: a message that is missing or cannot be formatted is formatted in English.
The attributes of a message are other texts for it; each language can have as many as it likes.
"""

from __future__ import annotations

import re
from collections import ChainMap, OrderedDict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import structlog
from babel import Locale, UnknownLocaleError
from fluent.runtime import FluentBundle
from fluent.syntax import ast as FTL  # noqa: N812  (the name in Fluent's documentation)

import chatbot.games
from chatbot.kernel import supplies
from chatbot.kernel.house_seats import display_name, of_house
from chatbot.kernel.say import Credits, Listing, Message, Name, Quote
from chatbot.runtime.limits import remember
from chatbot.speech.fluent_entries import FluentEntry, FluentNode, LazyMessages, entries_of, references
from chatbot.speech.safe import LONGEST_QUOTE, plain, safe_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.speech.safe import Dress

SEPARATOR = " || "
"""What stands between several texts that a streamer has for one message; each is told in its turn."""

PLACEHOLDER = re.compile(r"\{\s*\$?([^{}]*[^{}\s])\s*\}")

ENGLISH = "en"
"""The language that has every message, and the fallback of all others."""

REMEMBERED = 1000  # amounts of credits whose words are remembered: a crowd stakes, and holds, much the same
_EXCERPT = 80  # characters of a syntax error that are logged
Worded: TypeAlias = Name | Credits | Quote | Listing | Message
"""Types of arguments that have to be formatted."""
_WORDED = Name, Credits, Quote, Listing, Message
_MAX_ARGUMENT = 1000  # characters of an argument that Fluent formats; longer ones are inserted afterwards
_MARK = "\ue000"  # delimits the marks of long arguments: of private use, so `safe_text` removes it from input

_MARKED = "house-player"  # the message of the name of a player of the house
_MARK_LINE = re.compile(rf"^{_MARKED}\s*=(.*)$", re.MULTILINE)
_PLACEABLE = re.compile(r"\{[^{}]*\}")

log = structlog.get_logger(__name__)


def placeholders(message: FTL.Message, entries: Mapping[str, FTL.Message]) -> dict[str, FTL.Placeable]:
    """Find the placeholders of a message in all of its variants, by their names.

    Of several for one name, one with a function, such as `NUMBER`, is preferred to a bare variable.
    """
    placeables: dict[str, FTL.Placeable] = {}
    for name, placeable in _places(message.value, entries):
        plain = isinstance(placeable.expression, FTL.VariableReference)
        if name not in placeables or not plain:
            placeables[name] = placeable
    return placeables


def typed(message: FTL.Message, entries: Mapping[str, FTL.Message]) -> str:
    """Write a message as a moderator would type it; of several variants, the default one."""
    return " ".join(_typed(message.value, entries).split())


def placeholder_names(text: str) -> list[str]:
    """List the names between braces in a text that a moderator typed."""
    return list(dict.fromkeys(PLACEHOLDER.findall(text)))


def separate(text: str) -> list[str]:
    """List the texts of a streamer for one message, without empty ones."""
    return [part for part in (each.strip() for each in f" {text} ".split(SEPARATOR)) if part]


def parse(message: str, text: str, placeables: Mapping[str, FTL.Placeable]) -> FTL.Message:
    """Parse a text that a moderator typed; names in braces that `placeables` does not contain stay text."""
    return FTL.Message(FTL.Identifier(message), _parsed(text, placeables))


def _parsed(text: str, placeables: Mapping[str, FTL.Placeable]) -> FTL.Pattern:
    elements: list[FTL.TextElement | FTL.Placeable] = []
    end = 0
    for place in PLACEHOLDER.finditer(text):
        if place[1] in placeables:
            elements += [FTL.TextElement(text[end : place.start()]), placeables[place[1]]]
            end = place.end()
    return FTL.Pattern([*elements, FTL.TextElement(text[end:])])


def message(name: str, texts: Sequence[FTL.Pattern]) -> FTL.Message:
    """Make a message of one or more texts, in the way in which a file has several for one message."""
    others = [
        FTL.Attribute(FTL.Identifier(f"text-{number}"), each) for number, each in enumerate(texts[1:], 2)
    ]
    return FTL.Message(FTL.Identifier(name), texts[0], others)


def variants(message: FTL.Message) -> int:
    """Count the variants of a message that consists of one select expression."""
    expressions = [each.expression for each in _placeables(message.value)]
    return sum(len(each.variants) for each in expressions if isinstance(each, FTL.SelectExpression))


def _placeables(pattern: FTL.Pattern | None) -> Iterator[FTL.Placeable]:
    yield from (each for each in pattern.elements if isinstance(each, FTL.Placeable)) if pattern else ()


def _places(
    pattern: FTL.Pattern | None, entries: Mapping[str, FTL.Message], within: frozenset[str] = frozenset()
) -> Iterator[tuple[str, FTL.Placeable]]:
    for placeable in _placeables(pattern):
        match placeable.expression:
            case FTL.VariableReference() as variable:
                yield variable.id.name, placeable
            case FTL.FunctionReference() as function:
                yield _argument(function), placeable
            case FTL.MessageReference() as other:
                yield from _places(_referred(other, entries, within), entries, within | {other.id.name})
            case FTL.SelectExpression() as choice:
                if isinstance(choice.selector, FTL.VariableReference):
                    yield choice.selector.id.name, FTL.Placeable(choice.selector)
                for variant in choice.variants:
                    yield from _places(variant.value, entries, within)


def _typed(
    pattern: FTL.Pattern | None, entries: Mapping[str, FTL.Message], within: frozenset[str] = frozenset()
) -> str:
    return "".join(_part(each, entries, within) for each in pattern.elements) if pattern else ""


def _part(
    element: FTL.TextElement | FTL.Placeable, entries: Mapping[str, FTL.Message], within: frozenset[str]
) -> str:
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
            text = _typed(_referred(expression, entries, within), entries, within | {expression.id.name})
        case FTL.SelectExpression():
            text = "".join(
                _typed(each.value, entries, within) for each in expression.variants if each.default
            )
    return text


def _referred(
    other: FTL.MessageReference, entries: Mapping[str, FTL.Message], within: frozenset[str]
) -> FTL.Pattern | None:
    """Find the pattern of a message that is referred to; none `within` that message, so that cycles end."""
    entry = None if other.id.name in within else entries.get(other.id.name)
    return entry.value if entry else None


def _argument(function: FTL.FunctionReference) -> str:
    first = next(iter(function.arguments.positional), None)
    return first.id.name if isinstance(first, FTL.VariableReference) else ""


class Words:
    """Formats messages as text in a language, and in English where the language lacks one.

    `texts` are a streamer's own texts, by the ids of the messages that they replace, several for one with
    `SEPARATOR` between them; `forms` is the name of the credits, in the plural forms of the language or in
    one for all. `themed` are messages of themes in this language, which are preferred to those of the games.

    Raises:
        LookupError: there is no such language.
    """

    def __init__(
        self,
        language: str,
        texts: Mapping[str, str] | None = None,
        forms: Sequence[str] = (),
        themed: Sequence[FTL.Message] = (),
    ) -> None:
        self.language = language
        self._texts, self._forms = dict(texts or {}), tuple(forms)
        self._amounts: OrderedDict[int, str] = OrderedDict()  # as they were worded
        folder = supplies.folder("locales")
        self._entries = messages(language)
        self._themed_entries = LazyMessages([*self._entries.entries, *map(FluentEntry.of, themed)])
        self.ids = set(self._entries)
        currency = list(self._currency())
        codes = dict.fromkeys((language, ENGLISH))
        # The first that can format a message has the say: the texts of a streamer, then a theme, the
        # language, English.
        self._bundles = [_Bundle(folder, each, currency) for each in codes]
        if themed:
            self._bundles.insert(0, _Bundle(folder, language, [*currency, *themed]))
        if self._texts:
            # A text may use a placeholder that is missing somewhere: then the message itself is formatted.
            overrides = [*currency, *self._overrides(), *themed]
            self._bundles.insert(0, _Bundle(folder, language, overrides, checked=False))

    def placeholders(self, message: str) -> list[str]:
        """List the names of the placeholders of a message, in their order."""
        return list(placeholders(self._entries[message], self._entries))

    def referenced_id(self, message: str) -> str:
        """Return the id of the message that a message consists of, as in `{ heist-bank-0 }`; else its own.

        A reference in a file goes to the words of the program; the message itself may have been replaced.
        """
        pattern = self._entries[message].value
        match pattern.elements if pattern is not None else []:
            case [
                FTL.Placeable(expression=FTL.MessageReference(id=FTL.Identifier(name=name), attribute=None))
            ]:
                return str(name)
        return message

    def numeric_placeholders(self, message: str) -> list[str]:
        """List the placeholders of a message that take only numbers."""
        placeables = placeholders(self._entries[message], self._entries)
        return [
            name for name, each in placeables.items() if isinstance(each.expression, FTL.FunctionReference)
        ]

    def texts(self, message: str) -> int:
        """Count the texts for a message, of a streamer's own if there are any; 1 if it is unknown."""
        if message in self._texts:
            return len(separate(self._texts[message]))
        if message not in self._entries:
            return 1
        return 1 + len(self._themed_entries[message].attributes)

    def typed(self, message: str) -> str:
        """Return the text of a message as a moderator would type it; of several variants, the default one."""
        return self._texts.get(message) or typed(self._themed_entries[message], self._themed_entries)

    @property
    def plurals(self) -> int:
        """The number of plural forms of the language."""
        return variants(self._entries["credits-form"])

    def _overrides(self) -> Iterator[FTL.Message]:
        for name, text in self._texts.items():
            placeables = placeholders(self._entries[name], self._entries)
            yield message(name, [_parsed(each, placeables) for each in separate(text)])

    def _currency(self) -> Iterator[FTL.Message]:
        if self._forms:
            yield parse("currency", self._forms[-1], {})

    def text(self, message: Message, name: Callable[[Seat], str], dress: Dress = plain) -> str:
        """Format a message; `name` returns the display name of a seat, and `dress` escapes names and quotes.

        The result is never empty, because a message can report what happened to a stake: without a text in
        English either, it consists of the message id and the arguments.
        """
        # Numbers and plain strings, which most arguments are, are passed on unchanged.
        args = {
            key: self._argument(value, name, dress) if isinstance(value, _WORDED) else value
            for key, value in message.args.items()
        }
        # fluent.runtime raises an error for arguments of more than 2500 characters.
        long = {
            f"{_MARK}{key}{_MARK}": text
            for key, text in args.items()
            if isinstance(text, str) and len(text) > _MAX_ARGUMENT
        }
        args |= {mark.strip(_MARK): mark for mark in long}
        texts = (bundle.format(message.id, args, message.variant) for bundle in self._bundles)
        text = next((each for each in texts if each is not None), None)
        if text is None:
            report("a message has no words", message=message.id, language=self.language)
            text = _fallback_text(message.id, args)
        return _insert(text, long) if long else text

    def name(self, seat: Seat, name: Callable[[Seat], str]) -> str:
        """Return the display name of a seat: for a player of the house with its mark in this language."""
        if not of_house(seat):
            return name(seat)
        return self.text(Message(_MARKED, {"name": display_name(seat)}), str)

    def _argument(self, value: Worded, name: Callable[[Seat], str], dress: Dress) -> str:
        match value:
            case Name():
                return dress(safe_text(self.name(value.seat, name)))
            case Credits():
                return self._credits(value.amount)
            case Quote():
                return dress(safe_text(value.text, LONGEST_QUOTE))
            case Listing():
                return self._listing(value, name, dress)
            case _:
                return self.text(value, name, dress)

    def _credits(self, amount: int) -> str:
        """Return an amount with the name of the credits."""
        text = self._amounts.get(amount)
        if text is None:
            text = self.text(self._amount(amount), str)
        remember(self._amounts, amount, text, REMEMBERED)
        return text

    def _amount(self, amount: int) -> Message:
        if not self._forms:
            return Message("credits", {"amount": amount})
        form = self.text(Message("credits-form", {"amount": amount}), str)
        unit = self._forms[min(int(form) if form.isdecimal() else 1, len(self._forms)) - 1]
        return Message("credits-called", {"amount": amount, "unit": unit})

    def _listing(self, listing: Listing, name: Callable[[Seat], str], dress: Dress) -> str:
        text = listing.separator.join(self.text(each, name, dress) for each in listing.items[: listing.most])
        more = len(listing.items) - listing.most
        if more <= 0:
            return text
        return self.text(Message("and-more", {"shown": text, "more": more}), name, dress)


class _Bundle:
    """The messages of one language, some of them replaced by `overrides`; errors are logged if `checked`."""

    def __init__(
        self, folder: Path, language: str, overrides: Sequence[FTL.Message], *, checked: bool = True
    ) -> None:
        self._language, self._checked = language, checked
        override_entries = {each.id.name: FluentEntry.of(each) for each in reversed(overrides)}
        self._ids = {*_messages(folder, language), *override_entries}
        self._bundle = FluentBundle([language if _is_locale(language) else ENGLISH], use_isolating=False)
        # English messages are added because a message of this language may refer to one that it lacks.
        codes = dict.fromkeys((language, ENGLISH))
        self._sources = ChainMap(override_entries, *(_first(_known_files(folder, each)) for each in codes))
        self._complete: set[str] = set()
        self._plain: dict[tuple[str, int], str] = {}  # texts without arguments, by message and variant

    def _add(self, message: str) -> None:
        """Give the library a message with all to which it refers, which it needs to format it."""
        nodes, left = dict[str, FluentNode](), [message]
        while left:
            name = left.pop()
            entry = None if name in nodes else self._sources.get(name)
            if entry is not None:
                nodes[name] = entry.node
                left += references(entry.node)
        self._bundle.add_resource(FTL.Resource([*nodes.values()]))
        self._complete.add(message)  # last, as another thread may be formatting it

    def format(self, message: str, args: Mapping[str, float | str], variant: int = 0) -> str | None:
        """Format a message; None if it is missing, or refers to an argument or a message that is missing.

        Of several texts it is the one with the number `variant`, counted from 0 and in a circle.
        """
        plain = None if args else self._plain.get((message, variant))
        if plain is not None or message not in self._ids:
            return plain
        try:
            if message not in self._complete:
                self._add(message)
            entry = self._bundle.get_message(message)
            if entry.value is None:
                return None
            patterns = [entry.value, *entry.attributes.values()]
            pattern = patterns[variant % len(patterns)]
            text, errors = self._bundle.format_pattern(pattern, dict(args))
            if not args and not errors:
                self._plain[message, variant % len(patterns)] = str(text)
        except Exception as error:  # noqa: BLE001  (a faulty file makes the library raise many types of errors)
            text, errors = "", [error]
        if not errors:
            return str(text)
        if self._checked:
            report("words cannot be said", message=message, language=self._language, why=str(errors[0]))
        return None


def _insert(text: str, long: Mapping[str, str]) -> str:
    """Replace marks by long arguments, all in one pass, so that marks within arguments are not replaced."""
    return re.sub(f"{_MARK}[^{_MARK}]+{_MARK}", lambda mark: long.get(mark[0], mark[0]), text)


def _fallback_text(message: str, args: Mapping[str, float | str]) -> str:
    """Return the id of a message and its arguments, readable enough to be shown."""
    values = ", ".join(str(each) for each in args.values())
    return ": ".join(filter(None, (message.replace("-", " "), values)))


def languages() -> tuple[str, ...]:
    """List the codes of the languages; each is a folder of files, complete or not."""
    return _folders(supplies.folder("locales"))


@cache
def _folders(folder: Path) -> tuple[str, ...]:
    names = (each.name for each in folder.iterdir() if each.is_dir())
    return tuple(sorted(each for each in names if not each.startswith((".", "_"))))


def language_of(text: str) -> str | None:
    """Find the language of a code, or of a name as in `korean` or `한국어`; None if there is none.

    Case is ignored. The names of a language are its own message `language-names`, with / between them.
    """
    name = text.strip().casefold()
    by_code = next((each for each in languages() if each.casefold() == name), None)
    return by_code or next((each for each in languages() if name in _names(each)), None)


def _names(language: str) -> frozenset[str]:
    message = _messages(supplies.folder("locales"), language).get("language-names")
    elements = message.value.elements if message is not None and message.value is not None else []
    text = "".join(each.value for each in elements if isinstance(each, FTL.TextElement))
    return frozenset(each.strip().casefold() for each in text.split("/") if each.strip())


@cache
def house_marks() -> tuple[str, ...]:
    """Return the marks of players of the house, such as `(house)`, in all languages.

    They are searched in the text of the files, because parsing all languages would take too long.
    """
    folder = supplies.folder("locales")
    files = (each for language in languages() for each in sorted((folder / language).glob("*.ftl")))
    matches = (_MARK_LINE.search(each.read_text(encoding="utf-8-sig", errors="replace")) for each in files)
    return tuple(dict.fromkeys(_PLACEABLE.sub("", each[1]).strip() for each in matches if each))


def messages(language: str) -> LazyMessages:
    """Collect the messages of a language by their ids, with the English ones that it lacks."""
    folder = supplies.folder("locales")
    return LazyMessages([*_messages(folder, ENGLISH).entries, *_messages(folder, language).entries])


def _messages(folder: Path, language: str) -> LazyMessages:
    """Collect the messages of a language by their ids, without those that have only attributes."""
    return _collected(tuple(_files(folder, language)))


@cache
def _collected(paths: tuple[Path, ...]) -> LazyMessages:
    return LazyMessages(entry for path in paths for entry in read(path))


@cache
def _first(paths: tuple[Path, ...]) -> dict[str, FluentEntry]:
    """Collect all entries by their ids; of several for one id, the first."""
    return {each.id: each for path in reversed(paths) for each in reversed(read(path))}


def _known_files(folder: Path, language: str) -> tuple[Path, ...]:
    """List the files of a language, with those of every installed game.

    Raises:
        LookupError: there is no such language.
    """
    if language not in languages():
        raise LookupError(f"no words for the language {language!r}; there are {', '.join(languages())}")
    return tuple(_files(folder, language))


def _files(folder: Path, language: str) -> Iterator[Path]:
    yield from sorted((folder / language).glob("*.ftl"))
    for games in chatbot.games.__path__:
        yield from sorted(Path(games).glob(f"*/locales/{language}.ftl"))
    for installed in chatbot.games.locales():
        if (path := installed / f"{language}.ftl").is_file():
            yield Path(str(path))


@cache
def read(path: Path) -> Sequence[FluentEntry]:
    """Read the entries of a file once, without those that have errors."""
    try:
        entries, junk = entries_of(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        report("a file of words cannot be read", file=str(path), why=str(error))
        return ()
    for each in junk:
        report("words cannot be read", file=str(path), text=each.strip()[:_EXCERPT])
    return entries


@cache
def _is_locale(language: str) -> bool:
    """Whether Babel knows the plural rules and number formats of a language."""
    try:
        Locale.parse(language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return False
    return True


@cache
def report(event: str, **about: str) -> None:
    """Log an error in the messages once, because it would be repeated for each line."""
    log.error(event, **about)
