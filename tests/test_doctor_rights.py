"""`chatbot doctor` names what others can read, write or open, and what to do about it."""

from __future__ import annotations

import os
import re

import pytest

from chatbot.ledger.store.store import Store
from tests.terminal import Terminal, terminal
from tests.test_doctor import verdicts

__all__ = ["terminal"]  # a fixture

POSIX = pytest.mark.skipif(os.name != "posix", reason="Windows keeps that elsewhere")


@POSIX
async def test_each_file_that_others_can_read_is_named_with_the_command_that_mends_it(
    terminal: Terminal,
) -> None:
    terminal.set(port="0", twitch_client_id="", twitch_client_secret="")
    data = terminal.folder / "data"
    (data / "backups").mkdir(parents=True)
    store = await Store.open(f"sqlite:///{(data / 'rabble.db').as_posix()}")
    names = {
        "database files": ["data/rabble.db", "data/rabble.db-wal"],
        "backups": [
            "data/backups/rabble-20260102-030405.db",
            "data/backups/rabble-20260102-030405.db.former",
        ],
        "keys": ["data/twitch-tokens.json", "data/fairness.key"],
        ".env": [".env"],
        "log": ["data/my log.log"],
    }
    (terminal.folder / ".env").write_text("CHATBOT_DISCORD_TOKEN=\n", encoding="utf-8")
    for each in (*names["backups"], *names["keys"], *names["log"]):
        (terminal.folder / each).touch(mode=0o600)
    (terminal.folder / "data/fairness.key").write_text("ab" * 32, encoding="ascii")
    (terminal.folder / ".env").chmod(0o600)
    found = await verdicts(terminal)
    assert found["files"] == ("ok", "no other account of this machine can read them.")
    for each in (file for files in names.values() for file in files):
        (terminal.folder / each).chmod(0o644)
    found = await verdicts(terminal)
    await store.close()
    assert "files" not in found
    for subject, files in names.items():
        shown = " ".join(f"'{each}'" if " " in each else each for each in files)
        assert found[subject][1].endswith(f"; `chmod 600 {shown}`."), found[subject]
    assert {found[each][0] for each in ("database files", "backups", "keys")} == {"wrong"}
    assert {found[each][0] for each in (".env", "log")} == {"look"}  # this one holds no secret yet


@POSIX
@pytest.mark.parametrize(
    "line",
    [
        "CHATBOT_DISCORD_TOKEN=x",
        "chatbot_twitch_client_secret=x",
        "CHATBOT_DATABASE=postgresql://bot:x@127.0.0.1:1/rabble",
    ],
)
async def test_an_env_with_secrets_that_others_can_read_is_wrong(terminal: Terminal, line: str) -> None:
    terminal.set(discord_token="", database="sqlite:///data/rabble.db")
    (terminal.folder / ".env").write_text(f"{line}\n", encoding="utf-8")
    (terminal.folder / ".env").chmod(0o640)
    verdict, sentence = (await verdicts(terminal))[".env"]
    assert (verdict, sentence) == ("wrong", "others on this machine can read it; `chmod 600 .env`.")


async def test_without_modes_it_says_what_it_cannot_see(terminal: Terminal) -> None:
    terminal.monkeypatch.setattr("chatbot.ledger.store.file_modes.has_modes", lambda: False)
    verdict, sentence = (await verdicts(terminal))["files"]
    assert verdict == "look"
    assert "the rights of their folder, which are not looked at" in sentence


OPEN = ["0.0.0.0", "::", "0", "192.0.2.1"]
CLOSED = ["127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1", "localhost", "no.such.host.invalid"]


@pytest.mark.parametrize("host", OPEN)
async def test_a_page_that_others_can_open_gets_a_look(terminal: Terminal, host: str) -> None:
    terminal.set(host=host, port="0", twitch_client_id="", twitch_client_secret="")
    told = (
        f"the page is not yours alone: other machines can reach it, for CHATBOT_HOST is {host}: who has the "
        "invitation plays as a viewer, and nothing is encrypted on the way; set CHATBOT_HOST to 127.0.0.1 "
        "unless everybody on that network may read along."
    )
    assert (await verdicts(terminal))["network"] == ("look", told)
    last = (await terminal.type("doctor")).out.splitlines()[-1]
    assert re.fullmatch(r"Nothing to fix; [1-9] (is|are) worth a look\.", last)


@pytest.mark.parametrize("host", CLOSED)
async def test_a_page_of_this_machine_alone_is_right(terminal: Terminal, host: str) -> None:
    terminal.set(host=host, port="0")
    assert (await verdicts(terminal))["network"] == ("ok", "no other machine can open the page.")


async def test_a_database_that_cannot_be_made_is_wrong(terminal: Terminal) -> None:
    folder = terminal.folder / "not-mounted"
    terminal.set(database=f"sqlite:///{folder / 'rabble.db'}")
    verdict, sentence = (await verdicts(terminal))["database"]
    assert verdict == "wrong"
    assert sentence.endswith(
        f" cannot be made: its folder {folder} is not there: make it, or name another database."
    )
    assert not folder.exists()
