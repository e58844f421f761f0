"""A heist played by hand: purses are kept beside the table, and every step is followed and checked."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from chatbot.games.heist.chat.story import narrate
from chatbot.games.heist.rules.moves import Act, Answer, Join, Outcome
from chatbot.games.heist.rules.rabble import RABBLE, Purses
from chatbot.games.heist.rules.rules import Heist
from chatbot.games.heist.rules.states import Over, State, Storming
from chatbot.kernel.game import (
    Moment,
    Refusal,
    Seat,
    Sit,
    Step,
    SystemPurse,
    Timeout,
    Transfer,
    TransferParty,
)
from tests.games.heist.luck import Luck, Undrawn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.games.heist.rules.career import Career
    from chatbot.games.heist.rules.rules import Input
    from chatbot.kernel.fair import Rng
    from chatbot.kernel.say import Message, Say

E = TypeVar("E")

ANN, BOB, CAT, DAN, EVE = (Seat(name) for name in ("ann", "bob", "cat", "dan", "eve"))

PEOPLE = Heist(rabble=0)
"""The contest among people alone."""

UNPAID = Heist(rabble=0, payday=False)
"""Dice and double crosses alone: no payday blurs the purses, and nobody is hired."""

NOBODY: Mapping[Seat, int] = MappingProxyType({})
NO_CAREERS: Mapping[Seat, Career] = MappingProxyType({})


def crowd(count: int) -> tuple[Seat, ...]:
    return tuple(Seat(f"crowd:{number}") for number in range(count))


class Table:
    """One table with the purses of everybody who could touch it; each seat begins with 1000 credits."""

    def __init__(self, game: Heist, purses: Mapping[Seat, int] = NOBODY) -> None:
        self.game = game
        self.state: State = game.start()
        self.purses: dict[TransferParty, int] = dict.fromkeys(SystemPurse, 0)
        self.purses.update(purses.items())
        self.records: dict[Seat, object] = {}
        self.events: list[Any] = []
        self.transfers: list[Transfer] = []

    def apply(self, action: Input, luck: Rng | None = None) -> Step[State]:
        """Make one step as a house would, and check what holds for every step."""
        rng = Luck() if luck is None else luck
        if isinstance(self.state, Storming) and isinstance(action, Timeout) and isinstance(rng, Luck):
            # A script tells of all dice at once, which is easier to read than the doors' apart.
            self.state = replace(self.state, luck=tuple(Undrawn.of(rng) for _ in self.state.luck))
        before, shown = self.state, repr(self.state)
        needed = {seat: self.purse(seat) for seat in self.game.needs(before, action)}
        step = self.game.apply(before, action, Moment(rng, needed))
        if isinstance(rng, Luck):
            rng.check_used_up()
        assert repr(before) == shown, "the old state has changed"
        for each in step.transfers:
            self._transfer(each)
        self.state = step.state
        self.events += step.events
        self.records.update(step.records)
        if isinstance(step.state, Over):
            assert self.purses[SystemPurse.POT] == 0, "a finished table keeps stakes"
        return step

    def refused(self, action: Input) -> Message:
        """Take the refusal's message; nothing may have happened, and no luck may have been drawn."""
        before, purses, shown = self.state, dict(self.purses), repr(self.state)
        with pytest.raises(Refusal) as refusal:
            self.apply(action)
        assert self.state is before
        assert repr(self.state) == shown
        assert {seat: self.purses[seat] for seat in purses} == purses
        return refusal.value.message

    def sit(self, seat: Seat, record: object | None = None) -> None:
        self.apply(Sit(seat, record))

    def join(self, seat: Seat, stake: int = 100) -> None:
        self.apply(Join(seat, stake))

    def answer(self, seat: Seat, act: Act) -> None:
        self.apply(Answer(seat, act))

    def tick(self, luck: Rng | None = None) -> Step[State]:
        """Let the running clock run out."""
        clock = self.game.clock(self.state)
        assert clock is not None, "the table is over"
        return self.apply(Timeout(clock), luck)

    def purse(self, seat: Seat) -> int:
        return self.purses.setdefault(seat, 1000)

    def career(self, seat: Seat) -> Career:
        return self.state.company.careers[seat]

    @property
    def house(self) -> int:
        return self.purses[SystemPurse.HOUSE]

    @property
    def rabble(self) -> tuple[int, ...]:
        """Credits of the rabble, by place."""
        return self.state.company.rabble.credits

    def outcome(self, seat: Seat) -> Outcome:
        assert isinstance(self.state, Over)
        return next(each for each in self.state.outcomes if each.seat == seat)

    def seen(self, kind: type[E]) -> list[E]:
        return [each for each in self.events if isinstance(each, kind)]

    def says(self) -> list[Say]:
        return [say for event in self.events for say in narrate(event)]

    def _transfer(self, transfer: Transfer) -> None:
        for purse in (transfer.source, transfer.target):
            self.purses.setdefault(purse, 1000)
        total = sum(self.purses.values())
        self.purses[transfer.source] -= transfer.credits
        self.purses[transfer.target] += transfer.credits
        assert sum(self.purses.values()) == total, f"credits were made or lost by {transfer}"
        assert self.purses[SystemPurse.POT] >= 0, f"the pot has never held {transfer}"
        assert isinstance(transfer.source, SystemPurse) or self.purses[transfer.source] >= 0, (
            f"no cover: {transfer}"
        )
        self.transfers.append(transfer)


def gather(
    crew: Sequence[Seat],
    *,
    game: Heist = PEOPLE,
    stakes: Mapping[Seat, int] = NOBODY,
    purses: Mapping[Seat, int] = NOBODY,
    careers: Mapping[Seat, Career] = NO_CAREERS,
    rabble: Purses | None = None,
) -> Table:
    """Open a lobby that everybody of the crew has joined, with 100 credits where `stakes` says nothing else.

    Who has a career but is not of the crew sits at the table only.
    """
    table = Table(game, purses)
    if rabble is not None:
        table.sit(RABBLE, rabble)
    for seat in dict.fromkeys((*crew, *careers)):
        table.sit(seat, careers.get(seat))
    for seat in crew:
        table.join(seat, stakes.get(seat, 100))
    return table


def play(
    crew: Mapping[Seat, Act | None],
    dice: Luck,
    *,
    game: Heist = PEOPLE,
    stakes: Mapping[Seat, int] = NOBODY,
    purses: Mapping[Seat, int] = NOBODY,
    careers: Mapping[Seat, Career] = NO_CAREERS,
    rabble: Purses | None = None,
    lobby: Luck | None = None,
    getaway: Luck | None = None,
) -> Table:
    """Play a whole heist: everybody joins in order, answers (None: says nothing), and the dice fall."""
    table = gather(tuple(crew), game=game, stakes=stakes, purses=purses, careers=careers, rabble=rabble)
    table.tick(lobby)
    for seat, act in crew.items():
        if act:
            table.answer(seat, act)
    table.tick(getaway)
    table.tick(dice)
    assert isinstance(table.state, Over)
    return table
