"""While the program runs, the collector leaves out what it consists of, and still finds garbage."""

from __future__ import annotations

import gc
import platform
import subprocess
import sys
import weakref
from typing import TYPE_CHECKING

import pytest

from chatbot import collector
from chatbot.cli import entry, launch

if TYPE_CHECKING:
    from collections.abc import Iterator


class Knot:
    """An object that only the collector can remove, because it refers to itself."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def nothing_left_out() -> Iterator[None]:
    """Undo for a test that all tests leave out what was there before them."""
    gc.unfreeze()
    yield
    gc.freeze()


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_left_out")
def test_what_exists_is_left_out_and_what_comes_later_is_collected() -> None:
    usual = gc.get_threshold()
    with collector.sparing():
        assert gc.get_freeze_count() > 10_000  # the modules alone are more
        assert gc.get_threshold() == collector.THRESHOLDS
        knot = weakref.ref(Knot())
        gc.collect()
        assert knot() is None
    assert (gc.get_threshold(), gc.get_freeze_count()) == (usual, 0)


@pytest.mark.slow
def test_garbage_of_before_is_not_kept_and_what_others_left_out_stays_so() -> None:
    knot, frozen = weakref.ref(Knot()), gc.get_freeze_count()
    with collector.sparing():
        assert knot() is None
    assert gc.get_freeze_count() >= frozen > 0


def test_the_command_line_starts_with_few_collections(monkeypatch: pytest.MonkeyPatch) -> None:
    usual, seen = gc.get_threshold(), list[tuple[int, int, int]]()
    monkeypatch.setattr(entry, "main", lambda: seen.append(gc.get_threshold()))
    try:
        launch.main()
    finally:
        gc.set_threshold(*usual)
    assert seen == [collector.AT_START]


def test_nothing_is_collected_while_modules_are_imported_and_they_are_left_out_afterwards() -> None:
    frozen, collected = gc.get_freeze_count(), list[object]()
    gc.callbacks.append(lambda *_: collected.append(None))
    usual = gc.get_threshold()
    gc.set_threshold(10, 10, 10)
    try:
        with collector.importing():
            collected.clear()
            imported = [Knot() for _ in range(1000)]  # as many objects as a module makes
            assert collected == []
        assert gc.get_freeze_count() >= frozen + len(imported)
        more = [Knot() for _ in range(1000)]
        assert collected, f"nothing was collected with {len(more)} objects more"
    finally:
        gc.callbacks.pop()
        gc.set_threshold(*usual)


MALLOPT = """
import ctypes, threading
from chatbot import collector
collector.use_one_heap()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_size_t
blocks = []
def take(): blocks.append(libc.malloc(64))
thread = threading.Thread(target=take)
thread.start(); thread.join(); take()
# A heap of a thread of its own begins at a multiple of 64 MB, far from that of the process.
print(abs(blocks[0] - blocks[1]) < 64 << 20)
"""


@pytest.mark.slow
@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="only this C library has a heap for each thread"
)
def test_threads_share_one_heap() -> None:
    told = subprocess.run([sys.executable, "-c", MALLOPT], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "True"


@pytest.mark.parametrize("error", [AttributeError, OSError, TypeError])
def test_a_c_library_without_such_a_heap_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def library(_: object) -> None:
        raise error

    monkeypatch.setattr("ctypes.CDLL", library)
    collector.use_one_heap()


@pytest.mark.slow
def test_the_command_line_starts_without_what_colours_tracebacks_and_tables_can_still_be_drawn() -> None:
    code = """
import sys
from chatbot.cli import launch
launch._import_structlog_alone()
from chatbot.cli import entry
print("rich" in sys.modules, "pygments" in sys.modules)
from rich.table import Table
print(Table("drawn").columns[0].header)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.split() == ["False", "False", "drawn"]
