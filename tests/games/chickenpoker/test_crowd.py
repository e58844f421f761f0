"""Who has chosen is told where a room wants all of it; of a crowd the last are named everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.games.chickenpoker import KIT
from chatbot.games.chickenpoker.rules.moves import Play
from chatbot.kernel.say import Say, Talk
from chatbot.speech.words import Words
from tests.games.chickenpoker.table import ANN, LINEAR, NASH, PEOPLE, RANDOM, Table

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "Still to choose: cat, dan, eve."), ("ko", "아직 고르지 않은 사람: cat님, dan님, eve님.")],
)
def test_of_a_crowd_only_the_last_three_to_choose_are_named_once_a_round(language: str, text: str) -> None:
    table = Table().seated(*PEOPLE[:5], NASH, cards=3)
    told = [[say for say in _public(table, seat) if say.talk is not Talk.FULL] for seat in PEOPLE[:4]]
    assert [len(each) for each in told] == [0, 1, 0, 0]
    ((say,),) = filter(None, told)
    assert Words(language).text(say.message, lambda seat: seat.partition(":")[2]) == text
    assert say.shown, "the board has it too"


def test_who_of_a_crowd_chooses_again_does_not_have_the_last_three_named_again() -> None:
    table = Table().seated(*PEOPLE[:5], cards=3)
    for seat in PEOPLE[:2]:
        _public(table, seat)
    assert all(say.talk is Talk.FULL for say in _public(table, ANN))


def test_a_talkative_room_hears_of_everybody_in_a_crowd() -> None:
    table = Table().seated(*PEOPLE[:5], cards=3)
    assert [say.message.id for say in _public(table, ANN)] == ["chicken-chosen"]


def test_of_four_people_none_is_named_as_missing_whoever_the_house_sends() -> None:
    table = Table().seated(*PEOPLE[:4], NASH, RANDOM, LINEAR, cards=3)
    (say,) = _public(table, ANN)
    assert (say.message.id, say.talk) == ("chicken-chosen", Talk.FULL)


def _public(table: Table, seat: Seat) -> list[Say]:
    """Let somebody choose in secret; give what is said of it to all."""
    happened = table.act(Play(seat, 3))
    return [say for each in happened for say in KIT.chat.narrate(each) if say.to is None]
