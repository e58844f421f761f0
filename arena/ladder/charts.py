"""The drawings of a ladder's site, in SVG: what is known of each rating, and how ratings came about."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from arena.engine.ratings import Rating
    from arena.ladder.book import LadderPoint

_STEPS = (50, 100, 200, 500, 1000, 2000, 5000)  # points between two lines of a scale
_MOST_LINES = 6
_WIDTH, _HEIGHT, _MARGIN = 900.0, 360.0, 48.0  # of the curves
_SHORT = 24.0  # length of the curve of a single round
_SPAN = 180.0  # width of an interval
_LIKELY = 1.96  # standard errors on each side within which 95 of 100 ratings are


@dataclass(frozen=True, slots=True)
class PointScale:
    """A range of points, whose ends are multiples of `step`."""

    least: float
    most: float
    step: float

    def place(self, points: float, width: float) -> float:
        """Return the distance of a number of points from the lower end, where the range has a width."""
        return (points - self.least) / (self.most - self.least) * width

    def lines(self) -> Iterator[float]:
        """Yield the multiples of the step."""
        for number in range(round((self.most - self.least) / self.step) + 1):
            yield self.least + number * self.step


def scale_of(ratings: Sequence[Rating]) -> PointScale:
    """Return the scale on which all ratings have a place, with what is likely of each."""
    ends = [each.points + side * _LIKELY * each.error for each in ratings for side in (-1, 1)] or [1500.0]
    return _scale(min(ends), max(ends))


def interval(rating: Rating, scale: PointScale) -> str:
    """Return the drawing of a rating: its value, and the range in which it is in 95 of 100 cases."""
    middle = scale.place(rating.points, _SPAN)
    least, most = (scale.place(rating.points + side * _LIKELY * rating.error, _SPAN) for side in (-1, 1))
    return (
        f'<svg class="interval" viewBox="0 0 {_SPAN:g} 16" role="img"'
        f' aria-label="{rating.points - _LIKELY * rating.error:.0f} to'
        f' {rating.points + _LIKELY * rating.error:.0f}">'
        f'<rect x="{least:.1f}" y="6" width="{most - least:.1f}" height="4" rx="2"/>'
        f'<circle cx="{middle:.1f}" cy="8" r="5"/></svg>'
    )


def ruler(scale: PointScale) -> str:
    """Return the heading above intervals."""
    return f'<span class="ruler"><span>{scale.least:.0f}</span><span>{scale.most:.0f}</span></span>'


def curves(points: Sequence[LadderPoint], players: Sequence[tuple[str, str]], coloured: int) -> str:
    """Return the curves of ratings over duels.

    `players` are keys and names, of which the first `coloured` have a colour.
    """
    values = [each.ratings[key].points for each in points for key, _ in players if key in each.ratings]
    if not values:
        return "<p>No duel has been played.</p>"
    scale, duels = _scale(min(values), max(values)), max(each.duels for each in points)
    parts = [*_frame(scale, duels)]
    for place, (key, name) in reversed(list(enumerate(players))):
        path = " ".join(_corners([each for each in points if key in each.ratings], key, scale, duels))
        line = str(place) if place < coloured else "other"
        parts.append(f'<polyline data-line="{line}" points="{path}"><title>{escape(name)}</title></polyline>')
    return (
        f'<svg class="curves" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img" aria-label="ratings by duels">'
        f"{''.join(parts)}</svg>"
    )


def _corners(points: Sequence[LadderPoint], key: str, scale: PointScale, duels: int) -> Iterator[str]:
    """Yield the corners of a curve; that of a single round is a short line, which can be seen."""
    places = [(_across(each.duels, duels), _down(each.ratings[key].points, scale)) for each in points]
    if len(places) == 1:
        places.insert(0, (places[0][0] - _SHORT, places[0][1]))
    for across, down in places:
        yield f"{across:.1f},{down:.1f}"


def _frame(scale: PointScale, duels: int) -> Iterator[str]:
    for line in scale.lines():
        height = _down(line, scale)
        yield f'<path class="line" d="M{_MARGIN:g} {height:.1f}H{_WIDTH:g}"/>'
        yield f'<text x="{_MARGIN - 8:g}" y="{height + 4:.1f}" text-anchor="end">{line:.0f}</text>'
    yield f'<text x="{_WIDTH:g}" y="{_HEIGHT - 6:g}" text-anchor="end">{duels:,} duels</text>'


def _across(duels: int, all_duels: int) -> float:
    return _MARGIN + (_WIDTH - _MARGIN) * duels / all_duels


def _down(points: float, scale: PointScale) -> float:
    height = _HEIGHT - _MARGIN
    return 12 + (height - 12) - scale.place(points, height - 12)


def _scale(least: float, most: float) -> PointScale:
    step = next((each for each in _STEPS if (most - least) / each <= _MOST_LINES), _STEPS[-1])
    lower = least // step * step
    upper = -(-most // step) * step
    return PointScale(lower, upper if upper > lower else lower + step, step)
