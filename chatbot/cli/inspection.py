"""What an operator may ask of the books from the command line: are they sound, and was a table fair."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chatbot.games import kits
from chatbot.kernel.failure import Failure
from chatbot.kernel.game import Seat
from chatbot.ledger import changes as changing
from chatbot.ledger.archive import archive
from chatbot.ledger.audit import checks as auditing
from chatbot.ledger.audit.repair import Repairs
from chatbot.ledger.books.journal import Journal
from chatbot.ledger.changes import Changes
from chatbot.ledger.people import People
from chatbot.ledger.store.store import Store
from chatbot.tables import proof

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from chatbot.ledger.audit.checks import AuditReport, Seen
    from chatbot.ledger.audit.repair import RepairPlan
    from chatbot.ledger.books.journal import TableRecord
    from chatbot.ledger.changes import Change, Deed
    from chatbot.tables.proof import Finding, Hashes


async def audit(url: str, seen: Seen | None = None) -> AuditReport:
    """Check the books of a database, which may be in use, and all that is archived of them.

    `seen` hears how far it is.

    Raises:
        StoreError: it is not there, or not of this version.
    """
    store = await Store.look(url)
    try:
        report = await auditing.audit(store, seen)
        return replace(report, breaches=[*report.breaches, *await archive.faults(store)])
    finally:
        await store.close()


async def repair(url: str, agree: Callable[[RepairPlan], object]) -> AuditReport:
    """Correct the books by postings, if `agree` lets the plan pass; tell what is wrong with them then.

    Raises:
        StoreError: the database is not there, not of this version, or in use.
        Unrepairable: nothing could be done.
        Failure: the database itself is in doubt; or whatever `agree` raises.
    """
    store = await Store.look(url)
    try:
        plan, before = await Repairs(store).plan()
    finally:
        await store.close()
    damage = [each for each in before.breaches if not each.communities and each.check != auditing.GUARD]
    if damage:
        raise Failure(
            f"No posting corrects that {damage[0].sentence}; put a backup back by `chatbot restore`."
        )
    if plan.empty:
        return before
    store = await Store.open(url, alone=True)
    try:
        agree(plan)
        return await Repairs(store).carry_out(plan, datetime.now(UTC))
    finally:
        await store.close()


def plan_in_words(plan: RepairPlan) -> Iterator[str]:
    """Word what is going to be corrected."""
    yield "The journal of transfers counts as the truth; none of them is changed or removed. To be written:"
    for name in plan.guards:
        yield f"  The trigger {name} is put back."
    for each in plan.corrected:
        yield _printable(f"  {each.purse} is brought from {each.held:,} to {each.due:,} credits.")
    for transfer in plan.taken_back:
        way = f"from {transfer.source} to {transfer.target}"
        yield _printable(
            f"  Transfer {transfer.id} ({transfer.credits:,} {way}), not accounted for, is taken back."
        )
    for breach in plan.noted:
        yield _printable(f"  It is noted, and not told again, that {breach.sentence}.")


@contextmanager
def progress(*, shown: bool) -> Iterator[Seen]:
    """Draw how far an audit is, on the terminal of whoever waits."""
    if not shown:
        yield lambda done, of: None  # noqa: ARG005
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

    columns = TextColumn("checking the books"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, transient=True) as bar:
        task = bar.add_task("checking", total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


async def changes(url: str, room: str | None) -> list[Deed]:
    """List what moderators did in a room, or in all, oldest first; people are called by an account of theirs.

    Raises:
        StoreError: the database is not there, or not of this version.
    """
    store = await Store.look(url)
    try:
        return await _by_accounts(store, (await Changes(store).newest(room))[::-1])
    finally:
        await store.close()


async def _by_accounts(store: Store, deeds: Sequence[Deed]) -> list[Deed]:
    people = People(store)
    await people.load()
    about = [change for deed in deeds for change in deed.changes if change.kind in _PERSONAL]
    seats = {deed.actor for deed in deeds} | {
        text for each in about for text in (each.subject, each.old, each.new) if text is not None
    }
    await people.learn([Seat(each) for each in seats])
    known = {seat: str(led[0]) for seat in seats if (led := people.accounts(Seat(seat)))}

    def named(change: Change) -> Change:
        if change.kind not in _PERSONAL:
            return change
        subject = known.get(change.subject, change.subject)
        old, new = (None if each is None else known.get(each, each) for each in (change.old, change.new))
        return replace(change, subject=subject, old=old, new=new)

    return [
        replace(each, actor=known.get(each.actor, each.actor), changes=tuple(map(named, each.changes)))
        for each in deeds
    ]


def changes_in_words(deeds: Sequence[Deed]) -> Iterator[str]:
    """Word what was done; whatever names and reasons would do to a terminal is taken out."""
    for deed in deeds:
        for line in _changed(deed):
            yield _printable(line)
    if not deeds:
        yield "Moderators have changed nothing yet."


def _changed(deed: Deed) -> Iterator[str]:
    who = deed.name if deed.name == deed.actor else f"{deed.name} ({deed.actor})"
    undoing = f", taking back {deed.undoes}" if deed.undoes else ""
    why, where = f": {deed.why}" if deed.why else "", deed.room or deed.community
    yield f"#{deed.number} {deed.at:%Y-%m-%d %H:%M:%S} UTC, {where}, {who}{undoing}{why}"
    yield from (f"  {_change_in_words(each)}" for each in deed.changes)


def _change_in_words(change: Change) -> str:
    what = " ".join(part for part in (change.kind, change.subject, change.key) if part)
    match change.kind:
        case changing.FORGETTING:
            return what
        case changing.VOIDED:
            return f"{change.key} table {change.subject} called off, with {change.old} credits in its pot"
        case changing.DUE:
            return f"{change.subject} would have got {change.new} credits there"
        case _:
            return f"{what}: {_value(change.old)} → {_value(change.new)}"


def _value(text: str | None) -> str:
    return "default" if text is None else text


def changes_as_json(deeds: Sequence[Deed]) -> str:
    plain = [asdict(each) | {"at": each.at.isoformat()} for each in deeds]
    return json.dumps(plain, ensure_ascii=False)


def audit_in_words(report: AuditReport) -> Iterator[str]:
    counts = ", ".join(f"{number:,} {_NAMES[name]}" for name, number in report.counts.items())
    for breach in report.breaches:
        yield f"BREACH ({breach.check}): {breach.sentence}"
        yield "  " + json.dumps(dict(breach.row), ensure_ascii=False, default=str)
    if report.breaches:
        told = f"The books do NOT add up: {len(report.breaches)} breaches in {counts or 'a damaged file'}"
        yield f"{told}; in doubt: {_doubted(report)}. `chatbot audit --repair` corrects what postings can."
    else:
        yield f"The books are sound: {counts}."


def _doubted(report: AuditReport) -> str:
    return "the whole database" if report.whole else ", ".join(sorted(report.doubted))


def audit_as_json(report: AuditReport) -> str:
    breaches = [asdict(each) for each in report.breaches]
    doubted = None if report.whole else sorted(report.doubted)  # null: the whole database
    plain = {"sound": not breaches, "doubted": doubted, "counts": dict(report.counts), "breaches": breaches}
    return json.dumps(plain, ensure_ascii=False, default=str)


async def export(url: str, table: str) -> str:
    """Write the proof of a finished table.

    Raises:
        StoreError: the database is not there, or not of this version.
        ProofError: there is no such table, or it is still open.
    """
    return proof.write(await _story(url, table))


async def has_table(url: str, table: str) -> bool:
    """Whether there is a table of that name; raises as `audit`."""
    store = await Store.look(url)
    try:
        return await Journal(store).has(table)
    finally:
        await store.close()


async def read_table(url: str, table: str) -> tuple[TableRecord, Hashes]:
    """Read a finished table from the database as it would be exported; raises as `export`."""
    return proof.read(proof.write(await _story(url, table)))


def read_file(path: Path) -> tuple[TableRecord, Hashes]:
    """Read a proof file.

    Raises:
        ProofError: it cannot be read, or is none.
    """
    try:
        return proof.read(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise proof.ProofError(f"The file {path} cannot be read: {reason}.") from None


def verify(story: TableRecord, claimed: Hashes, told: Mapping[str, str | None]) -> list[Finding]:
    """Check a finished table; `told` is what the chat was told, where the caller knows it."""
    findings = proof.check(story, claimed, kits())
    made = asdict(proof.hashes(story))
    for name, value in told.items():
        if value is not None:
            same = value.lower() == made[name]
            sentence = f"The chat was told {'this' if same else f'something else: {value}'}."
            findings.append(proof.Finding(f"told {name}", same, sentence))
    return findings


def verify_in_words(story: TableRecord, findings: list[Finding]) -> Iterator[str]:
    """Word the findings; whatever a forged file would do to a terminal is taken out."""
    for line in _verified(story, findings):
        yield _printable(line)


def _printable(line: str) -> str:
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in line)


def _verified(story: TableRecord, findings: list[Finding]) -> Iterator[str]:
    yield f"Table {story.id}: {story.game}, version {story.version} of its rules, in room {story.room}."
    for each in findings:
        yield f"  {'ok ' if each.holds else 'NO '} {each.what}: {each.sentence}"
    if not all(each.holds for each in findings):
        yield "This table does NOT check out."
        return
    yield "This table checks out, if the chat was told this head before it opened, these terms as it opened,"
    yield "and this record at its end: compare them with the messages there."


def verify_as_json(story: TableRecord, findings: list[Finding]) -> str:
    sound = all(each.holds for each in findings)
    return json.dumps(
        {"table": story.id, "sound": sound, "findings": [asdict(each) for each in findings]},
        ensure_ascii=False,
    )


async def _story(url: str, table: str) -> TableRecord:
    store = await Store.look(url)
    try:
        story = await Journal(store).of(table)
    except ValueError as error:
        raise proof.ProofError(f"Table {table} has a corrupt row: {error}.") from None
    finally:
        await store.close()
    if story is None:
        raise proof.ProofError(f"There is no table {table!r} in this database, nor a file of that name.")
    return story


_PERSONAL = {changing.MONEY, changing.LINK, changing.DUE}  # changes of what people have
_NAMES = {
    "purse": "purses",
    "posting": "postings",
    "transfer": "transfers",
    "game_table": "tables",
    "journal": "turns",
}
