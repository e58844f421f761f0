"""What is said, every line within 500 characters in each language, and the board."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games.highshow import KIT
from chatbot.games.highshow.chat.board import penalty_in_words
from chatbot.games.highshow.figures import shortly
from chatbot.games.highshow.rules.moves import EVENTS, AskHint, CashOut, Guess, Open, SeeAnother
from chatbot.games.highshow.rules.par import Par
from chatbot.games.highshow.rules.rules import HighShow
from chatbot.games.highshow.rules.states import Playing, Show
from chatbot.games.highshow.rules.terms import Terms, read_penalty
from chatbot.kernel.board import Board, Card, Fact, Hand, Place
from chatbot.kernel.commands import TopicRequest
from chatbot.kernel.game import Sit
from chatbot.kernel.say import Arguments, Credits, Message, Name, Talk
from chatbot.speech.words import Words, languages
from tests.games.highshow.table import ANN, BOB, Table, says

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.kernel.game import Seat

WORDS = {language: Words(language) for language in languages()}
EVERY_LANGUAGE = pytest.mark.parametrize("language", sorted(WORDS))
DECK = (7, 5, 10, 6, 9, 8)
LONG_NAME = "W" * 25
LONGEST = 500  # characters of a line


# What is said


def test_the_default_of_turn_is_told_as_its_formula() -> None:
    said = penalty_in_words(Terms(20, 3, read_penalty("turn")))
    assert said == Message("highshow-penalty-turn-usual", {"cards": "20", "divisor": "24"})
    assert WORDS["en"].text(said, str) == "rejecting the i-th card costs i × 2(20 + K)/24"


@pytest.mark.parametrize(
    ("penalty", "rate"),
    [
        ("none", "0"),
        ("linear", "2"),
        ("value", "0.25"),
        ("turnvalue", "0.125"),
        ("turn=1/3", "1/3"),
        ("linear=0.000001", "0.000001"),
    ],
)
def test_other_penalties_are_told_with_their_parameter(penalty: str, rate: str) -> None:
    name = penalty.partition("=")[0]
    said = penalty_in_words(Terms(20, 3, read_penalty(penalty)))
    assert said == Message(f"highshow-penalty-{name}", {"rate": rate})


def text(language: str, message: Message) -> str:
    return WORDS[language].text(message, lambda seat: LONG_NAME)


def english(table: Table, choices: str) -> list[str]:
    happened = table.play(choices)
    return [WORDS["en"].text(say.message, lambda seat: "Ann") for each in happened for say in says(each)]


def test_a_game_reads_well() -> None:
    table = Table(DECK).open(3, "linear=5")
    (opened,) = [WORDS["en"].text(say.message, lambda seat: "Ann") for say in says(table.events[0])]
    assert opened == (
        "Ann plays High Show: keep 3 of 6 cards, which count up from a secret K (1 to 18); each rejection "
        "costs 5. No stake, only honour. First card: 7. !cashout keeps it, !another rejects it; after 60 "
        "seconds it is kept."
    )
    assert english(table, "r") == [
        "Ann lets 7 go; none of 3 kept yet. Next card: 5, with 4 more behind it. !cashout or !another?"
    ]
    assert english(table, "k") == [
        "Ann keeps 5; 1 of 3 kept: 5. Next card: 10, with 3 more behind it. !cashout or !another?"
    ]
    assert english(table, "r") == [
        "Ann lets 10 go; 1 of 3 kept: 5. Next card: 6, with 2 more behind it. !cashout or !another?"
    ]
    assert english(table, "r")[:2] == [
        "Ann lets 6 go; 1 of 3 kept: 5.",
        "Ann, you need every card that is left, so both are yours: 9, 8.",
    ]
    revealed = table.end(Guess(ANN, 4, "7"))  # a gain of 22, less 15
    assert WORDS["en"].text(says(revealed)[0].message, lambda seat: "Ann") == (
        "Ann: K was 5, and the profit is 7: 22 in cards, less 15 for rejecting. "
        "Guesses: K 4 (1 too low); profit 7 (exactly right!)."
    )


def test_who_has_all_cards_is_asked_for_k_and_the_profit() -> None:
    assert english(Table(DECK).open(2), "kk")[-2:] == [
        "Ann keeps 5; 2 of 2 kept: 7, 5.",
        (
            "Ann, what is K (at most 18), and what is your profit? Write both, such as !guess 12 40.5, "
            "within 45 seconds; skip leaves one out."
        ),
    ]


def test_guesses_that_were_skipped_are_not_told() -> None:
    table = Table(DECK).open(1)
    table.play("k")
    revealed = table.end()
    assert WORDS["en"].text(says(revealed)[0].message, lambda seat: "Ann") == (
        "Ann: K was 5, and the profit is 7: 7 in cards, less 0 for rejecting."
    )


def test_a_stake_is_told_with_par_and_what_a_point_moves_and_then_with_the_net() -> None:
    show = Show(ANN, Terms(6, 1, read_penalty("none")), 50, Par(Fraction(8), Fraction(20)), DECK)
    table = Table(DECK)
    table.state = Playing(show)
    table.play("k")
    told = [say.message for say in says(table.end())]
    paid: Arguments = {
        "who": Name(ANN),
        "stake": Credits(50),
        "payout": Credits(47),
        "net": "−3",
    }  # 50 × (1 − 1/20) = 47.5
    assert told[1] == Message("highshow-paid", paid)
    opened = Table(DECK).open(2, stake=50).events[0]
    (said,) = says(opened)
    stake = said.message.args["stake"]
    assert isinstance(stake, Message)
    assert stake.id == "highshow-for-stake"
    assert stake.args["par"] == shortly(opened.par.value)


def test_turns_are_heard_in_quiet_rooms_and_the_review_is_not() -> None:
    table = Table(DECK).open(2)
    table.act(AskHint(ANN))
    table.play("rkrk")
    table.end()
    talks = {(each.event, each.message.id): each.talk for event in table.events for each in says(event)}
    reviews = {key for key in talks if "review" in key[1]}
    assert {talks[key] for key in reviews} == {Talk.NORMAL}
    assert {talk for key, talk in talks.items() if key not in reviews} == {Talk.QUIET}
    assert all(say.to is None and say.game == "highshow" for event in table.events for say in says(event))


def longest(penalty: str, keep: int, choices: str, guess: Guess, stake: int = 0) -> Iterator[Any]:
    """Play one of the largest games; the end is dealt with by hand, so that no par is asked for."""
    table = Table(range(4000 - 1, 4000 - 1001, -1)).open(keep, penalty)
    assert isinstance(table.state, Playing)
    if stake:
        agreed = Par(Fraction(10**23 + 1, 3**31), Fraction(10**23, 3**40))
        table.state = Playing(Show(ANN, table.state.show.terms, stake, agreed, table.state.show.deck))
        opened = table.events[0]
        yield type(opened)(table.state.progress, stake, agreed, 600)
    elif penalty != "turn=999999/999998":
        table.act(AskHint(ANN))
    table.play(choices)
    while isinstance(table.state, Playing):
        table.time_out()
    table.end(guess)
    yield from table.events


@pytest.mark.slow
@EVERY_LANGUAGE
@pytest.mark.parametrize(
    ("penalty", "keep", "choices", "stake"),
    [
        ("linear=999999/999998", 999, "r", 10**15),  # all the others are forced
        ("turnvalue=999999/999998", 999, "k" * 998 + "r", 0),
        ("turn=999999/999998", 999, "kkkr", 10**15),
        ("turn", 999, "k" * 20, 10**15),
        ("value", 1, "r" * 998, 0),
    ],
)
def test_every_line_has_at_most_500_characters(
    language: str, penalty: str, keep: int, choices: str, stake: int
) -> None:
    profit = str(Fraction(-999_999_999_999 * 999_983 - 1, 999_983))
    for event in longest(penalty, keep, choices, Guess(ANN, 3000, profit), stake):
        for say in says(event):
            assert len(text(language, say.message)) <= LONGEST, text(language, say.message)


@EVERY_LANGUAGE
def test_the_rules_are_told_in_lines_of_at_most_500_characters(language: str) -> None:
    told = KIT.chat.topics["rules"](HighShow(), TopicRequest(ANN, 0))
    assert told
    assert all(len(text(language, each)) <= LONGEST for each in told)


def test_every_event_is_told() -> None:
    table = Table(DECK).open(3)
    table.act(AskHint(ANN))
    table.play("rkrr")
    table.end()
    absent = Table((*range(1, 13),)).open(6)
    for _ in range(3):
        absent.time_out()
    events = [*table.events, *absent.events]
    assert {type(each) for each in events} == set(EVENTS)
    assert all(says(each) for each in events)


def test_whoever_has_left_is_told_of_once() -> None:
    table = Table((*range(1, 13),)).open(6)
    table.play("r")
    for _ in range(3):
        table.time_out()
    assert WORDS["en"].text(says(table.events[-2])[0].message, lambda seat: "Ann") == (
        "Time is up, 3 times in a row: Ann keeps all that are still needed, 4, 5, 6, 7; 6 of 6 kept."
    )


# The board and its buttons


def board(table: Table, seat: Seat | None = None) -> Board:
    shown: Board = KIT.display.board(table.view(seat))
    return shown


def fact(name: str, value: Message) -> Fact:
    return Fact(Message(f"highshow-fact-{name}"), value)


def word(text: str) -> Message:
    return Message("word", {"word": text})


def hand(name: str, cards: str, hidden: int = 0) -> Hand:
    pairs = [each.split("/") for each in cards.split()]
    told = {each: Message(f"highshow-card-{each}") for each in ("kept", "taken", "rejected")}
    shown = tuple(Card(face, mark, told=told.get(mark)) for face, mark in pairs)
    return Hand(Message(f"highshow-hand-{name}"), shown, hidden)


def test_the_board_shows_cards_kept_rejected_and_left() -> None:
    table = Table(DECK).open(3, "linear=5")
    table.play("kr")
    shown = board(table)
    assert shown.facts == (
        fact("kept", Message("highshow-of", {"kept": 1, "keep": 3})),
        fact("left", Message("highshow-of", {"kept": 3, "keep": 6})),
        fact("penalty", Message("highshow-penalty-linear", {"rate": "5"})),
    )
    assert shown.hands == (
        hand("shown", "10/shown"),
        hand("kept", "7/kept"),
        hand("rejected", "5/rejected"),
        hand("left", "", hidden=3),
    )
    assert shown.places == (Place(ANN, Message("highshow-place-kept", {"cards": "7", "kept": 1}), "waiting"),)
    assert shown.note == Message("highshow-note-decision", {"card": 10})
    assert shown == board(table, ANN) == board(table, BOB)


def test_the_board_of_the_end_tells_all_and_shows_what_would_have_come() -> None:
    table = Table(DECK).open(2, "linear=5")
    table.play("krk")
    assert board(table).note == Message("highshow-note-estimates", {"most": 18})
    table.end()
    shown = board(table)
    outcome = ("lowest", "5"), ("gain", "17"), ("lost", "5"), ("profit", "12")
    assert shown.facts[3:] == tuple(fact(name, word(value)) for name, value in outcome)
    assert shown.hands[-1] == hand("left", "6/plain 9/plain 8/plain")
    assert shown.places[0].mark == "plain", "there was nothing to win"
    assert shown.note == Message("highshow-note-over")


def test_cards_that_were_forced_are_marked_as_taken() -> None:
    table = Table(DECK).open(3)
    table.play("rrr")
    assert board(table).hands[0] == hand("kept", "6/taken 9/taken 8/taken")


@pytest.mark.parametrize(("value", "mark"), [(6, "won"), (7, "drawn"), (8, "lost")])
def test_the_player_is_marked_by_what_the_stake_became(value: int, mark: str) -> None:
    show = Show(ANN, Terms(6, 1, read_penalty("none")), 50, Par(Fraction(value), Fraction(20)), DECK)
    table = Table(DECK)
    table.state = Playing(show)
    assert fact("par", word(str(value))) in board(table).facts
    table.play("k")
    table.end()
    assert board(table).places[0].mark == mark


def test_an_empty_table_has_a_board_too() -> None:
    table = Table(DECK)
    assert board(table).note == Message("highshow-note-opening")
    table.act(Sit(ANN))
    assert board(table).places == (Place(ANN, Message("highshow-place-opening"), "waiting"),)
    table.time_out()
    assert board(table).note == Message("highshow-note-unused")
    assert board(table).places == (Place(ANN, Message("highshow-place-unused"), "left"),)


def test_buttons_offer_what_can_be_done() -> None:
    table = Table(DECK, HighShow(cards=6, default_stake=50))
    labels = [KIT.display.label(each).id for each in table.game.menu(table.state, ANN, 50)]
    assert labels == ["highshow-button-stake", "highshow-button-honour"]
    assert [KIT.display.label(each).id for each in table.game.menu(table.state, ANN, 49)] == labels[1:]
    table.open(1)
    assert table.game.menu(table.state, ANN, 0) == [CashOut(ANN), SeeAnother(ANN), AskHint(ANN)]
    table.play("k")
    assert table.game.menu(table.state, ANN, 0) == [Guess(ANN)]


def test_no_stake_is_offered_where_none_is_taken() -> None:
    game = HighShow(cards=1000, default_stake=50)
    assert [each.credits for each in game.menu(game.start(), ANN, 1000) if isinstance(each, Open)] == [0]
