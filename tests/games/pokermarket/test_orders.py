"""What people type: rounds and stakes in any form, cards in any form, and everything else refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games.pokermarket import KIT
from chatbot.games.pokermarket.rules.moves import Accept, Decline, Join, Pass, Propose
from chatbot.games.pokermarket.rules.rules import PokerMarket
from chatbot.kernel import stakes
from chatbot.kernel.say import Message, Quote
from tests.games.pokermarket.table import ANN, BOB, not_read, typed

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat


@pytest.mark.parametrize(
    ("line", "rounds", "stake"),
    [
        ("!market", None, None),
        ("!pokermarket", None, None),
        ("!market 3", 3, None),
        ("!market 3 50", 3, 50),
        ("!market 1 0", 1, 0),
        ("!market 5 1k", 5, 1000),
        ("!market half", None, 500),
        ("!market 25%", None, 250),
        ("!market ALL 5", 5, 1000),
        ("!market stake=50", None, 50),
        ("!market stake=0", None, 0),
        ("!market Rounds=4", 4, None),
        ("!market Stake=50 4", 4, 50),
        ("!market 4 stake=half", 4, 500),
        ("!market stake=50 rounds=4", 4, 50),
    ],
)
def test_the_first_number_is_that_of_the_rounds_and_anything_may_have_its_key(
    line: str, rounds: int | None, stake: int | None
) -> None:
    assert typed(line) == Join(ANN, rounds, stake)


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        ("!market 0", "market-length"),
        ("!market 6", "market-length"),
        ("!market 50", "market-length"),
        ("!market rounds=many", "market-length"),
        ("!market rounds=-3", "market-length"),
        ("!market 999999999999999999999999", "market-word"),
        ("!market 2 50 70", "twice"),
        ("!market 2 half all", "twice"),
        ("!market rounds=2 rounds=3", "twice"),
        ("!market -2", "amount-signed"),
        ("!market two", "market-word"),
        ("!market @bob", "market-word"),
        ("!market \N{DEVANAGARI DIGIT TWO}", "market-word"),
        ("!market stake=", "not-an-amount"),
        ("!market stake=-1", "amount-signed"),
        ("!market 2 9999999999999999", "amount-out-of-range"),
        ("!market 200%", "not-an-amount"),
    ],
)
def test_terms_that_cannot_be_read_are_refused(line: str, refusal: str) -> None:
    assert not_read(line).id == refusal


@pytest.mark.parametrize("beginning", ["!swap", "!market swap", "!market SWAP", "!pokermarket swap"])
@pytest.mark.parametrize(
    ("words", "partner"),
    [
        ("JS 3D", None),
        ("js 3d", None),
        ("J♠ 3♦", None),
        ("♠J D3", None),
        ("J♠\N{VARIATION SELECTOR-16} 3♦\N{VARIATION SELECTOR-16}", None),
        ("JS for 3D", None),
        ("JS FOR 3D @bob", BOB),
        ("JS 3D @bob", BOB),
        ("@bob JS 3D", BOB),
    ],
)
def test_a_swap_is_read_from_cards_in_any_form(beginning: str, words: str, partner: Seat | None) -> None:
    assert typed(f"{beginning} {words}") == Propose(ANN, "JS", "3D", partner)


@pytest.mark.parametrize("ten", ["TH", "th", "10H", "10h", "10♥", "T♥", "H10", "♡10"])
def test_tens_are_read_in_both_ways(ten: str) -> None:
    assert typed(f"!swap {ten} 2C") == Propose(ANN, "TH", "2C")


@pytest.mark.parametrize(
    "line",
    ["!swap", "!swap JS", "!swap JS for", "!swap JS 3D 4C", "!swap JS 3D bob", "!swap JS 3D @bob @cat"],
)
def test_a_swap_takes_two_cards_and_at_most_one_name(line: str) -> None:
    assert not_read(line) == Message("market-swap-usage")


@pytest.mark.parametrize(
    "card", ["1S", "11S", "JX", "J", "JSS", "J-S", "jack", "\N{ARABIC-INDIC DIGIT THREE}D"]
)
def test_what_is_no_card_is_refused_with_what_was_typed(card: str) -> None:
    assert not_read(f"!swap {card} 3D") == Message("market-card", {"text": Quote(card)})
    assert not_read(f"!swap 3D {card}") == Message("market-card", {"text": Quote(card)})


@pytest.mark.parametrize(
    ("word", "action"), [("accept", Accept(ANN)), ("decline", Decline(ANN)), ("pass", Pass(ANN))]
)
def test_answers_are_words_of_their_own_and_words_behind_the_games(word: str, action: Any) -> None:
    assert typed(f"!{word}") == typed(f"!market {word}") == typed(f"!market {word.upper()}") == action
    assert not_read(f"!{word} please") == Message("market-alone", {"word": f"!{word}"})
    assert not_read(f"!market {word} JS").id == "market-alone"
    assert not_read(f"!{word} JS 3D 4D").id == not_read(f"!{word} JS now").id == "market-alone"


def test_an_answer_may_name_the_cards_that_it_is_about_and_a_pass_may_not() -> None:
    assert typed("!accept js 3♦") == typed("!market accept JS 3D") == Accept(ANN, "JS", "3D")
    assert typed("!decline 10h TS") == Decline(ANN, "TH", "TS")
    assert not_read("!pass JS 3D").id == "market-alone"


@pytest.mark.parametrize(
    "action",
    [
        Join(ANN),
        Join(ANN, 2),
        Join(ANN, 2, 0),
        Join(ANN, 5, 10**15),
        Join(ANN, None, 50),
        Propose(ANN, "JS", "TD"),
        Accept(ANN),
        Accept(ANN, "JS", "TD"),
        Decline(ANN),
        Decline(ANN, "JS", "TD"),
        Pass(ANN),
    ],
)
def test_an_action_is_written_as_somebody_would_type_it(action: Any) -> None:
    assert typed(KIT.chat.line(action)) == action


def test_a_swap_that_names_the_partner_is_written_with_the_seat() -> None:
    assert KIT.chat.line(Propose(ANN, "JS", "3D", BOB)) == "!swap JS 3D @test:bob"


def test_stakes_are_suggested_the_usual_first() -> None:
    assert stakes.suggest(PokerMarket(), {}) == ("0", "1", "25%", "half", "all")
    assert stakes.suggest(PokerMarket(default_stake=50, min_stake=10), {})[0] == "50"
