"""Imports of a file: bytes in, a plan out, and the same plan carried out. For the command line and the desk.

A dry run and an import are one road: an import is a dry run whose rows are then written.
"""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

from chatbot.community.imports.reading import BalanceFile, ReadingOptions, read
from chatbot.kernel.game import Failure
from chatbot.ledger.changes import IMPORTED
from chatbot.ledger.imports.plans import ImportOrder, ImportPlan, ImportPlans
from chatbot.ledger.imports.runs import ImportRefused, ImportRuns, Mode
from chatbot.ledger.imports.staged_rows import BalanceRow, RowFault
from chatbot.ledger.imports.withdrawals import Withdrawals
from chatbot.ledger.imports.writing import ImportWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from chatbot.ledger.imports.runs import ImportRun
    from chatbot.ledger.imports.withdrawals import Withdrawal
    from chatbot.ledger.imports.writing import Importer
    from chatbot.ledger.people import People
    from chatbot.ledger.store.store import Store

MOST_SHOWN = 10  # faults or names in a text; the others are counted
FAULTS_KEPT = 1000  # faults and names of a report; the others are counted
_DIGITS = 16  # of the digest in the id of an import
_OPTION_DIGITS = 4


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """An import as it was requested. `file` is a name without folder; `community` None: which is asked."""

    file: str
    content: bytes = field(repr=False)
    community: str | None
    platform: str
    mode: Mode = "add"
    options: ReadingOptions = field(default_factory=ReadingOptions)
    skips_bad: bool = False
    again: bool = False

    @property
    def prefix(self) -> str:
        """The id of this import, the same for one file, community, platform and mode."""
        text = f"{self.community}\n{self.platform}\n{self.mode}\n".encode()
        return f"{IMPORTED}:{hashlib.sha256(text + self.content).hexdigest()[:_DIGITS]}"

    @property
    def id(self) -> str:
        """The id, with how the file is read if that was said: only the same rows continue an import."""
        if self.options == ReadingOptions():
            return self.prefix
        said = repr(sorted(asdict(self.options).items())).encode()
        return f"{self.prefix}-{hashlib.sha256(said).hexdigest()[:_OPTION_DIGITS]}"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The content of a file, and what was or would be done with it.

    `name` is the id of the import. `faults` are the first of those rows that are left out, `unknown` the
    first names of nobody who is known. `written` is the number of rows that an interrupted one had written.
    """

    name: str
    request: ImportRequest
    file: BalanceFile
    plan: ImportPlan
    faults: tuple[RowFault, ...]
    fault_count: int
    fault_credits: int
    unknown: tuple[BalanceRow, ...]
    done: bool
    written: int = 0

    @property
    def brought(self) -> int:
        """The sum of all changes."""
        return self.plan.increase - self.plan.decrease

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences on how the file was read, and what was left out of all rows."""
        return (*self.file.notices, *self.plan.notices)


class BalanceImports:
    """Plans, carries out and undoes the imports of files; `people` are those of a running bot."""

    def __init__(self, store: Store, people: People | None = None) -> None:
        self._plans, self._runs = ImportPlans(store, people), ImportRuns(store)
        self._writer, self._withdrawals = ImportWriter(store, people), Withdrawals(store, people)

    async def look(
        self, request: ImportRequest, progress: Callable[[int], None] = lambda _: None
    ) -> ImportReport:
        """Return what an import would do.

        Raises:
            Failure: the file or the community is wrong, or its purses are held elsewhere.
        """
        await self._require_community(request.community)
        file = await asyncio.to_thread(read, request.content, request.options)
        try:
            name, written = await self._name(request, is_dry=True)
            return await self._planned(request, file, name, written, progress)
        finally:
            file.rows.close()

    async def bring(
        self,
        request: ImportRequest,
        at: datetime,
        importer: Importer | None = None,
        progress: Callable[[int], None] = lambda _: None,
    ) -> ImportReport:
        """Import a file, or continue an import of it that was interrupted.

        Raises:
            Failure: as `look`; or it was imported before, has faults, or there is nothing to import.
        """
        await self._require_community(request.community)
        name, written = await self._name(request, is_dry=False)
        file = await asyncio.to_thread(read, request.content, request.options)
        try:
            report = await self._planned(request, file, name, written, progress)
            _require_good(report)
            await self._writer.write(
                report.plan, file.rows, name, request.file, at, importer, progress=progress
            )
            return replace(report, done=True)
        finally:
            file.rows.close()

    async def undo(
        self,
        text: str,
        at: datetime,
        lines: Sequence[int] | None = None,
        importer: Importer | None = None,
        community: str | None = None,
        progress: Callable[[int], None] = lambda _: None,
    ) -> tuple[ImportRun, Withdrawal]:
        """Undo an import by its id or by the name of its file, whole or some lines of it.

        Raises:
            ImportRefused: there is no such import, or it is undone.
        """
        run = await self._withdrawals.find(text, community)
        if community is not None and run.community != community:
            raise ImportRefused(f"The import {run.id} is of another community.")
        return run, await self._withdrawals.undo(run, at, lines, importer, progress)

    async def newest(self, community: str, count: int) -> list[ImportRun]:
        """List the newest imports of a community, newest first."""
        return await self._runs.newest(community, count)

    async def _require_community(self, community: str | None) -> None:
        communities = await self._plans.communities()
        if community in communities:
            return
        problem = (
            "Say whose wallets they are" if community is None else f"There is no community {community!r}"
        )
        raise Failure(f"{problem}: {choices(communities)}.")

    async def _name(self, request: ImportRequest, *, is_dry: bool) -> tuple[str, int]:
        """Return the id of an import, and the number of its rows that are written already.

        Raises:
            ImportRefused: the file was imported before, or its import was begun with other options.
        """
        earlier = await self._runs.beginning(request.prefix)
        begun = next((each for each in earlier if each.state in {"running", "undoing"}), None)
        if begun is not None and not is_dry and not _continues(begun, request):
            raise ImportRefused(
                f"The import {begun.id} of this file is not complete: `chatbot import --undo {begun.id}` "
                "takes back what is there, and with the same options as before it goes on."
            )
        if begun is not None:
            return begun.id, await self._runs.written(begun.id)
        if earlier and not (request.again or is_dry):
            name = earlier[0].id
            raise ImportRefused(f"This file was imported before, as {name}; say --again if you mean it.")
        return (f"{request.id}:{len(earlier) + 1}" if earlier else request.id), 0

    async def _planned(
        self,
        request: ImportRequest,
        file: BalanceFile,
        name: str,
        written: int,
        progress: Callable[[int], None],
    ) -> ImportReport:
        order = ImportOrder(str(request.community), request.platform, request.mode, request.options.same)
        plan = await self._plans.plan(order, file.rows, progress)
        rows = file.rows
        return ImportReport(
            name,
            request,
            file,
            plan,
            tuple(rows.faults(FAULTS_KEPT)),
            rows.fault_count,
            rows.fault_credits,
            tuple(rows.waiting(FAULTS_KEPT)),
            done=False,
            written=written,
        )


def _continues(begun: ImportRun, request: ImportRequest) -> bool:
    same = begun.id == request.id or begun.id.startswith(f"{request.id}:")
    return begun.state == "running" and same


def choices(communities: Sequence[str]) -> str:
    """Return what can be given for a community."""
    if communities:
        return f"--community is one of {', '.join(communities)}"
    return "there is none yet; start the bot once where it is to play"


def _require_good(report: ImportReport) -> None:
    if report.fault_count and not report.request.skips_bad:
        text = "; ".join(abbreviated([each.text for each in report.faults], report.fault_count))
        raise Failure(f"Nothing was imported: {text}. Fix the file, or say --skip-bad to leave these out.")
    if not report.plan.wallets and not report.plan.minutes and not report.written:
        raise Failure("Nothing was imported: no balance would change.")


def abbreviated(items: Sequence[str], count: int) -> list[str]:
    """Return the first `MOST_SHOWN` of `count` items, and the number of the others in words."""
    more = [f"and {count - MOST_SHOWN:,} more"] if count > MOST_SHOWN else []
    return [*items[:MOST_SHOWN], *more]
