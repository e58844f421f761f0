"""Referees written from the rulebooks alone settle the games that the pages work out, by themselves."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.documentation import page
from tests.games import characters, referees
from tests.games.chickenpoker import rulebook_referee as chicken
from tests.games.highshow import rulebook_referee as highshow
from tests.games.pokermarket import rulebook_referee as market
from tests.games.referees import Asked
from tests.games.sixcardpoker import rulebook_referee as sixcard

if TYPE_CHECKING:
    from types import ModuleType

ROW = re.compile(r"^\| \d+ \| (.*) \|$", re.MULTILINE)
HALVES = {"0": Fraction(0), "½": Fraction(1, 2), "1": Fraction(1)}


def settlements(name: str) -> list[list[str]]:
    """Return the cells of each worked settlement, without its number."""
    rows = page(f"program/contest-{name}").partition("## Worked settlements")[2]
    return [[cell.strip() for cell in row.split("|")] for row in ROW.findall(rows)]


def test_decks_are_settled_as_the_page_says() -> None:
    rows = settlements("highshow")
    assert len(rows) == 10
    for keep, penalty, deck, answers, kept, cost, profit, _ in rows:
        cards = [int(card) for card in deck.split()]
        kind, _, parameter = penalty.strip("`").partition("=")
        rules = highshow.Rules(len(cards), int(keep), kind, Fraction(parameter) if parameter else None)
        words = iter(answers.split())

        def program(line: str, words: object = words) -> list[str]:
            number = re.findall(r'"id": (\d+)', line)[0]
            word = {"k": "keep", "a": "another"}[next(words)]  # type: ignore[call-overload]
            return [f'{{"id": {number}, "answer": "{word}"}}']

        settled = highshow.play(rules, cards, Asked(program, "highshow", "page"))
        assert next(words, None) is None
        assert (settled.kept, settled.cost, settled.profit) == (
            [int(card) for card in kept.split()], Fraction(cost), Fraction(profit),
        )  # fmt: skip


def test_rounds_of_chicken_poker_are_settled_as_the_page_says() -> None:
    rows = settlements("chickenpoker")
    rounds = [row for row in rows if len(row) == 4]
    assert len(rounds) == 7
    for cards, winner, points, _ in rounds:
        shown = [0 if card == "–" else int(card) for card in cards.split()]
        assert (chicken.winner(shown), sum(shown)) == (int(winner), int(points))
    for game, (ids,) in enumerate(row for row in rows if len(row) == 1):
        assert chicken.ids_of(3, game) == [int(each) for each in ids.split()]


def test_rounds_of_six_card_poker_are_settled_as_the_page_says() -> None:
    rows = settlements("sixcard")
    assert len(rows) == 8
    for first, second, points, score, _ in rows:
        one, other = (
            sixcard.arrange([int(card) for card in text.replace(" ", "")]) for text in (first, second)
        )
        settled = sixcard.settle(one, other)
        assert [*settled.points, settled.score] == [HALVES[each] for each in [*points.split(), score]]


def test_deals_of_poker_market_are_settled_as_the_page_says() -> None:
    rows = settlements("market")
    assert len(rows) == 7
    for hands, points, why in rows:
        held = [hand.split() for hand in hands.split(";")]
        if swap := re.search(r"seat 0 gives (\w\w) for the (\w\w) of seat 1, who accepts", why):
            held[0][held[0].index(swap[1])], held[1][held[1].index(swap[2])] = swap[2], swap[1]
        assert market.points_of(held) == [int(each) for each in points.split()]


@pytest.mark.parametrize("referee", [highshow, chicken, sixcard, market])
def test_a_referee_from_a_rulebook_imports_nothing_of_the_program(referee: ModuleType) -> None:
    for file in (referee.__file__, referees.__file__, characters.__file__):
        assert file is not None
        source = Path(file).read_text(encoding="utf-8")
        imported = set(re.findall(r"^\s*(?:from|import) ([\w.]+)", source, re.MULTILINE))
        assert not {each for each in imported if each.split(".")[0] in {"arena", "chatbot", "cogs", "docs"}}
        assert {each for each in imported if each.startswith("tests")} <= {
            "tests.games.referees", "tests.games.characters",
        }  # fmt: skip
