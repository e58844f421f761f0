"""The report of a run: a table for the terminal, and JSON of the same form for every game."""

from __future__ import annotations

import json
from dataclasses import asdict
from decimal import Decimal
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from arena.engine.tables import GAME
from arena.engine.tally import rounded
from arena.programs import sandbox
from chatbot.kernel import settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from rich.console import Console

    from arena.engine.competition import Order, RunOutcome
    from arena.engine.tally import PlayerPlacing, Rounded, RunningSum, Tally
    from arena.programs.sandbox import Containment

_MISSING = "–"
_SCIENTIFIC = 10**15  # numbers from here on are written in scientific notation, unless in full
_ALWAYS_SCIENTIFIC = 10**60  # numbers from here on always are; JSON has all their digits
_MIN_NAME_WIDTH = 12  # characters; longer names are folded if the terminal is too narrow
_UNLIMITED_WIDTH = 100_000  # characters: wider than any table
_LARGE_WHOLE = 10  # the parts of a larger whole need fewer decimals
_RATING_DECIMALS = 6  # of a rating: the next ones may differ between machines


CONTAINMENTS: dict[Containment, str] = {
    "bubblewrap": "Programs ran in bubblewrap: without a network, and with no file but their own.",
    "limits": "Programs ran with limits of resources; nothing kept them from the network and your files.",
    "deadlines": "Programs ran with deadlines only; nothing kept them from the network and your files.",
}


def as_json(outcome: RunOutcome) -> str:
    """Return one JSON object; `games` counts all that were played, `matches` those that were finished."""
    order, tally = outcome.order, outcome.tally
    return json.dumps(
        {
            "game": order.game,
            "unit": order.contest.unit,
            "players": [_player_json(each) for each in tally.places()],
            "games": tally.games,
            "matches": tally.matches,
            "seconds": round(outcome.seconds, 3),
            "seed": order.seed,
            "options": options_of(outcome),
            "interrupted": outcome.interrupted or outcome.failure is not None,
            "ended": dict(sorted(tally.ended.items())),
            "containment": containment_of(order),
        },
        ensure_ascii=False,
    )


def containment_of(order: Order) -> Containment | None:
    """Return what contained the programs on this machine; None: no program played."""
    if all(each.command is None for each in order.players):
        return None
    return sandbox.containment(sandbox=order.limits.sandbox)


def options_of(outcome: RunOutcome) -> dict[str, object]:
    """Return the options of the contest, and the number of games that was ordered."""
    options = settings.dump(outcome.order.contest)
    options.pop(GAME, None)
    return {"games": outcome.order.games, **options}


def show(outcome: RunOutcome, console: Console) -> None:
    """Print the table, and which matches ended early.

    Whole numbers of up to sixty digits are in full if the terminal is wide enough, and always if the output
    is not a terminal.
    """
    table = as_table(outcome, in_full=True)
    width = _fit(table, console)
    if width > console.width and console.is_terminal:
        table = as_table(outcome)
        width = _fit(table, console)
    console.width = max(console.width, width)
    console.print(table)
    containment = containment_of(outcome.order)
    for line in (*endings(outcome.tally), *([CONTAINMENTS[containment]] if containment else [])):
        console.print(Text(line), soft_wrap=True)


def as_table(outcome: RunOutcome, in_full: bool = False) -> Table:
    """Return the table: ranks, means with standard errors, and the columns that this contest has.

    `in_full` writes out whole numbers of up to sixty digits.
    """
    order, tally = outcome.order, outcome.tally
    placings = tally.places()
    several = tally.averages
    summed = several and all(isinstance(each.total, int) for each in placings)
    failed = any(each.failures for each in placings)
    rated = any(each.rating for each in placings)
    parts = parts_by_whole(tally)
    measured = dict.fromkeys(name for each in placings for name in each.measures if name not in tally.wholes)
    decimals = decimals_for([each.mean for each in placings])
    table = Table()
    table.add_column("#", justify="right")
    table.add_column("player", overflow="fold")
    table.add_column(f"{order.contest.unit}, mean" if several else order.contest.unit, justify="right")
    headings = (("± standard error", several), ("rating", rated), ("won/drawn/lost", rated))
    for heading, shown in (*headings, ("added up", summed), ("failures", failed)):
        if shown:
            table.add_column(heading, justify="right")
    for heading in (*(f"{'/'.join(names)}, {whole}" for whole, names in parts.items()), *measured):
        table.add_column(Text(heading), justify="right")
    rows: list[list[str]] = []
    for each in placings:
        cells = [(_mean_text(each, several, decimals, in_full), True)]
        cells += [(number(each.standard_error, decimals), several)]
        cells += [(_rating_text(each), rated), (_record_text(each), rated)]
        cells += [(number(each.total, in_full=in_full), summed), (_failures_text(each), failed)]
        cells += [(_parts_text(each, names), True) for names in parts.values()]
        cells += [(_measure_text(each.measures.get(name)), True) for name in measured]
        rank = _MISSING if each.rank is None else str(each.rank)
        rows.append([rank, each.name, *(text for text, shown in cells if shown)])
        table.add_row(*map(Text, rows[-1]), style="bold" if each.rank == 1 else "")
    _set_min_widths(table, rows)
    return table


def _set_min_widths(table: Table, rows: Sequence[Sequence[str]]) -> None:
    """Make each column at least as wide as its longest word; names may be folded."""
    for column, texts in zip(table.columns, zip(*rows, strict=True), strict=True):
        column.min_width = max(
            cell_len(word) for text in (str(column.header), *texts) for word in text.split()
        )
    table.columns[1].min_width = min(table.columns[1].min_width or 0, _MIN_NAME_WIDTH)


def _fit(table: Table, console: Console) -> int:
    """Fold names, and then headings, but no number, to the width of a terminal; return the width needed."""
    unlimited = console.options.update_width(_UNLIMITED_WIDTH)
    whole = Measurement.get(console, unlimited, table).maximum
    if whole <= console.width or not console.is_terminal:
        return whole
    names = table.columns[1]
    names.max_width = names.min_width
    spare = console.width - Measurement.get(console, unlimited, table).maximum
    if spare >= 0:
        names.max_width = (names.min_width or 0) + spare
        return console.width
    for column in table.columns:
        column.width = column.min_width
    return Measurement.get(console, unlimited, table).maximum


def headline(outcome: RunOutcome) -> str:
    """Return what was played, in one line."""
    tally = outcome.tally
    matches = f" in {tally.matches:,} matches" if outcome.matches > 1 else ""
    return f"{outcome.order.game}: {games(tally.games)}{matches}, {outcome.seconds:.1f} s"


def endings(tally: Tally) -> list[str]:
    """Return how many matches ended before their last game, a sentence for each reason."""
    matches = "A match" if tally.matches == 1 else "{} of {} matches"
    return [
        f"{matches.format(f'{count:,}', f'{tally.matches:,}')} ended before the last game: {why}."
        for why, count in sorted(tally.ended.items())
    ]


def games(count: int) -> str:
    """Return a number of games in words, such as `1 game`."""
    return "1 game" if count == 1 else f"{count:,} games"


def stopped(outcome: RunOutcome) -> str:
    """Return how much was played before the run was stopped."""
    tally = outcome.tally
    if not tally.games:
        return "Stopped before a match was finished."
    if outcome.matches == 1:
        return f"Stopped after {tally.games} of {outcome.games} games."
    matches = f"{tally.matches} of {outcome.matches} matches"
    return f"Stopped after {matches} ({tally.games} of {outcome.games} games)."


def decimals_for(values: Iterable[float | None]) -> int:
    """Return the decimals with which numbers of that size are written."""
    return 1 if max((abs(each) for each in values if each is not None), default=0) >= 100 else 3


def parts_by_whole(tally: Tally) -> dict[str, list[str]]:
    """Return the measures that are parts of each whole."""
    parts: dict[str, list[str]] = {}
    for name, whole in tally.wholes.items():
        parts.setdefault(whole, []).append(name)
    return parts


def decimals_of_parts(parts: Iterable[float]) -> int:
    """Return the decimals with which the parts of a whole are written."""
    return 1 if sum(map(abs, parts)) >= _LARGE_WHOLE else 3


def number(value: float | None, decimals: int = 1, in_full: bool = False) -> str:
    """Return a number as text: an int without decimals, and with `in_full` up to sixty digits."""
    if value is None:
        return _MISSING
    if abs(value) >= (_ALWAYS_SCIENTIFIC if in_full and isinstance(value, int) else _SCIENTIFIC):
        return f"{Decimal(value):.4e}"  # which a double cannot hold if it is above 1e308
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{decimals}f}"


def _player_json(place: PlayerPlacing) -> dict[str, object]:
    return {
        "name": place.name,
        "plays": place.plays,
        "rank": place.rank,
        "mean": place.mean,
        "se": place.standard_error,
        "total": place.total,
        "matches": place.matches,
        "failures": dict(sorted(place.failures.items())),
        "measures": {
            name: {"mean": _rounded_or_none(each.mean), "se": each.standard_error}
            for name, each in place.measures.items()
        },
        "rating": _rating_json(place),
    }


def _rating_json(place: PlayerPlacing) -> dict[str, object] | None:
    if place.rating is None or place.record is None:
        return None
    points, error = round(place.rating.points, _RATING_DECIMALS), round(place.rating.error, _RATING_DECIMALS)
    return {"points": points, "se": error, **asdict(place.record)}


def _rounded_or_none(mean: Fraction | None) -> Rounded | None:
    return None if mean is None else rounded(mean)


def _mean_text(place: PlayerPlacing, several: bool, decimals: int, in_full: bool) -> str:
    """Return a mean as text; that of a single number is the score."""
    if place.mean is None:
        return _MISSING
    return number(place.mean, decimals) if several else number(place.total, decimals, in_full)


def _rating_text(place: PlayerPlacing) -> str:
    return _MISSING if place.rating is None else f"{place.rating.points:.0f} ± {place.rating.error:.0f}"


def _record_text(place: PlayerPlacing) -> str:
    record = place.record
    return _MISSING if record is None else f"{record.won:,}/{record.drawn:,}/{record.lost:,}"


def _measure_text(measure: RunningSum | None) -> str:
    if measure is None:
        return _MISSING
    mean = _rounded_or_none(measure.mean)
    decimals = decimals_for([mean])
    error = measure.standard_error
    return number(mean, decimals) + ("" if error is None else f" ± {number(error, decimals)}")


def _parts_text(place: PlayerPlacing, names: Sequence[str]) -> str:
    """Return the parts of a whole, separated by slashes."""
    if any(name not in place.measures for name in names):
        return _MISSING
    means = [_rounded_or_none(place.measures[name].mean) or 0.0 for name in names]
    return "/".join(number(each, decimals_of_parts(means)) for each in means)


def _failures_text(place: PlayerPlacing) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(place.failures.items())) or "0"
