"""The crew: a value, though those that follow each other share their list."""

from __future__ import annotations

import copy
import pickle

from chatbot.games.heist.rules.crew import Crew, Heister
from tests.games.heist.table import ANN, BOB, CAT

ONE, TWO, THREE = Heister(ANN, 69), Heister(BOB, 40), Heister(CAT, 7)


def test_who_joins_changes_no_crew_of_before() -> None:
    empty = Crew()
    first = empty.joined(ONE)
    second = first.joined(TWO)
    assert (list(empty), list(first), list(second)) == ([], [ONE], [ONE, TWO])
    assert (len(first), first.staked, first.find(BOB)) == (1, 69, None)
    assert (len(second), second.staked, second.find(BOB)) == (2, 109, TWO)
    assert (second[1], second[-1], second[:1]) == (TWO, TWO, (ONE,))


def test_two_may_join_the_same_crew_in_two_ways() -> None:
    first = Crew([ONE])
    one, other = first.joined(TWO), first.joined(THREE)
    assert (list(one), list(other)) == ([ONE, TWO], [ONE, THREE])
    assert (one.find(CAT), other.find(BOB)) == (None, None)
    assert (one.find(BOB), other.find(CAT)) == (TWO, THREE)
    assert [each.staked for each in (first, one, other)] == [69, 109, 76]


def test_only_those_who_differ_from_another_crew_are_apart() -> None:
    first = Crew([ONE])
    second = first.joined(TWO)
    assert (list(second.apart(first)), list(first.apart(second))) == ([TWO], [])
    other = Crew([ONE, THREE])
    assert (list(second.apart(other)), list(other.apart(second))) == ([TWO], [THREE])
    assert list(other.apart(Crew())) == [ONE, THREE]


def test_crews_are_equal_if_the_same_are_in_them() -> None:
    crew = Crew().joined(ONE).joined(TWO)
    assert crew == Crew([ONE, TWO])
    assert hash(crew) == hash(Crew([ONE, TWO]))
    assert crew != Crew([TWO, ONE])
    again = pickle.loads(pickle.dumps(crew))  # noqa: S301  (made in the line itself)
    for each in (again, copy.deepcopy(crew)):
        assert each == crew
        assert each.find(BOB) == TWO
