"""What `chatbot solve sixcard` answers: the best play, its proof, and what the built-in players score."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import Field

from chatbot.games.sixcardpoker.rules.cards import arrangements, read, sensible, types
from chatbot.games.sixcardpoker.solver import policies
from chatbot.games.sixcardpoker.solver.policies import PLANS, replies
from chatbot.kernel.contest import SolverAnswer, unheard
from chatbot.kernel.game import Failure
from chatbot.kernel.settings import Flag

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from chatbot.games.sixcardpoker.rules.cards import SixCards
    from chatbot.games.sixcardpoker.solver.policies import Mix, Reply
    from chatbot.games.sixcardpoker.solver.solver import Prospects, Solution
    from chatbot.kernel.contest import OnProgress

    Meetings: TypeAlias = Mapping[str, Mapping[str, Prospects]]  # of each player, against each of `PLANS`


@dataclass(frozen=True, slots=True)
class SixCardQuestion:
    """What is the best play, with one hand or with all, and what do the built-in players score?"""

    hand: Annotated[
        str | None,
        Field(title="HAND", description="Six cards, such as 112344: how are they set best?"),
    ] = None
    policy: Annotated[
        Flag, Field(description="Print the best play with every hand, as the file that ships.")
    ] = False

    def answer(self, progress: OnProgress = unheard) -> SolverAnswer:  # noqa: ARG002
        """Work it out.

        Raises:
            Failure: nobody can hold the hand, or it is asked for along with the policy of all.
        """
        if self.hand is None:
            return _policy_answer() if self.policy else _everything()
        if self.policy:
            raise Failure("--policy prints the best play with every hand: leave it out, or the hand.")
        return _one(_read_cards(self.hand))


# All hands


def _everything() -> SolverAnswer:
    from chatbot.games.sixcardpoker.solver.solver import solve  # noqa: PLC0415  (it loads NumPy, and help does without)

    solution, meetings = solve(), _meetings()
    plain = {**_plain(solution), "players": _plain_meetings(meetings)}
    return SolverAnswer(plain, [*_lines(solution), *_told_meetings(meetings)])


def _policy_answer() -> SolverAnswer:
    """Work the policy out; what ships is not read, so this makes it where there is none."""
    from chatbot.games.sixcardpoker.solver.solver import solve  # noqa: PLC0415  (it loads NumPy, and help does without)

    solution = solve()
    mixes = {_digits(cards): _plain_mix(mix) for cards, mix in solution.policy.items()}
    return SolverAnswer({**_plain(solution), "policy": mixes}, list(policies.write(solution.policy)))


def _plain(solution: Solution) -> dict[str, object]:
    return {
        "value": 0.5,
        "exact": "1/2",
        "exploitability": float(solution.exploitability),
        "types": len(types()),
        "arrangements": sum(len(arrangements(cards)) for cards in types()),
        "mixed": {_digits(cards): _plain_mix(solution.policy[cards]) for cards in solution.mixed},
    }


def _lines(solution: Solution) -> Iterator[str]:
    count = sum(len(arrangements(cards)) for cards in types())
    yield f"{len(types())} types of hands can be dealt, with {count} distinct arrangements in all."
    yield "The value is 1/2: so much each player scores a round, on average, when both play best."
    yield f"The exploitability is {solution.exploitability}: a best response to the policy that was found"
    yield "scores so much more than 1/2 against it. This is exact."
    yield f"{len(solution.mixed)} hands need mixing, in every equilibrium and with these chances:"
    yield from (f"  {_digits(cards)}: {_told_mix(solution.policy[cards])}" for cards in solution.mixed)


def _meetings() -> Meetings:
    from chatbot.games.sixcardpoker.contest.contestants import CONTESTANTS, policy  # noqa: PLC0415  (they load NumPy)
    from chatbot.games.sixcardpoker.solver.solver import prospects  # noqa: PLC0415

    return {own: {other: prospects(policy(own), policy(other)) for other in PLANS} for own in CONTESTANTS}


def _plain_meetings(meetings: Meetings) -> dict[str, dict[str, object]]:
    return {
        own: {other: _plain_prospects(each) for other, each in row.items()} for own, row in meetings.items()
    }


def _plain_prospects(prospects: Prospects) -> dict[str, object]:
    odds = prospects.round
    high, middle, low = (float(each.score) for each in prospects.hands)
    ends = {"win": float(odds.win), "draw": float(odds.draw), "loss": float(odds.loss)}
    return {**_plain_number("score", odds.score), **ends, "high": high, "middle": middle, "low": low}


def _told_meetings(meetings: Meetings) -> Iterator[str]:
    yield "What the built-in players score against others on average, in percent:"
    width = max(map(len, meetings))
    yield f"  {'':{width}}" + "".join(f"{other:>9}" for other in PLANS)
    for own, row in meetings.items():
        yield f"  {own:{width}}" + "".join(f"{_percent(each.round.score):>9}" for each in row.values())
    for own, row in meetings.items():
        responded_to = own.partition(":")[2]
        if responded_to:
            yield f"Nothing scores more against {responded_to} than {own}: {row[responded_to].round.score}."


# One hand


def _read_cards(text: str) -> SixCards:
    try:
        return read(text)
    except ValueError as error:
        raise Failure(f"A hand is {error}.") from None


def _one(cards: SixCards) -> SolverAnswer:
    mix = policies.shipped()[cards]
    scored = [each for each in replies(cards, policies.shipped()) if each.arrangement in sensible(cards)]
    scores = {str(each.arrangement): _plain_number("score", each.score) for each in scored}
    plain = {"hand": _digits(cards), "best": _plain_mix(mix), "scores": scores}
    return SolverAnswer(plain, [_told_best(cards, mix), *_told_scores(scored)])


def _told_best(cards: SixCards, mix: Mix) -> str:
    if len(mix) == 1:
        return f"Best play always sets {_digits(cards)} as {next(iter(mix))}: High, Middle and Low."
    return f"Best play sets {_digits(cards)} in several ways: {_told_mix(mix)}."


def _told_scores(scored: Iterable[Reply]) -> Iterator[str]:
    yield "What each arrangement scores against best play on average, in percent:"
    yield from (f"  {each.arrangement}  {_percent(each.score):>6}" for each in scored)
    yield "Any other is beaten or equalled by one of these in all three hands."


# Words and numbers


def _digits(cards: SixCards) -> str:
    return "".join(map(str, cards))


def _plain_mix(mix: Mix) -> dict[str, dict[str, object]]:
    total = sum(mix.values())
    return {str(each): _plain_number("chance", Fraction(weight, total)) for each, weight in mix.items()}


def _told_mix(mix: Mix) -> str:
    """Return how it is set: High, Middle and Low, the likeliest first."""
    likeliest = sorted(mix, key=mix.__getitem__, reverse=True)
    total = sum(mix.values())
    return ", ".join(f"{each} ({_percent(Fraction(mix[each], total))}%)" for each in likeliest)


def _plain_number(name: str, number: Fraction) -> dict[str, object]:
    return {name: float(number), "exact": str(number)}


def _percent(number: Fraction) -> str:
    return f"{float(number * 100):.2f}"
