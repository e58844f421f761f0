"""Makes events of tables and messages, from public views and messages only.

It is imported when the first event is read: to make its models takes 0.05 s, because Pydantic searches the
source of each for the descriptions of its fields.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypedDict

from chatbot.kernel.codec import plain
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.say import Credits, Listing, Message, Name, Quote
from chatbot.speech.safe import LONGEST_QUOTE, safe_text
from chatbot.tables.events.models import (
    Amount,
    Changed,
    Cleared,
    Halted,
    Opened,
    Person,
    Phase,
    Picture,
    Player,
    PublicTable,
    Quoted,
    Rested,
    Resumed,
    Rows,
    Said,
    Settled,
    Told,
    Voided,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.board import Board, Hand, Place
    from chatbot.kernel.say import Argument, Arguments, Say
    from chatbot.rooms.room import Room
    from chatbot.tables.events import models
    from chatbot.tables.events.table_picture import TablePicture

MOST_CARDS = 24  # of a hand that are shown in a line
_HIDDEN = "?"  # a face-down card
_LABEL = "overlay-"  # begins the ids of messages that are texts for drawings


class Stamp(TypedDict):
    """The fields that all events have: the room, the number in the room, and the time."""

    room: str
    number: int
    at: datetime


class Writing:
    """Makes events and their parts in the language of a room."""

    def __init__(self, outbox: Outbox, room: Room) -> None:
        self._words, self._name = outbox.words, partial(outbox.name, room=room)
        self._text = partial(outbox.text, room=room)
        self.language = outbox.languages.language(room)

    # Events

    def picture(self, stamp: Stamp, tables: Iterable[TablePicture], stopped: str) -> Picture:
        """Return the picture of a room; `stopped` is the id of the message that says why no game goes on."""
        return Picture(
            **stamp,
            tables=tuple(map(self.table, tables)),
            halted=self.said(Message(stopped)) if stopped else None,
            language=self.language,
            labels=self.labels(),
        )

    def opened(self, stamp: Stamp, picture: TablePicture) -> Opened:
        return Opened(**stamp, table=self.table(picture))

    def changed(self, stamp: Stamp, picture: TablePicture) -> Changed:
        return Changed(**stamp, table=self.table(picture))

    def told(self, stamp: Stamp, say: Say, game: str) -> Told:
        return Told(
            **stamp,
            table=say.table,
            game=game,
            about=say.event,
            fine=say.fine,
            message=self.said(say.message),
        )

    def settled(self, stamp: Stamp, table: str, game: str) -> Settled:
        return Settled(**stamp, table=table, game=game)

    def voided(self, stamp: Stamp, table: str, game: str) -> Voided:
        return Voided(**stamp, table=table, game=game)

    def cleared(self, stamp: Stamp, table: str, game: str) -> Cleared:
        return Cleared(**stamp, table=table, game=game)

    def rested(self, stamp: Stamp, game: str) -> Rested:
        return Rested(**stamp, game=game)

    def halted(self, stamp: Stamp, reason: Message) -> Halted:
        return Halted(**stamp, reason=self.said(reason))

    def resumed(self, stamp: Stamp) -> Resumed:
        return Resumed(**stamp)

    # Their parts

    def table(self, picture: TablePicture) -> PublicTable:
        """Return the model of a table."""
        view, board = picture.board()
        phase = self._phase(picture)
        return PublicTable(
            id=picture.id,
            game=picture.kit.name,
            title=self._text(board.title),
            over=picture.over,
            phase=phase,
            pot=board.pot,
            seats=tuple(self._player(each) for each in board.places),
            view=plain(view),
            lines=tuple(self._lines(board, phase)),
        )

    def labels(self) -> dict[str, str]:
        """Return the texts for drawings, by their ids; each placeholder is its own name in braces."""
        ids = sorted(each for each in self._words.ids if each.startswith(_LABEL))
        return {
            each: self._text(Message(self._words.referenced_id(each), self._blanks(each))) for each in ids
        }

    def _blanks(self, message: str) -> Arguments:
        return {name: f"{{{name}}}" for name in self._words.placeholders(message)}

    def said(self, message: Message) -> Said:
        """Return the model of a message, with only those arguments that its text can contain.

        The others may not be public.
        """
        placeholders = self._words.placeholders(message.id) if message.id in self._words.ids else ()
        arguments = {
            each: self._argument(message.args[each]) for each in placeholders if each in message.args
        }
        return Said(id=message.id, arguments=arguments, words=self._text(message))

    def _argument(self, value: Argument) -> models.SentArgument:
        match value:
            case Name():
                return Person(seat=value.seat, name=safe_text(self._name(value.seat)))
            case Credits():
                return Amount(credits=value.amount)
            case Quote():
                return Quoted(quote=safe_text(value.text, LONGEST_QUOTE))
            case Listing():
                return Rows(items=tuple(map(self.said, value.items)), most=value.most)
            case Message():
                return self.said(value)
            case _:
                return value

    def _phase(self, picture: TablePicture) -> Phase | None:
        clock = picture.clock
        if clock is None:
            return None
        words = self._text(Message(f"{picture.kit.name}-phase-{clock.phase.split()[0]}"))
        seconds = None if clock.hidden else clock.seconds
        return Phase(name=clock.phase, words=words, seconds=seconds, ends=picture.ends)

    def _player(self, place: Place) -> Player:
        return Player(
            seat=place.seat,
            name=safe_text(self._name(place.seat)),
            detail=self._text(place.detail),
            mark=place.mark,
            house=of_house(place.seat),
        )

    def _lines(self, board: Board, phase: Phase | None) -> Iterator[str]:
        title = self._text(board.title)
        yield title if phase is None else f"{title}: {phase.words}"
        for fact in board.facts:
            yield f"{self._text(fact.label)}: {self._text(fact.value)}"
        for hand in board.hands:
            yield self._hand(hand)
        for place in board.places:
            yield f"{safe_text(self._name(place.seat))}: {self._text(place.detail)}"
        if board.note is not None:
            yield self._text(board.note)

    def _hand(self, hand: Hand) -> str:
        """Return a line with the newest cards of a hand, and its hidden ones."""
        owner = "" if hand.owner is None else f"{safe_text(self._name(hand.owner))}, "
        faces = [*(each.face for each in hand.cards), *[_HIDDEN] * hand.hidden]
        earlier = ["…"] if len(faces) > MOST_CARDS else []
        detail = "" if hand.detail is None else f" ({self._text(hand.detail)})"
        return f"{owner}{self._text(hand.label)}: {' '.join([*earlier, *faces[-MOST_CARDS:]])}{detail}"
