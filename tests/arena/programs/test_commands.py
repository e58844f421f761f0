"""A command line means the same wherever it is run, and one that cannot be run is refused in a sentence."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from arena.programs.program import command
from chatbot.kernel.game import Failure

pytestmark = pytest.mark.skipif(os.name == "nt", reason="words of a POSIX shell")
SH = "/bin/sh"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bot.py").write_text("print(5)", encoding="utf-8")
    (tmp_path / "my bot.py").write_text("print(5)", encoding="utf-8")
    (tmp_path / "table.txt").write_text("5", encoding="utf-8")
    (tmp_path / "run").write_text("#!/bin/sh\necho 5\n", encoding="utf-8")
    (tmp_path / "run").chmod(0o755)
    (tmp_path / "shut").write_text("#!/bin/sh\necho 5\n", encoding="utf-8")
    return tmp_path


def test_files_are_named_by_their_whole_path_and_nothing_else_is_touched(folder: Path) -> None:
    words = command(f"{SH} bot.py --deep=3 'my bot.py' table.txt 240 -", folder, True).words
    assert words == (
        SH, f"{folder}/bot.py", "--deep=3", f"{folder}/my bot.py", f"{folder}/table.txt", "240", "-",
    )  # fmt: skip


def test_a_word_that_is_too_long_for_a_file_is_none(folder: Path) -> None:
    code = f"print({'1 + ' * 150}1)"
    assert command(f"{SH} -c '{code}'", folder, True).words == (SH, "-c", code)


@pytest.mark.parametrize("text", ["./run", "{folder}/run", "../{name}/run"])
def test_a_program_may_be_a_file_of_the_folder(text: str, folder: Path) -> None:
    first = command(text.format(folder=folder, name=folder.name), folder, True).words[0]
    assert Path(first).samefile(folder / "run")


def test_a_python_stays_that_of_its_environment(folder: Path) -> None:
    """Its link must not be followed: beside it lies what says which packages there are."""
    assert command(f"{sys.executable} bot.py", folder, True).words[0] == sys.executable


@pytest.mark.parametrize(
    ("text", "per_call", "protocol"),
    [
        ("./run", True, "calls"),
        ("json:./run", True, "lines"),
        ("json: ./run", True, "lines"),
        ("./run", False, "lines"),
    ],
)
def test_a_program_is_called_if_the_game_does_so_and_nobody_says_otherwise(
    text: str, per_call: bool, protocol: str, folder: Path
) -> None:
    assert command(text, folder, per_call).protocol == protocol


@pytest.mark.parametrize(
    "text",
    [
        "./run | cat",
        "./run > out",
        "./run && true",
        "./run; true",
        "./run *",
        "./run $HOME",
        './run "$HOME"',
        "(./run)",
    ],
)
def test_a_shell_is_started_for_what_only_a_shell_understands(text: str, folder: Path) -> None:
    found = command(text, folder, False)
    assert found.words[1:] == ("-c", text.replace("./run", f"{folder}/run"), "sh")


@pytest.mark.parametrize(
    "text", ["./run 'a|b'", './run "a > b"', r"./run a\;b", "./run a=b", "./run '$HOME'", "./run a,b:c"]
)
def test_no_shell_is_started_for_what_is_quoted(text: str, folder: Path) -> None:
    assert command(text, folder, True).words[0] == f"{folder}/run"


def test_a_shell_s_command_is_given_the_arguments_of_a_call_at_its_end_or_where_it_wants_them(
    folder: Path,
) -> None:
    assert command("python bot.py 2>/dev/null", folder, True).words[2] == (
        f'python {folder}/bot.py 2>/dev/null "$@"'
    )
    assert command('./run "$@" | cat', folder, True).words[2] == f'{folder}/run "$@" | cat'
    assert command("./run $9 | cat", folder, True).words[2] == f"{folder}/run $9 | cat"
    assert command("cat | ./run", folder, False).words[2] == f"cat | {folder}/run"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty"),
        ("json:", "is empty"),
        ("''", "is empty"),
        ("no-such-program", "There is no program 'no-such-program'."),
        ("run", "for the file here write ./run"),
        ("./no-such-program bot.py", "There is no program './no-such-program': it is no file."),
        ("./shut", "make it executable"),
        ("./bot.py", "or name its language"),
        ("/bin", "is no file"),
        ("sh no-such-script.sh", "There is no script 'no-such-script.sh' in "),
        ("python -u -B no-such-script.py", "There is no script 'no-such-script.py' in "),
        ("sh ~nobody-here/bot.sh", "There is no script '~nobody-here/bot.sh' in "),
        ("~nobody-here/run", "is no file"),
        ("python 'bot.py", "A quotation mark is open"),
        ("./run | cat 'bot.py", "A quotation mark is open"),
        ("./run \0", "NUL"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused_in_one_sentence(text: str, told: str, folder: Path) -> None:
    with pytest.raises(Failure) as refused:
        command(text, folder, True)
    sentence = str(refused.value)
    assert told in sentence
    assert "\n" not in sentence
    assert "\0" not in sentence


@pytest.mark.parametrize(
    ("script", "told"),
    [
        (b"", "does not begin with its language"),
        (b"print(5)\n", "does not begin with its language"),
        (b"#!/bin/sh\r\necho 5\r\n", "line endings of Windows"),
        (b"\xef\xbb\xbf#!/bin/sh\necho 5\n", "byte order mark"),
        (b"#! /no/such/language -x\necho 5\n", "'/no/such/language', which is not here"),
        (b"#!\n", "does not begin with its language"),
    ],
)
def test_a_script_whose_first_line_cannot_start_it_is_refused_in_one_sentence(
    script: bytes, told: str, folder: Path
) -> None:
    (folder / "run").write_bytes(script)
    with pytest.raises(Failure, match=told) as refused:
        command("./run", folder, True)
    assert str(refused.value).startswith("'./run' ")


@pytest.mark.parametrize("text", ["{sh} -c 'echo a.py'", "{sh} -m no.py", "./run a b.py"])
def test_only_a_program_s_first_file_must_be_there(text: str, folder: Path) -> None:
    assert command(text.format(sh=SH), folder, True).words[2:]


def test_home_is_that_of_whoever_types_and_not_the_program_s(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(folder))
    assert command("~/run ~/table.txt", Path("/"), True).words == (f"{folder}/run", f"{folder}/table.txt")
    assert command("sh ~/run | cat", Path("/"), False).words[2] == f"sh {folder}/run | cat"


def test_a_quoted_name_is_found_in_a_shell_s_command_too(folder: Path) -> None:
    for name in ("'my bot.py'", '"my bot.py"'):
        assert command(f"{SH} {name} <table.txt", folder, False).words[2] == (
            f"{SH} '{folder}/my bot.py' <{folder}/table.txt"
        )
    assert command("echo 'see bot.py now' | cat", folder, False).words[2] == "echo 'see bot.py now' | cat"
