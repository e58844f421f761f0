"""What is told of a run: a table for people, and JSON of one shape for every game."""

from __future__ import annotations

import json
from dataclasses import asdict
from decimal import Decimal
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from chatbot.arena.engine.tables import GAME
from chatbot.arena.engine.tally import rounded
from chatbot.kernel import settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from rich.console import Console

    from chatbot.arena.engine.competition import RunOutcome
    from chatbot.arena.engine.tally import Number, PlayerPlacing, RunningSum, Tally

_NONE = "–"
_WIDE = 10**15  # from here on, numbers are written in powers of ten where there is little room
_LONG = 10**60  # from here on always: JSON has all the digits
_NAME = 12  # signs of a name that stand in one line; longer ones are folded where there is no room
_ROOM = 100_000  # signs in a line: more than any table has
_MANY = 10  # of a whole: its parts need fewer decimals
_ALIKE = 6  # decimals of a rating: another machine may round the ones after them otherwise


def as_json(outcome: RunOutcome) -> str:
    """Write one JSON object; `games` counts all that were played, `matches` those that were finished."""
    order, tally = outcome.order, outcome.tally
    return json.dumps(
        {
            "game": order.game,
            "unit": order.contest.unit,
            "players": [_player(each) for each in tally.places()],
            "games": tally.games,
            "matches": tally.matches,
            "seconds": round(outcome.seconds, 3),
            "seed": order.seed,
            "options": chosen(outcome),
            "interrupted": outcome.interrupted or outcome.failure is not None,
            "ended": dict(sorted(tally.ended.items())),
        },
        ensure_ascii=False,
    )


def chosen(outcome: RunOutcome) -> dict[str, object]:
    """Name the options of the contest, and the games that were asked for."""
    named = settings.dump(outcome.order.contest)
    named.pop(GAME, None)
    return {"games": outcome.order.games, **named}


def show(outcome: RunOutcome, console: Console) -> None:
    """Print the table, and which matches ended early.

    Whole numbers are in full where there is room, and always where no terminal shows it; those of more than
    sixty digits never.
    """
    table = as_table(outcome, in_full=True)
    needed = _fitted(table, console)
    if needed > console.width and console.is_terminal:
        table = as_table(outcome)
        needed = _fitted(table, console)
    console.width = max(console.width, needed)
    console.print(table)
    for line in endings(outcome.tally):
        console.print(Text(line), soft_wrap=True)


def as_table(outcome: RunOutcome, in_full: bool = False) -> Table:
    """Draw a table: ranks, means with their standard errors, and what is worth saying besides.

    `in_full` has whole numbers written out, up to sixty digits.
    """
    order, tally = outcome.order, outcome.tally
    places = tally.places()
    several = tally.averages
    summed = several and all(isinstance(each.total, int) for each in places)
    failed = any(each.failures for each in places)
    rated = any(each.rating for each in places)
    parts = parts_of(tally)
    measured = dict.fromkeys(name for each in places for name in each.measures if name not in tally.wholes)
    decimals = places_of([each.mean for each in places])
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
    for each in places:
        cells = [(_mean(each, several, decimals, in_full), True)]
        cells += [(number(each.standard_error, decimals), several)]
        cells += [(_rated(each), rated), (_recorded(each), rated)]
        cells += [(number(each.total, in_full=in_full), summed), (_failures(each), failed)]
        cells += [(_shared(each, names), True) for names in parts.values()]
        cells += [(_measured(each.measures.get(name)), True) for name in measured]
        rank = _NONE if each.rank is None else str(each.rank)
        rows.append([rank, each.name, *(text for text, shown in cells if shown)])
        table.add_row(*map(Text, rows[-1]), style="bold" if each.rank == 1 else "")
    _keep_words_whole(table, rows)
    return table


def _keep_words_whole(table: Table, rows: Sequence[Sequence[str]]) -> None:
    """Make each column as wide as its longest word; names may be folded."""
    for column, texts in zip(table.columns, zip(*rows, strict=True), strict=True):
        column.min_width = max(
            cell_len(word) for text in (str(column.header), *texts) for word in text.split()
        )
    table.columns[1].min_width = min(table.columns[1].min_width or 0, _NAME)


def _fitted(table: Table, console: Console) -> int:
    """Fold names, and then headings, where there is little room, but no number; give the width it takes."""
    unlimited = console.options.update_width(_ROOM)
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
    """Say what was played, in one line."""
    tally = outcome.tally
    matches = f" in {tally.matches:,} matches" if outcome.matches > 1 else ""
    return f"{outcome.order.game}: {games(tally.games)}{matches}, {outcome.seconds:.1f} s"


def endings(tally: Tally) -> list[str]:
    """Say which matches ended before their last game, and why."""
    matches = "A match" if tally.matches == 1 else "{} of {} matches"
    return [
        f"{matches.format(f'{count:,}', f'{tally.matches:,}')} ended before the last game: {why}."
        for why, count in sorted(tally.ended.items())
    ]


def games(count: int) -> str:
    return "1 game" if count == 1 else f"{count:,} games"


def stopped(outcome: RunOutcome) -> str:
    """Say how far it came before it was stopped."""
    tally = outcome.tally
    if not tally.games:
        return "Stopped before a match was finished."
    if outcome.matches == 1:
        return f"Stopped after {tally.games} of {outcome.games} games."
    finished = f"{tally.matches} of {outcome.matches} matches"
    return f"Stopped after {finished} ({tally.games} of {outcome.games} games)."


def places_of(values: Iterable[float | None]) -> int:
    """Say how many decimals make numbers of that size easy to read."""
    return 1 if max((abs(each) for each in values if each is not None), default=0) >= 100 else 3


def parts_of(tally: Tally) -> dict[str, list[str]]:
    """Tell of each whole the measures that are parts of it."""
    parts: dict[str, list[str]] = {}
    for name, whole in tally.wholes.items():
        parts.setdefault(whole, []).append(name)
    return parts


def decimals_of_parts(parts: Iterable[float]) -> int:
    """Say how many decimals tell enough of a whole's parts."""
    return 1 if sum(map(abs, parts)) >= _MANY else 3


def number(value: float | None, decimals: int = 1, in_full: bool = False) -> str:
    """Write a number for people; whole ones are written whole, and `in_full` up to sixty digits."""
    if value is None:
        return _NONE
    if abs(value) >= (_LONG if in_full and isinstance(value, int) else _WIDE):
        return f"{Decimal(value):.4e}"  # of whole numbers that no double can hold, too
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{decimals}f}"


def _player(place: PlayerPlacing) -> dict[str, object]:
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
            name: {"mean": _plain(each.mean), "se": each.standard_error}
            for name, each in place.measures.items()
        },
        "rating": _rating(place),
    }


def _rating(place: PlayerPlacing) -> dict[str, object] | None:
    if place.rating is None or place.record is None:
        return None
    points, error = round(place.rating.points, _ALIKE), round(place.rating.error, _ALIKE)
    return {"points": points, "se": error, **asdict(place.record)}


def _plain(mean: Fraction | None) -> Number | None:
    return None if mean is None else rounded(mean)


def _mean(place: PlayerPlacing, several: bool, decimals: int, in_full: bool) -> str:
    """Write a mean; that of a single number is the score."""
    if place.mean is None:
        return _NONE
    return number(place.mean, decimals) if several else number(place.total, decimals, in_full)


def _rated(place: PlayerPlacing) -> str:
    return _NONE if place.rating is None else f"{place.rating.points:.0f} ± {place.rating.error:.0f}"


def _recorded(place: PlayerPlacing) -> str:
    record = place.record
    return _NONE if record is None else f"{record.won:,}/{record.drawn:,}/{record.lost:,}"


def _measured(measure: RunningSum | None) -> str:
    if measure is None:
        return _NONE
    mean = _plain(measure.mean)
    decimals = places_of([mean])
    error = measure.standard_error
    return number(mean, decimals) + ("" if error is None else f" ± {number(error, decimals)}")


def _shared(place: PlayerPlacing, names: Sequence[str]) -> str:
    """Write the parts of a whole side by side."""
    if any(name not in place.measures for name in names):
        return _NONE
    means = [_plain(place.measures[name].mean) or 0.0 for name in names]
    return "/".join(number(each, decimals_of_parts(means)) for each in means)


def _failures(place: PlayerPlacing) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(place.failures.items())) or "0"
