"""Reviews, checked against an enumeration of all that the other could have held and set."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest

from chatbot.games.sixcardpoker.chat.board import score_percent
from chatbot.games.sixcardpoker.chat.story import review
from chatbot.games.sixcardpoker.rules.cards import compare
from chatbot.games.sixcardpoker.rules.moves import Revealed, Setting
from chatbot.games.sixcardpoker.rules.states import THE_HOUSE
from chatbot.games.sixcardpoker.solver import policies
from chatbot.kernel.say import Message, Name, Say, Talk
from chatbot.speech.words import Words
from tests.games.sixcardpoker import brute
from tests.games.sixcardpoker.table import ANN, BOB, LOSS, WIN, Table, hands

NAMES = {ANN: "Ann", BOB: "Bob", THE_HOUSE: "Nash (house)"}


def reviewed(own: str, other: str, *, house: bool = False) -> list[Say]:
    first = Setting(ANN, hands(own))
    second = Setting(THE_HOUSE if house else BOB, hands(other))
    outcome = compare(first.arrangement, second.arrangement)
    return list(review(Revealed(first, second, outcome, 0, {})))


def part(say: Say, name: str) -> Message:
    found = say.message.args[name]
    assert isinstance(found, Message)
    return found


def english(say: Say) -> str:
    return Words("en").text(say.message, NAMES.__getitem__)


def test_a_game_against_the_house_is_reviewed_for_the_player_alone() -> None:
    table = Table().solo()
    table.set(ANN, LOSS)
    (said,) = review(table.of(Revealed)[0])
    assert (said.message.args["who"], said.talk, said.to) == (Name(ANN), Talk.NORMAL, None)
    assert (said.game, said.event) == ("sixcardpoker", "Revealed")


def test_a_duel_is_reviewed_for_both() -> None:
    says = reviewed(WIN, "221 21 1")
    assert [each.message.args["who"] for each in says] == [Name(ANN), Name(BOB)]
    assert [part(each, "this_time").args["other"] for each in says] == [Name(BOB), Name(ANN)]


@pytest.mark.parametrize("own", ["443 32 1", "433 42 1", "441 33 2", "442 33 1", "421 33 4"])
def test_what_a_setting_makes_against_best_play_is_what_enumeration_finds(own: str) -> None:
    (said,) = reviewed(own, "111 22 2", house=True)
    average = part(said, "average")
    scores = _enumerated(own)
    best = max(scores.values())
    assert average.args["hands"] == own
    assert average.args["score"] == score_percent(scores[own])
    assert average.args["most"] == score_percent(best)
    assert scores[str(average.args["best"])] == best
    flawless = average.id == "sixcard-review-flawless"
    assert flawless == (scores[own] == best)


def _enumerated(own: str) -> dict[str, Fraction]:
    """Score all ways to set the cards of one, over all 210 deals to the other and best play with each."""
    held = hands(own).held
    plan = {cards: {tuple(each): weight for each, weight in mix.items()} for cards, mix in NASH.items()}
    written = {" ".join("".join(map(str, hand)) for hand in each): each for each in brute.settings(held)}
    return {text: brute.expected(held, each, plan) for text, each in written.items()}


NASH = policies.nash()


@pytest.mark.parametrize(
    ("own", "other", "kind", "better"),
    [
        (WIN, "111 22 2", "won", None),
        (LOSS, "111 22 2", "could-win", brute.WIN),
        ("443 31 2", "111 22 2", "could-win", brute.WIN),
        ("222 11 1", "441 33 2", "only-lost", brute.LOSS),
        ("432 11 1", "432 11 1", "only-drew", brute.DRAW),
        ("411 11 2", "333 32 4", "could-draw", brute.DRAW),
    ],
)
def test_against_what_the_other_held_the_best_is_what_enumeration_finds(
    own: str, other: str, kind: str, better: Fraction | None
) -> None:
    said = reviewed(own, other)[0]
    told = part(said, "this_time")
    results = {each: brute.score(each, hands(other)) for each in brute.settings(hands(own).held)}
    assert told.id == f"sixcard-review-{kind}"
    if better is not None:
        assert max(results.values()) == better
        assert results[_setting(str(told.args["hands"]))] == better


def _setting(text: str) -> brute.Setting:
    high, middle, low = hands(text)
    return high, middle, low


def test_a_review_reads_well() -> None:
    assert english(reviewed(LOSS, "111 22 2", house=True)[0]) == (
        "Review for Ann: against best play 443 32 1 is worth 3.5% of a win, and 421 33 4 would be worth "
        "84.6%. Against what Nash (house) held, 421 33 4 would have won."
    )
    assert english(reviewed("421 33 4", "111 22 2")[0]) == (
        "Review for Ann: 421 33 4 was the best there was, worth 84.6% of a win against best play. "
        "Against what Bob held, it won."
    )


def test_an_average_is_told_to_a_tenth_of_a_percent() -> None:
    told = [score_percent(each) for each in (Fraction(0), Fraction(1), Fraction(1, 2), Fraction(2, 3))]
    assert told == ["0.0%", "100.0%", "50.0%", "66.7%"]


@pytest.mark.slow
def test_a_review_does_without_numpy() -> None:
    script = (
        "import sys\n"
        "from chatbot.games.sixcardpoker.rules.cards import arrange, compare\n"
        "from chatbot.games.sixcardpoker.rules.moves import Revealed, Setting\n"
        "from chatbot.games.sixcardpoker.chat.story import review\n"
        "own = arrange((4, 4, 1), (3, 3), (2,))\n"
        "pair = Setting('a:a', own), Setting('a:b', own)\n"
        "assert len(list(review(Revealed(*pair, compare(own, own), 0, {})))) == 2\n"
        "assert 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
