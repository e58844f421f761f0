"""What is going on in a ladder right now, as data for a page or an overlay that shows it.

It is a file beside the site, written anew whenever something has happened, and like all of the site it
follows from the journal alone. Whoever shows it reads it again every second or so. Nothing is staked on it:
an author can lose a duel on purpose, and whoever runs a ladder knows its seed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from arena.ladder.standings import standings
from chatbot.games import title_of
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from arena.ladder.book import LadderBook
    from arena.ladder.journal import LadderDuel
    from arena.ladder.standings import LadderPlace

LIVE = "live.json"
VERSION = 1
_RECENT = 5  # duels that are over


def write_live(folder: Path, book: LadderBook, *, over: bool = False) -> None:
    """Write what is going on; `over`: nothing is played any more.

    Raises:
        Failure: it cannot be written.
    """
    text = json.dumps(live(book, over=over), ensure_ascii=False) + "\n"
    part = folder / f"{LIVE}.part"
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(folder / LIVE)  # a reader finds all of it or what was there before
    except OSError as error:
        raise Failure(f"{folder / LIVE} cannot be written: {error.strerror}.") from None


def live(book: LadderBook, *, over: bool = False) -> Mapping[str, object]:
    """Return the running duel, those that follow in this round, the last results, and the ratings."""
    duels = [] if over else book.pending()
    table = standings(book)
    return {
        "version": VERSION,
        "game": book.terms.game if book.terms is not None else "",
        "title": title_of(book.terms.game) if book.terms is not None else "",
        "round": book.rounds,
        "over": over,
        "duels": len(book.duels),
        "playing": _players(book, duels[0]) if duels else None,
        "next": [_players(book, each) for each in duels[1:]],
        "results": [_result(book, each) for each in book.duels[: -_RECENT - 1 : -1]],
        "ratings": [_row(each) for each in table.active],
    }


def _players(book: LadderBook, duel: LadderDuel) -> Sequence[Mapping[str, str]]:
    entrants = [book.entrants[key] for key in duel.players]
    return [{"key": each.key, "name": each.name, "author": each.author} for each in entrants]


def _result(book: LadderBook, duel: LadderDuel) -> Mapping[str, object]:
    winner = {1: 0, -1: 1, 0: None}[duel.result]
    return {
        "duel": duel.number,
        "players": _players(book, duel),
        "scores": list(duel.scores),
        "winner": winner,  # a place in `players`; None: a draw
        "failures": [sum(each.values()) for each in duel.failures],
    }


def _row(place: LadderPlace) -> Mapping[str, object]:
    return {
        "rank": place.rank,
        "key": place.entrant.key,
        "name": place.entrant.name,
        "author": place.entrant.author,
        "rating": round(place.rating.points),
        "error": round(place.rating.error),
        "won": place.record.won,
        "drawn": place.record.drawn,
        "lost": place.record.lost,
    }
