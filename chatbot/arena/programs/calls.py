"""The protocol that starts a program for each decision: arguments in, the first line of its output back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chatbot.arena.programs.client import Warden, WardenReply


class Calls:
    """A program that remembers nothing: each call is a process of its own in an empty folder."""

    def __init__(self, words: Sequence[str], arguments: Callable[[Any, Any], Sequence[str]]) -> None:
        self._words = list(words)
        self._arguments = arguments

    def begin(self, warden: Warden) -> None:
        """Nothing runs between decisions."""

    def ask(self, warden: Warden, view: Any, menu: Any, told: Mapping[str, object]) -> WardenReply:  # noqa: ARG002
        return warden.call([*self._words, *self._arguments(view, menu)])

    def read(self, text: str) -> object:
        return text
