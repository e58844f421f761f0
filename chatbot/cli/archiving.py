"""`chatbot archive`: what the bot does by itself to tables that are old, done now."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from chatbot.cli.prepared import prepared, tell
from chatbot.kernel.failure import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SOON = 0.02  # seconds that others have to write between two portions
_TOGETHER = 100  # tables in one write: somebody waits for the end, and others for a tenth of a second


def archive(
    before: Annotated[
        str | None,
        typer.Option(metavar="DAYS|DATE", help="Tables that ended so many days ago, or before 2026-01-31."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell how many there are.")] = False,
    database: Annotated[str | None, typer.Option(help="A URL other than CHATBOT_DATABASE.")] = None,
) -> None:
    """Put finished tables that are old into the archive, also while the bot runs."""
    settings, _ = prepared()
    until = _until(before or str(settings.archive_days or ""), datetime.now(UTC))
    asyncio.run(_archive(settings.database if database is None else database, until, dry_run=dry_run))


async def _archive(url: str, until: datetime, *, dry_run: bool) -> None:
    from chatbot.ledger.archive.archive import Archive  # noqa: PLC0415
    from chatbot.ledger.store.store import Store  # noqa: PLC0415

    store = await (Store.look(url) if dry_run else Store.open(url))
    try:
        old = Archive(store)
        waiting = await old.waiting(until)
        if dry_run:
            tell(f"{waiting:,} tables that ended before {until:%Y-%m-%d %H:%M} UTC would be archived.")
            return
        count, faults, place = 0, list[str](), None
        with _bar(waiting) as advanced:
            while (done := await old.portion(until, place, _TOGETHER)).last is not None:
                count, place = count + done.tables, done.last
                faults += done.faults
                advanced(done.tables + len(done.faults))
                await asyncio.sleep(_SOON)
    finally:
        await store.close()
    tell(f"{count:,} tables that ended before {until:%Y-%m-%d %H:%M} UTC are in the archive now.")
    for each in faults:
        tell(f"Not archived: {each}.")


def _until(text: str, now: datetime) -> datetime:
    """Read days or a date.

    Raises:
        Failure: it is neither, or too young.
    """
    from chatbot.environment import MIN_ARCHIVE_DAYS  # noqa: PLC0415

    least = MIN_ARCHIVE_DAYS
    wanted = f"--before takes a number of days from {least} on, or a date as long ago, such as 2026-01-31"
    if not text:
        raise Failure(f"CHATBOT_ARCHIVE_DAYS is 0, so say what is old: {wanted}.")
    try:
        if text.isascii() and text.isdigit():
            until = now - timedelta(days=int(text))
        else:
            until = datetime.combine(date.fromisoformat(text), time(), UTC)
    except (ValueError, OverflowError):
        raise Failure(f"{text!r} is neither; {wanted}.") from None
    if until > now - timedelta(days=MIN_ARCHIVE_DAYS):
        raise Failure(f"{text} is too young, for messages may still come again; {wanted}.")
    return until


@contextmanager
def _bar(tables: int) -> Iterator[Callable[[int], None]]:
    """Show how far it is, where somebody watches."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("archiving", total=tables)
        yield lambda done: progress.advance(task, done)
