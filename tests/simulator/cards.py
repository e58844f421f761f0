"""What people type around Six Card Poker: against the house, and in duels, which only some rooms allow."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from tests.simulator.town import Person

SETTINGS = (
    "!set auto", "!set auto", "!arrange auto", "!set 144 23 1", "!set 432 21 1", "!arrange 432 11 3",
    "!set 9", "!set", "!set high", "!set144231",
)  # fmt: skip
ANSWERS = ("accept", "accept", "accept", "decline")
JUNK = (
    "!sixcard rules", "!sixcard 5 5", "!sixcard @nobody 5", "!sixcard accept now", "!6card x", "!sixcard @",
    "!help set", "!sixcard @ann @bob",
)  # fmt: skip
CHOICES = (
    "sixcard games 1", "sixcard games 10", "sixcard arrangement 10", "sixcard arrangement 60",
    "sixcard acceptance 10", "sixcard acceptance 60", "sixcard duels no", "sixcard duels yes",
    "sixcard max_stake 50", "sixcard max_stake 0", "sixcard default_stake 0", "sixcard starters viewer",
)  # fmt: skip
LATELY = 4  # people of whom one plays more likely than anybody else


@dataclass(eq=False, slots=True)
class Cards:
    """Remembers who has been dealt in of late, or challenged: their words have a meaning."""

    rng: Random
    people: list[Person]
    players: list[tuple[Person, str]] = field(default_factory=list)
    challenged: list[tuple[Person, str]] = field(default_factory=list)
    heard: list[Person] = field(default_factory=list)  # who has spoken: others cannot be named yet
    open: bool = False  # whether the last challenge may have to be answered yet

    def opening(self, person: Person, room: str) -> str:
        """Play the house; the stake is still to come, as in a challenge."""
        self.players.append((person, room))
        return self.rng.choice(("!sixcard", "!6card", "!SixCard"))

    def challenge(self, person: Person, room: str) -> str:
        """Challenge anybody, oneself included; most rooms have secrets for it."""
        rival = self.rng.choice(self.heard[-8:] or self.people)
        self.players += [(person, room), (rival, room)]
        self.challenged.append((rival, room))
        self.open = True
        return f"!sixcard @{rival.name}"

    def asked(self, person: Person, room: str) -> tuple[Person, str]:
        """Give who was challenged last, more often than not."""
        self.open = self.open and self.rng.random() < 0.75
        return self._of_late(self.challenged[-1:], person, room)

    def playing(self, person: Person, room: str) -> tuple[Person, str]:
        """Give somebody who likely plays."""
        return self._of_late(self.players[-LATELY:], person, room)

    def _of_late(self, known: list[tuple[Person, str]], person: Person, room: str) -> tuple[Person, str]:
        return self.rng.choice(known) if known and self.rng.random() < 0.85 else (person, room)
