"""Executors that play matches: processes of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

from arena.engine.match import MatchPlan, MatchResult, play
from arena.engine.preparation import begin
from chatbot.invocation import with_extra
from chatbot.kernel.contest import Prepared
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.process import BaseProcess
    from types import FrameType

    from chatbot.kernel.contest import Match

MAX_JOBS = 61 if sys.platform == "win32" else 512  # the limit of ProcessPoolExecutor on Windows
_SCHEMES = frozenset({"tcp", "tls", "ws", "wss"})  # of addresses that Dask's clients take
_WAIT_SECONDS = 5.0  # for the answer of a cluster, and for a worker to close its programs


@dataclass(frozen=True, slots=True)
class WorkerPool:
    """An executor, and the number of matches that may be submitted to it at a time."""

    executor: Executor
    capacity: int
    loss_errors: tuple[type[BaseException], ...] = (BrokenProcessPool,)  # raised when a worker is lost
    prepare: Callable[[Prepared, int], Counter[str]] | None = None
    """Has every worker prepare a contest for so many games, if workers can be on other machines; returns the
    lines that they tell, and how many do."""


@contextmanager
def processes(jobs: int) -> Iterator[WorkerPool]:
    """Start worker processes on this machine; after an exception they close their programs and end."""
    others = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_start_worker)
    try:
        # Twice as many as are played at once, so that no worker waits for the next match; more would be lost
        # work when the run is stopped.
        yield WorkerPool(executor, 2 * jobs)
    except BaseException:
        _stop(executor, [each for each in multiprocessing.active_children() if each not in others])
        raise
    executor.shutdown()


@contextmanager
def cluster(address: str) -> Iterator[WorkerPool]:
    """Connect to a Dask cluster.

    Raises:
        Failure: Dask is not installed, or no cluster answers.
    """
    try:
        from distributed import Client  # noqa: PLC0415  (an extra)
        from distributed.comm.core import CommClosedError  # noqa: PLC0415
        from distributed.scheduler import KilledWorker  # noqa: PLC0415
    except ImportError:
        raise Failure(
            f"--scheduler needs Dask, which comes with the extra `dask`: {with_extra('dask')}."
        ) from None
    if not _is_address(address):  # Dask would report it too, but hang when its client is closed
        raise Failure(f"--scheduler takes an address such as tcp://host:8786, not {address[:80]!r}.")
    try:
        client = Client(address, timeout=_WAIT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError, RuntimeError, TypeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise Failure(f"No Dask scheduler answers at {address!r}: {reason}") from None
    with _logging_disabled(), client:
        threads = sum(client.nthreads().values())  # type: ignore[no-untyped-call]
        if not threads:
            raise Failure(f"The Dask scheduler at {address!r} has no workers.")
        loss_errors = (CommClosedError, KilledWorker, CancelledError)

        def prepare(contest: Prepared, games: int) -> Counter[str]:
            lines_of = client.run(prepare_worker, contest, games)
            return Counter(line for lines in lines_of.values() for line in lines)

        executor = client.get_executor(pure=False)  # type: ignore[no-untyped-call]
        yield WorkerPool(executor, 2 * threads, loss_errors, prepare)


def prepare_worker(contest: Prepared, games: int) -> list[str]:
    """Prepare a contest in a worker, whose matches begin meanwhile; return what it tells."""
    lines: list[str] = []
    begin(contest, games, lines.append)
    return lines


def work(plan: MatchPlan, match: Match) -> MatchResult:
    """Play a match in a worker; on SIGTERM, close its programs and end the process."""
    try:
        return play(plan, match)
    except SystemExit:
        os._exit(1)  # the executor would return it as a result, and go on with the next match


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Block SIGINT while processes start: they inherit the mask, and only this process handles Ctrl-C."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _is_address(text: str) -> bool:
    """Whether a text is an address of a known scheme, with a host and a port."""
    try:
        parts = urlsplit(text if "://" in text else f"tcp://{text}")
        return parts.scheme in _SCHEMES and bool(parts.hostname) and bool(parts.port)
    except ValueError:
        return False


@contextmanager
def _logging_disabled() -> Iterator[None]:
    """Disable the logging of Dask, whose failures are reported as one sentence here."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    levels = [each.level for each in loggers]
    for each in loggers:
        each.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for each, level in zip(loggers, levels, strict=True):
            each.setLevel(level)


def _stop(executor: ProcessPoolExecutor, workers: list[BaseProcess]) -> None:
    executor.shutdown(wait=False, cancel_futures=True)
    # SIGTERM first: on it a worker closes its programs, which after SIGKILL only their wardens would notice.
    for each in workers:
        each.terminate()
    for each in workers:
        each.join(_WAIT_SECONDS)
        each.kill()
    executor.shutdown()


# In a worker


def _start_worker() -> None:
    """Initialize a worker: ignore SIGINT, end on SIGTERM, and end with the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _exit_worker)
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_worker(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
    """Interrupt the match by an exception, so that its programs are closed."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(1)


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # nobody reads its results; its wardens notice that their input is closed
