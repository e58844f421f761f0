"""Streams between processes: what two of them tell each other for a request of a page, in order, to its end.

NATS brings a message at most once. So the parts of a stream are numbered, and one of which a part is missing
ends; whoever has opened it begins anew. Parts that wait for the same process go together in one message. At
most `WINDOW` characters are under way that the other side has not taken, so that one that takes slowly is
noticed as it is by a socket. Who has opened streams asks every second whether they are still there: so each
side notices when the other one is gone.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias

import structlog

from chatbot.cluster.carrier import Away, Unheard
from chatbot.runtime.periodic import Periodic

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from chatbot.cluster.carrier import Carrier
    from chatbot.runtime.clock import Watch

PIECE = 60_000  # characters of one part; as JSON they are six times as many at most
BATCH = 120_000  # characters of one message, of which NATS takes a megabyte
WINDOW = 240_000  # characters
KEEPALIVE = 1.0  # seconds between two questions, and for which an answer is waited for
SILENCE = 4.0  # seconds without a sign of life after which the streams of a process end
MOST_STREAMS = 4096  # that others may have open here: hundreds of seats of some raids
SMALL = 200  # characters that a part counts beside its content

DONE, RESTARTED, REFUSED = 1000, 1012, 1013
"""Codes with which a stream ends, as WebSockets have them (RFC 6455): it is done, or to be begun anew, of
which nothing was done if it was refused."""

StreamPart: TypeAlias = "str | bytes | Mapping[str, Any]"

log = structlog.get_logger(__name__)


class StreamEnded(ConnectionError):  # noqa: N818  (what happened)
    """The stream has ended, by one of its sides or because it was interrupted."""

    def __init__(self, code: int, why: str = "") -> None:
        super().__init__(f"{code} {why}".strip())
        self.code, self.why = code, why


class PageStream:
    """One side of a stream to a process; `head` is what it was opened with."""

    def __init__(self, streams: PageStreams, process: int, name: str, head: Mapping[str, Any]) -> None:
        self.process, self.name, self.head = process, name, head
        self.since = streams.now()
        self._streams = streams
        self._sent = self._received = 0  # numbers of the last parts
        self._under_way = 0  # characters that the other side has not taken
        self._taken = 0  # characters that were taken here since that was told
        self._parts: deque[tuple[StreamPart, bool]] = deque()
        self._ready, self._room = asyncio.Event(), asyncio.Event()
        self._order = asyncio.Lock()  # pieces of one part follow each other
        self._ended: StreamEnded | None = None
        self.on_end: Callable[[], object] = lambda: None

    @property
    def has_ended(self) -> bool:
        """Whether nothing more can be sent."""
        return self._ended is not None

    async def send(self, part: StreamPart) -> None:
        """Send a part, once enough of what was sent before is taken.

        Raises:
            StreamEnded: it cannot be sent any more.
        """
        async with self._order:
            for piece, has_more in _pieces(part):
                size = len(piece) + SMALL
                while self._ended is None and self._under_way and self._under_way + size > WINDOW:
                    self._room.clear()
                    await self._room.wait()
                if self._ended is not None:
                    raise self._ended
                self._under_way += size
                self._put("part", (piece, has_more), size)

    async def receive(self) -> StreamPart:
        """Return the next part.

        Raises:
            StreamEnded: there is none.
        """
        pieces: list[Any] = []
        while True:
            while not self._parts:
                if self._ended is not None:
                    raise self._ended
                self._ready.clear()
                await self._ready.wait()
            piece, has_more = self._parts.popleft()
            self._note_taken(len(piece) + SMALL)
            pieces.append(piece)
            if not has_more:
                return _joined(pieces)

    def end(self, code: int = DONE, why: str = "") -> None:
        """End it, after what was sent."""
        if self._ended is None:
            self._put("end", (code, why), SMALL)
            self.finish(code, why)

    def finish(self, code: int, why: str = "") -> None:
        """Note that it has ended; the other side is not told."""
        if self._ended is None:
            self._ended = StreamEnded(code, why)
            self._ready.set()
            self._room.set()
            self._streams.forget(self)
            self.on_end()

    def open(self) -> None:
        """Tell the other side that it is opened."""
        self._put("open", dict(self.head), PIECE)

    def take(self, number: int, kind: str, content: Any) -> None:
        """Take what the other side sends.

        Raises:
            ValueError, TypeError: it is nothing that this version knows.
        """
        if kind == "end":
            code, why = content
            self.finish(int(code), str(why))
            return
        self._received += 1
        if number != self._received:
            self.end(RESTARTED, "a part is missing")
        elif kind == "part":
            piece, has_more = content
            self._parts.append((piece, bool(has_more)))
            self._ready.set()
        elif kind == "took":
            self._under_way -= int(content)
            self._room.set()
        elif kind != "open":
            raise ValueError(f"a part of a stream is of no known kind: {kind!r}")

    def _note_taken(self, size: int) -> None:
        self._taken += size
        if self._taken >= WINDOW // 4 and self._ended is None:
            self._put("took", self._taken, SMALL)
            self._taken = 0

    def _put(self, kind: str, content: object, size: int) -> None:
        self._sent += 1
        self._streams.put(self.process, (self.name, self._sent, kind, content), size)


class PageStreams:
    """The streams of this process; `accept` serves those that others open here."""

    def __init__(self, carrier: Carrier, process: int, watch: Watch) -> None:
        self._carrier, self._process, self._watch = carrier, process, watch
        self.accept: Callable[[PageStream], Awaitable[None]] | None = None
        self._numbers = count(1)
        self._opened: dict[str, PageStream] = {}  # by this process
        self._accepted: dict[str, PageStream] = {}
        self._queues: defaultdict[int, deque[tuple[tuple[Any, ...], int]]] = defaultdict(deque)
        self._sending: dict[int, asyncio.Task[None]] = {}
        self._serving: set[asyncio.Task[None]] = set()
        self._heard: dict[int, float] = {}  # when a process has last shown a sign of life here
        self._looks = Periodic(watch, KEEPALIVE, self._look)
        carrier.take_parts, carrier.interrupted = self._take, self._interrupt

    @property
    def opened(self) -> int:
        """How many streams this process has opened."""
        return len(self._opened)

    @property
    def accepted(self) -> int:
        """How many streams others have opened here."""
        return len(self._accepted)

    def now(self) -> float:
        """Return the time of the watch."""
        return self._watch.now()

    def start(self) -> None:
        """Look from now on whether those are there to whom streams are open."""
        self._looks.start()

    async def close(self) -> None:
        """End all streams, which their other sides may open anew at another process."""
        self._looks.stop()
        self.accept = None
        self.end_all()
        if self._sending:
            await asyncio.wait([*self._sending.values()], timeout=0.5)
        if self._serving:
            await asyncio.wait(self._serving, timeout=0.5)

    def end_all(self) -> None:
        """End all streams, as this process stops to serve them."""
        for each in self._all():
            each.end(RESTARTED, "the process stops")

    def open(self, process: int, head: Mapping[str, Any]) -> PageStream:
        """Open a stream to another process.

        Raises:
            Away: NATS is not connected.
        """
        if not self._carrier.connected:
            raise Away("NATS is not connected")
        stream = PageStream(self, process, f"{self._process}.{next(self._numbers)}", head)
        self._opened[stream.name] = stream
        if all(each is stream or each.process != process for each in self._opened.values()):
            self._heard[process] = self.now()  # since the last one nobody has asked
        stream.open()
        return stream

    def put(self, process: int, part: tuple[Any, ...], size: int) -> None:
        """Send a part with others that go to the same process."""
        self._queues[process].append((part, size))
        if process not in self._sending:
            self._sending[process] = asyncio.ensure_future(self._send(process))

    def forget(self, stream: PageStream) -> None:
        """Note that a stream has ended."""
        self._opened.pop(stream.name, None)
        self._accepted.pop(stream.name, None)

    async def answer(self, value: Mapping[str, Any]) -> object:
        """Return which of the streams that another process has opened here are none any more.

        Those end of which it does not know: it has ended them, and could not tell.
        """
        process, known, now = value["from"], {*value["streams"]}, self.now()
        self._heard[process] = now
        for each in [*self._accepted.values()]:
            if each.process == process and each.name not in known and now - each.since > SILENCE:
                each.finish(RESTARTED, "the process that opened it has ended it")
        return tuple(each for each in value["streams"] if each not in self._accepted)

    async def _send(self, process: int) -> None:
        queue = self._queues[process]
        try:
            while queue:
                parts, total = list[tuple[Any, ...]](), 0
                while queue and (not parts or total + queue[0][1] <= BATCH):
                    part, size = queue.popleft()
                    parts.append(part)
                    total += size
                await self._carrier.post(process, {"from": self._process, "parts": tuple(parts)})
        except Away:
            self._finish(process, "NATS is away")
        finally:
            del self._sending[process]
            if queue:  # what was put while the streams were ended
                queue.clear()

    def _take(self, value: Mapping[str, Any]) -> None:
        """Take what another process sends.

        Raises:
            ValueError, KeyError, TypeError: it is nothing that this version knows.
        """
        process = value["from"]
        for name, number, kind, content in value["parts"]:
            stream = self._opened.get(name) or self._accepted.get(name)
            if stream is None and kind == "open":
                stream = self._begin(process, name, content)
            if stream is not None and stream.process == process:
                stream.take(number, kind, content)
            elif kind != "end":
                self.put(process, (name, 0, "end", (RESTARTED, "there is no such stream")), SMALL)

    def _begin(self, process: int, name: str, head: Mapping[str, Any]) -> PageStream | None:
        stream = PageStream(self, process, name, head)
        self._heard[process] = self.now()
        if self.accept is None or len(self._accepted) >= MOST_STREAMS:
            stream.end(REFUSED, "no more streams are taken here")
            return None
        self._accepted[name] = stream
        task = asyncio.ensure_future(self._serve(self.accept, stream))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)
        return stream

    async def _serve(self, accept: Callable[[PageStream], Awaitable[None]], stream: PageStream) -> None:
        try:
            await accept(stream)
        except StreamEnded:
            pass  # whoever has opened it is gone
        except Exception:
            log.exception("what another process asked for could not be served")
        finally:
            stream.end(RESTARTED, "it was not served")

    async def _look(self) -> None:
        """Ask those to whom streams are open for them, and end those of who is silent."""
        now, asked = self.now(), defaultdict[int, list[PageStream]](list)
        for each in self._opened.values():
            if now - each.since >= KEEPALIVE:  # of others the opening may be under way
                asked[each.process].append(each)
        await asyncio.gather(*(self._ask(*each) for each in asked.items()))
        for each in [*self._accepted.values()]:
            if self.now() - self._heard.get(each.process, each.since) > SILENCE:
                each.finish(RESTARTED, "the process that opened it is silent")

    async def _ask(self, process: int, streams: list[PageStream]) -> None:
        question = {"streams": tuple(each.name for each in streams), "from": self._process}
        try:
            missing = await self._carrier.ask(process, question, KEEPALIVE)
        except Unheard:
            self._finish(process, "the process has ended")
        except Away:
            if self.now() - self._heard.get(process, 0.0) > SILENCE:
                self._finish(process, "the process is silent")
        else:
            self._heard[process] = self.now()
            for each in streams:
                if each.name in missing:
                    each.finish(RESTARTED, "it has ended")

    def _interrupt(self) -> None:
        """End all streams, of which parts may be lost."""
        for each in self._all():
            each.finish(RESTARTED, "the connection to NATS was interrupted")

    def _finish(self, process: int, why: str) -> None:
        for each in self._all():
            if each.process == process:
                each.finish(RESTARTED, why)

    def _all(self) -> list[PageStream]:
        return [*self._opened.values(), *self._accepted.values()]


def _pieces(part: StreamPart) -> list[tuple[Any, bool]]:
    """Return what a part is sent as, each with whether more follows."""
    if not isinstance(part, str | bytes) or len(part) <= PIECE:
        return [(part, False)]
    starts = range(0, len(part), PIECE)
    return [(part[start : start + PIECE], start + PIECE < len(part)) for start in starts]


def _joined(pieces: list[Any]) -> StreamPart:
    whole: StreamPart = pieces[0] if len(pieces) == 1 else type(pieces[0])().join(pieces)
    return whole
