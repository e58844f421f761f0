"""`chatbot overlay` tells the address of each room, and replaces one, while the bot runs or not."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from chatbot.cli import entry
from chatbot.kernel.game import Failure
from chatbot.keys.overlay_keys import OverlayKeys
from chatbot.ledger.changes import Changes
from chatbot.ledger.rooms import KnownRoom, KnownRooms
from chatbot.ledger.store.store import Store

if TYPE_CHECKING:
    from pathlib import Path

SECRET = bytes(range(32))
BASE = "http://127.0.0.1:8765/overlay/"


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database with two rooms, and the key of fairness that belongs to it."""
    found = f"sqlite:///{(tmp_path / 'rabble.db').as_posix()}"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CHATBOT_DATABASE", found)
    monkeypatch.setenv("CHATBOT_FAIRNESS_KEY", SECRET.hex())
    asyncio.run(_prepare(found))
    return found


async def _prepare(url: str) -> None:
    store = await Store.open(url)
    for room in ("local", "twitch:7"):
        await KnownRooms(store).note(KnownRoom(room, "town"), datetime.now(UTC))
    await store.close()


async def _keys(url: str) -> dict[str, str]:
    store = await Store.look(url)
    try:
        return await OverlayKeys(store, SECRET).all()
    finally:
        await store.close()


def printed(*words: str) -> str:
    result = CliRunner().invoke(entry.app, ["overlay", *words], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def refused(*words: str) -> str:
    result = CliRunner().invoke(entry.app, ["overlay", *words])
    assert isinstance(result.exception, Failure)
    return str(result.exception)


def test_the_address_of_every_room_is_printed_or_that_of_one(url: str) -> None:
    keys = asyncio.run(_keys(url))
    assert printed() == f"local: {BASE}{keys['local']}\ntwitch:7: {BASE}{keys['twitch:7']}\n"
    assert printed("twitch:7") == f"{BASE}{keys['twitch:7']}\n"


def test_the_address_is_the_one_that_this_machine_opens(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHATBOT_HOST", "0.0.0.0")
    assert printed("local").startswith("http://127.0.0.1:8765/")
    monkeypatch.setenv("CHATBOT_HOST", "::1")
    monkeypatch.setenv("CHATBOT_PORT", "99")
    assert printed("local").startswith("http://[::1]:99/")
    monkeypatch.setenv("CHATBOT_PORT", "0")
    address, hint = printed("local").splitlines()
    assert address.startswith("http://[::1]:PORT/")
    assert hint == "PORT is what the start prints, as CHATBOT_PORT is 0; set it, and the address stays."


def test_a_new_key_replaces_the_former_and_is_recorded(url: str) -> None:
    before = asyncio.run(_keys(url))
    fresh = printed("local", "--new").removeprefix(BASE).strip()
    assert fresh != before["local"]
    assert asyncio.run(_keys(url)) == {**before, "local": fresh}
    assert printed("local") == f"{BASE}{fresh}\n"
    result = CliRunner().invoke(entry.app, ["audit", "--changes"])
    assert "operator\n  overlay local generation: 1 → 2" in result.output


def test_it_works_while_the_bot_has_the_database(url: str) -> None:
    async def running() -> None:
        store = await Store.open(url, alone=True)
        try:
            keys = OverlayKeys(store, SECRET)
            before = await keys.of("local")
            fresh = (await asyncio.to_thread(printed, "local", "--new")).removeprefix(BASE).strip()
            assert await keys.room(before) is None
            assert await keys.room(fresh) == "local"
            assert len(await Changes(store).newest("local")) == 1
        finally:
            await store.close()

    asyncio.run(running())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--new",), "Say whose key is to be replaced, as in `chatbot overlay local --new`."),
        (("nowhere",), "There is no room 'nowhere' in this database; there are: local, twitch:7."),
        (("nowhere", "--new"), "There is no room 'nowhere' in this database; there are: local, twitch:7."),
    ],
)
def test_what_makes_no_sense_changes_nothing(url: str, words: tuple[str, ...], sentence: str) -> None:
    before = asyncio.run(_keys(url))
    assert refused(*words) == sentence
    assert asyncio.run(_keys(url)) == before


def test_without_a_database_or_a_key_the_operator_is_told_what_to_do(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "is not there" in refused("--database", "sqlite:///none.db")
    monkeypatch.delenv("CHATBOT_FAIRNESS_KEY")
    assert refused().endswith("fairness.key is not there; start the bot once.")
