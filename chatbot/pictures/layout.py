"""Lay out a picture in pixels, with cards as large as 400 by 300 points (two pixels each) permit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.pictures.scene import CardGroup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.pictures.scene import Scene, SceneRow

WIDTH, HIGHEST = 800, 600  # twice the largest size in points at which Discord displays an image
MARGIN = 28
LABEL = 30  # height of the line of text above the cards of a group
LARGEST, SMALLEST, TINIEST = 112, 36, 12  # widths of cards; below SMALLEST only if nothing else fits
LEGIBLE = 56  # width of cards below which the dense spacing is used
SHOWN_WIDTH, PILE_WIDTH = 196, 104  # of the card that is turned up, and of the pile beside it
MOST_BACKS = 6  # cards face down that are drawn individually; more are drawn as a pile
COUNT = 58  # width of the number of cards that are not drawn
CARD_HEIGHT = 1.4  # height of a card divided by its width


@dataclass(frozen=True, slots=True)
class Spacing:
    """Pixels between slots (`gutter`) and from the rim of a slot to its cards (`pad`); height of a name."""

    gutter: int
    pad: int
    name: int


ROOMY, DENSE = Spacing(18, 10, 36), Spacing(12, 6, 30)


@dataclass(frozen=True, slots=True)
class Spot:
    """The slot of a group, with cards `card` pixels wide; `headed` if a line of text is above them."""

    group: CardGroup
    left: int
    top: int
    width: int
    card: int
    pad: int
    headed: bool = True

    @property
    def height(self) -> int:
        """The height of the slot in pixels."""
        return _group_height(self.card, self.pad, headed=self.headed)


@dataclass(frozen=True, slots=True)
class Title:
    """The name of an owner; `group` is the single hand whose label is on the same line."""

    name: str
    left: int
    top: int
    width: int
    group: CardGroup | None = None


@dataclass(frozen=True, slots=True)
class PicturePlan:
    """The positions of everything in a picture."""

    height: int
    titles: tuple[Title, ...]
    places: tuple[Spot, ...]
    upcard: Spot | None = None
    pile: Spot | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """The columns in which rows are laid out; `width` is that of one column, `card` that of one card."""

    columns: int
    width: int
    card: int
    spacing: Spacing


def planned(scene: Scene) -> PicturePlan:
    """Lay out a scene; it becomes higher than `HIGHEST` if not everything fits."""
    left, right, highest = MARGIN, WIDTH - MARGIN, HIGHEST - 2 * MARGIN
    upcard = pile = None
    if scene.upcard is not None:
        upcard = Spot(scene.upcard, left, MARGIN, SHOWN_WIDTH + 2 * ROOMY.pad, SHOWN_WIDTH, ROOMY.pad)
        left, highest = left + upcard.width + ROOMY.gutter, upcard.height
    if scene.pile is not None:
        wide = PILE_WIDTH + 2 * ROOMY.pad
        pile = Spot(scene.pile, right - wide, MARGIN, wide, PILE_WIDTH, ROOMY.pad)
        right = pile.left - ROOMY.gutter
    most = 2 if scene.upcard is None else 1
    parts = list(_laid(scene.rows, left, _grid(scene.rows, right - left, highest, most)))
    titles = tuple(each for each in parts if isinstance(each, Title))
    places = tuple(each for each in parts if isinstance(each, Spot))
    ends = [each.top + each.height for each in (*places, upcard, pile) if each is not None]
    return PicturePlan(max(ends, default=MARGIN) + MARGIN, titles, places, upcard, pile)


def card_height(card: int) -> int:
    """Return the height of a card from its width, in pixels."""
    return round(card * CARD_HEIGHT)


def gap(card: int) -> int:
    """Return the pixels between two cards, from the width of a card."""
    return max(card // 12, 5)


def card_count(group: CardGroup) -> int:
    """Count the cards of a group that are drawn; at least 1, for an empty place is drawn like a card."""
    backs = group.hidden if group.hidden <= MOST_BACKS else 1
    return max(len(group.cards) + backs, 1)


def _grid(rows: Sequence[SceneRow], width: int, highest: int, most: int) -> Grid:
    """Choose the number of columns with the largest cards that fit; if none fits, ignore the height."""
    for spacing, least in ((ROOMY, LEGIBLE), (DENSE, SMALLEST)):
        grids = [
            Grid(columns, _column_width(width, columns, spacing), card, spacing)
            for columns in range(1, most + 1)
            for card in range(least, LARGEST + 1, 2)
        ]
        fitting = [each for each in grids if _fits(rows, each, highest)]
        if fitting:
            return max(fitting, key=lambda each: (each.card, -each.columns))
    wide = _column_width(width, most, DENSE)
    narrow = (Grid(most, wide, card, DENSE) for card in range(SMALLEST, TINIEST, -1))
    return next((each for each in narrow if _wide_enough(rows, each)), Grid(1, width, TINIEST, DENSE))


def _column_width(width: int, columns: int, spacing: Spacing) -> int:
    return (width - (columns - 1) * spacing.gutter) // columns


def _fits(rows: Sequence[SceneRow], grid: Grid, highest: int) -> bool:
    high = max((_column_height(column, grid) for column in _split(rows, grid.columns)), default=0)
    return high <= highest and _wide_enough(rows, grid)


def _wide_enough(rows: Sequence[SceneRow], grid: Grid) -> bool:
    return all(_row_width(each, grid) <= grid.width for each in rows)


def _laid(rows: Sequence[SceneRow], left: int, grid: Grid) -> Iterator[Title | Spot]:
    for column in _split(rows, grid.columns):
        top = MARGIN
        for row in column:
            yield from _row(row, left, top, grid)
            top += _row_height(row, grid) + grid.spacing.gutter
        left += grid.width + grid.spacing.gutter


def _row(row: SceneRow, left: int, top: int, grid: Grid) -> Iterator[Title | Spot]:
    """Lay out the hands of a row; a single one takes all of its width."""
    alone = len(row.groups) == 1
    if row.name:
        yield Title(row.name, left, top, grid.width, row.groups[0] if alone else None)
        top += grid.spacing.name
    for group in row.groups:
        wide = grid.width if alone else _group_width(group, grid)
        yield Spot(group, left, top, wide, grid.card, grid.spacing.pad, _headed(row))
        left += wide + grid.spacing.gutter


def _headed(row: SceneRow) -> bool:
    """Whether the label of each hand has its own line: that of a single one is beside the name."""
    return not (row.name and len(row.groups) == 1)


def _split(rows: Sequence[SceneRow], columns: int) -> list[Sequence[SceneRow]]:
    most = max(-(-len(rows) // columns), 1)
    return [rows[start : start + most] for start in range(0, len(rows), most)]


def _column_height(rows: Sequence[SceneRow], grid: Grid) -> int:
    return sum(_row_height(each, grid) for each in rows) + grid.spacing.gutter * (len(rows) - 1)


def _row_height(row: SceneRow, grid: Grid) -> int:
    name_height = grid.spacing.name if row.name else 0
    return name_height + _group_height(grid.card, grid.spacing.pad, headed=_headed(row))


def _row_width(row: SceneRow, grid: Grid) -> int:
    widths = sum(_group_width(each, grid) for each in row.groups)
    return widths + grid.spacing.gutter * (len(row.groups) - 1)


def _group_height(card: int, pad: int, *, headed: bool) -> int:
    return (LABEL if headed else 0) + card_height(card) + 2 * pad


def _group_width(group: CardGroup, grid: Grid) -> int:
    count = card_count(group)
    counts = COUNT * (bool(group.earlier) + bool(group.later))
    return count * grid.card + (count - 1) * gap(grid.card) + counts + 2 * grid.spacing.pad
