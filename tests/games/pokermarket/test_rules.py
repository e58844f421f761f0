"""The rules of a market in chat, worked by hand: turns, swaps, answers, silence, and what is refused."""

from __future__ import annotations

import pytest

from chatbot.games.pokermarket.rules.moves import (
    Accept,
    Accepted,
    Decline,
    Declined,
    Join,
    Offer,
    Pass,
    Passed,
    Propose,
    Proposed,
    Ranked,
    Reason,
    TurnBegan,
)
from chatbot.games.pokermarket.rules.rules import PokerMarket
from chatbot.games.pokermarket.rules.states import Trading
from chatbot.kernel.cards import DECK
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Timeout
from chatbot.kernel.say import Message, Name
from tests.games.pokermarket.table import (
    ACES,
    ANN,
    BOB,
    CAT,
    DAN,
    GREEDY,
    JUNK,
    KINGS,
    PEOPLE,
    SIXES,
    Table,
    cards,
)

# Turns


def test_everybody_has_a_turn_in_the_same_order_in_every_round() -> None:
    table = Table().seated(ANN, BOB, CAT, rounds=3)
    order = table.trading.order
    table.finished()
    turns = [each.turn for each in table.of(TurnBegan)]
    assert [each.seat for each in turns] == list(order) * 3
    assert [each.round for each in turns] == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert [each.number for each in turns] == list(range(1, 10))


def test_an_accepted_swap_moves_two_cards_and_no_other() -> None:
    table = Table().dealt(KINGS, SIXES, JUNK, rounds=2)
    proposed, *_ = table.propose("5H", "JC")
    offer = Offer(ANN, "5H", "JC", BOB)
    # Ann's hand with the jack for the five, and Bob's with the five for the jack, the highest first
    own, theirs = ("KD", "KS", "JC", "9H", "7C"), ("6D", "6S", "5H", "4H", "3C")
    assert proposed == Proposed(offer, own, theirs, 20)
    accepted, began = table.act(Accept(BOB))
    assert accepted == Accepted(offer, {ANN: own, BOB: theirs})
    assert isinstance(began, TurnBegan)
    assert began.turn.seat == BOB
    assert table.trading.hands()[CAT] == ("QS", "TD", "8C", "4D", "2H")


@pytest.mark.parametrize("players", [2, 3, 10])
def test_cards_are_neither_lost_nor_made(players: int) -> None:
    table = Table(seed=f"{players} players").seated(*PEOPLE[:players], rounds=2)
    held = sorted(card for hand in table.trading.market.hands for card in hand)
    assert len(held) == len(set(held)) == 5 * players
    assert set(held) <= set(DECK)
    rng = Rng.of(f"swaps of {players}")
    while isinstance(table.state, Trading):
        swap = rng.choice(table.game.menu(table.state, table.trading.seat, 0)[1:])
        table.act(swap)
        asked = table.trading.answering
        assert asked is not None
        table.act(Accept(asked) if rng.chance(0.7) else Decline(asked))
        if isinstance(table.state, Trading):
            assert sorted(card for hand in table.trading.market.hands for card in hand) == held
    assert all(len(each.hand) == 5 for each in table.of(Ranked)[0].places)


def test_a_declined_swap_moves_nothing_and_it_is_the_next_ones_turn() -> None:
    table = Table().dealt(KINGS, SIXES, rounds=2)
    before = table.trading.market.hands
    table.propose("5H", "JC")
    declined, began = table.act(Decline(BOB))
    assert declined == Declined(Offer(ANN, "5H", "JC", BOB))
    assert isinstance(began, TurnBegan)
    assert began.turn.seat == BOB
    assert table.trading.market.hands == before


def test_who_passes_lets_the_next_have_a_turn() -> None:
    table = Table().dealt(KINGS, SIXES)
    passed, began = table.passed()
    assert passed == Passed(ANN)
    assert isinstance(began, TurnBegan)
    assert (began.turn.seat, began.seconds) == (BOB, 30)


def test_a_turn_that_runs_out_passes_and_is_told_as_late() -> None:
    table = Table().dealt(KINGS, SIXES)
    passed, _ = table.time_out()
    assert passed == Passed(ANN, late=True)


def test_an_offer_that_runs_out_is_declined_and_told_as_late_without_a_reason() -> None:
    table = Table().dealt(KINGS, SIXES)
    table.propose("5H", "JC")
    declined, _ = table.time_out()
    assert declined == Declined(Offer(ANN, "5H", "JC", BOB), late=True)


def test_the_house_says_why_it_declines_unless_it_is_late() -> None:
    for late in (False, True):
        table = Table().seated(ANN, GREEDY, rounds=1)
        if table.trading.seat == GREEDY:
            table.passed()
        give, take = table.of(TurnBegan)[-1].example
        table.propose(give, take)
        declined, *_ = table.time_out() if late else table.act(Decline(GREEDY))
        assert isinstance(declined, Declined)
        assert declined.late is late
        assert isinstance(declined.reason, Reason) is not late


def test_every_turn_and_every_answer_has_a_clock_of_its_own() -> None:
    table = Table(PokerMarket(turn=40, answer=10)).dealt(KINGS, SIXES, rounds=2)
    clocks = []
    for _ in range(2):
        clocks.append(table.game.clock(table.state))
        give, take = ("5H", "JC") if table.trading.seat == ANN else ("JC", "5H")
        table.propose(give, take)
        clocks.append(table.game.clock(table.state))
        table.time_out()
    assert [(each.phase, each.seconds) for each in clocks if each] == [
        ("turn 1", 40), ("answer 1", 10), ("turn 2", 40), ("answer 2", 10),
    ]  # fmt: skip
    assert clocks[0] is not None
    assert table.refused(Timeout(clocks[0])).id == "too-late"


def test_hands_are_told_again_with_a_new_round_only_if_they_have_changed() -> None:
    table = Table().dealt(KINGS, SIXES, rounds=3)
    table.passed(2)
    assert table.of(TurnBegan)[-1].hands is None
    table.propose("5H", "JC")
    table.act(Accept(BOB))
    table.passed()
    assert table.of(TurnBegan)[-1].hands == table.trading.hands()
    assert [each.hands is None for each in table.of(TurnBegan)] == [True, True, True, False]


def test_the_example_of_a_turn_can_be_proposed() -> None:
    table = Table(seed="examples").seated(*PEOPLE[:4], rounds=2)
    while isinstance(table.state, Trading):
        give, take = table.of(TurnBegan)[-1].example
        table.propose(give, take)
        table.time_out()


# What cannot be done


def test_only_who_is_on_turn_can_propose_or_pass() -> None:
    table = Table().dealt(KINGS, SIXES, JUNK)
    refusal = Message("market-not-your-turn", {"who": Name(ANN)})
    assert table.refused(Propose(BOB, "JC", "5H")) == refusal
    assert table.refused(Pass(CAT)) == refusal
    assert table.refused(Pass(DAN)) == Message("market-not-in")


def test_who_has_proposed_waits_for_the_answer() -> None:
    table = Table().dealt(KINGS, SIXES, JUNK)
    table.propose("5H", "JC")
    waiting = Message("market-proposed", {"who": Name(BOB)})
    assert table.refused(Propose(ANN, "7C", "JC")) == table.refused(Pass(ANN)) == waiting
    assert table.refused(Pass(CAT)).id == "market-not-your-turn"
    asked = Message("market-answer-first", {"who": Name(ANN)})
    assert table.refused(Pass(BOB)) == table.refused(Propose(BOB, "JC", "5H")) == asked


def test_only_who_is_asked_can_answer_and_only_then() -> None:
    table = Table().dealt(KINGS, SIXES, JUNK)
    assert table.refused(Accept(BOB)) == table.refused(Decline(ANN)) == Message("market-nothing-proposed")
    table.propose("5H", "JC")
    assert table.refused(Accept(CAT)) == Message("market-not-for-you", {"who": Name(BOB)})
    assert table.refused(Accept(ANN)).id == "market-not-for-you"
    assert table.refused(Decline(DAN)).id == "market-not-in"


def test_an_answer_that_names_the_cards_is_for_that_swap_alone() -> None:
    table = Table().dealt(KINGS, SIXES, JUNK)
    table.propose("5H", "JC")
    early = table.game.menu(table.state, BOB, 0)
    table.time_out()
    for action in early:
        assert table.refused(action) == Message("market-nothing-proposed")
    table.passed()
    table.propose("QS", "JC")
    other = Message("market-other-swap", {"give": "Q♠", "take": "J♣"})
    for action in (*early, Accept(BOB, "QS", "6S"), Accept(BOB, "QS"), Decline(BOB, None, "JC")):
        assert table.refused(action) == other
    assert table.refused(Accept(CAT, "QS", "JC")).id == "market-not-for-you"
    accepted, *_ = table.act(Accept(BOB, "JC", "QS"))  # in whichever order they are named
    assert accepted.offer == Offer(CAT, "QS", "JC", BOB)


def test_before_the_cards_are_dealt_there_is_nothing_to_swap() -> None:
    table = Table()
    table.act(Join(ANN))
    for action in (Propose(ANN, "JS", "3D"), Pass(ANN), Accept(ANN), Decline(ANN)):
        assert table.refused(action) == Message("market-no-cards")


@pytest.mark.parametrize(
    ("give", "take", "partner", "refusal"),
    [
        ("JC", "6S", None, Message("market-not-held", {"card": "J♣"})),  # Bob's
        ("2D", "6S", None, Message("market-not-held", {"card": "2♦"})),  # nobody's
        ("5H", "2D", None, Message("market-nobody-holds", {"card": "2♦"})),
        ("5H", "KS", None, Message("market-yourself", {"card": "K♠"})),
        ("5H", "5H", None, Message("market-yourself", {"card": "5♥"})),
        ("5H", "TD", BOB, Message("market-other-holds", {"card": "10♦", "who": Name(CAT)})),
        ("5H", "TD", ANN, Message("market-other-holds", {"card": "10♦", "who": Name(CAT)})),
        ("5H", "TD", DAN, Message("market-other-holds", {"card": "10♦", "who": Name(CAT)})),
    ],
)
def test_a_swap_of_other_cards_than_lie_there_is_refused(
    give: str, take: str, partner: None, refusal: Message
) -> None:
    table = Table().dealt(KINGS, SIXES, JUNK)
    assert table.refused(Propose(ANN, give, take, partner)) == refusal


def test_the_right_name_of_the_partner_is_as_good_as_none() -> None:
    table = Table().dealt(KINGS, SIXES, JUNK)
    (proposed,) = table.propose("5H", "TD", CAT)
    assert proposed.offer == Offer(ANN, "5H", "TD", CAT)


def test_the_menu_has_every_swap_and_the_answers_for_who_is_asked() -> None:
    table = Table().dealt(KINGS, SIXES, JUNK)
    game = table.game
    menu = game.menu(table.state, ANN, 0)
    assert menu[0] == Pass(ANN)
    assert len(set(menu)) == 1 + 5 * 10
    assert game.menu(table.state, BOB, 0) == game.menu(table.state, DAN, 0) == []
    table.propose("5H", "JC")
    assert game.menu(table.state, BOB, 0) == [Accept(BOB, "5H", "JC"), Decline(BOB, "5H", "JC")]
    assert game.menu(table.state, ANN, 0) == game.menu(table.state, CAT, 0) == []


def test_the_deck_has_the_hands_that_tests_lay_down() -> None:
    held = [card for hand in (KINGS, SIXES, JUNK, ACES) for card in cards(hand)]
    assert len(set(held)) == 20
