"""Bank Heist: a lobby, a getaway with one answer each, a moment of suspense, and the outcome.

The crew is whoever staked; every active member sits at the table too, because payday is for all of
them. The rabble stake after the lobby and lose their nerve after the getaway: they see what people did.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, TypeAlias, assert_never

from chatbot.games.heist import options, payday
from chatbot.games.heist.banks import ODDS_UNIT, Bank, bank_at
from chatbot.games.heist.books import Books
from chatbot.games.heist.career import Career
from chatbot.games.heist.moves import (
    Abandoned,
    Act,
    Answer,
    Answered,
    Join,
    Joined,
    Opened,
    Reached,
    Stormed,
    Targeted,
)
from chatbot.games.heist.rabble import RABBLE, Purses, drawn, run_in_turn, stake_in_turn
from chatbot.games.heist.raid import Raid, Scene
from chatbot.games.heist.states import Company, Getaway, Lobby, Over, State, Storming
from chatbot.games.heist.strategies import STRATEGIES
from chatbot.games.heist.views import View, view
from chatbot.kernel import lineup, stakes
from chatbot.kernel.game import Clock, Moment, Refusal, Role, Seat, Sit, Step, Till, Timeout, Transfer
from chatbot.kernel.kit import Roster, Season, of_house
from chatbot.kernel.say import Credits, Message
from chatbot.kernel.settings import Flag, Window

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

Action: TypeAlias = Join | Answer | Sit | Timeout


@dataclass(frozen=True, slots=True)
class Heist:
    """The rules with a room's settings. A setting of 0 that allows it switches its part off."""

    lobby: Window = 60
    getaway: options.Getaway = 30
    suspense: options.Suspense = 6
    cooldown: options.Cooldown = 300
    starters: Role = Role.VIEWER
    default_stake: stakes.Stake = 69
    min_stake: stakes.Stake = 1
    max_stake: stakes.Cap = 0
    min_crew: options.Crew = 1
    # 220 halves the way to the fifth bank about evenly: at chances of .54/.488/.425/.387 it takes
    # 37, 41, 47 and 52 of the rabble to fill the 20 heisters of a level, and the size is uniform.
    rabble: options.Rabble = 220
    house_players: options.HousePlayers = 0
    # Those who harm nobody: a lone double-crosser would take what everybody won, time after time.
    house_strategies: options.Strategies = (
        "passive", "kelly", "saver", "snitch", "guardsman", "spy", "gambler",
    )  # fmt: skip
    payday: Flag = True
    active: options.Active = 30
    levels: options.Levels = (0, 20, 40, 60, 80)
    chances: options.Chances = (
        Decimal(54), Decimal("48.8"), Decimal("42.5"), Decimal("38.7"), Decimal("32.4"),
    )  # fmt: skip
    odds: options.Odds = (
        Decimal("0.8"), Decimal("1.1"), Decimal("1.3"), Decimal("1.65"), Decimal("1.95"),
    )  # fmt: skip
    season_heists: options.Heists = 0
    season_days: options.Days = 0
    season_resets: options.Resets = options.Resets.CAREERS

    def __post_init__(self) -> None:
        stakes.require_order(self.min_stake, self.max_stake)

    @property
    def banks(self) -> tuple[Bank, ...]:
        rows = zip(self.levels, self.chances, self.odds, strict=True)
        return tuple(Bank(level, float(chance / 100), int(odds * ODDS_UNIT)) for level, chance, odds in rows)

    @property
    def usual_stake(self) -> int:
        """What a bare `!heist` stakes: the default, as far as the limits allow it."""
        return stakes.within(self.default_stake, self.min_stake, self.max_stake)

    @property
    def roster(self) -> Roster:
        names = lineup.drawn_from(self.house_strategies, STRATEGIES)
        return Roster(names, self.house_players, least=self.min_stake)

    def start(self) -> State:
        return Lobby(Company(careers={}, rabble=Purses().enough_for(self.rabble)))

    def apply(self, state: State, action: Action, moment: Moment) -> Step[State]:
        match action:
            case Sit():
                return Step(self._seat(state, action))
            case Join():
                return self._join(state, action)
            case Answer():
                return self._answer(state, action)
            case Timeout():
                return self._time_out(state, action, moment)
            case _:
                assert_never(action)

    def needs(self, state: State, action: Action) -> Collection[Seat]:
        """Everything when all in, a crosser's quarter, the bribes: only the outcome asks for purses."""
        if not isinstance(state, Storming) or not isinstance(action, Timeout):
            return ()
        crew, careers = state.company.crew, state.company.careers
        exposed = [each.seat for each in crew if each.act in {Act.ALL_IN, Act.DOUBLE_CROSS, Act.GUARD}]
        guarded = [seat for seat, career in careers.items() if any(career.guards)]
        return frozenset((*exposed, *guarded))

    def menu(self, state: State, seat: Seat, purse: int) -> Sequence[Join | Answer]:
        joined = state.company.heister(seat)
        if isinstance(state, Lobby) and not joined:
            return [Join(seat, stake) for stake in self._offers(purse)]
        if isinstance(state, Getaway) and joined:
            return [Answer(seat, act) for act in Act]
        return []

    def view(self, state: State, seat: Seat | None, purse: int = 0) -> View:
        return view(state, self.banks, self.rabble, seat, purse)

    def clock(self, state: State) -> Clock | None:
        match state:
            case Lobby():
                return Clock("lobby", self.lobby)
            case Getaway():
                return Clock("getaway", self.getaway)
            case Storming():
                return Clock("storming", self.suspense)
            case Over():
                return None

    def rest(self, state: State) -> int:
        """A heist that too few joined has tired nobody."""
        return self.cooldown if was_played(state) else 0

    # Sitting down, joining, answering

    def _seat(self, state: State, action: Sit) -> State:
        if action.seat == RABBLE:
            purses = action.record if isinstance(action.record, Purses) else Purses()
            return replace(state, company=replace(state.company, rabble=purses.enough_for(self.rabble)))
        career = action.record if isinstance(action.record, Career) else Career()
        return replace(state, company=state.company.seated(action.seat, career))

    def _join(self, state: State, action: Join) -> Step[State]:
        earlier = state.company.heister(action.seat)
        if earlier:
            raise Refusal(Message("heist-already-in", {"stake": Credits(earlier.stake)}))
        if not isinstance(state, Lobby):
            raise Refusal(Message("heist-too-late"))
        stakes.check(action.credits, self.min_stake, self.max_stake)
        company = state.company.joined(action.seat, action.credits)
        return Step(
            Lobby(company),
            self._arrival(state.company, company),
            (Transfer(action.seat, Till.POT, action.credits, "stake"),),
        )

    def _arrival(self, before: Company, after: Company) -> tuple[object, ...]:
        newest, size = after.crew[-1], len(after.crew)
        opened, joined = (
            Opened(newest.seat, newest.stake, self.lobby),
            Joined(newest.seat, newest.stake, size),
        )
        came = opened if size == 1 else joined
        old, new = (bank_at(self.banks, len(each.crew), each.staked) for each in (before, after))
        return (came, Reached(new, size)) if new > old else (came,)

    def _answer(self, state: State, action: Answer) -> Step[State]:
        if not self.getaway:
            raise Refusal(Message("heist-one-round"))
        if not isinstance(state, Getaway):
            raise Refusal(Message("heist-no-getaway"))
        if not state.company.heister(action.seat):
            raise Refusal(Message("heist-not-in-crew"))
        company = state.company.answered(action.seat, action.act)
        answered = state.answered | {action.seat}
        return Step(replace(state, company=company, answered=answered), (Answered(action.seat, action.act),))

    def _offers(self, purse: int) -> list[int]:
        most = min(purse, self.max_stake or purse)
        wanted = {self.usual_stake, purse // 2, purse}
        return sorted(stake for stake in wanted if self.min_stake <= stake <= most)

    # The clock

    def _time_out(self, state: State, action: Timeout, moment: Moment) -> Step[State]:
        if action.clock != self.clock(state):
            raise Refusal(Message("too-late"))
        match state:
            case Lobby():
                return self._close_lobby(state, moment)
            case Getaway():
                return self._storm(state, moment)
            case Storming():
                return self._settle(state, moment)
            case Over():
                raise Refusal(Message("too-late"))

    def _close_lobby(self, state: Lobby, moment: Moment) -> Step[State]:
        company, crew = state.company, state.company.crew
        people = sum(not of_house(each.seat) for each in crew)
        if people < self.min_crew:
            back = [Transfer(Till.POT, each.seat, each.stake, "stake returned") for each in crew]
            return Step(Over(company), (Abandoned(people, self.min_crew),), tuple(back))
        places = drawn(self.rabble, moment.rng)
        rabble = stake_in_turn(places, company.rabble, self.banks, (len(crew), company.staked), moment.rng)
        stakes = [each.stake for each in rabble if each.stake]
        heisters, staked = len(crew) + len(stakes), company.staked + sum(stakes)
        bank = bank_at(self.banks, heisters, staked)
        targeted = Targeted(bank, len(crew), len(stakes), staked, self.getaway)
        getaway = Getaway(company, bank, rabble)
        if self.getaway:
            return Step(getaway, (targeted,))
        storm = self._storm(getaway, moment)
        return Step(storm.state, (targeted, *storm.events))

    def _storm(self, state: Getaway, moment: Moment) -> Step[State]:
        crew = state.company.crew
        runners = sum(not each.committed for each in crew)
        rabble = run_in_turn(state.drawn, len(crew), runners, moment.rng) if self.getaway else state.drawn
        storming = Storming(state.company, state.bank, rabble)
        committed, heisters = self._scene(storming).share
        return Step(storming, (Stormed(state.bank, committed, heisters),))

    def _settle(self, state: Storming, moment: Moment) -> Step[State]:
        company, books = state.company, Books(moment.purses)
        raid = Raid(self._scene(state), company.careers, books, moment.rng)
        raid.run()
        careers, events = raid.careers, raid.events
        if self.payday:
            acts = {each.seat: each.act for each in company.crew}
            payroll = payday.pay(careers, acts, self.banks, books, moment.rng)
            careers, events = dict(payroll.careers), [*events, *payroll.events]
        loot = {place: won for place, won in raid.winnings.items() if isinstance(place, int)}
        purses = payday.pay_rabble(company.rabble, state.drawn, loot, self.payday)
        after = replace(company, careers=careers, rabble=purses)
        records = {seat: career for seat, career in careers.items() if career != company.careers[seat]}
        return Step(
            Over(after, state.bank, state.drawn, raid.outcomes),
            tuple(events),
            tuple(books.transfers),
            {**records, **({RABBLE: purses} if state.drawn else {})},
        )

    def _scene(self, state: Storming) -> Scene:
        heisters = tuple(each for each in state.drawn if each.stake)
        return Scene(self.banks, state.bank, state.company.crew, heisters)


def was_played(state: State) -> bool:
    return isinstance(state, Over) and state.bank is not None


def season(game: Heist) -> Season:
    resets = options.Resets(game.season_resets)
    return Season(
        tables=game.season_heists,
        days=game.season_days,
        forgets_records=resets is not options.Resets.NOTHING,
        resets_credits=resets is options.Resets.EVERYTHING,
    )
