"""What people type to be one person with two seats: a code is asked for, typed elsewhere, and agreed to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from chatbot.kernel.game import Seat
from chatbot.kernel.say import Name
from tests.simulator.keeping import Typed
from tests.simulator.town import OTHER, Person

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from chatbot.kernel.say import Say

CODE = re.compile(r"(?<=!link )[A-Z2-9]{10}")
STAKES = (
    "!heist 25", "!heist 25", "!chicken 3 25", "!market 1 25", "!highshow 5 2 none 25", "!sixcard 25",
)  # fmt: skip
JUNK = ("!link WRONGCODE1", "!link yes", "!link a b", "!unlink", "!unlink", "!unlink now")


@dataclass(eq=False, slots=True)
class Links:
    """Remembers how far people have come."""

    rng: Random
    people: list[Person]
    _codes: list[str] = field(default_factory=list)
    _offered: list[tuple[Seat, Seat]] = field(default_factory=list)  # who is asked, and whose purse it is
    _linked: dict[str, Person] = field(default_factory=dict)  # who has agreed, and with whom to be one

    @property
    def eager(self) -> float:
        """Tell how likely the next line is about it."""
        return 0.6 if self._codes or self._offered else 0.06

    def hear(self, says: Iterable[tuple[str, Say]]) -> None:
        for _, say in says:
            if say.message.id == "link-code":
                self._codes.append(str(say.message.args["code"]))
            elif say.message.id == "link-offer" and say.to is not None:
                root = say.message.args["who"]
                assert isinstance(root, Name)
                self._offered.append((say.to, root.seat))

    def line(self, person: Person) -> Typed:
        others = [each for each in self.people if each.account.platform == OTHER]
        other = self.rng.choice(others)
        if self.rng.random() < 0.1:
            return Typed(self.rng.choice((person, other)), self.rng.choice(JUNK))
        if self._offered:
            if self.rng.random() < 0.4:  # with a stake in flight
                return Typed(self._asked(other), self.rng.choice(STAKES), "stake", "25")
            return self._agree(other)
        if self._codes:
            return Typed(other, f"!link {self._codes.pop()}")
        if other.name in self._linked:
            return self._part(other)
        return Typed(person, "!link")

    def twins(self) -> list[Person]:
        """Give both accounts of somebody who has likely been linked."""
        name = self.rng.choice(list(self._linked)) if self._linked else ""
        return [each for each in self.people if each.name == name] + [self._linked[name]] if name else []

    def amid(self, seated: Collection[Seat]) -> Typed:
        """Go one line further, with those who sit at a table as far as it is theirs to speak."""
        there = [each for each in self.people if any(each.sits_as(seat) for seat in seated)]
        others = [each for each in self.people if each.account.platform == OTHER]
        other = self.rng.choice([each for each in others if each in there] or others)
        if self._offered:
            return self._agree(other)
        if self._codes:
            return Typed(other, f"!link {self._codes.pop()}")
        if self._linked and self.rng.random() < 0.6:
            return self._part(next(each for each in others if each.name in self._linked))
        return Typed(self.rng.choice([each for each in there if each not in others] or self.people), "!link")

    def _asked(self, other: Person) -> Person:
        """Give who was asked last whether they agree."""
        found = (each for each in self.people if each.account.platform == OTHER)
        return next((each for each in found if each.sits_as(self._offered[-1][0])), other)

    def _agree(self, other: Person) -> Typed:
        agreeing = self._asked(other)
        _, root = self._offered.pop()
        found = [each for each in self.people if each.sits_as(root)]
        self._linked.update((agreeing.name, each) for each in found)
        return Typed(agreeing, "!link yes")

    def _part(self, other: Person) -> Typed:
        self._linked.pop(other.name, None)
        return Typed(other, "!unlink")


def masked(text: str) -> str:
    """Leave codes out of a trace: no seed decides them."""
    return CODE.sub("..........", text)
