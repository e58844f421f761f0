"""Carries out `chatbot import`, and reports the result as a table or as JSON."""

from __future__ import annotations

import json
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chatbot.cli.context import counted
from chatbot.cli.exclusive import open_alone
from chatbot.community.imports.reports import summary, undone
from chatbot.community.imports.service import BalanceImports, abbreviated
from chatbot.ledger.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rich.table import Table

    from chatbot.community.imports.service import ImportReport, ImportRequest
    from chatbot.ledger.imports.plans import PlannedRow
    from chatbot.ledger.imports.runs import ImportRun
    from chatbot.ledger.imports.withdrawals import Withdrawal


async def look(url: str, request: ImportRequest) -> ImportReport:
    """Report what an import would do, while the bot may be running; raises as `BalanceImports.look`."""
    store = await Store.look(url)
    try:
        with _progress("rows looked up") as progress:
            return await BalanceImports(store).look(request, progress)
    finally:
        await store.close()


async def bring(url: str, request: ImportRequest) -> ImportReport:
    """Import a file; raises as `BalanceImports.bring`."""
    async with open_alone(url) as store:
        with _progress("rows looked up and written") as progress:
            return await BalanceImports(store).bring(request, datetime.now(UTC), progress=progress)


async def undo(
    url: str, name: str, lines: Sequence[int] | None, community: str | None
) -> tuple[ImportRun, Withdrawal]:
    """Take an import back, or some lines of it; raises as `BalanceImports.undo`."""
    async with open_alone(url) as store:
        with _progress("rows taken back") as progress:
            imports = BalanceImports(store)
            return await imports.undo(name, datetime.now(UTC), lines, community=community, progress=progress)


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how many rows are done, while it lasts."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = SpinnerColumn(), TextColumn("{task.completed:,.0f} {task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda count: bar.advance(task, count)


def table(report: ImportReport) -> Table:
    """Return the table of the first rows: whose, what the file says, and the balance before and after."""
    from rich.table import Table  # noqa: PLC0415

    shown = Table("line", "whose", "in the file", "balance before", "after", "", box=None, pad_edge=False)
    for column in (0, 2, 3, 4):
        shown.columns[column].justify = "right"
    for each in report.plan.shown:
        shown.add_row(*_cells(each, report))
    rest = report.plan.rows - len(report.plan.shown)
    if rest > 0:
        shown.add_row("…", f"and {counted(rest, 'row')} more")
    return shown


def _cells(planned: PlannedRow, report: ImportReport) -> tuple[str, ...]:
    row = planned.row
    whose = f"{row.name} ({row.id})" if row.id and row.name else row.who
    watched = f", {counted(row.minutes, 'minute')} watched" if row.minutes else ""
    note = "waits for the name" if planned.waits else ""
    is_written = report.written > 0 and not report.done
    before = "" if is_written else f"{planned.before:,}"
    after = "" if is_written else f"{planned.after:,}"
    return str(row.line), whose, f"{row.credits:,}{watched}", before, after, note


def in_words(report: ImportReport) -> Iterator[str]:
    """Yield the lines above the table: what the file is, and which columns were read."""
    file, request = report.file, report.request
    who = [(what, repr(column)) for what, column in (("ids", file.id), ("names", file.name)) if column]
    whose, columns = (" and ".join(each) for each in zip(*who, strict=True))
    watched = f", watched time from {file.watched!r}" if file.watched else ""
    yield f"{request.file} is {file.kind}."
    yield (
        f"{counted(report.plan.rows, 'row')}: {whose} of {request.platform} from {columns}, "
        f"credits from {file.credits!r}{watched}."
    )
    yield from report.notices


def sums_in_words(report: ImportReport) -> Iterator[str]:
    """Yield the lines below the table: what is left out, who waits, and what is or would be done."""
    plan = report.plan
    if plan.waiting:
        yield _unknown_names(report)
    for text in abbreviated([each.text for each in report.faults], report.fault_count):
        yield f"left out: {text}"
    if report.fault_count:
        yield f"Left out are {counted(report.fault_credits, 'credit')} as far as they can be read."
    verb = ("was" if plan.increase == 1 else "were") if report.done else "would be"
    less = f", and {plan.decrease:,} taken away" if plan.decrease else ""
    wallets = counted(plan.wallets, "wallet")
    yield f"{counted(plan.increase, 'credit')} {verb} brought to {wallets} of {plan.order.community}{less}."
    if plan.minutes:
        added = "were added" if report.done else "would be added"
        yield f"{counted(plan.minutes, 'minute')} of watched time {added}."
    if report.done:
        yield f"Take it back by `chatbot import --undo {report.name}`."
    elif report.written:
        yield f"{counted(report.written, 'row')} of it are written: the import was interrupted, and goes on."
    else:
        yield "Nothing was changed."


def _unknown_names(report: ImportReport) -> str:
    count = report.plan.waiting
    are, such_as = ("is", "") if count == 1 else ("are", "such as ")
    text = ", ".join(abbreviated([each.login for each in report.unknown], count))
    return (
        f"{counted(count, 'name')} {are} unknown here, {such_as}{text}: their credits "
        "wait until an account of that name speaks. A name may be another person's by then."
    )


def as_json(report: ImportReport) -> str:
    """Return a report as one JSON object."""
    return json.dumps(summary(report), ensure_ascii=False)


def undone_in_words(run: ImportRun, withdrawal: Withdrawal) -> Iterator[str]:
    """Yield the lines of the report on an import that was taken back."""
    yield f"The import {run.id} was taken back: {counted(withdrawal.taken, 'credit')}."
    if withdrawal.given:
        were = "was" if withdrawal.given == 1 else "were"
        yield f"{counted(withdrawal.given, 'credit')} that it had taken away {were} given back."
    for account, amount in withdrawal.missing.items():
        yield f"not there any more: {amount:,} of {account}"
    if withdrawal.lacking:
        are, wallets = "is" if withdrawal.shortfall == 1 else "are", counted(withdrawal.lacking, "wallet")
        yield f"{counted(withdrawal.shortfall, 'credit')} of {wallets} {are} spent."


def undone_as_json(run: ImportRun, withdrawal: Withdrawal) -> str:
    """Return that report as one JSON object."""
    return json.dumps(undone(run, withdrawal), ensure_ascii=False)
