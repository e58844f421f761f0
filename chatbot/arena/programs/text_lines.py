"""The protocol of plain text for a program that stays: a line of the game's own in, a line back.

Nothing numbers the questions: what a program wrote before it is asked is surplus, and discarded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chatbot.arena.programs.client import Warden, WardenReply


class TextLines:
    """A program that is told nothing but questions, the first one as soon as it is started."""

    def __init__(self, words: Sequence[str], line: Callable[[Any, Any], str], seconds: float) -> None:
        self._words, self._question, self._seconds = list(words), line, seconds

    def begin(self, warden: Warden) -> None:
        """Start the program afresh."""
        warden.start(self._words, "")

    def ask(self, warden: Warden, view: Any, menu: Any, told: Mapping[str, object]) -> WardenReply:  # noqa: ARG002
        return warden.ask(f"{self._question(view, menu)}\n", self._seconds)

    def read(self, text: str) -> object:
        return text
