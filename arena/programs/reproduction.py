"""One line of a shell that gives a program once more what it failed at."""

from __future__ import annotations

import shlex
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_CHARACTERS = 16 << 10  # of the lines that a program is given again, before they are quoted
_MOST_LINES = 64


@dataclass(frozen=True, slots=True)
class ProgramFailure:
    """A failure of a program, as its author needs it."""

    kind: str
    why: str
    line: str  # of a shell: it gives the program what it failed at


class SentLines:
    """The lines that a program which keeps running has been sent: the first, and the last of the others."""

    __slots__ = ("_first", "_last", "_words", "add")

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._first = ""
        self._last: deque[str] = deque(maxlen=_MOST_LINES)
        self.add = (
            self._last.append
        )  # called with each further line: what it costs, every answer takes longer

    def begin(self, first: str) -> None:
        """Begin with the first line of a program that was started; "": there is none."""
        self._first = first
        self._last.clear()

    def reproduction(self, pause: float) -> str:
        """Return the line; after it has sent all, it waits so many seconds before it closes the input."""
        lines, room = deque[str](), MOST_CHARACTERS - len(self._first)
        for each in reversed(self._last):
            room -= len(each)
            if room < 0 and lines:
                break
            lines.appendleft(each)
        texts = [each.rstrip("\n") for each in (self._first, *lines) if each]
        sends = " ".join(["printf", "'%s\\n'", *(_quoted(each) for each in texts)])
        pauses = f"({sends}; sleep {pause:g})" if pause else sends
        return f"{pauses} | {command_line(self._words)}"


def command_line(words: Sequence[str]) -> str:
    """Return the words of a command, quoted for a shell; one without special characters stays as it is."""
    return shlex.join(words)


def _quoted(text: str) -> str:
    """Quote a line of input, also one without special characters, so that all of them look alike."""
    return "'" + text.replace("'", "'\"'\"'") + "'"
