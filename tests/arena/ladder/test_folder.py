"""A program of a ladder is what its folder says; what is wrong leaves only that one out."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.ladder.entrants import games_of, read_folder
from chatbot.kernel.game import Failure
from tests.arena.contests import Counting
from tests.arena.ladder.stage import program

if TYPE_CHECKING:
    from arena.ladder.entrants import LadderFolder

LINKS = pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")


def read(folder: Path) -> LadderFolder:
    return read_folder(folder, "heist", Counting())


def key(folder: Path) -> str:
    (entry,) = read(folder).entries
    return entry.entrant.key


def test_programs_are_read_in_the_order_of_their_folders_and_others_are_none(tmp_path: Path) -> None:
    for name in ("b", "a", ".hidden"):
        program(tmp_path, name)
    program(tmp_path, "c", game="highshow")
    (tmp_path / "notes").mkdir()
    (tmp_path / "README").write_text("", encoding="utf-8")
    found = read(tmp_path)
    assert [(each.entrant.name, each.entrant.author) for each in found.entries] == [
        ("a", "Ann"),
        ("b", "Ann"),
    ]
    assert found.left_out == {}
    assert games_of(tmp_path) == {"heist", "highshow"}


def test_a_folder_with_files_and_without_metadata_is_told_of(tmp_path: Path) -> None:
    program(tmp_path, "a")
    (program(tmp_path, "typo") / "program.toml").rename(tmp_path / "typo" / "programm.toml")
    found = read(tmp_path)
    assert [each.entrant.name for each in found.entries] == ["a"]
    assert found.left_out == {"typo": "There is no program.toml in it."}


def test_what_ladders_and_interpreters_have_written_is_not_told_of(tmp_path: Path) -> None:
    """The site is in a folder of the programs' folder, or is that folder itself."""
    program(tmp_path, "a")
    for place in (
        "__pycache__/bot.pyc",
        "ladder/journal.jsonl",
        "players/a.html",
        "logs/1.txt.gz",
        "notes/.x",
    ):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text("", encoding="utf-8")
    assert set(read(tmp_path).left_out) == {"logs", "players"}
    (tmp_path / "journal.jsonl").write_text("", encoding="utf-8")
    assert read(tmp_path).left_out == {}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have only names that are text")
@pytest.mark.parametrize("name", [b"x\n\x1b[31m", b"x\xff"])
def test_a_folder_whose_name_is_no_line_of_text_is_told_of_in_text(name: bytes, tmp_path: Path) -> None:
    program(tmp_path, "a")
    program(tmp_path, os.fsdecode(name), name="b")
    found = read(tmp_path)
    assert [each.entrant.name for each in found.entries] == ["a"]
    ((folder, sentence),) = found.left_out.items()
    assert sentence == "The name of its folder is not one line of text."
    assert folder.isprintable()
    assert folder.startswith("x\N{REPLACEMENT CHARACTER}")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have only names that are text")
def test_a_file_whose_name_is_no_text_counts_as_any_other(tmp_path: Path) -> None:
    """It stopped the ladder of all, as UTF-8 cannot write it."""
    own = program(tmp_path, "a")
    before = key(tmp_path)
    (own / os.fsdecode(b"x\xff")).write_text("", encoding="utf-8")
    assert key(tmp_path) != before


NO_FILE = "a/program.toml is no file of at most 64 KiB."


@LINKS
def test_metadata_is_no_large_file_and_no_link(tmp_path: Path) -> None:
    file = program(tmp_path, "a") / "program.toml"
    short = file.read_text(encoding="utf-8")
    file.write_text(f"{short}#{'x' * (65536 - len(short) - 1)}", encoding="utf-8")
    assert read(tmp_path).left_out == {}
    file.write_text(f"{short}#{'x' * (65536 - len(short))}", encoding="utf-8")
    assert read(tmp_path).left_out == {"a": NO_FILE}
    (tmp_path / "other.toml").write_text("=", encoding="utf-8")
    file.unlink()
    file.symlink_to("../other.toml")
    assert read(tmp_path).left_out == {"a": NO_FILE}


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="there are no named pipes")
def test_metadata_that_never_ends_is_not_read(tmp_path: Path) -> None:
    file = program(tmp_path, "a") / "program.toml"
    file.unlink()
    os.mkfifo(file)
    pipe = os.open(file, os.O_RDWR)  # so that whoever opens it would wait for its end, not for a writer
    closing = threading.Timer(0.5, os.close, [pipe])  # ends the wait of a reader
    closing.start()
    try:
        assert read(tmp_path).left_out == {"a": NO_FILE}
    finally:
        closing.join()


SENTENCES: list[tuple[dict[str, str], str]] = [
    ({"name": ""}, "a/program.toml has no name."),
    ({"author": ""}, "a/program.toml has no author."),
    ({"command": ""}, "a/program.toml has no command."),
    ({"elo": "9"}, "a/program.toml has 'elo'; known are name, author, game, command."),
    ({"author": "x" * 81}, "In a/program.toml, author takes at most 80 characters."),
    ({"author": "x\\ny"}, "In a/program.toml, author takes one line of text."),
    ({"game": "chess"}, "There is no game 'chess'."),
    ({"name": "two words"}, "A player's name has 1 to 60 characters and no blanks; 'two words' is none."),
    ({"name": "builtin:low"}, "The name 'builtin:low' is taken."),
    ({"command": "builtin:low"}, "A program's command is no strategy of the house; those enter by --house."),
    ({"command": "nobodys-language bot.py"}, "There is no program 'nobodys-language'."),
    ({"command": "python3 missing.py"}, "There is no script 'missing.py' in a."),
    (
        {"command": "python3 bot.py | cat"},
        "The command 'python3 bot.py | cat' has signs of a shell; it takes a program and its words.",
    ),
    (
        {"command": "python3 /etc/passwd"},
        "The command 'python3 /etc/passwd' names a file outside of its folder.",
    ),
    (
        {"command": "python3 ../b/bot.py"},
        "The command 'python3 ../b/bot.py' names a file outside of its folder.",
    ),
]


@pytest.mark.parametrize(("metadata", "sentence"), SENTENCES, ids=lambda each: str(each)[:40])
def test_what_is_wrong_is_one_sentence_and_the_others_play(
    metadata: dict[str, str], sentence: str, tmp_path: Path
) -> None:
    program(tmp_path, "a", **metadata)
    program(tmp_path, "b")
    found = read(tmp_path)
    assert found.left_out == {"a": sentence}
    assert [each.entrant.name for each in found.entries] == ["b"]


def test_the_folder_is_given_by_any_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `chatbot ladder ../bots`: that path leads upwards, and no command does."""
    program(tmp_path / "bots", "a")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    found = read(Path("../bots"))
    assert found.left_out == {}
    assert [each.entrant.name for each in found.entries] == ["a"]


@pytest.mark.parametrize(("field", "most"), [("name", 60), ("author", 80)])
def test_a_text_may_be_as_long_as_is_said(field: str, most: int, tmp_path: Path) -> None:
    program(tmp_path, "a", **{field: "x" * most})
    (entry,) = read(tmp_path).entries
    assert getattr(entry.entrant, field) == "x" * most


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"name = ", "a/program.toml is no TOML: "),
        (b"\xff", "a/program.toml is no TOML: "),
        (b"name = " + b"9" * 5000, "a/program.toml has a number of thousands of digits, or is nested too "),
        (b"name = " + b"[" * 5000, "a/program.toml has a number of thousands of digits, or is nested too "),
        (b"name = 3\n", "In a/program.toml, name takes one line of text."),
    ],
)
def test_a_file_that_says_nothing_is_told(text: bytes, sentence: str, tmp_path: Path) -> None:
    (program(tmp_path, "a") / "program.toml").write_bytes(text)
    assert read(tmp_path).left_out["a"].startswith(sentence)


def test_the_second_of_a_name_is_left_out(tmp_path: Path) -> None:
    program(tmp_path, "a", name="same")
    program(tmp_path, "b", name="same")
    assert read(tmp_path).left_out == {"b": "The name 'same' is taken."}


@LINKS
def test_a_link_is_no_file_of_a_program_since_its_target_could_be_read(tmp_path: Path) -> None:
    (program(tmp_path, "a") / "more.py").symlink_to("/etc/passwd")
    (sentence,) = read(tmp_path).left_out.values()
    assert sentence == "'more.py' is neither a file nor a folder; a link may lead anywhere."


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(Failure, match=r"^The folder '.*none' cannot be read: .*\.$"):
        read(tmp_path / "none")


def test_another_file_name_or_command_is_another_entrant_and_another_author_is_not(tmp_path: Path) -> None:
    own = program(tmp_path, "a")
    keys = [key(tmp_path)]
    program(tmp_path, "a", author="Ben")
    assert key(tmp_path) == keys[0]
    program(tmp_path, "a", name="c")
    keys.append(key(tmp_path))
    program(tmp_path, "a", command="json:python3 -I bot.py")
    keys.append(key(tmp_path))
    program(tmp_path, "a")
    (own / "table.txt").write_text("1", encoding="utf-8")
    keys.append(key(tmp_path))
    (own / "table.txt").write_text("2", encoding="utf-8")
    keys.append(key(tmp_path))
    assert len(set(keys)) == len(keys)


def test_where_the_folder_is_and_what_an_interpreter_leaves_there_makes_no_difference(tmp_path: Path) -> None:
    program(tmp_path / "one", "a")
    cached = program(tmp_path / "two", "a") / "__pycache__"
    cached.mkdir()
    (cached / "bot.pyc").write_bytes(b"1")
    assert key(tmp_path / "one") == key(tmp_path / "two")
