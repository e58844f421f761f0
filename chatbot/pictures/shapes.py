"""Draw shapes that are described as SVG describes them, smoothly, at any size.

Only what the drawings of the overlay use is understood: paths of M, L, H, V, C, S, Q, A and Z, circles, and
rectangles with round corners.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from PIL import Image, ImageDraw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

Colour: TypeAlias = tuple[int, int, int]
Point: TypeAlias = tuple[float, float]

CURVE_STEPS, ARC_STEPS, CIRCLE_STEPS = 12, 16, 48  # straight pieces of a curve
OVERSAMPLING = 4  # scale at which shapes are drawn before they are reduced, for smooth edges
_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")


@dataclass(frozen=True, slots=True)
class Style:
    """How a shape is drawn; None: not at all. `width` is that of the stroke in the units of the shape."""

    fill: Colour | None = None
    stroke: Colour | None = None
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Outline:
    """A line of straight pieces; a closed one ends where it began."""

    points: tuple[Point, ...]
    closed: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """Lines in one style."""

    lines: tuple[Outline, ...]
    style: Style

    def turned(self, degrees: float, x: float, y: float) -> Shape:
        """Return the shape turned clockwise around a point."""
        sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
        return self._mapped(
            lambda px, py: (
                x + (px - x) * cosine - (py - y) * sine,
                y + (px - x) * sine + (py - y) * cosine,
            )
        )

    def _mapped(self, place: Callable[[float, float], Point]) -> Shape:
        lines = tuple(
            Outline(tuple(place(*each) for each in line.points), line.closed) for line in self.lines
        )
        return Shape(lines, self.style)


def path(description: str, style: Style) -> Shape:
    """Read a path as the attribute `d` of SVG has it.

    Raises:
        KeyError: it has a command that is not understood.
    """
    return Shape(tuple(_Pen().follow(_TOKEN.findall(description))), style)


def circle(x: float, y: float, radius: float, style: Style) -> Shape:
    """Make a circle from its centre and radius."""
    return ellipse(x, y, radius, radius, style)


def ellipse(x: float, y: float, wide: float, high: float, style: Style) -> Shape:
    """Make an ellipse from its centre and radii."""
    return Shape((Outline(tuple(_arc(x, y, wide, high, 0.0, math.tau, CIRCLE_STEPS)), closed=True),), style)


def rectangle(x: float, y: float, wide: float, high: float, style: Style, corner: float = 0.0) -> Shape:
    """Make a rectangle from its upper left corner; `corner` is the radius of its corners."""
    corner = min(corner, wide / 2, high / 2)
    right, bottom, quarter = x + wide - corner, y + high - corner, math.pi / 2
    middles = ((x + corner, y + corner), (right, y + corner), (right, bottom), (x + corner, bottom))
    points = [
        point
        for number, (at, down) in enumerate(middles)
        for point in _arc(at, down, corner, corner, math.pi + number * quarter, quarter, 6)
    ]
    return Shape((Outline(tuple(points), closed=True),), style)


def render(shapes: Iterable[Shape], box: Sequence[float], width: int) -> Image.Image:
    """Draw what is in `box` (left, top, width, height in units of the shapes), so many pixels wide."""
    left, top, wide, high = box
    scale = width * OVERSAMPLING / wide
    size = width * OVERSAMPLING, max(round(high * width / wide), 1) * OVERSAMPLING
    picture = Image.new("RGBA", size)
    draw = ImageDraw.Draw(picture)
    for shape in shapes:
        for line in shape.lines:
            points = [((x - left) * scale, (y - top) * scale) for x, y in line.points]
            _draw(draw, points, shape.style, scale, closed=line.closed)
    return picture.reduce(OVERSAMPLING)


def _draw(
    draw: ImageDraw.ImageDraw, points: list[Point], style: Style, scale: float, *, closed: bool
) -> None:
    if style.fill is not None:
        draw.polygon(points, fill=style.fill)
    if style.stroke is not None:
        around = [*points, *points[:2]] if closed else points  # beyond its beginning, for a corner there
        draw.line(around, fill=style.stroke, width=max(round(style.width * scale), 1), joint="curve")


def _arc(
    x: float, y: float, wide: float, high: float, start: float, sweep: float, steps: int
) -> Iterator[Point]:
    for step in range(steps + 1):
        angle = start + sweep * step / steps
        yield x + wide * math.cos(angle), y + high * math.sin(angle)


class _Pen:
    """Follows the commands of a path."""

    def __init__(self) -> None:
        self._lines: list[Outline] = []
        self._points: list[Point] = []
        self._control: Point | None = None  # the second one of the curve before

    def follow(self, tokens: Sequence[str]) -> list[Outline]:
        """Return the lines that the commands draw."""
        rest, command = list(tokens), ""
        while rest:
            command = rest.pop(0) if rest[0].isalpha() else _REPEATED.get(command, command)
            count = _NUMBERS[command.upper()]
            numbers, rest = [float(each) for each in rest[:count]], rest[count:]
            self._obey(command, numbers)
        self._end(closed=False)
        return self._lines

    def _obey(self, command: str, numbers: list[float]) -> None:
        kind, control = command.upper(), self._control
        x, y = self._points[-1] if self._points else (0.0, 0.0)
        self._control = None
        if command.islower() and kind != "A":
            offsets = {"H": (x,), "V": (y,)}.get(kind, (x, y) * 3)
            numbers = [each + offset for each, offset in zip(numbers, offsets, strict=False)]
        match kind:
            case "M":
                self._end(closed=False)
                self._points = [(numbers[0], numbers[1])]
            case "L":
                self._points.append((numbers[0], numbers[1]))
            case "H":
                self._points.append((numbers[0], y))
            case "V":
                self._points.append((x, numbers[0]))
            case "Z":
                self._end(closed=True)
            case "A":
                self._turn(numbers, relative=command.islower())
            case _:
                self._curve(kind, numbers, control)

    def _curve(self, kind: str, numbers: list[float], control: Point | None) -> None:
        x, y = self._points[-1]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        if kind == "S":  # it goes on in the direction of the curve before
            before = (2 * x - control[0], 2 * y - control[1]) if control else (x, y)
            points = [before, *points]
        self._control = points[-2] if kind != "Q" else None
        curve = [(x, y), *points]
        self._points += [_between(curve, step / CURVE_STEPS) for step in range(1, CURVE_STEPS + 1)]

    def _turn(self, numbers: list[float], *, relative: bool) -> None:
        """Follow an arc of a circle, less than half of one or just that."""
        x, y = self._points[-1]
        radius, clockwise = numbers[0], bool(numbers[4])
        to = (numbers[5] + x, numbers[6] + y) if relative else (numbers[5], numbers[6])
        middle, half = ((x + to[0]) / 2, (y + to[1]) / 2), math.dist((x, y), to) / 2
        far = math.sqrt(max(radius**2 - half**2, 0.0)) / half * (-1 if clockwise else 1)
        centre = middle[0] + (to[1] - y) / 2 * far, middle[1] - (to[0] - x) / 2 * far
        start = math.atan2(y - centre[1], x - centre[0])
        sweep = 2 * math.asin(min(half / radius, 1.0)) * (1 if clockwise else -1)
        self._points += _arc(*centre, radius, radius, start, sweep, ARC_STEPS)

    def _end(self, *, closed: bool) -> None:
        """End a line; after a closed one the next begins where that did."""
        if len(self._points) > 1:
            self._lines.append(Outline(tuple(self._points), closed))
        self._points = self._points[:1] if closed else []


_NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "A": 7, "Z": 0}
_REPEATED = {"M": "L", "m": "l"}  # further points after a first one are lines to them


def _between(points: Sequence[Point], share: float) -> Point:
    """Return the point of a Bézier curve at a share of its way, by de Casteljau's algorithm."""
    while len(points) > 1:
        points = [(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share) for a, b in pairwise(points)]
    return points[0]
