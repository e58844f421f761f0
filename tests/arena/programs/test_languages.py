"""Programs in every language of the documentation play, in tournaments and ladders, contained and not."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from arena.engine.competition import Order
from arena.engine.players import Lineup, distinct
from arena.ladder.entrants import read_folder
from arena.ladder.ladder import LadderOrder
from arena.ladder.rules import DuelRules
from arena.programs import sandbox
from arena.programs.class_path import classes
from arena.programs.program import Limits
from chatbot.games.heist.contest.contest import HeistContest
from tests.arena.contests import carried_out
from tests.arena.ladder.stage import climbed

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "program" / "languages.md"
EXAMPLES = ROOT / "data" / "examples" / "languages"
LIMITS = Limits(seconds=30.0, farewell=0.5)
ROW = re.compile(r"^\| ([^|`]+) \| `([^`]+)` \| (?:`([^`]+)`)? ?\| `([^`]+)` \|$", re.MULTILINE)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="the commands are those of POSIX"),
]


@dataclass(frozen=True, slots=True)
class Language:
    """A row of the table."""

    name: str
    file: str
    build: str
    command: str

    def lay_out(self, folder: Path) -> None:
        """Put its program there, built; skip the test where the language is not installed."""
        for each in filter(None, (self.build, self.command)):
            word = each.split()[0]
            if not word.startswith("./") and shutil.which(word) is None:
                pytest.skip(f"{word} is not installed")
        folder.mkdir(exist_ok=True)
        shutil.copy(EXAMPLES / self.file, folder)
        if self.build:
            subprocess.run(shlex.split(self.build), cwd=folder, check=True, capture_output=True)


LANGUAGES = [Language(*row) for row in ROW.findall(PAGE.read_text(encoding="utf-8"))]
CONTAINMENTS = [False, pytest.param(True, id="bubblewrap")]


def limits(*, contained: bool) -> Limits:
    if contained and not sandbox.bubblewrap():
        pytest.skip("bubblewrap does not work here")
    return LIMITS._replace(sandbox=contained)


def test_the_table_has_every_example() -> None:
    assert {each.file for each in LANGUAGES} == {each.name for each in EXAMPLES.iterdir()}
    assert len(LANGUAGES) == 9


def test_the_program_that_the_page_enters_in_a_league_is_the_one_that_is_shipped() -> None:
    shown = dict(
        re.findall(r"^```(java|toml)\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    )
    shipped = EXAMPLES.parent / "java" / "middle"
    assert shown["java"] == (shipped / "Middle.java").read_text(encoding="utf-8")
    assert shown["toml"] == (shipped / "program.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("contained", CONTAINMENTS)
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda each: each.name)
def test_it_plays_in_tournaments(language: Language, contained: bool, tmp_path: Path) -> None:
    limited = limits(contained=contained)
    language.lay_out(tmp_path)
    lineup = Lineup("heist", HeistContest(rabble=20), tmp_path)
    words = (f"calls={language.command}", f"stays=json:{language.command}")
    players = tuple(distinct([lineup.read(each) for each in words]))
    errors = tmp_path / "errors"
    order = Order("heist", lineup.contest, players, 2, "languages", limits=limited, errors=errors)
    outcome = carried_out(order)
    assert errors.read_text(encoding="utf-8") == ""
    assert [each.failures.total() for each in outcome.tally.places()] == [0, 0]
    assert {each.mean for each in outcome.tally.places()} != {240 + 2 * 240}  # they staked


@pytest.mark.parametrize("contained", CONTAINMENTS)
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda each: each.name)
def test_it_climbs_ladders(language: Language, contained: bool, tmp_path: Path) -> None:
    limited = limits(contained=contained)
    programs, contest = tmp_path / "programs", HeistContest(rabble=20)
    for place in ("one", "two"):
        own = programs / place
        programs.mkdir(exist_ok=True)
        language.lay_out(own)
        text = f'name = "{place}"\nauthor = "Ann"\ngame = "heist"\ncommand = "json:{language.command}"\n'
        (own / "program.toml").write_text(text, encoding="utf-8")
    folder = read_folder(programs, "heist", contest)
    rules = DuelRules("heist", contest, 1, limited)
    told = list[str]()
    site = tmp_path / "site"
    book = climbed(LadderOrder(rules, folder, (), site, "languages", error=150.0, most=1), told)
    assert book.roster is not None
    assert book.roster.left_out == ()
    assert len(book.active) == 2
    assert all(not any(duel.failures) for duel in book.duels)
    assert book.duels


def test_a_class_that_is_not_there_is_told_by_the_line_that_says_so(tmp_path: Path) -> None:
    java = next(each for each in LANGUAGES if each.command == "java -cp . Bot")
    own = tmp_path / "programs" / "lost"
    own.parent.mkdir()
    java.lay_out(own)
    text = 'name = "lost"\nauthor = "Ann"\ngame = "heist"\ncommand = "java -cp . Lost"\n'
    (own / "program.toml").write_text(text, encoding="utf-8")
    shutil.copytree(own, own.with_name("found"))
    found = own.with_name("found") / "program.toml"
    found.write_text(text.replace("ost", "ound").replace("Found", "Bot"), encoding="utf-8")
    contest = HeistContest(rabble=20)
    folder = read_folder(own.parent, "heist", contest)
    rules = replace(DuelRules("heist", contest, 1, LIMITS), limits=LIMITS._replace(sandbox=False))
    house = LadderOrder(rules, folder, (), tmp_path / "site", "languages", error=150.0, most=1)
    with pytest.raises(Exception, match="it wrote: Error: Could not find or load main class Lost"):
        climbed(house, [])


def test_of_a_class_path_only_classes_and_archives_of_packages_are_given(tmp_path: Path) -> None:
    for each in (
        "Bot.class",
        "org/ann/Move.class",
        "lib.jar",
        "secret.txt",
        ".git/Old.class",
        "a-b/No.class",
    ):
        (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / each).touch()
    names = {Path(each).relative_to(tmp_path).as_posix() for each in classes(str(tmp_path))}
    assert names == {"Bot.class", "org/ann/Move.class", "lib.jar"}


def test_a_large_folder_is_not_given_without_end(tmp_path: Path) -> None:
    for number in range(1100):
        (tmp_path / f"C{number}.class").touch()
    assert len(list(classes(str(tmp_path)))) == 1000
