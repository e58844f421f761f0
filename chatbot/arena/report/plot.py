"""A picture of a run: on the left how scores came about, on the right what they came to.

Where a contest tells parts of a whole, such as the games won, drawn and lost, these are on the left instead.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import accumulate
from math import isfinite, log10
from typing import TYPE_CHECKING

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from chatbot.arena.engine.tally import Curve, PlayerPlacing
from chatbot.arena.report.report import decimals_of_parts, games, number, parts_of, places_of
from chatbot.kernel.failure import Failure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from chatbot.arena.engine.competition import RunOutcome
    from chatbot.arena.engine.tally import Number

HUGE = 10**300  # from here on, the powers of ten are drawn: doubles have no room for the numbers
_WIDE = 100  # times: where scores differ by more, the scale is logarithmic
_UNITS = ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k"))

# Most are Okabe's and Ito's (2008), told apart with every kind of colour blindness; each with its ink.
_BAR_COLOURS = (
    ("#0072B2", "white"), ("#D3D7DB", "black"), ("#D55E00", "white"),
    ("#009E73", "white"), ("#56B4E9", "black"), ("#CC79A7", "black"),
)  # fmt: skip
_ROW = 0.42  # inches for a player whose bars are drawn
_NARROW = 0.1  # of the longest bar: no number fits in
_THICK = 0.7  # of a row

# Okabe and Ito (2008): told apart with every kind of colour blindness. Black is kept for the winner.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_STYLES = ("-", "--", "-.", ":")
_WINNER, _INK, _QUIET, _FAINT = "#111111", "#333333", "#777777", "#E4E4E4"
_LONGEST = 24  # characters of a name
_LINE = 0.2  # inches for a name
_MANY = 8  # players whose lines are told apart easily; all others are drawn fainter
_MOST = 100  # players that are drawn, the best; a picture has no room for more
_WIDTH = 13.5  # inches
_FRAME = 1.9  # inches around the axes


def scale_of(values: Sequence[float]) -> str:
    """Choose a scale on which all of them can be told apart."""
    sizes = [abs(each) for each in values if each and isfinite(each)]
    if min(values, default=0) < 0:  # averages around 0: they are wide only if most of them are small
        return (
            "symlog" if sizes and max(sizes) > _WIDE * max(1.0, sorted(sizes)[len(sizes) // 2]) else "linear"
        )
    if not sizes or max(sizes) <= _WIDE * max(1.0, min(sizes)):
        return "linear"
    return "log" if len(sizes) == len(values) and min(sizes) >= 1 else "symlog"


def huge(values: Sequence[Number]) -> bool:
    return max(map(abs, values), default=0) >= HUGE


def at(value: Number, powers: bool) -> float:
    """Say where on an axis a number stands, of which it may have the powers of ten."""
    return log10(max(value, 1)) if powers else float(value)


def in_powers(mean: int, error: int) -> tuple[float, float, float]:
    """Give the power of ten of a mean, and how far its error reaches below (to a tenth at most) and above."""
    middle = at(mean, powers=True)
    least = max(mean - error, mean // 10)
    return middle, middle - at(least, powers=True), at(mean + error, powers=True) - middle


def short(value: float, powers: bool = False) -> str:
    """Write a number on an axis."""
    if powers:
        return f"1e{value:g}"
    size = abs(value)
    if size >= 10**15:
        return f"{value:.0e}".replace("e+", "e")
    for unit, sign in _UNITS:
        if size >= unit:
            return f"{value / unit:g}{sign}"
    return f"{value:g}"


def height_of(rows: int) -> float:
    """Give the inches that so many rows of bars take."""
    return _ROW * rows


def draw_bars(axes: Axes, parts: Mapping[str, Sequence[float]], colour: int, decimals: int) -> None:
    """Draw a row for each player; `parts` are each part's name and values, the first in the given colour."""
    columns = list(parts.values())
    ends = [list(accumulate(row)) for row in zip(*columns, strict=True)]
    longest = max((row[-1] for row in ends), default=0.0) or 1.0
    for place, (name, values) in enumerate(parts.items()):
        fill, ink = _BAR_COLOURS[(colour + place) % len(_BAR_COLOURS)]
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


@dataclass(frozen=True, slots=True)
class Stroke:
    """How a player is drawn, in both halves."""

    place: PlayerPlacing
    curve: Curve
    colour: str
    style: str
    width: float
    strength: float = 1.0  # 0 cannot be seen

    @property
    def label(self) -> str:
        name = self.place.name
        return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"

    @property
    def weight(self) -> str:
        return "bold" if self.place.rank == 1 else "normal"


def draw(outcome: RunOutcome, file: Path) -> None:
    """Write a PNG.

    Raises:
        Failure: the file cannot be written.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # of a name: it gets a box, and that is all
        figure = picture(outcome)
        try:
            figure.savefig(file, format="png", dpi=150)
        except OSError as error:
            raise Failure(f"{str(file)!r} cannot be written: {error.strerror}.") from None


def picture(outcome: RunOutcome) -> Figure:
    strokes, wholes = _strokes(outcome), parts_of(outcome.tally)
    height = max(2.8, _FRAME + height_of(len(strokes))) if wholes else max(5.2, _FRAME + _LINE * len(strokes))
    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    FigureCanvasAgg(figure)
    _write_title(figure, outcome)
    if wholes:
        _draw_wholes(figure, outcome, strokes, wholes)
        return figure
    left, right = figure.subplots(1, 2, width_ratios=(1.7, 1))
    _draw_curves(left, outcome, strokes, _LINE / (height - _FRAME))
    _draw_means(right, outcome, strokes)
    _name_rows(right, strokes)
    return figure


def _strokes(outcome: RunOutcome) -> list[Stroke]:
    """Give everybody a look, the best first; those who have not played are left out."""
    curves = {
        name: curve for (name, _), curve in zip(outcome.tally.players, outcome.tally.curves, strict=True)
    }
    strokes: list[Stroke] = []
    for place in outcome.tally.places()[:_MOST]:
        if place.mean is None:
            continue
        curve = curves[place.name].shared
        if place.rank == 1:
            strokes.append(Stroke(place, curve, _WINNER, "-", 2.8))
            continue
        look = sum(each.place.rank != 1 for each in strokes)
        style = _STYLES[look // len(_COLOURS) % len(_STYLES)]
        width, strength = (1.4, 1.0) if len(strokes) < _MANY else (0.8, 0.6)
        strokes.append(Stroke(place, curve, _COLOURS[look % len(_COLOURS)], style, width, strength))
    return strokes


def _write_title(figure: Figure, outcome: RunOutcome) -> None:
    order, tally = outcome.order, outcome.tally
    matches = f" in {tally.matches:,} matches" if tally.matches > 1 else ""
    told = f"{order.game}: {games(tally.games)}{matches}, {len(order.players)} players"
    if len(order.players) > _MOST:
        told += f", the best {_MOST} of them drawn"
    title = figure.suptitle(f"{told}\nseed {order.seed[:60]}", x=0.012, ha="left", fontsize=13, color=_INK)
    title.set_parse_math(False)


def _draw_curves(axes: Axes, outcome: RunOutcome, strokes: Sequence[Stroke], gap: float) -> None:
    several = outcome.tally.matches > 1
    unit = outcome.order.contest.unit
    _dress(axes, f"{unit[:1].upper()}{unit[1:]}, game by game" + (", mean of all matches" if several else ""))
    axes.set_xlabel("games of a match" if several else "games", color=_QUIET)
    powers = huge([each for stroke in strokes for each in stroke.curve.means])
    for stroke in reversed(strokes):
        played, means = stroke.curve.games, [at(each, powers) for each in stroke.curve.means]
        axes.plot(
            played, means, stroke.style, color=stroke.colour, linewidth=stroke.width, alpha=stroke.strength,
            marker="o" if len(played) == 1 else "",
        )  # fmt: skip
    drawn = [at(each, powers) for stroke in strokes for each in stroke.curve.means]
    scale = "linear" if powers else scale_of(drawn)
    axes.set_yscale(scale, **({"linthresh": 1, "linscale": 0.3} if scale == "symlog" else {}))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: short(value, powers)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))
    axes.margins(x=0, y=0.04)
    axes.grid(axis="y", color=_FAINT, linewidth=0.8)
    axes.set_axisbelow(True)
    _label(axes, [each for each in strokes if each.curve.games], gap, powers)


def _label(axes: Axes, strokes: Sequence[Stroke], gap: float, powers: bool) -> None:
    """Write names beside the ends of lines, moved apart where they would cover each other."""
    axes.autoscale_view()
    to_axes = axes.transData + axes.transAxes.inverted()
    last = [(each.curve.games[-1], at(each.curve.means[-1], powers)) for each in strokes]
    ends = [float(to_axes.transform(each)[1]) for each in last]
    for stroke, end, height in zip(strokes, ends, spread(ends, gap), strict=True):
        axes.plot(
            (1.0, 1.03),
            (end, height),
            transform=axes.transAxes,
            color=stroke.colour,
            linewidth=0.7,
            clip_on=False,
        )
        axes.text(
            1.035, height, stroke.label, transform=axes.transAxes, color=stroke.colour, fontsize=9,
            va="center", weight=stroke.weight, parse_math=False,
        )  # fmt: skip


def spread(wanted: Sequence[float], gap: float) -> list[float]:
    """Move heights apart so that none is nearer than `gap` to the next, each as little as possible.

    Neighbours that collide become a block, which sits around the mean of where they wanted to be;
    then everything is moved into 0..1 where there is room.
    """
    order = sorted(range(len(wanted)), key=lambda each: wanted[each])
    blocks: list[list[int]] = []
    for each in order:
        blocks.append([each])
        while len(blocks) > 1 and _top(wanted, blocks[-2], gap) + gap > _bottom(wanted, blocks[-1], gap):
            above = blocks.pop()
            blocks[-1] += above
    heights = [0.0] * len(wanted)
    for block in blocks:
        for step, each in enumerate(block):
            heights[each] = _bottom(wanted, block, gap) + step * gap
    return _within(heights, order, gap)


def _within(heights: list[float], order: Sequence[int], gap: float) -> list[float]:
    ceiling = 1.0
    for each in reversed(order):
        heights[each] = min(heights[each], ceiling)
        ceiling = heights[each] - gap
    floor = min(0.0, 1.0 - gap * (len(order) - 1))
    for each in order:
        heights[each] = max(heights[each], floor)
        floor = heights[each] + gap
    return heights


def _bottom(wanted: Sequence[float], block: Sequence[int], gap: float) -> float:
    return sum(wanted[each] for each in block) / len(block) - gap * (len(block) - 1) / 2


def _top(wanted: Sequence[float], block: Sequence[int], gap: float) -> float:
    return _bottom(wanted, block, gap) + gap * (len(block) - 1)


def _draw_means(axes: Axes, outcome: RunOutcome, strokes: Sequence[Stroke]) -> None:
    several = outcome.tally.averages
    _dress(axes, "Mean ± standard error" if several else "Where it ended")
    axes.set_xlabel(outcome.order.contest.unit, color=_QUIET)
    means = [stroke.place.mean or 0.0 for stroke in strokes]
    powers = huge(means)
    scale = "linear" if powers else scale_of([float(each) for each in means])
    axes.set_xscale(scale, **({"linthresh": 1, "linscale": 0.3} if scale == "symlog" else {}))
    places = places_of(means)
    for row, (stroke, mean) in enumerate(zip(strokes, means, strict=True)):
        error = stroke.place.standard_error or 0.0
        if powers:
            middle, below, above = in_powers(int(mean), int(error))
        else:
            middle, above = float(mean), float(error)
            below = min(above, middle * 0.9) if scale == "log" else above  # there is no 0 on that scale
        axes.errorbar(
            middle, row, xerr=[[below], [above]], fmt="o", color=stroke.colour, capsize=3, markersize=6,
            elinewidth=1.6,
        )  # fmt: skip
        shown = stroke.place.mean if several else stroke.place.total
        axes.text(
            1.02, row, number(shown, places), transform=axes.get_yaxis_transform(), va="center", fontsize=9,
            color=_INK, weight=stroke.weight,
        )  # fmt: skip
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: short(value, powers)))
    if scale == "symlog" and min(means) >= 0:
        axes.set_xlim(left=-0.5)
    axes.grid(axis="x", color=_FAINT, linewidth=0.8)
    axes.set_axisbelow(True)


def _draw_wholes(
    figure: Figure, outcome: RunOutcome, strokes: Sequence[Stroke], wholes: Mapping[str, Sequence[str]]
) -> None:
    """Draw bars for each whole and then the means, a row for each player across all of them."""
    *panels, last = figure.subplots(1, len(wholes) + 1)
    colour = 0
    for axes, (whole, names) in zip(panels, wholes.items(), strict=True):
        parts = {name: [float(stroke.place.measures[name].mean or 0) for stroke in strokes] for name in names}
        _dress(axes, "")
        axes.set_xlabel(whole, color=_QUIET)
        draw_bars(axes, parts, colour, min(map(decimals_of_parts, zip(*parts.values(), strict=True))))
        colour += len(names)
    _draw_means(last, outcome, strokes)
    for axes in (*panels, last):
        _name_rows(axes, strokes, blank=axes is not panels[0])


def _name_rows(axes: Axes, strokes: Sequence[Stroke], blank: bool = False) -> None:
    names = ["" if blank else f"{stroke.place.rank}. {stroke.label}" for stroke in strokes]
    axes.set_yticks(range(len(names)), names, fontsize=9)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    for label, stroke in zip(axes.get_yticklabels(), strokes, strict=True):
        label.set_fontweight(stroke.weight)
        label.set_parse_math(False)


def _dress(axes: Axes, title: str) -> None:
    axes.set_title(title, loc="left", fontsize=11, color=_INK)
    axes.tick_params(colors=_QUIET, labelsize=9)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(_FAINT)
