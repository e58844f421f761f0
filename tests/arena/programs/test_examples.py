"""The example programs are those that the documentation prints, and they play well enough to be copied."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from arena.programs.program import Program, command
from chatbot.games.heist.contest.contest import HeistContest
from chatbot.games.heist.contest.situation import WIRE_FORMAT
from chatbot.kernel.contest import Entrant
from tests.arena.programs.stage import PATIENT, Player, situation
from tests.documentation import EVERYTHING, page

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "data" / "examples"
STARTS = {".py": shlex.quote(sys.executable), ".sh": "sh", ".js": "node"}
EXAMPLES = {
    "kelly.py": "",
    "cautious.sh": "",
    "investor.py": "json:",
    "guardian.js": "json:",
}
OF_OTHER_GAMES = {"picky.py", "observer.py", "chicken.py", "sixcard.py", "market.py"}  # tried elsewhere
GAMES = 25


def test_every_example_is_printed_in_the_documentation_as_it_is() -> None:
    printed = re.findall(r"^```(?:python|sh|js)\n(.*?)^```", EVERYTHING, re.MULTILINE | re.DOTALL)
    for name in {*EXAMPLES, *OF_OTHER_GAMES}:
        assert (FOLDER / name).read_text(encoding="utf-8") in printed, name


def test_the_lines_that_are_shown_are_those_that_a_program_gets(tmp_path: Path) -> None:
    hello, question = re.findall(r'^{"type": .*}$', page("program/json-lines"), re.MULTILINE)
    names = (["type", "protocol", "game", "player", "seconds"], ["type", "id", "view"])
    assert [list(json.loads(each)) for each in (hello, question)] == list(names)
    assert json.loads(question)["view"].keys() == WIRE_FORMAT.ask(situation(), ()).keys()
    script = "q = asked()\nsys.stderr.write(','.join(hello) + '\\n' + ','.join(q) + '\\n')\nanswer(q, 0)"
    with Player(tmp_path, script, lines=True) as player:
        assert player() == 0
    assert player.told == [f"ann, game 0: standard error: {','.join(each)}\n" for each in names]


def test_no_example_is_forgotten() -> None:
    assert {each.name for each in FOLDER.iterdir() if each.is_file()} == {*EXAMPLES, *OF_OTHER_GAMES}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_plays_without_a_failure_and_earns_something(name: str) -> None:
    start = STARTS[Path(name).suffix]
    if shutil.which(shlex.split(start)[0]) is None:
        pytest.skip(f"no {start} here")
    contest, told = HeistContest(), list[object]()
    words = command(f"{EXAMPLES[name]}{start} {name}", FOLDER, per_call=True)
    with ExitStack() as opened:
        program = opened.enter_context(
            closing(Program("ann", words, WIRE_FORMAT, "heist", PATIENT, told.append))
        )
        rivals = [Entrant(each, contest.strategies[each]) for each in ("passive", "lurker", "turncoat")]
        (match,) = contest.matches(4, GAMES, "examples")
        *_, last = contest.play(match, [Entrant("ann", program), *rivals], None)
    assert told == []
    assert last.games == GAMES
    assert last.scores[0] > 240 * GAMES / 2  # half of what the day job alone pays
