"""What discord.py logs is told in our words, and a healthy connection is told to be late by nobody."""

from __future__ import annotations

import inspect
import logging
from importlib import import_module
from types import SimpleNamespace
from typing import TYPE_CHECKING, NoReturn

import discord
import pytest

from cogs.discord import heartbeat
from cogs.discord.library_log import LOGGERS, WORDS, silence_library

if TYPE_CHECKING:
    from tests.adapters.discord.stage import Stage


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Give a clock that is turned by hand, for heartbeats alone."""
    turned = SimpleNamespace(now=100.0)
    monkeypatch.setattr("discord.gateway.time", SimpleNamespace(perf_counter=lambda: turned.now))
    monkeypatch.setattr("cogs.discord.heartbeat.perf_counter", lambda: turned.now)
    return turned


def alive() -> heartbeat.KeepAlive:
    socket = SimpleNamespace(thread_id=0, _max_heartbeat_timeout=30.0, HEARTBEAT=1, sequence=7)
    return heartbeat.KeepAlive(ws=socket, interval=41.25, shard_id=0)  # type: ignore[arg-type]  # a fake


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.name.startswith("discord")]


def test_a_heartbeat_that_is_answered_before_the_library_has_noted_it_is_not_late(
    clock: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    """The library notes the time of a heartbeat after it was sent, in another thread than the answer's."""
    silence_library()
    sender = alive()
    clock.now += 12.0  # since the heartbeat before
    assert sender.get_payload() == {"op": 1, "d": 7}
    clock.now += 0.25
    sender.ack()
    assert (sender.latency, told(caplog)) == (0.25, [])


def test_a_heartbeat_that_is_answered_late_is_told_in_our_words(
    clock: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    silence_library()
    sender = alive()
    sender.get_payload()
    clock.now += 12.4
    sender.ack()
    assert told(caplog) == ["Discord answered a heartbeat on shard 0 only after 12 s"]


def test_the_library_asks_for_each_heartbeat_just_before_it_sends_it() -> None:
    steps = inspect.getsource(discord.gateway.KeepAliveHandler.run)
    assert steps.index("self.get_payload()") < steps.index("self.ws.send_heartbeat(data)")


async def test_a_lost_connection_is_told_without_a_traceback(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("cogs.discord.reconnecting.ReconnectPauses.delay", lambda _: 0.01)
    assert stage.adapter.client is not None

    async def refuse(url: str, *, compress: int = 0) -> NoReturn:
        raise ConnectionRefusedError

    monkeypatch.setattr(stage.adapter.client.http, "ws_connect", refuse)
    await stage.server.gateway.drop()
    await stage.until(lambda: told(caplog))
    record = next(each for each in caplog.records if each.name.startswith("discord"))
    words = "shard 0 has lost its connection; the next try is in 0.0 s (ConnectionRefusedError)"
    assert (record.getMessage(), record.exc_info) == (words, None)


@pytest.mark.parametrize("beginning", WORDS)
def test_all_that_is_put_in_other_words_is_what_the_library_says(beginning: str) -> None:
    """It fails with a version of the library that says it otherwise, and would be heard again."""
    sources = [inspect.getsource(import_module(each)) for each in LOGGERS]
    assert any(f"'{beginning}" in each or f'"{beginning}' in each for each in sources)


@pytest.mark.parametrize(
    ("name", "says", "given", "words"),
    [
        (
            "discord.http",
            "We are being rate limited. %s %s responded with 429. Retrying in %.2f seconds.",
            ("POST", "https://discord.com/api/v10/webhooks/1/canary", 3.25),
            "Discord takes the next request of a kind only in 3.2 s",
        ),
        (
            "discord.webhook.async_",
            "Webhook ID %s is rate limited. Retrying in %.2f seconds.",
            (7, 2.0),
            "Discord takes the next answer to a command only in 2.0 s",
        ),
        (
            "discord.gateway",
            "Shard ID %s heartbeat blocked for more than %s seconds.\nLoop thread traceback:\n  here",
            (0, 10),
            "the program was too busy for a heartbeat to Discord for 10 s\nLoop thread traceback:\n  here",
        ),
        ("discord.http", "asked %s", ("/webhooks/1/canary/messages",), "asked /webhooks/1/***/messages"),
    ],
)
def test_what_the_library_says_is_told_in_our_words_and_without_tokens(
    caplog: pytest.LogCaptureFixture, name: str, says: str, given: tuple[object, ...], words: str
) -> None:
    silence_library()
    logging.getLogger(name).warning(says, *given)
    assert told(caplog) == [words]


def test_what_the_adapter_tells_is_not_told_by_the_library_too(caplog: pytest.LogCaptureFixture) -> None:
    silence_library()
    logging.getLogger("discord.ext.commands.bot").warning(
        "Privileged message content intent is missing, commands may not work as expected."
    )
    assert told(caplog) == []
