"""Use the commands of chat from a page or by a program: as a line that whoever calls has said.

So everything that chat checks is checked here by the same code: roles, permits, cooldowns, confirmations, and
that nothing happens twice.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from pydantic import Field
from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.bot.command import BotCommand, first_word
from chatbot.community.members import Unknown
from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.say import Message
from chatbot.ledger.members import Members
from chatbot.rooms.channel import Manner
from chatbot.rooms.line import SIGN, Line
from chatbot.web.api.endpoints import Call, Endpoint, EndpointBody, NotHeard
from chatbot.web.api.once import AnswerLost
from chatbot.web.tokens import READ

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.bot.bot import Bot
    from chatbot.bot.command import AnyCommand
    from chatbot.kernel.commands import Option
    from chatbot.ledger.people import Account

MANNER = Manner()
"""How answers on a page are worded: plainly, in private, and as long as they are."""

CONFIRM = "confirm"
"""The command of everybody by which the operator, too, agrees to what another moderator asks for."""


class AnswerRow(TypedDict):
    """One answer: its text, and the id of its message, which programs can tell apart."""

    id: str
    text: str
    refused: bool


class CommandResult(TypedDict):
    """What became of a command; `done` is False where it was refused."""

    done: bool
    answers: list[AnswerRow]


class OptionInfo(TypedDict):
    """An option of a command, by the name that a program gives."""

    name: str
    kind: str
    required: bool
    help: str
    choices: list[str]
    key: str  # stands before the value, such as `-- `


class CommandInfo(TypedDict):
    """A command that the caller may use."""

    word: str
    usage: str
    help: str
    role: str
    scope: str
    reads: bool
    game: str | None
    options: list[OptionInfo]


class TypedArguments(EndpointBody):
    """What stands behind the word of a command, as it would be typed."""

    arguments: str = Field("", max_length=500, description="What stands behind the word, as in chat.")
    members: list[str] = Field(
        [], max_length=5, description="Seats that stand in the arguments as `@SEAT`, and mean these members."
    )
    table: str | None = Field(None, max_length=100, description="The id of the only table that it is for.")


class CommandEndpoints:
    """Offers the commands of chat."""

    def __init__(self, bot: Bot) -> None:
        self._bot, self._names = bot, Members(bot.parts.store)

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        return [
            Endpoint(
                "GET",
                "/commands",
                "List the commands that you may use.",
                self._list,
                list[CommandInfo],
                scope=READ,
            ),
            Endpoint(
                "POST",
                "/commands/{word}",
                "Use a command, as by typing it in the chat.",
                self._use,
                CommandResult,
                body=TypedArguments,
                resumes=True,
            ),
        ]

    async def _list(self, call: Call) -> list[CommandInfo]:
        usable = self._bot.parts.usable.by_role(call.room, call.standing.role)
        return [self._described(call, each) for each in usable if self._offered(call, each)]

    def _offered(self, call: Call, any_command: AnyCommand) -> bool:
        """Whether a command makes sense for a caller: the operator has no wallet to play with.

        A program is told of those that it was made for.
        """
        scopes = call.principal.scopes
        if scopes is not None and self._bot.parts.access.scope(call.room, any_command) not in scopes:
            return False
        if not call.principal.is_operator:
            return True
        least = self._bot.parts.access.least(call.room, first_word(any_command))
        if not isinstance(any_command, BotCommand):
            return False
        return any_command.reads or least.covers(Role.MODERATOR) or any_command.word == CONFIRM

    def _described(self, call: Call, any_command: AnyCommand) -> CommandInfo:
        command = any_command if isinstance(any_command, BotCommand) else any_command[1]
        bot, room = self._bot, call.room
        return {
            "word": command.word,
            "usage": command.arguments,
            "help": bot.outbox.text(Message(f"help-{command.word}"), room=room),
            "role": bot.parts.access.least(room, command.word).value,
            "scope": bot.parts.access.scope(room, any_command),
            "reads": isinstance(command, BotCommand) and command.reads,
            "game": None if isinstance(any_command, BotCommand) else any_command[0].name,
            "options": [self._option(call, command.word, each) for each in command.options],
        }

    def _option(self, call: Call, word: str, option: Option) -> OptionInfo:
        message = Message(f"option-{word}-{option.name}")
        known = message.id in self._bot.outbox.words.ids
        return {
            "name": option.name,
            "kind": option.kind.name.lower(),
            "required": option.required,
            "help": self._bot.outbox.text(message, room=call.room) if known else option.name,
            "choices": list(option.choices),
            "key": option.key,
        }

    async def _use(self, call: Call) -> CommandResult:
        word = call.path["word"].lower()
        any_command = self._bot.command_index.bot_command(word) or self._bot.command_index.command(word)
        if any_command is None:
            raise Refusal(Message("command-unknown", {"word": word}))
        mentions = await self._mentions(call)
        written = {f"@{seat}": f"@{account}" for seat, account in mentions.items()}
        text = " ".join(written.get(each, each) for each in f"{word} {call.body.arguments}".split())
        names = {account: self._bot.members.name(seat) for seat, account in mentions.items()}
        return await self.say(call, text, named=names, table=call.body.table)

    async def _mentions(self, call: Call) -> Mapping[Seat, Account]:
        """Return an account of each member that the arguments mention, who need not be named uniquely.

        Raises:
            Unknown: there is no such member here.
        """
        seats = [Seat(each) for each in call.body.members]
        known = await self._names.names(call.room.community, seats)
        await self._bot.members.learn(call.room.community, seats)
        accounts = {each: self._bot.people.accounts(each)[:1] for each in seats}
        for each in seats:
            if each not in known or not accounts[each]:
                raise Unknown(each)
        return {seat: account for seat, (account,) in accounts.items()}

    async def say(
        self,
        call: Call,
        text: str,
        *,
        named: Mapping[Account, str] = MappingProxyType({}),
        table: str | None = None,
    ) -> CommandResult:
        """Say a line of a caller, and return its answers; `named` and `table` are those of the line.

        Raises:
            NotHeard: nothing was done.
            AnswerLost: it was heard before, and what was answered is not known.
        """
        line = Line(
            id=f"web:{call.id}",
            channel=call.standing.channel,
            account=call.principal.account,
            name=call.principal.name,
            role=call.standing.role,
            text=SIGN + " ".join(text.split()),
            private=True,
            table=table,
            named=named,
            manner=MANNER,
            scopes=call.principal.scopes,
        )
        if call.has_key and await self._bot.parts.deduplication.known(line.id):
            raise AnswerLost
        says = await self._bot.ask(line)
        if says is None:
            raise NotHeard
        answers: list[AnswerRow] = [
            {
                "id": each.message.id,
                "text": self._bot.outbox.text(each.message, room=call.room),
                "refused": each.event == "Refusal",
            }
            for each in says
        ]
        return {"done": not any(each["refused"] for each in answers), "answers": answers}
