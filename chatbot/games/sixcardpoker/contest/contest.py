"""Six Card Poker's contest: every two players meet in many rounds, each deal played from both sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from chatbot.games.sixcardpoker.contest.contestants import CONTESTANTS
from chatbot.games.sixcardpoker.contest.meeting import meet
from chatbot.games.sixcardpoker.contest.score import GAMES
from chatbot.games.sixcardpoker.contest.situation import TONGUE
from chatbot.kernel.contest import Entrant, Log, Match, Series, Standing, Strategy, Tongue
from chatbot.kernel.failure import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MATCHES = 32  # into which the deals of two players are divided, if they are enough: for all workers
_SHORTEST, _LONGEST = 50, 25_000  # deals of a match, for which programs are started afresh


@dataclass(frozen=True, slots=True)
class SixCardContest:
    """Every two players play each deal twice, with the cards exchanged; odd numbers of games are rounded up.

    A score is the percentage of what there is to win. Luck goes by the players' names, so the order in
    which they are listed changes nothing.
    """

    strategies: ClassVar[Mapping[str, Strategy]] = CONTESTANTS
    tongue: ClassVar[Tongue] = TONGUE
    unit: ClassVar[str] = "percent"
    usual_games: ClassVar[int] = 10_000

    def matches(self, entrants: int, games: int, seed: str) -> Series:
        """Divide the deals of every two players.

        Raises:
            Failure: there is nobody to play against.
        """
        if entrants < 2:
            raise Failure("Six Card Poker takes two players or more, not 1.")
        pairs = list(combinations(range(entrants), 2))
        deals = -(-games // GAMES)
        parts = max(min(deals // _SHORTEST, _MATCHES), -(-deals // _LONGEST))

        def make(number: int) -> Match:
            part, table = divmod(number, len(pairs))
            own = _share(deals, parts, part)
            return Match(number, pairs[table], GAMES * own, f"{seed}/part {part}", table)

        return Series(parts * len(pairs), make)

    def play(self, match: Match, entrants: Sequence[Entrant], log: Log | None) -> Iterator[Standing]:
        first, second = sorted(range(2), key=lambda seat: entrants[match.seats[seat]].name)
        players = entrants[match.seats[first]], entrants[match.seats[second]]
        for score in meet(players, match.games // GAMES, match.seed, log):
            yield score.standing(first)


def _share(whole: int, parts: int, part: int) -> int:
    """Give one of so many parts that differ by one at most."""
    return whole // parts + (part < whole % parts)
