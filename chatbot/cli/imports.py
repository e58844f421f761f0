"""`chatbot import`: the command that imports balances from a file of another bot, or undoes an import."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from chatbot.cli.context import database_url, print_text, tell
from chatbot.kernel.game import Failure


class ImportPlatform(StrEnum):
    """The values of --platform."""

    TWITCH = "twitch"
    DISCORD = "discord"


class ImportMode(StrEnum):
    """The values of --mode."""

    ADD = "add"
    SET = "set"


def import_balances(
    file: Annotated[str | None, typer.Argument(help="A CSV file: whose, and how many.")] = None,
    community: Annotated[
        str | None, typer.Option(help="Whose wallets: such as twitch-123, discord-45 or local.")
    ] = None,
    platform: Annotated[
        ImportPlatform, typer.Option(help="Whose ids or names they are.")
    ] = ImportPlatform.TWITCH,
    name_column: Annotated[str | None, typer.Option(help="The column of names: heading or number.")] = None,
    id_column: Annotated[str | None, typer.Option(help="The column of ids: heading or number.")] = None,
    credits_column: Annotated[
        str | None, typer.Option(help="The column of credits: heading or number.")
    ] = None,
    ids_only: Annotated[bool, typer.Option("--ids-only", help="Take ids, and never names.")] = False,
    mode: Annotated[
        ImportMode, typer.Option(help="Add to what is there, or set it to this.")
    ] = ImportMode.ADD,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave rows out that are wrong.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Bring the same file once more.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")] = False,
    undo: Annotated[
        str | None, typer.Option(metavar="IMPORT", help="Take an import back, by its name.")
    ] = None,
    database: Annotated[str | None, typer.Option(help="A URL other than CHATBOT_DATABASE.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Bring balances along from another bot; the bot must not be running."""
    from chatbot.cli import importer  # noqa: PLC0415
    from chatbot.community.imports import Columns  # noqa: PLC0415

    url = database_url(database)
    if undo is not None:
        if file is not None or dry_run:
            raise Failure("--undo takes an import back at once: it goes with no file and no --dry-run.")
        _undo(url, undo, as_json=as_json)
        return
    if file is None:
        raise Failure("Say which file to import, or `--undo IMPORT`.")
    columns = Columns(name_column, id_column, credits_column, ids_only)
    request = importer.ImportRequest(
        Path(file).name,
        _read(Path(file)),
        columns,
        community,
        platform.value,
        mode.value,
        skip_bad,
        again,
        dry_run,
    )
    report = asyncio.run(importer.import_file(url, request))
    if as_json:
        print_text(importer.as_json(report))
    else:
        tell("\n".join(importer.in_words(report)))


def _undo(url: str, name: str, *, as_json: bool) -> None:
    from chatbot.cli import importer  # noqa: PLC0415

    withdrawal = asyncio.run(importer.undo(url, name))
    in_words, in_json = importer.undone_in_words, importer.undone_as_json
    print_text(in_json(name, withdrawal) if as_json else "\n".join(in_words(name, withdrawal)))


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise Failure(f"The file {file} cannot be read: {error.strerror}.") from None
