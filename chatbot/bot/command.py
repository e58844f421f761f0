"""The commands of the bot itself, each of which is one decorated function.

A method of a part of the bot that is decorated with `command` answers a request. Its parameters are the
arguments, see `chatbot.bot.arguments`. Everything else that tells of a command is made of the two.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeAlias, TypeVar

from chatbot.bot.arguments import CommandArguments, Lookup
from chatbot.bot.cooldowns import NO_COOLDOWN, READING_COOLDOWN, Cooldown
from chatbot.kernel.commands import Command, Option
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.kit import AnyKit
from chatbot.kernel.say import Message, Say
from chatbot.rooms.request import Answer, Request
from chatbot.rooms.room import Room

if TYPE_CHECKING:
    from collections.abc import Iterator

P = ParamSpec("P")
T = TypeVar("T")

CommandMethod: TypeAlias = Callable[Concatenate[T, Request, P], Awaitable[Sequence[Say]]]

_DECLARATION = "declaration"  # the attribute of a decorated function


class Where(Enum):
    """Where a command may be used."""

    ANYWHERE = "anywhere"
    VOUCHED = "vouched"
    """Where the platform authenticates members; elsewhere it is refused by the message `<word>-not-here`."""


@dataclass(frozen=True, slots=True)
class BotCommand:
    """A command of the bot itself, and the function that answers it; its help is `help-<word>`.

    `arguments` is the usage, `least` the least role by default, `aliases` are other words for the command.
    If it `agrees` to something, no word of a room can stand for it, so that nobody gives it without knowing,
    and it has no cooldown. If it is `bare`, no word can stand for it with arguments, or not with arguments
    that begin with one of `bare_before`: whoever gave such a word would make credits, and not know it.
    `scope` is the one that a program needs; empty: that of its role.
    If only the last option is missing, a platform may ask for it in a form: `form` returns what that
    initially contains, given the other options; empty if there is no current value.
    """

    word: str
    answer: Answer
    arguments: str = ""
    least: Role = Role.VIEWER
    options: tuple[Option, ...] = ()
    reads: bool = False  # it changes nothing, so a line that is delivered twice may be answered twice
    form: Callable[[Room, Mapping[str, str]], str] | None = None
    aliases: tuple[str, ...] = ()
    agrees: bool = False
    bare: bool = False
    bare_before: frozenset[str] = frozenset()
    cooldown: Cooldown = NO_COOLDOWN  # by default, where answers are read by all
    scope: str = ""

    def is_bare(self, arguments: Sequence[str]) -> bool:
        """Whether no word can stand for it with these arguments."""
        return self.bare or arguments[0].lower() in self.bare_before


AnyCommand: TypeAlias = BotCommand | tuple[AnyKit, Command]
"""What answers a word: a command of the bot itself, or one of a game."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """What the decorator of a function says; see `command`."""

    word: str
    least: Role
    aliases: tuple[str, ...]
    where: Where
    reads: bool
    cooldown: Cooldown
    agrees: bool
    bare: bool
    bare_before: frozenset[str]
    typed: str
    scope: str

    @property
    def words(self) -> tuple[str, ...]:
        return self.word, *self.aliases


def command(
    word: str,
    least: Role = Role.VIEWER,
    *,
    aliases: tuple[str, ...] = (),
    where: Where = Where.ANYWHERE,
    reads: bool = False,
    cooldown: Cooldown | None = None,
    agrees: bool = False,
    bare: bool = False,
    bare_before: frozenset[str] = frozenset(),
    typed: str = "",
    scope: str = "",
) -> Callable[[CommandMethod[T, P]], CommandMethod[T, P]]:
    """Make a method the command of a word; the parameters mean what they mean for `BotCommand`.

    Without a `cooldown`, a command that only reads and is for everybody has the usual one. `typed` is how the
    usage writes the word, if that is two words.
    """
    usual = READING_COOLDOWN if reads and least is Role.VIEWER else NO_COOLDOWN
    declaration = Declaration(
        word,
        least,
        aliases,
        where,
        reads,
        usual if cooldown is None else cooldown,
        agrees,
        bare,
        bare_before,
        typed or word,
        scope,
    )

    def declare(method: CommandMethod[T, P]) -> CommandMethod[T, P]:
        vars(method)[_DECLARATION] = declaration
        return method

    return declare


def declared(part: type) -> Iterator[tuple[Declaration, Callable[..., Awaitable[Sequence[Say]]]]]:
    """Yield the commands that a class declares, in their order, and the functions that answer them."""
    for method in vars(part).values():
        declaration = getattr(method, _DECLARATION, None)
        if isinstance(declaration, Declaration):
            yield declaration, method


def commands_of(part: object, lookup: Lookup) -> Iterator[BotCommand]:
    """Yield the commands that a part of the bot offers, in their order."""
    for declaration, method in declared(type(part)):
        yield _bind(part, declaration, method, lookup)


def _bind(
    part: object,
    declaration: Declaration,
    method: Callable[..., Awaitable[Sequence[Say]]],
    lookup: Lookup,
) -> BotCommand:
    arguments = CommandArguments(part, method, declaration.typed, lookup)

    async def answer(request: Request) -> Sequence[Say]:
        values = await arguments.read(request)
        if declaration.where is Where.VOUCHED and not request.manner.vouches:
            raise Refusal(Message(f"{declaration.word}-not-here"))
        return await method(part, request, **values)

    return BotCommand(
        word=declaration.word,
        answer=answer,
        arguments=arguments.usage,
        least=declaration.least,
        options=arguments.options,
        reads=declaration.reads,
        form=arguments.form,
        aliases=declaration.aliases,
        agrees=declaration.agrees,
        bare=declaration.bare,
        bare_before=declaration.bare_before,
        cooldown=declaration.cooldown,
        scope=declaration.scope,
    )


def other_words(any_command: AnyCommand) -> tuple[str, ...]:
    """Return the other words for a command."""
    return any_command.aliases if isinstance(any_command, BotCommand) else any_command[1].aliases


def first_word(any_command: AnyCommand) -> str:
    """Return the word by which a command is known, without its aliases."""
    return any_command.word if isinstance(any_command, BotCommand) else any_command[1].word
