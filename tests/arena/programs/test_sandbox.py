"""In bubblewrap a program reaches no network, no file of anybody else, and no other process."""

from __future__ import annotations

import socket
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from arena.programs import sandbox
from arena.programs.sandbox import MOST_IN_MEMORY
from tests.arena.programs.stage import PATIENT, Player

ENCLOSED = PATIENT._replace(sandbox=True)
here = pytest.mark.skipif(not sandbox.bubblewrap(), reason="bubblewrap does not work here")
bounded = pytest.mark.skipif(not sandbox.is_bounded(), reason="bubblewrap is too old, or not permitted this")
BOTH = pytest.mark.parametrize("lines", [False, True], ids=["calls", "lines"])


def said(folder: Path, script: str, *, lines: bool = False) -> list[str]:
    """Return what a program printed to standard error before its answer of 5."""
    begin, answer = ("q = asked()\n", "answer(q, 5)") if lines else ("import os, sys\n", "print(5)")
    with Player(folder, f"{begin}{script}\n{answer}", lines=lines, limits=ENCLOSED) as player:
        assert player() == 5, player.told
    return [each.removeprefix("ann, game 0: standard error: ").strip() for each in player.told]


@here
@BOTH
def test_no_file_of_anybody_else_can_be_read_or_written(tmp_path: Path, *, lines: bool) -> None:
    secret, script = tmp_path / "secret.txt", "for path in {paths!r}:\n"
    secret.write_text("token", encoding="utf-8")
    script += (
        "    try: open(path).read(); print('read', path, file=sys.stderr)\n"
        "    except OSError as e: print(e.strerror, file=sys.stderr)\n"
        "for path in (sys.argv[0], {target!r}, '/usr/written'):\n"
        "    try: open(path, 'a').write('x'); print('wrote', path, file=sys.stderr)\n"
        "    except OSError: pass\n"
    )
    paths, target = [str(secret), "/etc/passwd"], str(tmp_path / "new.txt")
    found = said(tmp_path, script.format(paths=paths, target=target), lines=lines)
    assert found[:2] == ["No such file or directory"] * 2
    # Whatever is written beside its script is in a folder of its own that is gone with it.
    assert not (tmp_path / "new.txt").exists()
    assert secret.read_text(encoding="utf-8") == "token"
    assert not any(each.startswith(("wrote /usr", "wrote " + str(tmp_path / "bot"))) for each in found)


@here
@BOTH
def test_no_network_is_there_and_not_even_this_machine(tmp_path: Path, *, lines: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        script = (
            "import socket\n"
            f"try: socket.create_connection({server.getsockname()!r}, 2); print('in', file=sys.stderr)\n"
            "except OSError: print('out', file=sys.stderr)\n"
        )
        assert said(tmp_path, script, lines=lines) == ["out"]
        with pytest.raises(TimeoutError):
            server.accept()


@here
def test_no_process_but_its_own_is_seen(tmp_path: Path) -> None:
    script = "print(len([each for each in os.listdir('/proc') if each.isdigit()]), file=sys.stderr)"
    assert int(said(tmp_path, script)[0]) <= 2  # bubblewrap's and its own


@here
def test_an_interpreter_is_found_through_links_within_its_folder(tmp_path: Path) -> None:
    prefix, folder = tmp_path / "env", tmp_path / "own"
    for each in (prefix / "bin", prefix / "lib", folder):
        each.mkdir(parents=True)
    (prefix / "bin" / "python").symlink_to(Path(sys.executable).resolve())
    (prefix / "bin" / "python3").symlink_to("python")
    words = sandbox.contained([str(prefix / "bin" / "python3"), "-I", "-S", "-c", "print(5)"], str(folder))
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "5\n"


@here
def test_a_shim_of_an_interpreter_finds_what_is_beside_it(tmp_path: Path) -> None:
    prefix, folder = tmp_path / "env", tmp_path / "own"  # as pyenv lays it out
    for each in (prefix / "shims", prefix / "libexec", folder):
        each.mkdir(parents=True)
    for name, text in (("shims/python", f"exec {prefix}/libexec/env"), ("libexec/env", "echo 5")):
        (prefix / name).write_text(f"#!/bin/sh\n{text}\n")
        (prefix / name).chmod(0o755)
    words = sandbox.contained([str(prefix / "shims" / "python")], str(folder))
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "5\n"


@here
def test_its_own_folder_can_be_written(tmp_path: Path) -> None:
    script = (
        "open('kept', 'w').write('x')\n"
        "print(os.listdir('.'), os.getcwd() == os.environ['HOME'], file=sys.stderr)"
    )
    assert said(tmp_path, script) == ["['kept'] True"]


@bounded
@BOTH
def test_no_folder_that_is_kept_in_memory_fills_it(tmp_path: Path, *, lines: bool) -> None:
    script = (
        "full = b'x' * (15 << 20)\n"
        "places = ['/tmp', '/dev/shm', '/dev', '/', '/etc', '/root', '/usr', os.path.dirname(os.getcwd())]\n"
        "for place in places:\n"
        "    try:\n"
        "        for each in range(9): open(f'{place}/{each}', 'wb').write(full)\n"
        "        print(place, 'takes all', file=sys.stderr)\n"
        "    except OSError as e: print(place, each * 15, file=sys.stderr)\n"
    )
    found = dict(each.rsplit(" ", 1) for each in said(tmp_path, script, lines=lines))
    most = MOST_IN_MEMORY >> 20
    assert int(found.pop("/tmp")) == int(found.pop("/dev/shm")) == most // 15 * 15  # noqa: S108
    assert len(found) == 6
    # The folder around its own is within its /tmp where the system's temporary files are.
    assert all(int(taken) == 0 for taken in found.values())


@bounded
def test_no_namespace_lets_a_program_mount_what_it_likes(tmp_path: Path) -> None:
    script = (
        "import ctypes\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "refused = [libc.unshare(flags) for flags in (0x10000000, 0x10020000, 0x20000)]\n"
        "print(refused, libc.mount(b'x', b'/tmp', b'tmpfs', 0, None), file=sys.stderr)\n"
    )
    assert said(tmp_path, script) == ["[-1, -1, -1] -1"]


@here
def test_an_older_bubblewrap_encloses_without_these_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "is_bounded", lambda: False)
    words = sandbox.contained(
        [sys.executable, "-I", "-S", "-c", "open('/tmp/x', 'w'); print(5)"], str(tmp_path)
    )
    assert not {"--size", "--disable-userns"} & set(words)
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "5\n"


@here
def test_nothing_is_left_of_a_program_that_detaches_itself(tmp_path: Path) -> None:
    script = "if os.fork() == 0:\n    os.setsid()\n    os.fork()\n    import time; time.sleep(600)\n"
    said(tmp_path, script, lines=True)  # the fixture of this folder looks for what is left


def test_the_containment_that_is_in_force_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: "/usr/bin/bwrap")
    assert sandbox.containment(sandbox=True) == "bubblewrap"
    assert sandbox.containment(sandbox=False) != "bubblewrap"
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: "")
    assert sandbox.containment(sandbox=True) == sandbox.containment(sandbox=False)
    assert sandbox.contained(["/bin/true"], "/folder") == ["/bin/true"]


def mounted(monkeypatch: pytest.MonkeyPatch, folder: Path, *words: object) -> set[str]:
    """Return what a command that is contained may read besides the folders of the system."""
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: "/usr/bin/bwrap")
    monkeypatch.setattr(sandbox, "is_bounded", lambda: False)
    told = sandbox.contained([str(each) for each in words], str(folder))
    named = {after for before, after in pairwise(told) if before == "--ro-bind-try"}
    return {each for each in named if each.startswith(str(folder.parent))}


def test_files_within_an_argument_are_there_for_the_command_of_a_shell_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, script, text = tmp_path / "own", tmp_path / "bot.py", tmp_path / "text"
    script.touch()
    text.touch()
    line = f"python3 '{script}' < \"{text}\" > {tmp_path}/missing"
    assert mounted(monkeypatch, folder, "/bin/sh", "-c", line) == {str(script), str(text)}
    assert mounted(monkeypatch, folder, "/bin/echo", line, "-c") == set()
    assert mounted(monkeypatch, folder, "/bin/cat", script, "-x") == {str(script)}


def test_of_an_interpreter_all_is_there_that_it_consists_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in ("shims", "bin", "lib", "tools"):
        (tmp_path / each).mkdir()
    for each in ("shims/python", "bin/python", "tools/python"):
        (tmp_path / each).touch()
    folder = tmp_path / "own"
    assert mounted(monkeypatch, folder, tmp_path / "shims/python") == {str(tmp_path)}
    assert mounted(monkeypatch, folder, tmp_path / "tools/python") == {str(tmp_path / "tools/python")}
    found = mounted(monkeypatch, folder, tmp_path / "bin/python")
    assert {str(tmp_path / "bin"), str(tmp_path / "lib")} <= found
    assert str(tmp_path) not in found


@pytest.mark.parametrize("works", [True, False])
def test_what_is_kept_in_memory_is_bounded_where_a_trial_of_it_works(
    monkeypatch: pytest.MonkeyPatch, *, works: bool
) -> None:
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: f"/opt/bwrap-{works}")
    done = subprocess.CompletedProcess[bytes]([], 0 if works else 1)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)
    assert sandbox.is_bounded.__wrapped__() is works


def test_nothing_is_bounded_where_there_is_no_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: "")
    assert sandbox.is_bounded.__wrapped__() is False
