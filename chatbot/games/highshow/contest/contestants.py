"""What contestants know, how answers are read, and the strategies: `(situation, choices, rng) -> choice`."""

from __future__ import annotations

from functools import lru_cache
from math import e, sqrt
from typing import TYPE_CHECKING, NamedTuple

from chatbot.kernel.contest import WireFormat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.games.highshow.rules.moves import Progress
    from chatbot.games.highshow.rules.terms import Terms
    from chatbot.games.highshow.solver.solver import Adviser
    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng

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
        """Return every K that fits the cards seen; each is as likely as any other."""
        cards = (*self.kept, *self.rejected, self.shown)
        least = max(1, max(cards) - self.terms.cards + 1)
        return range(least, min(self.terms.highest_start, *cards) + 1)


def situation_at(game: int, progress: Progress, card: int) -> Situation:
    """Return what a table shows, as the contest would."""
    return Situation(game, progress.terms, progress.kept, progress.rejected, card)


def question(situation: Situation, menu: object = None) -> dict[str, object]:  # noqa: ARG001  (a WireFormat's shape)
    """Name everything for a program that reads JSON."""
    return {
        "game": situation.game,
        "cards": situation.terms.cards,
        "keep": situation.terms.keep,
        "penalty": situation.terms.penalty.kind.value,
        "parameter": _parameter(situation.terms),
        "kept": situation.kept,
        "rejected": situation.rejected,
        "shown": situation.shown,
        "needed": situation.needed,
        "left": situation.left,
    }


def read(situation: Situation, menu: object, answer: object) -> str:  # noqa: ARG001
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


WIRE_FORMAT = WireFormat(ask=question, read=read)


# Strategies of the contest: `(situation, choices, rng) -> choice`. None of them needs luck.
CHAMPION_WORK = 700_000_000  # steps of the exact recursion: about five seconds, once for all games
_ADVISERS = 4  # that are kept: what they have worked out serves the next game


def first(situation: Situation, choices: Sequence[str], rng: Rng) -> str:  # noqa: ARG001
    """Keep whatever comes: no penalty is ever paid."""
    return KEEP


def threshold(situation: Situation, choices: Sequence[str], rng: Rng) -> str:  # noqa: ARG001
    """Keep a card from a level on: the highest card, as far as it is known, less a margin.

    K is taken as the middle of what it can be. The margin is the larger of two. Where cards never ran out,
    searching on would pay while the mean excess of a card over the level is more than a rejection costs:
    margin² / 2N = cost (Weitzman 1979, "Optimal search for the best alternative", for cards of one kind).
    And as many cards as are needed must be expected above the level: margin = N · needed / (left + 1).
    """
    cards, lowests = situation.terms.cards, situation.lowests
    lowest = (lowests[0] + lowests[-1]) // 2
    worth_it = sqrt(2 * cards * _cost(situation, lowest))
    enough = cards * situation.needed / (situation.left + 1)
    return KEEP if situation.shown > lowest + cards - 1 - max(worth_it, enough) else ANOTHER


def secretary(situation: Situation, choices: Sequence[str], rng: Rng) -> str:  # noqa: ARG001
    """Only look at the first cards, then keep what beats the best of them.

    The classic rule looks at N/e of them and takes the next that is best so far (Ferguson 1989, "Who
    solved the secretary problem?"). For M cards the M best that were only looked at are the marks; each
    card kept has to beat the lowest mark and strikes it off (the optimistic algorithm of Babaioff,
    Immorlica, Kempe and Kleinberg 2007, "A knapsack secretary problem with applications").

    A rejection costs something here. So a card counts for as much more as rejecting it would cost; and
    fewer are only looked at where that is dear. After s cards the best falls N/(s+1) short of the top, and
    s of them and about as many again are paid for: for M cards, M·N/2(s+1) + 2s·cost is least near
    s = √(M·N/cost) / 2. Where these are fewer than M, the lowest of them is the mark for more than one.
    """
    look_count = _look_count(situation)
    if situation.turn <= look_count:
        return ANOTHER
    marks = sorted(situation.rejected[:look_count], reverse=True)[: situation.needed]
    worth = situation.shown + _cost(situation, (situation.lowests[0] + situation.lowests[-1]) // 2)
    beaten = not marks or worth > marks[-1]
    return KEEP if beaten else ANOTHER


def best(situation: Situation, choices: Sequence[str], rng: Rng) -> str:  # noqa: ARG001
    """Do what the solver advises, and have it work for a second first where that makes it exact."""
    from chatbot.games.highshow.solver.solver import VALUE_WORK  # noqa: PLC0415

    return _best_choice(situation, VALUE_WORK)


def champion(situation: Situation, choices: Sequence[str], rng: Rng) -> str:  # noqa: ARG001
    """Do what the solver advises, and have it work for about five seconds first where that makes it exact.

    Where `best` is exact, so is this, and nobody plays better. Of larger decks it is exact for some that
    `best` estimates, up to 19 to 23 cards for 3 to keep; of others it has the same estimate.
    """
    return _best_choice(situation, CHAMPION_WORK)


def best_in_a_moment(situation: Situation, choices: Sequence[str], rng: Rng) -> str:  # noqa: ARG001
    """Do what the solver advises where somebody waits."""
    from chatbot.games.highshow.solver.solver import ADVICE_WORK  # noqa: PLC0415

    return _best_choice(situation, ADVICE_WORK)


def _best_choice(situation: Situation, work: int) -> str:
    advice = _adviser(situation.terms, work).advise(
        (*situation.kept, *situation.rejected), situation.shown, situation.needed
    )
    return KEEP if advice.better == "cashout" else ANOTHER


@lru_cache(_ADVISERS)
def _adviser(terms: Terms, work: int) -> Adviser:
    """Return the one that is asked about all games of these terms here."""
    from chatbot.games.highshow.solver.solver import Adviser  # noqa: PLC0415

    return Adviser(terms, work)


def _cost(situation: Situation, lowest: int) -> float:
    return float(situation.terms.cost(lowest, situation.turn, situation.shown))


def _look_count(situation: Situation) -> int:
    """Return how many cards are only looked at; the cost is what rejecting the first would be."""
    cards, keep = situation.terms.cards, situation.terms.keep
    card = (*situation.rejected, situation.shown)[0]
    cost = float(situation.terms.cost(max(1, card - cards // 2), 1, card))
    most = min(int(cards / e), cards - keep)
    return min(most, int(sqrt(keep * cards / cost) / 2)) if cost else most


CONTESTANTS: dict[str, Strategy] = {
    "first": first,
    "threshold": threshold,
    "secretary": secretary,
    "best": best,
    "champion": champion,
}
