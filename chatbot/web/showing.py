"""Tables, commands and words as the page gets them: plain values with every text in words already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chatbot.kernel.game import Role
from chatbot.kernel.kit import of_house
from chatbot.kernel.say import Credits, Message
from chatbot.web.local import CROWD

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chatbot.kernel.say import Fact, Place
    from chatbot.live.house import House
    from chatbot.live.room import Room
    from chatbot.live.table import Table
    from chatbot.web.local import Viewer


def page_words(house: House) -> dict[str, str]:
    """Collect the page's own words: every message whose id begins with `page-`."""
    ids = sorted(each for each in house.outbox.words.ids if each.startswith("page-"))
    return {each: house.outbox.text(Message(each)) for each in ids}


def roles(house: House) -> list[dict[str, str]]:
    return [{"id": role.value, "label": house.outbox.text(Message(f"a-{role.value}"))} for role in Role]


def commands(house: House) -> list[dict[str, Any]]:
    """List every command for the suggestions, the games' first."""
    games = [each for kit in house.kits.values() for each in kit.commands]
    rows = [(each.word, each.aliases, each.arguments, each.secret) for each in games]
    rows += [(each.word, (), each.arguments, False) for each in house.guide.services]
    return [
        {
            "word": word,
            "aliases": list(aliases),
            "arguments": arguments,
            "help": house.outbox.text(Message(f"help-{word}")),
            "secret": secret,
        }
        for word, aliases, arguments, secret in rows
    ]


def games(house: House) -> list[dict[str, str]]:
    return [
        {"name": kit.name, "title": house.outbox.text(Message(f"game-{kit.name}")), "line": f"!{kit.word}"}
        for kit in house.kits.values()
    ]


def rests(house: House, room: Room) -> list[dict[str, Any]]:
    """Tell of each game the seconds until it may be opened again; None: it may be opened now."""
    return [{"name": name, "rest": house.rests.left(room, name) or None} for name in house.kits]


def tables(house: House, room: Room) -> list[dict[str, Any]]:
    """Show every table of a room, as the public sees it."""
    return [_table(house, table) for table in room.tables.values()]


async def own(house: House, room: Room, viewers: Iterable[Viewer]) -> dict[str, Any]:
    """Show what each of these viewers has and may do."""
    return {viewer.seat: await _own(house, room, viewer) for viewer in viewers}


def _table(house: House, table: Table) -> dict[str, Any]:
    board = table.kit.board(table.view(None))
    clock, now = table.clock, house.watch.now()
    phase = f"{table.kit.name}-phase-{clock.phase.split()[0]}" if clock else "page-over"
    return {
        "id": table.id,
        "game": table.kit.name,
        "title": house.outbox.text(board.title),
        "phase": house.outbox.text(Message(phase)),
        "seconds": clock.seconds if clock else None,
        "left": None if table.deadline is None else max(table.deadline - now, 0.0),
        "over": table.over,
        "facts": [_fact(house, each) for each in board.facts],
        "places": [_place(house, each) for each in board.places],
        "note": house.outbox.text(board.note) if board.note else None,
    }


def _fact(house: House, fact: Fact) -> dict[str, str]:
    return {"label": house.outbox.text(fact.label), "value": house.outbox.text(fact.value)}


def _place(house: House, place: Place) -> dict[str, Any]:
    return {
        "seat": place.seat,
        "name": house.guests.name(place.seat),
        "detail": house.outbox.text(place.detail),
        "mark": place.mark,
        "simulated": place.seat.startswith(f"{CROWD}:"),
        "house": of_house(place.seat),
    }


async def _own(house: House, room: Room, viewer: Viewer) -> dict[str, Any]:
    purse = await house.desk.purse(room, viewer.seat)
    buttons = [
        {
            "label": house.outbox.text(table.kit.label(action)),
            "line": table.kit.line(action),
            "secret": house.guide.secret(table.kit.line(action)),
            "help": _help(house, table.kit.line(action)),
        }
        for table in room.tables.values()
        for action in table.menu(viewer.seat, purse)
    ]
    return {
        "credits": house.outbox.text(Message("amount", {"credits": Credits(purse)})),
        "buttons": buttons,
        "notes": {table.id: _note(house, table, viewer) for table in room.tables.values()},
    }


def _help(house: House, line: str) -> str:
    word, _ = house.guide.split(line.removeprefix("!"))
    return house.outbox.text(Message(f"help-{word}"))


def _note(house: House, table: Table, viewer: Viewer) -> str | None:
    note = table.kit.board(table.view(viewer.seat)).note
    return house.outbox.text(note) if note else None
