"""Spans for OpenTelemetry: what a line goes through, in all processes that it passes.

It is imported where `OTEL_EXPORTER_OTLP_ENDPOINT` is set alone. The library reads its other variables by the
names that its documentation has, such as for headers, and sends spans beside everything else, from a thread.

- `hear` is from the arrival of a line until who said it has the answer. It is the root of the trace.
- `carry` is until a line is kept for the process that runs its room.
- `decide` and `commit` are what lines of a unit have in common: each of them has both.
- `reply` is from the commit until the answers are passed on.

Talk, which needs no answer, has no spans.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from chatbot.invocation import with_extra
from chatbot.kernel.game import Failure
from chatbot.runtime.limits import remember
from chatbot.runtime.trace_ids import read_parent, trace_of

try:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
    from opentelemetry.trace import NonRecordingSpan, SpanContext, SpanKind, TraceFlags, set_span_in_context
except ModuleNotFoundError:
    raise Failure(
        "OTEL_EXPORTER_OTLP_ENDPOINT needs packages that are missing; "
        + with_extra("tracing")
        + " adds them."
    ) from None

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opentelemetry.context import Context
    from opentelemetry.trace import Span

    from chatbot.rooms.exchange import Exchange
    from chatbot.rooms.line import Line

MOST_OPEN = 20_000  # lines whose spans are not ended


class _LineIds(RandomIdGenerator):
    """Gives a root span the trace of its line; all else is drawn by the library."""

    trace = 0

    def generate_trace_id(self) -> int:
        return self.trace or super().generate_trace_id()


class LineTracer:
    """Makes the spans of lines in one process, known by its `label`, until `close`."""

    def __init__(self, endpoint: str, version: str, label: str) -> None:
        resource = Resource.create(
            {"service.name": "rabble", "service.version": version, "service.instance.id": label}
        )
        self._ids = _LineIds()
        self._provider = TracerProvider(resource=resource, id_generator=self._ids)
        self._provider.add_span_processor(
            BatchSpanProcessor(OTLPSpanExporter(f"{endpoint.rstrip('/')}/v1/traces"))
        )
        self._tracer = self._provider.get_tracer("rabble", version)
        self._heard: OrderedDict[str, Span] = OrderedDict()  # by line, until it has its answer
        self._parents: OrderedDict[str, Context] = OrderedDict()  # of lines that were carried here
        self._replies: OrderedDict[str, Span] = OrderedDict()

    now = staticmethod(time.time_ns)

    def close(self) -> None:
        """Send what was not sent yet; it takes a moment, and a thread has to do it."""
        self._provider.shutdown()

    def hear(self, line: Line, exchange: Exchange) -> None:
        """Begin the trace of a line that this process hears; its answer ends the span."""
        self._ids.trace = int(trace_of(line.id), 16)
        attributes = {"rabble.line": line.id, "rabble.channel": line.channel}
        span = self._tracer.start_span("hear", kind=SpanKind.SERVER, attributes=attributes)
        self._ids.trace = 0
        remember(self._heard, line.id, span, MOST_OPEN)
        exchange.call_at_end(lambda _: self.ended(line.id))

    def ended(self, line: str) -> None:
        """End what is open of a line in this process: it has its answer, or gets none."""
        for spans in (self._replies, self._heard):
            if (span := spans.pop(line, None)) is not None:
                span.end()
        self._parents.pop(line, None)

    def carry(self, line: str) -> tuple[Span, str] | None:
        """Begin the carrying of a line; return its span, and the header by which the owner goes on.

        None: nothing of it is traced.
        """
        heard = self._context(line)
        if heard is None:
            return None
        span = self._tracer.start_span("carry", heard, kind=SpanKind.PRODUCER)
        context = span.get_span_context()
        return span, f"00-{context.trace_id:032x}-{context.span_id:016x}-01"

    def bring(self, line: str, header: str) -> None:
        """Go on with the trace of a line that was carried here."""
        parent = read_parent(header)
        if parent is not None:
            context = SpanContext(int(parent[0], 16), int(parent[1], 16), True, TraceFlags(1))
            remember(self._parents, line, set_span_in_context(NonRecordingSpan(context)), MOST_OPEN)

    def committed(self, lines: Sequence[str], began: int, decided: int) -> None:
        """Make the spans of lines that were decided together since `began`, and committed since `decided`."""
        now = self.now()
        for line in lines:
            context = self._context(line)
            if context is None:
                continue
            count = {"rabble.lines": len(lines)}  # in the same unit
            self._tracer.start_span("decide", context, attributes=count, start_time=began).end(decided)
            self._tracer.start_span("commit", context, attributes=count, start_time=decided).end(now)
            remember(
                self._replies, line, self._tracer.start_span("reply", context, start_time=now), MOST_OPEN
            )

    def _context(self, line: str) -> Context | None:
        """Return of what a span of a line is a part; None: nothing of it is traced."""
        if line in self._parents:
            return self._parents[line]
        span = self._heard.get(line)
        return None if span is None else set_span_in_context(span)
