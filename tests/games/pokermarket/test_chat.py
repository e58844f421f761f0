"""The board in every phase, what stands on buttons, and the parts of a proposal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.pokermarket import KIT
from chatbot.games.pokermarket.rules.moves import Accept, Action, Decline, Join, Pass, Propose
from chatbot.games.pokermarket.rules.rules import PokerMarket
from chatbot.kernel.board import Board, Card
from chatbot.kernel.kit import Part
from chatbot.kernel.say import Message, Name
from chatbot.speech.words import Words
from tests.games.pokermarket.table import ACES, ANN, BOB, CAT, DAN, JUNK, KINGS, SIXES, Table

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat

WORDS = Words("en")
NAMES = {ANN: "Ann", BOB: "Bob", CAT: "Cat"}


def board(table: Table, seat: Seat | None = None) -> Board:
    shown: Board = KIT.display.board(table.view(seat))
    return shown


def text(message: Message | None) -> str:
    assert message is not None
    return WORDS.text(message, NAMES.__getitem__)


def details(shown: Board) -> list[tuple[str, str]]:
    return [(text(each.detail), each.mark) for each in shown.places]


def facts(shown: Board) -> dict[str, str]:
    return {text(each.label): text(each.value) for each in shown.facts}


def told(shown: Board) -> dict[str, str]:
    return {each.word: text(each.told) for hand in shown.hands for each in hand.cards if each.told}


# The board


def test_every_hand_lies_open_in_the_order_of_turns_with_what_it_is_worth() -> None:
    shown = board(Table().dealt(KINGS, SIXES, JUNK))
    assert [each.owner for each in shown.hands] == [each.seat for each in shown.places] == [ANN, BOB, CAT]
    assert [text(each.label) for each in shown.hands] == [
        "pair of kings, nine kicker",
        "pair of sixes, jack kicker",
        "queen high, ten kicker",
    ]
    assert shown.hands[2].cards == (
        Card("Q♠", word="QS"),
        Card("10♦", word="TD"),
        Card("8♣", word="8C"),
        Card("4♦", word="4D"),
        Card("2♥", word="2H"),
    )


def test_the_board_says_whose_turn_it_is_and_what_everybody_would_score_now() -> None:
    table = Table().dealt(KINGS, SIXES, JUNK, rounds=2, stake=50)
    shown = board(table)
    assert details(shown) == [
        ("3 points as hands stand; is on turn", "waiting"),
        ("2 points as hands stand", "ready"),
        ("1 point as hands stand", "ready"),
    ]
    assert facts(shown) == {"Round": "1 of 2", "Stake": "50 credits", "Pot": "150 credits"}
    assert text(shown.note) == text(board(table, BOB).note) == "It is the turn of Ann."
    assert text(board(table, ANN).note) == (
        "It is your turn: offer one of your cards for one of somebody else’s, such as !swap 5H JC, or !pass."
    )
    table.passed(3)
    assert facts(board(table))["Round"] == "2 of 2"


def test_the_board_shows_what_is_proposed_and_asks_for_an_answer() -> None:
    table = Table().dealt(KINGS, SIXES, JUNK)
    table.propose("5H", "JC")
    shown = board(table)
    assert {each.word for hand in shown.hands for each in hand.cards if each.mark == "taken"} == {"5H", "JC"}
    assert told(shown) == {"5H": "up for a swap", "JC": "up for a swap"}
    assert details(shown)[0] == ("3 points as hands stand", "ready")
    assert details(shown)[1] == ("2 points as hands stand; is to answer", "waiting")
    then = "(then Ann: pair of kings, jack kicker; Bob: pair of sixes, five kicker)"
    assert text(shown.note) == f"Ann offers Bob 5♥ for J♣ {then}."
    assert board(table, ANN).note == shown.note
    assert text(board(table, BOB).note) == (
        "Ann offers you 5♥ for J♣ (then you: pair of sixes, five kicker; Ann: pair of kings, jack kicker). "
        "Answer with !accept or !decline."
    )


def test_cards_that_have_just_changed_hands_are_marked_until_the_next_turn_is_over() -> None:
    table = Table().dealt(KINGS, SIXES, JUNK)
    table.propose("5H", "JC")
    table.act(Accept(BOB))
    marked = {
        (hand.owner, each.word) for hand in board(table).hands for each in hand.cards if each.mark == "kept"
    }
    assert marked == {(ANN, "JC"), (BOB, "5H")}
    assert told(board(table)) == {"5H": "swapped", "JC": "swapped"}
    table.passed()
    assert {each.mark for hand in board(table).hands for each in hand.cards} == {"plain"}


def test_declined_cards_are_not_marked() -> None:
    table = Table().dealt(KINGS, SIXES, JUNK)
    table.propose("5H", "JC")
    table.act(Decline(BOB))
    assert {each.mark for hand in board(table).hands for each in hand.cards} == {"plain"}


def test_the_board_of_the_end_has_points_credits_and_the_swap_that_was_missed() -> None:
    table = Table().dealt("KS KD JH 7C 5H", "KH JC 6S 6D 3C", "AS AD TH 8H 2C", stake=50).finished()
    shown = board(table)
    assert [each.owner for each in shown.hands] == [ANN, BOB, CAT]
    assert [each.mark for each in shown.hands] == ["plain", "plain", "won"]
    assert details(shown) == [
        ("2 points, gets 50 credits", "drawn"),
        ("1 point, gets 25 credits", "lost"),
        ("3 points, gets 75 credits", "won"),
    ]
    assert text(shown.note).startswith("The best swap that nobody proposed: J♥ of Ann for K♥ of Bob")


def test_where_nothing_was_missed_the_market_is_just_closed() -> None:
    table = Table().dealt("AS AH AD AC 3S", "QS QH QD 4C 2S").finished()
    assert text(board(table).note) == "The market is closed."
    assert details(board(table)) == [("2 points", "won"), ("1 point", "lost")]


def test_the_others_are_marked_by_what_their_stakes_became() -> None:
    # Of the pot of 200 the points 4, 3, 2, 1 of 10 make 80, 60, 40, 20: the second gains as well.
    table = Table().dealt(KINGS, SIXES, JUNK, ACES, stake=50).finished()
    assert [each.mark for each in board(table).places] == ["won", "lost", "lost", "won"]
    # Of 150 the points 3, 2, 1 of 6 make 75, 50, 25: the second comes out even.
    table = Table().dealt(KINGS, SIXES, JUNK, stake=50).finished()
    assert [each.mark for each in board(table).places] == ["won", "drawn", "lost"]


def test_for_honour_the_best_hand_wins_and_no_other() -> None:
    table = Table().dealt(KINGS, SIXES, JUNK).finished()
    assert [each.mark for each in board(table).places] == ["won", "lost", "lost"]


def test_a_lobby_and_a_market_that_was_called_off_have_boards_too() -> None:
    table = Table(PokerMarket(house_fills=0))
    assert text(board(table).note) == "Join with !market."
    assert not board(table).facts
    table.act(Join(ANN, 3, 20))
    assert text(board(table, ANN).note) == "You are in; the cards are dealt when the time is up."
    assert facts(board(table)) == {"Rounds": "3", "Stake": "20 credits", "Pot": "20 credits"}
    assert [each.mark for each in board(table).places] == ["ready"]
    table.time_out()
    assert text(board(table).note) == "Too few came; nothing was played."
    assert details(board(table)) == [("not played", "left")]


# Buttons


def test_buttons_name_the_terms_the_cards_and_the_answers() -> None:
    table = Table(PokerMarket(rounds=1, default_stake=50))
    assert [text(KIT.display.label(each)) for each in table.game.menu(table.state, ANN, 50)] == [
        "Join for 50 credits: one round",
        "Join for honour: one round",
    ]
    labels: list[Action] = [
        Accept(ANN),
        Decline(ANN),
        Pass(ANN),
        Propose(ANN, "JS", "TD"),
        Propose(ANN, "JS", "3D", BOB),
    ]
    assert [text(KIT.display.label(each)) for each in labels] == [
        "Accept", "Decline", "Pass", "J♠ for 10♦", "J♠ for 3♦ (Bob)",
    ]  # fmt: skip


def test_a_proposal_is_made_of_two_cards_and_all_else_of_nothing() -> None:
    table = Table().dealt(KINGS, SIXES, JUNK)
    view = table.view(ANN)
    menu = table.game.menu(table.state, ANN, 0)
    assert KIT.display.parts(view, menu[0]) == ()
    divided = [KIT.display.parts(view, each) for each in menu[1:]]
    assert {len(each) for each in divided} == {2}
    assert {own.word for own, _ in divided} == set(KINGS.split())
    assert {other.word for _, other in divided} == {*SIXES.split(), *JUNK.split()}
    assert KIT.display.parts(view, Propose(ANN, "5H", "TD")) == (
        Part("5H", Message("word", {"word": "5♥"})),
        Part("TD", Message("market-held-by", {"card": "10♦", "who": Name(CAT)})),
    )
    assert text(KIT.display.parts(view, Propose(ANN, "5H", "TD"))[1].label) == "10♦ Cat"


def test_the_words_of_a_proposals_parts_are_what_is_typed_and_what_cards_are_called() -> None:
    table = Table().dealt(KINGS, SIXES, JUNK)
    on_board = {each.word for hand in board(table).hands for each in hand.cards}
    for action in table.game.menu(table.state, ANN, 0)[1:]:
        words = [each.word for each in KIT.display.parts(table.view(ANN), action)]
        assert KIT.chat.line(action) == "!swap " + " ".join(words)
        assert set(words) <= on_board


def test_who_is_not_at_the_table_sees_the_same_as_everybody() -> None:
    table = Table().dealt(KINGS, SIXES, JUNK)
    assert board(table, DAN) == board(table)
