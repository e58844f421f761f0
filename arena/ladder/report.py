"""The standings of a ladder on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from arena.ladder.standings import standings
from arena.report.report import CONTAINMENTS

if TYPE_CHECKING:
    from rich.console import Console

    from arena.ladder.book import LadderBook
    from arena.ladder.standings import LadderPlace


def show(book: LadderBook, console: Console) -> None:
    """Print the standings of those who play, with failures if there are any, and what contained programs."""
    table, places = Table(), standings(book).active
    failed = any(each.failures for each in places)
    for heading in ("#", "player", "author", "rating", "won/drawn/lost", *(["failures"] if failed else [])):
        table.add_column(heading, justify="left" if heading in {"player", "author"} else "right")
    for place in places:
        cells = _cells(place)[: len(table.columns)]
        table.add_row(*map(Text, cells), style="bold" if place.rank == 1 else "")
    console.print(table)
    containment = book.roster.containment if book.roster is not None else ""
    sentences = [text for kind, text in CONTAINMENTS.items() if kind == containment]
    console.print(Text(" ".join([f"{len(book.duels):,} duels.", *sentences])), soft_wrap=True)


def _cells(place: LadderPlace) -> list[str]:
    record, rating = place.record, place.rating
    failures = ", ".join(f"{count} {kind}" for kind, count in sorted(place.failures.items()))
    return [
        str(place.rank),
        place.entrant.name,
        place.entrant.author or "–",
        f"{rating.points:.0f} ± {rating.error:.0f}",
        f"{record.won}/{record.drawn}/{record.lost}",
        failures or "0",
    ]
