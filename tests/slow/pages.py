"""Members who play through the local page: several sockets with several members each, all at once.

Whatever a socket has received, the program has promised: it is noted, to be looked for in the books.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

import aiohttp

from chatbot.games.heist.rules.moves import Act
from chatbot.kernel.say import Message
from chatbot.speech.words import Words
from tests.slow.program import PATIENCE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Iterator, Mapping
    from random import Random

MEMBERS = [f"m{number}" for number in range(20)]
PAGES = 5
LEAST = 20  # credits: no smaller stake is taken
PAUSES = (0.0, 0.03)  # seconds between two lines of a page, which may say 20 a second and 40 at first
PHASES = (0.02, 0.2)  # seconds until the page's own button ends a phase or a rest

HELD = 20.0  # seconds for which those who stand may be held after a start

_WORDS = Words("en")
_OPENED = re.compile(r"(m\d+) .*?([\d,]+) credits?\b.* !heist and an amount")
_JOINED = re.compile(r"You are in with ([\d,]+) credits?\.")
_GIVEN = re.compile(r"(m\d+) gives (m\d+) ([\d,]+) credits?\.")


def _answered(act: Act) -> str:
    answer = {"answer": Message(f"heist-act-{act.value}")}
    return _WORDS.text(Message("heist-you-answered", answer), str)


_ACTS = {_answered(act): act.value for act in Act}
"""What a heister is told of each answer."""


@dataclass(slots=True)
class Heard:
    """What all sockets of one run have received."""

    promised: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    """As `Books.promised` has it."""
    tables: list[dict[str, Any]] = field(default_factory=list)
    """As the page shows them now."""
    some: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when something has been promised."""
    seats: dict[str, str] = field(default_factory=dict)
    """Who each member who has entered is, by name."""
    everybody: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when all have entered, or never will."""
    _lines: set[str] = field(default_factory=set)
    """Ids of what was received: a public line comes over every socket."""

    def take(self, message: dict[str, Any]) -> None:
        if message["type"] == "tables":
            self.tables = message["tables"]
        elif message["type"] == "line" and message["id"] not in self._lines:
            self._lines.add(message["id"])
            self.promised.update(promises(message["text"], message["to"], self.seats))
            if self.promised:
                self.some.set()
        elif message["type"] == "entered":
            self.seats[message["name"]] = message["seat"]
            if len(self.seats) == len(MEMBERS):
                self.everybody.set()


def promises(text: str, to: str | None, seats: Mapping[str, str]) -> Iterator[tuple[Any, ...]]:
    """Read from a line of the bot what is in the books by now; `seats` are those of members, by name."""
    for who, stake in _OPENED.findall(text):
        yield "stake", seats[who], _whole(stake)
    for stake in _JOINED.findall(text):
        yield "stake", to, _whole(stake)
    for giver, taker, amount in _GIVEN.findall(text):
        yield "gift", f"{seats[giver]} {seats[taker]}", _whole(amount)
    if text in _ACTS:
        yield "answer", to, _ACTS[text]


class Crowd:
    """Everybody who plays on one run of the program, from `enter` until it is gone."""

    def __init__(self, address: str, rng: Random) -> None:
        self.heard = Heard()
        self.hurries: asyncio.Queue[str] = asyncio.Queue()
        self._address, self._rng = address, rng
        self._session = aiohttp.ClientSession()
        self._amounts = {member: count(LEAST) for member in MEMBERS}  # no two lines of a member say the same
        self._tasks: list[asyncio.Task[None]] = []

    async def enter(self, standing: Collection[str] = ()) -> list[dict[str, Any]]:
        """Open the first page, and give the tables that it shows before anybody has said a word.

        On a busy machine a start does not wait for its audit, and those that stand are held until that ends.
        """
        page = await self._opened()
        with suppress(TimeoutError):
            async with asyncio.timeout(HELD):
                async for message in _received(page):
                    self.heard.take(message)
                    if message["type"] == "tables" and {*standing} <= {
                        each["id"] for each in self.heard.tables
                    }:
                        break
        self._tasks += [asyncio.create_task(each) for each in (self._listen(page), self._hurry(page))]
        return self.heard.tables

    async def play(self) -> None:
        """Open the other pages and let their members say what they like, until the program is gone."""
        for number in range(PAGES):
            page = await self._opened()
            self._tasks.append(asyncio.create_task(self._listen(page)))
            self._tasks.append(asyncio.create_task(self._chat(page, MEMBERS[number::PAGES])))

    async def leave(self) -> None:
        """Take in all that was still on its way, once the program is gone."""
        self.heard.everybody.set()
        await asyncio.wait_for(asyncio.gather(*self._tasks), PATIENCE)
        await self._session.close()

    async def _opened(self) -> aiohttp.ClientWebSocketResponse:
        return await self._session.ws_connect(
            f"{self._address}/socket", headers={"Origin": self._address}, max_msg_size=0
        )

    async def _listen(self, page: aiohttp.ClientWebSocketResponse) -> None:
        async for message in _received(page):
            self.heard.take(message)

    async def _chat(self, page: aiohttp.ClientWebSocketResponse, members: list[str]) -> None:
        for member in members:
            await _tell(page, type="enter", name=member, role="viewer")
        await self.heard.everybody.wait()  # nobody is named before it can be said who that is
        while not page.closed:
            member = self._rng.choice(members)
            await _tell(page, type="say", seat=self.heard.seats[member], text=self._line(member))
            await asyncio.sleep(self._rng.uniform(*PAUSES))

    def _line(self, member: str) -> str:
        amount = next(self._amounts[member])
        wishes = [f"!heist {amount}", f"!{self._rng.choice(list(Act)).value}", self._gift(member, amount)]
        return self._rng.choices(wishes, weights=(5, 3, 2))[0]

    def _gift(self, member: str, amount: int) -> str:
        return f"!give @{self._rng.choice([each for each in MEMBERS if each != member])} {amount}"

    async def _hurry(self, page: aiohttp.ClientWebSocketResponse) -> None:
        """Press "Next phase", or "Skip the wait", so that many kills fall around a settlement."""
        while not page.closed:
            await asyncio.sleep(self._rng.uniform(*PHASES))
            standing = [table["id"] for table in self.heard.tables if not table["over"]]
            await _tell(page, type="hurry", **({"table": standing[0]} if standing else {"game": "heist"}))
            self.hurries.put_nowait("hurried")


async def _received(page: aiohttp.ClientWebSocketResponse) -> AsyncIterator[dict[str, Any]]:
    async for frame in page:
        if frame.type is aiohttp.WSMsgType.TEXT:
            yield json.loads(frame.data)


async def _tell(page: aiohttp.ClientWebSocketResponse, **message: Any) -> None:
    try:
        await page.send_str(json.dumps(message))
    except (ConnectionError, aiohttp.ClientError):
        await page.close()  # the program is gone


def _whole(text: str) -> int:
    return int(text.replace(",", ""))
