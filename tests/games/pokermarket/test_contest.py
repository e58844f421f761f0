"""Poker Market's contest: everybody has every hand and every turn equally often, and is told everything."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games.pokermarket.contest.contest import MarketContest
from chatbot.games.pokermarket.contest.contestants import ACCEPT, DECLINE, PASS, WIRE_FORMAT, Situation
from chatbot.games.pokermarket.rules.market import Market, Swap
from chatbot.games.pokermarket.rules.states import Done
from chatbot.kernel.cards import parse
from chatbot.kernel.contest import Entrant, Learner, Match, Strategy
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.games.pokermarket.contest.contestants import TurnChoice
    from chatbot.kernel.contest import Standing
    from chatbot.kernel.fair import Rng

STRATEGIES = MarketContest.strategies


def made(name: str) -> Strategy:
    strategy = STRATEGIES[name]
    return strategy.make() if isinstance(strategy, Learner) else strategy


def idle(told: Situation, menu: Any, rng: Rng) -> TurnChoice:
    return PASS if told.proposed is None else DECLINE


def eager(told: Situation, menu: Any, rng: Rng) -> TurnChoice:
    """Propose the first swap there is, and accept everything."""
    return told.market.swaps(told.own)[0] if told.proposed is None else ACCEPT


def chancy(told: Situation, menu: Any, rng: Rng) -> TurnChoice:
    return ACCEPT if told.proposed is not None else rng.choice(told.market.swaps(told.own))


def standing(
    contest: MarketContest, *entrants: Entrant, deals: int = 2, log: Callable[[str], object] | None = None
) -> Standing:
    match = Match(0, tuple(range(len(entrants))), deals, "market")
    *_, last = contest.play(match, entrants, log)
    assert last.games == deals
    return last


def heard_by(strategy: Strategy, heard: list[Situation]) -> Strategy:
    def play(told: Situation, menu: Any, rng: Rng) -> Any:
        heard.append(told)
        return strategy(told, menu, rng)

    return play


# Who plays what


@pytest.mark.parametrize("players", [2, 3, 10])
def test_everybody_has_every_hand_and_every_turn_once_in_a_deal(players: int) -> None:
    heard: list[Situation] = []
    entrants = [Entrant(f"p{each}", heard_by(idle, heard)) for each in range(players)]
    standing(MarketContest(rounds=1), *entrants, deals=2)
    assert [each.game for each in heard] == [game for game in range(2 * players) for _ in range(players)]
    for deal in range(2):
        part = [each for each in heard if each.game // players == deal]
        assert len({each.market.hands for each in part}) == 1
        assert Counter((each.players[each.own], each.own) for each in part) == Counter(
            (player, seat) for player in range(players) for seat in range(players)
        )


def test_who_does_nothing_scores_what_everybody_does() -> None:
    found = standing(MarketContest(rounds=2), *(Entrant(f"{each}", idle) for each in range(4)))
    assert found.scores == [Fraction(5, 2)] * 4
    assert found.squares == [Fraction(25, 4)] * 4
    assert not any(map(any, found.ahead))


@pytest.mark.parametrize("players", [2, 5])
def test_all_points_are_given_in_every_deal(players: int) -> None:
    found = standing(MarketContest(rounds=3), *(Entrant(f"{each}", chancy) for each in range(players)))
    assert sum(found.scores) == players * (players + 1) // 2
    for one, other in combinations(range(players), 2):
        assert found.ahead[one][other] + found.ahead[other][one] <= found.games


def test_a_deal_is_ranked_after_all_rounds_and_equal_hands_by_the_later_turn() -> None:
    log: list[str] = []
    standing(MarketContest(rounds=2), Entrant("a", eager), Entrant("b", idle), deals=1, log=log.append)
    lines = "".join(log).splitlines()
    assert [each.split(":")[0] for each in lines if "round" in each] == [
        "round 1",
        "round 1",
        "round 2",
        "round 2",
    ] * 2
    assert sum("b declines" in each for each in lines) == 4
    assert sum("b passes" in each for each in lines) == 4
    assert sum(each.startswith("points: ") for each in lines) == 2


def test_the_order_in_which_players_are_named_changes_nothing() -> None:
    contest = MarketContest(rounds=2)
    entrants = [Entrant("x", chancy), Entrant("y", made("greedy")), Entrant("z", eager)]
    found, again = standing(contest, *entrants), standing(contest, *entrants[::-1])
    assert list(found.scores) == list(again.scores)[::-1]
    assert found.ahead[0][2] == again.ahead[2][0]


def test_cards_change_hands_when_a_proposal_is_accepted_and_all_is_told() -> None:
    heard: list[Situation] = []
    contest = MarketContest(rounds=1)
    standing(contest, Entrant("a", heard_by(eager, heard)), Entrant("b", heard_by(eager, heard)), deals=1)
    first, asked, second = heard[:3]
    swap = first.market.swaps(0)[0]
    assert (first.own, first.proposed, first.history) == (0, None, ())
    assert (asked.own, asked.proposed, asked.market) == (1, swap, first.market)
    assert second.history == (Done(first.market, swap, accepted=True),)
    assert second.market == first.market.swapped(swap).next()


@pytest.mark.parametrize("answer", [None, ACCEPT, 3, Swap(0, 51, 1, 51), Swap(5, 0, 9, 0), "swap"])
def test_no_answer_or_an_impossible_one_passes_or_declines(answer: object) -> None:
    def play(told: Situation, menu: Any, rng: Rng) -> object:
        return answer if told.proposed is None else None

    found = standing(MarketContest(rounds=1), Entrant("a", play), Entrant("b", eager), deals=1)
    proposes, is_accepted, _ = found.measures
    assert proposes.values == [0, 1]
    assert is_accepted.values == [0, 0]


def test_proposals_and_answers_are_measured() -> None:
    found = standing(MarketContest(rounds=3), Entrant("a", eager), Entrant("b", idle), Entrant("c", eager))
    told = {each.name: list(each.values) for each in found.measures}
    assert told["proposes"] == [1, 0, 1]
    assert told["accepts"][1] == 0
    assert told["accepts"][0] in {0, 1}
    assert set(told) == {"proposes", "is accepted", "accepts"}


# Matches


def test_deals_are_divided_into_matches_and_every_table_plays_all_of_them() -> None:
    matches = list(MarketContest(deals=25, table=2).matches(3, 10, "seed"))
    assert [(each.seats, each.games, each.table) for each in matches[:3]] == [
        ((0, 1), 10, 0), ((0, 2), 10, 1), ((1, 2), 10, 2),
    ]  # fmt: skip
    assert Counter(each.seats for each in matches) == dict.fromkeys([(0, 1), (0, 2), (1, 2)], 3)
    assert [each.games for each in matches[::3]] == [10, 10, 5]
    assert len({each.seed for each in matches}) == 3  # all tables play the same cards


def test_everybody_sits_at_one_table_unless_tables_are_asked_for() -> None:
    (match,) = MarketContest(deals=3).matches(10, 10, "seed")
    assert (match.seats, match.games) == (tuple(range(10)), 3)


@pytest.mark.parametrize(
    ("table", "players", "told"),
    [
        (0, 1, "Poker Market takes at least 2 players, not 1."),
        (5, 1, "Poker Market takes at least 2 players, not 1."),
        (
            0,
            11,
            "Poker Market takes 2 to 10 players, not 11; --table N seats any number of them, N at a table.",
        ),
        (1, 4, "--table takes 2 to 4, or 0 for everybody at one, not 1."),
        (5, 4, "--table takes 2 to 4, or 0 for everybody at one, not 5."),
        (10, 30, "30 players make 30,045,015 tables of 10; at most 100,000 are played."),
    ],
)
def test_too_few_or_too_many_are_refused(table: int, players: int, told: str) -> None:
    with pytest.raises(Failure) as refused:
        MarketContest(table=table).matches(players, 10, "seed")
    assert str(refused.value) == told


# Programs

HANDS = ("JS 2S 3H 4D 5C", "AH KH 9S 8D 10C")


def told(proposed: Swap | None = None) -> Situation:
    market = Market(tuple(tuple(map(parse, hand.split())) for hand in HANDS), 2)
    swap = Swap(0, parse("2S"), 1, parse("9S"))
    done = (Done(market, swap, accepted=False), Done(market.next(), None))
    own = 0 if proposed is None else proposed.partner
    return Situation(7, own, (1, 0), market.next().next(), proposed, done)


def test_a_program_is_told_everything() -> None:
    assert WIRE_FORMAT.ask(told(), ()) == {
        "game": 7, "own": 0, "players": (1, 0),
        "hands": [["JS", "2S", "3H", "4D", "5C"], ["AH", "KH", "9S", "8D", "TC"]],
        "round": 2, "rounds": 2, "seat": 0, "left": 2, "proposal": None,
        "history": [
            {"seat": 0, "swap": ["2S", "9S"], "partner": 1, "accepted": False},
            {"seat": 1, "swap": None, "partner": None, "accepted": False},
        ],
    }  # fmt: skip
    asked = WIRE_FORMAT.ask(told(Swap(0, parse("JS"), 1, parse("TC"))), ())
    assert (asked["own"], asked["proposal"]) == (1, ["JS", "TC"])


@pytest.mark.parametrize(
    "answer",
    [{"swap": ["JS", "TC"]}, {"swap": ["js", "10♣"]}, "swap JS TC", "!swap JS 10C", " Swap  js  tc\r"],
)
def test_a_program_proposes_in_several_ways(answer: object) -> None:
    assert WIRE_FORMAT.read(told(), (), answer) == Swap(0, parse("JS"), 1, parse("TC"))


@pytest.mark.parametrize("answer", ["pass", "!pass", " PASS "])
def test_a_program_passes(answer: str) -> None:
    assert WIRE_FORMAT.read(told(), (), answer) == PASS


@pytest.mark.parametrize(
    ("answer", "choice"),
    [("accept", ACCEPT), ("!Accept", ACCEPT), ("decline", DECLINE), ("decline\r", DECLINE)],
)
def test_a_program_answers_in_a_word(answer: str, choice: str) -> None:
    assert WIRE_FORMAT.read(told(Swap(0, parse("JS"), 1, parse("TC"))), (), answer) == choice


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("accept", r'^expected {"swap": \["JS", "3D"\]} or pass, got \'accept\'$'),
        ("swap JS", r"^expected .* got 'swap js'$"), ("swap XX TC", r"^a card is a rank and a suit"),
        ("swap AH TC", r"^AH is no card of your hand$"), ("swap JS 2S", r"^2S is no card of another player$"),
        ("swap JS QD", r"^QD is no card of another player$"), ({"swap": ["JS"]}, r"^expected "),
        ({"swap": ["JS", 3]}, r"^expected "),
        ({"swap": ["JS", "TC"], "x": 1}, r"^expected "),
        (None, r"^expected .* got 'null'$"), (5, r"^expected .* got '5'$"),
        ("x" * 9999, r"^expected .{0,90}$"),
    ],
)  # fmt: skip
def test_a_proposal_that_is_none_is_told_why(answer: object, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        WIRE_FORMAT.read(told(), (), answer)


@pytest.mark.parametrize("answer", ["pass", "yes", True, None, 1, {"swap": ["JS", "TC"]}, "", "accept now"])
def test_an_answer_that_is_none_is_told_what_was_expected(answer: object) -> None:
    with pytest.raises(ValueError, match=r"^expected accept or decline, got .{0,50}$"):
        WIRE_FORMAT.read(told(Swap(0, parse("JS"), 1, parse("TC"))), (), answer)
