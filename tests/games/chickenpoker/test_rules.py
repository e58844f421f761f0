"""The rules of a game in chat, worked by hand: ties, silence, totals, shares, and who may join how."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chatbot.games.chickenpoker.rules.moves import Chosen, Play, RoundBegan, RoundShown, Shown, Won
from chatbot.games.chickenpoker.rules.rules import ChickenPoker
from chatbot.games.chickenpoker.rules.states import Over
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Seat, SystemPurse, Timeout
from chatbot.kernel.say import Message
from tests.games.chickenpoker.table import ANN, BOB, CAT, DAN, EVE, NASH, PEOPLE, Table

# A round


def test_the_highest_card_takes_the_sum_of_all() -> None:
    table = Table().seated(ANN, BOB, CAT, cards=5)
    table.round(2, 5, 4)
    (shown,) = table.of(RoundShown)
    assert (shown.winner, shown.points) == (BOB, 2 + 5 + 4)
    assert shown.totals == {ANN: 0, BOB: 11, CAT: 0}
    assert table.view().hands == {ANN: (1, 3, 4, 5), BOB: (1, 2, 3, 4), CAT: (1, 2, 3, 5)}


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        # The tied are numbered from 0 in the order of their ids, and the card modulo their number wins.
        ((4, 4), ANN),  # 4 mod 2 = 0
        ((5, 5), BOB),  # 5 mod 2 = 1
        ((1, 5, 5), CAT),  # of Bob and Cat it is number 1
        ((4, 1, 4), ANN),  # of Ann and Cat it is number 0
        ((3, 3, 3), ANN),  # 3 mod 3 = 0
        ((4, 4, 4), BOB),  # 4 mod 3 = 1
        ((5, 5, 5), CAT),  # 5 mod 3 = 2
        ((5, 2, 5, 5), DAN),  # of Ann, Cat and Dan it is number 5 mod 3 = 2
        ((1, 1, 1, 1), BOB),  # 1 mod 4 = 1
        ((2, 2, 2, 2), CAT),
        ((3, 3, 3, 3), DAN),
        ((4, 4, 4, 4), ANN),
        ((3, 3, 5, 3), CAT),  # a tie below the highest card decides nothing
    ],
)
def test_a_tie_goes_to_the_number_that_the_card_leaves_over(cards: tuple[int, ...], winner: Seat) -> None:
    table = Table().seated(*PEOPLE[: len(cards)], cards=5)
    table.round(*cards)
    (shown,) = table.of(RoundShown)
    assert shown.winner == winner
    assert shown.points == sum(cards)


def test_who_does_not_choose_in_time_plays_the_lowest_card_left() -> None:
    table = Table().seated(ANN, BOB, CAT, cards=4)
    table.round(1, 0, 4)
    table.round(0, 3, 0)
    first, second = table.of(RoundShown)
    assert first.shown == (Shown(ANN, 1), Shown(BOB, 1, late=True), Shown(CAT, 4))
    assert second.shown == (Shown(ANN, 2, late=True), Shown(BOB, 3), Shown(CAT, 1, late=True))


def test_another_choice_replaces_the_first_until_the_round_closes() -> None:
    table = Table().seated(ANN, BOB)
    first = Chosen(ANN, 3, public=False, exposed=False, again=False, waiting=(BOB,), choosers=2)
    assert table.act(Play(ANN, 3)) == (first,)
    assert table.act(Play(ANN, 1)) == (replace(first, card=1, again=True),)
    table.act(Play(BOB, 2))
    (shown,) = table.of(RoundShown)
    assert [each.card for each in shown.shown] == [1, 2]


def test_when_all_have_chosen_the_round_is_shown_at_once() -> None:
    table = Table().seated(ANN, BOB)
    kinds = [type(each) for each in table.round(3, 2)]
    assert kinds == [Chosen, RoundShown, RoundBegan]
    clock = table.game.clock(table.state)
    assert clock is not None
    assert clock.phase == "round 2"


def test_the_last_cards_are_shown_without_asking_and_nobody_is_late() -> None:
    table = Table().seated(ANN, BOB, cards=3)
    table.round(3, 1)
    happened = table.round(1, 2)
    assert [type(each) for each in happened] == [Chosen, RoundShown, RoundShown, Won]
    # 3 + 1 to Ann, 1 + 2 to Bob, then 2 against 3: 5 to Bob
    assert table.of(RoundShown)[-1].shown == (Shown(ANN, 2), Shown(BOB, 3))
    assert table.totals == {ANN: 4, BOB: 8}


@pytest.mark.parametrize(("players", "cards"), [(2, 2), (2, 7), (3, 6), (5, 4), (10, 15)])
def test_the_points_of_a_game_are_those_of_all_cards(players: int, cards: int) -> None:
    table = Table(ChickenPoker(cards=cards)).seated(*PEOPLE[:players], cards=cards)
    rng = Rng.of(f"{players} of {cards}")
    while not isinstance(table.state, Over):
        table.round(*(rng.choice(hand) for hand in table.playing.hands.values()))
    assert sum(table.totals.values()) == players * cards * (cards + 1) // 2
    assert len(table.of(RoundShown)) == cards


# The pot


def won(totals_by: tuple[tuple[int, ...], ...], stake: int, *, players: int) -> tuple[Table, Won]:
    """Play the cards that a test lays down, round by round, but for the last ones."""
    table = Table().seated(*PEOPLE[:players], cards=len(totals_by) + 1, stake=stake)
    for cards in totals_by:
        table.round(*cards)
    (end,) = table.of(Won)
    return table, end


def test_the_pot_goes_to_the_most_points() -> None:
    # Ann: 3 + 1 and then 2 + 2 (a tie at 2 is number 0's) and 1 + 3 to Bob.
    table, end = won(((3, 1), (2, 2)), 50, players=2)
    assert end == Won((ANN,), {ANN: 8, BOB: 4}, 100, {ANN: 100})
    assert table.purses == {ANN: 50, BOB: -50, SystemPurse.POT: 0}


def test_equal_totals_share_the_pot() -> None:
    # Two cards: 2 + 1 to Ann, and then 1 + 2 to Bob.
    table, end = won(((2, 1),), 25, players=2)
    assert end == Won((ANN, BOB), {ANN: 3, BOB: 3}, 50, {ANN: 25, BOB: 25})
    assert table.purses == {ANN: 0, BOB: 0, SystemPurse.POT: 0}


def test_what_cannot_be_divided_goes_to_the_first_of_the_winners_in_their_order() -> None:
    table = _game_of_two_winners(stake=5)
    (end,) = table.of(Won)
    first, second = end.winners
    assert PEOPLE.index(first) < PEOPLE.index(second)
    assert end.shares == {first: 8, second: 7}  # of 15
    assert table.purses[SystemPurse.POT] == 0
    assert {seat: table.purses[seat] for seat in end.winners} == {first: 8 - 5, second: 7 - 5}


def _game_of_two_winners(stake: int) -> Table:
    """Find a game of three that exactly two of them win."""
    for number in range(1000):
        table, rng = Table().seated(ANN, BOB, CAT, cards=4, stake=stake), Rng.of(f"game {number}")
        while not isinstance(table.state, Over):
            table.round(*(rng.choice(hand) for hand in table.playing.hands.values()))
        if len(table.of(Won)[0].winners) == 2:
            return table
    raise AssertionError("there is none")


def test_a_game_for_honour_moves_no_credits() -> None:
    table, end = won(((2, 1),), 0, players=2)
    assert table.purses == {SystemPurse.POT: 0} or not table.purses
    assert end.pot == 0


# What cannot be done


def test_a_card_is_refused_where_it_cannot_be_played() -> None:
    table = Table()
    assert table.refused(Play(ANN, 1)).id == "chicken-no-round"
    table.seated(ANN, BOB, NASH, cards=4)
    assert table.refused(Play(EVE, 1)).id == "chicken-not-in"
    assert table.refused(Play(NASH, 1)).id == "chicken-not-in"
    assert table.refused(Play(ANN, 0)).id == "chicken-not-held"
    assert table.refused(Play(ANN, 5)).id == "chicken-not-held"
    clock = table.game.clock(table.state)
    assert clock is not None
    table.act(Play(ANN, 2))
    table.act(Play(BOB, 2))
    assert table.refused(Play(ANN, 2)) == Message("chicken-not-held", {"hand": "1 3 4"})
    assert table.refused(Timeout(clock)).id == "too-late"


def test_the_menu_has_every_card_of_ones_own_hand() -> None:
    table = Table().seated(ANN, BOB, NASH, cards=3)
    game, state = table.game, table.state
    assert game.menu(state, ANN, 0) == [Play(ANN, 1), Play(ANN, 2), Play(ANN, 3)]
    assert game.menu(state, EVE, 0) == game.menu(state, NASH, 0) == []
