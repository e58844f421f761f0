"""How many commands a second go through each door, and how soon: beside a bare `!ping` of the same library.

The bot under measurement runs in a process of its own; the platform, a fake on loopback, and the crowd in
this one. On a machine of two cores what these cost is a part of every figure, on both sides alike; a row
says how much it is. The bare bot and ours take turns, and the figures are medians over the rounds. No
budget holds the bots back. Answers go out one message each, except where a row says that they are merged:
then those that wait for one channel go out together, as they do in life.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import math
import platform
import tempfile
import time
from collections import defaultdict
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from benchmarks.door_crowds import EVERYWHERE, Crowd
from benchmarks.door_processes import Process
from benchmarks.door_towns import DiscordTown, TwitchTown
from benchmarks.rows import Measure

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence

    from benchmarks.door_crowds import Answered, Town
    from benchmarks.rows import Row

TOWNS: dict[str, Callable[[Answered], Town]] = {"discord": DiscordTown, "twitch": TwitchTown}
LIBRARIES = {"discord": "discord.py", "twitch": "twitchio"}
PING, CREDITS, HELP = "!ping", "!credits", "!help credits"
HASTE = 0.2  # of a round's seconds, for each time that the crowd is in a hurry
SLOWER, FASTEST = 3.0, 1000.0  # what is wanted: times the bare p99 at most, commands a second at least
SECONDS, ROUNDS, RATE = 4.0, 3, 100.0  # unless said otherwise
CALM, STEADY = 3.0, 0.85  # seconds between two commands in a quiet chat, and in one that is not
LASTING = 9.0  # of a round's seconds that quiet chats are listened to: longer than a limit's 30
MODERATED, LAST = EVERYWHERE[:-1], EVERYWHERE[-1:]  # the channels where it is moderator on Twitch, or not


@dataclass(frozen=True, slots=True)
class Quantity:
    heading: str
    digits: int


CALM_P50 = Quantity("quiet chats: p50 ms", 1)
CALM_P99 = Quantity("quiet chats: p99 ms", 1)
STEADY_P50 = Quantity("no moderator, every 0.85 s: p50 ms", 1)
STEADY_P99 = Quantity("no moderator, every 0.85 s: p99 ms", 1)
P50 = Quantity("at {rate:g}/s: p50 ms", 1)
P99 = Quantity("at {rate:g}/s: p99 ms", 1)
ALONE = Quantity("flat out: commands/s", 0)
BOT_CPU = Quantity("  CPU of the bot, ms each", 2)
REST_CPU = Quantity("  CPU of platform and crowd, ms each", 2)
MERGED = Quantity("flat out, merged: commands/s", 0)
MERGED_CPU = Quantity("  CPU of the bot then, ms each", 2)
QUANTITIES = (
    CALM_P50,
    CALM_P99,
    STEADY_P50,
    STEADY_P99,
    P50,
    P99,
    ALONE,
    BOT_CPU,
    REST_CPU,
    MERGED,
    MERGED_CPU,
)
BESIDE = {MERGED: ALONE, MERGED_CPU: BOT_CPU}  # a bare bot merges nothing

MEDIAN, MOST = "median ms to the answer", "ms to the answer, 99 of 100"
FAST = {ALONE: "flat out{}: commands/s", BOT_CPU: "flat out{}: ms of processor time a command"}
TOLD = {
    "discord": {
        P50: f"at {RATE:g} commands/s: {MEDIAN}",
        P99: f"at {RATE:g} commands/s: {MOST}",
        **{quantity: told.format("") for quantity, told in FAST.items()},
    },
    "twitch": {
        CALM_P50: f"in quiet chats: {MEDIAN}",
        CALM_P99: f"in quiet chats: {MOST}",
        STEADY_P50: f"one every {STEADY:g} s, the bot no moderator: {MEDIAN}",
        STEADY_P99: f"one every {STEADY:g} s, the bot no moderator: {MOST}",
        P50: f"at {RATE:g} commands/s in nine chats: {MEDIAN}",
        P99: f"at {RATE:g} commands/s in nine chats: {MOST}",
        **{quantity: told.format(", without limits") for quantity, told in FAST.items()},
    },
}
BY_PLATFORM = {
    name: {
        quantity: Measure(
            f"`{CREDITS}` on {name.capitalize()}, {told}", f"bare `{PING}` of {LIBRARIES[name]}"
        )
        for quantity, told in TOLD[name].items()
    }
    for name in TOWNS
}
UNANSWERED = {name: Measure(f"{name.capitalize()}: commands without an answer", "commands") for name in TOWNS}
MEASURES = tuple(each for name in TOWNS for each in (*BY_PLATFORM[name].values(), UNANSWERED[name]))


@dataclass(frozen=True, slots=True)
class Figures:
    """What each round has found, by quantity and command; of what was `said`, `lost` got no answer."""

    seconds: float
    rate: float
    found: defaultdict[tuple[Quantity, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    lost: list[int] = field(default_factory=list)
    said: list[int] = field(default_factory=list)

    def add(self, row: Quantity, text: str, value: float) -> None:
        self.found[row, text].append(value)

    def get(self, row: Quantity, text: str) -> float:
        """Give the median of the rounds; not a number where nothing was measured."""
        return median(self.found.get((row, text)) or [float("nan")])

    def ratio(self, row: Quantity, text: str) -> float:
        return self.get(row, text) / self.get(BESIDE.get(row, row), PING)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of a round at the even pace")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--rate", type=float, default=RATE, help="commands a second of the even pace")
    parser.add_argument("--platform", choices=TOWNS, help="only this one")
    parser.add_argument(
        "--profile", action="store_true", help="tell where our bots spend their time; they are slower then"
    )
    asked = parser.parse_args()
    for name in [asked.platform] if asked.platform else TOWNS:
        figures = Figures(asked.seconds, asked.rate)
        asyncio.run(measure(name, asked.rounds, figures, profile=asked.profile))
        show(name, figures)


def rows(*, quick: bool) -> Iterator[Row]:
    for name, measures in BY_PLATFORM.items():
        figures = Figures(SECONDS / 4 if quick else SECONDS, RATE)
        asyncio.run(measure(name, 1 if quick else ROUNDS, figures, profile=False))
        for quantity, each in measures.items():
            yield each.found(figures.get(quantity, CREDITS), figures.get(quantity, PING))
        yield UNANSWERED[name].found(sum(figures.lost), sum(figures.said))


async def measure(name: str, rounds: int, figures: Figures, *, profile: bool) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        bare = Side(name, "bare", Path(folder), PING)
        ours = Side(name, "ours", Path(folder), CREDITS, *(["--profile"] if profile else []))
        async with AsyncExitStack() as stack:
            async with asyncio.TaskGroup() as both:
                for side in (bare, ours):
                    both.create_task(stack.enter_async_context(side.running()))
            if name == "twitch":
                await _live(bare, ours, figures)
            for _ in range(rounds):
                if name == "twitch":
                    await _stroll_as_shipped(bare, ours, figures)
                else:
                    await _stroll(bare, (PING,), figures)
                    await _stroll(ours, (CREDITS, HELP), figures)
                await _rush(bare, PING, figures)
                await _rush(ours, CREDITS, figures)
                await _rush(ours, HELP, figures)
                await _rush_merged(ours, CREDITS, figures)


class Side:
    """A bot, in a process of its own, with a platform and a crowd of its own."""

    def __init__(self, platform_name: str, bot: str, folder: Path, greeting: str, *options: str) -> None:
        self.crowd = Crowd(TOWNS[platform_name])
        self.process = Process(f"benchmarks.door_{platform_name}")
        self._bot, self._folder, self._greeting, self._options = bot, folder / bot, greeting, options

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        await asyncio.to_thread(self._folder.mkdir)
        address = await self.crowd.town.open(self._folder)
        try:
            async with self.process.running(self._bot, address, str(self._folder), *self._options):
                await self.process.tell("alone")
                await self.crowd.warm_up(self._greeting)
                await self.process.tell("profile")
                yield
        finally:
            await self.crowd.town.stop()


async def _live(bare: Side, ours: Side, figures: Figures) -> None:
    """Ask both bots now and then in some chats, and steadily in one where they are no moderators."""
    await ours.process.tell("shipped")
    calm, seconds = len(MODERATED) / CALM, figures.seconds * LASTING
    with _undisturbed():
        async with asyncio.TaskGroup() as together:
            asked = [
                (row, text, together.create_task(side.crowd.stroll((text,), rate, seconds, channels)))
                for side, text in ((bare, PING), (ours, CREDITS))
                for row, rate, channels in (
                    ((CALM_P50, CALM_P99), calm, MODERATED),
                    ((STEADY_P50, STEADY_P99), 1 / STEADY, LAST),
                )
            ]
    for row, text, waits in asked:
        _keep(row, text, waits.result()[text], figures)
    await ours.process.tell("alone")


async def _stroll_as_shipped(bare: Side, ours: Side, figures: Figures) -> None:
    await _stroll(bare, (PING,), figures, MODERATED)
    await ours.process.tell("shipped")
    await _stroll(ours, (CREDITS,), figures, MODERATED)
    await ours.process.tell("alone")


async def _stroll(
    side: Side, texts: Sequence[str], figures: Figures, channels: Sequence[int] = EVERYWHERE
) -> None:
    with _undisturbed():
        waits = await side.crowd.stroll(texts, figures.rate, figures.seconds, channels)
    for text, each in waits.items():
        _keep((P50, P99), text, each, figures)


def _keep(rows: tuple[Quantity, Quantity], text: str, waits: list[float], figures: Figures) -> None:
    half, most = rows
    waits.sort()
    figures.add(half, text, 1000 * waits[len(waits) // 2])
    figures.add(most, text, 1000 * waits[len(waits) * 99 // 100])
    figures.lost.append(waits.count(float("inf")))
    figures.said.append(len(waits))


async def _rush(side: Side, text: str, figures: Figures) -> None:
    before, own = await side.process.tell("cpu"), time.process_time()
    with _undisturbed():
        done = await side.crowd.rush(text, figures.seconds * HASTE)
    figures.add(ALONE, text, done.answered / done.seconds)
    figures.add(REST_CPU, text, 1000 * (time.process_time() - own) / done.answered)
    figures.add(BOT_CPU, text, 1000 * (await side.process.tell("cpu") - before) / done.answered)
    figures.lost.append(done.lost)
    figures.said.append(done.answered + done.lost)


async def _rush_merged(side: Side, text: str, figures: Figures) -> None:
    before = await side.process.tell("merged")
    with _undisturbed():
        done = await side.crowd.rush(text, figures.seconds * HASTE)
    figures.add(MERGED, text, done.answered / done.seconds)
    figures.add(MERGED_CPU, text, 1000 * (await side.process.tell("alone") - before) / done.answered)
    figures.lost.append(done.lost)
    figures.said.append(done.answered + done.lost)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Collect this process's garbage before and not meanwhile: a pause here would be counted as the bot's."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def show(name: str, figures: Figures) -> None:
    library = LIBRARIES[name]
    table = Table(title=f"{library} {version(library)}, Python {platform.python_version()}")
    for heading in ("", "bare !ping", CREDITS, "ratio", HELP, "ratio"):
        table.add_column(heading, justify="right" if heading else "left")
    for row in QUANTITIES:
        ours = [each for text in (CREDITS, HELP) for each in _cells(row, text, figures)]
        table.add_row(row.heading.format(rate=figures.rate), _cell(figures.get(row, PING), row.digits), *ours)
    console = Console(width=100, highlight=False)
    console.print(table)
    for line in _verdicts(figures):
        console.print(line)


def _cells(row: Quantity, text: str, figures: Figures) -> tuple[str, str]:
    return _cell(figures.get(row, text), row.digits), _cell(figures.ratio(row, text), 2)


def _cell(value: float, digits: int) -> str:
    return "" if math.isnan(value) else f"{value:,.{digits}f}"


def _verdicts(figures: Figures) -> Iterator[str]:
    met = {True: "met", False: "MISSED"}
    usual = CALM_P99 if (CALM_P99, CREDITS) in figures.found else P99
    ratio = figures.ratio(usual, CREDITS)
    yield f"wanted: p99 of {CREDITS} at most {SLOWER:g} × the bare one: {ratio:.2f}, {met[ratio <= SLOWER]}"
    alone, merged = (figures.get(row, CREDITS) for row in (ALONE, MERGED))
    yield (
        f"wanted: at least {FASTEST:,.0f} commands/s: {alone:,.0f} answered one by one, "
        f"{met[alone >= FASTEST]}; {merged:,.0f} merged, {met[merged >= FASTEST]}"
    )
    if lost := sum(figures.lost):
        yield f"{lost} commands got no answer"


if __name__ == "__main__":
    main()
