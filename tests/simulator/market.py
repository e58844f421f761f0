"""What people type around Poker Market, where all cards lie open: who is on turn, and for what, is heard."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Literal, TypeAlias

from chatbot.kernel.say import Name
from tests.simulator.town import Person

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chatbot.kernel.say import Message, Say

Kind: TypeAlias = Literal["stake", "pledge", "talk"]

JUNK = (
    "!market rules", "!market 6 5", "!market 0", "!market 1 2 3", "!swap JS", "!swap JS 3D @nobody",
    "!swap 11S 3D", "!swap JS JS", "!accept now", "!pass 1", "!market swap AS KS", "!pokermarket x",
)  # fmt: skip
CHOICES = (
    "pokermarket lobby 10", "pokermarket lobby 30", "pokermarket turn 10", "pokermarket turn 60",
    "pokermarket answer 10", "pokermarket max_stake 50", "pokermarket max_stake 0",
    "pokermarket most_players 3", "pokermarket most_players 10", "pokermarket house_fills 0",
    "pokermarket house_fills 4", "pokermarket starters viewer", "pokermarket default_stake 0",
)  # fmt: skip
ANSWERS = ("!accept", "!accept", "!decline", "!market accept")


@dataclass(eq=False, slots=True)
class Market:
    """Remembers who was last told to do something, in each room."""

    rng: Random
    people: list[Person]
    asked: dict[str, tuple[Person, tuple[str, ...]]] = field(default_factory=dict)  # what they may well say

    def hear(self, says: Iterable[tuple[str, Say]]) -> None:
        for room, say in says:
            if say.message.id in {"market-turn", "market-turn-again"}:
                give, take = say.message.args["give"], say.message.args["take"]
                swap = f"!swap {give} {take}"
                self._ask(room, say.message, "who", (swap, swap, swap.lower(), "!pass"))
            elif say.message.id == "market-proposed-you":
                self._ask(room, say.message, "partner", ANSWERS)
            elif say.message.id in {"market-ranked", "market-ranked-pot", "table-void"}:
                self.asked.pop(room, None)

    def line(self, person: Person, room: str, amount: str) -> tuple[Person, str, str, Kind]:
        """Give who says what where, and what it asks for; without a text it is an order to the room."""
        weights = (80, 4, 8, 4, 4) if self.asked else (5, 40, 50, 2, 3)
        kind = self.rng.choices(("turn", "open", "join", "junk", "order"), weights)[0]
        if kind == "turn":
            return *self._turn(person, room), "talk"
        if kind == "open":
            word = self.rng.choice(("!market 1", "!market 2", "!pokermarket 1"))
            return person, room, f"{word} {amount}", "stake"
        if kind == "join":
            return person, room, "!market", "pledge"
        return person, room, self.rng.choice(JUNK) if kind == "junk" else "", "talk"

    def _turn(self, person: Person, room: str) -> tuple[Person, str, str]:
        """Let speak whoever is asked, more likely than not, and say what they are asked for."""
        if not self.asked or self.rng.random() < 0.2:
            return person, room, self.rng.choice(("!pass", *ANSWERS))
        room = self.rng.choice(list(self.asked))
        asked, words = self.asked[room]
        return (asked if self.rng.random() < 0.85 else person), room, self.rng.choice(words)

    def _ask(self, room: str, message: Message, whom: str, words: tuple[str, ...]) -> None:
        name = message.args[whom]
        assert isinstance(name, Name)
        found = [each for each in self.people if each.sits_as(name.seat)]
        if found:
            self.asked[room] = found[0], words
