"""Carries out `chatbot audit`, `verify` and `export` of a table, and reports their results."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from chatbot.cli.context import counted
from chatbot.cli.exclusive import open_alone
from chatbot.games import kits
from chatbot.kernel.game import Failure, Seat
from chatbot.ledger import changes as changing
from chatbot.ledger.archive import archive
from chatbot.ledger.audit import checks as auditing
from chatbot.ledger.audit.repair import Repairs
from chatbot.ledger.books.journal import Journal
from chatbot.ledger.changes import IMPORTED, Changes
from chatbot.ledger.people import People
from chatbot.ledger.rooms import KnownRooms
from chatbot.ledger.store.store import Store
from chatbot.tables import proof

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from chatbot.ledger.audit.checks import AuditReport, OnAuditProgress
    from chatbot.ledger.audit.repair import RepairPlan
    from chatbot.ledger.books.journal import TableRecord
    from chatbot.ledger.changes import Change, ChangeSet
    from chatbot.tables.proof import Finding, Hashes

# Kinds of changes whose subject, and possibly values, are seats.
_ABOUT_SEATS = {changing.MONEY, changing.LINK, changing.DUE, changing.CONFIRMED}
_ROW_NAMES = {
    "purse": "purse",
    "posting": "posting",
    "transfer": "transfer",
    "game_table": "table",
    "journal": "turn",
}


async def audit(url: str, on_progress: OnAuditProgress | None = None) -> AuditReport:
    """Check the books of a database, which may be in use, and all that is archived of them.

    `on_progress` is called with the work done and the total.

    Raises:
        StoreError: the database does not exist, or has another version.
    """
    store = await Store.look(url)
    try:
        report = await auditing.audit(store, on_progress)
        return replace(report, breaches=[*report.breaches, *await archive.faults(store)])
    finally:
        await store.close()


async def repair(url: str, confirm: Callable[[RepairPlan], object]) -> AuditReport:
    """Correct the books by postings, unless `confirm` raises; return an audit of the result.

    Raises:
        StoreError: the database is not there, not of this version, or in use.
        Unrepairable: nothing could be corrected.
        Failure: the damage is such that no posting corrects it; or whatever `confirm` raises.
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
    async with open_alone(url) as store:
        confirm(plan)
        return await Repairs(store).carry_out(plan, datetime.now(UTC))


def plan_in_words(plan: RepairPlan) -> Iterator[str]:
    """Yield the lines that describe the corrections of a plan."""
    yield "The journal of transfers counts as the truth; none of them is changed or removed. To be written:"
    for name in plan.guards:
        yield f"  The trigger {name} is put back."
    for each in plan.corrected:
        yield printable(f"  {each.purse} is brought from {each.held:,} to {counted(each.due, 'credit')}.")
    for transfer in plan.taken_back:
        direction = f"from {transfer.source} to {transfer.target}"
        yield printable(
            f"  Transfer {transfer.id} ({transfer.credits:,} {direction}), not accounted for, is taken back."
        )
    for breach in plan.noted:
        yield printable(f"  It is noted, and not told again, that {breach.sentence}.")


@contextmanager
def progress(*, shown: bool) -> Iterator[OnAuditProgress]:
    """Show a progress bar of an audit if `shown`; yields the function that updates it."""
    if not shown:
        yield lambda done, of: None  # noqa: ARG005
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

    columns = TextColumn("checking the books"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, transient=True) as bar:
        task = bar.add_task("checking", total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


async def changes(url: str, room: str | None) -> list[ChangeSet]:
    """Return the changes of moderators in a room, or in all, oldest first; members are named by an account.

    Raises:
        Failure: there is no such room.
        StoreError: the database is not there, or not of this version.
    """
    store = await Store.look(url)
    try:
        change_sets = await Changes(store).newest(room)
        if room is not None and not change_sets:
            await check_known(store, room)
        return await _by_accounts(store, change_sets[::-1])
    finally:
        await store.close()


async def check_known(store: Store, room: str) -> None:
    """Raise Failure if there is no such room."""
    names = [each.room for each in await KnownRooms(store).known()]
    if room not in names:
        choices = ", ".join(names) or "none yet"
        raise Failure(f"There is no room {room!r} in this database; there are: {choices}.")


async def _by_accounts(store: Store, change_sets: Sequence[ChangeSet]) -> list[ChangeSet]:
    people = People(store)
    await people.load()
    about_seats = [
        change for change_set in change_sets for change in change_set.changes if change.kind in _ABOUT_SEATS
    ]
    seats = {change_set.actor for change_set in change_sets} | {
        text for each in about_seats for text in (each.subject, each.old, each.new) if text is not None
    }
    await people.learn([Seat(each) for each in seats])
    account_by_seat = {seat: str(accounts[0]) for seat in seats if (accounts := people.accounts(Seat(seat)))}

    def with_account(change: Change) -> Change:
        if change.kind not in _ABOUT_SEATS:
            return change
        subject = account_by_seat.get(change.subject, change.subject)
        old, new = (
            None if each is None else account_by_seat.get(each, each) for each in (change.old, change.new)
        )
        return replace(change, subject=subject, old=old, new=new)

    return [
        replace(
            each,
            actor=account_by_seat.get(each.actor, each.actor),
            changes=tuple(map(with_account, each.changes)),
        )
        for each in change_sets
    ]


def changes_in_words(change_sets: Sequence[ChangeSet]) -> Iterator[str]:
    """Yield the lines of changes; control characters in names and reasons are replaced."""
    numbers = {each.id: f"#{each.number}" for each in change_sets}
    for change_set in change_sets:
        for line in _change_set_in_words(change_set, numbers):
            yield printable(line)
    if not change_sets:
        yield "Moderators have changed nothing yet."


def _change_set_in_words(change_set: ChangeSet, numbers: Mapping[str, str]) -> Iterator[str]:
    who = (
        change_set.name if change_set.name == change_set.actor else f"{change_set.name} ({change_set.actor})"
    )
    undone = change_set.undoes
    undoing = f", taking back {numbers.get(undone, undone)}" if undone else ""
    why, where = f": {change_set.why}" if change_set.why else "", change_set.room or change_set.community
    yield f"#{change_set.number} {change_set.at:%Y-%m-%d %H:%M:%S} UTC, {where}, {who}{undoing}{why}"
    yield from (f"  {_change_in_words(each)}" for each in change_set.changes)


def _change_in_words(change: Change) -> str:  # noqa: PLR0911  (a kind each)
    what = " ".join(part for part in (change.kind, change.subject, change.key) if part)
    match change.kind:
        case changing.FORGETTING:
            return what
        case changing.VOIDED:
            pot = counted(int(change.old or 0), "credit")
            return f"{change.key} table {change.subject} called off, with {pot} in its pot"
        case changing.DUE:
            return f"{change.subject} would have got {counted(int(change.new or 0), 'credit')} there"
        case changing.CONFIRMED:
            return f"confirmed by {change.subject}"
        case changing.RAISED:
            return f"makes about {counted(int(change.new or 0), 'credit')} a day beyond what ships"
        case changing.MONEY if change.subject.startswith(changing.CROWD):
            return f"{what}: {change.new} credits"
        case changing.MONEY if change.subject == IMPORTED:
            name = f" as {change.posting}" if change.key else ""  # by which it is taken back
            return f"{what}: {change.new}{name}"
        case _:
            return f"{what}: {_value(change.old)} → {_value(change.new)}"


def _value(text: str | None) -> str:
    return "default" if text is None else text


def changes_as_json(change_sets: Sequence[ChangeSet]) -> str:
    """Return changes as a JSON array."""
    plain = [asdict(each) | {"at": each.at.isoformat()} for each in change_sets]
    return json.dumps(plain, ensure_ascii=False)


def audit_in_words(report: AuditReport) -> Iterator[str]:
    """Yield the lines of an audit."""
    counts = ", ".join(counted(number, _ROW_NAMES[name]) for name, number in report.counts.items())
    for breach in report.breaches:
        yield f"BREACH ({breach.check}): {breach.sentence}"
        yield "  " + json.dumps(dict(breach.row), ensure_ascii=False, default=str)
    if report.breaches:
        number = counted(len(report.breaches), "breach", "breaches")
        text = f"The books do NOT add up: {number} in {counts or 'a damaged file'}"
        yield f"{text}; in doubt: {_in_doubt(report)}. `chatbot audit --repair` corrects what postings can."
    else:
        yield f"The books are sound: {counts}."


def _in_doubt(report: AuditReport) -> str:
    return "the whole database" if report.whole else ", ".join(sorted(report.doubted))


def audit_as_json(report: AuditReport) -> str:
    """Return an audit as one JSON object."""
    breaches = [asdict(each) for each in report.breaches]
    doubted = None if report.whole else sorted(report.doubted)  # null: the whole database
    plain = {"sound": not breaches, "doubted": doubted, "counts": dict(report.counts), "breaches": breaches}
    return json.dumps(plain, ensure_ascii=False, default=str)


async def export(url: str, table: str) -> str:
    """Return the proof of a finished table as JSON.

    Raises:
        StoreError: the database is not there, or not of this version.
        ProofError: there is no such table, or it is still open.
    """
    return proof.write(await _table_record(url, table))


async def has_table(url: str, table: str) -> bool:
    """Whether a table of that id exists; raises as `audit`."""
    store = await Store.look(url)
    try:
        return await Journal(store).has(table)
    finally:
        await store.close()


async def read_table(url: str, table: str) -> tuple[TableRecord, Hashes]:
    """Return a finished table as `export` writes it, and the hashes of its proof; raises as `export`."""
    return proof.read(proof.write(await _table_record(url, table)))


def is_file(text: str) -> bool:
    """Return whether there is a file of this name; not if it could be none, such as the text of a proof."""
    try:
        return Path(text).is_file()
    except OSError:  # it is too long
        return False


def verify_file(path: Path, told_hashes: Mapping[str, str | None]) -> tuple[TableRecord, list[Finding]]:
    """Check the table in a file: that of a proof, or of a replay, whose pictures are compared with it.

    Raises:
        ProofError: it cannot be read, or is neither.
    """
    from chatbot.web.replays import document, single_file  # noqa: PLC0415  (only replays need it)

    text = _read_text(path)
    replay = single_file.document_in(text)
    if replay is None:
        record, hashes = proof.read(text)
        return record, verify(record, hashes, told_hashes)
    record, _, findings = document.check(replay, kits())
    is_own = single_file.is_own(text, replay)
    around = (
        "that this version writes"
        if is_own
        else "of another version, or changed: trust only what is said here"
    )
    page = proof.Finding("page", is_own, f"The page around the replay is one {around}.")
    return record, [page, *findings, *_told(record, told_hashes)]


def _read_text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise proof.ProofError(f"The file {path} cannot be read: {reason}.") from None


def verify(record: TableRecord, hashes: Hashes, told_hashes: Mapping[str, str | None]) -> list[Finding]:
    """Check a finished table; `told_hashes` are those that the chat was told, as far as known."""
    return [*proof.check(record, hashes, kits()), *_told(record, told_hashes)]


def _told(record: TableRecord, told_hashes: Mapping[str, str | None]) -> Iterator[Finding]:
    """Compare the hashes that the chat was told, as far as known, with those of a table."""
    actual = asdict(proof.hashes(record))
    for name, value in told_hashes.items():
        if value is not None:
            same = value.lower() == actual[name]
            sentence = f"The chat was told {'this' if same else f'something else: {value}'}."
            yield proof.Finding(f"told {name}", same, sentence)


def verify_in_words(record: TableRecord, findings: list[Finding]) -> Iterator[str]:
    """Yield the lines of the findings; control characters of a forged file are replaced."""
    for line in _findings_in_words(record, findings):
        yield printable(line)


def printable(line: str) -> str:
    """Return a line with its control characters replaced."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in line)


def _findings_in_words(record: TableRecord, findings: list[Finding]) -> Iterator[str]:
    yield f"Table {record.id}: {record.game}, version {record.version} of its rules, in room {record.room}."
    for each in findings:
        yield f"  {'ok ' if each.holds else 'NO '} {each.what}: {each.sentence}"
    if not all(each.holds for each in findings):
        yield "This table does NOT check out."
        return
    yield "This table checks out, if the chat was told this head before it opened, these terms as it opened,"
    yield "and this record at its end: compare them with the messages there."


def verify_as_json(record: TableRecord, findings: list[Finding]) -> str:
    """Return the findings as one JSON object."""
    sound = all(each.holds for each in findings)
    return json.dumps(
        {"table": record.id, "sound": sound, "findings": [asdict(each) for each in findings]},
        ensure_ascii=False,
    )


async def _table_record(url: str, table: str) -> TableRecord:
    store = await Store.look(url)
    try:
        record = await Journal(store).of(table)
    except ValueError as error:
        raise proof.ProofError(f"Table {table} has a corrupt row: {error}.") from None
    finally:
        await store.close()
    if record is None:
        raise proof.ProofError(f"There is no table {table[:80]!r} in this database, nor a file of that name.")
    return record
