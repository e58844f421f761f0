"""What a moderator and the players of a heist try, line by line: what they get, and who hears of it."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

from benchmarks.economy_evening import town
from chatbot.community.earning.settings import Earnings
from chatbot.kernel.game import Role
from chatbot.ledger.predictions import Prediction
from chatbot.tables.forecasts import Course, ForecastAnswer

if TYPE_CHECKING:
    from benchmarks.economy_evening import Evening, Town
    from chatbot.tables.forecasts import PutQuestion

MODERATOR = "mo"
RAISED = 1_000_000
CREW = 3
PRESENT_AGAIN = 1860.0  # seconds after which who played before no longer counts as present
STEP = 5.0
LAST_SECOND = 1.0
ERRORS = 3.3  # standard errors: one in two thousand is farther out, on one side


@dataclass(frozen=True, slots=True)
class Raised:
    """What a moderator had of raising a rate for a moment, and what the lists of the audit said then."""

    gained: int
    usual: int  # what the claim brings as it ships
    lists: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return self.gained <= self.usual


@dataclass(frozen=True, slots=True)
class Moved:
    """How often a forecast came true, without and with one of the crew who backs out once bets are placed."""

    heists: int
    plain: int
    moved: int

    @property
    def difference(self) -> float:
        return (self.moved - self.plain) / self.heists

    @property
    def error(self) -> float:
        shares = (self.plain / self.heists, self.moved / self.heists)
        return sqrt(sum(each * (1 - each) for each in shares) / self.heists)

    @property
    def holds(self) -> bool:
        return abs(self.difference) <= ERRORS * self.error


async def raised(seed: str) -> Raised:
    """Have a moderator raise the claim, claim, and set it back."""
    usual = Earnings().claim
    async with town(f"{seed} raised") as place:
        evening = await place.evening("claims")
        await evening.say(MODERATOR, "hello", Role.MODERATOR)
        before = await evening.purse(MODERATOR)
        for text in (f"!set earning claim {RAISED}", "!confirm", "!claim", f"!set earning claim {usual}"):
            await evening.say(MODERATOR, text, Role.MODERATOR)
            await evening.wait(STEP)
        gained = await evening.purse(MODERATOR) - before
        lists = [
            each.text
            for text in ("!audit grants", "!audit mint")
            for each in await evening.say(MODERATOR, text, Role.MODERATOR)
        ]
        return Raised(gained, usual, tuple(dict.fromkeys(lists)))


async def moved(seed: str, heists: int) -> Moved:
    """Let three rob a bank again and again; in every other heist one tries to back out after the bets."""
    came_true = {False: 0, True: 0}
    async with town(f"{seed} moved") as place:
        evening = await place.evening("bets")
        await evening.keep("!set heist prediction yes", "!set heist cooldown 0")
        for number in range(heists):
            for backs_out in came_true:
                came_true[backs_out] += await _forecast(place, evening, f"{number}{backs_out:d}", backs_out)
    return Moved(heists, came_true[False], came_true[True])


async def _forecast(place: Town, evening: Evening, number: str, backs_out: bool) -> bool:
    """Play a heist, and tell whether its forecast came true."""
    crew = [f"h{number}n{each}" for each in range(CREW)]
    await evening.wait(PRESENT_AGAIN)
    for each in crew:
        await evening.say(each, "!heist 20")
    (table,) = evening.tables("heist")
    prediction, out = None, False
    while not table.over:
        prediction = prediction or _prediction(place, evening)
        if prediction is not None and backs_out and not out and _last_second(evening, prediction):
            answers = await evening.say(crew[-1], "!backout", private=True)
            out = any(each.says and each.says[0].event == "Answered" for each in answers)
        await evening.wait(LAST_SECOND)
    return prediction is not None and await _came_true(place.bot.parts.forecasts, prediction)


async def _came_true(forecasts: Any, prediction: Prediction) -> bool:  # `Any`: of whichever commit
    if hasattr(forecasts, "verdict"):
        return (await forecasts.verdict(prediction)).answer is ForecastAnswer.CAME_TRUE
    return await forecasts.answer(prediction) is ForecastAnswer.CAME_TRUE


def _prediction(place: Town, evening: Evening) -> Prediction | None:
    question: PutQuestion | None = next(iter(place.bot.parts.forecasts.questions(evening.channel)), None)
    return None if question is None else Prediction(question.table, evening.channel, question.phase, "")


def _last_second(evening: Evening, prediction: Prediction) -> bool:
    """Whether nobody can bet any more, or nearly so."""
    course, left = evening.bot.parts.forecasts.course(prediction)
    return course is not Course.BETTABLE or left <= LAST_SECOND + STEP
