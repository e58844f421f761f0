"""What is said: whole games in English, hands in words, and every line within 500 characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games.pokermarket import KIT
from chatbot.games.pokermarket.chat.board import worded
from chatbot.games.pokermarket.rules.moves import (
    EVENTS,
    Accept,
    Accepted,
    Dealt,
    Decline,
    Declined,
    Event,
    Join,
    Missed,
    Offer,
    Placing,
    Proposed,
    Ranked,
    Reason,
    Turn,
    TurnBegan,
)
from chatbot.games.pokermarket.rules.rules import PokerMarket
from chatbot.kernel.commands import TopicRequest
from chatbot.kernel.lobby import ForHonour, Leave, Start
from chatbot.kernel.say import Message, Say, Talk
from chatbot.speech.words import Words, languages
from tests.games.pokermarket.table import ANN, BOB, CAT, GREEDY, JUNK, KINGS, PEOPLE, SIXES, Table

if TYPE_CHECKING:
    from collections.abc import Iterable

WORDS = {language: Words(language) for language in languages()}
EVERY_LANGUAGE = pytest.mark.parametrize("language", sorted(WORDS))
LONG_NAME = "W" * 25
LONGEST = 500  # characters of a line
NAMES = {ANN: "Ann", BOB: "Bob", CAT: "Cat", GREEDY: "Greedy (house)"}


def english(events: Iterable[Any]) -> list[str]:
    return [
        WORDS["en"].text(say.message, NAMES.__getitem__) for each in events for say in KIT.chat.narrate(each)
    ]


def test_a_market_among_people_reads_well() -> None:
    table = Table()
    assert english(table.act(Join(ANN, 1, 50))) == [
        (
            "Ann opens a table of Poker Market, for 50 credits each: five open cards each, one round of "
            "swaps, and then the best poker hand gets most. Join with !market within 60 seconds."
        )
    ]
    assert english(table.act(Join(BOB))) == [
        "Bob joins; 2 at the table now.",
        "You are in, for 50 credits each.",
    ]
    table.dealt(KINGS, SIXES, JUNK, stake=50)
    assert english([Dealt(table.trading.hands(), 1, 150)]) == [
        (
            "The cards lie open, in the order of turns: Ann K♦K♠9♥7♣5♥ · Bob J♣6♦6♠4♥3♣ · "
            "Cat Q♠10♦8♣4♦2♥ · In the pot: 150 credits."
        )
    ]
    assert english(table.propose("5H", "JC")) == [
        (
            "Ann offers Bob 5♥ for J♣ (then Ann: pair of kings, jack kicker; Bob: pair of sixes, "
            "five kicker). Bob, !accept or !decline within 20 seconds."
        )
    ]
    assert english(table.act(Accept(BOB))) == [
        (
            "Bob accepts 5♥ for J♣! Ann has K♦K♠J♣9♥7♣ now (pair of kings, jack kicker), "
            "and Bob 6♦6♠5♥4♥3♣ (pair of sixes, five kicker)."
        ),
        (
            "Your turn, Bob (round 1 of 1): offer one of your cards for somebody else’s, "
            "as in !swap 3C QS, or !pass. You have 30 seconds."
        ),
    ]
    assert english([Dealt(table.trading.hands(), 1, 0)])[0].endswith("4♦2♥."), "the next line follows it"
    table.propose("6S", "QS")
    assert english(table.act(Decline(CAT)))[0] == "Cat declines 6♠ for Q♠ from Bob."
    assert english(table.time_out()) == [
        "No word from Cat, who passes.",
        (
            "The market is closed (pot 150 credits): "
            "1. Ann, pair of kings, jack kicker (3 points, 75 credits) · "
            "2. Bob, pair of sixes, five kicker (2 points, 50 credits) · "
            "3. Cat, queen high, ten kicker (1 point, 25 credits)."
        ),
        (
            "The best swap that nobody proposed: 6♦ of Bob for 2♥ of Cat in round 1 "
            "(then Bob: straight to the six; Cat: queen high, ten kicker)."
        ),
    ]


def test_silence_is_told_as_such() -> None:
    table = Table().dealt(KINGS, SIXES, rounds=2)
    table.propose("5H", "JC")
    assert english(table.time_out())[0] == "Bob has not answered Ann in time: no deal on 5♥ for J♣."
    assert english(table.time_out())[0] == "No word from Bob, who passes."
    assert english(table.passed())[0] == "Ann passes."


def test_a_round_with_other_hands_begins_with_them() -> None:
    table = Table().dealt(KINGS, SIXES, rounds=2)
    table.propose("5H", "JC")
    table.act(Accept(BOB))
    assert english(table.passed()) == [
        "Bob passes.",
        "Cards now: Ann K♦K♠J♣9♥7♣ · Bob 6♦6♠5♥4♥3♣.",
        "Your turn, Ann (round 2 of 2): !swap 7C 6D or the like, or !pass. You have 30 seconds.",
    ]


def test_the_house_is_not_told_what_to_type_and_says_why_it_declines() -> None:
    offer = Offer(ANN, "5H", "JC", GREEDY)
    turn = TurnBegan(Turn(2, 1, 1, GREEDY), ("3C", "KS"), 30)
    assert english([turn]) == ["Round 1 of 1: it is the turn of Greedy (house)."]
    assert english([Proposed(offer, tuple(KINGS.split()), tuple(SIXES.split()), 20)]) == [
        "Ann offers Greedy (house) 5♥ for J♣."
    ]
    says = {
        Reason.WORSE: "My hand would be worse.",
        Reason.OVERTAKEN: "That would put you ahead of me.",
        Reason.NOTHING: "That does nothing for my hand.",
        Reason.PATIENT: "I hope for better.",
    }
    for reason, text in says.items():
        assert english([Declined(offer, reason=reason)]) == [
            f"Greedy (house) declines 5♥ for J♣ from Ann: “{text}”"
        ]


def test_the_swap_that_nobody_proposed_comes_last() -> None:
    offer = Offer(ANN, "JH", "KH", BOB)
    missed = Missed(offer, 2, ("KD", "KH", "KS", "7C", "5H"), ("JC", "JH", "6D", "6S", "3C"))
    places = (Placing(ANN, tuple(KINGS.split()), 1, 1, 0),)
    assert english([Ranked(places, 0, missed)]) == [
        "The market is closed: 1. Ann, pair of kings, nine kicker (1 point).",
        (
            "The best swap that nobody proposed: J♥ of Ann for K♥ of Bob in round 2 "
            "(then Ann: three of a kind, kings; Bob: two pair, jacks and sixes, three kicker)."
        ),
    ]


# Hands in words


@pytest.mark.parametrize(
    ("hand", "text", "korean"),
    [
        ("AS KS QS JS TS", "royal flush", "로열 플러시"),
        ("TS 9S 8S 7S 6S", "straight flush to the ten", "10 스트레이트 플러시"),
        ("5S 4S 3S 2S AS", "straight flush to the five", "5 스트레이트 플러시"),
        ("JS JH JD JC 3D", "four of a kind, jacks", "J 포카드"),
        ("3S 3H 3D JS JH", "full house, threes over jacks", "풀하우스, 3 트리플에 J 페어"),
        ("6S 6H 6D 2S 2H", "full house, sixes over twos", "풀하우스, 6 트리플에 2 페어"),
        ("AS 9S 8S 7S 2S", "flush, ace high", "A 플러시"),
        ("TS 9D 8S 7S 6S", "straight to the ten", "10 스트레이트"),
        ("5S 4D 3S 2S AS", "straight to the five", "5 스트레이트"),
        ("AS KD QS JS TS", "straight to the ace", "A 스트레이트"),
        ("QS QD QH 4C 2S", "three of a kind, queens", "Q 트리플"),
        ("KS KD TS TC 4H", "two pair, kings and tens, four kicker", "K·10 투페어, 키커 4"),
        ("KS KD AS TC 4H", "pair of kings, ace kicker", "K 원페어, 키커 A"),
        ("8S KD AS TC 4H", "ace high, king kicker", "A 하이카드, 키커 K"),
    ],
)
def test_hands_are_put_into_words(hand: str, text: str, korean: str) -> None:
    message = worded(hand.split())
    assert WORDS["en"].text(message, str) == text
    assert WORDS["ko"].text(message, str) == korean


# Lengths

TENS = ("2S 2H 2D 2C TS", "3S 3H 3D 3C TH", "4S 4H 4D 4C TD", "5S 5H 5D 5C TC")
WORDIEST = ("QS", "QD", "7S", "7D", "3S")  # two pair, queens and sevens, three kicker
HANDS = dict(zip(PEOPLE, [tuple(each.split()) for each in (*TENS, *[KINGS] * 6)], strict=True))


def assert_short(language: str, message: Message) -> None:
    told = WORDS[language].text(message, lambda seat: LONG_NAME)
    assert len(told.encode("utf-16-le")) // 2 <= LONGEST, told


@EVERY_LANGUAGE
def test_all_hands_of_ten_players_with_the_longest_names_fit_into_one_line(language: str) -> None:
    dealt, afresh = Dealt(HANDS, 5, 10**16), TurnBegan(Turn(41, 5, 5, ANN), ("TS", "TH"), 600, HANDS)
    for event, lines in ((dealt, 1), (afresh, 2)):
        says = list(KIT.chat.narrate(event))
        assert len(says) == lines
        for say in says:
            assert_short(language, say.message)


@EVERY_LANGUAGE
def test_the_longest_lines_there_can_be_fit(language: str) -> None:
    offer = Offer(ANN, "TS", "TD", BOB)
    house = Offer(ANN, "TS", "TD", GREEDY)
    # the ten largest shares of 10^16 credits for 10 to 1 of 55 points
    places = tuple(
        Placing(seat, WORDIEST, rank, 11 - rank, 10**16 * (11 - rank) // 55)
        for rank, seat in enumerate(PEOPLE, 1)
    )
    worst: list[Event] = [
        Proposed(offer, WORDIEST, WORDIEST, 600),
        Accepted(offer, {ANN: WORDIEST, BOB: WORDIEST}),
        Declined(offer, late=True),
        *(Declined(house, reason=each) for each in Reason),
        Ranked(places, 10**16, Missed(offer, 5, WORDIEST, WORDIEST)),
    ]
    for event in worst:
        for say in KIT.chat.narrate(event):
            assert_short(language, say.message)


@EVERY_LANGUAGE
def test_the_rules_are_told_in_lines_of_at_most_500_characters(language: str) -> None:
    told = KIT.chat.topics["rules"](PokerMarket(), TopicRequest(ANN, 0))
    assert told
    for each in told:
        assert_short(language, each)


# Who hears what


def happened() -> list[Any]:
    """Everything that can happen, once or more."""
    table = Table().seated(ANN, BOB, GREEDY, rounds=2)
    for answer in (Accept, Decline, None):
        table.act(table.game.menu(table.state, table.trading.seat, 0)[1])
        asked = table.trading.answering
        if answer is None or asked is None:
            table.time_out()
        else:
            table.act(answer(asked))
    alone = Table(PokerMarket(house_fills=0))
    for each in (Join(ANN, 1, 50), Leave(ANN), Join(ANN), ForHonour(ANN)):
        alone.act(each)
    alone.time_out()
    first = Table()
    first.act(Join(ANN))
    first.act(Start(ANN))
    return [*table.finished().events, *alone.events, *first.events]


def test_every_event_is_told() -> None:
    events = happened()
    assert {type(each) for each in events} == set(EVENTS)
    for event in events:
        says = list(KIT.chat.narrate(event))
        assert says
        assert {(say.game, say.event) for say in says} == {("pokermarket", type(event).__name__)}


def test_a_quiet_room_hears_what_it_has_to_act_on_and_what_changes() -> None:
    says = [say for each in happened() for say in KIT.chat.narrate(each) if say.to is None]
    quiet = {say.message.id for say in says if say.talk is Talk.QUIET}
    assert quiet <= {
        "market-opened", "market-abandoned", "market-dealt", "market-hands", "market-turn",
        "market-turn-again", "lobby-returned",
        "market-proposed-you", "market-accepted", "market-declined-late", "market-ranked", "market-missed",
    }  # fmt: skip
    assert {"market-dealt", "market-turn", "market-accepted", "market-ranked"} <= quiet


def test_what_only_the_house_has_to_do_is_for_talkative_rooms() -> None:
    (turn,) = KIT.chat.narrate(TurnBegan(Turn(1, 1, 1, GREEDY), ("3C", "KS"), 30))
    assert turn.talk is Talk.FULL
    offer = Offer(ANN, "5H", "JC", GREEDY)
    (asked,) = KIT.chat.narrate(Proposed(offer, WORDIEST, WORDIEST, 20))
    assert asked.talk is Talk.FULL


def test_nothing_is_secret_and_only_who_joins_starts_or_leaves_is_spoken_to_alone() -> None:
    alone: list[Say] = [say for each in happened() for say in KIT.chat.narrate(each) if say.to or say.secret]
    assert {say.message.id for say in alone} == {"market-you-joined", "market-you-left", "lobby-you-started"}
    assert not any(say.secret for say in alone)
