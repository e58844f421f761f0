"""Duels are chosen where they tell most, from the book alone, until ratings are known well enough."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from arena.ladder.book import LadderBook
from arena.ladder.entrants import LadderEntrant
from arena.ladder.journal import LadderDuel, LadderRecord, LadderRoster, LadderRound, LadderTerms
from arena.ladder.schedule import DUELS_OF_A_ROUND, next_round
from chatbot.kernel.fair import Rng


def begun(*keys: str) -> list[LadderRecord]:
    entrants = [LadderEntrant(key, key, "Ann", "") for key in keys]
    return [LadderTerms("heist", 1, "s"), *entrants, LadderRoster(keys, (), "limits")]


def played(
    records: list[LadderRecord], strengths: dict[str, float], error: float, most: int = 1000
) -> LadderBook:
    """Play rounds until none follows; who wins is drawn by the model of the ratings."""
    book, rng = LadderBook(records), Rng.of("luck")
    while pairs := next_round(book, error, most):
        _take(book, records, LadderRound(tuple(pairs)))
        for duel in book.pending():
            first, second = (strengths[each] for each in duel.players)
            wins = rng.below(10**6) < 10**6 / (1 + 10 ** ((second - first) / 400))
            _take(book, records, _finished(duel, 1 if wins else -1))
    return book


def _finished(duel: LadderDuel, result: int) -> LadderDuel:
    return LadderDuel(duel.number, duel.players, duel.meeting, result, ("", ""), 1)


def _take(book: LadderBook, records: list[LadderRecord], record: LadderRecord) -> None:
    book.take(record)
    records.append(record)


KEYS = [f"k{number:02}" for number in range(12)]
PLANTED = {key: 100.0 * number for number, key in enumerate(KEYS)}


@pytest.mark.slow
def test_a_planted_order_is_found_and_errors_are_as_wanted() -> None:
    book = played(begun(*KEYS), PLANTED, error=45)
    ratings = book.ratings()
    assert all(each.error <= 45 for each in ratings.values())
    middle = sum(PLANTED.values()) / len(PLANTED)
    off = [(ratings[key].points - 1500 - (PLANTED[key] - middle)) / ratings[key].error for key in KEYS]
    assert max(map(abs, off)) < 3.5  # of 12 normal deviates, one in 180 such sets has a larger one
    for near, far in zip(KEYS, KEYS[3:], strict=False):  # 300 points apart, of 64 of error at most
        assert ratings[near].points < ratings[far].points


@pytest.mark.slow
def test_neighbours_meet_more_often_than_those_whose_result_is_known() -> None:
    book = played(begun(*KEYS), PLANTED, error=45)
    near = [book.meetings[frozenset(pair)] for pair in pairwise(KEYS)]
    far = [book.meetings[frozenset(pair)] for pair in zip(KEYS, KEYS[8:], strict=False)]
    assert sum(near) / len(near) > 4 * sum(far) / len(far)


@pytest.mark.slow
def test_who_comes_later_plays_until_it_is_known_and_the_others_only_against_it() -> None:
    records = begun(*KEYS[:8])
    before = played(records, PLANTED, error=60)
    records += [LadderEntrant(KEYS[8], KEYS[8], "Ben", ""), LadderRoster(tuple(KEYS[:9]), (), "limits")]
    after = played(records, PLANTED, error=60)
    later = after.duels[len(before.duels) :]
    assert after.ratings()[KEYS[8]].error <= 60
    assert after.duels[: len(before.duels)] == before.duels
    assert sum(KEYS[8] in each.players for each in later) > 0.7 * len(later)


def test_a_round_has_each_pair_once_and_a_few_duels_of_each_player() -> None:
    pairs = next_round(LadderBook(begun(*KEYS)), 50, 100)
    assert len({frozenset(each) for each in pairs}) == len(pairs)
    counts = Counter(key for pair in pairs for key in pair)
    assert max(counts.values()) == DUELS_OF_A_ROUND
    assert set(counts) == set(KEYS)


def test_a_player_who_always_wins_stops_at_its_most_duels() -> None:
    book = played(begun("a", "b", "c"), {"a": 9000.0, "b": 0.0, "c": -9000.0}, error=50, most=20)
    assert set(book.duel_counts.values()) <= set(range(20, 20 + DUELS_OF_A_ROUND + 1))


@pytest.mark.slow
def test_the_schedule_follows_from_the_records_and_not_from_how_they_came() -> None:
    records = begun(*KEYS[:6])
    played(records, PLANTED, error=80)
    for length in range(len(begun(*KEYS[:6])), len(records)):
        step_by_step = LadderBook(records[:5])
        for each in records[5:length]:
            step_by_step.take(each)
        whole = LadderBook(records[:length])
        assert next_round(step_by_step, 80, 99) == next_round(whole, 80, 99)
        assert step_by_step.pending() == whole.pending()


def test_the_first_seat_changes_from_meeting_to_meeting() -> None:
    book = played(begun("a", "b"), {"a": 0.0, "b": 0.0}, error=60)
    assert [each.players for each in book.duels[:4]] == [("a", "b"), ("b", "a")] * 2
    assert [each.meeting for each in book.duels[:4]] == [0, 1, 2, 3]


@pytest.mark.parametrize("most", [1, 2])
def test_nobody_who_has_had_enough_starts_another_round(most: int) -> None:
    book = played(begun("a", "b"), {"a": 0.0, "b": 0.0}, error=1, most=most)
    assert len(book.duels) == most
