"""Logs of tournaments are scored as the rulebooks say: audits written from the rulebooks alone agree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from arena.engine.competition import Order
from arena.engine.players import Competitor
from chatbot.games.chickenpoker.contest.contest import ChickenContest, Format
from chatbot.games.highshow.contest.contest import HighShowContest
from chatbot.games.pokermarket.contest.contest import MarketContest
from chatbot.games.sixcardpoker.contest.contest import SixCardContest
from tests.arena import rulebook_audits
from tests.arena.contests import carried_out
from tests.documentation import PAGES

if TYPE_CHECKING:
    from pathlib import Path

    from chatbot.kernel.contest import Contest

pytestmark = pytest.mark.slow
RULEBOOKS = ("chickenpoker", "heist", "highshow", "market", "sixcard")


def log_of(game: str, contest: Contest, players: str, games: int, folder: Path) -> str:
    people = tuple(Competitor(each, each) for each in players.split())
    outcome = carried_out(Order(game, contest, people, games, "rulebooks", log=folder / "log"))
    assert outcome.failure is None
    return (folder / "log").read_text(encoding="utf-8")


@pytest.mark.parametrize("cards", [3, 10])
@pytest.mark.parametrize("together", [False, True])
def test_chicken_poker_is_scored_as_its_rulebook_says(cards: int, together: bool, tmp_path: Path) -> None:
    contest = ChickenContest(cards, Format.TOGETHER if together else Format.ROUND_ROBIN, 2)
    log = log_of("chickenpoker", contest, "random nash linear", 60, tmp_path)
    assert rulebook_audits.chicken_poker(log, cards) == 120 * (1 if together else 3)


def test_six_card_poker_is_scored_as_its_rulebook_says(tmp_path: Path) -> None:
    log = log_of("sixcardpoker", SixCardContest(), "random greedy nash", 1000, tmp_path)
    assert rulebook_audits.six_card_poker(log) == 3000


@pytest.mark.parametrize(
    "penalty", ["none", "linear", "linear=5", "turn", "turn=1/3", "value", "turnvalue=0.5"]
)
def test_high_show_is_scored_as_its_rulebook_says(penalty: str, tmp_path: Path) -> None:
    contest = HighShowContest(8, 3, penalty)
    log = log_of("highshow", contest, "first threshold secretary", 40, tmp_path)
    assert rulebook_audits.high_show(log, 3, penalty) == 40


def test_poker_market_is_scored_as_its_rulebook_says(tmp_path: Path) -> None:
    contest = MarketContest(rounds=3, deals=60)
    log = log_of("pokermarket", contest, "random greedy passive", 20, tmp_path)
    assert rulebook_audits.poker_market(log) == 180


def test_an_audit_sees_a_wrong_score(tmp_path: Path) -> None:
    log = log_of("sixcardpoker", SixCardContest(), "random greedy", 20, tmp_path)
    with pytest.raises(AssertionError):
        rulebook_audits.six_card_poker(re.sub("points 1", "points 0", log))


@pytest.mark.parametrize("name", RULEBOOKS)
def test_each_rulebook_has_settlements_and_says_what_was_decided(name: str) -> None:
    text = PAGES[f"program/contest-{name}"]
    settlements = re.findall(
        r"^(?:### \d+\.|\| \d+ \|)", text.partition("## Worked settlements")[2], re.MULTILINE
    )
    assert len(settlements) >= 6
    assert "can be read in two ways" in text


def test_the_audits_import_nothing_of_the_program() -> None:
    with open(rulebook_audits.__file__, encoding="utf-8") as source:  # noqa: PTH123
        imported = re.findall(r"^\s*(?:from|import) (\w+)", source.read(), re.MULTILINE)
    assert set(imported) == {"__future__", "re", "collections", "fractions"}
