"""What `chatbot solve chicken` answers: the value of a game for two, and how the best play opens it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from chatbot.games.chickenpoker.solver import equilibrium
from chatbot.kernel.contest import Named, SolverAnswer, unheard
from chatbot.kernel.game import Failure
from chatbot.kernel.settings import Flag, Whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.games.chickenpoker.solver.equilibrium import Hands, PolicyEntry
    from chatbot.kernel.contest import OnProgress

MOST_CARDS = 1000


@dataclass(frozen=True, slots=True)
class ChickenQuestion:
    """What is a game of two worth to the player with the lower id, and how does the best play begin?"""

    n: Annotated[
        Whole,
        Field(ge=1, le=MOST_CARDS, title="N", description=f"Each holds the cards 1..N, 1 to {MOST_CARDS}."),
        Named(),
    ]
    policy: Annotated[
        Flag,
        Field(
            description=f"Add the best play at every pair of hands; N is at most {equilibrium.MOST_CARDS}."
        ),
    ] = False

    def answer(self, progress: OnProgress = unheard) -> SolverAnswer:  # noqa: ARG002
        """Work it out.

        Raises:
            Failure: the policy of so many cards is wanted.
        """
        if self.policy and self.n > equilibrium.MOST_CARDS:
            raise Failure(
                f"A policy is written for at most {equilibrium.MOST_CARDS} cards, not for {self.n}."
            )
        answer = self._solved()
        if not self.policy:
            return answer
        lines = list(equilibrium.write(self.n))
        pairs = [_plain(hands, entry) for hands, entry in equilibrium.read(lines).items()]
        return SolverAnswer({**answer.plain, "policy": pairs}, lines)

    def _solved(self) -> SolverAnswer:
        from chatbot.games.chickenpoker.solver import solver  # noqa: PLC0415  (it loads NumPy, and help does without)

        if self.n > solver.MOST_CARDS:
            how = f"This is proved for every N; beyond {solver.MOST_CARDS}, no pairs of hands were checked."
            opening = (Fraction(1, self.n),) * self.n
            return self._answer(equilibrium.opening(self.n), opening, "theorem", how)
        solution = solver.solve(self.n)
        how = f"Backward induction over all pairs of hands, {solution.pairs} in number; this is exact."
        return self._answer(solution.value, solution.opening, "backward induction", how)

    def _answer(self, value: Fraction, opening: Sequence[Fraction], method: str, how: str) -> SolverAnswer:
        plain = {
            "n": self.n,
            "value": float(value),
            "exact": str(value),
            "opening": [float(each) for each in opening],
            "method": method,
        }
        lines = [
            f"Two players hold the cards 1 to {self.n} each.",
            f"The value is {_number(value)}: so much more the player with the lower id scores on average.",
            f"The best play opens with any card, each with a probability of {opening[0]}.",
            how,
        ]
        return SolverAnswer(plain, lines)


def _plain(hands: Hands, entry: PolicyEntry) -> Mapping[str, object]:
    return {
        "hands": [[int(card) for card in hand] for hand in hands],
        "value": float(entry.value),
        "mixes": [[weight / sum(mix) for weight in mix] for mix in entry.mixes],
    }


def _number(value: Fraction) -> str:
    """Write it as people read it: exactly, and with decimals beside a fraction."""
    text = str(value) if value.denominator == 1 else f"{float(value):.6f} ({value})"
    return text.replace("-", "−")
