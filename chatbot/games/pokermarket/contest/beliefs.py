"""What others have shown of themselves: how they answer proposals, and whether they use their turns."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, TypeVar

from chatbot.games.pokermarket.contest.position import Position, deal_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from chatbot.games.pokermarket.contest.position import Deal
    from chatbot.games.pokermarket.rules.states import Done

Key = TypeVar("Key")


class Temper(Enum):
    """What a proposal is to whoever is asked, with what is believed before anything is known.

    The numbers are as if so many had accepted, and declined.
    """

    GOOD = (3, 1)  # `greedy` accepts it
    RISKY = (1, 4)  # a better hand, but a worse place
    BAD = (1, 8)  # nothing that would be better


_SENSIBLE = (2, 1)  # as if so many turns had been used well, and so many not
_LIKELY = 0.5


class Beliefs:
    """Counts of answers and turns, player by player; chances are their means with what is believed before."""

    def __init__(self) -> None:
        self._answers: dict[tuple[Hashable, Temper], list[int]] = {}  # refused, accepted
        self._turns: dict[Hashable, list[int]] = {}  # wasted, used

    def notice(self, done: Done, proposer: Hashable, partner: Hashable | None) -> None:
        """Learn from a turn: what was proposed, and how it was answered."""
        position = Position.of(done.market)
        if done.proposed is None:
            if position.choice(done.market.seat) is not None:
                _count(self._turns, proposer, happened=False)
            return
        deal = deal_of(done.proposed, position)
        _count(self._turns, proposer, happened=deal.own > position.holdings[deal.seat].rank)
        _count(self._answers, (partner, kind(position, deal)), happened=done.accepted)

    def acceptance(self, player: Hashable, position: Position, deal: Deal) -> float:
        """Give the chance that a player accepts."""
        asked = kind(position, deal)
        return _chance(self._answers.get((player, asked)), asked.value)

    def accepts(self, player: Hashable, position: Position, deal: Deal) -> bool:
        """Whether a player is likelier to accept than not."""
        return self.acceptance(player, position, deal) > _LIKELY

    def acts(self, player: Hashable) -> bool:
        """Whether a player uses its turns: who passes, or proposes what does it no good, does not."""
        return _chance(self._turns.get(player), _SENSIBLE) > _LIKELY


def kind(position: Position, deal: Deal) -> Temper:
    if position.accepts(deal):
        return Temper.GOOD
    return Temper.RISKY if deal.other > position.holdings[deal.partner].rank else Temper.BAD


def _count(counts: dict[Key, list[int]], key: Key, *, happened: bool) -> None:
    counts.setdefault(key, [0, 0])[happened] += 1


def _chance(counted: list[int] | None, before: tuple[int, int]) -> float:
    no, yes = counted or (0, 0)
    return (before[0] + yes) / (sum(before) + yes + no)
