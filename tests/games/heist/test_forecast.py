"""What viewers bet on is decided before anybody can bet, and cannot be moved by those who play."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb
from typing import TYPE_CHECKING

import pytest

from chatbot.games.heist.rules import forecast
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.crew import Crew, Heister
from chatbot.games.heist.rules.moves import Act, Answer
from chatbot.games.heist.rules.rules import Heist
from chatbot.games.heist.rules.settings import PRESETS
from chatbot.games.heist.rules.states import Company, Getaway, Over, State, Storming
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Moment, Seat
from chatbot.kernel.settings import make
from tests.games.heist.table import ANN, BOB, CAT, Table, gather

if TYPE_CHECKING:
    from collections.abc import Callable

CREW = (ANN, BOB, CAT)
GAME = Heist(rabble=0)
STREAM = make(Heist, PRESETS["stream"])
CHANCE = Fraction("0.54")  # of the first bank
NEWCOMER = Career()
LUCK, NO_LUCK = 0.5, 0.6  # draws below that, and above


def getaway(*luck: float, career: Career = NEWCOMER) -> Getaway:
    """Return a getaway at the first bank of a crew with such draws, all of the same career."""
    seats = [Seat(f"test:{number}") for number in range(len(luck))]
    company = Company(dict.fromkeys(seats, career), Crew(Heister(each, 100) for each in seats), active=1)
    return Getaway(company, 0, (), luck)


def lobby_closed(seed: str, game: Heist = GAME) -> Table:
    table = gather(CREW, game=game)
    table.tick(Rng.of(seed))
    return table


@pytest.mark.parametrize(
    ("luck", "came_true"),
    [
        ([LUCK], True),
        ([NO_LUCK], False),
        ([LUCK, NO_LUCK], True),  # one of two is half
        ([LUCK, NO_LUCK, NO_LUCK], False),  # one of three is less
        ([0.539999, NO_LUCK, LUCK], True),
        ([0.54], False),  # a draw is luck below the chance
        ([0.0, 0.54, NO_LUCK, NO_LUCK], False),
    ],
)
def test_it_came_true_if_half_of_the_crew_drew_less_than_the_chance_of_the_bank(
    luck: list[float], came_true: bool
) -> None:
    assert forecast.came_true(GAME, getaway(*luck)) is came_true


@pytest.mark.parametrize("preset", PRESETS)
def test_it_is_asked_only_once_the_crew_is_complete_and_nowhere_without_a_getaway(preset: str) -> None:
    game = make(Heist, PRESETS[preset])
    table, asked = gather(CREW, game=game), list[str]()
    while not isinstance(table.state, Over):
        if forecast.can_be_asked(game, table.state):
            asked.append(type(table.state).__name__)
        table.tick(Rng.of(preset))
    assert asked == (["Getaway"] if game.getaway else [])


def test_nothing_that_the_crew_answers_moves_it() -> None:
    """All 512 ways in which three can do eight things, each of which changes who gets away."""
    acts = [each for each in Act if each not in {Act.CHANGE_JOBS, Act.WITHDRAW}]
    verdicts, away = set[bool](), set[tuple[bool, ...]]()
    for answers in product(acts, repeat=3):
        table = lobby_closed("a")
        asked = table.state
        for seat, act in zip(CREW, answers, strict=True):
            table.answer(seat, act)
            verdicts.add(forecast.came_true(GAME, table.state))
        verdicts.add(forecast.came_true(GAME, asked))
        table.tick(Rng.of("b"))
        table.tick(Rng.of("c"))
        away.add(tuple(table.outcome(seat).away for seat in CREW))
    assert len(verdicts) == 1
    assert len(away) > 1


def test_who_backs_out_leaves_it_as_likely_as_before() -> None:
    """Among those who go in, one of three who backs out turns 56% into 79%: half of two is one."""
    assert round(likelihood(lambda luck: 2 * sum(luck[:2]) >= 2), 2) == 0.79
    for backing in range(4):
        assert round(likelihood(partial(comes_true, backing=backing)), 2) == 0.56


def likelihood(counts: Callable[[tuple[bool, ...]], bool]) -> float:
    """Add up how likely those of all ways are to have luck that count."""
    ways = (luck for luck in product((True, False), repeat=3) if counts(luck))
    each = (CHANCE ** sum(luck) * (1 - CHANCE) ** (3 - sum(luck)) for luck in ways)
    return float(sum(each, Fraction(0)))


def comes_true(luck: tuple[bool, ...], backing: int) -> bool:
    """Let so many of a crew back out, and say whether it came true."""
    state: State = getaway(*(LUCK if each else NO_LUCK for each in luck))
    for heister in list(state.company.crew)[:backing]:
        state = GAME.apply(state, Answer(heister.seat, Act.BACK_OUT), Moment(Rng.of(""), {})).state
    return forecast.came_true(GAME, state)


def test_nothing_personal_enters_that_only_some_know() -> None:
    sure = replace(NEWCOMER, chances=(1.0, None, None, None, None))
    assert not forecast.came_true(GAME, getaway(NO_LUCK, career=sure))
    assert forecast.chance(GAME, getaway(NO_LUCK, career=sure)) == pytest.approx(0.54)


def test_who_is_lucky_and_changes_nothing_gets_away() -> None:
    """The draws are the same as those of the doors: there is no second set of dice."""
    told = set[tuple[bool, ...]]()
    for number in range(40):
        table = lobby_closed(f"{number}", STREAM)
        asked = table.state
        assert isinstance(asked, Getaway)
        bank = STREAM.view(asked, None).banks[asked.bank]
        lucky = tuple(each < bank.chance for each in asked.luck)
        table.tick(Rng.of("anything"))
        table.tick(Rng.of(f"whatever {number}"))
        assert tuple(table.outcome(seat).away for seat in CREW) == lucky
        told.add(lucky)
    assert len(told) > 4


@pytest.mark.parametrize("crew", [1, 2, 3, 4, 11])
def test_its_published_chance_is_exact(crew: int) -> None:
    exact = sum(
        comb(crew, lucky) * CHANCE**lucky * (1 - CHANCE) ** (crew - lucky)
        for lucky in range(crew + 1)
        if 2 * lucky >= crew
    )
    assert forecast.chance(GAME, getaway(*[LUCK] * crew)) == pytest.approx(float(exact), abs=1e-12)


def test_a_crew_of_thousands_and_a_certain_bank_have_a_chance_too() -> None:
    assert forecast.chance(GAME, getaway(*[LUCK] * 3000)) == pytest.approx(1.0, abs=1e-4)
    certain, hopeless = (replace(GAME, chances=(Decimal(each), *GAME.chances[1:])) for each in (100, 0))
    assert forecast.chance(certain, getaway(LUCK)) == 1
    assert forecast.chance(hopeless, getaway(LUCK)) == 0
    assert not forecast.came_true(hopeless, getaway(0.0))


def test_the_result_tells_both_counts() -> None:
    table = lobby_closed("a")
    assert isinstance(table.state, Getaway)
    table.state = asked = replace(table.state, luck=(LUCK, LUCK, NO_LUCK))
    table.answer(ANN, Act.BACK_OUT)
    table.tick(Rng.of("b"))
    assert isinstance(table.state, Storming)
    table.tick(Rng.of("c"))
    told = forecast.result(GAME, asked, table.state)
    assert told.id == "heist-forecast-result"
    away = sum(table.outcome(seat).away for seat in CREW)
    assert (told.args["lucky"], told.args["crew"], told.args["away"]) == (2, 3, away)
