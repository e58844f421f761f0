"""Draw the result of a raid in the look of the overlay, for a width of 400 points with two pixels each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from chatbot.pictures.fonts import PLAIN, WIDE, spans
from chatbot.pictures.people import LOSS, NOW, SOFT, SOLID, WHITE, bag, head, head_height
from chatbot.pictures.raid import signed
from chatbot.pictures.targets import BOLTS, front, steel, vault

if TYPE_CHECKING:
    from chatbot.pictures.raid import Raider, RaidGroup, ResultScene
    from chatbot.pictures.shapes import Colour

WIDTH, MARGIN = 800, 28
HEADER, BANNER = 132, 60  # heights
FRONT, VAULT = 108, 208  # widths
SLAB = (30, 33, 46)  # of what stands apart on the plate
LINE = (44, 48, 64)
ALONE_HEIGHT, ALONE_HEAD = 330, 262
MOST_IN_ROW, MOST_IN_CELLS = 5, 10
CELL_HEIGHTS, CELL_HEADS = {1: 270, 2: 196}, {1: 132, 2: 88}  # by the number of rows
ROW, ROW_HEAD, RANK = 36, 29, 40  # height of somebody in a list, width of a head and of a rank there
COLUMN_GAP = 20
GROUP_HEIGHT, GROUP_HEAD, IN_LINE = 200, 54, 6
SMALLEST_NUMBER = 10  # pixels of digits; a number is never cut
NAMELESS = "…"  # instead of a name that no font can draw


def painted(scene: ResultScene) -> Image.Image:
    """Draw a scene, as high as it needs.

    Raises:
        OSError: the default font is missing.
    """
    top = HEADER + (BANNER if scene.crossed else 0)
    body = _height(scene)
    picture = Image.new("RGB", (WIDTH, top + body + MARGIN // 2), SOLID)
    canvas = _Canvas(picture)
    _header(canvas, scene)
    if scene.crossed:
        _banner(canvas, scene)
    if scene.groups:
        _crowd(canvas, scene, top)
    elif len(scene.people) == 1:
        _alone(canvas, scene, top)
    elif len(scene.people) <= MOST_IN_CELLS:
        _cells(canvas, scene, top)
    else:
        _list(canvas, scene, top)
    return picture


def _height(scene: ResultScene) -> int:
    count = len(scene.people)
    if scene.groups:
        return GROUP_HEIGHT + MARGIN // 2 + count * ROW
    if count == 1:
        return ALONE_HEIGHT - MARGIN // 2
    if count <= MOST_IN_CELLS:
        rows = _rows(count)
        return rows * CELL_HEIGHTS[rows]
    return (count + 1) // 2 * ROW


def _rows(count: int) -> int:
    return 1 if count <= MOST_IN_ROW else 2


def _header(canvas: _Canvas, scene: ResultScene) -> None:
    """Show what was raided, how it went, and the vault; its bolts are drawn back for those who got away."""
    _, dark, _ = steel(scene.look)
    canvas.slab((0, 0, WIDTH, HEADER - 14), dark)
    door = vault(scene.look, round(scene.away * BOLTS), VAULT)
    visible = door.crop((0, (VAULT - HEADER + 14) // 2, VAULT, (VAULT + HEADER - 14) // 2))
    canvas.place(visible, WIDTH - VAULT - 12, 0)
    canvas.place(front(scene.look, scene.number, FRONT), MARGIN - 6, 14)
    left = MARGIN + FRONT + 16
    most = WIDTH - VAULT - 24 - left
    canvas.write(scene.title, (left, 38), 34, WHITE, most, face=WIDE, least=20)
    canvas.write(scene.verdict, (left, 82), 34, NOW, most, face=WIDE, least=20)


def _banner(canvas: _Canvas, scene: ResultScene) -> None:
    top = HEADER - 6
    canvas.slab((MARGIN, top, WIDTH - MARGIN, top + BANNER - 10), LOSS, radius=14)
    middle = top + (BANNER - 10) // 2
    label_width = canvas.write(scene.crossed, (MARGIN + 22, middle), 28, SOLID, 380, face=WIDE)
    rest = WIDTH - 2 * MARGIN - 44 - label_width - 24
    names = " & ".join(scene.crossers)
    canvas.write(names, (WIDTH - MARGIN - 22, middle), 28, SOLID, rest, anchor="r")


# One alone


def _alone(canvas: _Canvas, scene: ResultScene, top: int) -> None:
    (person,) = scene.people
    bottom = canvas.height
    figure = head(person.tint, scene.look, person.fate, ALONE_HEAD)
    canvas.place(figure, MARGIN, bottom - head_height(ALONE_HEAD) + 14)
    left = MARGIN + ALONE_HEAD + 34
    most, middle = WIDTH - MARGIN - left, (top + bottom) // 2
    canvas.name(person, (left, middle - 62), 52, most)
    canvas.gain(scene, person, (left, middle + 24), 96, most)


# A few: each in a cell


def _cells(canvas: _Canvas, scene: ResultScene, top: int) -> None:
    count = len(scene.people)
    rows = _rows(count)
    across = -(-count // rows)
    wide, high = (WIDTH - 2 * MARGIN) // across, CELL_HEIGHTS[rows]
    for number, person in enumerate(scene.people):
        row, column = divmod(number, across)
        in_row = min(across, count - row * across)
        start = (WIDTH - in_row * wide) // 2
        best = number == 0 and person.gain > 0
        box = start + column * wide, top + row * high, wide, high
        _cell(canvas, scene, person, box, CELL_HEADS[rows], best=best)


def _cell(
    canvas: _Canvas,
    scene: ResultScene,
    person: Raider,
    box: tuple[int, int, int, int],
    size: int,
    *,
    best: bool,
) -> None:
    left, top, wide, high = box
    middle = left + wide // 2
    around = (left + 4, top, left + wide - 4, top + high - 10)
    canvas.slab(around, SLAB, radius=18, rim=NOW if best else None)
    canvas.figure(scene, person, middle - size // 2, top + 12, size)
    under = top + 12 + head_height(size)
    large = high == CELL_HEIGHTS[1]
    canvas.name(person, (middle, under + 20), 28 if large else 24, wide - 24, anchor="m")
    at = middle, under + (60 if large else 52)
    canvas.gain(scene, person, at, 36 if large else 28, wide - 20, anchor="m")


# Many: a list in two columns


def _list(canvas: _Canvas, scene: ResultScene, top: int) -> None:
    half = (len(scene.people) + 1) // 2
    wide = (WIDTH - 2 * MARGIN - COLUMN_GAP) // 2
    for number, person in enumerate(scene.people):
        column, row = divmod(number, half)
        left = MARGIN + column * (wide + COLUMN_GAP)
        _row(canvas, scene, person, (left, top + row * ROW, wide), number + 1)


def _row(canvas: _Canvas, scene: ResultScene, person: Raider, box: tuple[int, int, int], rank: int) -> None:
    left, top, wide = box
    middle, best = top + ROW // 2, rank == 1 and person.gain > 0
    if best:
        canvas.slab((left - 8, top + 1, left + wide + 8, top + ROW - 2), SLAB, radius=10, rim=NOW)
    canvas.write(
        str(rank), (left + RANK - 10, middle), 20, NOW if best else SOFT, RANK - 8, anchor="r", face=WIDE
    )
    canvas.figure(scene, person, left + RANK, top + 2, ROW_HEAD)
    gain_width = canvas.gain(scene, person, (left + wide - 6, middle), 24, 170, anchor="r")
    start = left + RANK + ROW_HEAD + 12
    canvas.name(person, (start, middle), 24, left + wide - 6 - gain_width - 14 - start)


# A crowd: groups as large as they are, and the best


def _crowd(canvas: _Canvas, scene: ResultScene, top: int) -> None:
    wide = (WIDTH - 2 * MARGIN - (len(scene.groups) - 1) * COLUMN_GAP) // len(scene.groups)
    for number, group in enumerate(scene.groups):
        _group(canvas, scene, group, MARGIN + number * (wide + COLUMN_GAP), top, wide)
    rows = top + GROUP_HEIGHT + MARGIN // 2
    for number, person in enumerate(scene.people):
        _row(canvas, scene, person, (MARGIN, rows + number * ROW, WIDTH - 2 * MARGIN), number + 1)


def _group(canvas: _Canvas, scene: ResultScene, group: RaidGroup, left: int, top: int, wide: int) -> None:
    canvas.slab((left, top, left + wide, top + GROUP_HEIGHT), SLAB, radius=18)
    lines = [group.tints[start : start + IN_LINE] for start in range(0, len(group.tints), IN_LINE)]
    step = min(GROUP_HEAD - 12, (wide - 24 - GROUP_HEAD) // (IN_LINE - 1))
    for number, line in enumerate(lines):
        start = left + (wide - (len(line) - 1) * step - GROUP_HEAD) // 2
        for place, tint in enumerate(line):
            figure = head(tint, scene.look, group.fate, GROUP_HEAD)
            canvas.place(figure, start + place * step, top + 10 + number * 42)
    middle = left + wide // 2
    colour = {"escaped": NOW, "caught": LOSS}.get(group.fate, SOFT)
    count = f"{group.count:,d}"
    canvas.write(
        count, (middle, top + 142), 44, colour, wide - 24, anchor="m", face=WIDE, least=SMALLEST_NUMBER
    )
    canvas.write(group.caption, (middle, top + 179), 24, SOFT, wide - 24, anchor="m")


class _Canvas:
    """A picture that texts and drawings are put on."""

    def __init__(self, picture: Image.Image) -> None:
        self._picture, self._draw = picture, ImageDraw.Draw(picture)
        self.height = picture.height

    def slab(
        self, box: tuple[int, int, int, int], colour: Colour, *, radius: int = 0, rim: Colour | None = None
    ) -> None:
        """Fill a box (left, top, right, bottom) with round corners."""
        self._draw.rounded_rectangle(box, radius, fill=colour, outline=rim, width=3 if rim else 0)

    def place(self, drawing: Image.Image, left: int, top: int) -> None:
        """Put a drawing on the picture."""
        self._picture.paste(drawing, (left, top), drawing)

    def figure(self, scene: ResultScene, person: Raider, left: int, top: int, size: int) -> None:
        """Draw somebody, with a bag where they ran off with what others had won."""
        self.place(head(person.tint, scene.look, person.fate, size), left, top)
        if person.fate == "ran":
            sack = bag(size // 2)
            self.place(sack, left + size - size // 3, top + head_height(size) - sack.height - 2)

    def name(self, person: Raider, at: tuple[int, int], size: int, most: int, *, anchor: str = "l") -> None:
        """Write the name of somebody."""
        legible = person.name if spans(person.name, size, PLAIN) else NAMELESS
        self.write(legible, at, size, WHITE, most, anchor=anchor)

    def gain(
        self,
        scene: ResultScene,
        person: Raider,
        at: tuple[int, int],
        size: int,
        most: int,
        *,
        anchor: str = "l",
    ) -> int:
        """Write by how much somebody is richer, or that they did not go in; give its width."""
        if person.fate == "returned" and not person.gain:
            return self.write(scene.returned, at, size * 3 // 4, SOFT, most, anchor=anchor)
        text = signed(person.gain)
        colour = NOW if person.gain > 0 else LOSS if person.gain < 0 else SOFT
        face = WIDE if _width(text, SMALLEST_NUMBER, WIDE) <= most else PLAIN
        return self.write(text, at, size, colour, most, anchor=anchor, face=face, least=SMALLEST_NUMBER)

    def write(
        self,
        text: str,
        at: tuple[int, int],
        size: int,
        colour: Colour,
        most: int,
        *,
        anchor: str = "l",
        face: tuple[str, ...] = PLAIN,
        least: int = 0,
    ) -> int:
        """Write a text on a middle line, smaller or cut where it is wider than `most` pixels; give its width.

        `anchor` says what of it `at` is: its left end, its middle or its right end. `least` is the size down
        to which it is written smaller before it is cut; 0: a little smaller.
        """
        sizes = range(size, (least or size * 5 // 6) - 1, -2)
        size = next((each for each in sizes if _width(text, each, face) <= most), sizes[-1])
        text = _cut(text, size, face, most)
        wide = _width(text, size, face)
        left = at[0] - {"l": 0, "m": wide // 2, "r": wide}[anchor]
        baseline = at[1] + size * 0.36
        for letters, font in spans(text, size, face):
            self._draw.text((left, baseline), letters, fill=colour, font=font, anchor="ls")
            left += int(font.getlength(letters))
        return wide


def _cut(text: str, size: int, face: tuple[str, ...], most: int) -> str:
    if _width(text, size, face) <= most:
        return text
    while text and _width(f"{text}…", size, face) > most:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _width(text: str, size: int, face: tuple[str, ...]) -> int:
    return sum(int(font.getlength(letters)) for letters, font in spans(text, size, face))
