"""Whatever Discord does to requests: the game ends, the books are right, and no secret is told."""

from __future__ import annotations

import io
import logging
import sqlite3
from contextlib import closing, redirect_stderr
from typing import TYPE_CHECKING

import pytest

from chatbot import log
from cogs.discord import sender
from cogs.discord.errors import Complaints
from cogs.discord.messages import MessageCog
from tests.adapters.discord.stage import Stage
from tests.fakes.discord_server import TOKEN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from chatbot.ledger.store.store import Store
    from tests.fakes.discord_server import DiscordServer

CANARIES = TOKEN, "interaction-canary"
ROUTES = (
    r"POST /channels/\d+/messages",
    r"PATCH /channels/\d+/messages",
    "POST /interactions",
    "POST /webhooks",
)
RETRIED = "500", "502"  # by the library, after a second each: one route is enough of that


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sender, "PAUSE", 0.02)


@pytest.fixture
def spoken() -> Iterator[io.StringIO]:
    """Collect all that is logged, by the program and by the libraries, from the least level on."""
    with redirect_stderr(io.StringIO()) as written:
        log.configure("debug")
        yield written


def secrets_in(text: str) -> list[str]:
    return [each for each in CANARIES if each in text]


@pytest.mark.parametrize(
    "kind", ["limited", "banned", "500", "502", "503", "cut", "mute", "forbidden", "unknown", "slow"]
)
async def test_a_heist_survives_every_fault_of_every_route(
    spoken: io.StringIO, server: DiscordServer, store: Store, kind: str
) -> None:
    async with Stage(server, store) as stage:
        ann, bob, kim = (stage.world.join(name) for name in ("ann", "bob", "kim"))
        faults = [server.fail(each, kind) for each in (ROUTES[:1] if kind in RETRIED else ROUTES)]
        await stage.people.say(ann, stage.town, "!heist 69")
        await stage.until(lambda: stage.sits(ann))
        await stage.people.slash(bob, stage.town, "heist", stake="69")
        await stage.people.slash(bob, stage.town, "credits")
        await stage.people.say(kim, stage.town, "!heist 69")
        await stage.until(lambda: stage.sits(bob) and stage.sits(kim))
        while not stage.table.over:
            await stage.turn(stage.table.clock.seconds if stage.table.clock else 0)
        assert len(stage.table.view(None).crew) == 3
        assert sum(each.times for each in faults) <= 1, "the faults have happened"
        if kind not in {"forbidden", "unknown"}:
            await stage.shown("Results:")
    assert not secrets_in(spoken.getvalue())


async def test_no_secret_is_kept_in_the_database(stage: Stage, store: Store, tmp_path: Path) -> None:
    ann = stage.world.join("ann")
    await stage.people.slash(ann, stage.town, "heist", stake="69")
    await stage.until(lambda: stage.sits(ann))
    await stage.play_out()
    await stage.close()
    with closing(sqlite3.connect(tmp_path / "rabble.db")) as database:
        dump = "\n".join(database.iterdump())
    assert "ann" in dump
    assert not secrets_in(dump)


async def test_a_rate_limit_on_an_interaction_is_not_logged_with_its_token(stage: Stage) -> None:
    """The library warns of it with the whole address, which holds the token."""
    written, library = io.StringIO(), logging.getLogger("discord.http")
    handler = logging.StreamHandler(written)  # of somebody who cleans nothing
    library.addHandler(handler)
    library.warning("limited: %s", "https://x/interactions/12/interaction-canary-8/callback")
    library.warning("limited: %s", "https://x/webhooks/12/interaction-canary-9?wait=1")
    library.removeHandler(handler)
    assert "/interactions/12/***/callback" in written.getvalue()
    assert not secrets_in(written.getvalue())


async def test_a_retried_message_stands_there_once(stage: Stage) -> None:
    """The first try arrived, but its answer did not."""
    ann = stage.world.join("ann")
    stage.server.fail(r"POST /channels/\d+/messages", "mute", times=1)
    await stage.people.say(ann, stage.town, "!credits")
    await stage.world.until(lambda: len(stage.server.asked(r"POST /channels/\d+/messages")) == 2)
    assert stage.world.texts(stage.town).count("ann has 240") == 1


async def test_one_trouble_of_a_channel_is_told_once() -> None:
    complaints, told = Complaints(), io.StringIO()
    with redirect_stderr(told):
        log.configure("warning")
        for _ in range(3):
            complaints.tell("discord:1", "a message did not reach Discord", TimeoutError())
        complaints.tell("discord:2", "a message did not reach Discord", TimeoutError())
    assert told.getvalue().count("did not reach") == 2


async def test_a_fault_of_our_own_is_told_with_its_place(
    spoken: io.StringIO, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stumble(*_: object) -> None:
        raise LookupError

    monkeypatch.setattr(MessageCog, "hear", stumble)
    await stage.people.say(stage.world.join("ann"), stage.town, "!credits")
    await stage.until(lambda: "on_message failed" in spoken.getvalue())
    assert "in stumble" in spoken.getvalue()
