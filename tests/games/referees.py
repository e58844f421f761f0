"""What referees written from the rulebooks share: how programs are asked, ranks, standard errors.

Like them it was written from docs/program alone (json-lines.md, limits.md, arena.md).
"""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tests.games.characters import NoAnswer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    View = dict[str, Any]


class Asked:
    """A program that stays, as its author sees the arena; it is started at the beginning of a match.

    `program` gives the lines that it writes when it is sent one, or why it writes none any more.
    """

    def __init__(self, program: Callable[[str], list[str] | NoAnswer], game: str, name: str) -> None:
        self._program, self._hello = program, {"type": "hello", "protocol": 1, "game": game, "player": name}
        self.failures: Counter[str] = Counter()
        self.sent: list[str] = []  # to it, in order
        self._number = 0
        self._failed = False  # in this game
        self._runs = False

    def begin(self) -> None:
        """Take note that a game begins: a program that failed in the last one is started again."""
        self._failed = False

    def ask(self, view: View) -> Any:
        """Return its answer from JSON, or `NoAnswer`."""
        if self._failed:
            return NoAnswer("failed before")
        answer = self._asked_in_json(view)
        if isinstance(answer, NoAnswer):
            self.fail(answer.kind)
        return answer

    def ask_in_text(self, line: str) -> str | NoAnswer:
        """Return the line that it answers, or `NoAnswer`."""
        if self._failed:
            return NoAnswer("failed before")
        self.sent.append(line)
        lines = self._program(line)
        if isinstance(lines, NoAnswer) or not lines:
            self.fail(lines.kind if isinstance(lines, NoAnswer) else "late")
            return NoAnswer("late")
        return lines[0].strip()

    def fail(self, kind: str) -> None:
        """Count a failure; the program is killed."""
        self.failures[kind] += 1
        self._failed, self._runs = True, False

    def _asked_in_json(self, view: View) -> Any:
        if not self._runs:
            self._number, self._runs = 0, True
            self.sent.append(json.dumps({**self._hello, "seconds": 10.0}))
        self._number += 1
        line = json.dumps({"type": "decide", "id": self._number, "view": view})
        self.sent.append(line)
        lines = self._program(line)
        if isinstance(lines, NoAnswer):
            return lines
        for each in lines:
            answer = self._read(each)
            if answer is not None:
                return answer[0]
        return NoAnswer("late")

    def _read(self, line: str) -> tuple[Any] | None:
        """Return the answer of a line, in a tuple; None for an answer to an earlier question."""
        try:
            said = json.loads(line, parse_constant=_no_constant)
        except ValueError:
            return (NoAnswer("unreadable"),)
        if not isinstance(said, dict) or type(said.get("id")) is not int:
            return (NoAnswer("unreadable"),)
        if 0 < said["id"] < self._number:
            return None
        if said["id"] != self._number or "answer" not in said:
            return (NoAnswer("unreadable"),)
        return (said["answer"],)


def _no_constant(word: str) -> float:
    raise ValueError(word)


def ranks(means: Sequence[Fraction]) -> list[int]:
    """Return the rank of each: one more than how many are better, so that equal means share one."""
    return [1 + sum(other > mean for other in means) for mean in means]


def standard_error(draws: Mapping[object, Sequence[Fraction]]) -> float | None:
    """Return the standard error of the mean of draws, which come from several tables; all weigh the same."""
    if any(len(each) < 2 for each in draws.values()):
        return None
    count, spread = sum(map(len, draws.values())), Fraction(0)
    for each in draws.values():
        mean = sum(each, Fraction(0)) / len(each)
        variance = sum(((draw - mean) ** 2 for draw in each), Fraction(0)) / (len(each) - 1)
        spread += len(each) * variance
    return math.sqrt(spread) / count
