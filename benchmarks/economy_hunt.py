"""The adversary: looks for what brings viewers credits of the house, and spends its time where they flow.

Families are tried in turn at first, then by what their best arms could bring for a line (Thompson's
sampling); within a family arms that did well are changed, and other rooms of the game are learned from. An
arm with enough evidence is played anew, by fresh accounts in a fresh channel, and only those games count for
a claim. A family that has been found out is left alone, so that the time goes to the others.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from random import Random
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Protocol

from benchmarks.economy_arms import USUAL, Arm, changed, choices, drawn, families, fitted
from benchmarks.economy_evening import town
from benchmarks.economy_evidence import HOUR, Score
from benchmarks.economy_players import Coalition
from chatbot.kernel.stakes import MOST_IN_CHAT

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.economy_arms import Family, Liking
    from benchmarks.economy_evening import Evening, Town

LEVEL = 0.001  # at which a search claims anything that is not so, of all its claims together
FIRST, EACH = 3, 2  # arms of each family to begin with, and games at a time
FEWEST = 6  # arms of a family that are drawn before those that did well are played again
NEW = 0.4  # of all turns of a family are for another arm
OTHER, MADE = 0.3, 0.3  # of those are drawn, and made of the best; the others come from another family
CROWD = 10  # accounts whose games take so many lines that only one arm is tried to begin with
EXEMPT = 3.0  # times less for rooms that need not hold, of which it is only told
FAIR = 0.3  # of all turns go to the family that has had the fewest lines
SUSPECTED = 5.0  # evidence by which an arm is played anew; what is at most e^5 by chance is so often
MOST_GAMES = 900  # of one arm that is played anew
HOPELESS = 60, -2.0  # games after which less evidence than this ends it
LEFT = 6  # tables in a row that may be left, before an arm is given up for now
LAST = 0.2  # of the budget is for those that are most suspected in the end
VISITS, LONGEST = 3, HOUR
RETRIES = 4  # by which stakes are halved in a visit, when a table refuses somebody
QUIET = tuple(f"!set earning {each} 0" for each in ("watch", "talk", "claim", "upkeep"))
"""What an honest visitor earns is left out of what games bring."""


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
    seed: str, budget: Budget, tell: Callable[[str], object], wanted: Sequence[Family] | None = None
) -> Hunt:
    """Search until the budget is used up."""
    began = time.process_time()
    async with town(f"{seed} hunt") as place:
        search = Search(place, seed, budget, tell, families() if wanted is None else list(wanted))
        await search.run()
        arms = [score for family in search.known.values() for score in family.values()]
        games = sum(each.games for each in arms) + sum(each.score.games for each in search.found)
        spent = time.process_time() - began
        return Hunt(search.found, len(search.known), len(arms), games, place.said, spent)


class Search:
    """A search that is going on."""

    def __init__(
        self,
        place: Town,
        seed: str,
        budget: Budget,
        tell: Callable[[str], object],
        wanted: Sequence[Family],
    ) -> None:
        self.town, self.budget, self.tell, self.wanted = place, budget, tell, wanted
        self.likes = Random(seed)
        self.known: dict[Family, dict[Arm, Score]] = {each: {} for each in wanted}
        self.given_up: set[Arm] = set()
        self.found: list[Found] = []
        self.channels = 0
        self._coalitions: dict[Arm, Coalition] = {}

    @property
    def enough(self) -> float:
        """The evidence that a claim needs: each family may be claimed once, at an equal part of the level."""
        return log(len(self.known) / LEVEL)

    async def run(self) -> None:
        for family in self.likes.sample(self.wanted, len(self.wanted)):
            for _ in range(FIRST if family.people < CROWD else 1):
                await self._try(drawn(family, self.likes))
        while self._used() < 1 - LAST and (left := self._open()):
            fair = self.likes.random() < FAIR
            await self._try(self._arm(min(left, key=self._spent) if fair else max(left, key=self._promise)))
        while self._used() < 1 and (suspects := self._suspects()):
            await self._again(suspects[0])
        await self._visit()

    def _used(self) -> float:
        return self.budget.used(self.town.said)

    def _open(self) -> list[Family]:
        caught = {each.arm.family for each in self.found}
        return [each for each in self.known if each not in caught]

    def _promise(self, family: Family) -> float:
        """Guess how quickly the best arm of a family could be shown to gain, for its lines."""
        scores = [score for arm, score in self.known[family].items() if arm not in self.given_up]
        best = max(scores, key=lambda each: each.mean, default=Score())
        promise = best.guess(self.likes) / best.spread / sqrt(best.cost)
        return promise / EXEMPT if family.exempt else promise

    def _spent(self, family: Family) -> float:
        """Tell how many lines a family has had; where nothing need hold, they count for more."""
        lines = sum(score.lines for score in self.known[family].values())
        return lines * EXEMPT if family.exempt else lines

    def _arm(self, family: Family) -> Arm:
        """Choose an arm to play: one that did well, or another made of it, or any."""
        known = {arm: score for arm, score in self.known[family].items() if arm not in self.given_up}
        if not known:
            return drawn(family, self.likes, self._liking(family))
        best = max(known, key=lambda arm: known[arm].guess(self.likes))
        if len(known) >= FEWEST and self.likes.random() >= NEW:
            return best
        kind = self.likes.random()
        if kind < OTHER:
            return drawn(family, self.likes, self._liking(family))
        return changed(best, self.likes) if kind < OTHER + MADE else self._borrowed(family, best)

    def _liking(self, family: Family) -> Liking:
        """Tell how well each choice did so far, in all rooms of the game, alone or in company."""
        scores = defaultdict[tuple[str, object], Score](Score)
        for other, arms in self.known.items():
            if other.game == family.game and (other.people > 1) is (family.people > 1):
                for arm, score in arms.items():
                    for name in choices(family):
                        scores[name, getattr(arm, name)].shares += score.shares
        return lambda name, value: scores[name, value].mean

    def _borrowed(self, family: Family, best: Arm) -> Arm:
        """Take over what does well in another room of the game, or in other company, as far as it fits."""
        rooms = [
            max(arms.items(), key=lambda each: each[1].mean)[0]
            for other, arms in self.known.items()
            if other.game == family.game and other != family and arms
        ]
        return fitted(self.likes.choice(rooms), family) if rooms else changed(best, self.likes)

    async def _try(self, arm: Arm) -> None:
        score = self.known[arm.family].setdefault(arm, Score())
        evening = await self._evening(arm.family, "search")
        if arm not in self._coalitions:
            self._coalitions[arm] = Coalition(evening, arm, f"a{len(self._coalitions)}")
        if not await self._play(self._coalitions[arm], score, EACH):
            self.given_up.add(arm)
        if score.evidence >= SUSPECTED and arm not in self.given_up:
            await self._again(arm)

    async def _play(self, coalition: Coalition, score: Score, games: int) -> bool:
        """Play so many games; return False if there is none to be had."""
        said = coalition.evening.said
        wanted, left = score.games + games, 0
        while score.games < wanted and left < LEFT:
            before = score.games
            score.add(await coalition.play())
            left = 0 if score.games > before else left + 1
        score.lines += coalition.evening.said - said
        return score.games >= wanted

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

    def _suspects(self) -> list[Arm]:
        """List arms of families that have not been found out, the most suspected first."""
        suspected = {
            arm: score.evidence
            for family in self._open()
            for arm, score in self.known[family].items()
            if arm not in self.given_up and score.evidence > 0
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
            stake = min(await coalition.poorest(), MOST_IN_CHAT) >> halved
            if stake < 1:
                break
            played = await coalition.play(stake)
            halved = 0 if played.risk else halved + (not played.seconds)
        return await coalition.held() - before

    async def _evening(self, family: Family, what: str) -> Evening:
        """Open a channel for games of a family, where credits come from games alone."""
        name = f"{family.game}{family.preset}{family.people}{what}"
        fresh = name not in self.town.evenings
        evening = await self.town.evening(name)
        if fresh:
            chosen = [] if family.preset == USUAL else [f"!preset {family.game} {family.preset}"]
            await evening.keep(*QUIET, *chosen)
        return evening


def mean_and_error(values: Sequence[int]) -> tuple[float, float]:
    """Give the mean of what visits brought, and its standard error."""
    return fmean(values), stdev(values) / len(values) ** 0.5
