"""Draws which packages of the program call each other while a line is answered, as SVG.

The packages stand below each other as the floors of `tests/test_floors.py` do: what a package may use is
below it. Calls down are at the right, and calls up, by something that was handed down before, at the left.
"""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING, TypeAlias
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Mapping

Crossings: TypeAlias = "Mapping[tuple[str, str], int]"
"""Calls by the names of the packages of who calls and who is called."""

LOOP = "event loop"
FLOORS = (
    LOOP,
    "cogs",
    "bot",
    "community",
    "tables",
    "delivery",
    "rooms",
    "settings",
    "speech",
    "keys",
    "ledger",
    "pictures",
    "runtime",
    "games",
    "kernel",
)
"""The packages from the top down; one that is not named here stands below all others."""
STEP, TOP, MIDDLE, PANEL = (
    44,
    96,
    330,
    660,
)  # pixels: between floors, above the first, of a panel's middle and width
NUMBERED = 4  # calls from which their number is written beside them
LABEL = 118  # pixels, the width of a package's box
FONT = "font-family='system-ui, sans-serif'"


def drawn(line: str, ways: Mapping[str, Crossings]) -> str:
    """Return a picture of one or more ways of a line, side by side, by what each is called."""
    names = {name for way in ways.values() for pair in way for name in pair}
    floors = [*(each for each in FLOORS if each in names), *sorted(names - {*FLOORS})]
    width, height = PANEL * len(ways), TOP + STEP * len(floors) + 16
    panels = [_panel(name, way, floors, PANEL * number) for number, (name, way) in enumerate(ways.items())]
    head = f"<text x='{width / 2}' y='28' text-anchor='middle' font-size='18' {FONT}>{escape(line)}</text>"
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' role='img'>"
        f"<title>{escape(line)}: calls from package to package</title>"
        f"<rect width='{width}' height='{height}' fill='#ffffff'/>{head}{''.join(panels)}</svg>\n"
    )


def _panel(name: str, way: Crossings, floors: list[str], left: float) -> str:
    heights = {floor: TOP + STEP * number + STEP / 2 for number, floor in enumerate(floors)}
    middle = left + MIDDLE
    up = sum(calls for (caller, callee), calls in way.items() if heights[callee] < heights[caller])
    passed = {floor for pair in way for floor in pair}
    said = f"{name}: {sum(way.values())} calls between {len(passed - {LOOP})} packages, {up} of them up"
    title = (
        f"<text x='{left + PANEL / 2}' y='56' text-anchor='middle' font-size='14' fill='#444444' {FONT}>"
        f"{escape(said)}</text>"
    )
    arcs = [
        _arc(middle, heights[caller], heights[callee], calls)
        for (caller, callee), calls in sorted(way.items())
    ]
    boxes = [_box(middle, height, floor, is_passed=floor in passed) for floor, height in heights.items()]
    return "".join([title, *arcs, *boxes])


def _arc(middle: float, start: float, end: float, calls: int) -> str:
    """Draw the calls between two floors: down at the right in blue, up at the left in red."""
    down = end > start
    side = 1 if down else -1
    x, reach = middle + side * LABEL / 2, abs(end - start) * 0.42
    path = f"M{x} {start} C{x + side * reach} {start} {x + side * reach} {end} {x} {end}"
    colour, width = ("#2563a8" if down else "#c2352b"), 1 + log2(calls)
    peak, between = x + side * reach * 0.75, (start + end) / 2
    number = (
        f"<text x='{peak + side * 4}' y='{between + 4}' font-size='10' fill='{colour}' "
        f"text-anchor='{'start' if down else 'end'}' {FONT}>{calls}</text>"
    )
    line = (
        f"<path d='{path}' fill='none' stroke='{colour}' stroke-width='{width:.1f}' stroke-opacity='0.45'/>"
    )
    return line + (number if calls >= NUMBERED else "")


def _box(middle: float, height: float, floor: str, *, is_passed: bool) -> str:
    colour = "#111111" if is_passed else "#bbbbbb"
    return (
        f"<rect x='{middle - LABEL / 2}' y='{height - 13}' width='{LABEL}' height='26' rx='6' fill='#f4f4f2' "
        f"stroke='{colour}'/><text x='{middle}' y='{height + 4}' text-anchor='middle' font-size='13' "
        f"fill='{colour}' {FONT}>{escape(floor)}</text>"
    )
