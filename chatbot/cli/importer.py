"""What `chatbot import` does: it carries out what was asked, and words what came of it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chatbot.community import imports
from chatbot.community.imports import BalanceFile, Columns
from chatbot.kernel.failure import Failure
from chatbot.ledger.imports import BalanceOwner, ImportPlan, Imports, Mode, Withdrawal, Withdrawals
from chatbot.ledger.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FIRST = 5  # rows that are shown
MOST_SHOWN = 10  # faults, and names, that are written out


@dataclass(frozen=True, slots=True)
class ImportWish:
    """What somebody wants to bring along, and how."""

    file: str  # its name
    content: bytes
    columns: Columns
    community: str | None
    platform: str
    mode: Mode
    skips_bad: bool
    again: bool
    dry: bool


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What was found in a file, and what was or would be done. `name` is that of the import."""

    name: str
    community: str
    platform: str
    mode: str
    sheet: BalanceFile
    plan: ImportPlan
    faults: tuple[str, ...]
    done: bool


async def bring(url: str, wish: ImportWish) -> ImportReport:
    sheet = imports.read(wish.content, wish.columns)
    store = await _opened(url, dry=wish.dry)
    try:
        return await _carry_out(Imports(store), wish, sheet)
    finally:
        await store.close()


async def _opened(url: str, *, dry: bool) -> Store:
    return await (Store.look(url) if dry else Store.open(url, alone=True))


async def _carry_out(imports: Imports, wish: ImportWish, sheet: BalanceFile) -> ImportReport:
    community = await _chosen(imports, wish.community)
    name = _name(wish, community)
    times = await imports.numbered(name)
    if times and not (wish.again or wish.dry):
        raise Failure(f"This file was imported before, as {name}; say --again if you mean it.")
    name = f"{name}:{times + 1}" if times else name
    owners = {BalanceOwner(wish.platform, row.who, sheet.ids): row.credits for row in sheet.rows}
    plan = await imports.plan(community, wish.mode, owners)
    faults = [f"{who!r} is one with another row's" for who in plan.twins]
    faults += [f"{who!r} is nobody's login on {wish.platform}" for who in plan.strange]
    report = ImportReport(
        name, community, wish.platform, wish.mode, sheet, plan, (*sheet.faults, *faults), not wish.dry
    )
    if not wish.dry:
        _require_good(report, skips_bad=wish.skips_bad)
        await imports.carry_out(plan, name, wish.file, datetime.now(UTC))
    return report


async def _chosen(imports: Imports, community: str | None) -> str:
    known = await imports.communities()
    if community in known:
        return str(community)
    there_are = ", ".join(known) or "none yet: start the bot once where it is to play"
    missing = "Say whose wallets they are" if community is None else f"There is no community {community!r}"
    raise Failure(f"{missing}: --community is one of {there_are}.")


def _require_good(report: ImportReport, *, skips_bad: bool) -> None:
    if report.faults and not skips_bad:
        told = "; ".join(_few(report.faults))
        raise Failure(f"Nothing was imported: {told}. Mend the file, or say --skip-bad to leave these out.")
    if not report.plan.changes:
        raise Failure("Nothing was imported: no balance would change.")


def _name(wish: ImportWish, community: str) -> str:
    """Name an import by what makes it the same one: its file, and what is done with it where."""
    told = f"{community}\n{wish.platform}\n{wish.mode}\n".encode()
    return f"import:{hashlib.sha256(told + wish.content).hexdigest()[:16]}"


def in_words(report: ImportReport) -> Iterator[str]:
    sheet, plan = report.sheet, report.plan
    who, amount = (repr(each) for each in (sheet.column, sheet.credits_column))
    of = "ids" if sheet.ids else "names"
    yield f"{_counted(len(sheet.rows), 'row')}: {of} of {report.platform} from {who}, credits from {amount}."
    for row in sheet.rows[:FIRST]:
        yield f"  line {row.number}: {row.who} {row.credits:,}"
    if sheet.clipped:
        were = "was" if sheet.clipped == 1 else "were"
        yield f"{_counted(sheet.clipped, 'fraction')} of a credit {were} left out."
    if plan.waits:
        yield from _unknown(plan.waits)
    for fault in _few(report.faults):
        yield f"left out: {fault}"
    raised = sum(each for each in plan.changes.values() if each > 0)
    lowered = raised - plan.brought
    verb = ("was" if raised == 1 else "were") if report.done else "would be"
    less = f", and {lowered:,} taken away" if lowered else ""
    wallets = _counted(len(plan.changes), "wallet")
    yield f"{_counted(raised, 'credit')} {verb} brought to {wallets} of {report.community}{less}."
    if report.done:
        yield f"Take it back by `chatbot import --undo {report.name}`."
    else:
        yield "Nothing was changed."


def _unknown(names: Sequence[str]) -> Iterator[str]:
    are = "is" if len(names) == 1 else "are"
    such_as = "" if len(names) == 1 else "such as "
    told = ", ".join(_few(names))
    yield (
        f"{_counted(len(names), 'name')} {are} unknown here, {such_as}{told}: their credits "
        "wait until an account of that name speaks. A name may be another person's by then."
    )


def as_json(report: ImportReport) -> str:
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
    store = await _opened(url, dry=False)
    try:
        return await Withdrawals(store).undo(name, datetime.now(UTC))
    finally:
        await store.close()


def undone_in_words(name: str, taken: Withdrawal) -> Iterator[str]:
    yield f"The import {name} was taken back: {_counted(taken.taken, 'credit')}."
    if taken.given:
        were = "was" if taken.given == 1 else "were"
        yield f"{_counted(taken.given, 'credit')} that it had taken away {were} given back."
    for seat, held in list(taken.missing.items())[:MOST_SHOWN]:
        yield f"not there any more: {held:,} of {seat}"
    if taken.missing:
        spent = sum(taken.missing.values())
        are, wallets = "is" if spent == 1 else "are", _counted(len(taken.missing), "wallet")
        yield f"{_counted(spent, 'credit')} of {wallets} {are} spent."


def undone_as_json(name: str, taken: Withdrawal) -> str:
    plain = {"undone": name, "taken": taken.taken, "given": taken.given, "missing": dict(taken.missing)}
    return json.dumps(plain, ensure_ascii=False)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _few(items: Sequence[str]) -> list[str]:
    """Write out some of many, and say how many more there are."""
    more = [f"and {len(items) - MOST_SHOWN} more"] if len(items) > MOST_SHOWN else []
    return [*items[:MOST_SHOWN], *more]
