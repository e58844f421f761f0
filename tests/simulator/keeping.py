"""What moderators type about settings and money, and what members ask of their credits, besides the games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Literal, NamedTuple, TypeAlias

from chatbot.kernel.game import Role
from tests.simulator.town import Person

Kind: TypeAlias = Literal["stake", "grant", "take", "claim", "talk"]

QUESTIONS = (
    "!history", "!history 3", "!history 20", "!history 0", "!rank", "!rank @ann", "!odds heist", "!odds",
    "!odds sixcard", "!career", "!audit", "!settings", "!settings credits", "!history @bob", "!heist odds",
)  # fmt: skip
CHOICES = (
    "credits give_start yes", "credits give_start no", "credits give_most 50", "credits give_most 0",
    "credits give_daily 100", "credits give_daily 0", "credits taken_daily 70", "credits taken_daily default",
    "credits start 100", "credits start 240", "earning talk_offline 5", "earning talk_messages 1",
    "earning talk_gap 0", "earning watch_offline 7", "earning watch_minutes 5", "earning daily_most 20",
    "earning daily_most 500", "earning claim 10", "earning claim 0", "earning claim default",
    "earning claim_hours 1", "earning claim_hours 12", "earning moderator 150", "earning claim x",
    "room hints no", "room hints yes", "room suggestions no", "cooldowns give 0/60", "cooldowns give off",
    "cooldowns top off", "credits give_most -1", "room paused maybe", "heist lobby default",
)  # fmt: skip
UNDOINGS = ("!undo", "!undo", "!undo", "!undo -- a slip", "!undo x", "!undo 999")
KEEPERS = frozenset({Role.MODERATOR, Role.BROADCASTER})


class Typed(NamedTuple):
    """Who types what; `amount` is of a stake, a grant, and of what is taken, `taker` of the last two."""

    person: Person
    text: str
    kind: Kind = "talk"
    amount: str = ""
    taker: Person | None = None


@dataclass(eq=False, slots=True)
class Keeping:
    """`amount` makes up an amount; remembers which rooms were paused, so that games go on soon."""

    rng: Random
    people: list[Person]
    amount: Callable[[], str]
    paused: set[str] = field(default_factory=set)
    _ending: tuple[Person, str] | None = None  # who is to confirm the end of a season, and where

    def line(self, person: Person, room: str) -> Typed:
        """Make up a line that is heard in a room."""
        kinds = self._claim, self._ask, self._choose, self._move, self._undo, self._switch, self._exclude
        return self.rng.choices(kinds, (20, 18, 18, 18, 14, 8, 4))[0](person, room)

    def _claim(self, person: Person, _: str) -> Typed:
        return Typed(person, self.rng.choice(("!claim", "!claim", "!daily")), "claim")

    def _ask(self, person: Person, _: str) -> Typed:
        return Typed(person, self.rng.choice(QUESTIONS))

    def _choose(self, person: Person, _: str) -> Typed:
        reason = self.rng.choice(("", "", " -- for tonight"))
        return Typed(self._keeper(person), f"!set {self.rng.choice(CHOICES)}{reason}")

    def _move(self, person: Person, _: str) -> Typed:
        """Give somebody credits out of nothing, or take them away."""
        taker, amount = self.rng.choice(self.people), self.amount()
        kind: Kind = "grant" if self.rng.random() < 0.5 else "take"
        reason = self.rng.choice(("", " for a song", " -- as agreed")) if amount else ""
        named = taker if self.rng.random() < 0.9 else None
        text = f"!{kind} @{named.name if named else 'nobody'} {amount}".rstrip() + reason
        return Typed(self._keeper(person), text, kind, amount, named)

    def _undo(self, person: Person, _: str) -> Typed:
        numbered = f"!undo {self.rng.randint(1, 30)}"
        return Typed(self._keeper(person), self.rng.choice((*UNDOINGS, numbered, numbered)))

    def _switch(self, person: Person, room: str) -> Typed:
        moderator = self._keeper(person)
        if room in self.paused:
            self.paused -= {room} if moderator.role in KEEPERS else set()
            return Typed(moderator, "!unpause")
        if self.rng.random() < 0.5:
            self.paused.add(room)
            return Typed(moderator, "!pause")
        return Typed(
            moderator, self.rng.choice(("!enable heist", "!talk full", "!talk normal", "!pause now"))
        )

    @property
    def eager(self) -> float:
        """Tell how likely the next line is about the end of a season."""
        return 0.5 if self._ending else 0.02

    def end(self, person: Person, room: str) -> tuple[Typed, str]:
        """End a season, in two lines; now and then somebody else says the second. Gives the room too."""
        if self._ending is not None:
            (confirming, room), self._ending = self._ending, None
            return Typed(confirming if self.rng.random() < 0.9 else person, "!confirm"), room
        owners = [each for each in self.people if each.role is Role.BROADCASTER]
        ending = owners[0] if owners else self._keeper(person)
        self._ending = ending, room
        text = self.rng.choice(("!season end", "!season end heist", "!season end -- as agreed"))
        return Typed(ending, text), room

    def _exclude(self, person: Person, _: str) -> Typed:
        off = " off" if self.rng.random() < 0.6 else ""
        return Typed(self._keeper(person), f"!exclude @{self.rng.choice(self.people).name}{off}")

    def _keeper(self, person: Person) -> Person:
        """Let a moderator speak, more likely than anybody else."""
        moderators = [each for each in self.people if each.role in KEEPERS]
        return self.rng.choice(moderators) if self.rng.random() < 0.9 else person
