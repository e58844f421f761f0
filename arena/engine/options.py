"""The options of a game's contest on the command line, and the contest made from their values."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_type_hints

from pydantic.fields import FieldInfo

from arena.engine.tables import GAME, TableContest
from arena.report.ranges import expected
from chatbot.kernel import settings
from chatbot.kernel.game import Failure, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.kernel.contest import Contest
    from chatbot.kernel.kit import AnyKit

_ANY_TEXT = "text"  # expected by an option whose description says what the text may be


@dataclass(frozen=True, slots=True)
class ContestOption:
    """An option of a contest, as the command line offers it."""

    key: str
    default: str
    help: str
    expected: str  # the values that it takes, in words

    @property
    def flag(self) -> str:
        """The option as it is typed."""
        return f"--{self.key.replace('_', '-')}"

    @property
    def metavar(self) -> str:
        """The placeholder of its value in the help."""
        return "N" if self.expected.startswith("a whole number") else "TEXT"


def default_contest(kit: AnyKit) -> Contest:
    """Make a game's contest with the usual options: its own, or that of tables."""
    contest: Contest = (
        kit.programs.contest()() if kit.programs.contest is not None else TableContest(kit.name)
    )
    return contest


def describe(kit: AnyKit) -> str:
    """Return the help of a game's contest, with its built-in strategies."""
    contest = default_contest(kit)
    described = (inspect.getdoc(type(contest)) or "").partition("\n\n")[0]
    summary = f"Hold a tournament of {kit.name}. {' '.join(described.split())}"
    seconds = f"Without --deadline a program has {contest.wire_format.seconds:g} s for a decision."
    return f"{summary}\n\nStrategies: {', '.join(contest.strategies)}. {seconds}"


def options(kit: AnyKit) -> Sequence[ContestOption]:
    """Return the options of a game's contest."""
    contest = default_contest(kit)
    hints = get_type_hints(type(contest), include_extras=True)
    return [
        ContestOption(
            key,
            settings.as_text(getattr(contest, key)),
            _help(key, hints),
            _expected_words(getattr(contest, key), each),
        )
        for key, each in settings.schema_of(type(contest)).descriptors.items()
        if key != GAME
    ]


def contest_of(kit: AnyKit, values: Mapping[str, str]) -> Contest:
    """Make a game's contest from the values of its options.

    Raises:
        Failure: a value is malformed or out of its range.
    """
    usual = default_contest(kit)
    fixed = {GAME: kit.name} if kit.programs.contest is None else {}
    for option in options(kit):
        if option.key in values:
            _check(usual, option, {**fixed, option.key: values[option.key]})
    contest: Contest = settings.make(type(usual), {**fixed, **values})
    return contest


def _expected_words(value: object, described: settings.Descriptor) -> str:
    return _ANY_TEXT if type(value) is str else expected(described.expected)


def _check(contest: Contest, option: ContestOption, values: Mapping[str, str]) -> None:
    try:
        settings.make(type(contest), values)
    except Refusal:
        typed = values[option.key][:80]
        if option.expected == _ANY_TEXT:
            raise Failure(f"{option.flag} does not take {typed!r}. {option.help}") from None
        raise Failure(f"{option.flag} takes {option.expected}, not {typed!r}.") from None


def _help(key: str, hints: Mapping[str, object]) -> str:
    metadata = getattr(hints[key], "__metadata__", ())  # of an Annotated type
    described = [each.description for each in metadata if isinstance(each, FieldInfo) and each.description]
    return described[0] if described else f"{key.replace('_', ' ').capitalize()}."
