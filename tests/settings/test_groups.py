"""A group of settings is described once, and a change looks at what it changes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AfterValidator, Field

from chatbot.games import kits
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message
from chatbot.kernel.settings import Flag, Whole
from chatbot.settings.fields import Entries, Fields, Selection, of_game

looked = Counter[str]()


def _noted(name: str) -> AfterValidator:
    def look(value: int) -> int:
        looked[name] += 1
        return value

    return AfterValidator(look)


@dataclass(frozen=True, slots=True)
class Shelf:
    least: Annotated[Whole, Field(ge=0, le=100), _noted("least")] = 10
    most: Annotated[Whole, Field(ge=0, le=100), _noted("most")] = 50
    open: Flag = True
    label: Annotated[str, Message("expects-text", {"most": 9})] = "A"

    def __post_init__(self) -> None:
        looked["together"] += 1
        if self.least > self.most:
            raise Refusal(Message("stakes-crossed"))


PRESETS = {"wide": {}, "narrow": {"least": 20, "most": 30}}
SHELF = Fields("shelf", Shelf, presets=PRESETS)


def chosen(**typed: str | None) -> Selection[Shelf]:
    return SHELF.changed(SHELF.unset, typed)


def test_a_change_looks_at_the_value_and_once_at_how_it_fits_the_rest() -> None:
    former, expected = chosen(least="20"), Shelf(20, 60)
    looked.clear()
    assert SHELF.changed(former, {"most": "60"}).value == expected
    assert looked == {"most": 1, "together": 1}


def test_what_is_listed_and_found_is_not_looked_at_again() -> None:
    former = chosen(least="20")
    looked.clear()
    assert [each.value for each in SHELF.listed(former)] == ["wide", "20", "50", "yes", "A"]
    assert SHELF.find(former, "LEAST").value == "20"
    assert looked == {}


def test_a_value_is_stored_in_its_plainest_form() -> None:
    assert chosen(OPEN="OFF", label="aB").choices == {"open": "no", "label": "aB"}


def test_what_goes_back_has_the_value_of_its_preset() -> None:
    narrow = SHELF.changed(chosen(preset="NARROW"), {"most": "90"})
    assert (narrow.choices, narrow.value) == ({"preset": "narrow", "most": "90"}, Shelf(20, 90))
    back = SHELF.changed(narrow, {"most": None})
    assert (back.choices, back.value) == ({"preset": "narrow"}, Shelf(20, 30))
    assert SHELF.find(back, "most").default == "30"


def test_what_is_chosen_on_top_stays_when_the_preset_changes_and_must_fit_it() -> None:
    assert SHELF.changed(chosen(least="25"), {"preset": "narrow"}).value == Shelf(25, 30)
    with pytest.raises(Refusal) as refused:
        SHELF.changed(chosen(least="40"), {"preset": "narrow"})
    assert refused.value.message.id == "stakes-crossed"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ({"most": "101"}, "setting-wrong"),
        ({"most": "5"}, "stakes-crossed"),
        ({"depth": "5"}, "setting-unknown"),
        ({"lable": "60"}, "unknown-but-near"),
        ({"preset": "round"}, "preset-unknown"),
    ],
)
def test_what_is_not_possible_is_refused_and_changes_nothing(typed: dict[str, str], message: str) -> None:
    former = chosen(least="20")
    with pytest.raises(Refusal) as refused:
        SHELF.changed(former, typed)
    assert refused.value.message.id == message
    assert (former.choices, former.value) == ({"least": "20"}, Shelf(20, 50))


def test_what_is_chosen_as_it_would_be_anyway_is_idle() -> None:
    same = chosen(most="50", least="11", preset="wide")
    assert [key for key in same.choices if SHELF.is_redundant(same, key)] == ["most", "preset"]


def test_of_open_keys_only_what_changes_is_read() -> None:
    asked: list[str] = []

    def entry(key: str, text: str) -> tuple[str, str]:
        asked.append(key)
        return key, text

    words = Entries("words", entry, Message("expects-text"), ("a", "b"))
    two = words.changed(words.changed(words.unset, {"rob": "heist"}), {"go": "heist"})
    asked.clear()
    assert words.changed(two, {"go": "duel"}).value == {"rob": "heist", "go": "duel"}
    assert words.changed(two, {"rob": None}).value == {"go": "heist"}
    assert asked == ["go", "rob"]


HEIST = of_game(kits()["heist"])
TYPED = {
    "preset": (*HEIST.presets, None),
    "lobby": ("45", "90", None),
    "min_stake": ("1", "30", "6000", None),
    "max_stake": ("0", "50", "5000", None),
    "odds": ("1/1/1/1/1", None),
    "daunting": ("no", "YES", None),
}
CHANGES = st.lists(
    st.sampled_from([(key, text) for key, texts in TYPED.items() for text in texts]), max_size=8
)


@given(changes=CHANGES)
def test_a_row_of_changes_comes_to_what_reading_their_choices_afresh_does(
    changes: list[tuple[str, str | None]],
) -> None:
    selection = HEIST.unset
    for key, text in changes:
        try:
            selection = HEIST.changed(selection, {key: text})
        except Refusal:
            continue
        assert HEIST.read(selection.choices) == selection
