"""A table of any game that a test plays by hand, action by action."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from chatbot.kernel.game import Moment, Refusal, Step, SystemPurse, Timeout

if TYPE_CHECKING:
    from chatbot.kernel.fair import Rng
    from chatbot.kernel.game import Transfer, TransferParty
    from chatbot.kernel.say import Message

T = TypeVar("T")


class ByHand:
    """Its purses add up at each step; `refused` says that nothing happened."""

    game: Any
    state: Any

    def __init__(self, game: Any, luck: Rng) -> None:
        self.game, self.luck = game, luck
        self.state = self.game.start()
        self.events: list[Any] = []
        self.transfers: list[Transfer] = []
        self.purses: Counter[TransferParty] = Counter()

    def act(self, action: Any) -> tuple[Any, ...]:
        """Take an action, and give what happened."""
        step: Step[Any] = self.game.apply(self.state, action, Moment(self.luck))
        for each in step.transfers:
            self.purses[each.source] -= each.credits
            self.purses[each.target] += each.credits
        self.state = step.state
        self.events += step.events
        self.transfers += step.transfers
        assert self.sound
        return step.events

    @property
    def sound(self) -> bool:
        """Whether the pot holds what it may."""
        return self.purses[SystemPurse.POT] >= 0

    def time_out(self) -> tuple[Any, ...]:
        clock = self.game.clock(self.state)
        assert clock is not None
        return self.act(Timeout(clock))

    def refused(self, action: Any) -> Message:
        before = self.state
        with pytest.raises(Refusal) as refusal:
            self.game.apply(self.state, action, Moment(self.luck))
        assert self.state == before
        return refusal.value.message

    def of(self, kind: type[T]) -> list[T]:
        return [each for each in self.events if isinstance(each, kind)]
