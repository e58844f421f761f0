"""`chatbot doctor --live` says in a sentence why it cannot begin; what it does then: `tests/adapters`."""

from __future__ import annotations

import json

import pytest

from chatbot.ledger.store.store import Store
from tests.keys.portal import TOKEN
from tests.terminal import Terminal, terminal

__all__ = ["terminal"]  # a fixture


async def test_with_nothing_connected_it_says_how_to_connect(terminal: Terminal) -> None:
    for name in ("CLIENT_ID", "CLIENT_SECRET"):
        terminal.monkeypatch.delenv(f"CHATBOT_TWITCH_{name}")
    done = await terminal.type("doctor", "--live")
    assert (done.code, done.out) == (1, "")
    assert done.err.count("\n") == 1
    assert "connect twitch`" in done.err
    assert "connect discord`" in done.err
    assert list(terminal.folder.iterdir()) == []


async def test_while_a_bot_runs_on_the_database_it_says_to_stop_that_one(terminal: Terminal) -> None:
    terminal.set(discord_token=TOKEN, database="sqlite:///rabble.db")
    running = await Store.open("sqlite:///rabble.db", alone=True)
    try:
        done = await terminal.type("doctor", "--live")
    finally:
        await running.close()
    assert (done.code, done.out) == (1, "")
    assert "A bot is running on" in done.err
    assert "stop that one, and try again." in done.err


@pytest.mark.slow  # it waits whether Twitch connects after all
async def test_as_json_the_findings_are_one_object_and_what_to_do_is_said_apart(terminal: Terminal) -> None:
    # An application of Twitch without any account: it is not connected, and says how.
    done = await terminal.type("doctor", "--live", "--json")
    report = json.loads(done.out)
    assert (done.code, report["well"]) == (1, False)
    (finding,) = report["findings"]
    assert (finding["subject"], finding["verdict"]) == ("Twitch, connected", "wrong")
    assert "connect twitch" in finding["sentence"]
    assert "One heist on each platform" in done.err
