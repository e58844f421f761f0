"""A referee written from the rulebook alone agrees with ours: what is sent, traded, ranked, scored."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from chatbot.games.pokermarket.contest.contest import MarketContest
from tests.games.characters import ROLES
from tests.games.pokermarket.rulebook_referee import Replay, matches, measures, play, seated
from tests.games.rulebook_matches import (
    asked,
    better_and_worse,
    contest_of,
    contest_of_processes,
    differences,
    people,
    ranked_differently,
)

if TYPE_CHECKING:
    from tests.games.rulebook_matches import Contested, Played, Program

GAME = re.compile(r"#####GAME (\d+): (.*)######\n((?:[^#].*\n)*)")


def disagreements(
    contested: Contested, contest: MarketContest, programs: dict[str, Program], games: int
) -> list[str]:
    """Play a contest of ours again from its deals, and return what is different."""
    found = []
    deals: dict[str, dict[object, list[Fraction]]] = {name: defaultdict(list) for name in programs}
    records = {name: Counter[int]() for name in programs}
    sizes = Counter[tuple[frozenset[str], int]]()
    for played in contested.matches:
        replays, different = replayed(contest.rounds, played, programs)
        found += different
        order, size = sorted(played.names), len(played.names)
        cut = [replays[at : at + size] for at in range(0, len(replays), size)]
        means = [
            [Fraction(sum(each.points[each.players.index(place)] for each in deal), size) for deal in cut]
            for place in range(size)
        ]
        sizes[frozenset(order), len(cut)] += 1
        for place, name in enumerate(order):
            seat = played.names.index(name)
            if sum(means[place]) != played.result.scores[seat] * len(cut):
                found.append(f"the score of {name} in a match")
            deals[name][frozenset(order)] += means[place]
            for deal in range(len(cut)):
                records[name].update(better_and_worse([each[deal] for each in means], place))
            ours = {each.name: each.values[seat] for each in played.result.measures}
            if ours != measures(replays, place):
                found.append(f"measures of {name}: ours {ours}, by the rulebook {measures(replays, place)}")
    assert {(table, length): count for (table, length), count in sizes.items()} == {
        (frozenset(table), length): count
        for table in {each for tables in deals.values() for each in tables if isinstance(each, frozenset)}
        for length, count in Counter(matches(contest.deals, games)).items()
    }
    return found + ranked_differently(contested, deals, records)


def replayed(rounds: int, played: Played, programs: dict[str, Program]) -> tuple[list[Replay], list[str]]:
    order = sorted(played.names)
    told = asked("pokermarket", programs, order)
    size, replays, found = len(order), list[Replay](), list[str]()
    circle, hands = list[int](), list[list[str]]()
    for number, (game, seats, rest) in enumerate(GAME.findall(played.log)):
        assert int(game) == number
        names, lines = seats.split(", "), rest.splitlines()
        dealt = [line.partition(": ")[2].split() for line in lines[:size]]
        if number % size == 0:
            circle, hands = [order.index(name) for name in names], dealt
            assert len({card for hand in hands for card in hand}) == 5 * size
        assert dealt == hands, "a deal is replayed with the same cards"
        assert names == [order[player] for player in seated(circle, number % size)]
        sitting = [(order.index(name), told[name]) for name in names]
        other = play(hands, sitting, rounds, number)
        replays.append(other)
        points = ", ".join(f"{name} {points}" for name, points in zip(names, other.points, strict=True))
        wanted = [*(line_of(other, names, turn) for turn in range(len(other.turns))), f"points: {points}"]
        if lines[size:] != wanted:
            found.append(f"game {number}: ours {lines[size:]}, by the rulebook {wanted}")
    return replays, found + differences(played, told)


def line_of(replay: Replay, names: list[str], turn: int) -> str:
    """Write a turn as our log does."""
    each = replay.turns[turn]
    about = f"round {turn // len(names) + 1}: {names[each.seat]}"
    if each.swap is None or each.partner is None:
        return f"{about} passes"
    answer = "accepts" if each.accepted else "declines"
    return f"{about} offers {each.swap[0]} for {each.swap[1]}, {names[each.partner]} {answer}"


def compare(
    monkeypatch: pytest.MonkeyPatch, contest: MarketContest, count: int, games: int, seed: str = "rulebook"
) -> list[str]:
    programs = people("pokermarket", list(ROLES["pokermarket"])[:count], seed)
    contested = contest_of(monkeypatch, "pokermarket", contest, programs, games, seed)
    return disagreements(contested, contest, programs, games)


@pytest.mark.parametrize(("count", "table"), [(2, 0), (4, 0), (4, 3)])
def test_some_deals_are_those_of_the_rulebook(
    monkeypatch: pytest.MonkeyPatch, count: int, table: int
) -> None:
    assert compare(monkeypatch, MarketContest(rounds=2, deals=7, table=table), count, 3) == []


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [1, 4])
@pytest.mark.parametrize(("count", "table"), [(2, 0), (3, 2), (6, 0), (6, 3)])
def test_hundreds_of_deals_are_those_of_the_rulebook(
    monkeypatch: pytest.MonkeyPatch, count: int, table: int, rounds: int
) -> None:
    contest = MarketContest(rounds, 400 // count // (table or 1), table)
    assert compare(monkeypatch, contest, count, 7, f"{count} {table}") == []


@pytest.mark.nightly
@pytest.mark.parametrize(("count", "table"), [(6, 0), (6, 4)])
def test_thousands_of_deals_are_those_of_the_rulebook(
    monkeypatch: pytest.MonkeyPatch, count: int, table: int
) -> None:
    assert compare(monkeypatch, MarketContest(3, 2000 // (table or 1), table), count, 10, "night") == []


@pytest.mark.slow
def test_processes_have_the_scores_of_the_rulebook() -> None:
    names, seed, contest = list(ROLES["pokermarket"]), "processes", MarketContest(2, 4)
    contested = contest_of_processes("pokermarket", contest, names, 4, seed)
    assert disagreements(contested, contest, people("pokermarket", names, seed), 4) == []
