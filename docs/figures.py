"""How large the code is, and how it is written: `python -m docs.figures` prints the tables, for today's tree.

`python -m docs.figures --of FOLDER` measures the Python code below another folder by the same rules, such as
that of a library, so that both can stand side by side.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import tokenize
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median_low
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parents[1]
FOLDERS = ("chatbot", "cogs", "arena", "tests", "benchmarks", "docs", "scripts")
LONGEST_SUBJECT = 72  # characters of a commit's first line
_NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING,
    tokenize.ENDMARKER,
}  # fmt: skip
_DIRECTIVE = re.compile(r"#\s*(noqa|type:|fmt:|pragma)")
"""A comment for a tool, which explains nothing."""


@dataclass
class Measures:
    """What is counted in the Python files of a folder; lines of code leave out comments and docstrings."""

    files: list[int] = field(default_factory=list)  # lines of each
    functions: list[int] = field(default_factory=list)  # lines of each, from its name to its end
    code: int = 0
    comments: int = 0  # lines that are a comment, and not one for a tool
    documented: int = 0  # functions with a docstring
    tests: int = 0
    largest: tuple[int, str] = (0, "none")  # methods of the class that has most, and its name

    def add(self, text: str) -> None:
        """Count one file."""
        self.files.append(text.count("\n"))
        tree = ast.parse(text)
        docstrings = set[int]()  # lines
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                docstrings |= _docstring(node)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self.functions.append(1 + (node.end_lineno or node.lineno) - node.lineno)
                self.documented += ast.get_docstring(node) is not None
                self.tests += node.name.startswith("test_")
            elif isinstance(node, ast.ClassDef):
                methods = sum(isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) for each in node.body)
                self.largest = max(self.largest, (methods, node.name))
        lines = set[int]()
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                alone = token.line.lstrip().startswith("#")
                self.comments += alone and not _DIRECTIVE.match(token.string)
            elif token.type not in _NO_CODE:
                lines.update(range(token.start[0], token.end[0] + 1))
        self.code += len(lines - docstrings)

    def row(self) -> Iterator[str]:
        yield from (f"{len(self.files):,}", f"{self.code:,}")
        yield from (f"{median_low(self.files):,}", f"{max(self.files):,}")
        yield str(median_low(self.functions)) if self.functions else "0"
        yield f"{100 * self.comments / max(self.code, 1):.1f}"
        yield f"{100 * self.documented / max(len(self.functions), 1):.0f}"
        yield f"{self.largest[0]} (`{self.largest[1]}`)"
        yield f"{self.tests:,}"


HEADINGS = (
    "folder", "files", "lines of code", "median file", "longest file", "median function",
    "comment lines for 100 lines of code", "functions with a docstring, %", "most methods of a class",
    "tests",
)  # fmt: skip


def measured(folder: Path) -> Measures:
    """Count all Python files below a folder."""
    measures = Measures()
    for file in sorted(folder.rglob("*.py")):
        measures.add(file.read_text(encoding="utf-8"))
    return measures


def _docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> set[int]:
    if ast.get_docstring(node) is None:
        return set()
    first = node.body[0]
    return set(range(first.lineno, (first.end_lineno or first.lineno) + 1))


def rows(folders: Sequence[Path]) -> Iterator[Sequence[str]]:
    """Measure each folder that has Python files: a row of the table for each."""
    for folder in folders:
        measures = measured(folder)
        if measures.files:
            yield (f"`{folder.name}`", *measures.row())


def commits(root: Path, since: str = "") -> str:
    """Tell how commits are described, of all or of those after one."""
    span = [f"{since}..HEAD"] if since else []
    command = ["git", "-C", str(root), "log", "--no-merges", "--format=%s%x00%b%x01", *span]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603
    told = [each.strip("\n").partition("\0") for each in text.split("\1") if each.strip()]
    long = sum(len(subject) > LONGEST_SUBJECT for subject, _, _ in told)
    bare = sum(not body.strip() for _, _, body in told)
    count = max(len(told), 1)
    return (
        f"{len(told):,} commits: {100 * long / count:.0f}% have a subject above {LONGEST_SUBJECT} characters,"
        f" {100 * bare / count:.0f}% have no body"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m docs.figures", description=__doc__)
    parser.add_argument("--of", type=Path, metavar="FOLDER", help="measure the code below this folder")
    parser.add_argument("--since", default="", metavar="COMMIT", help="count commits after this one")
    asked = parser.parse_args()
    folders = [asked.of] if asked.of else [ROOT / each for each in FOLDERS]
    print(f"| {' | '.join(HEADINGS)} |")
    print("| --- |" + " ---: |" * (len(HEADINGS) - 1))
    for row in rows(folders):
        print(f"| {' | '.join(row)} |")
    if not asked.of:
        print(commits(ROOT, asked.since))


if __name__ == "__main__":
    main()
