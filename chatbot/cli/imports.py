"""`chatbot import`: balances from a file of another bot, looked at first, brought along, or taken back."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from chatbot.cli.prepared import put_out, tell, url_of
from chatbot.kernel.failure import Failure


class ImportPlatform(StrEnum):
    TWITCH = "twitch"
    DISCORD = "discord"


class How(StrEnum):
    ADD = "add"
    SET = "set"


def bring(
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
    mode: Annotated[How, typer.Option(help="Add to what is there, or set it to this.")] = How.ADD,
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

    url = url_of(database)
    if undo is not None:
        _take_back(url, undo, as_json=as_json)
        return
    if file is None:
        raise Failure("Say which file to import, or `--undo IMPORT`.")
    columns = Columns(name_column, id_column, credits_column, ids_only)
    wish = importer.ImportWish(
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
    report = asyncio.run(importer.bring(url, wish))
    if as_json:
        put_out(importer.as_json(report))
    else:
        tell("\n".join(importer.in_words(report)))


def _take_back(url: str, name: str, *, as_json: bool) -> None:
    from chatbot.cli import importer  # noqa: PLC0415

    taken = asyncio.run(importer.undo(url, name))
    told, written = importer.undone_in_words, importer.undone_as_json
    put_out(written(name, taken) if as_json else "\n".join(told(name, taken)))


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise Failure(f"The file {file} cannot be read: {error.strerror}.") from None
