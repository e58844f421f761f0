"""The protocols of programs: what is sent to a program at a table, and how its answers are parsed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final

from arena.programs.client import WardenReply
from arena.programs.reproduction import SentLines, command_line
from chatbot.kernel.codec import plain
from chatbot.kernel.contest import WireFormat
from chatbot.kernel.game import Seat

if TYPE_CHECKING:
    from arena.programs.client import Warden
    from chatbot.kernel.kit import AnyKit

_MAX_ANSWER = 10_000  # characters of an answer; no action of a game has a tenth of it

VERSION: Final = 1
_MAX_DIGITS = 1000  # digits of a number; the time to read one grows with their square


@dataclass(frozen=True, slots=True)
class ProgramView:
    """The position of a player at a table; a program is sent all of it but `permits`."""

    game: int  # from 0, within the match
    seat: Seat
    credits: int
    view: object  # as the rules show it to this seat
    permits: Callable[[object], bool]  # whether the rules allow an action now


def wire_format(kit: AnyKit) -> WireFormat:
    """Return the form of questions and answers for any game: view and menu as plain values of JSON.

    An answer is the index of an action on the menu, from 0; or an action in the form of the menu, which need
    not be on it, since the rules decide. The seat of an action may be left out; null is no action.
    """
    codec, names = kit.codec, {each.__name__: each for each in kit.rules.actions}

    def ask(position: ProgramView, menu: Sequence[object]) -> Mapping[str, object]:
        return {
            "game": position.game,
            "seat": position.seat,
            "credits": position.credits,
            "table": plain(position.view),
            "menu": [json.loads(codec.dump(each)) for each in menu],
        }

    def read(position: ProgramView, menu: Sequence[object], answer: object) -> object:
        choice = _answer_value(answer)
        if choice is None:
            return None
        if isinstance(choice, int) and not isinstance(choice, bool):
            if not 0 <= choice < len(menu):
                raise ValueError(f"the menu has places 0 to {len(menu) - 1}, not {str(choice)[:40]}")
            return menu[choice]
        action = codec.load(json.dumps(_seated_action(choice, position.seat, names)))
        if not position.permits(action):
            raise ValueError(f"the rules do not permit {str(choice)[:80]} now")
        return action

    return WireFormat(ask=ask, read=read)


def _answer_value(answer: object) -> object:
    """Return the value of an answer, which is JSON if it is a text."""
    if not isinstance(answer, str):
        return answer
    if len(answer) > _MAX_ANSWER:
        raise ValueError(f"an answer has at most {_MAX_ANSWER} characters, not {len(answer)}")
    try:
        return json.loads(answer)
    except (ValueError, RecursionError):
        raise ValueError(f"expected a place on the menu or an action, got {answer[:40]!r}") from None


def _seated_action(choice: object, seat: Seat, names: Mapping[str, type]) -> object:
    """Check that it is an action of the game and of this seat, and return it with the seat."""
    if not isinstance(choice, dict) or len(choice) != 1:
        raise ValueError(f"expected a place on the menu or one action, got {str(choice)[:40]}")
    ((name, arguments),) = choice.items()
    if name not in names or not isinstance(arguments, dict):
        raise ValueError(f"expected one of {', '.join(names)}, got {str(choice)[:40]}")
    has_seat = any(each.name == "seat" for each in fields(names[name]))
    if has_seat and arguments.get("seat", seat) != seat:
        raise ValueError("an action is for one's own seat")
    return {name: {"seat": seat, **arguments} if has_seat else arguments}


class JsonLines:
    """The protocol of JSON lines: a program keeps running, and repeats the number of a question."""

    def __init__(self, words: Sequence[str], game: str, name: str, seconds: float) -> None:
        self._words, self._seconds = list(words), seconds
        self._sent = SentLines(self._words)
        hello = {"type": "hello", "protocol": VERSION, "game": game, "player": name, "seconds": seconds}
        self._hello = _line(hello)
        self._number = 0
        self._last: tuple[str, object] = ("", None)  # a line that was read, and what it says

    def begin(self, warden: Warden) -> None:
        """Start the program anew; questions are numbered from 1."""
        self._number = 0
        self._sent.begin(self._hello)
        warden.start(self._words, self._hello)

    def ask(self, warden: Warden, view: object, menu: object, message: Mapping[str, object]) -> WardenReply:  # noqa: ARG002
        """Ask, and skip answers to earlier questions within the same deadline."""
        self._number += 1
        until = time.monotonic() + self._seconds
        question = _line({"type": "decide", "id": self._number, "view": message})
        self._sent.add(question)
        reply = warden.ask(question, self._seconds)
        while not reply.kind and self._is_late(reply.text):
            more = warden.ask("", max(0.0, until - time.monotonic()))
            reply = WardenReply(
                more.text, more.kind, more.why, reply.errors + more.errors, reply.lost + more.lost
            )
        return reply

    def reproduction(self, pause: float) -> str:
        """Return a line of a shell that asks what was asked last; `pause`: seconds before the input ends."""
        return self._sent.reproduction(pause)

    def read(self, text: str) -> object:
        """Return the answer that a line has.

        Raises:
            ValueError: it is not an answer to the last question.
        """
        message = self._message(text)
        if not isinstance(message, dict) or "id" not in message or "answer" not in message:
            raise ValueError(f'expected {{"id": {self._number}, "answer": …}}, got {text[:80]!r}')
        if message["id"] is True or message["id"] != self._number:
            raise ValueError(f"expected an answer to {self._number}, got one to {repr(message['id'])[:40]}")
        return message["answer"]

    def _message(self, text: str) -> object:
        """Return what a line says, which is asked twice."""
        if not self._last[0] or self._last[0] != text:
            self._last = text, _read_message(text)
        return self._last[1]

    def _is_late(self, text: str) -> bool:
        try:
            message = self._message(text)
        except ValueError:
            return False
        number = message.get("id") if isinstance(message, dict) else None
        return type(number) is int and 0 < number < self._number


def _read_message(text: str) -> object:
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise ValueError("expected an answer, got JSON that is nested too deep") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"expected JSON, got {text[:80]!r} ({error.msg})") from None


def _reject_constant(word: str) -> float:
    raise ValueError(f"expected JSON, which has no {word}")


def _parse_float(text: str) -> float:
    number = float(text)
    if number in {float("inf"), float("-inf")}:
        raise ValueError(f"expected a number, got {text[:40]}, which is too large")
    return number


def _parse_int(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise ValueError(f"expected a number, got {text[:40]}…, which has {len(text)} digits")
    return int(text)


def _line(message: Mapping[str, object]) -> str:
    return f"{_ENCODER.encode(message)}\n"


_ENCODER = json.JSONEncoder(allow_nan=False)  # ASCII, on one line
_DECODER = json.JSONDecoder(parse_constant=_reject_constant, parse_float=_parse_float, parse_int=_parse_int)


class ProcessPerCall:
    """The protocol in which each decision is a process of its own, in an empty folder; it keeps no state."""

    def __init__(self, words: Sequence[str], arguments: Callable[[object, object], Sequence[str]]) -> None:
        self._words = list(words)
        self._arguments = arguments
        self._call: list[str] = []  # the last one

    def begin(self, warden: Warden) -> None:
        """Do nothing: no program runs between decisions."""

    def ask(self, warden: Warden, view: object, menu: object, message: Mapping[str, object]) -> WardenReply:  # noqa: ARG002
        """Run the program with the arguments of this decision."""
        self._call = [*self._words, *self._arguments(view, menu)]
        return warden.call(self._call)

    def reproduction(self, pause: float) -> str:  # noqa: ARG002  (it has no input)
        """Return a line of a shell that starts the program as it was started last."""
        return command_line(self._call)

    def read(self, text: str) -> object:
        """Return the answer, which is the whole line."""
        return text


class TextLines:
    """The protocol of plain lines: a program keeps running, and reads one line a question and no other."""

    def __init__(self, words: Sequence[str], line: Callable[[object, object], str], seconds: float) -> None:
        self._words, self._question, self._seconds = list(words), line, seconds
        self._sent = SentLines(self._words)

    def begin(self, warden: Warden) -> None:
        """Start the program anew."""
        self._sent.begin("")
        warden.start(self._words, "")

    def ask(self, warden: Warden, view: object, menu: object, message: Mapping[str, object]) -> WardenReply:  # noqa: ARG002
        """Ask, and return the next line of the program."""
        question = f"{self._question(view, menu)}\n"
        self._sent.add(question)
        return warden.ask(question, self._seconds)

    def reproduction(self, pause: float) -> str:
        """Return a line of a shell that asks what was asked last; `pause`: seconds before the input ends."""
        return self._sent.reproduction(pause)

    def read(self, text: str) -> object:
        """Return the answer, which is the whole line."""
        return text
