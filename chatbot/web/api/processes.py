"""Tell whoever runs the program which processes share its database, and what each of them does."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from aiohttp import web
from pydantic import TypeAdapter
from sqlalchemy.exc import SQLAlchemyError
from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.kernel.game import Role
from chatbot.ledger.store.process_status import read_process_status
from chatbot.ledger.web_sessions import OPERATOR
from chatbot.web.api.endpoints import PREFIX, SpecialEndpoint
from chatbot.web.api.errors import UNCACHED, refuse
from chatbot.web.api.server import UNANSWERED, answer_visit

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from chatbot.web.api.admission import Admission, Visit


class ProcessRow(TypedDict):
    """A process; `seconds_silent` are those since its last sign of life, `homes` the communities it runs.

    `duties` is what it does beside its `partitions` of the rooms, and `serves` whether it has answered this.
    `troubles` is why it cannot do its part, and `waiting` how many lines it has heard and not answered, both
    as it said last.
    """

    label: str
    seconds_silent: float
    is_alive: bool
    leaves: bool
    homes: int
    partitions: int
    duties: list[str]
    serves: bool
    troubles: list[str]
    waiting: int


class ProcessList(TypedDict):
    """All processes, and the names of what nobody does."""

    processes: list[ProcessRow]
    free: list[str]


PROCESSES = SpecialEndpoint(
    "GET",
    f"{PREFIX}/processes",
    "Read which processes run the bot, and what each does: as whoever runs it, at the desk.",
    ProcessList,
    least=Role.BROADCASTER,  # as whom whoever runs the program acts everywhere
    by_page=True,
)
_LIST = TypeAdapter(ProcessList)


class ProcessesServer:
    """Serves that list."""

    def __init__(self, store: Store, admission: Admission) -> None:
        self._store, self._admission = store, admission

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add it to the pages of a listener."""
        router.add_get(PROCESSES.address, partial(answer_visit, self._tell))

    async def close(self) -> None:
        """Nothing is open between two requests."""

    async def _tell(self, visit: Visit) -> web.StreamResponse:
        principal = await self._admission.caller(visit)
        if principal.kind != OPERATOR:
            refuse(web.HTTPForbidden, "Only whoever runs the program sees its processes.")
        try:
            async with self._store.reading() as connection:
                status = await read_process_status(connection)
        except (SQLAlchemyError, OSError):
            refuse(web.HTTPServiceUnavailable, UNANSWERED)
        content: ProcessList = {
            "processes": [
                {
                    "label": each.label,
                    "seconds_silent": round(each.seconds_silent, 1),
                    "is_alive": each.is_alive,
                    "leaves": each.leaves,
                    "homes": each.homes,
                    "partitions": each.partitions,
                    "duties": list(each.duties),
                    "serves": each.label == self._store.leases.label,
                    "troubles": list(each.troubles),
                    "waiting": each.waiting,
                }
                for each in status.processes
            ],
            "free": list(status.free),
        }
        return web.Response(body=_LIST.dump_json(content), content_type="application/json", headers=UNCACHED)
