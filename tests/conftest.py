"""For all tests: the program logs as it does when it runs, no example is timed, and nothing is done twice."""

from __future__ import annotations

import gc
import os
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest
from hypothesis import settings
from sqlalchemy import Engine, event

from chatbot import log
from chatbot.speech import words
from tests import inline_sqlite, optional

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from sqlalchemy import Connection

log.configure("critical")
inline_sqlite.install()
os.environ["CHATBOT_HOME"] = "data"  # below the working folder of each test, and never the clone's own
os.environ.pop("UV_RUN_RECURSION_DEPTH", None)  # commands are told as to somebody who needs no `uv run`

REPORT = words.report
"""What the program does about words that are missing or wrong: it logs that, and says something else."""


def _insist(event: str, **about: str) -> None:
    """Whatever a test has said must have words: the program would go on without."""
    raise LookupError(f"{event}: {about}")


words.report = _insist  # type: ignore[assignment]

settings.register_profile("any machine", deadline=None)  # how long an example takes is no promise
settings.load_profile("any machine")


SLOW = ("arena/programs", "chickp", "adapters", "simulator", "slow", "web")
"""Folders of tests that talk to programs, platforms and browsers: all of them count as slow."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--every", type=int, default=1, metavar="N", help="run one of N slow tests, always the same"
    )
    parser.addoption(
        "--audits",
        type=int,
        default=3,
        metavar="N",
        help="audit the books of one of N tests",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Whoever names files, folders or tests wants them run, the slow ones too."""
    if hasattr(config, "workerinput"):
        config.option.markexpr = config.workerinput["markexpr"]
    elif config.args_source is pytest.Config.ArgsSource.ARGS and config.option.markexpr == "not slow":
        config.option.markexpr = ""


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker which tests are wanted."""
    node.workerinput["markexpr"] = node.config.option.markexpr


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where no slow test is wanted, do not even import those of folders that have no other."""
    return True if config.option.markexpr == "not slow" and _is_slow(collection_path) else None


@cache
def _is_slow(path: Path) -> bool:
    """Whether a path is in a folder whose tests all count as slow."""
    return any(path.is_relative_to(Path(__file__).parent / folder) for folder in SLOW)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    cases: Counter[str] = Counter()
    for item in items:
        if sampled := item.get_closest_marker("sampled"):
            test = item.nodeid.partition("[")[0]
            cases[test] += 1
            item.add_marker("nightly" if cases[test] > sampled.args[0] else "slow")
        served = any(map(item.get_closest_marker, ("browser", "nightly", "postgres")))
        if served or _is_slow(item.path):
            item.add_marker("slow")
    every = config.getoption("--every")
    left_out = {item for item in items if item.get_closest_marker("slow") and _number(item) % every}
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=list(left_out))


def _number(item: pytest.Item) -> int:
    """Return a number of a test that depends on its name alone, so that one that failed can run again."""
    return crc32(item.nodeid.encode())


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a module that cannot be imported for want of an optional library."""
    report = yield
    missing = optional.reason(str(report.longrepr)) if report.failed else None
    if missing is not None:
        report.outcome, report.longrepr = "skipped", (str(collector.path), 0, f"Skipped: {missing}")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    yield from _skipping()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    yield from _skipping()


def _skipping() -> Iterator[None]:
    """Skip a test that fails for want of an optional library."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = optional.reason(str(error))
        if missing is None:
            raise
        pytest.skip(missing)


@pytest.fixture
def audited(request: pytest.FixtureRequest) -> bool:
    """Whether the books of this test are audited when it ends.

    An audit takes as long as the rest of a short test, and most tests post as others do. Tests that are slow
    audit theirs always: they are the ones with evenings, crashes and many hands.
    """
    if request.node.get_closest_marker("slow"):
        return True
    audits: int = request.config.getoption("--audits")
    return _number(request.node) % audits == 0


def pytest_collection_finish() -> None:
    """Have the collector leave alone what has been loaded: no garbage, and long to look through."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _logging() -> Iterator[None]:
    """A test that runs a command in this process leaves its log behind, and a stream that is closed."""
    yield
    log.configure("critical")


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> None:
    inline_sqlite.restore(monkeypatch)


class _Statements(dict[tuple[Any, ...], Any]):
    """Statements as text for a kind of database, by keys of which the first is one engine's dialect."""

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        return super().get((key[0].name, *key[1:]), default)

    def __setitem__(self, key: tuple[Any, ...], compiled: Any) -> None:
        super().__setitem__((key[0].name, *key[1:]), compiled)


_STATEMENTS = _Statements()


@event.listens_for(Engine, "engine_connect")
def _share_statements(connection: Connection) -> None:
    """Spare each test's own engines from compiling what those of the test before have compiled."""
    connection.execution_options(compiled_cache=_STATEMENTS)
