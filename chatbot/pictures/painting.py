"""Draw a table as a PNG for a width of 400 points, with two pixels a point for high-density screens."""

from __future__ import annotations

from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from chatbot.pictures import cards
from chatbot.pictures.fonts import lettering
from chatbot.pictures.layout import COUNT, MOST_BACKS, WIDTH, card_height, gap, planned
from chatbot.pictures.people import NOW, SOFT, SOLID, WHITE
from chatbot.pictures.raid import ResultScene
from chatbot.pictures.raid_painting import SLAB, painted

if TYPE_CHECKING:
    from chatbot.pictures.layout import PicturePlan, Spot, Title
    from chatbot.pictures.scene import CardGroup, Scene
    from chatbot.pictures.shapes import Colour

COLOURS = 64  # of the palette
RIMS = {"won": NOW, "drawn": SOFT}
SIGNS = {"won": "✓", "drawn": "="}
LARGE, MIDDLE, SMALL = 26, 21, 16  # font sizes in pixels
CORNER_RADIUS = 14  # radius of the corners of a slot
SIGN_RADIUS = 15  # radius of a sign
LINE = 20  # pixels from one line of small text to the next
TEXT_GAP = 12  # pixels between two texts on a line

_drawing = Lock()  # fonts and cached cards are shared by all threads


def png(scene: Scene | ResultScene) -> bytes:
    """Draw the cards of a table or the result of a raid as a PNG file.

    It takes some milliseconds, and is safe to call from any thread.

    Raises:
        OSError: the default font is missing.
    """
    with _drawing:
        picture = painted(scene) if isinstance(scene, ResultScene) else _painted(planned(scene))
    # Without dithering, edges stay clean and the file small; the fastest palette method is good enough.
    indexed = picture.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    file = BytesIO()
    indexed.save(file, "PNG")
    return file.getvalue()


def _painted(plan: PicturePlan) -> Image.Image:
    picture = Image.new("RGB", (WIDTH, plan.height), SOLID)
    brush = Brush(picture)
    for title in plan.titles:
        brush.title(title)
    for place in plan.places:
        brush.group(place)
    if plan.upcard is not None:
        brush.group(plan.upcard)
    if plan.pile is not None:
        brush.group(plan.pile)
    return picture


class Brush:
    """Draws the parts of a layout onto a picture."""

    def __init__(self, picture: Image.Image) -> None:
        self._picture, self._draw = picture, ImageDraw.Draw(picture)
        self._unlabelled: list[CardGroup] = []  # groups whose label did not fit beside a name

    def title(self, title: Title) -> None:
        """Draw the name of an owner, and the label of a single hand beside it if it fits."""
        name_width = self._write(
            self._cut(title.name, title.width), (title.left, title.top), LARGE, WHITE, title.width
        )
        if title.group is not None:
            left = title.left + (name_width and name_width + TEXT_GAP)
            if self._least_width(title.group.label) > title.left + title.width - left:
                self._unlabelled.append(title.group)
            self._label(title.group, left, title.top + 4, title.left + title.width - left)

    def group(self, place: Spot) -> None:
        """Draw a group of cards with its slot, label, counts and mark."""
        self._slot(place)
        if place.headed:
            self._label(place.group, place.left + place.pad, place.top + 7, place.width - 2 * place.pad)
        top = place.top + place.height - place.pad - card_height(place.card)
        left = place.left + place.pad
        if place.group.earlier:
            left = self._count(place.group.earlier, left, top, place.card)
        left = self._cards(place, left, top)
        if place.group.later:
            left = self._count(place.group.later, left, top, place.card)
        if place.group in self._unlabelled:
            self._beside(place, left + TEXT_GAP)
        self._sign(place, left)

    def _slot(self, place: Spot) -> None:
        box = (place.left, place.top, place.left + place.width - 1, place.top + place.height - 1)
        rim = RIMS.get(place.group.mark)
        self._draw.rounded_rectangle(box, CORNER_RADIUS, fill=SLAB, outline=rim, width=4 if rim else 0)

    def _label(self, group: CardGroup, left: int, top: int, width: int) -> None:
        label_width = self._write(group.label, (left, top), MIDDLE, SOFT, width)
        rest = width - label_width - TEXT_GAP
        if group.detail and rest > 0:
            self._write(group.detail, (left + width, top), MIDDLE, WHITE, rest, anchor="ra")

    def _cards(self, place: Spot, left: int, top: int) -> int:
        """Draw the cards of a group, and return the left edge of the place after them."""
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
        """Write the number of cards of a pile on it."""
        box = (x - 34, y - 21, x + 34, y + 21)
        self._draw.rounded_rectangle(box, 21, fill=cards.PAPER)
        self._write(str(number), (x, y), LARGE, cards.INK, 56, anchor="mm")

    def _beside(self, place: Spot, left: int) -> None:
        """Write the label of a group to the right of its cards, wrapped at words, if there is room."""
        lines, most = list[str](), place.left + place.width - place.pad - left
        for word in place.group.label.split():
            longer = f"{lines[-1]} {word}" if lines else word
            lines = [*lines[:-1], longer] if self._least_width(longer) <= most else [*lines, word]
        top = place.top + (place.height - LINE * len(lines)) // 2
        if LINE * len(lines) <= place.height and place.group.mark not in SIGNS:
            for number, line in enumerate(lines):
                self._write(line, (left, top + number * LINE), SMALL, SOFT, most)

    def _sign(self, place: Spot, end: int) -> None:
        """Draw the sign of a group that won or drew beside its cards or on the rim.

        The result is not to be recognizable by its colour alone.
        """
        sign, right, bottom = SIGNS.get(place.group.mark), place.left + place.width, place.top + place.height
        if sign is None:
            return
        x, y = place.left + place.width // 2, bottom - 2
        if right - end > 4 * SIGN_RADIUS:
            x, y = right - 2 * SIGN_RADIUS, place.top + place.height // 2
        box = (x - SIGN_RADIUS, y - SIGN_RADIUS, x + SIGN_RADIUS, y + SIGN_RADIUS)
        self._draw.ellipse(box, fill=RIMS[place.group.mark])
        self._write(sign, (x, y), MIDDLE, cards.INK, 2 * SIGN_RADIUS, anchor="mm")

    def _cut(self, name: str, most: int) -> str:
        """Shorten a name that is too wide even in small letters, because a name is always shown."""
        if self._least_width(name) <= most:
            return name
        while name and self._least_width(f"{name}…") > most:
            name = name[:-1]
        return f"{name}…"

    @staticmethod
    def _least_width(text: str) -> int:
        """Return the width of a text in small letters, in pixels."""
        span = lettering(text, SMALL)
        return int(span[1].getlength(span[0])) + 1 if span is not None else 0

    def _write(
        self, text: str, at: tuple[int, int], size: int, colour: Colour, most: int, anchor: str = "la"
    ) -> int:
        """Write a text in the largest size at which it fits into `most` pixels, and return its width.

        Write nothing, and return 0, if it does not fit in small letters either.
        """
        for each in (size, (size + SMALL) // 2, SMALL):
            span = lettering(text, each)
            if span is None:
                return 0
            letters, font = span
            wide = int(font.getlength(letters)) + 1
            if wide <= most:
                self._draw.text(at, letters, fill=colour, font=font, anchor=anchor)
                return wide
        return 0
