"""Forecasts: which question about a table viewers can bet on now, how long, and how it came out.

A platform puts the question and takes the bets; it asks here. The answer is read from the journal, which is
replayed by the rules, and from nothing that was told.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from chatbot.kernel.say import Message
from chatbot.settings.fields import NO, PREDICTION, YES
from chatbot.tables.replay import Unreplayable, reread

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chatbot.kernel.kit import AnyKit, Forecast
    from chatbot.ledger.books.journal import Journal
    from chatbot.ledger.predictions import Prediction
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.room import Room, Rooms
    from chatbot.speech.outbox import Outbox
    from chatbot.tables.table import Table


class Course(Enum):
    """How a table stands to the question that was put about it."""

    HELD = "games are stopped here, or played by another process"
    BETTABLE = "the phase lasts in which it was put"
    PASSED = "that phase is over"


class Answer(Enum):
    """How a forecast came out."""

    PENDING = "the table is not over"
    CAME_TRUE = "yes"
    CAME_FALSE = "no"
    NONE = "there is none: the table is void, or there was nothing to forecast"


@dataclass(frozen=True, slots=True)
class PutQuestion:
    """A question about a table in the language of its room, until the end of a phase in `seconds`."""

    table: str
    phase: str
    seconds: float
    title: str
    answers: tuple[str, str]  # yes and no


class Forecasts:
    """The questions about all tables."""

    def __init__(
        self, kits: Mapping[str, AnyKit], journal: Journal, rooms: Rooms, outbox: Outbox, watch: Watch
    ) -> None:
        self._kits, self._journal, self._rooms = kits, journal, rooms
        self._outbox, self._watch = outbox, watch

    def questions(self, channel: str) -> Iterator[PutQuestion]:
        """Yield what can be asked now about the tables of a channel's room, where the room wants it."""
        room = self._rooms.at(channel)
        if room.elsewhere or room.stopped:
            return
        for table in list(room.tables.values()):
            forecast = table.kit.forecast
            if forecast is not None and _wanted(room, table.kit) and _can_be_asked(table, forecast):
                yield self._question(table, forecast)

    def course(self, prediction: Prediction) -> tuple[Course, float]:
        """Return how the table of a prediction stands to its question, and the seconds left to bet."""
        room = self._rooms.at(prediction.channel)
        if room.elsewhere or room.stopped:
            return Course.HELD, 0.0
        table = room.table(prediction.table)
        if table is None or table.over or table.clock is None or table.clock.phase != prediction.phase:
            return Course.PASSED, 0.0
        return Course.BETTABLE, self._left(table)

    async def answer(self, prediction: Prediction) -> Answer:
        """Return how it came out, by a replay of the journal."""
        table = self._rooms.at(prediction.channel).table(prediction.table)
        if table is not None and not table.over:
            return Answer.PENDING
        try:
            found = await reread(self._journal, prediction.table, self._kits)
        except Unreplayable:
            return Answer.NONE
        if found is None:
            return Answer.NONE
        replayed = found[1]
        if replayed.clock is not None:
            return Answer.PENDING
        forecast = replayed.kit.forecast
        came_true = None if forecast is None else forecast.came_true(replayed.state)
        return {True: Answer.CAME_TRUE, False: Answer.CAME_FALSE, None: Answer.NONE}[came_true]

    def _question(self, table: Table, forecast: Forecast[Any]) -> PutQuestion:
        ids = forecast.question, forecast.yes, forecast.no
        title, yes, no = (self._outbox.text(Message(each), room=table.room) for each in ids)
        phase = "" if table.clock is None else table.clock.phase
        return PutQuestion(table.id, phase, self._left(table), title, (yes, no))

    def _left(self, table: Table) -> float:
        return 0.0 if table.deadline is None else table.deadline - self._watch.now()


def _wanted(room: Room, kit: AnyKit) -> bool:
    """Whether a room wants viewers to bet on a game."""
    return room.settings(kit.name).get(PREDICTION, NO) == YES


def _can_be_asked(table: Table, forecast: Forecast[Any]) -> bool:
    if table.over or table.frozen or not table.turn or table.clock is None:
        return False
    return forecast.asks(table.game, table.state)
