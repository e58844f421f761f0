"""Whatever a program does, it harms nobody else, is counted under its own name, and is gone afterwards."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from arena.programs import client
from chatbot.games.heist.contest.situation import ACTING
from chatbot.games.heist.rules.moves import Act
from tests.arena.programs.hostile import CALLS, LATE, LINES, WELL, Hostile
from tests.arena.programs.stage import HASTY, PATIENT, Player, eventually, left_behind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LINUX = sys.platform.startswith("linux")
EVERY = [(each, False) for each in CALLS] + [(each, True) for each in LINES]
GOOD = "while q := asked(): answer(q, 7)"


def skip_elsewhere(hostile: Hostile) -> None:
    if hostile.linux and not LINUX:
        pytest.skip("contained on Linux only")


def called(value: object) -> str:
    return value.name if isinstance(value, Hostile) else "lines" if value else "calls"


def alive(folder: Path, player: Player) -> list[str]:
    """Find what runs the player's script, or was started by it."""
    return [each for each in left_behind(folder) if str(player.path) in each]


@pytest.mark.parametrize(("hostile", "lines"), EVERY, ids=called)
def test_a_program_is_counted_by_what_it_does_and_the_next_match_begins_clean(
    hostile: Hostile, lines: bool, tmp_path: Path
) -> None:
    skip_elsewhere(hostile)
    limits = HASTY if hostile.kind == LATE else PATIENT
    told = list[str]()
    with Player(tmp_path, GOOD, lines=True) as neighbour:
        for games in (2, 1):  # of two matches
            with Player(tmp_path, hostile.script, lines=lines, limits=limits) as player:
                for game in range(games):
                    assert player(game) == (5 if hostile.kind == WELL else None)
                    assert neighbour(game) == 7
                    assert lines or not LINUX or eventually(lambda: alive(tmp_path, player) == [])
            assert player.failures == ({} if hostile.kind == WELL else {hostile.kind: games})
            told += player.told
    assert neighbour.failures == {}
    for line in told:
        assert line.endswith("\n")
        assert line[:-1].isprintable()
        assert len(line) <= 401


@pytest.mark.skipif(not LINUX, reason="other systems know only deadlines")
def test_a_program_that_thinks_for_long_in_all_and_never_for_long_at_once_is_let_go_on(
    tmp_path: Path,
) -> None:
    script = (
        "while q := asked():\n"
        "    until = time.process_time() + 0.25\n"
        "    while time.process_time() < until: pass\n"
        "    answer(q, 7)"
    )
    # It may take a second for an answer, and be two over that; in all it takes four.
    with Player(tmp_path, script, lines=True, limits=PATIENT._replace(seconds=1.0)) as player:
        assert [player(game) for game in range(16)] == [7] * 16
    assert player.failures == {}


@pytest.mark.skipif(not LINUX, reason="the numbers of signals are those of Linux")
@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("os.kill(os.getpid(), 24)", "it was killed by SIGXCPU: it used too much processor time"),
        (
            "sys.exit(128 + 24)",
            "it ended with exit code 152, as after SIGXCPU: it used too much processor time",
        ),
        ("sys.exit(139)", "it ended with exit code 139, as after SIGSEGV"),
        ("os.kill(os.getpid(), 9)", "it was killed by SIGKILL"),
    ],
)
def test_an_end_by_a_signal_is_told_by_its_name(script: str, told: str, tmp_path: Path) -> None:
    with Player(tmp_path, f"asked()\n{script}", lines=True) as player:
        assert player(0) is None
    assert player.told[0] == f"ann, game 0: ended: {told}\n"


def test_a_program_that_failed_is_not_asked_in_that_game_and_is_started_afresh_for_the_next(
    tmp_path: Path,
) -> None:
    script = "q = asked()\nanswer(q, q['view']['game'] + 1)\nasked()\nsys.exit(3)"
    with Player(tmp_path, script, lines=True) as player:
        for game in range(3):
            assert player(game) == game + 1
            assert player(game, ACTING) is None
            assert player(game, ACTING) is None  # nobody asked: no second failure of the same game
    assert player.failures == {"ended": 3}
    assert player.told[0] == "ann, game 0: ended: it ended with exit code 3\n"


def test_a_call_that_failed_spoils_no_other_call(tmp_path: Path) -> None:
    script = "import sys\nprint(5 if sys.argv[2] == '1' else 'finger')\nsys.exit(sys.argv[1:3] == ['0', '1'])"
    with Player(tmp_path, script, lines=False) as player:
        assert player(0) is None
        assert player(0, ACTING) is Act.FINGER
        assert player(1) == 5
    assert player.failures == {"ended": 1}


ELSEWHERE = {
    "hangs", "floods in one line", "floods standard error", "writes one huge line", "exits at once",
    "answers, and exits with 3", "goes on after the first line", "keeps a file for the next time",
    "exits with 3", "closes its output", "reads and never answers", "says no JSON", "answers twice",
    "talks to standard error", "does not end when it is over",
}  # fmt: skip


@pytest.mark.parametrize(("hostile", "lines"), [e for e in EVERY if e[0].name in ELSEWHERE], ids=called)
def test_the_same_is_counted_where_pipes_cannot_be_polled(
    hostile: Hostile, lines: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "THREADS", True)
    limits = HASTY if hostile.kind == LATE else PATIENT
    with Player(tmp_path, hostile.script, lines=lines, limits=limits) as player:
        for game in range(2):
            assert player(game) == (5 if hostile.kind == WELL else None)
    assert player.failures == ({} if hostile.kind == WELL else {hostile.kind: 2})


@pytest.mark.skipif(not LINUX, reason="elsewhere nobody notices")
@pytest.mark.parametrize("lines", [False, True], ids=["calls", "lines"])
def test_a_program_that_stops_its_warden_is_late_and_gone(
    lines: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "MARGIN", 0.5)
    script = "import os, signal, time\nos.kill(os.getppid(), signal.SIGSTOP)\ntime.sleep(600)"
    with Player(tmp_path, script, lines=lines, limits=HASTY) as player:
        assert player(0) is None
        assert player(1) is None
    assert player.failures == {"late": 2}


@pytest.mark.skipif(not LINUX, reason="reaches its warden by /proc")
@pytest.mark.parametrize(
    "said", ['{"text": "", "kind": "\\u001b[2J"}', '{"text": "5", "lost": -7}', '{"text": "5", "lost": true}']
)
def test_nobody_believes_a_warden_what_none_would_say(said: str, tmp_path: Path) -> None:
    script = (
        "import os, time\n"
        f"with open(f'/proc/{{os.getppid()}}/fd/1', 'w') as file: file.write({said + chr(10)!r})\n"
        "time.sleep(600)"
    )
    with Player(tmp_path, script, lines=False) as player:
        assert player() is None
    assert player.failures == {"ended": 1}
    assert player.told == ["ann, game 0: ended: the process that watches over it has ended\n"]


@pytest.mark.skipif(not LINUX, reason="reaches its warden by /proc")
def test_a_flood_in_the_name_of_its_warden_ends_it_long_before_the_deadline(tmp_path: Path) -> None:
    script = (
        "import os\nflood = os.open(f'/proc/{os.getppid()}/fd/1', os.O_WRONLY)\n"
        "while True: os.write(flood, b'x' * 65536)"
    )
    began = time.monotonic()
    with Player(tmp_path, script, lines=False, limits=PATIENT._replace(seconds=600.0)) as player:
        assert player() is None
    assert player.failures == {"ended": 1}
    assert time.monotonic() - began < 300


@pytest.fixture
def immovable(tmp_path: Path) -> Iterator[None]:
    """Let a test make files that not even their owner can delete; skip it where nobody may do so."""
    file = tmp_path / "immovable"
    file.touch()
    if shutil.which("chattr") is None or subprocess.run(["chattr", "+i", file], check=False).returncode:
        pytest.skip("nothing here stays immovable")
    yield
    subprocess.run(["chattr", "-R", "-i", tmp_path], check=True)
    for left in (tmp_path / "folders").iterdir():
        shutil.rmtree(left)


@pytest.mark.usefixtures("immovable")
@pytest.mark.parametrize("lines", [False, True], ids=["calls", "lines"])
def test_a_folder_that_cannot_be_emptied_ends_no_tournament_and_is_told(lines: bool, tmp_path: Path) -> None:
    script = "import os, sys\nopen('x', 'w').close()\nos.system('chattr +i x')\n"
    script += "while q := asked(): answer(q, 5)" if lines else "print(5)"
    with Player(tmp_path, script, lines=lines) as player:
        assert player(0) == (5 if lines else None)
    (folder,) = (tmp_path / "folders").iterdir()
    assert player.failures == ({} if lines else {"ended": 1})
    told = (
        f"the process that watches over it has ended, and {folder} cannot be removed: Operation not permitted"
    )
    assert player.told == [f"ann, game 0: {'' if lines else 'ended: '}{told}\n"]


def test_a_program_that_ended_while_nobody_asked_it_is_cleared_up_at_once(tmp_path: Path) -> None:
    """Its number may be another's by the time that it is asked again."""
    script = "if os.fork():\n    answer(asked(), 5)\n    sys.exit(3)\ntime.sleep(600)"
    with Player(tmp_path, script, lines=True) as player:
        assert player(0) == 5
        assert not LINUX or eventually(lambda: alive(tmp_path, player) == [])
        assert player(1) is None
    assert player.told == ["ann, game 1: ended: it ended with exit code 3\n"]


def test_what_a_program_says_on_standard_error_is_told_in_lines_that_no_terminal_obeys(
    tmp_path: Path,
) -> None:
    script = (
        "import sys\nsys.stderr.buffer.write(b'a\\x1b[2Jb\\r\\n\\xff\\tc\\x00\\n\\xe2\\x80\\xaed')\nprint(5)"
    )
    with Player(tmp_path, script, lines=False) as player:
        assert player(12) == 5
    assert player.told == [
        "ann, game 12: standard error: a�[2Jb\n",
        "ann, game 12: standard error: � c�\n",
        "ann, game 12: standard error: �d\n",
    ]


def test_what_a_program_says_on_standard_error_is_kept_up_to_a_limit_and_then_counted(tmp_path: Path) -> None:
    script = "import sys\nsys.stderr.write('x' * 99 + '\\n')\nprint(5)"
    with Player(tmp_path, script, lines=False, limits=PATIENT._replace(errors=250)) as player:
        for game in range(10):
            assert player(game) == 5
    assert [len(each) for each in player.told[:3]] == [29 + 99 + 1, 29 + 99 + 1, 29 + 50 + 1]
    assert player.told[3:] == ["ann, game 9: wrote 750 more bytes to standard error, which were not kept\n"]


def test_a_program_knows_nothing_of_its_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHATBOT_DISCORD_TOKEN", "secret")
    script = (
        "import os, sys\nprint(os.getcwd(), os.environ['HOME'], os.environ['TMPDIR'], file=sys.stderr)\n"
        "print(*sorted(set(os.environ) - {'LC_CTYPE'}), file=sys.stderr)\nprint(5)"  # Python sets that one
    )
    with Player(tmp_path, script, lines=False) as player:
        assert player() == 5
    here, home, temporary = player.told[0].split()[5:]
    assert here == home == temporary
    assert here.startswith(str(tmp_path / "folders"))
    assert player.told[1] == "ann, game 0: standard error: HOME LANG PATH TMPDIR\n"


@pytest.mark.skipif(not LINUX, reason="limits that Linux has")
def test_a_program_is_born_with_its_limits(tmp_path: Path) -> None:
    kinds = "CORE FSIZE NOFILE DATA AS CPU"
    script = (
        "import resource, sys, time\n"
        f"limits = [resource.getrlimit(getattr(resource, 'RLIMIT_' + each)) for each in {kinds!r}.split()]\n"
        "print(limits, file=sys.stderr)\nprint(5)"
    )
    limits = PATIENT._replace(file=12345, files=99, memory=1 << 28, addresses=1 << 31, seconds=17.5)
    with Player(tmp_path, script, lines=False, limits=limits) as player:
        assert player() == 5
    same = ((0, 0), (12345, 12345), (99, 99), (1 << 28, 1 << 28), (1 << 31, 1 << 31))
    # 17.5 s and what it has used, rounded up to whole seconds and one to spare.
    assert player.told == [f"ann, game 0: standard error: {[*same, (19, -1)]}\n"]
