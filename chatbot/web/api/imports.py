"""Imports at the desk: a file of another bot is looked at, brought in, and taken back.

A large file takes longer than a request may, so that each of these is a job that goes on by itself and can be
asked how far it is. Rooms whose wallets are held together have one at a time: what one of them reads, the
other may not be changing. One that was interrupted is continued by the same file.
"""

from __future__ import annotations

import asyncio
import binascii
from base64 import b64decode
from dataclasses import dataclass
from datetime import datetime  # noqa: TC003  (pydantic reads it)
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import structlog
from pydantic import Field
from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.community.imports.columns import Columns
from chatbot.community.imports.reading import ReadingOptions
from chatbot.community.imports.reports import ImportSummary, UndoneImport, summary, undone
from chatbot.community.imports.service import BalanceImports, ImportRequest
from chatbot.kernel.game import Failure, Refusal, Role
from chatbot.kernel.say import Message
from chatbot.ledger.imports.writing import Importer
from chatbot.web.api.endpoints import Call, Endpoint, EndpointBody
from chatbot.web.tokens import OWN

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chatbot.bot.bot import Bot

LARGEST_FILE = 10 * 2**20  # bytes; a million members take less
LARGEST_UPLOAD = LARGEST_FILE * 4 // 3 + 65_536  # bytes of a request that carries one in base64
MOST_LINES = 2**31 - 1  # of a file
LISTED = 20  # imports in the list

ImportState: TypeAlias = Literal["none", "running", "done", "failed"]
ImportAct: TypeAlias = Literal["look", "bring", "undo"]

log = structlog.get_logger(__name__)


class ImportProgress(TypedDict):
    """How far the last job of a room is: `rows` that it has gone through, and what it did in the end.

    `error` says why it has failed; what it had written by then stays, and the same file continues it.
    """

    state: ImportState
    act: ImportAct | None
    file: str
    rows: int
    report: ImportSummary | None
    undone: UndoneImport | None
    error: str | None


class ImportRow(TypedDict):
    """An import that was begun; `state` is running, done, undoing or undone."""

    id: str
    file: str
    platform: str
    mode: str
    at: datetime
    rows: int
    state: str


class WantedImport(EndpointBody):
    """A file, and how it is read; what is null is told by the file itself."""

    act: Literal["look", "bring"] = Field(description="Only look what it would do, or bring it in.")
    file: str = Field(
        min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$", description="The name of the file."
    )
    content: str = Field(max_length=LARGEST_UPLOAD, description="Its bytes in base64, of 10 MiB at most.")
    platform: Literal["twitch", "discord"] = Field("twitch", description="Whose ids or names they are.")
    mode: Literal["add", "set"] = Field("add", description="Add to what is there, or set it to this.")
    name_column: str | None = Field(None, max_length=100, description="The column of names.")
    id_column: str | None = Field(None, max_length=100, description="The column of ids.")
    credits_column: str | None = Field(
        None, max_length=300, description="The column of credits, or several to add, such as cash+bank."
    )
    watched_column: str | None = Field(None, max_length=100, description="The column of watched time.")
    watched_unit: Literal["minutes", "hours", "seconds"] | None = Field(None, description="Its unit.")
    table: str | None = Field(None, max_length=100, description="The sheet, table or currency in the file.")
    thousands: Literal[".", ",", " ", "'"] | None = Field(None, description="What parts thousands.")
    decimal: Literal[".", ","] | None = Field(None, description="What begins a fraction.")
    encoding: str | None = Field(None, max_length=40, description="Of a text that is not UTF-8.")
    same: Literal["fault", "add", "most", "first"] = Field(
        "fault", description="What becomes of several rows of one person."
    )
    negative: Literal["fault", "zero"] = Field("fault", description="What becomes of balances below 0.")
    skip_bad: bool = Field(False, description="Leave out rows that are wrong.")
    again: bool = Field(False, description="Bring the same file once more.")


class WantedUndoing(EndpointBody):
    """Which import is taken back."""

    id: str = Field(max_length=100, description="The id of the import.")
    lines: list[Annotated[int, Field(ge=1, le=MOST_LINES)]] | None = Field(
        None, min_length=1, max_length=1000, description="Only these lines of its file; null: all of it."
    )


@dataclass(slots=True)
class _Job:
    """One look, import or undoing of a room; `holder` is the community that holds its wallets."""

    holder: str
    act: ImportAct
    file: str
    apology: str  # in the language of the room, where something goes wrong that nobody has foreseen
    rows: int = 0
    state: ImportState = "running"
    report: ImportSummary | None = None
    undone: UndoneImport | None = None
    error: str | None = None

    def advance(self, count: int) -> None:
        self.rows += count


class ImportJobs:
    """The last job of each room; those that run end with the server."""

    def __init__(self) -> None:
        self._jobs: dict[str, _Job] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def of(self, room: str) -> ImportProgress:
        """Return how far the last job of a room is."""
        job = self._jobs.get(room)
        if job is None:
            return {
                "state": "none",
                "act": None,
                "file": "",
                "rows": 0,
                "report": None,
                "undone": None,
                "error": None,
            }
        return {
            "state": job.state,
            "act": job.act,
            "file": job.file,
            "rows": job.rows,
            "report": job.report,
            "undone": job.undone,
            "error": job.error,
        }

    def begin(self, room: str, job: _Job, work: Callable[[_Job], Awaitable[None]]) -> None:
        """Let a job run by itself.

        Raises:
            Refusal: another one of this room, or of the same wallets, does.
        """
        if any(
            each.state == "running" and (of == room or each.holder == job.holder)
            for of, each in self._jobs.items()
        ):
            raise Refusal(Message("import-busy"))
        self._jobs[room] = job
        task = asyncio.create_task(_run(job, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """End all jobs; an import is whole up to one of its portions then."""
        for each in self._tasks:
            each.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def _run(job: _Job, work: Callable[[_Job], Awaitable[None]]) -> None:
    try:
        await work(job)
    except Failure as failure:
        job.state, job.error = "failed", str(failure)
    except Exception:
        log.exception("an import has failed", file=job.file, act=job.act)
        job.state, job.error = "failed", job.apology
    else:
        job.state = "done"


class ImportEndpoints:
    """Imports of a room, by whoever owns it."""

    def __init__(self, bot: Bot, jobs: ImportJobs) -> None:
        self._bot, self._jobs = bot, jobs
        self._imports = BalanceImports(bot.parts.store, bot.people)

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        return [
            Endpoint(
                "GET",
                "/imports",
                "List the last imports.",
                self._list,
                list[ImportRow],
                scope=OWN,
                least=Role.BROADCASTER,
                by_page=True,
            ),
            Endpoint(
                "GET",
                "/imports/job",
                "Read how far the last look, import or undoing is.",
                self._job,
                ImportProgress,
                scope=OWN,
                least=Role.BROADCASTER,
                by_page=True,
            ),
            Endpoint(
                "POST",
                "/imports",
                "Look at a file of balances, or bring it in.",
                self._begin,
                ImportProgress,
                scope=OWN,
                body=WantedImport,
                largest_body=LARGEST_UPLOAD,
                least=Role.BROADCASTER,
                by_page=True,
            ),
            Endpoint(
                "POST",
                "/imports/undo",
                "Take an import back, or some lines of it.",
                self._undo,
                ImportProgress,
                scope=OWN,
                body=WantedUndoing,
                least=Role.BROADCASTER,
                by_page=True,
            ),
        ]

    async def _list(self, call: Call) -> list[ImportRow]:
        runs = await self._imports.newest(call.room.community, LISTED)
        return [
            {
                "id": each.id,
                "file": each.file,
                "platform": each.platform,
                "mode": each.mode,
                "at": each.at,
                "rows": each.rows,
                "state": each.state,
            }
            for each in runs
        ]

    async def _job(self, call: Call) -> ImportProgress:
        return self._jobs.of(call.room.id)

    async def _begin(self, call: Call) -> ImportProgress:
        wanted: WantedImport = call.body
        request = _request(wanted, call.room.community)
        importer = await self._importer(call)

        async def work(job: _Job) -> None:
            if wanted.act == "look":
                report = await self._imports.look(request, job.advance)
            else:
                report = await self._imports.bring(request, self._bot.watch.date(), importer, job.advance)
            job.report = summary(report)

        self._jobs.begin(call.room.id, self._new_job(call, wanted.act, wanted.file), work)
        return self._jobs.of(call.room.id)

    async def _undo(self, call: Call) -> ImportProgress:
        wanted: WantedUndoing = call.body
        community, importer = call.room.community, await self._importer(call)

        async def work(job: _Job) -> None:
            run, withdrawal = await self._imports.undo(
                wanted.id, self._bot.watch.date(), wanted.lines, importer, community, job.advance
            )
            job.file, job.undone = run.file, undone(run, withdrawal)

        self._jobs.begin(call.room.id, self._new_job(call, "undo", wanted.id), work)
        return self._jobs.of(call.room.id)

    def _new_job(self, call: Call, act: ImportAct, file: str) -> _Job:
        apology = self._bot.outbox.text(Message("import-failed"), room=call.room)
        return _Job(self._bot.people.ties.community(call.room.community), act, file, apology)

    async def _importer(self, call: Call) -> Importer:
        await self._bot.people.settle([call.principal.account])
        return Importer(self._bot.people.home(call.principal.account), call.principal.name, call.room.id)


def _request(wanted: WantedImport, community: str) -> ImportRequest:
    """Return the import that was asked for.

    Raises:
        Refusal: the content is not in base64, or too large.
    """
    try:
        content = b64decode(wanted.content, validate=True)
    except (binascii.Error, ValueError):
        raise Refusal(Message("import-content")) from None
    if len(content) > LARGEST_FILE:
        raise Refusal(Message("import-large", {"most": LARGEST_FILE >> 20}))
    columns = Columns(
        wanted.name_column,
        wanted.id_column,
        wanted.credits_column,
        wanted.watched_column,
        wanted.watched_unit,
    )
    options = ReadingOptions(
        columns=columns,
        thousands=wanted.thousands,
        decimal=wanted.decimal,
        same=wanted.same,
        negative=wanted.negative,
        encoding=wanted.encoding,
        table=wanted.table,
    )
    return ImportRequest(
        wanted.file, content, community, wanted.platform, wanted.mode, options, wanted.skip_bad, wanted.again
    )
