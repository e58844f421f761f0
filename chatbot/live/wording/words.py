"""The words of one language: message ids with arguments to text.

They come from `data/locales/<language>/*.ftl`; a game that arrives as one folder may carry its own
in `locales/<language>.ftl` beside its rules.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import ast as FTL  # noqa: N812  (the libraries own name for it)

import chatbot.games
from chatbot.kernel import supplies
from chatbot.kernel.say import Credits, Listing, Message, Name, Quote
from chatbot.live.wording import patterns
from chatbot.live.wording.safe import LONGEST_QUOTE, plain, safe_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Argument
    from chatbot.live.wording.safe import Dress

_SHORT = 1000  # characters; what is longer is put in afterwards
_MARK = "\ue000"  # of private use: `safe_text` leaves none in what people write


class Words:
    """Turns messages into text.

    `texts` are somebody's own words in the place of messages, by their ids, as they typed them; `forms` is
    what they call their credits, in the plural forms of the language, or in one for all.

    Raises:
        LookupError: there is no such language, message or placeholder.
    """

    def __init__(
        self, language: str, texts: Mapping[str, str] | None = None, forms: Sequence[str] = ()
    ) -> None:
        self.language = language
        self.usual = self if not texts and not forms else Words(language)
        self._bundle = FluentBundle([language], use_isolating=False)
        self._entries: dict[str, FTL.Message] = {}
        for path in _files(language):
            resource = _parsed(path.read_text(encoding="utf-8"))
            self._entries |= {each.id.name: each for each in resource.body if isinstance(each, FTL.Message)}
            self._bundle.add_resource(resource)
        self.ids = set(self._entries)
        self._texts, self._forms = dict(texts or {}), tuple(forms)
        self._bundle.add_resource(FTL.Resource(list(self._own())), allow_overrides=True)

    def placeholders(self, message: str) -> list[str]:
        """List what can stand in the text of a message, in the order in which it does."""
        return list(patterns.placeholders(self._entries[message], self._entries))

    def counted(self, message: str) -> list[str]:
        """List those of its placeholders that only a number can fill in."""
        shown = patterns.placeholders(self._entries[message], self._entries)
        return [name for name, each in shown.items() if isinstance(each.expression, FTL.FunctionReference)]

    def typed(self, message: str) -> str:
        """Give the text of a message as somebody would type it; of several forms, the usual one."""
        return self._texts.get(message) or patterns.typed(self._entries[message], self._entries)

    @property
    def plurals(self) -> int:
        """How many plural forms the language has."""
        return patterns.variants(self._entries["credits-form"])

    def _own(self) -> Iterator[FTL.Message]:
        for message, text in self._texts.items():
            shown = patterns.placeholders(self._entries[message], self._entries)
            yield patterns.written(message, text, shown)
        if self._forms:
            yield patterns.written("currency", self._forms[-1], {})

    def text(self, message: Message, name: Callable[[Seat], str], dress: Dress = plain) -> str:
        """Say a message, with `name` giving the display name of a seat, and `dress` making it harmless."""
        args = {key: self._argument(value, name, dress) for key, value in message.args.items()}
        long = {f"{_MARK}{key}{_MARK}": str(text) for key, text in args.items() if _long(text)}
        args |= {mark.strip(_MARK): mark for mark in long}
        if message.id not in self.ids:
            raise LookupError(f"no words for {message.id!r} in {self.language!r}")
        pattern = self._bundle.get_message(message.id).value
        if pattern is None:
            raise LookupError(f"{message.id!r} has no text in {self.language!r}")
        text, errors = self._bundle.format_pattern(pattern, args)
        if errors and message.id in self._texts:
            return self.usual.text(message, name, dress)  # said here without what those words speak of
        if errors:
            raise LookupError(f"{message.id!r} in {self.language!r}: {errors[0]}")
        return _filled(str(text), long)

    def _argument(self, value: Argument, name: Callable[[Seat], str], dress: Dress) -> int | float | str:
        match value:
            case Name():
                return dress(safe_text(name(value.seat)))
            case Credits():
                return self.text(self._amount(value.amount), name, dress)
            case Quote():
                return dress(safe_text(value.text, LONGEST_QUOTE))
            case Listing():
                return self._listing(value, name, dress)
            case Message():
                return self.text(value, name, dress)
            case _:
                return value

    def _amount(self, amount: int) -> Message:
        if not self._forms:
            return Message("credits", {"amount": amount})
        form = int(self.text(Message("credits-form", {"amount": amount}), str))
        unit = self._forms[min(form, len(self._forms)) - 1]
        return Message("credits-called", {"amount": amount, "unit": unit})

    def _listing(self, listing: Listing, name: Callable[[Seat], str], dress: Dress) -> str:
        shown = listing.separator.join(self.text(each, name, dress) for each in listing.items[: listing.most])
        more = len(listing.items) - listing.most
        if more <= 0:
            return shown
        return self.text(Message("and-more", {"shown": shown, "more": more}), name, dress)


def _long(value: float | str) -> bool:
    """Whether the library would refuse it; it takes no argument of more than 2500 characters."""
    return isinstance(value, str) and len(value) > _SHORT


def _filled(text: str, long: Mapping[str, str]) -> str:
    """Put long arguments in the place of their marks, one pass for all: a mark in an argument is none."""
    if not long:
        return text
    return re.sub(f"{_MARK}[^{_MARK}]+{_MARK}", lambda mark: long.get(mark[0], mark[0]), text)


@cache
def _parsed(text: str) -> FTL.Resource:
    """Parse a file once, which takes the longest by far: nothing ever changes what comes of it."""
    return FluentResource(text)


def languages() -> tuple[str, ...]:
    """List the languages that there are words for."""
    return tuple(sorted(each.name for each in supplies.folder("locales").iterdir() if each.is_dir()))


def _files(language: str) -> Iterator[Path]:
    folder = supplies.folder("locales") / language
    if language not in languages():
        raise LookupError(f"no words for the language {language!r}; there are {', '.join(languages())}")
    yield from sorted(folder.glob("*.ftl"))
    for games in chatbot.games.__path__:
        yield from sorted(Path(games).glob(f"*/locales/{language}.ftl"))
