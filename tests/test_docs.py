"""Whoever reads the documentation finds every command and every setting, and none that does not exist."""

from __future__ import annotations

import re
import sys
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest
import typer
from dotenv import dotenv_values
from typer.core import TyperGroup

from arena.commands.bankheist import main as bankheist
from arena.engine.options import default_contest
from chatbot import __version__
from chatbot.bot.bot import Bot
from chatbot.cli import entry, settings_editor
from chatbot.environment import PREFIX, Settings
from chatbot.games import kits
from chatbot.ledger.store.store import Store
from chatbot.runtime.clock import HandWatch
from chatbot.settings.fields import Fields
from chatbot.speech.words import Words
from docs import both_platforms, evening, figures, generate, moving
from tests.documentation import EVERYTHING, FOLDER, GENERATED, PAGES, README, ROOT, WRITTEN, page

if TYPE_CHECKING:
    from pathlib import Path

README_LINES = 200
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)")
OTHERS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "SECURITY.md")
LINKING = sorted((*OTHERS, *(f"docs/{name}.md" for name in PAGES)))
"""The pages whose links are tried, by their place in the repository."""
FOREIGN = {*kits()} - {*generate.own_games()}
"""Games from elsewhere, which the pages of this repository say nothing of."""


def prose(text: str) -> str:
    return re.sub(r"```.*?```", "", text, flags=re.DOTALL)


def codes(text: str) -> set[str]:
    """List what stands in a text as code."""
    return set(re.findall(r"`([^`\n]+)`", prose(text).replace("\\|", "|")))


def words(text: str) -> set[str]:
    return {word for code in codes(text) for word in re.split(r"[\s,\[\]]+", code)}


TYPED = "\n".join(WRITTEN.values())
CODE = codes(TYPED)
WORDS = words(TYPED)


@pytest.fixture
async def bot(tmp_path: Path) -> Bot:
    store = await Store.open(f"sqlite:///{(tmp_path / 'docs.db').as_posix()}")
    await store.close()  # only the wiring is looked at
    return Bot(kits(), store, Words("en"), HandWatch())


@pytest.mark.parametrize("name", generate.own_games())
def test_every_command_of_a_game_is_on_its_page(name: str) -> None:
    kit, text = kits()[name], page(f"play/{name}")
    for command in kit.chat.commands:
        for word in (command.word, *command.aliases):
            assert f"!{word}" in words(text), word
    for topic in kit.chat.topics:
        assert f"!{kit.word} {topic}" in codes(text)


@pytest.mark.parametrize("name", generate.own_games())
def test_every_preset_and_strategy_of_a_game_is_documented(name: str) -> None:
    for preset in kits()[name].rules.presets:
        assert f"!preset {name} {preset}" in CODE
    documented = {each.partition(":")[0] for each in words(page("program/players"))}
    for strategy in default_contest(kits()[name]).strategies:
        assert strategy.partition(":")[0] in documented, strategy
    assert page(f"program/{name}")


@pytest.mark.parametrize("folder", ["play", "program"])
def test_the_games_of_this_repository_are_those_that_the_contents_of_a_folder_list(folder: str) -> None:
    """A game from elsewhere may be there, and has no page."""
    listed = {link.removesuffix(".md") for link, _ in LINK.findall(page(f"{folder}/index"))}
    assert listed & kits().keys() == generate.own_games().keys()


async def test_every_command_of_the_house_is_documented_with_its_arguments(bot: Bot) -> None:
    for bot_command in bot.command_index.bot_commands:
        for word in bot_command.aliases:
            assert f"!{word}" in CODE, f"!{word} is in no page: run `python -m docs.generate`"
        shown = [code for code in CODE if code.split(" ")[0] == f"!{bot_command.word}"]
        assert shown, f"!{bot_command.word} is in no page: run `python -m docs.generate`"
        assert bool(bot_command.arguments) == any(" " in code for code in shown), bot_command.word


async def test_every_chat_command_that_is_documented_exists(bot: Bot) -> None:
    others = {"ping"}  # what the bots know with which benchmarks compare this one
    for word in {code.split(" ")[0][1:] for code in CODE if re.match(r"![a-z]", code)} - others:
        assert bot.command_index.bot_command(word) or bot.command_index.command(word), word


def test_the_command_that_the_guide_shows_is_the_one_of_the_program() -> None:
    shown = page("internals/adding-a-command").partition("```python\n")[2].partition("```")[0]
    assert shown.strip(), "the guide shows a command"
    assert shown in (ROOT / "chatbot/bot/commands/credits.py").read_text(encoding="utf-8"), (
        "copy it from there"
    )


def test_the_pages_that_the_program_writes_are_up_to_date() -> None:
    for name, text in generate.pages().items():
        assert (generate.FOLDER / name).read_text(encoding="utf-8") == text, "run `python -m docs.generate`"
    transcripts = {f"play/{each.name}" for each in evening.EVENINGS}
    transcripts |= {"stream/evening", "operate/moving"}
    assert {name.removesuffix(".md") for name in generate.PAGES} | transcripts == GENERATED


@pytest.mark.slow
def test_the_move_from_another_bot_is_up_to_date() -> None:
    assert moving.PAGE.read_text(encoding="utf-8") == moving.page(), "run `python -m docs.moving`"


@pytest.mark.slow
def test_the_transcripts_of_an_evening_are_up_to_date() -> None:
    for name, text in evening.pages().items():
        assert (evening.FOLDER / name).read_text(encoding="utf-8") == text, "run `python -m docs.evening`"


def test_the_code_is_measured_by_the_same_rules_everywhere(tmp_path: Path) -> None:
    code = '"""What it is for."""\n\nimport os\n\n# Why it is so.\nX = 1  # noqa: X\n\n\nclass A:\n'
    code += '    def b(self) -> None:\n        """Do it.\n\n        At length.\n        """\n'
    code += "        os.getpid()\n"
    (tmp_path / "a.py").write_text(code)
    (row,) = figures.rows([tmp_path])
    assert list(row[1:]) == ["1", "5", "15", "15", "6", "20.0", "100", "1 (`A`)", "0"]
    if (ROOT / ".git").exists():  # a copy has no history
        none = "0 commits: 0% have a subject above 72 characters, 0% have no body"
        assert figures.commits(ROOT, "HEAD") == none


def test_whoever_checks_the_pages_is_told_which_are_out_of_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generate, "FOLDER", tmp_path)
    monkeypatch.setattr(generate, "pages", lambda: {"a.md": "new\n"})
    monkeypatch.setattr(sys, "argv", ["generate", "--check"])
    with pytest.raises(SystemExit, match="True"):
        generate.main()
    assert capsys.readouterr().out == "docs/a.md is out of date\n"
    monkeypatch.setattr(sys, "argv", ["generate"])
    generate.main()
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == "new\n"
    monkeypatch.setattr(sys, "argv", ["generate", "--check"])
    with pytest.raises(SystemExit, match="False"):
        generate.main()


async def test_the_table_of_settings_is_the_one_that_the_program_prints() -> None:
    """A game from elsewhere has more of them, which are not in the reference of this repository."""
    shown = [each for each in page("reference/settings").split("\n\n") if each.startswith("| `!set ")]
    printed = (await settings_editor.table()).rstrip("\n").split("\n\n")
    assert [each.rstrip("\n") for each in shown] == [
        each for each in printed if each.split()[2] not in FOREIGN
    ], "run `python -m docs.generate`"


async def test_every_setting_of_every_group_has_a_row(bot: Bot) -> None:
    for group in bot.parts.groups.values():
        if isinstance(group, Fields) and group.name not in FOREIGN:
            shown = page("reference/settings").partition(f"\n## {group.name}\n")[2].partition("\n## ")[0]
            for each in fields(type(group.unset.value)):
                assert f"| `{each.name}` |" in shown, (
                    f"{group.name} {each.name} has no row: run `python -m docs.generate`"
                )


def test_every_setting_of_the_program_is_documented_with_its_default() -> None:
    example = dotenv_values(ROOT / ".env.example")
    defaults = {
        f"{PREFIX}{name.upper()}": generate.written(None if field.default_factory else field.default)
        for name, field in Settings.model_fields.items()
    }
    assert example == defaults
    for name, default in defaults.items():
        shown = f"`{default}`" if default else "none"
        assert f"| `{name}` | {shown} |" in page("reference/environment")
    assert {word for word in WORDS if word.startswith(PREFIX)} == set(defaults)


def test_every_command_of_the_command_line_is_documented_with_its_options() -> None:
    group: Any = typer.main.get_command(entry.app)
    reference = page("reference/command-line")
    commands = {name: group.get_command(None, name) for name in group.list_commands(None)}
    for name, command in commands.items():
        parts = _parts(command)
        for called in [f"{name} {part}" for part in parts] or [name]:
            assert f"chatbot {called}" in reference
        for option in (option for each in (command, *parts.values()) for option in each.params):
            for flag in (each for each in option.opts if each.startswith("--")):
                assert flag in reference, flag
    for name in re.findall(r"`(?:uv run )?chatbot ([a-z]+)", EVERYTHING):
        assert name in commands, name


@pytest.mark.parametrize("code", sorted(code for code in CODE if re.match(r"(uv run|chatbot) ", code)))
def test_every_command_line_in_the_text_exists_with_its_options(code: str) -> None:
    program, *typed = re.sub(r"^uv run (--(extra|group) \w+ )?|[\[\]…|]", "", code).split()
    known = {"chatbot": _options, "python": _options_of_module}.get(program, _options_of_tools)(typed)
    assert {word for word in typed if word.startswith("-")} <= known


def _options_of_tools(_: list[str]) -> set[str]:
    own = {"--all-extras", "--all-groups", "--extra"}  # of uv
    return {"-W", "-m", "--all-files", "--hook-stage"} | own  # of Sphinx, pytest and pre-commit


def _options_of_module(words: list[str]) -> set[str]:
    place = ROOT.joinpath(*words[1].split("."))
    source = place / "__main__.py" if place.is_dir() else place.with_suffix(".py")
    return {"-m", *re.findall(r'"(--[\w-]+)"', source.read_text(encoding="utf-8"))}


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
    names = {*command.list_commands(context)} - FOREIGN
    return {name: command.get_command(context, name) for name in sorted(names)}


def test_bankheist_is_documented_with_its_options() -> None:
    command: Any = typer.main.get_command(bankheist)
    assert "`bankheist [N]" in page("program/bankheist")
    for flag in (each for option in command.params for each in option.opts if each.startswith("--")):
        assert flag in page("program/bankheist"), flag


def test_the_readme_is_one_screen_and_links_to_the_rest() -> None:
    assert len(README.splitlines()) <= README_LINES
    for folder in (each for each in FOLDER.iterdir() if (each / "index.md").exists()):
        assert f"](docs/{folder.name}/index.md)" in README, folder.name


def test_every_link_leads_to_a_file_and_to_a_heading_that_are_there() -> None:
    for name in LINKING:
        for target, anchor in LINK.findall(prose((ROOT / name).read_text(encoding="utf-8"))):
            if not target.startswith("http"):
                file = (ROOT / name).parent / target if target else ROOT / name
                assert file.exists(), f"{name}: {target}"
                there = not anchor or anchor in _anchors(file.read_text(encoding="utf-8"))
                assert there, f"{name}: {target}#{anchor}"


def test_every_page_is_linked_from_the_index_above_it() -> None:
    for name in {*PAGES} - {"index"}:
        folder, _, own = name.rpartition("/")
        above, link = ("index", name) if own == "index" else (f"{folder}/index", own)
        assert f"]({link}.md)" in page(above), name


def test_only_the_internals_name_modules() -> None:
    """A module that is renamed concerns no other reader."""
    named = {name for name, text in WRITTEN.items() if re.search(r"`(?:chatbot|cogs)/[\w/]+\.py`", text)}
    assert all(name.startswith("internals/") for name in named), named


def test_every_file_that_is_named_exists() -> None:
    folders = "tests|chatbot|cogs|benchmarks|data/(?:locales|lists|examples|schemas)"
    for name, text in WRITTEN.items():
        for path in (each for each in codes(text) if re.fullmatch(rf"(?:{folders})/[\w./-]+", each)):
            assert (ROOT / path).exists(), f"{name}: {path}"


def _anchors(page: str) -> list[str]:
    """Name the headings of a page as a browser of repositories does, which links to them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", page, flags=re.DOTALL), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings]


def test_the_changelog_tells_of_this_version() -> None:
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f'version = "{__version__}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_evening_on_both_platforms_is_up_to_date_and_answers_each_viewer() -> None:
    text, picture = both_platforms.page()
    assert both_platforms.PAGE.read_text(encoding="utf-8") == text, "run `python -m docs.both_platforms`"
    assert picture.startswith(b"\x89PNG")
    for each in ("Owner", "Ada", "Bob", "Rook", "Mina", "Otto", "Zed"):
        said, _, after = text.partition(f"] {each}")
        assert said, each
        assert re.search(rf"Rabble.*{each}", after, re.IGNORECASE | re.DOTALL), f"{each} is never answered"
