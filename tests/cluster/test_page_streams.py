"""Streams between processes keep what they carry in order, bounded, and end where something is lost."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest

from chatbot.cluster.carrier import Away, Unheard
from chatbot.cluster.page_streams import (
    DONE,
    REFUSED,
    RESTARTED,
    SILENCE,
    WINDOW,
    PageStream,
    PageStreams,
    StreamEnded,
)
from chatbot.cluster.wire import pack, unpack
from chatbot.runtime.clock import HandWatch


@dataclass
class Net:
    """What carries parts between the processes of a test, as NATS does; it can lose what it has."""

    ends: dict[int, End] = field(default_factory=dict)
    messages: int = 0
    loses: int = 0  # messages, from now on


@dataclass
class End:
    """The carrier of one process."""

    net: Net
    process: int
    take_parts: Any = None
    interrupted: Any = None
    connected: bool = True
    streams: PageStreams | None = None

    async def post(self, process: int, value: object) -> None:
        self.net.messages += 1
        data = pack(value)
        assert len(data) < 1_000_000  # more than that NATS does not take
        if self.net.loses:
            self.net.loses -= 1
        elif process in self.net.ends:
            asyncio.get_running_loop().call_soon(self.net.ends[process].take_parts, unpack(data))

    async def ask(self, process: int, value: Any, _: float) -> Any:
        other = self.net.ends.get(process)
        if other is None:
            raise Unheard("no responders")
        if not other.connected or other.streams is None:
            raise Away("no answer")
        return unpack(pack(await other.streams.answer(unpack(pack(value)))))


class Pair:
    """Two processes, of which the second keeps the streams that the first one opens there."""

    def __init__(self) -> None:
        self.net, self.watch = Net(), HandWatch()
        self.first, self.second = (self._streams(process) for process in (1, 2))
        self.accepted = asyncio.Queue[PageStream]()
        self.second.accept = self._accept

    def _streams(self, process: int) -> PageStreams:
        end = self.net.ends[process] = End(self.net, process)
        end.streams = PageStreams(end, process, self.watch)  # type: ignore[arg-type]
        end.streams.start()
        return end.streams

    async def _accept(self, stream: PageStream) -> None:
        self.accepted.put_nowait(stream)
        ended = asyncio.Event()
        stream.on_end = ended.set
        await ended.wait()

    async def opened(self) -> tuple[PageStream, PageStream]:
        stream = self.first.open(2, {"what": "a test"})
        return stream, await self.accepted.get()


async def test_parts_arrive_in_order_and_what_is_large_in_pieces() -> None:
    mine, theirs = await Pair().opened()
    assert theirs.head == {"what": "a test"}
    large = "".join(map(chr, range(32, 0x3000))) * 20
    for part in ("a", large[:200_000], {"b": 1}, bytes(range(256)) * 300):
        await mine.send(part)
        assert await theirs.receive() == part
    await theirs.send("back")
    theirs.end(4001, "because")
    assert await mine.receive() == "back"
    with pytest.raises(StreamEnded) as ended:
        await mine.receive()
    assert (ended.value.code, ended.value.why) == (4001, "because")


async def test_what_waits_for_one_process_goes_together() -> None:
    pair = Pair()
    pairs = [await pair.opened() for _ in range(20)]
    await asyncio.sleep(0)
    before = pair.net.messages
    await asyncio.gather(*(theirs.send("news") for _, theirs in pairs))
    assert [await mine.receive() for mine, _ in pairs] == ["news"] * 20
    assert pair.net.messages == before + 1


async def test_who_takes_slowly_is_sent_no_more_than_a_window() -> None:
    mine, theirs = await Pair().opened()
    part, sent = "x" * 10_000, 0

    async def send() -> None:
        nonlocal sent
        while True:
            await theirs.send(part)
            sent += 1

    sending = asyncio.ensure_future(send())
    for _ in range(100):
        await asyncio.sleep(0)
    assert sent == WINDOW // (len(part) + 200)
    for _ in range(sent):
        assert await mine.receive() == part
    for _ in range(100):
        await asyncio.sleep(0)
    assert sent > WINDOW // len(part)
    sending.cancel()


async def test_a_stream_ends_of_which_a_part_is_lost() -> None:
    pair = Pair()
    mine, theirs = await pair.opened()
    pair.net.loses = 1
    await theirs.send("lost")
    await asyncio.sleep(0.01)
    await theirs.send("later")
    with pytest.raises(StreamEnded) as ended:
        await mine.receive()
    assert ended.value.code == RESTARTED
    await asyncio.sleep(0.01)
    assert theirs.has_ended
    assert (pair.first.opened, pair.second.accepted) == (0, 0)


async def test_a_stream_ends_with_the_process_at_its_other_side() -> None:
    pair = Pair()
    mine, _ = await pair.opened()
    del pair.net.ends[2]
    await pair.watch.turn(2.5)
    with pytest.raises(StreamEnded):
        await mine.receive()


async def test_a_stream_ends_where_a_process_is_silent() -> None:
    pair = Pair()
    mine, theirs = await pair.opened()
    await pair.watch.turn(30.0)
    assert not mine.has_ended
    assert not theirs.has_ended
    pair.net.ends[2].connected = False  # it does not answer
    await pair.watch.turn(SILENCE - 1.5)
    assert not mine.has_ended
    await pair.watch.turn(3.0)
    assert mine.has_ended
    # And who opened it has not asked for it either, as far as the other side knows.
    pair.net.ends[1].connected = pair.net.ends[2].connected = True
    await pair.watch.turn(SILENCE + 2.0)
    assert theirs.has_ended


async def test_a_stream_that_is_not_known_any_more_ends() -> None:
    pair = Pair()
    mine, theirs = await pair.opened()
    theirs.finish(DONE)  # as if the other side had never been told
    await pair.watch.turn(2.5)
    assert mine.has_ended


async def test_an_interruption_ends_all_streams() -> None:
    pair = Pair()
    mine, _ = await pair.opened()
    pair.net.ends[1].interrupted()
    with pytest.raises(StreamEnded):
        await mine.send("x")
    pair.net.ends[1].connected = False
    with pytest.raises(Away):
        pair.first.open(2, {})


async def test_streams_end_that_who_opened_them_has_lost_while_others_go_on() -> None:
    pair = Pair()
    _, theirs = await pair.opened()
    pair.net.ends[1].interrupted()  # which the other side does not notice
    mine, others = await pair.opened()
    await pair.watch.turn(SILENCE + 2.0)
    assert theirs.has_ended
    assert not mine.has_ended
    assert not others.has_ended
    assert (pair.first.opened, pair.second.accepted) == (1, 1)


async def test_a_process_that_takes_no_streams_says_that_nothing_was_begun() -> None:
    pair = Pair()
    pair.second.accept = None
    stream = pair.first.open(2, {})
    await stream.send(b"a body")
    with pytest.raises(StreamEnded) as ended:
        await stream.receive()
    assert ended.value.code == REFUSED


async def test_bytes_that_are_no_text_disturb_no_stream() -> None:
    pair = Pair()
    mine, theirs = await pair.opened()
    other = pair.first.open(2, {"header": "\udcff"})
    assert (await pair.accepted.get()).head == {"header": "\udcff"}
    await theirs.send("\ud800")
    assert await mine.receive() == "\ud800"
    assert not other.has_ended
