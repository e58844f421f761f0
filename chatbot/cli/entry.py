"""The commands of the command line. A command imports what it needs when it runs, so that help is quick."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import sys
from dataclasses import replace
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from chatbot import __version__, collector
from chatbot.cli.archiving import archive
from chatbot.cli.context import confirm, database_url, load_settings, print_text, tell, tell_running
from chatbot.cli.desk import desk
from chatbot.cli.imports import import_balances
from chatbot.cli.launch import INTERRUPTED
from chatbot.cli.members import export, forget
from chatbot.cli.overlay import overlay
from chatbot.cli.rewards import rewards_commands
from chatbot.cli.settings import settings_commands
from chatbot.invocation import invocation, with_extra, with_invocations
from chatbot.kernel.game import Failure
from chatbot.keys.discretion import Discretion

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.keys.ring import Purpose
    from chatbot.ledger.audit.repair import RepairPlan

CHECK_FAILED = 1
USAGE_ERROR = 2
CLASSIC_ERROR = 1  # of `chickp --classic`: TCLAP, which reads the original's options, exits with it

IN_BRIEF = {
    "run": "Open the local page and every connected platform (the default).",
    "connect": "Connect the bot to Twitch or Discord, step by step.",
    "desk": "Print an address at which you set up the running bot.",
    "status": "Print which processes run which rooms.",
    "doctor": "Check settings, database and tokens, and say what to do.",
    "overlay": "Print the address that shows a room on stream.",
    "rewards": "Let viewers stake channel points of Twitch.",
    "settings": "Keep the settings of a room in a TOML file.",
    "rehearse": "Play a script of chat lines, and print what is said.",
    "update": "Bring the program to its newest version, or say how.",
    "backup": "Copy the database, also while the bot runs.",
    "restore": "Put a backup in the place of the database.",
    "archive": "Put old finished tables into the archive.",
    "audit": "Check that every credit is accounted for.",
    "verify": "Play a table again, and check its draws and transfers.",
    "import": "Bring balances along from another bot.",
    "export": "Print the proof of a table, a member's data, or balances.",
    "forget": "Take a member out of everything that is kept.",
    "arena": "Hold tournaments of strategies and programs.",
    "ladder": "Rate the programs of a folder by duels, and write a site.",
    "solve": "Work out exact values and best play.",
    "shell": "Open a Python prompt inside a bot, for developers.",
}
"""All commands, in the order of the help, each in as few words as fit a line of 80 columns there."""


LIBRARIES_OF_ARENA = {"numpy": "NumPy", "scipy": "SciPy", "numba": "Numba", "matplotlib": "Matplotlib"}
OF_ARENA = {"arena": "tournaments", "ladder": "ladder", "solve": "solving"}
"""Commands of the arena, with their modules in `arena.commands`; each returns its own by `command()`."""


class Commands(TyperGroup):
    """Lists commands in the order of `IN_BRIEF`, and finds those of the arena by name.

    The bot imports nothing of the arena, so that it runs without what the arena needs, and starts sooner.
    """

    def list_commands(self, ctx: Any) -> list[str]:  # the context of a Click that Typer keeps to itself
        return sorted([*super().list_commands(ctx), *OF_ARENA], key=[*IN_BRIEF].index)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in OF_ARENA:
            return super().get_command(ctx, cmd_name)
        command = import_module(f"arena.commands.{OF_ARENA[cmd_name]}").command()
        command.name, command.short_help = cmd_name, IN_BRIEF[cmd_name]
        return command


app = typer.Typer(
    cls=Commands,
    help="Rabble: games a whole chat plays together.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # Rich takes longer to import than all the rest
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
connect_commands = typer.Typer(help="Connect the bot to a platform, step by step.", no_args_is_help=True)
app.add_typer(connect_commands, name="connect", short_help=IN_BRIEF["connect"])
app.add_typer(settings_commands, name="settings", short_help=IN_BRIEF["settings"])
app.add_typer(rewards_commands, name="rewards", short_help=IN_BRIEF["rewards"])
app.command("import", short_help=IN_BRIEF["import"])(import_balances)
app.command(short_help=IN_BRIEF["export"])(export)
app.command(short_help=IN_BRIEF["forget"])(forget)
app.command(short_help=IN_BRIEF["archive"])(archive)
app.command(short_help=IN_BRIEF["overlay"])(overlay)
app.command(short_help=IN_BRIEF["desk"])(desk)


def main() -> None:
    """Run the command line; a failure that an operator can correct is printed as one sentence."""
    _run(lambda: app(prog_name=invocation()))


def _run(command: Callable[[], object], usage_error: int = USAGE_ERROR) -> None:
    _open_missing_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # the console of Windows may lack characters
            stream.reconfigure(encoding="utf-8", errors="replace")
    # Until a command configures the log; what libraries advise is nothing to whoever types a command.
    logging.basicConfig(level=logging.ERROR)
    try:
        command()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)  # before the command handles interrupts itself
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in LIBRARIES_OF_ARENA:
            raise
        library = LIBRARIES_OF_ARENA[(error.name or "").partition(".")[0]]
        sentence = f"This needs {library}, which comes with the extra `arena`: {with_extra('arena')}."
        _exit_with_usage_error(sentence, usage_error)
    except Failure as failure:
        # This one has no secret registered; it recognizes secrets by their form.
        _exit_with_usage_error(with_invocations(Discretion().clean(str(failure))), usage_error)
    except Exception as error:
        reason = _database_trouble(error)
        if reason is None:
            raise
        sentence = f"The database could not do it ({reason}); `chatbot audit` tells whether it is damaged."
        _exit_with_usage_error(with_invocations(Discretion().clean(sentence)), usage_error)


def _open_missing_streams() -> None:
    """Open those standard streams that were closed when the program was started, as by a service, on nothing.

    Otherwise a file that is opened later, such as a database, would take the descriptor of one.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def _database_trouble(error: Exception) -> str | None:
    """Return why the database failed after it could be opened; None if the error is another."""
    if "sqlalchemy" not in sys.modules:  # it takes long to import
        return None
    from chatbot.ledger.store import engines  # noqa: PLC0415

    return engines.trouble(error)


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Start everything that is configured: the same as `chatbot run`."""
    if version:
        _show_version()
    elif context.invoked_subcommand is None:
        run()


def _show_version() -> None:
    """Print the version, and whether the database is of it; what cannot be told of that is no failure."""
    print_text(f"Rabble {__version__}")
    from chatbot.cli import update as updating  # noqa: PLC0415

    try:
        sentence = asyncio.run(updating.fit(database_url(None)))
    except Failure as failure:
        sentence = Discretion().clean(str(failure))
    tell(sentence)


@app.command(short_help=IN_BRIEF["run"])
def run(
    reload: Annotated[
        bool, typer.Option("--reload", help="For developers: start again when a file of the program changes.")
    ] = False,
) -> None:
    """Open the local chat page and every platform that is connected, and keep running until Ctrl-C."""
    if reload:
        _run_reloading()
        return
    with collector.importing():
        from chatbot.app import serve  # noqa: PLC0415

    settings, discretion = load_settings(quiet=False)
    asyncio.run(serve(settings, discretion, tell_running))


def _run_reloading() -> NoReturn:
    from chatbot.cli import reloading  # noqa: PLC0415

    places = reloading.sources()
    if not reloading.is_child():
        sys.exit(reloading.Parent(reloading.command(), tell_running, places).run())
    settings, discretion = load_settings(quiet=False)
    changed = asyncio.run(reloading.serve_until_change(settings, discretion, tell_running, places))
    sys.exit(reloading.CHANGED if changed else 0)


@app.command(short_help=IN_BRIEF["shell"])
def shell(
    database: Annotated[str | None, typer.Option(help="Keep everything in the database of this URL.")] = None,
    configured: Annotated[
        bool, typer.Option("--configured", help="Run the bot that the settings describe, with its platforms.")
    ] = False,
) -> None:
    """Start a bot of its own, with nothing at stake, and a prompt of Python inside of it, for developers."""
    from chatbot.cli import shell as prompt  # noqa: PLC0415

    if configured and database is not None:
        raise Failure("Give --database or --configured: the settings name a database of their own.")
    settings, discretion = load_settings(quiet=False)
    if configured:
        prompt.run(settings, discretion, tell_running)
        return
    with prompt.throwaway(settings, database) as alone:
        prompt.run(alone, discretion, tell_running)


@app.command(short_help=IN_BRIEF["rehearse"])
def rehearse(
    file: Annotated[Path | None, typer.Argument(help="The script; standard input if left out.")] = None,
    seed: Annotated[str | None, typer.Option(help="The same text tells the same story.")] = None,
    database: Annotated[str | None, typer.Option(help="Keep everything in the database of this URL.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
) -> None:
    """Play a script of chat lines against a clock turned by hand, and print what is said."""
    from chatbot.cli import rehearsal  # noqa: PLC0415

    settings, _ = load_settings()
    steps = rehearsal.read_script(_script_lines(file))
    format_message = rehearsal.as_json if json else rehearsal.as_text
    seed = secrets.token_hex(16) if seed is None else seed
    rehearsed = rehearsal.Rehearsal(
        seed, database, settings.language, lambda *message: print_text(format_message(*message))
    )
    asyncio.run(rehearsed.play(steps))


@app.command(short_help=IN_BRIEF["update"])
def update(
    undo: Annotated[
        bool, typer.Option("--undo", help="Go back to the version before; the bot must not be running.")
    ] = False,
) -> None:
    """Copy the database, and bring the program to its newest version, or say how where it cannot itself."""
    from chatbot.cli import update as updating  # noqa: PLC0415

    settings, _ = load_settings()
    (updating.undo if undo else updating.update)(settings, tell, updating.installation())


@app.command(short_help=IN_BRIEF["backup"])
def backup(
    database: Annotated[str | None, typer.Option(help="A URL other than CHATBOT_DATABASE.")] = None,
    to: Annotated[Path | None, typer.Option(help="A folder other than backups, beside it.")] = None,
) -> None:
    """Copy the database, also while the bot runs, and print where the copy is."""
    from chatbot.ledger.store import backup  # noqa: PLC0415

    file, most = _database_file(database), load_settings()[0].backup_mb * 10**6
    folder, now = to or backup.beside(file), datetime.now(UTC)
    print_text(str(backup.back_up(file, folder, now)))
    for each in backup.fit(folder, file.stem, now, most):
        typer.echo(backup.removed(each), err=True)


@app.command(short_help=IN_BRIEF["restore"])
def restore(
    copy: Annotated[Path, typer.Argument(metavar="FILE", help="One of the backups.")],
    database: Annotated[str | None, typer.Option(help="A URL other than CHATBOT_DATABASE.")] = None,
) -> None:
    """Put a backup in the place of the database, which is kept; the bot must not be running."""
    from chatbot.ledger.store import backup  # noqa: PLC0415

    file = _database_file(database)
    previous_file = backup.restore(copy, file, datetime.now(UTC))
    previous = f"The former one was put in {previous_file}." if previous_file else "There was none before."
    print_text(f"The database {file} now holds what was in {copy}. {previous}")


@app.command(short_help=IN_BRIEF["status"])
def status(
    database: Annotated[str | None, typer.Option(help="A URL other than CHATBOT_DATABASE.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print which processes run which rooms; exit with 1 where nobody does, or something is not done."""
    from chatbot.cli import status as statuses  # noqa: PLC0415

    present = asyncio.run(statuses.read_status(database_url(database)))
    print_text(statuses.as_json(present) if json else "\n".join(statuses.in_words(present)))
    if not present.is_sound:
        raise typer.Exit(1)


@app.command(short_help=IN_BRIEF["audit"])
def audit(
    database: Annotated[str | None, typer.Option(help="A URL other than CHATBOT_DATABASE.")] = None,
    changes: Annotated[
        bool, typer.Option("--changes", help="Print what moderators changed instead.")
    ] = False,
    mint: Annotated[
        bool, typer.Option("--mint", help="Print what makes credits by somebody's choice instead.")
    ] = False,
    room: Annotated[str | None, typer.Option(help="With --changes or --mint, those of one room.")] = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Correct by postings what can be; the bot must not be running.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --repair, do not ask.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check that every credit is accounted for, also while the bot runs; exit with 1 where one is not."""
    from chatbot.cli import inspection  # noqa: PLC0415

    if room is not None and not changes and not mint:
        raise Failure("--room goes with --changes or --mint: the books of all rooms are checked together.")
    if changes + mint + repair > 1:
        raise Failure("Give one of --changes, --mint and --repair: the first two only print what was done.")
    if mint:
        from chatbot.cli import minting  # noqa: PLC0415

        sources = asyncio.run(minting.sources(database_url(database), room))
        print_text(minting.as_json(sources) if json else "\n".join(minting.in_words(sources)))
        return
    if changes:
        change_sets = asyncio.run(inspection.changes(database_url(database), room))
        print_text(
            inspection.changes_as_json(change_sets)
            if json
            else "\n".join(inspection.changes_in_words(change_sets))
        )
        return
    if repair:
        report = asyncio.run(
            inspection.repair(database_url(database), lambda plan: _confirm(plan, asks=not yes))
        )
    else:
        with inspection.progress(shown=sys.stdout.isatty()) as on_progress:
            report = asyncio.run(inspection.audit(database_url(database), on_progress))
    for line in [inspection.audit_as_json(report)] if json else inspection.audit_in_words(report):
        tell(line)
    if repair and report.breaches:
        tell("What is left no posting corrects; put a backup back by `chatbot restore`.")
    sys.exit(CHECK_FAILED if report.breaches else 0)


def _confirm(plan: RepairPlan, *, asks: bool) -> None:
    """Print what would be corrected, and ask for confirmation if `asks`.

    Raises:
        Failure: it is declined, or standard input is not a terminal.
    """
    from chatbot.cli import inspection  # noqa: PLC0415

    for line in inspection.plan_in_words(plan):
        typer.echo(line, err=True)
    if asks:
        confirm("Correct them?", err=True)


@app.command(short_help=IN_BRIEF["verify"])
def verify(
    proof: Annotated[
        str, typer.Argument(metavar="TABLE|FILE", help="A table that is over, or its proof or replay.")
    ],
    database: Annotated[str | None, typer.Option(help="A URL other than CHATBOT_DATABASE.")] = None,
    head: Annotated[str | None, typer.Option(help="The head of a chain that the chat was told.")] = None,
    terms: Annotated[str | None, typer.Option(help="The terms that the chat was told.")] = None,
    record: Annotated[str | None, typer.Option(help="The record that the chat was told.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Play a table again, and check its draws and transfers; exit with 1 where they are others."""
    from chatbot.cli import inspection  # noqa: PLC0415

    told_hashes = {"head": head, "terms": terms, "record": record}
    if inspection.is_file(proof):
        table, findings = inspection.verify_file(Path(proof), told_hashes)
    else:
        table, hashes = asyncio.run(inspection.read_table(database_url(database), proof))
        findings = inspection.verify(table, hashes, told_hashes)
    print_text(
        inspection.verify_as_json(table, findings)
        if json
        else "\n".join(inspection.verify_in_words(table, findings))
    )
    sys.exit(0 if all(each.holds for each in findings) else CHECK_FAILED)


@connect_commands.command("twitch")
def connect_twitch(
    bot: Annotated[bool, typer.Option("--bot", help="Connect the account that speaks for the bot.")] = False,
    broadcaster: Annotated[
        bool, typer.Option("--broadcaster", help="Connect the streamer's account.")
    ] = False,
    points: Annotated[
        bool, typer.Option("--points", help="Let the streamer's viewers stake channel points, too.")
    ] = False,
    predictions: Annotated[
        bool, typer.Option("--predictions", help="Let the streamer's viewers bet on games, too.")
    ] = False,
    announcements: Annotated[
        bool, typer.Option("--announcements", help="Let the bot announce results, too.")
    ] = False,
) -> None:
    """Connect a Twitch account: it confirms a code in a browser, and nobody tells a password."""
    from chatbot.connecting import Guide  # noqa: PLC0415
    from cogs.twitch.endpoints import TwitchEndpoints  # noqa: PLC0415

    settings, discretion = load_settings()
    endpoints = TwitchEndpoints(id=settings.twitch_id_url)
    features: dict[Purpose, bool] = {
        "points": points,
        "predictions": predictions,
        "announcements": announcements,
    }
    purposes = _purposes(
        bot or announcements,
        broadcaster or points or predictions,
        may_ask=settings.twitch_application is not None,
    )
    purposes |= {feature for feature, is_on in features.items() if is_on}
    guiding = Guide(discretion, tell, twitch_endpoints=endpoints).twitch(
        settings.twitch_application, settings.twitch_tokens, purposes
    )
    try:
        asyncio.run(guiding)
    except KeyboardInterrupt:
        typer.echo("Stopped; nothing was changed.", err=True)
        sys.exit(INTERRUPTED)


@connect_commands.command("discord")
def connect_discord() -> None:
    """Check the bot's Discord token, and print the link that invites it to a server."""
    from chatbot.connecting import Guide  # noqa: PLC0415
    from cogs.discord.endpoints import DiscordEndpoints  # noqa: PLC0415

    settings, discretion = load_settings()
    endpoints = DiscordEndpoints(api=settings.discord_api_url)
    token = settings.discord_token
    guide = Guide(discretion, tell, discord_endpoints=endpoints)
    asyncio.run(guide.discord(token.get_secret_value() if token else None))


@app.command(short_help=IN_BRIEF["doctor"])
def doctor(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    live: Annotated[
        bool, typer.Option("--live", help="Play a heist on your platforms instead, step by step.")
    ] = False,
    wait: Annotated[
        float, typer.Option(min=1, max=3600, help="With --live, seconds in which somebody is to type.")
    ] = 180,
) -> None:
    """Check settings, database, tokens and more, and say what to do; exit with 1 where something is wrong."""
    from chatbot.cli import doctor as checks  # noqa: PLC0415

    if live:
        _check_live(wait, json=json)
    try:
        findings = asyncio.run(checks.Doctor(*load_settings()).examine())
    except Failure as failure:
        findings = checks.settings_failure(failure)
    findings = [replace(each, sentence=with_invocations(each.sentence)) for each in findings]
    print_text(checks.as_json(findings) if json else "\n".join(checks.in_words(findings)))
    sys.exit(0 if checks.is_healthy(findings) else CHECK_FAILED)


def _check_live(wait: float, *, json: bool) -> NoReturn:
    """Play a heist on the platforms, print what is found as it comes, and exit.

    With `json`, that goes to standard error, and the findings are one object at the end.
    """
    from chatbot.cli import doctor as checks  # noqa: PLC0415
    from chatbot.cli.live_check import LiveCheck, StepLimits  # noqa: PLC0415

    def show(sentence: str) -> None:
        if json:
            typer.echo(with_invocations(sentence), err=True)
        else:
            tell(sentence)

    try:
        settings, discretion = load_settings(quiet=False)
        findings = asyncio.run(LiveCheck(settings, discretion, show, StepLimits(typed=wait)).run())
    except Failure as failure:
        _exit_with_usage_error(with_invocations(Discretion().clean(str(failure))), CHECK_FAILED)
    except KeyboardInterrupt:
        typer.echo("Stopped; wallets, settings and database are as they were.", err=True)
        sys.exit(INTERRUPTED)
    findings = [replace(each, sentence=with_invocations(each.sentence)) for each in findings]
    print_text(checks.as_json(findings) if json else checks.summary(findings))
    sys.exit(0 if checks.is_healthy(findings) else CHECK_FAILED)


def chickp() -> None:
    """Run Chicken Poker's own command line."""
    options = import_module("arena.commands.chickp.options")
    _run(_program("chickp.command"), CLASSIC_ERROR if options.is_classic(sys.argv[1:]) else USAGE_ERROR)


def bankheist() -> None:
    """Run the heist contest's own command line."""
    _run(_program("bankheist"))


def _program(module: str) -> Callable[[], object]:
    """Return what runs a program of the arena, whose module is imported then: it may need what is missing."""
    return lambda: import_module(f"arena.commands.{module}").main()


def _purposes(bot: bool, broadcaster: bool, may_ask: bool) -> frozenset[Purpose]:
    """Return the purposes of the options, or ask for them if there are none and `may_ask`.

    Raises:
        Failure: standard input is not a terminal.
    """
    options: dict[Purpose, bool] = {"bot": bot, "broadcaster": broadcaster}
    if any(options.values()) or not may_ask:
        return frozenset(purpose for purpose, is_on in options.items() if is_on)
    if not sys.stdin.isatty():
        raise Failure("Say which account signs in: `chatbot connect twitch --bot`, or `--broadcaster`.")
    is_bot = typer.confirm("Is this the account that speaks for the bot? (No: it is the streamer's)", True)
    return frozenset({"bot" if is_bot else "broadcaster"})


def _database_file(database: str | None) -> Path:
    """Return the file of a database.

    Raises:
        Failure: the database is on a server.
    """
    from chatbot.ledger.store import engines  # noqa: PLC0415

    file = engines.file_of(database_url(database))
    if file is None:
        raise Failure("This database is on a server; use the server's own tools, pg_dump and pg_restore.")
    return file


def _script_lines(file: Path | None) -> list[str]:
    try:  # as bytes: Python would decode standard input as the console of Windows does
        content = sys.stdin.buffer.read() if file is None else file.read_bytes()
        return content.decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        script = "on standard input" if file is None else file
        raise Failure(f"The script {script} cannot be read: {reason}.") from None


def _exit_with_usage_error(sentence: str, code: int = USAGE_ERROR) -> NoReturn:
    typer.echo(sentence, err=True)
    sys.exit(code)
