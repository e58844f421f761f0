"""What an evening needs around it: a file that is up to date, a loop without threads, a log that is read."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import os
import tempfile
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog

from chatbot.ledger.rooms import Preferences
from chatbot.ledger.store.store import Store
from tests.generous import prefer_gifts
from tests.simulator.breach import Breach
from tests.simulator.disk import inserted
from tests.simulator.evening import Evening
from tests.simulator.town import COMMUNITIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tests.simulator.disk import Disk

STEPS = 60
HOSTED = {"house_players": "4", "house_strategies": "any", "house_stakes": "yes"}


@dataclass(frozen=True, slots=True)
class Report:
    """How an evening went; without a breach `breach` is empty."""

    seed: int
    trace: tuple[str, ...]
    step: int
    breach: str = ""
    hosted: bool = False

    @property
    def digest(self) -> str:
        return hashlib.sha256("\n".join(self.trace).encode()).hexdigest()[:16]


def play(
    seed: int,
    steps: int = STEPS,
    *,
    hosted: bool = False,
    shows: bool = True,
    look: Callable[[str], object] | None = None,
) -> Report:
    """Play the evening of a seed: the same each time; `look` is called with its database at the end.

    Where it is `hosted`, players of the house join the heists of every room, until somebody there
    chooses another preset. Where it `shows`, games are played apart beside the heists.
    """
    with tempfile.TemporaryDirectory(dir=_folder()) as folder:
        path = str(Path(folder) / "rabble.db")
        with inserted() as disks, _untidy():
            Path(path).write_bytes(_template(hosted=hosted, generous=seed % 2 == 0))
            report = asyncio.run(_play(seed, steps, path, disks, shows=shows))
        if look is not None:
            look(f"sqlite:///{path}")
        return replace(report, hosted=hosted)


async def _play(seed: int, steps: int, path: str, disks: dict[str, Disk], *, shows: bool) -> Report:
    asyncio.get_running_loop().set_default_executor(_Inline())
    evening, breach = Evening(seed, path, disks, shows=shows), ""
    try:
        with _listening(evening.note):
            await evening.play(steps)
    except Breach as found:
        breach = str(found)
    except TimeoutError:
        breach = "it hangs"
    finally:
        evening.world.bury()
        evening.reader.close()
    return Report(seed, tuple(evening.trace), evening.number, breach)


class _Inline(ThreadPoolExecutor):
    """Does at once what would be done in a thread, whose timing no seed decides."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **options))
        except Exception as error:  # noqa: BLE001  (whoever waits has it)
            future.set_exception(error)
        return future


@contextmanager
def _untidy() -> Iterator[None]:
    """Collect no garbage meanwhile: that is a sixth of the time of an evening."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def _listening(note: Callable[[Any, str, Mapping[str, Any]], Mapping[str, Any]]) -> Iterator[None]:
    former = structlog.get_config()
    structlog.configure(processors=[note], wrapper_class=structlog.make_filtering_bound_logger("error"))
    try:
        yield
    finally:
        structlog.configure(**former)


def _folder() -> str | None:
    """Memory, where there is some: what a disk keeps is tested elsewhere."""
    memory = Path("/", "dev", "shm")
    return str(memory) if os.access(memory, os.W_OK) else None


@cache
def _template(*, hosted: bool, generous: bool) -> bytes:
    """Make a database that is up to date, once a process; in a `generous` town gifts have no limits."""
    with tempfile.TemporaryDirectory(dir=_folder()) as folder:
        path = Path(folder) / "rabble.db"

        async def make() -> None:
            store = await Store.open(f"sqlite:///{path.as_posix()}")
            for room in COMMUNITIES if hosted else ():
                await Preferences(store).save(room, "heist", HOSTED)
            if generous:
                await prefer_gifts(store, "town")
            await store.close()

        asyncio.run(make())
        return path.read_bytes()
