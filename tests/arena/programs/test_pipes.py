"""A program that is kept running talks with the arena directly, and what it costs is the pipe."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

import pytest

from arena.programs import client
from arena.programs.client import Warden
from arena.programs.containment import Limits
from tests.arena.programs.stage import HASTY, PATIENT, Player, python

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes that can be polled")
ECHO = "import sys\nfor line in sys.stdin: print(line.strip(), flush=True)"


@pytest.fixture
def echo(tmp_path: Path) -> Iterator[Warden]:
    """A warden whose program repeats each line."""
    path = tmp_path / "echo.py"
    path.write_text(ECHO, encoding="utf-8")
    warden = Warden(PATIENT)
    warden.start([sys.executable, "-I", "-S", str(path)], "")
    yield warden
    warden.close()


def test_the_warden_is_told_nothing_of_the_questions(echo: Warden, monkeypatch: pytest.MonkeyPatch) -> None:
    assert echo.ask("first\n", 30.0).text == "first"
    requests: list[object] = []
    monkeypatch.setattr(echo, "_send", lambda request, _: requests.append(request))
    assert [echo.ask(f"{number}\n", 30.0).text for number in range(100)] == [str(n) for n in range(100)]
    # At most an extension of its processor time in each second.
    assert all(isinstance(each, list) and each[0] == "allow" for each in requests)
    assert len(requests) < 50


def test_a_line_that_no_pipe_holds_at_once_arrives_whole(echo: Warden) -> None:
    line = "x" * 60_000
    assert echo.ask(f"{' ' * 200_000}{line}\n", 30.0).text == line


def test_a_line_without_an_end_that_began_before_the_question_is_too_much_and_not_late(
    tmp_path: Path,
) -> None:
    path = tmp_path / "flood.py"
    path.write_text("import os\nwhile True: os.write(1, b'5' * 65536)", encoding="utf-8")
    warden = Warden(PATIENT)
    warden.start([sys.executable, "-I", "-S", str(path)], "")
    time.sleep(0.5)  # its pipe is full before anybody asks
    assert warden.ask("", 30.0).kind == "unreadable"
    warden.start([sys.executable, "-I", "-S", str(path)], "")
    time.sleep(0.5)
    told = warden.ask("card\n", 30.0)
    warden.close()
    assert (told.kind, "for one answer" in told.why) == ("unreadable", True)


def test_what_a_program_says_of_its_errors_comes_with_the_answer_to_the_question(tmp_path: Path) -> None:
    path = tmp_path / "talkative.py"
    each = "os.write(2, b'why ' + line.encode()); os.write(1, line.encode())"
    script = f"import os, sys\nfor line in sys.stdin: {each}"
    path.write_text(script, encoding="utf-8")
    warden = Warden(PATIENT)
    warden.start([sys.executable, "-I", "-S", str(path)], "")
    told = [warden.ask(f"{number}\n", 30.0) for number in range(2)]
    assert [(each.text, each.errors) for each in told] == [("0", "why 0\n"), ("1", "why 1\n")]
    warden.close()


def test_a_program_whose_answer_is_no_text_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "noise.py"
    script = "import os, time; os.write(1, b'%d\\n' % os.getpid()); os.write(1, b'\\xff\\n'); time.sleep(600)"
    path.write_text(script, encoding="utf-8")
    warden = Warden(PATIENT)
    warden.start([sys.executable, "-I", "-S", str(path)], "")
    program = int(warden.ask("", 30.0).text)
    os.kill(program, 0)  # it is there
    told = warden.ask("", 30.0)
    assert (told.kind, told.why) == ("unreadable", "its answer is not UTF-8")
    with pytest.raises(ProcessLookupError):
        os.kill(program, 0)
    warden.close()


def test_waiting_for_an_answer_takes_no_processor_time(tmp_path: Path) -> None:
    with Player(tmp_path, "q = asked(); time.sleep(0.5); answer(q, 7)", lines=True) as player:
        before = time.process_time()
        assert player() == 7
        assert time.process_time() - before < 0.25


def test_time_without_a_processor_is_not_late_and_time_asleep_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = "q = asked(); time.sleep(0.4); answer(q, 7)"
    with Player(tmp_path, script, lines=True, limits=HASTY) as player:
        assert player() is None
    assert player.failures == {"late": 1}
    queued = iter([0.0, 0.0, 0.45, 0.45, 0.45])  # as if it had waited so long meanwhile, when asked for it
    monkeypatch.setattr(client.Warden, "_queued", lambda *_: next(queued))
    with Player(tmp_path, script, lines=True, limits=HASTY._replace(farewell=5.0)) as player:
        assert player() == 7


def test_however_busy_the_machine_is_there_is_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    queued = iter(range(0, 100_000, 10))
    monkeypatch.setattr(client.Warden, "_queued", lambda *_: float(next(queued)))
    began = time.monotonic()
    with Player(tmp_path, "asked(); time.sleep(600)", lines=True, limits=HASTY) as player:
        assert player() is None
    assert player.failures == {"late": 1}
    assert time.monotonic() - began < 300


def test_a_program_that_ignores_the_end_of_its_input_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "deaf.py"
    path.write_text("import time\ninput(); print(5, flush=True); time.sleep(600)", encoding="utf-8")
    warden = Warden(PATIENT._replace(farewell=0.05))
    warden.start(python(path).split(), "")
    assert warden.ask("go\n", 30.0).text == "5"
    began = time.monotonic()
    assert warden.close().kind == ""
    assert time.monotonic() - began < 1.9  # it was 2 s for each


def test_a_program_has_time_to_end_after_its_input_has(tmp_path: Path) -> None:
    script = (
        "q = asked(); answer(q, 7); sys.stdin.read(); time.sleep(1)\n"
        "say('bye'); print('done', file=sys.stderr)"
    )
    usual = PATIENT._replace(farewell=Limits().farewell)
    with Player(tmp_path, script, lines=True, limits=usual) as player:
        assert player() == 7
    assert player.told == ["ann, game 0: standard error: done\n"]


def test_a_program_that_still_writes_when_all_is_over_is_ended_by_its_closed_output(tmp_path: Path) -> None:
    script = (
        "q = asked(); answer(q, 7); sys.stdin.read()\n"
        "try:\n    while True: say('more'); time.sleep(0.01)\n"
        "except BrokenPipeError: print('told', file=sys.stderr)\nos._exit(0)"
    )
    with Player(tmp_path, script, lines=True, limits=PATIENT._replace(farewell=3.0)) as player:
        assert player() == 7
    assert player.told == ["ann, game 0: standard error: told\n"]
