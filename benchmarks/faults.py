"""Break each adapter in every way in which its platform does, and measure how long it takes to answer again.

The platforms are the fakes on this machine; the client libraries and all else are real. What somebody types
is repeated every 50 ms from the fault on, and the time is that until the first answer. Silence is shortened:
the fakes of Twitch promise a keepalive every second instead of every ten, a gateway of Discord is left after
three seconds instead of thirty, and what Twitch lists is looked at every three seconds instead of sixty.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from typing import TYPE_CHECKING

import structlog
from rich.console import Console
from rich.table import Table

from benchmarks import fault_discord, fault_local, fault_sequences, fault_twitch
from benchmarks.fault_discord import on_discord
from benchmarks.fault_local import on_local
from benchmarks.fault_twitch import CONDUIT, SOCKETS, on_twitch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.fault_rows import Row, Step


async def matrix(only: str = "", seed: int = fault_sequences.SEED) -> list[Row]:
    """Strike every fault, and every sequence of a seed, whose name or adapter has `only` in it."""
    rows = [
        await on_twitch(fault, conduit=adapter == CONDUIT)
        for adapter in (SOCKETS, CONDUIT)
        for fault in fault_twitch.FAULTS
        if fault.only in {"", adapter} and only in f"{fault.name} {adapter}"
    ]
    rows += [await on_discord(each) for each in fault_discord.FAULTS if only in f"{each.name} Discord"]
    rows += [await on_local(each) for each in fault_local.FAULTS if only in f"{each.name} local page"]
    return rows + await _sequences(only, seed)


async def _sequences(only: str, seed: int) -> list[Row]:
    rows: list[Row] = []
    for adapter in fault_sequences.ADAPTERS:
        for number in range(1, fault_sequences.COUNT + 1):
            if only in f"{fault_sequences.name_of(number)} {adapter}":
                steps = await fault_sequences.strike(adapter, number, seed)
                rows.append(fault_sequences.row(adapter, number, steps))
                _tell(steps)
    return rows


def _tell(steps: Sequence[Step]) -> None:
    """Say on standard error what a sequence was, so that one that is too slow can be understood."""
    for each in steps:
        seconds = "never" if each.seconds is None else f"{each.seconds:.2f} s"
        print(f"  {each.pause:.2f} s later: {each.fault}: {seconds}", file=sys.stderr)


def markdown(rows: Sequence[Row]) -> str:
    """Give the table of the documentation."""
    lines = ["| fault | adapter | seconds until it answers | at most |", "| --- | --- | --: | --: |"]
    lines += [f"| {each.fault} | {each.adapter} | {_seconds(each)} | {each.bound:.1f} |" for each in rows]
    return "\n".join(lines) + "\n"


def _seconds(row: Row) -> str:
    return "never" if row.seconds is None else f"{row.seconds:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("--only", default="", help="a part of the name of a fault or of its adapter")
    parser.add_argument(
        "--seed", type=int, default=fault_sequences.SEED, help="from which faults in a row are drawn"
    )
    parser.add_argument("--markdown", action="store_true", help="print the table of the documentation")
    arguments = parser.parse_args()
    logging.getLogger("aiohttp").setLevel(logging.CRITICAL)  # of the fakes
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    rows = asyncio.run(matrix(arguments.only, arguments.seed))
    if arguments.markdown:
        print(markdown(rows), end="")
    else:
        table = Table("fault", "adapter", "seconds", "at most")
        for each in rows:
            table.add_row(each.fault, each.adapter, _seconds(each), f"{each.bound:.1f}")
        Console().print(table)
    sys.exit(not all(each.kept for each in rows))


if __name__ == "__main__":
    main()
