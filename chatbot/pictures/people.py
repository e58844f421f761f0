"""Draw the people of a heist as the overlay does: masked heads in the colours of seats, bars, a bag.

The drawings are those of `chatbot/web/static/overlay/heads.js` and `fronts.js`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from chatbot.pictures.shapes import Shape, Style, circle, ellipse, path, rectangle, render

if TYPE_CHECKING:
    from PIL import Image

    from chatbot.pictures.shapes import Colour

SOLID, WHITE, NOW, LOSS, SOFT = (
    (20, 22, 31),
    (255, 255, 255),
    (255, 210, 63),
    (255, 154, 164),
    (195, 200, 214),
)
TINTS: tuple[Colour, ...] = (
    (255, 127, 116),
    (255, 174, 92),
    (244, 227, 138),
    (143, 224, 122),
    (69, 217, 187),
    (92, 194, 247),
    (166, 175, 255),
    (245, 146, 224),
)
FADED = 0.35  # opacity of who backed out
CAUGHT = 0.7  # opacity of who is behind bars
_BOX = (-6.0, -6.0, 112.0, 130.0)  # of a head, with what a helmet needs beside it
_CLOTH = Style((28, 32, 48), (75, 83, 105), 1.5)
_CUFF, _EYE, _WHITE = Style((57, 65, 90)), Style(SOLID), Style(WHITE)
_SMILE = Style(None, SOLID, 4)
_DEEP, _GLASS = Style((13, 19, 48)), Style((13, 19, 48), WHITE, 3)
_GLINT, _ANTENNA = Style(None, (119, 220, 255), 5), Style(None, (233, 237, 248), 4)
_ROD = Style((141, 150, 174), SOLID, 3)
_SACK, _CORD = Style((185, 141, 88), SOLID, 4), Style((109, 77, 36))
_COIN, _COIN_MARK = Style(NOW, SOLID, 3), Style(None, (168, 123, 0), 3)


def head_height(width: int) -> int:
    """Return the height of a head from its width, in pixels."""
    return max(round(width * _BOX[3] / _BOX[2]), 1)


@lru_cache(maxsize=256)
def head(tint: int, look: str, fate: str, width: int) -> Image.Image:
    """Draw what became of somebody, `width` pixels wide: behind bars, faded, or as they came.

    `look` is the theme of the heist (`bank` or `space`), `fate` a word of `chatbot.kernel.say.Ending`.
    """
    shapes = (*_shoulders(tint), *(_helmet(tint) if look == "space" else _masked(tint)))
    picture = render(shapes, _BOX, width)
    if fate in {"caught", "returned"}:
        opacity = CAUGHT if fate == "caught" else FADED
        picture.putalpha(picture.getchannel("A").point([round(each * opacity) for each in range(256)]))
    if fate == "caught":
        picture.alpha_composite(render(_bars(), _BOX, width))
    return picture


@lru_cache(maxsize=8)
def bag(width: int) -> Image.Image:
    """Draw a bag of money."""
    return render(_BAG, (0, 0, 100, 110), width)


def _shoulders(tint: int) -> tuple[Shape, ...]:
    return (path("M6 124V102C6 80 25 70 50 70s44 10 44 32v22z", _skin(tint)),)


def _skin(tint: int) -> Style:
    return Style(TINTS[tint % len(TINTS)], SOLID, 3)


def _masked(tint: int) -> tuple[Shape, ...]:
    cloth = "M20 37h60v13c0 6-6 9-13 9-8 0-12-4-17-4s-9 4-17 4c-7 0-13-3-13-9z"
    return (
        circle(50, 42, 30, _skin(tint)),
        path("M21 31C20 -1 80 -1 79 31z", _CLOTH),
        rectangle(18, 23, 64, 11, _CUFF, 5),
        path(f"{cloth}M78 40l16-5-7 10 7 8-15-4z", _CLOTH),
        *(ellipse(x, 47, 6.5, 5, _WHITE) for x in (38, 62)),
        *(circle(x, 47.5, 2.6, _EYE) for x in (39, 61)),
        path("M42 65q8 4 16 0", _SMILE),
    )


def _helmet(tint: int) -> tuple[Shape, ...]:
    return (
        path("M74 14l10-12", _ANTENNA),
        circle(50, 42, 35, _skin(tint)),
        rectangle(22, 26, 56, 32, _GLASS, 16),
        path("M32 38q4-6 14-6", _GLINT),
        rectangle(24, 74, 52, 10, _DEEP, 5),
    )


def _bars() -> tuple[Shape, ...]:
    rods = (rectangle(-1 + number * 31.3, -4, 8, 126, _ROD, 4) for number in range(4))
    return (*rods, *(rectangle(-5, y, 110, 10, _ROD, 4) for y in (2, 106)))


_BAG = (
    path("M36 30C8 50 4 104 22 106h56c18-2 14-56-14-76z", _SACK),
    path("M32 8q18 12 36 0l-6 20H38z", _SACK),
    rectangle(33, 25, 34, 8, _CORD, 4),
    circle(50, 70, 17, _COIN),
    circle(50, 70, 8, _COIN_MARK),
)
