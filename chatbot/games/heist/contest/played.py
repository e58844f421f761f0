"""One game of a tournament, as its log tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.games.heist.rules.moves import Act


class Played(NamedTuple):
    """Contestants are numbered; `may_gain` is what the dice gave, before anybody took anything away."""

    number: int  # from 0
    players: int  # rabble included
    bets: Sequence[tuple[int, int]]  # contestant and stake, in the order of turns
    answers: Sequence[tuple[int, Act]]  # contestant and answer, in the order of turns
    results: Sequence[tuple[int, bool, int]]  # contestant, success, may_gain, in the order of round 1
    credits: Sequence[int]  # of each contestant, when it was over
