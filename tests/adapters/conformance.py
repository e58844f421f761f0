"""What every platform's adapter does alike, with its real client library over loopback.

A new platform is tested by a `Chat` of its own in `tests/adapters/chats.py`.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest
import structlog
from structlog.testing import capture_logs

from chatbot.rooms.channel import Delivery
from chatbot.supervisor import CANCEL_TIMEOUT, STOP_TIMEOUT
from tests.adapters.chats import CHATS, Chat
from tests.checked import store
from tests.generous import let_give

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from chatbot.ledger.store.store import Store

__all__ = ["store"]  # a fixture

CROWD = 30
HOSTILE = (
    "@everyone",
    "/ban ada",
    "**x** <b>y</b>",
    "https://evil.example",
    "<@&1>",
    "x\u202egnp\u200b\u0000y",
)
LONG = " ".join(f"word{number}" for number in range(600))


@pytest.fixture(params=CHATS)
async def chat(
    request: pytest.FixtureRequest, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Chat]:
    async def at_once(*_: object, **__: object) -> None:
        return

    # The libraries come back after a random second or more, and leave a former connection slowly.
    monkeypatch.setattr("cogs.discord.reconnecting.ReconnectPauses.delay", lambda _: 0.01)
    monkeypatch.setattr("cogs.discord.client.DiscordClient.before_identify_hook", at_once)
    monkeypatch.setattr("cogs.twitch.eventsub.GRACE", 0.05)
    chat = CHATS[request.param](store, tmp_path)
    await chat.open()
    assert chat.adapter.connected
    yield chat
    await chat.close()


async def test_its_name_is_what_its_accounts_and_channels_have(chat: Chat) -> None:
    (channel,) = chat.room.channels
    assert channel.platform == chat.adapter.name.lower()
    assert channel.adapter is chat.adapter
    assert chat.limit is None or chat.adapter.manner.length <= chat.limit


async def test_a_line_becomes_an_answer_to_who_asked(chat: Chat) -> None:
    await chat.say("ann", "!heist 69")
    await chat.until(lambda: chat.room.playing("heist"))
    await chat.say("ann", "!credits")
    await chat.until(lambda: "ann has 171 credits" in chat.reads("ann"))
    await chat.say("bob", "!credits")
    await chat.until(lambda: "bob has 240 credits" in chat.reads("bob"))


async def test_a_command_may_begin_with_a_fullwidth_sign(chat: Chat) -> None:
    await chat.say("ann", "\uff01credits")
    await chat.until(lambda: "ann has 240 credits" in chat.reads("ann"))
    await chat.whisper("ann", "\uff01heist 69")
    await chat.until(lambda: chat.room.playing("heist"))


@pytest.mark.parametrize("sign", ["\u2800", "\U000e0000", " \u200b", "\u3164"], ids=ascii)
async def test_what_nobody_sees_is_no_part_of_a_command(chat: Chat, sign: str) -> None:
    await chat.say("ann", f"{sign}!heist {sign} 69{sign}")
    await chat.until(lambda: chat.room.playing("heist"))
    await chat.whisper("ann", f"!credits{sign}")
    await chat.until(lambda: "171 credits" in chat.reads("ann"))


async def test_a_line_that_is_delivered_twice_acts_once(chat: Chat) -> None:
    let_give(chat.room)
    await chat.say("bob", "!credits")
    await chat.until(lambda: "bob has 240 credits" in chat.reads("bob"))
    await chat.say("ann", "!give bob 10")
    await chat.until(lambda: "ann gives bob 10" in chat.reads("bob"))
    await chat.again()
    await chat.say("ann", "!credits")
    await chat.until(lambda: "ann has 230 credits" in chat.reads("ann"))
    await chat.bot.settle()
    assert [await chat.credits(each) for each in ("ann", "bob")] == [230, 250]


async def test_a_private_answer_reaches_nobody_else(chat: Chat) -> None:
    for who in ("ann", "bob"):
        await chat.say(who, "!heist 69")
        await chat.until(lambda who=who: joined(chat, who))  # type: ignore[misc]
    clock = chat.room.tables["heist"].clock
    assert clock is not None
    await chat.turn(clock.seconds + 1)  # the lobby, which is short on the page
    before = len(chat.public())
    await chat.whisper("bob", "!backout")
    await chat.until(lambda: any("can still change it" in each for each in chat.private("bob")))
    assert not any("can still change it" in each for each in [*chat.public()[before:], *chat.private("ann")])


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
async def test_a_hostile_name_or_text_is_shown_harmlessly(chat: Chat, hostile: str) -> None:
    if chat.adapter.name == "Local":
        hostile = hostile.replace("\u0000", "")  # which the page refuses before it is said
    await chat.say(hostile, "!heist 69")
    await chat.until(lambda: joined(chat, hostile))
    await chat.say("ann", f"!heist {hostile}")
    await chat.say("ann", "!credits")
    await chat.until(lambda: "ann has" in chat.reads("ann"))
    await chat.turn(230)
    await chat.until(lambda: not chat.room.playing("heist"))
    shown = [*chat.public(), *chat.private("ann"), *chat.private(hostile)]
    assert shown
    assert [each for each in shown if not chat.harmless(each)] == []


async def test_a_text_beyond_the_limit_arrives_whole_or_is_cut_where_that_is_seen(chat: Chat) -> None:
    await chat.adapter.send(Delivery(chat.channel, LONG, None, ()))
    await chat.until(lambda: any("word0" in each for each in chat.public()))
    shown = [each for each in chat.public() if "word" in each]
    assert all(chat.limit is None or len(each) <= chat.limit for each in shown)
    read = " ".join(" ".join(shown).split())
    assert read == LONG or (read.endswith("…") and LONG.startswith(read.removesuffix("…").strip()))


async def test_a_crowd_of_joins_is_in_and_everybody_is_answered(chat: Chat) -> None:
    crowd = [f"fan{number:02}" for number in range(CROWD)]
    for who in crowd:
        await chat.say(who, "!heist 20")
    await chat.until(lambda: all(joined(chat, who) for who in crowd))
    for who in crowd:
        await chat.say(who, "!credits")
    # A crowd may be answered in rows of one message.
    told = [re.compile(rf"{who} (has )?220\b") for who in crowd]
    await chat.until(lambda: all(each.search(chat.reads(who)) for each, who in zip(told, crowd, strict=True)))
    assert [await chat.credits(who) for who in crowd] == [220] * CROWD


async def test_it_stops_in_time_with_lines_in_flight_and_leaves_nothing_running(chat: Chat) -> None:
    await chat.say("ann", "!credits")
    await chat.until(lambda: "ann has" in chat.reads("ann"))
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("error"))
    loop = asyncio.get_running_loop()
    with capture_logs() as entries:
        for number in range(CROWD):
            await chat.say(f"fan{number:02}", "!heist 20")
        began = loop.time()
        chat.running.cancel()  # as the supervisor does
        await chat.adapter.stop()
        await asyncio.wait([chat.running], timeout=CANCEL_TIMEOUT)
        assert loop.time() - began < STOP_TIMEOUT + CANCEL_TIMEOUT
        assert chat.running.done()
        assert not chat.adapter.connected
        await chat.bot.settle()
    assert [each for each in entries if each["log_level"] in {"error", "critical"}] == []
    chat.run()
    await chat.until(lambda: chat.adapter.connected)


async def test_an_outage_passes_and_lines_are_heard_again(chat: Chat) -> None:
    await chat.say("ann", "!heist 69")
    await chat.until(lambda: chat.room.playing("heist"))
    await chat.outage()
    await chat.say("bob", "!heist 69")
    await chat.until(lambda: joined(chat, "bob"))
    await chat.say("ann", "!credits")
    await chat.until(lambda: "ann has 171 credits" in chat.reads("ann"))
    assert chat.adapter.connected


async def test_what_is_said_while_it_is_away_arrives_when_it_is_back(chat: Chat) -> None:
    await chat.say("ann", "!credits")
    await chat.until(lambda: "ann has" in chat.reads("ann"))
    await chat.turn(5)  # what is said to the adapter itself keeps to no limit of the platform
    chat.running.cancel()
    await chat.adapter.stop()
    await asyncio.wait([chat.running])
    said = asyncio.ensure_future(chat.adapter.send(Delivery(chat.channel, "the outcome", None, ())))
    await asyncio.sleep(0.02)
    chat.run()
    await said
    await chat.until(lambda: any("the outcome" in each for each in chat.public()) and chat.adapter.connected)
    await chat.turn(5)
    await chat.say("bob", "!credits")
    await chat.until(lambda: "bob has 240 credits" in chat.reads("bob"))


def joined(chat: Chat, who: str) -> bool:
    """Whether somebody has staked: a seat alone is given to whoever is in the room."""
    tables = chat.room.playing("heist")
    return bool(tables) and chat.seat(who) in tables[0].players()
