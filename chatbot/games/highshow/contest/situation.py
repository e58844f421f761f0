"""What a contestant is told before each decision, and how a program's answer is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chatbot.kernel.contest import Tongue

if TYPE_CHECKING:
    from chatbot.games.highshow.rules.moves import Progress
    from chatbot.games.highshow.rules.terms import Terms

KEEP, ANOTHER = "keep", "another"
CHOICES = (KEEP, ANOTHER)
ANSWERS = {KEEP: KEEP, "cashout": KEEP, "cash out": KEEP, ANOTHER: ANOTHER, "see another": ANOTHER}


class Situation(NamedTuple):
    """All that a contestant knows: nothing here depends on K but the cards that have been seen."""

    game: int  # from 0
    terms: Terms
    kept: tuple[int, ...]  # in the order in which they appeared
    rejected: tuple[int, ...]
    shown: int  # the card to decide on

    @property
    def turn(self) -> int:
        """As which card the one shown appeared, from 1."""
        return len(self.kept) + len(self.rejected) + 1

    @property
    def needed(self) -> int:
        """How many are still to be kept, the one shown included if it will be."""
        return self.terms.keep - len(self.kept)

    @property
    def left(self) -> int:
        """How many have not been shown yet."""
        return self.terms.cards - self.turn

    @property
    def lowests(self) -> range:
        """Give every K that fits the cards seen; each is as likely as any other."""
        cards = (*self.kept, *self.rejected, self.shown)
        least = max(1, max(cards) - self.terms.cards + 1)
        return range(least, min(self.terms.highest_start, *cards) + 1)


def situation(game: int, progress: Progress, shown: int) -> Situation:
    """Tell what is seen at a table as the contest would."""
    return Situation(game, progress.terms, progress.kept, progress.rejected, shown)


def question(told: Situation, menu: object = None) -> dict[str, object]:  # noqa: ARG001  (a Tongue's shape)
    """Name everything for a program that reads JSON."""
    return {
        "game": told.game,
        "cards": told.terms.cards,
        "keep": told.terms.keep,
        "penalty": told.terms.penalty.kind.value,
        "parameter": _parameter(told.terms),
        "kept": told.kept,
        "rejected": told.rejected,
        "shown": told.shown,
        "needed": told.needed,
        "left": told.left,
    }


def read(told: Situation, menu: object, answer: object) -> str:  # noqa: ARG001
    """Read what a program answered.

    Raises:
        ValueError: it is neither choice.
    """
    text = str(answer).strip().lower().lstrip("!")
    if text not in ANSWERS:
        raise ValueError(f"expected {KEEP} or {ANOTHER}, got {text[:40]!r}")
    return ANSWERS[text]


def _parameter(terms: Terms) -> str:
    """Write the number that counts, as far as it may be known: one that depends on K is a formula."""
    first, second = (terms.penalty.rate(terms.cards, lowest) for lowest in (1, 2))
    return str(first) if first == second else f"2*({terms.cards}+K)/{terms.cards + 4}"


TONGUE = Tongue(ask=question, read=read)
