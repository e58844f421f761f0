"""The plot of a run: scores in the course of a match on the left, means on the right.

If a contest measures parts of a whole, such as the games won, drawn and lost, bars of these are on the left.
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

from arena.engine.tally import Curve, PlayerPlacing
from arena.report.report import decimals_for, decimals_of_parts, games, number, parts_by_whole
from chatbot.games import title_of
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from arena.engine.competition import RunOutcome
    from arena.engine.tally import Rounded

_POWERS_FROM = 10**300  # numbers from here on are drawn by their powers of ten: doubles end at 1.8e308
_LOG_SCALE_FROM = 100  # ratio of the scores from which the scale is logarithmic
_UNITS = ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k"))

# The colours of overlay and page: seats for players, yellow for the winner, on the same dark plate.
_PLATE, _WINNER, _TEXT, _MUTED, _GRID = "#14161F", "#FFD23F", "#F4F4F6", "#A2A8BA", "#2C3040"
_COLOURS = ("#5CC2F7", "#FF7F74", "#45D9BB", "#F592E0", "#FFAE5C", "#A6AFFF")
_BAR_COLOURS = ("#5CC2F7", "#A2A8BA", "#FF7F74", "#45D9BB", "#A6AFFF", "#F592E0")
_ROW_HEIGHT = 0.42  # inches
_MIN_LABELLED = 0.1  # part of the longest bar from which a number fits into a bar
_BAR_HEIGHT = 0.7  # part of a row

_LINE_STYLES = ("-", "--", "-.", ":")
_MAX_NAME = 24  # characters of a name
_LINE_HEIGHT = 0.2  # inches of a name
_THICK_LINES = 8  # players, the best, whose lines are thick and opaque
_MAX_PLAYERS = 100  # players that are drawn, the best
_WIDTH = 13.5  # inches
_FRAME_HEIGHT = 1.9  # inches around the axes


def scale_of(values: Sequence[float]) -> str:
    """Return the name of the Matplotlib scale on which all values can be distinguished."""
    sizes = [abs(each) for each in values if each and isfinite(each)]
    if min(values, default=0) < 0:  # means around 0: logarithmic only if most of them are small
        return (
            "symlog"
            if sizes and max(sizes) > _LOG_SCALE_FROM * max(1.0, sorted(sizes)[len(sizes) // 2])
            else "linear"
        )
    if not sizes or max(sizes) <= _LOG_SCALE_FROM * max(1.0, min(sizes)):
        return "linear"
    return "log" if len(sizes) == len(values) and min(sizes) >= 1 else "symlog"


def needs_powers(values: Sequence[Rounded]) -> bool:
    """Whether the powers of ten of the values have to be drawn instead of the values."""
    return max(map(abs, values), default=0) >= _POWERS_FROM


def axis_position(value: Rounded, powers: bool) -> float:
    """Return the position of a number on an axis, which may be one of powers of ten."""
    return log10(max(value, 1)) if powers else float(value)


def power_interval(mean: int, error: int) -> tuple[float, float, float]:
    """Return the power of ten of a mean, and the lengths of its error bar below and above.

    The bar ends at a tenth of the mean at the lowest, since there is no 0 on the scale.
    """
    middle = axis_position(mean, powers=True)
    least = max(mean - error, mean // 10)
    return (
        middle,
        middle - axis_position(least, powers=True),
        axis_position(mean + error, powers=True) - middle,
    )


def axis_label(value: float, powers: bool = False) -> str:
    """Return the label of a number on an axis."""
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
    """Return the height of rows of bars in inches."""
    return _ROW_HEIGHT * rows


def draw_bars(axes: Axes, parts: Mapping[str, Sequence[float]], colour: int, decimals: int) -> None:
    """Draw a row of bars for each player.

    `parts` are the values of the players by the name of a part; `colour` is the index of the first colour.
    """
    columns = list(parts.values())
    ends = [list(accumulate(row)) for row in zip(*columns, strict=True)]
    longest = max((row[-1] for row in ends), default=0.0) or 1.0
    for place, (name, values) in enumerate(parts.items()):
        fill = _BAR_COLOURS[(colour + place) % len(_BAR_COLOURS)]
        starts = [row[place - 1] if place else 0.0 for row in ends]
        axes.barh(
            range(len(values)), values, _BAR_HEIGHT, left=starts, color=fill, edgecolor=_PLATE, label=name
        )
        for row, (start, value) in enumerate(zip(starts, values, strict=True)):
            if value > _MIN_LABELLED * longest:
                axes.text(
                    start + value / 2, row, f"{value:.{decimals}f}", color=_PLATE, ha="center",
                    va="center", fontsize=8,
                )  # fmt: skip
    axes.set_xlim(0, longest)
    key = axes.legend(
        loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=len(parts), frameon=False, fontsize=11,
        borderpad=0.0, borderaxespad=0.6, handlelength=0.9, handleheight=0.9, columnspacing=1.2,
    )  # fmt: skip
    for text in key.get_texts():
        text.set_parse_math(False)
        text.set_color(_TEXT)


@dataclass(frozen=True, slots=True)
class PlayerStyle:
    """How a player is drawn in both halves."""

    place: PlayerPlacing
    curve: Curve
    colour: str
    line: str  # Matplotlib's style of a line
    width: float
    opacity: float = 1.0  # 0 is invisible

    @property
    def label(self) -> str:
        """The name, shortened to 24 characters."""
        name = self.place.name
        return name if len(name) <= _MAX_NAME else f"{name[: _MAX_NAME - 1]}…"

    @property
    def weight(self) -> str:
        """Matplotlib's weight of the font of the name."""
        return "bold" if self.place.rank == 1 else "normal"


def draw(outcome: RunOutcome, file: Path) -> None:
    """Write the plot as a PNG.

    Raises:
        Failure: the file cannot be written.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # in names: Matplotlib draws boxes
        figure = picture(outcome)
        try:
            figure.savefig(file, format="png", dpi=150)
        except OSError as error:
            raise Failure(f"{str(file)!r} cannot be written: {error.strerror}.") from None


def picture(outcome: RunOutcome) -> Figure:
    """Return the plot as a figure of Matplotlib."""
    styles, wholes = _styles(outcome), parts_by_whole(outcome.tally)
    height = (
        max(2.8, _FRAME_HEIGHT + height_of(len(styles)))
        if wholes
        else max(5.2, _FRAME_HEIGHT + _LINE_HEIGHT * len(styles))
    )
    figure = Figure(figsize=(_WIDTH, height), layout="constrained", facecolor=_PLATE)
    FigureCanvasAgg(figure)
    _write_title(figure, outcome)
    if wholes:
        _draw_wholes(figure, outcome, styles, wholes)
        return figure
    left, right = figure.subplots(1, 2, width_ratios=(1.7, 1))
    _draw_curves(left, outcome, styles, _LINE_HEIGHT / (height - _FRAME_HEIGHT))
    _draw_means(right, outcome, styles)
    _name_rows(right, styles)
    return figure


def _styles(outcome: RunOutcome) -> list[PlayerStyle]:
    """Return the styles of the players who have scores, the best first."""
    curves = {
        name: curve for (name, _), curve in zip(outcome.tally.players, outcome.tally.curves, strict=True)
    }
    styles: list[PlayerStyle] = []
    for place in outcome.tally.places()[:_MAX_PLAYERS]:
        if place.mean is None:
            continue
        curve = curves[place.name].shared
        if place.rank == 1:
            styles.append(PlayerStyle(place, curve, _WINNER, "-", 2.8))
            continue
        index = sum(each.place.rank != 1 for each in styles)
        line = _LINE_STYLES[index // len(_COLOURS) % len(_LINE_STYLES)]
        width, opacity = (1.4, 1.0) if len(styles) < _THICK_LINES else (0.8, 0.6)
        styles.append(PlayerStyle(place, curve, _COLOURS[index % len(_COLOURS)], line, width, opacity))
    return styles


def _write_title(figure: Figure, outcome: RunOutcome) -> None:
    order, tally = outcome.order, outcome.tally
    matches = f" in {tally.matches:,} matches" if tally.matches > 1 else ""
    heading = f"{title_of(order.game)}: {games(tally.games)}{matches}, {len(order.players)} players"
    if len(order.players) > _MAX_PLAYERS:
        heading += f", the best {_MAX_PLAYERS} of them drawn"
    title = figure.suptitle(
        f"{heading}\nseed {order.seed[:60]}", x=0.012, ha="left", fontsize=13, color=_TEXT
    )
    title.set_parse_math(False)


def _draw_curves(axes: Axes, outcome: RunOutcome, styles: Sequence[PlayerStyle], gap: float) -> None:
    several = outcome.tally.matches > 1
    unit = outcome.order.contest.unit
    _style_axes(
        axes, f"{unit[:1].upper()}{unit[1:]}, game by game" + (", mean of all matches" if several else "")
    )
    axes.set_xlabel("games of a match" if several else "games", color=_MUTED)
    powers = needs_powers([each for style in styles for each in style.curve.means])
    for style in reversed(styles):
        games, means = style.curve.games, [axis_position(each, powers) for each in style.curve.means]
        axes.plot(
            games, means, style.line, color=style.colour, linewidth=style.width, alpha=style.opacity,
            marker="o" if len(games) == 1 else "",
        )  # fmt: skip
    positions = [axis_position(each, powers) for style in styles for each in style.curve.means]
    scale = "linear" if powers else scale_of(positions)
    axes.set_yscale(scale, **({"linthresh": 1, "linscale": 0.3} if scale == "symlog" else {}))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: axis_label(value, powers)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: axis_label(value)))
    axes.margins(x=0, y=0.04)
    axes.grid(axis="y", color=_GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    _label(axes, [each for each in styles if each.curve.games], gap, powers)


def _label(axes: Axes, styles: Sequence[PlayerStyle], gap: float, powers: bool) -> None:
    """Write names beside the ends of lines, moved apart so that they do not overlap."""
    axes.autoscale_view()
    to_axes = axes.transData + axes.transAxes.inverted()
    last = [(each.curve.games[-1], axis_position(each.curve.means[-1], powers)) for each in styles]
    ends = [float(to_axes.transform(each)[1]) for each in last]
    for style, end, height in zip(styles, ends, spread(ends, gap), strict=True):
        axes.plot(
            (1.0, 1.03),
            (end, height),
            transform=axes.transAxes,
            color=style.colour,
            linewidth=0.7,
            clip_on=False,
        )
        axes.text(
            1.035, height, style.label, transform=axes.transAxes, color=style.colour, fontsize=9,
            va="center", weight=style.weight, parse_math=False,
        )  # fmt: skip


def spread(targets: Sequence[float], gap: float) -> list[float]:
    """Return heights that are at least `gap` apart, each as near as possible to the wanted one.

    Neighbours that are too near become a block, centred on the mean of their wanted heights; then all are
    moved into 0..1 as far as possible.
    """
    order = sorted(range(len(targets)), key=lambda each: targets[each])
    blocks: list[list[int]] = []
    for each in order:
        blocks.append([each])
        while len(blocks) > 1 and _top(targets, blocks[-2], gap) + gap > _bottom(targets, blocks[-1], gap):
            above = blocks.pop()
            blocks[-1] += above
    heights = [0.0] * len(targets)
    for block in blocks:
        for step, each in enumerate(block):
            heights[each] = _bottom(targets, block, gap) + step * gap
    return _clamped(heights, order, gap)


def _clamped(heights: list[float], order: Sequence[int], gap: float) -> list[float]:
    ceiling = 1.0
    for each in reversed(order):
        heights[each] = min(heights[each], ceiling)
        ceiling = heights[each] - gap
    floor = min(0.0, 1.0 - gap * (len(order) - 1))
    for each in order:
        heights[each] = max(heights[each], floor)
        floor = heights[each] + gap
    return heights


def _bottom(targets: Sequence[float], block: Sequence[int], gap: float) -> float:
    return sum(targets[each] for each in block) / len(block) - gap * (len(block) - 1) / 2


def _top(targets: Sequence[float], block: Sequence[int], gap: float) -> float:
    return _bottom(targets, block, gap) + gap * (len(block) - 1)


def _draw_means(axes: Axes, outcome: RunOutcome, styles: Sequence[PlayerStyle]) -> None:
    several = outcome.tally.averages
    _style_axes(axes, "Mean ± standard error" if several else "Where it ended")
    axes.set_xlabel(outcome.order.contest.unit, color=_MUTED)
    means = [style.place.mean or 0.0 for style in styles]
    powers = needs_powers(means)
    scale = "linear" if powers else scale_of([float(each) for each in means])
    axes.set_xscale(scale, **({"linthresh": 1, "linscale": 0.3} if scale == "symlog" else {}))
    places = decimals_for(means)
    for row, (style, mean) in enumerate(zip(styles, means, strict=True)):
        error = style.place.standard_error or 0.0
        if powers:
            middle, below, above = power_interval(int(mean), int(error))
        else:
            middle, above = float(mean), float(error)
            below = min(above, middle * 0.9) if scale == "log" else above  # there is no 0 on that scale
        axes.errorbar(
            middle, row, xerr=[[below], [above]], fmt="o", color=style.colour, capsize=3, markersize=6,
            elinewidth=1.6,
        )  # fmt: skip
        amount = style.place.mean if several else style.place.total
        axes.text(
            1.02, row, number(amount, places), transform=axes.get_yaxis_transform(), va="center", fontsize=9,
            color=_TEXT, weight=style.weight,
        )  # fmt: skip
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: axis_label(value, powers)))
    if scale == "symlog" and min(means) >= 0:
        axes.set_xlim(left=-0.5)
    axes.grid(axis="x", color=_GRID, linewidth=0.8)
    axes.set_axisbelow(True)


def _draw_wholes(
    figure: Figure, outcome: RunOutcome, styles: Sequence[PlayerStyle], wholes: Mapping[str, Sequence[str]]
) -> None:
    """Draw the bars of each whole and then the means, with a row for each player across all panels."""
    *panels, last = figure.subplots(1, len(wholes) + 1)
    colour = 0
    for axes, (whole, names) in zip(panels, wholes.items(), strict=True):
        parts = {name: [float(style.place.measures[name].mean or 0) for style in styles] for name in names}
        _style_axes(axes, "")
        axes.set_xlabel(whole, color=_MUTED)
        draw_bars(axes, parts, colour, min(map(decimals_of_parts, zip(*parts.values(), strict=True))))
        colour += len(names)
    _draw_means(last, outcome, styles)
    for axes in (*panels, last):
        _name_rows(axes, styles, blank=axes is not panels[0])


def _name_rows(axes: Axes, styles: Sequence[PlayerStyle], blank: bool = False) -> None:
    names = ["" if blank else f"{style.place.rank}. {style.label}" for style in styles]
    axes.set_yticks(range(len(names)), names, fontsize=9)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    for label, style in zip(axes.get_yticklabels(), styles, strict=True):
        label.set_fontweight(style.weight)
        label.set_parse_math(False)


def _style_axes(axes: Axes, title: str) -> None:
    axes.set_facecolor(_PLATE)
    axes.set_title(title, loc="left", fontsize=11, color=_TEXT)
    axes.tick_params(colors=_MUTED, labelsize=9)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(_GRID)
