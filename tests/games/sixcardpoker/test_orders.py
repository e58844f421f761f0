"""Words to actions and back, in all the ways in which people type them."""

from __future__ import annotations

from typing import Any

import pytest

from chatbot.games.sixcardpoker import KIT
from chatbot.games.sixcardpoker.chat.commands import shares
from chatbot.games.sixcardpoker.rules.cards import arrangements, types
from chatbot.games.sixcardpoker.rules.moves import Accept, Arrange, Decline, LeaveIt, Open
from chatbot.games.sixcardpoker.rules.rules import SixCardPoker
from chatbot.kernel.say import Message, Name
from chatbot.speech.words import Words, languages
from tests.games.sixcardpoker.table import ANN, BOB, not_read, typed

WORDS = [Words(language) for language in languages()]
LONGEST = 500  # characters of a line


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("!sixcard", Open(ANN)),
        ("!6card", Open(ANN)),
        ("!sixcardpoker 50", Open(ANN, 50)),
        ("!sixcard 0", Open(ANN)),
        ("!sixcard 50", Open(ANN, 50)),
        ("!sixcard 1K", Open(ANN, 1000)),
        ("!sixcard HALF", Open(ANN, 500)),
        ("!sixcard 25%", Open(ANN, 250)),
        ("!sixcard all", Open(ANN, 1000)),
        ("!sixcard @bob", Open(ANN, 0, BOB)),
        ("!sixcard @bob 50", Open(ANN, 50, BOB)),
        ("!sixcard 50 @bob", Open(ANN, 50, BOB)),
        ("!sixcard accept", Accept(ANN)),
        ("!sixcard Decline", Decline(ANN)),
    ],
)
def test_a_game_is_opened_and_a_challenge_answered(line: str, action: Any) -> None:
    assert typed(line) == action


def test_what_is_left_out_is_as_the_room_has_set() -> None:
    game = SixCardPoker(default_stake=20)
    assert typed("!sixcard", game) == Open(ANN, 20)
    assert typed("!sixcard @bob", game) == Open(ANN, 20, BOB)
    assert typed("!sixcard 0", game) == Open(ANN, 0)


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        ("!sixcard bob", "sixcard-usage"),
        ("!sixcard please", "sixcard-usage"),
        ("!sixcard 50 60", "sixcard-usage"),
        ("!sixcard @bob 50 60", "sixcard-usage"),
        ("!sixcard @bob @ann", "sixcard-usage"),
        ("!sixcard @bob @bob", "sixcard-usage"),
        ("!sixcard @bob accept", "sixcard-usage"),
        ("!sixcard accept 50", "sixcard-usage"),
        ("!sixcard -5", "amount-signed"),
        ("!sixcard 1.5", "amount-unclear"),
        ("!sixcard 101%", "not-an-amount"),
        ("!sixcard \N{ARABIC-INDIC DIGIT FIVE}", "not-an-amount"),
        ("!sixcard 00", "amount-out-of-range"),
        ("!sixcard 9999999999999999", "amount-out-of-range"),
        ("!sixcard @nash", "sixcard-house"),
    ],
)
def test_what_cannot_be_opened_is_refused_with_the_reason(line: str, refusal: str) -> None:
    message = not_read(line)
    assert message.id == refusal
    for words in WORDS:
        assert len(words.text(message, str)) <= LONGEST


def test_nobody_is_challenged_where_cards_cannot_be_told_in_secret() -> None:
    assert not_read("!sixcard @bob 50", confides=False) == Message("sixcard-no-secrets")
    assert typed("!sixcard 50", confides=False) == Open(ANN, 50)


def test_who_plays_at_another_table_is_neither_challenged_nor_takes_a_challenge_up() -> None:
    assert not_read("!sixcard @bob", engaged={BOB}) == Message("sixcard-busy", {"who": Name(BOB)})
    assert not_read("!sixcard accept", engaged={ANN}) == Message("sixcard-already")
    assert typed("!sixcard decline", engaged={ANN}) == Decline(ANN)


@pytest.mark.parametrize(
    "text",
    [
        "144 23 3",
        "441 32 3",
        "414 23 3",
        "1 4 4 | 2 3 | 3",
        "1 4 4 2 3 3",
        "144233",
        "144/23/3",
        "144,23,3",
        "144-23-3",
        "144 | 23 | 3",
        "1 4 4, 2 3, 3.",
        "  144   23  3 ",
    ],
)
def test_three_hands_in_all_the_ways_people_write_them(text: str) -> None:
    for word in ("set", "arrange"):
        assert typed(f"!{word} {text}") == Arrange(ANN, "441 32 3")
        assert typed(f"!{word} {text}", public=True) == Arrange(ANN, "441 32 3", public=True)


@pytest.mark.parametrize("word", ["auto", "AUTO", "Auto"])
def test_auto_leaves_it_to_best_play(word: str) -> None:
    assert typed(f"!set {word}") == LeaveIt(ANN)


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("", "sixcard-hands"),
        ("| |", "sixcard-hands"),
        ("high", "sixcard-hands"),
        ("auto please", "sixcard-hands"),
        ("please auto", "sixcard-hands"),
        ("155 23 1", "sixcard-hands"),
        ("044 23 1", "sixcard-hands"),
        ("AKQ JT 9", "sixcard-hands"),
        ("144 23 \N{ARABIC-INDIC DIGIT ONE}", "sixcard-hands"),
        ("144 23 \N{FULLWIDTH DIGIT ONE}", "sixcard-hands"),
        ("144 23 \N{SUPERSCRIPT ONE}", "sixcard-hands"),
        ("1" * 400 + "9", "sixcard-hands"),
        ("1" * 400, "sixcard-sizes"),
        ("1 " * 400, "sixcard-sizes"),
        ("14 23 1", "sixcard-sizes"),
        ("144 2 31", "sixcard-sizes"),
        ("1 23 144", "sixcard-sizes"),
        ("144 23", "sixcard-sizes"),
        ("144 23 1 1", "sixcard-sizes"),
        ("14423", "sixcard-sizes"),
        ("1442311", "sixcard-sizes"),
        ("1", "sixcard-sizes"),
    ],
)
def test_what_is_no_setting_gets_one_sentence_that_repeats_nothing(text: str, refusal: str) -> None:
    assert not_read(f"!arrange {text}") == Message(refusal)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("144", "23", "1"), True),
        (("144231",), True),
        (("auto",), True),
        (("9",), True),
        ((), False),
        (("heist", "lobby", "30"), False),
        (("sixcard", "arrangement", "30"), False),
        (("x",), False),
    ],
)
def test_what_looks_like_cards_behind_a_shared_word_is_meant_for_the_game(
    words: tuple[str, ...],
    *,
    meant: bool,
) -> None:
    assert shares(words) is meant


@pytest.mark.parametrize(
    "action",
    [
        Open(ANN),
        Open(ANN, 10**15),
        Accept(ANN),
        Decline(ANN),
        LeaveIt(ANN),
        *(Arrange(ANN, str(each)) for each in arrangements(types()[30])),
    ],
)
def test_every_action_reads_back_from_its_line_and_from_the_journal(action: Any) -> None:
    assert typed(KIT.chat.line(action)) == action
    assert KIT.codec.load(KIT.codec.dump(action)) == action


def test_a_challenge_survives_the_journal_and_is_written_with_its_rival() -> None:
    challenge = Open(ANN, 50, BOB)
    assert KIT.chat.line(challenge) == "!sixcard @test:bob 50"
    assert KIT.codec.load(KIT.codec.dump(challenge)) == challenge


def test_suggestions_can_be_typed() -> None:
    game = SixCardPoker(default_stake=30)
    for command in KIT.chat.commands:
        for option in command.options:
            suggested = option.suggest(game, {}) if option.suggest else option.choices
            for value in suggested:
                assert typed(f"!{command.word} {value}", game)


def test_the_suggested_stakes_begin_with_the_usual_one() -> None:
    (stake,) = [each for each in KIT.chat.commands[0].options if each.name == "stake"]
    assert stake.suggest is not None
    assert list(stake.suggest(SixCardPoker(default_stake=30, min_stake=5), {}))[:3] == ["30", "0", "5"]
