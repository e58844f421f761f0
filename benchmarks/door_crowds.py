"""A crowd that speaks at a fake platform, and how long each of it waits for the bot's answer."""

from __future__ import annotations

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from pathlib import Path

CHANNELS = tuple(f"channel{number}" for number in range(10))
EVERYWHERE = range(len(CHANNELS))
MEMBERS = 1000  # so many that the house never finds one of them too eager
OUTSTANDING = 200  # commands that wait for an answer while the crowd is in a hurry
PATIENCE = 10.0  # seconds, after which a command has got no answer
_NAME = re.compile(r"member\d{4}")

Answered: TypeAlias = Callable[[int, str], None]
"""Is told of a text by the bot as soon as it has arrived, and the number of its channel."""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody of a name that is found in no other text, who speaks in one channel only."""

    name: str
    channel: int


class Town(Protocol):
    """A platform with the channels."""

    async def open(self, folder: Path) -> str:
        """Give the address for the bot; what else that needs is put into the folder."""

    async def speak(self, member: Member, text: str) -> None: ...

    def forget(self) -> None:
        """Drop what was said, for a long memory would cost time."""

    async def stop(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Rush:
    """What came of a crowd in a hurry."""

    answered: int
    lost: int  # commands that got no answer
    seconds: float


class Crowd:
    """Nobody asks again before the answer, so a name in an answer tells whose it is.

    An answer without a name belongs to whoever has waited longest in its channel: bots answer in order there.
    """

    def __init__(self, town: Callable[[Answered], Town]) -> None:
        self.town = town(self._answered)
        self.members = [Member(f"member{number:04}", number % len(CHANNELS)) for number in range(MEMBERS)]
        self._waiting: list[dict[str, asyncio.Future[float]]] = [{} for _ in CHANNELS]

    async def ask(self, member: Member, text: str) -> float:
        """Say something, and give the seconds until the answer."""
        answer: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._waiting[member.channel][member.name], asked = answer, time.perf_counter()
        await self.town.speak(member, text)
        return await answer - asked

    async def warm_up(self, text: str) -> None:
        """Let everybody be known, and welcomed."""

        async def one_by_one(members: Sequence[Member]) -> None:
            for member in members:
                await self.ask(member, text)

        hands = [asyncio.create_task(one_by_one(self._hand(each))) for each in range(OUTSTANDING)]
        lost = await _finish(hands, 3 * PATIENCE)
        assert not lost, f"{lost} members got no answer to their first command"
        self.town.forget()

    async def stroll(
        self, texts: Sequence[str], rate: float, seconds: float, channels: Sequence[int] = EVERYWHERE
    ) -> dict[str, list[float]]:
        """Speak at an even pace, the texts in turn; gives the waits for each, endless where none came."""
        began, asking = time.perf_counter(), []
        members = cycle(each for each in self.members if each.channel in channels)
        for number, member in zip(range(round(rate * seconds)), members, strict=False):
            await asyncio.sleep(began + number / rate - time.perf_counter())
            text = texts[number // len(channels) % len(texts)]
            asking.append((text, asyncio.create_task(self.ask(member, text))))
        await _finish([task for _, task in asking])
        waits = defaultdict(list)
        for text, task in asking:
            waits[text].append(float("inf") if task.cancelled() else task.result())
        self.town.forget()
        return waits

    async def rush(self, text: str, seconds: float) -> Rush:
        """Speak as fast as the answers come."""
        answers: list[float] = []
        began = time.perf_counter()

        async def hurry(members: Sequence[Member]) -> None:
            for member in cycle(members):
                await self.ask(member, text)
                answers.append(time.perf_counter())
                if answers[-1] > began + seconds:
                    return

        hands = [asyncio.create_task(hurry(self._hand(each))) for each in range(OUTSTANDING)]
        lost = await _finish(hands, seconds)
        self.town.forget()
        assert answers, "no command got an answer"
        return Rush(len(answers), lost, max(answers) - began)

    def _hand(self, number: int) -> list[Member]:
        """Give those who speak one after the other, in one channel."""
        return self.members[number::OUTSTANDING]

    def _answered(self, channel: int, text: str) -> None:
        now, waiting = time.perf_counter(), self._waiting[channel]
        for name in _NAME.findall(text) or list(waiting)[:1]:
            answer = waiting.pop(name, None)
            if answer is not None and not answer.done():
                answer.set_result(now)


async def _finish(tasks: Sequence[asyncio.Task[Any]], seconds: float = 0.0) -> int:
    """Wait for all, and give how many had to be given up."""
    _, late = await asyncio.wait(tasks, timeout=seconds + PATIENCE)
    for task in late:
        task.cancel()
    if late:
        await asyncio.wait(late)
    return len(late)
