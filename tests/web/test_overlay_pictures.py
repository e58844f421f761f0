"""The overlay looks as it did when somebody last looked at it: moments of each game against kept pictures.

A picture that is meant to change is painted anew by `python -m tests.web.overlay_pictures`, and looked at;
the tables in them are recorded anew by `python -m tests.web.recording`.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from chatbot.speech.words import Words
from tests.web.chromium import CHROMIUM
from tests.web.overlay_pictures import (
    GOLDEN,
    LEAGUE,
    LEAGUE_MOMENTS,
    MOMENTS,
    SIZE,
    paint_kept,
    path_of,
    themes_of,
)
from tests.web.overlay_server import viewing
from tests.web.recording import THEMES, kept
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.overlay_server import Viewing

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]

FAR = 64  # of 255: how far a channel of a pixel may be from what it was, for its palette and smooth edges
MOST = 0.0005  # of all pixels that may be further: 259 of 960 × 540, fewer than a chair has

VIEWS = [
    pytest.param(game, theme, marks=() if game == "heist" or theme == "bank" else pytest.mark.nightly)
    for game in (*MOMENTS, LEAGUE)
    for theme in themes_of(game)
]


@pytest.mark.parametrize(("game", "theme"), VIEWS)
async def test_every_moment_looks_as_it_did(browser: Browser, game: str, theme: str) -> None:
    painted = await paint_kept(browser, game, theme)
    for moment, picture in painted.items():
        former = Image.open(path_of(game, moment, theme)).convert("RGBA")
        assert former.size == picture.size
        assert _far(former, picture) <= MOST, f"{game}, {moment}, {theme}"


@pytest.mark.parametrize(
    ("game", "moment", "seconds", "thing"),
    [
        ("chickenpoker", "gathering", 8, ".gathering-place[data-tint]"),
        ("heist", "getaway", 69, ".in-crowd"),
        ("pokermarket", "play", 66, ".market-cards .card"),
    ],
)
async def test_a_single_thing_that_is_missing_is_noticed(
    browser: Browser, game: str, moment: str, seconds: float, thing: str
) -> None:
    async with viewing(browser, kept(game), "?theme=bank", SIZE) as view:
        await view.reach(seconds)
        former = Image.open(path_of(game, moment, "bank")).convert("RGBA")
        assert _far(former, await _shot(view)) <= MOST
        await view.page.locator(thing).first.evaluate("(each) => { each.style.visibility = 'hidden'; }")
        assert _far(former, await _shot(view)) > MOST


async def _shot(view: Viewing) -> Image.Image:
    return Image.open(io.BytesIO(await view.page.screenshot(omit_background=True))).convert("RGBA")


def test_the_kept_recordings_know_all_texts_that_drawings_use() -> None:
    labels = {each for each in Words("en").ids if each.startswith("overlay-")}
    for game in MOMENTS:
        for theme in THEMES:
            assert labels <= set(kept(game, theme)[0]["labels"]), "python -m tests.web.recording"


def _far(former: Image.Image, picture: Image.Image) -> float:
    """Return the part of the pixels that are far from what they were; colours count as they are seen."""
    distance = np.abs(_seen(former) - _seen(picture)).max(axis=2)
    return float((distance > FAR).mean())


def _seen(picture: Image.Image) -> np.ndarray:
    """Return a picture over a grey ground, so that what is transparent has one colour, and its opacity."""
    values = np.asarray(picture, dtype=float)
    opacity = values[..., 3:] / 255
    return np.concatenate([values[..., :3] * opacity + 128 * (1 - opacity), values[..., 3:]], axis=2)


def test_the_kept_pictures_are_transparent_where_nothing_is_drawn_and_clear_of_the_margins() -> None:
    pictures = sorted(GOLDEN.glob("*.png"))
    assert len(pictures) == len(THEMES) * sum(map(len, MOMENTS.values())) + len(LEAGUE_MOMENTS)
    for path in pictures:
        opacity = np.asarray(Image.open(path).convert("RGBA"))[..., 3]
        assert (opacity == 0).mean() > 0.35, path.name
        assert opacity[:, :47].max() == opacity[:, -47:].max() == 0, path.name  # 5% of 960
        assert opacity[:26].max() == opacity[-40:].max() == 0, (
            path.name
        )  # 5% of 540, and the lower 80 of 1080
        assert opacity.max() == 255, path.name
