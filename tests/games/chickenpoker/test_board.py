"""The board: who has chosen, every hand, the last round, and how it ended for whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.chickenpoker import KIT
from chatbot.games.chickenpoker.rules.moves import Join, Play
from chatbot.games.chickenpoker.rules.rules import ChickenPoker
from chatbot.kernel.board import Card
from chatbot.kernel.say import Message, Name
from chatbot.speech.words import Words
from tests.games.chickenpoker.table import ANN, BOB, NASH, PEOPLE, Table

if TYPE_CHECKING:
    from chatbot.kernel.board import Board, Hand
    from chatbot.kernel.game import Seat

ENGLISH = Words("en")


def board(table: Table, seat: Seat | None = None) -> Board:
    shown: Board = KIT.display.board(table.view(seat))
    return shown


def faces(hand: Hand) -> list[str]:
    return [each.face for each in hand.cards]


def details(shown: Board) -> list[str]:
    return [ENGLISH.text(each.detail, str) for each in shown.places]


def test_the_board_shows_who_has_chosen_and_every_hand() -> None:
    table = Table().seated(ANN, BOB, NASH, cards=3)
    table.act(Play(ANN, 2))
    shown = board(table)
    assert [(each.seat, each.mark) for each in shown.places] == [
        (ANN, "ready"),
        (BOB, "waiting"),
        (NASH, "ready"),
    ]
    assert [each.label.id for each in shown.facts] == [
        "chicken-fact-cards", "chicken-fact-round",
    ]  # fmt: skip
    assert details(shown) == ["0 points; holds 1–3"] * 3
    assert shown.note == Message("chicken-note-round", {"ready": 2, "players": 3})
    assert board(table, ANN).note == Message("chicken-note-chosen", {"card": "2"})
    assert board(table, BOB).note == shown.note


def test_the_board_says_which_round_is_played() -> None:
    table = Table().seated(ANN, BOB, cards=3)
    for number in (1, 2):
        (told,) = [each.value for each in board(table).facts if each.label.id == "chicken-fact-round"]
        assert told == Message("chicken-of", {"number": number, "of": 3})
        table.act(Play(ANN, number))
        table.act(Play(BOB, number))


def test_the_board_counts_one_who_has_chosen_as_one() -> None:
    table = Table().seated(ANN, BOB, cards=3)
    table.act(Play(ANN, 2))
    note = board(table).note
    assert note is not None
    assert ENGLISH.text(note, str).endswith("1 of 2 has chosen.")


def test_the_board_shows_the_last_round_with_its_winner_marked() -> None:
    table = Table().seated(ANN, BOB)
    table.round(1, 3)
    shown = board(table)
    last, *hands = shown.hands
    assert last.label == Message("chicken-hand-last", {"number": 1, "who": Name(BOB), "points": 4})
    assert last.cards == (Card("1", "taken"), Card("3", "kept", told=Message("chicken-card-took")))
    assert [faces(each) for each in hands] == [["2", "3"], ["1", "2"]]
    assert details(shown) == ["0 points; showed 1", "4 points; showed 3"]


def test_from_three_players_on_hands_are_written_behind_the_names() -> None:
    table = Table().seated(*PEOPLE, cards=15)
    table.round(*range(6, 16))
    shown = board(table)
    assert len(shown.hands) == 1
    assert details(shown)[0] == "0 points; showed 6; holds 1–5 7–15"


def test_the_board_of_the_end_marks_the_winners_and_shows_their_shares() -> None:
    table = Table().seated(ANN, BOB, cards=3, stake=50)
    table.round(3, 1)
    table.round(2, 2)
    shown = board(table)
    assert [each.mark for each in shown.places] == ["won", "lost"]
    assert details(shown) == ["8 points; showed 1; gets 100 credits", "4 points; showed 3"]
    assert shown.note == Message("chicken-note-over")


def test_where_all_share_the_victory_nobody_is_ahead() -> None:
    # Two cards: 2 + 1 to Ann, and then 1 + 2 to Bob.
    table = Table().seated(ANN, BOB, cards=2, stake=25)
    table.round(2, 1)
    assert [each.mark for each in board(table).places] == ["drawn", "drawn"]


def test_a_lobby_and_a_game_that_was_called_off_have_boards_too() -> None:
    table = Table(ChickenPoker(house_fills=0))
    assert board(table).note == Message("chicken-note-lobby")
    table.act(Join(ANN))
    assert board(table, ANN).note == Message("chicken-note-in")
    assert [each.mark for each in board(table).places] == ["ready"]
    table.time_out()
    assert board(table).note == Message("chicken-note-off")
    assert [each.mark for each in board(table).places] == ["left"]
