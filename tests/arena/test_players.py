"""Players are read from words and files; whatever cannot play is refused in one sentence that says why."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.engine import players
from arena.engine.options import default_contest
from arena.engine.players import Competitor, Lineup, default_name, distinct
from chatbot.games import kits
from chatbot.kernel.game import Failure

PYTHON = Path(sys.executable).as_posix()


@pytest.fixture
def roster(tmp_path: Path) -> Lineup:
    (tmp_path / "mine.py").write_text("print(5)\n", encoding="utf-8")
    return Lineup("heist", default_contest(kits()["heist"]), tmp_path)


def read(roster: Lineup, *tokens: str) -> list[Competitor]:
    return distinct([roster.read(each) for each in tokens])


def file(roster: Lineup, text: str | bytes) -> Path:
    written = roster.folder / "competitors.txt"
    written.write_bytes(text.encode() if isinstance(text, str) else text)
    return written


def test_strategies_keep_their_names_and_copies_get_numbers(roster: Lineup) -> None:
    names = [each.name for each in read(roster, "kelly", "builtin:kelly", "lurker", "kelly")]
    assert names == ["kelly", "kelly-2", "lurker", "kelly-3"]


def test_a_name_that_was_asked_for_is_given_even_if_a_copy_would_get_it(roster: Lineup) -> None:
    players = read(roster, "kelly", "kelly", "kelly-2=lurker")
    assert [(each.name, each.plays) for each in players] == [
        ("kelly", "kelly"),
        ("kelly-3", "kelly"),
        ("kelly-2", "lurker"),
    ]


def test_a_command_is_named_after_its_script(roster: Lineup) -> None:
    players = read(roster, f"{PYTHON} mine.py", f"json:{PYTHON} mine.py", f"me={PYTHON} mine.py")
    assert [each.name for each in players] == ["mine", "mine-2", "me"]
    assert [each.command.protocol for each in players if each.command] == ["calls", "lines", "calls"]


def test_a_script_is_found_again_from_any_folder(roster: Lineup) -> None:
    (player,) = read(roster, f"{PYTHON} mine.py")
    assert player.command is not None
    assert str(roster.folder / "mine.py") in player.command.words


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("python3 bots/me.py --fast", "me"),
        ("./me", "me"),
        ("node -e 1", "node"),
        ("json:python3 -u me.py", "me"),
        (r"C:\bots\me.exe", "me"),
        ("'my bots/my best.py'", "my-best"),
        ("python3 'unclosed", "python3"),
        (f"{'x' * 200}.py", "x" * 55),
    ],
)
def test_commands_have_names_without_blanks(words: str, name: str) -> None:
    assert default_name(words) == name


def test_a_token_that_is_nobody_is_refused_with_the_strategies_there_are(roster: Lineup) -> None:
    with pytest.raises(Failure, match=r"'kely' is no strategy of heist \(lurker, passive, .*no such program"):
        roster.read("kely")
    with pytest.raises(Failure, match="heist has no strategy 'kely'; there are lurker, "):
        roster.read("builtin:kely")


@pytest.mark.parametrize("token", ["", " ", "me=", "=kelly", "me=nobody_of_this_name x", "json:", "'"])
def test_what_cannot_be_read_is_one_sentence(roster: Lineup, token: str) -> None:
    with pytest.raises(Failure) as refused:
        roster.read(token)
    assert "\n" not in str(refused.value)


def test_one_name_for_two_is_refused(roster: Lineup) -> None:
    with pytest.raises(Failure, match="Two players are called 'me'"):
        read(roster, "me=kelly", "me=lurker")


# Files


def test_a_file_names_a_player_on_each_line(roster: Lineup) -> None:
    text = f"\ufeff# ours\n\n  # more\nme {PYTHON} mine.py\r\n"
    text += f"bob\tbuiltin:kelly\n cat  json:{PYTHON}  mine.py \n"
    found = players.read(file(roster, text), roster)
    assert [(name, player.plays) for name, player in found] == [
        ("me", f"{PYTHON} mine.py"),
        ("bob", "kelly"),
        ("cat", f"json:{PYTHON}  mine.py"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("me builtin:kelly\nme builtin:lurker\n", 2, "'me' is already the name of line 1."),
        ("# x\n\nme\n", 3, "'me' has no command"),
        ("me builtin:kely\n", 1, "heist has no strategy 'kely'"),
        ("me kelly\n", 1, "for the strategy write builtin:kelly"),
        ("me no_such_program_here\n", 1, "no such program"),
        (f"{'x' * 61} builtin:kelly\n", 1, "1 to 60 characters"),
        ("m\x07e builtin:kelly\n", 1, "no blanks"),
        (b"me builtin:kelly\nb\xffb builtin:kelly\n", 2, "not UTF-8"),
    ],
)
def test_a_wrong_line_is_named_by_its_number(
    roster: Lineup, text: str | bytes, line: int, reason: str
) -> None:
    with pytest.raises(Failure) as refused:
        players.read(file(roster, text), roster)
    assert f"competitors.txt, line {line}: " in str(refused.value)
    assert reason in str(refused.value)


@pytest.mark.parametrize("text", ["", "# nobody\n\n"])
def test_a_file_of_nobody_is_refused(roster: Lineup, text: str) -> None:
    with pytest.raises(Failure, match="names no competitor"):
        players.read(file(roster, text), roster)


def test_a_file_that_is_none_is_refused(roster: Lineup) -> None:
    for path in (roster.folder / "nothing.txt", roster.folder, Path("a\0b")):
        with pytest.raises(Failure, match="cannot be read"):
            players.read(path, roster)


@pytest.mark.slow
def test_a_word_that_no_file_can_be_called_is_refused(roster: Lineup) -> None:
    with pytest.raises(Failure, match=r"line 1: '/x{79}' is no strategy .*, and no such program"):
        players.read(file(roster, f"me /{'x' * 100_000}\n"), roster)


def test_a_strategy_may_have_any_name_that_can_be_shown(roster: Lineup) -> None:
    assert roster.read("[red]x[/]=kelly") == ("[red]x[/]", Competitor("kelly", "kelly"))


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("me python3 me.py # mine", "me.py"),
        ("me python3 me.py '# it'", "# it"),
        ("me python3 me.py  # it's late", "me.py"),
    ],
)
def test_what_stands_behind_a_number_sign_is_a_comment_but_in_quotes(
    roster: Lineup, line: str, word: str
) -> None:
    (roster.folder / "me.py").touch()
    ((_, player),) = players.read(file(roster, line), roster)
    assert player.command is not None
    assert "-c" not in player.command.words
    assert player.command.words[-1].endswith(word)


def test_a_file_that_is_no_program_is_told_as_such(roster: Lineup) -> None:
    (roster.folder / "me.py").write_text("print(1)", encoding="utf-8")
    with pytest.raises(Failure) as told:
        roster.player("./me.py")
    assert "no strategy" not in str(told.value)
    assert "me.py" in str(told.value)
