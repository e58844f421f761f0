"""`human`: whoever sits at the terminal."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING

from chatbot.games.chickenpoker.contest.session import Forfeit

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

    from chatbot.games.chickenpoker.contest.session import Start


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
