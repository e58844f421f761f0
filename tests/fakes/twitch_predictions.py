"""Predictions on loopback: one at a time in a channel, who may have any, and when people can bet no more.

https://dev.twitch.tv/docs/api/reference/#create-prediction tells of 2 to 10 outcomes, the lengths of titles,
windows of 30 to 1,800 seconds, the scope, and 400 while another one runs;
https://dev.twitch.tv/docs/api/predictions/ that only partners and affiliates have them;
https://dev.twitch.tv/docs/api/reference/#end-prediction that an ACTIVE one can be locked, resolved and
cancelled, and a LOCKED one resolved and cancelled; https://dev.twitch.tv/docs/api/reference/#get-predictions
lists the newest first.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.fakes.twitch_world import User

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.fakes.twitch_authority import Token
    from tests.fakes.twitch_helix import Work

MANAGE, READ = "channel:manage:predictions", "channel:read:predictions"
TITLE, OUTCOME = 45, 25  # characters
FEWEST, MOST = 2, 10  # outcomes
SHORTEST, LONGEST = 30, 1800  # seconds of a window
PAGE = 25  # predictions in one answer
FOLLOWING = {"ACTIVE": {"LOCKED", "RESOLVED", "CANCELED"}, "LOCKED": {"RESOLVED", "CANCELED"}}


@dataclass(eq=False)
class Prediction:
    """`ended` counts how often it was resolved or cancelled; times are of the fake's clock."""

    id: str
    broadcaster: User
    title: str
    outcomes: dict[str, str]  # titles by id
    window: int
    created: float
    status: str = "ACTIVE"
    winner: str | None = None
    locked: float | None = None
    ended: int = 0

    @property
    def winning(self) -> str | None:
        """The title of the winning outcome."""
        return None if self.winner is None else self.outcomes[self.winner]

    @property
    def shown(self) -> dict[str, Any]:
        outcomes = [{"id": each, "title": title, "users": 0, "channel_points": 0, "top_predictors": None,
                     "color": "BLUE"} for each, title in self.outcomes.items()]  # fmt: skip
        return {"id": self.id, "broadcaster_id": self.broadcaster.id, "title": self.title,
                "winning_outcome_id": self.winner, "outcomes": outcomes, "prediction_window": self.window,
                "status": self.status}  # fmt: skip


@dataclass(eq=False)
class Bookmaker:
    """`affiliates` are the ids of those who may have predictions.

    `lost` are statuses: the answer to the next change to each is an error, although it was made.
    """

    clock: Callable[[], float]
    find: Callable[[str], User]  # an account, by its id
    affiliates: set[str] = field(default_factory=set)
    made: list[Prediction] = field(default_factory=list)  # the oldest first
    lost: list[str] = field(default_factory=list)
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def routes(self, answer: Callable[[Work], Any]) -> Iterable[web.RouteDef]:
        path = "/helix/predictions"
        return [
            web.get(path, answer(self._list)),
            web.post(path, answer(self._create)),
            web.patch(path, answer(self._change)),
        ]

    def put(self, broadcaster: User, title: str, outcomes: Iterable[str], window: int = 60) -> Prediction:
        """Let a prediction begin, whoever asked for it."""
        number = next(self._numbers)
        named = {f"outcome-{number}-{place}": each for place, each in enumerate(outcomes, 1)}
        new = Prediction(f"prediction-{number}", broadcaster, title, named, window, self.clock())
        self.made.append(new)
        return new

    def locks(self) -> None:
        """Lock what has run as long as its window."""
        for each in self.made:
            if each.status == "ACTIVE" and self.clock() >= each.created + each.window:
                each.status, each.locked = "LOCKED", each.created + each.window

    async def _list(self, request: web.Request, token: Token) -> web.Response:
        refused = self._refused(request.query["broadcaster_id"], token, {MANAGE, READ})
        if refused is not None:
            return refused
        ids, first = request.query.getall("id", []), int(request.query.get("first", "20"))
        if not 1 <= first <= PAGE:
            return _error(400, "The value in first is out of its range")
        own = [each for each in reversed(self.made) if each.broadcaster.id == token.user_id]
        found = [each for each in own if not ids or each.id in ids]
        if ids and not found:
            return _error(404, "The prediction was not found")
        return _data([each.shown for each in found[:first]])

    async def _create(self, request: web.Request, token: Token) -> web.Response:
        body = await request.json()
        refused = self._refused(body["broadcaster_id"], token, {MANAGE})
        if refused is not None:
            return refused
        titles = [each["title"] for each in body["outcomes"]]
        if not 1 <= len(body["title"]) <= TITLE or not all(1 <= len(each) <= OUTCOME for each in titles):
            return _error(400, "A title is missing or too long")
        if not FEWEST <= len(titles) <= MOST or not SHORTEST <= body["prediction_window"] <= LONGEST:
            return _error(400, "The outcomes or the window are out of their range")
        own = (each for each in self.made if each.broadcaster.id == token.user_id)
        if any(each.status in FOLLOWING for each in own):
            return _error(400, "prediction event already active, only one allowed at a time")
        new = self.put(self.find(token.user_id), body["title"], titles, body["prediction_window"])
        return self._answered(new)

    async def _change(self, request: web.Request, token: Token) -> web.Response:
        body = await request.json()
        refused = self._refused(body["broadcaster_id"], token, {MANAGE})
        if refused is not None:
            return refused
        own = (each for each in self.made if each.broadcaster.id == token.user_id)
        found = next((each for each in own if each.id == body["id"]), None)
        if found is None:
            return _error(404, "The prediction was not found")
        status, winner = body["status"], body.get("winning_outcome_id")
        if status not in FOLLOWING.get(found.status, ()):
            return _error(400, f"The prediction is {found.status}")
        if (status == "RESOLVED") != (winner in found.outcomes):
            return _error(400, "The winning outcome is missing or unknown")
        self._set(found, status, winner)
        return self._answered(found)

    def _set(self, prediction: Prediction, status: str, winner: str | None) -> None:
        prediction.status, prediction.winner = status, winner
        if status == "LOCKED":
            prediction.locked = self.clock()
        else:
            prediction.ended += 1

    def _answered(self, prediction: Prediction) -> web.Response:
        if prediction.status in self.lost:
            self.lost.remove(prediction.status)
            return _error(500, "a fault")
        return _data([prediction.shown])

    def _refused(self, broadcaster: str, token: Token, scopes: set[str]) -> web.Response | None:
        self.locks()
        if token.user_id != broadcaster or not scopes & set(token.scopes):
            return _error(401, f"Missing scope: {MANAGE}")
        if token.user_id not in self.affiliates:
            return _error(403, "channel points not available for the broadcaster")
        return None


def _data(data: list[Any]) -> web.Response:
    return web.Response(text=json.dumps({"data": data, "pagination": {}}), content_type="application/json")


def _error(status: int, message: str) -> web.Response:
    body = {"error": "Error", "status": status, "message": message}
    return web.Response(text=json.dumps(body), status=status, content_type="application/json")
