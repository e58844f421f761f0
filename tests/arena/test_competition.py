"""The same seed gives the same result, whoever plays; a run that is broken off tells what is finished."""

from __future__ import annotations

import os
import sys
import warnings
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import pytest

from arena.engine.competition import Competition, Order
from arena.engine.tally import Tally
from arena.engine.workers import WorkerPool, processes
from arena.report.run_files import RunFiles, check_writable
from chatbot.games.heist.contest import contest
from chatbot.games.heist.contest.contest import HeistContest
from chatbot.kernel.game import Failure
from tests.arena.contests import Counting, Screen, carried_out, order, plan, told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

P = ParamSpec("P")
T = TypeVar("T")


def competed(contest: Counting, pool: WorkerPool, log: Path) -> Tally:
    """Have a pool play, with the log that is written then."""
    tally = Tally([("high", "high"), ("chancy", "chancy")])
    with RunFiles(log) as files:
        made = plan(contest, "high", "chancy", logged=True)
        matches = contest.matches(2, 4, "seed")
        Competition(made, matches, tally, files, Screen()).play_with(pool)
    return tally


class Backwards(Executor):
    """Plays nothing until somebody waits, and then the newest first."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Future[Any], Callable[[], Any]]] = []
        self.most = 0  # that waited at one time

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Patient[T] = Patient(self._play)
        self._waiting.append((future, lambda: fn(*args, **kwargs)))
        self.most = max(self.most, len(self._waiting))
        return future

    def _play(self) -> None:
        while self._waiting:
            future, work = self._waiting.pop()
            future.set_result(work())


class Patient(Future[T]):
    """Has its executor play when it is waited for."""

    def __init__(self, play: Callable[[], None]) -> None:
        super().__init__()
        self._play = play

    def result(self, timeout: float | None = None) -> T:
        if not self.done():
            self._play()
        return super().result(timeout)


class Dying(Executor):
    """Plays two matches out of turn, and is gone then."""

    def __init__(self) -> None:
        self._handed = 0

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        self._handed += 1
        if self._handed in {2, 3}:
            future.set_result(fn(*args, **kwargs))
        else:
            future.set_exception(ChildProcessError())
        return future


def test_means_errors_and_ranks_are_those_that_can_be_worked_out() -> None:
    outcome = carried_out(order(Counting(3), "low", "high", "low"))
    best, *others = outcome.tally.places()
    # Four games of 5 points; three matches.
    assert (best.name, best.rank, best.mean, best.total, best.matches) == ("high-1", 1, 20.0, 60, 3)
    assert best.standard_error == 0.0
    assert [(each.name, each.rank, each.total) for each in others] == [("low-0", 2, 12), ("low-2", 2, 12)]
    assert (outcome.tally.games, outcome.tally.matches, outcome.games, outcome.matches) == (12, 3, 12, 3)


@pytest.mark.slow
def test_one_process_two_and_three_give_the_same() -> None:
    """The real contest; its matches are played in processes that know nothing but what they are handed."""
    made = Order("heist", HeistContest(5, 40), order(Counting(), "kelly", "snitch").players, 30, "one seed")
    results = [told(carried_out(replace(made, jobs=jobs))) for jobs in (1, 2, 3)]
    assert results[0] == results[1] == results[2]
    assert told(carried_out(replace(made, seed="another"))) != results[0]


def test_the_log_is_the_same_whoever_plays(tmp_path: Path) -> None:
    contest = Counting(7)
    with ThreadPoolExecutor(3) as threads:
        made = {
            name: WorkerPool(each, 4) for name, each in (("threads", threads), ("backwards", Backwards()))
        }
        places = [competed(contest, pool, tmp_path / name).places() for name, pool in made.items()]
    here = tmp_path / "here"
    alone = carried_out(replace(order(contest, "high", "chancy"), log=here)).tally.places()
    assert places[0] == places[1]
    assert [each.total for each in places[0]] == [each.total for each in alone]
    assert (tmp_path / "threads").read_bytes() == (tmp_path / "backwards").read_bytes() == here.read_bytes()
    lines = here.read_text(encoding="utf-8").splitlines()
    assert [each for each in lines if each.startswith("#")] == [
        f"#####MATCH {each}######" for each in range(7)
    ]
    assert len(lines) == 7 * (1 + 4)


def test_no_more_matches_are_handed_out_than_are_played_soon(tmp_path: Path) -> None:
    executor = Backwards()
    tally = competed(Counting(500), WorkerPool(executor, 6), tmp_path / "log")
    assert tally.matches == 500
    assert executor.most <= 6


def test_a_lost_worker_is_one_sentence_and_what_is_finished_counts(tmp_path: Path) -> None:
    tally = Tally([("high", "high")])
    contest = Counting(9)
    competition = Competition(
        plan(contest, "high"), contest.matches(1, 4, "seed"), tally, RunFiles(), Screen()
    )
    with pytest.raises(Failure, match="A worker was lost"):
        competition.play_with(WorkerPool(Dying(), 4, (ChildProcessError,)))
    assert (tally.matches, tally.games) == (2, 8)  # the second and the third


def kill_itself(*_: object) -> None:
    os._exit(1)


@pytest.mark.slow
def test_a_process_that_dies_is_a_lost_worker() -> None:
    with pytest.raises(BaseException) as lost, processes(1) as pool:  # noqa: PT011  (it says which itself)
        pool.executor.submit(kill_itself).result()
    assert isinstance(lost.value, pool.loss_errors)


def test_progress_tells_of_every_game() -> None:
    screen = Screen()
    contest = Counting(3)
    tally = Tally([("high", "high")])
    Competition(plan(contest, "high"), contest.matches(1, 4, "s"), tally, RunFiles(), screen).play_here()
    assert screen.told == [1] * 12


# Broken off


def test_one_match_that_is_broken_off_shows_the_games_so_far() -> None:
    outcome = carried_out(order(Counting(1, fails_at=0), "high", "low"))
    assert outcome.interrupted
    assert (outcome.tally.matches, outcome.tally.games, outcome.games) == (0, 2, 4)
    assert [each.total for each in outcome.tally.places()] == [10, 2]


def test_of_several_matches_those_that_were_finished_count() -> None:
    outcome = carried_out(order(Counting(5, fails_at=3), "high", "low"))
    assert outcome.interrupted
    assert (outcome.tally.matches, outcome.tally.games) == (3, 12)
    assert [each.total for each in outcome.tally.places()] == [60, 12]


def test_the_log_of_a_match_that_is_broken_off_is_kept(tmp_path: Path) -> None:
    log = tmp_path / "log"
    carried_out(order(Counting(1, fails_at=0), "high", log=log))
    assert log.read_text(encoding="utf-8") == "game 0: [5]\ngame 1: [10]\n"


# Files


def test_what_cannot_be_written_is_known_before_anything_is_played(tmp_path: Path) -> None:
    played = Counting(1, fails_at=0)
    for path in (tmp_path, tmp_path / "no" / "folder", Path("a\0b")):
        with pytest.raises(Failure, match="cannot be written"):
            carried_out(order(played, "high", log=path))
        with pytest.raises(Failure, match="cannot be written"):
            carried_out(replace(order(played, "high"), plot=path))
        with pytest.raises(Failure, match="cannot be written"):
            carried_out(replace(order(played, "high"), errors=path))
    assert list(tmp_path.iterdir()) == []


def test_log_and_errors_are_two_files(tmp_path: Path) -> None:
    with pytest.raises(Failure, match="given for two things"):
        RunFiles(tmp_path / "one", tmp_path / "." / "one")


def test_looking_whether_a_file_can_be_written_leaves_it_as_it_is(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("here", encoding="utf-8")
    check_writable(kept)
    check_writable(tmp_path / "new")
    assert kept.read_text(encoding="utf-8") == "here"
    assert [each.name for each in tmp_path.iterdir()] == ["kept"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
@pytest.mark.parametrize("matches", [1, 3000])
def test_a_disk_that_is_full_is_one_sentence_and_what_was_finished_counts(matches: int) -> None:
    outcome = carried_out(order(Counting(matches), "high", log=Path("/dev/full")))
    assert "cannot be written any more" in str(outcome.failure)
    assert outcome.tally.matches > 0


# A Dask cluster


@pytest.fixture
def scheduler() -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of libraries
        distributed = pytest.importorskip("distributed")
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None, protocol="tcp"
        ) as cluster:
            yield cluster.scheduler_address


@pytest.mark.slow
@pytest.mark.parametrize("compiled_from", [pytest.param(0, marks=pytest.mark.nightly), 10**9])
def test_a_dask_cluster_gives_the_same(
    scheduler: str, compiled_from: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Order("heist", HeistContest(5, 40), order(Counting(), "kelly", "snitch").players, 30, "one seed")
    plain = told(carried_out(made))
    monkeypatch.setattr(contest, "COMPILED_FROM", compiled_from)
    assert told(carried_out(replace(made, scheduler=scheduler))) == plain


SLOW = pytest.mark.slow  # it is asked for five seconds


@pytest.mark.parametrize(
    "address",
    [
        "nowhere",
        "xyz://a:1",
        "",
        pytest.param("tcp://127.0.0.1:9", marks=SLOW),
        pytest.param("tcp://127.0.0.1:99999", marks=SLOW),
    ],
)
def test_a_cluster_that_does_not_answer_is_one_sentence(address: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(Failure) as refused:
        carried_out(replace(order(Counting(1), "high"), scheduler=address))
    assert "\n" not in str(refused.value)
    assert repr(address) in str(refused.value)


def test_without_dask_the_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Failure, match="--scheduler needs Dask, which comes with the extra `dask`: `"):
        carried_out(replace(order(Counting(1), "high"), scheduler="tcp://127.0.0.1:8786"))
