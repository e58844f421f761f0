"""What takes long to think about is thought beside the tables, and holds nobody up."""

from __future__ import annotations

import asyncio
import threading
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
import structlog
from structlog.testing import capture_logs

from chatbot.games import kits
from chatbot.games.highshow.chat.commands import read_open
from chatbot.games.highshow.rules.moves import HintAsked, Revealed
from chatbot.kernel.say import Message, Say
from tests.bot.apart import START, TERMS, game, opened, rejected
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow


class Held:
    """A thought that lasts until it is let go."""

    def __init__(self) -> None:
        self.begun, self.going = threading.Event(), threading.Event()

    def __call__(self, event: Any) -> Iterable[Say]:
        self.begun.set()
        assert self.going.wait(20), "it was never let go"
        return [Say(Message("word", {"word": "a long thought"}))]

    async def under_way(self) -> None:
        assert await asyncio.to_thread(self.begun.wait, 20)


def thinking(**changed: Any) -> dict[str, AnyKit]:
    """Give High Show with other analyses, or other commands."""
    usual = kits()["highshow"]
    return {"highshow": replace(usual, chat=replace(usual.chat, **changed))}


@asynccontextmanager
async def meanwhile(stage: Stage, held: Held) -> AsyncIterator[None]:
    """Let the watch of a house ring while a thought is under way, which ends afterwards."""
    thought = asyncio.ensure_future(stage.watch.turn())
    await held.under_way()
    try:
        yield
    finally:
        held.going.set()
        await thought
        await stage.turn(0)


async def test_a_thought_holds_up_neither_its_own_room_nor_another(store: Store) -> None:
    held = Held()
    stage = await Stage(store, thinking(analyses={HintAsked: held})).open()
    await stage.bot.open(stage.new_room("other"))
    await stage.say("ann", f"!highshow {TERMS}")
    await stage.bot.converse(stage.line("ann", "!hint"))
    async with meanwhile(stage, held):
        assert "bob plays" in (await stage.say("bob", f"!highshow {TERMS}"))[0]
        heard = len(stage.adapter.deliveries)
        await stage.bot.converse(stage.line("kim", "!highshow 5 2", room="other"))
        await stage.turn(0)
        assert "kim plays" in stage.said(heard)[0]
        await stage.say("ann", "!another")
        assert rejected(stage, "ann") == 1
        assert "a long thought" not in stage.said()
    assert stage.said()[-1] == "a long thought"


async def test_the_end_is_told_before_the_thought_about_it(store: Store) -> None:
    stage = await opened(store, "ann")
    await stage.say("ann", "!another")
    await stage.say("ann", "!cashout")
    await stage.say("ann", "!cashout")
    told = await stage.say("ann", "!guess skip")
    assert "K was" in told[0]
    assert told[-1].startswith("Review for ann")


async def test_a_thought_that_fails_is_logged_and_nothing_else_happens(store: Store) -> None:
    def broken(event: Any) -> Iterable[Say]:
        raise ZeroDivisionError(repr(event))

    stage = await Stage(store, thinking(analyses={HintAsked: broken, Revealed: broken})).open()
    await stage.say("ann", f"!highshow {TERMS} 50")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("error"))
    with capture_logs() as entries:
        for word in ("!cashout", "!cashout", "!guess skip"):
            await stage.say("ann", word)
    assert [each["event"] for each in entries] == ["a thought came to nothing"]
    assert game(stage, "ann").over
    assert any("for a stake of 50" in line for line in stage.said())


async def test_an_opening_that_takes_long_to_read_holds_up_no_other_room(store: Store) -> None:
    begun, going = threading.Event(), threading.Event()

    def slowly(game: Any, request: Any) -> Any:
        begun.set()
        assert going.wait(20), "it was never let go"
        return read_open(game, request)

    usual = kits()["highshow"].chat.commands
    commands = (replace(usual[0], read=slowly), *usual[1:])
    stage = await Stage(store, {**kits(), **thinking(commands=commands)}).open()
    await stage.bot.open(stage.new_room("other"))
    opening = asyncio.ensure_future(stage.bot.converse(stage.line("ann", f"!highshow {TERMS} 50")))
    assert await asyncio.to_thread(begun.wait, 20)
    heard = len(stage.adapter.deliveries)
    await stage.bot.converse(stage.line("kim", "!heist 50", room="other"))
    await stage.turn(0)
    assert "kim is planning" in stage.said(heard)[0]
    assert stage.room.tables == {}
    going.set()
    await opening
    await stage.turn(0)
    assert await stage.credits("ann") == START - 50


async def test_an_opening_does_not_wait_for_thoughts_of_others(store: Store) -> None:
    held = Held()
    stage = await Stage(store, thinking(analyses={Revealed: held})).open()
    await stage.say("ann", f"!highshow {TERMS}")
    for word in ("!cashout", "!cashout"):
        await stage.say("ann", word)
    await stage.bot.converse(stage.line("ann", "!guess skip"))
    async with meanwhile(stage, held):
        assert "bob plays" in " ".join(await stage.say("bob", f"!highshow {TERMS} 50"))


async def test_thoughts_of_one_kind_come_one_after_the_other(store: Store) -> None:
    begun: list[Any] = []
    held = Held()

    def counted(event: Any) -> Iterable[Say]:
        begun.append(event)
        return held(event)

    stage = await Stage(store, thinking(analyses={HintAsked: counted})).open()
    turning = []
    for who in ("ann", "bob"):
        await stage.say(who, f"!highshow {TERMS}")
        await stage.bot.converse(stage.line(who, "!hint"))
        turning.append(asyncio.ensure_future(stage.watch.turn()))
        await held.under_way()
        await asyncio.to_thread(bool)  # there would be threads for more
        assert len(begun) == 1
    held.going.set()
    await asyncio.gather(*turning)
    await stage.turn(0)
    assert stage.said().count("a long thought") == 2
