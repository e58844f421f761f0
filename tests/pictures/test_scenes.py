"""What a picture is to show: rows by owner, few cards of many, and words that are words."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from chatbot.kernel.board import Board
from chatbot.kernel.say import Message
from chatbot.pictures.scene import MOST_BESIDE, MOST_CARDS, MOST_ROWS, scene_of
from tests.pictures.boards import ANN, BOB, REVEALED, SHOW, hand, marked, scene

ROOT = Path(__file__).parent.parent.parent


def faces(group: object) -> list[str]:
    return [each.face for each in getattr(group, "cards", ())]


def test_the_hands_of_an_owner_lie_in_a_row_with_the_name() -> None:
    rows = scene(*REVEALED).rows
    assert [row.name for row in rows] == ["ann", "bob"]
    assert [[each.label for each in row.groups] for row in rows] == [["High", "Middle", "Low"]] * 2
    assert [[each.mark for each in row.groups] for row in rows] == [
        ["won", "lost", "drawn"],
        ["lost", "won", "drawn"],
    ]
    assert faces(rows[0].groups[0]) == ["4", "4", "1"]
    assert rows[0].groups[1].detail == "no pair"


def test_the_card_that_is_turned_up_and_the_pile_lie_beside_the_rows() -> None:
    seen = scene(*SHOW)
    assert faces(seen.upcard) == ["27"]
    assert seen.pile is not None
    assert seen.pile.hidden == 20
    assert [row.groups[0].label for row in seen.rows] == ["Kept", "Rejected"]  # also where nothing lies yet
    assert {row.name for row in seen.rows} == {""}


def test_a_place_for_cards_to_come_is_left_out_when_none_come_any_more() -> None:
    seen = scene(marked("Kept", "12 44", "kept"), hand("Rejected"), hand("Left", "45 46"))
    assert [row.groups[0].label for row in seen.rows] == ["Kept", "Left"]


def test_a_board_without_cards_has_no_picture() -> None:
    for hands in ((), (hand("Kept"),)):
        assert scene_of(Board(Message("title"), hands=hands), str, str) is None


def test_of_many_cards_the_newest_are_drawn_and_the_others_counted() -> None:
    many = marked("Rejected", " ".join(map(str, range(1000))), "rejected")
    (row,) = scene(many).rows
    assert faces(row.groups[0]) == [str(each) for each in range(1000 - MOST_CARDS, 1000)]
    assert row.groups[0].earlier == 1000 - MOST_CARDS
    (beside,) = scene(SHOW[0], many).rows
    assert faces(beside.groups[0]) == [str(each) for each in range(1000 - MOST_BESIDE, 1000)]


def test_of_many_cards_that_nobody_took_the_first_are_drawn() -> None:
    (row,) = scene(hand("Left", " ".join(map(str, range(30))))).rows
    assert faces(row.groups[0]) == [str(each) for each in range(MOST_CARDS)]
    assert (row.groups[0].earlier, row.groups[0].later) == (0, 30 - MOST_CARDS)


def test_more_rows_than_can_be_seen_are_left_to_the_words() -> None:
    hands = [hand("Hand", "1", owner) for _ in range(20) for owner in (ANN, BOB)]
    assert len(scene(*hands).rows) == MOST_ROWS


@pytest.mark.slow
def test_pillow_is_not_loaded_before_there_is_something_to_draw() -> None:
    lazy = {"PIL", "chatbot.pictures.painting", "chatbot.pictures.cards", "chatbot.pictures.fonts"}
    for path in [*(ROOT / "cogs").glob("*.py"), ROOT / "chatbot" / "pictures" / "scene.py"]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = {each.module for each in tree.body if isinstance(each, ast.ImportFrom)}
        plain = {name.name for each in tree.body if isinstance(each, ast.Import) for name in each.names}
        assert not (named | plain) & lazy, path
