"""`chatbot arena GAME` and `bankheist` as they are typed: what they print, write, refuse and leave behind."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.engine.options import default_contest, describe
from chatbot.games import kits
from chatbot.games.heist.contest.contest import HeistContest
from tests.arena.commands import PATIENCE, Here, Shell, here, shell

if TYPE_CHECKING:
    import subprocess

    from chatbot.kernel.kit import AnyKit

__all__ = ["here", "shell"]  # fixtures

PYTHON = Path(sys.executable).as_posix()
INTERRUPTIBLE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & has it ignored
from chatbot.cli import entry
getattr(entry, sys.argv.pop(1))()
"""
SLEEPER = "import time\nopen('{here}', 'a').write('x')\ntime.sleep(600)\n"
RANKING = re.compile(r"\d+\. (\S+): (\d+)")


def logged(path: Path) -> int:
    """Count the games of a log."""
    return path.read_text(encoding="utf-8").count("#####GAME") if path.exists() else 0


def interrupted(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def until(process: subprocess.Popen[str], *paths: Path) -> None:
    """Wait until one of these files has something in it."""
    while not any(each.exists() and each.stat().st_size for each in paths):
        assert process.poll() is None, process.communicate()


# Options


@pytest.mark.slow
@pytest.mark.parametrize("kit", kits().values(), ids=lambda kit: str(kit.name))
def test_help_names_the_strategies_that_play_the_contest(kit: AnyKit) -> None:
    """Not those of the players of the house, of which the contest has others."""
    assert f"Strategies: {', '.join(default_contest(kit).strategies)}. " in describe(kit)


def test_help_shows_every_option_with_its_range(here: Here) -> None:
    done = here.arena("heist", "--help")
    told = " ".join(re.sub(r"[│╭╮╰╯─]", " ", done.out).split())
    for flag in (
        "--competitors", "--games", "--seed", "--jobs", "--scheduler", "--log", "--errors", "--deadline",
        "--plot", "--json", "--tournaments", "--rabble",
    ):  # fmt: skip
        assert flag in told
    assert "a whole number from 1 to 1000000; 1 if left out" in told
    assert "a whole number from 0 to 100000; 500 if left out" in told
    assert "heist" in here.arena("--help").out


def test_a_tournament_of_strategies_is_told_in_a_table_and_in_json(here: Here) -> None:
    words = ("heist", "lurker", "two=lurker", "kelly", "--games", "20", "--rabble", "30", "--seed", "1")
    table = here.arena(*words)
    assert table.code == 0, table.err
    assert "heist: 20 games, " in table.out
    assert "seed 1" in table.out
    done = here.arena(*words, "--json")
    told = json.loads(done.out)
    assert done.err == ""
    assert told["options"] == {"games": 20, "tournaments": 1, "rabble": 30}
    lurkers = [each for each in told["players"] if each["plays"] == "lurker"]
    # A day job of 240 for twenty days on top of the first 240.
    assert [(each["name"], each["total"]) for each in lurkers] == [("lurker", 5040), ("two", 5040)]
    assert lurkers[0]["rank"] == lurkers[1]["rank"]
    assert "5,040" in table.out


def test_without_players_all_strategies_play(here: Here) -> None:
    told = json.loads(here.arena("heist", "--games", "2", "--rabble", "5", "--json").out)
    assert {each["name"] for each in told["players"]} == set(HeistContest.strategies)
    again = here.arena("heist", "--games", "2", "--rabble", "5", "--json", "--seed", told["seed"])
    assert {**json.loads(again.out), "seconds": 0} == {**told, "seconds": 0}


@pytest.mark.slow
def test_players_log_and_picture_are_read_from_and_written_to_files(here: Here) -> None:
    (here.folder / "five.py").write_text("print(5)\n", encoding="utf-8")
    (here.folder / "loud.py").write_text("import sys\nsys.exit('I lost my mind')\n", encoding="utf-8")
    lines = ["# ours", f"five {PYTHON} five.py", f"loud {PYTHON} loud.py", "bob builtin:kelly"]
    (here.folder / "ours.txt").write_text("\n".join(lines), encoding="utf-8")
    done = here.arena(
        "heist", "lurker", "--competitors", "ours.txt", "--games", "3", "--tournaments", "2", "--rabble", "9",
        "--log", "log.txt", "--errors", "errors.txt", "--plot", "plot.png", "--json", "--jobs", "2",
    )  # fmt: skip
    assert done.code == 0, done.err
    told = json.loads(done.out)
    failures = {each["name"]: sum(each["failures"].values()) for each in told["players"]}
    assert set(failures) == {"five", "loud", "bob", "lurker"}
    assert failures["loud"] == 6  # once a game: who has not staked is not asked again
    assert failures["five"] == failures["bob"] == 0
    log = (here.folder / "log.txt").read_text(encoding="utf-8")
    assert [line for line in log.splitlines() if line.startswith("#####M")] == [
        "#####MATCH 0######", "#####MATCH 1######",
    ]  # fmt: skip
    assert logged(here.folder / "log.txt") == 6
    assert "five bet 5." in log
    assert "loud bet 0." in log
    assert "I lost my mind" in (here.folder / "errors.txt").read_text(encoding="utf-8")
    assert (here.folder / "plot.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nothing"], "There is no game 'nothing'; there are: chickenpoker, heist, highshow, pokermarket, "),
        (["heist", "--games", "0"], "--games takes a whole number from 1 to 1000000000, not '0'."),
        (["heist", "--games", "-3"], "--games takes a whole number from 1 to 1000000000, not '-3'."),
        (["heist", "--games", "1e3"], "--games takes a whole number"),
        (["heist", "--games", "٣"], "--games takes a whole number"),
        (["heist", "--jobs", "0"], "--jobs takes a whole number from 1 to 512, not '0'."),
        (["heist", "--tournaments", "0"], "--tournaments takes a whole number from 1 to 1000000, not '0'."),
        (["heist", "--rabble", "many"], "--rabble takes a whole number from 0 to 100000, not 'many'."),
        (["heist", "--deadline", "0"], "--deadline takes seconds, up to 3600, not '0'."),
        (["heist", "--deadline", "nan"], "--deadline takes seconds"),
        (["heist", "--deadline", "1_0"], "--deadline takes seconds"),
        (["heist", "--plot", "same", "--log", "./same"], "'same' is given for two things"),
        (["heist", "--scheduler", "nonsense"], "--scheduler takes an address such as tcp://host:8786, not"),
        (["heist", "--scheduler", "http://x:1"], "--scheduler takes an address such as tcp://host:8786, not"),
        (["heist", "--scheduler", "tcp://x:99999"], "--scheduler takes an address such as tcp://host:8786"),
        (["heist", "two\nlines=kelly"], "A player's name has 1 to 60 characters and no blanks"),
        (["heist", f"json:{'x' * 9999}"], f"There is no program '{'x' * 80}'."),
        (["heist", "--seed", "a\x07"], "--seed takes up to 200 characters"),
        (
            ["heist", "--jobs", "2", "--scheduler", "tcp://127.0.0.1:1"],
            "Give --jobs or --scheduler, not both",
        ),
        (["heist", "kely"], "'kely' is no strategy of heist (lurker, "),
        (["heist", "kelly", "a=kelly", "a=lurker"], "Two players are called 'a'"),
        (["heist", "--competitors", "none.txt"], "The competitors in none.txt cannot be read: "),
        (["heist", "--log", "no/folder/log.txt"], "cannot be written: "),
        (["heist", "--plot", "no/folder/plot.png"], "cannot be written: "),
        (["heist", "--log", "same", "--errors", "same"], "'same' is given for two things"),
    ],
)
def test_wrong_input_is_answered_with_one_sentence(here: Here, words: list[str], sentence: str) -> None:
    if "--scheduler" in words:
        pytest.importorskip("distributed")
    done = here.arena(*words)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.strip().count("\n") == (1 if "No player" in done.err else 0)
    assert list(here.folder.iterdir()) == []


@pytest.mark.parametrize("option", ["--log", "--errors", "--plot"])
@pytest.mark.parametrize("command", ["{python} bot.py", "json:{python} -u ./bot.py", "cat | {python} bot.py"])
def test_no_output_takes_the_place_of_a_player(here: Here, option: str, command: str) -> None:
    (here.folder / "bot.py").write_text("print(0)\n", encoding="utf-8")
    done = here.arena("heist", command.format(python=PYTHON), "lurker", option, "bot.py")
    assert (done.code, done.out) == (2, "")
    assert "'bot.py' belongs to the command of a player, and would be overwritten." in done.err
    assert (here.folder / "bot.py").read_text(encoding="utf-8") == "print(0)\n"


def test_an_output_whose_name_begins_that_of_a_player_is_none_of_its_files(here: Here) -> None:
    (here.folder / "bot.py").write_text("print(0)\n", encoding="utf-8")
    (here.folder / "bot").write_text("an old log\n", encoding="utf-8")
    done = here.arena(
        "heist", f"cat | {PYTHON} bot.py", "lurker", "--log", "bot", "--games", "1", "--no-sandbox"
    )
    assert done.code == 0, done.err
    assert "an old log" not in (here.folder / "bot").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_picture_that_cannot_be_written_any_more_takes_nothing_of_what_was_told(here: Here) -> None:
    pictures = here.folder / "pictures"
    pictures.mkdir()
    spoil = f"import shutil\nshutil.rmtree({str(pictures)!r}, ignore_errors=True)\nprint(0)\n"
    (here.folder / "spoil.py").write_text(spoil, encoding="utf-8")
    done = here.arena(
        "heist",
        f"{PYTHON} spoil.py",
        "lurker",
        "--games",
        "1",
        "--plot",
        "pictures/plot.png",
        "--json",
        "--no-sandbox",
    )
    assert done.code == 2
    assert json.loads(done.out)["matches"] == 1
    assert "plot.png' cannot be written: " in done.err


# Ctrl-C


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signal to send")
def test_ctrl_c_shows_the_games_of_the_one_match_so_far(shell: Shell) -> None:
    process = shell.start(
        INTERRUPTIBLE,
        "main",
        "arena",
        "heist",
        "lurker",
        "kelly",
        "--games",
        "100000000",
        "--log",
        "log.txt",
        "--json",
    )
    with process:
        until(process, shell.folder / "log.txt")
        code, out, err = interrupted(process)
    told = json.loads(out)
    assert code == 130
    assert told["interrupted"] is True
    assert (told["matches"], told["games"]) == (0, logged(shell.folder / "log.txt"))
    lurker = next(each for each in told["players"] if each["name"] == "lurker")
    assert lurker["total"] == 240 * (1 + told["games"])
    assert f"Stopped after {told['games']} of 100000000 games." in err
    assert "Traceback" not in err


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signal to send")
def test_ctrl_c_ends_workers_and_programs_and_shows_the_matches_that_were_finished(shell: Shell) -> None:
    ready = shell.folder / "ready"
    (shell.folder / "sleeper.py").write_text(SLEEPER.replace("{here}", str(ready)), encoding="utf-8")
    process = shell.start(
        INTERRUPTIBLE, "main", "arena", "heist", "lurker", f"{PYTHON} sleeper.py", "--jobs", "2",
        "--tournaments", "9", "--deadline", "600", "--no-sandbox",
    )  # fmt: skip
    with process:
        until(process, ready)
        code, out, err = interrupted(process)
    assert (code, out) == (130, "")
    assert "Stopped before a match was finished." in err
    assert "Traceback" not in err
    assert not [each for each in Path("/proc").glob("[0-9]*") if str(shell.folder) in _command_line(each)]


def _command_line(process: Path) -> str:
    try:
        return (process / "cmdline").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""  # it has ended meanwhile


# bankheist


@pytest.mark.slow
def test_bankheist_writes_its_three_files(here: Here) -> None:
    (here.folder / "shy.py").write_text("print('no number')\n", encoding="utf-8")
    lines = ["# ours", f"shy {PYTHON} shy.py", "bob builtin:kelly", "ann builtin:lurker"]
    (here.folder / "competitors.txt").write_text("\n".join(lines), encoding="utf-8")
    done = here.bankheist("10", "--seed", "1")
    assert done.code == 0, done.err
    games = logged(here.folder / "log.txt")
    assert 10 <= games <= 11
    standings = (here.folder / "results.txt").read_text(encoding="utf-8").splitlines()
    assert [RANKING.fullmatch(each) is not None for each in standings] == [True] * 3
    assert standings == (here.folder / "log.txt").read_text(encoding="utf-8").splitlines()[-3:]
    assert f"ann: {240 * (games + 1)}" in "\n".join(standings)
    assert all(each in done.out for each in standings)
    assert f"shy failed {games} times; errors.txt says how." in done.out
    assert "'no number'" in (here.folder / "errors.txt").read_text(encoding="utf-8")
    first = (here.folder / "log.txt").read_bytes()
    here.bankheist("10", "--seed", "1")
    assert (here.folder / "log.txt").read_bytes() == first


@pytest.mark.parametrize("number", ["0", "-5", "many", "1000000000", "1.5", ""])
def test_bankheist_refuses_a_number_of_games_that_is_none(here: Here, number: str) -> None:
    (here.folder / "competitors.txt").write_text("bob builtin:kelly", encoding="utf-8")
    done = here.bankheist(number)
    assert (done.code, done.out) == (2, "")
    assert done.err == f"N takes a whole number from 1 to 1000000, not {number!r}.\n"
    assert [each.name for each in here.folder.iterdir()] == ["competitors.txt"]


def test_bankheist_needs_its_competitors(here: Here) -> None:
    done = here.bankheist()
    assert (done.code, done.out) == (2, "")
    assert "The competitors in competitors.txt cannot be read: " in done.err
    assert list(here.folder.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signal to send")
def test_bankheist_that_is_stopped_leaves_the_games_so_far(shell: Shell) -> None:
    (shell.folder / "competitors.txt").write_text("bob builtin:kelly\nann builtin:lurker\n", encoding="utf-8")
    process = shell.start(INTERRUPTIBLE, "bankheist", "1000000")
    with process:
        until(process, shell.folder / "log.txt")
        code, out, err = interrupted(process)
    games = logged(shell.folder / "log.txt")
    standings = (shell.folder / "results.txt").read_text(encoding="utf-8").splitlines()
    assert code == 130
    assert f"Stopped after {games} of " in err
    assert "Traceback" not in err
    assert standings == (shell.folder / "log.txt").read_text(encoding="utf-8").splitlines()[-2:]
    assert all(each in out for each in standings)
