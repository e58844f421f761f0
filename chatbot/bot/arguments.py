"""The arguments of a command: its function's parameters, by whose types they are written, offered and read.

A parameter is an annotated one, as the settings are. `str` is one word and `Text` the rest of the line, a
number has its range by pydantic's `Field`, and the other types are below. One that has a default may be left
out. From the same types come the usage, which `!help` and refusals show, and the options, of which platforms
make slash commands and forms.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from inspect import Parameter, signature
from itertools import zip_longest
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from annotated_types import Ge, Le
from pydantic.fields import FieldInfo

from chatbot.kernel.amounts import MOST, amount_first, read_whole
from chatbot.kernel.commands import Kind, Option
from chatbot.kernel.game import Seat
from chatbot.kernel.kit import AnyKit
from chatbot.rooms.languages import currency_names
from chatbot.rooms.request import REASON, Request, game_named, reasoned, usage
from chatbot.rooms.room import Room

if TYPE_CHECKING:
    from collections.abc import Iterator

TypedWords: TypeAlias = tuple[str, ...]
"""The words of a line that are one argument; none where it was left out."""

Suggest: TypeAlias = Callable[[Room, Mapping[str, str]], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Lookup:
    """What is asked when arguments are read: the games, `find` for members, and `split` for commands.

    `split(text)` separates the word of a command, which may be typed as two, from what follows it.
    """

    kits: Mapping[str, AnyKit]
    find: Callable[[Request, str], Awaitable[Seat]]
    split: Callable[[str], tuple[str, TypedWords]]


# What an annotation may say beside the type


@dataclass(frozen=True, slots=True)
class Shown:
    """How the usage writes an argument, instead of by its name in capitals; empty: not at all."""

    text: str


@dataclass(frozen=True, slots=True)
class Suggested:
    """What a platform suggests while somebody types: by a method of the part, or by a function."""

    by: Callable[..., Sequence[str]]


@dataclass(frozen=True, slots=True)
class Choices:
    """What a platform lets people choose from; what is typed may be something else."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Current:
    """What a platform's form for this argument initially contains, by a method of the part.

    It is given the room and the other options, and returns an empty text if there is nothing to begin from.
    """

    by: Callable[..., str]


@dataclass(frozen=True, slots=True)
class RequiredInForms:
    """A form must have it and the usage shows it so, although a line without it has a meaning as well."""


# Types


@dataclass(frozen=True, slots=True)
class WordType:
    """One word, as it was typed."""

    kind = Kind.WORD
    takes_rest = False
    """Whether it takes all words that are left; arguments behind it are taken from the end of the line."""

    def shown(self, name: str) -> str:
        return name.upper()

    def option(self, name: str, required: bool) -> Option | None:
        """Return the option for platforms; None: it is not offered."""
        return Option(name, self.kind, required)

    def suggested(self, name: str, lookup: Lookup) -> Sequence[str]:  # noqa: ARG002
        """Return what is suggested for it wherever it stands."""
        return ()

    def take(self, lookup: Lookup, words: TypedWords) -> tuple[TypedWords, TypedWords]:  # noqa: ARG002
        """Split words into those of this argument and the others."""
        return (words, ()) if self.takes_rest else (words[:1], words[1:])

    def take_last(self, request: Request, name: str, words: TypedWords) -> tuple[TypedWords, TypedWords]:
        """Split words of which some are left for another argument, like `take`, but from the end."""
        raise NotImplementedError  # only some types can stand behind one that takes the rest

    async def read(self, lookup: Lookup, request: Request, words: TypedWords) -> object:  # noqa: ARG002
        """Return the value of an argument that was given.

        Raises:
            Refusal: it is none.
        """
        return " ".join(words)


@dataclass(frozen=True, slots=True)
class TextType(WordType):
    """All words that are left, as they were typed."""

    kind = Kind.TEXT
    takes_rest = True


@dataclass(frozen=True, slots=True)
class Number(WordType):
    """A whole number; `prefix` may stand before it."""

    least: int | None = None
    most: int | None = None
    prefix: str = ""
    kind = Kind.WHOLE

    def shown(self, name: str) -> str:
        return name.upper() if self.most is None else f"{self.least}-{self.most}"

    def option(self, name: str, required: bool) -> Option:
        return Option(name, self.kind, required, self.least, self.most)

    async def read(self, lookup: Lookup, request: Request, words: TypedWords) -> int:  # noqa: ARG002
        return read_whole(words[0].removeprefix(self.prefix), self.least or 0, self.most or MOST)


@dataclass(frozen=True, slots=True)
class GameTextType(WordType):
    """The name of a game or its command, unread: it takes all words that are left."""

    takes_rest = True

    def suggested(self, name: str, lookup: Lookup) -> Sequence[str]:  # noqa: ARG002
        return list(lookup.kits)


@dataclass(frozen=True, slots=True)
class GameType(GameTextType):
    """The kit of a game."""

    takes_rest = False

    async def read(self, lookup: Lookup, request: Request, words: TypedWords) -> AnyKit:  # noqa: ARG002
        return game_named(lookup.kits, " ".join(words))


@dataclass(frozen=True, slots=True)
class GameOfWordsType(GameType):
    """The kit of a game that is the only argument, so that all words are its name."""

    takes_rest = True


@dataclass(frozen=True, slots=True)
class MemberNameType(WordType):
    """A mention or the name of a member, of several words perhaps, unread."""

    kind = Kind.MEMBER
    takes_rest = True

    def shown(self, name: str) -> str:  # noqa: ARG002
        return "@name"


@dataclass(frozen=True, slots=True)
class MemberType(MemberNameType):
    """The seat of a member."""

    async def read(self, lookup: Lookup, request: Request, words: TypedWords) -> Seat:
        return await lookup.find(request, " ".join(words))


@dataclass(frozen=True, slots=True)
class AmountType(WordType):
    """An amount of credits as it was typed, for it may be a share of a balance; without their name."""

    kind = Kind.AMOUNT

    def take_last(self, request: Request, name: str, words: TypedWords) -> tuple[TypedWords, TypedWords]:  # noqa: ARG002
        names = currency_names(request.room)
        for place in range(1, len(words)):
            amount, rest = amount_first(words[place:], names)
            if not rest:
                return (amount,), words[:place]
        return (words[-1:], words[:-1]) if len(words) > 1 else ((), words)


@dataclass(frozen=True, slots=True)
class SwitchType(WordType):
    """A word that is typed as it is called, or left out: a boolean."""

    def shown(self, name: str) -> str:
        return name

    def suggested(self, name: str, lookup: Lookup) -> Sequence[str]:  # noqa: ARG002
        return (name,)

    def take_last(self, request: Request, name: str, words: TypedWords) -> tuple[TypedWords, TypedWords]:  # noqa: ARG002
        is_present = len(words) > 1 and words[-1].lower() == name
        return (words[-1:], words[:-1]) if is_present else ((), words)

    async def read(self, lookup: Lookup, request: Request, words: TypedWords) -> bool:  # noqa: ARG002
        return bool(words)


@dataclass(frozen=True, slots=True)
class CommandWordType(WordType):
    """The word of a command, which may be typed as two words, with or without its sign."""

    def take(self, lookup: Lookup, words: TypedWords) -> tuple[TypedWords, TypedWords]:
        word, rest = lookup.split(" ".join(words).removeprefix("!"))
        return ((word,) if word else ()), rest


@dataclass(frozen=True, slots=True)
class Reason(WordType):
    """Why a moderator does something: what follows `--` at the end of the line.

    Every command of moderators takes one, so the usage does not show it, and only some forms have it.
    """

    offered: bool = False

    def shown(self, name: str) -> str:  # noqa: ARG002
        return ""

    def option(self, name: str, required: bool) -> Option | None:
        return Option(name, Kind.TEXT, required, key=f"{REASON} ") if self.offered else None


@dataclass(frozen=True, slots=True)
class Grammar(WordType):
    """All words of a command that has a grammar of its own, with its usage and its options."""

    usage: str
    options: tuple[Option, ...]
    takes_rest = True

    def shown(self, name: str) -> str:  # noqa: ARG002
        return self.usage

    async def read(self, lookup: Lookup, request: Request, words: TypedWords) -> TypedWords:  # noqa: ARG002
        return words


Text: TypeAlias = Annotated[str, TextType()]
KnownGame: TypeAlias = Annotated[AnyKit, GameType()]
GameOfWords: TypeAlias = Annotated[AnyKit, GameOfWordsType()]
GameText: TypeAlias = Annotated[str, GameTextType()]
KnownMember: TypeAlias = Annotated[Seat, MemberType()]
MemberName: TypeAlias = Annotated[str, MemberNameType()]
AmountText: TypeAlias = Annotated[str, AmountType()]
CommandWord: TypeAlias = Annotated[str, CommandWordType()]
Why: TypeAlias = Annotated[str, Reason()]


# Reading


@dataclass(frozen=True, slots=True)
class CommandArgument:
    """One parameter of a function that answers a command."""

    name: str
    type: WordType
    optional: bool  # in what is typed
    metadata: tuple[object, ...] = ()

    @property
    def required(self) -> bool:
        """Whether a form must have it."""
        return not self.optional or any(isinstance(each, RequiredInForms) for each in self.metadata)

    @property
    def usage(self) -> str:
        replacement = next((each.text for each in self.metadata if isinstance(each, Shown)), None)
        text = self.type.shown(self.name) if replacement is None else replacement
        bare = not text or self.required or isinstance(self.type, Grammar)
        return text if bare else f"[{text}]"


class _Layout:
    """The arguments of a command in their order, and where each is looked for in its words.

    Those in `front` are taken from the beginning; one that takes the rest is the last of them, and those
    `behind` it are taken from the end. `reason` is the name of the one that follows `--`, if there is one.
    """

    def __init__(self, arguments: Sequence[CommandArgument]) -> None:
        self.all = arguments
        among = [each for each in arguments if not isinstance(each.type, Reason)]
        places = (place for place, each in enumerate(among, 1) if each.type.takes_rest)
        end = next(places, len(among))
        self.front, self.behind = among[:end], among[end:]
        for each in self.behind:
            if type(each.type).take_last is WordType.take_last:
                raise TypeError(f"{each.name} stands behind all other words, where its type is not found")
        self.required = [each.name for each in among if not each.optional]
        self.reason = next((each.name for each in arguments if isinstance(each.type, Reason)), None)
        self.usage = " ".join(each.usage for each in arguments if each.usage)


class CommandArguments:
    """The arguments of the command that `method` of a part of the bot answers."""

    def __init__(self, part: Any, method: Callable[..., object], word: str, lookup: Lookup) -> None:
        self._part, self._word, self._lookup = part, word, lookup
        self._layout = _layout(type(part), method)  # type: ignore[arg-type]  # a class is hashable
        self.usage = self._layout.usage
        self.options = tuple(option for each in self._layout.all for option in self._options(each))
        self.form = self._form()

    async def read(self, request: Request) -> dict[str, object]:
        """Return the values of the arguments of a request by their names.

        Raises:
            Refusal: one is missing or wrong, or there are too many words.
        """
        values = dict[str, object]()
        if self._layout.reason is not None:
            request, values[self._layout.reason] = reasoned(request)
        words_by_name = self._split(request)
        for each in self._layout.all:
            if words_by_name.get(each.name):
                values[each.name] = await each.type.read(self._lookup, request, words_by_name[each.name])
        return values

    def _split(self, request: Request) -> Mapping[str, TypedWords]:
        """Return the words of each argument.

        Raises:
            Refusal: one is missing, or words are left over.
        """
        words_by_name, words = dict[str, TypedWords](), request.words
        for each in reversed(self._layout.behind):
            words_by_name[each.name], words = each.type.take_last(request, each.name, words)
        for each, following in zip_longest(self._layout.front, self._layout.front[1:]):
            if not words:
                break
            # `!top 5` leaves out what to rank by.
            numbered = following is not None and isinstance(following.type, Number)
            if not (each.optional and numbered and words[0].isdecimal()):
                words_by_name[each.name], words = each.type.take(self._lookup, words)
        if words or not all(words_by_name.get(each) for each in self._layout.required):
            raise usage(self._word, self.usage)
        return words_by_name

    def _options(self, argument: CommandArgument) -> Iterator[Option]:
        if isinstance(argument.type, Grammar):
            yield from argument.type.options
            return
        option = argument.type.option(argument.name, argument.required)
        if option is None:
            return
        for each in argument.metadata:
            if isinstance(each, Suggested):
                option = replace(option, suggest=self._bind(each.by))
            elif isinstance(each, Choices):
                option = replace(option, choices=each.values)
        usual = argument.type.suggested(argument.name, self._lookup)
        if usual and option.suggest is None:
            option = replace(option, suggest=lambda *_: usual)
        yield option

    def _form(self) -> Callable[[Room, Mapping[str, str]], str] | None:
        """Return what initially fills a form for the last argument; None: there is no such form."""
        metadata = (each for argument in self._layout.all for each in argument.metadata)
        defaults = (each for each in metadata if isinstance(each, Current))
        current = next(defaults, None)
        return None if current is None else self._bind(current.by)

    def _bind(self, by: Callable[..., Any]) -> Callable[..., Any]:
        return partial(by, self._part) if vars(type(self._part)).get(by.__name__) is by else by


def offering(*values: str) -> Suggested:
    """Return the suggestion of values that are always the same."""
    return Suggested(lambda *_: values)


@cache  # to look at annotations takes milliseconds, and tests make many bots
def _layout(owner: type, method: Callable[..., object]) -> _Layout:
    """Return the arguments of a method, whose annotations may name others of its class."""
    hints = get_type_hints(method, localns=dict(vars(owner)), include_extras=True)
    _, _, *parameters = signature(method).parameters.values()  # self and the request
    return _Layout([_argument(each, hints[each.name]) for each in parameters])


def _argument(parameter: Parameter, hint: Any) -> CommandArgument:
    metadata = tuple(_metadata(hint))
    word_type = next((each for each in metadata if isinstance(each, WordType)), None)
    optional = parameter.default is not Parameter.empty
    return CommandArgument(parameter.name, word_type or _type_of(hint, metadata), optional, metadata)


def _type_of(hint: Any, metadata: Sequence[object]) -> WordType:
    """Return the type of a parameter that no annotation names: a switch, a number or a word."""
    plain = _plain(hint)
    if plain is bool:
        return SwitchType()
    if plain is int:
        least = next((int(each.ge) for each in metadata if isinstance(each, Ge)), None)  # type: ignore[call-overload]
        most = next((int(each.le) for each in metadata if isinstance(each, Le)), None)  # type: ignore[call-overload]
        return Number(least, most)
    if plain is not str:
        raise TypeError(f"an argument of a command has a type that nothing reads: {hint}")
    return WordType()


def _plain(hint: Any) -> Any:
    """Return a type without what annotates it, and without None."""
    if get_origin(hint) is Annotated:
        return _plain(get_args(hint)[0])
    if get_origin(hint) in {Union, UnionType}:
        return next(_plain(each) for each in get_args(hint) if each is not type(None))
    return hint


def _metadata(hint: Any) -> Iterator[object]:
    """Yield what annotates a type, from within outwards."""
    if get_origin(hint) is Annotated:
        yield from _metadata(get_args(hint)[0])
        for each in hint.__metadata__:
            yield from each.metadata if isinstance(each, FieldInfo) else (each,)
    elif get_origin(hint) in {Union, UnionType}:
        for each in get_args(hint):
            yield from _metadata(each)
