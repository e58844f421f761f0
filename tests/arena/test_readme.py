"""What the README shows of tournaments runs as it is printed."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.arena.commands import PATIENCE, ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
UV = '#!/bin/sh\nshift\nexec "$@"\n'  # what `uv run` does where everything is installed
OURS = ("chatbot arena", "bankheist")


def examples() -> list[str]:
    section = re.search(r"^## Tournaments of programs\n(.*?)(?=^## )", README, re.MULTILINE | re.DOTALL)
    blocks = re.findall(r"^```sh\n(.*?)^```", section[1] if section else "", re.MULTILINE | re.DOTALL)
    return [each for each in blocks if any(command in each for command in OURS)]


def test_there_are_examples() -> None:
    assert len(examples()) >= 3


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="they are typed in a shell")
@pytest.mark.parametrize("example", examples())
def test_an_example_runs_as_printed(example: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "data" / "examples", tmp_path / "data" / "examples")
    path = tmp_path / "bin"
    path.mkdir()
    (path / "uv").write_text(UV, encoding="utf-8")
    (path / "uv").chmod(stat.S_IRWXU)
    search = os.pathsep.join((str(path), str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {**os.environ, "PATH": search, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["sh", "-e", "-c", example],
        cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "seed 1" in done.stdout
    assert "failed" not in done.stdout
    for errors in tmp_path.rglob("errors.txt"):
        assert errors.read_text(encoding="utf-8") == ""
