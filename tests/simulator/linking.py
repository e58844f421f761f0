"""What people type to be one person with two seats: a code is asked for, typed elsewhere, and agreed to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from chatbot.kernel.game import Seat
from tests.simulator.keeping import Typed
from tests.simulator.town import OTHER, Person

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chatbot.kernel.say import Say

CODE = re.compile(r"(?<=!link )[A-Z2-9]{10}")
JUNK = ("!link WRONGCODE1", "!link yes", "!link a b", "!unlink", "!unlink", "!unlink now")


@dataclass(eq=False, slots=True)
class Links:
    """Remembers how far people have come."""

    rng: Random
    people: list[Person]
    _codes: list[str] = field(default_factory=list)
    _offered: list[Seat] = field(default_factory=list)
    _linked: set[str] = field(default_factory=set)

    @property
    def eager(self) -> float:
        """Tell how likely the next line is about it."""
        return 0.6 if self._codes or self._offered else 0.06

    def hear(self, says: Iterable[tuple[str, Say]]) -> None:
        for _, say in says:
            if say.message.id == "link-code":
                self._codes.append(str(say.message.args["code"]))
            elif say.message.id == "link-offer" and say.to is not None:
                self._offered.append(say.to)

    def line(self, person: Person) -> Typed:
        others = [each for each in self.people if each.account.platform == OTHER]
        other = self.rng.choice(others)
        if self.rng.random() < 0.1:
            return Typed(self.rng.choice((person, other)), self.rng.choice(JUNK))
        if self._offered:
            agreeing = next((each for each in others if each.sits_as(self._offered[-1])), other)
            if self.rng.random() < 0.4:  # with a stake in flight
                return Typed(agreeing, "!heist 25", "stake", "25")
            self._offered.pop()
            self._linked.add(agreeing.name)
            return Typed(agreeing, "!link yes")
        if self._codes:
            return Typed(other, f"!link {self._codes.pop()}")
        if other.name in self._linked:
            self._linked.discard(other.name)
            return Typed(other, "!unlink")
        return Typed(person, "!link")


def masked(text: str) -> str:
    """Leave codes out of a trace: no seed decides them."""
    return CODE.sub("..........", text)
