"""Runs the command lines of the arena as somebody at a terminal does."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chatbot.cli import entry

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 120.0  # seconds, on a machine that is busy with other things


@dataclass(frozen=True, slots=True)
class Typed:
    """What came of a command."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Shell:
    """A folder in which commands are typed; each runs in a process of its own."""

    folder: Path
    root: Path = ROOT  # of the program

    def arena(self, *words: str) -> Typed:
        return self.run("import sys; from chatbot.cli.entry import main; main()", "arena", *words)

    def bankheist(self, *words: str) -> Typed:
        return self.run("import sys; from chatbot.cli.entry import bankheist; bankheist()", *words)

    def run(self, code: str, *words: str) -> Typed:
        with self.start(code, *words) as process:
            out, err = process.communicate(timeout=PATIENCE)
        return Typed(process.returncode, out, err)

    def start(self, code: str, *words: str) -> subprocess.Popen[str]:
        environment = {**os.environ, "PYTHONPATH": str(self.root), "PYTHONUTF8": "1", "COLUMNS": "120"}
        return subprocess.Popen(
            [sys.executable, "-c", code, *words],
            cwd=self.folder, env=environment, text=True, encoding="utf-8",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Here:
    """Types commands in this process, which is quick; nothing that is typed here may be interrupted."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch
    capfd: pytest.CaptureFixture[str]

    def arena(self, *words: str) -> Typed:
        return self._type(entry.main, "chatbot", "arena", *words)

    def bankheist(self, *words: str) -> Typed:
        return self._type(entry.bankheist, "bankheist", *words)

    def _type(self, command: Callable[[], object], *words: str) -> Typed:
        self.monkeypatch.setattr(sys, "argv", [*words])
        self.capfd.readouterr()
        code: object = 0
        try:
            command()
        except SystemExit as end:
            code = end.code
        out, err = self.capfd.readouterr()
        return Typed(code if isinstance(code, int) else 0, out, err)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Here:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return Here(tmp_path, monkeypatch, capfd)
