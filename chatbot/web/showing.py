"""Tables, commands and words as the page gets them: plain values with every text in words already."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from chatbot.kernel.game import Role
from chatbot.kernel.kit import Kind, of_house
from chatbot.kernel.say import Credits, Message
from chatbot.rooms.request import Service, first_word, form
from chatbot.rooms.room import Line, hides
from chatbot.settings.availability import offered
from chatbot.settings.lists import standing
from chatbot.tables.steps import divided
from cogs.local.door import CHANNEL, CROWD

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from chatbot.bot.house import House
    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import Command, Option
    from chatbot.kernel.say import Fact, Hand, Place
    from chatbot.rooms.request import Found
    from chatbot.rooms.room import Room
    from chatbot.tables.steps import Steps
    from chatbot.tables.table import Table
    from cogs.local.door import Viewer

NOW, OPENING, ANSWERED, LATER = range(4)

MOST_CARDS = 24  # of a hand that a page is sent: it draws no more


def suggested(house: House, room: Room, viewer: Viewer, moves: Collection[str]) -> list[list[str]]:
    """List the words of the commands that a viewer may use; `moves` are those of what they can do now.

    First stand the moves, then what opens a game, then what is always answered; answers that only count at
    a table where the viewer does not play come last.
    """
    ranks: list[list[str]] = [[], [], [], []]
    for found in house.services.usable(room, standing(room, _said_by(house, room, viewer))):
        ranks[_rank(room, viewer, moves, found)].append(first_word(found))
    return ranks


def _said_by(house: House, room: Room, viewer: Viewer) -> Line:
    """Make a line of theirs that says nothing: by lines it is known who is a regular."""
    line = Line("", CHANNEL, viewer.account, viewer.name, viewer.role, "", private=True)
    return house.members.linked_accounts.with_sender(room, line)


def _rank(room: Room, viewer: Viewer, moves: Collection[str], found: Found) -> int:
    if first_word(found) in moves:
        return NOW
    if isinstance(found, Service):
        return ANSWERED
    kit, command = found
    if command.opens:
        return OPENING
    return LATER if room.playing_at(kit, viewer.seat) is None else ANSWERED


def page_words(house: House) -> dict[str, str]:
    """Collect the page's own words: every message whose id begins with `page-`."""
    ids = sorted(each for each in house.outbox.words.ids if each.startswith("page-"))
    return {each: house.outbox.text(Message(each)) for each in ids}


def roles(house: House) -> list[dict[str, str]]:
    return [{"id": role.value, "label": house.outbox.text(Message(f"a-{role.value}"))} for role in Role]


def commands(house: House) -> list[dict[str, Any]]:
    """List every command for the suggestions, the games' first; those of games with what a form asks for."""
    games = [each for kit in house.kits.values() for each in kit.commands]
    rows = [_command(house, each.word, each.arguments) | _played(house, each) for each in games]
    services = house.command_index.services
    return rows + [
        _command(house, each.word, each.arguments) | {"aliases": list(each.aliases)} for each in services
    ]


def games(house: House) -> list[dict[str, Any]]:
    """List the games; those that are played `apart` may be opened by each viewer who plays none of them."""
    return [
        {
            "name": kit.name,
            "title": house.outbox.text(Message(f"game-{kit.name}")),
            "line": f"!{kit.word}",
            "apart": kit.apart is not None,
        }
        for kit in house.kits.values()
    ]


def owned(table: Table, seats: Iterable[Seat]) -> bool:
    """Whether a table is everybody's, or one of these seats plays there or is asked to."""
    kit = table.kit
    if kit.apart is None:
        return True
    theirs = (*kit.guests(table.state), *kit.invited(table.state))
    return any(table.spot == kit.spot(seat) or seat in theirs for seat in seats)


def pauses(house: House, room: Room) -> list[dict[str, Any]]:
    """Tell of each game the seconds until it may be opened again; None: it may be opened now.

    What moderators have switched `off` is not to be offered at all.
    """
    return [
        {"name": name, "rest": house.pauses.left(room, name) or None, "off": not offered(room, kit)}
        for name, kit in house.kits.items()
    ]


def tables(house: House, room: Room) -> list[dict[str, Any]]:
    """Show every table of a room, as the public sees it."""
    return [_table(house, table) for table in room.tables.values()]


async def own(house: House, room: Room, viewers: Iterable[Viewer]) -> dict[str, Any]:
    """Show what each of these viewers has and may do, at the tables that stand when it returns."""
    purses = {viewer: await house.balances.purse(room, viewer.seat) for viewer in viewers}
    return {viewer.seat: _own(house, room, viewer, purse) for viewer, purse in purses.items()}


def _table(house: House, table: Table) -> dict[str, Any]:
    board = table.kit.board(table.view(None))
    clock, now, deadline = table.clock, house.watch.now(), table.public_deadline
    phase = f"{table.kit.name}-phase-{clock.phase.split()[0]}" if clock else "page-over"
    return {
        "id": table.id,
        "game": table.kit.name,
        "apart": table.kit.apart is not None,
        "title": house.outbox.text(board.title, room=table.room),
        "phase": house.outbox.text(Message(phase), room=table.room),
        "seconds": clock.seconds if clock and not clock.hidden else None,
        "left": None if deadline is None else max(deadline - now, 0.0),
        "over": table.over,
        "facts": [_fact(house, table, each) for each in board.facts],
        "places": [_place(house, table, each) for each in board.places],
        "note": house.outbox.text(board.note, room=table.room) if board.note else None,
        "hands": _hands(house, table, None),
    }


def _command(house: House, word: str, arguments: str) -> dict[str, Any]:
    words = house.outbox.text(Message(f"help-{word}"))
    blanks = house.outbox.text(form(arguments, house.outbox.words.ids))
    told = {"word": word, "arguments": blanks, "help": words}
    return {**told, "aliases": [], "secret": False, "opens": False, "options": []}


def _played(house: House, command: Command) -> dict[str, Any]:
    """Tell of a game's command what a command of the house has not."""
    options = [_option(house, command.word, each) for each in command.options]
    told = {"aliases": list(command.aliases), "secret": command.secret}
    return {**told, "opens": command.opens, "options": options}


def _option(house: House, word: str, option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "label": house.outbox.text(Message(f"option-{word}-{option.name}")),
        "key": option.key,
        "required": option.required,
        "whole": option.kind is Kind.WHOLE,
        "member": option.kind is Kind.MEMBER,
        "answers": option.answers,
        "choices": list(option.choices),
    }


def _hands(house: House, table: Table, seat: Seat | None) -> list[dict[str, Any]]:
    """Show the cards as a viewer sees them, or everybody."""
    return [_hand(house, each, table.room) for each in table.kit.board(table.view(seat)).hands]


def _hand(house: House, hand: Hand, room: Room | None = None) -> dict[str, Any]:
    """Show the latest cards of a hand, and how many came before; of a rest that nobody took, the first."""
    rest = all(each.mark == "plain" for each in hand.cards)
    cards = hand.cards[:MOST_CARDS] if rest else hand.cards[-MOST_CARDS:]
    return {
        "label": house.outbox.text(hand.label, room=room),
        "cards": [{"face": each.face, "mark": each.mark, "word": each.word} for each in cards],
        "count": len(hand.cards) + hand.hidden,
        "more": len(hand.cards) - len(cards),
        "hidden": hand.hidden,
        "seat": hand.owner,
        "owner": house.members.name(hand.owner) if hand.owner else None,
        "detail": house.outbox.text(hand.detail, room=room) if hand.detail else "",
        "mark": hand.mark,
    }


def _fact(house: House, table: Table, fact: Fact) -> dict[str, str]:
    text = partial(house.outbox.text, room=table.room)
    return {"label": text(fact.label), "value": text(fact.value)}


def _place(house: House, table: Table, place: Place) -> dict[str, Any]:
    return {
        "seat": place.seat,
        "name": house.members.name(place.seat),
        "detail": house.outbox.text(place.detail, room=table.room),
        "mark": place.mark,
        "simulated": house.people.known_as(place.seat, CROWD) is not None,
        "house": of_house(place.seat),
    }


def _own(house: House, room: Room, viewer: Viewer, purse: int) -> dict[str, Any]:
    moves = [(table, *divided(table, viewer.seat, purse)) for table in room.tables.values()]
    buttons = [_button(house, table, viewer, each) for table, actions, _ in moves for each in actions]
    chosen = [_steps(house, table, viewer, each) for table, _, steps in moves for each in steps]
    words = {_known_by(house, each["line"]) for each in (*buttons, *chosen)}
    return {
        "credits": house.outbox.text(Message("amount", {"credits": Credits(purse)}), room=room),
        "buttons": buttons,
        "steps": chosen,
        "hidden": _hidden(house, room, viewer.seat),
        "suggested": suggested(house, room, viewer, words),
        "hands": {
            table.id: _hands(house, table, viewer.seat)
            for table in room.tables.values()
            if hides(table) and owned(table, [viewer.seat])
        },
        "notes": {
            table.id: _note(house, table, viewer)
            for table in room.tables.values()
            if owned(table, [viewer.seat])  # at others, one sees what everybody sees
        },
    }


def _button(house: House, table: Table, viewer: Viewer, action: Any) -> dict[str, Any]:
    line = table.kit.line(action)
    label = house.outbox.text(table.kit.label(action), room=table.room)
    return {"label": label, **_said(house, table, viewer, line)}


def _steps(house: House, table: Table, viewer: Viewer, steps: Steps) -> dict[str, Any]:
    """Show moves that are chosen card by card: what each word is called, and which go together."""
    labels = {word: house.outbox.text(label, room=table.room) for word, label in steps.labels.items()}
    return {"labels": labels, "paths": steps.paths, **_said(house, table, viewer, steps.line)}


def _said(house: House, table: Table, viewer: Viewer, line: str) -> dict[str, Any]:
    """Tell what is said for a move, how, and at which table."""
    secret = house.secret(table.room, viewer.seat, line, table.id)
    return {"line": line, "secret": secret, "help": _help(house, line), "table": table.id}


def _hidden(house: House, room: Room, seat: Seat) -> list[str]:
    """List the words that are best whispered now, where nobody else is to know what this one does."""
    found = ((kit, room.place(kit, seat)) for kit in house.kits.values())
    kits = [kit for kit, table in found if table is not None and hides(table)]
    return [word for kit in kits for each in kit.commands for word in (each.word, *each.aliases)]


def _help(house: House, line: str) -> str:
    """Explain a move by what its game says of it, though moderators may have a command of the same word."""
    return house.outbox.text(Message(f"help-{_known_by(house, line)}"))


def _known_by(house: House, line: str) -> str:
    """Give the word by which the command of a move is known."""
    word, _ = house.command_index.split(line.removeprefix("!"))
    played = house.command_index.played(word)
    return word if played is None else first_word(played)


def _note(house: House, table: Table, viewer: Viewer) -> str | None:
    note = table.kit.board(table.view(viewer.seat)).note
    return house.outbox.text(note, room=table.room) if note else None
