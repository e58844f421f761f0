"""What an operator types to check the books and a table, and what they read."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from chatbot.cli import inspection
from chatbot.kernel.game import Seat
from chatbot.ledger.books import purses
from chatbot.ledger.store.store import Store
from tests.bot.stage import Stage
from tests.ledger.samples import doctor, shifted
from tests.typed import chatbot

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

SIGNED = "24e49f93d22ea967ab2f0d6880c8f5fe1a151bd53ea9f2dbe553a4bcbf5679d6"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Keep the database of a heist that is over and of one that stands."""
    asyncio.run(play(tmp_path))
    return tmp_path


async def play(folder: Path) -> None:
    store = await Store.open(f"sqlite:///{folder / 'rabble.db'}")
    stage = await Stage(store).open()
    await stage.say("ann", "!heist 69")
    await stage.turn(60 + 30 + 6 + 300)
    await stage.say("ann", "!heist 5")
    await store.close()


async def spoil(folder: Path, *statements: str) -> None:
    store = await Store.open(f"sqlite:///{folder / 'rabble.db'}")
    await doctor(store, *statements)
    await store.close()


def test_sound_books_are_told_in_a_line(folder: Path) -> None:
    done = chatbot(folder, "audit")
    assert done.returncode == 0
    assert done.stdout.startswith("The books are sound: ")
    assert done.stderr == ""
    assert json.loads(chatbot(folder, "audit", "--json").stdout)["sound"] is True


def test_a_doctored_database_is_caught_with_the_rows_that_are_wrong(folder: Path) -> None:
    asyncio.run(spoil(folder, shifted(ANN, 7)))
    done = chatbot(folder, "audit")
    assert done.returncode == 1
    assert "BREACH (conservation): community town sums to 7 and not to 0" in done.stdout
    assert "BREACH (balance): wallet:town:test:ann holds" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("The books do NOT add up: 2 breaches in ")
    assert "; in doubt: town. " in done.stdout.splitlines()[-1]
    plain = json.loads(chatbot(folder, "audit", "--json").stdout)
    assert (plain["sound"], plain["doubted"]) == (False, ["town"])
    assert plain["breaches"][0]["row"] == {"community": "town", "sum": 7}


ANN = purses.wallet("town", Seat("test:ann"))
EDITED = shifted(ANN, 7)


def test_a_doctored_database_is_repaired_after_it_was_shown_how(folder: Path) -> None:
    asyncio.run(spoil(folder, EDITED))
    asked = chatbot(folder, "audit", "--repair")
    assert (asked.returncode, asked.stdout) == (2, "")
    assert asked.stderr.splitlines()[-1] == "Nothing was done: say --yes if you mean it."
    assert "  wallet:town:test:ann is brought from " in asked.stderr
    assert chatbot(folder, "audit").returncode == 1
    done = chatbot(folder, "audit", "--repair", "--yes")
    assert (done.returncode, done.stdout[:21]) == (0, "The books are sound: ")
    assert chatbot(folder, "audit").returncode == 0
    assert "repair test:ann wallet: " in chatbot(folder, "audit", "--changes").stdout
    told = asyncio.run(played_on(folder))
    assert "goes on after a break" in told[0]
    assert "books corrected" in told[-1]
    assert "books corrected by the operator +0" in asyncio.run(history(folder))


def test_books_are_not_left_unrepaired_in_silence(folder: Path) -> None:
    refused = chatbot(folder, "audit", "--changes", "--repair", "--yes")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("Give one of --changes, --mint and --repair: ")


async def played_on(folder: Path) -> list[str]:
    """Start again, and let a moderator ask what was changed."""
    store = await Store.open(f"sqlite:///{folder / 'rabble.db'}")
    stage = await Stage(store, run="b").open()
    told = [*stage.said(), *await stage.say("mo(moderator)", "!audit")]
    await store.close()
    return told


async def history(folder: Path) -> str:
    store = await Store.open(f"sqlite:///{folder / 'rabble.db'}")
    stage = await Stage(store, run="c").open()
    told = await stage.say("ann", "!history 3")
    await store.close()
    return told[-1]


def test_what_no_posting_corrects_is_told_and_the_rest_is_corrected(folder: Path) -> None:
    asyncio.run(spoil(folder, EDITED, "DELETE FROM journal WHERE turn = 2"))
    done = chatbot(folder, "audit", "--repair", "--yes")
    assert done.returncode == 1
    assert "BREACH (balance)" not in done.stdout
    assert done.stdout.splitlines()[-1].startswith("What is left no posting corrects; put a backup back by ")


def test_a_file_that_is_not_whole_is_not_repaired(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "rabble.db", isolation_level=None)) as other:
        other.execute("PRAGMA writable_schema = ON")
        other.execute("UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'ix_purse_ranking'")
    done = chatbot(folder, "audit", "--repair", "--yes")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("No posting corrects that the file is damaged: ")


def test_a_file_whose_damage_shows_when_it_is_read_is_told_in_a_sentence(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "rabble.db")) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'member'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with (folder / "rabble.db").open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    done = chatbot(folder, "forget", "test:ann", "--yes")
    assert done.returncode == 2
    assert done.stderr.startswith("The database could not do it (database disk image is malformed); `")
    assert done.stderr.endswith("chatbot audit` tells whether it is damaged.\n")
    assert len(done.stderr.splitlines()) == 1


def test_an_audit_makes_no_database_and_changes_none(folder: Path) -> None:
    done = chatbot(folder, "audit", "--database", "sqlite:///another.db")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "The database sqlite:///another.db is not there.\n"
    assert not (folder / "another.db").exists()
    for revision, told in {
        "0000": "is from before the first version, which begins with 0007); name another database",
        "0099": "is newer than this program, which knows 0011); update the program, or name another database",
    }.items():
        with closing(sqlite3.connect(folder / "rabble.db")) as other, other:
            other.execute("UPDATE alembic_version SET version_num = ?", (revision,))
        done = chatbot(folder, "audit")
        assert (done.returncode, done.stdout) == (2, "")
        assert told in done.stderr


def test_a_terminal_shows_how_far_an_audit_is_and_a_file_does_not(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich draws as on a terminal
    url, steps = f"sqlite:///{folder / 'rabble.db'}", list[tuple[int, int]]()
    with inspection.progress(shown=True) as seen:

        def noted(done: int, of: int) -> None:
            steps.append((done, of))
            seen(done, of)

        asyncio.run(inspection.audit(url, noted))
    assert "checking the books" in capsys.readouterr().out
    assert steps == [(done, len(steps) - 1) for done in range(len(steps))]
    assert "checking the books" not in chatbot(folder, "audit").stdout


def test_a_table_is_exported_and_its_file_checks_out_where_there_is_no_database(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    exported = chatbot(folder, "export", "a-table-1")
    assert exported.returncode == 0
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "proof.json").write_text(exported.stdout, encoding="utf-8")
    done = chatbot(elsewhere, "verify", "proof.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert "All 6 turns come out the same when they are played again." in done.stdout
    assert "This table checks out, if the chat was told" in done.stdout
    assert sorted(each.name for each in elsewhere.iterdir()) == ["proof.json"]
    assert chatbot(folder, "verify", "a-table-1").stdout == done.stdout


def test_a_proof_that_is_typed_instead_of_its_file_is_answered_in_a_sentence(folder: Path) -> None:
    written = chatbot(folder, "export", "a-table-1").stdout
    refused = chatbot(folder, "verify", written)
    told = f"There is no table {written[:80]!r} in this database, nor a file of that name.\n"
    assert (refused.returncode, refused.stderr) == (2, told)


def test_a_doctored_proof_is_caught(folder: Path) -> None:
    proof = json.loads(chatbot(folder, "export", "a-table-1").stdout)
    proof["seed"] = "00" * 32
    (folder / "forged.json").write_text(json.dumps(proof), encoding="utf-8")
    done = chatbot(folder, "verify", "forged.json")
    assert done.returncode == 1
    assert "  NO  chain: The head of the chain should be " in done.stdout
    assert done.stdout.splitlines()[-1] == "This table does NOT check out."
    assert json.loads(chatbot(folder, "verify", "forged.json", "--json").stdout)["sound"] is False


def test_what_the_chat_was_told_is_compared(folder: Path) -> None:
    terms = json.loads(chatbot(folder, "export", "a-table-1").stdout)["terms"]
    assert chatbot(folder, "verify", "a-table-1", "--terms", terms.upper()).returncode == 0
    done = chatbot(folder, "verify", "a-table-1", "--terms", SIGNED)
    assert done.returncode == 1
    assert f"  NO  told terms: The chat was told something else: {SIGNED}." in done.stdout


@pytest.mark.parametrize("command", ["export", "verify"])
def test_the_secret_of_a_table_that_stands_is_not_given_away(folder: Path, command: str) -> None:
    with closing(sqlite3.connect(folder / "rabble.db")) as connection:
        ((table,),) = connection.execute("SELECT id FROM game_table WHERE state = 'open'")
    done = chatbot(folder, command, table)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"Table {table} is still being played; its proof can be had when it is over.\n"


def test_a_table_that_is_not_there_is_named(folder: Path) -> None:
    verified, exported = (chatbot(folder, each, "nothing") for each in ("verify", "export"))
    assert [(each.returncode, each.stdout) for each in (verified, exported)] == [(2, "")] * 2
    assert verified.stderr == "There is no table 'nothing' in this database, nor a file of that name.\n"
    assert exported.stderr == "There is no member 'nothing' in this database, nor a table of that name.\n"
