"""Who plays at `chickp`: house strategies, whoever sits at the terminal, and programs in a line protocol."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from io import TextIOWrapper
from typing import TYPE_CHECKING, Protocol

from chatbot.arena.programs.client import Warden, WardenReply
from chatbot.arena.programs.containment import Limits
from chatbot.arena.programs.program import ProgramCommand, command, safe
from chatbot.games.chickenpoker.contest.session import Even, Forfeit, Linear, Nash, StepPlayer
from chatbot.kernel.failure import Failure
from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import TextIO

    from chatbot.games.chickenpoker.contest.session import Kind, SessionPlayer, Start

NAME_SECONDS, CARD_SECONDS = 10.0, 3.0
_LONGEST_NAME = 32  # characters
_LONGEST_CARD = 10  # digits
_SHOWN = 40  # characters of a wrong answer

FOREVER = 20 * 24 * 3600.0  # seconds; a wait that `poll` still takes
_KINDS: dict[str, Kind] = {"late": "late", "ended": "ended"}

_WORDS = ("random", "linear", "nash", "adaptive", "human")
MOST_REMEMBERED = 1000  # cards; what it remembers of an opponent grows with their square
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}", re.ASCII)


def opening_lines(start: Start) -> str:
    """Write the four lines before a game."""
    return f"RESET\n{start.player}\n{start.cards}\n{' '.join(map(str, start.players))}\n"


def round_line(cards: Mapping[int, int]) -> str:
    """Write the line before a card: the previous round by id, ascending; an empty one in the first."""
    return " ".join(f"{player} {card}" for player, card in cards.items()) + "\n"


def read_name(text: str) -> str:
    """Make a label of what it says its name is."""
    return "".join(each for each in text if each.isprintable())[:_LONGEST_NAME].strip()


def read_card(text: str) -> int:
    """Read a card.

    Raises:
        Forfeit: it is no number.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST_CARD):
        raise Forfeit("unreadable", f"expected a card, got {text[:_SHOWN]!r}")
    return int(text)


class Human:
    """Asks on standard error, so that what scripts read stays as it is, and reads standard input."""

    def __init__(self, ask: TextIO | None = None, answers: TextIO | None = None) -> None:
        self._ask = sys.stderr if ask is None else ask
        self._answers: TextIO | None = sys.stdin if answers is None else answers  # None: it is closed
        if isinstance(self._answers, TextIOWrapper):
            self._answers.reconfigure(errors="replace")
        self._hand: list[int] = []

    def begin(self, start: Start) -> None:
        self._hand = list(range(1, start.cards + 1))
        self._say(
            f"A game of {start.cards} cards begins; you are player {start.player} of {len(start.players)}."
        )

    def choose(self, shown: Mapping[int, int]) -> int:
        if shown:
            self._say(
                "Shown: " + ", ".join(f"player {player} {card}" for player, card in shown.items()) + "."
            )
        while True:
            self._say(f"Your cards: {' '.join(map(str, self._hand))}. Which one? ", end="")
            text = self._answers.readline() if self._answers is not None else ""
            if not text:
                raise Forfeit("ended", "nobody is at the terminal any more")
            word = text.strip()
            if word.isascii() and word.isdigit() and len(word) < 10 and int(word) in self._hand:
                self._hand.remove(int(word))
                return int(word)
            self._say("Type the number of a card that you hold.")

    def forfeited(self) -> None:
        """Nothing is left to do: it begins afresh with each game."""

    def _say(self, text: str, end: str = "\n") -> None:
        self._ask.write(text + end)
        self._ask.flush()


class LineListener(Protocol):
    """Hears what goes to and fro, where somebody wants to know."""

    def sent(self, text: str) -> None: ...

    def heard(self, text: str) -> None: ...

    def complained(self, text: str) -> None:
        """It wrote this to standard error: whole lines, or pieces of one."""


class LineProgram:
    """One player's program during a session. It runs from game to game, and starts afresh after a failure."""

    def __init__(self, command: ProgramCommand, unlimited: bool, listener: LineListener) -> None:
        self.name = ""  # as it says itself
        self._command, self._listener = command, listener
        self._name_seconds = FOREVER if unlimited else NAME_SECONDS
        self._card_seconds = FOREVER if unlimited else CARD_SECONDS
        self._limits = Limits(seconds=self._name_seconds)
        self._lost = 0
        self._warden: Warden | None = None
        self._runs = False
        self._start()

    def begin(self, start: Start) -> None:
        if not self._runs:
            self._start()
        text = self._ask(opening_lines(start), self._name_seconds, "name")
        self.name = read_name(text) or self.name

    def choose(self, shown: Mapping[int, int]) -> int:
        return read_card(self._ask(round_line(shown), self._card_seconds, "card"))

    def forfeited(self) -> None:
        """Kill it; a warden that has ended is replaced with the next start."""
        self._runs = False
        if self._warden is not None and self._warden.alive:
            self._hear(self._warden.stop())
        if self._warden is not None and not self._warden.alive:
            self._warden = None

    def close(self) -> None:
        """Close its input, wait a little, kill what is left of it, and remove its folder."""
        if self._warden is None:
            return
        last, self._warden, self._runs = self._warden.close(), None, False
        self._hear(last)
        for what in ([last.why] if last.why else []) + (
            [f"({self._lost} more bytes of standard error were not kept)"] if self._lost else []
        ):
            self._listener.complained(f"{what}\n")

    def _start(self) -> None:
        if self._warden is None:
            self._warden = Warden(self._limits)
        self._warden.start(self._command.words, "")
        self._runs = True

    def _ask(self, text: str, seconds: float, wanted: str) -> str:
        assert self._warden is not None  # noqa: S101
        self._listener.sent(text)
        reply = self._warden.ask(text, seconds)
        self._hear(reply)
        if reply.kind:
            why = f"it gave no {wanted} within {seconds:g} s" if reply.kind == "late" else reply.why
            raise Forfeit(_KINDS.get(reply.kind, "unreadable"), why)
        self._listener.heard(reply.text)
        return reply.text

    def _hear(self, reply: WardenReply) -> None:
        self._lost += reply.lost
        if reply.errors:
            self._listener.complained(reply.errors)


@dataclass(frozen=True, slots=True)
class ChickpSeat:
    """A player as it was ordered."""

    label: str
    word: str  # of a built-in player; "" is a program
    steps: StepPlayer | None = None  # of `linear`
    command: ProgramCommand | None = None  # of a program

    @property
    def foreseen(self) -> bool:
        """Whether it knows its cards of a whole game in advance."""
        return self.word in {"random", "linear", "nash"}


def seat(text: str, cards: int, folder: Path) -> ChickpSeat:
    """Read the command of a player; files are looked for from the folder.

    Raises:
        Failure: there is no such player, or it cannot play with so many cards.
    """
    words = text.split()
    if not words or words[0] not in _WORDS:
        return ChickpSeat(safe(" ".join(words)), "", command=command(text, folder, per_call=False))
    label = " ".join(words)
    if words[0] == "linear":
        return ChickpSeat(label, "linear", steps=_steps(words[1:], cards))
    if len(words) > 1:
        raise Failure(f"{words[0]} takes nothing behind its name, not {' '.join(words[1:])[:80]!r}.")
    if words[0] == "adaptive" and cards > MOST_REMEMBERED:
        raise Failure(f"adaptive remembers up to {MOST_REMEMBERED} cards, not -n {cards}.")
    return ChickpSeat(label, words[0])


def built_in(seat: ChickpSeat, number: int, seed: str) -> SessionPlayer:
    """Make a player that is no program; each has luck of its own."""
    rng = Rng.of(f"{seed}/{number}")
    match seat.word:
        case "linear" if seat.steps is not None:
            return Linear(seat.steps)
        case "nash":
            return Nash(rng)
        case "adaptive":
            from chatbot.games.chickenpoker.contest.adaptive import Adaptive  # noqa: PLC0415  (it loads NumPy)

            return Adaptive(rng)
        case "human":
            from chatbot.cli.chickp.players import Human  # noqa: PLC0415

            return Human()
        case _:
            return Even(rng)


def _steps(words: list[str], cards: int) -> StepPlayer:
    if len(words) != 2 or not all(_WHOLE.fullmatch(each) for each in words):
        raise Failure(f"linear takes two whole numbers, START and STEP, not {' '.join(words)[:80]!r}.")
    steps = StepPlayer(int(words[0]), int(words[1]))
    if not 1 <= steps.start <= cards:
        raise Failure(f"The START of linear is a card from 1 to {cards}, not {steps.start}.")
    if not steps.fits(cards):
        raise Failure(
            f"The STEP of linear has no divisor in common with -n {cards}, as {steps.step} has:"
            " it would not play every card once."
        )
    return steps
