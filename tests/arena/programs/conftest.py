"""Each test's temporary folders and processes are its own, and none of them outlives it."""

from __future__ import annotations

import sys
import tempfile
from typing import TYPE_CHECKING

import pytest

from tests.arena.programs.stage import left_behind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever a test did: no folder and no process of a program is there afterwards."""
    folders = tmp_path / "folders"
    folders.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folders))
    yield
    assert list(folders.iterdir()) == []
    if sys.platform.startswith("linux"):
        assert left_behind(tmp_path) == []
