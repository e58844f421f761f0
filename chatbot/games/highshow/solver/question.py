"""What `chatbot solve highshow` answers: the policy value of some terms, and what a stake on them returns."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from chatbot.games.highshow.figures import exactly
from chatbot.games.highshow.rules import par as stakes
from chatbot.games.highshow.rules.terms import (
    FEWEST_CARDS,
    MOST_CARDS,
    Penalty,
    PenaltyKind,
    Terms,
    read_penalty,
)
from chatbot.games.highshow.solver import solver
from chatbot.kernel.contest import SolverAnswer, unheard
from chatbot.kernel.game import Failure
from chatbot.kernel.settings import Flag, Whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.games.highshow.rules.par import Par
    from chatbot.games.highshow.solver.solver import Value
    from chatbot.kernel.contest import OnProgress

WORK = 2_000_000_000  # steps of the exact recursion: about half a minute
_KINDS = ", ".join(each.value for each in PenaltyKind)


@dataclass(frozen=True, slots=True)
class HighShowQuestion:
    """How much is a game worth, and, where asked, what does a stake on it return?"""

    cards: Annotated[
        Whole,
        Field(ge=FEWEST_CARDS, le=MOST_CARDS, title="N", description="Cards in the deck, 2 to 1000."),
    ]
    keep: Annotated[
        Whole, Field(ge=1, le=MOST_CARDS - 1, title="M", description="Cards to keep, fewer than N.")
    ]
    penalty: Annotated[str, Field(title="PENALTY", description=f"One of {_KINDS}; also as linear=5.")]
    parameter: Annotated[
        str, Field(title="PARAM", description="The penalty's parameter: 3, 0.5 or 1/2; it has a default.")
    ] = ""
    stake: Annotated[Flag, Field(description="Add par, span, and what the best reply to them returns.")] = (
        False
    )

    def answer(self, progress: OnProgress = unheard) -> SolverAnswer:
        """Work it out.

        Raises:
            Refusal: this cannot be played.
            Failure: the parameter is given twice.
        """
        terms = Terms(self.cards, self.keep, self._penalty())
        value = solver.value(terms, WORK, progress)
        plain: dict[str, object] = {"cards": terms.cards, "keep": terms.keep, "penalty": str(terms.penalty)}
        plain |= _plain(value)
        lines = [
            f"{terms.cards} cards, {terms.keep} to keep, penalty {terms.penalty}.",
            _sentence(value),
        ]
        if self.stake:
            par = stakes.par(terms)
            plain |= _plain_stake(terms, par)
            lines += _stake_lines(terms, par)
        return SolverAnswer(plain, lines)

    def _penalty(self) -> Penalty:
        penalty = read_penalty(self.penalty)
        if not self.parameter:
            return penalty
        if penalty.parameter is not None:
            raise Failure(
                f"Give the parameter once: {penalty}, or {penalty.kind.value} {self.parameter[:40]}."
            )
        return penalty.with_parameter(self.parameter)


def _plain(value: Value) -> dict[str, object]:
    if isinstance(value.amount, Fraction):
        return {"value": str(value.amount), "exact": True, "method": value.method}
    return {
        "value": value.amount,
        "exact": False,
        "error": float(value.error),
        "method": value.method,
    }


def _sentence(value: Value) -> str:
    if isinstance(value.amount, Fraction):
        return f"Best play makes {exactly(value.amount)} on average; this is exact."
    return f"Best play makes about {value.amount:.4f} on average, ± {value.error:.4f}: {value.method}."


def _plain_stake(terms: Terms, par: Par | None) -> dict[str, object]:
    if par is None:
        return {"stakes": False}
    most = stakes.best_reply(terms, par)
    return {"stakes": True, "par": str(par.value), "span": str(par.span), "return": str(most)}


def _stake_lines(terms: Terms, par: Par | None) -> Iterator[str]:
    if par is None:
        yield "These terms are for honour only: their par is not worked out exactly within a second."
        return
    most = stakes.best_reply(terms, par) * 100
    yield f"Par is {exactly(par.value)}: who makes it gets the stake back."
    yield f"The span is {exactly(par.span)}: so far above par the stake is doubled, so far below it is lost."
    yield f"Whoever plays for the payout alone gets back at most {exactly(most)}% of the stake on average."
