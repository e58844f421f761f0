"""The players of `chickp`: built-in strategies, a human at the terminal, and programs."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from io import TextIOWrapper
from typing import TYPE_CHECKING, Protocol

from arena.programs.client import Warden, WardenReply
from arena.programs.containment import Limits
from arena.programs.program import ProgramCommand, command, safe
from chatbot.games.chickenpoker.contest.session import Even, Forfeit, Linear, Nash, StepPlayer
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import TextIO

    from chatbot.games.chickenpoker.contest.session import FailureKind, SessionPlayer, Start

NAME_SECONDS, CARD_SECONDS = 10.0, 3.0
_MAX_NAME = 32  # characters
_MAX_DIGITS = 10  # digits
_MAX_QUOTED = 40  # characters of a wrong answer

UNLIMITED_SECONDS = 20 * 24 * 3600.0  # a long wait that `poll` still accepts
_FORFEIT_KINDS: dict[str, FailureKind] = {"late": "late", "ended": "ended"}

_BUILT_IN = ("random", "linear", "nash", "adaptive", "champion", "human")
_REMEMBERING = ("adaptive", "champion")
MOST_REMEMBERED = 1000  # cards; its memory of an opponent grows with their square
_INTEGER = re.compile(r"[+-]?[0-9]{1,9}", re.ASCII)


def opening_lines(start: Start) -> str:
    """Return the four lines that are sent before a game."""
    return f"RESET\n{start.player}\n{start.cards}\n{' '.join(map(str, start.players))}\n"


def round_line(cards: Mapping[int, int]) -> str:
    """Return the line before a card: the cards of the previous round by player id; empty in the first."""
    return " ".join(f"{player} {card}" for player, card in cards.items()) + "\n"


def read_name(text: str) -> str:
    """Return the name in an answer, without characters that cannot be printed; "" if there is none."""
    return "".join(each for each in text if each.isprintable())[:_MAX_NAME].strip()


def read_card(text: str) -> int:
    """Return the card in an answer.

    Raises:
        Forfeit: it is not a number.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS):
        raise Forfeit("unreadable", f"expected a card, got {text[:_MAX_QUOTED]!r}")
    return int(text)


class Human:
    """A player at the terminal, asked on standard error: standard output may be read by a script."""

    def __init__(self, ask: TextIO | None = None, answers: TextIO | None = None) -> None:
        self._ask = sys.stderr if ask is None else ask
        self._answers: TextIO | None = sys.stdin if answers is None else answers  # None: it is closed
        if isinstance(self._answers, TextIOWrapper):
            self._answers.reconfigure(errors="replace")
        self._cards: list[int] = []

    def begin(self, start: Start) -> None:
        """Print the beginning of a game."""
        self._cards = list(range(1, start.cards + 1))
        self._say(
            f"A game of {start.cards} cards begins; you are player {start.player} of {len(start.players)}."
        )

    def choose(self, round_cards: Mapping[int, int]) -> int:
        """Print the cards of the previous round, and ask until a card is chosen.

        Raises:
            Forfeit: standard input has ended.
        """
        if round_cards:
            self._say(
                "Shown: " + ", ".join(f"player {player} {card}" for player, card in round_cards.items()) + "."
            )
        while True:
            self._say(f"Your cards: {' '.join(map(str, self._cards))}. Which one? ", end="")
            text = self._answers.readline() if self._answers is not None else ""
            if not text:
                raise Forfeit("ended", "nobody is at the terminal any more")
            word = text.strip()
            if word.isascii() and word.isdigit() and len(word) < 10 and int(word) in self._cards:
                self._cards.remove(int(word))
                return int(word)
            self._say("Type the number of a card that you hold.")

    def forfeited(self) -> None:
        """Do nothing: each game begins anew."""

    def _say(self, text: str, end: str = "\n") -> None:
        self._ask.write(text + end)
        self._ask.flush()


class LineListener(Protocol):
    """Receives the lines that a program is sent and writes."""

    def sent(self, text: str) -> None:
        """Called with the lines that were sent, each with a line feed."""

    def received(self, text: str) -> None:
        """Called with a line of its answer, without line feed."""

    def wrote_errors(self, text: str) -> None:
        """Called with text of standard error: complete lines or parts of one."""


class LineProgram:
    """The program of one player during a session; it runs for all games, and is restarted after a failure."""

    def __init__(
        self, command: ProgramCommand, unlimited: bool, listener: LineListener, *, sandbox: bool = True
    ) -> None:
        self.name = ""  # from its answer to the first lines of a game
        self._command, self._listener = command, listener
        self._name_seconds = UNLIMITED_SECONDS if unlimited else NAME_SECONDS
        self._card_seconds = UNLIMITED_SECONDS if unlimited else CARD_SECONDS
        self._limits = Limits(seconds=self._name_seconds, sandbox=sandbox)
        self._lost_bytes = 0
        self._warden: Warden | None = None
        self._running = False
        self._start()

    def begin(self, start: Start) -> None:
        """Start the program if it does not run, and ask for its name.

        Raises:
            Forfeit: it gave no answer in time, or ended.
        """
        if not self._running:
            self._start()
        text = self._ask(opening_lines(start), self._name_seconds, "name")
        self.name = read_name(text) or self.name

    def choose(self, round_cards: Mapping[int, int]) -> int:
        """Ask for a card.

        Raises:
            Forfeit: it gave no card in time, or ended.
        """
        return read_card(self._ask(round_line(round_cards), self._card_seconds, "card"))

    def forfeited(self) -> None:
        """Kill the program; a warden that has ended is replaced at the next start."""
        self._running = False
        if self._warden is not None and self._warden.alive:
            self._collect_errors(self._warden.stop())
        if self._warden is not None and not self._warden.alive:
            self._warden = None

    def close(self) -> None:
        """Close its input, wait a little, kill what is left of it, and remove its folder."""
        if self._warden is None:
            return
        reply, self._warden, self._running = self._warden.close(), None, False
        self._collect_errors(reply)
        for what in ([reply.why] if reply.why else []) + (
            [f"({self._lost_bytes} more bytes of standard error were not kept)"] if self._lost_bytes else []
        ):
            self._listener.wrote_errors(f"{what}\n")

    def _start(self) -> None:
        if self._warden is None:
            self._warden = Warden(self._limits)
        self._warden.start(self._command.words, "")
        self._running = True

    def _ask(self, text: str, seconds: float, what: str) -> str:
        assert self._warden is not None  # noqa: S101
        self._listener.sent(text)
        reply = self._warden.ask(text, seconds)
        self._collect_errors(reply)
        if reply.kind:
            why = f"it gave no {what} within {seconds:g} s" if reply.kind == "late" else reply.why
            raise Forfeit(_FORFEIT_KINDS.get(reply.kind, "unreadable"), why)
        self._listener.received(reply.text)
        return reply.text

    def _collect_errors(self, reply: WardenReply) -> None:
        self._lost_bytes += reply.lost
        if reply.errors:
            self._listener.wrote_errors(reply.errors)


@dataclass(frozen=True, slots=True)
class ChickpSeat:
    """A player of a session, before it is created."""

    label: str
    word: str  # of a built-in player; "": a program
    steps: StepPlayer | None = None  # of `linear`
    command: ProgramCommand | None = None  # of a program

    @property
    def predetermined(self) -> bool:
        """Whether it decides all cards of a game in advance, so that games can be computed in batches."""
        return self.word in {"random", "linear", "nash"}


def seat(text: str, cards: int, folder: Path) -> ChickpSeat:
    """Parse the command of a player; relative paths of programs start at `folder`.

    Raises:
        Failure: there is no such player, or it cannot play with so many cards.
    """
    words = text.split()
    if not words or words[0] not in _BUILT_IN:
        return ChickpSeat(safe(" ".join(words)), "", command=command(text, folder, per_call=False))
    label = " ".join(words)
    if words[0] == "linear":
        return ChickpSeat(label, "linear", steps=_steps(words[1:], cards))
    if len(words) > 1:
        raise Failure(f"{words[0]} takes nothing behind its name, not {' '.join(words[1:])[:80]!r}.")
    if words[0] in _REMEMBERING and cards > MOST_REMEMBERED:
        raise Failure(f"{words[0]} remembers up to {MOST_REMEMBERED} cards, not -n {cards}.")
    return ChickpSeat(label, words[0])


def built_in(seat: ChickpSeat, number: int, seed: str) -> SessionPlayer:
    """Create a built-in player; its random numbers depend on `seed` and on its number, from 0."""
    rng = Rng.of(f"{seed}/{number}")
    match seat.word:
        case "linear" if seat.steps is not None:
            return Linear(seat.steps)
        case "nash":
            return Nash(rng)
        case "adaptive":
            from chatbot.games.chickenpoker.contest.adaptive import Adaptive  # noqa: PLC0415  (it loads NumPy)

            return Adaptive(rng)
        case "champion":
            from chatbot.games.chickenpoker.contest.champion import Champion  # noqa: PLC0415  (as above)

            return Champion(rng)
        case "human":
            return Human()
        case _:
            return Even(rng)


def _steps(words: list[str], cards: int) -> StepPlayer:
    if len(words) != 2 or not all(_INTEGER.fullmatch(each) for each in words):
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
