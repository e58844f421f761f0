"""What viewers bet on is decided by those who went in, and asked while nobody can know it."""

from __future__ import annotations

import pytest

from chatbot.games.heist.rules.crew import Crew
from chatbot.games.heist.rules.moves import Act, Fate, Outcome
from chatbot.games.heist.rules.raid import Heister
from chatbot.games.heist.rules.rules import BETTABLE, Heist, can_be_forecast, got_away
from chatbot.games.heist.rules.states import Company, Getaway, Lobby, Over, State, Storming
from chatbot.kernel.game import Seat

COMPANY = Company({}, Crew([Heister(Seat("test:ann"), 69)]))
HOUSE = Company({}, Crew([Heister(Seat("house:kelly"), 69)]))
LONG, SHORT, NONE = Heist(getaway=BETTABLE), Heist(getaway=BETTABLE - 1), Heist(getaway=0)


def over(*fates: Fate) -> Over:
    outcomes = tuple(
        Outcome(Seat(f"test:{number}"), Act.GUNCHECK, fate, 69, 0) for number, fate in enumerate(fates)
    )
    return Over(COMPANY, 0, (), outcomes)


@pytest.mark.parametrize(
    ("fates", "came_true"),
    [
        ([Fate.ESCAPED], True),
        ([Fate.CAUGHT], False),
        ([Fate.ESCAPED, Fate.CAUGHT], True),  # one of two is half
        ([Fate.RAN, Fate.CAUGHT, Fate.CAUGHT], False),  # one of three is less
        ([Fate.ESCAPED, Fate.TRAPPED, Fate.FINGERED, Fate.RAN], True),
        ([Fate.ESCAPED, Fate.CAUGHT, Fate.RETURNED, Fate.RETURNED], True),  # who backed out does not count
        ([Fate.RETURNED, Fate.RETURNED], None),
        ([], None),  # too few came
    ],
)
def test_it_came_true_if_half_of_those_who_went_in_got_away(
    fates: list[Fate], came_true: bool | None
) -> None:
    assert got_away(over(*fates)) is came_true


@pytest.mark.parametrize(
    ("rules", "asked"),
    [(LONG, [Getaway(COMPANY, 0, ())]), (SHORT, [Lobby(COMPANY)]), (NONE, [Lobby(COMPANY)])],
)
def test_it_is_asked_in_the_getaway_or_in_the_lobby_where_that_is_too_short(
    rules: Heist, asked: list[State]
) -> None:
    states: list[State] = [
        Lobby(COMPANY),
        Lobby(HOUSE),
        Getaway(COMPANY, 0, ()),
        Storming(COMPANY, 0, ()),
        over(),
    ]
    assert [each for each in states if can_be_forecast(rules, each)] == asked


def test_in_a_lobby_it_waits_until_enough_have_joined() -> None:
    assert not can_be_forecast(Heist(getaway=0, min_crew=2), Lobby(COMPANY))


@pytest.mark.parametrize("state", [Lobby(COMPANY), Getaway(COMPANY, 0, ()), Storming(COMPANY, 0, ())])
def test_before_the_end_nothing_has_come_out(state: State) -> None:
    assert got_away(state) is None
