"""Measure throughput and latency of commands on each platform, compared with a bare `!ping` of its library.

The bot under measurement runs in a process of its own; the platform, a fake on loopback, and its members run
in this one. On a machine with two cores their cost is part of every figure, equally on both sides; a row
states how much it is. The bare bot and ours take turns, and the figures are medians over the rounds. There
are no rate limits, except where a row says so. On Twitch each answer is a message of its own, except in the
rows of merged answers: there all that wait for one channel are sent together, as the program does by default.
Then crowds come (`adapter_loads.py`), whose figures have bounds: it exits with 1 if one is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import math
import platform
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Generic, TypeAlias

from rich.console import Console
from rich.table import Table

from benchmarks.adapter_crowds import EVERYWHERE, Crowd, P
from benchmarks.adapter_loads import (
    AT_LEAST,
    SLASH,
    SLASH_RATIO,
    TWITCH_QUIET,
    holds,
    on_discord,
    on_twitch,
)
from benchmarks.adapter_platforms import FakeDiscord, FakeTwitch
from benchmarks.adapter_processes import Process
from benchmarks.rows import Measure, Row, written

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence

    from benchmarks.adapter_crowds import AnswerHandler

    AnySide: TypeAlias = "Side[FakeDiscord] | Side[FakeTwitch]"

PLATFORMS = "discord", "twitch"
LIBRARIES = {"discord": "discord.py", "twitch": "twitchio"}
PING, CREDITS, HELP, SLASH_PING = "!ping", "!credits", "!help credits", "/ping"
FULL_LOAD_SHARE = 0.2  # duration of each measurement at full load, as a share of a round
MAX_P99_RATIO, MIN_RATE = 3.0, 1000.0  # targets: p99 divided by the bare one's, and commands per second
SECONDS, ROUNDS, RATE = 4.0, 3, 100.0  # defaults
CALM, STEADY = 3.0, 0.85  # seconds between two commands in a quiet chat, and in a busier one
CALM_ROUNDS = 9.0  # duration of the measurement of quiet chats in rounds: longer than Twitch's window of 30 s
MODERATED, LAST = EVERYWHERE[:-1], EVERYWHERE[-1:]  # channels where the bot is a moderator on Twitch, and not
QUIET, EACH_SECOND = (
    MODERATED[:-1],
    MODERATED[-1:],
)  # of the former, quiet ones, and one with a command a second


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity that is measured on both sides; `digits` are those after the decimal point."""

    heading: str
    digits: int


CALM_P50 = Quantity("quiet chats: p50 ms", 1)
CALM_P99 = Quantity("quiet chats: p99 ms", 1)
SECOND_P50 = Quantity("one a second: p50 ms", 1)
SECOND_P99 = Quantity("one a second: p99 ms", 1)
STEADY_P50 = Quantity("no moderator, every 0.85 s: p50 ms", 1)
STEADY_P99 = Quantity("no moderator, every 0.85 s: p99 ms", 1)
P50 = Quantity("at {rate:g}/s: p50 ms", 1)
P99 = Quantity("at {rate:g}/s: p99 ms", 1)
SLASH_P50 = Quantity("slash commands at {rate:g}/s: p50 ms", 2)
SLASH_P99 = Quantity("slash commands at {rate:g}/s: p99 ms", 1)
READING_P50 = Quantity("  beside a bare /credits that reads SQLite: p50 ms", 2)
READING_P99 = Quantity("  beside a bare /credits that reads SQLite: p99 ms", 1)
ALONE = Quantity("flat out: commands/s", 0)
BOT_CPU = Quantity("  CPU of the bot, ms each", 2)
REST_CPU = Quantity("  CPU of platform and crowd, ms each", 2)
MERGED = Quantity("flat out, merged: commands/s", 0)
MERGED_CPU = Quantity("  CPU of the bot then, ms each", 2)
QUANTITIES = (
    CALM_P50,
    CALM_P99,
    SECOND_P50,
    SECOND_P99,
    STEADY_P50,
    STEADY_P99,
    P50,
    P99,
    SLASH_P50,
    SLASH_P99,
    READING_P50,
    READING_P99,
    ALONE,
    BOT_CPU,
    REST_CPU,
    MERGED,
    MERGED_CPU,
)
PINGED, READ = ((SLASH_P50, SLASH_P99),), ((READING_P50, READING_P99),)
COUNTERPART = {MERGED: ALONE, MERGED_CPU: BOT_CPU}  # the bare bot's quantity, since it merges nothing

MEDIAN, MOST = "median ms to the answer", "ms to the answer, 99 of 100"
FAST = {ALONE: "flat out{}: commands/s", BOT_CPU: "flat out{}: ms of processor time a command"}
LABELS = {
    "discord": {
        SECOND_P50: f"one a second in a channel, within its limit: {MEDIAN}",
        SECOND_P99: f"one a second in a channel, within its limit: {MOST}",
        P50: f"at {RATE:g} commands/s: {MEDIAN}",
        P99: f"at {RATE:g} commands/s: {MOST}",
        **{quantity: label.format("") for quantity, label in FAST.items()},
    },
    "twitch": {
        CALM_P50: f"in quiet chats: {MEDIAN}",
        CALM_P99: f"in quiet chats: {MOST}",
        SECOND_P50: f"one a second in a chat, the bot a moderator: {MEDIAN}",
        SECOND_P99: f"one a second in a chat, the bot a moderator: {MOST}",
        STEADY_P50: f"one every {STEADY:g} s, the bot no moderator: {MEDIAN}",
        STEADY_P99: f"one every {STEADY:g} s, the bot no moderator: {MOST}",
        P50: f"at {RATE:g} commands/s in nine chats: {MEDIAN}",
        P99: f"at {RATE:g} commands/s in nine chats: {MOST}",
        **{quantity: label.format(", without limits") for quantity, label in FAST.items()},
    },
}
BY_PLATFORM = {
    name: {
        quantity: Measure(
            f"`{CREDITS}` on {name.capitalize()}, {label}", f"bare `{PING}` of {LIBRARIES[name]}"
        )
        for quantity, label in LABELS[name].items()
    }
    for name in PLATFORMS
}
UNANSWERED = {
    name: Measure(f"{name.capitalize()}: commands without an answer", "commands") for name in PLATFORMS
}
MEASURES = tuple(each for name in PLATFORMS for each in (*BY_PLATFORM[name].values(), UNANSWERED[name]))


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of each round by quantity and command; `lost` of the commands `sent` got no answer."""

    seconds: float
    rate: float
    found: defaultdict[tuple[Quantity, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    lost: list[int] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    bounded: list[Row] = field(default_factory=list)  # the figures that have a bound

    def add(self, row: Quantity, text: str, value: float) -> None:
        """Add the figure of a round."""
        self.found[row, text].append(value)

    def get(self, row: Quantity, text: str) -> float:
        """Return the median over the rounds; NaN if nothing was measured."""
        return median(self.found.get((row, text)) or [float("nan")])

    def ratio(self, row: Quantity, text: str) -> float:
        """Return a figure divided by that of the bare bot."""
        return self.get(row, text) / self.get(COUNTERPART.get(row, row), PING)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of a round at the even pace")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--rate", type=float, default=RATE, help="commands a second of the even pace")
    parser.add_argument("--platform", choices=PLATFORMS, help="only this one")
    parser.add_argument(
        "--crowd", type=float, default=1.0, metavar="SHARE", help="how much of each crowd comes: 0 is none"
    )
    parser.add_argument(
        "--profile", action="store_true", help="show where our bots spend their time, which slows them down"
    )
    arguments = parser.parse_args()
    missed = 0
    for name in [arguments.platform] if arguments.platform else PLATFORMS:
        figures = Figures(arguments.seconds, arguments.rate)
        asyncio.run(
            measure(name, arguments.rounds, figures, share=arguments.crowd, profile=arguments.profile)
        )
        show(name, figures)
        missed += sum(not holds(row) for row in figures.bounded)
    sys.exit(missed > 0)


def rows(*, quick: bool) -> Iterator[Row]:
    for name, measures in BY_PLATFORM.items():
        figures = Figures(SECONDS / 4 if quick else SECONDS, RATE)
        asyncio.run(measure(name, 1 if quick else ROUNDS, figures, share=0.0, profile=False))
        for quantity, each in measures.items():
            yield each.row(figures.get(quantity, CREDITS), figures.get(quantity, PING))
        yield UNANSWERED[name].row(sum(figures.lost), sum(figures.sent))


async def measure(name: str, rounds: int, figures: Figures, *, share: float, profile: bool) -> None:
    """Measure both bots on a platform in turns, and add the figures; of each crowd a `share` comes."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        options = ["--profile"] if profile else []
        match name:
            case "discord":
                await _measure_discord(Path(folder), options, rounds, figures, share)
            case _:
                await _measure_twitch(Path(folder), options, rounds, figures, share)


async def _measure_discord(
    folder: Path, options: Sequence[str], rounds: int, figures: Figures, share: float
) -> None:
    bare = Side(FakeDiscord, "discord", "bare", folder, PING)
    ours = Side(FakeDiscord, "discord", "ours", folder, CREDITS, *options)
    async with _both(bare, ours):
        await _each_second(bare, ours, figures)
        for _ in range(rounds):
            await _at_rate(bare, (PING,), figures)
            await _at_rate(ours, (CREDITS, HELP), figures)
            await _at_rate_by_slash(bare, SLASH_PING, PING, figures, PINGED)
            await _at_rate_by_slash(ours, SLASH, CREDITS, figures, PINGED + READ)
            await _at_rate_by_slash(bare, SLASH, PING, figures, READ)
            await _full_load(bare, PING, figures)
            await _full_load(ours, CREDITS, figures)
            await _full_load(ours, HELP, figures)
        figures.bounded.append(SLASH_RATIO.row(figures.ratio(READING_P50, CREDITS)))
        if share:
            figures.bounded.extend([row async for row in on_discord(ours.crowd, ours.process, share)])


async def _measure_twitch(
    folder: Path, options: Sequence[str], rounds: int, figures: Figures, share: float
) -> None:
    bare = Side(FakeTwitch, "twitch", "bare", folder, PING)
    ours = Side(FakeTwitch, "twitch", "ours", folder, CREDITS, *options)
    async with _both(bare, ours):
        await _calm(bare, ours, figures)
        for _ in range(rounds):
            await _at_rate_as_shipped(bare, ours, figures)
            await _full_load(bare, PING, figures)
            await _full_load(ours, CREDITS, figures)
            await _full_load(ours, HELP, figures)
            await _full_load_merged(ours, CREDITS, figures)
        more = figures.get(CALM_P50, CREDITS) - figures.get(CALM_P50, PING)
        figures.bounded.append(TWITCH_QUIET.row(more))
        if share:
            figures.bounded.extend([row async for row in on_twitch(ours.crowd, ours.process, share)])


@asynccontextmanager
async def _both(*sides: Side[FakeDiscord] | Side[FakeTwitch]) -> AsyncIterator[None]:
    """Run both bots while the context is entered."""
    async with AsyncExitStack() as stack:
        async with asyncio.TaskGroup() as together:
            for side in sides:
                together.create_task(stack.enter_async_context(side.running()))
        yield


class Side(Generic[P]):
    """A bot in a process of its own, with a platform and members of its own."""

    def __init__(
        self,
        platform: Callable[[AnswerHandler], P],
        module: str,
        bot: str,
        folder: Path,
        greeting: str,
        *options: str,
    ) -> None:
        self.crowd = Crowd(platform)
        self.process = Process(f"benchmarks.adapter_{module}")
        self._bot, self._folder, self._greeting, self._options = bot, folder / bot, greeting, options

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the platform and the bot, which has answered every member once, while the context is open."""
        await asyncio.to_thread(self._folder.mkdir)
        address = await self.crowd.platform.open(self._folder)
        try:
            async with self.process.running(self._bot, address, str(self._folder), *self._options):
                await self.process.tell("alone")
                await self.crowd.warm_up(self._greeting)
                await self.process.tell("alone")  # on Discord rooms are open only now
                await self.process.tell("profile")
                yield
        finally:
            await self.crowd.platform.stop()


async def _calm(bare: AnySide, ours: AnySide, figures: Figures) -> None:
    """Send commands now and then in some chats, and steadily in two, of which they moderate one."""
    await ours.process.tell("shipped")
    calm, seconds = len(QUIET) / CALM, figures.seconds * CALM_ROUNDS
    with _undisturbed():
        async with asyncio.TaskGroup() as together:
            pending = [
                (row, text, together.create_task(side.crowd.ask_at_rate((text,), rate, seconds, channels)))
                for side, text in ((bare, PING), (ours, CREDITS))
                for row, rate, channels in (
                    ((CALM_P50, CALM_P99), calm, QUIET),
                    ((SECOND_P50, SECOND_P99), 1.0, EACH_SECOND),
                    ((STEADY_P50, STEADY_P99), 1 / STEADY, LAST),
                )
            ]
    for row, text, waits in pending:
        _add(row, text, waits.result()[text], figures)
    await ours.process.tell("alone")


async def _each_second(bare: Side[FakeDiscord], ours: Side[FakeDiscord], figures: Figures) -> None:
    """Send a command a second in one channel, whose limit of five messages in five seconds is kept."""
    await ours.process.tell("shipped")
    for side in (bare, ours):
        side.crowd.platform.keep_limits(on=True)
    seconds = figures.seconds * CALM_ROUNDS
    with _undisturbed():
        async with asyncio.TaskGroup() as together:
            pending = [
                (text, together.create_task(side.crowd.ask_at_rate((text,), 1.0, seconds, EACH_SECOND)))
                for side, text in ((bare, PING), (ours, CREDITS))
            ]
    for text, waits in pending:
        _add((SECOND_P50, SECOND_P99), text, waits.result()[text], figures)
    for side in (bare, ours):
        side.crowd.platform.keep_limits(on=False)
    await ours.process.tell("alone")


async def _at_rate_as_shipped(bare: AnySide, ours: AnySide, figures: Figures) -> None:
    # The other moderated chat has used up much of its 30 seconds with a command a second.
    await _at_rate(bare, (PING,), figures, QUIET)
    await ours.process.tell("shipped")
    await _at_rate(ours, (CREDITS,), figures, QUIET)
    await ours.process.tell("alone")


async def _at_rate(
    side: AnySide, texts: Sequence[str], figures: Figures, channels: Sequence[int] = EVERYWHERE
) -> None:
    with _undisturbed():
        waits = await side.crowd.ask_at_rate(texts, figures.rate, figures.seconds, channels)
    for text, each in waits.items():
        _add((P50, P99), text, each, figures)


def _add(rows: tuple[Quantity, Quantity], text: str, waits: list[float], figures: Figures) -> None:
    half, most = rows
    waits.sort()
    figures.add(half, text, 1000 * waits[len(waits) // 2])
    figures.add(most, text, 1000 * waits[len(waits) * 99 // 100])
    figures.lost.append(waits.count(float("inf")))
    figures.sent.append(len(waits))


async def _at_rate_by_slash(
    side: AnySide, command: str, text: str, figures: Figures, pairs: Sequence[tuple[Quantity, Quantity]]
) -> None:
    """Send a slash command as `_at_rate` does; its figures stand where those of a text do, in these rows."""
    with _undisturbed():
        waits = await side.crowd.ask_at_rate((command,), figures.rate, figures.seconds)
    for pair in pairs:
        _add(pair, text, waits[command], figures)


async def _full_load(side: AnySide, text: str, figures: Figures) -> None:
    before, own = await side.process.tell("cpu"), time.process_time()
    with _undisturbed():
        load = await side.crowd.saturate(text, figures.seconds * FULL_LOAD_SHARE)
    figures.add(ALONE, text, load.answered / load.seconds)
    figures.add(REST_CPU, text, 1000 * (time.process_time() - own) / load.answered)
    figures.add(BOT_CPU, text, 1000 * (await side.process.tell("cpu") - before) / load.answered)
    figures.lost.append(load.lost)
    figures.sent.append(load.answered + load.lost)


async def _full_load_merged(side: AnySide, text: str, figures: Figures) -> None:
    before = await side.process.tell("merged")
    with _undisturbed():
        load = await side.crowd.saturate(text, figures.seconds * FULL_LOAD_SHARE)
    figures.add(MERGED, text, load.answered / load.seconds)
    figures.add(MERGED_CPU, text, 1000 * (await side.process.tell("alone") - before) / load.answered)
    figures.lost.append(load.lost)
    figures.sent.append(load.answered + load.lost)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Collect garbage before and not during a measurement, because the pause would count as the bot's."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def show(name: str, figures: Figures) -> None:
    """Print the figures of a platform, and whether the targets are met."""
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
    words = {True: "met", False: "MISSED"}
    if (CALM_P99, CREDITS) not in figures.found:  # where messages wait for each other, bounds are in ms
        ratio = figures.ratio(P99, CREDITS)
        verdict = words[ratio <= MAX_P99_RATIO]
        yield f"wanted: p99 of {CREDITS} at most {MAX_P99_RATIO:g} × the bare one: {ratio:.2f}, {verdict}"
    for how, row in (("answered one by one", ALONE), ("merged", MERGED)):
        if (row, CREDITS) in figures.found:
            rate = figures.get(row, CREDITS)
            verdict = words[rate >= MIN_RATE]
            yield f"wanted: at least {MIN_RATE:,.0f} commands/s, {how}: {rate:,.0f}, {verdict}"
    for each in figures.bounded:
        least = "at least" if each.measure.beside == AT_LEAST else "at most"
        yield (
            f"wanted: {each.measure.what}: {least} {written(each.theirs)}: {written(each.ours)}, "
            f"{words[holds(each)]}"
        )
    if unanswered := sum(figures.lost):
        yield f"{unanswered} commands got no answer"


if __name__ == "__main__":
    main()
