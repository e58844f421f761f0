"""The protocol for a program that stays: JSON, a line each way for every decision; version 1.

docs/program/json-lines.md documents it for whoever writes a program.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, Final

from chatbot.arena.programs.client import WardenReply

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.arena.programs.client import Warden

VERSION: Final = 1
_LONGEST = 1000  # digits of a number


class Lines:
    """Numbers the questions of a program, and finds the answer to the last."""

    def __init__(self, words: Sequence[str], game: str, name: str, seconds: float) -> None:
        self._words, self._seconds = list(words), seconds
        hello = {"type": "hello", "protocol": VERSION, "game": game, "player": name, "seconds": seconds}
        self._hello = _line(hello)
        self._number = 0

    def begin(self, warden: Warden) -> None:
        """Start the program afresh."""
        self._number = 0
        warden.start(self._words, self._hello)

    def ask(self, warden: Warden, view: Any, menu: Any, told: Mapping[str, object]) -> WardenReply:  # noqa: ARG002
        """Ask, and pass over more lines to questions that were answered before."""
        self._number += 1
        until = time.monotonic() + self._seconds
        reply = warden.ask(_line({"type": "decide", "id": self._number, "view": told}), self._seconds)
        while not reply.kind and self._is_surplus(reply.text):
            more = warden.ask("", max(0.0, until - time.monotonic()))
            reply = WardenReply(
                more.text, more.kind, more.why, reply.errors + more.errors, reply.lost + more.lost
            )
        return reply

    def read(self, text: str) -> object:
        """Take the answer out of a line.

        Raises:
            ValueError: it is none.
        """
        said = _parsed(text)
        if not isinstance(said, dict) or "id" not in said or "answer" not in said:
            raise ValueError(f'expected {{"id": {self._number}, "answer": …}}, got {text[:80]!r}')
        if said["id"] is True or said["id"] != self._number:
            raise ValueError(f"expected an answer to {self._number}, got one to {repr(said['id'])[:40]}")
        return said["answer"]

    def _is_surplus(self, text: str) -> bool:
        try:
            said = _parsed(text)
        except ValueError:
            return False
        number = said.get("id") if isinstance(said, dict) else None
        return type(number) is int and 0 < number < self._number


def _parsed(text: str) -> object:
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite, parse_int=_whole)
    except RecursionError:
        raise ValueError("expected an answer, got JSON that is nested too deep") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"expected JSON, got {text[:80]!r} ({error.msg})") from None


def _refuse(word: str) -> float:
    raise ValueError(f"expected JSON, which has no {word}")


def _finite(text: str) -> float:
    number = float(text)
    if number in {float("inf"), float("-inf")}:
        raise ValueError(f"expected a number, got {text[:40]}, which is too large")
    return number


def _whole(text: str) -> int:
    if len(text) > _LONGEST:
        raise ValueError(f"expected a number, got {text[:40]}…, which has {len(text)} digits")
    return int(text)


def _line(told: Mapping[str, object]) -> str:
    return json.dumps(told, ensure_ascii=True, allow_nan=False, separators=(", ", ": ")) + "\n"
