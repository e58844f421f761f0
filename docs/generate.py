"""Writes the pages of docs/reference that tell what the program knows of itself.

`python -m docs.generate` writes them, and `--check` only says which of them are out of date.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from inspect import cleandoc
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import typer
from annotated_types import Ge, Le
from typer.core import TyperGroup

from arena.commands.bankheist import main as bankheist
from arena.commands.chickp.options import USAGE
from chatbot import __version__
from chatbot.bot.bot import Bot
from chatbot.bot.command import first_word
from chatbot.cli.entry import app
from chatbot.environment import PREFIX, SECRET, Settings
from chatbot.games import kits, own
from chatbot.kernel import returns
from chatbot.kernel.game import Role
from chatbot.kernel.returns import Method
from chatbot.kernel.say import Message
from chatbot.kernel.settings import as_text
from chatbot.ledger.store.store import Store
from chatbot.rooms.request import form
from chatbot.rooms.scopes import PERSON
from chatbot.runtime.clock import LoopWatch
from chatbot.settings import reference
from chatbot.settings.fields import Scope
from chatbot.speech.words import Words
from chatbot.web.api.openapi import DOCUMENT, least_role, openapi
from chatbot.web.server import declarations
from cogs.discord.slash_commands import spoken_commands
from docs.rulebooks import chickenpoker, heist, highshow, market, sixcard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from chatbot.bot.command import AnyCommand, BotCommand
    from chatbot.kernel.commands import Command
    from chatbot.kernel.kit import AnyKit
    from chatbot.kernel.returns import Returns
    from chatbot.web.api.endpoints import DeclaredEndpoint

FOLDER = Path(__file__).parent
WRITTEN = "<!-- Written by `python -m docs.generate`; change the program's own texts instead. -->"
NONE = "none"
"""What stands for a default that is empty."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m docs.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a page is old")
    asked = parser.parse_args()
    old = [name for name, text in pages().items() if text != _read(FOLDER / name)]
    for name in old:
        print(f"docs/{name} {'is out of date' if asked.check else 'is written'}")
    if asked.check:
        sys.exit(bool(old))
    for name in old:
        (FOLDER / name).write_text(pages()[name], encoding="utf-8", newline="\n")


def own_games() -> Mapping[str, AnyKit]:
    """Return the games of this repository, which are those with a page `docs/play/<game>.md`."""
    pages = {each.stem for each in (FOLDER / "play").glob("*.md")}
    return {name: kit for name, kit in kits().items() if name in pages & own().keys()}


def pages() -> Mapping[str, str]:
    """Write every page, by the name of its file."""
    bot = asyncio.run(_bot())
    return {name: "\n".join(made(bot)) + "\n" for name, made in PAGES.items()}


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""


async def _bot() -> Bot:
    """Wire a house of this repository's games, of which only the wiring is looked at."""
    with TemporaryDirectory() as folder:
        store = await Store.open(f"sqlite:///{(Path(folder) / 'none.db').as_posix()}")
        await store.close()
        return Bot(own_games(), store, Words("en"), LoopWatch())


def _paragraph(text: str) -> Iterator[str]:
    yield from wrap(text, 110, break_long_words=False, break_on_hyphens=False)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(headings)} |"
    yield f"| {' | '.join('---' for _ in headings)} |"
    for row in rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


# Settings in chat


def _settings(bot: Bot) -> Iterator[str]:
    groups = bot.parts.groups
    yield from ("# Every setting in chat", "", WRITTEN, "")
    yield from _paragraph(
        "`!set GROUP KEY VALUE` changes one of these settings, as [Settings in "
        "chat](../moderate/settings.md) explains; `uv run chatbot settings table` prints the same "
        "tables. Each game has a group of its own."
    )
    for name, group in groups.items():
        whose = "community" if group.scope is Scope.COMMUNITY else "room"
        yield from ("", f"## {name}", "", f"Settings of the {whose}.", "")
        yield from reference.lines(group, bot.outbox.text)
        kit = bot.kits.get(name)
        if kit is not None:
            yield from ("", f"### Presets of {name}", "")
            yield from _table(("preset", "sets"), [*_presets(kit)])


def _presets(kit: AnyKit) -> Iterator[Sequence[str]]:
    for preset, values in kit.rules.presets.items():
        told = ", ".join(f"`{key}` {as_text(value)}" for key, value in values.items())
        yield f"`!preset {kit.name} {preset}`", told or "nothing: the values are those of the rules"


# Settings of the program


def _environment(_: Bot) -> Iterator[str]:
    yield from ("# Settings of the program", "", WRITTEN, "")
    yield from _paragraph(
        "The program reads these from the environment or from a file `.env`, as [Configuring the "
        "program](../operate/settings.md) explains."
    )
    yield ""
    rows = [(f"`{PREFIX}{key.upper()}`", *_field(key)) for key in Settings.model_fields]
    yield from _table(("setting", "default", "takes", "range", "secret"), rows)


def _field(key: str) -> Iterator[str]:
    field = Settings.model_fields[key]
    default = written(None if field.default_factory else field.default)
    yield f"`{default}`" if default else NONE
    yield field.description or ""
    least = next((each.ge for each in field.metadata if isinstance(each, Ge)), None)
    most = next((each.le for each in field.metadata if isinstance(each, Le)), None)
    yield f"{least:,} to {most:,}" if isinstance(least, int) and isinstance(most, int) else ""
    yield "yes" if key in SECRET else ""


def written(default: object) -> str:
    """Write a default as `.env` has it."""
    if isinstance(default, bool):
        return "yes" if default else "no"
    if isinstance(default, Path):
        return default.as_posix()
    return "" if default is None else str(getattr(default, "value", default))


# Commands in chat


def _chat_commands(bot: Bot) -> Iterator[str]:
    yield from ("# Chat commands", "", WRITTEN, "")
    yield from _paragraph(
        "A word in capitals stands for a value, and what is in brackets can be left out. `!help "
        "COMMAND` says the same in chat. `!permit` and `!cooldown` change who may use a command "
        "and how often, as [Access and cooldowns](../moderate/access.md) explains. The cooldowns "
        "here are the usual ones, in seconds for the room and for each member; they count where "
        "answers are read by all, as on Twitch."
    )
    for heading, roles in (
        ("Commands of everybody", {Role.VIEWER}),
        ("Commands of moderators and broadcasters", {*Role} - {Role.VIEWER}),
    ):
        own = [each for each in bot.command_index.bot_commands if each.least in roles]
        yield from ("", f"## {heading}", "")
        yield from _table(COMMANDS, [_row(bot, each, each.least) for each in own])
    for kit in own_games().values():
        yield from ("", f"## {bot.outbox.text(Message(f'game-{kit.name}'))}", "")
        yield from _table(COMMANDS, [_row(bot, each, Role.VIEWER) for each in kit.chat.commands])


COMMANDS = ("command", "also", "least role", "cooldown", "does", "for example")


def _row(bot: Bot, command: Command | BotCommand, role: Role) -> Sequence[str]:
    def told(message: Message) -> str:
        return bot.outbox.text(message)

    word, ids = command.word, bot.outbox.words.ids
    example = f"example-{word}"
    return (
        f"`{told(form(f'!{word} {command.arguments}'.rstrip(), ids))}`",
        ", ".join(f"`!{each}`" for each in command.aliases),
        role.value,
        bot.parts.access.cooldowns.default(word),
        told(Message(f"help-{word}")),
        f"`{told(Message(example))}`" if example in ids else "",
    )


# The command line


def _command_line(_: Bot) -> Iterator[str]:
    yield from ("# The command line", "", WRITTEN, "")
    yield from _paragraph(
        "In a clone, type `uv run` before each of these; where the package is installed they are "
        "typed as they are. `--help` (`-h`) shows the help of every command, and `chatbot "
        "--version` the version. "
        "A game is given by its name or by the word that people type to play it, as in `chatbot solve "
        "chicken`."
    )
    yield from _program("chatbot", typer.main.get_command(app))
    yield from ("", "## chatbot with no command", "", "The same as `chatbot run`.")
    yield from _program("bankheist", typer.main.get_command(bankheist))
    yield from ("", "## chickp", "", "```", *USAGE.strip().splitlines(), "```")


def _program(name: str, command: Any, given: frozenset[str] = frozenset()) -> Iterator[str]:
    """Tell of a command, or of all commands of a group; `given` are options that were told of before."""
    parts = _parts(command)
    common = _common(parts.values())
    if not parts or common:
        called = f"{name} GAME" if parts else name
        yield from ("", f"## {called}", "", f"`{' '.join((called, *_usage(command)))}`", "", *_help(command))
        offered = common.values() if parts else command.params
        yield from _options([each for each in offered if each.name not in given])
    for word, part in parts.items():
        yield from _program(f"{name} {word}", part, frozenset(common))


def _usage(command: Any) -> Iterator[str]:
    """Name the arguments of a command in their order, those that may be left out in brackets."""
    for each in command.params:
        if each.param_type_name == "argument":
            sign = each.metavar or each.name.upper()
            yield sign if each.required or sign.startswith("[") else f"[{sign}]"


def _help(command: Any) -> Iterator[str]:
    for line in cleandoc(command.help or "").splitlines():
        yield line.strip()


def _common(parts: Any) -> dict[str, Any]:
    """Give the parameters that all games have that are commands of a group."""
    games = [each for each in parts if each.name in own_games()]
    if len(games) < 2:
        return {}
    shared = set.intersection(*({each.name for each in part.params} for part in games))
    return {each.name: each for each in games[0].params if each.name in shared and _same(each, games)}


def _same(parameter: Any, games: Sequence[Any]) -> bool:
    helps = {each.help for part in games for each in part.params if each.name == parameter.name}
    return helps == {parameter.help}


def _parts(command: Any) -> dict[str, Any]:
    """Give the commands of a group; of games, those of this repository."""
    if not isinstance(command, TyperGroup):
        return {}
    context: Any = None  # no group of ours needs one
    foreign = {*kits()} - {*own_games()}
    names = [each for each in command.list_commands(context) if each not in foreign]
    return {each: command.get_command(context, each) for each in names}


def _options(parameters: Sequence[Any]) -> Iterator[str]:
    rows = [_option(each) for each in parameters if getattr(each, "help", None) and each.name != "help"]
    if rows:
        yield ""
        yield from _table(("argument or option", "means", "default"), rows)


def _option(parameter: Any) -> Sequence[str]:
    flags = [each for each in parameter.opts if each.startswith("-")]
    sign = parameter.metavar or parameter.name.upper()
    called = ", ".join(flags) if flags else sign
    valued = flags and not parameter.is_flag
    default = parameter.default if isinstance(parameter.default, (str, int)) else ""
    return (
        f"`{called}{f' {sign}' if valued else ''}`",
        parameter.help,
        "" if default is False or default == "" else f"`{default}`",
    )


# What strategies of the house return


def _returns(bot: Bot) -> Iterator[str]:
    yield from ("# What players of the house return", "", WRITTEN, "")
    yield from _paragraph(
        "The most that one person gets back on average of each credit staked against a player of the house, "
        "with whatever play is best: the best reply in credits, and not in points, to a strategy that is "
        "known and does not change, over the deals and both seats. 100% is fair; where more comes back, the "
        "strategy must not take stakes, nor must one without a figure, such as those of installed games. The "
        "length is that of a game: cards in Chicken Poker, rounds in Poker Market. In Bank Heist and High "
        "Show stakes are not played for with these players: see [Odds](../play/odds.md)."
    )
    yield ""
    yield from _paragraph(
        "*Exact* figures are proved, or worked out of all that can happen. *Searched* ones are of deals that "
        "were drawn, with their standard error; such a strategy may take stakes only if its figure and "
        f"{returns.CERTAINTY} errors (a certainty of 99.9%) are at most {_percent(1 + returns.TOLERANCE)}. "
        "`uv run chatbot solve returns --check` works all of them out anew and compares them with the file "
        "`data/policies/returns.txt`, of which this page is made; `--write` writes that file."
    )
    for name in sorted({game for game, _, _ in returns.known()}):
        rows = [*_returned({key: each for key, each in returns.known().items() if key[0] == name})]
        yield from ("", f"## {bot.outbox.text(Message(f'game-{name}'))}", "")
        yield from _table(("strategy", "length", "returns", "known", "by", "stakes"), rows)


def _returned(figures: Returns) -> Iterator[Sequence[str]]:
    """Write a row for each run of lengths at which a strategy has the same figure."""
    for (strategy, reply), run in groupby(figures.items(), key=lambda item: (item[0][1], item[1])):
        lengths = [length for (_, _, length), _ in run]
        exact = reply.method is Method.EXACT
        error = "" if exact else f" ± {_percent(Fraction(reply.error))}"
        yield (
            f"`{strategy}`",
            _lengths(lengths),
            f"{_percent(reply.returns)}{error}",
            reply.method,
            returns.METHODS[reply.how],
            "yes" if reply.fair else "no",
        )


def _lengths(lengths: Sequence[int]) -> str:
    if lengths == [returns.NO_LENGTH]:
        return "any"
    return str(lengths[0]) if len(lengths) == 1 else f"{lengths[0]} to {lengths[-1]}"


def _percent(share: Fraction) -> str:
    """Write a share with as many decimals as are needed, four at most."""
    return f"{float(100 * share):.4f}".rstrip("0").rstrip(".") + "%"


# Who may do what, and where


@dataclass(frozen=True)
class _Unset:
    """A room in which nobody has changed anything."""

    id: str = ""
    community: str = ""
    holder: str = ""
    chosen: dict[str, Any] = field(default_factory=dict)


IN_CHAT = {"desk"}
"""Commands that the desk has no use for."""


def _rights(bot: Bot) -> Iterator[str]:
    """Write the matrix of roles, actions and surfaces."""
    access = bot.parts.access
    roles = {each: Role(access.permissions.default(each)) for each in access.words()}
    yield from ("# Who may do what, and where", "", WRITTEN, "")
    yield from _paragraph(
        "Every action there is: the commands, and the addresses of the interface by which the desk and "
        "programs read. What somebody may depends on their role in the room alone, and not on where they do "
        "it. The roles are the usual ones, which `!permit` changes for all surfaces at once; each includes "
        f"those before it, in the order {', '.join(each.value for each in Role)}. Away from the chat, "
        "platforms tell who moderates and who owns it; subscribers and VIPs count as viewers there. A "
        "program acts as whoever made its token, and only with the scope that the row names."
    )
    headings = ("action", *(each.value for each in Role), "chat", "slash", "desk", "scope of a token")
    yield from ("", "## Commands", "")
    yield from _table(headings, [*_command_rights(bot, roles)])
    yield from ("", "## Reads, and what has no command", "")
    yield from _table(headings, [*_address_rights(bot, roles)])
    yield ""
    yield from _paragraph(
        "No token opens what takes a person: joining accounts and channels, opening a desk, claiming daily "
        "credits, and agreeing to something. To give credits to others takes the scope `give`, which `play` "
        "does not include. Whoever runs the bot is a broadcaster in every room, without a wallet: they open "
        "no game and claim nothing."
    )


def _command_rights(bot: Bot, roles: Mapping[str, Role]) -> Iterator[Sequence[str]]:
    index, slash = bot.command_index, {each.word for each in spoken_commands(bot)}
    of_games = ((kit, each) for kit in own_games().values() for each in kit.chat.commands)
    # A word that a game shares with the bot takes the role of the bot's command.
    alone = (each for each in of_games if index.bot_command(each[1].word) is None)
    commands: list[AnyCommand] = [*index.bot_commands, *alone]
    for each in commands:
        word = first_word(each)
        scope = bot.parts.access.scope(_Unset(), each)
        at_desk = "–" if word in IN_CHAT else "yes"
        by_slash = "yes" if word in slash else "–"
        yield f"`!{word}`", *_marks(roles[word]), "yes", by_slash, at_desk, _scope(scope)


def _address_rights(bot: Bot, roles: Mapping[str, Role]) -> Iterator[Sequence[str]]:
    for each in declarations(bot):
        _, in_room, path = each.address.partition("/rooms/{room}")
        if in_room:
            scope = "that of the command" if "{word}" in path else "" if each.by_page else _scope(each.scope)
            yield f"`{each.method} {path}`", *_marks(least_role(each, roles)), "–", "–", "yes", scope or "–"


def _marks(least: Role) -> Iterator[str]:
    for role in Role:
        yield "yes" if role.covers(least) else "–"


def _scope(scope: str) -> str:
    return "–" if scope == PERSON else f"`{scope}`"


# The interface for programs


def _interface(bot: Bot) -> Iterator[str]:
    """Write what the OpenAPI document says, for people."""
    declared = declarations(bot)
    document = openapi(declared, __version__)
    access = bot.parts.access
    roles = {each: Role(access.permissions.default(each)) for each in access.words()}
    yield from ("# The interface for programs", "", WRITTEN, "")
    yield from _paragraph(
        "Every address of `/api/1`, as its OpenAPI 3.1 document has it, which the bot serves at "
        f"`{DOCUMENT.address}`. [Programs](../program/api.md) tells how it is used. The role is the usual "
        "one: `!permit` changes that of the command that a row names, here as in the chat."
    )
    for each in declared:
        operation = document["paths"][each.address][each.method.lower()]
        yield from ("", f"## {each.method} {each.address}", "", operation["summary"], "")
        yield from _table(("role", "scope of a token", "of the command"), [_who(each, roles)])
        yield from _fields(operation, document["components"]["schemas"])


def _who(declared: DeclaredEndpoint, roles: Mapping[str, Role]) -> Sequence[str]:
    if declared.address == DOCUMENT.address:
        return "anybody", "none is needed", ""
    scope = "no program may" if declared.by_page else f"`{declared.scope}`" if declared.scope else "any"
    if "{word}" in declared.address:
        return "that of the command", "that of the command", "[any](rights.md)"
    return least_role(declared, roles).value, scope, f"`!{declared.word}`" if declared.word else ""


def _fields(operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[str]:
    """List what an operation takes, and what it answers."""
    given = [
        (f"`{each['name']}`", each["in"], _kind(each["schema"]), each.get("description", ""))
        for each in operation.get("parameters", ())
    ]
    if "requestBody" in operation:
        body = schemas[
            operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].split("/")[-1]
        ]
        given += [
            (f"`{name}`", "body", _kind(each), each.get("description", ""))
            for name, each in body["properties"].items()
        ]
    if given:
        yield ""
        yield from _table(("takes", "in", "form", "means"), given)
    yield ""
    if "101" in operation["responses"]:
        yield "Becomes a WebSocket, whose frames are [events of the room](../program/events.md)."
        return
    answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
    yield from _paragraph(f"Answers {_kind(answer)}.")
    named = re.search(r"`(\w+)`", _kind(answer))
    row = schemas.get(named[1] if named else "", {})
    if "properties" in row:
        yield ""
        rows = [(f"`{name}`", _kind(each)) for name, each in row["properties"].items()]
        yield from _table((f"field of `{row['title']}`", "form"), rows)


def _kind(schema: Mapping[str, Any]) -> str:
    """Say in words what a schema takes."""
    if "$ref" in schema:
        return f"`{schema['$ref'].split('/')[-1]}`"
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"])
    if schema.get("type") == "array":
        return f"a list of {_kind(schema['items'])}"
    if "enum" in schema or "const" in schema:
        return " or ".join(f"`{each}`" for each in schema.get("enum", [schema.get("const")]))
    told = {"object": "an object", "boolean": "true or false", "integer": "a whole number", "null": "null"}
    form = {"date-time": "a time"}.get(schema.get("format", ""), "")
    kind = form or told.get(str(schema.get("type", "")), str(schema.get("type", "anything")))
    if "minimum" in schema and "maximum" in schema:
        kind += f" from {schema['minimum']} to {schema['maximum']}"
    if "maxLength" in schema:
        kind += f" of at most {schema['maxLength']} characters"
    return kind + (f", usually `{schema['default']}`" if schema.get("default") not in {None, ""} else "")


# Rulebooks of contests


def _rulebook(game: str, page: Callable[[], Iterator[str]], _: Bot) -> Iterator[str]:
    yield from (f"# The rules of the contest: {game}", "", WRITTEN, "")
    yield from page()


PAGES: Mapping[str, Callable[[Bot], Iterator[str]]] = {
    "reference/api.md": _interface,
    "reference/settings.md": _settings,
    "reference/environment.md": _environment,
    "reference/chat-commands.md": _chat_commands,
    "reference/command-line.md": _command_line,
    "reference/returns.md": _returns,
    "reference/rights.md": _rights,
    "program/contest-chickenpoker.md": partial(_rulebook, "Chicken Poker", chickenpoker.page),
    "program/contest-heist.md": partial(_rulebook, "Bank Heist", heist.page),
    "program/contest-highshow.md": partial(_rulebook, "High Show", highshow.page),
    "program/contest-market.md": partial(_rulebook, "Poker Market", market.page),
    "program/contest-sixcard.md": partial(_rulebook, "Six Card Poker", sixcard.page),
}


if __name__ == "__main__":
    main()
