"""What is said after a game, once it has been thought about: how the cards could have been set better.

An arrangement is weighed twice: against best play, that is over all that the other could hold and set, and
against what the other really held, as it was set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.sixcardpoker.chat.figures import percent
from chatbot.games.sixcardpoker.rules.cards import compare
from chatbot.games.sixcardpoker.solver import policies
from chatbot.games.sixcardpoker.solver.replies import replies
from chatbot.kernel.kit import of_house
from chatbot.kernel.say import Arguments, Message, Name, Say, Talk

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

    from chatbot.games.sixcardpoker.rules.cards import Arrangement
    from chatbot.games.sixcardpoker.rules.moves import Revealed, Setting


def review(event: Revealed) -> Iterable[Say]:
    """Weigh how each person at the table has set their cards."""
    pairs = (event.first, event.second), (event.second, event.first)
    for own, other in pairs:
        if not of_house(own.seat):
            yield Say(_reviewed(own, other), talk=Talk.NORMAL, game="sixcardpoker", event="Revealed")


def _reviewed(own: Setting, other: Setting) -> Message:
    scores = dict(replies(own.held, policies.nash()))
    args: Arguments = {
        "who": Name(own.seat),
        "average": _on_average(own.arrangement, scores),
        "this_time": _this_time(own.arrangement, other, scores),
    }
    return Message("sixcard-review", args)


def _on_average(own: Arrangement, scores: Mapping[Arrangement, Fraction]) -> Message:
    best = max(scores, key=lambda each: scores[each])  # of equals, the first
    args: Arguments = {
        "hands": str(own),
        "score": percent(scores[own]),
        "best": str(best),
        "most": percent(scores[best]),
    }
    flawless = scores[own] == scores[best]
    return Message("sixcard-review-flawless" if flawless else "sixcard-review-better", args)


def _this_time(own: Arrangement, other: Setting, scores: Mapping[Arrangement, Fraction]) -> Message:
    """Say what would have done better against these very hands: of several, what is best on average."""
    results = {each: compare(each, other.arrangement).round for each in scores}
    best = max(scores, key=lambda each: (results[each], scores[each]))
    args: Arguments = {"other": Name(other.seat), "hands": str(best)}
    return Message(f"sixcard-review-{_kind(results[own], results[best])}", args)


def _kind(own: int, best: int) -> str:
    if own > 0:
        return "won"
    if best > own:
        return "could-win" if best > 0 else "could-draw"
    return "only-drew" if best == 0 else "only-lost"
