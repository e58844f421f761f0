"""Run all benchmarks and print one table: what, ours, the other side, and their ratio, on this machine."""

from __future__ import annotations

import argparse
import sys

from rich.console import Console
from rich.progress import track

from benchmarks.table import FAILED, NAMES, as_table, markdown, run_benchmark

WIDTH = 160


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES, metavar="NAME")
    parser.add_argument("--markdown", action="store_true", help="print the table of the documentation")
    parser.add_argument("--quick", action="store_true", help="only check that each benchmark runs")
    arguments = parser.parse_args()
    names = track(arguments.only, console=Console(stderr=True), description="benchmarks")
    rows_by_name = {name: run_benchmark(name, quick=arguments.quick) for name in names}
    if arguments.markdown:
        print(markdown(rows_by_name, quick=arguments.quick), end="")
    else:
        Console(width=WIDTH).print(as_table(rows_by_name, quick=arguments.quick))
    sys.exit(any(row.lack.startswith(FAILED) for rows in rows_by_name.values() for row in rows))


if __name__ == "__main__":
    main()
