"""The key of fairness is made once, kept to its owner, and never guessed where it cannot be read."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Failure
from chatbot.keys.discretion import Discretion
from chatbot.keys.sealing_key import find, provide
from chatbot.ledger.chains import KEY

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "new folder" / "fairness.key"


def test_the_first_start_makes_a_key_that_the_next_one_finds(file: Path) -> None:
    assert find(None, file, Discretion()) is None
    discretion = Discretion()
    made = provide(None, file, discretion)
    assert len(made) == KEY
    assert find(None, file, Discretion()) == provide(None, file, Discretion()) == made
    assert made.hex() not in discretion.clean(f"it is {made.hex()}")


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps that elsewhere")
def test_nobody_else_can_read_it_whatever_the_umask(file: Path) -> None:
    before = os.umask(0)
    try:
        provide(None, file, Discretion())
    finally:
        os.umask(before)
    for each in file.parent.iterdir():
        assert stat.S_IMODE(each.stat().st_mode) == 0o600, each


def test_two_that_start_at_once_have_one_key(file: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(lambda _: provide(None, file, Discretion()), range(8)))) == 1


def test_one_that_is_given_needs_no_file(file: Path) -> None:
    assert provide("AB" * KEY, file, Discretion()) == bytes.fromhex("ab" * KEY)
    assert not file.exists()


@pytest.mark.parametrize("content", [b"", b"x", b"ab" * 31, b"ab" * 33, b"\xff" * 64, b"zz" * 32])
def test_a_damaged_file_is_told_and_left_as_it_is(file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    with pytest.raises(Failure, match=r"^The key of fairness .* is damaged; put back a copy of it, or "):
        provide(None, file, Discretion())
    assert file.read_bytes() == content


def test_a_place_that_takes_no_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "no folder").write_text("", encoding="utf-8")
    with pytest.raises(Failure, match=r"cannot be (read|written) \("):
        provide(None, tmp_path / "no folder" / "fairness.key", Discretion())
