"""Draw what a heist robs, as the overlay does: five fronts in two looks, and the door of the vault.

The drawings are those of `chatbot/web/static/overlay/fronts.js` and `things.js`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from chatbot.pictures.people import NOW, SOLID, WHITE
from chatbot.pictures.shapes import Shape, Style, circle, ellipse, path, rectangle, render

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL import Image

    from chatbot.pictures.shapes import Colour

BOLTS = 12
STEEL: dict[str, tuple[Colour, Colour, Colour]] = {  # plain, dark, light
    "bank": ((58, 65, 86), (36, 41, 56), (105, 114, 140)),
    "space": ((61, 53, 102), (36, 31, 66), (128, 116, 189)),
}
_ACCENT = (119, 220, 255)
_BRASS, _HUB = Style((217, 178, 106), SOLID, 2), Style((141, 106, 44))
_WALL, _LIGHT, _ORBIT = Style(WHITE), Style(NOW), Style(None, WHITE, 6)


def steel(look: str) -> tuple[Colour, Colour, Colour]:
    """Return the three shades of metal of a look: plain, dark and light."""
    return STEEL.get(look, STEEL["bank"])


@lru_cache(maxsize=20)
def front(look: str, number: int, width: int) -> Image.Image:
    """Draw one of the five targets, by its number from 0."""
    drawings = _STATIONS if look == "space" else _BANKS
    return render(drawings[min(number, len(drawings) - 1)](), (0, 0, 120, 100), width)


@lru_cache(maxsize=26)
def vault(look: str, open_bolts: int, width: int) -> Image.Image:
    """Draw the door of the vault; of its `BOLTS`, so many are drawn back and bright."""
    _, dark, light = steel(look)
    frame = circle(100, 100, 88, Style(None, light, 20)), circle(100, 100, 72, Style(dark, SOLID, 4))
    bolts = (_bolt(number, bright=number < open_bolts) for number in range(BOLTS))
    disc = circle(100, 100, 60, Style(dark, light, 5))
    wheel = _iris(look) if look == "space" else _spokes(look)
    return render((*frame, *bolts, disc, *wheel), (0, 0, 200, 200), width)


def _bolt(number: int, *, bright: bool) -> Shape:
    bolt = rectangle(94, 4 if bright else 18, 12, 26, Style(NOW if bright else SOLID), 4)
    return bolt.turned(360 / BOLTS * number, 100, 100)


def _spokes(look: str) -> tuple[Shape, ...]:
    rivet = circle(100, 47, 3.5, Style(steel(look)[2]))
    arms = rectangle(94, 40, 12, 60, _BRASS, 4), circle(100, 40, 12, _BRASS)
    return (
        *(rivet.turned(number * 30 + 15, 100, 100) for number in range(12)),
        *(each.turned(angle + 40, 100, 100) for angle in (0, 120, 240) for each in arms),
        circle(100, 100, 24, _BRASS),
        circle(100, 100, 12, _HUB),
    )


def _iris(look: str) -> tuple[Shape, ...]:
    blade = path("M100 100L100 46 147 73z", Style(steel(look)[2], SOLID, 3))
    blades = (blade.turned(angle, 100, 100) for angle in range(0, 360, 60))
    return (*blades, circle(100, 100, 16, Style(_ACCENT, SOLID, 4)))


def _wall(description: str) -> Shape:
    return path(description, _WALL)


def _lights(*boxes: tuple[float, float, float, float]) -> tuple[Shape, ...]:
    return tuple(rectangle(*each, _LIGHT, 2) for each in boxes)


def _temple(left: int, right: int, top: int, count: int) -> tuple[Shape, ...]:
    step = (right - left - 12) / max(1, count - 1)
    return (
        *_lights((left + 6, top + 22, right - left - 12, 84 - top - 22)),
        _wall(f"M{left - 6} {top + 20}L60 {top}L{right + 6} {top + 20}v6H{left - 6}z"),
        *(rectangle(left + 2 + step * number, top + 24, 8, 62 - top, _WALL) for number in range(count)),
        _wall(f"M{left - 6} 86h{right - left + 12}v10H{left - 6}z"),
    )


_TOWER_WINDOWS = tuple((x, y, 5, 9) for x in (13, 21, 95, 103) for y in (48, 64))
_STAR = "M60 4l14 26 30-6-12 28 22 18-28 8-2 22-24-12-24 12-2-22-28-8 22-18-12-28 30 6z"

_BANKS: tuple[Callable[[], tuple[Shape, ...]], ...] = (
    lambda: (
        _wall("M34 52h52v44H34z"),
        path("M30 40h60l4 14H26z", _LIGHT),
        *_lights((42, 62, 14, 34), (62, 62, 18, 16)),
    ),
    lambda: _temple(34, 86, 36, 2),
    lambda: _temple(24, 96, 30, 4),
    lambda: (_wall("M60 2a20 20 0 0 1 20 20v6H40v-6A20 20 0 0 1 60 2z"), *_temple(18, 102, 26, 5)),
    lambda: (
        _wall("M8 40h22v56H8zM90 40h22v56H90zM57 0h3v14h-3z"),
        path("M60 0l18 5-18 5z", _LIGHT),
        *_lights(*_TOWER_WINDOWS),
        *_temple(30, 90, 12, 4),
    ),
)
_STATIONS: tuple[Callable[[], tuple[Shape, ...]], ...] = (
    lambda: (
        _wall("M20 66l34-14h28l22 14-22 14H54z"),
        circle(84, 66, 7, _LIGHT),
        *_lights((38, 62, 8, 8), (52, 62, 8, 8), (66, 62, 8, 8)),
    ),
    lambda: (
        _wall("M50 40h20v40H50zM56 24h8v16h-8zM36 56h48v6H36z"),
        *_lights((8, 46, 28, 26), (84, 46, 28, 26), (55, 48, 10, 10)),
    ),
    lambda: (
        _wall("M14 84a46 46 0 0 1 92 0v10H14z"),
        path("M32 84a28 28 0 0 1 56 0z", _LIGHT),
        _wall("M56 54h8v32h-8zM58 24h4v18h-4z"),
    ),
    lambda: (
        circle(60, 56, 30, _WALL),
        ellipse(60, 58, 52, 14, _ORBIT).turned(-14, 60, 58),
        *_lights((46, 40, 9, 9), (62, 36, 9, 9), (70, 52, 9, 9), (50, 62, 9, 9)),
    ),
    lambda: (_wall(_STAR), circle(60, 54, 15, _LIGHT), circle(60, 54, 7, _WALL)),
)
