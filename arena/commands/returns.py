"""`chatbot solve returns`: works out what the best replies to the house's strategies get back of a stake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from chatbot.cli.context import print_text, write_file
from chatbot.kernel import returns
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.kernel.contest import OnProgress
    from chatbot.kernel.returns import BestReply, Returns, ReturnsKey

NAME = "returns"


def command() -> Any:  # Any: of Click, or of a copy of Click within Typer, depending on its version
    """Make the command, which stands beside those of games."""
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command(NAME)(work_out)
    return typer.main.get_command(single)


def work_out(
    write: Annotated[bool, typer.Option("--write", help="Write them into the file that ships.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Print nothing but what differs from the file; exit with 1 then.")
    ] = False,
) -> None:
    """What does the best reply to each strategy of the house return, of each credit staked against it?

    All strategies of this program's games are worked out at all lengths, in about 20 seconds.
    """
    from arena.commands.solving import waiting  # noqa: PLC0415  (which offers this command)

    if write and check:
        raise Failure("--write changes what --check compares with: give one of them.")
    with waiting() as progress:
        figures = dict(work_out_all(progress))
    if check:
        _compare(figures)
        return
    lines = "\n".join(returns.write(figures))
    if write:
        write_file(returns.file(), f"{lines}\n")
    else:
        print_text(lines)


def work_out_all(progress: OnProgress) -> Iterator[tuple[ReturnsKey, BestReply]]:
    """Work out the strategies of all games of this program, game by game."""
    from chatbot.games import own  # noqa: PLC0415

    solvers = {name: kit.programs.returns for name, kit in sorted(own().items())}
    solvers_by_game = {name: solver for name, solver in solvers.items() if solver is not None}
    for count, (name, solver) in enumerate(solvers_by_game.items()):
        progress(count, len(solvers_by_game))
        yield from (((name, strategy, length), reply) for strategy, length, reply in solver()())


def _compare(figures: Returns) -> None:
    """Exit with 1 if the file that ships has other figures, and say which.

    Figures of deals that were drawn come out alike: the deals are drawn from a fixed seed.
    """
    shipped = returns.known()
    for key in sorted(figures.keys() | shipped.keys()):
        if figures.get(key) != shipped.get(key):
            figure, shipped_figure = (_reply_text(each.get(key)) for each in (figures, shipped))
            print_text(f"{' '.join(map(str, key))}: {figure}, and {shipped_figure} in {returns.file().name}")
    if figures != shipped:
        raise typer.Exit(1)
    print_text(f"All {len(figures)} figures are as in {returns.file().name}.")


def _reply_text(reply: BestReply | None) -> str:
    return "none" if reply is None else f"{reply.method} {reply.returns} by {reply.how}"
