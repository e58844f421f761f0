"""Who plays: what a quoted command stands for, and the player that it makes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.arena.programs.command import ProgramCommand, command
from chatbot.arena.programs.program import safe
from chatbot.games.chickenpoker.contest.players import Even, Linear, Nash, StepPlayer
from chatbot.kernel.failure import Failure
from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from pathlib import Path

    from chatbot.games.chickenpoker.contest.session import SessionPlayer

_WORDS = ("random", "linear", "nash", "adaptive", "human")
MOST_REMEMBERED = 1000  # cards; what it remembers of an opponent grows with their square
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}", re.ASCII)


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
            from chatbot.cli.chickp.human import Human  # noqa: PLC0415

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
