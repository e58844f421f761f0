"""`chatbot rehearse`: a whole evening from a script, the same for the same seed, and nothing left behind."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from chatbot.cli import entry
from chatbot.cli.rehearsal import ScriptError, ScriptLine, TimeStep, read_script
from chatbot.kernel.game import Role

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

GENEROUS = "mo(moderator): !set credits give_start yes\n"
STORY = "ann: !heist 69\nbob: !heist half\n+200\nann: !guncheck\n+200\nann: !credits\n"


@dataclass(frozen=True)
class Done:
    stdout: str
    stderr: str = ""
    returncode: int = 0


def rehearse(folder: Path, script: str, *options: str, language: str = "en") -> Done:
    """Run the command in this process: starting one for each test would take most of their time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CHATBOT_LANGUAGE", language)
        patch.chdir(folder)
        result = CliRunner().invoke(entry.app, ["rehearse", *options], input=script)
    assert result.exception is None, result.exception
    return Done(result.stdout)


def really_rehearse(folder: Path, script: str, *options: str) -> Done:
    """Run the command as a person does."""
    done = subprocess.run(
        [sys.executable, "-m", "chatbot", "rehearse", *options],
        cwd=folder, input=script, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    return Done(done.stdout, done.stderr, done.returncode)


def test_the_story_of_a_heist_is_complete_and_its_credits_add_up(tmp_path: Path) -> None:
    done = really_rehearse(tmp_path, STORY, "--seed", "1")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    for told in ("is planning a bank heist", "The target is", "has 30 seconds", "Results: "):
        assert any(told in line for line in lines), told
    results = next(line for line in lines if "Results: " in line)
    net = int(re.search(r"ann [^()]*\(([+−]\d+)\)", results)[1].replace("−", "-"))  # type: ignore[index]
    # 240 to begin with, the heist's net, and a wage of a twentieth of the 69 staked
    assert lines[-1] == f"bot: ann has {240 + net + 3} credits."
    assert list(tmp_path.iterdir()) == []


def test_the_same_seed_tells_the_same_story_and_another_one_another(tmp_path: Path) -> None:
    stories = [rehearse(tmp_path, STORY, "--seed", seed).stdout for seed in ("1", "1", "2")]
    assert stories[0] == stories[1] != stories[2]


SHOW = """\
ann: !highshow 6 2 linear=1 50
bob: !highshow 8 2
bob: !hint
ann: !another
ann: !cashout
bob: !cashout
+60
ann: !guess 3 12.5
+60
ann: !credits
"""


def test_the_story_of_two_high_shows_is_complete_and_the_credits_add_up(tmp_path: Path) -> None:
    lines = rehearse(tmp_path, SHOW, "--seed", "1").stdout.splitlines()
    told = ("ann plays High Show: keep 2 of 6", "At stake: 50 credits", "bob plays High Show: ",
            "Hint for bob", "ann lets", "Time is up", "skip leaves one out", "ann: K was", "bob: K was",
            "Review for ann", "Review for bob")  # fmt: skip
    for each in told:
        assert any(each in line for line in lines), each
    paid = next(line for line in lines if "for a stake of 50 credits" in line)
    net = int(re.search(r"\(([+\N{MINUS SIGN}]?\d+)\)", paid)[1].replace("\N{MINUS SIGN}", "-"))  # type: ignore[index]
    assert lines[-1] == f"bot: ann has {240 + net} credits."


DUEL = """\
ann: !sixcard 50
ann: !set auto
+60
bob: hello
ann: !sixcard @bob 50
bob: !sixcard accept
ann > bot: !set auto
bob > bot: !set auto
+60
ann: !credits
"""


def test_six_card_poker_is_played_against_the_house_and_as_a_duel_with_whispers(tmp_path: Path) -> None:
    lines = rehearse(tmp_path, DUEL, "--seed", "3").stdout.splitlines()
    begins = ["bot: ann plays the house", "ann against Nash (house)", "ann challenges bob",
              "bob takes up", "bot > ann: Your cards", "bot > bob: Your cards",
              "bot: ann has set the cards.", "bot > ann: You have set", "ann against bob"]  # fmt: skip
    found = [next(at for at, line in enumerate(lines) if each in line) for each in begins]
    assert found == sorted(found)
    assert not [line for line in lines if line.startswith("bot: ") and "bob, your cards" in line.lower()]
    assert re.fullmatch(r"bot: ann has \d+ credits\.", lines[-1])


MARKET = """\
ann: !market 1 50
bob: !market
+60
bob: !swap 4s 7S
ann: !accept
ann: !swap KD AS @bob
bob: !decline
ann: !credits
bob: !credits
"""


def test_a_market_is_traded_to_its_end_and_the_pot_is_shared(tmp_path: Path) -> None:
    lines = rehearse(tmp_path, MARKET, "--seed", "4").stdout.splitlines()
    told = ["ann opens a table of Poker Market", "The cards lie open",
            "Your turn, bob (round 1 of 1): ", "bob offers ann 4♠ for 7♠", "ann accepts 4♠ for 7♠",
            "ann offers bob K♦ for A♠", "bob declines K♦ for A♠",
            "The market is closed (pot 100 credits): 1. bob, pair of sevens, ace kicker (2 points, ",
            "The best swap that nobody proposed: "]  # fmt: skip
    found = [next(at for at, line in enumerate(lines) if each in line) for each in told]
    assert found == sorted(found)
    # Of 100 credits the best of two gets 2/3 and the other 1/3; each has put 50 of 240 in.
    assert lines[-2:] == ["bot: ann has 223 credits.", "bot: bob has 257 credits."]


WHOLE = {
    "heist": ("ann: !heist 69\nbob: !heist 5\n+60\n+30\n+6\n", "Results: "),
    "highshow": ("ann: !highshow 6 2 linear=1 50\nann: !cashout\nann: !cashout\nann: !guess 3 12\n", "K was"),
    "chicken": ("ann: !chicken 3\n+60\nann > bot: !play 2\n+30\n+30\n", "Chicken Poker with"),
    "sixcard": ("ann: !sixcard 50\nann: !set auto\n+60\n", "ann against Nash (house)"),
    "market": ("ann: !market 1 50\nbob: !market\n+60\n+30\n+30\n", "The market is closed"),
}
"""A whole table of each game, alone or of two, and what is told when it is over."""
DIGITS = re.compile(r"[0-9a-f]{16,}", re.IGNORECASE)
SEED = "--seed", "1"
WANTED, NOT_WANTED = (f"mo(moderator): !set room proofs {each}\n" for each in ("yes", "default"))


@pytest.mark.parametrize("game", WHOLE)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_whole_table_is_told_without_a_hash_unless_the_room_wants_them(
    tmp_path: Path, game: str, language: str
) -> None:
    script, end = WHOLE[game]
    # As many lines each, for luck hangs on their ids.
    plain = rehearse(tmp_path, NOT_WANTED + script, *SEED, language=language).stdout.splitlines()[1:]
    proven = rehearse(tmp_path, WANTED + script, *SEED, language=language).stdout.splitlines()[1:]
    assert any(end in line for line in plain) or language != "en"
    assert [line for line in plain if DIGITS.search(line)] == []
    assert [line for line in proven if not DIGITS.search(line)] == plain, "nothing else is told"
    terms, seed_and_record = 1, 2
    told = [each for line in proven for each in DIGITS.findall(line)]
    assert len(told) >= terms + seed_and_record


@pytest.mark.parametrize("game", WHOLE)
def test_whoever_asks_is_told_what_proves_a_table(tmp_path: Path, game: str) -> None:
    script, _ = WHOLE[game]
    told = rehearse(tmp_path, f"{script}ann: !fair {game}\n", *SEED).stdout
    head_of_the_next, hashes_of_the_last = 1, 3
    assert len(DIGITS.findall(told)) == head_of_the_next + hashes_of_the_last


def test_without_a_seed_every_rehearsal_is_its_own(tmp_path: Path) -> None:
    first = rehearse(tmp_path, STORY).stdout
    others = (rehearse(tmp_path, STORY).stdout for _ in range(20))  # of few, all may come out alike
    assert any(each != first for each in others)


def test_json_lines_say_when_to_whom_what_and_of_which_game(tmp_path: Path) -> None:
    script = "ann: !heist 25\nbob: !heist 500\n+60\nann > bot: !allin\nann: !credits\n"
    done = rehearse(tmp_path, script, "--seed", "1", "--json")
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(each.keys() >= {"at", "to", "text", "game", "event"} for each in said)
    assert [(e["at"], e["to"], e["game"], e["event"]) for e in said] == [
        (0, None, "heist", "Opened"),
        (0, "bob", None, "Refusal"),
        (1, "ann", None, "Hint"),
        (60, None, "heist", "Targeted"),
        (60, "ann", "heist", "Answered"),
        (60, None, None, "credits-of"),
    ]


def test_private_words_are_printed_as_private(tmp_path: Path) -> None:
    done = rehearse(tmp_path, "ann: !heist 500\nbob > bot: !credits\n")
    assert done.stdout.splitlines() == [
        "bot > ann: You have only 240 credits; choose less, or write all.",
        "bot > bob: bob has 240 credits.",
    ]


def test_roles_comments_and_empty_lines_are_understood(tmp_path: Path) -> None:
    script = "# a dry run\n\nmo(moderator): !set heist lobby 10\nann: !heist 20\n+10\n"
    done = rehearse(tmp_path, script)
    assert "within 10 seconds" in done.stdout
    assert "The target is" in done.stdout


def test_it_speaks_korean(tmp_path: Path) -> None:
    done = rehearse(tmp_path, STORY, "--seed", "1", language="ko")
    assert "은행" in done.stdout
    assert "crew" not in done.stdout


def test_a_file_is_played_like_standard_input(tmp_path: Path) -> None:
    path = tmp_path / "script.txt"
    path.write_text(STORY, encoding="utf-8")
    told = rehearse(tmp_path, "", str(path), "--seed", "1").stdout
    assert told == rehearse(tmp_path, STORY, "--seed", "1").stdout


@pytest.mark.parametrize(
    ("script", "out", "err"),
    [
        (b"\xef\xbb\xbfb\xc3\xb8b: !credits\r\n", "bot: b\u00f8b has 240 credits.\n", ""),
        (b"b\xf8b: !credits\n", "", "The script on standard input cannot be read: it is not UTF-8 text.\n"),
    ],
)
def test_standard_input_is_utf_8_whatever_the_console_is(
    tmp_path: Path, script: bytes, out: str, err: str
) -> None:
    console = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(
        [sys.executable, "-m", "chatbot", "rehearse"],
        cwd=tmp_path, env=console, input=script, capture_output=True, check=False,
    )  # fmt: skip
    told = (each.decode().replace(os.linesep, "\n") for each in (done.stdout, done.stderr))
    assert (*told, done.returncode) == (out, err, 2 if err else 0)


def test_a_database_keeps_wallets_and_tables_from_run_to_run(tmp_path: Path) -> None:
    url = f"sqlite:///{(tmp_path / 'kept.db').as_posix()}"
    first = rehearse(
        tmp_path, GENEROUS + "ann: !heist 100\nbob: !give @ann 40\n", "--database", url, "--seed", "1"
    )
    assert "bob gives ann 40 credits" in first.stdout
    second = rehearse(
        tmp_path, "ann: !credits\nbob: !give @ann 40\nann: !heist 5\n", "--database", url, "--seed", "1"
    )
    assert second.stdout.splitlines() == [
        "bot: Bank Heist goes on after a break: 60 seconds are left.",
        "bot: ann has 180 credits.",  # 240 - 100 + 40
        "bot: bob gives ann 40 credits.",
        "bot > ann: You are in this heist already, with 100 credits.",
    ]


@pytest.mark.parametrize(
    ("line", "cue"),
    [
        ("ann: !heist 69", ScriptLine("ann", Role.VIEWER, "!heist 69", private=False)),
        ("Bob Lee (moderator): hi: there", ScriptLine("Bob Lee", Role.MODERATOR, "hi: there", private=False)),
        ("ann(VIP)> bot : !allin", ScriptLine("ann", Role.VIP, "!allin", private=True)),
        ("\ufeffann: !heist 69\u2800", ScriptLine("ann", Role.VIEWER, "!heist 69", private=False)),
        ("ann:", ScriptLine("ann", Role.VIEWER, "", private=False)),
        ("+60", TimeStep(60.0)),
        ("+ 0.5", TimeStep(0.5)),
    ],
)
def test_a_line_is_read_as_it_looks(line: str, cue: object) -> None:
    assert read_script([line]) == [cue]


@pytest.mark.parametrize(
    "line",
    ["ann", "+", "+x", "+-5", "+٣", "+99999999", "ann(king): x", ": x", "(vip): x", "+1e5", "ann > bob: x"],
)
def test_a_line_that_cannot_be_read_is_named(line: str) -> None:
    with pytest.raises(ScriptError, match="line 2: "):
        read_script(["ann: !heist 69", line])


def test_a_script_with_a_wrong_line_is_not_played_at_all(tmp_path: Path) -> None:
    done = really_rehearse(tmp_path, "ann: !heist 69\nann\n")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("line 2: ")
    assert done.stderr.count("\n") == 1
