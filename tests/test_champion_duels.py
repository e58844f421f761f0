"""`benchmarks.champion --game …` prints what the champions of the other games win."""

from __future__ import annotations

import pytest

from benchmarks import champion_duels


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
    monkeypatch.setattr(champion_duels, "DECKS", ((6, 2, "linear"),))
    champion_duels.SHOW[game](2, "short")
    printed = capsys.readouterr().out
    for name in others:
        assert name in printed
    assert printed.count("±") >= len(others)


@pytest.mark.nightly
@pytest.mark.slow
def test_the_lead_of_the_market_champion_is_no_luck(capsys: pytest.CaptureFixture[str]) -> None:
    champion_duels.show_market(300, "nightly")
    rows = [line.split("│") for line in capsys.readouterr().out.splitlines() if "±" in line]
    assert len(rows) == 6
    assert all(float(row[4]) > 3 for row in rows)
