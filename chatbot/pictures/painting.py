"""A table drawn as a PNG: made for 400 points of width, at twice as many pixels for sharp screens."""

from __future__ import annotations

from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from chatbot.pictures import cards
from chatbot.pictures.fonts import lettering
from chatbot.pictures.layout import COUNT, MOST_BACKS, WIDTH, card_height, gap, planned

if TYPE_CHECKING:
    from chatbot.pictures.cards import Colour
    from chatbot.pictures.layout import PicturePlan, Spot, Title
    from chatbot.pictures.scene import CardGroup, Scene

COLOURS = 64  # of the palette
FELT, RAIL, SLOT = (22, 74, 70), (37, 96, 90), (17, 61, 59)
WHITE, SOFT, GREY = (246, 249, 244), (171, 205, 197), (152, 172, 170)
RIMS = {"won": cards.GOOD, "drawn": GREY}
SIGNS = {"won": "✓", "drawn": "="}
LARGE, MIDDLE, SMALL = 26, 21, 16  # pixels of letters
ROUND = 14  # radius of the corners of a slot
BADGE = 15  # radius of a sign
LINE = 20  # pixels from one small line to the next
APART = 12  # pixels between two texts on a line

_drawing = Lock()  # fonts and the cards that are kept are shared


def png(scene: Scene) -> bytes:
    """Draw a scene; it takes some milliseconds.

    Raises:
        OSError: the font is not where it was installed.
    """
    with _drawing:
        picture = _painted(planned(scene))
    # Without dithering edges stay clean and the file small; the fastest way to a palette is good enough.
    indexed = picture.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    file = BytesIO()
    indexed.save(file, "PNG")
    return file.getvalue()


def _painted(plan: PicturePlan) -> Image.Image:
    picture = Image.new("RGB", (WIDTH, plan.height), FELT)
    brush = Brush(picture)
    brush.rail(plan.height)
    for title in plan.titles:
        brush.title(title)
    for place in plan.places:
        brush.group(place)
    if plan.shown is not None:
        brush.group(plan.shown)
    if plan.pile is not None:
        brush.group(plan.pile)
    return picture


class Brush:
    """Puts one thing after the other onto a picture."""

    def __init__(self, picture: Image.Image) -> None:
        self._picture, self._draw = picture, ImageDraw.Draw(picture)
        self._unsaid: list[CardGroup] = []  # those whose words found no room beside a name

    def rail(self, height: int) -> None:
        """Draw the seam of the cloth."""
        self._draw.rounded_rectangle((9, 9, WIDTH - 10, height - 10), 18, outline=RAIL, width=2)

    def title(self, title: Title) -> None:
        used = self._write(
            self._cut(title.name, title.width), (title.left, title.top), LARGE, WHITE, title.width
        )
        if title.group is not None:
            left = title.left + (used and used + APART)
            if self._least(title.group.label) > title.left + title.width - left:
                self._unsaid.append(title.group)
            self._words(title.group, left, title.top + 4, title.left + title.width - left)

    def group(self, place: Spot) -> None:
        self._slot(place)
        if place.headed:
            self._words(place.group, place.left + place.pad, place.top + 7, place.width - 2 * place.pad)
        top = place.top + place.height - place.pad - card_height(place.card)
        left = place.left + place.pad
        if place.group.earlier:
            left = self._count(place.group.earlier, left, top, place.card)
        left = self._cards(place, left, top)
        if place.group.later:
            left = self._count(place.group.later, left, top, place.card)
        if place.group in self._unsaid:
            self._beside(place, left + APART)
        self._sign(place, left)

    def _slot(self, place: Spot) -> None:
        box = (place.left, place.top, place.left + place.width - 1, place.top + place.height - 1)
        rim = RIMS.get(place.group.mark)
        self._draw.rounded_rectangle(box, ROUND, fill=SLOT, outline=rim, width=4 if rim else 0)

    def _words(self, group: CardGroup, left: int, top: int, width: int) -> None:
        used = self._write(group.label, (left, top), MIDDLE, SOFT, width)
        rest = width - used - APART
        if group.detail and rest > 0:
            self._write(group.detail, (left + width, top), MIDDLE, WHITE, rest, anchor="ra")

    def _cards(self, place: Spot, left: int, top: int) -> int:
        """Lay out the cards; gives where the next one would lie."""
        group, card, step = place.group, place.card, place.card + gap(place.card)
        dimmed = group.mark == "lost"
        faces = [cards.face(each, card, dimmed=dimmed) for each in group.cards]
        piled = group.hidden > MOST_BACKS
        faces += [cards.back(card, dimmed=dimmed)] * (1 if piled else group.hidden)
        for number, each in enumerate(faces or [cards.place(card)]):
            self._picture.paste(each, (left + number * step, top), each)
        end = left + max(len(faces), 1) * step
        if piled:
            self._badge(group.hidden, end - step + card // 2, top + card_height(card) // 2)
        return end

    def _count(self, number: int, left: int, top: int, card: int) -> int:
        middle = top + card_height(card) // 2
        self._write(f"+{number}", (left, middle), MIDDLE, SOFT, COUNT - 4, anchor="lm")
        return left + COUNT

    def _badge(self, number: int, x: int, y: int) -> None:
        """Write how many cards a pile has, on top of it."""
        box = (x - 34, y - 21, x + 34, y + 21)
        self._draw.rounded_rectangle(box, 21, fill=cards.PAPER)
        self._write(str(number), (x, y), LARGE, cards.INK, 56, anchor="mm")

    def _beside(self, place: Spot, left: int) -> None:
        """Write the words of a group behind its cards, on lines as short as they have to be."""
        lines, most = list[str](), place.left + place.width - place.pad - left
        for word in place.group.label.split():
            longer = f"{lines[-1]} {word}" if lines else word
            lines = [*lines[:-1], longer] if self._least(longer) <= most else [*lines, word]
        top = place.top + (place.height - LINE * len(lines)) // 2
        if LINE * len(lines) <= place.height and place.group.mark not in SIGNS:
            for number, line in enumerate(lines):
                self._write(line, (left, top + number * LINE), SMALL, SOFT, most)

    def _sign(self, place: Spot, end: int) -> None:
        """Tell won and drawn apart by more than their colour: where there is room, or on the rim."""
        sign, right, bottom = SIGNS.get(place.group.mark), place.left + place.width, place.top + place.height
        if sign is None:
            return
        x, y = place.left + place.width // 2, bottom - 2
        if right - end > 4 * BADGE:
            x, y = right - 2 * BADGE, place.top + place.height // 2
        self._draw.ellipse((x - BADGE, y - BADGE, x + BADGE, y + BADGE), fill=RIMS[place.group.mark])
        self._write(sign, (x, y), MIDDLE, cards.INK, 2 * BADGE, anchor="mm")

    def _cut(self, name: str, most: int) -> str:
        """Shorten a name that is too wide at any size: whose cards these are is never left out."""
        if self._least(name) <= most:
            return name
        while name and self._least(f"{name}…") > most:
            name = name[:-1]
        return f"{name}…"

    @staticmethod
    def _least(text: str) -> int:
        """Give the pixels that a text takes at its smallest."""
        found = lettering(text, SMALL)
        return int(found[1].getlength(found[0])) + 1 if found is not None else 0

    def _write(
        self, text: str, at: tuple[int, int], size: int, colour: Colour, most: int, anchor: str = "la"
    ) -> int:
        """Write a text smaller if it has to be, or not at all; gives the pixels that it takes."""
        for each in (size, (size + SMALL) // 2, SMALL):
            found = lettering(text, each)
            if found is None:
                return 0
            letters, font = found
            wide = int(font.getlength(letters)) + 1
            if wide <= most:
                self._draw.text(at, letters, fill=colour, font=font, anchor=anchor)
                return wide
        return 0
