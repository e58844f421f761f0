"""Plays single tables through the rules of the games: what each player, the house and the mint have of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from chatbot.games import heist
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import Act, Answer, Join, Outcome
from chatbot.games.heist.rules.rules import Heist
from chatbot.games.heist.rules.states import Getaway, Lobby, Over
from chatbot.kernel.game import Moment, Seat, SystemPurse, Timeout
from chatbot.kernel.settings import make

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng
    from chatbot.kernel.game import AnyGame, Step, TransferParty

MOST_STEPS = 400  # of a table that is not a heist; more would be rules that do not end


def stream() -> Heist:
    """Make the rules of a heist with the preset that rooms have by default."""
    return make(Heist, heist.KIT.rules.presets["stream"])


Mind: TypeAlias = Callable[[Collection[Act]], Act]
"""Chooses one of the answers that the rules allow; they are known when the bank is."""


@dataclass(frozen=True, slots=True)
class Part:
    """One of the crew; `purse` is held before the stake is paid. Without a mind they stick."""

    seat: Seat
    stake: int
    purse: int
    mind: Mind | None = None


@dataclass(frozen=True, slots=True)
class Raided:
    """One heist that is over; credits by seat, of the crew alone."""

    bank: int
    outcomes: tuple[Outcome, ...]
    changed: Mapping[Seat, int]  # by how much wallets did
    taken: Mapping[Seat, int]  # what others had won or held
    careers: Mapping[Seat, Career]
    acts: Mapping[Seat, Act]


class _Tills:
    """Credits on the move at one table."""

    def __init__(self) -> None:
        self.changed: Counter[TransferParty] = Counter()
        self.taken: Counter[Seat] = Counter()

    def book(self, step: Step[Any]) -> Any:
        """Book what a step moves, and give its state."""
        for each in step.transfers:
            self.changed[each.source] -= each.credits
            self.changed[each.target] += each.credits
            if isinstance(each.target, SystemPurse):
                continue
            if each.why in heist.KIT.money.winning_reasons or not isinstance(each.source, SystemPurse):
                self.taken[each.target] += each.credits
        return step.state


def raid(
    game: Heist, crew: Sequence[Part], careers: Mapping[Seat, Career], rng: Rng, active: int = 0
) -> Raided:
    """Play a heist from the first stake to the last transfer.

    `active` is how many sit at the table when the first joins, the crew at least: banks go by it. The
    others need not be seated one by one: none of the preset's rules looks at who has not joined.
    """
    tills = _Tills()
    lobby = game.start()
    company = replace(
        lobby.company,
        careers={each.seat: careers.get(each.seat, Career()) for each in crew},
        active=max(active, len(crew)),
    )
    state: Any = Lobby(company)
    for each in crew:
        state = tills.book(game.apply(state, Join(each.seat, each.stake), Moment(rng)))
    state = _timed(game, state, tills, rng, {})
    purses = {each.seat: each.purse - each.stake for each in crew}
    for each in crew:
        if each.mind is not None:
            state = _answered(game, state, each, tills, Moment(rng, purses))
    acts = {each.seat: each.act for each in state.company.crew}
    for _ in range(2):  # the getaway, and the storm
        state = _timed(game, state, tills, rng, purses)
    assert isinstance(state, Over), state
    assert state.bank is not None
    changes = {each.seat: tills.changed[each.seat] for each in crew}
    return Raided(state.bank, state.outcomes, changes, tills.taken, state.company.careers, acts)


def _answered(game: Heist, state: Getaway, part: Part, tills: _Tills, moment: Moment) -> Getaway:
    assert part.mind is not None
    menu = game.menu(state, part.seat, moment.purses[part.seat])
    answer = Answer(part.seat, part.mind([each.act for each in menu if isinstance(each, Answer)]))
    after: Getaway = tills.book(game.apply(state, answer, moment))
    return after


def _timed(game: AnyGame, state: Any, tills: _Tills, rng: Rng, purses: Mapping[Seat, int]) -> Any:
    clock = game.clock(state)
    assert clock is not None
    return tills.book(game.apply(state, Timeout(clock), Moment(rng, purses)))


@dataclass(frozen=True, slots=True)
class Played:
    """A table of another game that is over: by how much wallets and the house have changed."""

    changed: Mapping[Seat, int]
    house: int


def play(game: AnyGame, opening: Sequence[Any], players: Mapping[Seat, Strategy], rng: Rng) -> Played:
    """Play a table from its opening actions on; who does nothing lets the clock run out."""
    tills, state = _Tills(), game.start()
    for action in opening:
        state = tills.book(game.apply(state, action, Moment(rng)))
    for _ in range(MOST_STEPS):
        clock = game.clock(state)
        if clock is None:
            assert tills.changed[SystemPurse.POT] == 0, "a finished pot is empty"
            people = {seat: tills.changed[seat] for seat in players}
            return Played(people, tills.changed[SystemPurse.HOUSE] + tills.changed[SystemPurse.MINT])
        action = _next(game, state, players, rng)
        state = tills.book(game.apply(state, action or Timeout(clock), Moment(rng)))
    raise AssertionError(f"{type(game).__name__} did not end within {MOST_STEPS} steps")


def _next(game: AnyGame, state: Any, players: Mapping[Seat, Strategy], rng: Rng) -> Any:
    for seat, strategy in players.items():
        menu = game.menu(state, seat, 0)
        action = strategy(game.view(state, seat), menu, rng) if menu else None
        if action is not None:
            return action
    return None
