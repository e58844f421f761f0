"""A referee written from the rulebook alone agrees with ours: what is sent, decided, settled, scored."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from chatbot.games.highshow.contest.contest import HighShowContest
from tests.games.characters import ROLES
from tests.games.highshow.rulebook_referee import Rules, Settlement, matches, play
from tests.games.rulebook_matches import (
    asked,
    contest_of,
    contest_of_processes,
    differences,
    people,
    ranked_differently,
)

if TYPE_CHECKING:
    from tests.games.rulebook_matches import Contested, Played, Program

GAME = re.compile(r"#####GAME (\d+): K (\d+), ([\d ]+)######\n((?:[^#].*\n)*)")
RUN = re.compile(r"(\S+): keeps ([\d ]+), penalty (\S+), profit (\S+)\n")
PENALTIES = [
    "none", "linear", "turn", "value", "turnvalue",
    "linear=0.5", "linear=0", "turn=1/3", "value=2", "turnvalue=0.250000",
]  # fmt: skip


def disagreements(contested: Contested, rules: Rules, programs: dict[str, Program], games: int) -> list[str]:
    """Play a contest of ours again from its decks, and return what is different."""
    found = []
    decks: dict[str, dict[object, list[Fraction]]] = {name: {0: []} for name in programs}
    assert [each.result.games for each in contested.matches] == matches(games)
    for played in contested.matches:
        results, different = replayed(rules, played, programs)
        found += different
        for seat, name in enumerate(played.names):
            profits = [each.profit for each in results[name]]
            decks[name][0] += profits
            if sum(profits) != played.result.scores[seat] * len(profits):
                found.append(f"the score of {name} in a match")
    regrets = {
        place.measures["regret"].total + sum(decks[name][0]) for name, place in contested.places.items()
    }
    assert len(regrets) == 1, "regret is what one and the same play of the decks made beyond one's own"
    return found + ranked_differently(contested, decks)


def replayed(
    rules: Rules, played: Played, programs: dict[str, Program]
) -> tuple[dict[str, list[Settlement]], list[str]]:
    told = asked("highshow", programs, played.names)
    results: dict[str, list[Settlement]] = {name: [] for name in played.names}
    found = []
    for number, (game, lowest, deck, rest) in enumerate(GAME.findall(played.log)):
        cards = [int(card) for card in deck.split()]
        assert (int(game), int(lowest)) == (number, min(cards))
        assert sorted(cards) == list(range(min(cards), min(cards) + rules.cards))
        assert 1 <= min(cards) <= 3 * rules.cards
        runs = RUN.findall(rest)
        ours = {name: (kept, Fraction(cost), Fraction(profit)) for name, kept, cost, profit in runs}
        for name in played.names:
            settled = play(rules, cards, told[name], number)
            results[name].append(settled)
            theirs = (" ".join(map(str, settled.kept)), settled.cost, settled.profit)
            if ours[name] != theirs:
                found.append(f"deck {number} of {name}: ours {ours[name]}, by the rulebook {theirs}")
    return results, found + differences(played, told)


def rules_of(cards: int, keep: int, penalty: str) -> Rules:
    kind, _, parameter = penalty.partition("=")
    return Rules(cards, keep, kind, Fraction(parameter) if parameter else None)


def compare(monkeypatch: pytest.MonkeyPatch, penalty: str, cards: int, keep: int, games: int) -> list[str]:
    seed = f"rulebook {penalty} {cards} {keep} {games}"
    programs = people("highshow", list(ROLES["highshow"]), seed)
    contest = HighShowContest(cards, keep, penalty)
    contested = contest_of(monkeypatch, "highshow", contest, programs, games, seed)
    return disagreements(contested, rules_of(cards, keep, penalty), programs, games)


@pytest.mark.parametrize("penalty", PENALTIES)
def test_some_decks_are_those_of_the_rulebook(monkeypatch: pytest.MonkeyPatch, penalty: str) -> None:
    assert compare(monkeypatch, penalty, 6, 2, 40) == []


@pytest.mark.slow
@pytest.mark.parametrize(("cards", "keep"), [(2, 1), (5, 4), (9, 1), (10, 3)])
@pytest.mark.parametrize("penalty", PENALTIES)
def test_thousands_of_decks_are_those_of_the_rulebook(
    monkeypatch: pytest.MonkeyPatch, penalty: str, cards: int, keep: int
) -> None:
    assert compare(monkeypatch, penalty, cards, keep, 300) == []


@pytest.mark.nightly
@pytest.mark.parametrize("penalty", PENALTIES)
def test_many_matches_are_those_of_the_rulebook(monkeypatch: pytest.MonkeyPatch, penalty: str) -> None:
    assert compare(monkeypatch, penalty, 7, 3, 4000) == []


@pytest.mark.slow
def test_processes_have_the_scores_of_the_rulebook() -> None:
    names, seed = list(ROLES["highshow"]), "processes"
    contested = contest_of_processes("highshow", HighShowContest(8, 3, "turn"), names, 20, seed)
    programs = people("highshow", names, seed)
    assert disagreements(contested, rules_of(8, 3, "turn"), programs, 20) == []
