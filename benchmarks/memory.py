"""Measure the memory of the running program while the lines of a large crowd come, and how soon it stops.

The program is a process of its own, connected by the real client library to a fake platform in this one. Of
ten lines seven are talk, and three are commands, in ten channels in turn. After every thousand the crowd
waits until a newcomer is answered, so that each line is heard. Then `FLOOD` commands come at once, and the
program is asked to stop. The command exits with 1 if a bound is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import re
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections import Counter
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Generic

from rich.console import Console
from rich.table import Table

from benchmarks.adapter_bots import KEYS
from benchmarks.adapter_crowds import CHANNELS, Member, P
from benchmarks.adapter_platforms import FakeDiscord, FakeTwitch
from benchmarks.rows import Measure
from benchmarks.startup import environment, resident
from tests.fakes.discord_server import TOKEN
from tests.fakes.twitch_authority import CLIENT_ID, CLIENT_SECRET

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence

    from benchmarks.adapter_crowds import AnswerHandler
    from benchmarks.rows import Row

PLATFORMS = "discord", "twitch"
PEOPLE, LINES = 2000, 200_000
MARKS = 0.125, 0.25, 0.5, 1.0  # shares of the lines after which memory is looked at
TEXTS = (
    *("hello everybody", "this is chatter", "what a game", "lol", "gg", "nice one", "hm"),
    *("!credits", "!heist 20", "!top"),
)
EACH = 1000  # lines after which the crowd waits for the program
FLOOD = 20_000  # commands that come at once in the end
QUICK_LINES, QUICK_FLOOD = 4000, 1000
MOST_MB, MOST_FLOODED_MB, MOST_STOP = 180.0, 195.0, 5.0  # bounds: also while the flood waits; seconds
MOST_GROWTH = 1.05  # bound: memory after all lines divided by that after half of them
READY, PATIENCE = 120.0, 300.0  # seconds for a start, and for an answer or the end
ASK_AGAIN = 5.0  # seconds
UNHEARD = "I am stopping now"  # how the message begins that counts what was not heard
UNTOLD = "this system does not tell"

_NAME = re.compile(r"(?:member|probe)\d{4,}")


@dataclass(slots=True)
class Found:
    """What was measured: MB at the start, after so many lines, and after the flood; seconds of the stop.

    `told` is how often each channel was told that commands were not heard.
    """

    start: float = math.nan
    after: dict[int, float] = field(default_factory=dict)
    flooded: float = math.nan
    stop: float = math.nan
    code: int | None = None
    told: Counter[int] = field(default_factory=Counter)

    @property
    def most(self) -> float:
        return max(self.after.values())

    @property
    def growth(self) -> float:
        """The memory after all lines divided by that after half of them."""
        (*_, half, whole) = self.after.values()
        return whole / half

    @property
    def holds(self) -> bool:
        """Whether all bounds are kept; what the system does not tell is not judged."""
        bounds = (
            (self.most, MOST_MB),
            (self.flooded, MOST_FLOODED_MB),
            (self.growth, MOST_GROWTH),
            (self.stop, MOST_STOP),
        )
        return self.code == 0 and not any(value > bound for value, bound in bounds)


def _measures(name: str) -> tuple[Measure, Measure, Measure]:
    return (
        Measure(f"{name}: resident memory after {LINES:,} lines of {PEOPLE:,} people, MB", "at the start"),
        Measure(f"{name}: the same, once more", f"after {LINES // 2:,} lines"),
        Measure(f"{name}: s to stop when {FLOOD:,} commands have come at once", "wanted, at most"),
    )


BY_PLATFORM = {name: _measures(name.capitalize()) for name in PLATFORMS}
MEASURES = tuple(each for measures in BY_PLATFORM.values() for each in measures)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--platform", choices=PLATFORMS, help="only this one")
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--lines", type=int, default=LINES)
    parser.add_argument("--flood", type=int, default=FLOOD, help="commands at once before the stop")
    arguments = parser.parse_args()
    table, missed = Table("platform", "what", "measured"), 0
    for name in [arguments.platform] if arguments.platform else PLATFORMS:
        findings = asyncio.run(measure(name, arguments.people, arguments.lines, arguments.flood))
        for what, value in _rows(findings):
            table.add_row(name, what, value)
        missed += not findings.holds
    Console().print(table)
    sys.exit(missed > 0)


def rows(*, quick: bool) -> Iterator[Row]:
    lines, flood = (QUICK_LINES, QUICK_FLOOD) if quick else (LINES, FLOOD)
    for name, (growth, flat, stop) in BY_PLATFORM.items():
        findings = asyncio.run(measure(name, PEOPLE, lines, flood))
        (*_, half, whole) = findings.after.values()
        if math.isnan(findings.start):
            yield from (each.lacking(UNTOLD) for each in (growth, flat))
        else:
            yield growth.row(whole, findings.start)
            yield flat.row(whole, half)
        yield stop.row(findings.stop, MOST_STOP)


async def measure(name: str, people: int, lines: int, flood: int) -> Found:
    """Run the program on a platform, and let the crowd speak."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        match name:
            case "discord":
                return await _measure(Audience(FakeDiscord), _discord, Path(folder), people, lines, flood)
            case _:
                return await _measure(Audience(FakeTwitch), _twitch, Path(folder), people, lines, flood)


async def _measure(
    audience: Audience[P],
    settings: Callable[[P, Path], Mapping[str, str]],
    folder: Path,
    people: int,
    lines: int,
    flood: int,
) -> Found:
    platform, findings = audience.platform, Found()
    await platform.open(folder)
    members = [Member(f"member{number:04}", number % len(CHANNELS)) for number in range(people)]
    try:
        async with program(folder, settings(platform, folder)) as process:
            await audience.wait_for_answer()
            findings.start = resident(process.pid)
            for mark, share in zip(_marks(lines), _shares(lines), strict=True):
                await audience.speak(members, share)
                findings.after[mark] = resident(process.pid)
            await audience.flood(members, flood)
            findings.flooded = resident(process.pid)
            findings.stop, findings.code = await stop(process)
            findings.told = audience.told
    finally:
        await platform.stop()
    return findings


class Audience(Generic[P]):
    """People in the channels of a fake platform."""

    def __init__(self, platform: Callable[[AnswerHandler], P]) -> None:
        self._heard = asyncio.Event()
        self._awaited, self._lines, self._probes = "", count(), count()
        self.told = Counter[int]()  # that commands were not heard, by channel
        self.platform = platform(self._report)

    async def speak(self, members: Sequence[Member], lines: int) -> None:
        """Let so many lines come, at the pace at which they are heard."""
        for first in range(0, lines, EACH):
            for _ in range(min(EACH, lines - first)):
                number = next(self._lines)
                # Whoever has a turn again says something else.
                text = TEXTS[(number + number // len(members)) % len(TEXTS)]
                await self.platform.speak(members[number % len(members)], text)
            await self.wait_for_answer()
            self.platform.forget()

    async def flood(self, members: Sequence[Member], commands: int) -> None:
        """Let so many commands come at once."""
        for number in range(commands):
            await self.platform.speak(members[number % len(members)], "!credits")

    async def wait_for_answer(self) -> None:
        """Wait until a newcomer is answered, who asks in one channel after the other."""
        self._heard.clear()
        async with asyncio.timeout(PATIENCE):
            while not self._heard.is_set():
                number = next(self._probes)
                self._awaited = f"probe{number:04}"
                await self.platform.speak(Member(self._awaited, number % len(CHANNELS)), "!credits")
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._heard.wait(), ASK_AGAIN)

    def _report(self, channel: int, text: str) -> None:
        self.told[channel] += UNHEARD in text
        if self._awaited in _NAME.findall(text):
            self._heard.set()


@asynccontextmanager
async def program(folder: Path, settings: Mapping[str, str]) -> AsyncIterator[Process]:
    """Run the program in a folder until the context ends, from the moment on at which it is connected."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "chatbot"),
        cwd=folder,
        env={**environment(), "CHATBOT_LOG_LEVEL": "error", **settings},
        stdout=PIPE,
    )
    assert process.stdout is not None
    reading = None
    try:
        async with asyncio.timeout(READY):
            while b"is connected" not in (line := await process.stdout.readline()):
                if not line:
                    raise RuntimeError("the program has ended before it was connected")
        reading = asyncio.create_task(process.stdout.read())  # else it would wait for a reader
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        if reading is not None:
            await reading


async def stop(process: Process) -> tuple[float, int]:
    """Ask the program to stop; return the seconds until it has ended, and its exit code."""
    began = time.perf_counter()
    process.terminate()
    code = await asyncio.wait_for(process.wait(), PATIENCE)
    return time.perf_counter() - began, code


def _marks(lines: int) -> list[int]:
    return [round(lines * share) for share in MARKS]


def _shares(lines: int) -> list[int]:
    """Return the lines between the marks."""
    marks = _marks(lines)
    return [mark - before for before, mark in zip([0, *marks], marks, strict=False)]


def _discord(platform: FakeDiscord, folder: Path) -> dict[str, str]:
    return {
        **_files(folder),
        "CHATBOT_DISCORD_TOKEN": TOKEN,
        "CHATBOT_DISCORD_API_URL": platform.endpoints.api,
        "CHATBOT_DISCORD_GATEWAY_URL": platform.endpoints.gateway,
    }


def _twitch(platform: FakeTwitch, folder: Path) -> dict[str, str]:
    return {
        **_files(folder),
        "CHATBOT_TWITCH_CLIENT_ID": CLIENT_ID,
        "CHATBOT_TWITCH_CLIENT_SECRET": CLIENT_SECRET,
        "CHATBOT_TWITCH_API_URL": platform.endpoints.api,
        "CHATBOT_TWITCH_ID_URL": platform.endpoints.id,
        "CHATBOT_TWITCH_EVENTSUB_URL": platform.endpoints.eventsub,
        "CHATBOT_TWITCH_TOKENS": str(folder / KEYS),
        "CHATBOT_TWITCH_CHANNELS": ",".join(CHANNELS),
    }


def _files(folder: Path) -> dict[str, str]:
    return {
        "CHATBOT_DATABASE": f"sqlite:///{(folder / 'rabble.db').as_posix()}",
        "CHATBOT_FAIRNESS_KEY_FILE": str(folder / "fairness.key"),
    }


def _rows(findings: Found) -> Iterator[tuple[str, str]]:
    yield "MB at the start", f"{findings.start:.1f}"
    for lines, memory in findings.after.items():
        yield f"MB after {lines:,} lines, at most {MOST_MB:g}", f"{memory:.1f}"
    yield f"after all lines by after half of them, at most {MOST_GROWTH:g}", f"{findings.growth:.3f}"
    yield f"MB when it is asked to stop, at most {MOST_FLOODED_MB:g}", f"{findings.flooded:.1f}"
    yield f"s to stop, at most {MOST_STOP:g}", f"{findings.stop:.2f} (exit code {findings.code})"


if __name__ == "__main__":
    main()
