"""`chatbot arena GAME`: one command for each game there is, with the options of its contest."""

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
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, get_type_hints

import typer
from typer.core import TyperGroup

from chatbot.kernel.failure import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import FrameType

    from chatbot.arena.engine.competition import Order, RunOutcome
    from chatbot.arena.engine.players import Competitor
    from chatbot.arena.programs.program import Limits
    from chatbot.kernel.contest import Contest
    from chatbot.kernel.kit import AnyKit

INTERRUPTED = 130
_MOST_GAMES = 10**9
_LONGEST_DEADLINE = 3600  # seconds
_LONGEST_SEED = 200  # characters
_PLAIN = re.compile(r"[0-9.e-]+", re.ASCII)  # of a number


class ArenaGames(TyperGroup):
    """Lists the games that there are, and makes the command of one when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        from chatbot.games import kits  # noqa: PLC0415

        return sorted(kits())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        from chatbot.games import kits, named  # noqa: PLC0415

        kit = named(cmd_name)
        if kit is None:
            raise Failure(f"There is no game {cmd_name!r}; there are: {', '.join(sorted(kits()))}.")
        return _command(kit)


arena = typer.Typer(
    cls=ArenaGames,
    help="Hold tournaments of strategies and programs; each game has options of its own.",
    no_args_is_help=True,
    subcommand_metavar="GAME [PLAYER]...",
)


@dataclass(frozen=True, slots=True)
class Typed:
    """What was typed, apart from the options of the game's contest."""

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
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw a picture (PNG).")] = None
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False


def whole(flag: str, text: str, least: int, most: int) -> int:
    """Read a whole number.

    Raises:
        Failure: it is none, or out of its range.
    """
    if text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most:
        return int(text)
    raise Failure(f"{flag} takes a whole number from {least} to {most}, not {text[:80]!r}.")


def seeded(seed: str | None) -> str:
    """Take the seed that was typed, or draw one.

    Raises:
        Failure: it is too long, or has signs that cannot be printed.
    """
    if seed is None:
        return secrets.token_hex(8)
    if not seed.isprintable() or len(seed) > _LONGEST_SEED:
        raise Failure(
            f"--seed takes up to {_LONGEST_SEED} characters that can be printed, not {seed[:80]!r}."
        )
    return seed


@contextmanager
def stoppable() -> Iterator[None]:
    """Have the system's wish that this ends be the same as Ctrl-C."""

    def interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  (a signal's shape)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield  # signals are the main thread's
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("Stopped.", err=True)
        leave()
    finally:
        signal.signal(signal.SIGTERM, before)


def leave() -> NoReturn:
    """End what was interrupted; all has been told, so one more Ctrl-C is none."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(INTERRUPTED)


def here() -> Path:
    """Give the folder in which programs are looked for.

    Raises:
        Failure: it is gone.
    """
    try:
        return Path.cwd()
    except OSError:
        raise Failure("The current folder is gone; change to one that exists.") from None


def carried_out(order: Order, quiet: bool) -> RunOutcome:
    """Play what is ordered, with a bar on the terminal where it takes long."""
    from rich.console import Console  # noqa: PLC0415

    from chatbot.arena.engine.competition import (  # noqa: PLC0415
        ProgressBar,
        carry_out,
    )

    with ProgressBar(Console(stderr=True, quiet=quiet)) as bar:
        return carry_out(order, bar.begin)


def _command(kit: AnyKit) -> Any:
    """Make the command of a game: what is the same for all, and the options of its contest."""
    from chatbot.arena.engine.options import describe, options  # noqa: PLC0415

    given = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, annotation, default in _fixed()
    ]
    for each in options(kit):
        told = f"{each.help} Takes {each.expected}; {each.default or 'nothing'} if left out."
        offered = typer.Option(each.flag, metavar=each.metavar, help=told)
        given.append(
            inspect.Parameter(
                each.key,
                inspect.Parameter.KEYWORD_ONLY,
                default=None,
                annotation=Annotated[str | None, offered],
            )
        )

    def compete(**words: Any) -> None:
        _compete(kit, Typed(**{name: words.pop(name) for name, _, _ in _fixed()}), words)

    compete.__annotations__ = {each.name: each.annotation for each in given}
    setattr(compete, "__signature__", inspect.Signature(given))  # noqa: B010  (where Typer looks for it)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(kit.name, help=describe(kit))(compete)
    return typer.main.get_command(alone)


def _fixed() -> Iterator[tuple[str, Any, object]]:
    """Give name, annotation and default of what every game's command takes."""
    hints = get_type_hints(Typed, include_extras=True)
    for each in fields(Typed):
        yield each.name, hints[each.name], each.default


def _compete(kit: AnyKit, typed: Typed, chosen: Mapping[str, str | None]) -> None:
    from chatbot.arena.engine.competition import illustrate  # noqa: PLC0415
    from chatbot.arena.engine.match import DeferredSignals  # noqa: PLC0415
    from chatbot.arena.engine.options import contest_of  # noqa: PLC0415

    contest = contest_of(kit, {key: value for key, value in chosen.items() if value is not None})
    order = _order(kit, contest, typed)
    with stoppable():
        outcome = carried_out(order, quiet=typed.json)
        with DeferredSignals():  # an impatient second Ctrl-C does not take what the first one asked for
            _tell(outcome, typed)
        illustrate(outcome)
    if outcome.failure is not None:
        raise outcome.failure
    if outcome.interrupted:
        leave()


def _order(kit: AnyKit, contest: Contest, typed: Typed) -> Order:
    from chatbot.arena.engine.competition import Order  # noqa: PLC0415
    from chatbot.arena.report import run_files  # noqa: PLC0415

    if typed.jobs is not None and typed.scheduler is not None:
        raise Failure("Give --jobs or --scheduler, not both: a cluster has its own workers.")
    run_files.check_distinct(typed.competitors, typed.log, typed.errors, typed.plot)
    return Order(
        kit.name,
        contest,
        tuple(_players(kit, contest, typed)),
        contest.usual_games if typed.games is None else whole("--games", typed.games, 1, _MOST_GAMES),
        seeded(typed.seed),
        _jobs(typed.jobs),
        typed.scheduler,
        _limits(typed.deadline, contest.tongue.seconds),
        typed.log,
        typed.errors,
        typed.plot,
    )


def _players(kit: AnyKit, contest: Contest, typed: Typed) -> list[Competitor]:
    from chatbot.arena.engine import players  # noqa: PLC0415
    from chatbot.arena.engine.players import Lineup, distinct  # noqa: PLC0415

    lineup = Lineup(kit.name, contest, here())
    wanted = players.read(typed.competitors, lineup) if typed.competitors is not None else []
    wanted += [lineup.read(each) for each in typed.players or ()]
    if not wanted and not typed.json:
        typer.echo("No player is named: all strategies play.", err=True)
    return distinct(wanted) or lineup.all_strategies()


def _jobs(typed: str | None) -> int:
    from chatbot.arena.engine.workers import MAX_JOBS  # noqa: PLC0415

    jobs = os.cpu_count() or 1 if typed is None else whole("--jobs", typed, 1, 512)
    return min(jobs, MAX_JOBS)


def _limits(typed: str | None, usual: float) -> Limits:
    from chatbot.arena.programs.program import Limits  # noqa: PLC0415

    if typed is None:
        return Limits(seconds=usual)
    try:
        seconds = float(typed) if _PLAIN.fullmatch(typed) else 0.0
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _LONGEST_DEADLINE:  # nor "nan"
        raise Failure(f"--deadline takes seconds, up to {_LONGEST_DEADLINE}, not {typed[:80]!r}.")
    return Limits(seconds=seconds)


def _tell(outcome: RunOutcome, typed: Typed) -> None:
    from rich.console import Console  # noqa: PLC0415

    from chatbot.arena.report import report  # noqa: PLC0415

    if outcome.interrupted:
        typer.echo(report.stopped(outcome), err=True)
    if typed.json:
        typer.echo(report.as_json(outcome))
    elif outcome.tally.games:
        typer.echo(f"{report.headline(outcome)}, seed {outcome.order.seed}")
        report.show(outcome, Console())
