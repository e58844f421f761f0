"""What an import does or would do, as values of JSON: for the command line and the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

if TYPE_CHECKING:
    from chatbot.community.imports.service import ImportReport
    from chatbot.ledger.imports.runs import ImportRun
    from chatbot.ledger.imports.withdrawals import Withdrawal


class ImportColumns(TypedDict):
    """The columns of a file that were read; null: there is no such column."""

    id: str | None
    name: str | None
    credits: str
    watched: str | None


class ShownRow(TypedDict):
    """A row of a file, with the balance before and after; `waits`: until an account of that name speaks."""

    line: int
    id: str
    name: str
    credits: int
    minutes: int
    before: int
    after: int
    waits: bool


class ImportSummary(TypedDict):
    """The content of a file, and what was or would be done with it.

    `shown` are the first rows, `unknown` the first names of nobody who is known here, `faults` the first
    reasons for which rows are left out. `written_before` is the number of rows that an interrupted import of
    the same file has written.
    """

    import_id: str
    done: bool
    file: str
    kind: str
    community: str
    platform: str
    mode: str
    columns: ImportColumns
    rows: int
    wallets: int
    credits: int
    increase: int
    decrease: int
    minutes: int
    notices: list[str]
    shown: list[ShownRow]
    waiting: int
    unknown: list[str]
    left_out: int
    left_out_credits: int
    faults: list[str]
    written_before: int


class UndoneImport(TypedDict):
    """What undoing an import has moved, and what is not there any more: the largest by account."""

    undone: str
    taken: int
    given: int
    missing: dict[str, int]
    lacking: int
    shortfall: int


def summary(report: ImportReport) -> ImportSummary:
    """Return a report as values of JSON."""
    request, file, plan = report.request, report.file, report.plan
    return {
        "import_id": report.name,
        "done": report.done,
        "file": request.file,
        "kind": file.kind,
        "community": str(request.community),
        "platform": request.platform,
        "mode": request.mode,
        "columns": {"id": file.id, "name": file.name, "credits": file.credits, "watched": file.watched},
        "rows": plan.rows,
        "wallets": plan.wallets,
        "credits": report.brought,
        "increase": plan.increase,
        "decrease": plan.decrease,
        "minutes": plan.minutes,
        "notices": list(report.notices),
        "shown": [
            {
                "line": each.row.line,
                "id": each.row.id,
                "name": each.row.name,
                "credits": each.row.credits,
                "minutes": each.row.minutes,
                "before": each.before,
                "after": each.after,
                "waits": each.waits,
            }
            for each in plan.shown
        ],
        "waiting": plan.waiting,
        "unknown": [each.login for each in report.unknown],
        "left_out": report.fault_count,
        "left_out_credits": report.fault_credits,
        "faults": [each.text for each in report.faults],
        "written_before": report.written,
    }


def undone(run: ImportRun, withdrawal: Withdrawal) -> UndoneImport:
    """Return what undoing an import has moved as values of JSON."""
    return {
        "undone": run.id,
        "taken": withdrawal.taken,
        "given": withdrawal.given,
        "missing": dict(withdrawal.missing),
        "lacking": withdrawal.lacking,
        "shortfall": withdrawal.shortfall,
    }
