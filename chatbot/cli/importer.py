"""Carries out `chatbot import`, and reports the result as text or JSON."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chatbot.cli.context import counted
from chatbot.cli.exclusive import open_alone
from chatbot.community import imports
from chatbot.community.imports import BalanceFile, Columns
from chatbot.kernel.game import Failure
from chatbot.ledger.imports import BalanceOwner, ImportPlan, Imports, Mode, Withdrawal, Withdrawals
from chatbot.ledger.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROWS_SHOWN = 5  # rows of the file in a report
MAX_SHOWN = 10  # faults or names in a report; the others are counted


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """An import as it was requested."""

    file: str  # the name without folder
    content: bytes
    columns: Columns
    community: str | None
    platform: str
    mode: Mode
    skips_bad: bool
    again: bool
    dry_run: bool


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The content of a file, and what was or would be done with it; `name` is that of the import."""

    name: str
    community: str
    platform: str
    mode: str
    sheet: BalanceFile
    plan: ImportPlan
    faults: tuple[str, ...]
    done: bool


async def import_file(url: str, request: ImportRequest) -> ImportReport:
    """Import balances from a file, or in a dry run report what would be done.

    Raises:
        Failure: the file, the community or the database is wrong, or there is nothing to import.
    """
    sheet = imports.read(request.content, request.columns)
    if not request.dry_run:
        async with open_alone(url) as store:
            return await _carry_out(Imports(store), request, sheet)
    store = await Store.look(url)
    try:
        return await _carry_out(Imports(store), request, sheet)
    finally:
        await store.close()


async def _carry_out(imports: Imports, request: ImportRequest, sheet: BalanceFile) -> ImportReport:
    community = await _community(imports, request.community)
    name = _name(request, community)
    times = await imports.numbered(name)
    if times and not (request.again or request.dry_run):
        raise Failure(f"This file was imported before, as {name}; say --again if you mean it.")
    name = f"{name}:{times + 1}" if times else name
    owners = {BalanceOwner(request.platform, row.who, sheet.ids): row.credits for row in sheet.rows}
    plan = await imports.plan(community, request.mode, owners)
    faults = [f"{who!r} is one with another row's" for who in plan.twins]
    faults += [f"{who!r} is nobody's login on {request.platform}" for who in plan.strange]
    report = ImportReport(
        name,
        community,
        request.platform,
        request.mode,
        sheet,
        plan,
        (*sheet.faults, *faults),
        not request.dry_run,
    )
    if not request.dry_run:
        _require_good(report, skips_bad=request.skips_bad)
        await imports.carry_out(plan, name, request.file, datetime.now(UTC))
    return report


async def _community(imports: Imports, community: str | None) -> str:
    communities = await imports.communities()
    if community in communities:
        return str(community)
    problem = "Say whose wallets they are" if community is None else f"There is no community {community!r}"
    raise Failure(f"{problem}: {choices(communities)}.")


def choices(communities: Sequence[str]) -> str:
    """Return what can be given for a community."""
    if communities:
        return f"--community is one of {', '.join(communities)}"
    return "there is none yet; start the bot once where it is to play"


def _require_good(report: ImportReport, *, skips_bad: bool) -> None:
    if report.faults and not skips_bad:
        text = "; ".join(_abbreviated(report.faults))
        raise Failure(f"Nothing was imported: {text}. Fix the file, or say --skip-bad to leave these out.")
    if not report.plan.changes:
        raise Failure("Nothing was imported: no balance would change.")


def _name(request: ImportRequest, community: str) -> str:
    """Return the name of an import: the same for the same file, community, platform and mode."""
    text = f"{community}\n{request.platform}\n{request.mode}\n".encode()
    return f"import:{hashlib.sha256(text + request.content).hexdigest()[:16]}"


def in_words(report: ImportReport) -> Iterator[str]:
    """Yield the lines of a report."""
    sheet, plan = report.sheet, report.plan
    who, amount = (repr(each) for each in (sheet.column, sheet.credits_column))
    of = "ids" if sheet.ids else "names"
    yield f"{counted(len(sheet.rows), 'row')}: {of} of {report.platform} from {who}, credits from {amount}."
    for row in sheet.rows[:ROWS_SHOWN]:
        yield f"  line {row.number}: {row.who} {row.credits:,}"
    if sheet.clipped:
        were = "was" if sheet.clipped == 1 else "were"
        yield f"{counted(sheet.clipped, 'fraction')} of a credit {were} left out."
    if plan.waits:
        yield from _unknown_names(plan.waits)
    for fault in _abbreviated(report.faults):
        yield f"left out: {fault}"
    increase = sum(each for each in plan.changes.values() if each > 0)
    decrease = increase - plan.brought
    verb = ("was" if increase == 1 else "were") if report.done else "would be"
    less = f", and {decrease:,} taken away" if decrease else ""
    wallets = counted(len(plan.changes), "wallet")
    yield f"{counted(increase, 'credit')} {verb} brought to {wallets} of {report.community}{less}."
    if report.done:
        yield f"Take it back by `chatbot import --undo {report.name}`."
    else:
        yield "Nothing was changed."


def _unknown_names(names: Sequence[str]) -> Iterator[str]:
    are = "is" if len(names) == 1 else "are"
    such_as = "" if len(names) == 1 else "such as "
    text = ", ".join(_abbreviated(names))
    yield (
        f"{counted(len(names), 'name')} {are} unknown here, {such_as}{text}: their credits "
        "wait until an account of that name speaks. A name may be another person's by then."
    )


def as_json(report: ImportReport) -> str:
    """Return a report as one JSON object."""
    sheet, plan = report.sheet, report.plan
    plain = {
        "import": report.name,
        "done": report.done,
        "community": report.community,
        "platform": report.platform,
        "mode": report.mode,
        "columns": [sheet.column, sheet.credits_column],
        "ids": sheet.ids,
        "rows": len(sheet.rows),
        "wallets": len(plan.changes),
        "credits": plan.brought,
        "clipped": sheet.clipped,
        "unknown": list(plan.waits),
        "faults": list(report.faults),
    }
    return json.dumps(plain, ensure_ascii=False)


async def undo(url: str, name: str) -> Withdrawal:
    """Take an import back; raises as `Withdrawals.undo`."""
    async with open_alone(url) as store:
        return await Withdrawals(store).undo(name, datetime.now(UTC))


def undone_in_words(name: str, withdrawal: Withdrawal) -> Iterator[str]:
    """Yield the lines of the report on an import that was taken back."""
    yield f"The import {name} was taken back: {counted(withdrawal.taken, 'credit')}."
    if withdrawal.given:
        were = "was" if withdrawal.given == 1 else "were"
        yield f"{counted(withdrawal.given, 'credit')} that it had taken away {were} given back."
    for seat, amount in list(withdrawal.missing.items())[:MAX_SHOWN]:
        yield f"not there any more: {amount:,} of {seat}"
    if withdrawal.missing:
        shortfall = sum(withdrawal.missing.values())
        are, wallets = "is" if shortfall == 1 else "are", counted(len(withdrawal.missing), "wallet")
        yield f"{counted(shortfall, 'credit')} of {wallets} {are} spent."


def undone_as_json(name: str, withdrawal: Withdrawal) -> str:
    """Return that report as one JSON object."""
    plain = {
        "undone": name,
        "taken": withdrawal.taken,
        "given": withdrawal.given,
        "missing": dict(withdrawal.missing),
    }
    return json.dumps(plain, ensure_ascii=False)


def _abbreviated(items: Sequence[str]) -> list[str]:
    """Return the first `MAX_SHOWN` items, and the number of the others in words."""
    more = [f"and {len(items) - MAX_SHOWN} more"] if len(items) > MAX_SHOWN else []
    return [*items[:MAX_SHOWN], *more]
