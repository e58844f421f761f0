"""Types `chickp` as somebody at a terminal does, and writes programs for it."""

from __future__ import annotations

import io
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.programs import sandbox
from chatbot.cli import entry
from tests.arena.commands import Typed

# What a program needs to speak the protocol; whatever it is sent, it asks for with `line()`.
SPEAKS = """
import os, sys, time
def line():
    text = sys.stdin.readline()
    if not text:
        sys.exit()
    return text.rstrip("\\n")
def say(text):
    sys.stdout.write(f"{text}\\n")
    sys.stdout.flush()
def opening():
    assert line() == "RESET"
    return int(line()), int(line()), [int(each) for each in line().split()]
"""


@dataclass(frozen=True, slots=True)
class Chickp:
    folder: Path
    monkeypatch: pytest.MonkeyPatch
    capfd: pytest.CaptureFixture[str]

    def __call__(self, *words: str, types: str = "") -> Typed:
        """Type it; `types` is what stands at the terminal's standard input."""
        self.monkeypatch.setattr(sys, "argv", ["chickp", *words])
        self.monkeypatch.setattr(sys, "stdin", io.StringIO(types))
        self.capfd.readouterr()
        code: object = 0
        try:
            entry.chickp()
        except SystemExit as end:
            code = end.code
        out, err = self.capfd.readouterr()
        return Typed(code if isinstance(code, int) else 0, out, err)

    def program(self, name: str, script: str) -> str:
        """Write a program, and give the command that starts it quickly."""
        path = self.folder / f"{name}.py"
        path.write_text(SPEAKS + script, encoding="utf-8")
        return f"{shlex.quote(sys.executable)} -I -S {shlex.quote(str(path))}"


@pytest.fixture
def chickp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Chickp:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: "")  # so that a failure is the same everywhere
    return Chickp(tmp_path, monkeypatch, capfd)
