"""The bars of a picture: for each player the parts of a whole, one behind the other, under a key."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

# Most are Okabe's and Ito's (2008), told apart with every kind of colour blindness; each with its ink.
_COLOURS = (
    ("#0072B2", "white"), ("#D3D7DB", "black"), ("#D55E00", "white"),
    ("#009E73", "white"), ("#56B4E9", "black"), ("#CC79A7", "black"),
)  # fmt: skip
_INK = "#333333"
_ROW = 0.42  # inches for a player whose bars are drawn
_NARROW = 0.1  # of the longest bar: no number fits in
_THICK = 0.7  # of a row


def height_of(rows: int) -> float:
    """Give the inches that so many rows of bars take."""
    return _ROW * rows


def draw_bars(axes: Axes, parts: Mapping[str, Sequence[float]], colour: int, decimals: int) -> None:
    """Draw a row for each player; `parts` are each part's name and values, the first in the given colour."""
    columns = list(parts.values())
    ends = [list(accumulate(row)) for row in zip(*columns, strict=True)]
    longest = max((row[-1] for row in ends), default=0.0) or 1.0
    for place, (name, values) in enumerate(parts.items()):
        fill, ink = _COLOURS[(colour + place) % len(_COLOURS)]
        starts = [row[place - 1] if place else 0.0 for row in ends]
        axes.barh(range(len(values)), values, _THICK, left=starts, color=fill, edgecolor="white", label=name)
        for row, (start, value) in enumerate(zip(starts, values, strict=True)):
            if value > _NARROW * longest:
                axes.text(
                    start + value / 2, row, f"{value:.{decimals}f}", color=ink, ha="center", va="center",
                    fontsize=8,
                )  # fmt: skip
    axes.set_xlim(0, longest)
    key = axes.legend(
        loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=len(parts), frameon=False, fontsize=11,
        borderpad=0.0, borderaxespad=0.6, handlelength=0.9, handleheight=0.9, columnspacing=1.2,
    )  # fmt: skip
    for text in key.get_texts():
        text.set_parse_math(False)
        text.set_color(_INK)
