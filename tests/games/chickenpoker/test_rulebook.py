"""A referee written from the rulebook alone agrees with ours: what is sent, played, settled, scored."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from chatbot.games.chickenpoker.contest.contest import ChickenContest, Format
from tests.games.characters import ROLES
from tests.games.chickenpoker.rulebook_referee import Game, games_of_a_session, play
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
POINTS = re.compile(r"(\S+) \((\d+)\) (\d+)")
ROUND = re.compile(r"round (\d+): ((?:\d+:\d+ )*\d+:\d+), (\d+) takes (\d+)\n")
FORFEIT = re.compile(r"round (\d+): (\S+) forfeits the game\n")


def disagreements(
    contested: Contested, contest: ChickenContest, programs: dict[str, Program], games: int
) -> list[str]:
    """Play a contest of ours again, and return what is different."""
    found = []
    sessions: dict[str, dict[object, list[Fraction]]] = {name: defaultdict(list) for name in programs}
    records = {name: Counter[int]() for name in programs}
    for played in contested.matches:
        table, different = replayed(contest.cards, played, programs)
        found += different
        assert len(table) == games_of_a_session(games, len(played.names))
        for place, name in enumerate(sorted(played.names)):
            mean = Fraction(sum(each.points[place] for each in table), len(table))
            sessions[name][frozenset(played.names)].append(mean)
            if mean != played.result.scores[played.names.index(name)]:
                found.append(f"the score of {name} in a session")
            for each in table:
                records[name].update(better_and_worse(each.points, place))
    assert {len(each) for tables in sessions.values() for each in tables.values()} == {contest.sessions}
    return found + ranked_differently(contested, sessions, records)


def replayed(n: int, played: Played, programs: dict[str, Program]) -> tuple[list[Game], list[str]]:
    order = sorted(played.names)
    told = asked("chickenpoker", programs, order)
    found, games = [], []
    for number, (game, points, rounds) in enumerate(GAME.findall(played.log)):
        assert int(game) == number
        other = play(n, [told[name] for name in order], number)
        games.append(other)
        listed = zip(order, other.ids, other.points, strict=True)
        wanted = [(name, str(id_), str(scored)) for name, id_, scored in listed]
        if POINTS.findall(points) != wanted:
            found.append(f"game {number}: ours {points}, by the rulebook {wanted}")
        shown = [
            (str(place), cards_of(each.cards), str(each.winner), str(each.points))
            for place, each in enumerate(other.rounds, 1)
        ]
        forfeits = [(str(round_), order[player]) for round_, player in other.forfeits]
        if ROUND.findall(rounds) != shown or FORFEIT.findall(rounds) != forfeits:
            found.append(f"game {number}: ours {rounds}, by the rulebook {shown}, {forfeits}")
    return games, found + differences(played, told)


def cards_of(cards: list[int]) -> str:
    return " ".join(f"{id_}:{card}" for id_, card in enumerate(cards, 1) if card)


def compare(
    monkeypatch: pytest.MonkeyPatch, contest: ChickenContest, count: int, games: int, seed: str = "rulebook"
) -> list[str]:
    programs = people("chickenpoker", list(ROLES["chickenpoker"])[:count], seed)
    contested = contest_of(monkeypatch, "chickenpoker", contest, programs, games, seed)
    return disagreements(contested, contest, programs, games)


@pytest.mark.parametrize("format_", list(Format))
def test_some_games_are_those_of_the_rulebook(monkeypatch: pytest.MonkeyPatch, format_: Format) -> None:
    assert compare(monkeypatch, ChickenContest(6, format_, 2), 4, 7) == []


@pytest.mark.slow
@pytest.mark.parametrize("cards", [1, 2, 5, 12])
@pytest.mark.parametrize("count", [2, 3, 5, 6])
@pytest.mark.parametrize("format_", list(Format))
def test_thousands_of_games_are_those_of_the_rulebook(
    monkeypatch: pytest.MonkeyPatch, format_: Format, count: int, cards: int
) -> None:
    assert compare(monkeypatch, ChickenContest(cards, format_, 3), count, 31, f"{count} {cards}") == []


@pytest.mark.nightly
@pytest.mark.parametrize("format_", list(Format))
def test_long_sessions_are_those_of_the_rulebook(monkeypatch: pytest.MonkeyPatch, format_: Format) -> None:
    assert compare(monkeypatch, ChickenContest(7, format_, 20), 6, 200, "night") == []


@pytest.mark.slow
def test_processes_have_the_scores_of_the_rulebook() -> None:
    names, seed, contest = list(ROLES["chickenpoker"]), "processes", ChickenContest(6, Format.TOGETHER, 2)
    contested = contest_of_processes("chickenpoker", contest, names, 12, seed)
    assert disagreements(contested, contest, people("chickenpoker", names, seed), 12) == []
