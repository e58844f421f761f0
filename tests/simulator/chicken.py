"""What people type around Chicken Poker, where all choose at once what nobody else may see."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Literal, NamedTuple, TypeAlias

from tests.simulator.town import Person

Kind: TypeAlias = Literal["stake", "pledge", "talk"]

CARDS = ("!play 1", "!play 1", "!play 2", "!play 3", "!play 3")
JUNK = (
    "!chicken rules", "!chicken 1", "!chicken 16 5", "!chicken 3 5 5", "!chicken stake=-1", "!play",
    "!play 0", "!play 99", "!play 1 2", "!chicken poker x", "!fair chicken",
)  # fmt: skip
CHOICES = (
    "chickenpoker lobby 10", "chickenpoker lobby 60", "chickenpoker choice 10", "chickenpoker choice 30",
    "chickenpoker max_stake 50", "chickenpoker max_stake 0", "chickenpoker most_players 3",
    "chickenpoker most_players 10", "chickenpoker house_fills 0", "chickenpoker house_fills 4",
    "chickenpoker default_stake 10", "chickenpoker default_stake 0", "chickenpoker starters viewer",
)  # fmt: skip
LATELY = 4  # people of whom one plays more likely than anybody else


class Said(NamedTuple):
    """Who says what where; without a text it is an order to the room."""

    person: Person
    room: str
    text: str
    kind: Kind = "talk"


@dataclass(eq=False, slots=True)
class Chicken:
    """Remembers who has sat down of late, and where."""

    rng: Random
    people: list[Person]
    players: list[tuple[Person, str]] = field(default_factory=list)

    @property
    def eager(self) -> float:
        """Tell how likely the next line is about it."""
        return 0.15 if self.players else 0.05

    def line(self, person: Person, room: str, amount: str) -> Said:
        weights = (60, 10, 20, 5, 5) if self.players else (5, 60, 25, 5, 5)
        kind = self.rng.choices(("card", "open", "join", "junk", "order"), weights)[0]
        if kind == "card":
            known = self.players[-LATELY:]
            person, room = self.rng.choice(known) if known and self.rng.random() < 0.9 else (person, room)
            return Said(person, room, self.rng.choice(CARDS))
        if kind == "open":
            self.players.append((person, room))
            return Said(person, room, f"!chicken {self.rng.choice((2, 3))} {amount}", "stake")
        if kind == "join":
            room = self.players[-1][1] if self.players else room
            self.players.append((person, room))
            return Said(person, room, self.rng.choice(("!chicken", "!chickenpoker")), "pledge")
        return Said(person, room, self.rng.choice(JUNK) if kind == "junk" else "")
