"""What somebody who watches the program reads: `/metrics` for Prometheus, `/healthz` and `/readyz`.

Figures are read when they are asked for. They have no label with a name of a room or a person, so that there
are a hundred series at most, with however many rooms.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol

from aiohttp import web

from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence

    from prometheus_client.core import Metric

    from chatbot.bot.bot import Bot
    from chatbot.bot.pending_line import PendingLine
    from chatbot.ledger.store.store import Store

BUCKETS = 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0  # seconds


class ClusterFigures(Protocol):
    """What a process of several says of itself."""

    def figures(self) -> Mapping[str, float]:
        """Return its figures by their names."""

    def troubles(self) -> Sequence[str]:
        """Return why it could not do its part now."""


def make_figures(bot: Bot, store: Store, cluster: ClusterFigures | None) -> Mapping[str, tuple[str, float]]:
    """Return the figures of now with what they are, by their names; those that only grow end in `_total`."""
    rooms = [*bot.rooms.values()]
    tables = sum(not table.over for room in rooms for table in room.tables.values())
    load = bot.rooms.load
    figures = {
        "rabble_lines_total": ("Lines that were heard.", float(bot.heard)),
        "rabble_transactions_total": ("Transactions that were committed.", store.written),
        "rabble_lines_waiting": ("Lines that wait to be answered.", load.waiting),
        "rabble_lines_handled": ("Lines that are being answered.", load.handled),
        "rabble_rooms": ("Rooms that run here.", sum(not each.elsewhere for each in rooms)),
        "rabble_rooms_elsewhere": (
            "Rooms that others run.",
            sum(each.elsewhere for each in rooms),
        ),
        "rabble_rooms_stopped": ("Rooms without games for now.", sum(bool(each.stopped) for each in rooms)),
        "rabble_tables": ("Open tables.", tables),
        "rabble_homes": ("Communities whose leases are held.", len(store.leases.held)),
        "rabble_homes_lost": ("Communities whose leases were lost.", len(store.leases.lost)),
        "rabble_database_well": ("Whether the database took the last write.", float(store.well)),
        "rabble_doubted": ("Communities whose books are in doubt.", len(bot.control.doubted)),
        "rabble_halted": ("Whether the database is in doubt as a whole.", float(bot.control.halted)),
    }
    if cluster is not None:
        figures |= {name: (CLUSTER[name], value) for name, value in cluster.figures().items()}
    return figures


CLUSTER = {
    "rabble_cluster_processes": "Processes that show signs of life.",
    "rabble_cluster_silence_seconds": "Seconds since the oldest of their last signs of life.",
    "rabble_cluster_duties": "Duties that are dealt to this process.",
    "rabble_cluster_duties_free": "Duties that nobody does.",
    "rabble_cluster_carried_total": "Lines that were passed to other processes.",
    "rabble_cluster_brought_total": "Lines that other processes have passed to this one and were answered.",
    "rabble_cluster_unanswered": "Lines that were passed on and have no answer yet.",
    "rabble_cluster_pages_carried": "Requests and sockets of pages that are carried to other processes now.",
    "rabble_cluster_pages_answered": "Requests and sockets of pages of other processes that are served now.",
    "rabble_cluster_carrier_connected": "Whether NATS is connected.",
}
"""What there is in addition where several processes share a database."""


class Figures:
    """Collects the figures for the client library of Prometheus."""

    def __init__(self, bot: Bot, store: Store, cluster: ClusterFigures | None) -> None:
        self._bot, self._store, self._cluster = bot, store, cluster

    def collect(self) -> Iterator[Metric]:
        """Yield the figures of now."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily  # noqa: PLC0415

        for name, (what, value) in make_figures(self._bot, self._store, self._cluster).items():
            if name.endswith("_total"):
                yield CounterMetricFamily(name.removesuffix("_total"), what, value=value)
            else:
                yield GaugeMetricFamily(name, what, value=value)


def troubles(bot: Bot, store: Store, cluster: ClusterFigures | None) -> list[str]:
    """Return why the program should get no new work now."""
    reasons = []
    if bot.is_closing:
        reasons.append("it is stopping")
    if not store.well:
        reasons.append("the database takes no writes")
    if store.leases.lost:
        reasons.append("leases of rooms are lost")
    if bot.control.halted:
        reasons.append("the books are in doubt")
    return [*reasons, *(cluster.troubles() if cluster is not None else ())]


@asynccontextmanager
async def watched(
    host: str, port: int, bot: Bot, store: Store, cluster: ClusterFigures | None
) -> AsyncIterator[int]:
    """Serve the figures, and lend the port; 0 is any free one.

    Raises:
        Failure: the client library of Prometheus is missing, or the port is in use.
    """
    try:
        from prometheus_client import (  # noqa: PLC0415  (an extra, and not needed otherwise)
            CollectorRegistry,
            Histogram,
            PlatformCollector,
            ProcessCollector,
            generate_latest,
        )
    except ModuleNotFoundError:
        raise Failure(
            "CHATBOT_METRICS_PORT needs the package prometheus-client, which is missing; "
            "install rabble[metrics]."
        ) from None
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    registry.register(Figures(bot, store, cluster))
    answer_times = Histogram(
        "rabble_answer_seconds",
        "Seconds from the arrival of a line to the commit of its answer.",
        registry=registry,
        buckets=BUCKETS,
    )

    def observe(lines: Iterable[PendingLine]) -> None:
        now = bot.watch.now()
        for each in lines:
            if not each.is_talk:
                answer_times.observe(now - each.came)

    async def show_metrics(_: web.Request) -> web.Response:
        return web.Response(body=generate_latest(registry), content_type="text/plain", charset="utf-8")

    async def show_health(_: web.Request) -> web.Response:
        return web.json_response({"ok": True})

    async def show_readiness(_: web.Request) -> web.Response:
        reasons = troubles(bot, store, cluster)
        return web.json_response({"ok": not reasons, "why": reasons}, status=503 if reasons else 200)

    application = web.Application()
    application.router.add_get("/metrics", show_metrics)
    application.router.add_get("/healthz", show_health)
    application.router.add_get("/readyz", show_readiness)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, host, port)
    try:
        try:
            await site.start()
        except OSError as error:
            raise Failure(
                f"CHATBOT_METRICS_PORT is {port}, on which nothing can be served at {host} "
                f"({error.strerror}); name another port."
            ) from error
        bot.parts.dispatcher.observe = observe
        yield runner.addresses[0][1]
    finally:
        bot.parts.dispatcher.observe = None
        await runner.cleanup()
