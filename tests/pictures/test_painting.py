"""Pictures as pixels: within what Discord shows, small, and without a box where a letter is missing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from chatbot.kernel.board import Card
from chatbot.kernel.game import Seat
from chatbot.pictures import cards, fonts, shapes
from chatbot.pictures.layout import HIGHEST, WIDTH, planned
from chatbot.pictures.painting import png
from chatbot.pictures.people import NOW
from tests.pictures.boards import ANN, MARKET, REVEALED, SHOW, hand, marked, scene

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chatbot.kernel.board import Hand
    from chatbot.pictures.layout import PicturePlan, Spot

DREW = "1 1 2 3 4 4"
MANY = (
    marked("Shown", "-1027", "shown"),
    marked("Kept", " ".join(map(str, range(100, 600))), "kept"),
    marked("Rejected", " ".join(map(str, range(-1290, -1000))), "rejected"),
    hand("Left", hidden=1000),
)
TABLES = {
    "revealed": REVEALED,
    "show": SHOW,
    "market": MARKET,
    "many": MANY,
    "covered": (hand("cards", DREW, ANN), hand("High", owner=Seat("test:bob"), hidden=3)),
}


def picture(*hands: Hand) -> Image.Image:
    return Image.open(BytesIO(png(scene(*hands)))).convert("RGB")


def boxes(plan: PicturePlan) -> list[tuple[int, int, int, int]]:
    every: list[Spot | None] = [*plan.places, plan.upcard, plan.pile]
    return [(each.left, each.top, each.left + each.width, each.top + each.height) for each in every if each]


def apart(boxes: Iterable[tuple[int, int, int, int]]) -> bool:
    """Whether no two of these have a pixel in common."""
    known = list(boxes)
    return not any(
        a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
        for number, a in enumerate(known)
        for b in known[:number]
    )


@pytest.mark.parametrize("table", TABLES)
def test_a_table_fits_into_what_discord_shows_and_is_a_small_file(table: str) -> None:
    raw = png(scene(*TABLES[table]))
    drawn = Image.open(BytesIO(raw))
    assert (drawn.format, drawn.mode) == ("PNG", "P")
    assert drawn.width == WIDTH
    assert drawn.height <= HIGHEST
    assert len(raw) < 25_000


@pytest.mark.parametrize("table", TABLES)
def test_nothing_lies_upon_something_else_or_beyond_the_edge(table: str) -> None:
    plan = planned(scene(*TABLES[table]))
    assert apart(boxes(plan))
    for left, top, right, bottom in boxes(plan):
        assert (left >= 0, top >= 0, right <= WIDTH, bottom <= plan.height) == (True,) * 4


@pytest.mark.parametrize("table", TABLES)
def test_the_cards_of_a_group_stay_within_it(table: str) -> None:
    for place in planned(scene(*TABLES[table])).places:
        count = len(place.group.cards) or 1
        assert count * place.card + 2 * place.pad <= place.width


def test_more_hands_than_any_table_has_still_stay_beside_each_other() -> None:
    hands = [hand("Hand", " ".join("123456789"), Seat(f"test:{row}")) for row in range(12) for _ in range(3)]
    assert apart(boxes(planned(scene(*hands))))


def test_equal_scenes_make_equal_pictures_and_others_do_not() -> None:
    turned = (hand("High", "4 4 2", ANN, "won", "9"), *REVEALED[1:])
    assert png(scene(*REVEALED)) == png(scene(*REVEALED))
    assert png(scene(*REVEALED)) != png(scene(*turned))


def test_a_hand_that_won_has_a_yellow_rim_and_one_that_lost_is_dimmed() -> None:
    won, plain, lost = (picture(hand("High", "4 4 1", ANN, mark)) for mark in ("won", "plain", "lost"))
    assert share(won, NOW) > 10 * share(plain, NOW)
    assert share(plain, cards.PAPER) > 0.1
    assert share(lost, cards.PAPER) < 0.01


def test_red_suits_are_red_and_black_ones_are_not() -> None:
    red, black = (cards.face(Card(each), 100, dimmed=False).convert("RGB") for each in ("Q♦", "Q♠"))
    assert share(red, cards.RED) > 0.05
    assert share(black, cards.RED) == 0


@pytest.fixture
def poor(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have a machine without any other font."""
    monkeypatch.setattr(fonts, "SYSTEM_FONTS", ())
    fonts._installed.cache_clear()
    yield
    fonts._installed.cache_clear()


@pytest.mark.usefixtures("poor")
@pytest.mark.parametrize("name", ["뷁쒧", "\U0001f9ff", "\ue000\ue001", "中\u200d"])
def test_a_name_that_no_font_can_draw_is_left_out_and_leaves_no_boxes(name: str) -> None:
    odd, blank = (scene(hand("cards", DREW, Seat(f"test:{each}"))) for each in (name, " "))
    assert odd != blank
    assert png(odd) == png(blank)


@pytest.mark.usefixtures("poor")
def test_of_a_name_with_a_pictogram_the_letters_are_drawn() -> None:
    odd, plain = (scene(hand("cards", DREW, Seat(f"test:{each}"))) for each in ("ann \U0001f9ff", "ann"))
    assert png(odd) == png(plain)


@pytest.mark.usefixtures("poor")
def test_the_programs_own_font_has_what_cards_need() -> None:
    for text in ("0123456789", "AKQJ", "♠♥♦♣", "-−+=✓", "Ж", "é"):
        assert fonts.lettering(text, 20) is not None, text


@pytest.mark.slow
def test_several_tables_may_be_drawn_at_once() -> None:
    seen = [scene(*each) for each in TABLES.values()]
    one_by_one = [png(each) for each in seen]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(png, seen)) == one_by_one


def share(seen: Image.Image, colour: shapes.Colour) -> float:
    """Measure how much of a picture has about this colour."""
    near = sum(
        count
        for count, each in seen.getcolors(seen.width * seen.height) or []
        if isinstance(each, tuple) and all(abs(a - b) < 16 for a, b in zip(each, colour, strict=True))
    )
    return near / (seen.width * seen.height)


# Ten hands with the words of each beside a name, or behind the cards where the name leaves no room


def fair(name: str, words: str = "pair of twos, ace kicker") -> Image.Image:
    """Draw ten hands of five cards, the first of them of this player and with these words."""
    rest = [hand("ace high", "A♠ K♠ 9♦ 7♣ 2♥", Seat(f"test:{number}")) for number in range(9)]
    return picture(hand(words, "A♠ 10♥ 7♦ 2♣ 2♥", Seat(f"test:{name}")), *rest)


def test_of_the_longest_name_as_much_is_written_as_there_is_room_for() -> None:
    assert fair("W" * 25).tobytes() != fair("M" * 25).tobytes()
    assert fair("W" * 40).tobytes() == fair("W" * 39 + "M").tobytes(), "its end is cut off"


@pytest.mark.slow
def test_words_that_find_no_room_beside_a_name_stand_behind_the_cards() -> None:
    for name in ("W" * 25, "Bartholomew the Magnificent"):
        assert fair(name).tobytes() != fair(name, "pair of twos, king kicker").tobytes()
    endless = "a" * 100, "b" * 100
    assert fair("W" * 25, endless[0]).tobytes() == fair("W" * 25, endless[1]).tobytes(), "nothing is cut"
