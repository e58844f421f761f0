"""A name is shown as one plain, short line that does nothing, whatever somebody made of it."""

from __future__ import annotations

import unicodedata
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatbot.speech.safe import Dress, discord, discord_line, isolated, plain, safe_text, twitch, twitch_line
from tests.bot.disguises import HALVES
from tests.bot.hostile import HOSTILE
from tests.bot.judges import commanding, discord_acts, shown_by_discord, twitch_acts, twitch_mentions, waking

# How words of ours may stand around two texts of somebody else. No dot or slash of ours joins two.
SENTENCES = (
    "{a}",
    "{a} is in.",
    "The boss is {a}",
    "{a}{b}",
    "{a} {b}",
    "{a}, {b} and {a}",
    "({a})",
    "“{a}” is no amount.",
    "{a}: {b}",
    "{a}:{b}",
    "{a}. {b}",
    "{a}\u2019s turn",
    "1st: {a} 20, 2nd: {b} 10",
)
CALLING = ("@{a}: you are in.", "@{a}{b}", "@{a}, @{b}")
PAIRS = [*pairwise(HOSTILE), *((each, each) for each in HOSTILE), *product(HALVES, repeat=2)]

signs = st.sampled_from("@<>#&!:/.*_~`|\\[]()-+$?,= \u3002\u200b\u0338\uff20\uff0e1")
scraps = st.sampled_from([*HALVES, "everyone", "here", "ann", "com", "https", "123456789012345678"])
texts = st.one_of(
    st.text(max_size=40), st.text(signs, max_size=20), st.lists(signs | scraps, max_size=8).map("".join)
)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("ann", "ann"),
        ("  ann  bee ", "ann bee"),
        ("ann\nbob", "ann bob"),
        ("\u202eevil", "evil"),  # right-to-left override
        ("a\u200bb\u2060c\ufeffd", "abcd"),  # zero width
        ("\uff41\uff4e\uff4e", "ann"),  # full width
        ("a\x00\x1b[31mb", "a[31mb"),
        ("김철수", "김철수"),
        ("", "?"),
        ("\u200b", "?"),
        ("\u3164", "?"),  # a letter that is drawn as nothing
        ("\u2800\ufe0f", "?"),  # the same of Braille, and a variant of nothing
        ("z" + "\u0335" * 30, "z" + "\u0335" * 2),  # marks piled on a letter
        ("\u0e01" + "\u0e47" * 30, "\u0e01" + "\u0e47" * 2),  # marks that count as no combining ones
        ("a" + "\u20dd" * 30, "a" + "\u20dd" * 2),  # circles around a letter
        ("\u0335\u0301z", "z"),  # marks meant for the letter before
        ("\u2764\ufe0f", "\u2764\ufe0f"),  # a heart stays red
        ("x" * 40, "x" * 31 + "…"),
    ],
)
def test_hostile_names_become_plain(name: str, shown: str) -> None:
    assert safe_text(name) == shown


@pytest.mark.parametrize(
    "blank", "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180f\u3164\uffa0\u2800\ufe00\ufe0e\U000e0100\U000e01ef"
)
def test_nothing_that_is_drawn_as_nothing_stays_in_a_name(blank: str) -> None:
    assert safe_text(f"a{blank}b") == "ab"


def test_only_what_is_written_from_right_to_left_is_isolated() -> None:
    assert isolated("ann") == "ann"
    for dress in (isolated, plain, discord, twitch):
        assert dress("\u05d0\u05d1") == "\u2068\u05d0\u05d1\u2069"


def test_no_hostile_name_is_long_empty_or_hides_anything() -> None:
    for each in HOSTILE:
        _assert_plain(safe_text(each))


@given(texts | st.text(max_size=200))
def test_no_name_at_all_is_long_empty_or_hides_anything(name: str) -> None:
    _assert_plain(safe_text(name))


def test_there_are_two_hundred_hostile_texts() -> None:
    assert len(set(HOSTILE)) >= 200


def test_words_of_ours_do_nothing_by_themselves() -> None:
    for sentence in (*SENTENCES, *CALLING):
        ours = sentence.format(a="ann", b="bee")
        assert not discord_acts(ours)
        assert not twitch_acts(ours)


@pytest.mark.slow
def test_no_hostile_text_acts_on_discord() -> None:
    for first, second in PAIRS:
        _assert_idle_on_discord(first, second)


@pytest.mark.slow
@given(texts, texts)
def test_no_text_at_all_acts_on_discord(first: str, second: str) -> None:
    _assert_idle_on_discord(first, second)


@pytest.mark.slow
def test_no_hostile_text_acts_on_twitch() -> None:
    for first, second in PAIRS:
        _assert_idle_on_twitch(first, second)


@pytest.mark.slow
@given(texts, texts)
def test_no_text_at_all_acts_on_twitch(first: str, second: str) -> None:
    _assert_idle_on_twitch(first, second)


@pytest.mark.parametrize(
    ("text", "dressed"),
    [
        ("ann", "ann"),
        ("Ann Bee 7", "Ann Bee 7"),
        ("don't “ann”", "don't “ann”"),
        ("김철수", "김철수"),
        ("so_cool", "so\\_cool"),
        ("\\", "\\\\"),
        ("@ann", "\\@\u200bann"),
        ("everyone", "\u200beveryone"),
        ("7", "\u200b7"),  # or "7." would begin a list
    ],
)
def test_discord_gets_signs_escaped_and_nothing_else(text: str, dressed: str) -> None:
    assert discord(text) == dressed


@pytest.mark.parametrize(
    ("text", "dressed"),
    [
        ("so_cool *ann*", "so_cool *ann*"),
        ("3/4", "3/4"),
        ("Mr. Bee", "Mr. Bee"),
        ("wait... what", "wait... what"),
        ("evil.com", "evil·com"),
        ("\u4f60\u597d\u3002\u4e16\u754c", "\u4f60\u597d·\u4e16\u754c"),
        ("http://x", "http:\u2215\u2215x"),
        ("/ban", "\u2215ban"),
        (". ban", "· ban"),
        ("@ann", "ann"),
        ("@@ann, (@bob)", "ann, (bob)"),
        ("ann@bob", "ann@ bob"),
        ("@ ann", "@ ann"),
        ("@", "@ "),
    ],
)
def test_twitch_gets_dots_and_slashes_that_are_none(text: str, dressed: str) -> None:
    assert twitch(text) == dressed


@given(texts)
def test_discord_shows_what_was_written(text: str) -> None:
    assert shown_by_discord(discord(safe_text(text))) == safe_text(text)


@given(texts)
def test_twitch_shows_every_letter_that_was_written(text: str) -> None:
    safe = safe_text(text)
    assert [each for each in twitch(safe) if each.isalnum()] == [each for each in safe if each.isalnum()]


def test_a_dressed_name_stays_short() -> None:
    for each in HOSTILE:
        assert len(discord(safe_text(each))) <= 3 * 32
        assert len(twitch(safe_text(each))) <= 2 * 32


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("ann is in", "ann is in"),
        ("@ann: you are in", "@ann: you are in"),
        ("(ann) “is” in", "(ann) “is” in"),
        ("a\nb\u2028c \x00 d", "a b c d"),
        ("a\ud800b", "ab"),
        ("!heist and an amount", "» !heist and an amount"),
        ("/ban ann", "» /ban ann"),
        (".ban ann", "» .ban ann"),
        ("\u2068/ban\u2069", "» \u2068/ban\u2069"),
        ("\uff0fban", "» \uff0fban"),
        ("", ""),
        ("\u200b\u200e", ""),
        ("x" * 501, "x" * 499 + "…"),
        ("\U0001f600" * 250, "\U0001f600" * 250),
        ("\U0001f600" * 251, "\U0001f600" * 249 + "…"),  # each counts twice
    ],
)
def test_a_line_for_twitch_is_one_line_and_no_command(text: str, line: str) -> None:
    assert twitch_line(text) == line


@pytest.mark.slow
@given(st.one_of(texts, st.text(min_size=400, max_size=800), st.sampled_from(HOSTILE)))
def test_any_line_for_twitch_is_short_and_no_command(text: str) -> None:
    line = twitch_line(text)
    assert len(line.encode("utf-16-le")) <= 1000
    assert line == " ".join(line.split())
    assert not {unicodedata.category(each) for each in line} & {"Cc", "Cs", "Zl", "Zp"}
    assert not commanding(line)


@pytest.mark.parametrize("dress", [plain, twitch])
def test_no_hostile_name_makes_a_line_for_twitch_a_command(dress: Dress) -> None:
    for each in HOSTILE:
        assert not commanding(twitch_line(f"{dress(safe_text(each))} is in."))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("**Heist**\n-# over", "**Heist**\n-# over"),
        ("a \x00 b\r\nc", "a b\nc"),
        ("!heist and an amount", "\\!heist and an amount"),
        ("\u2068?ban\u2069", "\\\u2068?ban\u2069"),
        ("\n\u200b\n", ""),
        ("x" * 2001, "x" * 1999 + "…"),
        ("x" * 1998 + "\\*\\*", "x" * 1998 + "\\…"),  # the backslash hides a sign of ours, not the next one
        ("\U0001f600" * 1001, "\U0001f600" * 999 + "…"),
    ],
)
def test_a_message_for_discord_wakes_no_bot_and_is_not_too_long(text: str, line: str) -> None:
    assert discord_line(text) == line


def test_no_hostile_name_makes_a_message_for_discord_act() -> None:
    for each in HOSTILE:
        line = discord_line(f"{discord(safe_text(each))} is in.")
        assert not waking(line)
        assert not discord_acts(line)


def _assert_plain(shown: str) -> None:
    assert 1 <= len(shown) <= 32
    assert shown == " ".join(shown.split())
    assert not {unicodedata.category(each) for each in shown} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def _assert_idle_on_discord(first: str, second: str) -> None:
    a, b = discord(safe_text(first)), discord(safe_text(second))
    for sentence in (*SENTENCES, *CALLING):
        content = sentence.format(a=a, b=b)
        assert not discord_acts(content), (first, second, content)
    assert not waking(a), (first, a)


def _assert_idle_on_twitch(first: str, second: str) -> None:
    a, b = twitch(safe_text(first)), twitch(safe_text(second))
    for sentence in SENTENCES:
        text = sentence.format(a=a, b=b)
        assert not twitch_acts(text), (first, second, text)
        assert not twitch_mentions(text), (first, second, text)
        assert not commanding(twitch_line(text)), (first, second, text)
    for sentence in CALLING:
        assert not twitch_acts(sentence.format(a=a, b=b)), (first, second)
