"""One trace leads through all processes that a line passes, in logs and at a collector of OpenTelemetry."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import pytest
from aiohttp import web

from chatbot import log
from chatbot.runtime.trace_ids import parent_of, read_parent, trace_of
from tests.cluster.processes import eventually, home_of, processes


class Collector:
    """A stand-in of a collector, which takes spans by OTLP over HTTP on loopback."""

    def __init__(self) -> None:
        self.spans = list[tuple[str, str, str, str, str]]()  # process, name, trace, span and its parent
        self.url = ""

    async def start(self) -> web.AppRunner:
        application = web.Application()
        application.router.add_post("/v1/traces", self._take)
        runner = web.AppRunner(application)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        assert site._server is not None
        self.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"  # type: ignore[attr-defined]
        return runner

    async def _take(self, request: web.Request) -> web.Response:
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (  # noqa: PLC0415
            ExportTraceServiceRequest,
        )

        data = await request.read()
        if request.headers.get("Content-Encoding") == "gzip":
            import gzip  # noqa: PLC0415

            data = gzip.decompress(data)
        for resource in ExportTraceServiceRequest.FromString(data).resource_spans:
            values = {each.key: each.value.string_value for each in resource.resource.attributes}
            assert values["service.name"] == "rabble"
            for scope in resource.scope_spans:
                for span in scope.spans:
                    ids = span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex()
                    self.spans.append((values["service.instance.id"], span.name, *ids))
        return web.Response()


@pytest.mark.postgres
async def test_one_trace_leads_over_two_processes(own_url: str) -> None:
    pytest.importorskip("opentelemetry.sdk")
    from chatbot.tracing import LineTracer  # noqa: PLC0415

    collector = Collector()
    runner = await collector.start()
    try:
        async with processes(own_url, 2) as (first, second):
            tracers = [LineTracer(collector.url, "1", name) for name in ("hearer", "owner")]
            first.bot.trace(tracers[0])
            second.bot.trace(tracers[1])
            room = home_of(second)
            await first.open(room)
            line = first.line(room, "ann", "!heist 50", "line-of-ann")
            talk = first.line(room, "ann", "good evening", "talk-of-ann")
            await first.bot.hear(line)
            await first.bot.hear(talk)
            await eventually(lambda: second.cluster.owning.answered == 2)
            for each in tracers:
                await asyncio.to_thread(each.close)
            assert all(not each._heard and not each._replies and not each._parents for each in tracers)
    finally:
        await runner.cleanup()
    names = {(process, name): (trace, span, parent) for process, name, trace, span, parent in collector.spans}
    assert sorted(names) == [
        ("hearer", "carry"),
        ("hearer", "hear"),
        ("owner", "commit"),
        ("owner", "decide"),
        ("owner", "reply"),
    ]
    assert {trace for trace, _, _ in names.values()} == {trace_of("line-of-ann")}
    hear, carry = names["hearer", "hear"], names["hearer", "carry"]
    assert hear[2] == ""
    assert carry[2] == hear[1]
    assert {names["owner", each][2] for each in ("decide", "commit", "reply")} == {carry[1]}


@pytest.mark.postgres
async def test_the_log_of_each_process_names_the_trace_of_a_line(
    own_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with processes(own_url, 2) as (first, second):
        room = home_of(second)
        await first.open(room)
        log.configure("debug", as_json=True)
        await first.bot.hear(first.line(room, "ann", "!credits", "line-of-ann"))
        logged = [json.loads(each) for each in capsys.readouterr().err.splitlines() if each.startswith("{")]
    events = {each["event"]: each["trace_id"] for each in logged if each.get("line") == "line-of-ann"}
    assert events == dict.fromkeys(
        ("a line is carried", "a line was brought here", "a line is answered"), trace_of("line-of-ann")
    )


def test_a_header_names_a_trace_and_nothing_else_is_read() -> None:
    trace, span = trace_of("line"), trace_of("line")[:16]
    assert read_parent(f"00-{trace}-{span}-01") == (trace, span)
    assert read_parent(parent_of("line")) is None  # as nothing is recorded
    for text in ("", "00", f"00-{trace}", f"00-{trace}-{span}", f"00-{trace.upper()}-{span}-01", "x" * 500):
        assert read_parent(text) is None


def test_without_an_endpoint_nothing_of_it_is_imported() -> None:
    code = "import chatbot.app, chatbot.sharing, sys; print([m for m in sys.modules if 'opentelemetry' in m])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
