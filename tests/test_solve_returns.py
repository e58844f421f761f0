"""`chatbot solve returns`: the table of what strategies return is worked out, written and compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import chatbot.games
from chatbot.kernel import returns
from tests.typed import Typed, solve

if TYPE_CHECKING:
    from pathlib import Path

NASH = "sixcardpoker nash 0 exact 1 0 response"


@pytest.fixture
def six_card_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Have one game, which is quick to work out, and a copy of its part of the file that ships."""
    own = {name: kit for name, kit in chatbot.games.own().items() if name in {"sixcardpoker", "highshow"}}
    monkeypatch.setattr(chatbot.games, "own", lambda: own)
    file = tmp_path / "returns.txt"
    lines = returns.file().read_text(encoding="utf-8").splitlines()
    kept = [each for each in lines if each.startswith(("#", "sixcardpoker "))]
    file.write_text("\n".join(kept) + "\n", encoding="utf-8")
    monkeypatch.setattr(returns, "file", lambda: file)
    monkeypatch.setattr(returns, "known", lambda: returns.read(file.read_text(encoding="utf-8").splitlines()))
    return file


def test_figures_are_printed_as_the_file_has_them(six_card_alone: Path) -> None:
    assert solve("returns") == Typed(0, six_card_alone.read_text(encoding="utf-8"), "")


def test_a_check_says_that_all_is_as_in_the_file(six_card_alone: Path) -> None:
    assert solve("returns --check") == Typed(0, f"All 3 figures are as in {six_card_alone.name}.\n", "")


def test_a_check_names_each_figure_that_differs_and_fails(six_card_alone: Path) -> None:
    text = six_card_alone.read_text(encoding="utf-8")
    six_card_alone.write_text(text.replace(NASH, NASH.replace(" 1 ", " 3/4 ")), encoding="utf-8")
    assert solve("returns --check") == Typed(
        1, "sixcardpoker nash 0: exact 1 by response, and exact 3/4 by response in returns.txt\n", ""
    )


def test_a_check_names_a_strategy_that_is_in_the_file_alone(six_card_alone: Path) -> None:
    text = six_card_alone.read_text(encoding="utf-8")
    six_card_alone.write_text(f"{text}{NASH.replace('nash', 'retired')}\n", encoding="utf-8")
    typed = solve("returns --check")
    assert typed.code == 1
    assert typed.out == "sixcardpoker retired 0: none, and exact 1 by response in returns.txt\n"


def test_what_is_written_is_what_a_check_expects(six_card_alone: Path) -> None:
    six_card_alone.write_text("", encoding="utf-8")
    assert solve("returns --check").code == 1
    assert solve("returns --write") == Typed(0, "", "")
    assert NASH in six_card_alone.read_text(encoding="utf-8").splitlines()
    assert solve("returns --check").code == 0


@pytest.mark.usefixtures("six_card_alone")
def test_writing_and_checking_at_once_is_refused() -> None:
    typed = solve("returns --write --check")
    assert typed.code != 0
    assert "give one of them" in typed.err


def test_games_that_only_have_a_solver_are_offered_beside_it() -> None:
    help_text = solve("--help").out
    assert "chickenpoker" in help_text
    assert "returns " in help_text


@pytest.mark.nightly
@pytest.mark.slow
def test_the_file_that_ships_has_all_figures_as_they_are_worked_out() -> None:
    typed = solve("returns --check")
    assert (typed.code, typed.out) == (0, f"All {len(returns.known())} figures are as in returns.txt.\n")
