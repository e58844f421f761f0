"""Makes one row of several that are of one person, as it was said, or names them as a fault."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from chatbot.kernel.amounts import MOST
from chatbot.ledger.imports.staged_rows import BalanceRow, RowFault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.ledger.imports.staged_rows import StagedRows

MOST_MINUTES = 60 * 24 * 366 * 50  # of one person: half a century; more is another unit than was said
LINES_NAMED = 5  # of the rows of one person

Same: TypeAlias = Literal["fault", "add", "most", "first"]
"""What becomes of several rows of one person: a fault, their sum, the largest, or the first."""


def merge_rows(rows: StagedRows, groups: Iterator[list[BalanceRow]], same: Same, verb: str) -> Iterator[str]:
    """Make one row, or a fault, of all rows of each person; yield a sentence about what was merged."""
    merged = lost = 0
    for group in groups:
        total = sum(each.credits for each in group)
        row = _merged(group, same)
        if row is None or row.credits > MOST:
            rows.remove(group)
            rows.add((), [RowFault(group[0].line, _repetition(group, verb), total)])
            continue
        rows.remove(group[1:])
        rows.change(row)
        merged += len(group)
        lost += total - row.credits
    if merged:
        what = {"add": "their sum counts", "most": "the largest counts", "first": "the first counts"}[same]
        left = f"; {lost:,} credits of the others are left out" if lost else ""
        yield f"{_counted(merged)} are of somebody who has several: {what}{left}."


def _merged(group: Sequence[BalanceRow], same: Same) -> BalanceRow | None:
    first = group[0]
    match same:
        case "add":
            minutes = min(sum(each.minutes for each in group), MOST_MINUTES)
            return first._replace(credits=sum(each.credits for each in group), minutes=minutes)
        case "most":
            best = max(group, key=lambda each: each.credits)
            return first._replace(credits=best.credits, minutes=max(each.minutes for each in group))
        case "first":
            return first
        case _:
            return None


def _repetition(group: Sequence[BalanceRow], verb: str) -> str:
    named = [str(each.line) for each in group[:LINES_NAMED]]
    where = ", ".join(named if len(group) <= LINES_NAMED else [*named, "…"])
    return f"lines {where}: {group[0].who!r} {verb} {len(group)} times; `--same` add, most or first takes one"


def _counted(rows: int) -> str:
    return f"{rows:,} row" if rows == 1 else f"{rows:,} rows"
