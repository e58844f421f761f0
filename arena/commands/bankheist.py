"""`bankheist N`: the command line of the contest from which the game Bank Heist is derived."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.commands.tournaments import (
    current_folder,
    exit_interrupted,
    interruptible,
    play_order,
    seed_or_random,
    whole_number,
)
from chatbot.cli.context import print_text
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.engine.competition import Order, RunOutcome

COMPETITORS, LOG, RESULTS, ERRORS = "competitors.txt", "log.txt", "results.txt", "errors.txt"
DEFAULT_GAMES, MAX_GAMES = 1000, 1_000_000  # games

main = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "ignore_unknown_options": True},
)


@main.command()
def hold(
    games: Annotated[
        str, typer.Argument(metavar="[N]", help=f"The tournament has N to 1.1 N games; 1 to {MAX_GAMES}.")
    ] = str(DEFAULT_GAMES),
    seed: Annotated[
        str | None, typer.Option(metavar="S", help="The same text gives the same result.")
    ] = None,
) -> None:
    """Hold one tournament of the players in competitors.txt, a name and a command on each line.

    It writes log.txt, results.txt and errors.txt, all in the current folder.
    """
    from arena.engine.match import DeferredSignals  # noqa: PLC0415

    order = _order(whole_number("N", games, 1, MAX_GAMES), seed_or_random(seed))
    _write_results("")  # removes older results, and fails now if the file cannot be written
    with interruptible():
        outcome = play_order(order, quiet=False)
        with DeferredSignals():
            _report(outcome)
    if outcome.failure is not None:
        raise outcome.failure
    if outcome.interrupted:
        exit_interrupted()


def _order(least: int, seed: str) -> Order:
    from arena.engine import players  # noqa: PLC0415
    from arena.engine.competition import Order  # noqa: PLC0415
    from arena.engine.players import Lineup, distinct  # noqa: PLC0415
    from chatbot.games.heist.contest.contest import HeistContest  # noqa: PLC0415
    from chatbot.kernel.fair import Rng  # noqa: PLC0415

    contest = HeistContest(tournaments=1)
    competitors = distinct(players.read(Path(COMPETITORS), Lineup("heist", contest, current_folder())))
    length = least + Rng.of(f"{seed}/length").below(least * 11 // 10 - least + 1)
    return Order("heist", contest, tuple(competitors), length, seed, log=Path(LOG), errors=Path(ERRORS))


def _report(outcome: RunOutcome) -> None:
    """Write the standings to the results, and print them."""
    from arena.report import report  # noqa: PLC0415
    from chatbot.games.heist.contest.contest import ranking  # noqa: PLC0415

    if outcome.interrupted:
        typer.echo(report.stopped(outcome), err=True)
    if not outcome.tally.games:
        return
    placings = outcome.tally.places()
    standings = list(ranking([each.name for each in placings], [int(each.total) for each in placings]))
    _write_results("".join(f"{line}\n" for line in standings))
    headline = f"{report.headline(outcome)}, seed {outcome.order.seed}"
    print_text("\n".join([headline, *standings, *report.endings(outcome.tally), *_failures(outcome)]))


def _failures(outcome: RunOutcome) -> Sequence[str]:
    return [
        f"{each.name} failed {each.failures.total()} times; {ERRORS} says how."
        for each in outcome.tally.places()
        if each.failures
    ]


def _write_results(text: str) -> None:
    try:
        Path(RESULTS).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Failure(f"{RESULTS!r} cannot be written: {error.strerror}.") from None
