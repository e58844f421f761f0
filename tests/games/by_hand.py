"""A table of any game that a test plays by hand, action by action."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.kernel.game import Moment, Refusal, Timeout

if TYPE_CHECKING:
    from chatbot.kernel.fair import Rng
    from chatbot.kernel.say import Message


class ByHand(ABC):
    """`act` says what happened; `refused` that nothing did."""

    game: Any
    state: Any
    luck: Rng

    @abstractmethod
    def act(self, action: Any) -> tuple[Any, ...]:
        """Take an action, and give what happened."""

    def time_out(self) -> tuple[Any, ...]:
        clock = self.game.clock(self.state)
        assert clock is not None
        return self.act(Timeout(clock))

    def refused(self, action: Any) -> Message:
        with pytest.raises(Refusal) as refusal:
            self.game.apply(self.state, action, Moment(self.luck))
        return refusal.value.message
