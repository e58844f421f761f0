"""`chatbot ladder FOLDER`: programs of a folder meet until their ratings are known, and a site shows them."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.commands.tournaments import (
    current_folder,
    interruptible,
    jobs_of,
    limits_of,
    seed_or_random,
    whole_number,
)
from chatbot.cli.context import print_rendered, print_text
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from arena.engine.players import Lineup
    from arena.ladder.entrants import LadderEntry
    from arena.ladder.ladder import LadderOrder
    from arena.ladder.rules import DuelRules
    from arena.programs.program import Limits
    from chatbot.kernel.kit import AnyKit

ALL = "all"
_MAX_GAMES, _MAX_DUELS, _MAX_ERROR = 1_000_000, 1_000_000, 1000

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def ladder(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Programs: a folder for each, with a program.toml.")
    ],
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="The game; if left out, the only one that the programs name."),
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where the ladder is written and goes on; ladder-GAME."),
    ] = None,
    house: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="Built-in strategies that play too: names with commas, or all."),
    ] = None,
    games: Annotated[
        str | None, typer.Option(metavar="N", help="Games of a duel; if left out, as many as suit the game.")
    ] = None,
    error: Annotated[
        str, typer.Option(metavar="POINTS", help="The standard error of a rating that is good enough.")
    ] = "50",
    duels: Annotated[
        str, typer.Option(metavar="N", help="Duels after which a player's rating is left as it is.")
    ] = "100",
    seed: Annotated[
        str | None, typer.Option(metavar="S", help="The same text gives the same ladder; a fresh one.")
    ] = None,
    jobs: Annotated[
        str | None, typer.Option(metavar="J", help="Processes that play, 1 to 512; if left out, one a core.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Have a Dask cluster play, such as tcp://host:8786.")
    ] = None,
    deadline: Annotated[
        str | None,
        typer.Option(metavar="SECONDS", help="How long a program may take for a decision, up to 3600."),
    ] = None,
    sandbox: Annotated[
        bool,
        typer.Option(
            "--sandbox/--no-sandbox", help="Run programs in bubblewrap, where it is installed and works."
        ),
    ] = True,
) -> None:
    """Rate programs by duels, and write a site; the same command goes on where it was stopped."""
    from arena.engine.options import default_contest  # noqa: PLC0415

    kit = _kit(folder, game)
    limits = limits_of(deadline, default_contest(kit).wire_format.seconds)._replace(sandbox=sandbox)
    if jobs is not None and scheduler is not None:
        raise Failure("Give --jobs or --scheduler, not both: a cluster has its own workers.")
    order = _order(
        kit, folder, to, house, _rules(kit, games, limits), seed, (error, duels), (jobs_of(jobs), scheduler)
    )
    _play(order)


def _kit(folder: Path, game: str | None) -> AnyKit:
    """Return the game of a ladder.

    Raises:
        Failure: there is none of that name, or the programs do not name just one.
    """
    from arena.ladder.entrants import games_of  # noqa: PLC0415
    from chatbot.games import kits, named  # noqa: PLC0415

    if game is not None:
        kit = named(game)
        if kit is None:
            raise Failure(f"There is no game {game[:80]!r}; there are: {', '.join(sorted(kits()))}.")
        return kit
    games = sorted(games_of(folder))
    if len(games) != 1:
        named_games = f"are for {', '.join(games)}" if games else "name no game"
        raise Failure(f"The programs in {str(folder)!r} {named_games}; say which by --game.")
    return kits()[games[0]]


def _rules(kit: AnyKit, games: str | None, limits: Limits) -> DuelRules:
    from arena.engine.options import default_contest  # noqa: PLC0415
    from arena.ladder.rules import DuelRules, usual_games  # noqa: PLC0415

    count = usual_games(kit.name) if games is None else whole_number("--games", games, 1, _MAX_GAMES)
    return DuelRules(kit.name, default_contest(kit), count, limits)


def _order(
    kit: AnyKit,
    folder: Path,
    to: Path | None,
    house: str | None,
    rules: DuelRules,
    seed: str | None,
    enough: tuple[str, str],
    workers: tuple[int, str | None],
) -> LadderOrder:
    """Make the order; `enough` are the values of --error and --duels, `workers` jobs and a scheduler."""
    from arena.engine.players import Lineup  # noqa: PLC0415
    from arena.ladder.entrants import read_folder  # noqa: PLC0415
    from arena.ladder.ladder import LadderOrder  # noqa: PLC0415

    return LadderOrder(
        rules,
        read_folder(current_folder() / folder, kit.name, rules.contest),
        _house(house, Lineup(kit.name, rules.contest, folder)),
        to or Path(f"ladder-{kit.name}"),
        None if seed is None else seed_or_random(seed),
        float(_points(enough[0])),
        whole_number("--duels", enough[1], 1, _MAX_DUELS),
        *workers,
    )


def _points(typed: str) -> float:
    if re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,3})?", typed, re.ASCII) and 1 <= float(typed) <= _MAX_ERROR:
        return float(typed)
    raise Failure(f"--error takes points from 1 to {_MAX_ERROR}, not {typed[:80]!r}.")


def _house(typed: str | None, lineup: Lineup) -> list[LadderEntry]:
    from arena.ladder.entrants import house_entries  # noqa: PLC0415

    if typed is None:
        return []
    names = lineup.contest.strategies if typed == ALL else [each.strip() for each in typed.split(",")]
    return house_entries(names, lineup)


def _play(order: LadderOrder) -> None:
    from arena.ladder.entrants import FRONT  # noqa: PLC0415
    from arena.ladder.ladder import climb  # noqa: PLC0415
    from arena.ladder.report import show  # noqa: PLC0415

    with interruptible():
        book = climb(order, lambda: seed_or_random(None), lambda line: typer.echo(line, err=True))
    print_rendered(partial(show, book))
    print_text(f"The site is {order.site / FRONT}.")


def command() -> Any:
    """Return the command, for the command line to find it by name."""
    return typer.main.get_command(app)
