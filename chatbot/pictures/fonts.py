"""The letters of a picture: a font that comes with the program; for other scripts, one of the machine's."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from PIL import ImageFont, features

OWN = "DejaVuSans-Bold.ttf"  # comes with Matplotlib: Latin, Greek, Cyrillic and the suits of cards
OTHERS = (
    "malgunbd.ttf",  # Windows
    "AppleSDGothicNeo.ttc",  # macOS
    "NotoSansCJK-Bold.ttc",
    "NotoSansKR-Bold.otf",
    "NanumGothicBold.ttf",
)
"""Fonts with Korean letters, which some machines have and others have not."""
_NO_LETTER = "\uffff"  # no font has it
_TRIED = 20  # pixels at which it is tried whether a font has a letter
_RIGHT_TO_LEFT = {"R", "AL", "AN"}


def lettering(text: str, size: int) -> tuple[str, ImageFont.FreeTypeFont] | None:
    """Find a font of so many pixels in which a text can be drawn; None: there is none.

    Signs that are drawn as nothing are left out, and so are pictograms that no font here has.

    Raises:
        OSError: the program's own font is not where it was installed.
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
        return None  # it would stand there backwards
    return next((_font(each, size) for each in _installed() if _has(each, text)), None)


def _has(path: str, text: str) -> bool:
    return all(_has_letter(path, each) for each in text)


@lru_cache(maxsize=2000)
def _has_letter(path: str, letter: str) -> bool:
    """Whether a font draws something else for a letter than for one that it has not."""
    if letter.isspace():
        return True
    font = _font(path, _TRIED)
    drawn, missing = font.getmask(letter), font.getmask(_NO_LETTER)
    return drawn.size != missing.size or bytes(drawn) != bytes(missing)


@cache
def _installed() -> tuple[str, ...]:
    found = [_own()]
    for each in OTHERS:
        try:
            ImageFont.truetype(each, _TRIED)
        except OSError:
            continue
        return (*found, each)
    return tuple(found)


@cache
def _own() -> str:
    matplotlib = find_spec("matplotlib")  # to import it would take half a second
    if matplotlib is None or matplotlib.origin is None:
        raise OSError("Matplotlib is not installed, and its fonts with it")
    return str(Path(matplotlib.origin).parent / "mpl-data" / "fonts" / "ttf" / OWN)


@lru_cache(maxsize=64)
def _font(path: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)
