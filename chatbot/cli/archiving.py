"""`chatbot archive`: archive old tables now, as the bot does regularly."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from chatbot.cli.context import counted, load_settings, tell
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PAUSE_SECONDS = 0.02  # between two portions, in which other processes can write
_PORTION = 100  # tables in a transaction, which blocks other writers for a tenth of a second


def archive(
    before: Annotated[
        str | None,
        typer.Option(metavar="DAYS|DATE", help="Tables that ended so many days ago, or before 2026-01-31."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell how many there are.")] = False,
    database: Annotated[str | None, typer.Option(help="A URL other than CHATBOT_DATABASE.")] = None,
) -> None:
    """Put finished tables that are old into the archive, also while the bot runs."""
    settings, _ = load_settings()
    until = _until(before or str(settings.archive_days or ""), datetime.now(UTC))
    asyncio.run(_archive(settings.database if database is None else database, until, dry_run=dry_run))


async def _archive(url: str, until: datetime, *, dry_run: bool) -> None:
    from chatbot.ledger.archive.archive import Archive  # noqa: PLC0415
    from chatbot.ledger.store.store import Store  # noqa: PLC0415

    store = await (Store.look(url) if dry_run else Store.open(url, create=False))
    try:
        ledger_archive = Archive(store)
        total = await ledger_archive.waiting(until)
        if dry_run:
            tell(f"{counted(total, 'table')} that ended before {until:%Y-%m-%d %H:%M} UTC would be archived.")
            return
        count, faults, last = 0, list[str](), None
        with _progress_bar(total) as advance:
            while (portion := await ledger_archive.portion(until, last, _PORTION)).last is not None:
                count, last = count + portion.tables, portion.last
                faults += portion.faults
                advance(portion.tables + len(portion.faults))
                await asyncio.sleep(_PAUSE_SECONDS)
    finally:
        await store.close()
    are = "is" if count == 1 else "are"
    tell(f"{counted(count, 'table')} that ended before {until:%Y-%m-%d %H:%M} UTC {are} in the archive now.")
    for each in faults:
        tell(f"Not archived: {each}.")


def _until(text: str, now: datetime) -> datetime:
    """Parse a number of days or an ISO date; return the time (UTC) before which tables are archived.

    Raises:
        Failure: it is neither, or too recent.
    """
    from chatbot.environment import MIN_ARCHIVE_DAYS  # noqa: PLC0415

    least = MIN_ARCHIVE_DAYS
    usage = f"--before takes a number of days from {least} on, or a date as long ago, such as 2026-01-31"
    if not text:
        raise Failure(f"CHATBOT_ARCHIVE_DAYS is 0, so say what is old: {usage}.")
    try:
        if text.isascii() and text.isdigit():
            until = now - timedelta(days=int(text))
        else:
            until = datetime.combine(date.fromisoformat(text), time(), UTC)
    except (ValueError, OverflowError):
        raise Failure(f"{text!r} is neither; {usage}.") from None
    if until > now - timedelta(days=MIN_ARCHIVE_DAYS):
        raise Failure(f"{text} is too young, for messages may still come again; {usage}.")
    return until


@contextmanager
def _progress_bar(tables: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar if standard error is a terminal; yields a function to advance it."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("archiving", total=tables)
        yield lambda tables_done: progress.advance(task, tables_done)
