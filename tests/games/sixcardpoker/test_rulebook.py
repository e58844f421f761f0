"""A referee written from the rulebook alone agrees with ours: what is sent, set, compared, scored."""

from __future__ import annotations

import re
from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from chatbot.games.sixcardpoker.contest.contest import SixCardContest
from tests.games.characters import ROLES
from tests.games.rulebook_matches import (
    asked,
    contest_of,
    contest_of_processes,
    differences,
    people,
    ranked_differently,
)
from tests.games.sixcardpoker.rulebook_referee import HALF, Round, arrange, matches, play

if TYPE_CHECKING:
    from tests.games.rulebook_matches import Contested, Played, Program

GAME = re.compile(r"#####GAME (\d+): (\S+) wins######\n(\S+): (.*), points (.*)\n(\S+): (.*), points (.*)\n")
POINTS = {"0": Fraction(0), "½": HALF, "1": Fraction(1)}


def disagreements(contested: Contested, programs: dict[str, Program], games: int) -> list[str]:
    """Play a contest of ours again from its deals, and return what is different."""
    found = []
    deals: dict[str, dict[object, list[Fraction]]] = {name: defaultdict(list) for name in programs}
    measures: dict[str, dict[str, Fraction]] = {name: defaultdict(Fraction) for name in programs}
    for played in contested.matches:
        rounds, different = replayed(played, programs)
        found += different
        for place, name in enumerate(sorted(played.names)):
            scores = [1 - each.score if place else each.score for each in rounds]
            if 100 * sum(scores) != played.result.scores[played.names.index(name)] * len(scores):
                found.append(f"the score of {name} in a match")
            pairs = zip(scores[::2], scores[1::2], strict=True)
            deals[name][frozenset(played.names)] += [50 * (first + second) for first, second in pairs]
            for hand, part in enumerate(("High", "Middle", "Low")):
                points = [1 - each.points[hand] if place else each.points[hand] for each in rounds]
                measures[name][part] += sum(points)
            for score, part in ((1, "won"), (HALF, "drawn"), (0, "lost")):
                measures[name][part] += 100 * scores.count(Fraction(score))
    for name, placing in contested.places.items():
        rounds_played = (games + games % 2) * (len(programs) - 1)
        means = {part: each.mean for part, each in placing.measures.items()}
        if means != {part: total / rounds_played for part, total in measures[name].items()}:
            found.append(f"the measures of {name}")
    sizes = [each.result.games for each in contested.matches if set(each.names) == set(list(programs)[:2])]
    assert sizes == matches(games)
    return found + ranked_differently(contested, deals)


def replayed(played: Played, programs: dict[str, Program]) -> tuple[list[Round], list[str]]:
    order = sorted(played.names)
    told = asked("sixcardpoker", programs, order)
    texts = [ROLES["sixcardpoker"][name].in_text for name in order]
    rounds, found = list[Round](), list[str]()
    dealt: list[list[int]] = []
    for number, (game, winner, *said) in enumerate(GAME.findall(played.log)):
        assert int(game) == number
        assert [said[0], said[3]] == order
        orders = [[int(card) for card in re.sub(r"[ |]", "", text)] for text in (said[1], said[4])]
        hands = [sorted(each) for each in orders]
        assert number % 2 == 0 or hands == dealt[::-1], "the cards are exchanged"
        assert all(hands[0].count(card) + hands[1].count(card) <= 4 for card in (1, 2, 3, 4))
        dealt = hands
        other = play(hands, [told[name] for name in order], texts, number, orders.__getitem__)
        rounds.append(other)
        ours = tuple(POINTS[each] for each in said[2].split())
        won = {Fraction(1): order[0], HALF: "nobody", Fraction(0): order[1]}[other.score]
        if other.arrangements != tuple(map(arrange, orders)) or (winner, ours) != (won, other.points):
            found.append(f"round {number}: ours {said} {winner}, by the rulebook {other}")
        assert tuple(POINTS[each] for each in said[5].split()) == tuple(1 - each for each in ours)
    return rounds, found + differences(played, told)


def compare(monkeypatch: pytest.MonkeyPatch, games: int, seed: str) -> list[str]:
    programs = people("sixcardpoker", list(ROLES["sixcardpoker"]), seed)
    contested = contest_of(monkeypatch, "sixcardpoker", SixCardContest(), programs, games, seed)
    return disagreements(contested, programs, games)


def test_some_rounds_are_those_of_the_rulebook(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compare(monkeypatch, 61, "rulebook") == []


@pytest.mark.slow
def test_thousands_of_rounds_are_those_of_the_rulebook(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compare(monkeypatch, 1000, "thousands") == []


@pytest.mark.nightly
def test_many_rounds_are_those_of_the_rulebook(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compare(monkeypatch, 20_000, "night") == []


@pytest.mark.slow
def test_processes_have_the_scores_of_the_rulebook() -> None:
    names, seed = list(ROLES["sixcardpoker"]), "processes"
    contested = contest_of_processes("sixcardpoker", SixCardContest(), names, 20, seed)
    assert disagreements(contested, people("sixcardpoker", names, seed), 20) == []
