"""Predictions: viewers bet channel points on the outcome of a table, and Twitch is told once how it came out.

A channel of an affiliate or partner has one prediction at a time. It is ACTIVE while people can bet, LOCKED
from then on, and ends RESOLVED or CANCELED, by which all points go back. Twitch locks it by itself after its
window, of 30 s at least: https://dev.twitch.tv/docs/api/reference/#create-prediction and the two around it.

The bot locks it before the phase ends after which the outcome could be known. The phase goes on for a while
until Twitch confirms that, and the bot cancels the prediction where it did not in time. It touches no
prediction but its own.

It runs in the process that hears the chat, and asks for tables of rooms that run there.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import structlog
from pydantic import TypeAdapter
from sqlalchemy.exc import SQLAlchemyError
from twitchio.exceptions import HTTPException
from twitchio.http import Route

from chatbot.ledger.predictions import Prediction, PredictionState
from chatbot.runtime.limits import PROBE, remember
from chatbot.runtime.periodic import Periodic
from chatbot.tables.forecasts import LEAST_BETTABLE, Course, ForecastAnswer, Verdict
from cogs.twitch.api import UNREACHABLE, Trouble
from cogs.twitch.channels import runs_here
from cogs.twitch.lines import channel_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from chatbot.bot.bot import Bot
    from chatbot.tables.forecasts import PutQuestion
    from cogs.twitch.api import Api
    from cogs.twitch.channels import Chat

PATH = "predictions"
EVERY = 1.0  # seconds between two looks at a channel
SLOWEST = 60.0  # seconds between two looks, however often Twitch has failed
QUICK, SLOW = 5, 11  # failures in a row after which looks become rarer, and no rarer any more
LOCKED_BEFORE = 5.0  # seconds before the end of the phase, in which a lock that fails can be tried again
SHORTEST, LONGEST = 30, 1800  # seconds of a window at Twitch
TITLE, OUTCOME = 45, 25  # characters
NEWEST = 25  # predictions that are looked through for one whose answer was lost, the most of one page
REMEMBERED = 100  # tables about which nothing is asked again

REFUSED = {
    401: "its key does not allow predictions; run `chatbot connect twitch --broadcaster --predictions`",
    403: "only affiliates and partners of Twitch have predictions",
}
"""The answers that stay the same until the streamer changes something."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Source:
    """What Twitch knows a prediction by.

    `before` is the id of the newest prediction before it, so that it is found where the answer that told its
    own `id` was lost. `outcomes` are the ids of its answers, yes and no.
    """

    title: str
    answers: tuple[str, str]
    window: int  # seconds
    before: str = ""
    id: str = ""
    outcomes: tuple[str, str] = ("", "")


_SOURCE = TypeAdapter(Source)


class ChannelPredictions:
    """Puts the questions about the tables of one channel, one at a time, and follows each until it is over.

    `refused` is told why Twitch refuses the channel, and "" where it does not any more.
    """

    def __init__(
        self, *, api: Api, bot: Bot, chat: Chat, record_refusal: Callable[[Chat, str], Awaitable[None]]
    ) -> None:
        self._api, self._bot, self._chat, self._record_refusal = api, bot, chat, record_refusal
        self._channel = channel_of(chat.broadcaster)
        self._running: list[Prediction] | None = None  # None: not read from the database yet
        self._asked: OrderedDict[str, None] = OrderedDict()  # ids of tables
        self._looks = Periodic(bot.watch, EVERY, self._look)
        self._failures = 0

    def start(self) -> None:
        """Look in `EVERY` seconds, and from then on again."""
        self._looks.start()

    def stop(self) -> None:
        """Look no more."""
        self._looks.stop()

    async def look(self) -> None:
        """Bring what runs a step further, or else put a question.

        Raises:
            HTTPException, SQLAlchemyError, OSError: it is to be tried again later.
            LookupError, TypeError, ValueError: an answer is not what Twitch documents.
        """
        if not runs_here(self._bot, self._chat):
            self._running = None  # the process that runs the room goes on with it
            return
        if self._running is None:
            self._running = await self._bot.parts.predictions.running(self._channel)
        for each in list(self._running):
            await self._advance(each)
        if not self._running:
            await self._begin()

    async def _look(self) -> float:
        """Look, and return the seconds until the next look."""
        wait, slowest = 0.0, SLOWEST
        try:
            await self.look()
            self._failures = 0
        except (HTTPException, SQLAlchemyError, OSError, LookupError, TypeError, ValueError) as error:
            # The last three: an answer of another shape than Twitch documents.
            self._failures += 1
            if isinstance(error, Trouble):
                wait, slowest = error.wait, PROBE if error.status == UNREACHABLE else SLOWEST
            await self._tell(error)
        rarer = EVERY * 2.0 ** max(min(self._failures, SLOW) - QUICK, 0)
        return max(wait, min(rarer, slowest))

    # Beginning

    async def _begin(self) -> None:
        """Put the first question for which there is time enough, unless a prediction runs already."""
        for question in self._bot.parts.forecasts.questions(self._channel):
            if question.seconds >= LEAST_BETTABLE and question.table not in self._asked:
                await self._put(question)
                return

    async def _put(self, question: PutQuestion) -> None:
        newest = await self._newest(1)
        remember(self._asked, question.table, None, REMEMBERED)
        if newest and _runs(newest[0]):
            log.info("another prediction runs and is left alone", channel=self._chat.login)
            return
        source = _source(question, newest[0]["id"] if newest else "")
        source_text = _SOURCE.dump_json(source).decode()
        prediction = Prediction(question.table, self._channel, question.phase, source_text)
        self._running = None  # if this fails, the database says whether it was written
        if await self._bot.parts.predictions.begin(prediction, self._bot.watch.date()):
            self._running = [prediction]
            await self._create(prediction, source)

    async def _create(self, prediction: Prediction, source: Source) -> None:
        """Ask Twitch for a prediction; where its answer is lost, it is looked for at the next look."""
        body = {
            "broadcaster_id": self._chat.broadcaster,
            "title": source.title,
            "outcomes": [{"title": each} for each in source.answers],
            "prediction_window": source.window,
        }
        try:
            predictions = await self._ask("POST", json=body)
        except HTTPException as error:
            if error.status not in {400, *REFUSED}:
                raise
            # It may be refused because it runs already: what was asked before has arrived.
            if error.status != 400 or not await self._adopt_lost(prediction, source):
                await self._move(prediction, PredictionState.OVER)
                await self._tell(error)
        else:
            await self._adopt(prediction, source, predictions[0])

    async def _adopt_lost(self, prediction: Prediction, source: Source) -> bool:
        """Find a prediction whose answer was lost among those that came after the newest before it."""
        for each in await self._newest(NEWEST):
            if each["id"] == source.before:
                return False
            if each["title"] == source.title and _titles(each) == set(source.answers):
                await self._adopt(prediction, source, each)
                return True
        return False

    async def _adopt(self, prediction: Prediction, source: Source, raw: Mapping[str, Any]) -> None:
        """Take note of the prediction that Twitch has made; `Any`: JSON of Twitch."""
        yes, no = sorted(raw["outcomes"], key=lambda each: each["title"] != source.answers[0])
        source = replace(source, id=raw["id"], outcomes=(yes["id"], no["id"]))
        source_text = _SOURCE.dump_json(source).decode()
        await self._move(replace(prediction, source=source_text), PredictionState.OPEN)
        await self._record_refusal(self._chat, "")

    # Going on

    async def _advance(self, prediction: Prediction) -> None:
        source = _SOURCE.validate_json(prediction.source)
        course, left = self._bot.parts.forecasts.course(prediction)
        if course is Course.HELD:
            return
        match prediction.state:
            case PredictionState.WANTED:
                await self._make_sure(prediction, source, left)
            case PredictionState.OPEN if course is Course.PASSED:
                log.warning("a prediction was not locked in time, and the points go back",
                            channel=self._chat.login)  # fmt: skip
                await self._end(prediction, source, Verdict(ForecastAnswer.NONE))
            case PredictionState.OPEN if left <= LOCKED_BEFORE:
                await self._lock(prediction, source)
            case PredictionState.LOCKED:
                await self._end(prediction, source, await self._bot.parts.forecasts.verdict(prediction))

    async def _make_sure(self, prediction: Prediction, source: Source, left: float) -> None:
        """Find what was asked for, or ask again while there is time; it is given up with the table."""
        if await self._adopt_lost(prediction, source):
            return
        if left >= LEAST_BETTABLE:
            await self._create(prediction, replace(source, window=_window(left)))
        elif (await self._bot.parts.forecasts.verdict(prediction)).answer is not ForecastAnswer.PENDING:
            await self._move(prediction, PredictionState.OVER)

    async def _lock(self, prediction: Prediction, source: Source) -> None:
        """Let nobody bet any more; it counts only where it is confirmed before the phase ends."""
        status = await self._change(source, "LOCKED")
        if status != "LOCKED":  # the streamer has ended it
            await self._move(prediction, PredictionState.OVER)
        elif self._bot.parts.forecasts.course(prediction)[0] is Course.BETTABLE:
            await self._move(prediction, PredictionState.LOCKED)

    async def _end(self, prediction: Prediction, source: Source, verdict: Verdict) -> None:
        """Tell Twitch how it came out, and the room; without an answer, all points go back."""
        if verdict.answer is ForecastAnswer.PENDING:
            return
        outcomes = {
            ForecastAnswer.CAME_TRUE: source.outcomes[0],
            ForecastAnswer.CAME_FALSE: source.outcomes[1],
        }
        winner = outcomes.get(verdict.answer)
        result = {"winning_outcome_id": winner} if winner is not None else {}
        status = await self._change(source, "RESOLVED" if winner is not None else "CANCELED", result)
        await self._move(prediction, PredictionState.OVER)
        if status == "RESOLVED":
            self._bot.parts.forecasts.tell(prediction, verdict)
        await self._record_refusal(self._chat, "")

    async def _change(self, source: Source, status: str, result: Mapping[str, str] | None = None) -> str:
        """Change the status, and return the one that it has then; empty where there is no such prediction.

        Twitch refuses what is so already, such as a lock whose answer was lost; then it is asked.

        Raises:
            HTTPException: it is neither changed nor over.
        """
        body = {"broadcaster_id": self._chat.broadcaster, "id": source.id, "status": status, **(result or {})}
        try:
            predictions = await self._ask("PATCH", json=body)
        except HTTPException as error:
            if error.status not in {400, 404}:
                raise
            predictions = await self._ask("GET", params={"id": source.id})
            if predictions and _runs(predictions[0]) and predictions[0]["status"] != status:
                raise
        return str(predictions[0]["status"]) if predictions else ""

    async def _move(self, prediction: Prediction, state: PredictionState) -> None:
        """Write how far a prediction has come, and remember it as far as it is not over."""
        update = replace(prediction, state=state)
        await self._bot.parts.predictions.put(update)
        self._running = [] if state is PredictionState.OVER else [update]

    # Asking

    async def _newest(self, count: int) -> list[Mapping[str, Any]]:
        """List the newest predictions of the channel, the newest first."""
        return await self._ask("GET", params={"first": count})

    async def _ask(
        self,
        method: Any,  # as the library has it
        *,
        params: Mapping[str, str | int] | None = None,
        json: Mapping[str, object] | None = None,
    ) -> list[Mapping[str, Any]]:
        broadcaster = self._chat.broadcaster
        if json is None:
            about = {"broadcaster_id": broadcaster, **(params or {})}
            route = Route(method, PATH, params=about, token_for=broadcaster)
        else:
            route = Route(method, PATH, json=dict(json), token_for=broadcaster)
        try:
            answer = await self._api.request(route)
        except HTTPException as error:
            if method == "GET" and error.status == 404:  # so Twitch answers for an id that it does not know
                return []
            raise
        rows = answer["data"] if isinstance(answer, dict) else []
        return list(rows)

    async def _tell(self, error: Exception) -> None:
        """Tell the operator once of each kind of trouble, and remember what lasts."""
        status = getattr(error, "status", 0)
        reason = REFUSED.get(status) or str(getattr(error, "reason", "") or error)
        if self._chat.news(f"predictions: {reason}", self._bot.watch.now(), 3600.0):
            log.warning("a prediction was refused or is tried again", channel=self._chat.login, reason=reason)
        if status in REFUSED:
            await self._record_refusal(self._chat, reason)


def _source(question: PutQuestion, before: str) -> Source:
    """Put a question as Twitch takes it."""
    yes, no = (each[:OUTCOME] for each in question.answers)
    return Source(question.title[:TITLE], (yes, no), _window(question.seconds), before)


def _window(left: float) -> int:
    """Return after how many seconds Twitch locks by itself, with so many of the phase left.

    That is no sooner than 30 s. Should the bot's own lock be late, the phase goes on until then.
    """
    return min(max(int(left - LOCKED_BEFORE), SHORTEST), LONGEST)


def _runs(raw: Mapping[str, Any]) -> bool:
    return raw["status"] in {"ACTIVE", "LOCKED"}


def _titles(raw: Mapping[str, Any]) -> set[str]:
    return {each["title"] for each in raw["outcomes"]}
