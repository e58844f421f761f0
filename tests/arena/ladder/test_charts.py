"""The drawings of a ladder's site say what was measured: each place is computed beside the assert."""

from __future__ import annotations

import re

import pytest

from arena.engine.ratings import Rating
from arena.ladder.book import LadderPoint
from arena.ladder.charts import curves, interval, ruler, scale_of

POINTS = [
    LadderPoint(10, {"a": Rating(1480, 20), "b": Rating(1520, 20)}),
    LadderPoint(20, {"a": Rating(1420, 10), "b": Rating(1580, 10)}),
]
PLAYERS = [("b", "Bo & Co"), ("a", "Ann")]  # the first is ahead


def test_a_curve_goes_from_round_to_round_in_the_scale_of_its_frame() -> None:
    """From 1400 to 1600 points are 300 units upwards from 312, and 20 duels 852 to the right of 48."""
    drawn = curves(POINTS, PLAYERS, coloured=1)
    found = re.findall(r'<polyline data-line="(\w+)" points="([^"]*)"><title>([^<]*)</title>', drawn)
    assert found == [  # who is ahead is drawn last, above the others
        ("other", "474.0,192.0 900.0,282.0", "Ann"),  # 312 - 80 * 1.5, 312 - 20 * 1.5
        ("0", "474.0,132.0 900.0,42.0", "Bo &amp; Co"),  # 312 - 120 * 1.5, 312 - 180 * 1.5
    ]


def test_the_frame_has_a_line_across_for_each_step_and_the_number_of_duels() -> None:
    drawn = curves(POINTS, PLAYERS, coloured=2)
    assert re.findall(r'<path class="line" d="([^"]*)"/>', drawn) == [
        "M48 312.0H900", "M48 237.0H900", "M48 162.0H900", "M48 87.0H900", "M48 12.0H900",
    ]  # fmt: skip
    labels = re.findall(r'<text x="(\d+)" y="([\d.]+)" text-anchor="end">([^<]*)</text>', drawn)
    assert labels == [
        ("40", "316.0", "1400"),
        ("40", "241.0", "1450"),
        ("40", "166.0", "1500"),
        ("40", "91.0", "1550"),
        ("40", "16.0", "1600"),
        ("900", "354", "20 duels"),
    ]


def test_who_came_later_begins_where_they_came() -> None:
    later = [*POINTS, LadderPoint(40, {**POINTS[1].ratings, "c": Rating(1500, 50)})]
    drawn = curves(later, [("c", "Cat")], coloured=1)
    assert 'points="876.0,312.0 900.0,312.0"' in drawn, "one round is a short line, at the bottom of 1500"


def test_without_duels_it_is_said_in_words() -> None:
    assert curves([], PLAYERS, coloured=2) == "<p>No duel has been played.</p>"


def test_an_interval_is_where_a_rating_is_in_95_of_100_cases() -> None:
    """The ends of all are 1460.8 and 1549, which is a scale from 1450 to 1550: 1.8 units a point."""
    ratings = [Rating(1500, 20), Rating(1529.4, 10)]
    scale = scale_of(ratings)
    assert (scale.least, scale.most, scale.step) == (1450, 1550, 50)
    assert ruler(scale) == '<span class="ruler"><span>1450</span><span>1550</span></span>'
    drawn = interval(ratings[0], scale)
    assert 'aria-label="1461 to 1539"' in drawn  # 1500 - 39.2 and + 39.2
    assert '<rect x="19.4" y="6" width="141.1"' in drawn  # 10.8 * 1.8 and 78.4 * 1.8
    assert '<circle cx="90.0"' in drawn


@pytest.mark.parametrize(
    ("points", "ends"),
    [
        ((1500, 1500), (1500, 1550, 50)),  # a range of nothing is one step
        ((1401, 1699), (1400, 1700, 50)),  # 5.96 steps of 50
        ((1301, 1699), (1300, 1700, 100)),  # 7.96 steps of 50 are too many
        ((0, 90000), (0, 90000, 5000)),  # the greatest step, however many lines
    ],
)
def test_a_scale_has_round_ends_and_few_lines(
    points: tuple[float, float], ends: tuple[float, float, float]
) -> None:
    scale = scale_of([Rating(each, 0) for each in points])
    assert (scale.least, scale.most, scale.step) == ends
    assert next(iter(scale.lines())) == ends[0]
    assert list(scale.lines())[-1] == ends[1]
