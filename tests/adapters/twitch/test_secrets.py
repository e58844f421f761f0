"""No key is written anywhere, whatever goes wrong. Nothing hides them here: they must not come up at all."""

from __future__ import annotations

import asyncio
import gc
import logging
import traceback
from typing import TYPE_CHECKING

import pytest
import structlog

from tests.adapters.twitch.stage import BOT
from tests.fakes.twitch_authority import Trouble

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping
    from pathlib import Path
    from typing import Any

    from tests.adapters.twitch.stage import Stage

CANARY = "canary"
PATHS = ("users", "chat/messages", "whispers", "eventsub/subscriptions", "eventsub/conduits")


async def all_is_well(stage: Stage) -> None:
    await stage.open()
    await stage.say("ann", "ada", "!credits")


async def keys_run_out(stage: Stage) -> None:
    await stage.open()
    stage.fake.authority.expire()
    await stage.speak("ada", "the outcome")
    await stage.check()


async def the_bot_is_refused(stage: Stage) -> None:
    await stage.open()
    stage.fake.authority.disconnect(stage.seat(BOT).partition(":")[2])
    await stage.speak("ada", "the outcome")
    await stage.check()


async def a_broadcaster_is_refused(stage: Stage) -> None:
    stage.fake.authority.disconnect(stage.seat("ada").partition(":")[2])
    await stage.open()


async def the_program_is_refused(stage: Stage) -> None:
    stage.fake.authority.client_secret = "another-canary"  # noqa: S105
    await stage.open()
    await stage.speak("ada", "the outcome")


async def helix_fails(stage: Stage) -> None:
    for status in (400, 401, 403, 409, 422, 429, 500):
        for path in PATHS:
            stage.fake.world.disturb(path, status, message="the request was wrong")
    stage.fake.world.pace = 0
    await stage.open()
    for _ in range(10):
        await stage.fake.whisper("ann", "!credits")
        await stage.speak("ada", "the outcome")
        await stage.check()


async def the_id_server_fails(stage: Stage) -> None:
    for trouble in (Trouble.BROKEN, Trouble.BUSY, Trouble.HTML, Trouble.LIST, Trouble.EMPTY, Trouble.HANG_UP,
                    Trouble.REDIRECT):  # fmt: skip
        await stage.open()
        stage.fake.authority.expire()
        stage.fake.authority.disturb(trouble, 4)
        await stage.speak("ada", "the outcome")
        await stage.check()
        stage.fake.authority.calm()
        await stage.close()


async def connections_fail(stage: Stage) -> None:
    await stage.open()
    for code in (4000, 4001, 4003, 4007):
        for session in list(stage.fake.eventsub.sessions.values()):
            await session.socket.close(code=code)
        await stage.check()


async def a_conduit_fails(stage: Stage) -> None:
    stage.fake.world.disturb("eventsub/conduits", 500, times=2)
    await stage.open(conduit=True)


async def nobody_is_there(stage: Stage) -> None:
    await stage.open()
    await stage.fake.stop()
    await stage.speak("ada", "the outcome")
    await stage.check()


@pytest.mark.parametrize(
    "trouble",
    [
        all_is_well,
        keys_run_out,
        the_bot_is_refused,
        a_broadcaster_is_refused,
        the_program_is_refused,
        helix_fails,
        the_id_server_fails,
        connections_fail,
        a_conduit_fails,
        nobody_is_there,
    ],
)
async def test_no_key_is_written_anywhere(
    trouble: Callable[[Stage], Awaitable[None]],
    stage: Stage,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for name in (None, "twitchio", "aiohttp"):
        caplog.set_level(logging.DEBUG, name)
    written: list[str] = []
    _write_to(written)
    try:
        await trouble(stage)
    except Exception:  # noqa: BLE001  (any will do: what it tells is what is asked for)
        written.append(traceback.format_exc())
    await stage.close()
    gc.collect()  # a task that nobody asked about tells its error only now
    written += [*caplog.messages, caplog.text, *capfd.readouterr()]
    written += [each.text for each in stage.fake.world.said]
    written += [each.text for each in stage.fake.world.whispers]
    assert any("twitchio" in each for each in written)
    assert not [each for each in written if CANARY in each]
    assert CANARY.encode() not in await asyncio.to_thread((tmp_path / "rabble.db").read_bytes)


def _write_to(lines: list[str]) -> None:
    """Collect the program's own log, with all tracebacks."""

    def collect(_: object, __: str, event: MutableMapping[str, Any]) -> str:
        lines.append(str(event))
        raise structlog.DropEvent

    structlog.configure(
        processors=[structlog.processors.format_exc_info, collect],
        wrapper_class=structlog.make_filtering_bound_logger("debug"),
    )
