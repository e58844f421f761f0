"""Cards as small pictures: faces with numbers or suits, backs, and the empty place where one will lie."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from PIL import Image, ImageDraw

from chatbot.pictures.fonts import lettering
from chatbot.pictures.layout import card_height

if TYPE_CHECKING:
    from chatbot.kernel.say import Card

PAPER, INK, EDGE = (253, 251, 244), (28, 32, 44), (198, 192, 174)
HOLLOW, HOLLOW_EDGE = (255, 255, 255, 14), (255, 255, 255, 70)
RED, BLUE = (200, 34, 52), (38, 58, 122)
LATTICE = (92, 116, 188)
GOOD, FAINT, BRAND = (82, 214, 138), (150, 196, 168), (255, 210, 63)
SUITS = {"♠": INK, "♣": INK, "♥": RED, "♦": RED}
DIMMED = 0.5  # what is left of a card that was lost
CROWDED = 60  # pixels; on a card less wide there is no room for corners
_FINE = 4  # times as large is drawn what is then made smaller, for smooth edges

Colour: TypeAlias = tuple[int, int, int]
Point: TypeAlias = tuple[float, float]


def face(card: Card, width: int, *, dimmed: bool) -> Image.Image:
    """Draw an open card of so many pixels."""
    picture = _blank(width, _rim(card.mark)).copy()
    draw = ImageDraw.Draw(picture)
    suit = card.face[-1:]
    if suit in SUITS:
        _suited(draw, card.face[:-1], suit, width)
    else:
        _numbered(draw, card.face, width)
    return faded(picture) if dimmed or card.mark == "rejected" else picture


@lru_cache(maxsize=16)
def back(width: int, *, dimmed: bool = False) -> Image.Image:
    """Draw a card that lies face down."""
    large = width * _FINE
    picture, draw = _paper(large, EDGE)
    inset, radius = large // 12, large // 14
    box = (inset, inset, large - inset, card_height(large) - inset)
    pattern = Image.new("RGBA", picture.size, (*BLUE, 255))
    _lattice(ImageDraw.Draw(pattern), pattern.size, large // 6)
    mask = Image.new("L", picture.size, 0)
    ImageDraw.Draw(mask).rounded_rectangle(box, radius, fill=255)
    picture.paste(pattern, mask=mask)
    draw.rounded_rectangle(box, radius, outline=LATTICE, width=large // 40)
    small = picture.reduce(_FINE)
    return faded(small) if dimmed else small


@lru_cache(maxsize=8)
def place(width: int) -> Image.Image:
    """Draw the place where a card will lie."""
    large = width * _FINE
    picture = Image.new("RGBA", (large, card_height(large)))
    thick = large // 30
    box = (thick, thick, large - thick, card_height(large) - thick)
    ImageDraw.Draw(picture).rounded_rectangle(box, large // 9, fill=HOLLOW, outline=HOLLOW_EDGE, width=thick)
    return picture.reduce(_FINE)


def faded(picture: Image.Image) -> Image.Image:
    """Let the table shine through."""
    dim = picture.copy()
    dim.putalpha(dim.getchannel("A").point([round(each * DIMMED) for each in range(256)]))
    return dim


def _rim(mark: str) -> Colour:
    return {"kept": GOOD, "taken": FAINT, "shown": BRAND}.get(mark, EDGE)


@lru_cache(maxsize=16)
def _blank(width: int, rim: Colour) -> Image.Image:
    return _paper(width * _FINE, rim)[0].reduce(_FINE)


def _paper(large: int, rim: Colour) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    picture = Image.new("RGBA", (large, card_height(large)))
    draw = ImageDraw.Draw(picture)
    box = (0, 0, large - 1, card_height(large) - 1)
    thick = large // 40 if rim == EDGE else large // 18
    draw.rounded_rectangle(box, large // 9, fill=PAPER, outline=rim, width=max(thick, _FINE))
    return picture, draw


def _lattice(draw: ImageDraw.ImageDraw, size: tuple[int, int], step: int) -> None:
    wide, high = size
    for start in range(-high, wide + high, step):
        draw.line((start, 0, start + high, high), fill=LATTICE, width=step // 6)
        draw.line((start, high, start + high, 0), fill=LATTICE, width=step // 6)


def _suited(draw: ImageDraw.ImageDraw, rank: str, suit: str, width: int) -> None:
    high, colour = card_height(width), SUITS[suit]
    if width < CROWDED:
        _write(draw, rank, (width / 2, high * 0.29), width * 0.6, width * 0.86, colour)
        _write(draw, suit, (width / 2, high * 0.70), width * 0.72, width * 0.86, colour)
        return
    _write(draw, rank, (width * 0.23, high * 0.16), width * 0.34, width * 0.36, colour)
    _write(draw, suit, (width * 0.23, high * 0.35), width * 0.27, width * 0.36, colour)
    _write(draw, suit, (width * 0.60, high * 0.66), width * 0.72, width * 0.62, colour)


def _numbered(draw: ImageDraw.ImageDraw, number: str, width: int) -> None:
    high = card_height(width)
    if width < CROWDED:
        _write(draw, number, (width / 2, high / 2), width * 0.62, width * 0.84, INK)
        return
    _write(draw, number, (width / 2, high / 2), width * 0.66, width * 0.80, INK)
    if len(number) == 1:
        _write(draw, number, (width * 0.17, high * 0.13), width * 0.22, width * 0.3, BLUE)
        _write(draw, number, (width * 0.83, high * 0.87), width * 0.22, width * 0.3, BLUE)


def _write(
    draw: ImageDraw.ImageDraw,
    text: str,
    middle: Point,
    size: float,
    most: float,
    colour: Colour,
) -> None:
    """Write around a point, smaller where it would be wider than `most`."""
    found = lettering(text, round(size))
    if found is None:
        return
    letters, font = found
    wide = font.getlength(letters)
    if wide > most:
        found = lettering(text, max(int(size * most / wide), 1))
        letters, font = found or (letters, font)
    left, top, right, bottom = font.getbbox(letters)
    x, y = middle
    draw.text((x - (left + right) / 2, y - (top + bottom) / 2), letters, fill=colour, font=font)
