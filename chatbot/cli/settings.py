"""`chatbot settings`: commands that export, import and compare the settings of a room as a file."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path  # noqa: TC003  (typer reads the annotations)
from typing import Annotated

import typer

from chatbot.cli.context import database_url, print_text, write_file
from chatbot.kernel.game import Failure

settings_commands = typer.Typer(
    help="Settings of a room as a TOML file, as in chat with !set.", no_args_is_help=True
)

DIFFERENT = 1

RoomOption = Annotated[str | None, typer.Option("--room", help="Which room, where the bot has several.")]
DatabaseOption = Annotated[str | None, typer.Option(help="A URL other than CHATBOT_DATABASE.")]


@settings_commands.command("export")
def export(
    file: Annotated[Path | None, typer.Argument(help="Where to; standard output if left out.")] = None,
    room: RoomOption = None,
    everything: Annotated[bool, typer.Option("--all", help="Write what is at its default too.")] = False,
    database: DatabaseOption = None,
) -> None:
    """Write what was set in a room, also while the bot runs."""
    from chatbot.cli import settings_editor  # noqa: PLC0415

    text = asyncio.run(settings_editor.export(database_url(database), room, everything=everything))
    if file is None:
        print_text(text.rstrip())
    else:
        write_file(file, text)


@settings_commands.command("import")
def import_file(
    file: Annotated[Path, typer.Argument(help="A file as `export` writes it, or a part of one.")],
    room: RoomOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be changed.")] = False,
    confirm: Annotated[
        bool, typer.Option("--confirm", help="Also where it makes many more credits a day than usual.")
    ] = False,
    database: DatabaseOption = None,
) -> None:
    """Set what a file says, all or nothing; the bot must not be running, but for a dry run."""
    from chatbot.cli import settings_editor  # noqa: PLC0415

    print_text(
        asyncio.run(
            settings_editor.apply(
                database_url(database), room, file.name, _read(file), dry_run=dry_run, confirmed=confirm
            )
        )
    )


@settings_commands.command("diff")
def diff(
    file: Annotated[Path, typer.Argument(help="A file as `export` writes it.")],
    room: RoomOption = None,
    database: DatabaseOption = None,
) -> None:
    """Show in what a room differs from a file, also while the bot runs; exit with 1 where it does."""
    from chatbot.cli import settings_editor  # noqa: PLC0415

    lines = asyncio.run(settings_editor.diff(database_url(database), room, _read(file)))
    print_text("\n".join(lines) or "The room is set as the file says.")
    sys.exit(DIFFERENT if lines else 0)


@settings_commands.command("table")
def table() -> None:
    """Print all settings there are as a table in Markdown: what they take, mean and begin with."""
    from chatbot.cli import settings_editor  # noqa: PLC0415

    print_text(asyncio.run(settings_editor.table()).rstrip())


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise Failure(f"The file {file} cannot be read: {reason}.") from None
