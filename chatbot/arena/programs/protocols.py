"""The protocols of programs: what a program is told at a table, in which form, and how its answer is read."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from chatbot.arena.programs.client import WardenReply
from chatbot.kernel.codec import plain
from chatbot.kernel.contest import Tongue
from chatbot.kernel.game import Seat

if TYPE_CHECKING:
    from chatbot.arena.programs.client import Warden
    from chatbot.kernel.kit import AnyKit

_LONGEST_ANSWER = 10_000  # characters of an answer

VERSION: Final = 1
_LONGEST_NUMBER = 1000  # digits of a number


@dataclass(frozen=True, slots=True)
class ProgramView:
    """What a player at a table is told. A program gets all of it but the judge."""

    game: int  # from 0, within the match
    seat: Seat
    credits: int
    view: Any  # the rules' own, for this seat
    permits: Callable[[Any], bool]


def tongue(kit: AnyKit) -> Tongue:
    """Talk of any game: the view and the menu as plain values.

    An answer is a number, the place of an action on the menu from 0; or the action itself, in the
    form of the menu, which need not be on it: the rules judge. The seat may be left out; null passes.
    """
    codec, names = kit.codec, {each.__name__: each for each in kit.actions}

    def ask(told: ProgramView, menu: Sequence[Any]) -> Mapping[str, object]:
        return {
            "game": told.game,
            "seat": told.seat,
            "credits": told.credits,
            "table": plain(told.view),
            "menu": [json.loads(codec.dump(each)) for each in menu],
        }

    def read(told: ProgramView, menu: Sequence[Any], answer: object) -> Any:
        chosen = _answer_value(answer)
        if chosen is None:
            return None
        if isinstance(chosen, int) and not isinstance(chosen, bool):
            if not 0 <= chosen < len(menu):
                raise ValueError(f"the menu has places 0 to {len(menu) - 1}, not {str(chosen)[:40]}")
            return menu[chosen]
        action = codec.load(json.dumps(_own(chosen, told.seat, names)))
        if not told.permits(action):
            raise ValueError(f"the rules do not permit {str(chosen)[:80]} now")
        return action

    return Tongue(ask=ask, read=read)


def _answer_value(answer: object) -> object:
    """Take what came back: a text may be JSON as well."""
    if not isinstance(answer, str):
        return answer
    if len(answer) > _LONGEST_ANSWER:
        raise ValueError(f"an answer has at most {_LONGEST_ANSWER} characters, not {len(answer)}")
    try:
        return json.loads(answer)
    except (ValueError, RecursionError):
        raise ValueError(f"expected a place on the menu or an action, got {answer[:40]!r}") from None


def _own(chosen: object, seat: Seat, names: Mapping[str, type]) -> object:
    """Make sure that it is one of the game's actions, and the seat's own."""
    if not isinstance(chosen, dict) or len(chosen) != 1:
        raise ValueError(f"expected a place on the menu or one action, got {str(chosen)[:40]}")
    ((name, given),) = chosen.items()
    if name not in names or not isinstance(given, dict):
        raise ValueError(f"expected one of {', '.join(names)}, got {str(chosen)[:40]}")
    seated = any(each.name == "seat" for each in fields(names[name]))
    if seated and given.get("seat", seat) != seat:
        raise ValueError("an action is for one's own seat")
    return {name: {"seat": seat, **given} if seated else given}


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
        said = _read_message(text)
        if not isinstance(said, dict) or "id" not in said or "answer" not in said:
            raise ValueError(f'expected {{"id": {self._number}, "answer": …}}, got {text[:80]!r}')
        if said["id"] is True or said["id"] != self._number:
            raise ValueError(f"expected an answer to {self._number}, got one to {repr(said['id'])[:40]}")
        return said["answer"]

    def _is_surplus(self, text: str) -> bool:
        try:
            said = _read_message(text)
        except ValueError:
            return False
        number = said.get("id") if isinstance(said, dict) else None
        return type(number) is int and 0 < number < self._number


def _read_message(text: str) -> object:
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
    if len(text) > _LONGEST_NUMBER:
        raise ValueError(f"expected a number, got {text[:40]}…, which has {len(text)} digits")
    return int(text)


def _line(told: Mapping[str, object]) -> str:
    return json.dumps(told, ensure_ascii=True, allow_nan=False, separators=(", ", ": ")) + "\n"


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
