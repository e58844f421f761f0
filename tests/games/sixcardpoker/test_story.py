"""What is said: whole games as people hear them, and every line within 500 characters in each language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games.sixcardpoker import KIT
from chatbot.games.sixcardpoker.chat.board import points
from chatbot.games.sixcardpoker.rules.moves import EVENTS, Accept, Decline, LeaveIt, Open, Opened, Revealed
from chatbot.games.sixcardpoker.rules.rules import SixCardPoker
from chatbot.games.sixcardpoker.rules.states import THE_HOUSE
from chatbot.kernel.commands import TopicRequest
from chatbot.kernel.say import Message, Say, Talk
from chatbot.speech.words import Words, languages
from tests.games.sixcardpoker.table import ANN, BOB, DRAW, LOSS, WIN, Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chatbot.kernel.game import Seat

WORDS = {language: Words(language) for language in languages()}
EVERY_LANGUAGE = pytest.mark.parametrize("language", sorted(WORDS))
NAMES = {ANN: "Ann", BOB: "Bob", THE_HOUSE: "Nash (house)"}
LONG_NAME = "W" * 25
LONGEST = 500  # characters of a line


def says(events: Iterable[Any]) -> list[Say]:
    return [say for each in events for say in KIT.chat.narrate(each)]


def english(events: Iterable[Any]) -> list[str]:
    """Write what is said, with who hears it alone."""
    return [_to(say.to) + WORDS["en"].text(say.message, NAMES.__getitem__) for say in says(events)]


def _to(seat: Seat | None) -> str:
    return "" if seat is None else f"> {NAMES[seat]}: "


def test_a_game_against_the_house_begins_with_its_hash_and_ends_with_what_opens_it() -> None:
    table = Table().solo(50)
    (opened,) = table.of(Opened)
    assert english(table.events) == [
        f"Against Ann, the house has set its cards already; their hash (SHA-256): {opened.committed.digest}.",
        (
            "Ann plays the house at Six Card Poker, for 50 credits. Ann, your cards: 1 2 3 3 4 4. "
            "Split them into High (3 cards), Middle (2) and Low (1), such as !set 332 44 1, "
            "or leave it to !set auto, within 60 seconds."
        ),
    ]
    happened = table.set(ANN, WIN)
    nonce = table.of(Revealed)[0].second.nonce
    assert english(happened) == [
        (
            "Ann wins 2½ to ½ and gets 100 credits! Ann against Nash (house): High 4 4 1 (9) beats 1 1 1 (3) "
            "· Middle pair of 3s beats pair of 2s · Low 2 draws with 2."
        ),
        (
            f"To check the house: SHA-256 of the 16 bytes {nonce} and then the text 111 22 2 "
            "is the hash that came first."
        ),
    ]
    assert [say.message.id for say in says(table.events) if say.fine] == ["sixcard-hash", "sixcard-nonce"]


@pytest.mark.parametrize("end", [WIN, DRAW, LOSS])
@pytest.mark.parametrize("stake", [0, 50])
def test_the_verdict_says_who_won_and_what_becomes_of_the_stake(end: str, stake: int) -> None:
    table = Table().solo(stake)
    (told, _) = english(table.set(ANN, end))
    assert told.startswith(f"{_VERDICTS[end, stake]} Ann against Nash (house): ")


_VERDICTS = {
    (WIN, 0): "Ann wins 2½ to ½!",
    (WIN, 50): "Ann wins 2½ to ½ and gets 100 credits!",
    (DRAW, 0): "It is a draw, 1½ to 1½.",
    (DRAW, 50): "It is a draw, 1½ to 1½: stakes go back.",
    (LOSS, 0): "Nash (house) wins 2 to 1!",
    (LOSS, 50): "Nash (house) wins 2 to 1 and keeps the stake of 50 credits.",
}


def test_a_duel_tells_cards_and_settings_to_each_alone_until_the_end() -> None:
    table = Table().challenge(50)
    assert english(table.events) == [
        (
            "Ann challenges Bob to a duel at Six Card Poker, for 50 credits each. "
            "Bob, answer with !sixcard accept or !sixcard decline within 60 seconds."
        )
    ]
    table = Table().duel(50)
    assert english(table.events)[1:] == [
        (
            "Bob takes up the challenge of Ann, for 50 credits each! "
            "Both have their cards in secret, and 60 seconds to set them."
        ),
        (
            "> Ann: Your cards: 1 2 3 3 4 4. Split them in secret into High (3 cards), Middle (2) and Low (1)"
            ", such as !set 332 44 1, or leave it to !set auto, within 60 seconds."
        ),
        (
            "> Bob: Your cards: 1 1 1 2 2 2. Split them in secret into High (3 cards), Middle (2) and Low (1)"
            ", such as !set 211 22 1, or leave it to !set auto, within 60 seconds."
        ),
    ]
    assert english(table.set(ANN, LOSS)) == [
        "Ann has set the cards.",
        "> Ann: You have set 443 32 1. You can still change it until both are in.",
    ]
    assert english(table.set(ANN, WIN)) == [
        "Ann has set the cards again.",
        "> Ann: You have set 441 33 2. You can still change it until both are in.",
    ]
    assert english(table.set(BOB, "221 21 1")) == [
        (
            "Ann wins 3 to 0 and gets 100 credits! Ann against Bob: High 4 4 1 (9) beats 2 2 1 (5) · "
            "Middle pair of 3s beats 2 1 · Low 2 beats 1."
        )
    ]
    secret = [say for say in says(table.events) if say.to is not None]
    assert all(say.secret for say in secret)


def test_who_has_set_in_public_is_warned_once_and_told_nothing_twice() -> None:
    table = Table().duel()
    assert english(table.set(ANN, WIN, public=True)) == [
        "Ann has set the cards.",
        (
            "> Ann: Others can read how you set your cards here! Better whisper it to me, "
            "or use the private buttons where there are any. You can still change it."
        ),
    ]
    assert english(table.set(ANN, LOSS, public=True)) == ["Ann has set the cards again."]


def test_who_leaves_it_to_best_play_is_told_how_it_set() -> None:
    table = Table(own="111222", other="123344").duel()
    assert english(table.act(LeaveIt(ANN)))[1].startswith("> Ann: You have set 111 22 2.")


def test_late_settings_are_told_as_such() -> None:
    assert english(Table().solo().time_out())[0] == "Time is up: best play has set the cards of Ann."
    assert english(Table().duel().time_out())[0] == "Time is up: best play has set the cards of Ann, Bob."
    table = Table().duel()
    table.set(ANN, WIN)
    assert english(table.time_out())[0] == "Time is up: best play has set the cards of Bob."


def test_a_challenge_that_comes_to_nothing_is_told() -> None:
    declined, back = (Table().challenge().act(Decline(seat)) for seat in (BOB, ANN))
    assert english(declined) == ["Bob declines the duel with Ann."]
    assert english(back) == ["Ann takes the challenge to Bob back."]
    assert english(Table().challenge().time_out()) == [
        "Bob did not answer in time; the duel with Ann is off."
    ]


def test_what_is_on_the_board_too_is_said_less_loudly() -> None:
    table = Table().duel()
    first, again = (says(table.set(ANN, each))[0] for each in (WIN, LOSS))
    assert (first.talk, first.shown) == (Talk.NORMAL, True)
    assert (again.talk, again.shown) == (Talk.FULL, True)
    assert {say.talk for say in says(table.time_out())} == {Talk.QUIET}


def test_a_commitment_is_published_in_the_quietest_room() -> None:
    table = Table().solo()
    table.set(ANN, WIN)
    assert {say.talk for say in says(table.events) if say.fine} == {Talk.QUIET}


def test_every_event_is_told() -> None:
    tables = [Table().solo(), Table().duel(), Table().challenge(), Table().challenge(), Table()]
    tables[4].act(Open(ANN, 0, BOB, by_seat=True))
    tables[4].act(Accept(BOB))
    tables[4].time_out()  # before either has opened a seat
    tables[1].set(ANN, WIN)
    tables[2].act(Decline(BOB))
    tables[3].time_out()
    tables[0].time_out()
    happened = [each for table in tables for each in table.events]
    assert {type(each) for each in happened} == set(EVENTS)
    assert all(says([each]) for each in happened)


@pytest.mark.parametrize(
    ("results", "written"),
    [
        ((1, 1, 1), "3"),
        ((1, 1, 0), "2½"),
        ((1, 0, 0), "2"),
        ((0, 0, 0), "1½"),
        ((0, -1, 0), "1"),
        ((-1, -1, 0), "½"),
        ((-1, -1, -1), "0"),
    ],
)
def test_a_drawn_hand_is_half_a_point(results: tuple[int, ...], written: str) -> None:
    assert points(results) == written


@EVERY_LANGUAGE
@pytest.mark.parametrize("stake", [0, 10**15])
def test_every_line_has_at_most_500_characters(language: str, stake: int) -> None:
    game = SixCardPoker(arrangement=600, acceptance=600, max_stake=0)
    solo, duel, lapsed = Table(game).solo(stake), Table(game).duel(stake), Table(game).challenge(stake)
    duel.set(ANN, WIN, public=True)
    duel.set(ANN, LOSS)
    for table in (solo, duel, lapsed):
        table.time_out()
    events = [*solo.events, *duel.events, *lapsed.events]
    thoughts = [say for each in (solo, duel) for say in KIT.chat.analyses[Revealed](each.of(Revealed)[0])]
    for say in [*says(events), *thoughts]:
        told = WORDS[language].text(say.message, lambda _: LONG_NAME)
        assert len(told) <= LONGEST, told


@EVERY_LANGUAGE
def test_the_rules_are_told_in_lines_of_at_most_500_characters(language: str) -> None:
    game = SixCardPoker(arrangement=600, acceptance=600)
    told = [WORDS[language].text(each, str) for each in KIT.chat.topics["rules"](game, TopicRequest(ANN, 0))]
    assert len(told) == 4
    assert all(len(each) <= LONGEST for each in told), told


def test_where_there_are_no_duels_the_rules_do_not_tell_of_them() -> None:
    told = KIT.chat.topics["rules"](SixCardPoker(duels=False, arrangement=30), TopicRequest(ANN, 0))
    assert told[1:] == [Message("sixcard-rules"), Message("sixcard-rules-house", {"seconds": 30})]
