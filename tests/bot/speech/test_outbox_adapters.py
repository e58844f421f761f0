"""To whom a line goes: whispers are nobody else's, and a slow or failing adapter stops nobody."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from chatbot.kernel.say import Talk
from chatbot.ledger.people import Account
from chatbot.rooms.channel import Delivery, Manner, Privacy
from tests.bot.outboxes import ANN, AT_ONCE, BEN, STREAM, Chat

if TYPE_CHECKING:
    import pytest


async def test_a_private_line_goes_to_one_person_where_that_is_possible() -> None:
    chat = Chat(Manner(private=Privacy.ALL), Talk.QUIET)
    chat.say("psst", to=ANN, talk=Talk.FULL, secret=True)
    await chat.sent(0)
    assert [(each.to, each.text) for each in chat.adapter.deliveries] == [(Account.read(ANN), "psst")]


async def test_where_nobody_can_be_whispered_to_a_line_is_addressed_and_a_secret_is_not_said() -> None:
    chat = Chat(AT_ONCE)
    chat.say("you are late", to=ANN)
    chat.say("you double-cross", to=ANN, secret=True)
    chat.say("you are in", to=ANN, talk=Talk.FULL)
    assert await chat.sent(0) == ["@ann: you are late"]


async def test_private_refusals_are_never_held_back() -> None:
    chat = Chat(Manner(private=Privacy.ALL))
    for _ in range(5):
        chat.refuse()
    assert len(await chat.sent(0)) == 5


async def test_private_lines_are_not_merged_with_others() -> None:
    chat = Chat(replace(STREAM, private=Privacy.ALL))
    chat.say("zero")
    await chat.sent()
    chat.say("one")
    chat.say("two", to=ANN)
    chat.say("three")
    assert await chat.sent() == ["two"]
    assert await chat.sent(1) == ["one three"]


async def test_private_lines_wait_for_no_budget_and_use_none_up() -> None:
    chat = Chat(replace(AT_ONCE, private=Privacy.ALL, budget=5))
    for number in range(20):
        chat.say(f"private{number}", to=ANN)
        chat.say(f"public{number}")
    first = await chat.sent(0)
    assert [each for each in first if each.startswith("private")] == [f"private{each}" for each in range(20)]
    assert [each for each in first if each.startswith("public")] == [f"public{each}" for each in range(5)]


async def test_one_persons_slow_line_holds_up_nobody_elses() -> None:
    chat = Chat(Manner())
    send, slow = chat.adapter.send, asyncio.Event()

    async def dawdle(delivery: Delivery) -> None:
        if delivery.to == Account.read(ANN):
            await slow.wait()
        await send(delivery)

    chat.adapter.send = dawdle  # type: ignore[method-assign]
    chat.say("for ann", to=ANN)
    sending = asyncio.create_task(chat.watch.turn(0))
    await asyncio.sleep(0)
    chat.say("for ben", to=BEN)
    await chat.watch.turn(0)
    assert [each.text for each in chat.adapter.deliveries] == ["for ben"]
    slow.set()
    await sending
    assert [each.text for each in chat.adapter.deliveries] == ["for ben", "for ann"]


async def test_where_whispers_are_few_only_secrets_are_whispered() -> None:
    chat = Chat(replace(AT_ONCE, private=Privacy.SECRETS))
    chat.say("you are late", to=ANN)
    chat.say("you double-cross", to=ANN, secret=True)
    await chat.sent(0)
    heard = {(each.to, each.text) for each in chat.adapter.deliveries}
    assert heard == {(None, "@ann: you are late"), (Account.read(ANN), "you double-cross")}


async def test_a_adapter_that_fails_does_not_stop_the_next_line(caplog: pytest.LogCaptureFixture) -> None:
    chat = Chat(Manner())
    send, calls = chat.adapter.send, []

    async def failing(delivery: object) -> None:
        calls.append(delivery)
        if len(calls) == 1:
            raise ConnectionError
        await send(delivery)  # type: ignore[arg-type]

    chat.adapter.send = failing  # type: ignore[method-assign]
    chat.say("one")
    chat.say("two")
    assert await chat.sent(0) == ["two"]


async def test_a_slow_adapter_gets_lines_in_their_order() -> None:
    chat = Chat(Manner())
    send, slow = chat.adapter.send, asyncio.Event()

    async def dawdle(delivery: Delivery) -> None:
        if delivery.text == "first":
            await slow.wait()
        await send(delivery)

    chat.adapter.send = dawdle  # type: ignore[method-assign]
    chat.say("first")
    sending = asyncio.create_task(chat.watch.turn(0))
    await asyncio.sleep(0)
    chat.say("second")
    await chat.watch.turn(0)
    slow.set()
    await sending
    await chat.watch.turn(0)
    assert [each.text for each in chat.adapter.deliveries] == ["first", "second"]


async def test_the_next_message_waits_from_when_a_slow_adapter_is_done_with_the_last() -> None:
    chat = Chat(STREAM)
    send, slow = chat.adapter.send, asyncio.Event()

    async def dawdle(delivery: Delivery) -> None:
        await slow.wait()
        await send(delivery)

    chat.adapter.send = dawdle  # type: ignore[method-assign]
    chat.say("first")
    sending = asyncio.create_task(chat.watch.turn())
    await asyncio.sleep(0)
    chat.say("second")
    assert await chat.sent(5) == []
    slow.set()
    await sending
    assert [each.text for each in chat.adapter.deliveries] == ["first"]
    assert await chat.sent(0.9) == []
    assert await chat.sent(0.1) == ["second"]
