"""The fake platform of `benchmarks.cluster`: it brings lines to whoever hears a shard, and waits for answers.

A line whose hearer has gone before it was answered, or that was refused, is brought again by its id to the
next hearer, as a conduit of Twitch does with another shard. How often that was needed is counted.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import defaultdict, deque
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from benchmarks.cluster_worker import SHARDS

if TYPE_CHECKING:
    from random import Random

PEOPLE = 30  # who talk in a room
UNANSWERED = 60.0  # seconds after which a line is given up
MOST_READ = 1 << 20  # bytes of a message
MOMENT = "One moment"  # as a text begins that says that another process cannot be reached
COMMANDS = ("!heist 10", "!credits", "!heist 20", "nice stream", "!rank", "that was close")


@dataclass(eq=False)
class Hearer:
    """A connection of a process that hears a shard."""

    writer: asyncio.StreamWriter
    gone: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Tally:
    """What became of lines; `times` are the seconds until their answers."""

    times: list[float] = field(default_factory=list)
    again: int = 0  # times that a line was brought again, because its hearer had ended
    known: int = 0  # lines that were brought again, and had been acted on
    errors: list[str] = field(default_factory=list)  # by which lines were not answered
    unanswered: list[str] = field(default_factory=list)

    def quantile(self, part: float) -> float:
        """Return the seconds within which so large a part of the lines was answered."""
        times = sorted(self.times)
        return times[min(int(len(times) * part), len(times) - 1)] if times else 0.0


class Platform:
    """A server on loopback, with shards that processes hear."""

    def __init__(self, rooms: int, random: Random) -> None:
        self.rooms, self._random = rooms, random
        self.port = 0
        self._server: asyncio.Server | None = None
        self._hearers: dict[int, list[Hearer]] = {each: [] for each in range(SHARDS)}  # the newest is last
        self._heard = asyncio.Condition()
        self._waiting: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._controls: set[asyncio.StreamWriter] = set()
        self._stats: asyncio.Queue[dict[str, float]] = asyncio.Queue()
        self._numbers = count(1)
        self._answered: dict[str, int] = {}  # how often lines were answered with a text
        # What channels were told last: also answers, if whoever heard a line did not take its answer in time.
        self._said: defaultdict[str, deque[str]] = defaultdict(partial(deque, maxlen=3))
        self.waits: dict[str, int] = {}  # how often channels were told that it takes a moment

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=MOST_READ)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()

    async def all_heard(self) -> None:
        """Wait until each shard is heard."""
        async with self._heard:
            await self._heard.wait_for(lambda: all(self._hearers.values()))

    def cut(self) -> None:
        """Close the connections of all hearers, as a platform does that is started anew."""
        for hearers in self._hearers.values():
            for each in hearers:
                each.writer.close()
                each.gone.set()

    @property
    def twice(self) -> list[str]:
        """Lines that were answered with a text more than once."""
        return [line for line, number in self._answered.items() if number > 1]

    async def join(self, room: int, who: str, tally: Tally) -> None:
        """Let somebody join the heist of a room."""
        await self.say(room, who, "!heist 10", tally)

    async def stats(self) -> list[dict[str, float]]:
        """Ask each process what it has done."""
        controls = [each for each in self._controls if not each.is_closing()]
        for each in controls:
            each.write(b"stats\n")
        return [await self._stats.get() for _ in controls]

    async def say(self, room: int, who: str, text: str, tally: Tally) -> list[str] | None:
        """Bring a line until it is answered; None: it is not."""
        line, began = f"line-{next(self._numbers)}", time.perf_counter()
        is_first, answer = True, None
        try:
            async with asyncio.timeout(UNANSWERED):
                while answer is None or not answer["taken"]:
                    answer = await self._bring(room, line, who, text)
                    if answer is not None and not answer["taken"] and not is_first:
                        tally.known += 1  # it was acted on before, and its answer said in the chat
                        return []
                    if answer is None or not answer["taken"]:
                        tally.again, is_first = tally.again + 1, False
                        await asyncio.sleep(0.05)
        except TimeoutError:
            said = list(self._said[f"room-{room}"])
            tally.unanswered.append(f"{line} of {who} in room-{room}: {text}; said there last: {said}")
            return None
        tally.times.append(time.perf_counter() - began)
        if "error" in answer:
            tally.errors.append(answer["error"])
        return list(answer["texts"])

    async def talk(self, until: float, tally: Tally, gap: float = 0.0) -> None:
        """Say one line after the other, by people and in rooms that the seed draws; `gap` seconds apart."""
        while time.perf_counter() < until:
            room, who = self._random.randrange(self.rooms), self._random.randrange(PEOPLE)
            text = self._random.choice(COMMANDS)
            began = time.perf_counter()
            await self.say(room, f"viewer{who}in{room}", text, tally)
            if gap:
                await asyncio.sleep(max(gap - (time.perf_counter() - began), 0.0))

    async def _bring(self, room: int, line: str, who: str, text: str) -> dict[str, Any] | None:
        """Bring a line once; None: its hearer has gone, or refused it."""
        shard = room % SHARDS
        async with self._heard:
            await self._heard.wait_for(lambda: self._connected(shard))
        hearer = self._connected(shard)[-1]
        answer = self._waiting.setdefault(line, asyncio.get_running_loop().create_future())
        hearer.writer.write(json.dumps([line, f"room-{room}", who, text]).encode() + b"\n")
        gone = asyncio.ensure_future(hearer.gone.wait())
        futures: set[asyncio.Future[Any]] = {answer, gone}
        try:
            await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
        if not answer.done():
            return None
        del self._waiting[line]
        return answer.result()

    def _connected(self, shard: int) -> list[Hearer]:
        return [each for each in self._hearers[shard] if not each.gone.is_set()]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hearer, shard = Hearer(writer), -1
        try:
            while data := await reader.readline():
                message = json.loads(data)
                if "answer" in message:
                    self._answer(message)
                elif "said" in message:
                    self._said[message["said"]].append(message["text"])
                    if message["text"].startswith(MOMENT):
                        self.waits[message["said"]] = self.waits.get(message["said"], 0) + 1
                elif "stats" in message:
                    self._stats.put_nowait(message["stats"])
                elif "ready" in message:
                    shard = message["ready"]
                    async with self._heard:
                        self._hearers[shard].append(hearer)
                        self._heard.notify_all()
                elif "control" in message:
                    self._controls.add(writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self._controls.discard(writer)
            if shard >= 0:
                self._hearers[shard].remove(hearer)
            hearer.gone.set()
            writer.close()

    def _answer(self, message: dict[str, Any]) -> None:
        if message["texts"] and message["taken"]:
            self._answered[message["answer"]] = self._answered.get(message["answer"], 0) + 1
        answer = self._waiting.get(message["answer"])
        if answer is not None and not answer.done():
            answer.set_result(message)
