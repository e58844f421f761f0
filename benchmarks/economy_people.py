"""A channel of so many people for 90 days: streams, heists, other games, earning, gifts, links, upkeep.

All amounts come from the program's own rules and settings. What people do is made up, and stands here as
constants: how often they come, how much they stake, what they answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from math import ceil, exp, log, nan, sqrt
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING

from benchmarks.economy_returns import stays
from benchmarks.economy_search import TEMPERS, drawn
from benchmarks.economy_tables import Part, play, raid, stream
from chatbot.community.earning.settings import BITS, Earnings
from chatbot.games import chickenpoker, highshow, pokermarket, sixcardpoker
from chatbot.games.chickenpoker.rules.moves import Join as JoinChicken
from chatbot.games.chickenpoker.rules.rules import ChickenPoker
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import Act
from chatbot.games.highshow.rules.moves import Open as OpenShow
from chatbot.games.highshow.rules.rules import HighShow
from chatbot.games.pokermarket.rules.moves import Join as JoinMarket
from chatbot.games.pokermarket.rules.rules import PokerMarket
from chatbot.games.sixcardpoker.rules.moves import Open as OpenSixCard
from chatbot.games.sixcardpoker.rules.rules import SixCardPoker
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Role, Seat
from chatbot.settings.community import CreditSettings

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from benchmarks.economy_tables import Mind, Raided

HOURS = 4  # of a stream, one on each day
ATTENDANCE = 0.5  # of a day's streams that somebody comes to, on average
LEAVING = 0.004  # of the community that leaves for good on a day, for as many newcomers
LEAST_STAY, MOST_STAY = 30, 240  # minutes of a stream
JOINING = 1, 3  # shape of the beta distribution of how many heists of a stay somebody joins: a quarter
DEFAULT_STAKES = 1 / 3  # of all people, who always stake the default
LOWEST, HIGHEST = 20, 5000  # what the others stake, log-uniformly
MEANS = 10  # at most a tenth of what one holds, unless the least stake is more
ANSWERING = 0.1  # of those who have no plan, how many answer at all
TALKERS = 0.6  # of all people; the others only watch
MOST_MESSAGES = 60  # that count, an hour, of a talker
CLAIMS = 0.7  # of those who come, who claim; half of them twice
SUBSCRIBERS = 0.08  # who renew once in 30 days
CHEERS, MOST_BITS = 0.01, 500  # a day
OTHER_GAMES = 0.3  # tables of another game for each visit
GIVING = 0.02  # of those who come, who give something away
TWO_ACCOUNTS = 0.03  # of all people, who link the second in the end
REGULAR_DAYS = 14  # within which a regular was there
DAYS_OF_MONTH = 30


@dataclass(frozen=True, slots=True)
class Mix:
    """A channel: how many are there on a day, and of what kinds."""

    active: int
    best: float  # share of those who play the best response
    snitches: float
    answers: Mapping[Act, float]  # the best response, as a mix
    days: int
    seed: str

    def __str__(self) -> str:
        return f"{self.active} active, {self.best:.0%} best, {self.snitches:.0%} snitches"


@dataclass(slots=True, eq=False)
class Person:
    seat: Seat
    kind: str  # plain, honest, best, snitch, moderator
    attendance: float
    joining: float
    messages: int  # an hour
    stake: int  # 0: the default
    subscribed: int  # the day of the month; -1: never
    wallet: int
    followed: bool = False
    career: Career = field(default_factory=Career)
    came: int = -1  # the last day on which they were there
    given: int = 0  # today
    got: int = 0
    second: int = 0  # credits of a second account that is not linked yet
    links: int = -1  # the day on which it is

    def staking(self, usual: int, people: Random) -> int:
        """Choose a stake within the means; 0: too little is left."""
        target = usual if not self.stake else round(exp(people.uniform(log(LOWEST), log(HIGHEST))))
        most = self.wallet if target == usual and not self.stake else max(self.wallet // MEANS, LOWEST)
        stake = min(target, most)
        return stake if LOWEST <= stake <= self.wallet else 0


@dataclass(slots=True)
class Tally:
    """What went in and came back, by kind of people."""

    staked: Counter[str] = field(default_factory=Counter)
    back: Counter[str] = field(default_factory=Counter)
    squares: Counter[str] = field(default_factory=Counter)  # of the difference between the two

    def add(self, kind: str, staked: int, change: int) -> None:
        self.staked[kind] += staked
        self.back[kind] += staked + change
        self.squares[kind] += change * change

    def share(self, *kinds: str) -> float:
        """Tell what came back of a credit, of these kinds or of all; nan where none was staked."""
        names = kinds or tuple(self.staked)
        staked = sum(self.staked[each] for each in names)
        return sum(self.back[each] for each in names) / staked if staked else nan

    def error(self, *kinds: str) -> float:
        """Give the standard error of that share, at most."""
        names = kinds or tuple(self.staked)
        staked = sum(self.staked[each] for each in names)
        return sqrt(sum(self.squares[each] for each in names)) / staked if staked else nan

    def __add__(self, other: Tally) -> Tally:
        sums = zip(
            (self.staked, self.back, self.squares), (other.staked, other.back, other.squares), strict=True
        )
        return Tally(*(Counter({k: a[k] + b[k] for k in {*a, *b}}) for a, b in sums))


@dataclass(frozen=True, slots=True)
class Day:
    """Wallets of the regulars in the evening."""

    quantiles: tuple[float, ...]  # at 10, 25, 50, 75, 90 and 99 percent
    mean: float
    richest: float  # the share of the richest hundredth


@dataclass(frozen=True, slots=True)
class Season:
    mix: Mix
    heist: Tally
    others: Mapping[str, Tally]
    days: tuple[Day, ...]
    earned: float  # a visit
    kept: float  # of it by games, a visit
    upkeep: float


QUANTILES = 0.1, 0.25, 0.5, 0.75, 0.9, 0.99


class Channel:
    def __init__(self, mix: Mix) -> None:
        self.mix, self.people = mix, Random(f"{mix.seed} {mix}")
        self.rng = Rng.of(f"{mix.seed} {mix}")
        self.earnings, self.terms, self.game = Earnings(), CreditSettings(), stream()
        self.heist, self.others = Tally(), {name: Tally() for name in _GAMES}
        self.numbers = 0
        self.earned = self.kept = self.upkeep = self.visits = 0
        size = max(round(mix.active / ATTENDANCE), 2)
        kinds = self._kinds(size)
        self.members = [self._newcomer(kind) for kind in kinds]

    def play(self) -> Season:
        days = []
        for day in range(self.mix.days):
            self._day(day)
            days.append(self._evening(day))
        visits = max(self.visits, 1)
        return Season(
            self.mix,
            self.heist,
            self.others,
            tuple(days),
            self.earned / visits,
            self.kept / visits,
            self.upkeep / visits,
        )

    # People

    def _kinds(self, size: int) -> list[str]:
        best, snitches = ceil(size * self.mix.best), ceil(size * self.mix.snitches)
        plain = ["honest"] * (size - best - snitches - 1)
        return ["moderator", *["best"] * best, *["snitch"] * snitches, *plain][:size]

    def _newcomer(self, kind: str) -> Person:
        people, self.numbers = self.people, self.numbers + 1
        person = Person(
            Seat(f"people:{self.numbers}"),
            kind,
            attendance=people.uniform(2 * ATTENDANCE - 0.9, 0.9),
            joining=people.betavariate(*JOINING),
            messages=people.randrange(MOST_MESSAGES) if people.random() < TALKERS else 0,
            stake=0 if people.random() < DEFAULT_STAKES else 1,
            subscribed=people.randrange(DAYS_OF_MONTH) if people.random() < SUBSCRIBERS else -1,
            wallet=self.terms.start,
        )
        if people.random() < TWO_ACCOUNTS:
            person.links, person.second = people.randrange(1, self.mix.days + 1), self.terms.start
        return person

    # A day

    def _day(self, day: int) -> None:
        people = self.people
        for place, person in enumerate(self.members):
            if people.random() < LEAVING and person.kind != "moderator":
                self.members[place] = self._newcomer(person.kind)
        there = [each for each in self.members if people.random() < each.attendance]
        stays = {each.seat: self._visit(each, day) for each in there}
        length = self.game.lobby + self.game.getaway + self.game.suspense + self.game.cooldown
        for number in range(HOURS * 3600 // length):
            at = number * length / 60
            present = [each for each in there if stays[each.seat][0] <= at <= stays[each.seat][1]]
            self._raid(present)
        for name in _GAMES:
            self._other(name, [each for each in there if people.random() < OTHER_GAMES / len(_GAMES)])
        self._give([each for each in there if people.random() < GIVING])

    def _visit(self, person: Person, day: int) -> tuple[int, int]:
        """Come to a stream, and earn by it; tell from which minute to which."""
        people, before = self.people, person.wallet
        length = people.randint(LEAST_STAY, MOST_STAY)
        begin = people.randint(0, HOURS * 60 - length) if length < HOURS * 60 else 0
        person.came, person.given, person.got, self.visits = day, 0, 0, self.visits + 1
        person.wallet += earned(self.earnings, person, length, day, people)
        if person.links == day:
            spare = max(person.second - self.terms.start, 0)  # the second welcome goes back
            person.wallet, person.second = person.wallet + spare, 0
        elif person.links > day:
            person.second += self.earnings.share(self.earnings.claim, ()) if people.random() < CLAIMS else 0
        self.earned += person.wallet - before
        upkeep = self.earnings.upkeep_of(person.wallet)
        person.wallet -= upkeep
        self.upkeep += upkeep
        return begin, begin + length

    # Games

    def _raid(self, present: Sequence[Person]) -> None:
        people = self.people
        joining = [(each, each.staking(self.game.usual_stake, people)) for each in present]
        joining = [
            (each, stake)
            for each, stake in joining
            if stake and people.random() < each.joining and self._may_take(each, Act.GUNCHECK, stake)
        ]
        if not joining:
            return
        active = sum(1 for each in present if each.messages) or 1
        crew = [Part(each.seat, stake, each.wallet, self._mind(each, stake)) for each, stake in joining]
        careers = {each.seat: each.career for each, _ in joining}
        raided = raid(self.game, crew, careers, self.rng, active)
        for person, stake in joining:
            self._settle(person, stake, raided)

    def _settle(self, person: Person, stake: int, raided: Raided) -> None:
        change = raided.changed[person.seat]
        accounts = [sum(each.accounts) for each in (person.career, raided.careers[person.seat])]
        person.wallet += change
        person.got += raided.taken.get(person.seat, 0)
        person.career = raided.careers[person.seat]
        act = raided.acts[person.seat]
        self.kept -= change
        if act is Act.BACK_OUT:
            return
        outcome = next(each for each in raided.outcomes if each.seat == person.seat)
        intel = outcome.put_by if act is Act.INTEL else 0
        kind = person.kind if person.kind != "honest" or act is Act.GUNCHECK else "mixed"
        at_risk = outcome.cost if act is Act.ALL_IN else stake
        self.heist.add(kind, at_risk, change + intel + accounts[1] - accounts[0])

    def _may_take(self, person: Person, act: Act, stake: int) -> bool:
        """Whether what an answer can bring of others is within what is left of the day."""
        return person.got + self.game.bounds.takes(act, stake) <= self.terms.taken_daily

    def _mind(self, person: Person, stake: int) -> Mind | None:
        people, act = self.people, Act.GUNCHECK
        if person.kind == "best":
            act = drawn(self.mix.answers, people)
        elif person.kind == "snitch":
            act = Act.FINGER
        elif people.random() < ANSWERING:
            act = people.choice(TEMPERS)
        act = act if self._may_take(person, act, stake) else Act.GUNCHECK
        if person.kind == "best":
            return partial(self._best, act=act)
        return None if act is Act.GUNCHECK else partial(stays, act=act)

    def _best(self, acts: Collection[Act], act: Act) -> Act:
        """Get all that a career can have first, and then play the best response."""
        for career_act in (Act.GUARD, Act.INTEL):
            if career_act in acts:
                return career_act
        return stays(acts, act)

    def _other(self, name: str, players: Sequence[Person]) -> None:
        """Let people play another game: some alone against the house, some for pots."""
        people = self.people
        tables = [[each] for each in players] if name in _ALONE else _grouped(players, people)
        for table in tables:
            stake = min(each.staking(self.game.usual_stake, people) for each in table)
            most = stake * (len(table) - 1)
            if not stake or any(each.got + most > self.terms.taken_daily for each in table):
                continue
            changes = _GAMES[name](table, stake, self.rng)
            for person in table:
                person.wallet += changes[person.seat]
                self.kept -= changes[person.seat]
                person.got += max(changes[person.seat], 0) if most else 0
                self.others[name].add(person.kind, stake, changes[person.seat])

    def _give(self, givers: Sequence[Person]) -> None:
        for giver in givers:
            taker = self.people.choice(self.members)
            spare = min(giver.wallet - self.terms.start, self.terms.give_daily - giver.given)
            amount = min(spare, self.people.randint(10, 500), self.terms.taken_daily - taker.got)
            if amount > 0 and taker is not giver:
                giver.wallet, taker.wallet = giver.wallet - amount, taker.wallet + amount
                giver.given, taker.got = giver.given + amount, taker.got + amount

    def _evening(self, day: int) -> Day:
        wallets = sorted(
            each.wallet for each in self.members if day - each.came < REGULAR_DAYS and each.came >= 0
        )
        if not wallets:
            return Day((0.0,) * len(QUANTILES), 0.0, 0.0)
        richest = sum(wallets[-ceil(len(wallets) / 100) :])
        places = [min(int(each * len(wallets)), len(wallets) - 1) for each in QUANTILES]
        return Day(tuple(wallets[each] for each in places), fmean(wallets), richest / max(sum(wallets), 1))


def earned(earnings: Earnings, person: Person, minutes: int, day: int, people: Random) -> int:
    """Tell what a visit of so many minutes brings, by the rates and limits of the program."""
    roles = {Role.MODERATOR} if person.kind == "moderator" else set()
    slots = minutes // earnings.watch_minutes - 1  # the first is not watched from its beginning
    total = slots * earnings.share(earnings.watch, roles)
    total += person.messages * minutes // 60 // earnings.talk_messages * earnings.share(earnings.talk, roles)
    total = min(total, earnings.daily_most)
    if people.random() < CLAIMS:
        total += people.choice((1, 2)) * earnings.share(earnings.claim, roles)
    if not person.followed:
        person.followed, total = True, total + earnings.share(earnings.follow, roles)
    if person.subscribed == day % DAYS_OF_MONTH:
        total += earnings.share(earnings.subscribe, roles)
    if people.random() < CHEERS:
        total += earnings.share(earnings.cheer, roles, people.randint(1, MOST_BITS), BITS)
    return total


# The other games


def _grouped(players: Sequence[Person], people: Random) -> list[Sequence[Person]]:
    """Make tables of two to four of those who want to play."""
    tables: list[Sequence[Person]] = []
    left = list(players)
    while len(left) >= 2:
        size = min(people.randint(2, 4), len(left))
        tables.append(left[:size])
        left = left[size:]
    return tables


def _show(table: Sequence[Person], stake: int, rng: Rng) -> Mapping[Seat, int]:
    (person,), strategies = table, highshow.KIT.programs.strategies
    game = HighShow(cards=12)  # as the preset with stakes has it
    opening = OpenShow(person.seat, game.cards, game.keep, game.penalty, stake)
    strategy = strategies["best" if person.kind == "best" else "threshold"]
    return play(game, [opening], {person.seat: strategy}, rng).changed


def _six_card(table: Sequence[Person], stake: int, rng: Rng) -> Mapping[Seat, int]:
    (person,), strategies = table, sixcardpoker.KIT.programs.strategies
    strategy = strategies["nash" if person.kind == "best" else "greedy"]
    return play(SixCardPoker(), [OpenSixCard(person.seat, stake)], {person.seat: strategy}, rng).changed


def _chicken(table: Sequence[Person], stake: int, rng: Rng) -> Mapping[Seat, int]:
    strategies = chickenpoker.KIT.programs.strategies
    players = {each.seat: strategies["nash" if each.kind == "best" else "random"] for each in table}
    return play(ChickenPoker(), [JoinChicken(seat, None, stake) for seat in players], players, rng).changed


def _market(table: Sequence[Person], stake: int, rng: Rng) -> Mapping[Seat, int]:
    strategies = pokermarket.KIT.programs.strategies
    players = {each.seat: strategies["search" if each.kind == "best" else "greedy"] for each in table}
    return play(PokerMarket(), [JoinMarket(seat, None, stake) for seat in players], players, rng).changed


_GAMES = {"High Show": _show, "Six Card Poker": _six_card, "Chicken Poker": _chicken, "Poker Market": _market}
_ALONE = {"High Show", "Six Card Poker"}


def played(mix: Mix) -> Season:
    """Play a channel from its first day on."""
    return Channel(mix).play()
