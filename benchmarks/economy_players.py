"""A coalition at the tables of a channel: accounts under one hand, which share all that each of them knows.

Its accounts are newcomers. When one of them runs short, or is refused for what it got of the others on that
day, all are replaced by fresh ones: accounts cost nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks import economy_chicken, economy_market
from benchmarks.economy_arms import TOGETHER, Arm
from benchmarks.economy_evening import Evening
from chatbot.games import chickenpoker, heist, kits, pokermarket, sixcardpoker
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Seat
from chatbot.kernel.house_seats import house_name, of_house

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.rooms.table_protocol import Table

HEISTS = heist.KIT.name
THINKING, QUICK = 3, "greedy"  # of a crowd so many play as agreed, where that takes long; and the others
BARE = HEISTS, sixcardpoker.KIT.name  # whose stakes are typed without a key
PURSES = 3  # stakes that everybody holds at a heist, where more than the stake can be lost
START = 240  # credits that newcomers have; where they have others, the coalition notices
GIVEN = 1000  # credits that are given at once
PAUSE = 1860.0  # seconds after which who played before no longer counts as present
GAMES = 8  # that accounts play before they are replaced
DECIDED = 0.99  # of the lobby is over when it is looked who sits there
LONGEST = 7200.0  # seconds of a table
JUST_AFTER = 0.5


@dataclass(frozen=True, slots=True)
class Played:
    """What a game brought a coalition; without a `risk` nothing was staked: a table was left, or refused."""

    gained: int = 0
    risk: int = 0  # what it could lose
    seconds: float = 0.0

    @property
    def share(self) -> float:
        """What was gained of each credit that could be lost; never less than -1."""
        return self.gained / self.risk


@dataclass(eq=False)
class Coalition:
    """Accounts of one hand, who play an arm again and again; `keeps` them in a visit, rich or poor."""

    evening: Evening
    arm: Arm
    seed: str
    keeps: bool = False
    names: list[str] = field(default_factory=list)
    generation: int = 0
    games: int = 0  # of these accounts
    refused: bool = False
    company: Company | None = None
    seated: frozenset[str] = frozenset()  # the strategies of the house that sat at the last table

    def __post_init__(self) -> None:
        self.kit = kits()[self.arm.family.game]
        self.word = self.kit.chat.commands[0].word

    async def play(self, stake: int | None = None) -> Played:
        """Play one game from the lobby on, or leave it, and tell what it brought."""
        stake = self.arm.stake if stake is None else stake
        before = await self._ready(stake)
        began = self.evening.watch.now()
        table = await self._open(stake)
        if table is None:
            self.refused = True
            return Played(seconds=self.evening.watch.now() - began)
        staked = sum(before.values()) - await self.held()
        await self._finish(table)
        gained, risk = await self.held() - sum(before.values()), self._risk(staked, before, stake)
        self.games += 1
        if not risk:
            self.refused = True
        await self.evening.wait(table.game.rest(table.state) + JUST_AFTER)
        return Played(gained, risk, self.evening.watch.now() - began)

    async def start(self) -> None:
        """Have accounts with nothing but what newcomers get."""
        await self._replace(0)

    async def poorest(self) -> int:
        """Tell what the poorest account holds for each stake that it needs."""
        purse = min([await self.evening.purse(each) for each in self.names])
        return purse // PURSES if self.arm.family.game == HEISTS else purse

    async def level(self) -> None:
        """Have the richest account give to the poorest, as far as gifts go."""
        wallets = {each: await self.evening.purse(each) for each in self.names}
        rich, poor = max(wallets, key=wallets.__getitem__), min(wallets, key=wallets.__getitem__)
        if wallets[poor] < wallets[rich] // 2:
            amount = min((wallets[rich] - wallets[poor]) // 2, GIVEN)
            await self.evening.say(rich, f"!give {self.evening.at(poor)} {amount}")

    async def held(self) -> int:
        """Tell what all accounts hold."""
        return sum([await self.evening.purse(each) for each in self.names])

    # Accounts

    async def _ready(self, stake: int) -> Mapping[str, int]:
        """Have accounts that can pay, and tell what each holds."""
        least = stake * PURSES if self.arm.family.game == HEISTS else stake
        wallets = {each: await self.evening.purse(each) for each in self.names}
        poor = not wallets or min(wallets.values()) < least
        if not wallets or (not self.keeps and (poor or self.games >= GAMES or self._spent())):
            await self._replace(least)
            wallets = {each: await self.evening.purse(each) for each in self.names}
        return wallets

    def _spent(self) -> bool:
        return self.refused and self.games > 0

    async def _replace(self, least: int) -> None:
        self.generation += 1
        self.games, self.refused = 0, False
        self.names = [f"{self.seed}x{self.generation}n{number}" for number in range(self.arm.family.people)]
        await self.evening.wait(PAUSE)
        for each in self.names:
            await self.evening.say(each, "hello")
            if least > START and not self.keeps:
                short = max(least - await self.evening.purse(each), 1)
                keeper = f"keeper{self.seed}x{self.generation}"
                await self.evening.keep(f"!grant {self.evening.at(each)} {short}", name=keeper)

    def _risk(self, staked: int, before: Mapping[str, int], stake: int) -> int:
        """Tell what could be lost; at a heist a fine or a loan can take all that is held."""
        if self.arm.family.game == HEISTS:
            return sum(before.values()) if staked > 0 else 0
        most = stake * len(before)
        assert staked <= most, f"{staked} of {most} staked"
        return max(staked, 0)

    # The lobby

    async def _open(self, stake: int) -> Table | None:
        """Open a table, come and go as planned, and wait until the lobby is over."""
        if self.kit.name == sixcardpoker.KIT.name and len(self.names) > 1:
            return await self._duel(stake)
        main, began = self.names[0], self.evening.watch.now()
        amount = str(stake) if self.kit.name in BARE else f"stake={stake}"
        await self.evening.say(main, " ".join(filter(None, (f"!{self.word}", self.arm.terms, amount))))
        tables = self.evening.tables(self.kit.name)
        if not tables:
            return None
        (table,) = tables
        if self.kit.seating.shared:
            await self._lobby(table, began)
        return table

    async def _lobby(self, table: Table, began: float) -> None:
        assert table.deadline is not None
        moment, lasts = self.arm.moment, table.deadline - began
        steps = [(moment.mates, name, f"!{self.word}") for name in self.names[1:]]
        if self.kit.name == HEISTS:
            steps = [(at, name, f"{text} {self.arm.stake}") for at, name, text in steps]
        if moment.leaves is not None:
            steps.append((moment.leaves, self.names[0], f"!{self.word} leave"))
        if moment.returns is not None:
            steps.append((moment.returns, self.names[0], f"!{self.word}"))
        assert table.clock is not None
        phase = table.clock.phase
        for at, name, text in sorted(steps, key=lambda step: step[0]):
            await self._wait(table, phase, began + at * lasts)
            await self.evening.say(name, text)
        await self._wait(table, phase, began + DECIDED * lasts)
        self.refused = len([each for each in table.players() if not of_house(each)]) < len(self.names)
        if self.arm.beside and not table.over and not self._likes(table.players()):
            for name in self.names:
                await self.evening.say(name, f"!{self.word} leave")
            self.refused = False
        await self._wait(table, phase, began + lasts + JUST_AFTER)

    def _likes(self, players: Sequence[Seat]) -> bool:
        """Whether the one beside whom they want to sit has come."""
        return any(of_house(each) and house_name(each).startswith(self.arm.beside) for each in players)

    async def _wait(self, table: Table, phase: str, until: float) -> None:
        """Wait until a time, or until the lobby is over: a full table begins at once."""
        while self.evening.watch.now() < until and table.clock is not None and table.clock.phase == phase:
            await self.evening.wait(min(1.0, until - self.evening.watch.now()))

    async def _duel(self, stake: int) -> Table | None:
        main, mate = self.names
        await self.evening.say(main, f"!{self.word} {self.evening.at(mate)} {stake}")
        await self.evening.say(mate, f"!{self.word} accept")
        return next(iter(self.evening.tables(self.kit.name)), None)

    # The game

    async def _finish(self, table: Table) -> None:
        """Act wherever one of them can, once in each phase, until the table is over."""
        seats = {name: await self.evening.seat(name) for name in self.names}
        house = [house_name(each) for each in table.players() if of_house(each)]
        self.seated = frozenset(each.rstrip("-0123456789") for each in house)
        self.company = Company(self.arm, tuple(seats.values()), f"{self.seed} {table.id}")
        acts, until = set[tuple[str, str]](), self.evening.watch.now() + LONGEST
        while not table.over and self.evening.watch.now() < until:
            acted = [await self._act(table, name, seat, acts) for name, seat in seats.items()]
            if not any(acted):
                await self.evening.wait(1)

    async def _act(self, table: Table, name: str, seat: Seat, acts: set[tuple[str, str]]) -> bool:
        """Say what somebody does, if there is something to do that they have not done in this phase."""
        assert self.company is not None
        if table.clock is None or (name, table.clock.phase) in acts:
            return False
        phase, menu = table.clock.phase, table.menu(seat, await self.evening.purse(name))
        if not menu:
            return False
        acts.add((name, phase))
        action = self.company.choose(table, seat, menu)
        if action is not None:
            await self.evening.say(name, self.kit.chat.line(action), private=True)
        return action is not None


@dataclass(eq=False)
class Company:
    """The seats of a coalition at one table, and what they have agreed on."""

    arm: Arm
    seats: tuple[Seat, ...]
    seed: str
    agreed: dict[str, Mapping[Seat, int]] = field(default_factory=dict)  # cards, by phase

    def __post_init__(self) -> None:
        self.rng, self.likes = Rng.of(self.seed), Random(self.seed)

    def choose(self, table: Table, seat: Seat, menu: Sequence[Any]) -> object | None:
        """Choose what a seat does, by what all of them see."""
        game, play, view = self.arm.family.game, self.arm.play, table.view(seat)
        if game == HEISTS:
            return self._answer(seat, menu)
        if game == pokermarket.KIT.name:
            if play == TOGETHER:
                return economy_market.together(view, self.seats, seat)
            thinks = seat in self.seats[:THINKING]
            return economy_market.by_strategy(play if thinks else QUICK, view, menu, self.rng)
        if game == chickenpoker.KIT.name and play == TOGETHER:
            return self._card(table, seat, menu)
        return table.kit.programs.strategies[play](view, menu, self.rng)

    def _answer(self, seat: Seat, menu: Sequence[Any]) -> object | None:
        own, _, mates = self.arm.play.partition("/")
        name = own if seat == self.seats[0] else mates
        answers = [each for each in menu if getattr(each, "act", None) is not None]
        return next((each for each in answers if each.act.value == name), None)

    def _card(self, table: Table, seat: Seat, menu: Sequence[Any]) -> object | None:
        assert table.clock is not None
        phase = table.clock.phase
        if phase not in self.agreed:
            self.agreed[phase] = economy_chicken.together(table.view(seat), self.seats, self.likes)
        card = self.agreed[phase].get(seat)
        return next((each for each in menu if getattr(each, "card", None) == card), None)
