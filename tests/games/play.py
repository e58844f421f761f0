"""Plays any kit at random, with purses that add up, and keeps a journal: the ground of the generic tests."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chatbot.kernel.commands import Kind, MoveRequest
from chatbot.kernel.fair import Rng, turn_key
from chatbot.kernel.game import Moment, Seat, Sit, Step, SystemPurse, Timeout, TransferParty
from chatbot.kernel.kit import AnyKit
from chatbot.kernel.lobby import ForHonour, Lobby

if TYPE_CHECKING:
    from collections.abc import Iterable


PEOPLE = tuple(Seat(f"test:{name}") for name in ("ann", "bob", "cat", "dan", "eve", "fay"))
MOST_STEPS = 400


@dataclass(frozen=True)
class Row:
    """A row of the journal."""

    action: Any
    purses: Mapping[Seat, int]


@dataclass
class RandomTable:
    """One table, played by chance; every promise that holds at each step is asserted here."""

    kit: AnyKit
    game: Any
    rng: Rng
    purses: Counter[TransferParty]
    records: dict[Seat, Any] = field(default_factory=dict)
    seed: bytes = b"generic"
    silence: float = 0.1  # how likely a phase is to run out
    state: Any = None
    journal: list[Row] = field(default_factory=list)
    events: list[Any] = field(default_factory=list)
    seated: set[Seat] = field(default_factory=set)
    reasons: set[str] = field(default_factory=set)

    def play(self) -> RandomTable:
        self.state = self.game.start()
        for seat in self.kit.seating.residents:
            self.sit(seat)
        for _ in range(MOST_STEPS):
            clock = self.game.clock(self.state)
            if clock is None:
                assert self.purses[SystemPurse.POT] == 0, "a finished pot is empty"
                return self
            self._move(clock)
        raise AssertionError(f"{self.kit.name} did not end within {MOST_STEPS} steps")

    def sit(self, seat: Seat) -> None:
        if seat not in self.seated:
            self.seated.add(seat)
            self.take(Sit(seat, self.records.get(seat)))

    def take(self, action: Any) -> Step[Any]:
        """Apply an action, check the step, and keep it."""
        purses = {seat: self.purses[seat] for seat in self.game.needs(self.state, action)}
        before = copy.deepcopy(self.state)
        step = apply(self.game, self.state, Row(action, purses), self.seed, len(self.journal) + 1)
        assert self.state == before, "an old state is never touched"
        self._pay(step)
        self.records.update(step.records)
        self.state = step.state
        self.journal.append(Row(action, purses))
        self.events.extend(step.events)
        return step

    def offers(self, seat: Seat) -> list[Any]:
        """List what is on the menu, and sometimes the opening that names another player instead."""
        offered = self.game.menu(self.state, seat, self.purses[seat])
        opening = self.kit.chat.commands[0]
        names = any(each.kind is Kind.MEMBER for each in opening.options)
        if names and self.state == self._empty and self.rng.chance(0.5):
            other = self.rng.choice([each for each in PEOPLE if each != seat])
            naming = read(self.kit, self.game, seat, f"!{opening.word} @{other}")
            return [naming] if self._can_pay(seat, naming) else list(offered)
        return list(offered)

    def _can_pay(self, seat: Seat, action: Any) -> bool:
        step = apply(self.game, self.state, Row(action, {}), self.seed, len(self.journal) + 1)
        return sum(each.credits for each in step.transfers if each.source == seat) <= self.purses[seat]

    @property
    def _empty(self) -> Any:
        """What the table is while nothing has happened but that these have sat down."""
        state = self.game.start()
        for row in self.journal:
            if not isinstance(row.action, Sit):
                return None
            state = apply(self.game, state, row, self.seed, 1).state
        return state

    def run_out(self) -> None:
        """Let the present clock run out, if there is one yet: an action may have ended the game."""
        clock = self.game.clock(self.state)
        if clock is not None:
            self.take(Timeout(clock))

    def _move(self, clock: Any) -> None:
        able = [seat for seat in PEOPLE if self.game.menu(self.state, seat, self.purses[seat])]
        if not able or self.rng.chance(self.silence):
            alone = self.state.alone if isinstance(self.state, Lobby) else None
            if alone is not None and self.rng.chance(0.5):
                self.take(ForHonour(alone))
            self.take(Timeout(clock))
            return
        seat = self.rng.choice(able)
        self.sit(seat)
        action = self.rng.choice(self.offers(seat))
        if type(action).__name__ in {"Leave", "Start"} and self.rng.chance(0.8):
            return  # or most tables would begin with one or two people, where hardly anything happens
        held = self.purses[seat]
        step = self.take(action)
        paid = sum(each.credits for each in step.transfers if each.source == seat)
        assert paid <= held, "a menu offers nothing that the purse cannot pay"

    def _pay(self, step: Step[Any]) -> None:
        total = sum(self.purses.values())
        for each in step.transfers:
            self.purses[each.source] -= each.credits
            self.purses[each.target] += each.credits
            self.reasons.add(each.why)
        assert sum(self.purses.values()) == total, "credits are conserved"
        for purse, held in self.purses.items():
            assert held >= 0 or purse in {SystemPurse.HOUSE, SystemPurse.MINT}, (
                f"{purse} is overdrawn: {held}"
            )


def apply(game: Any, state: Any, row: Row, seed: bytes, turn: int) -> Step[Any]:
    rng = Rng(turn_key(seed, turn, ()))
    step: Step[Any] = game.apply(state, row.action, Moment(rng, row.purses))
    return step


def replay(game: Any, journal: Iterable[Row], seed: bytes) -> Any:
    state = game.start()
    for turn, row in enumerate(journal, 1):
        state = apply(game, state, row, seed, turn).state
    return state


def read(kit: AnyKit, game: Any, seat: Seat, line: str) -> Any:
    """Read a typed line as the house would."""
    word, *words = line.removeprefix("!").split()
    command = next(each for each in kit.chat.commands if word in (each.word, *each.aliases))
    members = {each: Seat(each.removeprefix("@")) for each in words if each.startswith("@")}
    return command.read(game, MoveRequest(seat, 10**6, tuple(words), confides=True, members=members))


def is_secret(kit: AnyKit, state: Any, action: Any) -> bool:
    if kit.seating.private(state):
        return True
    word = kit.chat.line(action).removeprefix("!").partition(" ")[0]
    return next(each for each in kit.chat.commands if word in (each.word, *each.aliases)).secret
