"""What a seat may know: everybody's stake, its own answer, and nobody else's until it is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.crew import Crew, Heister, Mate
from chatbot.games.heist.rules.moves import Act
from chatbot.games.heist.rules.rules import Heist
from chatbot.games.heist.rules.states import Own, View
from tests.games.heist.luck import Luck
from tests.games.heist.table import ANN, BOB, CAT, Table, gather, play

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat


def _view(table: Table, seat: Seat | None = None, purse: int = 0) -> View:
    return table.game.view(table.state, seat, purse)


def _in_the_getaway(answer: Act | None) -> Table:
    table = gather([ANN, BOB])
    table.tick()
    if answer:
        table.answer(ANN, answer)
    return table


@pytest.mark.parametrize("seat", [BOB, CAT, None], ids=["crew", "bystander", "public"])
def test_nobody_else_sees_which_answer_was_given(seat: Seat | None) -> None:
    views = [_view(_in_the_getaway(act), seat) for act in Act]
    assert all(each == views[0] for each in views)
    assert views[0].crew == (Mate(ANN, 100, answered=True), Mate(BOB, 100, answered=False))


@pytest.mark.parametrize("seat", [BOB, CAT, None], ids=["crew", "bystander", "public"])
def test_nobody_else_sees_an_answer_while_the_bank_is_stormed(seat: Seat | None) -> None:
    views = []
    for act in Act:
        table = _in_the_getaway(act)
        table.tick()
        views.append(_view(table, seat))
    assert all(each == views[0] for each in views)


def test_everybody_sees_their_own_answer() -> None:
    table = _in_the_getaway(Act.DOUBLE_CROSS)
    own = Own(ANN, credits=900, stake=100, act=Act.DOUBLE_CROSS, career=Career())
    assert _view(table, ANN, 900).own == own
    table.tick()
    assert _view(table, ANN, 900).own == own


def test_who_has_not_answered_sees_no_answer() -> None:
    own = _view(_in_the_getaway(None), ANN).own
    assert own is not None
    assert own.act is None


def test_the_public_has_nothing_of_its_own() -> None:
    assert _view(_in_the_getaway(None)).own is None


def test_a_bystander_has_no_stake_and_a_career() -> None:
    table = gather([ANN], careers={BOB: Career(salary=7)})
    assert _view(table, BOB, 55).own == Own(BOB, credits=55, stake=0, act=None, career=Career(salary=7))
    assert _view(table, CAT).own == Own(CAT, credits=0, stake=0, act=None, career=Career())


def test_the_lobby_names_the_bank_that_would_be_robbed_if_nobody_else_staked() -> None:
    table = gather([ANN], purses={BOB: 1_800_000})
    assert (_view(table).phase, _view(table).bank) == ("lobby", 0)
    table.join(BOB, 1_800_000)  # 2 + floor(1 800 100 / 100 000) = 20
    assert _view(table).bank == 1


def test_the_rabble_are_seen_as_a_crowd_once_they_are_in() -> None:
    table = gather([ANN], game=Heist(rabble=3), careers={BOB: Career()})
    before = _view(table)
    assert (before.heisters, before.staked, before.players) == (1, 100, 2)
    table.tick(Luck(True, True, False, belows=[3]))
    after = _view(table)
    assert after.heisters == 3  # Ann and two of the rabble
    assert after.staked == 238  # 100 + 69 + 69
    assert after.players == 5  # Ann, Bob and three of the rabble


def test_the_rabble_are_shown_to_the_end() -> None:
    table = gather([ANN], game=Heist(rabble=2))
    for luck in (Luck(True, False, belows=[2]), Luck(False), Luck(True, False)):
        table.tick(luck)
        shown = _view(table)
        assert (shown.heisters, shown.staked, shown.players) == (2, 169, 3)  # 100 + 69; one looks on


def test_outcomes_are_seen_by_everybody_when_it_is_over() -> None:
    table = play({ANN: Act.DOUBLE_CROSS, BOB: None}, Luck(False, True))
    outcomes = _view(table).outcomes
    assert [(each.seat, each.act) for each in outcomes] == [(ANN, Act.DOUBLE_CROSS), (BOB, Act.GUNCHECK)]
    assert _view(table).phase == "over"
    assert _view(_in_the_getaway(None)).outcomes == ()


def test_an_abandoned_heist_has_no_bank() -> None:
    table = gather([ANN], game=Heist(rabble=0, min_crew=2))
    table.tick()
    assert _view(table).bank is None


def test_what_is_kept_of_a_crew_goes_with_who_has_answered() -> None:
    crew = Crew([Heister(ANN, 100), Heister(BOB, 100)])
    for answered in map(frozenset, ([], [ANN], [BOB], [ANN, BOB])):
        for _ in range(2):
            assert {each.seat for each in crew.mates(answered) if each.answered} == answered
    assert [each.seat for each in crew.joined(Heister(CAT, 5)).mates(frozenset())] == [ANN, BOB, CAT]
