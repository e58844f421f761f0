"""What all commands share: loading the settings and the log, the URL of the database, output and files."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from chatbot.invocation import with_invocations
from chatbot.kernel.game import Failure
from chatbot.keys.discretion import Discretion

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from chatbot.environment import Settings


def load_settings(*, quiet: bool = True) -> tuple[Settings, Discretion]:
    """Load the settings and configure the log, which hides their secrets; `quiet` as in `log.configure`.

    Raises:
        Failure: a setting cannot be read.
    """
    from chatbot import environment, log  # noqa: PLC0415

    settings, discretion = environment.load(), Discretion()
    for secret in settings.secrets:
        discretion.add(secret, lasting=True)
    log.configure(settings.log_level.value, discretion, quiet=quiet, as_json=settings.log_json)
    return settings, discretion


def database_url(database: str | None) -> str:
    """Return `database`, or if it is None the URL in the settings; configures the log in both cases."""
    settings, _ = load_settings()  # in any case: it also configures the log
    return settings.database if database is None else database


def tell(sentence: str) -> None:
    """Print a sentence for the operator; commands in it are written as they have to be typed here."""
    print_text(with_invocations(sentence))


def tell_running(sentence: str) -> None:
    """Print a sentence for the operator of the running bot, which goes on where it cannot be printed."""
    with suppress(OSError, ValueError):  # such as of a log on a full disk, or a terminal that was closed
        typer.echo(with_invocations(sentence))


def print_text(text: str) -> None:
    """Print a text; if the reader has closed the pipe, as `head` does, discard all further output.

    Raises:
        Failure: standard output cannot be written, as on a full disk.
    """
    try:
        typer.echo(text)
    except OSError as error:
        discard_output(error)


def print_rendered(show: Callable[[Console], object]) -> None:
    """Print what is shown on a console of Rich, as `print_text` does.

    Rich itself would end the program where the reader has closed the pipe.

    Raises:
        Failure: as `print_text`.
    """
    from rich.console import Console  # noqa: PLC0415

    console = Console()
    with console.capture() as captured:
        show(console)
    print_text(captured.get().removesuffix("\n"))


def discard_output(error: OSError) -> None:
    """Discard all further output, after standard output could not be written.

    Raises:
        Failure: for another reason than that its reader has closed the pipe, as `head` does.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if not isinstance(error, BrokenPipeError):
        raise Failure(f"Standard output cannot be written: {error.strerror}.") from None


def confirm(question: str, *, err: bool = False) -> None:
    """Ask a question; Ctrl-C declines at once, also in a coroutine, where asyncio would only note it.

    Raises:
        Failure: it is declined, or standard input is not a terminal.
    """
    if not sys.stdin.isatty():
        raise Failure("Nothing was done: say --yes if you mean it.")
    previous_handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        agreed = typer.confirm(question, err=err)
    except typer.Abort:
        typer.echo(err=True)  # the line of the question has not ended
        agreed = False
    finally:
        signal.signal(signal.SIGINT, previous_handler)
    if not agreed:
        raise Failure("Nothing was done.")


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with a noun, in the plural unless it is one: `1 table`, `2,000 tables`."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def write_file(file: Path, text: str) -> None:
    """Write a text to a file, whole or not at all: a file that is there keeps its content if it fails.

    Raises:
        Failure: it cannot be written.
    """
    try:
        target = Path(os.path.realpath(file))  # a link stays one
        if target.exists() and not target.is_file():  # such as /dev/stdout, which cannot be replaced
            target.write_text(text, encoding="utf-8", newline="\n")
        else:
            _replace(target, text)
    except OSError as error:
        raise Failure(f"The file {file} cannot be written: {error.strerror}.") from None


def _replace(file: Path, text: str) -> None:
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)  # what a crash left there
    try:
        part.touch()
        if file.exists():
            shutil.copymode(file, part)  # it may be private
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
