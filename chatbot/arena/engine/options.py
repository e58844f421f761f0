"""The options of a game's contest: its fields, found by looking, and made from what was typed."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, get_origin, get_type_hints

from pydantic.fields import FieldInfo

from chatbot.arena.engine.tables import GAME, TableContest
from chatbot.arena.report.ranges import expected
from chatbot.kernel import settings
from chatbot.kernel.failure import Failure
from chatbot.kernel.game import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.kernel.contest import Contest
    from chatbot.kernel.kit import AnyKit

_TEXT = "text"  # what an option takes about which its description says more


@dataclass(frozen=True, slots=True)
class ContestOption:
    """One of them, as the command line offers it."""

    key: str
    default: str
    help: str
    expected: str  # what it takes, in words

    @property
    def flag(self) -> str:
        return f"--{self.key.replace('_', '-')}"

    @property
    def sign(self) -> str:
        """What stands for its value where it is explained."""
        return "N" if self.expected.startswith("a whole number") else "TEXT"


def usual(kit: AnyKit) -> Contest:
    """Make a game's contest with the usual options: its own, or that of tables."""
    made: Contest = kit.solved.contest()() if kit.solved.contest is not None else TableContest(kit.name)
    return made


def about(kit: AnyKit) -> str:
    """Say what a game's contest is, and who of the house plays."""
    contest = usual(kit)
    described = (inspect.getdoc(type(contest)) or "").partition("\n\n")[0]
    told = f"Hold a tournament of {kit.name}. {' '.join(described.split())}"
    seconds = f"Without --deadline a program has {contest.tongue.seconds:g} s for a decision."
    return f"{told}\n\nStrategies: {', '.join(contest.strategies)}. {seconds}"


def options(kit: AnyKit) -> Sequence[ContestOption]:
    """List what can be chosen for a game's contest."""
    contest = usual(kit)
    hints = get_type_hints(type(contest), include_extras=True)
    return [
        ContestOption(
            key,
            settings.as_text(getattr(contest, key)),
            _help(key, hints),
            _takes(getattr(contest, key), each),
        )
        for key, each in settings.Schema(type(contest)).descriptors.items()
        if key != GAME
    ]


def contest_of(kit: AnyKit, chosen: Mapping[str, str]) -> Contest:
    """Make a game's contest from what was typed.

    Raises:
        Failure: an option is out of its range.
    """
    contest = usual(kit)
    fixed = {GAME: kit.name} if kit.solved.contest is None else {}
    for option in options(kit):
        if option.key in chosen:
            _check(contest, option, {**fixed, option.key: chosen[option.key]})
    made: Contest = settings.make(type(contest), {**fixed, **chosen})
    return made


def _takes(value: object, described: settings.Descriptor) -> str:
    return _TEXT if type(value) is str else expected(described.expected)


def _check(contest: Contest, option: ContestOption, values: Mapping[str, str]) -> None:
    try:
        settings.make(type(contest), values)
    except Refusal:
        typed = values[option.key][:80]
        if option.expected == _TEXT:
            raise Failure(f"{option.flag} does not take {typed!r}. {option.help}") from None
        raise Failure(f"{option.flag} takes {option.expected}, not {typed!r}.") from None


def _help(key: str, hints: Mapping[str, Any]) -> str:
    hint = hints[key]
    metadata = hint.__metadata__ if get_origin(hint) is Annotated else ()
    described = [each.description for each in metadata if isinstance(each, FieldInfo) and each.description]
    return described[0] if described else f"{key.replace('_', ' ').capitalize()}."
