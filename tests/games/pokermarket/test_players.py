"""Players of the house: who beats whom, where nobody can win, and what they make of what they see."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from math import sqrt
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games.pokermarket.contest.contest import MarketContest
from chatbot.games.pokermarket.contest.contestants import (
    ACCEPT,
    CONTESTANTS,
    DECLINE,
    PASS,
    Searcher,
    Situation,
)
from chatbot.games.pokermarket.contest.position import Position, deal_of
from chatbot.games.pokermarket.contest.search import Beliefs, Outlook, Temper, kind
from chatbot.games.pokermarket.rules.market import Market, Swap
from chatbot.games.pokermarket.rules.moves import Accept, Decline, Join, Pass, Propose
from chatbot.games.pokermarket.rules.rules import possible
from chatbot.games.pokermarket.rules.states import Done, Trading, view
from chatbot.games.pokermarket.strategies import STRATEGIES
from chatbot.kernel.cards import DECK, parse, rank
from chatbot.kernel.contest import Entrant, Learner, Match, Strategy
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.kernel.contest import MatchScore

RATIONAL = ("passive", "greedy", "search", "broker", "champion")


def made(name: str) -> Strategy:
    strategy = CONTESTANTS[name]
    return strategy.make() if isinstance(strategy, Learner) else strategy


def scores(names: Sequence[str], rounds: int, deals: int, seed: str = "players") -> list[MatchScore]:
    entrants = [Entrant(f"{name}-{place}", made(name)) for place, name in enumerate(names)]
    match = Match(0, tuple(range(len(names))), deals, seed)
    *_, last = MarketContest(rounds=rounds).play(match, entrants, None)
    return list(last.scores)


def dealt(seed: str, players: int, rounds: int) -> Market:
    cards = Rng.of(seed).sample(DECK, 5 * players)
    return Market(tuple(tuple(cards[seat::players]) for seat in range(players)), rounds)


def market(rounds: int, *hands: str) -> Market:
    return Market(tuple(tuple(map(parse, hand.split())) for hand in hands), rounds)


# Who wins


@pytest.mark.parametrize(("one", "other"), list(combinations(RATIONAL, 2)))
def test_of_two_who_give_no_place_away_nobody_wins_anything(one: str, other: str) -> None:
    """A swap that changes places puts one of the two behind, and that one would have to agree."""
    assert scores([one, other], 3, 4) == [Fraction(3, 2)] * 2


@pytest.mark.parametrize("name", ["greedy", "search", "broker", "champion"])
def test_of_two_whoever_meets_random_wins(name: str) -> None:
    assert scores([name, "random"], 3, 20)[0] > 1.6


def test_greedy_beats_passive_and_random() -> None:
    passive, random, greedy = scores(["passive", "random", "greedy"], 2, 15)
    assert greedy > max(passive, random) + Fraction(1, 4)


@pytest.mark.slow
def test_looking_ahead_beats_greedy() -> None:
    *greedy, search = scores(["greedy", "greedy", "greedy", "search"], 1, 10)
    assert search > max(greedy) + Fraction(1, 4)


@pytest.mark.nightly
@pytest.mark.slow
def test_in_a_mixed_field_each_is_ahead_by_three_standard_errors() -> None:
    entrants = [Entrant(name, made(name)) for name in ("passive", "random", "greedy", "search")]
    match = Match(0, (0, 1, 2, 3), 150, "field")
    standings = MarketContest(rounds=3).play(match, entrants, None)
    points = [[each * standing.games for each in standing.scores] for standing in standings]
    points.insert(0, [Fraction(0)] * 4)  # added up, after so many deals
    for ahead, behind in ((3, 2), (2, 1), (2, 0)):
        totals = [float(each[ahead] - each[behind]) for each in points]
        apart = [now - then for then, now in pairwise(totals)]
        assert mean(apart) > 3 * stdev(apart) / sqrt(len(apart))


# What they do


def test_passive_does_nothing() -> None:
    before = dealt("passive", 3, 1)
    told = Situation(0, 0, (0, 1, 2), before, None, ())
    assert made("passive")(told, (), Rng.of("x")) == PASS
    asked = told._replace(own=1, proposed=before.swaps(0)[0])
    assert made("passive")(asked, (), Rng.of("x")) == DECLINE


def test_random_proposes_anything_and_accepts_half() -> None:
    before, rng = dealt("random", 3, 1), Rng.of("random")
    told = Situation(0, 0, (0, 1, 2), before, None, ())
    found = {made("random")(told, (), rng) for _ in range(600)}
    assert len(found & set(before.swaps(0))) == 50
    assert found <= {PASS, *before.swaps(0)}
    asked = told._replace(own=1, proposed=before.swaps(0)[0])
    answers = [made("random")(asked, (), rng) for _ in range(400)]
    assert 150 < answers.count(ACCEPT) < 250  # five standard deviations are 50


@pytest.mark.parametrize("name", ["search", "broker", "champion"])
def test_the_last_of_all_turns_takes_the_best_that_is_accepted(name: str) -> None:
    for number in range(15):
        before = Market(dealt(f"last {number}", 4, 1).hands, 1, turn=3)
        position = Position.of(before)
        told = Situation(0, 3, (0, 1, 2, 3), before, None, ())
        swap, best = made(name)(told, (), Rng.of("x")), position.bargain(3)
        if best is None:
            continue
        assert isinstance(swap, Swap)
        deal = deal_of(swap, position)
        gained, most = (position.points_after(each)[0] - position.points(3) for each in (deal, best))
        assert gained >= most


def test_nobody_who_looks_ahead_lets_the_last_swap_put_it_behind() -> None:
    # A better pair for both; but after it the proposer, who was behind, is ahead.
    before = Market(market(1, "KS 7H 5D 3C 2S", "QS QH KD 8C 4S").hands, 1)
    swap = Swap(0, parse("7H"), 1, parse("KD"))
    assert rank(before.swapped(swap).hands[0]) > rank(before.swapped(swap).hands[1])
    told = Situation(0, 1, (0, 1), Market(before.hands, 1, 0), swap, ())
    for name in ("greedy", "search", "broker", "champion"):
        assert made(name)(told, (), Rng.of("x")) == DECLINE


def test_looking_ahead_is_bounded_by_work_and_the_same_each_time() -> None:
    before = dealt("bound", 10, 20)
    position = Position.of(before)
    outlooks = [Outlook(0, 0, 200, range(10), Beliefs(), work=300) for _ in range(2)]
    assert outlooks[0].proposal(position) == outlooks[1].proposal(position)
    assert outlooks[0].work > 300 - 300 - 2 * 200  # the last look is finished


# What they learn


def test_beliefs_follow_what_a_player_does() -> None:
    before = dealt("beliefs", 4, 1)
    position, beliefs = Position.of(before), Beliefs()
    swaps = before.swaps(0)
    good = next(each for each in swaps if kind(position, deal_of(each, position)) is Temper.GOOD)
    bad = next(each for each in swaps if kind(position, deal_of(each, position)) is Temper.BAD)
    assert beliefs.accepts("x", position, deal_of(good, position))
    assert not beliefs.accepts("x", position, deal_of(bad, position))
    for _ in range(20):
        beliefs.notice(Done(before, good, accepted=False), "y", "x")
        beliefs.notice(Done(before, bad, accepted=True), "y", "z")
    assert not beliefs.accepts("x", position, deal_of(good, position))
    assert beliefs.accepts("z", position, deal_of(bad, position))
    assert beliefs.acceptance("y", position, deal_of(good, position)) == 3 / 4  # of whom nothing is known


def test_who_passes_where_there_is_something_to_gain_does_not_use_its_turns() -> None:
    before, beliefs = dealt("turns", 4, 1), Beliefs()
    assert Position.of(before).choice(0) is not None
    assert beliefs.acts("x")
    for _ in range(5):
        beliefs.notice(Done(before, None), "x", None)
    assert not beliefs.acts("x")


@pytest.mark.parametrize(("remembers", "known"), [(True, 2), (False, 1)])
def test_only_the_broker_remembers_other_deals(remembers: bool, known: int) -> None:
    before, noticed = dealt("memory", 3, 1), list[Done]()

    class Noting(Beliefs):
        def notice(self, turn: Done, proposer: Any, partner: Any) -> None:
            noticed.append(turn)
            super().notice(turn, proposer, partner)

    searcher = Searcher(remembers=remembers)
    searcher._beliefs = beliefs = Noting()
    done = (Done(before, None),)
    for game in range(2):
        told = Situation(game, 1, (0, 1, 2), before.next(), None, done)
        searcher(told, (), Rng.of("x"))
        searcher(told, (), Rng.of("x"))  # what has been noticed is not noticed again
    assert (searcher._beliefs is beliefs) == remembers
    assert len(noticed) == (known if remembers else 0)


# In a chat

SEATS = tuple(Seat(f"house:{each}") for each in ("a", "b", "c"))


def acted(name: str, state: Trading, seat: Seat) -> object:
    return STRATEGIES[name](view(state, seat), possible(state, seat), Rng.of(name))


@pytest.mark.parametrize("name", STRATEGIES)
def test_players_join_play_and_answer_in_a_chat(name: str) -> None:
    joining = Join(SEATS[0], 2, 50)
    state = Trading(SEATS, 0, dealt("chat", 3, 2))
    assert STRATEGIES[name](view(state, SEATS[0]), [joining, Join(SEATS[0], 2, 0)], Rng.of(name)) is joining
    assert STRATEGIES[name](view(state, SEATS[0]), [], Rng.of(name)) is None
    proposed = acted(name, state, SEATS[0])
    assert proposed in possible(state, SEATS[0])
    assert acted(name, state, SEATS[1]) is None
    asked = Trading(SEATS, 0, state.market, state.market.swaps(0)[0])
    answer = acted(name, asked, asked.order[state.market.swaps(0)[0].partner])
    assert isinstance(answer, (Accept, Decline))


def test_passive_passes_and_greedy_proposes_what_it_does_in_the_contest() -> None:
    state = Trading(SEATS, 0, dealt("chat", 3, 2))
    assert acted("passive", state, SEATS[0]) == Pass(SEATS[0])
    best = Position.of(state.market).choice(0)
    assert best is not None
    offer = state.offer(best.swap)
    assert acted("greedy", state, SEATS[0]) == Propose(SEATS[0], offer.give, offer.take)
    assert next(iter(STRATEGIES)) == "greedy"  # what a crowd plays is quick
