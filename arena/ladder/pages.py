"""The pages of a ladder's site in HTML. Names and authors are texts of strangers, and are escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from arena.ladder.charts import curves, interval, ruler, scale_of
from arena.ladder.journal import NAME
from chatbot import __version__
from chatbot.games import title_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from arena.engine.ratings import Record
    from arena.ladder.book import LadderBook
    from arena.ladder.entrants import LadderEntrant
    from arena.ladder.journal import LadderDuel
    from arena.ladder.standings import LadderPlace, LadderStandings

_CURVES = 8  # players whose curves have a colour; those of others are thin
_EXAMPLES = 5  # failures of a player that its page shows
_MAX_MATRIX = 40  # players whose results against each other are one table
_CONTAINMENTS = {
    "bubblewrap": "Programs run in bubblewrap: without a network, and with no file but their own.",
    "limits": "Programs run with limits of resources only.",
    "deadlines": "Programs run with deadlines only.",
}
_HEAD = (
    '<svg class="head" viewBox="0 0 24 30" aria-hidden="true"><circle cx="12" cy="9" r="7"/>'
    '<path d="M1 30v-5a11 9 0 0 1 22 0v5z"/></svg>'
)
_POLICY = "default-src 'none'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self'"


def front_page(book: LadderBook, table: LadderStandings) -> str:
    """Return the front page: standings, curves, head-to-head, and who is left out."""
    game = title_of(book.terms.game) if book.terms is not None else ""
    parts = [
        f"<h1>{escape(game)} ladder</h1>",
        f'<p class="lead">{_lead(book, table)}</p>',
        _section("Standings", _standings(table.active)),
        _section("Ratings over duels", _curves(book, table)),
        _section("Head to head", _matrix(book, table)) if len(table.active) <= _MAX_MATRIX else "",
        _section("Former versions and players", _standings(table.former)) if table.former else "",
        _left_out(book),
        _about(book),
    ]
    return _page(f"{game} ladder", "", parts)


def player_page(book: LadderBook, table: LadderStandings, place: LadderPlace) -> str:
    """Return the page of a player: its rating, its results against each other, and all its duels."""
    entrant = place.entrant
    rank = f"#{place.rank} · " if place.rank is not None else "does not play any more · "
    by = f"by {escape(entrant.author)}" if entrant.author else "a strategy of the house"
    parts = [
        '<p><a href="../index.html">All players</a></p>',
        f'<h1 data-tint="{_tint(entrant)}">{_HEAD} {escape(entrant.name)}</h1>',
        f'<p class="lead">{rank}{_rating(place)} · {_record(place.record)} · {by}</p>',
        _details(place),
        _section("Failures", failures) if (failures := _failures(book, entrant.key)) else "",
        _section("Against each", _rivals(book, table, entrant.key)),
        _section("Duels", _duels(book, entrant.key)),
    ]
    return _page(entrant.name, "../", parts)


def _details(place: LadderPlace) -> str:
    plays, failed = escape(place.entrant.plays), _failed(place.failures)
    return f"<p>Plays <code>{plays}</code>, version <code>{place.entrant.key}</code>.{failed}</p>"


def _page(title: str, root: str, parts: Iterable[str]) -> str:
    body = "\n".join(each for each in parts if each)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{escape(title)}</title>\n<link rel="stylesheet" href="{root}ladder.css">\n</head>\n'
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _section(title: str, content: str) -> str:
    return f'<section class="plate">\n<h2>{title}</h2>\n{content}\n</section>'


def _lead(book: LadderBook, table: LadderStandings) -> str:
    games = book.terms.games if book.terms is not None else 0
    rounds = "1 round" if book.rounds == 1 else f"{book.rounds:,} rounds"
    return (
        f"{len(table.active)} players, {len(book.duels):,} duels in {rounds};"
        f" at least {games} games a duel. {_CONTAINMENTS.get(_containment(book), '')}"
    )


def _containment(book: LadderBook) -> str:
    return book.roster.containment if book.roster is not None else ""


def _standings(places: Sequence[LadderPlace]) -> str:
    scale = scale_of([each.rating for each in places])
    rows = [
        [
            ("rank", "" if each.rank is None else str(each.rank)),
            ("name", _link(each.entrant, "players/")),
            ("author", escape(each.entrant.author) or "the house"),
            ("number rating", f"{each.rating.points:.0f}"),
            ("number", f"± {each.rating.error:.0f}"),
            ("span", interval(each.rating, scale)),
            ("number", _record(each.record)),
            ("number", str(sum(each.failures.values()) or "–")),
        ]
        for each in places
    ]
    headings = ("#", "player", "author", "rating", "± error", ruler(scale), "won/drawn/lost", "failures")
    return _table(headings, rows)


def _curves(book: LadderBook, table: LadderStandings) -> str:
    players = [(each.entrant.key, each.entrant.name) for each in table.active]
    chart = curves(list(book.curve()), players, _CURVES)
    legend = "".join(
        f'<li data-line="{place}">{escape(name)}</li>' for place, (_, name) in enumerate(players[:_CURVES])
    )
    return f'{chart}\n<ul class="legend">{legend}</ul>'


def _matrix(book: LadderBook, table: LadderStandings) -> str:
    """Return the percentage of points that each player (row) won against each other (column)."""
    between = book.between()
    headings = [
        "",
        *(f'<span title="{escape(each.entrant.name)}">{each.rank}</span>' for each in table.active),
    ]
    rows = []
    for own in table.active:
        cells = [("name", f"{own.rank} {_link(own.entrant, 'players/')}")]
        for other in table.active:
            record = between.get((own.entrant.key, other.entrant.key))
            cells.append(("cell", _share(record)) if own is not other else ("self", ""))
        rows.append(cells)
    explained = "<p>Percent of duels won; a draw is half of one.</p>"
    return f'<div class="wide">{_table(headings, rows)}</div>\n{explained}'


def _share(record: Record | None) -> str:
    if record is None:
        return ""
    duels = record.won + record.drawn + record.lost
    percent = 100 * (record.won + record.drawn / 2) / duels
    return f'<span style="opacity: {0.55 + percent / 223:.2f}" title="{_record(record)}">{percent:.0f}</span>'


def _rivals(book: LadderBook, table: LadderStandings, key: str) -> str:
    between = book.between()
    rows = [
        [
            ("name", _link(each.entrant, "")),
            ("number", f"{each.rating.points:.0f}"),
            ("number", _record(between[key, each.entrant.key])),
            ("cell", _share(between[key, each.entrant.key])),
        ]
        for each in (*table.active, *table.former)
        if (key, each.entrant.key) in between
    ]
    return _table(("player", "rating", "won/drawn/lost", "%"), rows)


def _duels(book: LadderBook, key: str) -> str:
    rows = [list(_duel_cells(book, each, key)) for each in reversed(book.duels) if key in each.players]
    return _table(("duel", "against", "", "score", "its score", "failures", "log"), rows)


def _duel_cells(book: LadderBook, duel: LadderDuel, key: str) -> Iterator[tuple[str, str]]:
    own = duel.players.index(key)
    result = duel.result if own == 0 else -duel.result
    failures = ", ".join(f"{count} {kind}" for kind, count in sorted(duel.failures[own].items()))
    log = f"{duel.number:06}.txt.gz"
    yield "number", str(duel.number)
    yield "name", _link(book.entrants[duel.players[1 - own]], "")
    yield {1: "won", 0: "drawn", -1: "lost"}[result], {1: "won", 0: "drawn", -1: "lost"}[result]
    yield "number", escape(duel.scores[own])
    yield "number", escape(duel.scores[1 - own])
    yield "number", escape(failures) or "–"
    yield "log", f'<a href="../logs/{log}" download>{log}</a>'


def _failures(book: LadderBook, key: str) -> str:
    """Return the first failure of each of the last duels in which it failed."""
    items = []
    for duel in reversed(book.duels):
        example = duel.examples[duel.players.index(key)] if key in duel.players else ""
        if example:
            why, _, line = example.partition("\n")
            items.append(f"<li>Duel {duel.number}: {escape(why)}<pre><code>{escape(line)}</code></pre></li>")
    explained = "<p>In the folder of the program, these lines give it again what it failed at first.</p>"
    return f"{explained}\n<ul>{''.join(items[:_EXAMPLES])}</ul>" if items else ""


def _left_out(book: LadderBook) -> str:
    left_out = book.roster.left_out if book.roster is not None else ()
    items = "".join(f"<li><b>{escape(name)}</b> {escape(why)}</li>" for name, why in left_out)
    return _section("Left out", f"<ul>{items}</ul>") if items else ""


def _about(book: LadderBook) -> str:
    seed = escape(book.terms.seed if book.terms is not None else "")
    return (
        "<footer><p>A difference of 400 points means odds of 10 to 1 to win a duel, a draw being half of a"
        " win; 1500 is the mean of all who are or were here. Ratings are computed from all duels at once"
        " (Bradley and Terry, 1952), and ± is one standard error.</p>"
        f'<p><a href="{NAME}" download>The journal</a>, from which all of this follows. Seed'
        f" <code>{seed}</code>. Rabble {escape(__version__)}.</p></footer>"
    )


def _table(headings: Sequence[str], rows: Sequence[Sequence[tuple[str, str]]]) -> str:
    kinds = [kind for kind, _ in rows[0]] if rows else ["name"] * len(headings)
    head = "".join(
        f'<th scope="col" class={kind!r}>{each}</th>' for kind, each in zip(kinds, headings, strict=True)
    )
    body = "\n".join(
        f"<tr>{''.join(f'<td class={kind!r}>{text}</td>' for kind, text in row)}</tr>" for row in rows
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _link(entrant: LadderEntrant, folder: str) -> str:
    name = escape(entrant.name)
    return f'<a data-tint="{_tint(entrant)}" href="{folder}{entrant.key}.html">{_HEAD} {name}</a>'


def _tint(entrant: LadderEntrant) -> int:
    return int(entrant.key[:4], 16) % 8


def _rating(place: LadderPlace) -> str:
    return f"<b>{place.rating.points:.0f}</b> ± {place.rating.error:.0f}"


def _record(record: Record) -> str:
    return f"{record.won}/{record.drawn}/{record.lost}"


def _failed(failures: Mapping[str, int]) -> str:
    text = ", ".join(f"{count} {escape(kind)}" for kind, count in sorted(failures.items()))
    return f" Failures: {text}." if text else ""
