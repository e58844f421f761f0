"""`benchmarks.champion --game …` prints what the champions of the other games win."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from math import sqrt
from statistics import mean, stdev

import pytest

from benchmarks import champion_duels
from chatbot.games.highshow.contest.contest import play
from chatbot.games.highshow.contest.contestants import CONTESTANTS
from chatbot.games.highshow.rules.terms import Terms, read_penalty
from chatbot.games.highshow.solver.solver import Adviser, value
from chatbot.kernel.fair import Rng


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "others"),
    [
        ("chickenpoker", ("random", "linear", "nash", "adaptive")),
        ("highshow", ("first", "threshold", "secretary", "best")),
        ("pokermarket", ("broker", "search", "greedy")),
    ],
)
def test_each_champion_is_compared_with_all_the_others(
    game: str, others: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(champion_duels, "CARDS", (4,))
    monkeypatch.setattr(champion_duels, "SESSION", 4)
    monkeypatch.setattr(champion_duels, "DECKS", ((6, 2, "linear"), (24, 3, "turn")))
    monkeypatch.setattr(champion_duels, "EXACT_TIMES", 1)
    champion_duels.SHOW[game](2, "short")
    printed = capsys.readouterr().out
    for name in others:
        assert name in printed
    assert printed.count("±") >= len(others)


LUCK = Rng.of("no strategy draws")
PENALTIES = "none", "linear=1/2", "turn", "value", "turnvalue"
FOUR = [Terms(4, 2, read_penalty(penalty)) for penalty in PENALTIES]


def every_deck(terms: Terms) -> list[list[int]]:
    starts = range(1, terms.highest_start + 1)
    return [list(deck) for low in starts for deck in permutations(range(low, low + terms.cards))]


def profits(terms: Terms, name: str) -> list[float]:
    strategy = CONTESTANTS[name]
    return [float(play(terms, deck, strategy, 0, LUCK).profit) for deck in every_deck(terms)]


@pytest.mark.slow
@pytest.mark.parametrize("exact", [True, pytest.param(False, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("terms", FOUR, ids=lambda terms: str(terms.penalty))
def test_over_all_decks_a_lead_in_high_show_is_the_difference_of_the_profits(
    terms: Terms, exact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the prices nor the exact values of choices change the mean."""
    decks = every_deck(terms)
    monkeypatch.setattr(champion_duels, "EXACT_TIMES", 1)
    monkeypatch.setattr(champion_duels, "shuffles", lambda *_: decks)
    if not exact:
        advise = Adviser.advise
        monkeypatch.setattr(Adviser, "advise", lambda *asked: replace(advise(*asked), exact=False))
    found = champion_duels.leads(terms, len(decks), "all")
    champion = mean(profits(terms, "champion"))
    for name in ("first", "threshold", "secretary", "best"):
        assert mean(found[name]) == pytest.approx(champion - mean(profits(terms, name)))
    most = champion - mean(found[champion_duels.BOUND])
    assert most >= float(value(terms).amount) - 1e-9
    assert not exact or most == pytest.approx(float(value(terms).amount))


@pytest.mark.nightly
@pytest.mark.slow
def test_in_a_large_deck_of_high_show_the_lead_is_no_luck_and_nobody_could_be_far_ahead() -> None:
    found = champion_duels.leads(Terms(100, 10, read_penalty("turn")), 20, "large")
    for name in ("first", "threshold", "secretary"):
        assert mean(found[name]) > 3 * stdev(found[name]) / sqrt(len(found[name]))
    assert abs(mean(found[champion_duels.BOUND])) < mean(found["threshold"]) / 10


@pytest.mark.nightly
@pytest.mark.slow
def test_the_lead_of_the_market_champion_is_no_luck(capsys: pytest.CaptureFixture[str]) -> None:
    champion_duels.show_market(300, "nightly")
    rows = [line.split("│") for line in capsys.readouterr().out.splitlines() if "±" in line]
    assert len(rows) == 6
    assert all(float(row[4]) > 3 for row in rows)
