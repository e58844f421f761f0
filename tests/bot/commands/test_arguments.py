"""A command is one function: its parameters are written, offered and read as their types say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import pytest
from pydantic import Field

from chatbot.bot.arguments import (
    AmountText,
    Choices,
    CommandWord,
    Current,
    Grammar,
    KnownGame,
    KnownMember,
    Lookup,
    MemberName,
    Number,
    RequiredInForms,
    Shown,
    Suggested,
    Text,
    TypedWords,
    Why,
    offering,
)
from chatbot.bot.command import BotCommand, Where, command, commands_of, declared
from chatbot.bot.cooldowns import NO_COOLDOWN, READING_COOLDOWN, Cooldown
from chatbot.kernel.commands import Kind, Option
from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.say import Message, Say
from chatbot.kernel.settings import Whole
from chatbot.ledger.people import Account
from chatbot.rooms.channel import Channel, Manner
from chatbot.rooms.line import Line
from chatbot.rooms.request import Request
from chatbot.rooms.room import Room
from tests.bot.stage import Notebook
from tests.contests import contest_kits

LEVELS = "low", "high"
DATES = Option("from", Kind.WORD), Option("to", Kind.WORD)


class Part:
    """Keeps what its commands were given."""

    def __init__(self) -> None:
        self.given: tuple[object, ...] = ()

    def _tell(self, *values: object) -> Sequence[Say]:
        self.given = values
        return []

    def _doors(self, room: Room, given: Mapping[str, str]) -> Sequence[str]:
        return [room.id, *given.values()]

    def _paint(self, room: Room, given: Mapping[str, str]) -> str:
        return f"{room.id} {given['door']}"

    @command("nothing")
    async def nothing(self, _: Request) -> Sequence[Say]:
        return self._tell()

    @command("count", Role.MODERATOR, reads=True)
    async def count(
        self, _: Request, what: str = "all", number: Annotated[Whole, Field(ge=1, le=20)] = 5
    ) -> Sequence[Say]:
        return self._tell(what, number)

    @command("show", reads=True, aliases=("see",))
    async def show(
        self,
        _: Request,
        game: KnownGame | None = None,
        number: Annotated[int | None, Number(1, prefix="#")] = None,
    ) -> Sequence[Say]:
        return self._tell(game and game.name, number)

    @command("pay", bare=True)
    async def pay(
        self, _: Request, member: MemberName, amount: Annotated[AmountText, offering("10", "all")]
    ) -> Sequence[Say]:
        return self._tell(member, amount)

    @command("name", cooldown=Cooldown(5))
    async def name(self, _: Request, member: KnownMember, off: bool = False, why: Why = "") -> Sequence[Say]:
        return self._tell(member, off, why)

    @command("paint", where=Where.VOUCHED)
    async def paint(
        self,
        _: Request,
        door: Annotated[str, Suggested(_doors)],
        level: Annotated[str, Choices(LEVELS), Shown("|".join(LEVELS)), RequiredInForms()] = "",
        text: Annotated[Text, Current(_paint)] = "",
    ) -> Sequence[Say]:
        return self._tell(door, level, text)

    @command("allow")
    async def allow(self, _: Request, word: CommandWord, role: str = "") -> Sequence[Say]:
        return self._tell(word, role)

    @command("dates", typed="da tes")
    async def dates(
        self, _: Request, words: Annotated[TypedWords, Grammar("FROM [- TO]", DATES)] = ()
    ) -> Sequence[Say]:
        return self._tell(*words)


async def find(_: Request, name: str) -> Seat:
    if name == "nobody":
        raise Refusal(Message("member-unknown"))
    return Seat(name.removeprefix("@"))


def split(text: str) -> tuple[str, TypedWords]:
    first, *rest = text.split()
    joined = rest and first == "season" and rest[0] == "end"
    return ("seasonend", tuple(rest[1:])) if joined else (first, tuple(rest))


LOOKUP = Lookup(contest_kits(), find, split)


def room(*, vouches: bool = True) -> Room:
    return Room("den", "town", (Channel("den:chat", "test", Notebook(), Manner(vouches=vouches)),))


def own(part: Part) -> dict[str, BotCommand]:
    return {each.word: each for each in commands_of(part, LOOKUP)}


NOTHING: Any = None  # what a command decides, which these do not


async def given(text: str, *, vouches: bool = True) -> tuple[object, ...]:
    """Return what the function of a command was given for a line."""
    part = Part()
    word, *words = text.split()
    line = Line("1", "den:chat", Account("test", "ann"), "ann", Role.VIEWER, f"!{text}")
    await own(part)[word].answer(Request(room(vouches=vouches), line, tuple(words), NOTHING))
    return part.given


def test_a_class_declares_its_commands_in_their_order() -> None:
    words = [each for declaration, _ in declared(Part) for each in declaration.words]
    assert words == ["nothing", "count", "show", "see", "pay", "name", "paint", "allow", "dates"]
    assert [*own(Part())] == [each for each in words if each != "see"]


def test_the_usage_is_made_of_the_parameters() -> None:
    assert {word: each.arguments for word, each in own(Part()).items()} == {
        "nothing": "",
        "count": "[WHAT] [1-20]",
        "show": "[GAME] [NUMBER]",
        "pay": "@name AMOUNT",
        "name": "@name [off]",
        "paint": "DOOR low|high [TEXT]",
        "allow": "WORD [ROLE]",
        "dates": "FROM [- TO]",
    }


def test_the_options_are_made_of_the_parameters() -> None:
    options = {word: each.options for word, each in own(Part()).items()}
    assert options["nothing"] == ()
    assert options["count"] == (Option("what", Kind.WORD), Option("number", Kind.WHOLE, least=1, most=20))
    assert [(each.name, each.kind, each.required) for each in options["name"]] == [
        ("member", Kind.MEMBER, True),
        ("off", Kind.WORD, False),
    ]
    assert [(each.kind, each.required, each.choices) for each in options["paint"]] == [
        (Kind.WORD, True, ()),
        (Kind.WORD, True, LEVELS),
        (Kind.TEXT, False, ()),
    ]
    assert options["dates"] == DATES


def test_values_are_suggested_by_a_method_by_a_list_or_by_the_type() -> None:
    options = {(word, one.name): one.suggest for word, each in own(Part()).items() for one in each.options}

    def suggested(word: str, option: str) -> Sequence[str]:
        suggest = options[word, option]
        assert suggest is not None
        return suggest(room(), {"level": "low"})

    assert suggested("paint", "door") == ["den", "low"]
    assert suggested("pay", "amount") == ("10", "all")
    assert suggested("name", "off") == ("off",)
    assert suggested("show", "game") == [*LOOKUP.kits]
    assert options["count", "what"] is None


def test_a_form_begins_with_what_the_last_parameter_says() -> None:
    form = own(Part())["paint"].form
    assert form is not None
    assert form(room(), {"door": "front"}) == "den front"
    assert own(Part())["pay"].form is None


def test_the_decorator_says_the_rest() -> None:
    commands = own(Part())
    assert [each.word for each in commands.values() if each.least is Role.MODERATOR] == ["count"]
    assert [each.word for each in commands.values() if each.bare] == ["pay"]
    assert commands["show"].aliases == ("see",)
    assert commands["show"].cooldown == READING_COOLDOWN
    assert commands["count"].cooldown == NO_COOLDOWN, "moderators wait for nothing"
    assert commands["name"].cooldown == Cooldown(5)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("nothing", ()),
        ("count", ("all", 5)),
        ("count some", ("some", 5)),
        ("count 7", ("all", 7)),
        ("count some 7", ("some", 7)),
        ("show", (None, None)),
        ("show bankheist", ("heist", None)),
        ("show heist #3", ("heist", 3)),
        ("show 3", (None, 3)),
        ("pay ann 50", ("ann", "50")),
        ("pay ann of York 50 credits", ("ann of York", "50")),
        ("name ann of York", ("ann of York", False, "")),
        ("name @ann OFF", ("ann", True, "")),
        ("name off", ("off", False, "")),
        ("name ann -- a -- late reason", ("ann -- a", False, "late reason")),
        ("paint front low much  red", ("front", "low", "much red")),
        ("paint front", ("front", "", "")),
        ("allow season end vip", ("seasonend", "vip")),
        ("allow !top", ("top", "")),
        ("dates a - b", ("a", "-", "b")),
        ("dates", ()),
    ],
)
async def test_words_are_read_as_the_types_say(text: str, values: tuple[object, ...]) -> None:
    assert await given(text) == values


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nothing more", "usage"),
        ("count some 7 times", "usage"),
        ("count some times", "not-a-number"),
        ("count some 21", "not-a-number"),
        ("show chess", "game-unknown"),
        ("pay", "usage"),
        ("pay 50", "usage"),
        ("name", "usage"),
        ("name nobody", "member-unknown"),
        ("name -- why", "usage"),
        ("allow", "usage"),
    ],
)
async def test_wrong_words_are_refused(text: str, message: str) -> None:
    with pytest.raises(Refusal) as refused:
        await given(text)
    assert refused.value.message.id == message


async def test_where_nobody_vouches_for_members_a_command_that_needs_it_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        await given("paint front", vouches=False)
    assert refused.value.message.id == "paint-not-here"


def test_a_type_that_nothing_reads_is_an_error_of_whoever_writes_the_command() -> None:
    class Wrong:
        @command("wrong")
        async def wrong(self, _: Request, share: float) -> Sequence[Say]:
            return [str(share)]  # type: ignore[list-item]  # it is never called

    with pytest.raises(TypeError, match="a type that nothing reads: <class 'float'>"):
        list(commands_of(Wrong(), LOOKUP))


def test_an_argument_that_would_never_be_found_is_an_error_of_whoever_writes_the_command() -> None:
    class Wrong:
        @command("wrong")
        async def wrong(self, request: Request, text: Text, word: str) -> Sequence[Say]:
            raise AssertionError

    with pytest.raises(TypeError, match="word stands behind all other words"):
        list(commands_of(Wrong(), LOOKUP))
