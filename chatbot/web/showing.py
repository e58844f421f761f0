"""Describe tables, games and commands for the page, as JSON values in which every text is formatted."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.bot.command import BotCommand, first_word
from chatbot.kernel.commands import Kind
from chatbot.kernel.game import Role, Seat
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.say import Credits, Message
from chatbot.rooms.availability import offered
from chatbot.rooms.line import Line
from chatbot.rooms.request import form
from chatbot.rooms.room import hides
from chatbot.rooms.settings.lists import standing
from chatbot.tables.steps import divided
from cogs.local.adapter import CHANNEL, CROWD

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from chatbot.bot.bot import Bot
    from chatbot.bot.command import AnyCommand
    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.board import Board, Card, Fact, Hand, Place
    from chatbot.kernel.commands import Command, Option
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.tables.steps import Steps
    from cogs.local.adapter import Viewer

MOVE, OPENING, ANSWERED, ELSEWHERE = range(4)
"""Ranks of suggested commands, in the order in which the page lists them."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+")  # where one ends and another begins
MOST_CARDS = 24  # of a hand that are sent to a page, which does not draw more


class OptionRow(TypedDict):
    """An option of a command, for a form."""

    name: str
    label: str
    key: str
    required: bool
    whole: bool
    least: int | None
    most: int | None
    amount: bool
    member: bool
    answers: bool
    choices: list[str]


class CommandRow(TypedDict):
    """A command, for suggestions and forms."""

    word: str
    arguments: str
    help: str
    aliases: list[str]
    secret: bool
    opens: bool
    options: list[OptionRow]


class GameRow(TypedDict):
    """A game; those that are played `apart` may be opened by each viewer who plays none of them."""

    name: str
    title: str
    about: str  # what one does in it, in a line; empty if nothing says it
    line: str
    apart: bool


class PauseRow(TypedDict):
    """When a game may be opened: `rest` is in seconds, None for now; `off` games are not to be offered."""

    name: str
    rest: float | None
    off: bool


class CardRow(TypedDict):
    """A card that lies open."""

    face: str
    mark: str
    word: str
    told: str


class HandRow(TypedDict):
    """Cards that lie together; `more` counts those that are not sent, `hidden` those face down."""

    label: str
    cards: list[CardRow]
    count: int
    more: int
    hidden: int
    seat: Seat | None
    owner: str | None
    detail: str
    mark: str


class PlaceRow(TypedDict):
    """A player at a table."""

    seat: Seat
    name: str
    detail: str
    mark: str
    simulated: bool
    house: bool


class TableRow(TypedDict):
    """A table as the public sees it; `seconds` and `left` are None where no clock is shown."""

    id: str
    game: str
    apart: bool
    title: str
    phase: str
    seconds: float | None
    left: float | None
    over: bool
    facts: list[dict[str, str]]
    places: list[PlaceRow]
    note: str | None
    hands: list[HandRow]


class MoveRow(TypedDict):
    """The line that makes a move at a table; `secret` if it is to be whispered."""

    line: str
    secret: bool
    help: str
    table: str


class PlaceOfCards(TypedDict):
    """Where a move lays cards: the name of the place, and the faces of the cards."""

    label: str
    faces: tuple[str, ...]


class ButtonRow(MoveRow):
    """A move with its label, what it risks, and the cards that are pressed or laid for it."""

    label: str
    risk: str | None
    press: str | None
    lay: list[PlaceOfCards]


class JoinRow(TypedDict):
    """A table that a viewer can join with a stake of their own, and the command for it."""

    table: str
    line: str


class StepsRow(MoveRow):
    """Moves that are chosen card by card: the label of each word, and the words that go together."""

    labels: dict[str, str]
    paths: tuple[tuple[str, ...], ...]


class OwnRow(TypedDict):
    """What only one viewer is shown; `hands` and `notes` are by the ids of tables."""

    credits: str
    buttons: list[ButtonRow]
    steps: list[StepsRow]
    joins: list[JoinRow]
    hidden: list[str]
    suggested: list[list[str]]
    hands: dict[str, list[HandRow]]
    notes: dict[str, str | None]


def suggested(bot: Bot, room: Room, viewer: Viewer, moves: Collection[str]) -> list[list[str]]:
    """List the words of the commands that a viewer may use, by rank; `moves` are those of their moves now.

    First moves, then commands that open a game, then those that are always answered; commands that only have
    an effect at a table where the viewer does not play come last.
    """
    ranks: list[list[str]] = [[], [], [], []]
    for any_command in bot.parts.usable.by_role(room, standing(room, _line_of(bot, room, viewer))):
        ranks[_rank(room, viewer, moves, any_command)].append(first_word(any_command))
    return ranks


def _line_of(bot: Bot, room: Room, viewer: Viewer) -> Line:
    """Return an empty line of a viewer, because access is checked for the sender of a line."""
    line = Line("", CHANNEL, viewer.account, viewer.name, viewer.role, "", private=True)
    return bot.members.linked_accounts.with_sender(room, line)


def _rank(room: Room, viewer: Viewer, moves: Collection[str], any_command: AnyCommand) -> int:
    if first_word(any_command) in moves:
        return MOVE
    if isinstance(any_command, BotCommand):
        return ANSWERED
    kit, command = any_command
    if command.opens:
        return OPENING
    return ELSEWHERE if room.playing_at(kit, viewer.seat) is None else ANSWERED


def page_words(bot: Bot) -> dict[str, str]:
    """Format the messages of the page itself, whose ids begin with `page-`."""
    ids = sorted(each for each in bot.outbox.words.ids if each.startswith("page-"))
    return {each: bot.outbox.text(Message(each)) for each in ids}


def roles(bot: Bot) -> list[dict[str, str]]:
    """List the roles as which a viewer can enter."""
    return [{"id": role.value, "label": bot.outbox.text(Message(f"a-{role.value}"))} for role in Role]


def commands(bot: Bot) -> list[CommandRow]:
    """List every command, those of games first."""
    rows = [game_command(bot, each) for kit in bot.kits.values() for each in kit.chat.commands]
    own = bot.command_index.bot_commands
    return rows + [_command(bot, each.word, each.arguments, each.aliases) for each in own]


def games(bot: Bot) -> list[GameRow]:
    """List the games."""
    return [
        {
            "name": kit.name,
            "title": bot.outbox.text(Message(f"game-{kit.name}")),
            "about": _about(bot, kit.name),
            "line": f"!{kit.word}",
            "apart": not kit.seating.shared,
        }
        for kit in bot.kits.values()
    ]


def _about(bot: Bot, game: str) -> str:
    """Return what one does in a game, in a line: that of the page, or else the first sentence of its own."""
    own, message_id = f"page-game-{game}", f"about-{game}"
    if own in bot.outbox.words.ids:
        return bot.outbox.text(Message(own))
    text = bot.outbox.text(Message(message_id)) if message_id in bot.outbox.words.ids else ""
    _, separator, rest = text.partition(": ")  # its name stands above
    return _SENTENCE.split(rest if separator else text, maxsplit=1)[0]


def owned(table: Table, seats: Iterable[Seat]) -> bool:
    """Whether a table is shared by all, or one of these seats plays there or is invited."""
    kit = table.kit
    if kit.seating.shared:
        return True
    participants = (*kit.seating.guests(table.state), *kit.seating.invited(table.state))
    return any(table.spot == kit.spot(seat) or seat in participants for seat in seats)


def pauses(bot: Bot, room: Room) -> list[PauseRow]:
    """List when each game may be opened in a room; games that moderators have disabled are `off`."""
    return [
        {"name": name, "rest": bot.parts.pauses.left(room, name) or None, "off": not offered(room, kit)}
        for name, kit in bot.kits.items()
    ]


def tables(bot: Bot, room: Room) -> list[TableRow]:
    """Describe every table of a room, as the public sees it."""
    return [
        public_row(bot, table, table.kit.display.board(table.view(None))) for table in room.tables.values()
    ]


async def own(bot: Bot, room: Room, viewers: Iterable[Viewer]) -> dict[Seat, OwnRow]:
    """Describe what each viewer has and may do, at the tables that are open when all balances are read.

    Returns when no table has a step that is not written yet: what is shown then was committed.
    """
    purses = {viewer: await bot.balances.purse(room, viewer.seat) for viewer in viewers}
    while under_way := [table for table in room.tables.values() if table.lock.locked()]:
        await under_way[0].finished()
    return {viewer.seat: _own(bot, room, viewer, purse) for viewer, purse in purses.items()}


def public_row(bot: Bot, table: Table, board: Board, most: int | None = None) -> TableRow:
    """Describe a table as the public sees it, with the first `most` of those on its board."""
    clock, now, deadline = table.clock, bot.watch.now(), table.public_deadline
    current = None if table.over else table.game.clock(table.state)  # while no game is played no clock runs
    phase = f"{table.kit.name}-phase-{current.phase.split()[0]}" if current else "page-over"
    if table.voided:
        phase = "page-called-off"
    return {
        "id": table.id,
        "game": table.kit.name,
        "apart": not table.kit.seating.shared,
        "title": bot.outbox.text(board.title, room=table.room),
        "phase": bot.outbox.text(Message(phase), room=table.room),
        "seconds": clock.seconds if clock and not clock.hidden else None,
        "left": None if deadline is None else max(deadline - now, 0.0),
        "over": table.over,
        "facts": [_fact(bot, table, each) for each in board.facts],
        "places": [place_row(bot, table, each) for each in board.places[:most]],
        "note": bot.outbox.text(board.note, room=table.room) if board.note and not table.voided else None,
        "hands": hands(bot, table, None),
    }


def game_command(bot: Bot, command: Command) -> CommandRow:
    """Describe a command of a game."""
    row = _command(bot, command.word, command.arguments, command.aliases)
    row["secret"], row["opens"] = command.secret, command.opens
    row["options"] = [_option(bot, command.word, each) for each in command.options]
    return row


def _command(bot: Bot, word: str, arguments: str, aliases: Iterable[str]) -> CommandRow:
    return {
        "word": word,
        "arguments": bot.outbox.text(form(arguments, bot.outbox.words.ids)),
        "help": bot.outbox.text(Message(f"help-{word}")),
        "aliases": list(aliases),
        "secret": False,
        "opens": False,
        "options": [],
    }


def _option(bot: Bot, word: str, option: Option) -> OptionRow:
    return {
        "name": option.name,
        "label": bot.outbox.text(Message(f"option-{word}-{option.name}")),
        "key": option.key,
        "required": option.required,
        "whole": option.kind is Kind.WHOLE,
        "least": option.least,
        "most": option.most,
        "amount": option.kind is Kind.AMOUNT,
        "member": option.kind is Kind.MEMBER,
        "answers": option.answers,
        "choices": list(option.choices),
    }


def hands(bot: Bot, table: Table, seat: Seat | None) -> list[HandRow]:
    """Describe the cards as a seat sees them, or as the public does for None."""
    board = table.kit.display.board(table.view(seat))
    return [hand_row(bot.outbox, each, table.room) for each in board.hands]


def hand_row(outbox: Outbox, hand: Hand, room: Room) -> HandRow:
    """Describe a hand."""
    cards = shown_cards(hand)
    return {
        "label": outbox.text(hand.label, room=room),
        "cards": [_card(outbox, each, room) for each in cards],
        "count": len(hand.cards) + hand.hidden,
        "more": len(hand.cards) - len(cards),
        "hidden": hand.hidden,
        "seat": hand.owner,
        "owner": outbox.name(hand.owner, room) if hand.owner else None,
        "detail": outbox.text(hand.detail, room=room) if hand.detail else "",
        "mark": hand.mark,
    }


def shown_cards(hand: Hand) -> Sequence[Card]:
    """Return the latest cards of a hand, or the first if no card is marked, as in the rest of a deck."""
    unmarked = all(each.mark == "plain" for each in hand.cards)
    return hand.cards[:MOST_CARDS] if unmarked else hand.cards[-MOST_CARDS:]


def _card(outbox: Outbox, card: Card, room: Room) -> CardRow:
    text = outbox.text(card.told, room=room) if card.told else ""
    return {"face": card.face, "mark": card.mark, "word": card.word, "told": text}


def _fact(bot: Bot, table: Table, fact: Fact) -> dict[str, str]:
    text = partial(bot.outbox.text, room=table.room)
    return {"id": fact.label.id, "label": text(fact.label), "value": text(fact.value)}


def place_row(bot: Bot, table: Table, place: Place) -> PlaceRow:
    """Describe who sits at a table."""
    return {
        "seat": place.seat,
        "name": bot.outbox.name(place.seat, table.room),
        "detail": bot.outbox.text(place.detail, room=table.room),
        "mark": place.mark,
        "simulated": bot.people.known_as(place.seat, CROWD) is not None,
        "house": of_house(place.seat),
    }


def _own(bot: Bot, room: Room, viewer: Viewer, purse: int) -> OwnRow:
    moves = [(table, *divided(table, viewer.seat, purse)) for table in room.tables.values()]
    buttons = [button_row(bot, table, viewer, each) for table, actions, _ in moves for each in actions]
    steps_rows = [steps_row(bot, table, viewer, each) for table, _, steps in moves for each in steps]
    words = {_command_of(bot, each["line"]) for each in (*buttons, *steps_rows)}
    return {
        "credits": bot.outbox.text(Message("amount", {"credits": Credits(purse)}), room=room),
        "buttons": buttons,
        "steps": steps_rows,
        "joins": _joins(room, viewer),
        "hidden": _secret_words(bot, room, viewer.seat),
        "suggested": suggested(bot, room, viewer, words),
        "hands": {
            table.id: hands(bot, table, viewer.seat)
            for table in room.tables.values()
            if hides(table) and owned(table, [viewer.seat])
        },
        "notes": {
            table.id: note(bot, table, viewer)
            for table in room.tables.values()
            if owned(table, [viewer.seat])  # at others a viewer sees what the public sees
        },
    }


def button_row(bot: Bot, table: Table, viewer: Viewer, action: object) -> ButtonRow:
    """Describe a move of a viewer."""
    line = table.kit.chat.line(action)
    text, gesture = partial(bot.outbox.text, room=table.room), table.kit.display.gesture(action)
    return {
        "label": text(table.kit.display.label(action)),
        "risk": gesture.risk.value if gesture.risk else None,
        "press": gesture.press,
        "lay": [{"label": text(each.label), "faces": each.faces} for each in gesture.lay],
        **_move(bot, table, viewer, line),
    }


def _joins(room: Room, viewer: Viewer) -> list[JoinRow]:
    """List the lobbies that this viewer can enter with any stake that they can pay."""
    return [
        {"table": table.id, "line": f"!{table.kit.word}"}
        for table in room.tables.values()
        if table.kit.money.chooses_stake(table.state) and not _plays(table, viewer.seat)
    ]


def _plays(table: Table, seat: Seat) -> bool:
    return any(each.seat == seat for each in table.kit.display.board(table.view(None)).places)


def steps_row(bot: Bot, table: Table, viewer: Viewer, steps: Steps) -> StepsRow:
    """Describe moves of a viewer that are chosen card by card."""
    labels = {word: bot.outbox.text(label, room=table.room) for word, label in steps.labels.items()}
    return {"labels": labels, "paths": steps.paths, **_move(bot, table, viewer, steps.line)}


def _move(bot: Bot, table: Table, viewer: Viewer, line: str) -> MoveRow:
    secret = bot.secret(table.room, viewer.seat, line, table.id)
    return {"line": line, "secret": secret, "help": _help(bot, line), "table": table.id}


def _secret_words(bot: Bot, room: Room, seat: Seat) -> list[str]:
    """List the commands that a viewer should whisper now, because their moves are secret."""
    places = ((kit, room.place(kit, seat)) for kit in bot.kits.values())
    kits = [kit for kit, table in places if table is not None and hides(table)]
    return [word for kit in kits for each in kit.chat.commands for word in (each.word, *each.aliases)]


def _help(bot: Bot, line: str) -> str:
    """Return the help of a move from its game, even if a command of moderators has the same word."""
    return bot.outbox.text(Message(f"help-{_command_of(bot, line)}"))


def _command_of(bot: Bot, line: str) -> str:
    """Return the first word of the command that a line gives."""
    word, _ = bot.command_index.split(line.removeprefix("!"))
    game_command = bot.command_index.played(word)
    return word if game_command is None else first_word(game_command)


def note(bot: Bot, table: Table, viewer: Viewer) -> str | None:
    """Say what a viewer sees stand below a table."""
    message = table.kit.display.note_of(table.view(viewer.seat))
    return bot.outbox.text(message, room=table.room) if message else None
