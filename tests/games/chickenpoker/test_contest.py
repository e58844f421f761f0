"""Chicken Poker's contest: everybody meets everybody in whole sets, sees what may be seen, and no more."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games.chickenpoker.contest.contest import ChickenContest, Format
from chatbot.games.chickenpoker.contest.contestants import NAMES, WIRE_FORMAT, Situation
from chatbot.kernel.contest import Entrant, Match, Strategy
from chatbot.kernel.game import Failure
from tests.games.chickenpoker.contest import chancy, made, played, scripted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.kernel.fair import Rng

TOGETHER = Format.TOGETHER


def first(told: Situation, hand: Sequence[int], rng: Rng) -> int:
    return hand[0]


def entered(contest: ChickenContest) -> list[Entrant]:
    return [Entrant(name, made(contest.strategies[name])) for name in NAMES]


# Who meets whom


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_round_robin_has_every_two_meet_equally_often_with_every_id(players: int) -> None:
    met: defaultdict[frozenset[str], Counter[tuple[str, int]]] = defaultdict(Counter)
    asked: list[str] = []

    def noting(name: str) -> Strategy:
        def play(told: Situation, hand: Sequence[int], rng: Rng) -> int:
            if told.round == 1:
                asked.append(name)
                ids[name] = told.own
            return hand[0]

        return play

    ids: dict[str, int] = {}
    names = [f"player-{each}" for each in range(players)]
    entrants = [Entrant(name, noting(name)) for name in names]
    contest = ChickenContest(cards=2, sessions=3)
    matches = contest.matches(players, 5, "seed")
    for match in matches:
        for _ in contest.play(match, entrants, None):
            met[frozenset(asked)].update(ids.items())
            assert sorted(ids.values()) == [1, 2]
            asked.clear()
            ids.clear()
    assert len(matches) == 3 * players * (players - 1) // 2
    assert {frozenset(each) for each in combinations(names, 2)} == set(met)
    for pair, seen in met.items():  # 5 games are 3 sets of 2, in each of 3 sessions
        assert seen == {(name, number): 9 for name in pair for number in (1, 2)}


def test_together_everybody_plays_every_game_and_has_every_id_equally_often() -> None:
    (match,) = ChickenContest(format=TOGETHER, sessions=1).matches(4, 9, "seed")
    assert (match.seats, match.games) == ((0, 1, 2, 3), 12)  # three sets of 4
    heard: list[Situation] = []
    played(ChickenContest(cards=1), 12, scripted([1], heard=heard), first, first, first)
    assert Counter(each.own for each in heard) == dict.fromkeys((1, 2, 3, 4), 3)


@pytest.mark.parametrize("contest", [ChickenContest(), ChickenContest(format=TOGETHER)])
def test_nobody_plays_alone(contest: ChickenContest) -> None:
    with pytest.raises(Failure, match=r"^Chicken Poker takes two players or more, not 1\.$"):
        contest.matches(1, 10, "seed")


def test_matches_of_the_same_players_are_a_table_and_each_has_luck_of_its_own() -> None:
    matches = list(ChickenContest(sessions=2).matches(3, 2, "seed"))
    assert [(each.seats, each.table) for each in matches] == [((0, 1), 0), ((0, 2), 1), ((1, 2), 2)] * 2
    contest = ChickenContest(cards=9)
    rows: list[list[int]] = []
    for match in (matches[0], matches[3]):
        heard: list[Situation] = []
        for _ in contest.play(
            match,
            [Entrant("x", chancy), Entrant("y", scripted(range(1, 10), heard=heard)), Entrant("z", first)],
            None,
        ):
            pass
        rows.append([each for told in heard for row in told.shown for each in row])
    assert rows[0] != rows[1]


def test_a_player_has_luck_of_its_own_against_everybody() -> None:
    """Else the matches of a session would hang together, and standard errors be too small."""
    contest, heard = ChickenContest(cards=50, sessions=1), list[Situation]()
    entrants = [Entrant("a", chancy), *(Entrant(name, scripted(range(1, 51), heard=heard)) for name in "bc")]
    for match in list(contest.matches(3, 2, "seed"))[:2]:  # a meets b, and then c
        list(contest.play(match, entrants, None))
    first, second = (each.shown for each in heard if (each.game, each.round) == (0, 50))
    mine = {each.players.index(0) for each in heard if each.game == 0}
    assert len(mine) == 1
    (own,) = mine
    assert [row[own] for row in first] != [row[own] for row in second]


@pytest.mark.slow
def test_the_order_in_which_players_are_listed_changes_nothing() -> None:
    contest = ChickenContest(cards=7)
    for seats in combinations(range(4), 2):
        one, other = (Match(0, each, 20, "seed/session 0") for each in (seats, seats[::-1]))
        *_, found = contest.play(one, entered(contest), None)
        *_, again = contest.play(other, entered(contest), None)
        assert found.scores == again.scores[::-1]
        assert found.ahead[0][1] == again.ahead[1][0]


# Rules and what is told


def test_a_contestant_sees_hands_cards_and_points_as_the_rules_have_them() -> None:
    heard: list[Situation] = []
    # Game 0: a has id 1 and b id 2. 3 and 3 tie: 3 mod 2 = 1, so the higher id wins 6. Then 1 beats nothing
    # against 2, and 2 beats 1. Game 1: ids change, so a has id 2 and wins the tie.
    found = played(ChickenContest(cards=3), 2, scripted([3, 1, 2], heard=heard), scripted([3, 2, 1]))
    whole, left = (1, 2, 3), (1, 2)
    assert heard == [
        Situation(0, 1, 3, 1, (0, 1), (whole, whole), (), (0, 0)),
        Situation(0, 2, 3, 1, (0, 1), (left, left), ((3, 3),), (0, 6)),
        Situation(0, 3, 3, 1, (0, 1), ((2,), (1,)), ((3, 3), (1, 2)), (0, 9)),
        Situation(1, 1, 3, 2, (1, 0), (whole, whole), (), (0, 0)),
        Situation(1, 2, 3, 2, (1, 0), (left, left), ((3, 3),), (0, 6)),
        Situation(1, 3, 3, 2, (1, 0), ((1,), (2,)), ((3, 3), (2, 1)), (3, 6)),
    ]
    assert found.scores == [Fraction(3 + 9, 2), Fraction(9 + 3, 2)]
    assert found.ahead == [[0, 1], [1, 0]]


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("cards", [1, 4, 10])
def test_all_cards_are_scored_in_every_game(players: int, cards: int) -> None:
    contest = ChickenContest(cards=cards)
    strategies = [made(contest.strategies[NAMES[each % len(NAMES)]]) for each in range(players)]
    found = played(contest, 4 * players, *strategies)
    assert sum(found.scores) == players * cards * (cards + 1) // 2
    for row, column in zip(found.ahead, zip(*found.ahead, strict=True), strict=True):
        assert all(won + lost <= found.games for won, lost in zip(row, column, strict=True))


def test_equal_points_put_nobody_ahead() -> None:
    # 1, 2 and 3 in the same order: ties at 1 and 3 go to the higher id, at 2 to the lower: 8 to 4.
    found = played(ChickenContest(cards=3), 2, first, first)
    assert (found.scores, found.ahead) == ([6, 6], [[0, 1], [1, 0]])
    # Each wins the round in which it shows its 2.
    found = played(ChickenContest(cards=2), 1, scripted([2, 1]), scripted([1, 2]))
    assert (found.scores, found.ahead) == ([3, 3], [[0, 0], [0, 0]])


def test_whoever_does_not_answer_forfeits_the_game_and_the_last_one_adds_the_cards_in_hand() -> None:
    heard: list[Situation] = []
    log: list[str] = []
    found = played(
        ChickenContest(cards=3), 1, scripted([3, None]), scripted([2, 1], heard=heard), log=log.append
    )
    assert found.scores == [0, 1 + 3]  # a's 5 points are struck; b still holds 1 and 3
    assert "".join(log).splitlines() == [
        "#####GAME 0: a (1) 0, b (2) 4######",
        "round 1: 1:3 2:2, 1 takes 5",
        "round 2: a forfeits the game",
    ]
    assert [each.hands for each in heard] == [((1, 2, 3), (1, 2, 3)), ((1, 2), (1, 3))]


def test_whoever_has_forfeited_is_seen_to_hold_nothing_from_the_next_round_on() -> None:
    """Who is asked later in the same round is told nothing of it."""
    heard: list[Situation] = []
    played(
        ChickenContest(cards=3), 3,
        scripted([3, None]), scripted([2, 1, 3], heard=heard), scripted([1, 2, 3]),
    )  # fmt: skip
    game = [each for each in heard if each.game == 0]
    assert [each.hands[0] for each in game] == [(1, 2, 3), (1, 2), ()]
    assert [each.opponents for each in game] == [[1, 3], [1, 3], [3]]
    assert game[2].shown == ((3, 2, 1), (0, 1, 2))
    assert game[1].totals == (6, 0, 0)
    assert game[2].totals == (0, 0, 3)  # the 6 points are struck
    assert next(each.hands[0] for each in heard if each.game == 1) == (1, 2, 3)  # it is in again


def test_a_card_that_is_not_held_forfeits_the_game() -> None:
    found = played(ChickenContest(cards=3), 1, scripted([3, 3]), scripted([1, 2]))
    assert found.scores == [0, 2 + 3]


def test_a_game_is_logged_with_ids_and_points() -> None:
    log: list[str] = []
    played(ChickenContest(cards=2), 2, scripted([2, 1]), scripted([1, 2]), log=log.append)
    assert "".join(log).splitlines() == [
        "#####GAME 0: a (1) 3, b (2) 3######",
        "round 1: 1:2 2:1, 1 takes 3",
        "round 2: 1:1 2:2, 2 takes 3",
        "#####GAME 1: a (2) 3, b (1) 3######",
        "round 1: 1:1 2:2, 2 takes 3",
        "round 2: 1:2 2:1, 1 takes 3",
    ]


# Programs


def told() -> Situation:
    return Situation(2, 3, 4, 2, (1, 0, 2), ((1, 4), (2, 3), ()), ((2, 1, 3), (3, 4, 0)), (0, 13, 0))


def test_a_program_is_told_what_a_strategy_is() -> None:
    assert WIRE_FORMAT.ask(told(), ()) == {
        "game": 2, "round": 3, "cards": 4, "own": 2, "players": (1, 0, 2), "hands": ((1, 4), (2, 3), ()),
        "shown": ((2, 1, 3), (3, 4, 0)), "totals": (0, 13, 0),
    }  # fmt: skip


@pytest.mark.parametrize("answer", [3, "3", " 3\r", "03"])
def test_a_program_answers_with_a_card(answer: object) -> None:
    assert WIRE_FORMAT.read(told(), (), answer) == 3


@pytest.mark.parametrize(
    "answer", [1, 0, -3, 3.0, True, None, "", "three", "٣", [3], {"card": 3}, "9" * 5000]
)
def test_any_other_answer_is_told_what_was_expected(answer: Any) -> None:
    with pytest.raises(ValueError, match=r"^expected one of the cards 2 3, got .{0,50}$"):
        WIRE_FORMAT.read(told(), (), answer)
