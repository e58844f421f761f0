"""The command line. What a command needs is imported when it runs: showing help must be quick."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
from pathlib import Path  # noqa: TC003  (typer reads the annotations when the program runs)
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from chatbot import __version__
from chatbot.kernel.failure import Failure

if TYPE_CHECKING:
    from chatbot.settings import Settings

USAGE_ERROR = 2

app = typer.Typer(
    help="Rabble: games a whole chat plays together.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line; what an operator can mend is answered with one sentence."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # the console of Windows does not know every sign
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        app()
    except Failure as failure:
        _refuse(str(failure))


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Start everything that is configured: the same as `chatbot run`."""
    if version:
        typer.echo(f"Rabble {__version__}")
    elif context.invoked_subcommand is None:
        run()


@app.command()
def run() -> None:
    """Open the local chat page, and keep running until Ctrl-C."""
    from chatbot.app import serve  # noqa: PLC0415

    asyncio.run(serve(_settings(), typer.echo))


@app.command()
def rehearse(
    file: Annotated[Path | None, typer.Argument(help="The script; standard input if left out.")] = None,
    seed: Annotated[str | None, typer.Option(help="The same text tells the same story.")] = None,
    database: Annotated[str | None, typer.Option(help="Keep everything in the database of this URL.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
) -> None:
    """Play a script of chat lines against a clock turned by hand, and print what is said."""
    from chatbot import rehearsal  # noqa: PLC0415

    settings = _settings()
    cues = rehearsal.read_script(_lines(file))
    written = rehearsal.as_json if json else rehearsal.as_text
    seed = secrets.token_hex(16) if seed is None else seed
    performance = rehearsal.Performance(
        seed, database, settings.language, lambda *said: _print(written(*said))
    )
    asyncio.run(performance.play(cues))


def chickp() -> None:
    """Keep the place of Chicken Poker's own command line."""
    _refuse("chickp comes with Chicken Poker, which this version does not have yet.")


def bankheist() -> None:
    """Keep the place of the heist contest's own command line."""
    _refuse("bankheist comes with the arena, which this version does not have yet.")


def _print(text: str) -> None:
    try:
        typer.echo(text)
    except BrokenPipeError:  # whoever read has heard enough, as `head` has; the story ends unheard
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _settings() -> Settings:
    """Read the settings, and log as they say from here on."""
    from chatbot import log, settings  # noqa: PLC0415

    loaded = settings.load()
    log.configure(loaded.log_level.value)
    return loaded


def _lines(file: Path | None) -> list[str]:
    try:
        text = sys.stdin.read() if file is None else file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise Failure(f"The script {file} cannot be read: {reason}.") from None
    return text.splitlines()


def _refuse(sentence: str) -> NoReturn:
    typer.echo(sentence, err=True)
    sys.exit(USAGE_ERROR)
