"""What somebody receives of others in a day is limited also where it is decided at the same moment."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.community.receipts import ReceiptLimits
from chatbot.ledger.receipts import Receipts
from chatbot.ledger.store.store import Store
from tests.bot.community.test_received import house
from tests.bot.hosting import MO
from tests.bot.platforms import START, on_one_server
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping

pytestmark = pytest.mark.slow

TURNS = 1000  # of the loop: more than a line takes whose reads and writes wait for nothing


@dataclass
class Gate:
    """Where what is to be read or written waits until the test opens it."""

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    opened: asyncio.Event = field(default_factory=asyncio.Event)

    async def wait(self) -> None:
        self.reached.set()
        await self.opened.wait()


async def two_rooms(store: Store) -> Stage:
    """Open two rooms of one community."""
    stage = await house(store, 5000)
    garden = stage.new_room("garden")
    await stage.bot.open(garden)
    await stage.bot.converse(stage.line(MO, "!set chicken house_fills 0", room="garden"))
    return stage


async def while_writing(
    stage: Stage,
    monkeypatch: pytest.MonkeyPatch,
    how: str,
    first: Coroutine[Any, Any, bool],
    second: Coroutine[Any, Any, bool],
) -> None:
    """Begin the second one while what the first one writes waits, and let both end."""
    gate, plain = Gate(), getattr(Store, how)

    async def late(self: Store, *given: Any) -> Any:
        monkeypatch.setattr(Store, how, plain)
        await gate.wait()
        return await plain(self, *given)

    monkeypatch.setattr(Store, how, late)
    await while_waiting(gate, first, second)


async def while_waiting(
    gate: Gate, first: Coroutine[Any, Any, bool], second: Coroutine[Any, Any, bool]
) -> None:
    """Begin the second one while the first one waits at a gate, and let both end."""
    writing = asyncio.ensure_future(first)
    await gate.reached.wait()
    meanwhile = asyncio.ensure_future(second)
    for _ in range(TURNS):
        await asyncio.sleep(0)
    gate.opened.set()
    await asyncio.gather(writing, meanwhile)


async def test_a_gift_and_a_stake_at_once_do_not_pass_it_together(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = await two_rooms(store)
    await stage.bot.converse(stage.line("alt0", "!chicken 3 900", room="garden"))
    gift, stake = stage.line("alt1", "!give @main 200"), stage.line("main", "!chicken", room="garden")
    await while_writing(stage, monkeypatch, "commit", stage.bot.converse(gift), stage.bot.converse(stake))
    assert await stage.credits("main") == 5000 + 200  # 900 more would make it 1,100
    assert stage.bot.parts.receipts.promised(stage.room, seat("main")) == 0


async def test_a_gift_counts_for_lines_whose_sums_were_read_before_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = await two_rooms(store)
    await stage.bot.converse(stage.line("main", "!chicken 3 450", room="garden"))
    between, gifts = Receipts.between, list[asyncio.Future[bool]]()

    async def before_a_gift(*given: Any) -> list[int]:
        monkeypatch.setattr(Receipts, "between", between)
        found = await between(*given)
        gifts.append(asyncio.ensure_future(stage.bot.converse(stage.line("alt1", "!give @main 200"))))
        for _ in range(TURNS):
            await asyncio.sleep(0)
        return found

    monkeypatch.setattr(Receipts, "between", before_a_gift)
    lines = [stage.line(who, "!chicken", room="garden") for who in ("alt0", "alt2", "main")]
    await asyncio.gather(*map(stage.bot.converse, lines), return_exceptions=True)
    await asyncio.gather(*gifts)
    assert await stage.credits("main") == 5000 - 450 + 200
    assert (
        stage.bot.parts.receipts.promised(stage.room, seat("main")) == 450
    )  # a second one would make it 900


async def test_a_stake_that_is_being_written_counts_at_another_table(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = await two_rooms(store)
    for who, room in (("alt0", "room"), ("alt1", "garden")):
        await stage.bot.converse(stage.line(who, "!chicken 3 900", room=room))
    # Lines that are answered one by one apply their steps after the commit.
    monkeypatch.setattr(Store, "well", False)
    one, other = (stage.line("main", "!chicken", room=room) for room in ("room", "garden"))
    await while_writing(stage, monkeypatch, "commit", stage.bot.converse(one), stage.bot.converse(other))
    assert stage.bot.parts.receipts.promised(stage.room, seat("main")) == 900
    assert await stage.credits("main") == 5000 - 900


async def test_a_link_and_a_stake_of_another_at_once_do_not_pass_it_together(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    both, main = await on_one_server(store), "discord:main"
    await both.say("discord:mo(moderator)", "!set chicken house_fills 0")
    for who, amount in ((main, 5000), ("twitch:alt", START + 600), ("discord:ann", 5000)):
        await both.endow(who, amount)
    await both.say(main, "!chicken 3 600")
    await both.say("twitch:alt", f"!link {await both.code(main)}")
    gate, left_of = Gate(), ReceiptLimits.left_of

    async def late(*given: Any) -> Mapping[str, int]:
        found = await left_of(*given)
        await gate.wait()
        return found

    monkeypatch.setattr(ReceiptLimits, "left_of", late)
    link, stake = both.line("twitch:alt", "!link yes"), both.line("discord:ann", "!chicken")
    await while_waiting(gate, both.bot.converse(link), both.bot.converse(stake))
    assert await both.credits(main, "guild") == 5000 - 600 + 600
    room = both.room("discord:1")
    # The starting credits are not brought; 600 of ann would make it 1,200.
    assert both.bot.parts.receipts.promised(room, both.seat(main)) == 0
    assert await both.sound()


@pytest.mark.parametrize("well", [True, False])
async def test_a_table_that_is_being_opened_counts_at_another_one(
    store: Store, monkeypatch: pytest.MonkeyPatch, *, well: bool
) -> None:
    stage = await two_rooms(store)
    monkeypatch.setattr(Store, "well", well)
    one, other = (
        stage.line(who, "!sixcard @main 900", room=room)
        for who, room in (("alt0", "room"), ("alt1", "garden"))
    )
    await while_writing(stage, monkeypatch, "commit", stage.bot.converse(one), stage.bot.converse(other))
    assert stage.bot.parts.receipts.promised(stage.room, seat("main")) == 900


async def test_a_table_counts_until_its_end_is_written(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = await two_rooms(store)
    await stage.say("main", "!chicken 3 900")
    await stage.say("alt0", "!chicken")
    await stage.turn(60)
    await stage.bot.converse(stage.line("alt1", "!chicken 3 200", room="garden"))
    for card in (2, 1):
        await stage.say("main", f"!play {card + 1}", private=True)
        if card > 1:
            await stage.say("alt0", f"!play {card}", private=True)
    last, stake = stage.line("alt0", "!play 1", private=True), stage.line("main", "!chicken", room="garden")
    await while_writing(stage, monkeypatch, "commit", stage.bot.converse(last), stage.bot.converse(stake))
    assert await stage.credits("main") == 5000 + 900
    assert stage.bot.parts.receipts.promised(stage.room, seat("main")) == 0
