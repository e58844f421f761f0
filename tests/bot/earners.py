"""What tests of earning do: streams that are on, people who watch, a database that is away for a while."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.rooms.line import Happening, Occasion
from tests.bot.stage import Stage, account

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.ledger.store.store import Store

MO = "mo(moderator)"
START = 240  # credits of a new member
SLOT, LOOK = 600, 120  # seconds
_ids = count(1)


async def live(stage: Stage, *settings: str) -> Stage:
    """Let the stream be on, and choose settings of earning."""
    await stage.bot.notice(Occasion(f"on {next(_ids)}", "room:chat", Happening.ONLINE))
    await choose(stage, *settings)
    return stage


async def choose(stage: Stage, *settings: str) -> None:
    for each in settings:
        await stage.say(MO, f"!set earning {each}")


async def watch(stage: Stage, seconds: int, *people: str, room: str = "room") -> None:
    """Let people watch for so long, as their platform tells every two minutes, from now on to the end."""
    there = {account(each): each for each in people}
    await stage.bot.watching(f"{room}:chat", there)
    for _ in range(seconds // LOOK):
        await stage.watch.turn(LOOK)
        await stage.bot.watching(f"{room}:chat", there)


async def talk(stage: Stage, who: str, lines: int, *, room: str = "room", gap: float = 30) -> None:
    """Let somebody say something new every so many seconds."""
    for _ in range(lines):
        await stage.bot.converse(stage.line(who, f"so {next(_ids)}", room=room))
        await stage.watch.turn(gap)


async def happens(
    stage: Stage, kind: Happening, who: str | None, amount: int = 1, *, occasion: str = ""
) -> list[str]:
    """Let something happen besides talk, and give what is said to it."""
    heard = len(stage.adapter.deliveries)
    which = occasion or f"o {next(_ids)}"
    whose = None if who is None else account(who)
    await stage.bot.notice(Occasion(which, "room:chat", kind, whose, who or "", amount))
    await stage.watch.turn()
    return stage.said(heard)


async def restarted(before: Stage, run: str = "b") -> Stage:
    """Leave a house as a crash would, and open another on the same database at the same time."""
    after = Stage(before.store, run=run)
    gone = (before.watch.date() - after.watch.date()).total_seconds()
    await after.watch.turn(gone)
    return await after.open()


@contextmanager
def away(store: Store) -> Iterator[None]:
    """Let the database take nothing."""

    async def refuse(*_: Any, **__: Any) -> None:
        raise OSError("the disk is gone")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "commit", refuse)
        patch.setattr(store, "write", refuse)
        yield
