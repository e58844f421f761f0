"""What is said after some thought: the hint at a card, and the review of a whole game with its ghost.

The ghost plays the deck as it lay, by best play: what it makes of it was luck, what it does better was not.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from chatbot.games.highshow.figures import exactly, roughly, row
from chatbot.games.highshow.rules.moves import Seen
from chatbot.games.highshow.rules.states import Show
from chatbot.games.highshow.solver.solver import Adviser, ExpectedPoints
from chatbot.kernel.say import Arguments, Listing, Message, Name, Say, Talk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chatbot.games.highshow.rules.moves import HintAsked, Progress, Revealed
    from chatbot.games.highshow.rules.terms import Terms
    from chatbot.games.highshow.solver.solver import Advice

MOST_NAMED = 3  # of the costliest decisions
LEAST_COST = Fraction(
    1, 200
)  # points of an approximation's difference that are told: what rounds to a hundredth


# The hint


def hint(event: HintAsked) -> Iterable[Say]:
    """Say which choice is better, and by how much."""
    progress = event.progress
    if progress.shown is None:
        return
    cards = [each.card for each in progress.seen]
    advice = Adviser(progress.terms).advise(cards, progress.shown, progress.needed)
    args: Arguments = {
        "who": Name(progress.seat),
        "card": str(progress.shown),
        "by": _about(advice.by, advice),
    }
    which = advice.better if _matters(advice.by, exact=advice.exact) else "either"
    yield Say(Message(f"highshow-hint-{which}", args), game="highshow", event="HintAsked")


def _about(amount: ExpectedPoints, advice: Advice) -> str:
    return roughly(amount, exact=advice.exact)


def _matters(amount: ExpectedPoints, *, exact: bool) -> bool:
    return amount > 0 if exact else amount >= LEAST_COST


# The review


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice that was made, and what it cost in expected profit."""

    turn: int  # of the card, from 1
    card: int
    kept: bool
    cost: ExpectedPoints
    exact: bool


class BestPlay:
    """Best play on one deck, asked each question once: at first, player and ghost stand at the same cards."""

    def __init__(self, terms: Terms, deck: tuple[int, ...]) -> None:
        self._terms, self._deck = terms, deck
        self._adviser = Adviser(terms)
        self._advice_at: dict[tuple[int, int], Advice] = {}

    def advice(self, turn: int, needed: int) -> Advice:
        """Weigh the choices at the `turn`-th card, from 1."""
        if (turn, needed) not in self._advice_at:
            before, card = self._deck[: turn - 1], self._deck[turn - 1]
            self._advice_at[turn, needed] = self._adviser.advise(before, card, needed)
        return self._advice_at[turn, needed]

    def decisions(self, progress: Progress) -> Iterator[Decision]:
        """Go through what was decided; what was forced was not."""
        needed = self._terms.keep
        for turn, each in enumerate(progress.seen, 1):
            if each.chosen:
                advice = self.advice(turn, needed)
                wrong = each.kept != (advice.better == "cashout")
                yield Decision(turn, each.card, each.kept, advice.by if wrong else Fraction(0), advice.exact)
            needed -= each.kept

    def ghost(self) -> tuple[int, ...]:
        """List the turns at which best play keeps a card of this deck."""
        turns: list[int] = []
        for turn in range(1, self._terms.cards + 1):
            needed = self._terms.keep - len(turns)
            if needed == 0:
                break
            forced = self._terms.cards - turn + 1 == needed
            if forced or self.advice(turn, needed).better == "cashout":
                turns.append(turn)
        return tuple(turns)


def review(event: Revealed) -> Iterable[Say]:
    """Name the costliest decisions, and what best play would have made of the same deck."""
    best = BestPlay(event.progress.terms, event.deck)
    decisions = list(best.decisions(event.progress))
    args: Arguments = {
        "who": Name(event.progress.seat),
        "verdict": _verdict(decisions),
        "ghost": _ghost(event, best.ghost()),
    }
    yield Say(Message("highshow-review", args), talk=Talk.NORMAL, game="highshow", event="Reviewed")


def _verdict(decisions: list[Decision]) -> Message:
    costly = [each for each in decisions if _matters(each.cost, exact=each.exact)]
    if not costly:
        return Message("highshow-review-flawless", {"decisions": len(decisions)})
    dearest = sorted(costly, key=lambda each: (-each.cost, each.turn))[:MOST_NAMED]
    total = sum((Fraction(each.cost) for each in costly), Fraction(0))
    args: Arguments = {
        "lost": roughly(total, exact=all(each.exact for each in costly)),
        "costly": len(costly),
        "decisions": len(decisions),
        "dearest": Listing(tuple(_decision_message(each) for each in dearest), separator="; "),
    }
    return Message("highshow-review-costly", args)


def _decision_message(decision: Decision) -> Message:
    args: Arguments = {
        "card": str(decision.card),
        "turn": decision.turn,
        "cost": roughly(decision.cost, exact=decision.exact),
    }
    return Message("highshow-review-kept" if decision.kept else "highshow-review-rejected", args)


def _ghost(event: Revealed, turns: tuple[int, ...]) -> Message:
    profit = _profit(event, turns)
    ahead = profit - event.result.profit
    args: Arguments = {
        "cards": row([event.deck[turn - 1] for turn in turns]),
        "profit": exactly(profit),
        "ahead": exactly(abs(ahead)),
    }
    if not ahead:
        return Message("highshow-ghost-same", args)
    return Message("highshow-ghost-more" if ahead > 0 else "highshow-ghost-less", args)


def _profit(event: Revealed, turns: tuple[int, ...]) -> Fraction:
    """Say what keeping the cards of these turns makes of the deck, the last of them ending the game."""
    show = Show(event.progress.seat, event.progress.terms, 0, None, event.deck)
    cards = enumerate(event.deck[: turns[-1]], 1)
    return show.result(tuple(Seen(card, turn in turns) for turn, card in cards), payout=0).profit
