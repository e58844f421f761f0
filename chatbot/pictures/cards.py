"""Draw single cards: faces with numbers or suits, backs, and empty places for cards to come."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from chatbot.pictures.fonts import WIDE, lettering
from chatbot.pictures.layout import card_height

if TYPE_CHECKING:
    from chatbot.kernel.board import Card
    from chatbot.pictures.shapes import Colour, Point

PAPER, INK, EDGE = (253, 251, 244), (28, 32, 44), (198, 192, 174)
HOLLOW, HOLLOW_EDGE = (255, 255, 255, 14), (255, 255, 255, 70)
RED, BLUE = (200, 34, 52), (38, 58, 122)
LATTICE = (92, 116, 188)
GOOD, FAINT, BRAND = (82, 214, 138), (150, 196, 168), (255, 210, 63)
SUITS = {"♠": INK, "♣": INK, "♥": RED, "♦": RED}
DIMMED_OPACITY = 0.5  # of cards that lost
MIN_CORNER_WIDTH = 60  # pixels; narrower cards have no symbols in their corners
_OVERSAMPLING = 4  # scale at which shapes are drawn before they are reduced, for smooth edges


def face(card: Card, width: int, *, dimmed: bool) -> Image.Image:
    """Draw an open card, `width` pixels wide."""
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
    """Draw a card that lies face down, `width` pixels wide."""
    large = width * _OVERSAMPLING
    picture, draw = _paper(large, EDGE)
    inset, radius = large // 12, large // 14
    box = (inset, inset, large - inset, card_height(large) - inset)
    pattern = Image.new("RGBA", picture.size, (*BLUE, 255))
    _lattice(ImageDraw.Draw(pattern), pattern.size, large // 6)
    mask = Image.new("L", picture.size, 0)
    ImageDraw.Draw(mask).rounded_rectangle(box, radius, fill=255)
    picture.paste(pattern, mask=mask)
    draw.rounded_rectangle(box, radius, outline=LATTICE, width=large // 40)
    small = picture.reduce(_OVERSAMPLING)
    return faded(small) if dimmed else small


@lru_cache(maxsize=8)
def place(width: int) -> Image.Image:
    """Draw the place of a card to come, `width` pixels wide."""
    large = width * _OVERSAMPLING
    picture = Image.new("RGBA", (large, card_height(large)))
    thick = large // 30
    box = (thick, thick, large - thick, card_height(large) - thick)
    ImageDraw.Draw(picture).rounded_rectangle(box, large // 9, fill=HOLLOW, outline=HOLLOW_EDGE, width=thick)
    return picture.reduce(_OVERSAMPLING)


def faded(picture: Image.Image) -> Image.Image:
    """Return a copy of a picture that is partly transparent."""
    dim = picture.copy()
    dim.putalpha(dim.getchannel("A").point([round(each * DIMMED_OPACITY) for each in range(256)]))
    return dim


def _rim(mark: str) -> Colour:
    return {"kept": GOOD, "taken": FAINT, "shown": BRAND}.get(mark, EDGE)


@lru_cache(maxsize=16)
def _blank(width: int, rim: Colour) -> Image.Image:
    return _paper(width * _OVERSAMPLING, rim)[0].reduce(_OVERSAMPLING)


def _paper(large: int, rim: Colour) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    picture = Image.new("RGBA", (large, card_height(large)))
    draw = ImageDraw.Draw(picture)
    box = (0, 0, large - 1, card_height(large) - 1)
    thick = large // 40 if rim == EDGE else large // 18
    draw.rounded_rectangle(box, large // 9, fill=PAPER, outline=rim, width=max(thick, _OVERSAMPLING))
    return picture, draw


def _lattice(draw: ImageDraw.ImageDraw, size: tuple[int, int], step: int) -> None:
    wide, high = size
    for start in range(-high, wide + high, step):
        draw.line((start, 0, start + high, high), fill=LATTICE, width=step // 6)
        draw.line((start, high, start + high, 0), fill=LATTICE, width=step // 6)


def _suited(draw: ImageDraw.ImageDraw, rank: str, suit: str, width: int) -> None:
    high, colour = card_height(width), SUITS[suit]
    if width < MIN_CORNER_WIDTH:
        _write(draw, rank, (width / 2, high * 0.29), width * 0.6, width * 0.86, colour)
        _write(draw, suit, (width / 2, high * 0.70), width * 0.72, width * 0.86, colour)
        return
    _write(draw, rank, (width * 0.23, high * 0.16), width * 0.34, width * 0.36, colour)
    _write(draw, suit, (width * 0.23, high * 0.35), width * 0.27, width * 0.36, colour)
    _write(draw, suit, (width * 0.60, high * 0.66), width * 0.72, width * 0.62, colour)


def _numbered(draw: ImageDraw.ImageDraw, number: str, width: int) -> None:
    high = card_height(width)
    if width < MIN_CORNER_WIDTH:
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
    """Write a text centred on a point, reduced to a width of at most `most` pixels."""
    span = lettering(text, round(size), WIDE)
    if span is None:
        return
    letters, font = span
    wide = font.getlength(letters)
    if wide > most:
        span = lettering(text, max(int(size * most / wide), 1), WIDE)
        letters, font = span or (letters, font)
    left, top, right, bottom = font.getbbox(letters)
    x, y = middle
    draw.text((x - (left + right) / 2, y - (top + bottom) / 2), letters, fill=colour, font=font)
