"""The folder of a program is emptied between two games, whatever the program has made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from arena.programs.containment import empty

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def others(tmp_path: Path) -> Path:
    """A file of somebody else."""
    file = tmp_path / "others" / "file"
    file.parent.mkdir()
    file.write_text("kept")
    return file


def test_what_is_in_a_folder_goes_and_what_its_links_lead_to_stays(tmp_path: Path, others: Path) -> None:
    folder = tmp_path / "home"
    (folder / "deep" / "deeper").mkdir(parents=True)
    (folder / "deep" / "deeper" / "file").write_text("gone")
    (folder / "folder").symlink_to(others.parent)
    (folder / "file").symlink_to(others)
    empty(str(folder))
    assert list(folder.iterdir()) == []
    assert others.read_text() == "kept"


def linked(path: Path) -> None:
    path.symlink_to(path.parent / "others")


def linked_to_nothing(path: Path) -> None:
    path.symlink_to("nowhere")


def a_file(path: Path) -> None:
    path.write_text("a file")


def missing(path: Path) -> None:
    assert not path.exists()


@pytest.mark.parametrize("make", [linked, linked_to_nothing, a_file, missing])
def test_a_folder_that_has_become_something_else_is_a_folder_again(
    tmp_path: Path, others: Path, make: Callable[[Path], None]
) -> None:
    folder = tmp_path / "home"
    make(folder)
    empty(str(folder))
    assert folder.is_dir()
    assert not folder.is_symlink()
    assert list(folder.iterdir()) == []
    assert others.read_text() == "kept"
