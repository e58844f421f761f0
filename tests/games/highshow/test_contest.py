"""High Show's contest: the same decks for everybody, exact profits, and regrets against best play."""

from __future__ import annotations

import re
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games.highshow.contest.contest import HighShowContest, Run, Samples, deck, play
from chatbot.games.highshow.contest.contestants import ANOTHER, KEEP, WIRE_FORMAT, Situation
from chatbot.games.highshow.rules.moves import Seen
from chatbot.games.highshow.rules.states import Show
from chatbot.games.highshow.rules.terms import Terms, read_penalty
from chatbot.games.highshow.solver.solver import value
from chatbot.kernel.contest import Entrant, Strategy
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Failure, Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.kernel.contest import Standing

PENALTIES = ("none", "linear", "linear=1/3", "turn", "turn=2", "value", "turnvalue")


def silent(view: Any, menu: Sequence[Any], rng: Any) -> None:
    return None


def chancy(view: Any, menu: Sequence[Any], rng: Rng) -> object:
    return rng.choice(menu)


def entered(contest: HighShowContest, *names: str) -> list[Entrant]:
    return [Entrant(f"{each}-{place}", contest.strategies[each]) for place, each in enumerate(names)]


def standing(
    contest: HighShowContest, entrants: Sequence[Entrant], games: int, log: list[str] | None = None
) -> Standing:
    """Play so many decks in a single match; give what it came to."""
    whole = contest.matches(len(entrants), games, "contest").make(0)
    match = type(whole)(0, whole.seats, games, "contest")
    *_, last = contest.play(match, entrants, log.append if log is not None else None)
    assert last.games == games
    return last


def error(found: Standing, seat: int) -> float:
    """Give the standard error of a mean score."""
    variance = found.squares[seat] - Fraction(found.scores[seat]) ** 2
    return sqrt(variance / (found.games - 1))


@pytest.mark.slow
def test_the_mean_of_the_first_is_that_of_as_many_cards() -> None:
    contest = HighShowContest(10, 3)
    found = standing(contest, entered(contest, "first"), 2000)
    # K is (3 · 10 + 1) / 2 = 15.5 on average, and a card lies 4.5 above it: three of them are 60.
    assert abs(float(found.scores[0]) - 60) < 4 * error(found, 0)


@pytest.mark.slow
@pytest.mark.parametrize("penalty", PENALTIES)
def test_the_mean_of_the_best_is_the_policy_value(penalty: str) -> None:
    contest = HighShowContest(6, 2, penalty)
    found = standing(contest, entered(contest, "best"), 2000)
    known = value(Terms(6, 2, read_penalty(penalty)))
    assert known.exact
    assert abs(float(found.scores[0]) - float(known.amount)) < 4 * error(found, 0)


@pytest.mark.slow
@pytest.mark.parametrize("penalty", PENALTIES)
def test_nobody_regrets_less_than_the_best_on_average(penalty: str) -> None:
    contest = HighShowContest(7, 2, penalty)
    found = standing(contest, entered(contest, "first", "threshold", "secretary", "best"), 500)
    ((regret,), scores) = found.measures, found.scores
    assert regret.name == "regret"
    assert (regret.values[3], regret.squares[3]) == (0, 0)
    for seat in range(3):
        assert regret.values[seat] == scores[3] - scores[seat]  # the same decks: exactly
        deviation = sqrt((regret.squares[seat] - Fraction(regret.values[seat]) ** 2) / (found.games - 1))
        assert regret.values[seat] >= -4 * deviation


def test_who_else_is_entered_changes_nothing() -> None:
    contest = HighShowContest(12, 3, "turn")
    alone = standing(contest, [Entrant("x", chancy)], 40)
    among = standing(contest, [*entered(contest, "best", "secretary"), Entrant("x", chancy)], 40)
    assert alone.scores[0] == among.scores[2]
    assert alone.measures[0].values[0] == among.measures[0].values[2]


def test_no_answer_keeps_the_card_as_in_a_chat() -> None:
    contest = HighShowContest(8, 3, "value")
    found = standing(contest, [Entrant("silent", silent), *entered(contest, "first")], 20)
    assert found.scores[0] == found.scores[1]


@pytest.mark.parametrize("penalty", PENALTIES)
def test_a_run_comes_to_what_it_does_by_the_rules(penalty: str) -> None:
    terms, rng = Terms(9, 4, read_penalty(penalty)), Rng.of("rules")
    for _ in range(30):
        cards, decided = deck(terms, rng), list[Seen]()

        def tossed(told: Situation, menu: object, luck: Rng, decided: list[Seen] = decided) -> str:
            decided.append(Seen(told.shown, kept=luck.chance(0.4)))
            return KEEP if decided[-1].kept else ANOTHER

        run = play(terms, cards, tossed, 0, rng)
        forced = [Seen(each, kept=True, chosen=False) for each in run.kept[sum(e.kept for e in decided) :]]
        assert tuple(each.card for each in (*decided, *forced)) == cards[: len(decided) + len(forced)]
        ended = Show(Seat("x"), terms, 0, None, cards).result((*decided, *forced), 0)
        assert (run.profit, run.penalty, sum(run.kept)) == (ended.profit, ended.penalty, ended.gain)
        assert len(run.kept) == 4


def test_a_game_is_asked_about_as_it_is() -> None:
    asked: list[Situation] = []

    def listening(told: Situation, menu: object, rng: object) -> str:
        asked.append(told)
        return ANOTHER if told.turn in {1, 3} else KEEP

    terms = Terms(5, 2, read_penalty("linear=3"))
    run = play(terms, (14, 12, 16, 15, 13), listening, 7, Rng.of("x"))
    assert run == Run((12, 15), Fraction(6))
    assert run.profit == 21  # 27 less twice 3
    assert asked == [
        Situation(7, terms, (), (), 14),
        Situation(7, terms, (), (14,), 12),
        Situation(7, terms, (12,), (14,), 16),
        Situation(7, terms, (12,), (14, 16), 15),
    ]
    assert [(each.turn, each.needed, each.left) for each in asked] == [
        (1, 2, 4), (2, 2, 3), (3, 1, 2), (4, 1, 1),
    ]  # fmt: skip


def test_cards_that_are_all_needed_are_kept_unasked() -> None:
    asked: list[int] = []

    def refusing(told: Situation, menu: object, rng: object) -> str:
        asked.append(told.shown)
        return ANOTHER

    run = play(Terms(5, 2, read_penalty("turn=1")), (14, 12, 16, 15, 13), refusing, 0, Rng.of("x"))
    assert asked == [14, 12, 16]
    assert run == Run((15, 13), Fraction(1 + 2 + 3))


@pytest.mark.parametrize(("games", "count"), [(1, 1), (31, 31), (33, 32), (16_000, 32), (16_001, 33)])
def test_all_decks_are_played_once_however_they_are_divided(games: int, count: int) -> None:
    series = HighShowContest().matches(3, games, "seed")
    matches = list(series)
    assert len(series) == len(matches) == count
    assert sum(each.games for each in matches) == games
    assert len({each.seed for each in matches}) == count
    assert max(each.games for each in matches) - min(each.games for each in matches) <= 1
    assert {each.seats for each in matches} == {(0, 1, 2)}


def test_a_billion_decks_take_no_room() -> None:
    assert len(HighShowContest().matches(1, 10**9, "seed")) == 2_000_000


@pytest.mark.parametrize(("cards", "keep"), [(20, 20), (2, 2), (5, 999)])
def test_as_many_cards_as_there_are_cannot_be_kept(cards: int, keep: int) -> None:
    with pytest.raises(Failure, match=rf"--keep takes fewer than the {cards} cards of a deck, not {keep}\."):
        HighShowContest(cards, keep).matches(1, 1, "seed")


def test_the_log_tells_the_deck_and_what_everybody_made_of_it() -> None:
    log: list[str] = []
    contest = HighShowContest(4, 2, "linear=1/3")
    found = standing(contest, entered(contest, "first", "secretary"), 3, log)
    assert [each.split(":")[0] for each in "".join(log).splitlines()[:3]] == [
        "#####GAME 0", "first-0", "secretary-1",
    ]  # fmt: skip
    profits = [Fraction(each) for each in re.findall(r"secretary-1: .* profit (\S+)\n", "".join(log))]
    assert sum(profits) / 3 == found.scores[1]
    for lowest, order, kept in re.findall(
        r"GAME \d: K (\d+), ([\d ]+)###.*\nfirst-0: keeps ([\d ]+), ", "".join(log)
    ):
        assert sorted(map(int, order.split())) == [int(lowest) + each for each in range(4)]
        assert kept == " ".join(order.split()[:2])


def test_samples_are_added_up_exactly() -> None:
    samples = Samples(2)
    for each in ((Fraction(1), Fraction(1, 3)), (Fraction(4), Fraction(2, 3))):
        samples.add(each)
    assert samples.means == [Fraction(5, 2), Fraction(1, 2)]
    assert samples.squares == [Fraction(17, 2), Fraction(5, 18)]


# Programs


def told(penalty: str) -> dict[str, object]:
    terms = Terms(20, 3, read_penalty(penalty))
    return dict(WIRE_FORMAT.ask(Situation(5, terms, (41,), (27, 30), 38), ()))


def test_a_program_is_told_all_that_is_known() -> None:
    assert told("linear") == {
        "game": 5, "cards": 20, "keep": 3, "penalty": "linear", "parameter": "2",
        "kept": (41,), "rejected": (27, 30), "shown": 38, "needed": 2, "left": 16,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("penalty", "parameter"),
    [
        ("none", "0"), ("linear=0.5", "1/2"), ("turn=3", "3"), ("turn", "2*(20+K)/24"), ("value", "1/4"),
        ("turnvalue", "1/8"),
    ],
)  # fmt: skip
def test_a_parameter_is_told_without_giving_k_away(penalty: str, parameter: str) -> None:
    assert told(penalty)["parameter"] == parameter


@pytest.mark.parametrize("lowest", [1, 27, 60])
def test_the_formula_of_a_parameter_gives_the_parameter(lowest: int) -> None:
    counts = read_penalty("turn").rate(20, lowest)
    assert Fraction(2 * (20 + lowest), 24) == counts


@pytest.mark.parametrize(
    ("answer", "choice"),
    [
        ("keep", KEEP), (" Keep\r", KEEP), ("cashout", KEEP), ("!cashout", KEEP), ("cash out", KEEP),
        ("another", ANOTHER), ("!another", ANOTHER), ("SEE ANOTHER", ANOTHER),
    ],
)  # fmt: skip
def test_a_program_answers_in_a_word(answer: str, choice: str) -> None:
    assert WIRE_FORMAT.read(None, (), answer) == choice


@pytest.mark.parametrize(
    "answer", ["", "kee", 1, None, True, ["keep"], {"keep": 1}, "keep another", "x" * 10_000]
)
def test_any_other_answer_is_told_what_was_expected(answer: object) -> None:
    with pytest.raises(ValueError, match=r"^expected keep or another, got .{0,50}$"):
        WIRE_FORMAT.read(None, (), answer)


def test_no_contestant_is_handed_the_deck() -> None:
    assert set(Situation._fields) == {"game", "terms", "kept", "rejected", "shown"}
    players: list[Strategy] = list(HighShowContest.strategies.values())
    assert len(players) == 5
