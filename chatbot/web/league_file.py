"""Follow the file in which a ladder says what is going on (`chatbot ladder`, docs/program/ladder.md).

The ladder is another process, and its folder may be anybody's: nothing in the file is relied on before it was
checked, and what is wrong with it is one sentence in the log, once. The file is looked at when somebody asks,
at most twice a second, and read only when it has changed.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path  # noqa: TC003  (pydantic)
from typing import Annotated, Literal

import structlog
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

FILE = "live.json"
INTERVAL = 0.5  # seconds between two looks; a ladder writes as often
STALE = 900.0  # seconds without a change after which nobody plays any more: the ladder was killed
_MAX_BYTES = 8 << 20  # of 5,000 programs
_MAX_ROWS = 10_000  # programs, and duels that follow in a round

log = structlog.get_logger(__name__)

_Text = Annotated[str, Field(max_length=120)]
_Whole = Annotated[int, Field(ge=0, le=1_000_000_000)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class LeaguePlayer(_Strict):
    """A program, or a strategy of the house, which has no author."""

    key: _Text
    name: _Text
    author: _Text


LeaguePair = tuple[LeaguePlayer, LeaguePlayer]


class LeagueResult(_Strict):
    """A duel that is over; `winner` is a place in `players`, None for a draw."""

    duel: _Whole
    players: LeaguePair
    scores: tuple[_Text, _Text]
    winner: Literal[0, 1] | None


class LeagueRating(LeaguePlayer):
    """A row of the table; `rating` and its standard error are in points."""

    rank: _Whole
    rating: Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
    error: _Whole
    won: _Whole
    drawn: _Whole
    lost: _Whole


class LeagueContent(_Strict):
    """What goes on in a ladder."""

    version: Literal[1]
    game: _Text
    title: _Text
    round: _Whole
    over: bool
    duels: _Whole
    playing: LeaguePair | None
    following: Annotated[list[LeaguePair], Field(alias="next", max_length=_MAX_ROWS)]
    results: Annotated[list[LeagueResult], Field(max_length=100)]
    ratings: Annotated[list[LeagueRating], Field(max_length=_MAX_ROWS)]

    @model_validator(mode="after")
    def _consistent(self) -> LeagueContent:
        if self.over and self.playing is not None:
            raise ValueError("a ladder that is over has no running duel")
        return self

    def stopped(self) -> LeagueContent:
        """Return the same with nobody playing."""
        if self.over:
            return self
        return self.model_copy(update={"over": True, "playing": None, "following": []})


class BrokenLeagueError(Exception):
    """The file is none of a ladder; the text says why."""


class LeagueFile:
    """The file in the folder of one ladder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = asyncio.Lock()  # of several who ask at once, one looks
        self._looked_at = -INTERVAL  # on the monotonic clock
        self._signature: tuple[int, int] | None = None  # time of its change and size, of what was read last
        self._content: LeagueContent | None = None
        self._fault = ""  # that was logged last

    async def content(self) -> LeagueContent | None:
        """Return what goes on; None: there is nothing that can be shown, and the log says why."""
        async with self._lock:
            if time.monotonic() - self._looked_at >= INTERVAL:
                # A folder may be on a network, and a table of thousands takes milliseconds.
                await asyncio.to_thread(self._look)
                self._looked_at = time.monotonic()
            return self._content

    def _look(self) -> None:
        signature: tuple[int, int] | None = None
        try:
            status = self._path.stat()
            signature = status.st_mtime_ns, status.st_size
            if signature != self._signature:
                # Taken before it is read: a file that is replaced meanwhile is read again.
                self._content = self._read()
                self._signature, self._fault = signature, ""
        except FileNotFoundError:
            self._reject("there is none yet; `chatbot ladder` writes it into its folder `--to`", None)
        except OSError as error:
            self._reject(error.strerror or type(error).__name__, None)
        except BrokenLeagueError as error:
            self._reject(str(error), signature)  # it is not read again before it changes
        else:
            if self._content is not None and time.time() - status.st_mtime > STALE:
                self._content = self._content.stopped()

    def _reject(self, reason: str, signature: tuple[int, int] | None) -> None:
        """Show nothing from now on, and say why, once."""
        self._content, self._signature = None, signature
        if reason != self._fault:
            log.warning("no league is shown", file=str(self._path), reason=reason)
        self._fault = reason

    def _read(self) -> LeagueContent:
        """Return what the file says.

        Raises:
            BrokenLeagueError: it is none of a ladder.
            OSError: it cannot be read.
        """
        with self._path.open("rb") as file:
            text = file.read(_MAX_BYTES + 1)
        if len(text) > _MAX_BYTES:
            raise BrokenLeagueError(f"it has more than {_MAX_BYTES >> 20} MiB")
        try:
            return LeagueContent.model_validate_json(text)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            where = ".".join(map(str, first["loc"]))
            raise BrokenLeagueError(
                f"it is not what a ladder writes ({where or 'JSON'}: {first['msg']})"
            ) from None
