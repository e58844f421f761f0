"""What is not visible is no part of what is read, and what is visible stays as it was typed."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatbot.rooms.line import as_read
from chatbot.speech.visible import as_seen, is_unseen

# DerivedCoreProperties.txt of Unicode 16, Default_Ignorable_Code_Point, whole.
IGNORABLE = (
    "00AD 034F 061C 115F-1160 17B4-17B5 180B-180F 200B-200F 202A-202E 2060-206F 3164 FE00-FE0F FEFF FFA0 "
    "FFF0-FFF8 1BCA0-1BCA3 1D173-1D17A E0000-E0FFF"
)
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
HEART, WALES = "\u2764\ufe0f", "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"
UNSEEN = (
    "\u2800\u3164\u115f\u1160\uffa0\u200b\u200d\u2060\u034f\u00ad\ufeff\ufe0f\u202e\x00\U000e0000\U000e0061"
)
signs = st.sampled_from("!\uff01 a\u00a07\uac15\u2764\t\n" + UNSEEN + FAMILY + WALES)


def ignorable() -> list[str]:
    ends = [each.partition("-") for each in IGNORABLE.split()]
    return [chr(n) for low, _, high in ends for n in range(int(low, 16), int(high or low, 16) + 1)]


def test_every_sign_that_unicode_ignores_is_unseen() -> None:
    assert [hex(ord(each)) for each in ignorable() if not is_unseen(each)] == []
    assert is_unseen("\u2800")  # a Braille letter without a dot


def test_letters_digits_and_symbols_are_seen() -> None:
    kinds = {"Lu", "Ll", "Nd", "Nl", "Sm", "Sc", "Po", "Pd", "Mc"}
    every = map(chr, range(sys.maxunicode + 1))
    assert [hex(ord(each)) for each in every if unicodedata.category(each) in kinds and is_unseen(each)] == []


@pytest.mark.parametrize("sign", [*UNSEEN, "\u200b\u2800 \U000e0000"])
@pytest.mark.parametrize("line", ["!heist 69", "!강도 예", "hello you"])
def test_a_sign_that_nobody_sees_is_read_nowhere_around_words(line: str, sign: str) -> None:
    assert as_read(line + sign) == line
    assert as_read(sign + line) == line
    assert as_read(line.replace(" ", f" {sign} ")) == line
    assert as_read(line.replace(" ", f"{sign} ")) == line
    assert as_read(line.replace(" ", f" {sign}")) == line
    assert as_read(sign) == ""


@pytest.mark.parametrize("gap", ["\u2800", "\u3164", "\uffa0", "\u3000", "\u00a0", "\n", "\t"])
def test_what_looks_like_a_blank_parts_words(gap: str) -> None:
    assert as_read(f"!heist{gap}69") == "!heist 69"


def test_what_nobody_sees_behind_the_sign_is_no_part_of_the_word_and_a_blank_there_is_talk() -> None:
    assert as_read("\u200b\uff01\u200b\U000e0000heist 69") == "!heist 69"
    assert as_read("!\u2800heist") == as_read("!  heist") == "! heist"


@pytest.mark.parametrize(
    "shown", [FAMILY, HEART, WALES, "1\ufe0f\u20e3", "葛\U000e0100", "Al\u200bice", "©\ufe0f"]
)
def test_what_shapes_signs_within_a_name_stays(shown: str) -> None:
    assert as_seen(f"!give {shown} 5 {shown}\u200b") == f"!give {shown} 5 {shown}"


def test_a_variant_of_a_digit_a_letter_or_nothing_is_unseen() -> None:
    assert as_seen("69\ufe0f 강도\ufe0f \u2800\ufe0f a\U000e0100") == "69 강도 a"
    assert as_seen("x\U000e0067\U000e007f") == "x"  # tags behind no flag


@given(st.lists(signs, max_size=12).map("".join))
def test_what_was_read_once_is_read_again_as_the_same(text: str) -> None:
    read = as_read(text)
    assert as_read(read) == read
    assert read == " ".join(read.split())
