"""Nobody can pass for a player of the house by a name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.say import Message
from chatbot.speech.safe import discord, honest, twitch
from chatbot.speech.words import Words, house_marks, languages

if TYPE_CHECKING:
    from tests.bot.stage import Stage


def mark(language: str) -> str:
    return Words(language).text(Message("house-player", {"name": ""}), str).strip()


@pytest.mark.parametrize(
    "name",
    [
        "Kelly (house)", "Kelly (HOUSE)", "Kelly ( house )", "Kelly [house]", "Kelly \uff08house\uff09",
        "Kelly (h\u043eus\u0435)", "Kelly (h0u5e)", "Kelly (ho\u200buse)", "Kelly (house",
        "Kelly (h.o.u.s.e)", "Kelly <house>", "Kelly \u3010house\u3011", "Kelly ((house))", "(house) Kelly",
        "Kelly (house)(house)",
    ],
)  # fmt: skip
async def test_no_name_of_people_can_carry_the_mark(stage: Stage, name: str) -> None:
    line = replace(stage.line("kelly", "!credits"), name=name)
    await stage.bot.converse(line)
    await stage.watch.turn()
    assert stage.said()[-1] == "Kelly has 240 credits."


async def test_no_name_carries_the_mark_of_another_language(stage: Stage) -> None:
    line = replace(stage.line("kelly", "!credits"), name="Kelly (하우스)")
    await stage.bot.converse(line)
    await stage.watch.turn()
    assert stage.said()[-1] == "Kelly has 240 credits."


def test_all_marks_are_found_in_the_files_of_the_languages() -> None:
    assert house_marks() == tuple(map(mark, languages()))


@pytest.mark.parametrize(
    "name", ["Full House", "housekeeper", "Ann (she/her)", "Dr. House", "(warehouse)", "house", "하우스"]
)
def test_other_names_stay_as_they_are(name: str) -> None:
    for language in languages():
        assert honest(name, mark(language)) == name


def test_a_name_that_carries_the_mark_only_where_it_is_cut_short_does_not_either() -> None:
    name = "K" * 25 + "(housewife)"  # 31 letters of it are shown, and dots
    assert honest(name, "(house)") == "K" * 25
    assert honest("K" * 20 + "(housewife)", "(house)") == "K" * 20 + "(housewife)"


def test_the_mark_is_kept_from_people_in_every_language() -> None:
    for language in languages():
        shown = Words(language).text(Message("house-player", {"name": "Kelly"}), str)
        assert shown == f"Kelly {mark(language)}"
        assert honest(shown, mark(language)) == "Kelly"


def test_the_mark_can_be_read_on_every_platform() -> None:
    assert twitch("Kelly (house)") == "Kelly (house)"
    assert discord("Kelly (house)") == r"Kelly \(house\)"  # shown without the strokes
