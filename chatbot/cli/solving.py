"""`chatbot solve GAME`: one command for each game that has a solver, with the arguments of its question."""

from __future__ import annotations

import inspect
import json
from dataclasses import MISSING, dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, get_origin, get_type_hints

import typer
from typer.core import TyperGroup

from chatbot.kernel.failure import Failure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.kernel.kit import AnyKit
    from chatbot.kernel.question import Question, SolverAnswer


class SolverGames(TyperGroup):
    """Lists the games that have a solver, and makes the command of one when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return sorted(_solved())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        from chatbot.games import named  # noqa: PLC0415

        kit = named(cmd_name)
        if kit is None or kit.solved.question is None:
            there_are = ", ".join(sorted(_solved())) or "none yet"
            raise Failure(f"There is no solver of {cmd_name!r}; there are: {there_are}.")
        return _command(kit, cmd_name)


solve = typer.Typer(
    cls=SolverGames,
    help="Work out exact values and best play; each game has a question of its own.",
    no_args_is_help=True,
    subcommand_metavar="GAME ARGUMENT...",
)


@dataclass(frozen=True, slots=True)
class ArgumentPart:
    """One field of a question, as the command line offers it.

    Flags are options, and so are fields that are named; all else stands in order.
    """

    key: str
    sign: str  # what stands for its value where it is explained
    help: str
    flag: bool
    required: bool
    named: bool = False

    @property
    def option(self) -> str:
        return f"--{self.key.replace('_', '-')}"

    @property
    def called(self) -> str:
        """What it is called where it is missing."""
        return self.option if self.named else self.sign

    @property
    def usage(self) -> str:
        words = f"{self.option} {self.sign}" if self.named else self.sign
        return words if self.required else f"[{words}]"

    @property
    def parameter(self) -> inspect.Parameter:
        return inspect.Parameter(
            self.key, inspect.Parameter.KEYWORD_ONLY, default=self._default, annotation=self._annotation
        )

    @property
    def _default(self) -> object:
        return False if self.flag else None

    @property
    def _annotation(self) -> Any:
        if self.flag:
            return Annotated[bool, typer.Option(self.option, help=self.help)]
        if self.named:
            option = typer.Option(self.option, metavar=self.sign, help=self.help, show_default=False)
            return Annotated[str | None, option]
        return Annotated[str | None, typer.Argument(metavar=self.sign, help=self.help, show_default=False)]


JSON = ArgumentPart("json", "", "Print one JSON object.", flag=True, required=False)


def _solved() -> Mapping[str, AnyKit]:
    from chatbot.games import kits  # noqa: PLC0415

    return {name: kit for name, kit in kits().items() if kit.solved.question is not None}


def _command(kit: AnyKit, word: str) -> Any:
    """Make the command of a game, with the fields of its question; `word` is what was typed for it."""
    question = _question(kit)
    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    given = [context, *(each.parameter for each in (*_parts(question), JSON))]

    def work_out(context: typer.Context, **words: Any) -> None:
        if context.args:
            raise Failure(f"There is something too much: {' '.join(context.args)[:80]!r}.")
        as_json = words.pop(JSON.key)
        answer = _answer(kit, word, {key: value for key, value in words.items() if value is not None})
        typer.echo(json.dumps(answer.plain) if as_json else "\n".join(answer.lines))

    work_out.__annotations__ = {each.name: each.annotation for each in given}
    setattr(work_out, "__signature__", inspect.Signature(given))  # noqa: B010  (where Typer looks for it)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    signs = {"ignore_unknown_options": True, "allow_extra_args": True}  # -3 is a wrong number, no option
    alone.command(word, help=inspect.getdoc(question), context_settings=signs)(work_out)
    return typer.main.get_command(alone)


def _question(kit: AnyKit) -> type[Question]:
    if kit.solved.question is None:
        raise ValueError(f"{kit.name} has no solver")
    return kit.solved.question()


def _parts(question: type[Any]) -> Sequence[ArgumentPart]:
    hints = get_type_hints(question, include_extras=True)
    return [_part(each.name, hints[each.name], each.default is MISSING) for each in fields(question)]


def _part(key: str, hint: Any, required: bool) -> ArgumentPart:
    from pydantic.fields import FieldInfo  # noqa: PLC0415

    from chatbot.kernel.question import Named  # noqa: PLC0415

    metadata = hint.__metadata__ if get_origin(hint) is Annotated else ()
    described = [each for each in metadata if isinstance(each, FieldInfo)]
    title = next((each.title for each in described if each.title), key.upper())
    told = next((each.description for each in described if each.description), f"{key.capitalize()}.")
    plain = hint.__origin__ if get_origin(hint) is Annotated else hint
    named = any(isinstance(each, Named) for each in metadata)
    return ArgumentPart(key, title, told, flag=plain is bool, required=required, named=named)


def _answer(kit: AnyKit, word: str, typed: Mapping[str, object]) -> SolverAnswer:
    """Ask the solver.

    Raises:
        Failure: something is missing, or this cannot be asked; it says why.
    """
    from chatbot.kernel.game import Refusal  # noqa: PLC0415
    from chatbot.kernel.settings import make  # noqa: PLC0415
    from chatbot.speech.words import Words  # noqa: PLC0415

    question = _question(kit)
    wanted = [each for each in _parts(question) if not each.flag]
    missing = [each.called for each in wanted if each.required and each.key not in typed]
    if missing:
        usage = " ".join(each.usage for each in wanted)
        raise Failure(f"{missing[0]} is missing: `chatbot solve {word} {usage}`")
    try:
        asked: Question = make(question, typed)
        return asked.answer()
    except Refusal as refusal:
        raise Failure(Words("en").text(refusal.message, str)) from None
