"""The command line as a whole: what its help lists."""

from __future__ import annotations

import typer
from typer.testing import CliRunner

from chatbot.cli.entry import IN_BRIEF, app

SHORTEST = 80  # columns of a terminal


def test_the_help_lists_every_command_whole_beginning_with_the_one_that_starts_the_bot() -> None:
    help_text = CliRunner().invoke(app, ["--help"], env={"COLUMNS": str(SHORTEST)}).output
    listed = [line.split(maxsplit=1) for line in help_text.partition("Commands:")[2].splitlines() if line]
    assert [(name, said) for name, said in listed] == list(IN_BRIEF.items())
    assert listed[0][0] == "run"
    assert all(len(line) < SHORTEST for line in help_text.splitlines())


def test_every_command_has_its_few_words() -> None:
    known = typer.main.get_group(app)
    assert {*known.commands} == {*IN_BRIEF}
