"""A session asks everybody alike, scores by the rules, and takes failures in its stride."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from chatbot.games.chickenpoker.contest.session import (
    Even,
    Failed,
    Forfeit,
    Linear,
    Nash,
    Played,
    SessionShown,
    Start,
    StepPlayer,
    play,
)
from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.games.chickenpoker.contest.session import SessionPlayer


@dataclass
class Scripted:
    """Plays the same cards in every game, and fails where there is None; keeps what it is told."""

    cards: tuple[int | None, ...]
    told: list[object] = field(default_factory=list)
    forfeits: int = 0
    number: int = 0

    def begin(self, start: Start) -> None:
        self.told.append(start)
        self.number = 0
        if not self.cards:
            raise Forfeit("ended", "it is not there")

    def choose(self, shown: Mapping[int, int]) -> int:
        self.told.append(dict(shown))
        card = self.cards[self.number]
        self.number += 1
        if card is None:
            raise Forfeit("late", "it sleeps")
        return card

    def forfeited(self) -> None:
        self.forfeits += 1


def test_ids_rotate_and_every_player_is_told_its_own_and_the_previous_round() -> None:
    first, second, third = Scripted((1, 2)), Scripted((2, 1)), Scripted((2, 1))
    events = list(play([first, second, third], 2, 2))
    # Game 0: ids 1 2 3. Round 1 shows 1 2 2: two tie at 2, and number 2 mod 2 = 0 of them is id 2, which
    # takes 5. Round 2 shows 2 1 1: id 1 takes 4.
    assert events[0] == SessionShown(0, 1, {1: 1, 2: 2, 3: 2}, 2, 5)
    assert events[1] == SessionShown(0, 2, {1: 2, 2: 1, 3: 1}, 1, 4)
    assert events[2] == Played(0, (1, 2, 3), (4, 5, 0))
    # Game 1: ids 2 3 1. Round 1 shows 2 1 2 by id: ids 1 and 3 tie, and number 0, id 1, is the third player.
    assert events[3] == SessionShown(1, 1, {1: 2, 2: 1, 3: 2}, 1, 5)
    assert events[4] == SessionShown(1, 2, {1: 1, 2: 2, 3: 1}, 2, 4)
    assert events[5] == Played(1, (2, 3, 1), (4, 0, 5))
    assert first.told == [
        Start(1, 2, (1, 2, 3)), {}, {1: 1, 2: 2, 3: 2},
        Start(2, 2, (1, 2, 3)), {}, {1: 2, 2: 1, 3: 2},
    ]  # fmt: skip


def test_the_points_of_a_game_are_all_cards_there_are() -> None:
    players: list[SessionPlayer] = [Even(Rng.of("a")), Nash(Rng.of("b")), Linear(StepPlayer(2, 3))]
    for event in play(players, 7, 30):
        if isinstance(event, Played):
            assert sum(event.points) == 3 * 7 * 8 // 2


def test_whoever_is_left_alone_adds_the_cards_in_its_hand() -> None:
    events = list(play([Scripted((3, None)), Scripted((2, 3, 1))], 3, 1))
    # Round 1: 3 beats 2, and the 5 are struck with the game; the other still holds 1 and 3.
    assert events[1:] == [Failed(0, 2, 0, "late", "it sleeps"), Played(0, (1, 2), (0, 4))]


def test_nobody_gains_where_all_fail_at_once() -> None:
    events = list(play([Scripted((2, None)), Scripted((1, None))], 2, 1))
    assert events[-1] == Played(0, (1, 2), (0, 0))


def test_a_player_who_is_not_there_at_the_start_leaves_all_cards_to_the_other() -> None:
    absent = Scripted(())
    events = list(play([absent, Scripted((1, 2))], 2, 2))
    assert [each for each in events if isinstance(each, Played)] == [
        Played(0, (1, 2), (0, 3)), Played(1, (2, 1), (0, 3)),
    ]  # fmt: skip
    assert absent.forfeits == 2


@pytest.mark.parametrize("card", [0, 4, -1])
def test_a_card_that_is_not_held_is_a_failure(card: int) -> None:
    cheat = Scripted((card,))
    assert next(play([cheat, Scripted((1, 2, 3))], 3, 1)) == Failed(
        0, 1, 0, "illegal", f"it does not hold the card {card}"
    )
    assert cheat.forfeits == 1


@pytest.mark.parametrize("cards", [1, 2, 5, 12])
def test_a_linear_player_plays_every_card_once_exactly_if_its_step_fits(cards: int) -> None:
    for start in range(-1, cards + 2):
        for step in range(-cards - 1, 2 * cards):
            steps = StepPlayer(start, step)
            whole = sorted(steps.order(cards)) == list(range(1, cards + 1))
            assert steps.fits(cards) == (whole and 1 <= start <= cards)
