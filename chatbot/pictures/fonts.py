"""Select the font of a text: one that is installed with the program, or a system font for other scripts."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path

from PIL import ImageFont, features

DEFAULT_FONT = Path(__file__).parent / "dejavu" / "DejaVuSans-Bold.ttf"
"""Latin, Greek, Cyrillic and the suits of cards; DejaVu 2.37, free to ship with its licence beside it."""
SYSTEM_FONTS = (
    "malgunbd.ttf",  # Windows
    "AppleSDGothicNeo.ttc",  # macOS
    "NotoSansCJK-Bold.ttc",
    "NotoSansKR-Bold.otf",
    "NanumGothicBold.ttf",
)
"""Fonts with Korean letters, of which the first that the system has is used."""
SHIPPED = Path(__file__).parents[1] / "web" / "static" / "fonts"
PLAIN = ("ibm-plex-sans-kr-latin-600.woff2", "ibm-plex-sans-kr-korean-600.woff2")
WIDE = ("unbounded-latin-800.woff2", "black-han-sans-korean-400.woff2")
"""The faces of the overlay: Latin, and the commonest Korean syllables; for the rest there are those above."""
_NONCHARACTER = "\uffff"  # no font has a glyph for it
_TEST_SIZE = 20  # pixels at which glyphs are compared
_RIGHT_TO_LEFT = {"R", "AL", "AN"}


def lettering(
    text: str, size: int, face: tuple[str, ...] = PLAIN
) -> tuple[str, ImageFont.FreeTypeFont] | None:
    """Return a text without invisible characters, and a font of `size` pixels for it; None if there is none.

    It is of the face if that has all its letters, or else another one that has them. Pictograms are removed
    if no font has glyphs for all of them.

    Raises:
        OSError: the default font is missing.
    """
    visible = _visible(text)
    letters = "".join(each for each in visible if unicodedata.category(each) != "So").strip()
    for candidate in (visible, letters):
        font = _font_for(candidate, size, face)
        if font is not None and candidate:
            return candidate, font
    return None


def spans(text: str, size: int, face: tuple[str, ...]) -> list[tuple[str, ImageFont.FreeTypeFont]]:
    """Split a text into parts with a font each, of a face or else of whatever has its letters; in pixels.

    What no font has is left out. Texts from right to left are in one font, which orders them.

    Raises:
        OSError: the default font is missing.
    """
    visible = _visible(text)
    if any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in visible):
        whole = lettering(visible, size)
        return [whole] if whole is not None else []
    fonts = (*_faces(face), *_installed())
    characters = ((each, _first(fonts, each)) for each in visible)
    drawable = [each for each in characters if each[1] is not None]
    while drawable and drawable[0][0].isspace():  # what was left out may have stood before it
        del drawable[0]
    runs = groupby(drawable, key=lambda each: each[1])
    return [("".join(each for each, _ in run), _font(path, size)) for path, run in runs if path]


def _first(fonts: tuple[str, ...], char: str) -> str | None:
    return next((each for each in fonts if _has_glyph(each, char)), None)


@cache
def _faces(names: tuple[str, ...]) -> tuple[str, ...]:
    """Give the files of a face that can be read: FreeType may have been built without WOFF2."""
    paths = []
    for each in names:
        try:
            ImageFont.truetype(str(SHIPPED / each), _TEST_SIZE)
        except OSError:
            continue
        paths.append(str(SHIPPED / each))
    return tuple(paths)


def _visible(text: str) -> str:
    return "".join(each for each in text if unicodedata.category(each) not in {"Cf", "Cc", "Mn"}).strip()


def _font_for(text: str, size: int, face: tuple[str, ...]) -> ImageFont.FreeTypeFont | None:
    if not features.check("raqm") and any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in text):
        return None  # without Raqm, Pillow draws the characters from left to right
    fonts = (*_faces(face), *_installed())
    return next((_font(each, size) for each in fonts if _covers(each, text)), None)


def _covers(path: str, text: str) -> bool:
    return all(_has_glyph(path, each) for each in text)


@lru_cache(maxsize=2000)
def _has_glyph(path: str, char: str) -> bool:
    """Whether a font draws a character differently from one that it lacks."""
    if char.isspace():
        return True
    font = _font(path, _TEST_SIZE)
    mask, missing_mask = font.getmask(char), font.getmask(_NONCHARACTER)
    return mask.size != missing_mask.size or bytes(mask) != bytes(missing_mask)


@cache
def _installed() -> tuple[str, ...]:
    paths = [str(DEFAULT_FONT), *_faces(PLAIN[1:])]
    for each in SYSTEM_FONTS:
        try:
            ImageFont.truetype(each, _TEST_SIZE)
        except OSError:
            continue
        return (*paths, each)
    return tuple(paths)


@lru_cache(maxsize=64)
def _font(path: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)
