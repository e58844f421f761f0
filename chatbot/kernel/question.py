"""What can be asked of a game's solver, where nobody plays: `chatbot solve <game> …`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SolverAnswer:
    """What comes out: for programs as JSON's plain values, and in lines for people."""

    plain: Mapping[str, object]
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Named:
    """Marks a field that is an option with a value, as in `--n 6`: known by its name, not by its place."""


class Question(Protocol):
    """A frozen dataclass whose fields are its arguments in their order, validated like settings.

    A flag is an option, and so is what is `Named`. The same question has the same answer.
    """

    def answer(self) -> SolverAnswer:
        """Work it out.

        Raises:
            Refusal: this cannot be asked.
            Failure: it would take too long.
        """
