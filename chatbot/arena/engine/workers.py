"""Who plays matches: this process, processes of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

from chatbot.arena.engine.bout import MatchPlan, MatchResult, play
from chatbot.kernel.failure import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.process import BaseProcess
    from types import FrameType

    from chatbot.kernel.contest import Match

MOST_JOBS = 61 if sys.platform == "win32" else 512  # Windows waits for no more processes than that
_SCHEMES = frozenset({"tcp", "tls", "ws", "wss"})  # by which Dask's clients talk
_PATIENCE = 5.0  # seconds: a cluster's answer, or a worker's programs to be put away


@dataclass(frozen=True, slots=True)
class Crew:
    """An executor, and how many matches to hand to it ahead of the one that is waited for."""

    executor: Executor
    ahead: int
    lost: tuple[type[BaseException], ...] = (BrokenProcessPool,)  # what it raises when a worker is gone


@contextmanager
def processes(jobs: int) -> Iterator[Crew]:
    """Start processes on this machine; broken off, they put their programs away and end."""
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_begin)
    try:
        yield Crew(pool, 2 * jobs)
    except BaseException:
        _stop(pool, [each for each in multiprocessing.active_children() if each not in others])
        raise
    pool.shutdown()


@contextmanager
def cluster(address: str) -> Iterator[Crew]:
    """Join a Dask cluster.

    Raises:
        Failure: Dask is not installed, or no cluster answers.
    """
    try:
        from distributed import Client  # noqa: PLC0415  (an extra)
        from distributed.comm.core import CommClosedError  # noqa: PLC0415
        from distributed.scheduler import KilledWorker  # noqa: PLC0415
    except ImportError:
        raise Failure(
            "--scheduler needs Dask: `uv run --extra dask chatbot arena …`, or `pip install distributed`."
        ) from None
    if not _addressed(address):  # Dask would say so too, and then wait for a client that there is not
        raise Failure(f"--scheduler takes an address such as tcp://host:8786, not {address[:80]!r}.")
    try:
        client = Client(address, timeout=_PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError, RuntimeError, TypeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise Failure(f"No Dask scheduler answers at {address!r}: {reason}") from None
    with _hushed(), client:
        threads = sum(client.nthreads().values())  # type: ignore[no-untyped-call]
        if not threads:
            raise Failure(f"The Dask scheduler at {address!r} has no workers.")
        lost = (CommClosedError, KilledWorker, CancelledError)
        yield Crew(client.get_executor(pure=False), 2 * threads, lost)  # type: ignore[no-untyped-call]


def work(plan: MatchPlan, match: Match) -> MatchResult:
    """Play a match as a worker does: told to end, it puts programs away and is gone."""
    try:
        return play(plan, match)
    except SystemExit:
        os._exit(1)  # the pool would send that back, and go on with the next match


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold Ctrl-C back while processes start: they inherit that, and only this process is to answer it."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _addressed(text: str) -> bool:
    """Whether it names a host and a port."""
    try:
        parts = urlsplit(text if "://" in text else f"tcp://{text}")
        return parts.scheme in _SCHEMES and bool(parts.hostname) and bool(parts.port)
    except ValueError:
        return False


@contextmanager
def _hushed() -> Iterator[None]:
    """Keep Dask from logging what is told in one sentence here."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    levels = [each.level for each in loggers]
    for each in loggers:
        each.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for each, level in zip(loggers, levels, strict=True):
            each.setLevel(level)


def _stop(pool: ProcessPoolExecutor, started: list[BaseProcess]) -> None:
    pool.shutdown(wait=False, cancel_futures=True)
    for each in started:
        each.terminate()
    for each in started:
        each.join(_PATIENCE)
        each.kill()
    pool.shutdown()


# In a worker


def _begin() -> None:
    """Leave Ctrl-C to the process that hands matches out, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    threading.Thread(target=_outlive_nobody, daemon=True).start()


def _end(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
    """Break off whatever is played: on the way out, programs are put away."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(1)


def _outlive_nobody() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # what it played has no reader; programs find their input closed
