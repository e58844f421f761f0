"""What is said, every line within 500 characters in each language, and the board."""

from __future__ import annotations

from typing import Any

import pytest

from chatbot.games.chickenpoker import KIT
from chatbot.games.chickenpoker.chat.board import hand_text
from chatbot.games.chickenpoker.rules.moves import (
    EVENTS,
    Chosen,
    Disclosure,
    Event,
    Join,
    Play,
    RoundShown,
    Shown,
    Won,
)
from chatbot.games.chickenpoker.rules.rules import ChickenPoker
from chatbot.kernel.commands import TopicRequest
from chatbot.kernel.game import Seat
from chatbot.kernel.lobby import ForHonour, Leave, Start
from chatbot.kernel.say import Message, Say, Talk
from chatbot.speech.words import Words, languages
from tests.games.chickenpoker.table import ANN, BOB, CAT, NASH, PEOPLE, Table

WORDS = {language: Words(language) for language in languages()}
EVERY_LANGUAGE = pytest.mark.parametrize("language", sorted(WORDS))
LONG_NAME = "W" * 25
LONGEST = 500  # characters of a line
NAMES = {ANN: "Ann", BOB: "Bob", CAT: "Cat", NASH: "Nash (house)"}
HOUSE = tuple(Seat("house:nash" if each == 1 else f"house:nash-{each}") for each in range(1, 10))


def english(events: Any) -> list[str]:
    return [
        WORDS["en"].text(say.message, NAMES.__getitem__) for each in events for say in KIT.chat.narrate(each)
    ]


def test_a_game_among_people_reads_well() -> None:
    table = Table()
    assert english(table.act(Join(ANN, 3, 50))) == [
        (
            "Ann opens a table of Chicken Poker, for 50 credits each: everybody holds the cards 1 to 3 and "
            "shows one a round; the highest takes the points of all. Join with !chicken within 60 seconds."
        )
    ]
    assert english(table.act(Join(BOB))) == [
        "Bob joins; 2 at the table now.",
        "You are in, for 50 credits each.",
    ]
    assert english(table.time_out()) == [
        "The seats are drawn: 1 Ann, 2 Bob. The numbers decide ties. In the pot: 100 credits.",
        "Round 1 of 3: pick a card and whisper it to me, by !play and its number. You have 30 seconds.",
    ]
    assert english(table.act(Play(ANN, 3))) == [
        "Ann has chosen; 1 to go.",
        "You have chosen 3. You can still change it.",
    ]
    assert english(table.time_out()) == [
        "Round 1 of 3: Ann takes 4! Ann 3 (4), Bob 1* (0). (* too late: the lowest card)",
        "Round 2 of 3: !play a card within 30 seconds.",
        "Cards left: Ann 1 2; Bob 2 3.",
    ]
    assert english(table.round(2, 2)[1:]) == [
        "Round 2 of 3: a tie, and Ann takes 4! Ann 2 (8), Bob 2 (0).",
        "Round 3 of 3: Bob takes 4! Ann 1 (8), Bob 3 (4).",
        "Ann wins Chicken Poker with 8 points, and the pot: 100 credits!",
    ]


def test_the_house_tells_its_hashes_and_what_opens_them_in_fine_print() -> None:
    table = Table().seated(ANN, NASH, cards=3)
    hashed = table.view().committed[0].digest
    assert english(table.events)[-2:] == [
        (
            "Round 1 of 3: pick a card by !play and its number; the house has fixed its own. "
            "You have 30 seconds."
        ),
        f"Fixed by the house (SHA-256): Nash (house) {hashed}.",
    ]
    fixed = table.playing.fixed[NASH]
    happened = table.round_alone(fixed.card)
    told = english(happened)
    assert f"Opened (nonce and card): Nash (house) {fixed.nonce} {fixed.card}." in told
    held = hand_text([card for card in (1, 2, 3) if card != fixed.card])
    assert f"Cards left, to everybody: {held}." in told
    fine = [say.message.id for each in table.events for say in KIT.chat.narrate(each) if say.fine]
    assert fine == ["chicken-hashes", "chicken-nonces", "chicken-hashes"]


def test_a_public_choice_is_answered_by_a_hint_once_that_names_no_card() -> None:
    table = Table().seated(ANN, BOB, CAT)
    assert english(table.act(Play(ANN, 3, public=True))) == [
        "Ann has chosen; 2 to go.",
        (
            "Others can read what you choose here! Better whisper it to me, or use the private buttons where "
            "there are any. You can still change it."
        ),
    ]
    assert english(table.act(Play(ANN, 2, public=True))) == ["Ann has chosen again."]
    table.act(Play(BOB, 1))
    table.act(Play(CAT, 2, public=True))  # the last one: there is nobody left to make use of it
    assert [each.exposed for each in table.of(Chosen)] == [True, False, False, False]
    table.act(Play(CAT, 1, public=True))
    assert table.of(Chosen)[-1].exposed
    table.act(Play(ANN, 1, public=True))
    assert not table.of(Chosen)[-1].exposed


def test_alone_against_the_house_a_public_choice_is_fine() -> None:
    table = Table().seated(ANN, *HOUSE[:3], cards=5)
    happened = table.act(Play(ANN, 3, public=True))
    assert not any(isinstance(each, Chosen) and each.exposed for each in happened)
    assert isinstance(happened[1], RoundShown)


def test_equal_totals_are_told_with_their_shares() -> None:
    table = Table().seated(ANN, BOB, cards=2, stake=5)
    assert english(table.round(2, 1))[-1] == (
        "A shared victory in Chicken Poker: Ann, Bob, with 3 points each! The pot makes 5 credits for each."
    )
    odd = Won((ANN, BOB), {ANN: 3, BOB: 3, CAT: 0}, 15, {ANN: 8, BOB: 7})
    assert english([odd]) == [
        (
            "A shared victory in Chicken Poker: Ann, Bob, with 3 points each! The pot makes 7 credits for "
            "each, and 1 more for the first of them."
        )
    ]


@pytest.mark.parametrize(
    ("hand", "text"),
    [((), ""), ((3,), "3"), ((3, 4), "3 4"), ((1, 2, 3), "1–3"), ((1, 3, 4, 6, 7, 8, 9), "1 3 4 6–9")],
)
def test_hands_are_written_shortly(hand: tuple[int, ...], text: str) -> None:
    assert hand_text(hand) == text


# Lengths


def largest(people: int) -> Table:
    """Play a game of ten with fifteen cards; some are late in every round, and hands become ragged."""
    table = Table(ChickenPoker(max_stake=0))
    table.seated(*PEOPLE[:people], *HOUSE[: 10 - people], cards=15, stake=10**15 if people == 10 else 0)
    for number in range(1, 15):
        for place, seat in enumerate(PEOPLE[: people - 1]):
            hand = table.playing.hands[seat]
            if (number + place) % 3:
                table.act(Play(seat, hand[(3 * number + place) % len(hand)], public=True))
        table.time_out()
    return table


@EVERY_LANGUAGE
@pytest.mark.parametrize("people", [1, 5, 10])
def test_every_line_of_the_largest_game_has_at_most_500_characters(language: str, people: int) -> None:
    table = largest(people)
    assert len(table.of(RoundShown)) == 15
    for event in table.events:
        for say in KIT.chat.narrate(event):
            assert len(text(language, say.message)) <= LONGEST, text(language, say.message)


@EVERY_LANGUAGE
def test_the_worst_lines_there_can_be_fit_too(language: str) -> None:
    totals = dict.fromkeys(PEOPLE, 1200)  # as many as there are cards in all
    shown = tuple(Shown(seat, 15, late=True) for seat in PEOPLE)
    disclosed = tuple(Disclosure(seat, "f" * 32, 15) for seat in HOUSE)
    worst: list[Event] = [
        RoundShown(14, 15, shown, PEOPLE[0], 150, totals, disclosed),
        Won(PEOPLE, totals, 10**16 + 9, dict.fromkeys(PEOPLE, 10**15)),
    ]
    for event in worst:
        for say in KIT.chat.narrate(event):
            assert len(text(language, say.message)) <= LONGEST, text(language, say.message)


@EVERY_LANGUAGE
def test_the_rules_are_told_in_lines_of_at_most_500_characters(language: str) -> None:
    told = KIT.chat.topics["rules"](ChickenPoker(), TopicRequest(ANN, 0))
    assert told
    assert all(len(text(language, each)) <= LONGEST for each in told)


def text(language: str, message: Message) -> str:
    return WORDS[language].text(message, lambda seat: LONG_NAME)


def test_every_event_is_told() -> None:
    table = Table().seated(ANN, BOB)
    table.round(1, 2)
    table.round(2, 1)
    alone = Table(ChickenPoker(house_fills=0))
    alone.act(Join(ANN, 6, 50))
    alone.act(Leave(ANN))
    alone.act(Join(ANN))
    alone.act(ForHonour(ANN))
    alone.time_out()
    first = Table()
    first.act(Join(ANN))
    first.act(Start(ANN))
    events = [*table.events, *alone.events, *first.events]
    assert {type(each) for each in events} == set(EVENTS)
    assert all(list(KIT.chat.narrate(each)) for each in events)


def test_a_quiet_room_hears_the_rounds_and_no_more() -> None:
    table = Table().seated(ANN, BOB, NASH)
    table.act(Play(ANN, 1))
    table.time_out()
    says = [say for each in table.events for say in KIT.chat.narrate(each) if say.to is None]
    quiet = {say.message.id for say in says if say.talk is Talk.QUIET}
    assert quiet == {
        "chicken-opened",
        "chicken-seated",
        "chicken-round",
        "chicken-round-next",
        "chicken-shown",
        "chicken-shown-tied",
    } & {say.message.id for say in says}


def test_buttons_name_the_terms_and_the_cards() -> None:
    table = Table(ChickenPoker(cards=5, default_stake=50))
    labels = [KIT.display.label(each).id for each in table.game.menu(table.state, ANN, 50)]
    assert labels == ["chicken-button-stake", "chicken-button-honour"]
    table.seated(ANN, BOB)
    assert [KIT.display.label(each) for each in table.game.menu(table.state, ANN, 0)] == [
        Message("chicken-button-play", {"card": card}) for card in ("1", "2", "3")
    ]


def test_who_chooses_last_is_not_told_that_another_choice_is_possible() -> None:
    table = Table().seated(ANN, NASH)
    table.act(Play(ANN, 3))
    (own,) = [
        say for event in table.events for say in KIT.chat.narrate(event) if say.to == ANN and say.secret
    ]
    assert WORDS["en"].text(own.message, NAMES.__getitem__) == "You have chosen 3."


def test_what_is_for_one_alone_is_secret_where_it_names_a_card() -> None:
    table = Table().seated(ANN, BOB)
    table.act(Play(ANN, 3))
    (own,) = [say for say in KIT.chat.narrate(table.events[-1]) if say.to == ANN]
    assert own == Say(
        Message("chicken-you-chose", {"card": "3"}), ANN, secret=True, game="chickenpoker", event="Chosen"
    )
