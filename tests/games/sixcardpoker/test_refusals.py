"""What the rules refuse, and why: nothing has happened then, and every clock runs on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chatbot.games.sixcardpoker.rules.moves import Accept, Arrange, Decline, LeaveIt, Open
from chatbot.games.sixcardpoker.rules.rules import SixCardPoker
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Moment, Refusal, Sit
from chatbot.kernel.say import Credits, Message, Name
from tests.games.sixcardpoker.table import ANN, BOB, CAT, Table


def test_nobody_but_the_rival_takes_a_challenge_up() -> None:
    table = Table().challenge()
    assert table.refused(Accept(ANN)) == Message("sixcard-own-challenge", {"who": Name(BOB)})
    assert table.refused(Accept(CAT)) == Message("sixcard-no-challenge")
    assert table.refused(Decline(CAT)) == Message("sixcard-no-challenge")


@pytest.mark.parametrize("answer", [Accept(ANN), Decline(ANN)])
def test_there_is_nothing_to_answer_without_a_challenge(answer: Accept | Decline) -> None:
    assert Table().refused(answer) == Message("sixcard-no-challenge")
    assert Table().solo().refused(replace(answer, seat=CAT)) == Message("sixcard-no-challenge")
    assert Table().solo().refused(answer) == Message("sixcard-already")
    assert Table().duel().refused(answer) == Message("sixcard-already")


def test_no_second_game_is_opened_at_a_table() -> None:
    assert Table().solo().refused(Open(ANN)) == Message("sixcard-already")
    assert Table().duel().refused(Open(BOB)) == Message("sixcard-already")
    assert Table().solo().refused(Open(CAT)) == Message("sixcard-not-yours")
    challenged = Table().challenge(50)
    assert challenged.refused(Open(ANN)) == Message("sixcard-own-challenge", {"who": Name(BOB)})
    terms = Message("for-stake-each", {"stake": Credits(50)})
    assert challenged.refused(Open(BOB)) == Message("sixcard-challenged", {"who": Name(ANN), "terms": terms})


def test_a_table_is_opened_by_who_sat_down_first() -> None:
    table = Table()
    table.act(Sit(ANN))
    assert table.refused(Open(BOB)) == Message("sixcard-not-yours")
    assert table.game.menu(table.state, BOB, 100) == []


@pytest.mark.parametrize("setting", [Arrange(BOB, "221 21 1"), LeaveIt(BOB)])
def test_only_who_has_cards_can_set_them(setting: Arrange | LeaveIt) -> None:
    assert Table().refused(setting) == Message("sixcard-no-cards")
    assert Table().solo().refused(setting) == Message("sixcard-not-yours")
    assert Table().challenge().refused(setting).id == "sixcard-challenged"
    assert Table().challenge().refused(replace(setting, seat=ANN)).id == "sixcard-own-challenge"
    ended = Table().solo()
    ended.time_out()
    assert ended.refused(setting) == Message("sixcard-no-cards")


@pytest.mark.parametrize("hand", ["111 22 2", "443 32 2", "432 32 1", "441 33 2 ", "2 33 441", ""])
def test_other_cards_than_ones_own_are_refused_and_the_clock_runs_on(hand: str) -> None:
    table = Table().solo()
    before = table.state, table.game.clock(table.state)
    refusal = Message("sixcard-other-cards", {"cards": "1 2 3 3 4 4"})
    assert table.refused(Arrange(ANN, hand)) == refusal
    assert (table.state, table.game.clock(table.state)) == before


def test_in_a_duel_a_refusal_that_others_may_read_names_no_cards() -> None:
    table = Table().duel()
    assert table.refused(Arrange(ANN, "111 22 2", public=True)) == Message("sixcard-secret-cards")
    assert table.refused(Arrange(ANN, "111 22 2")) == Message("sixcard-other-cards", {"cards": "1 2 3 3 4 4"})


def test_duels_can_be_turned_off_and_nobody_challenges_themselves() -> None:
    assert Table(SixCardPoker(duels=False)).refused(Open(ANN, 0, BOB)) == Message("sixcard-no-duels")
    assert Table().refused(Open(ANN, 0, ANN)) == Message("sixcard-yourself")


def test_what_is_refused_draws_nothing() -> None:
    game, rng = SixCardPoker(max_stake=10), Rng.of("untouched")
    with pytest.raises(Refusal):
        game.apply(game.start(), Open(ANN, 50), Moment(rng))
    assert rng.bits(64) == Rng.of("untouched").bits(64)
