"""The words of one language: message ids with arguments to text.

They come from `data/locales/<language>/*.ftl`; a game that arrives as one folder may carry its own
in `locales/<language>.ftl` beside its rules.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import ast as FTL  # noqa: N812  (the libraries own name for it)

import chatbot
import chatbot.games
from chatbot.kernel.say import Credits, Listing, Message, Name, Quote
from chatbot.live.safe import LONGEST_QUOTE, isolated, safe_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Argument

_PACKAGE = Path(chatbot.__file__).parent


class Words:
    """Turns messages into text.

    Raises:
        LookupError: there is no such language, message or placeholder.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._bundle = FluentBundle([language], use_isolating=False)
        self.ids: set[str] = set()
        for path in _files(language):
            resource = FluentResource(path.read_text(encoding="utf-8"))
            self.ids.update(each.id.name for each in resource.body if isinstance(each, FTL.Message))
            self._bundle.add_resource(resource)

    def text(self, message: Message, name: Callable[[Seat], str]) -> str:
        """Say a message, with `name` giving the display name of a seat."""
        args = {key: self._argument(value, name) for key, value in message.args.items()}
        if message.id not in self.ids:
            raise LookupError(f"no words for {message.id!r} in {self.language!r}")
        pattern = self._bundle.get_message(message.id).value
        if pattern is None:
            raise LookupError(f"{message.id!r} has no text in {self.language!r}")
        text, errors = self._bundle.format_pattern(pattern, args)
        if errors:
            raise LookupError(f"{message.id!r} in {self.language!r}: {errors[0]}")
        return str(text)

    def _argument(self, value: Argument, name: Callable[[Seat], str]) -> int | float | str:
        match value:
            case Name():
                return isolated(safe_text(name(value.seat)))
            case Credits():
                return self.text(Message("credits", {"amount": value.amount}), name)
            case Quote():
                return isolated(safe_text(value.text, LONGEST_QUOTE))
            case Listing():
                return self._listing(value, name)
            case Message():
                return self.text(value, name)
            case _:
                return value

    def _listing(self, listing: Listing, name: Callable[[Seat], str]) -> str:
        shown = listing.separator.join(self.text(each, name) for each in listing.items[: listing.most])
        more = len(listing.items) - listing.most
        if more <= 0:
            return shown
        return self.text(Message("and-more", {"shown": shown, "more": more}), name)


def languages() -> tuple[str, ...]:
    """List the languages that there are words for."""
    return tuple(sorted(each.name for each in _locales().iterdir() if each.is_dir()))


def _locales() -> Path:
    """Find the words: inside an installed package, or beside it in a clone."""
    packed = _PACKAGE / "_data" / "locales"
    return packed if packed.is_dir() else _PACKAGE.parent / "data" / "locales"


def _files(language: str) -> Iterator[Path]:
    folder = _locales() / language
    if language not in languages():
        raise LookupError(f"no words for the language {language!r}; there are {', '.join(languages())}")
    yield from sorted(folder.glob("*.ftl"))
    for games in chatbot.games.__path__:
        yield from sorted(Path(games).glob(f"*/locales/{language}.ftl"))
