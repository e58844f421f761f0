"""`chatbot solve GAME`: a command for each game that has a solver, with the arguments of its question.

Beside them is one of all games: what their strategies return.
"""

from __future__ import annotations

import inspect
import json
import threading
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer
from typer.core import TyperGroup

from arena.commands import returns
from chatbot.cli.context import print_text
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from rich.console import Console

    from chatbot.kernel.contest import OnProgress, Question, SolverAnswer
    from chatbot.kernel.kit import AnyKit

INTERRUPTED = 130
PATIENCE = 1.0  # seconds, after which somebody who waits is told how far it is


class SolverGames(TyperGroup):
    """A group whose commands are the games with a solver, and `returns`; one is made when it is looked up."""

    def list_commands(self, ctx: object) -> list[str]:  # noqa: ARG002
        return sorted((*_kits_with_solver(), returns.NAME))

    # Any: a command is of Click, or of a copy of Click within Typer, depending on its version.
    def get_command(self, ctx: object, cmd_name: str) -> Any:  # noqa: ARG002
        from chatbot.games import named  # noqa: PLC0415

        if cmd_name == returns.NAME:
            return returns.command()
        kit = named(cmd_name)
        if kit is None or kit.programs.question is None:
            there_are = ", ".join(sorted(_kits_with_solver())) or "none yet"
            raise Failure(f"There is no solver of {cmd_name!r}; there are: {there_are}.")
        return _command(kit, cmd_name)


app = typer.Typer(
    cls=SolverGames,
    help="Work out exact values and best play; each game has a question of its own.",
    no_args_is_help=True,
    subcommand_metavar="GAME ARGUMENT...",
)


@dataclass(frozen=True, slots=True)
class QuestionArgument:
    """One field of a question, as the command line offers it.

    Flags and named fields are options; the others are positional.
    """

    key: str
    metavar: str  # the placeholder of its value in the help
    help: str
    flag: bool
    required: bool
    named: bool = False

    @property
    def option(self) -> str:
        """The option as it is typed."""
        return f"--{self.key.replace('_', '-')}"

    @property
    def label(self) -> str:
        """Its name in the message that it is missing."""
        return self.option if self.named else self.metavar

    @property
    def usage(self) -> str:
        """Its part of the line of usage."""
        words = f"{self.option} {self.metavar}" if self.named else self.metavar
        return words if self.required else f"[{words}]"

    @property
    def parameter(self) -> inspect.Parameter:
        """The parameter from which Typer makes the argument or option."""
        return inspect.Parameter(
            self.key, inspect.Parameter.KEYWORD_ONLY, default=self._default, annotation=self._annotation
        )

    @property
    def _default(self) -> object:
        return False if self.flag else None

    @property
    def _annotation(self) -> object:
        if self.flag:
            return Annotated[bool, typer.Option(self.option, help=self.help)]
        if self.named:
            option = typer.Option(self.option, metavar=self.metavar, help=self.help, show_default=False)
            return Annotated[str | None, option]
        return Annotated[str | None, typer.Argument(metavar=self.metavar, help=self.help, show_default=False)]


JSON = QuestionArgument("json", "", "Print one JSON object.", flag=True, required=False)


def _kits_with_solver() -> Mapping[str, AnyKit]:
    from chatbot.games import kits  # noqa: PLC0415

    return {name: kit for name, kit in kits().items() if kit.programs.question is not None}


def _command(kit: AnyKit, name: str) -> Any:  # Any: as `SolverGames.get_command`
    """Make the command of a game, with the fields of its question; `name` is the game as it was typed."""
    question = _question(kit)
    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    parameters = [context, *(each.parameter for each in (*_arguments(question), JSON))]

    def work_out(context: typer.Context, **values: Any) -> None:  # Any: of the types below
        if context.args:
            raise Failure(f"There is something too much: {' '.join(context.args)[:80]!r}.")
        as_json = values.pop(JSON.key)
        try:
            answer = _answer(kit, name, {key: value for key, value in values.items() if value is not None})
        except KeyboardInterrupt:
            typer.echo("Stopped before there was an answer.", err=True)
            raise typer.Exit(INTERRUPTED) from None
        print_text(json.dumps(answer.plain) if as_json else "\n".join(answer.lines))

    work_out.__annotations__ = {each.name: each.annotation for each in parameters}
    setattr(work_out, "__signature__", inspect.Signature(parameters))  # noqa: B010  (where Typer looks for it)
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    # So that -3 is reported as a wrong number, and not as an unknown option.
    parsing = {"ignore_unknown_options": True, "allow_extra_args": True}
    single.command(name, help=inspect.getdoc(question), context_settings=parsing)(work_out)
    return typer.main.get_command(single)


def _question(kit: AnyKit) -> type[Question]:
    if kit.programs.question is None:
        raise ValueError(f"{kit.name} has no solver")
    return kit.programs.question()


def _arguments(question: type[Any]) -> Sequence[QuestionArgument]:  # Any: a dataclass
    hints = get_type_hints(question, include_extras=True)
    return [_argument(each.name, hints[each.name], each.default is MISSING) for each in fields(question)]


def _argument(key: str, hint: object, required: bool) -> QuestionArgument:
    from pydantic.fields import FieldInfo  # noqa: PLC0415

    from chatbot.kernel.contest import Named  # noqa: PLC0415

    metadata = getattr(hint, "__metadata__", ())  # of an Annotated type
    described = [each for each in metadata if isinstance(each, FieldInfo)]
    title = next((each.title for each in described if each.title), key.upper())
    description = next((each.description for each in described if each.description), f"{key.capitalize()}.")
    plain = getattr(hint, "__origin__", hint)
    named = any(isinstance(each, Named) for each in metadata)
    return QuestionArgument(key, title, description, flag=plain is bool, required=required, named=named)


def _answer(kit: AnyKit, name: str, typed: Mapping[str, object]) -> SolverAnswer:
    """Return the answer of the solver.

    Raises:
        Failure: an argument is missing or out of its range.
    """
    from chatbot.kernel.game import Refusal  # noqa: PLC0415
    from chatbot.kernel.settings import make  # noqa: PLC0415

    question_type = _question(kit)
    arguments = [each for each in _arguments(question_type) if not each.flag]
    missing = [each.label for each in arguments if each.required and each.key not in typed]
    if missing:
        usage = " ".join(each.usage for each in arguments)
        raise Failure(f"{missing[0]} is missing: `chatbot solve {name} {usage}`")
    try:
        question: Question = make(question_type, typed)
        with waiting() as progress:
            return question.answer(progress)
    except Refusal as refusal:
        from chatbot.speech.words import Words  # noqa: PLC0415  (Fluent and the log, which an answer does without)

        raise Failure(Words("en").text(refusal.message, str)) from None


@contextmanager
def waiting() -> Iterator[OnProgress]:
    """Show on standard error how far something is, once it has taken longer than `PATIENCE`.

    A terminal shows a bar; anything else is told once, with the part that is done where that is known.
    """
    display = Waiting()
    timer = threading.Timer(PATIENCE, display.begin)
    timer.daemon = True
    timer.start()
    try:
        yield display.report
    finally:
        timer.cancel()
        timer.join()
        display.end()


class Waiting:
    """The progress of one answer; `begin` runs in a thread of its own."""

    def __init__(self) -> None:
        self._done, self._of = 0, 0  # 0 of 0: not known
        self._refresh: OnProgress | None = None
        self._stop: Callable[[], object] | None = None

    def report(self, done: int, of: int) -> None:
        self._done, self._of = done, of
        if self._refresh is not None:
            self._refresh(done, of)

    def begin(self) -> None:
        from rich.console import Console  # noqa: PLC0415  (a quick answer does without)

        console = Console(stderr=True)
        if console.is_terminal:
            self._show_bar(console)
            return
        parts = f", {self._done} of {self._of} parts are done" if self._of else ""
        typer.echo(f"Working it out{parts}; Ctrl-C stops it.", err=True)

    def end(self) -> None:
        if self._stop is not None:
            self._stop()

    def _show_bar(self, console: Console) -> None:
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415
        from rich.progress import Progress as Bar  # noqa: PLC0415

        columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        bar = Bar(*columns, console=console, transient=True)
        task = bar.add_task("working it out; Ctrl-C stops it", completed=self._done, total=self._of or None)
        self._refresh = lambda done, of: bar.update(task, completed=done, total=of)
        self._stop = bar.stop
        bar.start()


def command() -> Any:
    """Return the command, for the command line to find it by name."""
    return typer.main.get_group(app)
