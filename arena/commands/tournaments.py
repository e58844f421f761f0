"""`chatbot arena GAME`: a command for each game, with the options of its contest."""

from __future__ import annotations

import inspect
import os
import re
import secrets
import signal
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, get_type_hints

import typer
from typer.core import TyperGroup

from chatbot.cli.context import print_rendered, print_text
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import FrameType

    from arena.engine.competition import Order, RunOutcome
    from arena.engine.players import Competitor
    from arena.programs.program import Limits
    from chatbot.kernel.contest import Contest
    from chatbot.kernel.kit import AnyKit

INTERRUPTED = 130
_MAX_GAMES = 10**9
_MAX_DEADLINE = 3600  # seconds
_MAX_SEED = 200  # characters
_NUMBER = re.compile(r"[0-9.e-]+", re.ASCII)  # without the `inf`, `1_0` and blanks that `float` takes


class ArenaGames(TyperGroup):
    """A group whose commands are the games; the command of a game is made when it is looked up."""

    def list_commands(self, ctx: object) -> list[str]:  # noqa: ARG002
        from chatbot.games import kits  # noqa: PLC0415

        return sorted(kits())

    # Any: a command is of Click, or of a copy of Click within Typer, depending on its version.
    def get_command(self, ctx: object, cmd_name: str) -> Any:  # noqa: ARG002
        from chatbot.games import kits, named  # noqa: PLC0415

        kit = named(cmd_name)
        if kit is None:
            raise Failure(f"There is no game {cmd_name!r}; there are: {', '.join(sorted(kits()))}.")
        return _command(kit)


app = typer.Typer(
    cls=ArenaGames,
    help="Hold tournaments of strategies and programs; each game has options of its own.",
    no_args_is_help=True,
    subcommand_metavar="GAME [PLAYER]...",
)


@dataclass(frozen=True, slots=True)
class ArenaArguments:
    """The arguments and options that the commands of all games have."""

    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER",
            help="A strategy's name, or a quoted command such as 'python me.py'; json:COMMAND talks JSON"
            " lines, NAME=PLAYER gives a name. With none, all strategies play.",
        ),
    ] = None
    competitors: Annotated[
        Path | None, typer.Option(metavar="FILE", help="More players: a name and a command on each line.")
    ] = None
    games: Annotated[str | None, typer.Option(metavar="N", help="Games of a match, 1 to 1000000000.")] = None
    seed: Annotated[
        str | None,
        typer.Option(metavar="S", help="The same text gives the same result; if left out, a fresh one."),
    ] = None
    jobs: Annotated[
        str | None, typer.Option(metavar="J", help="Processes that play, 1 to 512; if left out, one a core.")
    ] = None
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Have a Dask cluster play, such as tcp://host:8786.")
    ] = None
    log: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every game to this file.")] = None
    errors: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what went wrong with programs to this file.")
    ] = None
    deadline: Annotated[
        str | None,
        typer.Option(metavar="SECONDS", help="How long a program may take for a decision, up to 3600."),
    ] = None
    sandbox: Annotated[
        bool,
        typer.Option(
            "--sandbox/--no-sandbox", help="Run programs in bubblewrap, where it is installed and works."
        ),
    ] = True
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw a picture (PNG).")] = None
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False


def whole_number(flag: str, text: str, least: int, most: int) -> int:
    """Parse the value of an option as a whole number from `least` to `most`.

    Raises:
        Failure: it is not a whole number, or out of this range.
    """
    if text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most:
        return int(text)
    raise Failure(f"{flag} takes a whole number from {least} to {most}, not {text[:80]!r}.")


def seed_or_random(seed: str | None) -> str:
    """Return the seed, or a random one if it is None.

    Raises:
        Failure: it is too long, or has characters that cannot be printed.
    """
    if seed is None:
        return secrets.token_hex(8)
    if not seed.isprintable() or len(seed) > _MAX_SEED:
        raise Failure(f"--seed takes up to {_MAX_SEED} characters that can be printed, not {seed[:80]!r}.")
    return seed


@contextmanager
def interruptible() -> Iterator[None]:
    """Handle SIGTERM as Ctrl-C; a KeyboardInterrupt that leaves the context ends the program."""

    def interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  (a signal handler)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread handles signals
        return
    previous_handler = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("Stopped.", err=True)
        exit_interrupted()
    finally:
        signal.signal(signal.SIGTERM, previous_handler)


def exit_interrupted() -> NoReturn:
    """Exit with the status of an interrupted program; another Ctrl-C is ignored from here on."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(INTERRUPTED)


def current_folder() -> Path:
    """Return the current folder, in which programs are looked up.

    Raises:
        Failure: it does not exist any more.
    """
    try:
        return Path.cwd()
    except OSError:
        raise Failure("The current folder is gone; change to one that exists.") from None


def play_order(order: Order, quiet: bool) -> RunOutcome:
    """Play an order, with a progress bar on the terminal if it takes long; `quiet`: without."""
    from rich.console import Console  # noqa: PLC0415

    from arena.engine.competition import (  # noqa: PLC0415
        ProgressBar,
        carry_out,
    )

    with ProgressBar(Console(stderr=True, quiet=quiet)) as bar:
        return carry_out(order, bar.begin, lambda line: typer.echo(line, err=True))


def _command(kit: AnyKit) -> Any:  # Any: as `ArenaGames.get_command`
    """Make the command of a game: the common parameters, and the options of its contest."""
    from arena.engine.options import describe, options  # noqa: PLC0415

    parameters = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, annotation, default in _common_parameters()
    ]
    for each in options(kit):
        text = f"{each.help} Takes {each.expected}; {each.default or 'nothing'} if left out."
        option = typer.Option(each.flag, metavar=each.metavar, help=text)
        parameters.append(
            inspect.Parameter(
                each.key,
                inspect.Parameter.KEYWORD_ONLY,
                default=None,
                annotation=Annotated[str | None, option],
            )
        )

    def compete(**values: Any) -> None:  # Any: of the types in the signature below
        arguments = ArenaArguments(**{name: values.pop(name) for name, _, _ in _common_parameters()})
        _compete(kit, arguments, values)

    compete.__annotations__ = {each.name: each.annotation for each in parameters}
    setattr(compete, "__signature__", inspect.Signature(parameters))  # noqa: B010  (where Typer looks for it)
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command(kit.name, help=describe(kit))(compete)
    return typer.main.get_command(single)


def _common_parameters() -> Iterator[tuple[str, object, object]]:
    """Yield name, annotation and default of each common parameter."""
    hints = get_type_hints(ArenaArguments, include_extras=True)
    for each in fields(ArenaArguments):
        yield each.name, hints[each.name], each.default


def _compete(kit: AnyKit, arguments: ArenaArguments, values: Mapping[str, str | None]) -> None:
    from arena.engine.match import DeferredSignals  # noqa: PLC0415
    from arena.engine.options import contest_of  # noqa: PLC0415

    contest = contest_of(kit, {key: value for key, value in values.items() if value is not None})
    order = _order(kit, contest, arguments)
    with interruptible():
        outcome = play_order(order, quiet=arguments.json)
        with DeferredSignals():  # a second Ctrl-C does not interrupt it
            _print_outcome(outcome, arguments)
        _draw_plot(outcome)
    if outcome.failure is not None:
        raise outcome.failure
    if outcome.interrupted:
        exit_interrupted()


def _draw_plot(outcome: RunOutcome) -> None:
    """Draw the plot if one was ordered and a game was played.

    Raises:
        Failure: the file cannot be written.
    """
    if outcome.order.plot is not None and outcome.tally.games:
        from arena.report.plot import draw  # noqa: PLC0415  (it loads Matplotlib, which is slow)

        draw(outcome, outcome.order.plot)


def _order(kit: AnyKit, contest: Contest, arguments: ArenaArguments) -> Order:
    from arena.engine.competition import Order  # noqa: PLC0415
    from arena.report import run_files  # noqa: PLC0415

    if arguments.jobs is not None and arguments.scheduler is not None:
        raise Failure("Give --jobs or --scheduler, not both: a cluster has its own workers.")
    outputs = arguments.log, arguments.errors, arguments.plot
    run_files.check_distinct(arguments.competitors, *outputs)
    players = tuple(_players(kit, contest, arguments))
    commands = [each.command.words for each in players if each.command is not None]
    run_files.check_spared(chain.from_iterable(commands), *outputs)
    return Order(
        kit.name,
        contest,
        players,
        contest.usual_games
        if arguments.games is None
        else whole_number("--games", arguments.games, 1, _MAX_GAMES),
        seed_or_random(arguments.seed),
        jobs_of(arguments.jobs),
        arguments.scheduler,
        limits_of(arguments.deadline, contest.wire_format.seconds)._replace(sandbox=arguments.sandbox),
        arguments.log,
        arguments.errors,
        arguments.plot,
    )


def _players(kit: AnyKit, contest: Contest, arguments: ArenaArguments) -> list[Competitor]:
    from arena.engine import players  # noqa: PLC0415
    from arena.engine.players import Lineup, distinct  # noqa: PLC0415

    lineup = Lineup(kit.name, contest, current_folder())
    competitors = players.read(arguments.competitors, lineup) if arguments.competitors is not None else []
    competitors += [lineup.read(each) for each in arguments.players or ()]
    if not competitors and not arguments.json:
        typer.echo("No player is named: all strategies play.", err=True)
    return distinct(competitors) or lineup.all_strategies()


def jobs_of(typed: str | None) -> int:
    """Parse --jobs; None: one process a core.

    Raises:
        Failure: it is not a whole number, or out of its range.
    """
    from arena.engine.workers import MAX_JOBS  # noqa: PLC0415

    jobs = os.cpu_count() or 1 if typed is None else whole_number("--jobs", typed, 1, 512)
    return min(jobs, MAX_JOBS)


def limits_of(typed: str | None, usual: float) -> Limits:
    """Return the limits of programs with the deadline that was typed; None: `usual` seconds.

    Raises:
        Failure: it is no number of seconds, or out of its range.
    """
    from arena.programs.program import Limits  # noqa: PLC0415

    if typed is None:
        return Limits(seconds=usual)
    try:
        seconds = float(typed) if _NUMBER.fullmatch(typed) else 0.0
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _MAX_DEADLINE:  # nor "nan"
        raise Failure(f"--deadline takes seconds, up to {_MAX_DEADLINE}, not {typed[:80]!r}.")
    return Limits(seconds=seconds)


def _print_outcome(outcome: RunOutcome, arguments: ArenaArguments) -> None:
    from arena.report import report  # noqa: PLC0415

    if outcome.interrupted:
        typer.echo(report.stopped(outcome), err=True)
    if arguments.json:
        print_text(report.as_json(outcome))
    elif outcome.tally.games:
        print_text(f"{report.headline(outcome)}, seed {outcome.order.seed}")
        print_rendered(partial(report.show, outcome))


def command() -> Any:
    """Return the command, for the command line to find it by name."""
    return typer.main.get_group(app)
