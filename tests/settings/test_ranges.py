"""Every setting takes exactly what it says that it takes."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Refusal
from chatbot.kernel.settings import as_text, schema_of
from chatbot.settings.fields import Fields
from tests.bot.every_setting import all_groups

if TYPE_CHECKING:
    from chatbot.kernel.settings import Descriptor

SMALLEST = Decimal("0.000001")  # beyond a bound, it is beyond it by this
COUNTED, SHARES, LISTED, YES_NO = (
    {"expects-whole", "expects-time"},
    "expects-number",
    "expects-one-of",
    "expects-yes-no",
)
SETTINGS = {
    f"{group.name} {key}": each
    for group in all_groups.values()
    if isinstance(group, Fields)
    for key, each in schema_of(group.kind).descriptors.items()
}


def taken(setting: Descriptor, text: str) -> str | None:
    """Give the value that a text comes to, as it is stored; None: it is refused, with what is expected."""
    try:
        return as_text(setting.parse(text))
    except Refusal as refusal:
        return None if refusal.message.args["expected"] == setting.expected else str(refusal)


def test_a_count_is_taken_up_to_both_bounds_that_its_refusal_names_and_not_beyond() -> None:
    for name, each in SETTINGS.items():
        if each.expected.id in COUNTED:
            named = (str(each.expected.args[key]) for key in ("least", "most"))
            least, most = (int(str(each.plain(text))) for text in named)
            found = [taken(each, str(count)) for count in (least - 1, least, most, most + 1)]
            assert found == [None, str(least), str(most), None], name


def test_a_share_is_taken_from_nothing_up_to_the_bound_that_its_refusal_names() -> None:
    for name, each in SETTINGS.items():
        if each.expected.id == SHARES:
            most = int(str(each.expected.args["most"]))
            found = [
                taken(each, f"{share:f}") for share in (-SMALLEST, Decimal(0), Decimal(most), most + SMALLEST)
            ]
            assert found == [None, "0", str(most), None], name


@pytest.mark.parametrize("text", ["1e0", "nan", "inf", "-0", "+0", "0,5", ".5", "0.", "½", "١", "0x0", "0_0"])  # noqa: RUF001
def test_a_number_is_taken_in_plain_digits_only(text: str) -> None:
    for name, each in SETTINGS.items():
        if each.expected.id in {*COUNTED, SHARES}:
            assert taken(each, text) is None, name


def test_each_of_the_words_that_a_refusal_lists_is_taken_in_any_case_and_no_other() -> None:
    for name, each in SETTINGS.items():
        if each.expected.id == LISTED:
            listed = str(each.expected.args["choices"]).split(", ")
            assert [taken(each, word.upper()) for word in listed] == listed, name
            assert taken(each, "".join(listed)) is None, name


def test_what_is_neither_counted_nor_listed_is_known_to_need_tests_of_its_own() -> None:
    assert {each.expected.id for each in SETTINGS.values()} - {*COUNTED, SHARES, LISTED, YES_NO} == {
        "expects-chances",
        "expects-forms",
        "expects-getaway",
        "expects-language",
        "expects-levels",
        "expects-odds",
        "expects-penalty",
        "expects-sites",
        "expects-strategies",
        "expects-titles",
    }
