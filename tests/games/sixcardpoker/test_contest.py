"""The contest of Six Card Poker: what its games come to, and how certain that is."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games.sixcardpoker.contest import contest
from chatbot.games.sixcardpoker.contest.contest import Score, SixCardContest, code
from chatbot.games.sixcardpoker.contest.contestants import CONTESTANTS, Situation, policy
from chatbot.games.sixcardpoker.rules.cards import arrange, arrangements, compare, types
from chatbot.games.sixcardpoker.solver.solver import prospects, score
from chatbot.kernel.contest import Entrant, Match
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chatbot.games.sixcardpoker.rules.cards import Arrangement
    from chatbot.kernel.contest import Log, Measure, Standing

CONTEST = SixCardContest()
PAIRS = list(combinations(CONTESTANTS, 2))
MATCH = Match(0, (0, 1), 600, "seed")


def entered(*names: str) -> list[Entrant]:
    return [Entrant(each, CONTESTANTS[each]) for each in names]


def asked(*names: str) -> list[Entrant]:
    """Enter players that are asked before each game, as every strategy is that is no policy of the house."""
    return [Entrant(each, partial(CONTESTANTS[each])) for each in names]


def last(entrants: Sequence[Entrant], match: Match = MATCH, log: Log | None = None) -> Standing:
    *_, standing = CONTEST.play(match, entrants, log)
    return standing


def measured(standing: Standing) -> dict[str, Measure]:
    return {each.name: each for each in standing.measures}


def error(mean: Any, square: Any, draws: int) -> float:
    return sqrt((square - Fraction(mean) ** 2) / (draws - 1))


# The same games, however they are played


@pytest.mark.parametrize("names", PAIRS, ids="-".join)
def test_many_at_a_time_and_one_by_one_come_to_the_same_games(names: tuple[str, str]) -> None:
    assert last(entered(*names)) == last(entered(*names), log=lambda text: None)


def test_it_is_all_one_how_many_are_drawn_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("random", "nash")
    whole = last(entered(*names))
    one_by_one = {each.games: each.scores for each in CONTEST.play(MATCH, entered(*names), lambda text: None)}
    monkeypatch.setattr(contest, "_MANY", 70)
    standings = list(CONTEST.play(MATCH, entered(*names), None))
    assert standings[-1] == whole
    assert [each.games for each in standings] == [140, 280, 420, 560, 600]
    assert [each.scores for each in standings] == [one_by_one[each.games] for each in standings]


@pytest.mark.slow
@pytest.mark.parametrize("enter", [entered, asked], ids=["many at a time", "one by one"])
@pytest.mark.parametrize("names", [("greedy", "random"), ("best-response:greedy", "nash")], ids="-".join)
def test_every_figure_is_the_exact_one_but_for_luck(
    enter: Callable[..., list[Entrant]], names: tuple[str, str]
) -> None:
    standing = last(enter(*names), Match(0, (0, 1), 40_000 if enter is entered else 1600, "law"))
    exact, found = prospects(*map(policy, names)), measured(standing)
    figures = {
        "won": 100 * exact.round.win, "drawn": 100 * exact.round.draw, "lost": 100 * exact.round.loss,
        **{name: odds.score for name, odds in zip(("High", "Middle", "Low"), exact.hands, strict=True)},
    }  # fmt: skip
    assert figures.keys() == found.keys()
    for name, figure in figures.items():
        told = found[name]
        deviation = error(told.values[0], told.squares[0], standing.draws)
        assert abs(float(told.values[0]) - float(figure)) < 4 * deviation
    deviation = error(standing.scores[0], standing.squares[0], standing.draws)
    assert abs(float(standing.scores[0]) - float(100 * exact.round.score)) < 4 * deviation


@pytest.mark.slow
def test_a_million_games_of_the_best_response_to_random_are_within_three_standard_errors() -> None:
    names = ("best-response:random", "random")
    standing = last(entered(*names), Match(0, (0, 1), 1_000_000, "million"))
    deviation = error(standing.scores[0], standing.squares[0], standing.draws)
    assert deviation < 0.05
    assert abs(float(standing.scores[0]) - 100 * float(score(*map(policy, names)))) < 3 * deviation


@pytest.mark.parametrize("name", ["random", "greedy", "nash"])
def test_nobody_scores_more_against_a_player_than_its_best_response(name: str) -> None:
    best = score(policy(f"best-response:{name}"), policy(name))
    assert best >= Fraction(1, 2)
    assert best == max(score(policy(each), policy(name)) for each in CONTESTANTS)


# Deals that are played from both sides


def test_a_deal_is_played_twice_with_the_cards_exchanged() -> None:
    seen: dict[str, list[Situation]] = {"ann": [], "bob": []}

    def watching(told: Situation, menu: Sequence[Arrangement], rng: object, name: str) -> Arrangement:
        seen[name].append(told)
        return menu[0]

    last([Entrant(name, partial(watching, name=name)) for name in seen], Match(0, (0, 1), 40, "x"))
    ann, bob = ([each.cards for each in seen[name]] for name in seen)
    assert [each.game for each in seen["ann"]] == list(range(40))
    assert (ann[::2], bob[::2]) == (bob[1::2], ann[1::2])
    assert len(set(ann[::2])) > 10


def test_every_two_players_have_deals_of_their_own_and_always_the_same() -> None:
    def dealt(*names: str) -> list[tuple[int, ...]]:
        seen: list[tuple[int, ...]] = []

        def watching(told: Situation, menu: Sequence[Arrangement], rng: object) -> None:
            seen.append(told.cards)

        last([Entrant(name, watching) for name in names], Match(0, (0, 1), 20, "x"))
        return seen

    assert dealt("ann", "bob") == dealt("ann", "bob") != dealt("ann", "eve")


def test_two_that_play_alike_and_without_luck_score_half_of_every_deal() -> None:
    standing = last([Entrant("a", CONTESTANTS["greedy"]), Entrant("b", CONTESTANTS["greedy"])])
    assert (standing.scores, standing.squares) == ([50, 50], [2500, 2500])
    assert measured(standing)["won"].values[0] > 20  # games differ; deals do not


def test_the_error_is_as_large_as_results_of_matches_differ() -> None:
    """As many as 200 matches of 100 deals each: how far their means lie apart is what each one says."""
    claimed, means = [], []
    for number in range(200):
        standing = last(entered("greedy", "random"), Match(0, (0, 1), 200, f"match {number}"))
        assert standing.draws == 100
        claimed.append(error(standing.scores[0], standing.squares[0], standing.draws) ** 2)
        means.append(float(standing.scores[0]))
    middle = sum(means) / len(means)
    seen = sum((each - middle) ** 2 for each in means) / (len(means) - 1)
    # The variance of 200 means is known to a tenth: the root of 2/199.
    assert seen / (sum(claimed) / len(claimed)) == pytest.approx(1, abs=4 * sqrt(2 / 199))


def test_what_one_wins_the_other_loses() -> None:
    standing = last(entered("nash", "random"))
    found = measured(standing)
    assert sum(standing.scores) == 100
    assert list(found["won"].values) == list(reversed(found["lost"].values))
    assert list(found["won"].squares) == list(reversed(found["lost"].squares))
    assert found["drawn"].values[0] == found["drawn"].values[1]
    for hand in ("High", "Middle", "Low"):
        assert sum(found[hand].values) == 1
    for seat in range(2):
        assert found["won"].values[seat] + found["drawn"].values[seat] / 2 == standing.scores[seat]
        assert sum(found[each].values[seat] for each in ("won", "drawn", "lost")) == 100


def test_sums_are_those_of_games_that_are_worked_out_by_hand() -> None:
    pair, high = arrange((3, 2, 1), (4, 4), (1,)), arrange((4, 4, 1), (3, 2), (1,))
    even, low = arrange((4, 3, 2), (4, 3), (1,)), arrange((2, 2, 2), (4, 3), (1,))
    # 6 to 9 and a pair: loss, win, draw. 9 to 9, 3-2 to 4-3: draw, loss, draw. 6 to 6 and a pair: draw,
    # win, draw. 9 to 6: win, loss, draw. So a draw and a loss are the first deal, a win and a draw the next.
    score_of_both = Score()
    score_of_both.add(code(compare(pair, even)), code(compare(high, even)))
    score_of_both.add(code(compare(pair, low)), code(compare(high, low)))
    standing = score_of_both.standing(0)
    found = measured(standing)
    assert (standing.games, standing.draws) == (4, 2)
    assert standing.scores == [50, 50]  # 25 and 75 percent of a deal
    assert standing.squares == [Fraction(25**2 + 75**2, 2)] * 2
    assert [list(found[each].values) for each in ("won", "drawn", "lost")] == [[25, 25], [50, 50], [25, 25]]
    assert list(found["High"].values) == [Fraction(1, 2)] * 2  # 0 and ½, then ½ and 1
    assert list(found["High"].squares) == [Fraction(1 + 9, 32)] * 2
    assert (list(found["Middle"].values), list(found["Low"].values)) == ([Fraction(1, 2)] * 2,) * 2
    assert list(found["Middle"].squares) == [Fraction(1, 4)] * 2  # a half of each deal


# Who is asked what


@pytest.mark.parametrize(
    "answer",
    [None, "441 32 1", 5, arrange((4, 4, 4), (4, 4), (4,)), arrangements(types()[0])[0]],
    ids=["nothing", "a text", "a number", "too many fours", "other cards"],
)
def test_whoever_gives_no_arrangement_has_a_random_one(answer: object) -> None:
    """It plays to the last game as `random` would under its name."""

    def wrong(told: Situation, menu: Sequence[Arrangement], rng: object) -> object:
        return answer if getattr(answer, "held", None) != told.cards else None

    silent = last([Entrant("ann", wrong), *entered("greedy")])
    assert silent == last([Entrant("ann", CONTESTANTS["random"]), *entered("greedy")])


def test_the_order_in_which_players_are_listed_changes_nothing() -> None:
    usual, turned = last(entered("random", "nash")), last(entered("nash", "random"))
    seated = last(entered("nash", "random"), Match(0, (1, 0), 600, "seed"))
    assert usual.scores == list(reversed(turned.scores)) == seated.scores
    assert usual.squares == list(reversed(turned.squares)) == seated.squares


def test_no_contestant_is_told_what_it_does_not_hold() -> None:
    assert Situation._fields == ("game", "cards")


# How a contest is divided


@pytest.mark.parametrize(
    ("games", "matches", "played"),
    [(1, 1, 2), (2, 1, 2), (5, 1, 6), (201, 2, 202), (10_000, 32, 10_000), (1_600_002, 33, 1_600_002)],
)
def test_all_deals_are_played_once_however_they_are_divided(games: int, matches: int, played: int) -> None:
    series = list(CONTEST.matches(2, games, "seed"))
    assert (len(series), sum(each.games for each in series)) == (matches, played)
    assert all(each.games % 2 == 0 for each in series)
    assert len({each.seed for each in series}) == matches
    assert max(each.games for each in series) - min(each.games for each in series) <= 2


def test_every_two_players_meet_as_often() -> None:
    series = list(CONTEST.matches(4, 200, "seed"))
    assert len(series) == 6 * 2
    for table, seats in enumerate(combinations(range(4), 2)):
        own = [each for each in series if each.seats == seats]
        assert {each.table for each in own} == {table}
        assert sum(each.games for each in own) == 200


def test_a_billion_games_take_no_room() -> None:
    assert len(CONTEST.matches(2, 10**9, "seed")) == 20_000


def test_nobody_plays_alone() -> None:
    with pytest.raises(Failure, match=r"^Six Card Poker takes two players or more, not 1\.$"):
        CONTEST.matches(1, 100, "seed")


def test_the_log_tells_what_was_set_and_what_came_of_it() -> None:
    log: list[str] = []
    high, pair = (partial(_first, wanted=each) for each in ("high", "pair"))
    last([Entrant("high", high), Entrant("pair", pair)], Match(0, (0, 1), 2, "x"), log.append)
    lines = "".join(log).splitlines()
    assert [each.split(":")[0] for each in lines[1:3]] == ["high", "pair"]
    assert lines[0].startswith("#####GAME 0: ")
    assert lines[3].startswith("#####GAME 1: ")
    ours, theirs = (each.split("points ")[1].split() for each in lines[1:3])
    worth = {"0": 0.0, "½": 0.5, "1": 1.0}
    assert [worth[a] + worth[b] for a, b in zip(ours, theirs, strict=True)] == [1, 1, 1]
    margin = sum(worth[each] for each in ours) - 1.5
    assert (
        lines[0] == f"#####GAME 0: {'high' if margin > 0 else 'pair' if margin < 0 else 'nobody'} wins######"
    )


def _first(told: Situation, menu: Sequence[Arrangement], rng: object, wanted: str) -> Arrangement:
    if wanted == "high":
        return max(menu, key=lambda each: sum(each.high))
    return max(menu, key=lambda each: (each.middle[0] == each.middle[1], each.middle))
