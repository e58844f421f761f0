"""Whoever reads the README finds every command and every setting, and none that does not exist."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import typer
from dotenv import dotenv_values
from typer.core import TyperGroup

from chatbot import __version__
from chatbot.bot.house import House
from chatbot.cli import entry, settings_editor
from chatbot.cli.bankheist import bankheist
from chatbot.environment import PREFIX, Settings
from chatbot.games import kits
from chatbot.ledger.store.store import Store
from chatbot.rooms.clock import HandWatch
from chatbot.settings.fields import Fields, of_game
from chatbot.speech.words import Words

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROSE = re.sub(r"```.*?```", "", README, flags=re.DOTALL)
CODE = set(re.findall(r"`([^`\n]+)`", PROSE))
WORDS = {word for code in CODE for word in re.split(r"[\s,\[\]]+", code)}


@pytest.fixture
async def house(tmp_path: Path) -> House:
    store = await Store.open(f"sqlite:///{(tmp_path / 'docs.db').as_posix()}")
    await store.close()  # only the wiring is looked at
    return House(kits(), store, Words("en"), HandWatch())


def test_every_command_of_every_game_is_documented() -> None:
    for kit in kits().values():
        for command in kit.commands:
            for word in (command.word, *command.aliases):
                assert f"!{word}" in WORDS, word
        for topic in kit.topics:
            assert f"!{kit.word} {topic}" in CODE


async def test_every_command_of_the_house_is_documented_with_its_arguments(house: House) -> None:
    for service in house.command_index.services:
        for word in service.aliases:
            assert f"!{word}" in CODE, word
        shown = [code for code in CODE if code.split(" ")[0] == f"!{service.word}"]
        assert shown, service.word
        assert bool(service.arguments) == any(" " in code for code in shown), service.word


async def test_every_chat_command_that_is_documented_exists(house: House) -> None:
    others = {"ping"}  # what the bots know with which benchmarks compare this one
    for word in {code.split(" ")[0][1:] for code in CODE if re.match(r"![a-z]", code)} - others:
        assert house.command_index.service(word) or house.command_index.command(word), word


def test_every_setting_of_every_game_and_of_the_room_is_documented(house: House) -> None:
    others = [each.kind for each in house.services.groups.values() if isinstance(each, Fields)]
    for settings in (*(kit.game for kit in kits().values()), *others):
        for each in fields(settings):
            assert each.name in WORDS, each.name
    for kit in kits().values():
        for preset in kit.presets:
            assert preset in WORDS


def test_the_documented_defaults_of_the_heist_are_the_real_ones() -> None:
    game = of_game(kits()["heist"]).unset.value
    (heist,) = re.findall(r"^\| `!set heist …`.*?(?=\n\n)", README, re.MULTILINE | re.DOTALL)
    rows = dict(re.findall(r"^\| `([a-z_]+)` \| ([a-z0-9]+) \|", heist, re.MULTILINE))
    for key in ("lobby", "getaway", "suspense", "cooldown", "min_crew", "rabble", "active"):
        assert rows[key] == str(getattr(game, key)), key


async def test_the_table_of_settings_is_the_one_that_the_program_prints() -> None:
    (shown,) = re.findall(r"<!-- settings -->\n(.*?)<!-- /settings -->", README, re.DOTALL)
    assert shown == await settings_editor.table(), "run `chatbot settings table` and put in what it prints"


def test_every_setting_of_the_program_is_documented_with_its_default() -> None:
    example = dotenv_values(ROOT / ".env.example")
    defaults = {
        f"{PREFIX}{name.upper()}": _written(field.default) for name, field in Settings.model_fields.items()
    }
    assert example == defaults
    for name, default in defaults.items():
        shown = f"`{re.escape(default)}`" if default else "none"
        assert re.search(rf"^\| `{name}` \| {shown} \|", README, re.MULTILINE), name
    assert {word for word in WORDS if word.startswith(PREFIX)} == set(defaults)


def _written(default: object) -> str:
    """Write a default as `.env` has it."""
    if isinstance(default, bool):
        return "yes" if default else "no"
    return "" if default is None else str(getattr(default, "value", default))


def test_every_command_of_the_command_line_is_documented_with_its_options() -> None:
    group = typer.main.get_command(entry.app)
    commands = getattr(group, "commands")  # noqa: B009  (typer's own group is not typed)
    for name, command in commands.items():
        parts = _parts(command)
        for called in [f"{name} {part}" for part in parts] or [name]:
            assert f"chatbot {called}" in README
        for option in (option for each in (command, *parts.values()) for option in each.params):
            for flag in (each for each in option.opts if each.startswith("--")):
                assert flag in README, flag
    documented = re.findall(r"^\| `chatbot[^|]*\|", README, re.MULTILINE)
    assert documented
    for name in re.findall(r"`(?:uv run )?chatbot ([a-z]+)", README):
        assert name in commands, name


@pytest.mark.parametrize("code", sorted(code for code in CODE if re.match(r"(uv run|chatbot) ", code)))
def test_every_command_line_in_the_text_exists_with_its_options(code: str) -> None:
    program, *words = re.sub(r"^uv run (--extra \w+ )?|[\[\]…|]", "", code).split()
    known = {"chatbot": _options, "python": _options_of_module}[program](words)
    assert {word for word in words if word.startswith("-")} <= known


def _options_of_module(words: list[str]) -> set[str]:
    folder, _, name = words[1].partition(".")
    source = (ROOT / folder / f"{name or '__main__'}.py").read_text(encoding="utf-8")
    return {"-m", *re.findall(r'"(--\w+)"', source)}


def _options(words: list[str]) -> set[str]:
    """Go down from command to command as long as there are some; give the options on the way."""
    command: Any = typer.main.get_command(entry.app)
    known = {"--help", *_flags(command)}
    for word in words:
        if not isinstance(command, TyperGroup) or word.startswith("-") or not word.islower():
            break
        context: Any = None  # the group of games needs none
        command = command.get_command(context, word)
        assert command is not None, words
        known |= _flags(command)
    return known


def _flags(command: Any) -> set[str]:
    return {flag for option in command.params for flag in option.opts}


def _parts(command: Any) -> dict[str, Any]:
    """Give the commands of a command: `chatbot connect` has some, and `chatbot arena` one for each game."""
    if not isinstance(command, TyperGroup):
        return {}
    context: Any = None  # the group of games needs none
    return {name: command.get_command(context, name) for name in command.list_commands(context)}


def test_bankheist_is_documented_with_its_options() -> None:
    command: Any = typer.main.get_command(bankheist)
    assert re.search(r"`bankheist \[N\]", README)
    for flag in (each for option in command.params for each in option.opts if each.startswith("--")):
        assert flag in README, flag


def test_the_examples_of_the_readme_name_files_that_exist() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        if not target.startswith("http"):
            assert (ROOT / target).exists(), target
    for path in re.findall(r"`(tests/[^`]+|data/locales)`", README):
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_every_anchor_that_is_linked_exists(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", text):
        assert anchor in _anchors((ROOT / (target or page)).read_text(encoding="utf-8")), f"{target}#{anchor}"


def _anchors(page: str) -> list[str]:
    """Name the headings of a page as a browser of repositories does, which links to them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", page, flags=re.DOTALL), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings]


def test_the_changelog_tells_of_this_version() -> None:
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f'version = "{__version__}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
