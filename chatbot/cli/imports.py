"""`chatbot import`: the command that imports balances from a file of another bot, or undoes an import."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chatbot.cli.context import database_url, print_rendered, print_text
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from rich.console import Console

    from chatbot.community.imports.service import ImportReport


class ImportPlatform(StrEnum):
    """The values of --platform."""

    TWITCH = "twitch"
    DISCORD = "discord"


class ImportMode(StrEnum):
    """The values of --mode."""

    ADD = "add"
    SET = "set"


class SameRows(StrEnum):
    """The values of --same."""

    FAULT = "fault"
    ADD = "add"
    MOST = "most"
    FIRST = "first"


class NegativeBalances(StrEnum):
    """The values of --negative."""

    FAULT = "fault"
    ZERO = "zero"


class TimeUnit(StrEnum):
    """The values of --watched-unit."""

    MINUTES = "minutes"
    HOURS = "hours"
    SECONDS = "seconds"


class Mark(StrEnum):
    """The values of --thousands."""

    DOT = "."
    COMMA = ","
    SPACE = "space"
    APOSTROPHE = "'"


class DecimalMark(StrEnum):
    """The values of --decimal."""

    DOT = "."
    COMMA = ","


_MARKS = {Mark.SPACE: " "}


def import_balances(
    file: Annotated[
        str | None,
        typer.Argument(help="CSV, .xlsx, JSON, or a database of another bot: whose, and how many."),
    ] = None,
    community: Annotated[
        str | None, typer.Option(help="Whose wallets: such as twitch-123, discord-45 or local.")
    ] = None,
    platform: Annotated[
        ImportPlatform, typer.Option(help="Whose ids or names they are.")
    ] = ImportPlatform.TWITCH,
    name_column: Annotated[str | None, typer.Option(help="The column of names: heading or number.")] = None,
    id_column: Annotated[str | None, typer.Option(help="The column of ids: heading or number.")] = None,
    credits_column: Annotated[
        str | None, typer.Option(help="The column of credits, or several to add, such as cash+bank.")
    ] = None,
    watched_column: Annotated[
        str | None, typer.Option(help="The column of watched time; none leaves it out.")
    ] = None,
    watched_unit: Annotated[TimeUnit | None, typer.Option(help="The unit of that time.")] = None,
    ids_only: Annotated[bool, typer.Option("--ids-only", help="Take ids, and never names.")] = False,
    table: Annotated[str | None, typer.Option(help="The sheet, table or currency in the file.")] = None,
    thousands: Annotated[Mark | None, typer.Option(help="What parts thousands in its numbers.")] = None,
    decimal: Annotated[DecimalMark | None, typer.Option(help="What begins a fraction in them.")] = None,
    encoding: Annotated[str | None, typer.Option(help="Of a text that is not UTF-8, such as cp949.")] = None,
    same: Annotated[
        SameRows, typer.Option(help="Of several rows of one person: add them, take the most or the first.")
    ] = SameRows.FAULT,
    negative: Annotated[
        NegativeBalances, typer.Option(help="Balances below 0: zero takes them as 0.")
    ] = NegativeBalances.FAULT,
    mode: Annotated[
        ImportMode, typer.Option(help="Add to what is there, or set it to this.")
    ] = ImportMode.ADD,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave rows out that are wrong.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Bring the same file once more.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")] = False,
    undo: Annotated[
        str | None, typer.Option(metavar="IMPORT", help="Take an import back, by its name or its file's.")
    ] = None,
    row: Annotated[
        list[int] | None, typer.Option(metavar="LINE", help="With --undo: only this line of the file.")
    ] = None,
    database: Annotated[str | None, typer.Option(help="A URL other than CHATBOT_DATABASE.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Bring balances along from another bot; the bot must not be running."""
    from chatbot.cli import importer  # noqa: PLC0415
    from chatbot.community.imports.columns import Columns  # noqa: PLC0415
    from chatbot.community.imports.reading import ReadingOptions  # noqa: PLC0415
    from chatbot.community.imports.service import ImportRequest  # noqa: PLC0415

    url = database_url(database)
    if undo is not None:
        if file is not None or dry_run:
            raise Failure("--undo takes an import back at once: it goes with no file and no --dry-run.")
        _undo(url, undo, row, community, as_json=as_json)
        return
    if row:
        raise Failure("--row says which line of an import to take back: it goes with --undo.")
    if file is None:
        raise Failure("Say which file to import, or `--undo IMPORT`.")
    unit = None if watched_unit is None else watched_unit.value
    columns = Columns(name_column, id_column, credits_column, watched_column, unit, ids_only)
    options = ReadingOptions(
        columns=columns,
        thousands=None if thousands is None else _MARKS.get(thousands, thousands.value),
        decimal=None if decimal is None else decimal.value,
        same=same.value,
        negative=negative.value,
        encoding=encoding,
        table=table,
    )
    request = ImportRequest(
        Path(file).name, _read(Path(file)), community, platform.value, mode.value, options, skip_bad, again
    )
    report = asyncio.run((importer.look if dry_run else importer.bring)(url, request))
    if as_json:
        print_text(importer.as_json(report))
    else:
        print_rendered(lambda console: _show(console, report))


def _show(console: Console, report: ImportReport) -> None:
    from chatbot.cli import importer  # noqa: PLC0415
    from chatbot.invocation import with_invocations  # noqa: PLC0415

    for line in importer.in_words(report):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    console.print(importer.table(report), markup=False, highlight=False)
    for line in importer.sums_in_words(report):
        console.print(with_invocations(line), markup=False, highlight=False, soft_wrap=True)


def _undo(url: str, name: str, lines: list[int] | None, community: str | None, *, as_json: bool) -> None:
    from chatbot.cli import importer  # noqa: PLC0415

    undone = asyncio.run(importer.undo(url, name, lines or None, community))
    in_words, in_json = importer.undone_in_words, importer.undone_as_json
    print_text(in_json(*undone) if as_json else "\n".join(in_words(*undone)))


def _read(file: Path) -> bytes:
    from chatbot.community.imports.sheets import MOST_BYTES  # noqa: PLC0415

    try:
        if file.stat().st_size > MOST_BYTES:
            raise Failure(f"The file {file} has more than {MOST_BYTES >> 20} MiB.")
        return file.read_bytes()
    except OSError as error:
        raise Failure(f"The file {file} cannot be read: {error.strerror}.") from None
