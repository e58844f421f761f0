"""Converts tables and messages to the models of events, from public views and messages only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from chatbot.kernel.codec import plain
from chatbot.kernel.game import AnyGame, Clock
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.kit import AnyKit
from chatbot.kernel.say import Credits, Listing, Message, Name, Quote
from chatbot.speech.safe import LONGEST_QUOTE, safe_text
from chatbot.tables.events.models import Amount, Person, Phase, Player, PublicTable, Quoted, Rows, Said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.board import Board, Hand, Place
    from chatbot.kernel.say import Argument, Arguments
    from chatbot.rooms.room import Room
    from chatbot.rooms.table import Table
    from chatbot.tables.events import models

MOST_CARDS = 24  # of a hand that are shown in a line
_HIDDEN = "?"  # a face-down card
_LABEL = "overlay-"  # begins the ids of messages that are texts for drawings


@dataclass(frozen=True, eq=False, slots=True)
class TablePicture:
    """A table at one moment; `state` is immutable, so later steps do not change it."""

    id: str
    kit: AnyKit
    game: AnyGame
    state: Any  # `Any`: each game has a type of its own
    clock: Clock | None
    deadline: float | None  # time of the watch; None: it is hidden, or the clock is stopped
    ends: datetime | None  # the same as a date
    over: bool

    def board(self) -> tuple[object, Board]:
        """Return the game's public view, and the board that is made of it."""
        view = self.game.view(self.state, None)
        return view, self.kit.display.board(view)

    def shows(self, other: TablePicture) -> bool:
        """Whether another picture shows the same."""
        return self.state is other.state and (self.id, self.clock, self.deadline, self.over) == (
            other.id,
            other.clock,
            other.deadline,
            other.over,
        )


def standing(table: Table, former: TablePicture | None) -> TablePicture:
    """Return the picture of a table; an unchanged deadline keeps the date of the `former` picture.

    So a jump of the system clock does not change the end of a phase.
    """
    deadline, watch = table.public_deadline, table.watch
    ends = None
    if former is not None and former.id == table.id and former.deadline == deadline:
        ends = former.ends
    elif deadline is not None:
        ends = watch.date() + timedelta(seconds=deadline - watch.now())
    known = table.id, table.kit, table.game, table.state
    return TablePicture(*known, table.clock, deadline, ends, table.over)


class Writing:
    """Makes models in the language of a room."""

    def __init__(self, outbox: Outbox, room: Room) -> None:
        self._words, self._name = outbox.words, partial(outbox.name, room=room)
        self._text = partial(outbox.text, room=room)
        self.language = outbox.languages.language(room)

    def table(self, shown: TablePicture) -> PublicTable:
        """Return the model of a table."""
        view, board = shown.board()
        phase = self._phase(shown)
        return PublicTable(
            id=shown.id,
            game=shown.kit.name,
            title=self._text(board.title),
            over=shown.over,
            phase=phase,
            pot=board.pot,
            seats=tuple(self._player(each) for each in board.places),
            view=plain(view),
            lines=tuple(self._lines(board, phase)),
        )

    def labels(self) -> dict[str, str]:
        """Return the texts for drawings, by their ids; each placeholder is its own name in braces."""
        ids = sorted(each for each in self._words.ids if each.startswith(_LABEL))
        return {each: self._text(Message(self._words.meant(each), self._blanks(each))) for each in ids}

    def _blanks(self, message: str) -> Arguments:
        return {name: f"{{{name}}}" for name in self._words.placeholders(message)}

    def said(self, message: Message) -> Said:
        """Return the model of a message, with only those arguments that its text can contain.

        The others may not be public.
        """
        shown = self._words.placeholders(message.id) if message.id in self._words.ids else ()
        arguments = {each: self._argument(message.args[each]) for each in shown if each in message.args}
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

    def _phase(self, shown: TablePicture) -> Phase | None:
        clock = shown.clock
        if clock is None:
            return None
        words = self._text(Message(f"{shown.kit.name}-phase-{clock.phase.split()[0]}"))
        seconds = None if clock.hidden else clock.seconds
        return Phase(name=clock.phase, words=words, seconds=seconds, ends=shown.ends)

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
