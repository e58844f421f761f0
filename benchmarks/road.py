"""Count what the answer to a line costs: calls, functions, files, and durable writes.

Each kind of line is sent several times, in a process of its own, and counted by a profiler: frames of the
program's own folders only, in all threads, from the line to the last of its answers. `road_probe.py` defines
what a call is. No figure is a time, so that the load of the machine does not matter.

`--vs COMMIT` also counts another commit, by the same rules, in a git worktree that is removed afterwards.
`--picture FILE` draws instead which packages call each other for one line, as SVG.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from rich.console import Console
from rich.table import Table

from benchmarks import road_picture
from benchmarks.rows import Measure, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.road_picture import Crossings
    from benchmarks.rows import Row

Figures: TypeAlias = dict[str, dict[str, int]]
"""Counts by line and by quantity."""

ROOT = Path(__file__).parents[1]
PROBE = Path(__file__).with_name("road_probe.py")
LINES = (
    "!heist 69, a newcomer opens",
    "!heist 69, a newcomer joins",
    "!heist 69, a member opens",
    "!heist 69, a member joins",
    "!highshow",
    "!credits",
    "!set heist lobby 90",
    "/highshow, on Discord",
)
COUNTED = "calls", "functions", "files", "writes"
BEFORE = "282944a"
"""The commit with which the table of all benchmarks compares: the last one before the path was rebuilt."""
TIMES = 5  # times that each line is sent
WIDTH = 120
DRAWN = "!heist 69, a member joins"


def _quoted(line: str) -> str:
    text, comma, who = line.partition(",")
    return f"`{text}`{comma}{who}"


BY_LINE = {
    each: {
        "calls": Measure(f"{_quoted(each)}: calls", f"at {BEFORE}"),
        "writes": Measure(f"{_quoted(each)}: durable writes", f"at {BEFORE}"),
    }
    for each in LINES
}
MEASURES = tuple(each for measures in BY_LINE.values() for each in measures.values())


class Absent(Exception):  # noqa: N818  (not an error: the row says that it is missing)
    """Raised if another commit cannot be counted, with the reason as a sentence."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--times", type=int, default=TIMES, help="times that each line is sent; the first does not count"
    )
    parser.add_argument("--vs", metavar="COMMIT", help="count this commit too")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--picture", metavar="FILE", type=Path, help="draw the way of a line into this file")
    parser.add_argument("--line", choices=LINES, default=DRAWN, help=f"the line that is drawn: “{DRAWN}”")
    arguments = parser.parse_args()
    if arguments.times < 2:
        parser.error("--times: the first time counts for nothing, so that it takes 2 at least")
    if arguments.picture and not arguments.picture.absolute().parent.is_dir():
        parser.error(f"--picture: there is no folder {arguments.picture.parent}")
    if arguments.picture:
        _draw(arguments.picture, arguments.line, arguments.vs)
        return
    ours, theirs = counted(ROOT, arguments.times), None
    if arguments.vs:
        try:
            theirs = counted_at(arguments.vs, arguments.times)
        except Absent as absent:
            print(absent, file=sys.stderr)
    lines = table(ours, theirs, arguments.vs)
    if arguments.markdown:
        print(markdown(lines), end="")
    else:
        Console(width=WIDTH).print(as_table(lines))


def rows(*, quick: bool) -> Iterator[Row]:
    times = 2 if quick else TIMES
    try:
        theirs = counted_at(BEFORE, times)
    except Absent as absent:
        yield from (each.lacking(str(absent)) for each in MEASURES)
        return
    ours = counted(ROOT, times)
    for line, measures in BY_LINE.items():
        for what, each in measures.items():
            yield each.row(ours[line][what], theirs[line][what])


def _draw(file: Path, line: str, commit: str | None) -> None:
    """Draw the way of a line, that at another commit to its left, if there is one."""
    ways = {"now": crossings(ROOT, line)}
    if commit:
        try:
            with tree_at(commit) as tree:
                ways = {commit: crossings(tree, line), **ways}
        except Absent as absent:
            print(absent, file=sys.stderr)
    file.write_text(road_picture.drawn(line, ways), encoding="utf-8")


def counted(tree: Path, times: int) -> Figures:
    """Count the program in a working tree.

    Raises:
        RuntimeError: it cannot be counted; the message is the output of the probe.
    """
    figures: Figures = _probed(tree, str(times))
    assert list(figures) == list(LINES)
    return figures


def crossings(tree: Path, line: str) -> Crossings:
    """Count how often each package of a working tree calls each other one for a line.

    Raises:
        RuntimeError: it cannot be counted; the message is the output of the probe.
    """
    found: list[tuple[str, str, int]] = _probed(tree, "3", "--crossings")[line]
    return {(caller, callee): calls for caller, callee, calls in found}


def _probed(tree: Path, *words: str) -> Any:  # `Any`: JSON
    """Run the probe in a working tree, and return what it prints."""
    command = [sys.executable, "-P", str(PROBE), str(tree), *words]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    process = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if process.returncode:
        raise RuntimeError(process.stderr.strip() or f"it has ended with {process.returncode}")
    return json.loads(process.stdout.splitlines()[-1])


def counted_at(commit: str, times: int) -> Figures:
    """Count the program at a commit.

    Raises:
        Absent: there is no git, no such commit, or the probe does not work there.
    """
    with tree_at(commit) as tree:
        try:
            return counted(tree, times)
        except RuntimeError as error:
            reason = str(error).splitlines()[-1]
            raise Absent(f"The program of {commit} cannot be counted as today's is ({reason}).") from None


@contextmanager
def tree_at(commit: str) -> Iterator[Path]:
    """Check out the files of a commit into a folder that is removed when the context ends.

    Raises:
        Absent: there is no git, or no such commit.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        tree = Path(folder).resolve() / "tree"
        try:
            _git("worktree", "add", "--detach", str(tree), f"{commit}^{{commit}}")
        except FileNotFoundError:
            raise Absent(f"The commit {commit} cannot be had: git is not installed.") from None
        except subprocess.CalledProcessError:
            raise Absent(f"The commit {commit} is not in this copy of the project.") from None
        try:
            yield tree
        finally:
            _git("worktree", "remove", "--force", str(tree))


def _git(*words: str) -> None:
    subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True)  # noqa: S607  (the one of the path)


def table(ours: Figures, theirs: Figures | None, commit: str | None) -> list[tuple[str, ...]]:
    """Return the rows, the heading first: each figure, and in brackets that of `commit` if it was counted."""
    beside = f" (at {commit})" if theirs is not None else ""
    rows = [("line", *(f"{what}{beside}" for what in COUNTED), *(["calls: ratio"] if beside else []))]
    for line, figures in ours.items():
        before = theirs[line] if theirs is not None else {}
        cells = [
            f"{written(figures[what])} ({written(before[what])})" if before else written(figures[what])
            for what in COUNTED
        ]
        ratio = [f"{figures['calls'] / before['calls']:.2f}"] if before else []
        rows.append((line, *cells, *ratio))
    return rows


def markdown(lines: list[tuple[str, ...]]) -> str:
    heading, *others = lines
    marks = ("---", *("---:" for _ in heading[1:]))
    return "".join(f"| {' | '.join(each)} |\n" for each in (heading, marks, *others))


def as_table(lines: list[tuple[str, ...]]) -> Table:
    heading, *others = lines
    table = Table(title=f"own frames, warm, all threads; Python {platform.python_version()}")
    for number, name in enumerate(heading):
        table.add_column(name, justify="right" if number else "left")
    for each in others:
        table.add_row(*each)
    return table


if __name__ == "__main__":
    main()
