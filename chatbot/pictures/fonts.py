"""Select the font of a text: one that is installed with the program, or a system font for other scripts."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from PIL import ImageFont, features

DEFAULT_FONT = "DejaVuSans-Bold.ttf"  # from Matplotlib: Latin, Greek, Cyrillic and the suits of cards
SYSTEM_FONTS = (
    "malgunbd.ttf",  # Windows
    "AppleSDGothicNeo.ttc",  # macOS
    "NotoSansCJK-Bold.ttc",
    "NotoSansKR-Bold.otf",
    "NanumGothicBold.ttf",
)
"""Fonts with Korean letters, of which the first that the system has is used."""
_NONCHARACTER = "\uffff"  # no font has a glyph for it
_TEST_SIZE = 20  # pixels at which glyphs are compared
_RIGHT_TO_LEFT = {"R", "AL", "AN"}


def lettering(text: str, size: int) -> tuple[str, ImageFont.FreeTypeFont] | None:
    """Return a text without invisible characters, and a font of `size` pixels for it; None if there is none.

    Pictograms are removed if no font has glyphs for all of them.

    Raises:
        OSError: the default font is missing.
    """
    seen = "".join(each for each in text if unicodedata.category(each) not in {"Cf", "Cc", "Mn"}).strip()
    letters = "".join(each for each in seen if unicodedata.category(each) != "So").strip()
    for wanted in (seen, letters):
        font = _font_for(wanted, size)
        if font is not None and wanted:
            return wanted, font
    return None


def _font_for(text: str, size: int) -> ImageFont.FreeTypeFont | None:
    if not features.check("raqm") and any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in text):
        return None  # without Raqm, Pillow draws the characters from left to right
    return next((_font(each, size) for each in _installed() if _covers(each, text)), None)


def _covers(path: str, text: str) -> bool:
    return all(_has_glyph(path, each) for each in text)


@lru_cache(maxsize=2000)
def _has_glyph(path: str, char: str) -> bool:
    """Whether a font draws a character differently from one that it lacks."""
    if char.isspace():
        return True
    font = _font(path, _TEST_SIZE)
    drawn, missing = font.getmask(char), font.getmask(_NONCHARACTER)
    return drawn.size != missing.size or bytes(drawn) != bytes(missing)


@cache
def _installed() -> tuple[str, ...]:
    found = [_default_path()]
    for each in SYSTEM_FONTS:
        try:
            ImageFont.truetype(each, _TEST_SIZE)
        except OSError:
            continue
        return (*found, each)
    return tuple(found)


@cache
def _default_path() -> str:
    matplotlib = find_spec("matplotlib")  # importing it would take half a second
    if matplotlib is None or matplotlib.origin is None:
        raise OSError("Matplotlib is not installed, and its fonts with it")
    return str(Path(matplotlib.origin).parent / "mpl-data" / "fonts" / "ttf" / DEFAULT_FONT)


@lru_cache(maxsize=64)
def _font(path: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)
