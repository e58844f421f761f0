"""Bank Heist: a lobby, a getaway with one answer each, a moment of suspense, and the outcome.

Unless a preset says otherwise the settings are those of the contest, which knows no bounds.

The crew is whoever staked; every active member sits at the table too, because payday is for all of
them. The rabble stake after the lobby and lose their nerve after the getaway: they see what people did.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias, assert_never

from chatbot.games.heist.rules import career as careers_of
from chatbot.games.heist.rules import returns, settings
from chatbot.games.heist.rules.arithmetic import CREDITS_PER_HEISTER, ODDS_UNIT, SALARY
from chatbot.games.heist.rules.banks import Bank, Bounds, bank_at, levels_for
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import (
    Abandoned,
    Act,
    Action,
    Answer,
    Answered,
    Join,
    JoinAs,
    Joined,
    Leave,
    Left,
    Opened,
    Reached,
    Stormed,
    Targeted,
)
from chatbot.games.heist.rules.payday import pay, pay_rabble
from chatbot.games.heist.rules.rabble import RABBLE, Purses, draw_rabble, run_in_turn, stake_in_turn
from chatbot.games.heist.rules.raid import Raid, RaidScene
from chatbot.games.heist.rules.states import (
    Company,
    Getaway,
    Lobby,
    Over,
    State,
    Storming,
    View,
    view,
)
from chatbot.games.heist.rules.step_ledger import StepLedger
from chatbot.games.heist.strategies import STRATEGIES
from chatbot.kernel import lineup, lobby, stakes
from chatbot.kernel.game import Clock, Moment, Refusal, Role, Seat, Sit, Step, SystemPurse, Timeout, Transfer
from chatbot.kernel.house_seats import Roster, of_house
from chatbot.kernel.kit import Season
from chatbot.kernel.lobby import Start, Started
from chatbot.kernel.say import Credits, Message
from chatbot.kernel.settings import Flag, Window
from chatbot.kernel.stakes import StakeSettings

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from fractions import Fraction

    from chatbot.games.heist.rules.crew import Heister

Input: TypeAlias = Action | Sit | Timeout


@dataclass(frozen=True, slots=True)
class Heist(StakeSettings):
    """The rules with a room's settings. A setting of 0 that allows it switches its part off."""

    lobby: Window = 60
    getaway: settings.Getaway = 30
    suspense: settings.Suspense = 6
    cooldown: settings.Cooldown = 300
    default_stake: stakes.Stake = 69
    max_stake: stakes.Cap = 0
    min_crew: settings.Crew = 1
    # 220 halves the way to the fifth bank about evenly: at chances of .54/.488/.425/.387 it takes
    # 37, 41, 47 and 52 of the rabble to fill the 20 heisters of a level, and the size is uniform.
    rabble: settings.Rabble = 220
    house_players: settings.HousePlayers = 0
    # Those who harm nobody: a lone double-crosser would take what everybody won, time after time.
    house_strategies: settings.Strategies = (
        "passive", "kelly", "saver", "snitch", "guardsman", "spy", "gambler",
    )  # fmt: skip
    house_stakes: Flag = True
    payday: Flag = True
    active: settings.Active = 30
    levels: settings.Levels = (0, 20, 40, 60, 80)
    level_credits: settings.PerHeister = CREDITS_PER_HEISTER
    chances: settings.Chances = (
        Decimal(54), Decimal("48.8"), Decimal("42.5"), Decimal("38.7"), Decimal("32.4"),
    )  # fmt: skip
    odds: settings.Odds = (
        Decimal("0.8"), Decimal("1.1"), Decimal("1.3"), Decimal("1.65"), Decimal("1.95"),
    )  # fmt: skip
    daunting: Flag = True
    all_in_gross: Flag = False
    wage_percent: settings.Percent = 0
    wage_most: settings.Wage = 0
    interest: settings.Interest = Decimal("0.14")
    cross_loyal: settings.Loyal = 0
    cross_escape: Flag = False
    cross_reserve: settings.Stakes = 0
    cross_percent: settings.Percent = 0
    cross_stakes: settings.Shares = Decimal(0)
    finger_stakes: settings.Stakes = 0
    snitch_stakes: settings.Stakes = 0
    taken_most: stakes.Cap = 0
    split_stakes: settings.Stakes = 0
    penalty_most: settings.Part = Decimal(0)
    odds_most: settings.Part = Decimal(0)
    chance_most: settings.Points = Decimal(0)
    return_most: settings.Points = Decimal(0)
    regular_bonus: settings.Points = Decimal(0)
    subscriber_bonus: settings.Points = Decimal(0)
    vip_bonus: settings.Points = Decimal(0)
    season_heists: settings.Heists = 0
    season_days: settings.Days = 0
    season_resets: settings.Resets = settings.Resets.CAREERS

    def __post_init__(self) -> None:
        """Check that the settings fit together.

        Raises:
            Refusal: they do not; with the bonus of a role more could come back than is staked.
        """
        StakeSettings.__post_init__(self)
        if not self.bonuses:
            return
        if not returns.bounded(self):
            raise Refusal(Message("heist-bonus-unbounded"))
        back = returns.most_with_bonus(self)
        if back > 1:
            raise Refusal(Message("heist-bonus-high", {"back": float(math.ceil(1000 * back) / 10)}))

    @property
    def bonuses(self) -> Mapping[Role, Decimal]:
        """The roles that bring a bonus, in percent of the stake on top of the payout, the highest first."""
        return _bonuses_of(self.regular_bonus, self.subscriber_bonus, self.vip_bonus)

    @property
    def banks(self) -> tuple[Bank, ...]:
        """The banks as a room of nobody else has them."""
        return self.banks_for(1)

    def banks_for(self, active: int) -> tuple[Bank, ...]:
        """Make the banks for a room in which so many members are active."""
        return _banks_of(self.levels, self.chances, self.odds, active)

    @property
    def bounds(self) -> Bounds:
        """The settings that bound answers and careers."""
        return Bounds(
            all_in_most=self.max_stake,
            all_in_gross=self.all_in_gross,
            wage_percent=self.wage_percent,
            wage_most=self.wage_most,
            interest=self.interest,
            cross_loyal=self.cross_loyal,
            cross_escape=self.cross_escape,
            cross_reserve=self.cross_reserve,
            cross_percent=self.cross_percent,
            cross_stakes=self.cross_stakes,
            finger_stakes=self.finger_stakes,
            snitch_stakes=self.snitch_stakes,
            taken_most=self.taken_most,
            split_stakes=self.split_stakes,
            penalty_most=self.penalty_most,
            odds_most=self.odds_most,
            chance_most=self.chance_most,
            return_most=self.return_most,
        )

    @property
    def roster(self) -> Roster:
        """Which players of the house join a heist."""
        names = lineup.drawn_from(self.house_strategies, STRATEGIES)
        return Roster(names, self.house_players, least=self.min_stake, stakes=self.house_stakes)

    def start(self) -> State:
        return Lobby(Company(careers={}, rabble=Purses().enough_for(self.rabble)))

    def apply(self, state: State, action: Input, moment: Moment) -> Step[State]:
        match action:
            case Sit():
                return Step(self._seat(state, action))
            case Join():
                return self._join(state, action)
            case Leave():
                return self._leave(state, action)
            case Start():
                return self._start(state, action)
            case Answer():
                return self._answer(state, action, moment)
            case Timeout():
                return self._time_out(state, action, moment)
            case _:
                assert_never(action)

    def needs(self, state: State, action: Input) -> Collection[Seat]:
        """Name whose purses count: a crosser's in the getaway; at the outcome all that may be paid from."""
        if isinstance(action, Answer):
            return (action.seat,) if action.act is Act.DOUBLE_CROSS and self.cross_reserve else ()
        if not isinstance(state, Storming) or not isinstance(action, Timeout):
            return ()
        crew, careers = state.company.crew, state.company.careers
        exposed = [each.seat for each in crew if each.act in {Act.ALL_IN, Act.DOUBLE_CROSS, Act.GUARD}]
        bribers = [seat for seat, career in careers.items() if any(career.guards)]
        return frozenset((*exposed, *bribers))

    def menu(self, state: State, seat: Seat, purse: int) -> Sequence[Action]:
        heister = state.company.heister(seat)
        if isinstance(state, Lobby):
            return self._ways(state, seat, purse, joined=heister is not None)
        if isinstance(state, Getaway) and heister:
            return [Answer(seat, act) for act in Act if not self._objection(state, heister, act, purse)]
        return []

    def view(self, state: State, seat: Seat | None, purse: int = 0) -> View:
        return view(state, self._banks(state), self.level_credits, self.rabble, seat, purse)

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
        within = Career()
        if isinstance(action.record, Career):
            within = careers_of.within(action.record, self._banks(state), self.bounds)
        return replace(state, company=state.company.seated(action.seat, within))

    def _join(self, state: State, action: Join) -> Step[State]:
        earlier = state.company.heister(action.seat)
        if earlier:
            raise Refusal(Message("heist-already-in", {"stake": Credits(earlier.stake)}))
        if not isinstance(state, Lobby):
            raise Refusal(Message("heist-too-late"))
        stakes.check(action.credits, self.min_stake, self.max_stake)
        percent = self.bonuses.get(action.role, Decimal(0)) if isinstance(action, JoinAs) else Decimal(0)
        # What players of the house would win, others could take: where they stake nothing they win nothing.
        stake = action.credits if self.house_stakes or not of_house(action.seat) else 0
        company = state.company.joined(action.seat, stake, int(percent * ODDS_UNIT / 100))
        arrival = self._arrival(state.company, company)
        return Step(replace(state, company=company), arrival, stakes.put(action.seat, stake))

    def _arrival(self, before: Company, after: Company) -> tuple[object, ...]:
        newest, size = after.crew[-1], len(after.crew)
        # A lobby that all have left goes on: who joins it then has not opened it, and its time is shorter.
        opening, joining = (
            Opened(newest.seat, newest.stake, self.lobby),
            Joined(newest.seat, newest.stake, size),
        )
        event = joining if before.active else opening
        old, new = (self._bank(each) for each in (before, after))
        return (event, Reached(new, size, further=old > 0)) if new > old else (event,)

    def _leave(self, state: State, action: Leave) -> Step[State]:
        heister = state.company.heister(action.seat)
        if not isinstance(state, Lobby):
            may_back_out = heister is not None and isinstance(state, Getaway)
            raise Refusal(Message("heist-leave-by-backout" if may_back_out else "heist-leave-too-late"))
        if not heister:
            raise Refusal(Message("heist-nothing-staked"))
        company = state.company.left(action.seat)
        return Step(
            replace(state, company=company),
            (Left(action.seat, heister.stake, len(company.crew)),),
            (Transfer(SystemPurse.POT, action.seat, heister.stake, "stake returned"),),
        )

    def _start(self, state: State, action: Start) -> Step[State]:
        if not isinstance(state, Lobby):
            raise Refusal(Message("lobby-start-too-late"))
        lobby.require_alone(action.seat, state.company.seats)
        if self.min_crew > 1:
            raise Refusal(Message("heist-start-too-few", {"wanted": self.min_crew}))
        return Step(replace(state, started=action.seat), (Started(action.seat),))

    def _answer(self, state: State, action: Answer, moment: Moment) -> Step[State]:
        if not self.getaway:
            raise Refusal(Message("heist-one-round"))
        if not isinstance(state, Getaway):
            raise Refusal(Message("heist-no-getaway"))
        heister = state.company.heister(action.seat)
        if not heister:
            raise Refusal(Message("heist-not-in-crew"))
        objection = self._objection(state, heister, action.act, moment.purses.get(action.seat, 0))
        if objection:
            raise Refusal(objection)
        company = state.company.answered(action.seat, action.act)
        answered_seats = state.answered | {action.seat}
        return Step(
            replace(state, company=company, answered=answered_seats), (Answered(action.seat, action.act),)
        )

    def _objection(self, state: Getaway, heister: Heister, act: Act, purse: int) -> Message | None:
        """Return why somebody cannot do this; nothing of others enters, so that a refusal tells of nobody."""
        banks, career = self._banks(state), state.company.careers[heister.seat]
        bank, bounds = banks[state.bank], self.bounds
        chance, odds = career.chance_at(state.bank, banks), career.odds_at(state.bank, banks)
        reserve = bounds.reserve(heister.stake)
        most_chance, most_odds = bounds.most_chance(bank, odds), bounds.most_odds(bank, chance)
        if act in {Act.ALL_IN, Act.DOUBLE_CROSS} and not heister.stake:
            return Message("heist-for-honour")
        if act is Act.DOUBLE_CROSS and purse < reserve:
            return Message("heist-cross-reserve", {"reserve": Credits(reserve)})
        if act is Act.GUARD and chance >= most_chance:
            return Message("heist-guards-enough")
        if act is Act.INTEL and odds >= most_odds:
            return Message("heist-intel-enough")
        return None

    def _banks(self, state: State) -> tuple[Bank, ...]:
        """Return the banks of a table: they go by who was active as it was opened."""
        return self.banks_for(state.company.active or len(state.company.careers) or 1)

    def _bank(self, company: Company) -> int:
        banks = self.banks_for(company.active or 1)
        return bank_at(banks, len(company.crew), company.staked, self.level_credits)

    def _ways(self, state: Lobby, seat: Seat, purse: int, *, joined: bool) -> Sequence[Action]:
        """List the ways into the crew, or those of who is in it; players of the house stay."""
        if joined and of_house(seat):
            return []
        if joined:
            alone = lobby.may_start(seat, state.company.seats) and self.min_crew == 1
            return [Leave(seat), Start(seat)] if alone and state.started != seat else [Leave(seat)]
        return [Join(seat, stake) for stake in self._offers(purse)]

    def _offers(self, purse: int) -> list[int]:
        most = min(purse, self.max_stake or purse)
        amounts = {self.usual_stake, purse // 2, purse}
        return sorted(stake for stake in amounts if self.min_stake <= stake <= most)

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
            back = [Transfer(SystemPurse.POT, each.seat, each.stake, "stake returned") for each in crew]
            return Step(Over(company), (Abandoned(people, self.min_crew),), tuple(back))
        # The order of draws is a part of the rules: with another one recorded tables do not come out the
        # same, and `version` must rise.
        places = draw_rabble(self.rabble, moment.rng)
        banks, ahead = self._banks(state), (len(crew), company.staked)
        rabble = stake_in_turn(places, company.rabble, banks, ahead, moment.rng, self.level_credits)
        stakes = [each.stake for each in rabble if each.stake]
        heisters, staked = len(crew) + len(stakes), company.staked + sum(stakes)
        bank = bank_at(banks, heisters, staked, self.level_credits)
        targeted = Targeted(bank, len(crew), len(stakes), staked, self.getaway)
        getaway = Getaway(company, bank, rabble, tuple(moment.rng.uniform() for _ in crew))
        if self.getaway:
            return Step(getaway, (targeted,))
        storm = self._storm(getaway, moment)
        return Step(storm.state, (targeted, *storm.events))

    def _storm(self, state: Getaway, moment: Moment) -> Step[State]:
        crew = state.company.crew
        runners = sum(not each.committed for each in crew)
        rabble = (
            run_in_turn(state.rabblers, len(crew), runners, moment.rng) if self.getaway else state.rabblers
        )
        storming = Storming(state.company, state.bank, rabble, state.luck)
        committed, heisters = self._scene(storming).share
        return Step(storming, (Stormed(state.bank, committed, heisters),))

    def _settle(self, state: Storming, moment: Moment) -> Step[State]:
        company, books = state.company, StepLedger(moment.purses)
        raid = Raid(self._scene(state), company.careers, books, moment.rng, self.bounds)
        raid.run()
        careers, events = raid.careers, raid.events
        if self.payday:
            banks = self._banks(state)
            payday = pay(careers, company.crew, banks, books, self.bounds, moment.rng)
            careers, events = dict(payday.careers), [*events, *payday.events]
        loot = {place: amount for place, amount in raid.winnings.items() if isinstance(place, int)}
        purses = pay_rabble(company.rabble, state.rabblers, loot, self.payday)
        after = replace(company, careers=careers, rabble=purses)
        records = {seat: career for seat, career in careers.items() if career != company.careers[seat]}
        return Step(
            Over(after, state.bank, state.rabblers, raid.outcomes),
            tuple(events),
            tuple(books.transfers),
            {**records, **({RABBLE: purses} if state.rabblers else {})},
        )

    def _scene(self, state: Storming) -> RaidScene:
        heisters = tuple(each for each in state.rabblers if each.stake)
        crew = tuple(state.company.crew)
        assert len(state.luck) == len(crew), f"expected a draw for each of {len(crew)}, got {len(state.luck)}"  # noqa: S101
        return RaidScene(self._banks(state), state.bank, crew, heisters, state.luck, self.daunting)


@lru_cache(maxsize=256)
def _banks_of(
    levels: settings.Levels, chances: settings.Chances, odds: settings.Odds, active: int
) -> tuple[Bank, ...]:
    """Make the banks of a room; a table of it asks for them with every line."""
    rows = zip(levels_for(levels, active), chances, odds, strict=True)
    return tuple(Bank(level, float(chance / 100), int(each * ODDS_UNIT)) for level, chance, each in rows)


@lru_cache(maxsize=256)
def _bonuses_of(regular: Decimal, subscriber: Decimal, vip: Decimal) -> Mapping[Role, Decimal]:
    """Rank the roles by their bonuses; a table asks for them with every stake."""
    each = {Role.REGULAR: regular, Role.SUBSCRIBER: subscriber, Role.VIP: vip}
    ranked = sorted(each.items(), key=lambda row: row[1], reverse=True)
    return MappingProxyType({role: bonus for role, bonus in ranked if bonus})


def was_played(state: State) -> bool:
    """Whether a heist has taken place: enough had joined."""
    return isinstance(state, Over) and state.bank is not None


def refunded(state: State, seat: Seat) -> bool:
    """Whether somebody gets the stake back by their answer to the getaway, as it stands."""
    if not isinstance(state, (Getaway, Storming)):
        return False
    heister = state.company.heister(seat)
    return heister is not None and not heister.committed


def hastened(game: Heist, seconds: int) -> Heist:
    """Make rules whose lobby takes at most so many seconds."""
    return replace(game, lobby=min(game.lobby, seconds))


def awaited(state: State) -> Sequence[Seat] | None:
    """Return who of the crew has not answered in the getaway yet.

    In a lobby it is nobody while whoever has started it is alone there.
    """
    if isinstance(state, Lobby) and state.started is not None:
        return () if lobby.may_start(state.started, state.company.seats) else None
    if not isinstance(state, Getaway):
        return None
    return [each.seat for each in state.company.crew if each.seat not in state.answered]


def chooses_stake(state: State) -> bool:
    """Whether members can still join, each with a stake of their own."""
    return isinstance(state, Lobby)


def winnable(game: Heist, state: State, other: State | None = None) -> Mapping[Seat, int]:
    """Return the most that each of the crew can get of what others won or held.

    With an `other` state, only those whose place in the crew differs there: each of a thousand who join would
    cost time for all before otherwise.
    """
    crew = state.company.crew
    heisters = crew if other is None else crew.apart(other.company.crew)
    if not heisters:
        return {}
    bounds = game.bounds
    return {each.seat: bounds.takes(each.act, each.stake) for each in heisters if not of_house(each.seat)}


def minting(game: Heist) -> tuple[Fraction, int]:
    """Return what comes back of each credit that is staked, at best, and what is made for each member.

    The latter is a salary that does not depend on the stake, or else the loan of whoever goes all in.
    """
    loan = max(math.ceil((returns.gift(game) - 1) * game.min_stake), 0)
    salary = SALARY if game.payday and not game.bounds.staked_wages else 0
    return max(*returns.returns(game), *returns.careers(game), *returns.alone(game)), loan + salary


def season(game: Heist) -> Season:
    """Return after how many heists or days a season ends (0: never), and what is reset then."""
    resets = settings.Resets(game.season_resets)
    return Season(
        tables=game.season_heists,
        days=game.season_days,
        forgets_records=resets is not settings.Resets.NOTHING,
        resets_credits=resets is settings.Resets.EVERYTHING,
    )
