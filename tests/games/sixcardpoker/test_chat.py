"""The board as each sees it, and what stands on buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.games.sixcardpoker import KIT
from chatbot.games.sixcardpoker.rules.moves import Accept, Action, Arrange, Decline, LeaveIt, Open
from chatbot.games.sixcardpoker.rules.rules import SixCardPoker
from chatbot.games.sixcardpoker.rules.states import THE_HOUSE
from chatbot.kernel.board import Card, Fact, Hand, Place
from chatbot.kernel.game import Seat, Sit
from chatbot.kernel.say import Credits, Message, Name
from chatbot.speech.words import Words, languages
from tests.games.sixcardpoker.table import ANN, BOB, CAT, DRAW, LOSS, WIN, Table

if TYPE_CHECKING:
    from chatbot.kernel.board import Board

WORDS = [Words(language) for language in languages()]
LONGEST_LABEL = 80  # characters of a button on Discord


def board(table: Table, seat: Seat | None = None) -> Board:
    shown: Board = KIT.display.board(table.view(seat))
    return shown


def note(table: Table, seat: Seat | None = None) -> str:
    message = board(table, seat).note
    assert message is not None
    return message.id.removeprefix("sixcard-note-")


def row(table: Table, owner: Seat, seat: Seat | None = None) -> list[str]:
    """Write the hands of one owner as the seat sees them: `high 4 4 1 won`, `low ?1 plain`."""
    hands = [each for each in board(table, seat).hands if each.owner == owner]
    return [_written(each) for each in hands]


def _written(hand: Hand) -> str:
    name = hand.label.id.removeprefix("sixcard-hand-")
    faces = [*(card.face for card in hand.cards), *([f"?{hand.hidden}"] if hand.hidden else [])]
    return " ".join([name, *faces, hand.mark])


OPEN_CARDS = ["cards 1 2 3 3 4 4 plain"]
FACE_DOWN = ["high ?3 plain", "middle ?2 plain", "low ?1 plain"]
NOT_SEEN = ["cards ?6 plain"]


def test_against_the_house_all_see_the_player_s_cards_and_nobody_the_house_s() -> None:
    table = Table().solo(50)
    for seat in (None, ANN, CAT):
        assert row(table, ANN, seat) == OPEN_CARDS
        assert row(table, THE_HOUSE, seat) == FACE_DOWN
    assert [note(table, seat) for seat in (ANN, CAT, None)] == ["arrange", "solo", "solo"]
    assert board(table, ANN).places == (
        Place(ANN, Message("sixcard-place-setting"), "waiting"),
        Place(THE_HOUSE, Message("sixcard-place-set"), "ready"),
    )


def test_the_stake_is_on_the_board_and_no_hash() -> None:
    assert board(Table().solo(50)).facts == (
        Fact(Message("sixcard-fact-stake"), Message("amount", {"credits": Credits(50)})),
    )
    assert board(Table().duel()).facts == ()


def test_in_a_duel_each_sees_their_own_cards_alone() -> None:
    table = Table().duel()
    assert [row(table, ANN, seat) for seat in (ANN, BOB, CAT, None)] == [OPEN_CARDS, *[NOT_SEEN] * 3]
    assert [row(table, BOB, seat) for seat in (ANN, CAT, None)] == [NOT_SEEN] * 3
    assert row(table, BOB, BOB) == ["cards 1 1 1 2 2 2 plain"]
    assert [note(table, seat) for seat in (ANN, BOB, CAT, None)] == ["arrange", "arrange", "duel", "duel"]


def test_in_a_duel_each_sees_how_they_have_set_and_the_others_that_they_have() -> None:
    table = Table().duel()
    table.set(ANN, WIN)
    assert row(table, ANN, ANN) == ["high 4 4 1 plain", "middle 3 3 plain", "low 2 plain"]
    assert [row(table, ANN, seat) for seat in (BOB, CAT, None)] == [FACE_DOWN] * 3
    assert row(table, BOB, ANN) == NOT_SEEN
    assert board(table, ANN).note == Message("sixcard-note-set", {"hands": WIN})
    assert [each.mark for each in board(table).places] == ["ready", "waiting"]


@pytest.mark.parametrize(
    ("hands", "marks", "places"),
    [
        (WIN, ["won", "won", "drawn"], ["won", "lost"]),
        (DRAW, ["won", "lost", "drawn"], ["drawn", "drawn"]),
        (LOSS, ["won", "lost", "lost"], ["lost", "won"]),
    ],
)
def test_in_the_end_all_lies_open_and_each_hand_is_marked(
    hands: str, marks: list[str], places: list[str]
) -> None:
    table = Table().solo(50)
    table.set(ANN, hands)
    turned = [{"won": "lost", "lost": "won"}.get(each, each) for each in marks]
    for seat in (None, ANN, CAT):
        shown = board(table, seat)
        assert [each.mark for each in shown.hands] == [*marks, *turned]
        assert [each.owner for each in shown.hands] == [ANN] * 3 + [THE_HOUSE] * 3
        assert not any(each.hidden for each in shown.hands)
        assert [each.mark for each in shown.places] == places
        assert note(table, seat) == "over"


def test_hands_that_are_set_say_what_they_are_worth() -> None:
    table = Table().solo()
    table.set(ANN, "443 32 1")
    high, middle, low, *others = board(table).hands
    assert high == Hand(
        Message("sixcard-hand-high"),
        (Card("4"), Card("4"), Card("3")),
        0,
        ANN,
        "won",
        Message("sixcard-detail-sum", {"sum": "11"}),
    )
    assert (middle.detail, low.detail) == (Message("sixcard-detail-no-pair"), None)
    assert others[1].detail == Message("sixcard-pair", {"face": "2"})


def test_places_say_the_points_and_what_people_get() -> None:
    table = Table().solo(50)
    table.set(ANN, WIN)
    paid = Message("sixcard-place-paid", {"points": "2½", "payout": Credits(100)})
    assert board(table).places[0].detail == paid
    assert board(table).places[1].detail.id == "sixcard-place-over"
    table = Table().solo()
    table.set(ANN, LOSS)
    assert [each.detail.id for each in board(table).places] == ["sixcard-place-over"] * 2


def test_a_challenge_shows_who_has_yet_to_answer() -> None:
    table = Table().challenge(50)
    assert board(table).places == (
        Place(ANN, Message("sixcard-place-challenger"), "ready"),
        Place(BOB, Message("sixcard-place-challenged"), "waiting"),
    )
    assert [note(table, seat) for seat in (ANN, BOB, CAT)] == ["challenger", "challenged", "challenge"]
    assert board(table).note == Message("sixcard-note-challenge", {"who": Name(BOB)})
    assert not board(table).hands


def test_an_empty_table_has_a_board_too() -> None:
    table = Table()
    assert note(table) == "opening"
    assert not board(table).places
    table.act(Sit(ANN))
    assert [each.seat for each in board(table).places] == [ANN]
    table.time_out()
    assert (note(table), [each.mark for each in board(table).places]) == ("off", ["left"])


# Buttons


def test_buttons_offer_best_play_and_the_settings_that_make_sense() -> None:
    table = Table().solo()
    first, *others = table.game.menu(table.state, ANN, 0)
    assert first == LeaveIt(ANN)
    assert len(others) == 16  # of the 50 that these cards can be set in
    assert Arrange(ANN, WIN) in others
    assert KIT.display.label(Arrange(ANN, WIN)) == Message("word", {"word": WIN})
    assert table.game.menu(table.state, CAT, 0) == []
    assert table.game.menu(table.state, THE_HOUSE, 0) == []


@pytest.mark.parametrize(
    ("action", "label"),
    [
        (Open(ANN), "Play the house for honour"),
        (Open(ANN, 50), "Play the house for 50 credits"),
        (Open(ANN, 50, BOB), "Challenge Bob"),
        (Accept(BOB), "Accept"),
        (Decline(BOB), "Decline"),
        (LeaveIt(ANN), "Auto (best play)"),
        (Arrange(ANN, WIN), "441 33 2"),
    ],
)
def test_labels_are_short(action: Action, label: str) -> None:
    message = KIT.display.label(action)
    for words in WORDS:
        assert len(words.text(message, lambda _: "Bob")) <= LONGEST_LABEL
    assert next(each for each in WORDS if each.language == "en").text(message, lambda _: "Bob") == label


def test_who_is_challenged_can_answer_and_who_challenged_can_take_it_back() -> None:
    table = Table(SixCardPoker()).challenge()
    assert table.game.menu(table.state, BOB, 0) == [Accept(BOB), Decline(BOB)]
    assert table.game.menu(table.state, ANN, 0) == [Decline(ANN)]
    assert table.game.menu(table.state, CAT, 0) == []
