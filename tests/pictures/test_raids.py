"""The picture of a heist's result: who is named, what is drawn of a crowd, and that it fits and is small."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from chatbot.kernel.board import RaidEnding, RaidResult
from chatbot.kernel.game import Seat
from chatbot.kernel.say import Message
from chatbot.pictures import fonts
from chatbot.pictures.layout import HIGHEST, WIDTH
from chatbot.pictures.painting import png
from chatbot.pictures.people import LOSS, NOW, head
from chatbot.pictures.raid import BEST, MOST_NAMED, Raider, ResultScene, raid_of, signed
from chatbot.pictures.shapes import Style, circle, path, rectangle, render
from chatbot.pictures.targets import BOLTS, front, vault

FATES = "escaped", "caught", "returned"
ENDS = {"escaped": 100, "caught": -60, "returned": 0, "ran": 900}
HOSTILE = ("W" * 32, "\ue000", "中文", "مرحبا بك", "캔디 ann", "뷁", "\U0001f9ff", "a", "", "g͑͗͛", "@everyone")


def raid(*fates: str, names: tuple[str, ...] = (), look: str = "bank") -> ResultScene:
    """Let a raid end for people called p0, p1 and so on; whoever comes later gains one more."""
    endings = [
        RaidEnding(Seat(f"test:{number}"), fate, ENDS[fate] + number) for number, fate in enumerate(fates)
    ]
    ended = RaidResult(
        target=Message("Federal Reserve"),
        number=4,
        look=Message(look),
        verdict=Message("verdict"),
        crossed=Message("Double cross!"),
        captions=tuple((each, Message(each)) for each in FATES),
        endings=tuple(endings),
    )
    called = {each.seat: f"p{number}" for number, each in enumerate(endings)}
    called |= {each.seat: name for each, name in zip(endings, names, strict=False)}
    return raid_of(ended, lambda each: each.id, lambda seat: called[seat])


def picture(scene: ResultScene) -> Image.Image:
    return Image.open(BytesIO(png(scene))).convert("RGB")


def has(seen: Image.Image, colour: tuple[int, int, int]) -> bool:
    """Whether a picture has pixels of about this colour."""
    pixels = seen.getcolors(seen.width * seen.height) or []
    return any(
        isinstance(each, tuple) and all(abs(a - b) < 10 for a, b in zip(each, colour, strict=True))
        for _, each in pixels
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "look"), [(1, "space"), (5, "bank"), (10, "space"), (20, "bank"), (150, "bank")]
)
def test_a_result_fits_into_what_discord_shows_and_is_a_small_file(count: int, look: str) -> None:
    fates = [("ran", "escaped", "caught", "returned")[number % 4] for number in range(count)]
    raw = png(raid(*fates, names=HOSTILE, look=look))
    seen = Image.open(BytesIO(raw))
    assert (seen.format, seen.width) == ("PNG", WIDTH)
    assert seen.height <= HIGHEST
    assert len(raw) < 40_000


def test_the_best_come_first_and_those_who_backed_out_last() -> None:
    scene = raid("caught", "escaped", "returned", "escaped")
    assert [(each.name, each.gain) for each in scene.people] == [
        ("p3", 103),
        ("p1", 101),
        ("p0", -60),
        ("p2", 2),
    ]


def test_of_a_crowd_the_best_are_named_and_the_others_counted() -> None:
    scene = raid(*["escaped"] * 60, *["ran"] * 2, *["caught"] * 37, "returned")
    assert len(scene.people) == BEST
    assert [each.name for each in scene.people[:3]] == ["p61", "p60", "p59"]
    assert [(each.fate, each.count) for each in scene.groups] == [
        ("escaped", 62), ("caught", 37), ("returned", 1)
    ]  # fmt: skip


def test_as_many_as_can_be_named_are() -> None:
    scene = raid(*["caught"] * MOST_NAMED)
    assert len(scene.people) == MOST_NAMED
    assert scene.groups == ()


def test_who_takes_what_others_had_won_is_named_and_of_several_the_others_are_counted() -> None:
    assert raid("ran", "escaped").crossers == ("p0",)
    assert raid("ran", "ran", "ran", "ran", "escaped").crossers == ("p3", "p2", "+2")
    assert raid("escaped").crossed == ""


def test_up_to_eight_people_have_different_colours() -> None:
    same_name = ("ann",) * 8
    assert {each.tint for each in raid(*["escaped"] * 8, names=same_name).people} == set(range(8))


def test_a_bolt_is_drawn_back_for_each_twelfth_of_those_who_went_in() -> None:
    assert raid("escaped", "caught", "ran", "caught", "returned").away == 0.5
    assert raid("returned").away == 0
    assert vault("bank", 0, 200) != vault("bank", BOLTS // 2, 200)


def test_gains_are_bright_and_losses_red() -> None:
    won, lost = picture(raid("escaped")), picture(raid("caught"))
    assert not has(won, LOSS)
    assert has(lost, LOSS)


def test_an_amount_is_never_cut_and_says_its_sign() -> None:
    assert (signed(1240), signed(-5), signed(0)) == ("+1,240", "\N{MINUS SIGN}5", "0")
    four = raid("escaped", "escaped", "escaped", "caught")
    rich = [
        replace(four, people=(*four.people, Raider("p", 0, "ran", gain))) for gain in (10**15, 10**15 + 1)
    ]
    assert picture(rich[0]).tobytes() != picture(rich[1]).tobytes(), "the last digit is there"


def test_korean_names_are_drawn_whatever_fonts_the_system_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "SYSTEM_FONTS", ())
    fonts._installed.cache_clear()
    try:
        assert [letters for letters, _ in fonts.spans("캔디 ann", 20, fonts.WIDE)] == ["캔디", " ann"]
        assert fonts.spans("\ue000", 20, fonts.PLAIN) == []
        assert [letters for letters, _ in fonts.spans("\ue000 a", 20, fonts.PLAIN)] == ["a"]
    finally:
        fonts._installed.cache_clear()


def test_each_target_and_fate_looks_different() -> None:
    fronts = [front(look, number, 60).tobytes() for look in ("bank", "space") for number in range(5)]
    assert len(set(fronts)) == 10
    heads = [head(0, look, fate, 60).tobytes() for look in ("bank", "space") for fate in FATES]
    assert len(set(heads)) == 6


def test_a_path_is_read_as_svg_reads_it() -> None:
    black = Style((0, 0, 0))
    square, box = path("M2 2h4v4H2z", black), (0, 0, 8, 8)
    assert render([square], box, 80).tobytes() == render([rectangle(2, 2, 4, 4, black)], box, 80).tobytes()
    # Two arcs of half a circle are a circle, and so are four curves with controls at 0.5523 of its radius.
    whole = render([circle(4, 4, 3, black)], box, 80)
    for description in (
        "M1 4a3 3 0 0 1 6 0a3 3 0 0 1 -6 0z",
        "M4 1C5.657 1 7 2.343 7 4s-1.343 3-3 3-3-1.343-3-3 1.343-3 3-3z",
    ):
        curved = render([path(description, black)], box, 80)
        differing = sum(a != b for a, b in zip(curved.tobytes()[3::4], whole.tobytes()[3::4], strict=True))
        assert differing < 160, "only along the rim"


def test_what_is_bright_is_the_yellow_of_the_overlay() -> None:
    assert has(picture(raid("escaped", "escaped")), NOW)
