"""The adversary: looks for what brings viewers credits of the house, and spends its time where they flow.

Families are tried in turn at first. Then groups of them, a game in so much company, are tried by how quickly
their best arms could be shown to gain (Thompson's sampling), and arms that did well are changed. An arm with
enough evidence is played anew, by fresh accounts in a fresh channel, and only those games count for
a claim. A family that has been found out is left alone, so that the time goes to the others.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import log
from random import Random
from statistics import fmean, stdev
from typing import TYPE_CHECKING, NamedTuple, Protocol

from benchmarks.economy_arms import AMONG, USUAL, Arm, changed, choices, drawn, families, fitted
from benchmarks.economy_evening import town
from benchmarks.economy_evidence import HOUR, Score
from benchmarks.economy_players import Coalition
from chatbot.kernel.stakes import MOST_IN_CHAT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.economy_arms import Family, Liking
    from benchmarks.economy_evening import Evening, Town

LEVEL = 0.001  # at which a search claims anything that is not so, of all its claims together
EACH = 2  # games at a time
FIRST = 6  # ways to play that are tried in each room to begin with
CROWD = 10  # accounts whose games take so long that they play one at a time, and begin with one way
FEWEST = 6  # arms of a group that are drawn before those that did well are played again
NEW = 0.4  # of all turns of a group are for another arm
OTHER, MOVED = 0.4, 0.3  # of those are drawn; of the rest so many are the best arm in another room
EXEMPT = 10.0  # times less for rooms that need not hold, of which it is only told
CAUGHT = 3.0  # times less for a group, for each of its families that has been found out
PAID = 0.2  # of what could be lost was gained beside somebody, in the mean: it is worth to wait for them
FAIR = 0.8  # of all turns go to the group that has had the fewest lines for what it shows
SUSPECTED = 4.0  # evidence by which an arm is played anew
MOST_GAMES = 900  # of one arm that is played anew
HOPELESS = 40, 0.0  # games after which less evidence than this ends it
LEFT = 15  # tables in a row that may be left, before an arm is given up for now
LAST = 0.2  # of the budget is for those that are most suspected in the end
VISITS, LONGEST = 3, HOUR
KEPT = 2  # of the poorest account one in so many credits is staked, so that a lost game is not the end
RETRIES = 4  # by which stakes are halved in a visit, when a table refuses somebody
QUIET = tuple(f"!set earning {each} 0" for each in ("watch", "talk", "claim", "upkeep"))
"""What an honest visitor earns is left out of what games bring."""


class Group(NamedTuple):
    """A game in so much company: its rooms are learned from together, but for those that need not hold."""

    game: str
    people: int
    exempt: bool


def group_of(family: Family) -> Group:
    return Group(family.game, family.people, family.exempt)


class Budget(Protocol):
    """How much may be done yet."""

    def used(self, said: int) -> float:
        """Return which part is used up when so many lines have been said."""


@dataclass(frozen=True, slots=True)
class Lines:
    """So many lines: the same search on every machine."""

    most: int

    def used(self, said: int) -> float:
        return said / self.most


@dataclass(frozen=True, slots=True)
class Minutes:
    """So long on the clock of the wall."""

    most: float
    began: float = field(default_factory=time.monotonic)

    def used(self, said: int) -> float:  # noqa: ARG002
        return (time.monotonic() - self.began) / 60 / self.most


@dataclass(frozen=True, slots=True)
class Found:
    """An arm that was played anew; it is `sure` that it gains if the evidence is enough for all claims."""

    arm: Arm
    score: Score
    sure: bool
    visits: tuple[int, ...] = ()  # what accounts with nothing but their start gained in an hour

    def __str__(self) -> str:
        return f"{self.arm.family}: {self.arm}"


@dataclass(frozen=True, slots=True)
class Hunt:
    """What a search has found, and how much it has looked at."""

    found: Sequence[Found]
    families: int
    arms: int
    games: int
    lines: int
    seconds: float  # of the processor

    def gaining(self, *, exempt: bool) -> list[Found]:
        return [each for each in self.found if each.sure and each.arm.family.exempt is exempt]


async def hunt(
    seed: str, budget: Budget, tell: Callable[[str], object], only: Sequence[Family] | None = None
) -> Hunt:
    """Search until the budget is used up."""
    began = time.process_time()
    async with town(f"{seed} hunt") as place:
        search = Search(place, seed, budget, tell, families() if only is None else list(only))
        await search.run()
        arms = [score for group in search.known.values() for score in group.values()]
        games = sum(each.games for each in arms) + sum(each.score.games for each in search.found)
        seconds = time.process_time() - began
        return Hunt(search.found, len(search.families), len(arms), games, place.said, seconds)


class Search:
    """A search that is going on."""

    def __init__(
        self,
        place: Town,
        seed: str,
        budget: Budget,
        tell: Callable[[str], object],
        families: Sequence[Family],
    ) -> None:
        self.town, self.budget, self.tell, self.families = place, budget, tell, families
        self.likes = Random(seed)
        self.known: dict[Group, dict[Arm, Score]] = {group_of(each): {} for each in families}
        self.given_up: set[Arm] = set()
        self.found: list[Found] = []
        self.channels = 0
        self._coalitions: dict[Arm, Coalition] = {}
        self._beside = defaultdict[tuple[Group, str, str], Score](Score)  # by way to play, and who sat there
        self._looked: set[tuple[Family, str, str]] = set()

    @property
    def enough(self) -> float:
        """The evidence that a claim needs: each family may be claimed once, at an equal part of the level."""
        return log(len(self.families) / LEVEL)

    async def run(self) -> None:
        for arm in self._first():
            if self._used() >= 1 - LAST:
                break  # a short search begins with some of the rooms, whichever
            await self._try(arm)
        while self._used() < 1 - LAST and (left := self._open()):
            groups = list(dict.fromkeys(map(group_of, left)))
            fair = self.likes.random() < FAIR
            group = min(groups, key=self._spent) if fair else max(groups, key=self._promise)
            await self._try(self._arm(group, [each for each in left if group_of(each) == group]))
        while self._used() < 1 and (suspects := self._suspects()):
            await self._again(suspects[0])
        await self._visit()

    def _first(self) -> Iterator[Arm]:
        """Begin with some ways to play in each room."""
        for family in self.likes.sample(self.families, len(self.families)):
            plays = choices(family)["play"]
            count = 1 if family.exempt or family.people >= CROWD else FIRST
            for play in self.likes.sample(plays, min(count, len(plays))):
                yield replace(drawn(family, self.likes), play=str(play))
            if family.people == 1:  # `!odds` tells who sits down, and a long game how they play
                longest = str(choices(family)["terms"][-1])
                for name in filter(None, choices(family)["beside"]):
                    arm = replace(drawn(family, self.likes), terms=longest)
                    yield replace(arm, play=str(plays[0]), beside=str(name))

    def _used(self) -> float:
        return self.budget.used(self.town.said)

    def _open(self) -> list[Family]:
        found_families = {each.arm.family for each in self.found}
        return [each for each in self.families if each not in found_families]

    def _arms(self, group: Group) -> dict[Arm, Score]:
        """Return the arms of a group that may still show something."""
        left = set(self._open())
        arms = self.known[group].items()
        return {arm: score for arm, score in arms if arm not in self.given_up and arm.family in left}

    def _promise(self, group: Group) -> float:
        """Guess how quickly the best arm of a group could be shown to gain, for its lines."""
        best = max(self._arms(group).values(), key=lambda each: each.promise(each.mean), default=Score())
        return best.promise(best.guess(self.likes)) / self._handicap(group)

    def _spent(self, group: Group) -> float:
        """Tell how many lines a group has had for what it shows; where they matter less, they count more."""
        lines = sum(score.lines for score in self.known[group].values())
        shows = max((score.evidence for score in self._arms(group).values()), default=0.0)
        return lines * self._handicap(group) / (1 + max(shows, 0.0))

    def _handicap(self, group: Group) -> float:
        """Put what has been found out behind what has not, and rooms that need not hold behind others."""
        times_found = sum(group_of(each.arm.family) == group for each in self.found)
        return (1 + CAUGHT * times_found) * (EXEMPT if group.exempt else 1)

    def _arm(self, group: Group, families: Sequence[Family]) -> Arm:
        """Choose an arm to play: one that did well, or another made of it, or any."""
        scores, liking = self._arms(group), self._liking(group)
        company = self._company(group)
        if company is not None:
            return company
        if len(scores) >= FEWEST and self.likes.random() >= NEW:
            return max(scores, key=lambda arm: scores[arm].promise(scores[arm].guess(self.likes)))
        if not scores or self.likes.random() < OTHER:
            return drawn(self._room(families, liking), self.likes, liking)
        best = max(scores, key=lambda arm: scores[arm].promise(scores[arm].mean))
        if self.likes.random() < MOVED:
            return fitted(best, self._room(families, liking))
        return changed(best, self.likes)

    def _company(self, group: Group) -> Arm | None:
        """Stay only beside whom it paid to sit by chance: the best arm of a room with that way to play."""
        best = sorted(self._arms(group).items(), key=lambda each: each[1].mean, reverse=True)
        for arm, _ in best:
            for name in map(str, choices(arm.family)["beside"]):
                looked = arm.family, arm.play, name
                if name and looked not in self._looked and self._beside[group, arm.play, name].mean >= PAID:
                    self._looked.add(looked)
                    return replace(arm, beside=name)
        return None

    def _room(self, families: Sequence[Family], liking: Liking) -> Family:
        """Draw a room, more likely one that did well so far."""
        few = self.likes.sample(families, min(AMONG, len(families)))
        return max(few, key=lambda each: liking("preset", each.preset))

    def _liking(self, group: Group) -> Liking:
        """Tell how well each choice did so far in a group."""
        scores = defaultdict[tuple[str, object], Score](Score)
        for arm, score in self.known[group].items():
            values = {name: getattr(arm, name) for name in choices(arm.family)}
            for choice in {"preset": arm.family.preset, **values}.items():
                scores[choice].shares += score.shares
                scores[choice].lines += score.lines
        return lambda name, value: scores[name, value].promise(scores[name, value].mean)

    async def _try(self, arm: Arm) -> None:
        score = self.known[group_of(arm.family)].setdefault(arm, Score())
        evening = await self._evening(arm.family, "search")
        if arm not in self._coalitions:
            self._coalitions[arm] = Coalition(evening, arm, f"a{len(self._coalitions)}")
        games = EACH if arm.family.people < CROWD else 1
        won = True
        while won and score.evidence < SUSPECTED:  # who has won plays on
            if not await self._play(self._coalitions[arm], score, games):
                self.given_up.add(arm)
                break
            won = all(share > 0 for share in score.shares[-games:])
        if score.evidence >= SUSPECTED and arm not in self.given_up:
            await self._again(arm)

    async def _play(self, coalition: Coalition, score: Score, games: int) -> bool:
        """Play so many games; return False if there is none to be had."""
        lines_before = coalition.evening.said
        target, left = score.games + games, 0
        while score.games < target and left < LEFT:
            before = score.games
            game = await coalition.play()
            score.add(game)
            for name in coalition.seated if game.risk else ():
                self._beside[group_of(coalition.arm.family), coalition.arm.play, name].add(game)
            left = 0 if score.games > before else left + 1
        score.lines += coalition.evening.said - lines_before
        return score.games >= target

    async def _again(self, arm: Arm) -> None:
        """Play an arm anew until it is sure that it gains, or no longer likely."""
        score = Score()
        self.given_up.add(arm)
        coalition = Coalition(await self._evening(arm.family, f"anew{len(self.given_up)}"), arm, "fresh")
        games, least = HOPELESS
        while score.evidence < self.enough and score.games < MOST_GAMES:
            if score.games >= games and score.evidence < least:
                break
            if self._used() >= 1 or not await self._play(coalition, score, EACH):
                break
        if score.evidence >= self.enough:
            self.found.append(Found(arm, score, sure=True))
            self.tell(f"{self.found[-1]}: {score.gain:+,.1f} ± {score.gain_error:,.1f} credits a game")
            home = replace(arm.family, preset=USUAL)
            if home in self._open() and not arm.family.exempt:
                await self._again(fitted(arm, home))

    def _suspects(self) -> list[Arm]:
        """List arms of families that have not been found out, the most suspected first."""
        suspected = {
            arm: score.evidence
            for group in self.known
            for arm, score in self._arms(group).items()
            if score.evidence > 0
        }
        return sorted(suspected, key=suspected.__getitem__, reverse=True)

    async def _visit(self) -> None:
        """See what newcomers who do nothing else make of their start in an hour."""
        self.found = [
            Found(each.arm, each.score, each.sure, tuple([await self._hour(each.arm) for _ in range(VISITS)]))
            for each in self.found
        ]

    async def _hour(self, arm: Arm) -> int:
        self.channels += 1
        evening = await self._evening(arm.family, f"visit{self.channels}")
        coalition = Coalition(evening, arm, "visit", keeps=True)
        await coalition.start()
        before, until, halved = await coalition.held(), self.town.watch.now() + LONGEST, 0
        while self.town.watch.now() < until and halved < RETRIES:
            await coalition.level()
            stake = min(await coalition.poorest() // KEPT, MOST_IN_CHAT) >> halved
            if stake < 1:
                break
            game = await coalition.play(stake)
            halved = 0 if game.risk else halved + (not game.seconds)
        return await coalition.held() - before

    async def _evening(self, family: Family, what: str) -> Evening:
        """Open a channel for games of a family, where credits come from games alone."""
        name = f"{family.game}{family.preset}{family.people}{what}"
        is_new = name not in self.town.evenings
        evening = await self.town.evening(name)
        if is_new:
            preset_lines = [] if family.preset == USUAL else [f"!preset {family.game} {family.preset}"]
            await evening.keep(*QUIET, *preset_lines)
        return evening


def mean_and_error(values: Sequence[int]) -> tuple[float, float]:
    """Give the mean of what visits brought, and its standard error."""
    return fmean(values), stdev(values) / len(values) ** 0.5
