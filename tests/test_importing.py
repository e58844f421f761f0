"""What an operator types to bring balances along, to show what is kept of a member, and to forget them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
import typer

from chatbot.cli import importer
from chatbot.cli.context import write_file
from chatbot.cli.members import _cell, _forget, _How, _warnings
from chatbot.kernel.game import Failure, Seat
from chatbot.ledger.erasure import Remains
from chatbot.ledger.member_export import FoundPerson
from chatbot.ledger.people import Account
from chatbot.ledger.store.store import Store, StoreError
from tests.bot.stage import Stage
from tests.ledger.conftest import postgresql
from tests.typed import chatbot

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

CSV = "username;points\nann;10\nzoe;20.5\nbob;30\nBOB;40\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Keep a database in which ann and bob have played, and a file of another bot."""
    asyncio.run(play(tmp_path))
    (tmp_path / "points.csv").write_text(CSV, encoding="utf-16")
    return tmp_path


async def play(folder: Path) -> None:
    store = await Store.open(f"sqlite:///{folder / 'rabble.db'}")
    stage = await Stage(store).open()
    for who in ("ann", "bob"):
        await stage.say(who, "!heist 69")
    await stage.turn(60 + 30 + 6 + 300)
    await store.close()


def test_balances_are_looked_at_brought_and_taken_back(folder: Path) -> None:
    bring = "import", "points.csv", "--community", "town"
    looked = chatbot(folder, *bring, "--dry-run")
    assert looked.returncode == 0
    assert "3 rows: " not in looked.stdout  # bob stands there twice
    assert "2 rows: names of twitch from 'username', credits from 'points'." in looked.stdout
    assert "1 fraction of a credit was left out." in looked.stdout
    assert "left out: lines 4, 5: 'bob' stands there 2 times" in looked.stdout
    assert looked.stdout.endswith("Nothing was changed.\n")
    refused = chatbot(folder, *bring)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("Nothing was imported: lines 4, 5: 'bob' stands there 2 times; `--same`")
    done = json.loads(chatbot(folder, *bring, "--skip-bad", "--json").stdout)
    assert (done["done"], done["credits"], done["unknown"]) == (True, 30, ["ann", "zoe"])
    again = chatbot(folder, *bring, "--skip-bad")
    assert (
        again.stderr
        == f"This file was imported before, as {done['import_id']}; say --again if you mean it.\n"
    )
    same = chatbot(folder, *bring, "--skip-bad", "--again", "--mode", "set")
    assert (same.returncode, same.stderr) == (2, "Nothing was imported: no balance would change.\n")
    listed = chatbot(folder, "audit", "--changes").stdout.splitlines()
    assert listed[-1] == f"  money import points.csv: +30 as {done['import_id']}"  # for who has lost the name
    undone = chatbot(folder, "import", "--undo", done["import_id"])
    assert undone.stdout == f"The import {done['import_id']} was taken back: 30 credits.\n"
    listed = chatbot(folder, "audit", "--changes").stdout.splitlines()
    assert listed[-1] == "  money import: -30"
    assert chatbot(folder, "audit").stdout.startswith("The books are sound: ")


@pytest.mark.parametrize("more", ["--dry-run", "points.csv"])
def test_what_is_only_to_be_looked_at_is_not_taken_back(folder: Path, more: str) -> None:
    (folder / "points.csv").write_text("username,points\nann,10\n")
    done = chatbot(folder, "import", "points.csv", "--community", "town", "--json")
    name = json.loads(done.stdout)["import_id"]
    refused = chatbot(folder, "import", "--undo", name, more)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("--undo takes an import back at once: ")
    assert chatbot(folder, "import", "--undo", name).returncode == 0


def test_exported_balances_are_read_back_to_the_credit(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (folder / "ids.csv").write_text("user_id;points\n4242;1000\n99;7\n5;20\n", encoding="utf-8")
    chatbot(folder, "import", "ids.csv", "--community", "town")
    written = chatbot(folder, "export", "balances", "--community", "town", "-o", "all.csv")
    assert (written.returncode, written.stdout) == (0, "")
    text = (folder / "all.csv").read_text(encoding="utf-8")
    assert text == "user_id,username,credits\n4242,,1000\n5,,20\n99,,7\n"
    same = chatbot(folder, "import", "all.csv", "--community", "town", "--mode", "set")
    assert same.stderr == "Nothing was imported: no balance would change.\n"
    other = tmp_path_factory.mktemp("other")
    asyncio.run(play(other))
    (other / "all.csv").write_text(text, encoding="utf-8")
    assert chatbot(other, "import", "all.csv", "--community", "town").returncode == 0
    again = chatbot(other, "export", "balances", "--community", "town")
    assert again.stdout == text
    assert chatbot(folder, "export", "balances", "--community", "town", "--platform", "discord").stdout == (
        "user_id,username,credits\n"
    )


@pytest.mark.parametrize(
    "words",
    [
        ["import", "points.csv", "--community", "town"],
        ["import", "--undo", "points"],
        ["archive", "--before", "30"],
        ["forget", "twitch:42", "--yes"],
        ["audit", "--repair", "--yes"],
        ["settings", "import", "room.toml"],
    ],
    ids=" ".join,
)
def test_what_changes_a_database_makes_none(folder: Path, words: list[str]) -> None:
    (folder / "room.toml").write_text("", encoding="utf-8")
    before = {each.name for each in folder.iterdir()}
    refused = chatbot(folder, *words, "--database", "sqlite:///none.db")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "The database sqlite:///none.db is not there.\n"
    assert {each.name for each in folder.iterdir()} == before


@pytest.mark.parametrize(
    ("accounts", "names", "told"),
    [
        (
            [Account("twitch", "1"), Account("discord", "2")],
            ["Ann", "A."],
            "twitch:1, discord:2, known as Ann, A.",
        ),
        ([Account("twitch", "1")], [], "twitch:1"),
        ([], ["bobby_77"], "the login bobby_77"),  # which has never written
    ],
)
def test_who_will_be_forgotten_is_told_by_all_that_leads_to_them(
    accounts: list[Account], names: list[str], told: str
) -> None:
    person = FoundPerson((Seat("p1"),), tuple(accounts), tuple(names))
    assert next(iter(_warnings(person, Remains({}, 0, 0)))) == f"This forgets {told}."


def test_before_the_first_start_no_community_is_offered(tmp_path: Path) -> None:
    (tmp_path / "points.csv").write_text(CSV, encoding="utf-16")
    url = f"sqlite:///{(tmp_path / 'rabble.db').as_posix()}"
    asyncio.run(emptied(url))
    refused = chatbot(tmp_path, "export", "balances", "--database", url)
    assert refused.stderr == (
        "Say whose balances: there is none yet; start the bot once where it is to play.\n"
    )
    refused = chatbot(tmp_path, "import", "points.csv", "--community", "town", "--database", url)
    assert refused.stderr == (
        "There is no community 'town': there is none yet; start the bot once where it is to play.\n"
    )


async def emptied(url: str) -> None:
    await (await Store.open(url)).close()


def test_balances_of_a_community_that_is_not_there_are_answered_with_those_that_are(folder: Path) -> None:
    for options in ((), ("--community", "tower")):
        refused = chatbot(folder, "export", "balances", *options)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert refused.stderr == "Say whose balances: --community is one of town.\n"


@pytest.mark.parametrize(("name", "cell"), [("ann", "ann"), ("=1+1", "'=1+1"), ("@ann", "'@ann"), ("", "")])
def test_no_name_is_a_formula_of_a_spreadsheet(name: str, cell: str) -> None:
    assert _cell(name) == cell


def test_one_of_a_thing_is_told_as_one(folder: Path) -> None:
    (folder / "one.csv").write_text("id;points\n4242;1\n", encoding="utf-8")
    looked = chatbot(folder, "import", "one.csv", "--community", "town", "--dry-run").stdout
    assert looked.splitlines()[1].startswith("1 row: ids of twitch")
    assert "1 credit would be brought to 1 wallet of town." in looked
    done = chatbot(folder, "import", "one.csv", "--community", "town").stdout
    assert "1 credit was brought to 1 wallet of town." in done
    undone = chatbot(folder, "import", "--undo", done.split()[-1].strip("`.")).stdout
    assert undone.endswith(" was taken back: 1 credit.\n")
    (folder / "one.csv").write_text("username;points\nzoe;2\n", encoding="utf-8")
    looked = chatbot(folder, "import", "one.csv", "--community", "town", "--dry-run").stdout
    assert "1 name is unknown here, zoe: their credits wait" in looked


def test_a_file_that_is_added_and_then_set_is_two_imports(folder: Path) -> None:
    looked = [
        chatbot(folder, "import", "points.csv", "--community", "town", *aim, "--dry-run", "--json").stdout
        for aim in ((), ("--mode", "set"), ("--platform", "discord"), ("--mode", "add"))
    ]
    added, fixed, elsewhere, again = (json.loads(each)["import_id"] for each in looked)
    assert len({added, fixed, elsewhere}) == 3
    assert again == added


def test_a_community_that_is_not_there_is_answered_with_those_that_are(folder: Path) -> None:
    missing = chatbot(folder, "import", "points.csv")
    assert missing.returncode == 2
    assert missing.stderr == "Say whose wallets they are: --community is one of town.\n"
    wrong = chatbot(folder, "import", "points.csv", "--community", "twitch-1")
    assert wrong.stderr == "There is no community 'twitch-1': --community is one of town.\n"
    assert chatbot(folder, "import").stderr == "Say which file to import, or `--undo IMPORT`.\n"


def test_an_export_for_which_there_is_no_room_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    file = tmp_path / "all.csv"
    file.write_text("the last export", encoding="utf-8")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(Failure, match=r"The file .*all\.csv cannot be written: File too large"):
            write_file(file, "bob,20\n" * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [each.name for each in tmp_path.iterdir()] == ["all.csv"]
    assert file.read_text(encoding="utf-8") == "the last export"


@pytest.mark.skipif(os.name != "posix", reason="modes of files and links are those of POSIX")
def test_an_export_over_a_file_keeps_its_mode_and_links_to_it(tmp_path: Path) -> None:
    file, link = tmp_path / "all.csv", tmp_path / "link.csv"
    file.touch(0o600)
    link.symlink_to(file)
    write_file(link, "bob,20\n")
    assert link.is_symlink()
    assert (file.read_text(encoding="utf-8"), file.stat().st_mode & 0o777) == ("bob,20\n", 0o600)


@pytest.mark.skipif(os.name != "posix", reason="named pipes are those of POSIX")
def test_an_export_can_go_to_what_is_no_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_file(pipe, "bob,20\n")
    assert os.read(reader, 100) == b"bob,20\n"
    os.close(reader)


def test_a_member_is_shown_whole_and_forgotten_only_if_it_is_meant(folder: Path) -> None:
    kept = json.loads(chatbot(folder, "export", "test:bob").stdout)
    assert kept["seats"] == ["test:bob"]
    assert [each["name"] for each in kept["names"]] == ["bob"]
    assert {each["community"] for each in kept["wallets"]} == {"town"}
    here = json.loads(chatbot(folder, "export", "test:bob", "--community", "town").stdout)
    assert (here["seats"], here["wallets"]) == (kept["seats"], kept["wallets"])
    elsewhere = json.loads(chatbot(folder, "export", "test:bob", "--community", "village").stdout)
    assert (elsewhere["seats"], elsewhere["wallets"], elsewhere["movements"]) == (kept["seats"], [], [])
    chatbot(folder, "export", "bob", "-o", "bob.json")
    assert json.loads((folder / "bob.json").read_text(encoding="utf-8")) == kept
    refused = chatbot(folder, "forget", "bob")
    assert refused.stdout.startswith("This forgets test:bob, known as bob.\n")
    assert refused.stderr == "Nothing was done: say --yes if you mean it.\n"
    assert json.loads(chatbot(folder, "export", "bob").stdout) == kept
    done = chatbot(folder, "forget", "bob", "--yes")
    assert done.stdout.splitlines()[-1] == "Forgotten."
    assert chatbot(folder, "export", "bob").stderr.startswith("There is no member 'bob'")
    noted = chatbot(folder, "audit", "--changes").stdout.splitlines()
    assert noted[0].endswith(" UTC, room, operator")
    assert noted[1:] == ["  forgetting member"]
    assert chatbot(folder, "audit").stdout.startswith("The books are sound: ")
    verified = chatbot(folder, "verify", "a-table-1")
    assert verified.returncode == 0
    assert "and this record at its end" in verified.stdout  # which forgetting does not change
    assert "bob" not in verified.stdout


def test_ctrl_c_at_the_question_forgets_nobody(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> bool:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise typer.Abort from None  # as Click does
        return True  # whoever saw nothing happen goes on to answer

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr(typer, "confirm", interrupted)
    stopped = chatbot(folder, "forget", "bob")
    assert (stopped.returncode, stopped.stderr) == (2, "\nNothing was done.\n")
    assert chatbot(folder, "export", "bob").returncode == 0


@pytest.mark.postgres
async def test_on_a_server_nobody_is_forgotten_and_nothing_imported_while_a_room_is_run() -> None:
    async with postgresql() as url:
        store = await Store.open(url)
        await (await Stage(store).open()).say("bob", "!credits")
        undo = importer.undo(url, "import:none", None, None)
        for change in (_forget(url, "bob", None, _How(asks=False)), undo):
            with pytest.raises(StoreError, match="The rooms of town are run by another process"):
                await change
        await store.close()
        await _forget(url, "bob", None, _How(asks=False))
