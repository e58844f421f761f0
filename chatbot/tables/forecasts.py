"""Forecasts: which question about a table viewers can bet on now, how long, and how it came out.

A platform puts the question and takes the bets; it asks here. The answer is read from the journal, which is
replayed by the rules, and from nothing that was told. It is that of the state in which the question could
first be put, so that nothing counts that anybody decided later.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from chatbot.kernel.say import Message, Say
from chatbot.ledger.predictions import PredictionState
from chatbot.settings.fields import NO, PREDICTION, YES
from chatbot.tables.replay import Unreplayable, reread

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.kit import AnyKit, Forecast
    from chatbot.ledger.books.journal import Journal
    from chatbot.ledger.predictions import Prediction, Predictions
    from chatbot.rooms.registry import Rooms
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import Watch
    from chatbot.tables.replay import Replay

# Seconds of a phase that must be left for a question: a stream is seen several seconds late.
LEAST_BETTABLE = 20.0


class Course(Enum):
    """How a table stands to the question that was put about it."""

    HELD = "games are stopped here, or played by another process"
    BETTABLE = "the phase lasts in which it was put"
    PASSED = "that phase is over"


class ForecastAnswer(Enum):
    """How a forecast came out."""

    PENDING = "the table is not over"
    CAME_TRUE = "yes"
    CAME_FALSE = "no"
    NONE = "there is none: the table is void, or was played by other rules"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a forecast came out, and what the room is told of it once the bets are settled."""

    answer: ForecastAnswer
    say: Say | None = None


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
        self,
        kits: Mapping[str, AnyKit],
        journal: Journal,
        predictions: Predictions,
        rooms: Rooms,
        outbox: Outbox,
        watch: Watch,
    ) -> None:
        self._kits, self._journal, self._predictions, self._rooms = kits, journal, predictions, rooms
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

    async def keeps_open(self, table: Table) -> bool:
        """Whether the present phase of a table may not end yet, as viewers can still bet on it.

        Before its time it does not end either while a platform has been asked to let them bet.
        """
        if table.kit.forecast is None or table.clock is None:
            return False
        prediction = await self._predictions.of(table.id)
        early = self._left(table) > 0
        bettable = {PredictionState.OPEN, PredictionState.WANTED} if early else {PredictionState.OPEN}
        return (
            prediction is not None and prediction.state in bettable and prediction.phase == table.clock.phase
        )

    async def verdict(self, prediction: Prediction) -> Verdict:
        """Return how it came out, by a replay of the journal."""
        table = self._rooms.at(prediction.channel).table(prediction.table)
        if table is not None and not table.over:
            return Verdict(ForecastAnswer.PENDING)
        first_question = _FirstQuestion(prediction.phase)
        try:
            record_and_replay = await reread(self._journal, prediction.table, self._kits, first_question.look)
        except Unreplayable:
            return Verdict(ForecastAnswer.NONE)
        if record_and_replay is None:
            return Verdict(ForecastAnswer.NONE)
        _, replay = record_and_replay
        return (
            Verdict(ForecastAnswer.PENDING) if replay.clock is not None else _verdict(replay, first_question)
        )

    def tell(self, prediction: Prediction, verdict: Verdict) -> None:
        """Tell the room of a prediction what came of it."""
        if verdict.say is not None:
            say = replace(verdict.say, table=prediction.table)
            self._outbox.say(self._rooms.at(prediction.channel), [say])

    def _question(self, table: Table, forecast: Forecast[Any]) -> PutQuestion:
        likely = _percent(forecast.chance(table.game, table.state))
        messages = (
            Message(forecast.question),
            Message(forecast.yes, {"percent": likely}),
            Message(forecast.no, {"percent": 100 - likely}),
        )
        title, yes, no = (self._outbox.text(each, room=table.room) for each in messages)
        phase = "" if table.clock is None else table.clock.phase
        return PutQuestion(table.id, phase, self._left(table), title, (yes, no))

    def _left(self, table: Table) -> float:
        return 0.0 if table.deadline is None else table.deadline - self._watch.now()


def too_short(room: Room, kit: AnyKit) -> Message | None:
    """Return why nobody can bet at the next tables of a game, although a room wants it; None: people can."""
    forecast = kit.forecast
    if forecast is None or not _wanted(room, kit):
        return None
    seconds, least = forecast.seconds(room.rules(kit)), int(LEAST_BETTABLE)
    return Message(forecast.short, {"seconds": seconds, "least": least}) if seconds < least else None


class _FirstQuestion:
    """The state of a replay in which a question could first be put in a phase, once it is reached."""

    def __init__(self, phase: str) -> None:
        self._phase = phase
        self.state: Any = None  # `Any`: each game has a type of its own

    def look(self, replay: Replay) -> None:
        forecast, clock = replay.kit.forecast, replay.clock
        if self.state is not None or forecast is None or clock is None or clock.phase != self._phase:
            return
        if forecast.asks(replay.game, replay.state):
            self.state = replay.state


def _verdict(over: Replay, first_question: _FirstQuestion) -> Verdict:
    """Answer a question about a table that is over."""
    forecast, game = over.kit.forecast, over.game
    if forecast is None or first_question.state is None:
        return Verdict(ForecastAnswer.NONE)
    answer = (
        ForecastAnswer.CAME_TRUE
        if forecast.came_true(game, first_question.state)
        else ForecastAnswer.CAME_FALSE
    )
    message = forecast.result(game, first_question.state, over.state)
    return Verdict(answer, Say(message, game=over.kit.name, event="Forecast"))


def _percent(chance: float) -> int:
    """Round a chance to a whole percentage, which is 0 or 100 only for what is certain."""
    rounded = round(100 * chance)
    return min(max(rounded, 1), 99) if 0 < chance < 1 else rounded


def _wanted(room: Room, kit: AnyKit) -> bool:
    """Whether a room wants viewers to bet on a game."""
    return room.settings(kit.name).get(PREDICTION, NO) == YES


def _can_be_asked(table: Table, forecast: Forecast[Any]) -> bool:
    if table.over or table.frozen or not table.turn or table.clock is None:
        return False
    return forecast.asks(table.game, table.state)
